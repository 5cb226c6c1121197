// The number of queries that were timed.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::few_iterations_or_warmup {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  std::optional<std::uint64_t> queries = a.build.performance.queries;
  if (!queries && a.compute_samples) queries = a.compute_samples->n;
  if (!queries || static_cast<double>(*queries) >= c.threshold("min_queries")) return;
  Finding finding = c.finding({{"queries", std::to_string(*queries)}});
  out.push_back(std::move(finding));
}

extern const Rule rule{"few-iterations-or-warmup", Pass::note, check};

}  // namespace trtlens::checks::few_iterations_or_warmup
