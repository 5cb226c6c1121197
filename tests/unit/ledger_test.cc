// Fallbacks and their reasons, missing scales, reformats, races, totals.
#include "analyzers/ledgers/ledgers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/precision/fallback.h"
#include "tests/unit/build_maker.h"

namespace trtlens::ledger_test {
namespace {

using test::conv;
using test::layer;
using test::reformat;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Build one_wide_conv() {
  Build build = test::build_of({conv("wide", {tensor("a", kF)}, tensor("b", kF), kF, 0.5),
                                conv("narrow", {tensor("b", kH)}, tensor("c", kH), kH, 0.5)});
  build.has_log = true;
  build.is_verbose = true;
  build.allowed.labels = {"FP32", "FP16"};
  return build;
}

// The one fallback of one_wide_conv().
Fallback only_fallback(Build build) {
  const Analysis a = test::analyze_build(std::move(build));
  EXPECT_TRUE(a.fallbacks);
  EXPECT_EQ(a.fallbacks->size(), 1U);
  if (!a.fallbacks || a.fallbacks->size() != 1) return {};
  EXPECT_EQ(a.fallbacks->front().layer, 0U);
  return a.fallbacks->front();
}

Autotune race(const std::string& formats, std::uint32_t timed, std::optional<double> chosen_ms,
              std::optional<std::uint64_t> id) {
  Autotune r;
  r.layer = "wide";
  r.format_combination = formats;
  r.timed = timed;
  r.chosen_ms = chosen_ms;
  r.chosen_id = id;
  if (chosen_ms) r.chosen_runner = "CaskConvolution";
  r.pos.line = 77;
  return r;
}

TEST(Fallbacks, AreUnknownWhenNobodySaysWhatWasAllowed) {
  const std::vector<Layer> wide = {conv("wide", {tensor("a", kF)}, tensor("b", kF), kF, 0.5)};
  EXPECT_FALSE(test::analyze_layers(wide).fallbacks);
  EXPECT_FALSE(test::analyze_layers({}).fallbacks);
  Build names = test::build_of({layer("/conv/Conv", "", {}, {}, 1)});
  names.layer_names_only = true;
  EXPECT_FALSE(test::analyze_build(std::move(names)).fallbacks);
}

TEST(Fallbacks, AreNoneWhenNothingNarrowerWasAllowed) {
  Build build = one_wide_conv();
  build.allowed.labels = {"FP32"};
  const Analysis fp32 = test::analyze_build(std::move(build));
  ASSERT_TRUE(fp32.fallbacks);
  EXPECT_THAT(*fp32.fallbacks, IsEmpty());
  build = one_wide_conv();
  build.allowed.strongly_typed = true;
  const Analysis typed = test::analyze_build(std::move(build));
  ASSERT_TRUE(typed.fallbacks);
  EXPECT_THAT(*typed.fallbacks, IsEmpty());
}

TEST(Fallbacks, WithoutLogNarrowerComputeOrQdqInTheEngineCounts) {
  const Analysis mixed =
      test::analyze_layers({conv("wide", {tensor("a", kF)}, tensor("b", kF), kF, 0.5),
                            conv("narrow", {tensor("b", kI)}, tensor("c", kI), kI, 0.5)});
  ASSERT_TRUE(mixed.fallbacks);
  ASSERT_EQ(mixed.fallbacks->size(), 1U);
  EXPECT_EQ(mixed.fallbacks->front().time_ms, 0.5);
  const Analysis quantized =
      test::analyze_layers({test::quantize("q", "a", "b", 0.1),
                            conv("wide", {tensor("c", kF)}, tensor("d", kF), kF, 0.5)});
  ASSERT_TRUE(quantized.fallbacks);
  EXPECT_EQ(quantized.fallbacks->size(), 1U);
}

TEST(Fallbacks, CountArithmeticOnly) {
  Build build = test::build_of(
      {layer("pool", "CaskPooling", {tensor("a", kF)}, {tensor("b", kF)}, 1),
       layer("{ForeignNode[a...b]}", "Myelin", {tensor("b", kF)}, {tensor("c", kF)}, 1)});
  build.allowed.labels = {"FP32", "FP16"};
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_TRUE(a.fallbacks);
  EXPECT_THAT(*a.fallbacks, IsEmpty());
}

TEST(Fallbacks, TimeIsUnknownWithoutProfile) {
  Build build = one_wide_conv();
  build.layers[0].time.reset();
  EXPECT_FALSE(only_fallback(std::move(build)).time_ms);
}

TEST(FallbackReason, ForcedByTheLogOrTheOption) {
  Build build = one_wide_conv();
  LayerNote note{"wide", "precision fp32", SourcePos{0, 12, 0}};
  build.forced_precision.push_back(note);
  Fallback f = only_fallback(std::move(build));
  EXPECT_EQ(f.why, "forced to FP32 by --layerPrecisions");
  EXPECT_THAT(f.evidence, ElementsAre("build.log:12"));

  for (const char* option : {"x:fp16,wide:fp32", "*:fp32", "/w/Conv:fp32"}) {
    build = one_wide_conv();
    build.layers[0].onnx_nodes = {"/w/Conv"};
    build.command = "trtexec";
    build.options.flags.emplace_back("layerPrecisions", option);
    EXPECT_EQ(only_fallback(std::move(build)).why, "forced to FP32 by --layerPrecisions") << option;
  }
  for (const char* option : {"wide:fp16", "other:fp32", "wid:fp32", "", ",", "wide"}) {
    build = one_wide_conv();
    build.options.flags.emplace_back("layerPrecisions", option);
    EXPECT_THAT(only_fallback(std::move(build)).why, HasSubstr("unknown")) << option;
  }
}

TEST(FallbackReason, EightLinesAreEvidenceEnough) {
  Build forced = one_wide_conv(), ignored = one_wide_conv();
  for (std::uint64_t n = 1; n < 20; ++n) {
    forced.forced_precision.push_back({"wide", "precision fp32", SourcePos{0, n, 0}});
    ignored.non_conforming.push_back({"wide", "", SourcePos{0, n, 0}});
  }
  for (Build* build : {&forced, &ignored}) {
    const Fallback f = only_fallback(std::move(*build));
    EXPECT_TRUE(f.evidence.size() == 8 && f.evidence[7] == "build.log:8");
  }
}

TEST(FallbackReason, MissingScale) {
  Build build = one_wide_conv();
  build.rejected_int8.push_back({"wide", "t9", SourcePos{0, 5, 0}});
  EXPECT_EQ(only_fallback(std::move(build)).why, "missing scale of tensor t9");
  build = one_wide_conv();
  build.rejected_int8.push_back({"another layer", "t9", SourcePos{0, 5, 0}});
  EXPECT_THAT(only_fallback(std::move(build)).why, HasSubstr("unknown"));
  build = one_wide_conv();
  build.missing_scales.push_back({"a", 1, SourcePos{0, 6, 0}});
  const Fallback f = only_fallback(std::move(build));
  EXPECT_EQ(f.why, "missing scale of tensor a");
  EXPECT_THAT(f.evidence, ElementsAre("build.log:6"));
}

TEST(FallbackReason, AMissingScaleReachesThroughAReformat) {
  Build build = one_wide_conv();
  build.layers.push_back(test::reformat("r", tensor("t", kI), tensor("a", kF), 0.1));
  build.missing_scales.push_back({"t", 1, SourcePos{0, 6, 0}});
  EXPECT_EQ(only_fallback(std::move(build)).why, "missing scale of tensor t");
  build = one_wide_conv();  // what reads it is a layer: that is the one
  build.layers.push_back(conv("narrow", {tensor("t", kI)}, tensor("a", kF), kI, 0.1));
  build.missing_scales.push_back({"t", 1, SourcePos{0, 6, 0}});
  EXPECT_THAT(only_fallback(std::move(build)).why, HasSubstr("unknown"));
}

TEST(FallbackReason, WhatLostItsRaceIsNotToBeQuantized) {
  Build build = one_wide_conv();
  build.layers[0].tactic_id = 7;
  build.autotuning = {race("Float(64,1) -> Float(64,1)", 3, 0.5, 7),
                      race("Half(64,1) -> Half(64,1)", 2, 0.9, 8)};
  const Analysis lost = test::analyze_build(build);
  const Finding* f = test::find(lost, "fp32-fallback");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->remedies.at(0), HasSubstr("Nothing to do"));
  build.autotuning.pop_back();
  const Analysis untried = test::analyze_build(build);
  f = test::find(untried, "fp32-fallback");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->remedies.at(0), Not(HasSubstr("Leave it")));
}

