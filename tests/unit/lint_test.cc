// lint-log from a file to its reports: what is counted, what is kept back, hostile lines.
#include "parsers/log/lint/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "report/document/document.h"
#include "report/formats/lint_report.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/temp_folder.h"
#include "tests/unit/log_sample.h"

namespace trtlens::lint_test {
namespace {

using testing::HasSubstr;
using testing::Not;

LintResult lint(const std::string& text) {
  const TempFolder folder;
  return lint_logs({folder.write("secret_folder_lint.log", text)}, ParseOptions());
}

std::string known_and_unknown() {
  return running("--onnx=/home/ann/secret.onnx --verbose", "101601") +
         library_lines({"Tactic: 0x12 Time: 5 ms or so", "Frobnicating /secret/conv_1 now",
                        "Original: 229 layers", "Frobnicating /secret/conv_2 now"}) +
         "make: foreign\n" + closing("PASSED", "--onnx=/home/ann/secret.onnx");
}

TEST(Lint, CountsShapesAndSaysWhereTheyBegin) {
  const LintResult result = lint(known_and_unknown());
  ASSERT_EQ(result.shapes.size(), 2U);
  EXPECT_EQ(result.shapes[0].shape, "Frobnicating <name> now");
  EXPECT_EQ(result.shapes[0].count, 2U);
  EXPECT_EQ(result.shapes[0].line_class, LineClass::unknown);
  EXPECT_EQ(result.shapes[0].severity, LogSeverity::verbose);
  EXPECT_EQ(result.shapes[0].first.line, 3U);
  EXPECT_EQ(result.shapes[0].near, "");
  EXPECT_EQ(result.shapes[1].shape, "Tactic: <hex> Time: <n> ms or so");
  EXPECT_EQ(result.shapes[1].line_class, LineClass::malformed);
  EXPECT_EQ(result.shapes[1].near, "tactic-time");
  EXPECT_EQ(result.coverage.lines(), 7U);
  EXPECT_EQ(result.versions, std::vector<std::string>{"10.16.1"});
  EXPECT_EQ(result.producers, std::vector<std::string>{"trtexec"});
  EXPECT_EQ(result.runs, 1U);
}

// What is pasted into a public issue tells no names, unless asked to.
TEST(Lint, KeepsNamesAndPathsBack) {
  const LintResult result = lint(known_and_unknown());
  const LintView plain;
  LintView open;
  open.samples = true;
  using Write = std::string (*)(const LintResult&, const LintView&, const std::string&);
  for (const Write write : {&lint_text, &lint_markdown, &lint_json}) {
    const std::string hidden = write(result, plain, "0.0.0");
    EXPECT_THAT(hidden, Not(HasSubstr("secret")));
    EXPECT_THAT(hidden, Not(HasSubstr("ann")));
    EXPECT_THAT(hidden, HasSubstr("tactic-time"));
    EXPECT_THAT(hidden, HasSubstr("Frobnicating"));
    const std::string shown = write(result, open, "0.0.0");
    EXPECT_THAT(shown, HasSubstr("/secret/conv_1"));
    EXPECT_THAT(shown, HasSubstr("secret_folder_lint.log"));
  }
}

TEST(Lint, TextIsOneLineAShape) {
  LintView view;
  view.top = 1;
  const std::string text = lint_text(lint(known_and_unknown()), view, "1.2.3");
  EXPECT_EQ(text,
            "trtlens 1.2.3 lint-log: TensorRT 10.16.1, trtexec, 1 run\n"
            "7 lines: 3 recognised, 0 noise, 0 continuation, 1 malformed, 2 unknown, 1 foreign\n"
            "Not understood: 3 lines of 2 shapes.\n"
            "\n"
            "   count  class      severity  line  near  shape\n"
            "       2  unknown    verbose      3  -     Frobnicating <name> now\n"
            "… and 1 more shape: --top 0 shows all\n");
}

TEST(Lint, HostileLinesAreHarmless) {
  const LintResult result = lint(
      running("--onnx=m.onnx") +
      library_lines({"Odd \x1b]0;x\x07 `code` |cell| <script> \xE2\x80\xAE @you #1 \xFF end"}));
  ASSERT_EQ(result.shapes.size(), 1U);
  LintView view;
  view.samples = true;
  const std::string text = lint_text(result, view, "0.0.0");
  EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
  const std::string markdown = lint_markdown(result, view, "0.0.0");
  EXPECT_THAT(markdown, HasSubstr("\\|cell\\|"));
  EXPECT_THAT(markdown, HasSubstr("`` "));
  EXPECT_EQ(markdown.find_first_of("\x1b\x07"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(lint_json(result, view, "0.0.0")));
}

TEST(Lint, JsonSaysWhyAnInputWasNotRead) {
  LintResult result;
  result.inputs.resize(2);
  result.inputs[1].why = "no such file";
  const auto inputs = nlohmann::json::parse(lint_json(result, {}, "0.0.0")).at("inputs");
  EXPECT_FALSE(inputs[0].contains("why"));
  EXPECT_EQ(inputs[1].at("why"), "no such file");
}

// A bar that is redrawn in front of a line: the line's own header and body count.
TEST(Lint, RedrawnLines) {
  const LintResult result =
      lint(running("--onnx=m.onnx") + "50 %\r[07/07/2026-02:11:00] [W] [TRT] x\r\n" +
           "50 %\r[07/07/2026-02:11:00] [V] [TRT] Frobnicating 3\r\n");
  ASSERT_EQ(result.shapes.size(), 1U);
  EXPECT_EQ(result.shapes[0].shape, "Frobnicating <n>");
  EXPECT_EQ(result.shapes[0].severity, LogSeverity::verbose);
}

TEST(Lint, SaysWhenNothingIsUnknown) {
  const LintResult known = lint(running("--onnx=m.onnx") + library_lines({"Original: 2 layers"}));
  EXPECT_THAT(lint_text(known, LintView(), "0"), HasSubstr("Every line of TensorRT's"));
  const LintResult foreign = lint("make: hello\n");
  EXPECT_THAT(lint_text(foreign, LintView(), "0"), HasSubstr("No line of TensorRT's"));
  const LintResult empty = lint("");
  EXPECT_THAT(lint_text(empty, LintView(), "0"), HasSubstr("No line of TensorRT's"));
}

// Who sees in a report that lines were not understood learns how to see them.
TEST(Lint, IsNamedWhereItHelps) {
  Reading reading;
  reading.coverage.add(LineClass::recognised, 10);
  const auto text = [&] {
    Analysis analysis;
    analysis.reading = std::make_shared<const Reading>(reading);
    return render(writer_markdown, build_document(analysis, 10), WriterOptions());
  };
  EXPECT_THAT(text(), Not(HasSubstr("lint-log")));
  reading.coverage.add(LineClass::malformed, 1);
  EXPECT_THAT(text(), HasSubstr("lint-log"));
}

TEST(Lint, WhatIsNoLogIsSaid) {
  const TempFolder folder;
  const std::string json = folder.write("lint.json", "[{\"count\": 3}]\n");
  const LintResult result = lint_logs({json, "/nonexistent/x.log"}, ParseOptions());
  ASSERT_EQ(result.inputs.size(), 2U);
  EXPECT_EQ(result.inputs[0].why, "JSON, no log");
  EXPECT_FALSE(result.inputs[1].readable);
  EXPECT_TRUE(result.shapes.empty());
}

}  // namespace
}  // namespace trtlens::lint_test
