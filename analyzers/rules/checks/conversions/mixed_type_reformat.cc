// Conversions of type inside the network, between layers that disagree.
#include <map>
#include <string>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::mixed_type_reformat {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  if (c.analysis.build.profile_sum_ms <= 0) return;
  std::vector<std::size_t> kernels;
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!c.graph.takes_part(i) || c.verdict(i).role != LayerRole::reformat ||
        c.claimed.count(i) != 0 || layer.inputs.empty() || layer.outputs.empty()) {
      continue;
    }
    const DataType in = layer.inputs[0].type, to = layer.outputs[0].type;
    const bool known = (is_float(in) || is_narrow(in)) && (is_float(to) || is_narrow(to));
    if (!known || in == to || c.graph.is_at_input(layer.inputs[0].name) ||
        c.graph.is_at_output(layer.outputs[0].name)) {
      continue;
    }
    kernels.push_back(i);
    kinds[std::string(to_string(in)) + " to " + to_string(to)].push_back(i);
  }
  if (kernels.empty() || !takes_share(c, kernels, c.threshold("min_share"))) return;
  Finding finding = c.finding(
      kernels, {{"reformats", count_text(kernels.size(), "reformat")},
                {"typing", c.analysis.build.allowed.strongly_typed ? "strongly typed" : ""}});
  for (const auto& [kind, members] : kinds) {
    show_sum(c, members, std::to_string(members.size()) + " " + kind, finding);
  }
  finding.gain = gain_without(c.analysis, kernels);
  show_layers(c, kernels, finding, [&](std::size_t i) {
    std::string cause;
    for (const ReformatEntry& entry : c.analysis.reformats) {
      if (entry.layer == i) cause = cause_of(c.analysis, entry);
    }
    return cause;
  });
  out.push_back(std::move(finding));
}

extern const Rule rule{"mixed-type-reformat", Pass::rest, check};

}  // namespace trtlens::checks::mixed_type_reformat
