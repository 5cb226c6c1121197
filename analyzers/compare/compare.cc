#include <algorithm>
#include <cmath>
#include <set>

#include "analyzers/compare/comparison.h"
#include "analyzers/graph.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

constexpr double kMinAlignedShare = 0.20;

struct SideTime {
  std::vector<double> per_run;  // one figure a run
  std::uint64_t queries = 0;
  std::string method;
};

// GPU compute of one run: its samples, else trtexec's summary, else the trace averages.
std::optional<double> run_time(const Analysis& run, bool repeated, SideTime& side) {
  if (run.compute_samples) {
    side.queries += run.compute_samples->n;
    side.method = repeated ? "10th percentile of the queries of each run, mean over runs"
                           : "median over queries";
    return repeated ? run.compute_samples->p10_ms : run.compute_samples->median_ms;
  }
  const Performance& p = run.build.performance;
  if (p.gpu_compute && p.gpu_compute->median_ms) {
    side.queries += p.queries.value_or(0);
    side.method = "median of the performance summary";
    return p.gpu_compute->median_ms;
  }
  if (run.build.trace.empty()) return std::nullopt;
  double sum = 0;
  for (const TraceWindow& w : run.build.trace) sum += static_cast<double>(w.gpu_ms);
  side.method = "mean of the trace averages";
  return sum / static_cast<double>(run.build.trace.size());
}

SideTime side_time(const std::vector<Analysis>& runs, bool repeated) {
  SideTime side;
  for (const Analysis& run : runs) {
    if (const auto time = run_time(run, repeated, side)) side.per_run.push_back(*time);
  }
  return side;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

Verdict verdict_of_ratio(double ratio, double floor) {
  if (ratio > 1 + floor) return Verdict::regressed;
  // The same shift seen from the other side.
  if (ratio < 1 / (1 + floor)) return Verdict::improved;
  return Verdict::cannot_tell;
}

EngineVerdict engine_verdict(const std::vector<Analysis>& base,
                             const std::vector<Analysis>& candidate,
                             const CompareOptions& options) {
  EngineVerdict engine;
  engine.noise_floor = options.noise_floor;
  const bool repeated = base.size() > 1 && candidate.size() > 1;
  const SideTime b = side_time(base, repeated);
  const SideTime c = side_time(candidate, repeated);
  engine.queries = {b.queries, c.queries};
  engine.runs = {static_cast<std::uint32_t>(b.per_run.size()),
                 static_cast<std::uint32_t>(c.per_run.size())};
  engine.method = b.method == c.method ? b.method : b.method + " against " + c.method;
  if (!b.per_run.empty()) engine.base_ms = mean(b.per_run);
  if (!c.per_run.empty()) engine.candidate_ms = mean(c.per_run);
  if (!engine.base_ms || !engine.candidate_ms || *engine.base_ms <= 0) return engine;
  engine.delta_ms = *engine.candidate_ms - *engine.base_ms;
  engine.ratio = *engine.candidate_ms / *engine.base_ms;
  engine.verdict = verdict_of_ratio(*engine.ratio, options.noise_floor);
  return engine;
}

bool has_time(const Analysis& side) {
  return side.build.has_profile || side.compute_samples || side.build.performance.gpu_compute ||
         !side.build.trace.empty();
}

struct InputShapes {
  std::multiset<std::string> shapes;
  std::string text;  // "input=32x3x224x224"
};

// Shapes of the network's inputs, when every one of them is known. Names do not count: another
// export of the same model may have renamed its inputs.
std::optional<InputShapes> input_shapes(const Build& build) {
  InputShapes found;
  std::set<std::string> texts;
  for (const IoTensor& io : build.io_tensors) {
    if (!io.is_input) continue;
    std::string shape;
    for (const std::int64_t d : io.tensor.dims) {
      if (d < 0) return std::nullopt;
      shape += (shape.empty() ? "" : "x") + std::to_string(d);
    }
    if (shape.empty()) return std::nullopt;
    texts.insert(io.tensor.name + "=" + shape);
    found.shapes.insert(std::move(shape));
  }
  if (found.shapes.empty()) return std::nullopt;
  for (const std::string& text : texts) found.text += (found.text.empty() ? "" : ", ") + text;
  return found;
}

// Batch that is no dimension of an input: --batch, or the banner's when no input is known. (Beside
// explicit shapes the banner of a loaded engine says 1 whatever they are.)
std::optional<std::string> batch_of(const Build& build) {
  if (auto given = build.options.value("batch")) return given;
  if (!build.inference.batch || !build.io_tensors.empty()) return std::nullopt;
  return std::to_string(*build.inference.batch);
}

void check_comparable(Comparison& c) {
  const auto refuse = [&](std::string reason) {
    c.comparable = false;
    c.not_comparable.push_back(std::move(reason));
  };
  const Build& b = c.base.build;
  const Build& d = c.candidate.build;
  if (b.gpu && d.gpu && !b.gpu->name.empty() && !d.gpu->name.empty() &&
      b.gpu->name != d.gpu->name) {
    refuse("another GPU: " + b.gpu->name + " against " + d.gpu->name);
  }
  const auto shapes_b = input_shapes(b);
  const auto shapes_d = input_shapes(d);
  if (shapes_b && shapes_d && shapes_b->shapes != shapes_d->shapes) {
    refuse("other input shapes: " + shapes_b->text + " against " + shapes_d->text);
  }
  const auto batch_b = batch_of(b);
  const auto batch_d = batch_of(d);
  if (batch_b && batch_d && *batch_b != *batch_d) {
    refuse("another batch: " + *batch_b + " against " + *batch_d);
  }
  const auto refuse_timeless = [&](const char* side, const Analysis& analysis) {
    if (has_time(analysis)) return;
    std::string reason = std::string("the ") + side + " has no time at all";
    if (analysis.build.outcome == Outcome::failed) {
      reason = std::string("the ") + side + "'s build failed";
      if (!analysis.findings.empty()) reason += ": " + analysis.findings[0].title;
    }
    refuse(std::move(reason));
  };
  refuse_timeless("base", c.base);
  refuse_timeless("candidate", c.candidate);
  if (b.has_profile && d.has_profile &&
      std::min(c.aligned_share_base, c.aligned_share_candidate) < kMinAlignedShare) {
    refuse("only " + share_text(std::min(c.aligned_share_base, c.aligned_share_candidate)) +
           " of a side's profile time is in layers that both sides have");
  }
}

std::size_t conversions_in(const Analysis& side, const std::vector<std::size_t>& layers) {
  return static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), [&](std::size_t i) {
    return is_conversion(side.verdicts[i].role) && time_or_zero(side.build.layers[i]) > 0;
  }));
}

