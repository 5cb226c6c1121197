// A build held against a contract, clause by clause.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analyzers/compare/runs/side.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/contract/measure.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Shares and sizes are written with one digit behind the point.
constexpr double kRounding = 1e-9;

ClauseState judge(const Limits& limits, double least, double most) {
  const double low = limits.at_least.value_or(-1), high = limits.at_most.value_or(INFINITY);
  if (least > high + kRounding || most < low - kRounding) return ClauseState::broken;
  const bool holds = least >= low - kRounding && most <= high + kRounding;
  return holds ? ClauseState::held : ClauseState::undecidable;
}

std::string range_text(double least, double most, const char* unit) {
  if (least == most) return quantity_text(least, unit);
  return quantity_text(least, "") + " to " + quantity_text(most, unit);
}

class Checker {
 public:
  Checker(const Contract& contract, ContractResult& out)
      : contract_(contract), out_(out), analysis_(out.build) {}

  void check() {
    identity();
    if (analysis_.build.outcome == Outcome::failed) return failed();
    for (std::size_t k = 0; k < kKernelKinds; ++k) {
      if (contract_.kernels.at(k)) kernels(static_cast<KernelKind>(k), *contract_.kernels.at(k));
    }
    for (std::size_t a = 0; a < kQuantities; ++a) {
      if (contract_.quantities.at(a))
        quantity(static_cast<Quantity>(a), *contract_.quantities.at(a));
    }
  }

 private:
  ClauseResult& add(std::string name, ClauseState state, std::string expected, std::string found) {
    ClauseResult& clause = out_.clauses.emplace_back();
    clause.name = std::move(name);
    clause.state = state;
    clause.expected = std::move(expected);
    clause.found = std::move(found);
    return clause;
  }

  // There is nothing to count and to time in what failed.
  void failed() {
    const auto cannot_tell = [&](const char* name) {
      ClauseResult& clause =
          add(name, ClauseState::undecidable, "what the contract says", "unknown");
      clause.why = "the build failed";
      clause.needs = "a build that passes";
    };
    for (std::size_t k = 0; k < kKernelKinds; ++k) {
      if (contract_.kernels.at(k)) cannot_tell(to_string(static_cast<KernelKind>(k)));
    }
    for (std::size_t a = 0; a < kQuantities; ++a) {
      if (contract_.quantities.at(a)) cannot_tell(to_string(static_cast<Quantity>(a)));
    }
    if (contract_.time_per_query) cannot_tell("time_per_query");
  }

  template <typename Fits>
  void listed(const char* name, const std::optional<std::vector<std::string>>& good,
              const std::string& found, const char* lacks, Fits fits) {
    if (!good) return;
    const std::string expected = join(*good, " or ");
    if (found.empty()) {
      ClauseResult& clause = add(name, ClauseState::undecidable, expected, "unknown");
      clause.why = lacks;
      clause.needs = kNeedsLog;
      return;
    }
    const bool holds = std::ranges::any_of(*good, fits);
    add(name, holds ? ClauseState::held : ClauseState::broken, expected, found);
  }

  void identity() {
    const Build& build = analysis_.build;
    const std::string version = build.tensorrt ? build.tensorrt->text() : "";
    listed("tensorrt", contract_.tensorrt, version, "no log names the version",
           [&](const std::string& good) {
             return version == good || version.starts_with(good + ".");
           });
    const std::string gpu = build.gpu ? build.gpu->name : "";
    listed("gpu", contract_.gpu, gpu, "no log names the GPU",
           [&](const std::string& good) { return gpu == good; });
    allowed(build.allowed);
  }

