// A Jupyter notebook as an input: what its cells printed is a log.
#include "parsers/json/notebook.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"

namespace trtlens {
namespace {

using Lines = std::vector<std::pair<std::uint64_t, std::string>>;

Lines lines_of(const std::string& text) {
  Lines lines;
  const auto sink = [&](std::string_view line, std::uint64_t number) {
    lines.emplace_back(number, std::string(line));
  };
  const std::uint64_t count = read_notebook(text, sink);
  EXPECT_EQ(count, lines.size());
  return lines;
}

// As Jupyter saves it, one string a line; the source of a cell is no output.
std::string notebook(const std::string& outputs) {
  return "{\n \"cells\": [\n  {\n   \"cell_type\": \"code\",\n   \"outputs\": [" + outputs +
         "],\n   \"source\": [\n    \"!trtexec --onnx=m.onnx\\n\",\n    \"[07/25/2022-16:42:23] "
         "[I] "
         "Engine built in 9 sec.\\n\"\n   ]\n  }\n ],\n \"nbformat\": 4\n}\n";
}
std::string output(const std::string& text) {
  return "{\n\"name\": \"stdout\",\n\"text\": " + text + "}";
}

TEST(Notebook, IsKnownByItsKeys) {
  EXPECT_TRUE(looks_like_notebook("{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\""));
  EXPECT_TRUE(looks_like_notebook("{\"nbformat\":4,\"metadata\":{\"colab\":"));
  EXPECT_FALSE(looks_like_notebook("{\"Layers\": [{\"Name\": \"cells\"}]}"));
  EXPECT_FALSE(looks_like_notebook("{\"Layers\": [{\"Name\": \"\\\"nbformat\\\"\"}]}"));
}

TEST(Notebook, LinesOfItsOutputs) {
  const std::string text =
      notebook(output("[\n\"one\\n\",\n\"two \\u001b[1mtabs\\t\\n\",\n\"last\"]") + ",\n" +
               output("\"three\\nfour\\n\""));
  EXPECT_EQ(
      lines_of(text),
      Lines({{8, "one"}, {9, "two \x1b[1mtabs\t"}, {10, "last"}, {13, "three"}, {13, "four"}}));
}

TEST(Notebook, AStringIsWhereverItWasCut) {
  EXPECT_EQ(lines_of(notebook(output("[\n\"a li\",\n\"ne\\nb\\n\\n\"]"))),
            Lines({{8, "a line"}, {9, "b"}, {9, ""}}));
}

TEST(Notebook, OtherTextIsNoOutput) {
  EXPECT_EQ(lines_of(notebook("{\"data\": {\"text/plain\": [\"x\\n\"]}, \"metadata\": {\"text\": "
                              "[\"y\\n\"]}}")),
            Lines());
  EXPECT_EQ(lines_of("{\"text\": [\"x\\n\"]}"), Lines());
  EXPECT_EQ(lines_of("{\"outputs\": {\"a\": {\"text\": [\"x\\n\"]}}}"), Lines());
}

// What stands before the defect is read.
TEST(Notebook, Damaged) {
  const std::string text = notebook(output("[\n\"one\\n\",\n\"two\\n\",\n\"three\\n\"]"));
  const std::size_t cut = text.find("wo\\n");
  EXPECT_EQ(lines_of(text.substr(0, cut)), Lines({{8, "one"}}));
  EXPECT_EQ(lines_of(text.substr(0, text.find("\"two"))), Lines({{8, "one"}}));
  EXPECT_EQ(lines_of(std::string(5000, '[')), Lines());
  EXPECT_EQ(lines_of("]}\"x"), Lines());
  EXPECT_EQ(lines_of("\"text"), Lines());
  EXPECT_EQ(lines_of("{\"a\\"), Lines());
}

class NotebookInput : public testing::Test {
 protected:
  [[nodiscard]] ParseResult read(const std::string& text, bool named = true) const {
    const std::string path = folder_.write("n.ipynb", text);
    return parse_inputs({named ? path : folder_.path().string()}, {});
  }
  TempFolder folder_;
};

const std::string kLog = output(
    "[\n\"&&&& RUNNING TensorRT.trtexec [TensorRT v8205] # trtexec --onnx=m.onnx\\n\",\n"
    "\"[07/25/2022-16:42:23] [W] [TRT] something odd\\n\",\n"
    "\"[07/25/2022-16:42:23] [I] Engine built in 1.5 sec.\\n\"]");

TEST_F(NotebookInput, IsALogAtItsOwnLines) {
  for (const bool named : {true, false}) {
    const ParseResult result = read(notebook(kLog), named);
    ASSERT_EQ(result.builds.size(), 1U);
    EXPECT_EQ(result.builds[0].engine_build_s, 1.5);
    EXPECT_EQ(result.runs[0].first_line, 8U);
    ASSERT_EQ(result.builds[0].messages.size(), 1U);
    EXPECT_EQ(result.builds[0].messages[0].pos.line, 9U);
    EXPECT_EQ(result.coverage.lines(), 3U);
    EXPECT_EQ(result.inputs[0].kind, InputKind::log);
    EXPECT_EQ(result.inputs[0].lines, 18U);
    ASSERT_EQ(result.diagnostics.size(), 1U);
    EXPECT_EQ(result.diagnostics[0].id, "notebook");
    EXPECT_EQ(result.diagnostics[0].severity, DiagnosticSeverity::note);
  }
}

// An ILogger's lines have nothing but their place behind another in common.
TEST_F(NotebookInput, LinesOnOneLine) {
  const ParseResult result = read(notebook(output(
      "\"Tactic: 0x0000000000000001 Time: 0.01\\nRemoving shuffle_1\\nRemoving shuffle_2\\n\"")));
  EXPECT_EQ(result.coverage.of(LineClass::foreign), 0U);
}

TEST_F(NotebookInput, WithoutOutputs) {
  const ParseResult named = read(notebook(""));
  EXPECT_TRUE(named.builds.empty());
  EXPECT_NE(named.inputs[0].why.find("printed nothing"), std::string::npos);
  const ParseResult found = read(notebook(""), false);
  EXPECT_EQ(found.inputs[0].why, "");
  EXPECT_TRUE(found.diagnostics.empty());
}

}  // namespace
}  // namespace trtlens
