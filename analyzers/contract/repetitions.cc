// Which of the builds make a contract, or keep one from being held.
#include "analyzers/contract/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analyzers/text.h"

namespace trtlens {
namespace {

const char* const kStops = "the log ends before the build or the run does";

bool is_good(const Analysis& build) {
  const Outcome outcome = build.build.outcome;
  return outcome == Outcome::unknown || outcome == Outcome::passed;
}

}  // namespace

std::string why_refused(const Side& side) {
  const std::string start = "these builds are no repetitions of one engine: ";
  if (!side.mixed.empty()) return start + side.mixed;
  const Analysis& first = side.runs[side.counted.front()];
  for (std::size_t i = 0; i < side.runs.size(); ++i) {
    const Analysis& run = side.runs[i];
    const bool is_counted = std::ranges::find(side.counted, i) != side.counted.end();
    if (is_counted || run.build.outcome == Outcome::failed) continue;
    const std::string why = unlike(first, run);
    if (!why.empty()) return fmt::format("{}{} and {} ({})", start, first.name, run.name, why);
  }
  return {};
}

std::optional<ClauseResult> outcome_clause(const Side& side) {
  std::vector<const Analysis*> bad;
  for (const Analysis& run : side.runs) {
    if (!is_good(run)) bad.push_back(&run);
  }
  if (bad.empty()) return std::nullopt;
  const auto failed = std::ranges::find(bad, Outcome::failed,
                                        [](const Analysis* run) { return run->build.outcome; });
  const bool any_failed = failed != bad.end();
  if (any_failed) std::rotate(bad.begin(), failed, failed + 1);
  const Analysis& worst = *bad.front();
  const bool is_one = side.runs.size() == 1;
  ClauseResult clause;
  clause.name = "build";
  clause.state = any_failed ? ClauseState::broken : ClauseState::undecidable;
  clause.expected = "passed";
  clause.found = to_string(worst.build.outcome);
  if (!is_one) clause.found += fmt::format(": {} of {}", bad.size(), side.runs.size());
  const std::string name = is_one ? "" : worst.name + ": ";
  if (any_failed && !worst.findings.empty()) {
    clause.why = name + worst.findings[0].title;
    if (is_one) clause.finding = 0;
  } else if (any_failed) {
    clause.why = is_one ? "" : name + "failed";
  } else {
    clause.why = name + kStops;
    clause.needs = "the whole log";
  }
  return clause;
}

}  // namespace trtlens