  void allowed(const AllowedPrecision& allowed) {
    const bool is_known = !allowed.labels.empty() || allowed.strongly_typed;
    if (contract_.allowed_types) {
      const std::set<std::string> good(contract_.allowed_types->begin(),
                                       contract_.allowed_types->end());
      const std::set<std::string> found(allowed.labels.begin(), allowed.labels.end());
      const ClauseState state = found.empty()   ? ClauseState::undecidable
                                : found == good ? ClauseState::held
                                                : ClauseState::broken;
      add_allowed("allowed_types", state, join(good, ", "),
                  found.empty() ? "unknown" : join(found, ", "));
    }
    if (contract_.strongly_typed) {
      const bool good = *contract_.strongly_typed;
      const ClauseState state = !is_known                        ? ClauseState::undecidable
                                : good == allowed.strongly_typed ? ClauseState::held
                                                                 : ClauseState::broken;
      add_allowed("strongly_typed", state, good ? "yes" : "no",
                  !is_known                ? "unknown"
                  : allowed.strongly_typed ? "yes"
                                           : "no");
    }
  }
  void add_allowed(const char* name, ClauseState state, std::string expected, std::string found) {
    ClauseResult& clause = add(name, state, std::move(expected), std::move(found));
    if (state != ClauseState::undecidable) return;
    if (analysis_.build.allowed.strongly_typed) {
      clause.why = "the network is strongly typed, so that no option allows types";
      clause.needs = "the types of its kernels, which other clauses ask for";
      return;
    }
    clause.why = "the inputs do not tell the options of the build";
    clause.needs = kNeedsLog;
  }

  void kernels(KernelKind kind, const TypeLimits& good) {
    const TypedKernels found = typed_kernels(analysis_, kind);
    double wanted = 0;
    for (const auto& [type, limits] : good.types) wanted += limits.at_least.value_or(0);
    // Kernels that could be of any type: untyped ones, and those that are missing and may be
    // hidden.
    auto any = static_cast<double>(found.untyped.size());
    const double missing = wanted - static_cast<double>(found.typed()) - any;
    if (!found.hiding.empty()) any += std::max(missing, 0.0);
    std::set<std::string> named;
    for (const auto& [type, limits] : good.types) named.insert(type);
    for (const auto& [type, limits] : good.types) {
      const auto of_type = found.by_type.find(type);
      one_type(kind, type, limits, found,
               of_type == found.by_type.end() ? std::vector<std::size_t>() : of_type->second, any);
    }
    if (!good.other) return;
    std::vector<std::size_t> others;
    for (const auto& [type, layers] : found.by_type) {
      if (named.count(type) == 0) others.insert(others.end(), layers.begin(), layers.end());
    }
    one_type(kind, "other", *good.other, found, others, any);
  }

  void one_type(KernelKind kind, const std::string& type, const Limits& limits,
                const TypedKernels& found, const std::vector<std::size_t>& layers, double any) {
    const std::string name = std::string(to_string(kind)) + "." + type;
    const std::string expected = limits_text(limits, "");
    const auto number = static_cast<double>(layers.size());
    if (!found.is_known) {
      ClauseResult& clause = add(name, ClauseState::undecidable, expected, "unknown");
      clause.limits = limits;
      clause.why = found.why;
      clause.needs = found.needs;
      return;
    }
    const ClauseState state = judge(limits, number, number + any);
    ClauseResult& clause = add(name, state, expected, found_text(type, found, layers));
    clause.limits = limits;
    clause.value = number;
    if (state == ClauseState::undecidable) {
      clause.found = "at least " + clause.found;
      clause.why = found.why;
      clause.needs = found.needs;
      clause.layers = found.hiding.empty() ? found.untyped : found.hiding;
    } else if (state == ClauseState::broken) {
      const bool is_short = number < limits.at_least.value_or(0);
      clause.layers = is_short ? instead_of(kind, type, found) : layers;
    }
  }

  // "0", of other types with their names: "3: 2 FP32, 1 TF32".
  static std::string found_text(const std::string& type, const TypedKernels& found,
                                const std::vector<std::size_t>& layers) {
    std::string text = std::to_string(layers.size());
    if (type != "other" || layers.empty()) return text;
    std::vector<std::string> parts;
    for (const auto& [other, of_type] : found.by_type) {
      const bool is_counted = std::ranges::find(layers, of_type.front()) != layers.end();
      if (is_counted) parts.push_back(fmt::format("{} {}", of_type.size(), other));
    }
    return parts.size() == 1 ? parts[0] : text + ": " + join(parts, ", ");
  }

