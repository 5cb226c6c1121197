// The first screen of comparisons on a terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "report/document/comparison/comparison.h"
#include "report/formats/escape.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/build_maker.h"

namespace trtlens::comparison_screen_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using ::testing::StartsWith;

using Side = std::vector<std::string>;  // fixtures that are runs of it

std::vector<Analysis> runs_of(const Side& side) {
  std::vector<Analysis> runs;
  for (const std::string& name : side) {
    Analysis run = test::analyze_path(test::fixture(name));
    run.name = name;
    runs.push_back(std::move(run));
  }
  return runs;
}

Comparison compared(const Side& base, const Side& candidate, bool force = false) {
  CompareOptions options;
  options.force = force;
  options.same_files = base == candidate;
  return compare(runs_of(base), runs_of(candidate), options);
}

std::string shown(const Document& document, int width = 100,
                  std::vector<std::string> sections = {}) {
  WriterOptions options;
  options.width = width;
  options.sections = std::move(sections);
  return render(writer_text, document, options);
}

std::string shown(const Comparison& c, int width = 100) {
  return shown(build_document(c, 20), width);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& line : lines_of(text)) {
    // A command is one line, or it could not be copied.
    if (line.find("trtexec --") == std::string::npos) most = std::max(most, display_width(line));
  }
  return most;
}

const std::vector<std::pair<Side, Side>>& pairs() {
  static const std::vector<std::pair<Side, Side>> all = {
      {{"a_r18_fp16"}, {"b_r18_q_conv"}},
      {{"b_r18_q_conv"}, {"b_r18_q_res"}},
      {{"b_r18_q_res"}, {"g_r18_q_res"}},
      {{"a_r18_fp16"}, {"a_r18_fp16_graph"}},
      {{"a_r18_fp16"}, {"b_r18_notf32"}},
      {{"a_r18_fp16"}, {"p_r18_partial_i8"}},
      {{"a_r18_fp16"}, {"b_lstm"}},
      {{"b_shuf_best"}, {"b_r18_q_now"}},
      {{"a_r18_fp16"}, {"a_r18_fp16"}},
      {{"a_r18_fp16"}, {"b_nofile"}},
      {{"b_g6_q"}, {"b_vit_fp16"}},
      {{"case0_shuffle_assert"}, {"case4_plugin_format"}},
      {{"a_r18_fp16", "b_r18_q_conv"}, {"p_r18_partial_i8"}},
      {{"aa_r18_fp16/0", "aa_r18_fp16/1", "aa_r18_fp16/2"}, {"p_r18_force2_run"}},
      {{"aa_mob_q/0", "aa_mob_q/1", "aa_mob_q/2", "aa_mob_q/3"},
       {"aa_mob_q/4", "aa_mob_q/5", "aa_mob_q/6", "aa_mob_q/7"}}};
  return all;
}

TEST(ComparisonScreen, FitsIntoFortyLinesOfItsWidth) {
  for (const auto& [base, candidate] : pairs()) {
    for (const bool force : {false, true}) {
      const Document document = build_document(compared(base, candidate, force), 20);
      const bool failed = !document.comparisons[0].failures.empty();
      for (const int width : {60, 80, 100, 200}) {
        const std::string text = shown(document, width);
        const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
        EXPECT_LE(lines, failed ? 30U : 40U) << base[0] << " " << candidate[0] << "\n" << text;
        EXPECT_LE(widest(text), static_cast<std::size_t>(width)) << text;
      }
      const std::string markdown = render(writer_markdown, document, WriterOptions());
      const std::size_t folds = markdown.find("\n\n<details>");
      EXPECT_LE(std::ranges::count(markdown.substr(0, folds), '\n'), 25) << markdown;
    }
  }
}

