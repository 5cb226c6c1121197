// What is wrong with the value of an option, in words that do not depend on CLI11's version.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/cli/rule_files.h"

namespace trtlens {

// "'majro' is none of fatal, major, minor; did you mean 'major'?"
struct OneOf {
  std::vector<std::string> names;
  std::string operator()(const std::string& text) const;
};
[[nodiscard]] OneOf one_of(std::vector<std::string> names);
// "fatal,major": the names, where it is one_of() of them.
[[nodiscard]] std::string known_values(
    const std::function<std::string(const std::string&)>& problem);
[[nodiscard]] std::function<std::string(const std::string&)> whole_number_from(int least);
[[nodiscard]] std::string percentage_problem(const std::string& text);
[[nodiscard]] std::string format_problem(const std::string& name);  // of a report
[[nodiscard]] std::string rule_threshold_problem(const std::string& text);
// Of an item of --ignore.
[[nodiscard]] std::string ignored_problem(const std::string& item, const RuleOptions& rules);

// Of what is no report: of lint-log, rules and explain.
inline const std::vector<std::string> kPlainFormats = {"text", "txt", "markdown", "md", "json"};

}  // namespace trtlens
