// A run under Nsight Compute has no times; a clean run beside it keeps its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/build_maker.h"
#include "tests/unit/join_sample.h"

namespace trtlens::join_replay_test {
namespace {

using join_sample::layer_json;
using join_sample::profile_json;
using join_sample::times_json;
using testing::SizeIs;

std::string timed_log(bool replayed, const std::string& arguments = "--loadEngine=m.plan") {
  return running(arguments) +
         (replayed ? "==PROF== Connected to process 4711 (/usr/src/tensorrt/bin/trtexec)\n"
                     "==PROF== Profiling \"sm80_xmma_fprop\" - 0: 0%....50%....100% - 40 passes\n"
                   : "") +
         own_lines({"=== Performance summary ===", "Throughput: 0.0111 qps",
                    "GPU Compute Time: min = 90000 ms, max = 90002 ms, mean = 90001 ms, median = "
                    "90001 ms, percentile(99%) = 90002 ms"}) +
         (replayed ? "==PROF== Disconnected from process 4711\n" : "") +
         closing("PASSED", arguments);
}

class JoinReplay : public join_sample::JoinTest {};

TEST_F(JoinReplay, DropsAllTimesOfTheRun) {
  for (const bool replayed : {false, true}) {
    write("run.log", timed_log(replayed));
    write("layers.json", layer_json({"conv1"}));
    write("profile.json", profile_json({"conv1"}, 10));
    write("times.json", times_json());
    const ParseResult result = read({});
    ASSERT_THAT(result.builds, SizeIs(1));
    const Build& build = result.builds[0];
    EXPECT_EQ(build.inference.replayed.has_value(), replayed);
    EXPECT_EQ(build.performance.gpu_compute.has_value(), !replayed);
    EXPECT_EQ(build.performance.throughput_qps.has_value(), !replayed);
    EXPECT_EQ(build.queries.size(), replayed ? 0U : 1U);
    EXPECT_EQ(build.has_profile, !replayed);
    EXPECT_EQ(build.profile_sum_ms, replayed ? 0 : 10);
    EXPECT_EQ(build.outcome, Outcome::passed);
  }
  const Analysis a = test::analyze_path(root_);
  ASSERT_NE(test::find(a, "profiled-by-nsight-compute"), nullptr);
  EXPECT_EQ(a.findings.front().rule, "profiled-by-nsight-compute");
}

// ncu may connect in front of trtexec's first line.
TEST_F(JoinReplay, AKernelSaysItAsWell) {
  std::string log = timed_log(true);
  const std::size_t at = log.find("==PROF== Connected");
  const std::string connected = log.substr(at, log.find('\n', at) + 1 - at);
  write("run.log", connected + log.erase(at, connected.size()));
  const ParseResult result = read({});
  ASSERT_THAT(result.builds, SizeIs(1));
  EXPECT_TRUE(result.builds[0].inference.replayed);
  EXPECT_FALSE(result.builds[0].performance.gpu_compute);
}

// What was exported may be of the run without ncu.
TEST_F(JoinReplay, KeepsTheTimesOfACleanRun) {
  write("build.log", timed_log(false, "--onnx=m.onnx --saveEngine=m.plan"));
  write("counters.log", timed_log(true));
  write("layers.json", layer_json({"conv1"}));
  write("profile.json", profile_json({"conv1"}, 10));
  const ParseResult result = read({});
  ASSERT_THAT(result.builds, SizeIs(1));
  EXPECT_TRUE(result.builds[0].inference.replayed);
  EXPECT_TRUE(result.builds[0].performance.gpu_compute);
  EXPECT_EQ(result.builds[0].profile_sum_ms, 10);
}

}  // namespace
}  // namespace trtlens::join_replay_test