TEST(ComparisonScreen, TheVerdictIsTheFirstWord) {
  const auto first = [](const Side& base, const Side& candidate, bool force = false) {
    return shown(compared(base, candidate, force));
  };
  EXPECT_THAT(first({"a_r18_fp16"}, {"b_r18_q_conv"}),
              StartsWith("Regressed  a_r18_fp16 → b_r18_q_conv\n"));
  EXPECT_THAT(first({"b_r18_q_conv"}, {"a_r18_fp16"}), StartsWith("Improved  "));
  EXPECT_THAT(first({"a_r18_fp16"}, {"a_r18_fp16"}), StartsWith("Cannot tell  "));
  EXPECT_THAT(first({"a_r18_fp16"}, {"b_lstm"}), StartsWith("Not comparable  "));
  EXPECT_THAT(first({"a_r18_fp16"}, {"b_lstm"}), HasSubstr("\nNext       --force compares"));
  const std::string forced = first({"a_r18_fp16"}, {"b_lstm"}, true);
  EXPECT_THAT(forced, StartsWith("Regressed  "));
  EXPECT_THAT(forced, HasSubstr("\nNote       Compared by force: "));
}

// What is wrong, what to do, and what explains the shift: before the layers.
TEST(ComparisonScreen, SaysWhyAndWhatToDo) {
  const std::string worse = shown(compared({"a_r18_fp16"}, {"b_r18_q_conv"}));
  EXPECT_THAT(worse, HasSubstr("\n   +0.258  4 reformats and 10 Q/DQ kernels instead of 2 "));
  EXPECT_THAT(worse,
              HasSubstr("\nmajor      8 residual Adds lack Q/DQ [residual-add-not-quantised]\n"
                        "    do     Put Q/DQ on"));
  EXPECT_LT(worse.find("8 residual Adds"), worse.find("Changed layers (ms)"));
  const std::string better = shown(compared({"b_r18_q_conv"}, {"a_r18_fp16"}));
  EXPECT_THAT(better, HasSubstr("\nno longer  8 residual Adds lack Q/DQ "
                                "[residual-add-not-quantised]\n"));
}

TEST(ComparisonScreen, FindingThatIsThereOnBothSidesHasItsPrice) {
  Comparison c = compared({"a_r18_fp16"}, {"b_r18_q_conv"});
  c.shift_findings = {{"more", "x", "Reshapes take long", 0.1}, {"less", "y", "Copies", -0.2}};
  const std::string text = shown(c);
  EXPECT_THAT(text, HasSubstr("\ncostlier   Reshapes take long (+0.100 ms) [x]\n"));
  const Document document = build_document(c, 20);
  EXPECT_EQ(document.comparisons[0].findings.back().word, "cheaper");
}

TEST(ComparisonScreen, StripsHaveOneScale) {
  const std::vector<std::string> lines =
      lines_of(shown(compared({"b_r18_q_conv"}, {"b_r18_q_res"})));
  std::size_t base = 0, candidate = 0;
  for (const std::string& line : lines) {
    if (line.starts_with("base       q")) base = line.size() - 11;
    if (line.starts_with("candidate  q")) candidate = line.size() - 11;
  }
  EXPECT_EQ(base, 89U);
  EXPECT_EQ(candidate, 42U);  // 0.403 of 0.854 ms
}

TEST(ComparisonScreen, FailureBeginsWithItsCause) {
  const std::string text = shown(compared({"a_r18_fp16"}, {"b_nofile"}));
  EXPECT_THAT(text, HasSubstr("Not comparable  a_r18_fp16 → b_nofile\n\n"
                              "Build failed: the candidate, b_nofile\n"
                              "The model file cannot be opened: models/does_not_exist.onnx\n"));
  EXPECT_THAT(text, HasSubstr("\n  Do    1. Give the absolute path.\n"));
  EXPECT_THAT(text, HasSubstr("\n  | Could not open file models/does_not_exist.onnx\n"));
  EXPECT_THAT(text, Not(HasSubstr("GPU compute")));
  const std::string both = shown(compared({"b_nofile"}, {"b_g6_q"}));
  EXPECT_THAT(both, HasSubstr("\nBuild failed: the base, b_nofile\n"));
  EXPECT_THAT(both, HasSubstr("\nBuild failed: the candidate, b_g6_q\n"));
}

