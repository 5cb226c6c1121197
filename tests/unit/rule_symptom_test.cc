// Structural rules about symptoms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"
#include "tests/unit/build_maker.h"

namespace trtlens::rule_symptom_test {
namespace {

using test::conv;
using test::dequantize;
using test::find;
using test::layer;
using test::quantize;
using test::reformat;
using test::tensor;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Layer half_conv(const std::string& name, double ms) {
  return conv(name, {tensor(name + " in", kH)}, tensor(name + " out", kH), kH, ms);
}

Build fp32_in_fp16_build() {
  Build build = test::build_of({half_conv("half", 8.5),
                                reformat("r1", tensor("half out", kH), tensor("x", kF), 0.2),
                                conv("wide", {tensor("x", kF)}, tensor("y", kF), kF, 1.0),
                                reformat("r2", tensor("y", kF), tensor("z", kH), 0.3)});
  build.allowed.labels = {"FP32", "FP16"};
  build.has_log = true;
  return build;
}

TEST(RuleFp32Fallback, FiresWithTheConversionsAround) {
  const Analysis a = test::analyze_build(fp32_in_fp16_build());
  const Finding* f = find(a, "fp32-fallback");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 1.5, 1e-12);
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_THAT(f->layers, ElementsAre("r1", "wide", "r2"));
  EXPECT_EQ(f->title, "1 convolution runs in FP32 or TF32; lower precision was allowed");
  EXPECT_THAT(test::figures(*f), ElementsAre("2 conversions around them, 0.500 ms"));
}

TEST(RuleFp32Fallback, SaysTheReasonOfEach) {
  Build build = fp32_in_fp16_build();
  for (const char* name : {"forced1", "forced2"}) {
    Layer l = conv(name, {tensor("i", kF)}, tensor("o", kF), kF, 0.1);
    build.layers.push_back(l);
    build.forced_precision.push_back({name, "precision fp32", {}});
  }
  const Analysis a = test::analyze_build(std::move(build));
  const Finding* f = find(a, "fp32-fallback");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "3 convolutions run in FP32 or TF32; lower precision was allowed");
  const auto forced = [](const Evidence& one) {
    return one.note.str().find("forced to FP32 by --layerPrecisions") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(f->evidence, forced), 2);
}

TEST(RuleFp32Fallback, SilentWhenAllowedNothingLessOrNothingIsWide) {
  Build build = fp32_in_fp16_build();
  build.allowed.labels = {"FP32"};
  EXPECT_EQ(find(test::analyze_build(std::move(build)), "fp32-fallback"), nullptr);
  build = fp32_in_fp16_build();
  build.layers[2].weights->type = kH;
  EXPECT_EQ(find(test::analyze_build(std::move(build)), "fp32-fallback"), nullptr);
}

Build bordered(double border_ms, double rest_ms, bool io_known = true) {
  Build build =
      test::build_of({reformat("in", tensor("image", kF), tensor("half in", kH), border_ms),
                      half_conv("half", rest_ms)});
  if (io_known) test::add_io(build, tensor("image", kF), true);
  return build;
}

TEST(RuleIoFormat, FiresFromFivePercent) {
  const Analysis a = test::analyze_build(bordered(0.051, 0.949));
  const Finding* f = find(a, "io-format-forces-reformat");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "The network's inputs are converted in every query");
  EXPECT_EQ(f->remedies.size(), 1U);
  EXPECT_EQ(find(test::analyze_build(bordered(0.049, 0.951)), "io-format-forces-reformat"),
            nullptr);
  EXPECT_EQ(find(test::analyze_build(bordered(0.5, 0.5, false)), "io-format-forces-reformat"),
            nullptr);
}

