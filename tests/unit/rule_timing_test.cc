// Structural rules about how the timing was done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "analyzers/rules/rule.h"
#include "tests/unit/build_maker.h"

namespace trtlens::rule_timing_test {
namespace {

using test::find;
using ::testing::HasSubstr;

Build summary(std::optional<double> compute, std::optional<double> enqueue,
              std::optional<double> h2d = std::nullopt, std::optional<double> d2h = std::nullopt) {
  Build build;
  build.has_log = true;
  const auto stats = [](std::optional<double> median) {
    std::optional<LatencyStats> s;
    if (median) {
      s.emplace();
      s->median_ms = median;
      s->pos.line = 9;
    }
    return s;
  };
  build.performance.gpu_compute = stats(compute);
  build.performance.enqueue = stats(enqueue);
  build.performance.h2d = stats(h2d);
  build.performance.d2h = stats(d2h);
  return build;
}

TEST(RuleEnqueueBound, WithoutMediansTrtexecsOwnVerdictStands) {
  Build build = summary(std::nullopt, std::nullopt);
  Message said;
  said.text = "* Throughput may be bound by Enqueue Time rather than GPU Compute and the GPU may";
  said.pos.line = 282;
  build.messages.push_back(said);
  build.inference.enqueue_bound = said.pos;
  const Analysis a = test::analyze_build(build);
  ASSERT_NE(find(a, "enqueue-bound"), nullptr);
  EXPECT_EQ(find(a, "enqueue-bound")->confidence, Confidence::inferred);
  EXPECT_EQ(find(a, "enqueue-bound")->evidence.at(0).line, 282U);
  EXPECT_EQ(find(a, "enqueue-bound")->evidence.at(0).text, said.text);
  build.performance = summary(1.0, 0.5).performance;  // the medians decide
  EXPECT_EQ(find(test::analyze_build(build), "enqueue-bound"), nullptr);
}

TEST(RuleEnqueueBound, UsesTheThresholdOfTrtexec) {
  const Analysis a = test::analyze_build(summary(1.0, 0.81));
  const Finding* f = find(a, "enqueue-bound");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "Launching a query takes 81 % of its compute time");
  EXPECT_THAT(f->evidence.at(0).note.str(), HasSubstr("enqueue 0.810 ms, GPU compute 1.000 ms"));
  EXPECT_EQ(f->evidence.at(0).line, 9U);
  EXPECT_EQ(find(test::analyze_build(summary(1.0, 0.80)), "enqueue-bound"), nullptr);
  EXPECT_EQ(find(test::analyze_build(summary(1.0, std::nullopt)), "enqueue-bound"), nullptr);
  EXPECT_EQ(find(test::analyze_build(summary(std::nullopt, 1.0)), "enqueue-bound"), nullptr);
  Build busy = summary(1.0, 0.9);  // back to back: the GPU waits for nobody
  busy.performance.throughput_qps = 950;
  EXPECT_EQ(find(test::analyze_build(busy), "enqueue-bound"), nullptr);
  busy.inference.streams = 2;
  EXPECT_NE(find(test::analyze_build(busy), "enqueue-bound"), nullptr);
  Build slow_host = summary(1.0, 1.06);  // launches stretch the GPU's time until it looks busy
  slow_host.performance.throughput_qps = 940;
  EXPECT_NE(find(test::analyze_build(slow_host), "enqueue-bound"), nullptr);
  slow_host.performance.enqueue->median_ms = 1.0;
  EXPECT_NE(find(test::analyze_build(slow_host), "enqueue-bound"), nullptr);
  slow_host.performance.enqueue->median_ms = 0.98;  // or it waits for the GPU
  const Analysis close = test::analyze_build(slow_host);
  ASSERT_NE(find(close, "enqueue-bound"), nullptr);
  EXPECT_EQ(find(close, "enqueue-bound")->confidence, Confidence::guessed);
  EXPECT_EQ(find(close, "enqueue-bound")->severity, Severity::minor);
  slow_host.performance.enqueue->median_ms = 0.96;
  EXPECT_EQ(find(test::analyze_build(slow_host), "enqueue-bound"), nullptr);
  Build copies = summary(1.0, 0.9, 1.9);  // each query waits for its copy
  copies.performance.throughput_qps = 500;
  EXPECT_EQ(find(test::analyze_build(copies), "enqueue-bound"), nullptr);
  copies.performance.throughput_qps = 400;
  EXPECT_NE(find(test::analyze_build(copies), "enqueue-bound"), nullptr);
  Build graph = summary(1.0, 0.9);
  graph.inference.cuda_graph = true;
  const Analysis b = test::analyze_build(std::move(graph));
  EXPECT_THAT(find(b, "enqueue-bound")->remedies.at(0), HasSubstr("on already"));
}

TEST(RuleEnqueueBound, HasAGainOrSaysWhyNot) {
  Build build = summary(1.0, 0.9);
  build.profile_sum_ms = 0.6;
  const auto found = [&] { return *find(test::analyze_build(build), "enqueue-bound"); };
  const Finding f = found();
  ASSERT_TRUE(f.gain && f.gain->query);
  EXPECT_EQ(f.gain->query->low_ms, 0);
  EXPECT_NEAR(f.gain->query->high_ms, 0.4, 1e-12);
  EXPECT_EQ(f.severity, Severity::moderate);
  build.profile_sum_ms = 1.1;
  EXPECT_FALSE(found().gain);
  EXPECT_THAT(found().gain_unknown, HasSubstr("only a run with --useCudaGraph tells"));
  build.inference.cuda_graph = true;
  EXPECT_THAT(found().gain_unknown, HasSubstr("already"));
}

// From 90 % of the time on the GPU hardly waits: other words, and no more than what is left.
TEST(RuleEnqueueBound, OfABusyGpuIsMinorAndSaysWhatIsLeft) {
  Build build = summary(1.455, 1.460);
  build.performance.throughput_qps = 661.78;
  const Analysis a = test::analyze_build(build);
  const Finding* f = find(a, "enqueue-bound");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::minor);
  EXPECT_EQ(f->confidence, Confidence::measured);
  EXPECT_EQ(f->title, "Launching a query takes as long as computing it");
  EXPECT_THAT(test::figures(*f), ::testing::ElementsAre("of the time that the GPU computes, 96 %"));
  EXPECT_THAT(f->why, HasSubstr("at most 3.7 % is to be won between queries"));
  EXPECT_THAT(f->why, ::testing::Not(HasSubstr("waits for launches")));
  build.performance.throughput_qps = 600;  // 87 %
  const Analysis waiting = test::analyze_build(build);
  EXPECT_EQ(find(waiting, "enqueue-bound")->severity, Severity::moderate);
  EXPECT_THAT(find(waiting, "enqueue-bound")->why, HasSubstr("The GPU waits for launches"));
  build.performance.throughput_qps = 700;  // medians of other queries than the throughput's
  EXPECT_THAT(find(test::analyze_build(build), "enqueue-bound")->why, HasSubstr("nothing is"));
}

