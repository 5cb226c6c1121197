// Checks every line as it is read; all its faults are reported, not the first alone.
#include "report/cli/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzers/nearest_name.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxDiagnostics = 100;
constexpr std::size_t kQuotedBytes = 60;
constexpr const char* kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string in_quotes(std::string_view text) {
  return "'" + elide_middle(visible(text), kQuotedBytes) + "'";
}

class ConfigReader {
 public:
  ConfigReader(const std::string& path, const std::vector<SettingName>& table)
      : path_(path), table_(table) {}

  void read(std::string_view text);
  [[nodiscard]] Config take() { return std::move(config_); }

 private:
  void read_line(std::string_view line);
  void read_section(std::string_view line, std::size_t column);
  void read_setting(std::string_view line);
  bool check_text(std::string_view line);
  bool check_name(const std::string& name, std::size_t column);
  bool check_first(const std::string& name, std::size_t column);
  void report(const char* id, std::size_t column, std::string expected, std::string found);

  const std::string& path_;
  const std::vector<SettingName>& table_;
  Config config_;
  std::string section_;
  bool in_unknown_section_ = false;
  bool full_ = false;
  std::uint64_t line_ = 0;
};

void ConfigReader::report(const char* id, std::size_t column, std::string expected,
                          std::string found) {
  config_.diagnostics.push_back(
      {id, DiagnosticSeverity::error, path_, line_, column, std::move(expected), std::move(found)});
}

void ConfigReader::read(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  while (!text.empty() && !full_ && config_.diagnostics.size() < kMaxDiagnostics) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++line_;
    read_line(line);
  }
}

void ConfigReader::read_line(std::string_view line) {
  const std::string_view content = trimmed(line);
  // No comment behind a value: # and ; may belong to it.
  if (content.empty() || content.front() == '#' || content.front() == ';') return;
  if (line.size() > kMaxConfigLineBytes) {
    report("config-long-line", 1, fmt::format("at most {} bytes in a line", kMaxConfigLineBytes),
           fmt::format("{}", line.size()));
    return;
  }
  if (!check_text(line)) return;
  if (content.front() == '[') {
    read_section(content, line.find('[') + 1);
  } else if (!in_unknown_section_) {
    read_setting(line);
  }
}

// visible() keeps what is harmless as it is, so the first difference is what is not.
bool ConfigReader::check_text(std::string_view line) {
  std::string text(line);
  std::replace(text.begin(), text.end(), '\t', ' ');
  const std::string shown = visible(text);
  if (shown == text) return true;
  const auto at = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.end(), shown.begin(), shown.end()).first - text.begin());
  const std::size_t length = shown.compare(at, 2, "\\x") == 0 ? 4 : 6;  // \x1b, \u202e
  report("config-bad-character", at + 1, "UTF-8 text without control characters",
         shown.substr(at, length));
  return false;
}

void ConfigReader::read_section(std::string_view line, std::size_t column) {
  in_unknown_section_ = true;  // until the next: its settings mean nothing
  std::vector<std::string> names;
  for (const SettingName& known : table_) {
    if (names.empty() || names.back() != known.command) names.push_back(known.command);
  }
  const std::string name(line.back() == ']' ? trimmed(line.substr(1, line.size() - 2)) : line);
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    section_ = name;
    in_unknown_section_ = false;
    return;
  }
  std::string expected;
  for (const std::string& known : names) {
    expected += fmt::format("{}[{}]", expected.empty() ? "" : " or ", known);
  }
  report("config-unknown-section", column, expected, in_quotes(line));
}

bool ConfigReader::check_name(const std::string& name, std::size_t column) {
  std::vector<std::string> names;
  for (const SettingName& known : table_) {
    if (!section_.empty() && known.command != section_) continue;
    if (known.name == name) return true;
    names.push_back(known.name);
  }
  const std::string of = section_.empty() ? "a setting" : "a setting of " + section_;
  report("config-unknown-key", column, of,
         in_quotes(name) + (name.size() > kQuotedBytes ? "" : did_you_mean(name, names)));
  return false;
}

// Which of two would hold is a riddle for whoever reads the file.
bool ConfigReader::check_first(const std::string& name, std::size_t column) {
  for (const SettingName& known : table_) {
    if (known.name == name && known.is_list) return true;
  }
  for (const Setting& setting : config_.settings) {
    if (setting.name != name || setting.command != section_) continue;
    report("config-duplicate-key", column, "each setting once",
           fmt::format("{} again, first in line {}", in_quotes(name), setting.line));
    return false;
  }
  return true;
}

void ConfigReader::read_setting(std::string_view line) {
  const std::size_t column = line.find_first_not_of(kBlanks) + 1;
  const std::size_t equals = line.find('=');
  const std::string name(trimmed(line.substr(0, equals)));
  if (equals == std::string_view::npos || name.empty()) {
    report("config-syntax", column, "KEY = VALUE", in_quotes(trimmed(line)));
    return;
  }
  if (!check_name(name, column) || !check_first(name, column)) return;
  const std::string_view value = trimmed(line.substr(equals + 1));
  if (value.empty()) {
    report("config-syntax", equals + 1, fmt::format("a value behind '{} ='", name), "none");
    return;
  }
  if (config_.settings.size() == kMaxConfigSettings) {
    report("config-too-many", column, fmt::format("at most {} settings", kMaxConfigSettings),
           "more");
    full_ = true;
    return;
  }
  Setting setting;
  setting.command = section_;
  setting.name = name;
  setting.value = value;
  setting.source = path_;
  setting.line = line_;
  setting.column = static_cast<std::uint64_t>(value.data() - line.data()) + 1;
  config_.settings.push_back(std::move(setting));
}

}  // namespace

Config parse_config(std::string_view text, const std::string& path,
                    const std::vector<SettingName>& table) {
  ConfigReader reader(path, table);
  reader.read(text);
  return reader.take();
}

}  // namespace trtlens
