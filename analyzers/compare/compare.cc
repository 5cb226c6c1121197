// The stages of a comparison: sides, differences, verdict of the engine, groups, reasons, rules.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/comparison.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/runs/side.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/graph/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

void finish_groups(Comparison& c) {
  double aligned_base = 0, aligned_candidate = 0;
  const bool timed = c.base.build.has_profile && c.candidate.build.has_profile;
  for (LayerGroup& group : c.groups) {
    if (!timed) group.delta_ms = 0;  // of an unknown time
    const bool both = !group.base.empty() && !group.candidate.empty();
    if (both) {
      aligned_base += group.base_ms;
      aligned_candidate += group.candidate_ms;
    }
  }
  const auto share = [](double part, double whole) {  // sums in another order may differ
    return whole > 0 ? std::min(part / whole, 1.0) : 0;
  };
  c.aligned_share_base = share(aligned_base, c.base.build.profile_sum_ms);
  c.aligned_share_candidate = share(aligned_candidate, c.candidate.build.profile_sum_ms);
  std::ranges::stable_sort(c.groups, std::ranges::greater(),
                           [](const LayerGroup& a) { return std::fabs(a.delta_ms); });
}

// Whether the base's inputs would show the hazard if it had it: what is about layers needs layers,
// with their tensors where the candidate has these; what a log says of a build needs one of a
// build.
bool would_show(const Build& base, const Build& candidate, const Finding& finding) {
  if (!finding.layers.empty()) {
    return candidate.knows_layers() ? base.knows_layers() : !base.layers.empty();
  }
  const bool of_line = !finding.evidence.empty() && !finding.evidence[0].file.empty();
  return !of_line || tells_its_build(base);
}

// What the rules say of the candidate and not of the base: where to look for the reason.
std::vector<Finding> new_findings(const Analysis& base, const Analysis& candidate) {
  std::set<std::string> known;
  for (const Finding& finding : base.findings) known.insert(finding.rule);
  std::vector<Finding> news;
  for (const Finding& finding : candidate.findings) {
    if (finding.severity != Severity::info && known.count(finding.rule) == 0 &&
        would_show(base.build, candidate.build, finding)) {
      news.push_back(finding);
    }
  }
  return news;
}

void count_kernels(Comparison& c) {
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    const Analysis& side = which == 0 ? c.base : c.candidate;
    for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
      if (time_or_zero(side.build.layers[i]) <= 0) continue;
      ++c.launches[which];
      const LayerRole role = side.verdicts[i].role;
      if (role == LayerRole::reformat) ++c.reformats[which];
      if (role == LayerRole::quantize || role == LayerRole::dequantize) ++c.qdq_kernels[which];
    }
  }
}

// The best that a run of a side has of GPU compute times: "per-query times"; "" without any.
std::string compute_times_of(const Side& side) {
  for (const auto& [source, noun] :
       {std::make_pair(TimeSource::queries, "per-query times"),
        std::make_pair(TimeSource::summary_median, "a performance summary"),
        std::make_pair(TimeSource::summary_mean, "a performance summary"),
        std::make_pair(TimeSource::trace, "trace averages")}) {
    const TimeSource wanted = source;
    if (std::ranges::any_of(side.counted,
                            [&](std::size_t i) { return has_time(side.runs[i], wanted); })) {
      return noun;
    }
  }
  return {};
}

// GPU compute would say more: the sum of the layers misses what is between them.
std::string why_profile(const EngineVerdict& engine, const Side& base, const Side& candidate) {
  if (engine.metric != "profile_sum_ms") return {};
  const std::string of_base = compute_times_of(base), of_candidate = compute_times_of(candidate);
  if (of_base.empty() && of_candidate.empty()) return "neither side has GPU compute times";
  if (of_base.empty() || of_candidate.empty()) {
    const bool base_lacks = of_base.empty();
    return std::string("the ") + (base_lacks ? "base" : "candidate") +
           " has no GPU compute times, the " + (base_lacks ? "candidate has " : "base has ") +
           (base_lacks ? of_candidate : of_base);
  }
  return "no GPU compute figure is in every run: the base has " + of_base + ", the candidate " +
         of_candidate;
}

void note_doubles(const char* name, const Analysis& side, std::vector<std::string>& notes) {
  for (const Diagnostic& d : side.reading->diagnostics) {
    if (d.id != "input-twice") continue;
    notes.push_back(d.file + " of the " + name + " was named twice and counts once");
  }
}

void note_other_names(const char* name, const SideLayers& layers, std::vector<std::string>& notes) {
  for (const std::string& run : layers.other_names) {
    notes.push_back(run + " of the " + name +
                    ": its profile names other layers than the one shown, and does not count");
  }
}