TEST(RuleTransfers, FiresWhenACopyTakesAsLongAsTheWork) {
  const Analysis a = test::analyze_build(summary(1.0, std::nullopt, 1.0, 0.2));
  const Finding* f = find(a, "h2d-d2h-bound");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->title, HasSubstr("Copying the inputs"));
  const Analysis b = test::analyze_build(summary(1.0, std::nullopt, 0.2, 1.5));
  ASSERT_NE(find(b, "h2d-d2h-bound"), nullptr);
  EXPECT_THAT(find(b, "h2d-d2h-bound")->title, HasSubstr("outputs back takes as long"));
  EXPECT_EQ(find(test::analyze_build(summary(1.0, std::nullopt, 0.9, 0.9)), "h2d-d2h-bound"),
            nullptr);
  EXPECT_EQ(find(test::analyze_build(summary(std::nullopt, std::nullopt, 9.0)), "h2d-d2h-bound"),
            nullptr);
}

TEST(RuleFewIterations, CountsQueries) {
  Build build = summary(1.0, std::nullopt);
  build.performance.queries = 29;
  const Analysis a = test::analyze_build(build);
  ASSERT_NE(find(a, "few-iterations-or-warmup"), nullptr);
  EXPECT_EQ(find(a, "few-iterations-or-warmup")->title, "Only 29 queries were timed");
  build.performance.queries = 30;
  EXPECT_EQ(find(test::analyze_build(build), "few-iterations-or-warmup"), nullptr);
  build.performance.queries.reset();
  EXPECT_EQ(find(test::analyze_build(build), "few-iterations-or-warmup"), nullptr);
}

