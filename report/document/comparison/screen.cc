// The first screen of a comparison: figures, what differs, what moved them, what to do.
#include "report/document/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzers/labels.h"
#include "analyzers/text.h"
#include "report/document/comparison/comparison.h"
#include "report/document/comparison/groups.h"
#include "report/document/comparison/words.h"
#include "report/document/parts.h"
#include "report/document/paths.h"

namespace trtlens {
namespace {

constexpr std::size_t kShiftsShown = 6, kReasonsShown = 5;
constexpr double kLeastReason = 0.005;       // of the base's profile time
constexpr double kLeastMemoryChange = 0.02;  // less is no other engine, but another build of it
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
// Less of a side's profile time in layers that both have is worth a note.
constexpr double kMostlyMatched = 0.95;

std::string change_text(const std::optional<double>& base, const std::optional<double>& candidate) {
  if (!base || !candidate || *base <= 0) return "";
  return signed_share_text(*candidate / *base - 1);
}

bool has_profiles(const Comparison& c) {
  return c.base.build.has_profile && c.candidate.build.has_profile;
}

// "29 → 27 kernels, 9 → 7 reformats"; "25 kernels, 2 reformats on both sides"
std::string counts_note(const Comparison& c) {
  std::vector<std::string> texts;
  bool is_same = true;
  for (const auto& [counts, noun] :
       {std::pair{&c.launches, "kernel"}, std::pair{&c.reformats, "reformat"},
        std::pair{&c.qdq_kernels, "Q/DQ kernel"}}) {
    const auto [base, candidate] = *counts;
    if (base + candidate == 0) continue;
    is_same = is_same && base == candidate;
    texts.push_back((base == candidate ? "" : std::to_string(base) + " → ") +
                    count_text(candidate, noun));
  }
  return join(texts, ", ") + (is_same && !texts.empty() ? " on both sides" : "");
}

// What an engine takes, where that differs.
std::vector<ScreenFigure> memory_of(const Comparison& c) {
  std::vector<ScreenFigure> figures;
  using Bytes = std::optional<std::int64_t>;
  const auto add = [&](const char* name, const Bytes& base, const Bytes& candidate,
                       std::int64_t least) {
    if (!base || !candidate || *base <= 0) return;
    const double change = static_cast<double>(*candidate) / static_cast<double>(*base) - 1;
    if (std::abs(change) < kLeastMemoryChange || std::abs(*candidate - *base) < least) return;
    figures.push_back({name, bytes_text(*base), bytes_text(*candidate),
                       fmt::format("{:+.0f} %", 100 * change), false, ""});
  };
  const Memory& base = c.base.build.memory;
  const Memory& candidate = c.candidate.build.memory;
  const bool is_rounded = base.engine_in_mib || candidate.engine_in_mib;  // each down to a MiB
  add("engine size", base.engine_bytes, candidate.engine_bytes, (is_rounded ? 2 : 1) * kMiB);
  add("GPU memory", c.base.memory.device_bytes, c.candidate.memory.device_bytes, kMiB);
  return figures;
}

std::vector<ScreenFigure> figures_of(const Comparison& c) {
  std::vector<ScreenFigure> figures;
  const bool by_profile = is_by_profile(c.engine);
  if (!by_profile) {
    const auto& [base, candidate] = std::tie(c.engine.base_ms, c.engine.candidate_ms);
    figures.push_back({"GPU compute" + short_statistic(c.engine), ms_text(base), ms_text(candidate),
                       change_text(base, candidate), false, shift_note(c.engine)});
  }
  if (!has_profiles(c)) return figures;
  const std::optional<double> base = c.base.build.profile_sum_ms;
  const std::optional<double> candidate = c.candidate.build.profile_sum_ms;
  figures.push_back(
      {"Profile sum", ms_text(base), ms_text(candidate), change_text(base, candidate), false,
       by_profile && c.engine.reason.empty() ? shift_note(c.engine) : counts_note(c), true});
  using Counts = std::array<std::size_t, 2>;
  for (const auto& [name, counts] : {std::pair<const char*, const Counts*>{"Kernels", &c.launches},
                                     {"Reformats among them", &c.reformats},
                                     {"Q/DQ kernels among them", &c.qdq_kernels}}) {
    const auto [was, is] = *counts;
    if (was + is == 0) continue;
    const long long more = static_cast<long long>(is) - static_cast<long long>(was);
    figures.push_back({name, std::to_string(was), std::to_string(is),
                       more == 0 ? "0" : fmt::format("{:+}", more), true, ""});
  }
  return figures;
}

// Without what a note or the verdict's own sentence is about.
std::vector<ScreenDifference> differences_of(const Comparison& c) {
  std::vector<ScreenDifference> all;
  for (const Difference& d : c.differences) {
    if (!d.matters || is_throughput(d) || d.what == "repetitions") continue;
    all.push_back({d.name, side_text(d, d.base), side_text(d, d.candidate)});
  }
  return all;
}

std::vector<std::string> notes_of(const Comparison& c) {
  std::vector<std::string> notes = notes_before_numbers(c);
  if (c.refused) return notes;
  for (const auto& [share, side] : {std::pair{c.aligned_share_base, "base"},
                                    std::pair{c.aligned_share_candidate, "candidate"}}) {
    if (!has_profiles(c) || share >= kMostlyMatched) continue;
    notes.push_back(share <= 0 ? "No layer with a time is on both sides."
                               : fmt::format("Only {} of the {}'s profile time is in layers that "
                                             "both sides have.",
                                             share_text(share), side));
    break;
  }
  return notes;
}

bool has_verdict(const LayerGroup& group) {
  return group.verdict == Verdict::regressed || group.verdict == Verdict::improved;
}

// What changed; where nothing did, what moved: that may be noise.
std::vector<const LayerGroup*> moved_groups(const Comparison& c, bool* has_changed) {
  std::vector<const LayerGroup*> moved;
  for (const LayerGroup& group : c.groups) {
    const bool has_layers = !group.base.empty() || !group.candidate.empty();
    if (group.delta_ms != 0 && has_layers) moved.push_back(&group);
  }
  const auto is_noise = [](const LayerGroup* group) {
    return !has_verdict(*group) && !unmatched(*group);
  };
  *has_changed = !std::ranges::all_of(moved, is_noise);
  if (*has_changed) std::erase_if(moved, is_noise);
  return moved;
}

// A name behind labels: which side has it, where only one has.
std::string side_note(const LayerGroup& group) {
  if (group.base.empty()) return "only in the candidate";
  return group.candidate.empty() ? "only in the base" : "";
}

// Without what other columns say, and without times and names of formats.
std::string short_why(const LayerGroup& group) {
  std::vector<std::string> why;
  for (const LayerReason& reason : group.why) {
    if (reason.about != LayerReason::About::precision) why.push_back(reason.what);
  }
  const std::string note = side_note(group);
  if (!note.empty()) why.insert(why.begin(), note);
  return join(why, ", ");
}

void add_shifts(const Comparison& c, std::size_t most, ComparisonScreen& screen) {
  std::vector<const LayerGroup*> moved = moved_groups(c, &screen.has_changed);
  screen.more_shifts = moved.size() > most ? moved.size() - most : 0;
  moved.resize(moved.size() - screen.more_shifts);
  for (const LayerGroup* group : moved) {
    screen.shifts.push_back({lead_label(c, *group), ms_change_text(group->delta_ms),
                             group->base.empty() ? "–" : ms_number(group->base_ms),
                             group->candidate.empty() ? "–" : ms_number(group->candidate_ms),
                             precision_text(*group), short_why(*group)});
  }
}

// Only where something shifted: parts of noise are noise.
void add_reasons(const Comparison& c, ComparisonScreen& screen) {
  if (c.cause.empty()) return;
  for (const ShiftPart& part : c.parts) {
    const bool is_small = std::fabs(part.delta_ms) < kLeastReason * c.base.build.profile_sum_ms;
    if (is_small || screen.reasons.size() == kReasonsShown) break;
    screen.reasons.push_back({ms_change_text(part.delta_ms), part.text});
  }
  for (const std::string& writers : c.writers) {
    screen.reasons.push_back({"", writers});
  }
}

ScreenFinding screen_finding(const Finding& finding) {
  ScreenFinding shown;
  shown.word = to_string(finding.severity);
  shown.tone = tone_of(finding.severity);
  shown.title = finding.title;
  shown.rule = finding.rule;
  const Steps steps = steps_of(finding);
  if (steps.actions.empty()) return shown;
  shown.action = steps.actions.front();
  if (!shown.action.starts_with("Check first: ")) return shown;
  if (!steps.check.empty()) shown.action += " " + steps.check;
  shown.commands = steps.commands;
  return shown;
}

// What explains the shift first.
void add_findings(const Comparison& c, const GateResult* gate, ComparisonScreen& screen) {
  std::vector<const Finding*> all = reported_findings(c, gate);
  std::set<std::string> explaining;
  for (const ShiftFinding& finding : c.shift_findings) explaining.insert(finding.rule);
  std::stable_partition(all.begin(), all.end(), [&](const Finding* finding) {
    return says_launch_bound(*finding) && !c.at_odds.empty();
  });
  std::stable_partition(all.begin(), all.end(), [&](const Finding* finding) {
    return explaining.count(finding->rule) != 0 ||
           (says_launch_bound(*finding) && !c.at_odds.empty());
  });
  std::set<std::string> shown;
  for (const Finding* finding : all) {
    if (!shown.insert(finding->rule + "\n" + finding->title).second) continue;
    screen.findings.push_back(screen_finding(*finding));
  }
  for (const ShiftFinding& finding : c.shift_findings) {
    if (finding.what == "new") continue;
    ScreenFinding one;
    one.word = finding.what == "gone"   ? "no longer"
               : finding.what == "more" ? "costlier"
                                        : "cheaper";
    one.tone = finding.delta_ms < 0 ? Tone::good : Tone::moderate;
    one.title = finding.title;
    one.rule = finding.rule;
    if (finding.what != "gone") one.title += " (" + signed_ms_text(finding.delta_ms) + ")";
    const bool is_worse = finding.what == "more";
    screen.findings.insert(is_worse ? screen.findings.begin() : screen.findings.end(),
                           std::move(one));
  }
}

// As the report on that build says it.
void add_failure(const Analysis& side, const char* name, ComparisonScreen& screen) {
  if (side.build.outcome != Outcome::failed) return;
  const std::shared_ptr<const Context> context = make_context(side, 0, nullptr);
  ScreenFailure failure;
  const std::string said = failed_words(side).verdict;
  failure.side = fmt::format("{}: the {}, {}", said, name, short_name(side));
  if (const Finding* fatal = fatal_finding(*context)) {
    failure.title = fatal->title;
    failure.why = fatal->why;
    Steps steps = steps_of(*fatal);
    failure.steps = std::move(steps.actions);
    failure.next_check = std::move(steps.check);
    failure.commands = std::move(steps.commands);
  }
  Document document;
  add_headline(*context, document);
  for (const Quote* quote : blocks_of<Quote>(document.headline)) {
    failure.quotes.emplace_back(quote->place, quote->lines);
  }
  screen.failures.push_back(std::move(failure));
}

void add_refusal(const Comparison& c, ComparisonScreen& screen) {
  add_failure(c.base, "base", screen);
  add_failure(c.candidate, "candidate", screen);
  if (c.can_force) screen.next = "--force compares them anyway.";
  if (screen.failures.empty()) return;
  screen.tone = Tone::fatal;
  // Those say it better.
  screen.because.erase(screen.because.begin(),
                       screen.because.begin() + static_cast<std::ptrdiff_t>(c.failed_sides));
}

void add_next(const Comparison& c, ComparisonScreen& screen) {
  const auto add = [&](const Settle& settle, const char* does) {
    screen.next = fmt::format(
        "To {} it, run each side {} times, alternating, in separate processes", does, *settle.runs);
    screen.commands = timing_commands(settle);
    screen.next += screen.commands.empty() ? "." : ":";
  };
  const EngineVerdict& e = c.engine;
  if (c.same_files) return;  // more of the same would settle nothing
  if (e.settle && e.settle->runs) return add(*e.settle, "settle");
  if (e.settle) screen.next = sentence_start(e.settle->obstacle) + ".";
  if (e.confirm) add(*e.confirm, "confirm");
}

}  // namespace

ComparisonScreen screen_of(const Comparison& c, int top, const GateResult* gate) {
  ComparisonScreen screen;
  const Heading heading = heading_of(c);
  screen.title = heading.title;
  screen.verdict = heading.verdict;
  screen.base = side_name(c, 0);
  screen.candidate = side_name(c, 1);
  screen.word = verdict_word(c);
  screen.tone = heading.verdict_tone;
  screen.because = why_no_verdict(c);
  screen.notes = notes_of(c);
  screen.differs = differences_of(c);
  screen.unknown_build = unknown_build_text(c);
  if (c.refused) {  // figures side by side would be a comparison
    add_refusal(c, screen);
    return screen;
  }
  screen.figures = figures_of(c);
  screen.memory = memory_of(c);
  screen.at_odds = c.at_odds;
  add_reasons(c, screen);
  add_findings(c, gate, screen);
  add_shifts(c, top > 0 ? std::min<std::size_t>(kShiftsShown, top) : kShiftsShown, screen);
  add_next(c, screen);
  return screen;
}

}  // namespace trtlens
