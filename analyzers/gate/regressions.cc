// The rules that only a gate knows, and the findings that a Comparison makes of them.
#include "analyzers/gate/regressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzers/compare/signed_text.h"
#include "analyzers/gate/gate.h"
#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

Evidence metric(const char* name, const std::optional<double>& value, const std::string& note) {
  Evidence evidence;
  evidence.metric = std::string(name);
  evidence.value = value;
  evidence.note = note;
  return evidence;
}

Regression engine_regression(const Comparison& c) {
  const EngineVerdict& engine = c.engine;
  const bool by_profile = engine.metric == "profile_sum_ms";
  Regression regression;
  regression.finding = rule_info(kEngineRegressed).finding();
  Finding& finding = regression.finding;
  finding.title = "The engine regressed";
  if (engine.ratio) regression.shift = *engine.ratio - 1;
  if (engine.base_ms && engine.candidate_ms && engine.ratio) {
    finding.title += fmt::format(
        ": {} to {} of {} ({})", ms_text(*engine.base_ms), ms_text(*engine.candidate_ms),
        by_profile ? "profile time, all layers together" : "GPU compute per query",
        signed_share_text(*engine.ratio - 1));
  }
  if (!c.comparable) {
    finding.title += "; forced, though not comparable";
    for (const std::string& why : c.not_comparable) finding.why += " Not comparable: " + why + ".";
  }
  if (!engine.method.empty()) finding.why += " Method: " + engine.method + ".";
  const char* name = by_profile ? "profile_sum_ms" : "gpu_compute_ms";
  finding.evidence.push_back(metric(name, engine.base_ms, "base"));
  finding.evidence.push_back(metric(name, engine.candidate_ms, "candidate"));
  return regression;
}

Regression cannot_tell(const EngineVerdict& engine) {
  Regression regression;
  regression.finding = rule_info(kEngineCannotTell).finding();
  if (!engine.reason.empty()) {
    regression.finding.title = "Cannot tell whether the engine regressed: " + engine.reason;
    return regression;
  }
  regression.finding.title =
      engine.ratio ? fmt::format(
                         "Cannot tell whether the engine regressed: {} is within what its runs can "
                         "show",
                         signed_share_text(*engine.ratio - 1))
                   : "Cannot tell whether the engine regressed: a side has no GPU compute time";
  return regression;
}

Regression not_comparable(const Comparison& c) {
  Regression regression;
  regression.finding = rule_info(kNotComparable).finding();
  regression.finding.title = "The two sides are not comparable";
  for (std::size_t i = 0; i < c.not_comparable.size(); ++i) {
    regression.finding.title += (i == 0 ? ": " : "; ") + c.not_comparable[i];
  }
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
std::string lead_of(const Analysis& side, const std::vector<std::size_t>& layers) {
  for (const std::size_t i : layers) {
    if (is_arithmetic(side.verdicts[i].role)) return side.build.layers[i].name;
  }
  return side.build.layers[layers.front()].name;
}

Regression group_regression(const Comparison& c, const LayerGroup& group) {
  Regression regression;
  regression.finding = rule_info(kLayersRegressed).finding();
  regression.lead = lead_of(c.base, group.base);
  regression.shift = group.delta_ms / group.base_ms;
  Finding& finding = regression.finding;
  finding.stake_ms = group.delta_ms;
  if (c.base.build.profile_sum_ms > 0) {
    finding.severity = severity_of_share(group.delta_ms / c.base.build.profile_sum_ms);
  }
  finding.title =
      fmt::format("{} regressed: {} to {} of profile time ({:+.0f} %)", name_text(regression.lead),
                  ms_text(group.base_ms), ms_text(group.candidate_ms), *regression.shift * 100);
  for (const std::string& why : group.why)
    finding.why += (&why == &group.why[0] ? " " : "; ") + why;
  if (!group.why.empty()) finding.why += ".";
  finding.next_check +=
      lacking_text("base", c.base.build) + lacking_text("candidate", c.candidate.build);
  // First the one that the group is about, as it is called now: test cases are named by it.
  const std::string lead = lead_of(c.candidate, group.candidate);
  finding.layers.emplace_back(lead);
  for (const std::size_t i : group.candidate) {
    if (c.candidate.build.layers[i].name != lead) {
      finding.layers.push_back(c.candidate.build.layers[i].name);
    }
  }
  finding.evidence.push_back(metric("time_ms", group.base_ms, "base"));
  finding.evidence.push_back(metric("time_ms", group.candidate_ms, "candidate"));
  return regression;
}

}  // namespace

bool is_gate_rule(std::string_view id) {
  return id == kEngineRegressed || id == kEngineCannotTell || id == kLayersRegressed ||
         id == kNotComparable;
}

std::vector<Regression> regressions_of(const Comparison& c) {
  if (c.refused) return {not_comparable(c)};
  std::vector<Regression> all;
  if (c.engine.verdict == Verdict::regressed) all.push_back(engine_regression(c));
  if (c.engine.verdict == Verdict::cannot_tell) all.push_back(cannot_tell(c.engine));
  for (const LayerGroup& group : c.groups) {
    const bool both = !group.base.empty() && !group.candidate.empty() && group.base_ms > 0;
    if (group.verdict == Verdict::regressed && both) all.push_back(group_regression(c, group));
  }
  return all;
}

}  // namespace trtlens