TEST(FallbackReason, WeightsWithoutQdq) {
  const Analysis a =
      test::analyze_layers({test::dequantize("dq", "x", "a", 0.1),
                            conv("wide", {tensor("a", kF)}, tensor("b", kF), kF, 0.5)});
  ASSERT_TRUE(a.fallbacks);
  ASSERT_EQ(a.fallbacks->size(), 1U);
  EXPECT_EQ(a.fallbacks->front().why,
            "weights without Q/DQ: its input is dequantized, its weights are FP32");
}

// An equal layer's race came from the timing cache: its times are those that the log shows for the
// first one.
Analysis with_equal_layer(std::int64_t channels) {
  Build build = one_wide_conv();
  build.layers[0].tactic_id = 7;
  build.layers.push_back(conv("equal", {tensor("d", kF, {8, channels, 7, 7})},
                              tensor("e", kF, {8, channels, 7, 7}), kF, 0.5));
  build.layers.back().tactic_id = 7;
  Autotune cached = race("Half(64,1) -> Half(64,1)", 0, std::nullopt, std::nullopt);
  cached.layer = "equal";
  build.autotuning = {race("Float(64,1) -> Float(64,1)", 3, 0.5, 7),
                      race("Half(64,1) -> Half(64,1)", 2, 0.3, 8), cached};
  return test::analyze_build(std::move(build));
}

