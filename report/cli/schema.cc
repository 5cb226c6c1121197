// The command `schema`.
#include "report/formats/json/schema.h"
#include "report/cli/commands.h"

namespace trtlens {

int run_schema(const std::string& of) {
  return print(json_schema(of)) ? kExitDone : kExitFailure;
}

}  // namespace trtlens
