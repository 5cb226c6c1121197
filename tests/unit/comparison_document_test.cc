// The Document of a comparison: what each field of a hand-made Comparison becomes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/comparison/comparison.h"
#include "report/document/comparison/words.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/document_parts_of.h"

namespace trtlens::comparison_document_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// 100 to 103 ms, one run a side.
Comparison compared() {
  Comparison c;
  c.base.name = "one";
  c.candidate.name = "two";
  c.engine.base_ms = 100;
  c.engine.candidate_ms = 103;
  c.engine.ratio = 1.03;
  c.engine.runs = {1, 1};
  c.engine.queries = {500, 600};
  return c;
}

Settle runs_of_commands(std::string base, std::string candidate) {
  Settle settle;
  settle.runs = 9;
  settle.commands = {std::move(base), std::move(candidate)};
  return settle;
}

std::string verdict(const Comparison& c) {
  return heading_of(c).verdict;
}

TEST(ComparisonVerdict, SaysTheShiftAndWhatItIsHeldAgainst) {
  Comparison c = compared();
  EXPECT_EQ(
      verdict(c),
      "Cannot tell: 100.000 ms to 103.000 ms per query (+3.0 %), within the noise floor of 5.0 "
      "%");
  c.engine.noise_floor = 0.02;
  c.engine.verdict = Verdict::regressed;
  EXPECT_EQ(
      verdict(c),
      "Regressed: 100.000 ms to 103.000 ms per query (+3.0 %), beyond the noise floor of 2.0 %");
  c.engine.ci95 = {{1.02, 1.04}};
  c.engine.runs = {5, 6};
  EXPECT_EQ(verdict(c),
            "Regressed: 100.000 ms to 103.000 ms per query (+3.0 %, 95 % interval +2.0 % to +4.0 "
            "%); 5 and 6 "
            "runs");
  c.engine.left_out[1] = {{"x", "slower"}};
  EXPECT_EQ(verdict(c),
            "Regressed: 100.000 ms to 103.000 ms per query (+3.0 %, 95 % interval +2.0 % to +4.0 "
            "%); 5 and 6 "
            "runs, 1 run of the candidate left out");
  c.engine.verdict = Verdict::no_change;
  EXPECT_EQ(verdict(c),
            "No change: 100.000 ms to 103.000 ms per query (+3.0 %, 95 % interval +2.0 % to "
            "+4.0 %), less than 2.0 %; 5 and 6 runs, 1 run of the candidate left out");
  c.engine.reason = "the clocks moved";
  EXPECT_EQ(verdict(c), "Cannot tell: the clocks moved");
}

// A faster side is held against the floor from below: 1 / 1.05.
TEST(ComparisonVerdict, HasAsManyDigitsAsTellTheShiftFromTheFloor) {
  Comparison c = compared();
  const auto shift = [&c](double ratio, double floor) {
    c.engine.ratio = ratio;
    c.engine.noise_floor = floor;
    const std::string text = verdict(c);
    return text.substr(text.find(" (") + 2);
  };
  const auto texts = [&](double ratio, double floor) {
    shift(ratio, floor);
    const ShiftTexts said = shift_texts(c.engine);
    return said.shift + " against " + said.floor;
  };
  EXPECT_EQ(shift(1.049, 0.05), "+4.9 %), within the noise floor of 5.0 %");
  EXPECT_EQ(shift(1.0496, 0.05), "+4.96 %), within the noise floor of 5.00 %");
  EXPECT_EQ(shift(1.04996, 0.05), "+4.996 %), within the noise floor of 5.000 %");
  EXPECT_EQ(shift(1, 0.05), "+0.0 %), within the noise floor of 5.0 %");
  EXPECT_EQ(shift(0.9524, 0.05), "-4.8 %), within the noise floor of 5.0 %");
  EXPECT_EQ(texts(0.9523, 0.05), "-4.8 % against 5.0 % of the faster side");
  EXPECT_EQ(texts(0.9501, 0.05), "-4.99 % against 5.00 % of the faster side");
  EXPECT_EQ(texts(0.9499, 0.05), "-5.01 % against 5.00 %");
}