TEST(ComparisonScreen, NotesComeBeforeWhatTheyAreAbout) {
  Comparison c = compared({"a_r18_fp16"}, {"b_r18_q_conv"});
  c.differences.push_back(
      {"timing", "throughput, share of what is possible", "99 %", "43 %", true});
  c.engine.notes = {"first", "second", "third", "fourth"};
  const std::string text = shown(c);
  EXPECT_THAT(text,
              HasSubstr("\nNote       The candidate ran at 43 % of its possible throughput: "));
  EXPECT_THAT(text, HasSubstr(": --section engine\n"));
  EXPECT_THAT(text, Not(HasSubstr("slowest stage")));
}

TEST(ComparisonScreen, NextIsTheRunsAndTheCommands) {
  Comparison c = compared({"a_r18_fp16"}, {"b_lstm"}, true);
  c.engine.settle.emplace();
  c.engine.settle->runs = 7;
  c.engine.settle->commands = {"trtexec --a", "trtexec --b"};
  const Document document = build_document(c, 20);
  EXPECT_EQ(document.comparisons[0].next,
            "To settle it, run each side 7 times, alternating, in separate processes:");
  EXPECT_THAT(
      document.comparisons[0].commands,
      ::testing::ElementsAre(std::pair<std::string, std::string>("base", "trtexec --a"),
                             std::pair<std::string, std::string>("candidate", "trtexec --b")));
  c.engine.settle->runs.reset();
  c.engine.settle->obstacle = "the runs scatter too much";
  EXPECT_EQ(build_document(c, 20).comparisons[0].next, "The runs scatter too much.");
}

class SeveralComparisons : public ::testing::Test {
 protected:
  SeveralComparisons() {
    comparisons_.push_back(compared({"a_r18_fp16"}, {"b_r18_q_conv"}));
    comparisons_.push_back(compared({"b_r18_q_conv"}, {"b_r18_q_res"}));
    gates_.reserve(comparisons_.size());  // they point into themselves
    for (const Comparison& c : comparisons_) gates_.push_back(hold(c, GateOptions(), Baseline()));
    document_ = build_document(comparisons_, gates_, 20);
  }
  std::vector<Comparison> comparisons_;
  std::vector<GateResult> gates_;
  Document document_;
};

TEST_F(SeveralComparisons, AreATableWithALineForEach) {
  const std::vector<std::string> lines = lines_of(shown(document_));
  ASSERT_GT(lines.size(), 4U);
  EXPECT_THAT(lines[0], HasSubstr("base → candidate"));
  EXPECT_THAT(lines[1], StartsWith("Regressed  a_r18_fp16 → b_r18_q_conv   0.560 ms   0.798 ms  "));
  EXPECT_THAT(lines[2], StartsWith("Improved   b_r18_q_conv → b_r18_q_res  0.854 ms   0.403 ms  "));
  for (const int width : {60, 80, 100, 200}) {
    const std::string text = shown(document_, width);
    EXPECT_THAT(lines_of(text).size(), Le(40U)) << text;
    EXPECT_LE(widest(text), static_cast<std::size_t>(width)) << text;
  }
}

TEST_F(SeveralComparisons, SectionsAreOfAll) {
  const std::string groups = shown(document_, 100, {"groups"});
  EXPECT_THAT(groups, HasSubstr("\n1: Layers of both sides"));
  EXPECT_THAT(groups, HasSubstr("\n2: Layers of both sides"));
  EXPECT_THAT(groups, Not(HasSubstr("nothing in these inputs")));
  EXPECT_THAT(groups, Not(HasSubstr("What differs")));
  const std::string screens = shown(document_, 100, {"summary"});
  EXPECT_THAT(screens, HasSubstr("Regressed  a_r18_fp16 → b_r18_q_conv\n\n  GPU compute, median"));
  EXPECT_THAT(screens, HasSubstr("Improved  b_r18_q_conv → b_r18_q_res\n\n  Profile sum  "));
  EXPECT_THAT(screens, Not(HasSubstr("\nMore  ")));
  EXPECT_THAT(shown(document_, 100, {"unmatched"}),
              HasSubstr("unmatched: nothing in these inputs\n"));
}

