// Adds whose residual input has no Q/DQ, by what graph/residuals.h finds.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/graph/neighbours.h"
#include "analyzers/graph/residuals.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/evidence_commands.h"

namespace trtlens::checks::residual_add_not_quantised {

// The Adds apart, with their DQ, the kernels that quantize again, and what does not fuse in front.
static void show_parts(const RuleContext& c, const Residuals& found, Finding& finding) {
  const auto show = [&](const std::set<std::size_t>& part, const std::string& what) {
    if (!part.empty()) show_sum(c, {part.begin(), part.end()}, what, finding);
  };
  std::set<std::size_t> apart, reformats, island = found.islands;
  for (const LoneAdd& one : found.lone) {
    apart.insert(one.add);
    apart.insert(one.dequantizers.begin(), one.dequantizers.end());
  }
  for (const std::size_t i : found.reformats) {
    if (found.islands.count(i) == 0) reformats.insert(i);
  }
  // The Q behind the pool belongs to the chain that one fused kernel would replace.
  std::size_t shared = 0;
  for (const std::size_t q : found.quantizers) {
    const Places before = c.graph.before(q);
    const bool of_island =
        std::ranges::any_of(before, [&](std::size_t p) { return found.islands.count(p) != 0; });
    if (of_island && !found.islands.empty()) shared += island.insert(q).second ? 1 : 0;
  }
  show(apart, count_text(found.lone.size(), "Add kernel") + " and " +
                  count_text(apart.size() - found.lone.size(), "DequantizeLinear kernel"));
  show(found.quantizers, count_text(found.quantizers.size(), "extra QuantizeLinear kernel"));
  show(reformats, count_text(reformats.size(), "reformat") + " beside them");
  show(island, "convolution, activation and pool in front, unfused, with their conversions" +
                   (shared > 0 ? ", " + std::to_string(shared) + " of which counted above"
                               : std::string()));
}

// The kernels in `layers` that convert the network's own inputs and outputs stay in any case.
static double border_ms(const RuleContext& c, const std::set<std::size_t>& layers) {
  double sum_ms = 0;
  for (const std::size_t i : layers) {
    const bool border = reads_network_input(c, i) || writes_network_output(c, i);
    if (border && is_conversion(c.verdict(i).role)) sum_ms += time_or_zero(c.layer(i));
  }
  return sum_ms;
}

static const Layer* pool_of(const RuleContext& c, const std::set<std::size_t>& island) {
  for (const std::size_t i : island) {
    if (c.verdict(i).role == LayerRole::pooling && !c.layer(i).outputs.empty()) return &c.layer(i);
  }
  return nullptr;
}

// Of the bytes that the island's convolution moves now, those that it moves when it writes
// `elements` INT8 values.
static double share_when_narrow(const Layer& convolution, std::optional<std::int64_t> elements) {
  const std::optional<std::int64_t> in = convolution.inputs[0].bytes();
  const std::optional<std::int64_t> out = convolution.outputs[0].bytes();
  if (!elements || !in || !out || *in + *out <= 0) return 1;
  return std::min(1.0, static_cast<double>(*in + *elements) / static_cast<double>(*in + *out));
}

static bool is_bound_by_bytes(const RuleContext& c, std::size_t layer) {
  return std::ranges::any_of(c.analysis.roofline.layers, [&](const LayerRoof& roof) {
    return roof.layer == layer && roof.bound == Bound::memory;
  });
}

// What takes the place of the island's convolution and pool: at best one kernel that writes the
// narrow output of the pool; at worst both, narrow, where bytes hold the convolution, and else what
// the convolution takes now.
static MsRange fused_ms(const RuleContext& c, std::size_t i, const std::set<std::size_t>& island) {
  const Layer& convolution = c.layer(i);
  const double now_ms = time_or_zero(convolution);
  const Layer* const pool = pool_of(c, island);
  if (pool == nullptr) return {now_ms, now_ms};
  MsRange fused{now_ms * share_when_narrow(convolution, pool->outputs[0].elements()), now_ms};
  if (is_bound_by_bytes(c, i)) {
    const double apart_ms =
        now_ms * share_when_narrow(convolution, convolution.outputs[0].elements()) +
        time_or_zero(*pool);
    fused.high_ms = std::min(now_ms, apart_ms);
  }
  return fused;
}

// The reformats that change no type: an INT8 tensor may need them as well.
static double layouts_of(const RuleContext& c, const Residuals& found) {
  double sum_ms = 0;
  for (const std::size_t i : found.reformats) {
    const Layer& layer = c.layer(i);
    const bool same = !layer.inputs.empty() && !layer.outputs.empty() &&
                      layer.inputs[0].type == layer.outputs[0].type;
    if (same && found.islands.count(i) == 0) sum_ms += time_or_zero(layer);
  }
  return sum_ms;
}

static std::optional<Gain> gain_of_residuals(const RuleContext& c, const Residuals& found,
                                             const std::set<std::size_t>& stake) {
  if (!c.analysis.build.has_profile) return std::nullopt;
  MsRange fused;
  for (const std::size_t i : found.islands) {
    if (!computes_narrow(c, i)) continue;
    const MsRange one = fused_ms(c, i, found.islands);
    fused.low_ms += one.low_ms;
    fused.high_ms += one.high_ms;
  }
  const double stays_ms = border_ms(c, stake);
  const double all_ms = c.time_ms(std::vector<std::size_t>(stake.begin(), stake.end()));
  double adds_ms = 0;
  for (const LoneAdd& one : found.lone) adds_ms += time_or_zero(c.layer(one.add));
  const double layouts_ms = layouts_of(c, found);
  Gain gain;
  gain.low_ms = all_ms - stays_ms - fused.high_ms - adds_ms - layouts_ms;
  gain.high_ms = all_ms - stays_ms - fused.low_ms;
  if (gain.low_ms < 0 || gain.high_ms <= 0) return std::nullopt;
  gain.basis = "the conversions at stake are gone";
  if (stays_ms > 0) gain.basis += ", except at the network's border (" + ms_text(stays_ms) + ")";
  if (fused.high_ms > 0) {
    gain.basis +=
        "; the fused INT8 kernel takes " + ms_text(fused.low_ms) + " to " + ms_text(fused.high_ms);
  }
  if (layouts_ms > 0) {
    gain.basis += "; reformats of the layout alone may stay: " + ms_text(layouts_ms);
  }
  if (adds_ms > 0) {
    gain.basis +=
        "; the Adds, taken in by the convolutions, take between nothing and what they "
        "take now: " +
        ms_text(adds_ms);
  }
  return gain;
}

static void adjust_remedies(const Residuals& found, std::vector<std::string>& remedies) {
  if (found.lone.empty()) return;
  // What the general advice says of the convolution's output is part of it.
  remedies[1] = "Use the scale of the Q that quantizes that tensor for its other reader.";
  if (!found.adds.empty()) remedies[1] = remedies[0];
  remedies[0] = "Move each Add's Q/DQ from the convolution's output to the residual input.";
}

static void show_adds(const RuleContext& c, const Residuals& found, Finding& finding) {
  for (const LoneAdd& one : found.lone) {
    finding.about.push_back(c.layer(one.add).name);
    finding.evidence.push_back(c.measured(
        one.add, "adds the float residual " + one.residual + " to a dequantized output"));
  }
  for (const std::size_t i : found.adds) {
    finding.about.push_back(c.layer(i).name);
    finding.evidence.push_back(c.measured(i, "reads INT8 and a float residual " +
                                                 residual_inputs(c, i)[0]->name + ", writes " +
                                                 to_string(c.layer(i).outputs[0].type)));
  }
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Residuals found = residuals_of(c);
  if ((found.adds.empty() && found.lone.empty()) || found.quantizers.empty()) return;
  const std::set<std::size_t> stake = found.all();
  Finding finding = c.finding(std::vector<std::size_t>(stake.begin(), stake.end()));
  const std::size_t adds = found.adds.size() + found.lone.size();
  finding.title = count_text(adds, "residual Add") + (adds == 1 ? " lacks" : " lack") + " Q/DQ";
  show_parts(c, found, finding);
  finding.gain = gain_of_residuals(c, found, stake);
  adjust_remedies(found, finding.remedies);
  finding.next_check = "Quantize one block's residual, build it as before, and compare: " +
                       rebuild_command(c.analysis.build, "RESIDUAL_QDQ.onnx") +
                       "; `trtlens compare BEFORE AFTER`." +
                       lacking_text("build at hand", c.analysis.build);
  std::set<std::size_t> conversions = found.quantizers;
  conversions.insert(found.reformats.begin(), found.reformats.end());
  for (const std::size_t i : found.islands) finding.evidence.push_back(c.measured(i));
  for (const std::size_t i : conversions) {
    if (found.islands.count(i) == 0) finding.evidence.push_back(c.measured(i));
  }
  show_adds(c, found, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"residual-add-not-quantised", Pass::cause, check};

}  // namespace trtlens::checks::residual_add_not_quantised
