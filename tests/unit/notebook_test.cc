// A Jupyter notebook as an input: what its cells printed is a log.
#include "parsers/json/notebook.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parsers/log/lint/lint.h"
#include "parsers/parse.h"
#include "tests/temp_folder.h"

namespace trtlens::notebook_test {
namespace {

using Lines = std::vector<std::pair<std::uint64_t, std::string>>;

// However the file comes in pieces.
Lines lines_of(const std::string& text, std::size_t piece_bytes = 1 << 18,
               std::uint64_t* defect_line = nullptr) {
  Lines lines;
  const auto sink = [&](std::string_view line, std::uint64_t number) {
    lines.emplace_back(number, std::string(line));
  };
  std::size_t at = 0;
  const ContainedLogEnd end = read_notebook(
      [&] {
        const std::string_view piece = std::string_view(text).substr(at, piece_bytes);
        at += piece.size();
        return piece;
      },
      sink);
  EXPECT_EQ(end.lines, lines.size());
  if (defect_line != nullptr) *defect_line = end.defect_line;
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
  EXPECT_TRUE(looks_like_notebook("\xEF\xBB\xBF{\r\n \"cells\" : [ {\"attachments\": \"iVBO"));
  EXPECT_FALSE(looks_like_notebook("{\"cells\": 3, \"Layers\": ["));
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

TEST(Notebook, InAnyPieces) {
  const std::string bad = "a\xE2\x82z \xFF\xC3";
  const std::string text = notebook(output("[\n\"\xE2\x82\xAC one\\n\",\n\n\"" + bad + "\"]"));
  const std::string mended = "a\xEF\xBF\xBD\xEF\xBF\xBDz \xEF\xBF\xBD\xEF\xBF\xBD";
  for (std::size_t piece = 1; piece < 40; ++piece) {
    std::uint64_t defect_line = 99;
    EXPECT_EQ(lines_of(text, piece, &defect_line), Lines({{8, "\xE2\x82\xAC one"}, {10, mended}}));
    EXPECT_EQ(defect_line, 0U);
  }
}

TEST(Notebook, SaysWhereItBreaks) {
  const std::string text = notebook(output("[\n\"one\\n\",\n\"\\ud800 two\\n\"]"));
  for (const std::size_t piece : {1U, 7U, 1000U}) {
    std::uint64_t defect_line = 0;
    EXPECT_EQ(lines_of(text, piece, &defect_line), Lines({{8, "one"}}));
    EXPECT_EQ(defect_line, 9U);
  }
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

TEST_F(NotebookInput, ALineLongerThanALogsMayBe) {
  const ParseResult result = read(notebook(
      output("\"" + std::string(3 << 20, 'x') + "\\n[07/25/2022-16:42:23] [W] [TRT] odd\\n\"")));
  ASSERT_EQ(result.diagnostics.size(), 2U);
  EXPECT_EQ(result.diagnostics[0].id, "log-line-cut");
  EXPECT_EQ(result.diagnostics[0].line, 7U);
  EXPECT_EQ(result.builds.at(0).messages.size(), 1U);
}

TEST_F(NotebookInput, Broken) {
  const std::string text = notebook(kLog);
  const ParseResult result = read(text.substr(0, text.find("Engine built")));
  ASSERT_EQ(result.diagnostics.size(), 2U);
  EXPECT_EQ(result.diagnostics[0].id, "notebook-broken");
  EXPECT_EQ(result.diagnostics[0].line, 10U);
  EXPECT_EQ(result.inputs[0].lines, 10U);
}

TEST_F(NotebookInput, IsLinted) {
  const std::string path = folder_.write(
      "n.ipynb", notebook(output("[\n\"[07/25/2022-16:42:23] [V] [TRT] Frobnicating it\\n\"]")));
  const LintResult result = lint_logs({path}, {});
  EXPECT_EQ(result.inputs.at(0).why, "");
  ASSERT_EQ(result.shapes.size(), 1U);
  EXPECT_EQ(result.shapes[0].first.line, 8U);
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
}  // namespace trtlens::notebook_test
