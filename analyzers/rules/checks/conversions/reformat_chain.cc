// A conversion that reads what another conversion wrote.
#include <algorithm>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::reformat_chain {

static bool is_plain_reformat(const RuleContext& c, std::size_t i) {
  const std::string& origin = c.layer(i).origin;
  // Copies of a concatenation or slice are not conversions.
  return c.graph.takes_part(i) && c.verdict(i).role == LayerRole::reformat &&
         (origin.empty() || origin == "REFORMAT");
}

// One of the two goes in any case; both, where the layers beside them agree.
static std::optional<Gain> gain_of_chains(const RuleContext& c,
                                          const std::vector<std::size_t>& kernels) {
  Gain gain;
  for (const std::size_t i : kernels) {
    const Places before = c.graph.before(i);
    const double ms = time_or_zero(c.layer(i));
    gain.high_ms += ms;
    if (before.size() == 1 && is_plain_reformat(c, before[0])) {
      gain.low_ms += std::min(ms, time_or_zero(c.layer(before[0])));
    }
  }
  if (gain.high_ms <= 0) return std::nullopt;
  gain.low_ms = std::min(gain.low_ms, gain.high_ms);
  gain.basis = "the faster kernel of each pair at least, both at best";
  return gain;
}

// Nothing stands in front of the first kernel of any pair.
static bool begin_at_inputs(const RuleContext& c, const std::vector<std::size_t>& kernels) {
  return std::ranges::all_of(kernels, [&](std::size_t i) {
    const Places before = c.graph.before(i);
    return before.empty() || (is_plain_reformat(c, before[0]) && c.graph.before(before[0]).empty());
  });
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> kernels;
  std::size_t chains = 0;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!is_plain_reformat(c, i)) continue;
    const Places before = c.graph.before(i);
    if (before.size() != 1 || !is_plain_reformat(c, before[0]) ||
        c.graph.after(before[0]).size() != 1 || c.claimed.count(i) != 0) {
      continue;
    }
    ++chains;
    kernels.push_back(before[0]);
    kernels.push_back(i);
  }
  kernels = unclaimed(c, kernels);
  if (kernels.empty() || !takes_share(c, kernels, c.threshold("min_share"))) return;
  Finding finding =
      c.finding(kernels, {{"pairs", chains == 1 ? std::string("Two reformats")
                                                : std::to_string(chains) + " pairs of reformats"}});
  if (finding.severity > Severity::moderate) finding.severity = Severity::moderate;
  const bool narrow = std::ranges::any_of(kernels, [&](std::size_t i) {
    const Layer& layer = c.layer(i);
    return (!layer.inputs.empty() && is_narrow(layer.inputs[0].type)) ||
           (!layer.outputs.empty() && is_narrow(layer.outputs[0].type));
  });
  if (!narrow) {
    finding.remedies = {
        "Give the layers on both sides of the chain one type and one layout: both reformats go.",
        "Look for what sets them: a reshape or transpose in between wants linear tensors, a "
        "constraint or a Cast sets a type."};
  } else if (begin_at_inputs(c, kernels)) {
    finding.remedies = {
        "Let the preprocessing write what the first layer reads (--inputIOFormats), and drop the "
        "model's first Q, if any."};
  } else {
    finding.why += " Mostly the two stand between a float layer and INT8 neighbours.";
  }
  finding.gain = gain_of_chains(c, kernels);
  show_layers(c, kernels, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"reformat-chain", Pass::symptom, check};

}  // namespace trtlens::checks::reformat_chain