  // What stands in the place of kernels that are missing: those of other types; of fused attention
  // the softmax that it would have taken in.
  [[nodiscard]] std::vector<std::size_t> instead_of(KernelKind kind, const std::string& type,
                                                    const TypedKernels& found) const {
    std::vector<std::size_t> layers;
    for (const auto& [other, of_type] : found.by_type) {
      if (other != type) layers.insert(layers.end(), of_type.begin(), of_type.end());
    }
    if (!layers.empty() || kind != KernelKind::attention) return layers;
    for (std::size_t i = 0; i < analysis_.verdicts.size(); ++i) {
      if (analysis_.verdicts[i].role == LayerRole::softmax) layers.push_back(i);
    }
    return layers;
  }

  void quantity(Quantity what, const Limits& limits) {
    const Measured found = quantity_of(analysis_, what);
    const char* const unit = unit_of(what);
    const std::string expected = limits_text(limits, unit);
    if (!found.is_known) {
      ClauseResult& clause = add(to_string(what), ClauseState::undecidable, expected, "unknown");
      clause.limits = limits;
      clause.why = found.why;
      clause.needs = found.needs;
      return;
    }
    const ClauseState state = judge(limits, found.least, found.most);
    ClauseResult& clause =
        add(to_string(what), state, expected,
            state == ClauseState::undecidable ? range_text(found.least, found.most, unit)
                                              : quantity_text(found.least, unit));
    clause.limits = limits;
    clause.value = found.least;
    if (state == ClauseState::undecidable) {
      clause.why = found.why;
      clause.needs = found.needs;
    } else if (state == ClauseState::broken) {
      clause.layers = found.layers;
      clause.found = beyond_text(limits, found.least, unit);
    }
  }

  // With as many digits as it takes to be seen beyond the limit.
  static std::string beyond_text(const Limits& limits, double value, const char* unit) {
    const double shown = std::round(value * 10) / 10;
    return judge(limits, shown, shown) == ClauseState::broken
               ? quantity_text(value, unit)
               : fmt::format("{:.6g}{}", value, unit);
  }

  const Contract& contract_;
  ContractResult& out_;
  const Analysis& analysis_;
};

}  // namespace

const char* to_string(ClauseState state) {
  return name_of<ClauseState::broken>(state, {"held", "undecidable", "broken"});
}

ClauseState ContractResult::state() const {
  ClauseState worst = ClauseState::held;
  for (const ClauseResult& clause : clauses) worst = std::max(worst, clause.state);
  return worst;
}

std::size_t ContractResult::count(ClauseState state) const {
  return static_cast<std::size_t>(std::ranges::count(clauses, state, &ClauseResult::state));
}

ContractResult check_contract(std::vector<Analysis> builds, const Contract& contract,
                              const std::string& path, const AnalyzeOptions& options) {
  ContractResult result;
  result.contract = path;
  Side side = side_of_runs(std::move(builds));
  result.refused = why_refused(side);
  if (!result.refused.empty()) return result;
  // Whatever the contract says: a build that failed is no good one.
  std::optional<ClauseResult> outcome = outcome_clause(side);
  if (outcome) result.clauses.push_back(std::move(*outcome));
  result.runs = side.counted.size();
  std::optional<ClauseResult> time;
  if (contract.time_per_query) {
    std::vector<const Analysis*> runs;
    for (const std::size_t i : side.counted) runs.push_back(&side.runs[i]);
    time = time_clause(contract, *contract.time_per_query, runs);
  }
  SideLayers layers;
  take_together(side, options, result.build, layers);
  Checker(contract, result).check();
  const bool failed = result.build.build.outcome == Outcome::failed;
  if (time && !failed) result.clauses.push_back(std::move(*time));
  explain(contract, result);
  return result;
}

}  // namespace trtlens
