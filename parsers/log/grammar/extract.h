// Pieces of the hand-written extractors of hot line kinds. An extractor is partial: it takes the
// common spelling of its kind and leaves everything else to the pattern, which defines the kind.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "parsers/log/grammar/line_kind.h"
#include "parsers/text/eight_bytes.h"
#include "parsers/text/word_search.h"

namespace trtlens {

// Takes pieces from the front of a body; a piece that is not there leaves the text as it was.
class Taker {
 public:
  explicit Taker(std::string_view text) : text_(text) {}

  bool literal(std::string_view word) {
    if (text_.size() < word.size() || std::memcmp(text_.data(), word.data(), word.size()) != 0) {
      return false;
    }
    text_.remove_prefix(word.size());
    return true;
  }
  // (\S+)
  bool token(std::string_view& piece) {
    std::size_t n = bytes_before_space(text_);
    while (n < text_.size() && !is_space(text_[n])) ++n;
    return take(n, piece);
  }
  // (\S+) up to the end
  bool last_token(std::string_view& piece) {
    return !holds_space(text_) && take(text_.size(), piece);
  }
  // (\w+)
  bool word(std::string_view& piece) {
    std::size_t n = 0;
    if (text_.size() >= sizeof(Sixteen)) n = leading_ones(are_of_word(sixteen_at(text_.data())));
    if (n == 0 || n == sizeof(Sixteen)) {
      while (n < text_.size() && kIsWord[static_cast<unsigned char>(text_[n])]) ++n;
    }
    return take(n, piece);
  }
  // (\d+)
  bool digits(std::string_view& piece) {
    std::size_t n = 0;
    while (n < text_.size() && is_digit(text_[n])) ++n;
    return take(n, piece);
  }
  // (0x[0-9a-f]+|-?\d+), and into `id` what it stands for, when it is written as since 8.4.1.
  bool tactic_id(std::string_view& piece, std::optional<std::uint64_t>* id = nullptr) {
    std::size_t n = 0;
    if (text_.substr(0, 2) == "0x") {
      std::uint64_t value = 0;
      n = text_.size() >= kHexIdBytes && read_hex_id(text_.data(), value) ? kHexIdBytes : 2;
      if (id != nullptr && n > 2 && (n == text_.size() || !is_hex(text_[n]))) *id = value;
      if (n + 8 <= text_.size() && are_hex_digits(eight_at(text_.data() + n))) n += 8;
      while (n < text_.size() && is_hex(text_[n])) ++n;
      if (n == 2) return false;
    } else {
      if (!text_.empty() && text_[0] == '-') ++n;
      const std::size_t first = n;
      while (n < text_.size() && is_digit(text_[n])) ++n;
      if (n == first) return false;
    }
    return take(n, piece);
  }
  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] std::string_view rest() const { return text_; }

  static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

 private:
  // \w
  static constexpr std::array<bool, 256> kIsWord = [] {
    std::array<bool, 256> is_word{};
    for (const char c :
         std::string_view("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")) {
      is_word[static_cast<unsigned char>(c)] = true;
    }
    return is_word;
  }();

  static Sixteen are_of_word(Sixteen bytes) {
    return Sixteen((bytes | 0x20) - 'a' < 26) | Sixteen(bytes - '0' < 10) | Sixteen(bytes == '_');
  }

  bool take(std::size_t n, std::string_view& piece) {
    if (n == 0) return false;
    piece = text_.substr(0, n);
    text_.remove_prefix(n);
    return true;
  }

  std::string_view text_;
};

// "(CaskConvolution)" or "(CaskConvolution[0x80000009])" at the end of `text`, behind a blank:
// splits it into the name and the runner.
inline bool split_runner(std::string_view text, std::string_view& name, std::string_view& runner) {
  static constexpr WordSearch kOpen(" (");
  const char* const at = kOpen.last(text.data(), text.data() + text.size());
  if (at == nullptr) return false;
  const auto open = static_cast<std::size_t>(at - text.data());
  Taker tail(text.substr(open + 2));
  std::string_view code;
  if (!tail.word(runner)) return false;
  if (tail.literal("[") &&
      (!tail.tactic_id(code) || code.substr(0, 2) != "0x" || !tail.literal("]"))) {
    return false;
  }
  if (!tail.literal(")") || !tail.at_end()) return false;
  name = text.substr(0, open);
  return true;
}

}  // namespace trtlens
