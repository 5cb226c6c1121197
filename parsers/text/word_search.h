// Finds a word in text by the byte of it that log lines hold least often.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "parsers/text/eight_bytes.h"

namespace trtlens {

// How common a byte is in layer names and messages, roughly; 0: hardly ever.
[[nodiscard]] constexpr std::size_t frequency(char c) {
  constexpr std::string_view kCommonFirst = " etaoinrs_/.0123456789lcdumpfghvybwkxqzj,:TLRCSAD";
  const std::size_t at = kCommonFirst.find(c);
  return at == std::string_view::npos ? 0 : kCommonFirst.size() - at;
}

class WordSearch {
 public:
  // `word` must outlive the search; `rare` is rarest_of(word).
  constexpr WordSearch(std::string_view word, std::size_t rare) : word_(word), rare_(rare) {}
  constexpr explicit WordSearch(std::string_view word) : WordSearch(word, rarest_of(word)) {}

  static constexpr std::size_t rarest_of(std::string_view word) {
    std::size_t rare = 0;
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (frequency(word[i]) < frequency(word[rare])) rare = i;
    }
    return rare;
  }

  [[nodiscard]] std::string_view word() const { return word_; }
  // Where the word begins first, or last, in the text from `from` to `end`; null: nowhere. The word
  // is not empty.
  [[nodiscard]] const char* first(const char* from, const char* end) const {
    if (static_cast<std::size_t>(end - from) < word_.size()) return nullptr;
    const char* const behind = places_end(end);
    for (const char* at = from + rare_; at < behind; ++at) {
      const auto left = static_cast<std::size_t>(behind - at);
      at = static_cast<const char*>(std::memchr(at, word_[rare_], left));
      if (at == nullptr) return nullptr;
      if (stands_around(at)) return at - rare_;
    }
    return nullptr;
  }
  [[nodiscard]] const char* last(const char* from, const char* end) const {
    if (static_cast<std::size_t>(end - from) < word_.size()) return nullptr;
    const char* const begin = from + rare_;
    for (const char* at = places_end(end); at > begin;) {
      const auto left = static_cast<std::size_t>(at - begin);
      at = static_cast<const char*>(memrchr(begin, word_[rare_], left));
      if (at == nullptr) return nullptr;
      if (stands_around(at)) return at - rare_;
    }
    return nullptr;
  }

 private:
  // Behind the last place of the rare byte in a text up to `end`.
  [[nodiscard]] const char* places_end(const char* end) const {
    return end - word_.size() + rare_ + 1;
  }
  [[nodiscard]] bool stands_around(const char* rare) const {
    return are_same(rare - rare_, word_.data(), word_.size());
  }

  std::string_view word_;
  std::size_t rare_;
};

// Which of many words a text may hold: those whose rarest four bytes it holds, by a hash. Asked
// before each of them is looked for.
class WordIndex {
 public:
  static constexpr std::size_t kMost = 128;
  using Words = std::array<std::uint64_t, kMost / 64>;  // a bit a word

  // A word of less than four bytes may be in every text.
  void add(std::size_t number, std::string_view word) {
    if (number >= kMost) throw std::length_error("a WordIndex holds 128 words");
    Words& words = word.size() < kFour ? always_ : words_with(rarest_four_of(word));
    words[number / 64] |= std::uint64_t{1} << number % 64;
  }
  [[nodiscard]] Words may_be_in(std::string_view text) const {
    Words words = always_;
    for (std::size_t i = 0; i + kFour <= text.size(); ++i) {
      const std::size_t place = place_of_[hash(text.data() + i)];
      if (place == 0) continue;
      for (std::size_t j = 0; j < words.size(); ++j) words[j] |= with_four_[place][j];
    }
    return words;
  }

 private:
  static constexpr std::size_t kFour = 4;
  static constexpr unsigned kSlotBits = 12;  // of some 80 words few share a slot
  static std::size_t hash(const char* text) {
    std::uint32_t four = 0;
    std::memcpy(&four, text, kFour);
    return four * 0x9E3779B1U >> (32U - kSlotBits);
  }
  static const char* rarest_four_of(std::string_view word) {
    std::size_t rare = 0;
    const auto commonness = [&](std::size_t begin) {
      std::size_t sum = 0;
      for (const char c : word.substr(begin, kFour)) sum += frequency(c);
      return sum;
    };
    for (std::size_t i = 1; i + kFour <= word.size(); ++i) {
      if (commonness(i) < commonness(rare)) rare = i;
    }
    return word.data() + rare;
  }
  Words& words_with(const char* four) {
    std::uint8_t& place = place_of_[hash(four)];
    if (place == 0) {
      place = static_cast<std::uint8_t>(with_four_.size());
      with_four_.emplace_back();
    }
    return with_four_[place];
  }

  Words always_{};
  std::array<std::uint8_t, std::size_t{1} << kSlotBits> place_of_{};  // in with_four_; 0: none
  std::vector<Words> with_four_ = std::vector<Words>(1);
};

}  // namespace trtlens
