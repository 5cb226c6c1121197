// The command `expect`: writes the contract.
#include <cstring>
#include <memory>
#include <utility>

#include "analyzers/contract/contract.h"
#include "analyzers/rules/rule.h"
#include "report/cli/commands.h"
#include "report/cli/help_text.h"
#include "report/cli/output_file.h"
#include "report/cli/reading.h"
#include "report/formats/json/contract.h"

namespace trtlens {

int run_expect(const ExpectArguments& arguments) {
  OutputOptions output;
  output.quiet = arguments.quiet;
  const bool to_stdout = arguments.output.empty() || arguments.output == "-";
  if (!to_stdout) output.files = {"json:" + arguments.output};
  StageTimes times(false);
  AnalyzeOptions how;
  how.whole_profiles = true;
  std::vector<Analysis> builds = read_builds(arguments.paths, how, output, times);
  if (builds.empty()) return kExitFailure;
  const std::shared_ptr<const Reading> reading = builds.front().reading;
  const Expectation expectation = expect(std::move(builds));
  if (!expectation.refused.empty()) {
    complain(expectation.refused);
    return kExitFailure;
  }
  const std::string text = contract_text(expectation);
  if (to_stdout) return print(text) ? status_after(*reading, kExitDone) : kExitFailure;
  if (const int error = write_file(arguments.output, text); error != 0) {
    complain("cannot write " + arguments.output + ": " + std::strerror(error));
    return kExitFailure;
  }
  if (!arguments.quiet) complain("wrote " + arguments.output);
  return status_after(*reading, kExitDone);
}

CommandRow expect_command(ExpectArguments& a) {
  return {
      "expect",
      "what a good build is, written from one: a contract, to be read and edited",
      "Examples:\n"
      "  trtlens expect good/ -o engine.contract\n"
      "  trtlens expect run-1/ run-2/ run-3/ -o engine.contract\n"
      "\n"
      "The file is JSON with comments: a clause a line or block, with what it means and how to "
      "loosen it. What the inputs do not tell is not in it, but for a comment. Exit status: 0 "
      "done; 2 the builds failed or are no repetitions of one engine, or it could not be written.",
      {{"PATH", &a.paths, kRepetitionsHelp, "", true},
       {"-o,--output", &a.output, "a file (default: standard output)", "FILE"},
       {"-q,--quiet", &a.quiet, "no progress, no notes"}}};
}

}  // namespace trtlens
