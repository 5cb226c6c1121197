// What an expert would say about builds of our own whose truth was worked out by hand
// (reference/ideal-answers.md): the numbers, from the files alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analyzers/precision/precision.h"
#include "tests/unit/build_maker.h"

namespace trtlens::analyze_ideal_test {
namespace {

using test::find;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr double kRounding = 0.0006;  // the hand-made figures have three decimals

const MissingScaleCost* cost_of(const Analysis& a, const std::string& tensor) {
  for (const MissingScaleCost& cost : a.missing_scales) {
    if (cost.tensor == tensor) return &cost;
  }
  return nullptr;
}

double time_of_role(const Analysis& a, LayerRole role) {
  double sum = 0;
  for (std::size_t i = 0; i < a.verdicts.size(); ++i) {
    if (a.verdicts[i].role == role) sum += time_or_zero(a.build.layers[i]);
  }
  return sum;
}

double time_of_conversions(const Analysis& a) {
  return time_of_role(a, LayerRole::reformat) + time_of_role(a, LayerRole::quantize) +
         time_of_role(a, LayerRole::dequantize);
}

std::size_t count_role(const Analysis& a, LayerRole role) {
  std::size_t n = 0;
  for (const LayerVerdict& v : a.verdicts) n += v.role == role ? 1U : 0U;
  return n;
}

TEST(IdealPartialCalibration, CostOfTheTwoTensorsThatMatter) {
  const Analysis a = test::analyze_path(test::fixture("p_r18_partial_i8"));
  ASSERT_EQ(a.missing_scales.size(), 8U);
  std::vector<std::string> matter;
  for (const MissingScaleCost& cost : a.missing_scales) {
    if (cost.matters.value_or(false)) matter.push_back(cost.tensor);
  }
  EXPECT_THAT(matter, UnorderedElementsAre("/layer2/layer2.1/relu/Relu_output_0",
                                           "/layer4/layer4.0/relu/Relu_output_0"));
  const MissingScaleCost* layer2 = cost_of(a, "/layer2/layer2.1/relu/Relu_output_0");
  ASSERT_NE(layer2, nullptr);
  EXPECT_NEAR(layer2->time_ms.value_or(0), 0.137, kRounding);
  EXPECT_EQ(layer2->layers.size(), 2U);
  EXPECT_EQ(layer2->reformats.size(), 2U);
  const MissingScaleCost* layer4 = cost_of(a, "/layer4/layer4.0/relu/Relu_output_0");
  ASSERT_NE(layer4, nullptr);
  EXPECT_NEAR(layer4->time_ms.value_or(0), 0.099, kRounding);
  EXPECT_EQ(layer4->reformats.size(), 3U);
}

TEST(IdealPartialCalibration, ThreeLayersAndFiveReformats) {
  const Analysis a = test::analyze_path(test::fixture("p_r18_partial_i8"));
  ASSERT_FALSE(a.findings.empty());
  const Finding& first = a.findings[0];
  EXPECT_EQ(first.rule, "missing-scale-hot-layer");
  EXPECT_EQ(first.severity, Severity::major);
  EXPECT_NEAR(first.stake_ms.value_or(0), 0.235, kRounding);
  EXPECT_EQ(first.title, "2 tensors without scale keep layers out of INT8");
  EXPECT_THAT(test::figures(first), ::testing::ElementsAre("3 layers out of INT8, 0.170 ms",
                                                           HasSubstr("5 reformats around them")));
  EXPECT_EQ(first.layers.size(), 8U);
  // About 0.18 can be won back: the same shapes in INT8 take 0.016 to 0.021 ms.
  ASSERT_TRUE(first.gain);
  EXPECT_NEAR((first.gain->low_ms + first.gain->high_ms) / 2, 0.18, 0.01);
  EXPECT_GT(first.gain->high_ms, first.gain->low_ms);
  EXPECT_THAT(first.gain->basis, HasSubstr("INT8"));
  // The reformat of the network's input is not the calibration's doing.
  for (const std::string& name : first.layers) {
    EXPECT_NE(name, "Reformatting CopyNode for Input Tensor 0 to /conv1/Conv + /relu/Relu");
  }
  ASSERT_TRUE(a.fallbacks);
  ASSERT_EQ(a.fallbacks->size(), 3U);
  double sum = 0;
  for (const Fallback& f : *a.fallbacks) {
    sum += f.time_ms.value_or(0);
    EXPECT_THAT(f.why, HasSubstr("missing scale of tensor /layer"));
    EXPECT_EQ(a.verdicts[f.layer].compute, Precision::tf32);
  }
  EXPECT_NEAR(sum, 0.170, kRounding);
}

TEST(IdealPartialCalibration, TheProducerOfTheTensorDoesNotFallBack) {
  const Analysis a = test::analyze_path(test::fixture("p_r18_partial_i8"));
  const Layer* conv1 = test::find_layer(a,
                                        "/layer4/layer4.0/conv1/Conv + "
                                        "/layer4/layer4.0/relu/Relu");
  ASSERT_NE(conv1, nullptr);
  EXPECT_NEAR(time_or_zero(*conv1), 0.0159, 0.00006);
  EXPECT_EQ(verdict_of(*conv1).compute, Precision::int8);
  EXPECT_EQ(conv1->outputs.at(0).type, DataType::fp32);
}

TEST(IdealMobilenet, SeventeenDepthwiseConvolutionsAndWhatStandsAround) {
  const Analysis a = test::analyze_path(test::fixture("b_mob_q_dwnow_i8"));
  ASSERT_FALSE(a.findings.empty());
  const Finding& first = a.findings[0];
  EXPECT_EQ(first.rule, "conv-fp32-weight-qdq-missing");
  EXPECT_NEAR(first.stake_ms.value_or(0), 0.667, kRounding);
  EXPECT_NEAR(first.stake_ms.value_or(0) / a.build.profile_sum_ms, 0.60, 0.005);
  EXPECT_THAT(first.title, HasSubstr("17 depthwise convolutions"));
  EXPECT_THAT(
      test::figures(first),
      ::testing::IsSupersetOf({"17 in FP32, 0.191 ms", "17 DequantizeLinear kernels, 0.195 ms",
                               "17 unfused activations, 0.101 ms"}));
  ASSERT_TRUE(a.fallbacks);
  EXPECT_EQ(a.fallbacks->size(), 17U);
  for (const Fallback& f : *a.fallbacks) EXPECT_THAT(f.why, HasSubstr("weights without Q/DQ"));
  // The worst of them leads the layers of the evidence.
  const auto worst =
      std::ranges::find_if(first.evidence, [](const Evidence& one) { return !one.layer.empty(); });
  ASSERT_NE(worst, first.evidence.end());
  EXPECT_THAT(worst->layer, HasSubstr("features.2/"));
  EXPECT_NEAR(worst->value.value_or(0), 0.0321, 0.00006);
}

// A build with --int8 alone: --fp16 beside the mended model would be a second change.
TEST(IdealMobilenet, TheNextCheckChangesTheModelAlone) {
  const std::string path = test::shared("builds/b_mob_q_dwnow_i8");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  for (const char* rule : {"conv-fp32-weight-qdq-missing", "gap-pool-not-quantised"}) {
    const Finding* f = find(a, rule);
    ASSERT_NE(f, nullptr) << rule;
    EXPECT_THAT(f->next_check,
                HasSubstr("trtexec --onnx=CHANGED.onnx --int8 --profilingVerbosity"));
    EXPECT_THAT(f->next_check, HasSubstr("--exportProfile=after_profile.json"));
    EXPECT_THAT(f->next_check, HasSubstr("trtlens compare BEFORE AFTER"));
    EXPECT_THAT(f->next_check, ::testing::Not(HasSubstr("--fp16"))) << rule;
  }
}

TEST(IdealMobilenet, ReformatsThatAreNotTheirDoing) {
  const Analysis a = test::analyze_path(test::fixture("b_mob_q_dwnow_i8"));
  const std::vector<SharedText>& theirs = a.findings.at(0).layers;
  double not_theirs = 0;
  for (const ReformatEntry& entry : a.reformats) {
    const Layer& l = a.build.layers[entry.layer];
    if (std::find(theirs.begin(), theirs.end(), l.name) == theirs.end()) {
      not_theirs += time_or_zero(l);
    }
  }
  EXPECT_NEAR(not_theirs, 0.126, kRounding);
  const Finding* f = find(a, "reformat-time-share");
  ASSERT_NE(f, nullptr);
  double explained = 0;
  for (const Evidence& one : f->evidence) {
    if (one.note.str().find("explained by causes") != std::string::npos) explained = *one.value;
  }
  ASSERT_FALSE(f->evidence.empty());
  EXPECT_NEAR(f->evidence[0].value.value_or(0) - explained, 0.0146, kRounding);
}

// One cause: the Adds read the float residual, the Q/DQ stands on their other input
// (build.log:907).
TEST(IdealMobilenet, ResidualAddsAreOneFinding) {
  const Analysis a = test::analyze_path(test::fixture("b_mob_q_dwnow_i8"));
  const Finding* f = find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->layers.size(), 20U);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.137, kRounding);
  EXPECT_THAT(f->remedies.at(0), HasSubstr("Move each Add's Q/DQ"));
  // Which tensor that is stands in the evidence.
  EXPECT_TRUE(std::ranges::any_of(f->evidence, [](const Evidence& evidence) {
    return evidence.note.str().find("adds the float residual /features/features.2/") !=
           std::string::npos;
  }));
  for (const char* other :
       {"qdq-overplaced-on-conv-output", "conv-int8-in-float-out", "qdq-unfused-standalone"}) {
    EXPECT_EQ(find(a, other), nullptr) << other;
  }
}

