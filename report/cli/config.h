// The text of a --config file: `key = value` lines, those of a section [COMMAND] for that command
// only. Bytes in, settings and diagnostics out: reads no file and no environment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/diagnostic.h"

namespace trtlens {

// A setting that exists: an option of a command.
struct SettingName {
  std::string command;
  std::string name;      // the long option without its dashes
  bool is_list = false;  // may be given several times
};

struct Setting {
  std::string command;  // of its section; empty: for every command that has it
  std::string name;
  std::string value;                   // never empty; of a file: visible UTF-8
  std::string source;                  // file or variable that says so
  std::uint64_t line = 0, column = 0;  // of the value; 0: a variable
};

struct Config {
  std::vector<Setting> settings;  // in the order of the text
  std::vector<Diagnostic> diagnostics;
};

inline constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxConfigSettings = 1000;
inline constexpr std::size_t kMaxConfigLineBytes = std::size_t{1} << 12;

// `table`: the settings that exist; `path` stands in the diagnostics. After a hundred of these, or
// too many settings, the rest is not read.
[[nodiscard]] Config parse_config(std::string_view text, const std::string& path,
                                  const std::vector<SettingName>& table);

}  // namespace trtlens
