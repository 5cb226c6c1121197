// The contract that a good build makes: what it is, and as much beside it as another build of the
// same network may be.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/compare/runs/side.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/contract/measure.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// What another build of the same network may differ by. Measured on repeated builds of ours: a
// conversion or two, 4 % of the engine's size, a kernel in twenty where races are close.
constexpr std::size_t kKernelsOfOne = 20;  // one kernel in so many
constexpr double kSharePoints = 2;         // percent of profile time
constexpr double kConversions = 2;         // kernels, or a tenth of them
constexpr double kTenth = 0.1;             // of sizes and memory, and of conversions
constexpr double kMostHidden = 5;          // percent of profile time
constexpr std::size_t kBuildsNamed = 5;

using Builds = std::vector<const Analysis*>;

double round_up(double value) {
  return std::ceil(value * 10 - 1e-9) / 10;
}
double round_down(double value) {
  return std::floor(value * 10 + 1e-9) / 10;
}

class Writer {
 public:
  Writer(Builds builds, Expectation& out) : builds_(std::move(builds)), out_(out) {}

  void write() {
    identity();
    for (std::size_t k = 0; k < kKernelKinds; ++k) kernels(static_cast<KernelKind>(k));
    for (std::size_t a = 0; a < kQuantities; ++a) quantity(static_cast<Quantity>(a));
    time();
  }

 private:
  void unknown(const char* clause, const std::string& why) {
    out_.unknown.emplace_back(clause, why);
  }
  void seen(const char* clause, const std::string& what) { out_.seen.emplace_back(clause, what); }

  template <typename Get>
  std::optional<std::vector<std::string>> names(const char* clause, const char* lacks, Get get) {
    std::set<std::string> all;
    for (const Analysis* analysis : builds_) {
      for (std::string& name : get(analysis->build)) {
        if (!name.empty()) all.insert(std::move(name));
      }
    }
    if (all.empty()) {
      unknown(clause, lacks);
      return std::nullopt;
    }
    return std::vector<std::string>(all.begin(), all.end());
  }

  void identity() {
    using Names = std::vector<std::string>;
    Contract& contract = out_.contract;
    contract.tensorrt = names("tensorrt", "no log that names the version", [](const Build& build) {
      return build.tensorrt ? Names{build.tensorrt->text()} : Names{};
    });
    contract.gpu = names("gpu", "no log that names the GPU", [](const Build& build) {
      return build.gpu ? Names{build.gpu->name} : Names{};
    });
    contract.allowed_types = names("allowed_types", "no log of the build",
                                   [](const Build& build) { return build.allowed.labels; });
    for (const Analysis* analysis : builds_) {
      const AllowedPrecision& allowed = analysis->build.allowed;
      if (!allowed.labels.empty() || allowed.strongly_typed) {
        contract.strongly_typed = allowed.strongly_typed;
      }
    }
  }

  // Of builds that know them: least and most of each type.
  void kernels(KernelKind kind) {
    std::map<std::string, std::pair<std::size_t, std::size_t>> ranges;
    std::set<std::string> types;
    std::vector<TypedKernels> all;
    for (const Analysis* analysis : builds_) {
      TypedKernels one = typed_kernels(*analysis, kind);
      if (!one.is_known) continue;
      for (const auto& [type, layers] : one.by_type) types.insert(type);
      all.push_back(std::move(one));
    }
    if (all.empty()) {
      return unknown(to_string(kind), typed_kernels(*builds_.front(), kind).why);
    }
    std::size_t most = 0;
    for (const TypedKernels& one : all) most = std::max(most, one.typed());
    if (most == 0) {
      const std::string& why = all.front().why;
      if (!why.empty()) unknown(to_string(kind), why);
      return;
    }
    const std::size_t one_of_them = most / kKernelsOfOne;
    const auto slack = static_cast<double>(one_of_them);
    TypeLimits& limits = out_.contract.kernels.at(static_cast<std::size_t>(kind)).emplace();
    std::vector<std::string> counts;
    for (const std::string& type : types) {
      std::size_t least = most, high = 0;
      for (const TypedKernels& one : all) {
        const auto found = one.by_type.find(type);
        const std::size_t n = found == one.by_type.end() ? 0 : found->second.size();
        least = std::min(least, n);
        high = std::max(high, n);
      }
      limits.types.emplace_back(type, Limits{std::max(static_cast<double>(least) - slack, 0.0),
                                             static_cast<double>(high) + slack});
      counts.push_back(fmt::format(
          "{} {}", least == high ? std::to_string(high) : fmt::format("{} to {}", least, high),
          type));
    }
    limits.other = Limits{std::nullopt, slack};
    seen(to_string(kind), join(counts, ", "));
  }

