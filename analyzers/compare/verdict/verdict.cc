// The verdict on the engine: an interval over runs, or a floor where there is one run a side.
#include "analyzers/compare/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzers/compare/runs/advice.h"
#include "analyzers/compare/runs/intervals.h"
#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/runs/side.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Two processes that time one engine on one idle GPU agree to that at best.
constexpr double kLeastScatter = 0.001;
// Chance of so many slow runs on one side, above which it may be luck.
constexpr double kLuck = 0.1;

Verdict direction(double estimate) {
  return estimate > 0 ? Verdict::regressed : Verdict::improved;
}

// Runs were left out as slow, and most of the other side's are as slow as these: then the shift may
// be the luck of processes, unless so many slow ones on one side are no luck.
bool luck_explains(const SideFigures& slower, const SideFigures& faster, double scatter) {
  if (faster.left_out.empty()) return false;
  const double level = mean_of(faster.left_out);
  const double near = std::max(0.01, 2 * scatter);
  const auto as_slow = static_cast<std::size_t>(
      std::ranges::count_if(slower.logs, [&](double x) { return std::fabs(x - level) < near; }));
  if (2 * as_slow < slower.logs.size()) return false;
  // What is slower still is slow, too: it makes so many on one side no likelier.
  const auto slow = static_cast<std::size_t>(
      std::ranges::count_if(slower.logs, [&](double x) { return x > level - near; }));
  const std::size_t of_faster = faster.logs.size() + faster.left_out.size();
  const std::size_t of_slower = slower.logs.size() + slower.left_out.size();
  return chance_of_slow(faster.left_out.size(), of_faster, slow + slower.left_out.size(),
                        of_slower) > kLuck;
}

void judge_single(const SideFigures& b, const SideFigures& c, const CompareOptions& options,
                  EngineVerdict& e) {
  const double error = std::sqrt(b.inner_error * b.inner_error + c.inner_error * c.inner_error);
  const double inner = std::expm1(1.96 * error);
  if (inner > e.noise_floor) {
    e.noise_floor = inner;
    e.noise_floor_from = "queries";
  }
  if (options.margin > e.noise_floor) {
    e.noise_floor = options.margin;
    e.noise_floor_from = "threshold";
  }
  const double shift = std::log(*e.ratio);
  if (std::fabs(shift) > std::log1p(e.noise_floor)) e.verdict = direction(shift);
}

void judge_repeated(const SideFigures& b, const SideFigures& c, const CompareOptions& options,
                    EngineVerdict& e) {
  const double least = std::max(kLeastScatter, std::max(b.inner_error, c.inner_error));
  const auto shift = shift_between(b.logs, c.logs, least);
  if (!shift) return judge_single(b, c, options, e);
  const double half = shift->half_width(0.95);
  const double margin = std::log1p(options.margin);
  e.ci95 = {std::exp(shift->estimate - half), std::exp(shift->estimate + half)};
  e.p_value = shift->p_value;
  e.scatter = shift->scatter;
  e.noise_floor = std::expm1(std::max(half, margin));
  e.noise_floor_from = "repetitions";
  const double size = std::fabs(shift->estimate);
  if (size >= margin && size > half) {
    e.verdict = direction(shift->estimate);
    const bool slower = e.verdict == Verdict::regressed;
    if (luck_explains(slower ? c : b, slower ? b : c, shift->scatter)) {
      e.verdict = Verdict::cannot_tell;
      e.notes.push_back(std::string("a run of the ") + (slower ? "base" : "candidate") +
                        " is as slow as the " + (slower ? "candidate" : "base") +
                        ": the shift may be the luck of processes");
    }
  } else if (size + shift->half_width(0.90) < margin) {
    e.verdict = Verdict::no_change;
  }
}

void note_runs(const char* side, const std::vector<RunTime>& runs,
               std::vector<std::string>& notes) {
  std::size_t drifting = 0, two_modes = 0;
  double drift = 0, share = 0, gap = 0;
  for (const RunTime& run : runs) {
    if (run.drift) {
      ++drifting;
      if (std::fabs(*run.drift) > std::fabs(drift)) drift = *run.drift;
    }
    if (run.slow_share) {
      ++two_modes;
      share = std::max(share, *run.slow_share);
      gap = std::max(gap, run.slow_mode.value_or(0));
    }
  }
  const auto of = [&](std::size_t n) {
    return runs.size() == 1 ? std::string("the ") + side
                            : fmt::format("{} of {} runs of the {}", n, runs.size(), side);
  };
  if (drifting > 0) {
    notes.push_back(fmt::format("the queries of {} get{} {:.1f} % {} during the run", of(drifting),
                                drifting == 1 ? "" : " up to", std::fabs(drift) * 100,
                                drift > 0 ? "slower" : "faster"));
  }
  if (two_modes > 0) {
    notes.push_back(of(two_modes) + (two_modes == 1 ? " has" : " have") + " two speeds: up to " +
                    share_text(share) + " of the queries are " + share_text(gap) +
                    " slower (clocks, or another process on the GPU)");
  }
}