TEST(FallbackReason, ACachedRaceIsThatOfAnEqualLayer) {
  const Analysis a = with_equal_layer(64);
  ASSERT_TRUE(a.fallbacks);
  ASSERT_EQ(a.fallbacks->size(), 2U);
  EXPECT_THAT(a.fallbacks->at(1).why,
              HasSubstr("not worth the conversions: a kernel reading FP16 took 0.300 ms against "
                        "0.500 ms"));
  EXPECT_THAT(a.fallbacks->at(1).why, HasSubstr("(timed for wide, which is equal)"));
  // Of another shape: nobody knows.
  EXPECT_THAT(with_equal_layer(32).fallbacks->at(1).why, HasSubstr("unknown: narrower formats"));
}

TEST(FallbackReason, Races) {
  const auto why = [](std::deque<Autotune> races, bool verbose) {
    Build build = one_wide_conv();
    build.is_verbose = verbose;
    build.layers[0].tactic_id = 7;
    build.autotuning = std::move(races);
    return only_fallback(std::move(build)).why;
  };
  const Autotune wide = race("Float(64,1) -> Float(64,1)", 3, 0.5, 7);
  EXPECT_EQ(why({}, false), "unknown: the build log is not verbose");
  Build without_log = one_wide_conv();
  without_log.has_log = without_log.is_verbose = false;
  EXPECT_EQ(only_fallback(std::move(without_log)).why, "unknown: no log of the build was given");
  EXPECT_EQ(why({}, true), "unknown: no race names it (equal layers are timed once)");
  EXPECT_EQ(why({wide}, true), "no narrower format was tried");
  EXPECT_EQ(why({wide, race("Half(64,1) -> Half(64,1)", 2, 0.9, 8)}, true),
            "lost the tactic race: the fastest kernel reading FP16 took 0.900 ms against 0.500 ms");
  EXPECT_THAT(why({wide, race("Half(64,1) -> Half(64,1)", 2, 0.3, 8)}, true),
              HasSubstr("not worth the conversions: a kernel reading FP16 took 0.300 ms against "
                        "0.500 ms"));
  EXPECT_THAT(why({wide, race("Half(64,1) -> Half(64,1)", 0, std::nullopt, std::nullopt)}, true),
              HasSubstr("unknown: narrower formats were offered, their times came from the timing "
                        "cache"));
  Autotune barren = race("Int8(64,1) -> Int8(64,1)", 0, std::nullopt, std::nullopt);
  barren.runners_without_tactics = 4;
  EXPECT_EQ(why({wide, barren}, true),
            "no implementation: narrower formats were offered, none could run");
  barren.runners_without_tactics = 0;
  barren.skipped = 2;
  EXPECT_EQ(why({wide, barren}, true),
            "no implementation: narrower formats were offered, none could run");
}

