// Files larger than a chunk: read through a window, or whole when they are no valid JSON.
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/json/json_inputs.h"
#include "tests/temp_folder.h"

namespace trtlens::json_pieces_test {
namespace {

std::optional<std::vector<JsonRecords>> read_pieces(std::string_view text, std::size_t size) {
  std::size_t at = 0;
  const auto next = [&] {
    const std::string_view piece = text.substr(at, size);
    at += piece.size();
    return piece;
  };
  std::vector<Diagnostic> diagnostics;
  return read_json_pieces(next, text.size(), "f.json", 0, diagnostics);
}

TEST(JsonPieces, AnySizeGivesTheSamePlaces) {
  const std::string text =
      "\n [ { \"count\" : 2 }\r\n\n, { \"name\" : \"a\\u0041\", \"averageMs\" : 1.5 }\n"
      ", {\n\n   \"name\"\n : \"b\", \"timeMs\" : -1, \"averageMs\" : 2 }\n]\n{\"Layers\": "
      "[\"x\",\n \"y\"]}\n";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const auto documents = read_pieces(text, size);
    ASSERT_TRUE(documents.has_value()) << size;
    ASSERT_EQ(documents->size(), 2U) << size;
    const JsonRecords& profile = documents->at(0);
    EXPECT_EQ(profile.pos.line, 2U) << size;
    EXPECT_EQ(profile.pos.column, 2U) << size;
    ASSERT_EQ(profile.profile.size(), 2U) << size;
    EXPECT_EQ(profile.profile[0].name, "aA");
    EXPECT_EQ(profile.profile[0].pos.line, 4U) << size;
    EXPECT_EQ(profile.profile[1].pos.line, 5U) << size;
    EXPECT_EQ(profile.profile[1].pos.column, 3U) << size;
    EXPECT_EQ(profile.impossible_times.pos.line, 8U) << size;
    EXPECT_EQ(profile.impossible_times.pos.column, 9U) << size;
    EXPECT_EQ(documents->at(1).layers.at(1).pos.line, 11U) << size;
    EXPECT_EQ(documents->at(1).layers.at(1).pos.column, 2U) << size;
  }
}

TEST(JsonPieces, WhatIsNotPlainJsonIsLeftToTheWholeText) {
  for (const std::string_view text :
       {"[{\"count\": nan}]", "[1", "\xef\xbb\xbf[]", "[] x", "[],[]", "\"a\"", ""}) {
    const auto documents = read_pieces(text, 3);
    EXPECT_EQ(documents.has_value(), text.empty()) << text;
  }
  EXPECT_FALSE(read_pieces(std::string_view("[]\n\0\0", 5), 3).has_value());
}

// The name of the only layer; `written` is the inside of a JSON string.
std::optional<std::string> name_of(const std::string& written, std::size_t size) {
  const auto documents =
      read_pieces("[{\"N\\u0061me\": \"" + written + "\", \"LayerType\":\"X\"}]", size);
  if (!documents || documents->size() != 1 || documents->at(0).layers.size() != 1) return {};
  return documents->at(0).layers[0].name;
}

// Most strings pass by the lexer: whatever needs it is found at each place, and in any piece.
TEST(JsonPieces, StringsOfAnyBytes) {
  struct Case {
    std::string written, text;
  };
  for (const Case& odd :
       {Case{"\\\"", "\""}, Case{"\\\\", "\\"}, Case{"\\\\\\\"", "\\\""}, Case{"\\u001e", "\x1e"},
        Case{"\xc3\xa9", "\xc3\xa9"}, Case{"~\x7f", "~\x7f"}, Case{"/[]{},: ", "/[]{},: "}}) {
    for (std::size_t before = 0; before < 18; ++before) {
      const std::string plain(before, 'p'), rest(17 - before, 'r');
      const std::string written = plain + odd.written + rest, text = plain + odd.text + rest;
      for (std::size_t size = 1; size <= written.size() + 20; ++size) {
        EXPECT_EQ(name_of(written, size), text) << written << " by " << size;
      }
    }
  }
}

TEST(JsonPieces, StringsThatAreNoJsonAreLeftToTheWholeText) {
  for (const char* odd :
       {"\t", "\x01", "\n", "\xff", "\xc3", "\xed\xa0\x80", "\\x", "\\u12", "\"\""}) {
    for (std::size_t before = 0; before < 18; ++before) {
      const std::string written = std::string(before, 'p') + odd + std::string(17 - before, 'r');
      for (const std::size_t size : {1U, 7U, 100U}) {
        EXPECT_EQ(name_of(written, size), std::nullopt) << written << " by " << size;
      }
    }
  }
}

// A profile of more than two chunks; `mean` is that of the last record.
std::string big_profile(std::size_t records, const std::string& mean) {
  std::string text = "[\n  { \"count\" : 1 }\n";
  for (std::size_t i = 0; i < records; ++i) {
    text += ", { \"name\" : \"layer_" + std::to_string(i) +
            "\", \"averageMs\" : " + (i + 1 < records ? "0.5" : mean) + " }\n";
  }
  return text + "]";
}

TEST(JsonPieces, BigFileWithADefectIsReadAgain) {
  constexpr std::size_t kRecords = 60000;
  const TempFolder folder;
  for (const char* mean : {"0.5", "nan"}) {
    const std::string text = big_profile(kRecords, mean);
    ASSERT_GT(text.size(), std::size_t{2} << 20U);
    const ParseResult result = parse_inputs({folder.write("profile.json", text)}, {});
    const bool is_whole = std::string_view(mean) == "0.5";
    EXPECT_EQ(result.inputs.at(0).bytes, text.size());
    EXPECT_EQ(result.inputs[0].lines, kRecords + 3);
    EXPECT_EQ(result.inputs[0].kind, InputKind::profile);
    ASSERT_EQ(result.builds.size(), 1U);
    EXPECT_EQ(result.builds[0].layers.size(), kRecords);
    EXPECT_EQ(result.builds[0].profile_sum_ms, 0.5 * (kRecords - (is_whole ? 0 : 1)));
    EXPECT_EQ(result.builds[0].layers.back().pos.line, kRecords + 2);
    ASSERT_EQ(result.diagnostics.size(), is_whole ? 0U : 1U);
    if (is_whole) continue;
    EXPECT_EQ(result.diagnostics[0].id, "json-nan");
    EXPECT_EQ(result.diagnostics[0].line, kRecords + 2);
  }
}

}  // namespace
}  // namespace trtlens::json_pieces_test