TEST(ComparisonVerdict, SaysWhatIsMissing) {
  Comparison c = compared();
  c.engine.ratio.reset();
  EXPECT_EQ(verdict(c), "Cannot tell: a side has no GPU compute time");
  c = compared();
  c.same_files = true;
  c.comparable = false;
  c.not_comparable = {"two models"};
  EXPECT_EQ(
      verdict(c),
      "Cannot tell: 100.000 ms to 103.000 ms per query (+3.0 %), within the noise floor of 5.0 %; "
      "both sides are the same files; compared by force: two models");
  c.refused = true;
  EXPECT_EQ(verdict(c), "Not comparable: two models");
}

TEST(ComparisonVerdict, SaysHowManyRunsWouldSettleIt) {
  Comparison c = compared();
  c.engine.ci95 = {{0.98, 1.08}};
  c.engine.runs = {2, 2};
  c.engine.settle = runs_of_commands("", "");
  const std::string said =
      "Cannot tell: 100.000 ms to 103.000 ms per query (+3.0 %, 95 % interval -2.0 % to +8.0 %); 2 "
      "and 2 "
      "runs; ";
  EXPECT_EQ(verdict(c), said + "9 runs a side would settle it");
  c.engine.settle->runs.reset();
  c.engine.settle->obstacle = "the runs scatter too much";
  EXPECT_EQ(verdict(c), said + "the runs scatter too much");
}

// What stands below "How fast": the commands to run next.
std::vector<std::string> next_commands(const Settle& settle) {
  Comparison c = compared();
  c.engine.settle = settle;
  const Document d = build_document(c, 10);
  const auto paragraphs = blocks_of<Paragraph>(d, "engine");
  EXPECT_EQ(paragraphs.size(), 1U);
  const std::string text = paragraphs.empty() ? "" : paragraphs[0]->text;
  const auto quotes = blocks_of<Quote>(d, "engine");
  EXPECT_EQ(text,
            std::string("To settle it: 9 runs a side, each a process of its own and with its own "
                        "directory, alternating between the sides") +
                (quotes.empty() ? "." : ":"));
  return quotes.empty() ? std::vector<std::string>{} : quotes[0]->lines;
}

TEST(ComparisonDocument, NamesTheCommandsThatSettleIt) {
  EXPECT_THAT(next_commands(runs_of_commands("", "")), IsEmpty());
  EXPECT_THAT(next_commands(runs_of_commands("run x", "run x")),
              ElementsAre("run x  # both sides"));
  EXPECT_THAT(next_commands(runs_of_commands("run x", "run y")),
              ElementsAre("run x  # base", "run y  # candidate"));
  EXPECT_THAT(next_commands(runs_of_commands("run x", "")), ElementsAre("run x  # base"));
  EXPECT_THAT(next_commands(runs_of_commands("", "run y")), ElementsAre("run y  # candidate"));
  Comparison hopeless = compared();
  hopeless.engine.settle = Settle{};
  const Document d = build_document(hopeless, 10);
  EXPECT_THAT(blocks_of<Paragraph>(d, "engine"), IsEmpty());
}

TEST(ComparisonDocument, FourDifferencesThatMatterAreNamed) {
  Comparison c = compared();
  for (const char* name : {"a", "b", "c", "d"}) c.differences.push_back({"option", name, "1", "2"});
  c.differences.push_back({"option", "e", "1", "2", false});
  const auto tile = [&c] { return build_document(c, 10).tiles.at(0); };
  const std::string unknown = "Neither side's inputs show how its engine was built.";
  EXPECT_EQ(tile().value, "4 differences");
  EXPECT_THAT(tile().lines, ElementsAre("a: 1 → 2", "b: 1 → 2", "c: 1 → 2", "d: 1 → 2", unknown));
  c.differences.push_back({"option", "f", {}, "2"});
  EXPECT_EQ(tile().value, "5 differences");
  EXPECT_EQ(tile().lines.at(4), "and 1 more");
  c.base.build.options.flags = {{"onnx", "m"}};
  EXPECT_EQ(tile().lines.back(),
            "The inputs of the candidate do not show how its engine was built.");
  c.candidate.build.options.flags = {{"onnx", "m"}};
  EXPECT_EQ(tile().lines.back(), "and 1 more");
  c.differences.clear();
  EXPECT_EQ(tile().value, "nothing that matters");
  c.base.build.options.flags.clear();
  EXPECT_EQ(tile().lines.back(), "The inputs of the base do not show how its engine was built.");
  EXPECT_EQ(tile().value, "nothing known");
}