// The DLA returns at once; the kernel behind it takes the time of waiting.
TEST(RuleIoFormat, LeavesAReformatAloneThatWaitsForTheDla) {
  const auto fires = [](const char* type) {
    Layer region =
        test::layer("{ForeignNode[a...b]}", type, {tensor("x", kH)}, {tensor("dla out", kH)}, 0.1);
    Build build = test::build_of(
        {std::move(region), reformat("out", tensor("dla out", kH), tensor("result", kF), 0.9)});
    test::add_io(build, tensor("result", kF), false);
    return find(test::analyze_build(std::move(build)), "io-format-forces-reformat") != nullptr;
  };
  EXPECT_FALSE(fires("DLA"));
  EXPECT_TRUE(fires("CaskConvolution"));
}

TEST(RuleIoFormat, TellsOutputsFromInputs) {
  Build build = test::build_of(
      {half_conv("half", 0.5), reformat("out", tensor("half out", kH), tensor("result", kF), 0.5)});
  build.layers[1].inputs[0].format = "Channel major FP16 format where channel % 8 == 0";
  build.layers[1].outputs[0].format = "Row major linear FP32";
  test::add_io(build, tensor("result", kF), false);
  const Analysis a = test::analyze_build(std::move(build));
  const Finding* f = find(a, "io-format-forces-reformat");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->title, HasSubstr("network's outputs are"));
  ASSERT_EQ(f->remedies.size(), 1U);
  EXPECT_THAT(f->remedies[0], HasSubstr("--outputIOFormats=fp16:hwc8"));
  EXPECT_THAT(f->next_check, HasSubstr("--outputIOFormats=fp16:hwc8"));
  EXPECT_THAT(f->next_check, ::testing::Not(HasSubstr("--inputIOFormats")));
  EXPECT_THAT(f->why, HasSubstr("The outputs are Row major linear FP32; the layers that write"));
  EXPECT_EQ(f->severity, Severity::major);
}

// The command asked for FP16 already: what is left is the layout.
TEST(RuleIoFormat, ReadsWhatTheCommandAskedFor) {
  const auto asked = [](const char* inner) {
    Build build = bordered(0.5, 0.5);
    build.layers[0].inputs[0].type = build.layers[0].outputs[0].type = kH;
    build.layers[0].inputs[0].format = "Row major linear FP16 format";
    build.layers[0].outputs[0].format = inner;
    build.options.flags = {{"inputIOFormats", "fp16:chw"}};
    return test::analyze_build(std::move(build));
  };
  const Analysis a = asked("Channel major FP16 format where channel % 8 == 0");
  const Finding* f = find(a, "io-format-forces-reformat");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->why, HasSubstr("as --inputIOFormats=fp16:chw asks"));
  EXPECT_THAT(f->remedies.at(0), HasSubstr("write FP16 inputs: --inputIOFormats=fp16:hwc8."));
  EXPECT_EQ(f->severity, Severity::moderate);
  const Analysis none = asked("Channel major FP16 format where channel % 4 == 0");
  ASSERT_NE(find(none, "io-format-forces-reformat"), nullptr);
  EXPECT_THAT(find(none, "io-format-forces-reformat")->remedies.at(0),
              HasSubstr("None of --inputIOFormats"));
}

std::vector<Layer> loose_qdq() {
  return {quantize("q", "a", "b", 0.1), conv("int8", {tensor("b", kI)}, tensor("c", kI), kI, 0.8),
          dequantize("dq", "c", "d", 0.2)};
}

TEST(RuleQdqUnfused, FiresOnTwoLooseKernelsButNotAtTheBorder) {
  const Analysis a = test::analyze_layers(loose_qdq());
  const Finding* f = find(a, "qdq-unfused-standalone");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.3, 1e-12);
  EXPECT_EQ(f->title, "2 unfused Q/DQ kernels");
  EXPECT_THAT(test::figures(*f), ElementsAre("1 QuantizeLinear kernel, 0.100 ms",
                                             "1 DequantizeLinear kernel, 0.200 ms"));
  Build build = test::build_of(loose_qdq());
  test::add_io(build, tensor("a", kF), true);
  EXPECT_EQ(find(test::analyze_build(build), "qdq-unfused-standalone"), nullptr);
}

