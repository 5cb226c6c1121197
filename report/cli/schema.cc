// The command `schema`.
#include "report/formats/json/schema.h"
#include "report/cli/commands.h"

namespace trtlens {

int run_schema(const SchemaArguments& arguments) {
  const bool to_read = arguments.format == "markdown";
  return print(to_read ? schema_markdown(arguments.of) : json_schema(arguments.of)) ? kExitDone
                                                                                    : kExitFailure;
}

}  // namespace trtlens