TEST(IdealResidual, EightQuantizersAndTheStem) {
  const Analysis a = test::analyze_path(test::fixture("b_r18_q_conv"));
  ASSERT_FALSE(a.findings.empty());
  const Finding& first = a.findings[0];
  EXPECT_EQ(first.rule, "residual-add-not-quantised");
  EXPECT_EQ(first.severity, Severity::major);
  EXPECT_EQ(first.title, "8 residual Adds lack Q/DQ");
  EXPECT_THAT(test::figures(first),
              ::testing::IsSupersetOf(
                  {"8 extra QuantizeLinear kernels, 0.106 ms",
                   "convolution, activation and pool in front, unfused, with their conversions, 1 "
                   "of which counted above, 0.408 ms"}));
  const double stem = test::sum_ms(a, {"QuantizeLinear_0", "QuantizeLinear_7"}) + [&] {
    double sum = 0;
    for (const std::string& name : first.layers) {
      if (name.rfind("QuantizeLinear", 0) != 0) sum += test::sum_ms(a, {name});
    }
    return sum;
  }();
  EXPECT_NEAR(stem, 0.409, 0.001);
  // The seventh of the eight quantizers belongs to the stem as well: it counts once.
  EXPECT_NEAR(first.stake_ms.value_or(0), 0.106 + 0.409 - 0.0172, 0.002);
  EXPECT_NEAR(time_of_conversions(a), 0.284, kRounding);
  EXPECT_NEAR(time_of_conversions(a) / a.build.profile_sum_ms, 0.33, 0.005);
  ASSERT_TRUE(a.fallbacks);
  EXPECT_TRUE(a.fallbacks->empty());
}