// A profile alone has names in the order of execution: its first Q reads the network's input.
TEST(RuleQdqUnfused, DoesNotCountTheFirstQOfAProfileAlone) {
  std::vector<Layer> layers;
  for (const char* name : {"QuantizeLinear_0", "QuantizeLinear_1", "QuantizeLinear_2",
                           "DequantizeLinear_3", "DequantizeLinear_4"}) {
    layers.push_back(test::layer(name, "", {}, {}, 0.1));
    layers.back().found_in = kFoundInProfile;
  }
  Build build = test::build_of(std::move(layers));
  build.has_layer_info = false;
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_NE(find(a, "qdq-unfused-standalone"), nullptr);
  EXPECT_THAT(
      test::figures(*find(a, "qdq-unfused-standalone")),
      ElementsAre("2 QuantizeLinear kernels, 0.200 ms", "1 DequantizeLinear kernel, 0.100 ms"));
  EXPECT_EQ(find(a, "qdq-unfused-standalone")->layers.front(), "QuantizeLinear_1");
}

// What else reads the tensor in front of a Q keeps it from fusing.
TEST(RuleQdqUnfused, NamesFloatReaders) {
  std::vector<Layer> layers = loose_qdq();
  layers.push_back(
      test::layer("add", "PointWise", {tensor("a", kF), tensor("e", kF)}, {tensor("f", kF)}, 0.1));
  const Analysis a = test::analyze_layers(layers);
  ASSERT_NE(find(a, "qdq-unfused-standalone"), nullptr);
  EXPECT_THAT(find(a, "qdq-unfused-standalone")->why,
              HasSubstr(" Here add reads the same tensor in floating point."));
  EXPECT_EQ(find(a, "qdq-unfused-standalone")->remedies.at(0),
            "Put one Q/DQ pair on the tensor for all its consumers.");
}

TEST(RuleReformatShare, FiresFromTenPercentAndCountsOnlyWhatNobodyElseHas) {
  const auto with = [](double ms) {
    return test::analyze_layers(
        {half_conv("half", 1 - ms), reformat("r", tensor("half out", kH), tensor("x", kH), ms)});
  };
  const Analysis fires = with(0.101);
  const Finding* f = find(fires, "reformat-time-share");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "1 conversion that no other finding explains");
  EXPECT_THAT(test::figures(*f), ElementsAre("1 conversion in all, 0.101 ms",
                                             "unexplained: 1 of the layout alone, 0.101 ms"));
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.101, 1e-12);
  EXPECT_EQ(find(with(0.099), "reformat-time-share"), nullptr);
  // Q and DQ kernels are no reformats; together they are conversions.
  std::vector<Layer> mixed = loose_qdq();
  mixed.push_back(reformat("r", tensor("d", kF), tensor("x", kF), 0.1));
  const Analysis both = test::analyze_layers(std::move(mixed));
  ASSERT_NE(find(both, "reformat-time-share"), nullptr);
  EXPECT_THAT(test::figures(*find(both, "reformat-time-share")),
              Contains("3 conversions in all, 0.400 ms"));

  const Analysis claimed = test::analyze_build(fp32_in_fp16_build());
  EXPECT_EQ(find(claimed, "reformat-time-share"), nullptr);  // 5 %
  const Analysis border = test::analyze_build(bordered(0.5, 0.5));
  const Finding* rest = find(border, "reformat-time-share");
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->severity, Severity::info);
  EXPECT_FALSE(rest->stake_ms);
  EXPECT_EQ(rest->title, "Conversions take 50 % of the profile, all explained");
  EXPECT_THAT(test::figures(*rest), Contains("1 conversion in other findings, 0.500 ms"));
}

