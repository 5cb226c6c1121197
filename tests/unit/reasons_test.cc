// What a comparison says about the why, and how it is worded.
#include "analyzers/compare/verdict/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "analyzers/text.h"
#include "report/document/comparison/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::reasons_test {
namespace {

using test::conv;
using test::tensor;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;

Comparison compared(Analysis base, Analysis candidate) {
  std::vector<Analysis> b, c;
  b.push_back(std::move(base));
  c.push_back(std::move(candidate));
  return compare(std::move(b), std::move(c), {});
}

Comparison compared(Build base, Build candidate) {
  return compared(test::analyze_build(std::move(base)), test::analyze_build(std::move(candidate)));
}

Layer layer_of(const std::string& name, DataType writes, double ms) {
  Layer l = conv(name, {tensor(name + " in", kH)}, tensor(name + " out", writes), kH, ms);
  l.onnx_nodes = {name};
  return l;
}

Finding finding_of(const std::string& rule, double stake_ms, const std::string& title) {
  Finding f;
  f.rule = rule;
  f.severity = Severity::minor;
  f.stake_ms = stake_ms;
  f.title = title;
  return f;
}

Comparison shifted(double base_ms, double candidate_ms) {
  Comparison c;
  c.base.build.has_profile = c.candidate.build.has_profile = true;
  c.base.build.profile_sum_ms = base_ms;
  c.candidate.build.profile_sum_ms = candidate_ms;
  return c;
}

// A profile alone names no type: FP16 to INT8 must not become "the same arithmetic".
TEST(Cause, UnknownPrecisionIsSaidAsUnknown) {
  const Comparison c =
      compared(test::analyze_path(test::fixture("a_r18_fp16") + "/profile.json"),
               test::analyze_path(test::fixture("b_r18_q_conv") + "/profile.json"));
  EXPECT_THAT(c.cause, HasSubstr("of unknown precision"));
  EXPECT_THAT(c.cause, Not(HasSubstr("unchanged precision")));
}

TEST(Cause, OtherOutputTypesAreAKindOfTheirOwn) {
  const Build base = test::build_of({layer_of("/a", kH, 1), layer_of("/b", kH, 1)});
  const Comparison c =
      compared(base, test::build_of({layer_of("/a", kF, 1.5), layer_of("/b", kF, 1.5)}));
  EXPECT_THAT(c.cause, HasSubstr("2 layers write FP32 instead of FP16 (+1.000 ms)"));
  EXPECT_THAT(
      compared(base, test::build_of({layer_of("/a", kF, 1.5), layer_of("/b", kH, 1)})).cause,
      HasSubstr("1 layer writes FP32 instead of FP16"));
  const Comparison same =
      compared(base, test::build_of({layer_of("/a", kH, 1.5), layer_of("/b", kH, 1.5)}));
  EXPECT_THAT(same.cause, HasSubstr("2 layers of unchanged precision (+1.000 ms)"));
}

// Another kernel for another type was no race that fell the other way.
TEST(Cause, AnotherTacticNeedsTheSameTypes) {
  const auto build = [](DataType writes, const char* tactic) {
    Layer l = layer_of("/a", writes, writes == kH ? 1.0 : 1.5);
    l.tactic_name = tactic;
    return test::build_of({l});
  };
  const char* one = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_t1r3s3";
  const char* two = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_t2r3s3";
  const Comparison types = compared(build(kH, one), build(kF, two));
  EXPECT_FALSE(tactic_changed(types, types.groups.at(0)));
  const Comparison race = compared(build(kH, one), build(kH, two));
  EXPECT_TRUE(tactic_changed(race, race.groups.at(0)));
}

// Whatever its severity: the finding that only the slower side has, measured by the shift.
TEST(Cause, FindingsCountByTheirShareOfTheShift) {
  Comparison c = shifted(1.0, 0.95);
  c.base.findings = {finding_of("gap-pool-not-quantised", 0.016, "1 average pooling in float: x"),
                     finding_of("tiny", 0.002, "Small")};
  const auto said = [&c] {
    c.shift_findings = findings_of_shift(c);
    return cause_of_shift(c);
  };
  EXPECT_THAT(said(), HasSubstr("No longer: 1 average pooling in float."));
  EXPECT_THAT(said(), Not(HasSubstr("Small")));
  c.candidate.findings = c.base.findings;
  EXPECT_THAT(said(), Not(HasSubstr("Gone")));
  c.candidate.findings[0].stake_ms = 0.001;  // still there, but much cheaper
  EXPECT_THAT(said(), HasSubstr("Costs less (-0.0150 ms): 1 average pooling in float."));
  std::swap(c.base, c.candidate);
  EXPECT_THAT(said(), HasSubstr("Costs more (+0.0150 ms): 1 average pooling in float."));
}

// The time of conversions is a part of the sentence already.
TEST(Cause, ConversionsAreNotTheirOwnCause) {
  Comparison c = shifted(1.0, 1.3);
  c.candidate.findings = {finding_of("reformat-time-share", 0.2, "Reformats take 0.200 ms")};
  EXPECT_THAT(findings_of_shift(c), IsEmpty());
  c.candidate.findings[0].rule = "another";
  EXPECT_THAT(findings_of_shift(c), SizeIs(1));
}

TEST(Cause, ReformatsAndQuantizersAreCountedApart) {
  const Comparison c = compared(test::analyze_path(test::fixture("a_r18_fp16")),
                                test::analyze_path(test::fixture("b_r18_q_conv")));
  EXPECT_EQ(c.reformats, (std::array<std::size_t, 2>{2, 4}));
  EXPECT_EQ(c.qdq_kernels, (std::array<std::size_t, 2>{0, 10}));
  EXPECT_THAT(c.cause, HasSubstr("4 reformats and 10 Q/DQ kernels instead of 2 reformats"));
}

TEST(SignedText, NoSignOnZeroAndOneMinus) {
  EXPECT_EQ(signed_share_text(-0.0001), "0.0 %");
  EXPECT_EQ(signed_share_text(0.024), "+2.4 %");
  EXPECT_EQ(signed_ms_text(-0.0133), "-0.0133 ms");
  EXPECT_EQ(signed_ms_text(0), "0.0000 ms");
  EXPECT_EQ(signed_ms_text(-0.00003), "-0.00003 ms");
  EXPECT_EQ(signed_ms_text(0.00006), "+0.0001 ms");
  EXPECT_EQ(signed_ms_text(-0.000004), "0.0000 ms");
}

const Tile* tile_of(const Document& document, const std::string& label) {
  for (const Tile& tile : document.tiles) {
    if (tile.label == label) return &tile;
  }
  return nullptr;
}

// No GPU compute on one side: the figure is the profile's, and the report says so and why.
TEST(CompareDocument, NamesTheMetricThatWasUsed) {
  Build base = test::build_of({layer_of("/a", kH, 1)});
  base.performance.gpu_compute.emplace().median_ms = 0.9;
  const Comparison c = compared(base, test::build_of({layer_of("/a", kH, 1.5)}));
  ASSERT_EQ(c.engine.metric, "profile_sum_ms");
  const Document document = build_document(c, 10);
  const Tile* tile = tile_of(document, "How fast");
  ASSERT_NE(tile, nullptr);
  EXPECT_THAT(tile->unit, StartsWith("profile sum, was 1.000 ms"));
  EXPECT_THAT(tile->lines, Contains(HasSubstr("the candidate has no GPU compute times")));
  Build timed = test::build_of({layer_of("/a", kH, 1.5)});
  timed.performance.gpu_compute.emplace().median_ms = 1.4;
  const Document better = build_document(compared(base, timed), 10);
  EXPECT_THAT(tile_of(better, "How fast")->unit, StartsWith("per query (GPU compute, median)"));
}

// Without a verdict there is no direction to follow.
TEST(CompareDocument, TheLargestShiftIsTheLargest) {
  Build base = test::build_of({layer_of("/a", kH, 10), layer_of("/b", kH, 10)});
  Build candidate = test::build_of({layer_of("/a", kH, 10.3), layer_of("/b", kH, 9.1)});
  base.performance.gpu_compute.emplace().median_ms = 20;
  candidate.performance.gpu_compute.emplace().median_ms = 20.1;
  const Document document = build_document(compared(base, candidate), 10);
  const Tile* tile = tile_of(document, "Largest shift");
  ASSERT_NE(tile, nullptr);
  EXPECT_EQ(tile->value, "-0.900 ms in b");
}

TEST(CompareDocument, CountsWithoutArrowsWhereNothingChanged) {
  Build one = test::build_of({layer_of("/a", kH, 1)});
  Layer idle = test::layer("/noop", "NoOp", {tensor("/a out", kH)}, {tensor("o", kH)}, 0);
  Build two = test::build_of({layer_of("/a", kH, 1.5), idle});
  const Document document = build_document(compared(one, two), 10);
  const Tile* layers = tile_of(document, "Layers");
  ASSERT_NE(layers, nullptr);
  EXPECT_EQ(layers->lines.at(0), "1 kernel on both sides");
  for (const Section& section : document.sections) EXPECT_NE(section.id, "unmatched");
  const Tile* where = tile_of(document, "Where");
  ASSERT_NE(where, nullptr);
  EXPECT_THAT(where->lines, Not(Contains(HasSubstr("became"))));
}

}  // namespace
}  // namespace trtlens::reasons_test