Analysis with_queries(int n, double amplitude, int outliers) {
  Build build;
  for (int i = 0; i < n; ++i) {
    Query q;
    const double phase = static_cast<double>(i % 11) / 5.0 - 1.0;
    q.compute_ms = static_cast<float>(i < outliers ? 3.0 : 1.0 + amplitude * phase);
    q.latency_ms = q.compute_ms + 1;
    build.queries.push_back(q);
  }
  return test::analyze_build(std::move(build));
}

TEST(RuleGpuTimeUnstable, LooksAtTheBulkAndAtTheOutliers) {
  EXPECT_EQ(find(with_queries(100, 0.01, 0), "gpu-time-unstable"), nullptr);
  const Analysis jitter = with_queries(100, 0.20, 0);
  ASSERT_NE(find(jitter, "gpu-time-unstable"), nullptr);
  EXPECT_EQ(find(jitter, "gpu-time-unstable")->title,
            "GPU compute time is unstable: it spreads over 36 % of the median");
  EXPECT_EQ(find(with_queries(1000, 0.01, 9), "gpu-time-unstable"), nullptr);
  const Analysis a = with_queries(1000, 0.01, 11);
  ASSERT_NE(find(a, "gpu-time-unstable"), nullptr);
  const Finding* f = find(a, "gpu-time-unstable");
  EXPECT_EQ(f->title, "1.1 % of the queries take more than twice the median");
  EXPECT_THAT(f->evidence.at(0).note.str(), HasSubstr("11 of 1000 queries"));
  EXPECT_EQ(find(with_queries(29, 0.20, 0), "gpu-time-unstable"), nullptr);
}

// Two of a thousand: the 99th percentile does not show them.
TEST(RuleGpuTimeUnstable, AFewVerySlowQueriesAreANote) {
  const auto slow = [](int n, int count, float ms) {
    Build build;
    for (int i = 0; i < n; ++i) {
      build.queries.emplace_back();
      build.queries.back().compute_ms = i < count ? ms : 1.0F;
    }
    return test::analyze_build(std::move(build));
  };
  const Analysis a = slow(1000, 2, 9);
  const Finding* f = find(a, "gpu-time-unstable");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::info);
  EXPECT_EQ(f->title, "0.2 % of the queries take more than twice the median");
  EXPECT_THAT(
      f->evidence.at(0).note.str(),
      HasSubstr("slowest 9.000 ms, 99.9 % within 9.000 ms; 2 of 1000 queries took more than "
                "twice the median, which adds 0.0160 ms to the mean"));
  EXPECT_EQ(find(slow(1000, 1, 9), "gpu-time-unstable"), nullptr);  // one is a hiccup
  EXPECT_EQ(find(slow(999, 2, 9), "gpu-time-unstable"), nullptr);
}

TEST(RuleGpuTimeUnstable, ManySlowQueriesAreAnotherProcess) {
  const Analysis a = with_queries(1000, 0.01, 200);
  const Finding* f = find(a, "gpu-time-unstable");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_EQ(f->title, "20 % of the queries take more than twice the median");
  EXPECT_THAT(f->evidence.at(0).note.str(),
              HasSubstr("the middle 80 % of the queries spread over 200 % of the median"));
  EXPECT_THAT(f->evidence.at(0).note.str(), HasSubstr("200 of 1000 queries"));
  EXPECT_EQ(f->remedies.at(0), "Free the GPU (`nvidia-smi` lists its processes) and time again.");
  EXPECT_EQ(f->remedies.size(), 1U);
}

