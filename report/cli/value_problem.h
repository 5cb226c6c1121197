// What is wrong with the value of an option, in words that do not depend on CLI11's version.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/cli/rule_files.h"

namespace trtlens {

// "'majro' is none of fatal, major, minor; did you mean 'major'?"
[[nodiscard]] std::function<std::string(const std::string&)> one_of(std::vector<std::string> names);
[[nodiscard]] std::function<std::string(const std::string&)> whole_number_from(int least);
[[nodiscard]] std::string percentage_problem(const std::string& text);
[[nodiscard]] std::string format_problem(const std::string& name);  // of a report
[[nodiscard]] std::string rule_threshold_problem(const std::string& text);
// Of an item of --ignore.
[[nodiscard]] std::string ignored_problem(const std::string& item, const RuleOptions& rules);

// Of what is no report: of lint-log, rules and explain.
inline const std::vector<std::string> kPlainFormats = {"text", "txt", "markdown", "md", "json"};

}  // namespace trtlens