// A tenth is moderate, a fifth major; where launches take the time, a share says little.
TEST(RuleReformatShare, SeverityAsksForMoreThanOtherStakes) {
  const auto severity = [](double share, double sum_ms) {
    const Analysis a = test::analyze_layers(
        {half_conv("half", (1 - share) * sum_ms),
         reformat("r", tensor("half out", kH), tensor("x", kH), share * sum_ms)});
    const Finding* f = find(a, "reformat-time-share");
    return f == nullptr ? Severity::fatal : f->severity;
  };
  EXPECT_EQ(severity(0.19, 1), Severity::moderate);
  EXPECT_EQ(severity(0.21, 1), Severity::major);
  EXPECT_EQ(severity(0.21, 0.19), Severity::minor);
  EXPECT_EQ(severity(0.21, 0.21), Severity::major);
}

// The remedy is that of what the conversions change.
TEST(RuleReformatShare, RemediesFollowWhatIsConverted) {
  const auto first_remedy = [](Layer conversion) {
    const Analysis a =
        test::analyze_layers({half_conv("half", 0.8), std::move(conversion),
                              conv("i8", {tensor("v", kI)}, tensor("w", kI), kI, 0.01)});
    const Finding* f = find(a, "reformat-time-share");
    return f == nullptr || f->remedies.empty() ? std::string() : f->remedies[0];
  };
  const auto of = [](DataType from, DataType to, const char* origin) {
    return reformat("r", tensor("half out", from), tensor("x", to), 0.19, origin);
  };
  EXPECT_THAT(first_remedy(of(kH, kH, "REFORMAT")), HasSubstr("Look at the layer charged"));
  EXPECT_THAT(first_remedy(of(kH, kH, "CONCAT")),
              HasSubstr("Give the concatenation's inputs one layout"));
  Layer names_only = layer("Reformatting CopyNode for Input Tensor 0 to c", "", {}, {}, 0.19);
  EXPECT_THAT(first_remedy(std::move(names_only)), HasSubstr("is not known"));
  // Types are another rule's matter: mixed-type-reformat comes first.
  EXPECT_EQ(first_remedy(of(kH, kI, "REFORMAT")), "");
}

// What the border costs is no fault of the layers: its own rule has a limit for it.
TEST(RuleReformatShare, TheBorderIsNotInQuestion) {
  Build build = test::build_of({reformat("in", tensor("image", kF), tensor("half in", kH), 0.04),
                                half_conv("half", 0.86),
                                reformat("r", tensor("half out", kH), tensor("x", kF), 0.05),
                                conv("wide", {tensor("x", kF)}, tensor("y", kF), kF, 0.03),
                                reformat("r2", tensor("y", kF), tensor("z", kH), 0.02)});
  build.allowed.labels = {"FP32", "FP16"};
  test::add_io(build, tensor("image", kF), true);
  const Analysis a = test::analyze_build(std::move(build));
  const Finding* f = find(a, "reformat-time-share");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::info);
  EXPECT_FALSE(f->stake_ms);
  EXPECT_THAT(test::figures(*f), Contains("1 conversion at the network's border, 0.0400 ms"));
}

TEST(RuleShuffle, FiresOnTheSumOrOnASingleOne) {
  const auto with = [](const std::vector<double>& times) {
    std::vector<Layer> layers = {half_conv("half", 1)};
    double sum = 0;
    for (const double ms : times) {
      layers.push_back(layer("s" + std::to_string(layers.size()), "Shuffle", {tensor("a", kH)},
                             {tensor("b", kH)}, ms));
      sum += ms;
    }
    layers[0].time->mean_ms = 1 - sum;
    return test::analyze_layers(std::move(layers));
  };
  const Analysis sum = with({0.04, 0.04, 0.04, 0.04});
  const Finding* f = find(sum, "shuffle-dominates");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "Reshapes, transposes and copies take much of the time");
  EXPECT_EQ(f->where_left_out, 1U);
  EXPECT_NE(find(with({0.06}), "shuffle-dominates"), nullptr);
  EXPECT_EQ(find(with({0.04, 0.04, 0.04}), "shuffle-dominates"), nullptr);
}

