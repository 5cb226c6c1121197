// Parses the command line and runs the command; what is thrown ends here.
#include <csignal>
#include <exception>
#include <new>

#include "parsers/input/mapped_window.h"
#include "report/cli/command_line.h"
#include "report/cli/help_text.h"

namespace trtlens {
namespace {

int run(int argc, char** argv) {
  int status = kExitFailure;
  std::optional<CommandLine> line = read_command_line(argc, argv, status);
  if (!line) return status;
  if (line->run != nullptr) return line->run(*line);
  (void)print(kFirstSteps);
  return kExitFailure;
}

}  // namespace
}  // namespace trtlens

int main(int argc, char** argv) {
  // A reader that went away is seen at write(): no reason to be killed.
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes, too
  trtlens::allow_mapped_files();
  try {
    return trtlens::run(argc, argv);
  } catch (const std::bad_alloc&) {
    trtlens::complain("out of memory");
  } catch (const std::exception& error) {
    trtlens::complain(std::string("internal error: ") + error.what());
  }
  return trtlens::kExitFailure;
}
