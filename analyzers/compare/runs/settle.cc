// The command that times an engine once more.
#include <algorithm>
#include <array>
#include <string_view>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// How long a side is timed, and nothing of its speed: both sides take the default.
bool sets_length(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kNames = {"duration", "warmUp", "iterations",
                                                             "avgRuns"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

std::string timing_command(const Build& build) {
  if (build.options.flags.empty()) return {};
  const auto saved = build.options.value("saveEngine");
  const auto loaded = build.options.value("loadEngine");
  const bool loads = saved || loaded;
  std::string command = "trtexec";
  if (loads) command += " --loadEngine=" + shell_word(saved ? *saved : *loaded);
  for (const auto& [name, value] : build.options.flags) {
    const bool is_kept =
        loads ? is_timing_option(name)
              : !name.starts_with("export") && !name.starts_with("dump") && name != "verbose";
    if (is_kept && !sets_length(name))
      command += " " + shell_word("--" + name + (value.empty() ? "" : "=" + value));
  }
  return command + " --exportTimes=times.json";
}

}  // namespace trtlens