TEST(RuleProfileMismatch, FiresOnRecordsWithoutLayerInfo) {
  std::vector<Layer> layers = {half_conv("known", 0.7), layer("unknown", "", {}, {}, 0.3),
                               half_conv("never timed", -1)};
  layers[1].found_in = kFoundInProfile;
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "profile-layer-name-mismatch");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(a.build.unattributed_ms, 0.3);
  EXPECT_EQ(f->title, "The profile names 1 layer that the layer information lacks");
  EXPECT_THAT(test::figures(*f), ElementsAre("1 layer of the layer information without a time"));
  EXPECT_EQ(find(test::analyze_layers({half_conv("known", 0.7), half_conv("untimed", -1)}),
                 "profile-layer-name-mismatch"),
            nullptr);
}

TEST(RuleHotspot, NamesLayersOfTenPercent) {
  std::vector<Layer> layers = {half_conv("hot", 0.2)};
  for (int i = 0; i < 10; ++i) layers.push_back(half_conv("c" + std::to_string(i), 0.08));
  const Analysis a = test::analyze_layers(layers);
  const Finding* f = find(a, "single-layer-hotspot");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::info);
  EXPECT_EQ(f->title, "One layer takes 20 % of the profile");
  layers[0].time->mean_ms = 0.08;
  EXPECT_EQ(find(test::analyze_layers(layers), "single-layer-hotspot"), nullptr);
  EXPECT_EQ(find(test::analyze_layers({half_conv("only", 1)}), "single-layer-hotspot"), nullptr);
}

TEST(RuleTinyKernels, NeedsTwentyOfTwentyPercent) {
  const auto with = [](int n, double each, double rest) {
    std::vector<Layer> layers = {half_conv("big", rest)};
    for (int i = 0; i < n; ++i) layers.push_back(half_conv("c" + std::to_string(i), each));
    return test::analyze_layers(std::move(layers));
  };
  const Analysis a = with(20, 0.004, 0.3);
  const Finding* f = find(a, "tiny-kernels");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "Tiny kernels take 21 % of the profile");
  EXPECT_THAT(test::figures(*f), ElementsAre("20 kernels below 0.0050 ms, 0.0800 ms"));
  EXPECT_EQ(find(with(19, 0.004, 0.2), "tiny-kernels"), nullptr);
  EXPECT_EQ(find(with(20, 0.004, 0.33), "tiny-kernels"), nullptr);
  EXPECT_EQ(find(with(40, 0.006, 0.1), "tiny-kernels"), nullptr);
  EXPECT_EQ(find(with(40, 0, 0.1), "tiny-kernels"), nullptr);
}

TEST(RuleNamesOnly, FiresOnNamesOnly) {
  Build build = test::build_of({layer("a", "", {}, {}, 1)});
  EXPECT_EQ(find(test::analyze_build(build), "layer-names-only"), nullptr);
  build.layer_names_only = true;
  const Analysis a = test::analyze_build(build);
  ASSERT_NE(find(a, "layer-names-only"), nullptr);
  EXPECT_EQ(find(a, "layer-names-only")->title, "The layer information holds names only");
}

TEST(RuleNothingRecognised, FiresOnForeignTextOnly) {
  const auto with = [](std::uint64_t foreign, std::uint64_t recognised, bool has_run) {
    ParseResult parsed;
    parsed.coverage.first_foreign = {{{}, "Could not find any implementation"}};
    parsed.coverage.add(LineClass::foreign, foreign);
    parsed.coverage.add(LineClass::recognised, recognised);
    parsed.builds.emplace_back().has_log = has_run;
    parsed.build_names.emplace_back("x");
    return analyze(std::move(parsed), {});
  };
  EXPECT_NE(find(with(7, 0, false), "nothing-recognised"), nullptr);
  EXPECT_NE(find(with(7, 1, false), "nothing-recognised"), nullptr);  // another program's crash
  EXPECT_EQ(find(with(7, 1, true), "nothing-recognised"), nullptr);
  EXPECT_EQ(find(with(0, 0, false), "nothing-recognised"), nullptr);
}