// `n` layers on both sides; each but the first, which has no verdict, is slower in the candidate.
Comparison with_layers(std::size_t n) {
  Comparison c = compared();
  for (Analysis* side : {&c.base, &c.candidate}) {
    side->build.has_profile = true;
    side->build.profile_sum_ms = side == &c.base ? 90 : 95;
    for (std::size_t i = 0; i < n; ++i) {
      Layer layer;
      layer.name = "/block" + std::to_string(i) + "/conv/Conv";
      layer.onnx_nodes = {SharedText(layer.name)};
      side->build.layers.push_back(layer);
      side->verdicts.emplace_back();
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    LayerGroup group;
    group.base = group.candidate = {i};
    group.base_ms = 1;
    group.candidate_ms = 2;
    group.delta_ms = 1;
    group.verdict = i == 0 ? Verdict::cannot_tell : Verdict::regressed;
    group.why = {{LayerReason::About::precision, "precision changed", ": INT8 to FP32"},
                 {LayerReason::About::other, "1 reformat added", ""}};
    group.precision = {"INT8", "FP32"};
    c.groups.push_back(group);
  }
  c.launches = {10, 12};
  c.aligned_share_base = c.aligned_share_candidate = 1;
  c.differences = {{"option", "--int8", "given", std::nullopt, true}};
  c.cause = "+5 ms: reformats.";
  c.parts = {{"4 reformats instead of 2", 5}, {"1 kernel gone", 0.1}};
  c.writers = {"quantized layers that write FP32: 3 instead of 0"};
  return c;
}

std::string screen_text(const Document& document) {
  const std::string text = render(writer_markdown, document, WriterOptions());
  return text.substr(0, text.find("\n<details>"));
}

TEST(ComparisonMarkdown, TopLimitsTheLayersOfTheFirstScreen) {
  const Comparison c = with_layers(9);
  const std::size_t all = build_document(c, 0).comparisons[0].shifts.size();
  ASSERT_GT(all, 2U);
  EXPECT_EQ(build_document(c, 20).comparisons[0].shifts.size(), all);
  const Document two = build_document(c, 2);
  EXPECT_EQ(two.comparisons[0].shifts.size(), 2U);
  EXPECT_EQ(two.comparisons[0].more_shifts, 6U);
  EXPECT_THAT(screen_text(two), testing::HasSubstr("| and 6 more, below |"));
}

TEST(ComparisonMarkdown, VerdictFiguresReasonsAndLayers) {
  Comparison c = with_layers(9);
  c.same_files = true;
  EXPECT_EQ(screen_text(build_document(c, 10)),
            "# Cannot tell: 100.000 ms to 103.000 ms per query (+3.0 %), within the noise floor of "
            "5.0 %; both sides are the same files\n\n"
            "`one → two`\n\n"
            "| | Base | Candidate | Change |\n| --- | ---: | ---: | ---: |\n"
            "| GPU compute | 100.000 ms | 103.000 ms | +3.0 % |\n"
            "| Profile sum | 90.000 ms | 95.000 ms | +5.6 % |\n"
            "| Kernels | 10 | 12 | +2 |\n\n"
            "- **Note**: Both sides are the same files: nothing is compared.\n"
            "- **Reasons in the profile**: 4 reformats instead of 2 (+5.000&nbsp;ms), quantized "
            "layers that write "
            "FP32: 3 instead of 0\n"
            "- **What differs**: --int8: given → not given\n\n"
            "| Changed layer | Shift (ms) | Base (ms) | Candidate (ms) | Precision | Why |\n"
            "| --- | ---: | ---: | ---: | --- | --- |\n"
            "| `block1.conv` | +1.000 | 1.000 | 2.000 | INT8 → FP32 | 1 reformat added |\n"
            "| `block2.conv` | +1.000 | 1.000 | 2.000 | INT8 → FP32 | 1 reformat added |\n"
            "| `block3.conv` | +1.000 | 1.000 | 2.000 | INT8 → FP32 | 1 reformat added |\n"
            "| `block4.conv` | +1.000 | 1.000 | 2.000 | INT8 → FP32 | 1 reformat added |\n"
            "| `block5.conv` | +1.000 | 1.000 | 2.000 | INT8 → FP32 | 1 reformat added |\n"
            "| `block6.conv` | +1.000 | 1.000 | 2.000 | INT8 → FP32 | 1 reformat added |\n"
            "| and 2 more, below | | | | | |\n");
}

// Where nothing changed for sure, a few of what moved most.
TEST(ComparisonMarkdown, NoiseIsNotCalledAChange) {
  Comparison c = with_layers(9);
  for (LayerGroup& group : c.groups) group.verdict = Verdict::no_change;
  const std::string text = screen_text(build_document(c, 10));
  EXPECT_THAT(text, testing::HasSubstr("| Largest shift | Shift (ms)"));
  EXPECT_THAT(text, testing::HasSubstr("| `block2.conv` |"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("| `block3.conv` |")));
  EXPECT_THAT(text, testing::HasSubstr("| and 6 more, below |"));
}

TEST(ComparisonMarkdown, OneSideAloneIsSaid) {
  Comparison c = with_layers(1);
  c.groups[0].base.clear();
  EXPECT_THAT(screen_text(build_document(c, 10)),
              testing::HasSubstr("| `block0.conv` | +1.000 | – | 2.000 | FP32 | only in the "
                                 "candidate, 1 reformat added |\n"));
}

TEST(ComparisonMarkdown, NoFiguresOfWhatCannotBeCompared) {
  Comparison c = with_layers(3);
  c.comparable = false;
  c.refused = true;
  c.not_comparable = {"another GPU", "another batch: 1 against 2"};
  EXPECT_EQ(screen_text(build_document(c, 10)),
            "# Not comparable: another GPU\n\n`one → two`\n\n"
            "- Another batch: 1 against 2.\n"
            "- **What differs**: --int8: given → not given\n"
            "- **Next**: --force compares them anyway.\n");
}

// The failure is told whole; what is wrong with the other side stays.
TEST(ComparisonMarkdown, AFailureIsSaidOnceBesideAnotherReason) {
  Comparison c = with_layers(3);
  c.comparable = false;
  c.refused = true;
  c.can_force = false;
  c.failed_sides = 1;
  c.candidate.build.outcome = Outcome::failed;
  c.not_comparable = {"the candidate's build failed", "the base has no time at all"};
  EXPECT_EQ(screen_text(build_document(c, 10)),
            "# Not comparable: the candidate's build failed\n\n`one → two`\n\n"
            "Failed: the candidate, two\n\n"
            "**The run failed, and no rule explains it.**\n\n"
            "- The base has no time at all.\n"
            "- **What differs**: --int8: given → not given\n");
}

TEST(ComparisonMarkdown, SeveralShareTheFirstScreen) {
  const std::vector<Comparison> two{with_layers(9), with_layers(9)};
  std::vector<GateResult> gates;
  gates.reserve(two.size());
  for (const Comparison& c : two) gates.push_back(hold(c, GateOptions(), Baseline()));
  const std::string text = screen_text(build_document(two, gates, 10));
  EXPECT_EQ(text.rfind("# one → two; one → two\n\n**`one → two`**: Cannot tell", 0), 0U);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25);
  EXPECT_NE(text.find("| `block1.conv`"), text.rfind("| `block1.conv`"));
}