TEST(RuleEnqueueBound, ABusyGpuMayWaitForItsLaunches) {
  Build build;
  for (int i = 0; i < 100; ++i) {
    const double slower = i < 5 ? 0 : i < 45 ? 0.01 : 0.02;
    Query q;
    q.enqueue_ms = static_cast<float>(0.22 + slower);
    q.compute_ms = static_cast<float>(0.25 + slower);
    build.queries.push_back(q);
  }
  build.performance.throughput_qps = 3800;
  const Analysis a = test::analyze_build(build);
  const Finding* f = find(a, "enqueue-bound");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::moderate);
  EXPECT_EQ(f->title, "The engine is launch-bound");
  EXPECT_THAT(f->evidence.at(0).note.str(), HasSubstr("enqueue 0.240 ms, GPU compute 0.270 ms"));
  EXPECT_THAT(f->why, HasSubstr("correlation 1.00"));
  // Five of the hundred queries take 0.25 ms, forty 0.26, the others 0.27.
  ASSERT_TRUE(f->gain && f->gain->query);
  EXPECT_EQ(f->gain->high_ms, 0);
  EXPECT_NEAR(f->gain->query->low_ms, 0.01, 1e-6);
  EXPECT_NEAR(f->gain->query->high_ms, 0.02, 1e-6);
  EXPECT_EQ(f->gain->basis,
            "the median query (0.270 ms) as fast as the fastest tenth (0.260 ms) or the fastest "
            "(0.250 ms)");
  EXPECT_EQ(find(a, "gpu-time-unstable"), nullptr);
}

// Queries of which five in a hundred wait for slow launches; the fastest is faster than the median
// by `lost`.
Analysis with_slow_launches(double lost) {
  Build build;
  for (int i = 0; i < 100; ++i) {
    const double slower = i < 10 ? 0.27 * (1 - lost) - 0.27 : i < 95 ? 0 : 0.2;
    Query q;
    q.enqueue_ms = static_cast<float>(0.24 + slower);
    q.compute_ms = static_cast<float>(0.27 + slower);
    build.queries.push_back(q);
  }
  build.performance.throughput_qps = 3800;
  return test::analyze_build(std::move(build));
}

// The median query that has 3 % to win at most is not bound by its launches.
TEST(RuleEnqueueBound, SlowLaunchesOfSomeQueriesDoNotBindTheEngine) {
  const Analysis some = with_slow_launches(0.029);
  const Finding* f = find(some, "enqueue-bound");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::moderate);
  EXPECT_EQ(f->title, "Slow launches make some queries slow");
  EXPECT_THAT(f->why, HasSubstr("The median query hardly waits"));
  EXPECT_THAT(f->why, HasSubstr("99th percentile 0.470 ms"));
  EXPECT_THAT(f->why, HasSubstr("correlation 1.00"));
  const Analysis all = with_slow_launches(0.031);
  ASSERT_NE(find(all, "enqueue-bound"), nullptr);
  EXPECT_EQ(find(all, "enqueue-bound")->title, "The engine is launch-bound");
}

TEST(RuleGpuTimeUnstable, FallsBackToTheFigureOfTrtexec) {
  Build build = summary(1.0, std::nullopt);
  build.performance.coeff_var = 0.049;
  EXPECT_EQ(find(test::analyze_build(build), "gpu-time-unstable"), nullptr);
  build.performance.coeff_var = 0.051;
  const Analysis a = test::analyze_build(build);
  ASSERT_NE(find(a, "gpu-time-unstable"), nullptr);
  EXPECT_THAT(find(a, "gpu-time-unstable")->title, HasSubstr("it varies by 5.1 %"));
  // An engine that waits for its launches: locked clocks are not what it needs.
  build.performance.enqueue.emplace().median_ms = 0.79;
  EXPECT_NE(find(test::analyze_build(build), "gpu-time-unstable"), nullptr);
  build.performance.enqueue->median_ms = 0.81;
  EXPECT_NE(find(test::analyze_build(build), "enqueue-bound"), nullptr);
  EXPECT_EQ(find(test::analyze_build(build), "gpu-time-unstable"), nullptr);
}

}  // namespace
}  // namespace trtlens::rule_timing_test
