// The contract's runs are the base of compare's verdict, the build's are the candidate.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/contract/measure.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

struct Figure {
  const char* name;
  TimeSource source;
  std::optional<double> ContractRun::*ms;
};
constexpr std::array<Figure, 3> kFigures = {
    {{"p10", TimeSource::queries, &ContractRun::p10_ms},
     {"median", TimeSource::summary_median, &ContractRun::median_ms},
     {"profile sum", TimeSource::profile, &ContractRun::profile_ms}}};

// The best figure that all runs have, the contract's and these; null where there is none.
const Figure* common_figure(const ContractTime& good, const std::vector<const Analysis*>& runs) {
  for (const Figure& figure : kFigures) {
    const bool of_contract = std::ranges::all_of(
        good.runs, [&](const ContractRun& run) { return (run.*figure.ms).has_value(); });
    const bool of_runs = std::ranges::all_of(
        runs, [&](const Analysis* run) { return has_time(*run, figure.source); });
    if (of_contract && of_runs && !runs.empty()) return &figure;
  }
  return nullptr;
}

// Why times of these conditions say nothing of each other; "" when they do.
std::string why_unlike(const Contract& contract, const ContractTime& good, const Build& build) {
  const std::string gpu = build.gpu ? build.gpu->name : "";
  if (contract.gpu && !gpu.empty() &&
      std::ranges::find(*contract.gpu, gpu) == contract.gpu->end()) {
    return "it was timed on another GPU";
  }
  const std::string shapes = timed_shapes(build);
  if (!good.shapes.empty() && !shapes.empty() && shapes != good.shapes) {
    return "it was timed with other inputs: " + shapes + ", not " + good.shapes;
  }
  return {};
}

std::string found_text(const EngineVerdict& verdict) {
  return ms_text(*verdict.candidate_ms) + ", " + signed_share_text(*verdict.ratio - 1);
}

std::string runs_text(const EngineVerdict& verdict) {
  if (!verdict.settle || !verdict.settle->runs) return "more runs of the build, or of the good one";
  return fmt::format("{} runs of either build", *verdict.settle->runs);
}

}  // namespace

ClauseResult time_clause(const Contract& contract, const ContractTime& good,
                         const std::vector<const Analysis*>& runs) {
  ClauseResult clause;
  clause.name = "time_per_query";
  clause.state = ClauseState::undecidable;
  clause.found = "unknown";
  const Figure* figure = common_figure(good, runs);
  if (figure == nullptr) {
    clause.expected = fmt::format("that of {}", count_text(good.runs.size(), "run"));
    clause.why = "the build has no figure that the contract has";
    clause.needs = kNeedsTimes;
    return clause;
  }
  std::vector<RunTime> base, candidate;
  for (const ContractRun& run : good.runs) {
    RunTime& time = base.emplace_back();
    time.value_ms = *(run.*figure->ms);
    time.relative_error = run.error_percent / 100;
  }
  for (const Analysis* run : runs) candidate.push_back(*run_time(*run, figure->source));
  CompareOptions options;
  options.margin = good.margin_percent / 100;
  options.noise_floor = good.noise_floor_percent / 100;
  const EngineVerdict verdict = verdict_of_runs(base, candidate, options);
  const bool repeated = verdict.ci95.has_value();
  clause.expected = fmt::format("{} ({}), at most {}", ms_text(*verdict.base_ms), figure->name,
                                signed_share_text(verdict.noise_floor));
  clause.found = found_text(verdict);
  clause.value = *verdict.candidate_ms;
  clause.why = why_unlike(contract, good, runs.front()->build);
  if (!clause.why.empty()) {
    clause.needs = "a run of the build under the contract's conditions";
    return clause;
  }
  if (verdict.verdict == Verdict::regressed) {
    clause.state = ClauseState::broken;
    const bool may_be_one_process = !repeated && *verdict.ratio <= 1 + kLargestOfOneProcess;
    if (may_be_one_process) clause.why = "single runs, and " + std::string(kSlowProcess);
    return clause;
  }
  // Within the tolerance; a shift that matters and that the runs scatter by is no answer.
  const double shift = *verdict.ratio - 1;
  const bool open = verdict.verdict == Verdict::cannot_tell && repeated && shift >= verdict.margin;
  if (!open) {
    clause.state = ClauseState::held;
    return clause;
  }
  clause.why = "the runs differ by as much among themselves";
  clause.needs = runs_text(verdict);
  return clause;
}

}  // namespace trtlens