TEST(StructuralRules, HaveTextsAndUniqueIds) {
  std::set<std::string> ids;
  for (const Rule* rule : structural_rules()) {
    const RuleInfo& info = rule_info(rule->id);
    EXPECT_EQ(info.id, rule->id);
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_FALSE(info.category.empty()) << info.id;
    EXPECT_FALSE(info.what.empty()) << info.id;
    EXPECT_FALSE(info.why.empty()) << info.id;
    EXPECT_FALSE(info.remedies.empty()) << info.id;
    EXPECT_NE(rule->check, nullptr) << info.id;
    for (const Threshold& t : info.thresholds) EXPECT_GT(t.value, 0) << info.id << " " << t.key;
  }
  EXPECT_GE(ids.size(), 20U);
}

TEST(RuleExplicitPad, FiresInFrontOfAConvolution) {
  const auto with = [](double pad_ms, std::vector<std::int64_t> padded, bool convolves) {
    const Tensor x = tensor("x", kH, {8, 64, 56, 56}), p = tensor("p", kH, padded);
    const Tensor q = tensor("q", kI, padded);
    Layer pad = layer("/Pad", "Slice", {x}, {p}, pad_ms);
    Layer behind = convolves ? conv("c", {q}, tensor("y", kH), kI, 1 - pad_ms)
                             : layer("s", "SoftMax", {q}, {tensor("y", kH)}, 1 - pad_ms);
    return test::analyze_layers({pad, reformat("Q", p, q, 0), behind});
  };
  const std::vector<std::int64_t> larger = {8, 64, 58, 58};
  const Analysis a = with(0.06, larger, true);
  const Finding* f = find(a, "explicit-pad");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::moderate);
  EXPECT_EQ(f->title, "1 Pad runs apart from the convolution or pooling behind");
  ASSERT_TRUE(f->gain);
  EXPECT_EQ(f->gain->low_ms, 0);
  EXPECT_EQ(f->gain->high_ms, 0.06);
  EXPECT_EQ(find(with(0.04, larger, true), "explicit-pad"), nullptr);
  EXPECT_EQ(find(with(0.06, {8, 64, 28, 28}, true), "explicit-pad"), nullptr);  // a slice
  EXPECT_EQ(find(with(0.06, larger, false), "explicit-pad"), nullptr);
}

TEST(RuleExplicitPad, EveryLayerBehindItHasToPad) {
  const Tensor p = tensor("p", kH, {8, 64, 58, 58});
  std::vector<Layer> layers = {
      layer("/Pad", "Slice", {tensor("x", kH, {8, 64, 56, 56})}, {p}, 0.06),
      conv("c", {p}, tensor("y", kH), kH, 0.8)};
  EXPECT_NE(find(test::analyze_layers(layers), "explicit-pad"), nullptr);
  layers.push_back(layer("s", "SoftMax", {p}, {tensor("z", kH)}, 0.14));
  EXPECT_EQ(find(test::analyze_layers(layers), "explicit-pad"), nullptr);
}

TEST(RuleExplicitPad, LooksThroughATranspositionButNotThroughASlice) {
  const auto with = [](std::vector<std::int64_t> moved) {
    return test::analyze_layers(
        {layer("/Pad", "Padding", {tensor("x", kH, {8, 56, 56, 3})},
               {tensor("p", kH, {8, 58, 58, 3})}, 0.06),
         layer("t", "Shuffle", {tensor("p", kH, {8, 58, 58, 3})}, {tensor("q", kH, moved)}, 0.1),
         conv("c", {tensor("q", kH, moved)}, tensor("y", kH), kH, 0.84)});
  };
  EXPECT_NE(find(with({8, 3, 58, 58}), "explicit-pad"), nullptr);
  EXPECT_EQ(find(with({8, 3, 29, 29}), "explicit-pad"), nullptr);
}

}  // namespace
}  // namespace trtlens::rule_symptom_test
