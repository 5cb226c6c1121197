// Backslashes for shells; the option lists that their completions begin with.
#include "report/cli/prompt/quoting.h"

#include <algorithm>

namespace trtlens {

std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

CommandDescription with_options_of_analyze(const CommandDescription& program) {
  CommandDescription whole = program;
  const auto analyze = std::ranges::find(program.commands, "analyze", &CommandDescription::name);
  if (analyze == program.commands.end()) return whole;
  for (const OptionDescription& option : analyze->options) {
    const bool is_there = std::ranges::any_of(
        program.options, [&](const OptionDescription& own) { return own.names == option.names; });
    if (!is_there) whole.options.push_back(option);
  }
  return whole;
}

}  // namespace trtlens
