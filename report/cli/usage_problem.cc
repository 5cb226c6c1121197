// What a command takes, and the option that a mistyped one comes nearest to.
#include "report/cli/usage_problem.h"

#include <unistd.h>

#include <algorithm>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "report/cli/output.h"

namespace trtlens {
namespace {

const std::vector<std::string> kHistoryCommands = {"add",   "list",  "show",
                                                   "trend", "prune", "export"};

// The words that a command takes beside its options.
std::string taken_by(const std::string& command) {
  if (command == "analyze") return "logs, JSON exports or directories of them: PATH...";
  if (command == "convert") return "the same as analyze, and --to FORMAT: PATH...";
  if (command == "compare") return "two or three sides: BASE CANDIDATE [NEXT]";
  if (command == "history") return "one of " + join(kHistoryCommands, ", ");
  if (command == "history add") return "--db FILE and the same as analyze: PATH...";
  if (command == "history show") return "--db FILE and the number of one build: ID";
  if (command == "history export") return "--db FILE, --to DIR and other options";
  if (command.starts_with("history ")) return "--db FILE and other options";
  if (command == "explain") return "the id of one rule: RULE; `trtlens rules` lists them";
  if (command == "schema") return "one name: analyze, compare, check or contract";
  if (command == "record") return "--print or --run, --onnx FILE and other options";
  if (command == "completion") return "the name of one shell: bash, zsh or fish";
  if (command == "man") return "at most one command, such as compare or history-add";
  if (command == "redact") return "logs, exports or directories, or - for standard input: PATH...";
  if (command == "expect") return "one good build, or repetitions of it: PATH...";
  if (command == "check") return "one build, or repetitions of it, and --contract FILE: PATH...";
  return "options only";
}

// "analyze has no option --tpo; did you mean '--top'?"
std::string option_problem(const std::string& command, const std::string& word,
                           const std::vector<std::string>& options) {
  const std::string given = word.substr(0, word.find('='));
  const std::size_t dashes = std::min(given.find_first_not_of('-'), given.size());
  const std::string name = given.substr(dashes);
  // Other programs have it so; of another option "no" would be the opposite of what is meant.
  const bool is_no = name.starts_with("no-");
  std::string near = nearest_name(is_no ? name.substr(3) : name, options);
  if (is_no) near = near == "color" ? "color never" : nearest_name(name, options);
  const std::string start = command + " has no option " + given;
  if (near == "version") return start + "; did you mean `trtlens --version`?";
  return start + (near.empty() ? "" : "; did you mean '--" + near + "'?");
}

}  // namespace

std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  static const std::vector<std::string> own = {"-h", "--help", "-V", "--version"};
  const bool options_only = !words.empty() && words[0].size() > 1 && words[0][0] == '-' &&
                            std::find(own.begin(), own.end(), words[0]) == own.end() &&
                            !is_terminal(STDIN_FILENO);
  if (options_only) {
    words.insert(words.begin(), "analyze");
    words.emplace_back("-");
  }
  // `help COMMAND` is `COMMAND --help`.
  if (!words.empty() && words[0] == "help") {
    while (!words.empty() && words[0] == "help") words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

std::string command_problem(const std::vector<std::string>& words,
                            const std::vector<std::string>& commands) {
  if (words.empty() || words[0].empty() || words[0][0] == '-') return {};
  const std::string& word = words[0];
  if (std::find(commands.begin(), commands.end(), word) != commands.end()) return {};
  const std::string start = "'" + word + "' is no command; ";
  if (::access(word.c_str(), F_OK) == 0) {
    return start + "did you mean `trtlens analyze " + word + "`?";
  }
  const std::string near = nearest_name(word, commands);
  return start + (near.empty() ? "`trtlens --help` lists them" : "did you mean '" + near + "'?");
}

std::string words_problem(const std::string& command) {
  return command + " takes " + taken_by(command);
}

std::string extra_problem(const std::string& command, const std::vector<std::string>& extra,
                          const std::vector<std::string>& options) {
  const auto option = std::ranges::find_if(
      extra, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (option != extra.end()) return option_problem(command, *option, options);
  const bool is_name = command == "history" && !extra.empty();
  return words_problem(command) + (is_name ? did_you_mean(extra.front(), kHistoryCommands) : "");
}

}  // namespace trtlens