// Runs that stand on both sides draw these together.
void note_shared(const std::vector<std::string>& files, std::vector<std::string>& notes) {
  if (files.empty()) return;
  const std::string more =
      files.size() == 1 ? " was" : " and " + std::to_string(files.size() - 1) + " more were";
  notes.push_back(files[0] + more + " read for both sides");
}

// Layers of queries that overlap in several streams take the longer, whatever the engine.
bool profiles_unlike(Comparison& c) {
  const std::int64_t of_base = c.base.build.inference.streams.value_or(1);
  const std::int64_t of_candidate = c.candidate.build.inference.streams.value_or(1);
  if (of_base == of_candidate) return false;
  if (c.engine.metric == "profile_sum_ms") {
    c.engine.verdict = Verdict::cannot_tell;
    c.engine.settle.reset();
    c.engine.confirm.reset();
    c.engine.reason = "the profiles were taken with " + std::to_string(of_base) + " and " +
                      std::to_string(of_candidate) +
                      " streams, and layers of overlapping queries take longer";
  }
  return true;
}

// Said before any number.
void add_mixed(const char* name, const Side& side, std::vector<Difference>& differences) {
  if (side.mixed.empty()) return;
  Difference mixed;
  mixed.what = "repetitions";
  mixed.name = std::string("the runs of the ") + name + " are of different engines or settings";
  (name == std::string("base") ? mixed.base : mixed.candidate) = side.mixed;
  differences.push_back(std::move(mixed));
}

}  // namespace

const char* to_string(Verdict verdict) {
  return name_of<Verdict::regressed>(verdict,
                                     {"cannot_tell", "no_change", "improved", "regressed"});
}

Comparison compare(std::vector<Analysis> base, std::vector<Analysis> candidate,
                   const CompareOptions& options) {
  Comparison c;
  if (base.empty() || candidate.empty()) {
    c.comparable = false;
    c.can_force = false;
    c.refused = true;
    c.not_comparable.emplace_back("a side holds no build");
    return c;
  }
  Side b = side_of_runs(std::move(base));
  Side d = side_of_runs(std::move(candidate));
  c.engine = engine_verdict(b, d, options);
  c.why_profile = why_profile(c.engine, b, d);
  if (!c.why_profile.empty()) {
    c.engine.notes.push_back("compared by the profile sum: " + c.why_profile);
  }
  c.same_files = options.same_files;
  SideLayers base_layers, candidate_layers;
  take_together(b, options.analyze, c.base, base_layers);
  take_together(d, options.analyze, c.candidate, candidate_layers);
  note_doubles("base", c.base, c.engine.notes);
  note_doubles("candidate", c.candidate, c.engine.notes);
  note_other_names("base", base_layers, c.engine.notes);
  note_other_names("candidate", candidate_layers, c.engine.notes);
  if (!options.same_files) note_shared(options.shared_files, c.engine.notes);
  c.profiled_runs = {base_layers.runs.size(), candidate_layers.runs.size()};
  c.groups = align(c.base, c.candidate);
  const bool is_mixed = !b.mixed.empty() || !d.mixed.empty();
  const bool is_unlike = profiles_unlike(c);
  judge_groups(base_layers, candidate_layers, options, !is_mixed && !is_unlike, c.groups);
  finish_groups(c);
  count_kernels(c);
  add_mixed("base", b, c.differences);
  add_mixed("candidate", d, c.differences);
  for (Difference& other : differences_of(c.base.build, c.candidate.build)) {
    c.differences.push_back(std::move(other));
  }
  explain_groups(c);
  check_comparable(c);
  c.refused = !c.comparable && !(options.force && c.can_force);
  if (!c.refused && !is_mixed) {
    c.at_odds = odds_of_shift(c);
    c.parts = parts_of_shift(c);
    c.writers = writers_of_shift(c);
    c.shift_findings = findings_of_shift(c);
    c.cause = cause_of_shift(c);
    c.findings = compare_findings(c);
  }
  for (Finding& news : new_findings(c.base, c.candidate)) c.findings.push_back(std::move(news));
  if (c.refused) {
    c.engine.verdict = Verdict::cannot_tell;
    c.engine.settle.reset();
    c.engine.confirm.reset();
  }
  for (std::optional<Settle>* more : {&c.engine.settle, &c.engine.confirm}) {
    if (!*more) continue;
    (*more)->commands = {timing_command(c.base.build), timing_command(c.candidate.build)};
  }
  return c;
}

}  // namespace trtlens