TEST(MissingScales, MatterWhenArithmeticFallsBack) {
  Build build =
      test::build_of({conv("int8", {tensor("x", kI)}, tensor("t", kF), kI, 0.1),
                      reformat("r", tensor("u", kI), tensor("v", kF), 0.05),
                      conv("wide", {tensor("t", kF), tensor("v", kF)}, tensor("o", kF), kF, 0.5),
                      reformat("out", tensor("o", kF), tensor("p", kI), 0.07),
                      conv("int8 too", {tensor("p", kI)}, tensor("h", kI), kI, 0.1)});
  build.missing_scales.push_back({"gone", 1, {}});
  build.missing_scales.push_back({"h", 1, {}});
  build.missing_scales.push_back({"t", 2, {}});
  build.missing_scales.push_back({"(Unnamed Layer* 3) [Constant]_output", 1, {}});
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_EQ(a.missing_scales.size(), 4U);
  const MissingScaleCost& first = a.missing_scales[0];
  EXPECT_EQ(first.tensor, "t");
  EXPECT_EQ(first.matters, true);
  EXPECT_THAT(first.layers, ElementsAre(0, 2));
  EXPECT_THAT(first.reformats, ElementsAre(1, 3));
  ASSERT_TRUE(first.time_ms);
  EXPECT_NEAR(*first.time_ms, 0.62, 1e-12);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(a.missing_scales[i].matters, false) << a.missing_scales[i].tensor;
    EXPECT_FALSE(a.missing_scales[i].time_ms);
  }
}

TEST(MissingScales, TwoTensorsOfOneLayerShareItsTime) {
  Build build =
      test::build_of({conv("wide", {tensor("s", kF), tensor("t", kF)}, tensor("o", kF), kF, 0.5),
                      conv("n", {tensor("o", kI)}, tensor("p", kI), kI, 0.5)});
  build.missing_scales.push_back({"s", 1, {}});
  build.missing_scales.push_back({"t", 1, {}});
  const Analysis a = test::analyze_build(std::move(build));
  double sum = 0;
  for (const MissingScaleCost& cost : a.missing_scales) sum += cost.time_ms.value_or(0);
  EXPECT_NEAR(sum, 0.5, 1e-12);
  const Finding* f = test::find(a, "missing-scale-hot-layer");
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value_or(0), 0.5, 1e-12);
}

Layer shaped(const std::string& name, DataType type, std::int64_t channels, double ms) {
  const std::vector<std::int64_t> dims = {8, channels, 7, 7};
  Layer l =
      conv(name, {tensor(name + " in", type, dims)}, tensor(name + " out", type, dims), type, ms);
  l.kernel = {3, 3};
  return l;
}

TEST(Gain, HoldsAgainstTheSameShapesInLess) {
  const Analysis a = test::analyze_layers(
      {shaped("wide", kF, 64, 1.0), shaped("fast", kI, 64, 0.2), shaped("slow", kI, 64, 0.3),
       shaped("half", kH, 64, 0.5), shaped("other shape", kI, 32, 0.01),
       reformat("r", tensor("wide out", kF), tensor("x", kI), 0.1), shaped("alone", kF, 16, 1.6)});
  const Graph g(a.build, a.verdicts);
  const WidthReasons reasons(a, g);
  const std::optional<Gain> gain = gain_of(a, g, reasons, {{0}, {5}, {}, 8, false});
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->low_ms, 0.6, 1e-12);
  EXPECT_NEAR(gain->high_ms, 0.9, 1e-12);
  EXPECT_EQ(gain->basis,
            "the same shapes in FP16 or INT8 elsewhere in this engine: 0.200 ms to 0.500 ms in "
            "place of these layers; no conversions around them (0.100 ms now)");
  EXPECT_FALSE(gain_of(a, g, reasons, {{6}, {}, {}, 8, true}));  // nothing narrower of that shape
  EXPECT_FALSE(gain_of(a, g, reasons, {{0, 6}, {}, {}, 8, true}));  // one of them has no twin
  EXPECT_FALSE(gain_of(a, g, reasons, {{}, {5}, {}, 8, false}));
  const std::optional<Gain> by_bytes = gain_of(a, g, reasons, {{6}, {}, {}, 8, false});
  ASSERT_TRUE(by_bytes);
  EXPECT_NEAR(by_bytes->low_ms, 0, 1e-12);
  EXPECT_NEAR(by_bytes->high_ms, 1.2, 1e-12);
  EXPECT_EQ(by_bytes->basis,
            "1 layer takes between what it takes now and its share of the bytes: 0.400 ms to "
            "1.600 ms");
}

TEST(Gain, PromisesNothingWhenTwinsAreNoFaster) {
  const Analysis a = test::analyze_layers({shaped("wide", kF, 64, 0.1), shaped("n", kI, 64, 0.2)});
  const Graph g(a.build, a.verdicts);
  EXPECT_FALSE(gain_of(a, g, WidthReasons(a, g), {{0}, {}, {}, 8, false}));
}

