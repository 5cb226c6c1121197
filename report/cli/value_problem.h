// What is wrong with the value of an option, in words that do not depend on CLI11's version.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trtlens {

// "'majro' is none of fatal, major, minor; did you mean 'major'?"
[[nodiscard]] std::function<std::string(const std::string&)> one_of(std::vector<std::string> names);
[[nodiscard]] std::function<std::string(const std::string&)> whole_number_from(int least);
[[nodiscard]] std::string percentage_problem(const std::string& text);

}  // namespace trtlens