double conversion_ms(const Analysis& side, const std::vector<std::size_t>& layers) {
  double sum = 0;
  for (const std::size_t i : layers) {
    if (is_conversion(side.verdicts[i].role)) sum += time_or_zero(side.build.layers[i]);
  }
  return sum;
}

void explain(const Comparison& c, LayerGroup& group) {
  if (group.how == "only_base" || group.how == "only_candidate") return;
  if (!group.precision[0].empty() && !group.precision[1].empty() &&
      group.precision[0] != group.precision[1]) {
    group.why.push_back("precision changed: " + group.precision[0] + " to " + group.precision[1]);
  }
  const std::size_t before = conversions_in(c.base, group.base);
  const std::size_t after = conversions_in(c.candidate, group.candidate);
  if (before != after) {
    group.why.push_back(count_text(after > before ? after - before : before - after, "reformat") +
                        (after > before ? " added" : " removed") + " (" +
                        ms_text(conversion_ms(c.base, group.base)) + " to " +
                        ms_text(conversion_ms(c.candidate, group.candidate)) + ")");
  }
  const auto kernels = [](const Analysis& side, const std::vector<std::size_t>& layers) {
    return std::count_if(layers.begin(), layers.end(), [&](std::size_t i) {
      return !is_conversion(side.verdicts[i].role) && time_or_zero(side.build.layers[i]) > 0;
    });
  };
  const auto kernels_before = kernels(c.base, group.base);
  const auto kernels_after = kernels(c.candidate, group.candidate);
  if (kernels_after > kernels_before && kernels_before > 0) group.why.emplace_back("fusion lost");
  if (kernels_after < kernels_before && kernels_after > 0) group.why.emplace_back("fusion won");
}

void finish_groups(Comparison& c, const CompareOptions& options) {
  double aligned_base = 0, aligned_candidate = 0;
  for (LayerGroup& group : c.groups) {
    const bool both = !group.base.empty() && !group.candidate.empty();
    if (both) {
      aligned_base += group.base_ms;
      aligned_candidate += group.candidate_ms;
    }
    if (both && group.base_ms > 0 && group.candidate_ms > 0) {
      group.verdict = verdict_of_ratio(group.candidate_ms / group.base_ms, options.noise_floor);
    }
    explain(c, group);
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  c.aligned_share_base = share(aligned_base, c.base.build.profile_sum_ms);
  c.aligned_share_candidate = share(aligned_candidate, c.candidate.build.profile_sum_ms);
  std::stable_sort(c.groups.begin(), c.groups.end(), [](const LayerGroup& a, const LayerGroup& b) {
    return std::fabs(a.delta_ms) > std::fabs(b.delta_ms);
  });
}

// What the rules say of the candidate and not of the base: where to look for the reason.
std::vector<Finding> new_findings(const Analysis& base, const Analysis& candidate) {
  std::set<std::string> known;
  for (const Finding& finding : base.findings) known.insert(finding.rule);
  std::vector<Finding> news;
  for (const Finding& finding : candidate.findings) {
    if (finding.severity != Severity::info && known.count(finding.rule) == 0) {
      news.push_back(finding);
    }
  }
  return news;
}

void count_kernels(const Analysis& side, std::size_t& launches, std::size_t& reformats) {
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    if (time_or_zero(side.build.layers[i]) <= 0) continue;
    ++launches;
    if (is_conversion(side.verdicts[i].role)) ++reformats;
  }
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::no_change:
      return "no_change";
    case Verdict::improved:
      return "improved";
    case Verdict::regressed:
      return "regressed";
    case Verdict::cannot_tell:
      break;
  }
  return "cannot_tell";
}

Comparison compare(std::vector<Analysis> base, std::vector<Analysis> candidate,
                   const CompareOptions& options) {
  Comparison c;
  if (base.empty() || candidate.empty()) {
    c.comparable = false;
    c.not_comparable.emplace_back("a side holds no build");
    return c;
  }
  c.engine = engine_verdict(base, candidate, options);
  c.base = std::move(base[0]);
  c.candidate = std::move(candidate[0]);
  c.groups = align(c.base, c.candidate);
  finish_groups(c, options);
  count_kernels(c.base, c.launches[0], c.reformats[0]);
  count_kernels(c.candidate, c.launches[1], c.reformats[1]);
  c.differences = differences_of(c.base.build, c.candidate.build);
  c.findings = new_findings(c.base, c.candidate);
  check_comparable(c);
  if (!c.comparable && !options.force) c.engine.verdict = Verdict::cannot_tell;
  return c;
}

}  // namespace trtlens
