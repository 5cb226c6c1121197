// 11.1's tuning loop: what its log says of the iterations, and how that joins the tuner's cache.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/join/join.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_tuning_test {
namespace {

const std::string kName = "TensorRT.trtexec [TensorRT v110100] [b106] # trtexec --onnx=m.onnx";

std::string begin_of(int i, const std::string& route) {
  const std::string n = std::to_string(i);
  return "\n&&&& TASK_BEGIN [iter=" + n + "] BuildRoute = '" + route + "'\n" +
         own_lines({"Tuning iteration [" + n + "]: " + route});
}
std::string end_of(int i, const std::string& route, const std::string& word) {
  return "&&&& TASK_" + word + " [iter=" + std::to_string(i) + "] BuildRoute = '" + route + "'\n\n";
}
std::string child(int i, const std::string& route, const std::string& median,
                  const std::string& status) {
  const std::string name = kName + " --setBuildRoute=" + route +
                           " --tuningResultFile=/tmp/trtexec_tuning_7_iter" + std::to_string(i) +
                           ".json\n";
  std::string text = "&&&& RUNNING " + name;
  if (!median.empty()) {
    text += own_lines({"=== Performance summary ===", "Throughput: 1000 qps",
                       "GPU Compute Time: min = 0.01 ms, max = 1 ms, mean = 0.5 ms, median = " +
                           median + " ms, percentile(99%) = 1 ms"});
  }
  return text + "&&&& " + status + " " + name;
}

std::string loop() {
  return "&&&& RUNNING " + kName + " --tuneBuildRoutes=x\n" +
         own_lines({"Expanded to 12 build route configurations", "Tuning phase1: 3 iterations."}) +
         begin_of(0, "-a=on -b=off") + child(0, "-a=on -b=off", "0.031", "PASSED") +
         end_of(0, "-a=on -b=off", "END") + begin_of(1, "-c=d") + child(1, "-c=d", "", "FAILED") +
         end_of(1, "-c=d", "ABORT") +
         stamped("[W] ", {"Iteration [1] failed: child exited with status 1"}) +
         begin_of(2, "-e=f") + child(2, "-e=f", "0.05", "PASSED") + end_of(2, "-e=f", "END") +
         own_lines({"Tuning timeout reached (60s); stopping early.",
                    "Best iteration: -a=on -b=off (gpu_time_ms=0.03)",
                    "Tuning summary: 2 / 3 iterations succeeded."}) +
         "&&&& PASSED " + kName + " --tuneBuildRoutes=x\n";
}

TEST(LogTuning, IterationsOfTheLoop) {
  const ParsedLog log = parse_log(loop());
  ASSERT_EQ(log.result.runs.size(), 4U);
  const Tuning& tuning = log.build(3).tuning;
  EXPECT_EQ(tuning.routes, 12U);
  EXPECT_EQ(tuning.succeeded, 2U);
  EXPECT_EQ(tuning.attempted, 3U);
  EXPECT_EQ(tuning.timeout_s, 60);
  EXPECT_EQ(tuning.best_route, "-a=on -b=off");
  EXPECT_EQ(tuning.best_gpu_time_ms, 0.03);
  ASSERT_EQ(tuning.iterations.size(), 3U);
  const TuningIteration& best = tuning.iterations[0];
  EXPECT_EQ(tuning.best(), &best);
  EXPECT_EQ(best.iteration, 0);
  EXPECT_EQ(best.build_route, "-a=on -b=off");
  EXPECT_EQ(best.gpu_time_ms, 0.03);
  EXPECT_EQ(best.gpu_compute_ms, 0.031);
  EXPECT_EQ(best.outcome, Outcome::passed);
  EXPECT_EQ(best.run, 1);
  EXPECT_EQ(best.pos.line, 5U);
  const TuningIteration& failed = tuning.iterations[1];
  EXPECT_EQ(failed.crashed, true);
  EXPECT_EQ(failed.outcome, Outcome::failed);
  EXPECT_EQ(failed.error_message, "child exited with status 1");
  EXPECT_FALSE(failed.time_ms().has_value());
  EXPECT_EQ(failed.run, 2);
  EXPECT_EQ(tuning.iterations[2].time_ms(), 0.05);
  EXPECT_FALSE(tuning.iterations[2].gpu_time_ms.has_value());
  EXPECT_TRUE(log.build(0).tuning.empty());
}

TEST(LogTuning, ARunWithoutAResultFileIsOfTheIterationBegunLast) {
  const auto log = [](const std::string& route) {
    return parse_log("&&&& RUNNING " + kName + " --tuneBuildRoutes=x\n" + begin_of(0, "-a=b") +
                     "&&&& RUNNING " + kName + " --setBuildRoute=" + route + "\n&&&& PASSED " +
                     kName + " --setBuildRoute=" + route + "\n" + end_of(0, "-a=b", "END"));
  };
  const ParsedLog same = log("-a=b"), other = log("-c=d");
  ASSERT_EQ(same.result.runs.size(), 2U);
  EXPECT_EQ(same.build(1).tuning.iterations.at(0).run, 1);
  EXPECT_EQ(same.build(1).tuning.iterations[0].outcome, Outcome::passed);
  EXPECT_EQ(other.build(1).tuning.iterations.at(0).run, std::nullopt);
}

// The log alone says what the result files would (11.1, --loadRefOutputs).
TEST(LogTuning, LossesOfAnIteration) {
  const std::string loss = "Accuracy loss for tensor ";
  const ParsedLog log = parse_log(
      "&&&& RUNNING " + kName + " --tuneBuildRoutes=x\n" + begin_of(0, "-a=b") + "&&&& RUNNING " +
      kName + " --setBuildRoute=-a=b --tuningResultFile=/tmp/trtexec_tuning_7_iter0.json\n" +
      own_lines(
          {loss + "y (L2): 0.001234", loss + "z (L2): 0.020000 [FAIL: >= threshold 0.010000]"}) +
      "&&&& FAILED " + kName + "\n" + end_of(0, "-a=b", "END"));
  ASSERT_EQ(log.result.runs.size(), 2U);
  const std::vector<AccuracyLoss>& losses = log.build(0).accuracy_losses;
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_EQ(losses[0].tensor, "y");
  EXPECT_EQ(losses[0].algorithm, "L2");
  EXPECT_EQ(losses[0].loss, 0.001234);
  EXPECT_EQ(losses[0].threshold, std::nullopt);
  EXPECT_EQ(losses[1].threshold, 0.01);
  const Tuning& tuning = log.build(1).tuning;
  ASSERT_EQ(tuning.iterations.size(), 1U);
  EXPECT_EQ(tuning.iterations[0].accuracy_loss, 0.02);
  EXPECT_EQ(tuning.iterations[0].accuracy_failed, true);
  EXPECT_EQ(tuning.iterations[0].accuracy_losses.size(), 2U);
  EXPECT_EQ(tuning.accuracy_algorithm, "L2");
}

// A filter may drop the TASK lines, which have no name.
TEST(LogTuning, WithoutTheTaskLines) {
  std::string text;
  const std::string all = loop();
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = all.find('\n', at) + 1;
    if (all.substr(at, end - at).find("TASK_") == std::string::npos)
      text += all.substr(at, end - at);
    at = end;
  }
  const ParsedLog log = parse_log(text);
  ASSERT_EQ(log.result.runs.size(), 4U);
  const Tuning& tuning = log.build(3).tuning;
  ASSERT_EQ(tuning.iterations.size(), 3U);
  EXPECT_EQ(tuning.iterations[0].gpu_compute_ms, 0.031);
  EXPECT_EQ(tuning.iterations[1].outcome, Outcome::failed);
  EXPECT_FALSE(tuning.iterations[1].crashed.has_value());
}

