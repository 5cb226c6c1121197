// The verdict on the engine: an interval over runs, or a floor where there is one run a side.
#include "analyzers/compare/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzers/compare/intervals.h"
#include "analyzers/compare/run_statistics.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Two processes that time one engine on one idle GPU agree to that at best.
constexpr double kLeastScatter = 0.001;
// What processes of one engine usually differ by (builds of ours: 0.4 to 1.1 %); for the number of
// runs to recommend where nothing was repeated.
constexpr double kUsualScatter = 0.01;

// Chance of so many slow runs on one side, above which it may be luck.
constexpr double kLuck = 0.1;

struct Side {
  std::vector<double> logs;  // of the runs that count
  std::vector<double> left_out;
  double inner_error = 0;  // standard error of a run's logarithm from inside it, RMS over runs
};

Side side_of(const std::vector<RunTime>& runs) {
  Side side;
  std::vector<double> logs;
  double squares = 0;
  for (const RunTime& run : runs) {
    logs.push_back(std::log(run.value_ms));
    const double drift = run.drift ? std::log1p(std::fabs(*run.drift)) / 2 : 0;
    const double error = std::max(run.relative_error.value_or(0), drift);
    squares += error * error;
  }
  side.inner_error = std::sqrt(squares / static_cast<double>(runs.size()));
  Screened screened = screen_runs(logs);
  side.logs = std::move(screened.kept);
  for (const std::size_t i : screened.left_out) side.left_out.push_back(logs[i]);
  return side;
}

double mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

Verdict direction(double estimate) {
  return estimate > 0 ? Verdict::regressed : Verdict::improved;
}

// Runs were left out as slow, and most of the other side's are as slow as these: then the shift may
// be the luck of processes, unless so many slow ones on one side are no luck.
bool luck_explains(const Side& slower, const Side& faster, double scatter) {
  if (faster.left_out.empty()) return false;
  const double level = mean_of(faster.left_out);
  const double near = std::max(0.01, 2 * scatter);
  const auto as_slow =
      static_cast<std::size_t>(std::count_if(slower.logs.begin(), slower.logs.end(), [&](double x) {
        return std::fabs(x - level) < near;
      }));
  if (2 * as_slow < slower.logs.size()) return false;
  const std::size_t of_faster = faster.logs.size() + faster.left_out.size();
  const std::size_t of_slower = slower.logs.size() + slower.left_out.size();
  return chance_of_slow(faster.left_out.size(), of_faster, as_slow + slower.left_out.size(),
                        of_slower) > kLuck;
}

void judge_single(const Side& b, const Side& c, const CompareOptions& options, EngineVerdict& e) {
  const double error = std::sqrt(b.inner_error * b.inner_error + c.inner_error * c.inner_error);
  const double inner = std::expm1(1.96 * error);
  if (inner > e.noise_floor) {
    e.noise_floor = inner;
    e.noise_floor_from = "queries";
  }
  const double shift = std::log(*e.ratio);
  const double floor = std::max(e.noise_floor, options.margin);
  if (std::fabs(shift) > std::log1p(floor)) e.verdict = direction(shift);
}

void judge_repeated(const Side& b, const Side& c, const CompareOptions& options, EngineVerdict& e) {
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
    notes.push_back(fmt::format("{}: drifts by {:+.1f} % from the first to the last third",
                                of(drifting), drift * 100));
  }
  if (two_modes > 0) {
    notes.push_back(of(two_modes) + ": two speeds, up to " + share_text(share) +
                    " of the queries " + share_text(gap) +
                    " slower (clocks, or another process on the GPU)");
  }
}

// The figure of a side that the other has none to hold against.
std::optional<double> alone(const std::vector<Analysis>& runs) {
  const auto source = common_source(runs, {});
  if (!source || *source == TimeSource::profile) return std::nullopt;
  std::vector<double> logs;
  logs.reserve(runs.size());
  for (const Analysis& run : runs) logs.push_back(std::log(run_time(run, *source)->value_ms));
  return std::exp(mean_of(screen_runs(logs).kept));
}

}  // namespace

EngineVerdict verdict_of_runs(const std::vector<RunTime>& base,
                              const std::vector<RunTime>& candidate,
                              const CompareOptions& options) {
  EngineVerdict e;
  e.noise_floor = options.noise_floor;
  e.margin = options.margin;
  e.runs = {static_cast<std::uint32_t>(base.size()), static_cast<std::uint32_t>(candidate.size())};
  for (const RunTime& run : base) e.queries[0] += run.queries;
  for (const RunTime& run : candidate) e.queries[1] += run.queries;
  if (base.empty() || candidate.empty()) return e;
  const Side b = side_of(base);
  const Side c = side_of(candidate);
  e.runs_left_out = {static_cast<std::uint32_t>(b.left_out.size()),
                     static_cast<std::uint32_t>(c.left_out.size())};
  e.base_ms = std::exp(mean_of(b.logs));
  e.candidate_ms = std::exp(mean_of(c.logs));
  e.delta_ms = *e.candidate_ms - *e.base_ms;
  e.ratio = *e.candidate_ms / *e.base_ms;
  judge_repeated(b, c, options, e);
  note_runs("base", base, e.notes);
  note_runs("candidate", candidate, e.notes);
  for (const bool of_base : {true, false}) {
    const Side& side = of_base ? b : c;
    if (side.left_out.empty()) continue;
    e.notes.push_back(fmt::format("{} of the {} left out: {:.1f} % slower than its other runs",
                                  count_text(side.left_out.size(), "run"),
                                  of_base ? "base" : "candidate",
                                  std::expm1(mean_of(side.left_out) - mean_of(side.logs)) * 100));
  }
  if (e.verdict == Verdict::cannot_tell) {
    e.settle.emplace();
    const bool single = b.logs.size() == 1 && c.logs.size() == 1;
    const std::size_t from = std::max(b.logs.size(), c.logs.size()) + 1;
    // One run a side: a shift below the margin is no estimate yet.
    const double shift = std::fabs(std::log(*e.ratio));
    const double margin = std::log1p(options.margin);
    e.settle->runs = runs_to_settle(single && shift < margin ? 0 : shift,
                                    e.scatter.value_or(kUsualScatter), margin, single ? 4 : from);
  }
  return e;
}

EngineVerdict engine_verdict(const std::vector<Analysis>& base,
                             const std::vector<Analysis>& candidate,
                             const CompareOptions& options) {
  const auto source = common_source(base, candidate);
  if (!source) {
    EngineVerdict e = verdict_of_runs({}, {}, options);
    e.runs = {static_cast<std::uint32_t>(base.size()),
              static_cast<std::uint32_t>(candidate.size())};
    e.base_ms = alone(base);
    e.candidate_ms = alone(candidate);
    return e;
  }
  const auto times = [&](const std::vector<Analysis>& runs) {
    std::vector<RunTime> found;
    found.reserve(runs.size());
    for (const Analysis& run : runs) {
      if (auto time = run_time(run, *source)) found.push_back(*time);
    }
    return found;
  };
  EngineVerdict e = verdict_of_runs(times(base), times(candidate), options);
  if (*source == TimeSource::profile) e.metric = "profile_sum_ms";
  e.method = method_of(*source);
  if (e.ci95) {
    e.method += "; t interval over runs of the logarithm";
  } else if (e.ratio) {
    e.method += "; one run a side against the noise floor";
  }
  return e;
}

}  // namespace trtlens