// Runs of one side in two clusters, none of which is few enough to be left out: their mean is the
// speed of neither.
void note_clusters(const char* side, std::vector<double> logs, std::vector<std::string>& notes) {
  constexpr double kGap = 0.03;       // as wide as nothing but a mode makes it
  constexpr double kOfSpreads = 4.0;  // and this often what either cluster spreads by
  if (logs.size() < 3) return;
  std::ranges::sort(logs);
  std::size_t slow = 1;  // the first of the slower ones
  for (std::size_t i = 2; i < logs.size(); ++i) {
    if (logs[i] - logs[i - 1] > logs[slow] - logs[slow - 1]) slow = i;
  }
  const double gap = logs[slow] - logs[slow - 1];
  const double spread = std::max(logs[slow - 1] - logs[0], logs.back() - logs[slow]);
  if (gap < kGap || gap < kOfSpreads * spread) return;
  notes.push_back(fmt::format("{} of {} runs of the {} are {:.1f} % slower than its other {}",
                              logs.size() - slow, logs.size(), side, std::expm1(gap) * 100,
                              slow == 1 ? "one" : std::to_string(slow)));
}

// The figure of a side that the other has none to hold against.
std::optional<double> alone(const Side& side) {
  std::vector<const Analysis*> runs;
  for (const std::size_t i : side.counted) runs.push_back(&side.runs[i]);
  const auto source = common_source(runs);
  if (!source || *source == TimeSource::profile) return std::nullopt;
  std::vector<double> logs;
  logs.reserve(runs.size());
  for (const Analysis* run : runs) logs.push_back(std::log(run_time(*run, *source)->value_ms));
  return std::exp(log_of_mean(logs));
}

void judge(const SideFigures& b, const SideFigures& c, const CompareOptions& options,
           EngineVerdict& e) {
  for (const RunTime& run : b.runs) e.queries[0] += run.queries;
  for (const RunTime& run : c.runs) e.queries[1] += run.queries;
  e.base_ms = std::exp(log_of_mean(b.logs));
  e.candidate_ms = std::exp(log_of_mean(c.logs));
  e.delta_ms = *e.candidate_ms - *e.base_ms;
  e.ratio = *e.candidate_ms / *e.base_ms;
  judge_repeated(b, c, options, e);
  note_runs("base", b.runs, e.notes);
  note_runs("candidate", c.runs, e.notes);
  note_clusters("base", b.logs, e.notes);
  note_clusters("candidate", c.logs, e.notes);
  if (e.verdict == Verdict::cannot_tell) advise(b, c, e);
}

// One slow process would look like that.
void add_confirmation(const SideFigures& b, const SideFigures& c, EngineVerdict& e) {
  const bool shifted = e.verdict == Verdict::regressed || e.verdict == Verdict::improved;
  if (!shifted || std::fabs(std::log(*e.ratio)) > std::log1p(kLargestOfOneProcess)) return;
  std::string note(kSlowProcess);
  if (const auto runs = runs_to_confirm(b, c, e.margin)) {
    note += fmt::format(": {} runs a side would confirm it", *runs);
    e.confirm.emplace().runs = runs;
  }
  e.notes.push_back(std::move(note));
}

EngineVerdict untold(std::size_t base_runs, std::size_t candidate_runs,
                     const CompareOptions& options) {
  EngineVerdict e;
  e.noise_floor = options.noise_floor;
  if (options.noise_floor != CompareOptions().noise_floor) e.noise_floor_from = "given";
  e.margin = options.margin;
  e.runs = {static_cast<std::uint32_t>(base_runs), static_cast<std::uint32_t>(candidate_runs)};
  return e;
}

void take_left_out(const Side& base, const Side& candidate, EngineVerdict& e) {
  e.left_out = {base.left_out, candidate.left_out};
  for (const Side* side : {&base, &candidate}) {
    const char* of = side == &base ? "base" : "candidate";
    for (const LeftOutRun& run : side->left_out) {
      e.notes.push_back(fmt::format("{}: left out of the {}, {}", run.name, of, run.why));
    }
  }
}

std::string why_mixed(const Side& base, const Side& candidate) {
  std::string reason;
  for (const bool of_base : {true, false}) {
    const Side& side = of_base ? base : candidate;
    if (side.mixed.empty()) continue;
    reason += (reason.empty() ? "" : "; ");
    reason += std::string("the runs of the ") + (of_base ? "base" : "candidate") +
              " are of different engines or settings: " + side.mixed;
  }
  return reason;
}

SideFigures figures_of_side(Side& side, TimeSource source) {
  std::vector<RunTime> times;
  std::vector<std::size_t> slow;
  for (const std::size_t i : side.counted) times.push_back(*run_time(side.runs[i], source));
  for (const std::size_t i : side.slow) {
    slow.push_back(times.size());
    times.push_back(*run_time(side.runs[i], source));
  }
  SideFigures figures = figures_of(times, slow);
  side.inner_error = figures.inner_error;
  return figures;
}

