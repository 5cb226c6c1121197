// What is wrong with the value of an option, in words that do not depend on CLI11's version.
#pragma once

#include <functional>
#include <string>

namespace trtlens {

[[nodiscard]] std::function<std::string(const std::string&)> whole_number_from(int least);
[[nodiscard]] std::string percentage_problem(const std::string& text);

}  // namespace trtlens
