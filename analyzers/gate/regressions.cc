// The rules that only a gate knows, and the findings that a Comparison makes of them.
#include "analyzers/gate/regressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analyzers/gate/gate.h"
#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

Evidence metric(const char* name, const std::optional<double>& value, const std::string& note) {
  return {.note = note, .metric = std::string(name), .value = value};
}

Finding finding_of(const char* rule, const Values& values, const Comparison& c) {
  return rule_info(rule).finding(values, c.candidate.build);
}

Regression engine_regression(const Comparison& c) {
  const EngineVerdict& engine = c.engine;
  const bool by_profile = engine.metric == "profile_sum_ms";
  Regression regression;
  if (engine.ratio) regression.shift = *engine.ratio - 1;
  Values values;
  if (engine.ratio) values.emplace("shift", share_text(*engine.ratio - 1));
  regression.finding = finding_of(kEngineRegressed, values, c);
  Finding& finding = regression.finding;
  if (!c.comparable) {
    finding.why += " Forced, though not comparable: " + join(c.not_comparable, "; ") + ".";
  }
  const char* name = by_profile ? "profile_sum_ms" : "gpu_compute_ms";
  finding.evidence.push_back(metric(name, engine.base_ms, "base"));
  finding.evidence.push_back(metric(name, engine.candidate_ms, "candidate"));
  if (!engine.method.empty()) {
    finding.evidence.push_back({.note = "method: " + engine.method});
  }
  return regression;
}

Regression cannot_tell(const Comparison& c) {
  std::string reason = c.engine.reason;
  if (reason.empty()) {
    reason = c.engine.ratio
                 ? signed_share_text(*c.engine.ratio - 1) + " is within what its runs can show"
                 : "a side has no GPU compute time";
  }
  Regression regression{finding_of(kEngineCannotTell, {}, c), {}, std::nullopt};
  regression.finding.why = "No verdict: " + reason + ".";
  return regression;
}

Regression not_comparable(const Comparison& c) {
  Regression regression;
  regression.finding =
      finding_of(kNotComparable, {{"reasons", sentence_start(join(c.not_comparable, "; "))}}, c);
  // The commands of a side that has nothing; a failed build has its own findings.
  const auto add_lacking = [&](const char* side, const Build& build) {
    if (build.outcome == Outcome::failed) return;
    regression.finding.next_check += lacking_text(side, build);
  };
  add_lacking("base", c.base.build);
  add_lacking("candidate", c.candidate.build);
  return regression;
}

// The layer that a group is about, whatever the times: its first arithmetic, else its first layer.
std::size_t lead_of(const Analysis& side, const std::vector<std::size_t>& layers) {
  for (const std::size_t i : layers) {
    if (is_arithmetic(side.verdicts[i].role)) return i;
  }
  return layers.front();
}

Regression group_regression(const Comparison& c, const LayerGroup& group) {
  Regression regression;
  const std::size_t lead_of_base = lead_of(c.base, group.base);
  regression.lead = c.base.build.layers[lead_of_base].name;
  regression.shift = group.delta_ms / group.base_ms;
  regression.finding = finding_of(kLayersRegressed,
                                  {{"layer", name_text(label_of(c.base, lead_of_base))},
                                   {"shift", fmt::format("{:.0f} %", *regression.shift * 100)}},
                                  c);
  Finding& finding = regression.finding;
  put_at_stake(group.delta_ms, c.base.build.profile_sum_ms, finding);
  if (!group.why.empty()) finding.why += " " + sentence_start(join(group.why_texts(), "; ")) + ".";
  finding.next_check +=
      lacking_text("base", c.base.build) + lacking_text("candidate", c.candidate.build);
  // First the one that the group is about, as it is called now: test cases are named by it.
  const std::vector<Layer>& layers = c.candidate.build.layers;
  const SharedText lead = layers[lead_of(c.candidate, group.candidate)].name;
  finding.layers.emplace_back(lead);
  for (const std::size_t i : group.candidate) {
    if (layers[i].name != lead) finding.layers.push_back(layers[i].name);
  }
  finding.evidence.push_back(metric("time_ms", group.base_ms, "base"));
  finding.evidence.push_back(metric("time_ms", group.candidate_ms, "candidate"));
  return regression;
}