// Between the float output of a convolution with a residual input and a Q.
std::size_t reformats_of_residual(int in_a_row) {
  std::vector<Layer> layers = {
      conv("c", {tensor("a", kI), tensor("residual", kF)}, tensor("t0", kF), kI, 0.1)};
  for (int i = 0; i < in_a_row; ++i) {
    layers.push_back(reformat("r" + std::to_string(i), tensor("t" + std::to_string(i), kF),
                              tensor("t" + std::to_string(i + 1), kF), 0.01));
  }
  layers.push_back(test::quantize("q", "t" + std::to_string(in_a_row), "tq", 0.01));
  layers.push_back(conv("d", {tensor("tq", kI)}, tensor("y", kI), kI, 0.1));
  const Analysis a = test::analyze_layers(std::move(layers));
  return static_cast<std::size_t>(
      std::count_if(a.reformats.begin(), a.reformats.end(),
                    [](const ReformatEntry& entry) { return entry.is_of_residual; }));
}

TEST(Reformats, EightInARowAreOfAResidual) {
  EXPECT_EQ(reformats_of_residual(8), 9U);  // and the Q
  EXPECT_EQ(reformats_of_residual(9), 0U);
}

// To follow each of 24^8 ways would have no end.
TEST(Reformats, ParallelOnesAreWalkedOnce) {
  std::vector<Layer> layers = {
      conv("c", {tensor("a", kI), tensor("residual", kF)}, tensor("t", kF), kI, 0.1)};
  std::vector<Tensor> before = {tensor("t", kF)};
  for (int stage = 0; stage < 8; ++stage) {
    std::vector<Tensor> written;
    for (int i = 0; i < 24; ++i) {
      const std::string n = std::to_string(24 * stage + i);
      written.push_back(tensor("t" + n, kF));
      layers.push_back(reformat("r" + n, before[0], written.back(), 0.01));
      layers.back().inputs = before;
    }
    before = written;
  }
  layers.push_back(test::quantize("q", "t191", "tq", 0.01));
  layers.push_back(conv("d", {tensor("tq", kI)}, tensor("y", kI), kI, 0.1));
  const Analysis a = test::analyze_layers(std::move(layers));
  EXPECT_EQ(a.reformats.size(), 193U);
}

TEST(Reformats, NameWhoNeedsThem) {
  Build build =
      test::build_of({reformat("of input", tensor("image", kF), tensor("t0", kI), 0.2),
                      conv("int8", {tensor("t0", kI)}, tensor("t1", kI), kI, 1),
                      reformat("widen", tensor("t1", kI, {2, 3}), tensor("t2", kF, {2, 3}), 0.3),
                      conv("wide", {tensor("t2", kF)}, tensor("t3", kF), kF, 1),
                      reformat("layout", tensor("t3", kF), tensor("t4", kF), 0.1),
                      conv("wide too", {tensor("t4", kF)}, tensor("t5", kF), kF, 1)});
  test::add_io(build, tensor("image", kF), true);
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_EQ(a.reformats.size(), 3U);
  EXPECT_EQ(a.reformats[0].layer, 2U);  // most costly first
  EXPECT_EQ(cause_of(a, a.reformats[0]), "INT8 to FP32; wide (FP32)");
  EXPECT_EQ(a.reformats[0].bytes, 6 + 24);
  EXPECT_EQ(a.reformats[0].removable, true);
  EXPECT_EQ(a.reformats[0].caused_by, 3U);
  EXPECT_EQ(cause_of(a, a.reformats[1]), "FP32 to INT8; at the network's border");
  EXPECT_EQ(a.reformats[1].removable, false);
  EXPECT_EQ(cause_of(a, a.reformats[2]).substr(0, 11), "layout only");
  EXPECT_FALSE(a.reformats[2].removable);
}

// The Add writes float because it reads a float residual; the layer behind the Q does not want one.
TEST(Reformats, AreChargedToTheAddWhoseResidualHasNoQdq) {
  const auto cause = [](DataType residual, DataType behind) {
    const Analysis a = test::analyze_layers(
        {conv("add", {tensor("x", kI), tensor("r", residual)}, tensor("y", kH), kI, 1),
         test::quantize("q", "y", "z", 0.1, kH),
         conv("next", {tensor("z", kI)}, tensor("o", kI), behind, 1)});
    return cause_of(a, a.reformats.at(0));
  };
  EXPECT_EQ(cause(kH, kI),
            "unfused QuantizeLinear; the residual input of add (INT8) has no "
            "Q/DQ");
  EXPECT_EQ(cause(kI, kI), "unfused QuantizeLinear; next (INT8)");
  EXPECT_EQ(cause(kH, kF), "unfused QuantizeLinear; next (FP32)");
}

