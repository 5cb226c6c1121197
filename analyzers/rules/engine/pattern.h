// The pattern of a message rule. There are hundreds of them and a log has a few messages: a pattern
// is compiled when a message first holds the words without which it cannot match.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace trtlens {

class MessagePattern {
 public:
  explicit MessagePattern(std::string_view regex);
  // With the words() of the same pattern.
  MessagePattern(std::string_view regex, std::vector<std::string> words);
  ~MessagePattern();
  MessagePattern(const MessagePattern&) = delete;
  MessagePattern& operator=(const MessagePattern&) = delete;

  // A text that holds none of them does not match. Empty: not known.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  [[nodiscard]] bool stands_at(std::size_t at, const std::string& word,
                               std::string_view text) const;
  // False: the pattern does not match anywhere in `text`. True: ask re().
  [[nodiscard]] bool may_match(std::string_view text) const;
  // Searched byte by byte, in Latin-1; ok() tells whether it is one. Thread-safe.
  [[nodiscard]] const re2::RE2& re() const;

 private:
  std::string regex_;
  std::vector<std::string> words_;  // one of them stands in the text; empty: not known
  bool any_case_ = false;           // in which case they are in lower case
  mutable std::once_flag once_;
  mutable std::unique_ptr<const re2::RE2> compiled_;
};

// Of ASCII; others stay as they are.
[[nodiscard]] char lower_case(char c);
// Four bytes of a text in lower case, as a number.
[[nodiscard]] std::uint32_t four_bytes(const char* text);
// Texts of which one stands in everything that `regex` (RE2 syntax) matches: one for each of its
// alternatives ("a|b"), the longest that is easily seen. Empty when one alternative has none.
[[nodiscard]] std::vector<std::string> required_words(std::string_view regex);

}  // namespace trtlens