// Of a table of HTML, its cells between bars.
std::string cells_of(const std::string& page, const std::string& table) {
  const std::size_t begin = page.find("<table class=\"" + table + "\">");
  std::string text;
  bool is_tag = false;
  for (const char c : page.substr(begin, page.find("</table>", begin) - begin)) {
    if (c == '<' && !text.ends_with('|')) text += '|';
    if (c == '<' || c == '>') {
      is_tag = c == '<';
    } else if (!is_tag) {
      text += c;
    }
  }
  return text;
}

TEST(ComparisonLines, OneForEachWithItsFirstReason) {
  std::vector<Comparison> all{with_layers(2), with_layers(2), with_layers(2)};
  all[0].parts = {{"2 reformats more", 4}, {"rest", 1}};
  all[1].engine.reason = "the clocks moved";
  all[2].refused = true;
  all[2].comparable = false;
  all[2].not_comparable = {"another GPU"};
  std::vector<GateResult> gates;
  gates.reserve(all.size());
  for (const Comparison& c : all) gates.push_back(hold(c, GateOptions(), Baseline()));
  const Document document = build_document(all, gates, 10);
  EXPECT_EQ(cells_of(render(writer_html, document, WriterOptions()), "lines"),
            "|Base|Candidate|Time|Change|Verdict|First reason"
            "|1: one|two|100.000 ms → 103.000 ms|+3.0 %|Cannot tell|2 reformats more, +4.000 ms"
            "|2: one|two|100.000 ms → 103.000 ms|+3.0 %|Cannot tell|The clocks moved."
            "|3: one|two|Not comparable|Another GPU.|");
  // Each is whole by itself; formats without folds have the sections of all.
  ASSERT_EQ(document.each.size(), 3U);
  EXPECT_TRUE(document.each[0].comparison && document.each[1].comparison);
  EXPECT_EQ(all_sections(document).front().title, "1: What differs between the two runs");
  EXPECT_EQ(all_sections(document).back().title.substr(0, 3), "3: ");
}

