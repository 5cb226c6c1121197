// Ends of lines at every place of a chunk.
#include "parsers/log/framing/line_ends.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace trtlens::line_ends_test {
namespace {

struct Found {
  std::vector<std::string> lines;
  std::string rest;
  std::vector<bool> controls;  // of each line
  bool operator==(const Found&) const = default;
};

Found split(std::string_view text, std::size_t most_bytes) {
  const auto ends = std::make_unique<LineEnds>(most_bytes);
  Found found;
  const std::size_t whole = ends->split(text, [&](std::string_view line, bool has_controls) {
    found.lines.emplace_back(line);
    found.controls.push_back(has_controls);
  });
  found.rest = text.substr(whole);
  return found;
}

Found split(std::string_view text) {
  Found found = split(text, 64);
  EXPECT_EQ(split(text, 32), found);
  EXPECT_EQ(split(text, 16), found);
  return found;
}

void expect_all_lines(std::string_view text) {
  const Found found = split(text);
  std::string again;
  for (const std::string& line : found.lines) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    again += line + '\n';
  }
  EXPECT_EQ(found.rest.find('\n'), std::string::npos);
  EXPECT_EQ(again + found.rest, text);
}

TEST(LineEnds, LinesOfAnyLengthAnywhere) {
  std::mt19937 dice(20261123);
  for (const std::size_t longest : {1U, 3U, 70U, 300U, 200000U}) {
    std::string text;
    while (text.size() < 3 * LineEnds::kMostBytes) {
      text += std::string(dice() % longest, static_cast<char>('a' + dice() % 26)) + '\n';
    }
    expect_all_lines(text);
    for (std::size_t size = 0; size < 200; ++size) {
      expect_all_lines(std::string_view(text).substr(dice() % 100, size));
    }
    expect_all_lines(std::string_view(text).substr(1, LineEnds::kMostBytes));
    expect_all_lines(std::string_view(text).substr(1, LineEnds::kMostBytes + 1));
  }
  expect_all_lines(std::string(LineEnds::kMostBytes * 2 + 5, '\n'));
}

TEST(LineEnds, ControlsInEveryPlace) {
  const std::string text = std::string(200, 'x') + '\n';
  for (unsigned c = 0; c < 256; ++c) {
    for (const std::size_t at : {0U, 15U, 16U, 63U, 64U, 127U, 128U, 191U, 192U, 199U}) {
      std::string with = text;
      with[at] = static_cast<char>(c);
      EXPECT_EQ(split(with).controls.back(), c >= 0x0b && c <= 0x1f) << c << ' ' << at;
    }
  }
}

// From the first line on that ends in the piece that has them.
TEST(LineEnds, ControlsAreKnownWithTheirPiece) {
  std::string text(3 * LineEnds::kMostBytes, 'x');
  text[LineEnds::kMostBytes + 7] = '\x1b';
  for (const std::size_t end : {LineEnds::kMostBytes - 1, LineEnds::kMostBytes, text.size() - 1}) {
    text[end] = '\n';
  }
  EXPECT_EQ(split(text).controls, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(split("").controls, std::vector<bool>{});
}

}  // namespace
}  // namespace trtlens::line_ends_test
