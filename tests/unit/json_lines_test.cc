// A container's or a service's logger as an input: one JSON object a line.
#include "parsers/json/json_lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "parsers/log/lint/lint.h"
#include "parsers/parse.h"
#include "tests/temp_folder.h"

namespace trtlens::json_lines_test {
namespace {

using Lines = std::vector<std::pair<std::uint64_t, std::string>>;

struct Read {
  Lines lines;
  std::uint64_t defect_line = 0;
};

Read read_lines(const std::string& text, std::size_t piece_bytes = 1 << 18) {
  Read read;
  std::size_t at = 0;
  const ContainedLogEnd end = read_json_lines(
      [&] {
        const std::string_view piece = std::string_view(text).substr(at, piece_bytes);
        at += piece.size();
        return piece;
      },
      [&](std::string_view line, std::uint64_t number) {
        read.lines.emplace_back(number, std::string(line));
      });
  EXPECT_EQ(end.lines, read.lines.size());
  read.defect_line = end.defect_line;
  return read;
}

std::string docker(const std::string& text) {
  return "{\"log\":\"" + text + R"(","stream":"stdout","time":"2024-05-01T12:00:00.1Z"})" + "\n";
}

TEST(JsonLines, AreKnownByTheirFirst) {
  EXPECT_TRUE(looks_like_json_lines(docker("a\\n")));
  EXPECT_TRUE(looks_like_json_lines(R"({"level":"info","msg":"a"})"));
  EXPECT_TRUE(looks_like_json_lines("\xEF\xBB\xBF{\"MESSAGE\": \"a\"}\r\n{"));
  EXPECT_FALSE(looks_like_json_lines(R"({"level":"info","msg":3})"));
  EXPECT_FALSE(looks_like_json_lines(R"({"Layers": ["log", "msg"]})"));
  EXPECT_FALSE(looks_like_json_lines("{\n\"log\": \"a\"}"));
  EXPECT_FALSE(looks_like_json_lines(R"([{"log": "a"}])"));
  EXPECT_FALSE(looks_like_json_lines(R"({"log": "a)"));
}

TEST(JsonLines, BesideOtherJson) {
  const std::string export_text = "[\n{\"count\": 3},\n{\"name\": \"a\"}\n]\n";
  EXPECT_FALSE(looks_like_json_lines("{\"msg\":\"exporting\"}\n" + export_text));
  EXPECT_TRUE(looks_like_json_lines("\n {\"msg\":\"one\"}\n\n {\"msg\":\"two\"}\n"));
  EXPECT_TRUE(looks_like_json_lines("{\"msg\":\"one\"}\nplain text\n"));
  // A record may say nothing, or hold bytes that are no UTF-8.
  EXPECT_TRUE(looks_like_json_lines("{\"MESSAGE\":null}\n{\"MESSAGE\":\"two\"}\n"));
  EXPECT_TRUE(looks_like_json_lines("{\"msg\":\"one\"}\n{\"MESSAGE\":null}\n"));
  EXPECT_TRUE(looks_like_json_lines("{\"msg\":\"one\"}\n{\"msg\":\"\xff\"}\n"));
  EXPECT_FALSE(looks_like_json_lines("{\"MESSAGE\":null}\n{\"Layers\":[]}\n"));
}

TEST(JsonLines, OfDocker) {
  // Docker cuts at 16 KiB, and each output on its own.
  const std::string piece(16384, 'x');
  const std::string error = R"({"log":"bad\n","stream":"stderr"})"
                            "\n";
  const std::string text = docker("\\u001b[1m\\\"one\\\" \\u20ac\\r\\n") + docker(piece) + error +
                           docker("line\\n") + docker("\\n") + docker("") + docker("last");
  for (std::size_t chunk : {1U, 7U, 100000U}) {
    const Read read = read_lines(text, chunk);
    EXPECT_EQ(read.lines, Lines({{1, "\x1b[1m\"one\" \xE2\x82\xAC"},
                                 {3, "bad"},
                                 {2, piece + "line"},
                                 {5, ""},
                                 {6, ""},
                                 {7, "last"}}));
    EXPECT_EQ(read.defect_line, 0U);
  }
  EXPECT_EQ(read_lines(R"({"log":"a ","logtag":"P"})"
                       "\n"
                       R"({"log":"b","logtag":"F"})")
                .lines,
            Lines({{1, "a b"}}));
}

// Others bring no line ends, and may say several lines at once; one with an end changes nothing.
TEST(JsonLines, OfALogger) {
  const std::string text =
      "{\"msg\":\"one\\n\"}\r\n\n{\"msg\":\"two\\nthree\"}\n{\"msg\":\"\"}\n{\"msg\":\"four\"}";
  EXPECT_EQ(read_lines(text).lines,
            Lines({{1, "one"}, {3, "two"}, {3, "three"}, {4, ""}, {5, "four"}}));
  EXPECT_EQ(read_lines(R"({"log":"app","message":"text"})").lines, Lines({{1, "text"}}));
}

// What cannot be printed is a list of bytes; what is too long is left out.
TEST(JsonLines, OfJournald) {
  const Read read = read_lines(
      "{\"MESSAGE\":[97,30,98]}\n{\"MESSAGE\":null,\"_PID\":\"7\"}\n{\"MESSAGE\":[1,999]}\n"
      "{\"MESSAGE\":\"c\"}");
  EXPECT_EQ(read.lines, Lines({{1,
                                "a\x1e"
                                "b"},
                               {4, "c"}}));
  EXPECT_EQ(read.defect_line, 2U);
}

// Only docker cuts at 16 KiB: others write longer lines whole.
TEST(JsonLines, LongLinesOfOthersAreWhole) {
  const std::string text(20000, 'x');
  EXPECT_EQ(read_lines("{\"MESSAGE\":\"" + text + "\"}\n{\"MESSAGE\":\"b\"}").lines,
            Lines({{1, text}, {2, "b"}}));
  EXPECT_EQ(read_lines("{\"msg\":\"a\xff\"}").lines, Lines({{1, "a\xEF\xBF\xBD"}}));
}

TEST(JsonLines, ALineThatIsNoneStandsAsItIs) {
  const Read read = read_lines(docker("one\\n") + "[I] text\n" + docker("two\\n") +
                               docker("three\\n").substr(0, 20));
  EXPECT_EQ(
      read.lines,
      Lines({{1, "one"}, {2, "[I] text"}, {3, "two"}, {4, docker("three\\n").substr(0, 20)}}));
  EXPECT_EQ(read.defect_line, 2U);
}

class JsonLinesInput : public testing::Test {
 protected:
  [[nodiscard]] ParseResult read(const std::string& text, bool named = true) const {
    const std::string path = folder_.write("c-json.log", text);
    return parse_inputs({named ? path : folder_.path().string()}, {});
  }

  TempFolder folder_;
};

const std::string kLog =
    docker("&&&& RUNNING TensorRT.trtexec [TensorRT v8401] # trtexec --onnx=m.onnx --fp16\\n") +
    docker("[07/25/2022-16:42:23] [W] [TRT] Unknown embedded device detected.\\n") +
    docker("[07/25/2022-16:42:24] [I] Engine built in 12.5 sec.\\n") +
    docker("&&&& PASSED TensorRT.trtexec [TensorRT v8401] # trtexec --onnx=m.onnx --fp16\\n");

TEST_F(JsonLinesInput, IsALog) {
  for (const bool named : {true, false}) {
    const ParseResult result = read(kLog, named);
    ASSERT_EQ(result.builds.size(), 1U);
    const Build& build = result.builds[0];
    EXPECT_EQ(build.outcome, Outcome::passed);
    EXPECT_EQ(build.command, "trtexec --onnx=m.onnx --fp16");
    ASSERT_EQ(build.messages.size(), 1U);
    EXPECT_EQ(build.messages[0].pos.line, 2U);
    EXPECT_EQ(result.inputs.at(0).kind, InputKind::log);
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_EQ(result.diagnostics[0].found,
              "a logger's records: the 4 lines that they hold are read");
  }
}

// A pipe brings a record in pieces.
TEST_F(JsonLinesInput, InPiecesOfAPipe) {
  const std::string path = folder_.at("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(path, std::ios::binary);
    out << kLog.substr(0, 1) << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    out << kLog.substr(1, 20) << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    out << kLog.substr(21);
  });
  const ParseResult result = parse_inputs({path}, {});
  writer.join();
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_EQ(result.builds[0].outcome, Outcome::passed);
}

TEST_F(JsonLinesInput, OfAnotherProgramIsNone) {
  const ParseResult result =
      read("{\"msg\":\"listening\"}\n{\"msg\":\"bye\"}\n{\"level\":3}\n", false);
  EXPECT_TRUE(result.builds.empty());
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_EQ(result.coverage.lines(), 0U);
}

TEST_F(JsonLinesInput, IsLinted) {
  const std::string path =
      folder_.write("c-json.log", docker("one\\n") +
                                      docker("[07/25/2022-16:42:23] [V] [TRT] Frobnicating it\\n"));
  const LintResult result = lint_logs({path}, {});
  EXPECT_EQ(result.inputs.at(0).why, "");
  ASSERT_EQ(result.shapes.size(), 1U);
  EXPECT_EQ(result.shapes[0].first.line, 2U);
}

}  // namespace
}  // namespace trtlens::json_lines_test
