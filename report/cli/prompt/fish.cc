// The completion for fish: a line an option, with the command that has it as the condition.
#include <fmt/format.h>

#include "analyzers/text.h"
#include "report/cli/prompt/description.h"
#include "report/cli/prompt/prompt.h"

namespace trtlens {
namespace {

constexpr const char* kFishStart =
    R"(# fish completion of trtlens, printed by `trtlens completion fish`.
function __trtlens_rules
    set -l words (commandline -opc)
    $words[1] rule-ids 2>/dev/null
end
function __trtlens_thresholds
    set -l words (commandline -opc)
    $words[1] threshold-names 2>/dev/null
end
# Of a,b,c the last one, behind what is there.
function __trtlens_list
    set -l there (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*,')
    for word in $argv
        echo "$there$word"
    end
end
# Whether the words before the cursor begin with the command, and no other one of it.
function __trtlens_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l command
    for word in $words
        switch "$command $word"
            case )";

constexpr const char* kFishMiddle = R"(
                set command (string trim "$command $word")
            case '*'
                break
        end
    end
    test "$command" = "$argv"
end
function __trtlens_first
    test (count (commandline -opc)) = 1
end
complete -c trtlens -f
)";

std::string fish_quoted(std::string_view text) {
  return "'" + with_backslashes(text, "\\'") + "'";
}

// What may stand there: arguments of `complete`.
std::string fish_values(ValueKind kind, const OptionDescription& option) {
  switch (kind) {
    case ValueKind::known:
      return (option.is_list
                  ? " -x -a " + fish_quoted("(__trtlens_list " + join(option.known, " ") + ")")
                  : " -x -a " + fish_quoted(join(option.known, " ")));
    case ValueKind::rule:
      return " -x -a '(__trtlens_rules)'";
    case ValueKind::threshold:
      return " -x -a '(__trtlens_thresholds)'";
    case ValueKind::path:
      return " -r -F";
    case ValueKind::text:
      return " -x";
    case ValueKind::none:
      break;
  }
  return {};
}

std::string fish_option(const std::string& condition, const OptionDescription& option) {
  std::string line = "complete -c trtlens -n " + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return line + fish_values(value_kind(option), option) + " -d " + fish_quoted(short_help(option)) +
         "\n";
}

std::string fish_word(const std::string& condition, const OptionDescription& word) {
  const ValueKind kind = word_kind(word);
  if (kind == ValueKind::text) return {};
  const std::string values = kind == ValueKind::path ? " -F" : fish_values(kind, word).substr(3);
  return "complete -c trtlens -n " + condition + values + "\n";
}

std::string fish_command(const CommandAt& at) {
  const std::string at_command = "__trtlens_at " + join(at.path, " ");
  const std::string condition =
      fish_quoted(at_command.substr(0, at_command.find_last_not_of(' ') + 1));
  // Behind an option there are no more commands of trtlens.
  const std::string before_commands = at.path.empty() ? "__trtlens_first" : condition;
  std::string text;
  for (const CommandDescription& nested : at.command->commands) {
    text += fmt::format("complete -c trtlens -n {} -a {} -d {}\n", before_commands, nested.name,
                        fish_quoted(nested.help));
  }
  for (const OptionDescription& option : at.command->options)
    text += fish_option(condition, option);
  if (!at.command->words.empty()) text += fish_word(condition, at.command->words.front());
  return text;
}

}  // namespace

std::string fish_completion(const CommandDescription& program) {
  const CommandDescription whole = with_options_of_analyze(program);
  const std::vector<CommandAt> all = all_commands(whole);
  std::vector<std::string> names;
  for (const CommandAt& at : all) {
    const std::string path = join(at.path, " ");
    if (!path.empty()) names.push_back(fish_quoted(at.path.size() == 1 ? " " + path : path));
  }
  std::string text = kFishStart + join(names, " ") + kFishMiddle;
  for (const CommandAt& at : all) text += fish_command(at);
  return text;
}

}  // namespace trtlens
