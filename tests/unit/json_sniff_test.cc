#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "parsers/json/json_inputs.h"

namespace trtlens::json_sniff_test {
namespace {

TEST(JsonSniff, RecognisesExports) {
  for (std::string_view text :
       {"{\"Layers\": [\"a\"", "[\n  { \"count\" : 0 }\n]\n", "[ ]", "[", "{", "{}", "[]\n",
        "  \r\n\t[{\"name\":1}]", "[\"a\", \"b\"]", "[[1, 2]]", "[1.5, 2]", "[-0.5]", "[null]",
        "\xef\xbb\xbf{\"Layers\": []}", "[ ][ {"}) {
    EXPECT_TRUE(looks_like_json(text)) << text;
  }
}

// A layer's name on a line of its own, in front of what was copied out of the list.
TEST(JsonSniff, RecognisesBareStringsInFrontOfAnObject) {
  for (std::string_view text : {"\"conv0\"\n{\"Name\": \"a\"", "\"a\",\r\n\"b\" ,\n { \"Name\"",
                                "\n\"a + \"b\"\"\n{\n\"Name\"", "\"\"\n{\"Name\""}) {
    EXPECT_TRUE(looks_like_json(text)) << text;
  }
  for (std::string_view text :
       {"\"conv0\"", "\"conv0\"\n", "\"conv0\" was built\n{\"a\"", "\"conv0\n{\"Name\"",
        "\"\n{\"Name\"", "\"conv0\"\n{ForeignNode[a]}", "\"conv0\"\n[I] x", "\"conv0\"\n{"}) {
    EXPECT_FALSE(looks_like_json(text)) << text;
  }
}

TEST(JsonSniff, LeavesLogsAlone) {
  for (std::string_view text : {"[07/07/2026-02:11:00] [I] === Model Options ===",
                                "[TRT] [I] x",
                                "[W] y",
                                "[I] [TRT] x",
                                "[libprotobuf ERROR google/protobuf/x.cc:1] y",
                                "&&&& RUNNING TensorRT.trtexec",
                                "",
                                "[12/11/2023-10:00:00] [I]",
                                "[1/6] building",
                                "[true story] x",
                                "[] done",
                                "{ForeignNode[a]}",
                                "[[INFO]] x",
                                "plain",
                                "\"name\"",
                                "3",
                                "[2024-01-01 10:00:00] x",
                                "[10] x",
                                "[1,0]<stdout>:[07/07/2026-02:11:00] [I] x",
                                "[0] [07/07/2026-02:11:00] [I] x",
                                "[    0.12] [I] x",
                                "[2024-05-01, 12:00:00 UTC] {subprocess.py:93} INFO - x"}) {
    EXPECT_FALSE(looks_like_json(text)) << text;
  }
}

TEST(JsonSniff, RecognisesUtf16) {
  EXPECT_TRUE(looks_like_json(std::string_view("\xff\xfe{\0\"\0a\0\"\0", 10)));
  EXPECT_TRUE(looks_like_json(std::string_view("\xfe\xff\0[\0{", 6)));
  EXPECT_TRUE(looks_like_json(std::string_view("[\0\n\0", 4)));
  EXPECT_FALSE(looks_like_json(std::string_view("\xff\xfe[\0I\0]\0", 8)));
}

}  // namespace
}  // namespace trtlens::json_sniff_test
