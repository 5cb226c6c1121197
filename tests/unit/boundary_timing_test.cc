// Boundary pairs of the rules about how the timing was done.
#include <cmath>

#include "tests/unit/boundary_pair.h"

namespace trtlens::test {
namespace {

Build medians(double compute_ms, double enqueue_ms) {
  Build build;
  build.has_log = true;
  build.performance.gpu_compute.emplace().median_ms = compute_ms;
  build.performance.enqueue.emplace().median_ms = enqueue_ms;
  return build;
}

Build enqueue_ratio(double ratio) {
  return medians(10, 10 * ratio);
}
Build busy_share(double share) {
  Build build = medians(10, 9);
  build.performance.throughput_qps = 100 * share;
  return build;
}
Build busy_host_ratio(double ratio) {
  Build build = medians(10, 10 * ratio);
  build.performance.throughput_qps = 95;
  return build;
}

Build waiting_loop(double ratio) {
  Build build = medians(10, 10 * ratio);
  const auto node = [](const char* op, const char* from, const char* to) {
    OnnxNode n;
    n.name = std::string("/") + op;
    n.op = op;
    n.inputs = {tensor(from, DataType::unknown)};
    n.outputs = {tensor(to, DataType::unknown)};
    return n;
  };
  build.onnx_nodes = {node("Conv", "x", "a"), node("NonZero", "a", "b"), node("MatMul", "b", "c")};
  add_io(build, tensor("x", DataType::fp32), true);
  return build;
}

Build queries_of_the_summary(double count) {
  Build build = medians(10, 1);
  build.performance.queries = static_cast<std::uint64_t>(count);
  return build;
}

void add_queries(Build& build, int count, double ms) {
  for (int i = 0; i < count; ++i) {
    Query q;
    q.compute_ms = static_cast<float>(ms);
    build.queries.push_back(q);
  }
}
Build exported_queries(double count) {
  Build build;
  const int queries = static_cast<int>(count);
  add_queries(build, queries, 1.0);
  return build;
}

Build spread_of_queries(double share) {
  Build build;
  add_queries(build, 30, 1 - share / 2);
  add_queries(build, 40, 1);
  add_queries(build, 30, 1 + share / 2);
  return build;
}
// Queries of 10 ms whose enqueue time, 9 ms, goes with them to that degree; the GPU is busy.
Build correlated_queries(double correlation) {
  Build build;
  const double rest = std::sqrt(1 - correlation * correlation);
  for (int i = 0; i < 400; ++i) {
    const double enqueue = i % 2 == 0 ? 1 : -1;
    const double other = i / 2 % 2 == 0 ? 1 : -1;
    Query q;
    q.enqueue_ms = static_cast<float>(9 + enqueue);
    q.compute_ms = static_cast<float>(10 + correlation * enqueue + rest * other);
    build.queries.push_back(q);
  }
  build.performance.throughput_qps = 95;
  return build;
}
// Behind a host that is slower than the GPU, whose enqueue-bound is there either way.
Build correlated_with_a_slow_host(double correlation) {
  Build build = correlated_queries(correlation);
  for (Query& q : build.queries) *q.enqueue_ms += 2;
  return build;
}
Build spread_of_the_summary(double share) {
  Build build = medians(1, 0.1);
  build.performance.coeff_var = share;
  return build;
}
// Below 30 queries their own spread says nothing: the summary's figure stands.
Build spread_of_few_queries(double count) {
  Build build = exported_queries(count);
  build.performance.coeff_var = 0.5;
  return build;
}
Build outliers(double per_mille) {
  Build build;
  add_queries(build, static_cast<int>(per_mille), 2.01);
  add_queries(build, 1000 - static_cast<int>(per_mille), 1);
  return build;
}
Build slow_queries(double times_the_median) {
  Build build;
  add_queries(build, 50, times_the_median);
  add_queries(build, 950, 1);
  return build;
}
Build two_slow_queries(double times_the_median) {
  Build build;
  add_queries(build, 2, times_the_median);
  add_queries(build, 998, 1);
  return build;
}

}  // namespace

const std::vector<BoundaryPair>& timing_boundaries() {
  static const std::vector<BoundaryPair> pairs = {
      {"enqueue-bound", "min_ratio", 0.8, 0.8001, 0.8, enqueue_ratio},
      {"enqueue-bound", "max_busy", 0.9, 0.8999, 0.9, busy_share},
      {"enqueue-bound", "host_slower", 0.97, 0.97, 0.9699, busy_host_ratio},
      {"enqueue-bound", "min_correlation", 0.5, 0.501, 0.499, correlated_queries},
      {"loop-nonzero-dds", "min_ratio", 0.8, 0.8001, 0.8, waiting_loop, Severity::moderate},
      {"few-iterations-or-warmup", "min_queries", 30, 29, 30, queries_of_the_summary},
      {"few-iterations-or-warmup", "min_queries", 30, 29, 30, exported_queries},
      {"gpu-time-unstable", "min_spread", 0.128, 0.1281, 0.1279, spread_of_queries},
      {"gpu-time-unstable", "min_coeff_var", 0.05, 0.05, 0.0499, spread_of_the_summary},
      {"gpu-time-unstable", "min_coeff_var", 0.05, 29, 30, spread_of_few_queries},
      {"gpu-time-unstable", "max_correlation", 0.5, 0.499, 0.501, correlated_with_a_slow_host},
      {"gpu-time-unstable", "shared", 0.1, 100, 99, outliers, Severity::major},
      {"gpu-time-unstable", "min_outliers", 0.01, 10, 9, outliers},
      {"gpu-time-unstable", "min_outliers", 0.01, 2.01, 2, slow_queries},
      {"gpu-time-unstable", "min_tail", 4, 4, 3.99, two_slow_queries},
  };
  return pairs;
}

}  // namespace trtlens::test
