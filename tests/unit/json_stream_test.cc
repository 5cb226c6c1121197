// JSON written piece by piece equals the dump of the whole.
#include "report/formats/json/stream.h"
#include "tests/rendered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace trtlens::json_stream_test {
namespace {

// Writes a tree piece by piece.
void write(const Json& json, JsonStream& out) {
  if (json.is_object()) {
    out.begin_object();
    for (const auto& [name, value] : json.items()) {
      out.key(name);
      write(value, out);
    }
    out.end();
  } else if (json.is_array()) {
    out.list(json, [&](const Json& item) { write(item, out); });
  } else {
    out.value(json);
  }
}

std::string streamed(const Json& json) {
  return text_of([&](TextStream& text) {
    JsonStream out(text);
    write(json, out);
  });
}

TEST(JsonStream, WritesWhatADumpOfTheTreeWould) {
  const Json json = Json::parse(R"({"a": 1, "empty": {}, "none": [], "list": [1, [2, {"b": []}],
      {"c": {"d": null}}, "x\ny \u202e \u001b[31m"], "na\nme": 0.1, "t": true, "last": {"e": -5}})");
  EXPECT_EQ(streamed(json), json_dump(json));
  EXPECT_EQ(streamed(Json::object()), json_dump(Json::object()));
  EXPECT_EQ(streamed(Json::array({Json::object()})), json_dump(Json::array({Json::object()})));
}

TEST(JsonStream, LaysOutWholeValuesInTheirPlace) {
  const Json inner = {{"x", {1, 2}}, {"y", {{"z", "a\nb"}}}};
  const std::string text = text_of([&](TextStream& stream) {
    JsonStream out(stream);
    out.begin_object();
    out.key("list");
    out.begin_list();
    out.value(inner);
    out.value(inner);
    out.end();
    out.members({{"p", 1}, {"q", inner}});
    out.end();
  });
  EXPECT_EQ(text, json_dump({{"list", {inner, inner}}, {"p", 1}, {"q", inner}}));
}

TEST(JsonStream, InvalidUtf8IsReplaced) {
  const Json json = {{"bad\xff", "\xc3\x28"}};
  EXPECT_EQ(streamed(json), json_dump(json));
}

TEST(TextStream, GivesAllInPiecesAndInOrder) {
  std::string all, expected;
  std::size_t pieces = 0, largest = 0;
  TextStream out([&](std::string_view piece) {
    all += piece;
    ++pieces;
    largest = std::max(largest, piece.size());
  });
  for (int i = 0; i < 100000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    out += line;
    expected += line;
  }
  out.flush();
  EXPECT_EQ(all, expected);
  EXPECT_GT(pieces, 5U);
  EXPECT_LT(largest, expected.size() / 4);
}

}  // namespace
}  // namespace trtlens::json_stream_test
