// Holds values of options against what they have to be.
#include "report/cli/value_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "analyzers/nearest_name.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "report/cli/output.h"

namespace trtlens {

std::string OneOf::operator()(const std::string& text) const {
  if (std::ranges::find(names, text) != names.end()) return {};
  return fmt::format("'{}' is none of {}{}", text, join(names, ", "), did_you_mean(text, names));
}

OneOf one_of(std::vector<std::string> names) {
  return {std::move(names)};
}

std::string known_values(const std::function<std::string(const std::string&)>& problem) {
  const auto* known = problem.target<OneOf>();
  return known == nullptr ? std::string() : join(known->names, ",");
}

// CLI11's own words for a number out of range differ between its versions.
std::function<std::string(const std::string&)> whole_number_from(int least) {
  return [least](const std::string& text) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    const bool good = error == std::errc() && rest == end && value >= least;
    return good ? std::string()
                : fmt::format("'{}' is no whole number of at least {}", text, least);
  };
}

// CLI::Range lets NaN through: a gate that compares with it never fails.
std::string percentage_problem(const std::string& text) {
  constexpr double kMost = 1000;
  char* rest = nullptr;
  const double value = std::strtod(text.c_str(), &rest);
  const bool is_number = !text.empty() && *rest == '\0';
  return is_number && value >= 0 && value <= kMost
             ? std::string()
             : fmt::format("Value {} not in range 0 to {}", text, kMost);
}

std::string format_problem(const std::string& name) {
  return format_of_name(name).empty() ? one_of(format_names())(name) : std::string();
}

std::string rule_threshold_problem(const std::string& text) {
  std::string problem;
  return threshold_setting(text, problem) ? std::string() : text + ": " + problem;
}

// A name that is no rule or a broken expression would silently do nothing. With rules of the user's
// own it is looked at when they have been read.
std::string ignored_problem(const std::string& item, const RuleOptions& rules) {
  const std::string problem = rules.paths.empty() ? ignore_problem(item) : std::string();
  return problem.empty() ? problem : item + ": " + problem;
}

}  // namespace trtlens