  void quantity(Quantity what) {
    const char* const name = to_string(what);
    std::optional<double> least, most;
    Measured lacks;
    for (const Analysis* analysis : builds_) {
      const Measured one = quantity_of(*analysis, what);
      if (!one.is_known) {
        if (lacks.why.empty()) lacks = one;
        continue;
      }
      const bool is_hidden =
          what == Quantity::fp32_time_percent && one.most - one.least > kMostHidden;
      if (is_hidden) {
        lacks = one;
        continue;
      }
      least = std::min(least.value_or(one.least), one.least);
      most = std::max(most.value_or(one.most), one.most);
    }
    if (!least) return unknown(name, lacks.why);
    const char* const unit = unit_of(what);
    const auto near = [](double value) { return std::round(value * 10) / 10; };
    seen(name, limits_text({near(*least), near(*most)}, unit));
    Limits& limits = out_.contract.quantities.at(static_cast<std::size_t>(what)).emplace();
    if (std::string_view(name).ends_with("_time_percent")) {
      limits.at_most = std::min(round_up(*most + kSharePoints), 100.0);
    } else if (std::string_view(name).ends_with("_mib")) {
      limits.at_most = round_up(*most * (1 + kTenth));
      if (what == Quantity::engine_mib) limits.at_least = round_down(*least * (1 - kTenth));
    } else {
      limits.at_most = *most + std::max(kConversions, std::floor(*most * kTenth));
    }
  }

  static std::optional<double> figure(const Analysis& run, TimeSource source) {
    const std::optional<RunTime> time = run_time(run, source);
    return time ? std::optional(time->value_ms) : std::nullopt;
  }

  void time() {
    const auto source = common_source(builds_);
    if (!source || *source == TimeSource::trace) {
      return unknown("time_per_query", source
                                           ? "the queries have no figure but the trace's averages"
                                           : "no time that all of its runs have");
    }
    ContractTime& time = out_.contract.time_per_query.emplace();
    for (const Analysis* run : builds_) {
      ContractRun& one = time.runs.emplace_back();
      one.p10_ms = figure(*run, TimeSource::queries);
      one.median_ms = figure(*run, TimeSource::summary_median);
      one.profile_ms = figure(*run, TimeSource::profile);
      const SideFigures figures = figures_of({*run_time(*run, *source)}, {});
      one.error_percent = 100 * figures.inner_error;
      const std::string shapes = timed_shapes(run->build);
      if (time.shapes.empty()) time.shapes = shapes;
    }
    seen("time_per_query", builds_.size() == 1
                               ? "1 run, so that noise_floor_percent decides"
                               : fmt::format("{} runs, whose scatter decides", builds_.size()));
  }

  Builds builds_;
  Expectation& out_;
};

// "" when there is no reason. A contract is of builds that passed, each of which counts.
std::string why_no_contract(const Side& side) {
  for (const Analysis& one : side.runs) {
    if (one.build.outcome == Outcome::failed) {
      return one.name + " failed" +
             (one.findings.empty() ? std::string() : ": " + one.findings[0].title);
    }
    if (one.build.outcome == Outcome::truncated) {
      return one.name + ": its log ends before the build or the run does";
    }
  }
  std::string refused = why_refused(side);
  if (!refused.empty() || side.left_out.empty()) return refused;
  return side.left_out.front().name + ": " + side.left_out.front().why +
         ", which the other builds have";
}

}  // namespace

Expectation expect(std::vector<Analysis> builds) {
  Expectation out;
  const Side side = side_of_runs(std::move(builds));
  out.refused = why_no_contract(side);
  if (!out.refused.empty()) return out;
  Builds good;
  for (const std::size_t i : side.counted) good.push_back(&side.runs[i]);
  for (const Analysis* one : good) {
    if (out.builds.size() < kBuildsNamed) out.builds.push_back(one->name);
  }
  if (good.size() > kBuildsNamed) {
    out.builds.push_back(fmt::format("{} more", good.size() - kBuildsNamed));
  }
  Writer(good, out).write();
  return out;
}

}  // namespace trtlens
