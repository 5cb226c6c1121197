// Any bytes as a --config file: settings of the table at places in the file, diagnostics in its
// order, and what was understood says the same when it is written down again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/cli/command_line.h"
#include "report/cli/config.h"
#include "tests/fuzz/check.h"

namespace trtlens {
namespace {

constexpr const char* kPath = "x.ini";

bool is_in_table(const Setting& setting, const std::vector<SettingName>& table) {
  return std::any_of(table.begin(), table.end(), [&](const SettingName& row) {
    return row.name == setting.name && (setting.command.empty() || row.command == setting.command);
  });
}

void check_settings(const Config& config, std::uint64_t lines,
                    const std::vector<SettingName>& table) {
  std::uint64_t line = 0;
  for (const Setting& setting : config.settings) {
    FUZZ_CHECK(setting.line > line && setting.line <= lines);
    line = setting.line;
    FUZZ_CHECK(setting.column >= 3 && setting.column <= kMaxConfigLineBytes);
    FUZZ_CHECK(setting.source == kPath);
    FUZZ_CHECK(is_in_table(setting, table));
    FUZZ_CHECK(!setting.value.empty() && setting.value.find('\n') == std::string::npos);
  }
}

void check_diagnostics(const Config& config, std::uint64_t lines) {
  FUZZ_CHECK(config.diagnostics.size() <= 100);
  std::uint64_t line = 0;
  for (const Diagnostic& diagnostic : config.diagnostics) {
    FUZZ_CHECK(diagnostic.line > line && diagnostic.line <= lines);  // one a line
    line = diagnostic.line;
    FUZZ_CHECK(diagnostic.column >= 1 && diagnostic.column <= kMaxConfigLineBytes);
    FUZZ_CHECK(diagnostic.file == kPath && !diagnostic.id.empty());
    FUZZ_CHECK(!diagnostic.expected.empty() && !diagnostic.found.empty());
    FUZZ_CHECK(diagnostic.found.size() <= kMaxConfigLineBytes + 100);
    for (const Setting& setting : config.settings) FUZZ_CHECK(setting.line != line);
  }
}

// The head of a file cannot be taken up again: what is for every command is written first.
std::string written(const std::vector<Setting>& settings) {
  std::string text;
  std::string section;
  for (const Setting& setting : settings) {
    if (setting.command != section) text += "[" + setting.command + "]\r\n";
    section = setting.command;
    text += setting.name + "=" + setting.value + "\r\n";
  }
  return text;
}

void check(std::string_view text) {
  static const std::vector<SettingName> table = setting_names();
  const Config config = parse_config(text, kPath, table);
  const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  const std::uint64_t lines = feeds + (!text.empty() && text.back() != '\n' ? 1 : 0);
  check_settings(config, lines, table);
  check_diagnostics(config, lines);

  const Config again = parse_config(written(config.settings), kPath, table);
  FUZZ_CHECK(again.diagnostics.empty());
  FUZZ_CHECK(again.settings.size() == config.settings.size());
  for (std::size_t i = 0; i < config.settings.size(); ++i) {
    FUZZ_CHECK(again.settings[i].command == config.settings[i].command);
    FUZZ_CHECK(again.settings[i].name == config.settings[i].name);
    FUZZ_CHECK(again.settings[i].value == config.settings[i].value);
  }
}

}  // namespace
}  // namespace trtlens

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trtlens::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
