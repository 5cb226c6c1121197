// Tactic races: coin-flips, kernels of other types, time by layer.
#include <gtest/gtest.h>

#include "analyzers/ledgers/ledgers.h"
#include "tests/unit/build_maker.h"

namespace trtlens::ledger_races_test {
namespace {

using test::conv;
using test::tensor;

constexpr DataType kH = DataType::fp16;

Autotune race(std::string formats, double chosen_ms, std::uint64_t chosen, double runner_up_ms,
              std::uint64_t runner_up) {
  Autotune r;
  r.layer = "conv";
  r.format_combination = std::move(formats);
  r.chosen_runner = "CaskConvolution";
  r.chosen_name = "kernel_" + std::to_string(chosen);
  r.chosen_id = chosen;
  r.chosen_ms = chosen_ms;
  r.runner_up_name = "kernel_" + std::to_string(runner_up);
  r.runner_up_id = runner_up;
  r.runner_up_ms = runner_up_ms;
  r.timed = 2;
  return r;
}

Analysis with_races(std::deque<Autotune> races) {
  Build build = test::build_of({conv("conv", {tensor("a", kH)}, tensor("b", kH), kH, 0.5)});
  build.layers[0].tactic_id = 1;
  build.has_log = build.is_verbose = true;
  build.autotuning = std::move(races);
  return test::analyze_build(std::move(build));
}

TEST(TypesOfCombination, AreThoseOfTheTensorsWithoutTheirLayouts) {
  EXPECT_EQ(types_of_combination("Half(802816,1:8,7168,64) -> Float(25088,784,28,1)"),
            "FP16 -> FP32");
  EXPECT_EQ(types_of_combination("Int8(1,1), Int8(1,1) -> Half(1,1)"), "INT8 -> FP16");
  EXPECT_EQ(types_of_combination("Half(1,1), Float(1,1) -> Half(1,1)"), "FP16, FP32 -> FP16");
  EXPECT_EQ(types_of_combination("Half((* 2 E0),1) -> Float((* 2 E0),1)"), "FP16 -> FP32");
  EXPECT_EQ(types_of_combination("Odd(1) -> Half(1)"), "Odd -> FP16");
  EXPECT_EQ(types_of_combination(""), "");
}

TEST(Races, WithinTwoPercentAreCoinFlips) {
  const Analysis close = with_races({race("Half(1) -> Half(1)", 1.0, 1, 1.019, 2)});
  ASSERT_EQ(close.races.size(), 1U);
  EXPECT_TRUE(close.races[0].coin_flip);
  EXPECT_EQ(close.race_ledger.coin_flips, 1U);
  EXPECT_EQ(close.race_ledger.coin_flip_ms, 0.5);  // of the profile, not of the race
  const Analysis clear = with_races({race("Half(1) -> Half(1)", 1.0, 1, 1.021, 2)});
  EXPECT_EQ(clear.race_ledger.coin_flips, 0U);
  EXPECT_FALSE(clear.race_ledger.coin_flip_ms);
}

TEST(Races, OfOneKernelAgainstItselfAreNoCoinFlips) {
  EXPECT_EQ(with_races({race("Half(1) -> Half(1)", 1.0, 1, 1.0, 1)}).race_ledger.coin_flips, 0U);
}

TEST(Races, NameTheFastestKernelOfEveryOtherCombinationOfTypes) {
  const Analysis a = with_races({race("Half(1) -> Half(1)", 0.50, 1, 0.6, 2),
                                 race("Half(1:8) -> Half(1:8)", 0.55, 3, 0.6, 4),
                                 race("Int8(1:4) -> Int8(1:4)", 0.40, 5, 0.6, 6),
                                 race("Int8(1:32) -> Int8(1:32)", 0.30, 7, 0.6, 8),
                                 race("Float(1) -> Float(1)", 1.50, 9, 1.6, 10)});
  ASSERT_EQ(a.races.size(), 1U);
  EXPECT_EQ(a.races[0].types, "FP16 -> FP16");  // of the tactic that the engine has
  const std::vector<Alternative>& others = a.race_ledger.alternatives;
  ASSERT_EQ(others.size(), 2U);
  EXPECT_EQ(others[0].types, "INT8 -> INT8");
  EXPECT_EQ(others[0].ms, 0.30);
  EXPECT_EQ(others[0].tactic, "kernel_7");
  EXPECT_EQ(others[0].format_combination, "Int8(1:32) -> Int8(1:32)");
  EXPECT_EQ(others[1].types, "FP32 -> FP32");
}

TEST(BuildTimeLedger, PutsTheLayerThatTookLongestFirst) {
  Autotune quick = race("Half(1) -> Half(1)", 0.5, 1, 0.6, 2);
  quick.timed_ms = 9;
  quick.time.stamps_s = 1;
  Autotune slow = race("Half(1) -> Half(1)", 0.5, 1, 0.6, 2);
  slow.layer = "slow";
  slow.timed_ms = 3;
  slow.time.stamps_s = 2;
  Autotune again = slow;
  again.timed = 5;
  const Analysis a = with_races({quick, slow, again});
  const BuildTime& time = a.build_time;
  EXPECT_EQ(time.clock, TuningClock::stamps);
  ASSERT_EQ(time.layers.size(), 2U);
  EXPECT_EQ(time.layers[0].layer, "slow");
  EXPECT_EQ(time.layers[0].s, 4.0);
  EXPECT_EQ(time.layers[0].timed, 7U);
  EXPECT_EQ(time.layers[0].combinations, 2U);
  EXPECT_EQ(time.layers_s, 5.0);
  // Seconds of runners say more than stamps.
  quick.time.runners_s = 0.25;
  const Analysis exact = with_races({quick, slow});
  EXPECT_EQ(exact.build_time.clock, TuningClock::runners);
  EXPECT_EQ(exact.build_time.layers_s, 0.25);
  // Without either the sum of the times decides.
  quick.time = slow.time = TuningTime();
  const Analysis none = with_races({slow, quick});
  EXPECT_EQ(none.build_time.clock, TuningClock::none);
  EXPECT_EQ(none.build_time.layers[0].layer, "conv");
  EXPECT_FALSE(none.build_time.layers_s);
}

TEST(BuildTimeLedger, SaysWhereAnUnfinishedBuildStands) {
  Build build;
  build.has_log = build.is_verbose = true;
  build.outcome = Outcome::truncated;
  build.graph_layers = 24;
  build.autotuning = {race("Half(1) -> Half(1)", 0.5, 1, 0.6, 2)};
  build.last_timed = TimingCursor();
  build.last_timed->layer = "next";
  const Analysis a = test::analyze_build(build);
  ASSERT_TRUE(a.build_time.progress);
  EXPECT_EQ(a.build_time.progress->stage, "timing tactics");
  EXPECT_EQ(a.build_time.progress->layer, "next");
  EXPECT_EQ(a.build_time.progress->layers_done, 2U);
  EXPECT_EQ(a.build_time.progress->layers, 24U);
  build.outcome = Outcome::passed;
  EXPECT_FALSE(test::analyze_build(build).build_time.progress);
}

TEST(BuildTimeLedger, TellsTheStageFromWhatIsKnown) {
  const auto stage = [](auto change) {
    Build build;
    build.has_log = true;
    build.outcome = Outcome::truncated;
    change(build);
    const Analysis a = test::analyze_build(build);
    return a.build_time.progress ? a.build_time.progress->stage : "";
  };
  EXPECT_EQ(stage([](Build&) {}), "");  // a few pasted lines
  EXPECT_EQ(stage([](Build& b) { b.command = "trtexec --onnx=m.onnx"; }), "starting");
  EXPECT_EQ(stage([](Build& b) {
              b.command = "trtexec --loadEngine=m.engine";
              b.options.flags = {{"loadEngine", "m.engine"}};
            }),
            "");
  EXPECT_EQ(stage([](Build& b) { b.onnx_nodes.emplace_back(); }), "parsing the network");
  EXPECT_EQ(stage([](Build& b) { b.graph_layers = 3; }), "optimizing the graph");
  EXPECT_EQ(stage([](Build& b) { b.stages = {{"engine generation", 3}}; }), "finishing the engine");
  EXPECT_EQ(stage([](Build& b) { b.engine_build_s = 3; }), "after the engine was built");
  EXPECT_EQ(stage([](Build& b) { b.trace.emplace_back(); }), "timing the engine");
}

// The same kernel wins for several combinations: types first, then layouts, then time.
TEST(Races, OfAKernelThatWonTwiceIsTheOneWithTheEnginesFormats) {
  const auto chosen = [](const char* format) {
    Build build = test::build_of({conv("conv", {tensor("a", kH)}, tensor("b", kH), kH, 0.5)});
    build.layers[0].tactic_id = 1;
    build.layers[0].inputs[0].format = build.layers[0].outputs[0].format = format;
    build.has_log = build.is_verbose = true;
    build.autotuning = {race("Float(49,7,1) -> Float(49,7,1)", 0.1, 1, 0.2, 2),
                        race("Half(49,7,1) -> Half(49,7,1)", 0.3, 1, 0.4, 2),
                        race("Half(8,1:8,56,8) -> Half(8,1:8,56,8)", 0.4, 1, 0.5, 2)};
    return test::analyze_build(std::move(build)).races.at(0).chosen_ms;
  };
  EXPECT_EQ(chosen("Row major linear FP16 format"), 0.3);
  EXPECT_EQ(chosen("Channel major FP16 format where channel % 8 == 0"), 0.4);
}

}  // namespace
}  // namespace trtlens::ledger_races_test