TEST(IdealWeightsWithoutQdq, NothingRunsInInt8) {
  const std::string path = test::shared("builds/b_r18_q_now");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  std::map<std::string, std::pair<std::size_t, double>> compute;
  for (std::size_t i = 0; i < a.verdicts.size(); ++i) {
    if (!is_arithmetic(a.verdicts[i].role)) continue;
    auto& [n, ms] = compute[to_string(a.verdicts[i].compute)];
    ++n;
    ms += time_or_zero(a.build.layers[i]);
  }
  ASSERT_EQ(compute.size(), 2U);
  EXPECT_EQ(compute["FP16"].first, 20U);
  EXPECT_NEAR(compute["FP16"].second, 0.488, kRounding);
  EXPECT_EQ(compute["TF32"].first, 1U);
  EXPECT_NEAR(compute["TF32"].second, 0.008, kRounding);
  EXPECT_EQ(count_role(a, LayerRole::quantize), 18U);
  EXPECT_NEAR(time_of_role(a, LayerRole::quantize), 0.223, kRounding);
  EXPECT_EQ(count_role(a, LayerRole::dequantize), 18U);
  EXPECT_NEAR(time_of_role(a, LayerRole::dequantize), 0.162, kRounding);
  EXPECT_EQ(count_role(a, LayerRole::reformat), 0U);

  ASSERT_FALSE(a.findings.empty());
  EXPECT_EQ(a.findings[0].rule, "conv-fp32-weight-qdq-missing");
  EXPECT_THAT(a.findings[0].title, HasSubstr("21 layers"));
  EXPECT_THAT(
      test::figures(a.findings[0]),
      ::testing::IsSupersetOf({HasSubstr("20 in FP16, 0.488 ms"), HasSubstr("1 in TF32, ")}));
  const Finding* f = find(a, "qdq-graph-no-int8-compute");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.385, kRounding);
  EXPECT_THAT(f->next_check, HasSubstr("trtexec --onnx=WITHOUT_QDQ.onnx --fp16 --profiling"));
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_THAT(test::figures(*f), ::testing::ElementsAre("18 QuantizeLinear kernels, 0.223 ms",
                                                        "18 DequantizeLinear kernels, 0.162 ms"));
}

