// What kind of input a few bytes are.
#include "parsers/text/sniff.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "parsers/log/lint/lint.h"
#include "parsers/parse.h"
#include "tests/temp_folder.h"

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

constexpr const char* kNotebook =
    "a Jupyter notebook, no log: jq -j '.cells[].outputs[]?.text[]?' FILE | trtlens analyze -";

TEST(JsonSniff, NamesTheCommandForNotebooks) {
  for (const std::string_view text : {"{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\"",
                                      "{\"nbformat\":4,\"metadata\":{\"colab\":",
                                      "\xEF\xBB\xBF{\r\n \"cells\" : [ {\"cell_type\": \"code\""}) {
    EXPECT_EQ(log_in_json(text), kNotebook) << text;
  }
  for (const std::string_view text :
       {"{\"cells\": 3, \"Layers\": [", "{\"Layers\": [{\"Name\": \"cells\"}]}",
        "{\"Layers\": [{\"Name\": \"\\\"nbformat\\\"\"}]}", "[I] \"nbformat\""}) {
    EXPECT_EQ(log_in_json(text), "") << text;
  }
}

TEST(JsonSniff, NamesTheCommandForRecordsOfALogger) {
  constexpr const char* kDocker =
      "records of a logger, no log: jq -j .log FILE | trtlens analyze -";
  EXPECT_EQ(log_in_json("{\"log\":\"a\\n\",\"stream\":\"stdout\"}\n"), kDocker);
  EXPECT_EQ(log_in_json("\xEF\xBB\xBF\n {\"log\": \"\"} \r\n{\"log\""), kDocker);
  for (const std::string key : {"msg", "message", "MESSAGE", "textPayload", "line"}) {
    EXPECT_EQ(log_in_json("{\"level\":\"info\",\"" + key + "\":\"a\"}"),
              "records of a logger, no log: jq -r ." + key + " FILE | trtlens analyze -");
  }
  for (const std::string_view text :
       {"{\"level\":\"info\",\"msg\":3}", "{\"Layers\": [\"log\", \"msg\"]}", "{\n\"log\": \"a\"}",
        "[{\"log\": \"a\"}]", "{\"log\": \"a", "{\"iter\": 0, \"error_message\": \"\"}",
        "{\"msg\":\"exporting\"}\n[\n{\"count\": 3}"}) {
    EXPECT_EQ(log_in_json(text), "") << text;
  }
}

TEST(JsonSniff, AnInputThatHoldsALogIsRefused) {
  const TempFolder folder;
  const std::string path = folder.write("n.ipynb", "{\n \"cells\": [],\n \"nbformat\": 4\n}\n");
  const ParseResult result = parse_inputs({path}, {});
  EXPECT_EQ(result.inputs.at(0).why, kNotebook);
  EXPECT_TRUE(result.builds.empty());
  EXPECT_EQ(lint_logs({path}, {}).inputs.at(0).why, kNotebook);
}

}  // namespace
}  // namespace trtlens::json_sniff_test
