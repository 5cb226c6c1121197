// Order statistics of the queries, and numbers as reports print them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "tests/unit/build_maker.h"

namespace trtlens::stats_test {
namespace {

SampleStats stats_of(const std::vector<double>& compute) {
  Build build;
  for (const double ms : compute) {
    Query q;
    q.compute_ms = static_cast<float>(ms);
    build.queries.push_back(q);
  }
  return test::analyze_build(std::move(build)).compute_samples.value();
}

// 7.0 does not say when a query was enqueued: that is unknown, not 0. What was copied is known.
TEST(SampleStats, OfWhatTheTimesSayOnly) {
  Build build;
  for (const float ms : {1.0F, 2.0F, 3.0F}) {
    Query q;
    q.compute_ms = ms;
    q.h2d_ms = ms / 2;
    q.d2h_ms = 0.0F;
    build.queries.push_back(q);
  }
  build.queries.back().enqueue_ms = 0.5F;
  const Analysis analysis = test::analyze_build(std::move(build));
  EXPECT_FALSE(analysis.enqueue_samples.has_value());
  ASSERT_TRUE(analysis.h2d_samples.has_value());
  EXPECT_DOUBLE_EQ(analysis.h2d_samples->median_ms, 1.0);
  ASSERT_TRUE(analysis.d2h_samples.has_value());
  EXPECT_DOUBLE_EQ(analysis.d2h_samples->max_ms, 0.0);
}

// Without trtexec's summary the exported times say how long the copies took.
TEST(SampleStats, CopiesThatBoundTheQuery) {
  const auto says_so = [](float h2d_ms) {
    Build build;
    for (int i = 0; i < 5; ++i) {
      Query q;
      q.compute_ms = 1.0F;
      q.h2d_ms = h2d_ms;
      q.d2h_ms = 0.1F;
      build.queries.push_back(q);
    }
    const Analysis analysis = test::analyze_build(std::move(build));
    return std::any_of(analysis.findings.begin(), analysis.findings.end(),
                       [](const Finding& finding) { return finding.rule == "h2d-d2h-bound"; });
  };
  EXPECT_TRUE(says_so(1.25F));
  EXPECT_FALSE(says_so(0.75F));
}

TEST(SampleStats, OfOddAndEvenCounts) {
  const SampleStats odd = stats_of({3, 1, 2});
  EXPECT_EQ(odd.n, 3U);
  EXPECT_DOUBLE_EQ(odd.median_ms, 2);
  EXPECT_DOUBLE_EQ(odd.min_ms, 1);
  EXPECT_DOUBLE_EQ(odd.max_ms, 3);
  EXPECT_DOUBLE_EQ(odd.mean_ms, 2);
  EXPECT_DOUBLE_EQ(stats_of({4, 1, 2, 3}).median_ms, 2.5);
  const SampleStats one = stats_of({5});
  EXPECT_DOUBLE_EQ(one.p10_ms, 5);
  EXPECT_DOUBLE_EQ(one.p99_ms, 5);
  EXPECT_DOUBLE_EQ(one.coeff_var, 0);
}

// trtexec takes sorted[n - 1 - int((1 - p) * n)].
TEST(SampleStats, PercentilesAsTrtexec) {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  const SampleStats s = stats_of(values);
  EXPECT_DOUBLE_EQ(s.p99_ms, 99);
  EXPECT_DOUBLE_EQ(s.p10_ms, 10);
  EXPECT_EQ(s.outliers, 0U);
  EXPECT_NEAR(s.coeff_var, 28.866 / 50.5, 1e-4);
  EXPECT_DOUBLE_EQ(s.spread, 81 / 50.5);
}

// Fewer than 30 queries, or equal ones, have no correlation.
TEST(LaunchCorrelation, NeedsQueriesThatDiffer) {
  const auto correlation = [](int n, float step) {
    Build build;
    for (int i = 0; i < n; ++i) {
      Query q;
      q.enqueue_ms = 1 + step * static_cast<float>(i % 2);
      q.compute_ms = 2 + step * static_cast<float>(i % 2);
      build.queries.push_back(q);
    }
    return test::analyze_build(std::move(build)).launch_correlation;
  };
  EXPECT_NEAR(correlation(30, 0.5F).value(), 1, 1e-6);
  EXPECT_FALSE(correlation(29, 0.5F));
  EXPECT_FALSE(correlation(30, 0));
}

TEST(SampleStats, OutliersDoNotMoveTheSpread) {
  std::vector<double> values(100, 1.0);
  for (std::size_t i = 0; i < 5; ++i) values[i] = 50;
  const SampleStats s = stats_of(values);
  EXPECT_EQ(s.outliers, 5U);
  EXPECT_DOUBLE_EQ(s.spread, 0);
  EXPECT_GT(s.coeff_var, 1);
}

TEST(SampleStats, NoneWithoutQueries) {
  EXPECT_FALSE(test::analyze_build(Build()).compute_samples);
}

TEST(Severity, OfShares) {
  EXPECT_EQ(severity_of_share(0.10), Severity::major);
  EXPECT_EQ(severity_of_share(0.0999), Severity::moderate);
  EXPECT_EQ(severity_of_share(0.03), Severity::moderate);
  EXPECT_EQ(severity_of_share(0.0299), Severity::minor);
  EXPECT_EQ(severity_of_share(0.005), Severity::minor);
  EXPECT_EQ(severity_of_share(0.0049), Severity::info);
  EXPECT_EQ(severity_of_share(0), Severity::info);
}

TEST(Text, Numbers) {
  EXPECT_EQ(ms_text(0.5236), "0.524 ms");
  EXPECT_EQ(ms_text(0.09994), "0.0999 ms");
  EXPECT_EQ(ms_text(0), "0.0000 ms");
  EXPECT_EQ(ms_text(0.00001), "<0.0001 ms");
  EXPECT_EQ(ms_text(1234.5), "1234.500 ms");
  EXPECT_EQ(ms_text(std::numeric_limits<double>::quiet_NaN()), "unknown");
  EXPECT_EQ(ms_text(std::numeric_limits<double>::infinity()), "unknown");
  EXPECT_EQ(share_text(0.33), "33 %");
  EXPECT_EQ(share_text(0.0344), "3.4 %");
  EXPECT_EQ(share_text(0.0996), "10 %");
  EXPECT_EQ(share_text(0.0001), "<0.1 %");
  EXPECT_EQ(share_text(0), "0 %");
  EXPECT_EQ(count_text(1, "layer"), "1 layer");
  EXPECT_EQ(count_text(0, "layer"), "0 layers");
}

}  // namespace
}  // namespace trtlens::stats_test
