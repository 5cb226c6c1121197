#include "report/cli/commands.h"
#include "report/json_schema.h"

namespace trtlens {

int run_schema(const std::string& of) {
  return print(json_schema(of)) ? kExitDone : kExitFailure;
}

}  // namespace trtlens