TEST_F(SeveralComparisons, SectionIdsAreThoseOfTheReport) {
  for (const Section& section : document_.sections) {
    EXPECT_THAT(comparison_section_ids(), Contains(section.id.substr(0, section.id.rfind('-'))));
  }
  for (const Section& section :
       build_document(compared({"a_r18_fp16"}, {"b_lstm"}, true), 20).sections) {
    EXPECT_THAT(comparison_section_ids(), Contains(section.id));
  }
}

// Names of layers and of sides give no orders, whatever the width.
TEST(ComparisonScreen, NamesAreShownAsTheyAre) {
  Comparison c = compared({"a_r18_fp16"}, {"b_r18_q_conv"});
  c.base.name = "x\x1b[31m\n::error::y";
  c.differences[0].base = "\x1b]0;title\x07";
  const std::string text = shown(c);
  EXPECT_THAT(lines_of(text), Each(Not(StartsWith("::"))));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("x\\x1b[31m"));
}

TEST(ComparisonScreen, IsAsciiWhereTheTerminalIsNot) {
  const Document document = build_document(compared({"a_r18_fp16"}, {"b_r18_q_conv"}), 20);
  WriterOptions options;
  options.ascii = true;
  const std::string text = render(writer_text, document, options);
  EXPECT_THAT(text, StartsWith("Regressed  a_r18_fp16 ->b_r18_q_conv\n"));
  EXPECT_TRUE(
      std::ranges::all_of(text, [](char one) { return static_cast<unsigned char>(one) < 0x80; }));
}

// "engine size 100 MiB → 103 MiB +3 %" of two engines alike but for their sizes; "" where nothing
// is said.
std::string memory_line(std::int64_t base_bytes, std::int64_t candidate_bytes, bool in_mib) {
  Comparison c = compared({"a_r18_fp16"}, {"a_r18_fp16"});
  c.base.build.memory.engine_bytes = base_bytes;
  c.candidate.build.memory.engine_bytes = candidate_bytes;
  c.base.build.memory.engine_in_mib = c.candidate.build.memory.engine_in_mib = in_mib;
  const Document document = build_document(c, 20);
  std::string line;
  for (const ScreenFigure& figure : document.comparisons.at(0).memory) {
    line += figure.name + " " + figure.base + " → " + figure.candidate + " " + figure.change;
  }
  return line;
}

TEST(ComparisonScreen, MemoryThatDiffersIsNamed) {
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  EXPECT_EQ(memory_line(100 * kMiB, 103 * kMiB, true), "engine size 100 MiB → 103 MiB +3 %");
  EXPECT_EQ(memory_line(100 * kMiB, 98 * kMiB - 1, false), "engine size 100 MiB → 98.0 MiB -2 %");
  EXPECT_EQ(memory_line(100 * kMiB, 98 * kMiB + 1, false), "");
  EXPECT_EQ(memory_line(10 * kMiB, 11 * kMiB, false), "engine size 10.0 MiB → 11.0 MiB +10 %");
  EXPECT_EQ(memory_line(10 * kMiB, 11 * kMiB - 1, false), "");
  EXPECT_EQ(memory_line(10 * kMiB, 11 * kMiB, true), "");
  EXPECT_EQ(memory_line(10 * kMiB, 12 * kMiB, true), "engine size 10.0 MiB → 12.0 MiB +20 %");
  EXPECT_EQ(memory_line(0, 12 * kMiB, true), "");
}

}  // namespace
}  // namespace trtlens::comparison_screen_test
