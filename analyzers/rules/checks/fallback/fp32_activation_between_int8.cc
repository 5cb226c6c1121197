// Activations that did not fuse into an INT8 convolution.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "analyzers/graph/neighbours.h"
#include "analyzers/graph/quantizers.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::fp32_activation_between_int8 {

constexpr std::array<std::string_view, 10> kActivations = {"igmoid", "elu",  "Silu", "SiLU", "wish",
                                                           "Mish",   "Clip", "anh",  "Gelu", "Erf"};

// The words of a name that are activations: "LeakyRelu" is not "Relu".
static std::set<std::string_view> kinds_in(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::set<std::string_view> kinds;
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && is_letter(name[end])) ++end;
    const std::string_view word = name.substr(at, end - at);
    if (std::ranges::any_of(kActivations, [&](std::string_view part) {
          return word.find(part) != std::string_view::npos;
        })) {
      kinds.insert(word);
    }
    at = std::max(end, at + 1);
  }
  return kinds;
}

static bool activates(const Layer& layer) {
  return layer.inputs.size() == 1 || !kinds_in(layer.name.str()).empty();
}

// Whether INT8 convolutions of this engine took in every kind of these activations.
static bool fuses_elsewhere(const RuleContext& c, const std::vector<std::size_t>& activations) {
  std::set<std::string_view> open;
  for (const std::size_t i : activations) open.merge(kinds_in(c.layer(i).name.str()));
  if (open.empty()) return false;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!computes_narrow(c, i) || layer.outputs.empty() || !is_narrow(layer.outputs[0].type)) {
      continue;
    }
    for (const std::string_view kind : kinds_in(layer.name.str())) open.erase(kind);
  }
  return open.empty();
}

static void explain(const RuleContext& c, const std::vector<std::size_t>& activations,
                    const std::vector<std::size_t>& conversions, Finding& finding) {
  const UnfusedReasons reasons = unfused_reasons(c, conversions);
  if (reasons.any()) {
    finding.why =
        "An activation and its quantizer fuse only if that quantizer is the sole reader, of the "
        "whole tensor. Here " +
        text_of(c, reasons) + ".";
    finding.confidence = Confidence::measured;  // the graph shows it
    finding.remedies = {remedy_of(reasons)};
  } else if (fuses_elsewhere(c, activations)) {
    finding.remedies.at(0) =
        "Compare with a layer where this activation fuses: here a Split, Concat or Add may read "
        "it.";
    finding.remedies.erase(finding.remedies.begin() + 1);  // replacing what fuses elsewhere
  }
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> activations, conversions;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::pointwise ||
        layer.inputs.empty() || !is_float(layer.inputs[0].type) || !activates(layer) ||
        c.claimed.count(i) != 0) {
      continue;
    }
    const Walk before = walk(c, i, Direction::backward, is_conversion);
    const Walk after = walk(c, i, Direction::forward, is_conversion);
    // What it reads is INT8 arithmetic alone: an Add of a float residual is no activation. Without
    // conversions its kernel quantizes by itself.
    if (before.ends.empty() || before.between.size() + after.between.size() == 0 ||
        !std::ranges::all_of(before.ends, [&](std::size_t n) { return computes_narrow(c, n); }) ||
        !any_computes_narrow(c, after.ends)) {
      continue;
    }
    activations.push_back(i);
    // A copy of a concatenation or a slice would stand there without the activation, too.
    for (const std::size_t n : together({before.between, after.between})) {
      if (changes_type(c.layer(n))) conversions.push_back(n);
    }
  }
  if (activations.empty()) return;
  const std::vector<std::size_t> all = unclaimed(c, together({activations, conversions}));
  Finding finding = c.finding(
      all, {{"activations", activations.size() == 1 ? "An activation"
                                                    : count_text(activations.size(), "activation")},
            {"run", activations.size() == 1 ? "runs" : "run"},
            {"type", float_text(c, activations)}});
  finding.gain = gain_without(c.analysis, all);
  explain(c, activations, conversions, finding);
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"fp32-activation-between-int8", Pass::placement, check};

}  // namespace trtlens::checks::fp32_activation_between_int8
