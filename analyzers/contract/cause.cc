// The options that forbid what the contract wants, the finding on the layers in question, else the
// clauses that are broken with it.
#include "analyzers/contract/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "analyzers/text.h"

namespace trtlens {
namespace {

bool is_of_types(const ClauseResult& clause) {
  return clause.name.find('.') != std::string::npos || clause.name == "fp32_time_percent";
}

// Of conversions: how many kernels, or their share of the time.
bool is_of_kernels(const ClauseResult& clause) {
  return clause.name.starts_with("reformat") || clause.name.starts_with("qdq");
}

// The types that the contract wants most of and the build's options did not allow.
std::vector<std::string> not_allowed(const Contract& contract, const Build& build) {
  std::vector<std::string> types;
  if (build.allowed.labels.empty() || build.allowed.strongly_typed) return types;
  for (const std::optional<TypeLimits>& kind : contract.kernels) {
    if (!kind) continue;
    for (const auto& [type, limits] : kind->types) {
      const bool is_wanted = limits.at_least.value_or(0) > 0 && type != "TF32";
      if (!is_wanted || allows(build.allowed, type)) continue;
      if (std::ranges::find(types, type) == types.end()) types.push_back(type);
    }
  }
  return types;
}

// The first of those that are about most of the layers in question: at least half of these.
std::optional<std::size_t> finding_on(const Analysis& build, const ClauseResult& clause) {
  std::set<std::string> names;
  for (const std::size_t i : clause.layers) names.insert(build.build.layers[i].name.str());
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t f = 0; f < build.findings.size(); ++f) {
    std::set<std::string> met;
    for (const SharedText& layer : build.findings[f].layers) {
      if (names.count(layer.str()) != 0) met.insert(layer.str());
    }
    if (met.size() <= most || 2 * met.size() < names.size()) continue;
    most = met.size();
    best = f;
  }
  return best;
}

void explain_types(const Contract& contract, const Analysis& build, ClauseResult& clause) {
  const std::vector<std::string> types = not_allowed(contract, build.build);
  if (!types.empty()) {
    clause.why =
        fmt::format("{} {} not among the types that the build was allowed: {}", join(types, ", "),
                    types.size() == 1 ? "is" : "are", join(build.build.allowed.labels, ", "));
  } else if (build.build.allowed.strongly_typed) {
    clause.why = "the network is strongly typed: the types of the ONNX file decide, not the flags";
  }
}

}  // namespace

void explain(const Contract& contract, ContractResult& result) {
  std::vector<std::string> types_broken, kernels_broken;
  for (const ClauseResult& clause : result.clauses) {
    if (clause.state != ClauseState::broken) continue;
    if (is_of_types(clause)) types_broken.push_back(clause.name);
    if (is_of_kernels(clause)) kernels_broken.push_back(clause.name);
  }
  for (ClauseResult& clause : result.clauses) {
    if (clause.state != ClauseState::broken || clause.name == "build") continue;
    if (!clause.layers.empty()) clause.finding = finding_on(result.build, clause);
    if (is_of_types(clause)) {
      explain_types(contract, result.build, clause);
      continue;
    }
    const bool follows = clause.name == "engine_mib" || clause.name == "activation_mib" ||
                         clause.name == "device_mib" || clause.name == "time_per_query";
    if (follows && !types_broken.empty()) {
      clause.why = "follows from the types: " + types_broken.front();
    } else if (clause.name == "time_per_query" && !kernels_broken.empty()) {
      clause.why = "follows from the kernels: " + kernels_broken.front();
    }
  }
}

}  // namespace trtlens
