// Numbers of logs that no clock gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/log_sample.h"

namespace trtlens {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;
using testing::Pair;

// The limits of the JSON exports: what is beyond them is left out, and said once.
TEST(Performance, NumbersThatNoClockGivesAreUnknown) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx") +
      own_lines({"Average on 10 runs - GPU latency: 1e308 ms - Host latency: 1 ms (enqueue 1 ms)",
                 "Average on 10 runs - GPU latency: 1 ms - Host latency: 1 ms (enqueue -1 ms)",
                 "=== Performance summary ===", "Throughput: 1e308 qps",
                 "GPU Compute Time: min = -0.1 ms, max = 1e13 ms, mean = 1e12 ms, median = 0 ms, "
                 "percentile(nan%) = 1 ms, percentile(990%) = 1 ms, percentile(1e1%) = 1 ms, "
                 "percentile(100%) = 2 ms",
                 "Total Host Walltime: -3.00 s", "Total GPU Compute Time: 1e10 s"}));
  const Performance& p = log.build().performance;
  ASSERT_EQ(log.build().trace.size(), 1U);
  EXPECT_EQ(log.build().trace[0].enqueue_ms, std::nullopt);
  EXPECT_EQ(p.throughput_qps, std::nullopt);
  EXPECT_EQ(p.gpu_compute->min_ms, std::nullopt);
  EXPECT_EQ(p.gpu_compute->max_ms, std::nullopt);
  EXPECT_THAT(p.gpu_compute->mean_ms, Optional(DoubleEq(1e12)));
  EXPECT_THAT(p.gpu_compute->median_ms, Optional(DoubleEq(0)));
  EXPECT_THAT(p.gpu_compute->percentiles_ms, ElementsAre(Pair("100", 2)));
  EXPECT_EQ(p.host_walltime_s, std::nullopt);
  EXPECT_EQ(p.gpu_compute_total_s, std::nullopt);
  EXPECT_EQ(log.result.impossible_numbers, 10U);
  EXPECT_EQ(log.result.first_impossible_line, 2U);
  const ParsedLog block = parse_log(
      running("--onnx=m.onnx") +
      own_lines({"Host Latency", "min: -1 ms (end to end 1.66 ms)", "max: 1 ms (end to end 2 ms)",
                 "percentile: 1 ms at 101% (end to end 3 ms at 99%)", "walltime: -1 s"}));
  EXPECT_EQ(block.build().performance.latency->min_ms, std::nullopt);
  EXPECT_THAT(block.build().performance.latency->max_ms, Optional(DoubleEq(1)));
  EXPECT_TRUE(block.build().performance.latency->percentiles_ms.empty());
  EXPECT_EQ(block.build().performance.host_walltime_s, std::nullopt);
  EXPECT_EQ(block.result.impossible_numbers, 3U);
}

}  // namespace
}  // namespace trtlens
