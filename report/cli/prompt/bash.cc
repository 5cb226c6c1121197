// The completion for bash. It needs nothing but bash 4: no bash-completion.
#include <fmt/format.h>

#include "analyzers/text.h"
#include "report/cli/prompt/description.h"
#include "report/cli/prompt/prompt.h"

namespace trtlens {
namespace {

constexpr const char* kBashStart =
    R"(# bash completion of trtlens, printed by `trtlens completion bash`.
_trtlens() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local prefix= option= command= commands= options= kind= known= word= word_known= i
  COMPREPLY=()
  # Where = divides words, --name=value is three.
  if [[ $current == = ]]; then
    option=$before current=
  elif [[ $before == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $current == --*=* ]]; then
    option=${current%%=*} prefix=${current%%=*}= current=${current#*=}
  elif [[ $before == -* ]]; then
    option=$before
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
)";

constexpr const char* kBashEnd = R"(  esac
  # Behind an option there are no more commands.
  ((i == COMP_CWORD)) || commands=
  if [[ $current == : || $before == : ]]; then
    kind=path
    [[ $current == : ]] && current=
  elif [[ -z $kind && $current == -* ]]; then
    kind=known known=$options
  elif [[ -z $kind ]]; then
    kind=${word:-known} known="$commands $word_known"
  fi
  case $kind in
    rule) kind=known known=$("$1" rule-ids 2>/dev/null) ;;
    threshold)
      compopt -o nospace 2>/dev/null
      kind=known known=$("$1" threshold-names 2>/dev/null)
      ;;
    list)
      [[ $current == *,* ]] && prefix=$prefix${current%,*}, current=${current##*,}
      kind=known
      ;;
    path) compopt -o default 2>/dev/null ;;
  esac
  if [[ $kind == known ]]; then
    local IFS=$' \t\n'
    COMPREPLY=($(compgen -P "$prefix" -W "$known" -- "$current"))
  fi
}
complete -F _trtlens trtlens
)";

std::string kind_assignments(const char* of_kind, const char* of_known, ValueKind kind,
                             const OptionDescription& option) {
  switch (kind) {
    case ValueKind::known:
      return fmt::format("{}={} {}={}", of_kind, option.is_list ? "list" : "known", of_known,
                         shell_quoted(join(option.known, " ")));
    case ValueKind::rule:
      return fmt::format("{}=rule", of_kind);
    case ValueKind::threshold:
      return fmt::format("{}=threshold", of_kind);
    case ValueKind::path:
      return fmt::format("{}=path", of_kind);
    case ValueKind::text:
      return fmt::format("{}=text", of_kind);
    case ValueKind::none:
      break;
  }
  return {};
}

std::string command_case(const CommandAt& at) {
  std::vector<std::string> commands;
  std::vector<std::string> options;
  for (const CommandDescription& nested : at.command->commands) commands.push_back(nested.name);
  std::string values;
  for (const OptionDescription& option : at.command->options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
    const ValueKind kind = value_kind(option);
    if (kind == ValueKind::none) continue;
    values += fmt::format("        {}) {} ;;\n", join(option.names, " | "),
                          kind_assignments("kind", "known", kind, option));
  }
  std::string text =
      fmt::format("    {})\n      commands={} options={}\n", shell_quoted(join(at.path, " ")),
                  shell_quoted(join(commands, " ")), shell_quoted(join(options, " ")));
  if (!at.command->words.empty()) {
    const OptionDescription& word = at.command->words.front();
    text += "      " + kind_assignments("word", "word_known", word_kind(word), word) + "\n";
  }
  if (!values.empty()) text += "      case $option in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const CommandDescription& program) {
  const CommandDescription whole = with_options_of_analyze(program);
  const std::vector<CommandAt> all = all_commands(whole);
  std::vector<std::string> names;
  for (const CommandAt& at : all) {
    const std::string path = join(at.path, " ");
    if (!path.empty()) names.push_back(shell_quoted(at.path.size() == 1 ? " " + path : path));
  }
  std::string text = kBashStart;
  text += fmt::format("      {})\n", join(names, " | "));
  text +=
      "        command=${command:+$command }${COMP_WORDS[i]}\n"
      "        ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in\n";
  for (const CommandAt& at : all) text += command_case(at);
  return text + kBashEnd;
}

}  // namespace trtlens
