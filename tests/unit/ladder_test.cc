// The ladder: gains one after the other, what two findings share once, down to the roof.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/ledgers.h"
#include "report/document/document.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/document_parts_of.h"

namespace trtlens::ladder_test {
namespace {

using test::conv;
using test::layer;
using test::reformat;
using test::tensor;
using ::testing::SizeIs;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;

Finding finding(const char* rule, std::vector<SharedText> layers, double low, double high,
                Severity severity = Severity::major) {
  Finding f;
  f.rule = rule;
  f.severity = severity;
  f.layers = std::move(layers);
  f.gain = Gain{low, high, "by hand"};
  return f;
}

// Four kernels of 0.25 ms that no rule knows anything of, with the findings by hand.
Analysis with(std::vector<Finding> findings) {
  std::vector<Layer> layers;
  for (const char* name : {"a", "b", "c", "d"}) {
    layers.push_back(layer(name, "Odd", {tensor(name, kH)}, {tensor(name, kF)}, 0.25));
  }
  Analysis a = test::analyze_build(test::build_of(std::move(layers)));
  a.findings = std::move(findings);
  a.ladder.reset();
  fill_ladder(a, Graph(a.build, a.verdicts));
  return a;
}

void expect_step(const LadderStep& step, double low, double high, MsRange left) {
  EXPECT_NEAR(step.low_ms, low, 1e-12);
  EXPECT_NEAR(step.high_ms, high, 1e-12);
  EXPECT_NEAR(step.left.low_ms, left.low_ms, 1e-12);
  EXPECT_NEAR(step.left.high_ms, left.high_ms, 1e-12);
}

TEST(Ladder, AddsUpGains) {
  const Analysis a = with({finding("one", {"a"}, 0.1, 0.2), finding("two", {"b"}, 0.05, 0.1)});
  ASSERT_TRUE(a.ladder);
  EXPECT_EQ(a.ladder->now_ms, 1);
  EXPECT_FALSE(a.ladder->roof_ms);
  ASSERT_THAT(a.ladder->steps, SizeIs(2));
  expect_step(a.ladder->steps[0], 0.1, 0.2, {0.8, 0.9});
  expect_step(a.ladder->steps[1], 0.05, 0.1, {0.7, 0.85});
}

// Half of what the second one stakes stands in the first.
TEST(Ladder, CountsWhatTwoFindingsShareOnce) {
  const Analysis a =
      with({finding("one", {"a", "b"}, 0.3, 0.4), finding("two", {"b", "c"}, 0.2, 0.4)});
  ASSERT_TRUE(a.ladder);
  expect_step(a.ladder->steps.at(1), 0.1, 0.2, {0.4, 0.6});
}

// What launches cost stands in no layer: it is won first, of the query.
TEST(Ladder, BeginsWithLaunches) {
  Finding launches = finding("enqueue-bound", {}, 0, 0);
  launches.gain->query = MsRange{0.1, 0.3};
  const Analysis a = with({finding("one", {"a"}, 0.1, 0.2), launches});
  ASSERT_TRUE(a.ladder);
  ASSERT_THAT(a.ladder->steps, SizeIs(2));
  EXPECT_EQ(a.ladder->steps[0].finding, 1U);
  expect_step(a.ladder->steps[0], 0, 0, {1, 1});
  ASSERT_TRUE(a.ladder->steps[0].query);
  EXPECT_EQ(a.ladder->steps[0].query->low_ms, 0.1);
  EXPECT_EQ(a.ladder->steps[0].query->high_ms, 0.3);
  EXPECT_FALSE(a.ladder->steps[1].query);
  expect_step(a.ladder->steps[1], 0.1, 0.2, {0.8, 0.9});
}

TEST(Ladder, NeverPromisesMoreThanThereIs) {
  const Analysis a = with({finding("one", {"a", "b"}, 0.6, 0.9), finding("two", {"c"}, 0.2, 0.3)});
  ASSERT_TRUE(a.ladder);
  expect_step(a.ladder->steps.at(1), 0.1, 0.1, {0, 0.3});
}

TEST(Ladder, LeavesOutNotesAndWhatIsNotWorthAStep) {
  const Analysis a = with({finding("note", {"a"}, 0.1, 0.2, Severity::info),
                           finding("small", {"b"}, 0, 0.0049), finding("none", {"c"}, 0, 0)});
  EXPECT_FALSE(a.ladder);
  EXPECT_TRUE(with({finding("enough", {"b"}, 0, 0.0051)}).ladder);
}

// A query of 1.2 ms around a profile of 1 ms: with fast launches it takes 0.8 ms at best, and then
// the profile is longer than it by a quarter.
TEST(Ladder, GoesDownFromTheQuery) {
  Finding launches = finding("enqueue-bound", {}, 0, 0);
  launches.gain->query = MsRange{0.1, 0.4};
  launches.title = "Launches";
  Analysis a = with({launches, finding("one", {"a"}, 0.1, 0.2)});
  a.build.performance.gpu_compute.emplace().median_ms = 1.2;
  const Document d = build_document(a, 10);
  const Table* table = table_of(d, "findings", "Time per query now and after each finding");
  ASSERT_NE(table, nullptr);
  ASSERT_THAT(table->rows, SizeIs(3));
  EXPECT_EQ(table->rows[0][2].text, "1.200");
  EXPECT_EQ(table->rows[1][1].text, "0.100 to 0.400");
  EXPECT_EQ(table->rows[1][2].text, "0.800 to 1.100");
  EXPECT_EQ(table->rows[2][1].text, "0.100 to 0.160");
  EXPECT_EQ(table->rows[2][2].text, "0.640 to 1.000");
}

// What the findings say of a query that waits, the ladder says, too: it may win nothing.
TEST(Ladder, IsNoSurerThanTheFindingsWhereAQueryWaits) {
  using Texts = std::vector<std::string>;
  const auto last_row = [](const std::optional<Gain>& of_launches) {
    Finding launches = finding("enqueue-bound", {}, 0, 0);
    launches.gain = of_launches;
    Analysis a = with({launches, finding("one", {"a"}, 0.1, 0.2)});
    a.build.performance.gpu_compute.emplace().median_ms = 1.2;
    const Document d = build_document(a, 10);
    const Table* table = table_of(d, "findings", "Time per query now and after each finding");
    if (table == nullptr || table->rows.empty()) return Texts();
    const auto last = table->rows[table->rows.size() - 1];
    return Texts{last[1].text, last[2].text};
  };
  EXPECT_EQ(last_row(std::nullopt), (Texts{"up to 0.200", "1.000 to 1.200"}));
  Gain perhaps;
  perhaps.query = MsRange{0, 0.3};
  EXPECT_EQ(last_row(perhaps), (Texts{"up to 0.180", "0.720 to 1.200"}));
}

// What two findings share is the first one's: the second says what is left for it, where that is
// less than nine tenths.
TEST(Ladder, CardsSayWhatIsLeftOfTheirGain) {
  const auto gain_of = [](std::vector<SharedText> second) {
    const Analysis a =
        with({finding("one", {"a"}, 0.1, 0.2), finding("two", std::move(second), 0.2, 0.2)});
    return blocks_of<FindingCard>(build_document(a, 10), "findings").at(1)->gain_short;
  };
  EXPECT_EQ(gain_of({"b"}), "0.200 ms of profile time");
  EXPECT_EQ(gain_of({"a", "b"}), "0.200 ms of profile time alone, 0.100 ms after the above");
}

// One convolution of 64 channels on an A100, beside a conversion and a kernel of another kind.
Analysis on_a_gpu(DataType type, const char* tactic, bool no_tf32) {
  const DataType other = type == kF ? kH : kF;
  Layer c =
      conv("c", {tensor("x", type, {8, 64, 56, 56})}, tensor("y", type, {8, 64, 56, 56}), type, 1);
  c.kernel = {3, 3};
  c.weights = Weights{type, 36864};
  c.tactic_name = tactic;
  Build build = test::build_of(
      {std::move(c), reformat("r", tensor("y", type), tensor("z", other), 0.2),
       layer("pool", "CaskPooling", {tensor("z", other)}, {tensor("o", other)}, 0.1)});
  build.producer = "trtexec";
  build.allowed.labels = {"FP32", "FP16"};
  build.allowed.no_tf32 = no_tf32;
  build.gpu.emplace();
  build.gpu->name = "NVIDIA A100-SXM4-40GB";
  build.gpu->compute_capability = "8.0";
  return test::analyze_build(std::move(build));
}

constexpr double kMacs = 8.0 * 56 * 56 * 64 * 64 * 9;

TEST(Ladder, EndsAtTheRoof) {
  const Analysis a =
      on_a_gpu(kH, "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwc_tensor16x8x16", false);
  ASSERT_TRUE(a.ladder && a.ladder->roof_ms);
  // The conversion is gone, the pool stays, the convolution is at the peak of FP16.
  EXPECT_NEAR(*a.ladder->roof_ms, 0.1 + 2 * kMacs / 312e12 * 1e3, 1e-3);
  const Document d = build_document(a, 10);
  const Table* table =
      table_of(d, "findings", "Profile time now, after each finding, and at the roof");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rows[0][0].text, "now");
  EXPECT_EQ(table->rows[0][2].text, "1.300");
  EXPECT_EQ(table->rows[table->rows.size() - 1][0].text, "roof");
  EXPECT_EQ(
      table->note,
      "Roof: no conversions, arithmetic at the GPU's peak in FP16, everything else as it is.");
}

TEST(Ladder, TheRoofIsThatOfAPrecisionThatIsAdvised) {
  const Analysis a =
      on_a_gpu(kF, "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwc_ffma", true);
  ASSERT_TRUE(a.ladder && a.ladder->roof_ms);
  const double bytes = (2.0 * 8 * 64 * 56 * 56 + 64 * 64 * 9) * 4;
  EXPECT_NEAR(*a.ladder->roof_ms, 0.1 + std::max(2 * kMacs / 156e12, bytes / 1555e9) * 1e3, 1e-3);
}

}  // namespace
}  // namespace trtlens::ladder_test
