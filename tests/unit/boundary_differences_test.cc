// Boundaries of a comparison besides its verdict: what refuses it, what is listed, what explains.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::boundary_differences_test {
namespace {

using test::conv;
using test::tensor;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr DataType kH = DataType::fp16;

Layer node(const std::string& name, double ms) {
  Layer l = conv(name, {tensor(name + " in", kH)}, tensor(name + " out", kH), kH, ms);
  l.onnx_nodes = {name};
  return l;
}

Comparison compared(const Build& base, const Build& candidate) {
  std::vector<Analysis> b, c;
  b.push_back(test::analyze_build(base));
  c.push_back(test::analyze_build(candidate));
  return compare(std::move(b), std::move(c), {});
}

TEST(BoundaryGuard, AFifthOfTheTimeIsInCommon) {
  const auto comparable = [](double common_ms) {
    return compared(test::build_of({node("/c", common_ms), node("/a", 100 - common_ms)}),
                    test::build_of({node("/c", 90), node("/b", 10)}))
        .comparable;
  };
  EXPECT_TRUE(comparable(20));
  EXPECT_FALSE(comparable(19.99));
}

bool lists_timing(const Comparison& c, const std::string& name) {
  return std::any_of(c.differences.begin(), c.differences.end(), [&](const Difference& d) {
    return d.what == "timing" && d.name.find(name) != std::string::npos;
  });
}

Build timed(double gpu_ms) {
  Build build = test::build_of({node("/a", 10)});
  build.performance.gpu_compute.emplace().median_ms = gpu_ms;
  return build;
}

TEST(BoundaryDifferences, ABusyGpuDoesSevenTenthsOfTheQueries) {
  const auto listed = [](double qps) {
    Build base = timed(10), candidate = timed(10);
    base.performance.throughput_qps = 98;
    candidate.performance.throughput_qps = qps;
    return lists_timing(compared(base, candidate), "throughput, share of what is possible");
  };
  EXPECT_TRUE(listed(69.9));
  EXPECT_FALSE(listed(70.1));
}

TEST(BoundaryDifferences, ExportedTimesSayItFromTwentyQueriesOn) {
  const auto listed = [](int queries) {
    Build idle = timed(10);
    idle.performance = Performance();
    for (int i = 0; i < queries; ++i) {
      Query q;
      q.start_ms = static_cast<float>(20 * i);
      q.compute_ms = 10;
      idle.queries.push_back(q);
    }
    return lists_timing(compared(timed(10), idle), "throughput, share of what is possible");
  };
  EXPECT_TRUE(listed(20));
  EXPECT_FALSE(listed(19));
}

TEST(BoundaryDifferences, FewIterationsAreLessThanTen) {
  const auto listed = [](std::uint64_t iterations) {
    Build base = timed(10), candidate = timed(10);
    base.profile_iterations = 500;
    candidate.profile_iterations = iterations;
    const Comparison c = compared(base, candidate);
    return std::any_of(c.differences.begin(), c.differences.end(), [](const Difference& d) {
      return d.what == "timing" && d.name.find("iterations") != std::string::npos;
    });
  };
  EXPECT_TRUE(listed(9));
  EXPECT_FALSE(listed(10));
}

TEST(BoundaryDifferences, ProfilersAddATenthMoreOnOneSide) {
  const auto listed = [](double gpu_ms) {
    Build base = timed(10), candidate = timed(gpu_ms);
    base.performance.throughput_qps = candidate.performance.throughput_qps = 98;
    return lists_timing(compared(base, candidate), "profile sum over GPU compute");
  };
  EXPECT_TRUE(listed(10 / 1.1001));
  EXPECT_FALSE(listed(10 / 1.0999));
}

TEST(BoundaryReasons, ANearTieIsWonByLessThanFivePerCent) {
  const auto why = [](double runner_up_ms) {
    Build base = test::build_of({node("/a", 10)}), candidate = test::build_of({node("/a", 12)});
    base.layers[0].tactic_name = "sm80_xmma_fprop_a";
    candidate.layers[0].tactic_name = "sm80_xmma_fprop_b";
    Autotune race;
    race.layer = "/a";
    race.format_combination = "Half(1,1) -> Half(1,1)";
    race.chosen_runner = "CaskConvolution";
    race.chosen_id = 1;
    race.runner_up_id = 2;
    race.chosen_ms = 1;
    race.runner_up_ms = runner_up_ms;
    race.timed = 2;
    candidate.autotuning = {race};
    std::string text;
    const Comparison c = compared(base, candidate);
    for (const std::string& part : c.groups.at(0).why_texts()) text += part + "\n";
    return text;
  };
  EXPECT_THAT(why(1.0499), HasSubstr("in a near tie (won by"));
  EXPECT_THAT(why(1.0501), Not(HasSubstr("near tie")));
  EXPECT_THAT(why(1.0501), HasSubstr("won by"));
}

TEST(BoundaryReasons, AShiftIsExplainedFromOnePerCentOn) {
  const auto cause = [](double extra_ms) {
    return compared(test::build_of({node("/a", 100)}), test::build_of({node("/a", 100 + extra_ms)}))
        .cause;
  };
  EXPECT_NE(cause(1.001), "");
  EXPECT_EQ(cause(0.999), "");
  EXPECT_NE(cause(-1.001), "");
}

// A finding explains a shift when its stake is a tenth of it: here 10 ms of a DQ and its reader.
TEST(BoundaryReasons, AFindingExplainsATenth) {
  const auto cause = [](double shift_ms) {
    const Build base = test::build_of({node("/a", 100), node("/b", 10)});
    Layer b = conv("/b", {tensor("/b in", kH)}, tensor("/b out", kH), kH, 9);
    b.onnx_nodes = {"/b"};
    const Build candidate =
        test::build_of({node("/a", 100 + shift_ms),
                        test::dequantize("DequantizeLinear_1", "x", "/b in", 1, kH), b});
    return compared(base, candidate).cause;
  };
  EXPECT_THAT(cause(99.9), HasSubstr(" New: "));
  EXPECT_THAT(cause(100.1), Not(HasSubstr(" New: ")));
}

// Runs of one side are of one engine when nine of ten layers are in both.
TEST(BoundarySide, RunsOfOneEngineShareNineTenthsOfTheLayers) {
  const auto mixed = [](int other) {
    const auto run = [&](bool is_second) {
      std::vector<Layer> layers;
      for (int i = 0; i < 20; ++i) {
        const bool differs = is_second && i < other;
        layers.push_back(node((differs ? "/other" : "/c") + std::to_string(i), 1));
      }
      Build build = test::build_of(std::move(layers));
      build.performance.gpu_compute.emplace().median_ms = 20;
      return test::analyze_build(build);
    };
    std::vector<Analysis> base, candidate;
    base.push_back(run(false));
    base.push_back(run(true));
    candidate.push_back(run(false));
    return compare(std::move(base), std::move(candidate), {}).engine.reason.find("other layers") !=
           std::string::npos;
  };
  EXPECT_FALSE(mixed(2));
  EXPECT_TRUE(mixed(3));
}

}  // namespace
}  // namespace trtlens::boundary_differences_test
