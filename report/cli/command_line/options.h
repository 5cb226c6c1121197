// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "report/cli/gate.h"
#include "report/cli/output.h"
#include "report/cli/rule_files.h"

namespace trtlens {

// The check that a value is one of `names`, which is called by them: completions offer these.
// --help does not show what a check is called.
[[nodiscard]] CLI::Validator only(std::vector<std::string> names);

void add_config(CLI::App& command, std::string& path);
void add_output(CLI::App& command, OutputOptions& output, Formats formats);
// Which rules there are. They come before --ignore, which names them.
void add_rule_options(CLI::App& command, RuleOptions& rules);
void add_rule_format(CLI::App& command, std::string& format);
void add_gate(CLI::App& command, GateArguments& gate, RuleOptions& rules,
              std::vector<std::string>& ignore, const std::vector<std::string>& fail_on,
              const char* threshold_of = nullptr);
// `unless`: what is done where --build does not say.
void add_which(CLI::App& command, int& run, int& build, const std::string& unless);
void add_parts(CLI::App& command, OutputOptions& output, const std::vector<std::string>& sections);
void add_plots(CLI::App& command, OutputOptions& output);

}  // namespace trtlens
