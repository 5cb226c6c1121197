// Searches of a word by its rarest byte find what std::string_view finds.
#include "parsers/text/word_search.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace trtlens::word_search_test {
namespace {

// Where a search found the word; npos: nowhere.
std::size_t place(const char* found, std::string_view text) {
  return found == nullptr ? std::string_view::npos : static_cast<std::size_t>(found - text.data());
}

// Of few letters, so that the rare byte stands in many places where the word does not.
std::string random_text(std::mt19937_64& dice, std::size_t size) {
  std::string text(size, ' ');
  for (char& c : text) c = "aaN("[dice() % 4];
  return text;
}

TEST(WordSearch, FirstAndLastAsTheLibraryFindsThem) {
  std::mt19937_64 dice(1);
  for (int i = 0; i < 100000; ++i) {
    const std::string word = random_text(dice, 1 + dice() % 5),
                      text = random_text(dice, dice() % 24);
    const WordSearch search(word);
    const char* const end = text.data() + text.size();
    EXPECT_EQ(place(search.first(text.data(), end), text), text.find(word)) << word << ' ' << text;
    EXPECT_EQ(place(search.last(text.data(), end), text), text.rfind(word)) << word << ' ' << text;
  }
}

TEST(WordSearch, LooksAtNothingBesideTheText) {
  const std::string_view whole = "Set Tactic Name: a Set Tactic Name: ";
  const WordSearch search("Set Tactic Name: ");
  const char* const begin = whole.data();
  EXPECT_EQ(search.first(begin + 1, begin + whole.size()), begin + 19);
  EXPECT_EQ(search.first(begin + 1, begin + whole.size() - 1), nullptr);
  EXPECT_EQ(search.last(begin, begin + whole.size() - 1), begin);
  EXPECT_EQ(search.last(begin, begin + 16), nullptr);
  EXPECT_EQ(search.first(begin, begin), nullptr);
}

}  // namespace
}  // namespace trtlens::word_search_test