// Runs that have that figure, slow ones apart.
SideFigures figures_of_history(const std::vector<RunSpeed>& runs, std::size_t figure,
                               std::vector<LeftOutRun>& left_out) {
  std::vector<RunTime> times;
  std::vector<std::string> names;
  std::vector<double> logs;
  for (const RunSpeed& run : runs) {
    if (!run.ms.at(figure)) continue;
    RunTime time;
    time.value_ms = *run.ms.at(figure);
    time.relative_error = run.error;
    time.queries = run.queries;
    logs.push_back(std::log(time.value_ms));
    times.push_back(time);
    names.push_back(run.name);
  }
  const std::vector<std::size_t> slow = slow_runs(logs);
  SideFigures figures = figures_of(times, slow);
  for (const std::size_t i : slow) {
    left_out.push_back(
        {names[i], fmt::format("{:.1f} % slower than the other runs",
                               std::expm1(logs[i] - log_of_mean(figures.logs)) * 100)});
  }
  return figures;
}

// The base is one of many: the runs before it say how far runs differ.
EngineVerdict verdict_in_history(Side& base, Side& candidate, const CompareOptions& options) {
  EngineVerdict e = untold(options.earlier.size(), candidate.runs.size(), options);
  std::vector<RunSpeed> both{options.earlier.back()};
  if (options.kept) {
    both.push_back(*options.kept);
  } else {
    for (const std::size_t i : candidate.counted) both.push_back(speed_of(candidate.runs[i]));
  }
  const std::optional<std::size_t> figure = common_figure(both);
  e.reason = candidate.mixed.empty() ? "" : why_mixed(base, candidate);
  if (!figure || !e.reason.empty()) {
    if (e.reason.empty()) e.reason = "the sides have no kind of GPU compute time in common";
    take_left_out(base, candidate, e);
    return e;
  }
  const auto source = static_cast<TimeSource>(*figure);
  if (!options.kept) leave_slow_out(source, candidate);
  const SideFigures b = figures_of_history(options.earlier, *figure, base.left_out);
  const SideFigures c = options.kept
                            ? figures_of_history({*options.kept}, *figure, candidate.left_out)
                            : figures_of_side(candidate, source);
  take_left_out(base, candidate, e);
  judge(b, c, options, e);
  if (source == TimeSource::profile) e.metric = "profile_sum_ms";
  e.method = method_of(source);
  if (b.runs.size() > 1 && e.ci95) {
    e.noise_floor_from = "history";
    e.method += "; mean over the runs of the history, t interval of its logarithm";
  } else {
    e.method += "; one run a side against the noise floor";
    add_confirmation(b, c, e);
  }
  return e;
}

}  // namespace

EngineVerdict verdict_of_runs(const std::vector<RunTime>& base,
                              const std::vector<RunTime>& candidate,
                              const CompareOptions& options) {
  EngineVerdict e = untold(base.size(), candidate.size(), options);
  if (base.empty() || candidate.empty()) return e;
  const auto figures = [](const std::vector<RunTime>& runs, std::vector<LeftOutRun>& left_out) {
    std::vector<double> logs;
    logs.reserve(runs.size());
    for (const RunTime& run : runs) logs.push_back(std::log(run.value_ms));
    const std::vector<std::size_t> slow = slow_runs(logs);
    left_out.resize(slow.size());
    return figures_of(runs, slow);
  };
  judge(figures(base, e.left_out[0]), figures(candidate, e.left_out[1]), options, e);
  return e;
}

EngineVerdict engine_verdict(Side& base, Side& candidate, const CompareOptions& options) {
  if (!options.earlier.empty()) return verdict_in_history(base, candidate, options);
  EngineVerdict e = untold(base.runs.size(), candidate.runs.size(), options);
  set_profiles_aside(base, candidate);
  std::vector<const Analysis*> runs;
  for (const Side* side : {&base, &candidate}) {
    for (const std::size_t i : side->counted) runs.push_back(&side->runs[i]);
  }
  const auto source = common_source(runs);
  e.reason = why_mixed(base, candidate);
  if (!source || !e.reason.empty()) {
    if (e.reason.empty()) e.reason = "the sides have no kind of GPU compute time in common";
    // Runs of different engines have no mean.
    if (base.mixed.empty()) e.base_ms = alone(base);
    if (candidate.mixed.empty()) e.candidate_ms = alone(candidate);
    take_left_out(base, candidate, e);
    return e;
  }
  leave_slow_out(*source, base);
  leave_slow_out(*source, candidate);
  const SideFigures b = figures_of_side(base, *source);
  const SideFigures c = figures_of_side(candidate, *source);
  take_left_out(base, candidate, e);
  judge(b, c, options, e);
  if (*source == TimeSource::profile) e.metric = "profile_sum_ms";
  e.method = method_of(*source);
  if (e.ci95) {
    e.method += "; mean over runs, t interval of its logarithm";
  } else {
    e.method += "; one run a side against the noise floor";
    add_confirmation(b, c, e);
  }
  return e;
}

}  // namespace trtlens
