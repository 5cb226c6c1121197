// Healthy engines raise no false alarm; precision against an independent oracle; TREx's engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzers/graph/graph.h"
#include "tests/unit/build_maker.h"

namespace trtlens::analyze_truth_test {
namespace {

using ::testing::UnorderedElementsAre;

TEST(Healthy, ResidualQdqEngine) {
  const Analysis a = test::analyze_path(test::fixture("b_r18_q_res"));
  EXPECT_THAT(test::fired(a), UnorderedElementsAre("moderate gap-pool-not-quantised"));
}

TEST(Healthy, GroupedConvolutionWithEightChannels) {
  const Analysis a = test::analyze_path(test::fixture("b_g8_q"));
  EXPECT_THAT(
      test::fired(a),
      UnorderedElementsAre("moderate input-quantise-cost", "info calibrator-ignored-explicit",
                           "info int8-without-fp16", "info single-layer-hotspot",
                           "info tactic-sources-disabled", "info timing-cache-local"));
}

TEST(Healthy, Fp16Resnet) {
  const Analysis a = test::analyze_path(test::fixture("a_r18_fp16"));
  EXPECT_THAT(test::fired(a),
              UnorderedElementsAre("info fp16-weights-subnormal", "info single-layer-hotspot",
                                   "info tactic-sources-disabled", "info timing-cache-local"));
  ASSERT_TRUE(a.fallbacks);
  EXPECT_TRUE(a.fallbacks->empty());
}

// Passed builds of the shelf: nothing fatal in any, nothing about precision in the healthy ones.
TEST(Healthy, NoFatalFindingInAnyBuildThatPassed) {
  std::ifstream file(test::shared("builds/TRUTH.json"));
  if (!file) GTEST_SKIP() << "no TRUTH.json";
  const auto truth = nlohmann::json::parse(file);
  for (const auto& [name, facts] : truth.items()) {
    const std::string path = test::shared("builds/" + name);
    if (facts["outcome"] != "passed" || !test::is_there(path + "/layers.json")) continue;
    const Analysis a = test::analyze_path(path);
    for (const Finding& f : a.findings) EXPECT_NE(f.severity, Severity::fatal) << name << f.rule;
    for (const char* healthy : {"b_r18_notf32", "b_dw30_q", "g_dw30_q", "b_g8_q", "b_r18_q_res",
                                "g_r18_q_res", "a_r18_fp16_again", "b_mob_fp16", "b_vit13_q"}) {
      if (name != healthy) continue;
      for (const Finding& f : a.findings) {
        EXPECT_NE(f.severity, Severity::major) << name << ": " << f.title;
        const bool costs = f.stake_ms || f.severity > Severity::minor;
        EXPECT_FALSE(costs && f.category == "precision-fallback") << name << ": " << f.title;
      }
    }
  }
}

TEST(Truth, PrecisionOfEveryLayerAndFallbacks) {
  std::ifstream file(test::shared("builds/TRUTH.json"));
  if (!file) GTEST_SKIP() << "no TRUTH.json";
  const auto truth = nlohmann::json::parse(file);
  std::size_t judged = 0;
  for (const auto& [name, facts] : truth.items()) {
    if (!facts.contains("precision")) continue;
    const Analysis a = test::analyze_path(test::shared("builds/" + name));
    std::set<std::string> fallen;
    for (const Fallback& f : a.fallbacks.value_or(std::vector<Fallback>())) {
      fallen.insert(a.build.layers[f.layer].name);
    }
    for (const auto& [layer, precision] : facts["precision"].items()) {
      const auto at =
          std::find_if(a.build.layers.begin(), a.build.layers.end(),
                       [&, &wanted = layer](const Layer& l) { return l.name == wanted; });
      ASSERT_NE(at, a.build.layers.end()) << name << ": " << layer;
      const auto i = static_cast<std::size_t>(at - a.build.layers.begin());
      EXPECT_EQ(to_string(a.verdicts[i].compute), precision.get<std::string>())
          << name << ": " << layer;
      ++judged;
      if (!facts.contains("fp32_fallback")) continue;
      const auto& expected = facts["fp32_fallback"];
      const bool wanted = std::find(expected.begin(), expected.end(), layer) != expected.end();
      EXPECT_EQ(fallen.count(layer) != 0, wanted) << name << ": " << layer;
    }
  }
  EXPECT_GT(judged, 300U);
}

TEST(Truth, ReasonOfForcedLayers) {
  const std::string path = test::shared("builds/p_r18_force2");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  ASSERT_TRUE(a.fallbacks);
  ASSERT_EQ(a.fallbacks->size(), 2U);
  for (const Fallback& f : *a.fallbacks) {
    EXPECT_EQ(f.why, "forced to FP32 by --layerPrecisions");
    EXPECT_FALSE(f.evidence.empty());
  }
  const Finding* finding = test::find(a, "fp32-fallback");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(&a.findings[0], finding);
  EXPECT_NEAR(finding->stake_ms.value_or(0), 0.1525, 0.0001);
  // The forced downsample convolution has no twin of its shape: its share of the bytes counts.
  ASSERT_TRUE(finding->gain);
  EXPECT_THAT(finding->gain->basis, ::testing::HasSubstr("1 layer takes between what it takes"));
}

struct TrexEngine {
  const char* folder = "";
  double sum_ms = 0;
  std::size_t int8_in_float_out = 0, qdq_reformats = 0;
  std::optional<double> qdq_share;
  double reformat_share = 0;
};

// Catalogue of diagnosis rules, "Ground truth"; computed there from the same public files.
constexpr TrexEngine kTrex[] = {
    {"001-trex-a100-resnet-fp16", 1.0168, 0, 0, std::nullopt, 0.087},
    {"002-trex-a100-resnet-fp32", 2.1238, 0, 0, std::nullopt, 0.021},
    {"003-trex-a100-resnet-qat", 1.0957, 13, 10, 0.212, 0.254},
    {"004-trex-a100-resnet-qat-residual", 0.7311, 2, 3, 0.158, 0.158},
    {"005-trex-a100-resnet-qat-residual-qgap", 0.6728, 1, 1, 0.142, 0.142},
};

TEST(Trex, A100EnginesAgreeWithTheGroundTruth) {
  for (const TrexEngine& engine : kTrex) {
    const std::string path = test::shared(std::string("corpus/engines/") + engine.folder);
    if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
    const Analysis a = test::analyze_path(path);
    EXPECT_NEAR(a.build.profile_sum_ms, engine.sum_ms, 0.00006) << engine.folder;
    std::size_t convolutions = 0, float_out = 0, qdq = 0;
    double qdq_ms = 0, reformat_ms = 0;
    for (std::size_t i = 0; i < a.build.layers.size(); ++i) {
      const Layer& l = a.build.layers[i];
      if (is_conversion(a.verdicts[i].role)) {
        reformat_ms += time_or_zero(l);
        if (l.origin == "QDQ") {
          ++qdq;
          qdq_ms += time_or_zero(l);
        }
      }
      if (!is_arithmetic(a.verdicts[i].role)) continue;
      ++convolutions;
      if (is_narrow(l.inputs.at(0).type) && is_float(l.outputs.at(0).type)) ++float_out;
    }
    EXPECT_EQ(convolutions, 21U) << engine.folder;
    EXPECT_EQ(float_out, engine.int8_in_float_out) << engine.folder;
    EXPECT_EQ(qdq, engine.qdq_reformats) << engine.folder;
    if (engine.qdq_share) {
      EXPECT_NEAR(qdq_ms / a.build.profile_sum_ms, *engine.qdq_share, 0.0006) << engine.folder;
    }
    EXPECT_NEAR(reformat_ms / a.build.profile_sum_ms, engine.reformat_share, 0.0006)
        << engine.folder;
  }
}

TEST(Trex, PrecisionSharesOfTheA100Engines) {
  const struct {
    const char* folder;
    const char* expected;  // of all convolutions and matrix products
  } cases[] = {{"001-trex-a100-resnet-fp16", "FP16"}, {"003-trex-a100-resnet-qat", "INT8"}};
  for (const auto& c : cases) {
    const std::string path = test::shared(std::string("corpus/engines/") + c.folder);
    if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
    const Analysis a = test::analyze_path(path);
    double share = 0;
    for (const ShareRow& row : a.by_precision) share += row.share;
    EXPECT_NEAR(share, 1.0, 1e-9);
    for (std::size_t i = 0; i < a.verdicts.size(); ++i) {
      if (!is_arithmetic(a.verdicts[i].role)) continue;
      EXPECT_STREQ(to_string(a.verdicts[i].compute), c.expected) << a.build.layers[i].name.str();
    }
  }
}

TEST(Trex, ResidualQdqIsTheFirstFindingOfTheConvOnlyEngine) {
  const std::string path = test::shared("corpus/engines/003-trex-a100-resnet-qat");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  ASSERT_FALSE(a.findings.empty());
  EXPECT_EQ(a.findings[0].rule, "residual-add-not-quantised");
}

}  // namespace
}  // namespace trtlens::analyze_truth_test
