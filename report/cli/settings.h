// Settings from below the command line: TRTLENS_* variables, then the --config file.
#pragma once

#include <string>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "report/cli/config.h"

namespace trtlens {

struct Settings {
  // What holds for the command: the environment before the file, a section before the head of the
  // file. A list is several settings.
  std::vector<Setting> own;
  std::vector<Setting> others;  // of other commands' sections: only to be checked
  std::vector<Diagnostic> diagnostics;
};

// "fail-on" of "compare" is TRTLENS_COMPARE_FAIL_ON; of "", of all commands, TRTLENS_FAIL_ON.
[[nodiscard]] std::string setting_variable(const std::string& command, const std::string& name);

// TRTLENS_FAIL_ON is the setting fail-on, TRTLENS_COMPARE_FAIL_ON that of compare alone.
// `config_path` may be empty; then TRTLENS_CONFIG names the file, if any does.
[[nodiscard]] Settings read_settings(const std::string& command, std::string config_path,
                                     const std::vector<SettingName>& table);

}  // namespace trtlens
