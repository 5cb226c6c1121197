// Numbers as every report prints them: titles of findings and tables must not disagree. Questions
// about words, names of enumerators.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace trtlens {

[[nodiscard]] std::string ms_number(double ms);      // 3 decimals from 0.1 ms, 4 below
[[nodiscard]] std::string ms_text(double ms);        // "0.524 ms"; "unknown" when not finite
[[nodiscard]] std::string share_text(double share);  // "33 %", "3.4 %" below 10 %
// Shifts: a plain "-", and no sign on what rounds to 0.
[[nodiscard]] std::string signed_ms_text(double ms);        // "+0.254 ms", "-0.0133 ms"
[[nodiscard]] std::string signed_share_text(double share);  // "+2.4 %", "0.0 %"
[[nodiscard]] std::string count_text(std::size_t n, const std::string& noun);  // "17 layers"
[[nodiscard]] std::string sentence_start(std::string text);  // first letter in upper case
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
// The parts of `text`, which has to live on, between the separators; nothing behind a last one.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text,
                                                  std::string_view separator);
// What an input or a user named, in a command that somebody may paste into a shell: within quotes,
// and only where a shell would not take it as it is.
[[nodiscard]] std::string shell_quoted(std::string_view text);
[[nodiscard]] std::string shell_word(std::string_view text);
// A layer's name for a sentence: a fused one of kilobytes by its beginning and end.
[[nodiscard]] std::string name_text(const std::string& name);

// Whether one of the words stands in the text; whether the text is one of them.
[[nodiscard]] bool has_word(std::string_view text, std::initializer_list<std::string_view> words);
[[nodiscard]] bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);
// Of ASCII letters; others stay.
[[nodiscard]] std::string upper_case(std::string text);
[[nodiscard]] std::string lower_case(std::string text);
// Whether the word stands in the text, in large or small ASCII letters.
[[nodiscard]] bool holds_ignoring_case(std::string_view text, std::string_view word);

// The name of an enumerator, of the names of all in their order; `kLast` is the last of them.
template <auto kLast, std::size_t kNumber>
[[nodiscard]] const char* name_of(decltype(kLast) value, const char* const (&names)[kNumber]) {
  static_assert(kNumber == static_cast<std::size_t>(kLast) + 1);
  return names[static_cast<std::size_t>(value)];
}

}  // namespace trtlens