TEST(LogTuning, CutTaskLinesAndStrayOnesSayNothing) {
  const ParsedLog cut = parse_log("&&&& RUNNING " + kName + " --tuneBuildRoutes=x\n" +
                                  "&&&& TASK_BEGIN [iter=0] Build\n&&&& TASK_BEGIN\n");
  EXPECT_TRUE(cut.build(0).tuning.iterations.empty());
  const ParsedLog stray = parse_log(begin_of(0, "-a=b") + end_of(0, "-a=b", "ABORT"));
  ASSERT_EQ(stray.result.runs.size(), 1U);
  EXPECT_EQ(stray.build(0).tuning.iterations.size(), 1U);  // of its own line
}

// The last line may be the first of a wrapped layer: it waits for its next lines, which never come.
TEST(LogTuning, ALayerCutAtTheEndBelongsToTheIteration) {
  const ParsedLog log = parse_log(
      "&&&& RUNNING " + kName + " --tuneBuildRoutes=x\n" + begin_of(0, "-a=b") + "&&&& RUNNING " +
      kName + " --x\n" + own_lines({"Layer Information:", "Layers:"}) + "Name: conv1 + re");
  ASSERT_EQ(log.result.runs.size(), 2U);
  EXPECT_EQ(log.result.runs[0].last_line, log.result.lines);
  EXPECT_EQ(log.result.runs[1].last_line, log.result.lines);
}

TEST(LogTuning, TheCacheCompletesTheLog) {
  Tuning tuning;
  TuningIteration known;
  known.iteration = 0;
  known.build_route = "-a=on";
  known.gpu_compute_ms = 0.031;
  known.outcome = Outcome::passed;
  tuning.iterations = {known};
  TuningIteration same;
  same.iteration = 0;
  same.build_route = "-a=on";
  same.gpu_time_ms = 0.03;
  same.accuracy_loss = 0.5;
  TuningIteration other = same;
  other.build_route = "-a=off";
  join_tuning(tuning, {same, other}, {{"tuner_version", "1"}, {"tuning_expr", "-a=on|off"}});
  ASSERT_EQ(tuning.iterations.size(), 2U);
  EXPECT_EQ(tuning.iterations[0].gpu_time_ms, 0.03);
  EXPECT_EQ(tuning.iterations[0].gpu_compute_ms, 0.031);
  EXPECT_EQ(tuning.iterations[0].accuracy_loss, 0.5);
  EXPECT_EQ(tuning.iterations[1].build_route, "-a=off");
  EXPECT_EQ(tuning.expression, "-a=on|off");
  join_tuning(tuning, {}, {{"tuning_expr", "of no tuner"}});
  EXPECT_EQ(tuning.expression, "-a=on|off");
}

}  // namespace
}  // namespace trtlens::log_tuning_test
