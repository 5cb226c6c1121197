// What `trtlens watch` says of a build while its log comes in.
#include "report/cli/watch/live_build.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzers/rules/rule.h"
#include "parsers/log/framing/clock.h"
#include "parsers/log/log_parser.h"
#include "report/cli/watch/live_text.h"
#include "report/formats/escape.h"

namespace trtlens::live_build_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// A log that comes in by pieces.
class Log {
 public:
  // At second `s` of its stamps.
  void at(int s, const std::string& body) {
    feed(fmt::format("[11/21/2026-13:{:02}:{:02}] [V] [TRT] {}\n", s / 60, s % 60, body));
  }
  void feed(const std::string& text) {
    parser_.feed(text);
    parser_.so_far([&](const LogSoFar& log) { live_.take(log, now_s); });
  }
  [[nodiscard]] LiveState state() const { return live_.state(now_s); }

  double now_s = 0;

 private:
  LogParser parser_ = LogParser(0);
  LiveBuild live_ = LiveBuild(AnalyzeOptions());
};

void race(Log& log, int s, const std::string& layer, double ms) {
  log.at(s, "=============== Computing costs for ");
  log.at(s,
         "*************** Autotuning format combination: Half(8,1) -> Half(8,1) ***************");
  log.at(s, fmt::format("--------------- Timing Runner: {} (CaskConvolution)", layer));
  log.at(s, fmt::format("{} Set Tactic Name: kernel_of_{} Tactic: 0x0000000000000001", layer,
                        layer.back()));
  log.at(s, fmt::format("Tactic: 0x0000000000000001 Time: {}", ms));
  log.at(s, ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x0000000000000001");
}

TEST(LiveBuild, NamesTheStageAndTheLayerOfAtMost) {
  Log log;
  EXPECT_EQ(stage_text(log.state()), "waiting for a line of TensorRT");
  log.at(0, "Original: 9 layers");
  EXPECT_EQ(stage_text(log.state()), "optimizing the graph");
  log.at(0, "After vertical fusions: 7 layers");
  race(log, 1, "/a/Conv", 0.5);
  EXPECT_EQ(stage_text(log.state()), "timing tactics, layer 1 of at most 7");
  race(log, 2, "/b/Conv", 0.25);
  EXPECT_EQ(stage_text(log.state()), "timing tactics, layer 2 of at most 7");
  log.at(3, "Formats and tactics selection completed in 2 seconds.");
  log.at(3, "After reformat layers: 12 layers");
  EXPECT_EQ(stage_text(log.state()), "finishing the engine");
  // Another network, such as that of a calibration.
  log.at(4, "Original: 3 layers");
  race(log, 5, "/a/Conv", 0.5);
  EXPECT_EQ(stage_text(log.state()), "timing tactics, layer 1 of at most 3");
}

// One profile after the other times the same layers.
TEST(LiveBuild, BeginsAnewForEveryProfile) {
  Log log;
  log.at(0, "Original: 2 layers");
  race(log, 1, "/a/Conv", 0.5);
  race(log, 2, "/b/Conv", 0.5);
  log.at(3, "Formats and tactics selection completed in 2 seconds.");
  race(log, 4, "/a/Conv", 0.5);
  EXPECT_EQ(stage_text(log.state()), "timing tactics, layer 1 of at most 2");
  race(log, 5, "/b/Conv", 0.5);
  race(log, 6, "/c/Conv", 0.5);
  EXPECT_EQ(stage_text(log.state()), "timing tactics, layer 3") << "more than the log said";
}

TEST(LiveBuild, NamesTheSlowestLayersAndTheLongestRaces) {
  Log log;
  log.at(0, "Original: 9 layers");
  race(log, 1, "/a/Conv", 0.5);
  race(log, 2, "/b/Conv", 2);
  log.at(12,
         "*************** Autotuning format combination: Int8(8,1) -> Half(8,1) ***************");
  log.at(12, "--------------- Timing Runner: /b/Conv (CaskConvolution)");
  log.at(12, "Tactic: 0x0000000000000002 Time: 0.75");
  log.at(12, ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x0000000000000002");
  race(log, 14, "/c/Conv", 9);
  const LiveState state = log.state();
  ASSERT_THAT(state.slowest, SizeIs(2)) << "c may find a faster one";
  EXPECT_EQ(state.slowest[0].label, "b.Conv");
  EXPECT_EQ(state.slowest[0].best_ms, 0.75) << "the fastest of its combinations";
  EXPECT_EQ(state.slowest[1].label, "a.Conv");
  EXPECT_EQ(state.slowest[1].tactic, "kernel_of_v");
  ASSERT_THAT(state.longest, SizeIs(2));
  EXPECT_EQ(state.longest[0].label, "b.Conv");
  EXPECT_EQ(state.longest[0].tuning_s, 12) << "from 2 to 12, and to 14";
  EXPECT_EQ(state.longest[0].tactics, 2U);
}

TEST(LiveBuild, LabelsFusedLayersByTheirNodes) {
  Log log;
  log.at(0, "Original: 9 layers");
  race(log, 1, "PWN(/blocks.0/Add + /blocks.0/Relu)", 0.5);
  EXPECT_EQ(log.state().now, "blocks.0.Add + Relu");
}

TEST(LiveBuild, CountsTimeByTheStampsAndGoesOnBetweenThem) {
  Log log;
  log.now_s = 100;
  log.at(10, "Original: 9 layers");
  log.now_s = 100.5;
  log.at(70, "After vertical fusions: 7 layers");
  EXPECT_EQ(log.state().elapsed_s, 60);
  log.now_s = 105.5;
  EXPECT_EQ(log.state().elapsed_s, 65) << "no line came for 5 s";
}

TEST(LiveBuild, CountsTimeByItsOwnClockWithoutStamps) {
  Log log;
  log.now_s = 100;
  log.feed("[V] [TRT] Original: 9 layers\n");
  log.now_s = 107;
  log.feed("[V] [TRT] After vertical fusions: 7 layers\n");
  EXPECT_EQ(log.state().elapsed_s, 7);
}

TEST(LiveBuild, TellsAProblemAsSoonAsItsLineIsThere) {
  Log log;
  log.at(0, "Original: 9 layers");
  EXPECT_THAT(log.state().problems, IsEmpty());
  log.feed(
      "[11/21/2026-13:00:01] [E] Error[4]: [network.cpp::validate::2789] Error Code 4: Internal "
      "Error "
      "(input: dynamic input is missing dimensions in profile 0.)\n");
  ASSERT_THAT(log.state().problems, SizeIs(1));
  EXPECT_EQ(log.state().problems[0].severity, "FATAL");
  EXPECT_THAT(log.state().problems[0].title, Not(IsEmpty()));
  log.feed(
      "[11/21/2026-13:00:01] [E] Error[4]: [network.cpp::validate::2789] Error Code 4: Internal "
      "Error "
      "(input: dynamic input is missing dimensions in profile 0.)\n");
  EXPECT_THAT(log.state().problems, SizeIs(1)) << "once";
}

std::string missing_scale(const std::string& tensor) {
  return "[11/21/2026-13:00:01] [W] [TRT] Missing scale and zero-point for tensor " + tensor +
         ", expect fall back to non-int8 implementation for any layer consuming or producing given "
         "tensor\n";
}

// Once: a network without calibration names hundreds.
TEST(LiveBuild, TellsTheFirstTensorWithoutScale) {
  Log log;
  log.at(0, "Original: 9 layers");
  log.feed(missing_scale("(Unnamed Layer* 48) [Constant]_output"));
  EXPECT_THAT(log.state().problems, IsEmpty()) << "a constant needs none";
  log.feed(missing_scale("/layer2/conv1/Conv_output_0") + missing_scale("/layer3/relu"));
  ASSERT_THAT(log.state().problems, SizeIs(1));
  EXPECT_EQ(log.state().problems[0].severity, "MODERATE");
  EXPECT_EQ(log.state().problems[0].title,
            "Tensor layer2.conv1.Conv_output_0 has no scale: its layers may stay out of INT8");
}

// That the log ends, or that it says nothing of its failure, is known at its end only.
TEST(LiveBuild, TellsNoProblemThatOnlyTheEndShows) {
  Log log;
  log.at(0, "Original: 9 layers");
  log.feed("[11/21/2026-13:00:01] [E] something that no rule knows of\n");
  EXPECT_THAT(log.state().problems, IsEmpty());
}

TEST(LiveBuild, SaysWhatTheLayersWillTake) {
  Log log;
  log.at(0, "Original: 20 layers");
  for (int i = 0; i < 5; ++i) race(log, 10 * i, fmt::format("/a{}/Conv", i), 1);
  EXPECT_EQ(left_text(log.state()), "time left unknown") << "four layers are done";
  race(log, 50, "/b/Conv", 1);
  // The names are not in the network: there may be one layer left, or fifteen.
  EXPECT_EQ(left_text(log.state()), "probably 10 s to 2 min 30 s left");
  log.now_s = 4;
  EXPECT_EQ(left_text(log.state()), "probably 5 s to 2 min 30 s left");
}

// As coarse as it is uncertain, and never shorter than the estimate.
TEST(LiveBuild, TimeLeftIsRounded) {
  const auto text = [](double low_s, double high_s) {
    LiveState state;
    state.left_s = SecondsRange{low_s, high_s};
    return left_text(state);
  };
  EXPECT_EQ(text(4.9, 55.1), "probably at most 1 min left");
  EXPECT_EQ(text(5, 60), "probably 5 s to 1 min left");
  EXPECT_EQ(text(5, 60.1), "probably 5 s to 1 min 10 s left");
  EXPECT_EQ(text(0, 599), "probably at most 10 min left");
  EXPECT_EQ(text(119, 601), "probably 1 min 50 s to 11 min left");
  EXPECT_EQ(text(3599, 3600), "probably 59 min to 1 h left");
  EXPECT_EQ(text(3600, 3601), "probably 1 h to 1 h 10 min left");
  EXPECT_EQ(text(20, 20), "probably about 20 s left");
  EXPECT_EQ(text(0, 0.1), "probably at most 5 s left");
}

TEST(LiveBuild, KnowsFromTheNetworkHowMuchIsLeft) {
  Log log;
  for (int i = 0; i < 10; ++i) log.at(0, fmt::format("Parsing node: /a{}/Conv [Conv]", i));
  log.at(0, "Original: 30 layers");
  for (int i = 0; i < 6; ++i) race(log, 10 * i, fmt::format("/a{}/Conv", i), 1);
  // Five of ten nodes are passed after five layers: five are left, of at most 25.
  EXPECT_EQ(left_text(log.state()), "probably 50 s to 4 min 10 s left");
}

TEST(Pace, AllowsForLayersThatDiffer) {
  Pace same, different;
  double now_s = 0;
  for (std::uint64_t i = 1; i <= 11; ++i) {
    same.layer_begun(i, 10 * static_cast<double>(i));
    different.layer_begun(i, now_s);
    now_s += i % 2 == 0 ? 19 : 1;
  }
  const auto narrow = same.remaining(20, 0.5, 110);
  ASSERT_TRUE(narrow);
  EXPECT_DOUBLE_EQ(narrow->low_s, 100);
  EXPECT_DOUBLE_EQ(narrow->high_s, 100);
  const auto wide = different.remaining(20, 0.5, now_s - 1);
  ASSERT_TRUE(wide);
  EXPECT_LT(wide->low_s, 50);
  EXPECT_GT(wide->high_s, 150);
}

TEST(Pace, SaysNothingThatItCannotKnow) {
  Pace pace;
  for (std::uint64_t i = 1; i <= 6; ++i) pace.layer_begun(i, static_cast<double>(i));
  EXPECT_TRUE(pace.remaining(10, std::nullopt, 6));
  EXPECT_FALSE(pace.remaining(5, std::nullopt, 6)) << "more layers than the graph has";
  EXPECT_FALSE(pace.remaining(10, std::nullopt, 600)) << "this layer is like none before it";
}

TEST(LogClock, AddsUpOverMidnightAndTables) {
  LogClock clock;
  clock.read("no stamp\n[11/21/2026-23:59:50] [I] a\nName: x\n");
  EXPECT_EQ(clock.elapsed_s(), 0);
  clock.read("[11/22/2026-00:00:05] [I] b\nName: y\nName: z\n");
  EXPECT_EQ(clock.elapsed_s(), 15);
  clock.read("[11/22/2026-00:00:03] [I] of another stream\n");
  EXPECT_EQ(clock.elapsed_s(), 15);
}

TEST(LiveText, LeavesNoOrderToTheTerminal) {
  LiveState state;
  state.stage = "timing tactics";
  state.is_timing = true;
  state.layer = 1;
  state.now = "\x1b[2J\x1b]0;title\x07 a\r\nb";
  state.runner =
      "\x9b"
      "31m";
  state.slowest = {{state.now, 1.0, state.now, 1, 1}};
  state.longest = state.slowest;
  const std::vector<std::string> lines = screen_lines(state, 100, 30);
  for (const std::string& line : lines) {
    EXPECT_EQ(visible(line), line);
    EXPECT_LE(display_width(line), 100U);
  }
  EXPECT_THAT(lines, Contains(HasSubstr("\\x1b[2J")));
}

// A runner that gives a job a terminal reads what is drawn there.
TEST(LiveText, LeavesNoOrderToARunner) {
  LiveState state;
  state.is_timing = true;
  state.layer = 1;
  state.now = "##[error]now";
  state.runner = "##vso[task.x]";
  state.slowest = {{"::error::slow", 1.0, "##teamcity[x]", 1, 1}, {"plain", 1.0, "t", 1, 1}};
  const std::vector<std::string> lines = screen_lines(state, 100, 30);
  for (const std::string& line : lines) EXPECT_EQ(without_runner_commands(line), line);
  EXPECT_THAT(lines, Contains(HasSubstr("now \\x23#[error]now, \\x23#vso[task.x]")));
  const auto hostile = std::ranges::find_if(
      lines, [](const std::string& line) { return line.starts_with("  \\x3a:error::slow"); });
  ASSERT_NE(hostile, lines.end());
  EXPECT_EQ(hostile->find("1.0000"), (hostile + 1)->find("1.0000"));  // columns stay
}

TEST(LiveText, FitsTheTerminal) {
  LiveState state;
  state.is_timing = true;
  state.now = std::string(300, 'n');
  state.runner = "r";
  state.slowest = {{std::string(300, 'l'), 1.0, std::string(300, 't'), 1, 1}};
  for (const std::size_t width : {1U, 10U, 20U, 59U, 200U}) {
    for (const std::string& line : screen_lines(state, width, 30)) {
      EXPECT_LE(display_width(line), width);
    }
  }
  EXPECT_THAT(screen_lines(state, 80, 2), SizeIs(2));
}

TEST(LiveText, BreaksProblemsBetweenWords) {
  const LiveProblem problem{"FATAL", "No INT8 kernel for ##[error] a grouped convolution", "r"};
  EXPECT_THAT(problem_lines(problem, 40), ElementsAre("trtlens: FATAL: No INT8 kernel for",
                                                      "  \\x23#[error] a grouped convolution"));
}

// Names have the room that they need, up to two thirds.
TEST(LiveText, ColumnsAreAsWideAsTheirNames) {
  LiveState state;
  state.slowest = {{"features.2.conv.0.0 + features.2.conv.0.2.Clip", 1.0, std::string(90, 't')}};
  state.longest = {{"conv1", 1.0, "t", 7, 371}};
  const std::vector<std::string> lines = screen_lines(state, 100, 30);
  EXPECT_THAT(lines,
              Contains(HasSubstr("  features.2.conv.0.0 + features.2.conv.0.2.Clip    1.00")));
  EXPECT_THAT(lines, Contains("  conv1" + std::string(50, ' ') + "7  371"));
  for (const std::string& line : screen_lines(state, 60, 30)) EXPECT_LE(display_width(line), 60U);
}

TEST(LiveText, WritesDurations) {
  EXPECT_EQ(duration_text(59.9), "59 s");
  EXPECT_EQ(duration_text(60), "1 min 0 s");
  EXPECT_EQ(duration_text(3599), "59 min 59 s");
  EXPECT_EQ(duration_text(3840), "1 h 4 min");
}

}  // namespace
}  // namespace trtlens::live_build_test