Regression clause_regression(const ContractResult& contract, const ClauseResult& clause) {
  const bool is_broken = clause.state == ClauseState::broken;
  const Values values{{"clause", clause.name},
                      {"expected", clause.expected},
                      {"found", clause.found},
                      {"reason", clause.why}};
  Regression regression;
  regression.lead = clause.name;
  regression.finding = rule_info(is_broken ? kContractBroken : kContractUndecidable)
                           .finding(values, contract.build.build);
  Finding& finding = regression.finding;
  if (is_broken && !clause.why.empty()) finding.why += " " + sentence_start(clause.why) + ".";
  // First the name of the clause: test cases are named by it.
  finding.evidence.push_back(metric(clause.name.c_str(), clause.value, clause.expected));
  if (clause.finding) {
    const Finding& cause = contract.build.findings.at(*clause.finding);
    finding.evidence.push_back({.note = "finding: " + cause.title + " [" + cause.rule + "]"});
    finding.cause = cause.cause;
    finding.remedies = cause.remedies;
  }
  if (!clause.needs.empty()) finding.evidence.push_back({.note = "needs " + clause.needs});
  for (const std::size_t i : clause.layers) {
    finding.layers.push_back(contract.build.build.layers[i].name);
  }
  return regression;
}

bool is_own(const Run& run, const Build& build) {
  return std::ranges::find(build.runs, run.n) != build.runs.end();
}

// Of those that are no builds, which have findings of their own: each counts once, with the last
// build of its log.
std::vector<const Run*> other_failed_runs(const Analysis& analysis) {
  const std::vector<Run>& runs = analysis.reading->runs;
  std::map<std::uint32_t, const Run*> last_builds;
  for (const Run& run : runs) {
    if (run.is_build) last_builds[run.file] = &run;
  }
  const std::vector<TuningIteration>& tried = analysis.build.tuning.iterations;
  std::vector<const Run*> failed;
  for (const Run& run : runs) {
    const auto last = last_builds.find(run.file);
    const bool is_other =
        !run.is_build && last != last_builds.end() && is_own(*last->second, analysis.build);
    // A tuner tries what may fail.
    const bool is_trial = std::ranges::find(tried, run.n, &TuningIteration::run) != tried.end();
    if (is_other && !is_trial && run.outcome == Outcome::failed) failed.push_back(&run);
  }
  return failed;
}

}  // namespace

bool is_gate_rule(std::string_view id) {
  return is_one_of(id, {kEngineRegressed, kEngineCannotTell, kLayersRegressed, kNotComparable,
                        kContractBroken, kContractUndecidable, kOtherRunFailed});
}

std::vector<Regression> regressions_of(const Analysis& analysis) {
  if (!analysis.reading) return {};
  const std::vector<const Run*> failed = other_failed_runs(analysis);
  if (failed.empty()) return {};
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> numbers;
  for (const Run* run : failed) {
    if (numbers.size() < kNamed) numbers.push_back(std::to_string(run->n));
  }
  const bool is_one = failed.size() == 1;
  std::string runs = (is_one ? "Run " : "Runs ") + join(numbers, ", ");
  if (failed.size() > kNamed) runs += fmt::format(" and {} more", failed.size() - kNamed);
  Regression regression;
  regression.finding =
      rule_info(kOtherRunFailed)
          .finding(
              {{"runs", is_one ? "Another run" : std::to_string(failed.size()) + " other runs"},
               {"failed", runs},
               {"first", numbers.front()},
               {"are", is_one ? "is" : "are"},
               {"all", std::to_string(analysis.reading->run_count)}},
              analysis.build);
  for (const Run* run : failed) regression.lead += run->command + '\n';
  regression.finding.evidence.push_back(
      {.file = analysis.reading->inputs[failed.front()->file].path,
       .line = failed.front()->first_line});
  return {std::move(regression)};
}

std::vector<Regression> regressions_of(const ContractResult& contract) {
  std::vector<Regression> all;
  for (const ClauseState state : {ClauseState::broken, ClauseState::undecidable}) {
    for (const ClauseResult& clause : contract.clauses) {
      if (clause.state == state) all.push_back(clause_regression(contract, clause));
    }
  }
  return all;
}

std::vector<Regression> regressions_of(const Comparison& c) {
  if (c.refused) return {not_comparable(c)};
  std::vector<Regression> all;
  if (c.engine.verdict == Verdict::regressed) all.push_back(engine_regression(c));
  if (c.engine.verdict == Verdict::cannot_tell) all.push_back(cannot_tell(c));
  for (const LayerGroup& group : c.groups) {
    const bool both = !group.base.empty() && !group.candidate.empty() && group.base_ms > 0;
    if (group.verdict == Verdict::regressed && both) all.push_back(group_regression(c, group));
  }
  return all;
}

}  // namespace trtlens