TEST(IdealGroupedConvolution, NumbersFromTheParserLine) {
  const Analysis a = test::analyze_path(test::fixture("b_g6_q"));
  EXPECT_EQ(a.build.outcome, Outcome::failed);
  ASSERT_FALSE(a.findings.empty());
  const Finding& first = a.findings[0];
  EXPECT_EQ(first.rule, "grouped-conv-int8-group-not-multiple-of-4");
  EXPECT_EQ(first.severity, Severity::fatal);
  const std::string prose = first.title + " " + first.why;
  EXPECT_THAT(prose,
              AllOf(HasSubstr("Here a group has 6; pad to 8."), HasSubstr("multiples of 4")));
  bool cites_parser_line = false;
  for (const Evidence& e : first.evidence)
    cites_parser_line = cites_parser_line ||
                        (e.line == 316 && e.note.str().find("(30, 6, 3, 3)") != std::string::npos);
  EXPECT_TRUE(cites_parser_line);
  EXPECT_FALSE(first.remedies.empty());
}

// The first finding of the five reports that the project started from.
TEST(FiveCases, FirstFinding) {
  const std::pair<const char*, const char*> cases[] = {
      {"case0_shuffle_assert", "shuffle-scale-assert-8.5.1"},
      {"b_g6_q", "grouped-conv-int8-group-not-multiple-of-4"},
      {"case2_deallocate_async", "deallocate-async-unsupported"},
      {"p_r18_partial_i8", "missing-scale-hot-layer"},
      {"case4_plugin_format", "plugin-no-format"},
  };
  for (const auto& [folder, rule] : cases) {
    const Analysis a = test::analyze_path(test::fixture(folder));
    ASSERT_FALSE(a.findings.empty()) << folder;
    EXPECT_EQ(a.findings[0].rule, rule) << folder;
    std::size_t times = 0;
    for (const Finding& f : a.findings) times += f.rule == rule ? 1U : 0U;
    EXPECT_EQ(times, 1U) << folder;
  }
}

TEST(FiveCases, OnlyBuildsThatFailHaveFatalFindings) {
  for (const char* folder : {"case0_shuffle_assert", "b_g6_q", "case4_plugin_format"}) {
    const Analysis a = test::analyze_path(test::fixture(folder));
    EXPECT_EQ(a.findings.at(0).severity, Severity::fatal) << folder;
  }
  const Analysis built = test::analyze_path(test::fixture("p_r18_partial_i8"));
  for (const Finding& f : built.findings) EXPECT_NE(f.severity, Severity::fatal) << f.rule;
}

}  // namespace
}  // namespace trtlens::analyze_ideal_test
