// Numbers as every report prints them. Titles of findings and tables must not disagree.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trtlens {

[[nodiscard]] std::string ms_number(double ms);      // 3 decimals from 0.1 ms, 4 below
[[nodiscard]] std::string ms_text(double ms);        // "0.524 ms"; "unknown" when not finite
[[nodiscard]] std::string share_text(double share);  // "33 %", "3.4 %" below 10 %
[[nodiscard]] std::string count_text(std::size_t n, const std::string& noun);  // "17 layers"
// The texts with `separator` between them.
template <typename Texts>
[[nodiscard]] std::string join(const Texts& texts, std::string_view separator) {
  std::string out;
  for (const std::string& text : texts) {
    if (!out.empty()) out += separator;
    out += text;
  }
  return out;
}
// A layer's name for a sentence: a fused one of kilobytes by its beginning and end.
[[nodiscard]] std::string name_text(const std::string& name);

}  // namespace trtlens
