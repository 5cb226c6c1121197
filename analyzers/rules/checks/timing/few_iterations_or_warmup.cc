// The number of queries that were timed.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::few_iterations_or_warmup {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  std::optional<std::uint64_t> queries = a.build.performance.queries;
  if (!queries && a.compute_samples) queries = a.compute_samples->n;
  if (!queries || static_cast<double>(*queries) >= c.threshold("min_queries")) return;
  Finding finding = c.finding();
  finding.title = "Only " + std::to_string(*queries) + " queries were timed";
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"few-iterations-or-warmup",
     "timing-validity",
     Severity::minor,
     Confidence::measured,
     "Too few queries were timed for their statistics to mean much.",
     "The first queries of a run are up to 5 % slower, and a median of a few of them moves with "
     "each.",
     {"Time longer: --duration=10 --warmUp=500 --iterations=100"},
     "trtexec --loadEngine=ENGINE --warmUp=500 --duration=10 --exportTimes=times.json",
     "Very large models.",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.16/samples/common/sampleReporting.cpp"},
     {{"min_queries", 30, "count", "queries timed"}},
     ""},
    Pass::note,
    check};

}  // namespace trtlens::checks::few_iterations_or_warmup