// Nothing of one has the name of something of another one.
TEST(ComparisonPage, OfSeveralHasEveryNameOnce) {
  const std::vector<Comparison> two{with_layers(3), with_layers(3)};
  std::vector<GateResult> gates;
  gates.reserve(two.size());
  for (const Comparison& c : two) gates.push_back(hold(c, GateOptions(), Baseline()));
  const std::string page = render(writer_html, build_document(two, gates, 10), WriterOptions());
  for (const std::string mark : {" id=\"", " data-packed=\""}) {
    std::vector<std::string> names;
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
      const std::size_t from = at + mark.size();
      names.push_back(page.substr(from, page.find('"', from) - from));
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << mark;
    EXPECT_GT(names.size(), 5U) << mark;
  }
  EXPECT_THAT(page, testing::HasSubstr("<details class=\"comparison\" id=\"comparison-1\" "
                                       "data-suffix=\"-1\" open>"));
  EXPECT_THAT(page, testing::HasSubstr("<script type=\"text/plain\" data-packed=\"groups-2\">"));
}

// What the page draws as the way from 100 ms to the candidate.
std::vector<std::string> steps(const std::vector<ShiftPart>& parts, double candidate_ms) {
  Comparison c = compared();
  c.base.build.has_profile = c.candidate.build.has_profile = true;
  c.base.build.profile_sum_ms = 100;
  c.candidate.build.profile_sum_ms = candidate_ms;
  c.parts = parts;
  std::vector<std::string> labels;
  double at_ms = 0;
  const Document document = build_document(c, 10);
  for (const ShiftStep& step : document.comparison->steps) {
    labels.push_back(step.label + " " + step.text);
    const bool is_side = step.label == "base" || step.label == "candidate";
    EXPECT_NEAR(step.from_ms, is_side ? 0 : at_ms, 1e-9) << step.label;
    at_ms = step.to_ms;
  }
  EXPECT_NEAR(at_ms, candidate_ms, 1e-9);
  return labels;
}

