// What a command takes, and the option that a mistyped one comes nearest to.
#include "report/cli/usage_problem.h"

#include <algorithm>

#include "report/cli/names.h"

namespace trtlens {
namespace {

// The words that a command takes beside its options.
std::string words_of(const std::string& command) {
  if (command == "analyze") return "logs, JSON exports or directories of them: PATH...";
  if (command == "compare") return "two or three sides: BASE CANDIDATE [NEXT]";
  if (command == "explain") return "the id of one rule: RULE; `trtlens rules` lists them";
  if (command == "schema") return "the name of one report: analyze or compare";
  return "options only";
}

}  // namespace

std::string words_problem(const std::string& command) {
  return command + " takes " + words_of(command);
}

std::string option_problem(const std::string& command, const std::string& word,
                           const std::vector<std::string>& options) {
  const std::string given = word.substr(0, word.find('='));
  const std::size_t dashes = std::min(given.find_first_not_of('-'), given.size());
  const std::string near = nearest_name(given.substr(dashes), options);
  return command + " has no option " + given +
         (near.empty() ? "" : "; did you mean '--" + near + "'?");
}

}  // namespace trtlens
