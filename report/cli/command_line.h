// The command line: what is asked for, with the settings below it filled in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/cli/commands.h"
#include "report/cli/config.h"
#include "report/cli/prompt/description.h"

namespace trtlens {

struct CommandLine;
using RunCommand = int (*)(CommandLine&);  // gives the exit status

struct CommandLine {
  std::string command;  // its name; "": without a word, on a terminal
  RunCommand run = nullptr;
  AnalyzeArguments analyze, watch;
  CompareArguments compare;
  ExpectArguments expect;
  CheckArguments check;
  ConvertArguments convert;
  LintArguments lint_log;
  RedactArguments redact;
  RecordArguments record;
  RulesArguments rules;
  ExplainArguments explain;
  HistoryArguments history;
  std::string schema;  // of which report
  std::string shell;   // of the completion
  std::string man_page;
  std::string prompt_folder;
  std::string config;  // --config
};

// Nothing: `status` is the exit status; help or a complaint was printed.
[[nodiscard]] std::optional<CommandLine> read_command_line(int argc, char** argv, int& status);

// The settings that exist: every option of analyze, watch, compare, check and lint-log but --help
// and
// --config, and of rules and explain which rules there are and their thresholds.
[[nodiscard]] std::vector<SettingName> setting_names();

// The commands and what they take.
[[nodiscard]] CommandDescription describe_commands();

}  // namespace trtlens
