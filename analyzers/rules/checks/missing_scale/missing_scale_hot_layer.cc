// Tensors without a scale whose layers take time and stay wide.
#include <set>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::checks::missing_scale_hot_layer {

// The log of a build says which tensors, and nothing of the layers at them.
static void check_without_layers(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<const MissingScaleCost*> open;
  for (const MissingScaleCost& cost : c.analysis.missing_scales) {
    if (!cost.matters) open.push_back(&cost);
  }
  if (open.empty()) return;
  Finding finding = c.finding();
  finding.severity = Severity::moderate;
  finding.confidence = Confidence::guessed;
  finding.title = count_text(open.size(), "tensor") + " without scale may keep layers in FP32";
  finding.why =
      "Implicit INT8 needs the range of every tensor that an INT8 kernel reads or writes; which "
      "layers are at these tensors, this input does not say. Where more than half of all tensors "
      "are named, the calibration cache belongs to another graph.";
  finding.remedies = {
      "Calibrate on exactly this network, after deleting a stale cache, or set their ranges by "
      "API.",
      "Or move to explicit quantization (Q/DQ nodes).",
      "Leave out what is no activation: indices, lengths, masks and constants need no scale."};
  const std::string lacking = lacking_text("build at hand", c.analysis.build);
  if (!lacking.empty()) {
    finding.next_check =
        "See which layers are at these tensors" + lacking.substr(lacking.find(": "));
  }
  for (const MissingScaleCost* cost : first_of(open, 8)) {
    finding.evidence.push_back(c.line(cost->pos, ""));
  }
  out.push_back(std::move(finding));
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::set<std::size_t> fallen, reformats;
  std::vector<const MissingScaleCost*> costly;
  for (const MissingScaleCost& cost : c.analysis.missing_scales) {
    if (!cost.matters.value_or(false)) continue;
    costly.push_back(&cost);
    for (const std::size_t i : cost.layers) {
      if (width_of(c.verdict(i).compute) > 8 && is_arithmetic(c.verdict(i).role)) fallen.insert(i);
    }
    reformats.insert(cost.reformats.begin(), cost.reformats.end());
  }
  if (costly.empty()) return check_without_layers(c, out);
  // Where nothing runs in INT8 no single tensor is to blame:
  // missing-scale-only-warnings-no-int8-at-all.
  const ArithmeticCount count = count_arithmetic(c);
  if (count.narrow == 0 && count.unknown == 0 && !count.has_region && costly.size() > 1 &&
      !is_explicitly_quantized(c)) {
    return;
  }
  const std::vector<std::size_t> layers(fallen.begin(), fallen.end());
  const std::vector<std::size_t> around(reformats.begin(), reformats.end());
  Finding finding = c.finding(together({layers, around}));
  finding.title = count_text(costly.size(), "tensor") + " without scale " +
                  (costly.size() == 1 ? "keeps " : "keep ") + "layers out of INT8";
  finding.gain = gain_of(c.analysis, c.graph, c.reasons, {layers, around, {}, 8, false});
  for (const MissingScaleCost* cost : costly) {
    finding.evidence.push_back(c.line(
        cost->pos, cost->time_ms ? "at stake here: " + ms_text(*cost->time_ms) : std::string()));
  }
  show_sum(c, layers, count_text(layers.size(), "layer") + " out of INT8", finding);
  if (!around.empty()) {
    show_sum(c, around, count_text(around.size(), "reformat") + " around them", finding);
  }
  for (const std::size_t i : layers) {
    finding.evidence.push_back(c.measured(i, compute_text(c, i)));
  }
  for (const std::size_t i : around) finding.evidence.push_back(c.measured(i));
  if (!c.analysis.build.options.has("fp16")) {
    finding.remedies.push_back(
        "Until then build with --fp16 beside --int8: the layers fall back to FP16, not to FP32.");
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"missing-scale-hot-layer", Pass::cause, check};

}  // namespace trtlens::checks::missing_scale_hot_layer
