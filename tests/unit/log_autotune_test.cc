// Tactic races: every dialect folds into the same record.
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::log_autotune_test {
namespace {

constexpr const char* kCombination =
    "*************** Autotuning format combination: Half(784,784,28,1) -> Half(25088,784,28,1) "
    "***************";

Build race(std::vector<std::string> lines) {
  lines.insert(lines.begin(), kCombination);
  return parse_log(library_lines(lines)).build();
}

const Autotune& only(const Build& build) {
  EXPECT_EQ(build.autotuning.size(), 1U);
  static const Autotune none;
  return build.autotuning.empty() ? none : build.autotuning.front();
}

TEST(Autotune, OneLineForm86) {
  const Build build = race({
      "--------------- Timing Runner: conv + relu (CaskConvolution[0x80000009])",
      "Tactic Name: sm80_a Tactic: 0x967f94e9db2001a8 Time: 0.75",
      "Tactic Name: sm80_b numSplitK: 1 numBuffers: 0 numKernels: 1 Tactic: 0x5b Time: 0.5",
      "Tactic Name: sm80_c Tactic: 0x01 Time: 0.625",
      "Tactic Name: sm80_d Tactic: 0x02 Time: inf",
      "conv (R[0x80000009]) profiling completed in 0.1 seconds. Fastest Tactic: 0x5b Time: 0.5",
      "Skipping CaskFlattenConvolution: No valid tactics for conv + relu",
      ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x5b",
  });
  const Autotune& record = only(build);
  EXPECT_EQ(record.layer, "conv + relu");
  EXPECT_EQ(record.format_combination, "Half(784,784,28,1) -> Half(25088,784,28,1)");
  EXPECT_EQ(record.chosen_runner, "CaskConvolution");
  EXPECT_EQ(record.chosen_name, "sm80_b");
  EXPECT_EQ(record.chosen_id, 0x5bU);
  EXPECT_DOUBLE_EQ(record.chosen_ms.value_or(0), 0.5);
  EXPECT_EQ(record.runner_up_name, "sm80_c");
  EXPECT_EQ(record.runner_up_id, 1U);
  EXPECT_DOUBLE_EQ(record.runner_up_ms.value_or(0), 0.625);
  EXPECT_EQ(record.timed, 3U);
  EXPECT_EQ(record.skipped, 1U);
  EXPECT_EQ(record.runners_without_tactics, 1U);
  EXPECT_EQ(record.pos.line, 1U);
  EXPECT_EQ(build.tactics_timed, 3U);
  EXPECT_EQ(build.tactics_skipped, 1U);
}

TEST(Autotune, TwoLineForm84) {
  const Build build = race({
      "--------------- Timing Runner: Conv-1 (CaskConvolution)",
      "Conv-1 Set Tactic Name: kernel_a Tactic: 0x0ebe499388e08286",
      "Tactic: 0x0ebe499388e08286 Time: 0.25",
      "Set Tactic Name: ampere_sgemm Tactic: 0x20457 numSplitK: 1 numBuffers: 0 numKernels: 1",
      "Tactic: 0x20457 Time: 0.5",
      "Fastest Tactic: 0x0ebe499388e08286 Time: 0.25",
      ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x0ebe499388e08286",
  });
  EXPECT_EQ(only(build).chosen_name, "kernel_a");
  EXPECT_EQ(only(build).runner_up_name, "ampere_sgemm");
  EXPECT_DOUBLE_EQ(only(build).chosen_ms.value_or(0), 0.25);
}

TEST(Autotune, ConvActPoolNamesAlone85) {
  const Build build = race({
      "--------------- Timing Runner: c (CaskConvActPool)",
      "Tactic Name: kIMMA_V1_TILE_32x64 ",
      "Tactic: 0x0000000000000001 Time: 0.5",
      "Tactic Name: kIMMA_V1_TILE_64x64 ",
      "Tactic: 0x0000000000000002 Time: 0.25",
      ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvActPool Tactic: 0x0000000000000002",
  });
  EXPECT_EQ(only(build).chosen_name, "kIMMA_V1_TILE_64x64");
  EXPECT_EQ(only(build).runner_up_name, "kIMMA_V1_TILE_32x64");
}

// 8.0 to 8.3 and 8.4.10: signed decimal; the same 64 bits as the hexadecimal form.
TEST(Autotune, DecimalIdsAreTheSameIds) {
  const Build build = race({
      "--------------- Timing Runner: c (CaskConvolution)",
      "c Set Tactic Name: k Tactic: -3908975881807046106",
      "Tactic: -3908975881807046106 Time: 0.5",
      "Tactic: 1002 Time: 0.7",
      ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: -3908975881807046106",
  });
  EXPECT_EQ(only(build).chosen_id, 0xc9c0872569525a26U);
  EXPECT_EQ(only(build).chosen_name, "k");
  EXPECT_EQ(only(build).runner_up_id, 0x3eaU);
  // Without a kernel's name the runner stands for it.
  EXPECT_EQ(only(build).runner_up_name, "CaskConvolution");
}

TEST(Autotune, LowerCaseTimeWithoutColon7) {
  const Build build = race({
      "--------------- Timing Runner: c (CudnnConvolution)",
      "c (scudnn) Set Tactic Name: volta_a",
      "Tactic: -9204333525109552344 time 0.5",
      "c (scudnn) Set Tactic Name: volta_b",
      "Tactic: 61 skipped. Scratch requested: 1145307136, available: 1048576",
      "Tactic: 5 time 0.75",
      ">>>>>>>>>>>>>>> Chose Runner Type: CudnnConvolution Tactic: -9204333525109552344",
  });
  EXPECT_EQ(only(build).chosen_name, "volta_a");
  EXPECT_EQ(only(build).skipped, 1U);
  // The name in front of the skipped tactic is not the next one's.
  EXPECT_EQ(only(build).runner_up_name, "CudnnConvolution");
}

TEST(Autotune, InfIsNoTime) {
  const Build build = race({
      "--------------- Timing Runner: c (Myelin[0x80000023])",
      "c (scudnn) Set Tactic Name: stale",
      "Tactic: 0x0 Time: inf",
      "c (R[0x23]) profiling completed in 0.29 seconds. Fastest Tactic: 0xd15ea5ed Time: inf",
      "Tactic: 0x1 Time: 0.5",
  });
  const Autotune& record = only(build);
  EXPECT_EQ(record.skipped, 1U);
  EXPECT_EQ(record.timed, 1U);
  EXPECT_TRUE(record.chosen_runner.empty());
  EXPECT_FALSE(record.chosen_ms.has_value());
  EXPECT_FALSE(record.chosen_id.has_value());
  EXPECT_EQ(record.runner_up_name, "Myelin");
}

TEST(Autotune, TheRunnerDecidesBetweenEqualIds) {
  const Build build = race({
      "--------------- Timing Runner: c (Slow)",
      "Tactic: 0x0 Time: 0.5",
      "--------------- Timing Runner: c (Fast)",
      "Tactic: 0x0 Time: 0.75",
      ">>>>>>>>>>>>>>> Chose Runner Type: Fast Tactic: 0x0",
  });
  EXPECT_DOUBLE_EQ(only(build).chosen_ms.value_or(0), 0.75);
  EXPECT_EQ(only(build).runner_up_name, "Slow");
  EXPECT_DOUBLE_EQ(only(build).runner_up_ms.value_or(0), 0.5);
}

TEST(Autotune, SkippingMessages) {
  const ParsedLog log = parse_log(
      library_lines({kCombination, "--------------- Timing Runner: c (Myelin)"}) +
      stamped("[W] [TRT] ", {"UNSUPPORTED_STATE: Skipping tactic 0 due to insufficient memory on "
                             "requested size of 2688 detected for tactic 0x0000000000000000.",
                             "UNSUPPORTED_STATESkipping tactic 0 due to insufficient memory"}) +
      stamped("[E] [TRT] ", {"Error Code: 9: Skipping tactic 0x0000000000000000 due to exception "
                             "[api_compile.cpp:4790: x]"}) +
      library_lines(
          {"Tactic: 0x0 Time: 0.5", ">>>>>>>>>>>>>>> Chose Runner Type: Myelin Tactic: 0x0"}));
  EXPECT_EQ(only(log.build()).skipped, 3U);
  EXPECT_EQ(log.build().tactics_skipped, 3U);
  EXPECT_EQ(log.build().messages.size(), 3U);
  EXPECT_FALSE(only(log.build()).runner_up_ms.has_value());
}

TEST(Autotune, CombinationsAreRecordsOfTheirOwn) {
  const ParsedLog log = parse_log(library_lines({
      "=============== Computing costs for a",
      kCombination,
      "--------------- Timing Runner: a (R)",
      "Tactic: 0x0 Time: 0.5",
      ">>>>>>>>>>>>>>> Chose Runner Type: R Tactic: 0x0",
      "*************** Autotuning format combination:  -> Float(1) ***************",
      "--------------- Timing Runner: a (R)",
      "R has no valid tactics for this config, skipping",
      "=============== Computing costs for b",
      "*************** Autotuning format combination: Int8(4,1) -> Int8(2,1) long-strided ***",
      "*************** Autotuning Reformat:Float(1,1) -> Half(1,1) ***************",
      "--------------- Timing Runner: Optimizer Reformat(x -> <out>) (Reformat)",
      "Tactic: 1002 Time: 0.5",
      "=============== Computing reformatting costs:",
  }));
  const std::deque<Autotune>& races = log.build().autotuning;
  ASSERT_EQ(races.size(), 3U);
  EXPECT_EQ(races[0].layer, "a");
  EXPECT_EQ(races[1].format_combination, " -> Float(1)");  // no input
  EXPECT_EQ(races[1].runners_without_tactics, 1U);
  EXPECT_EQ(races[1].timed, 0U);
  EXPECT_EQ(races[2].layer, "b");
  EXPECT_EQ(races[2].format_combination, "Int8(4,1) -> Int8(2,1) long-strided");
  EXPECT_EQ(log.build().tactics_timed, 2U);  // the reformat's is counted, but no record
}

TEST(Autotune, SymbolicStridesAndNamesWithParentheses) {
  const ParsedLog log = parse_log(library_lines({
      std::string("*************** Autotuning format combination: Float((* 512 E0),(# 1 (SHAPE ") +
          "x)),1) -> Float(1) where E0=(* (# 1 (SHAPE x)) 2) ***************",
      "--------------- Timing Runner: PWN(node_linear_1_5) (PointWiseV2[0x80000028])",
      "Tactic: 0x1c Time: 0.5",
      ">>>>>>>>>>>>>>> Chose Runner Type: PointWiseV2 Tactic: 0x1c",
  }));
  EXPECT_EQ(only(log.build()).layer, "PWN(node_linear_1_5)");
  EXPECT_EQ(only(log.build()).format_combination,
            "Float((* 512 E0),(# 1 (SHAPE x)),1) -> Float(1) where E0=(* (# 1 (SHAPE x)) 2)");
}

// 10.x with a timing cache: the winner is known, the race is not in the log.
TEST(Autotune, CachedResults) {
  const ParsedLog log = parse_log(library_lines({
      "=============== Computing costs for pool [2]",
      std::string("pool [2] [Float(25088,784,28,1) -> Float(6272,196,14,1)] got cached result: ") +
          "CaskPooling, tactic 0xdd39499496c9cc38, 0.00294885 ms",
      std::string("Optimizer Reformat(relu -> <out>) [Float(1) -> Half(1)] got cached result: ") +
          "Reformat, tactic 0x00000000000003e8, 0.00294288 ms",
  }));
  const Autotune& record = only(log.build());
  EXPECT_EQ(record.layer, "pool [2]");
  EXPECT_EQ(record.format_combination, "Float(25088,784,28,1) -> Float(6272,196,14,1)");
  EXPECT_EQ(record.chosen_runner, "CaskPooling");
  EXPECT_EQ(record.chosen_id, 0xdd39499496c9cc38U);
  EXPECT_DOUBLE_EQ(record.chosen_ms.value_or(0), 0.00294885);
  EXPECT_EQ(record.timed, 0U);
  EXPECT_FALSE(record.runner_up_ms.has_value());
  EXPECT_EQ(log.build().tactics_timed, 0U);
}

TEST(Autotune, ARaceCutOffIsKept) {
  const Build build = race({"--------------- Timing Runner: c (R)", "Tactic: 0x1 Time: 0.5"});
  EXPECT_EQ(only(build).layer, "c");
  EXPECT_EQ(only(build).timed, 1U);
}

// The engine's layer has the id only; the race knows the kernel's name.
TEST(Autotune, NothingWithoutItsHeadIsInvented) {
  const ParsedLog log = parse_log(library_lines({"Tactic: 0x1 Time: 0.5", kCombination}));
  EXPECT_TRUE(log.build().autotuning.empty());
  EXPECT_EQ(log.build().tactics_timed, 1U);
}

TEST(Autotune, TimeByTheRunnersAndByTheStamps) {
  const std::string combination = std::string("[V] [TRT] ") + kCombination + "\n";
  const auto log = [&](const char* began, const char* ended) {
    return std::string("[07/07/2026-") + began + "] " + combination + "[07/07/2026-" + began +
           "] [V] [TRT] --------------- Timing Runner: conv (CaskConvolution)\n[07/07/2026-" +
           ended + "] [V] [TRT] Tactic: 0x5b Time: 0.5\n[07/07/2026-" + ended +
           "] [V] [TRT] >>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x5b\n";
  };
  const Build build = parse_log(log("02:11:58", "02:12:03") + log("23:59:59", "00:00:01")).build();
  ASSERT_EQ(build.autotuning.size(), 2U);
  // The next race begins as late as its own stamp says, this one ended with its winner.
  EXPECT_EQ(build.autotuning[1].time.stamps_s, 2.0);  // over midnight
  EXPECT_FALSE(build.autotuning[0].time.runners_s);
  const Build odd = parse_log(log("02:11:58", "99:12:03")).build();
  EXPECT_EQ(only(odd).time.stamps_s, std::nullopt);  // 99 o'clock is no time
  const Build runners = race({"--------------- Timing Runner: conv (A[0x80000009])",
                              "Tactic Name: a Tactic: 0x5b Time: 0.5",
                              "conv (A[0x80000009]) profiling completed in 0.25 seconds. Fastest "
                              "Tactic: 0x5b Time: 0.5",
                              "conv (B[0x80000009]) profiling completed in 0.5 seconds. Fastest "
                              "Tactic: 0x5b Time: 0.5",
                              ">>>>>>>>>>>>>>> Chose Runner Type: A Tactic: 0x5b"});
  EXPECT_EQ(only(runners).time.runners_s, 0.75);
  EXPECT_EQ(only(runners).timed_ms, 0.5);
}

TEST(Autotune, SkipsByReason) {
  const Build build = race({
      "--------------- Timing Runner: conv (CaskConvolution)",
      "Tactic: 0x01 Time: inf",
      "Tactic: 0x02 skipped. Scratch requested: 7527202816, available: 10",
      "Fast skip Tactic:0x4efce38acc876f5c which exceed time limit during pre-run",
      "Skipping tactic 3 due to insufficient memory on requested size of 2243 detected for tactic "
      "4.",
      "UNSUPPORTED_STATE: Skipping tactic 0x05 due to exception Cask convolution execution",
      "Skipping tactic 0x06 due to something else",
      "9: Skipping tactic 0x0000000000000000 due to exception in Myelin",
  });
  using Counts = std::array<std::uint64_t, kSkipReasons>;
  EXPECT_EQ(build.tactics_skipped_for, (Counts{2, 2, 1, 1, 1}));
  EXPECT_EQ(only(build).skipped, 7U);
}

// As in JSON: from 0 to 30 years.
TEST(Autotune, TimesThatNoClockGivesAreNone) {
  const ParsedLog log = parse_log(library_lines(
      {kCombination, "--------------- Timing Runner: conv (CaskConvolution[0x80000009])",
       "Tactic: 0x01 Time: -5", "Tactic: 0x02 Time: 1e308", "Tactic: 0x03 Time: 0.5",
       "Tactic: 0x04 Time: 1e12", "Tactic: 0x05 Time: 0",
       "conv (A[0x80000009]) profiling completed in 1e308 seconds. Fastest Tactic: 0x5b Time: 0.5",
       "conv (A[0x80000009]) profiling completed in -1 seconds. Fastest Tactic: 0x5b Time: 0.5",
       "conv (A[0x80000009]) profiling completed in 0.5 seconds. Fastest Tactic: 0x5b Time: 0.5",
       ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x02",
       "pool [Float(1,1) -> Float(1,1)] got cached result: CaskPooling, tactic 0x7, 1e13 ms",
       "pool [Float(1,1) -> Float(1,1)] got cached result: CaskPooling, tactic 0x7, -1 ms"}));
  ASSERT_EQ(log.build().autotuning.size(), 3U);
  const Autotune& race = log.build().autotuning[0];
  EXPECT_EQ(race.chosen_ms, std::nullopt);
  EXPECT_EQ(race.runner_up_id, 5U);
  EXPECT_EQ(race.timed, 3U);
  EXPECT_EQ(log.build().tactics_skipped_for[static_cast<std::size_t>(SkipReason::no_time)], 2U);
  EXPECT_EQ(race.timed_ms, 1e12 + 0.5);
  EXPECT_EQ(race.time.runners_s, 0.5);
  EXPECT_EQ(log.build().autotuning[1].chosen_ms, std::nullopt);
  EXPECT_EQ(log.result.impossible_numbers, 6U);
}

TEST(Autotune, ReformatsHaveNoRaceButTheirTime) {
  const Build build =
      parse_log(library_lines({"*************** Autotuning Reformat: Float(1,1) -> Half(1,1) "
                               "***************",
                               "--------------- Timing Runner: Optimizer Reformat(a -> <out>) "
                               "(Reformat[0x80000006])",
                               "Tactic: 0x3e8 Time: 0.25",
                               "Optimizer Reformat(a -> <out>) (Reformat[0x80000006]) profiling "
                               "completed in 0.5 seconds. Fastest Tactic: 0x3e8 Time: 0.25"}))
          .build();
  EXPECT_TRUE(build.autotuning.empty());
  EXPECT_EQ(build.reformat_tuning.races, 1U);
  EXPECT_EQ(build.reformat_tuning.time.runners_s, 0.5);
}

}  // namespace
}  // namespace trtlens::log_autotune_test