TEST(ComparisonSteps, LeadFromTheBaseToTheCandidate) {
  EXPECT_THAT(
      steps({{"gone", -20}, {"new", 5}}, 85),
      ElementsAre("base 100.000 ms", "gone -20.000 ms", "new +5.000 ms", "candidate 85.000 ms"));
  EXPECT_THAT(steps({{"gone", -20}}, 85),
              ElementsAre("base 100.000 ms", "gone -20.000 ms", "everything else +5.000 ms",
                          "candidate 85.000 ms"));
}

// A step has the layers of its part, "everything else" those of all parts that are no step.
TEST(ComparisonSteps, HaveTheLayersThatTheyAreMadeOf) {
  Comparison c = compared();
  c.base.build.has_profile = c.candidate.build.has_profile = true;
  c.base.build.profile_sum_ms = 100;
  c.candidate.build.profile_sum_ms = 79.2;
  c.parts = {{"gone", -20, {{{4, 2}, {}}}},
             {"small", -0.4, {{{3}, {5, 1}}}},
             {"smaller", -0.4, {{{1}, {2}}}}};
  const std::vector<ShiftStep> steps = build_document(c, 10).comparison->steps;
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_THAT(steps[0].layers.base, IsEmpty());
  EXPECT_THAT(steps[1].layers.base, ElementsAre(2, 4));
  EXPECT_THAT(steps[1].layers.candidate, IsEmpty());
  EXPECT_EQ(steps[2].label, "everything else");
  EXPECT_THAT(steps[2].layers.base, ElementsAre(1, 3));
  EXPECT_THAT(steps[2].layers.candidate, ElementsAre(1, 2, 5));
  EXPECT_THAT(steps[3].layers.base, IsEmpty());
}

// What the page draws, as charts for --plots: the page itself has its own views.
TEST(ComparisonCharts, AreTheWayAndTheStrips) {
  const auto side = [](std::vector<double> times) {
    Build build;
    for (const double ms : times) {
      Layer& layer = build.layers.emplace_back();
      layer.name = "l";
      layer.time.emplace().mean_ms = ms;
      build.profile_sum_ms += ms;
    }
    build.has_profile = true;
    return analyze(std::move(build), "x", std::make_shared<Reading>(), {});
  };
  Comparison c = compared();
  c.base = side({60, 40});
  c.candidate = side({80});
  c.parts = {{"gone", -20}};
  const Document d = build_document(c, 10);
  const std::vector<const Chart*> charts = charts_of(d);
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[0]->kind, ChartKind::way);
  EXPECT_EQ(charts[0]->alt, "Bars: base 100.000 ms, gone -20.000 ms, candidate 80.000 ms.");
  EXPECT_EQ(charts[0]->bars[1].from, 100);
  EXPECT_EQ(charts[0]->bars[1].value, -20);
  EXPECT_EQ(charts[1]->kind, ChartKind::strips);
  ASSERT_EQ(charts[1]->bars.size(), 3U);
  EXPECT_EQ(charts[1]->bars[1].from, 60);
  EXPECT_EQ(charts[1]->bars[2].label, "Candidate");
  EXPECT_EQ(charts[1]->bars[2].from, 0);
  for (const Chart* chart : charts) EXPECT_TRUE(chart->has_view);
  const std::string page = render(writer_html, d, {});
  EXPECT_EQ(page.find("class=\"chart"), std::string::npos);
}

TEST(ComparisonSteps, AreSixAndOfHalfAPercent) {
  const std::vector<ShiftPart> many(7, {"part", -1});
  EXPECT_THAT(steps(many, 93),
              ElementsAre("base 100.000 ms", "part -1.000 ms", "part -1.000 ms", "part -1.000 ms",
                          "part -1.000 ms", "part -1.000 ms", "part -1.000 ms",
                          "everything else -1.000 ms", "candidate 93.000 ms"));
  EXPECT_EQ(steps({{"gone", -20}, {"small", 0.51}}, 80.51).size(), 4U);
  EXPECT_EQ(steps({{"gone", -20}, {"small", 0.49}}, 80).size(), 3U);
}

}  // namespace
}  // namespace trtlens::comparison_document_test