TEST(Reformats, InFrontOfAReshapeToAnOutputStandAtTheBorder) {
  const auto causes = [](double reshape_ms) {
    Build build = test::build_of(
        {conv("c", {tensor("x", kH)}, tensor("a", kH), kH, 1),
         reformat("r", tensor("a", kH), tensor("b", kF), 0.1),
         layer("reshape", "NoOp", {tensor("b", kF)}, {tensor("y", kF)}, reshape_ms)});
    test::add_io(build, tensor("y", kF), false);
    const Analysis a = test::analyze_build(std::move(build));
    return cause_of(a, a.reformats.at(0));
  };
  EXPECT_EQ(causes(0), "FP16 to FP32; at the network's border");
  EXPECT_EQ(causes(0.1), "FP16 to FP32; c (FP16)");
}

TEST(Reformats, AreChargedToTheReshapeOrRegionThatNeedsThem) {
  const auto causes = [](const char* type, DataType from, DataType to) {
    const Analysis a =
        test::analyze_layers({conv("c", {tensor("x", kH)}, tensor("a", from), kH, 1),
                              reformat("Reformatting CopyNode for Input Tensor 0 to next",
                                       tensor("a", from), tensor("b", to), 0.1),
                              layer("next", type, {tensor("b", to)}, {tensor("y", to)}, 0.1)});
    return cause_of(a, a.reformats.at(0));
  };
  EXPECT_EQ(causes("Shuffle", kH, kH), "layout only; next");
  EXPECT_EQ(causes("Myelin", kH, kF), "FP16 to FP32; next");
  EXPECT_EQ(causes("Myelin", kH, kI), "FP16 to INT8; c (FP16)");  // the neighbour is the wide one
  EXPECT_EQ(causes("Shuffle", kH, kF), "FP16 to FP32; c (FP16)");
}

TEST(Reformats, OfAnImplicitBatchMoveAllOfIt) {
  Layer c = conv("c", {tensor("x", kH, {4, 8, 8})}, tensor("a", kH, {4, 8, 8}), kH, 1);
  c.kernel = {3, 3};
  Build build = test::build_of(
      {c, reformat("r", tensor("a", kH, {4, 8, 8}), tensor("b", kF, {4, 8, 8}), 0.1)});
  EXPECT_EQ(test::analyze_build(build).reformats.at(0).bytes, std::nullopt);
  build.inference.batch = 32;
  EXPECT_EQ(test::analyze_build(build).reformats.at(0).bytes, 32 * 256 * 6);
}

TEST(Races, OneALayerThatOfTheEngineFirst) {
  Build build = one_wide_conv();
  build.layers[0].tactic_id = 7;
  Autotune slow = race("Float(1)", 2, 0.5, 7);
  slow.runner_up_ms = 0.6;
  build.autotuning = {race("Half(1)", 2, 0.1, 9), slow,
                      race("Int8(1)", 0, std::nullopt, std::nullopt)};
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_EQ(a.races.size(), 1U);
  EXPECT_EQ(a.races[0].chosen_ms, 0.5);
  ASSERT_TRUE(a.races[0].margin);
  EXPECT_NEAR(*a.races[0].margin, 0.2, 1e-12);
}

TEST(Totals, RowsAddUpToTheProfile) {
  const Analysis a =
      test::analyze_layers({conv("f", {tensor("a", kF)}, tensor("b", kF), kF, 0.6),
                            conv("h", {tensor("b", kH)}, tensor("c", kH), kH, 0.3),
                            reformat("r", tensor("c", kH), tensor("d", kF), 0.1),
                            conv("untimed", {tensor("d", kF)}, tensor("e", kF), kF, -1)});
  EXPECT_EQ(a.timed_layers, 3U);
  for (const auto* rows : {&a.by_precision, &a.by_type}) {
    double time = 0, share = 0;
    std::uint32_t layers = 0;
    for (const ShareRow& row : *rows) {
      time += row.time_ms;
      share += row.share;
      layers += row.layers;
    }
    EXPECT_NEAR(time, 1.0, 1e-12);
    EXPECT_NEAR(share, 1.0, 1e-12);
    EXPECT_EQ(layers, 4U);
  }
  ASSERT_EQ(a.by_precision.size(), 3U);
  EXPECT_EQ(a.by_precision[0].label, "FP32");
  EXPECT_EQ(a.by_precision[0].layers, 2U);
}

}  // namespace
}  // namespace trtlens::ledger_test
