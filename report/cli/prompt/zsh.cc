// The completion for zsh: a function a command, for _arguments.
#include <fmt/format.h>

#include "analyzers/text.h"
#include "report/cli/prompt/description.h"
#include "report/cli/prompt/prompt.h"

namespace trtlens {
namespace {

constexpr const char* kZshStart =
    R"zsh(#compdef trtlens
# zsh completion of trtlens, printed by `trtlens completion zsh`.
_trtlens_rules() {
  local -a ids
  ids=(${(f)"$($program rule-ids 2>/dev/null)"})
  _describe -t rules rule ids
}
_trtlens_thresholds() {
  local -a names
  names=(${(f)"$($program threshold-names 2>/dev/null)"})
  _describe -t thresholds threshold names -S ''
}
)zsh";

constexpr const char* kZshEnd = R"zsh(_trtlens() {
  local program=$words[1]
  _trtlens_at
}
# Loaded by the completion system, or by `source`.
if [[ $funcstack[1] == _trtlens ]]; then
  _trtlens "$@"
else
  compdef _trtlens trtlens
fi
)zsh";

// What _arguments is to do in the place of a value.
std::string zsh_action(ValueKind kind, const OptionDescription& option) {
  switch (kind) {
    case ValueKind::known:
      return option.is_list ? "_sequence compadd - " + join(option.known, " ")
                            : "(" + join(option.known, " ") + ")";
    case ValueKind::rule:
      return "_trtlens_rules";
    case ValueKind::threshold:
      return "_trtlens_thresholds";
    case ValueKind::path:
      return "_files";
    case ValueKind::text:
    case ValueKind::none:
      break;
  }
  return " ";
}

std::string zsh_option(const OptionDescription& option, const std::string& name) {
  const ValueKind kind = value_kind(option);
  std::string spec = option.repeats ? "*" : "(" + join(option.names, " ") + ")";
  spec += name;
  const bool is_long = name.starts_with("--");
  if (kind != ValueKind::none) spec += is_long ? "=" : "+";
  spec += "[" + with_backslashes(short_help(option), "\\[]:") + "]";
  if (kind != ValueKind::none) {
    spec += ":" + with_backslashes(option.value, "\\:") + ":" + zsh_action(kind, option);
  }
  return shell_quoted(spec);
}

std::string zsh_word(const OptionDescription& word) {
  return shell_quoted((word.repeats       ? "*:"
                       : word.is_required ? ":"
                                          : "::") +
                      word.names.front() + ":" + zsh_action(word_kind(word), word));
}

std::string zsh_function_name(const std::vector<std::string>& path) {
  return join(path, "_").empty() ? "_trtlens_at" : "_trtlens_at_" + join(path, "_");
}

std::string zsh_function(const CommandAt& at) {
  const std::string name = zsh_function_name(at.path);
  std::string text = name + "() {\n";
  const bool is_parent = !at.command->commands.empty();
  if (is_parent) text += "  local curcontext=$curcontext state line ret=1\n  local -A opt_args\n";
  text += is_parent ? "  _arguments -C -s -A '-*'" : "  _arguments -s";
  for (const OptionDescription& option : at.command->options) {
    for (const std::string& one : option.names) text += " \\\n    " + zsh_option(option, one);
  }
  for (const OptionDescription& word : at.command->words) text += " \\\n    " + zsh_word(word);
  if (!is_parent) return text + "\n}\n";
  text += " \\\n    ': :->command' '*:: :->words' && ret=0\n  case $state in\n    command)\n";
  text += "      local -a commands=(\n";
  for (const CommandDescription& nested : at.command->commands) {
    text += "        " +
            shell_quoted(with_backslashes(nested.name, "\\:") + ":" +
                         with_backslashes(nested.help, "\\")) +
            "\n";
  }
  text +=
      "      )\n"
      "      _describe -t commands command commands && ret=0\n"
      "      ;;\n"
      "    words)\n";
  text += fmt::format("      (($+functions[{0}_$words[1]])) && {0}_$words[1] && ret=0\n", name);
  return text + "      ;;\n  esac\n  return ret\n}\n";
}

}  // namespace

std::string zsh_completion(const CommandDescription& program) {
  const CommandDescription whole = with_options_of_analyze(program);
  std::string text = kZshStart;
  for (const CommandAt& at : all_commands(whole)) text += zsh_function(at);
  return text + kZshEnd;
}

}  // namespace trtlens
