// Fingerprints, the severity and the cost from which a finding counts, what is accepted or ignored.
#include "analyzers/gate/gate.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>
#include <utility>

#include "analyzers/gate/regressions.h"
#include "analyzers/gate/sha256.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// On more layers than this, a finding is about the engine.
constexpr std::size_t kNamedLayers = 8;

std::string hash_of(const std::string& text) {
  constexpr std::size_t kDigits = 16;
  return hex_sha256(text).substr(0, kDigits);
}

std::string fingerprint(const std::string& rule, const char* place,
                        const std::set<std::string>& names) {
  std::string text = rule + '\0' + place;
  for (const std::string& name : names) text += '\0' + name;
  return hash_of(text);
}

// A group of layers that became slower, by the layer of the base that it is about; a clause,
// whatever it expects and was found; runs that failed, by their commands.
std::string fingerprint_of(const Regression& regression) {
  const std::string& rule = regression.finding.rule;
  if (regression.lead.empty()) return fingerprint(rule, "engine", {});
  const bool is_clause = is_one_of(rule, {kContractBroken, kContractUndecidable});
  const char* place = is_clause ? "clause" : rule == kOtherRunFailed ? "runs" : "layers";
  return fingerprint(rule, place, {regression.lead});
}

bool reaches(const Finding& finding, const std::string& fail_on) {
  if (fail_on == "regression" || fail_on == "broken" || fail_on == "cannot-tell") {
    const bool is_open = finding.rule == kEngineCannotTell || finding.rule == kContractUndecidable;
    return finding.rule == kEngineRegressed || finding.rule == kContractBroken ||
           (fail_on == "cannot-tell" && is_open);
  }
  for (const Severity severity :
       {Severity::info, Severity::minor, Severity::moderate, Severity::major, Severity::fatal}) {
    if (fail_on == to_string(severity)) return finding.severity >= severity;
  }
  return false;
}

bool costs_enough(const Finding& finding, double profile_ms, double threshold) {
  if (!finding.stake_ms || profile_ms <= 0) return true;
  return *finding.stake_ms / profile_ms >= threshold;
}

// What the baseline holds, and which of it was met.
class Accepted {
 public:
  explicit Accepted(const Baseline& baseline) : baseline_(baseline) {
    for (const BaselineEntry& entry : baseline.entries) known_.insert(entry.fingerprint);
  }
  bool has(const std::string& print) {
    if (known_.count(print) == 0) return false;
    met_.insert(print);
    return true;
  }
  [[nodiscard]] std::vector<BaselineEntry> gone() const {
    std::vector<BaselineEntry> gone;
    for (const BaselineEntry& entry : baseline_.entries) {
      if (met_.count(entry.fingerprint) == 0) gone.push_back(entry);
    }
    return gone;
  }

 private:
  const Baseline& baseline_;
  std::unordered_set<std::string> known_, met_;
};

void judge(const std::vector<Finding>& findings, double profile_ms, const GateOptions& options,
           Accepted& baseline, GateResult& gate) {
  for (const Finding& finding : findings) {
    if (is_ignored(finding, options.ignore)) continue;
    std::string print = fingerprint_of(finding);
    if (baseline.has(print)) {
      gate.accepted.push_back({&finding, std::move(print), false});
      continue;
    }
    const bool counts =
        reaches(finding, options.fail_on) && costs_enough(finding, profile_ms, options.threshold);
    gate.items.push_back({&finding, std::move(print), counts});
  }
}

// What the gate itself found.
void judge_regressions(std::vector<Regression> regressions, const GateOptions& options,
                       Accepted& baseline, GateResult& gate) {
  for (Regression& regression : regressions) {
    if (is_ignored(regression.finding, options.ignore)) continue;
    std::string print = fingerprint_of(regression);
    const bool is_accepted = baseline.has(print);
    gate.regressions.push_back(std::move(regression.finding));
    const Finding& finding = gate.regressions.back();
    // Sides that are not comparable have an exit status of their own.
    const bool counts = finding.rule != kNotComparable && reaches(finding, options.fail_on) &&
                        (!regression.shift || *regression.shift >= options.threshold);
    (is_accepted ? gate.accepted : gate.items)
        .push_back({&finding, std::move(print), counts && !is_accepted});
  }
}

// `profile_ms`: 0 counts findings whatever they cost.
GateResult held(std::vector<Regression> regressions, const std::vector<Finding>& findings,
                double profile_ms, const GateOptions& options, const Baseline& baseline) {
  GateResult gate;
  gate.fail_on = options.fail_on;
  Accepted accepted(baseline);
  judge_regressions(std::move(regressions), options, accepted, gate);
  judge(findings, profile_ms, options, accepted, gate);
  gate.gone = accepted.gone();
  return gate;
}

std::vector<const Finding*> reported(const std::vector<Finding>& findings, const GateResult* gate) {
  std::vector<const Finding*> out;
  if (gate == nullptr) {
    for (const Finding& finding : findings) out.push_back(&finding);
    return out;
  }
  for (const GateItem& item : gate->items) {
    if (!is_gate_rule(item.finding->rule)) out.push_back(item.finding);
  }
  return out;
}

}  // namespace

bool GateResult::fails() const {
  return std::ranges::any_of(items, [](const GateItem& item) { return item.counts; });
}

std::string fingerprint_of(const Finding& finding) {
  std::set<std::string> names;
  for (const SharedText& layer : finding.layers) {
    names.insert(layer.str());
    if (names.size() > kNamedLayers) return fingerprint(finding.rule, "engine", {});
  }
  if (!names.empty()) return fingerprint(finding.rule, "layers", names);
  const bool of_line = !finding.evidence.empty() && !finding.evidence[0].file.empty();
  return fingerprint(finding.rule, of_line ? "log" : "engine", {});
}

GateResult hold(const Analysis& analysis, const GateOptions& options, const Baseline& baseline) {
  return held(options.run_named ? std::vector<Regression>() : regressions_of(analysis),
              analysis.findings, analysis.build.profile_sum_ms, options, baseline);
}

GateResult hold(const Comparison& comparison, const GateOptions& options,
                const Baseline& baseline) {
  // The threshold is about shifts: a finding of the candidate is none.
  return held(regressions_of(comparison), comparison.findings, 0, options, baseline);
}

GateResult hold(const ContractResult& contract, const GateOptions& options,
                const Baseline& baseline) {
  return held(regressions_of(contract), {}, 0, options, baseline);
}

std::vector<const Finding*> reported_findings(const Analysis& analysis, const GateResult* gate) {
  return reported(analysis.findings, gate);
}

std::vector<const Finding*> reported_findings(const Comparison& comparison,
                                              const GateResult* gate) {
  return reported(comparison.findings, gate);
}

}  // namespace trtlens
