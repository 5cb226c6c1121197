// The reformat ledger: what each conversion moves, between what, and which layer needs it.
#include <algorithm>
#include <map>
#include <string>

#include "analyzers/ledgers.h"
#include "analyzers/precision.h"

namespace trtlens {
namespace {

bool is_io(const Graph& graph, const Layer& layer) {
  return (!layer.inputs.empty() && graph.is_network_input(layer.inputs[0].name)) ||
         (!layer.outputs.empty() && graph.is_network_output(layer.outputs[0].name));
}

std::string kind_of(const Layer& layer, LayerRole role) {
  if (role == LayerRole::quantize) return "QuantizeLinear that fused into no layer";
  if (role == LayerRole::dequantize) return "DequantizeLinear that fused into no layer";
  const DataType in = layer.inputs.empty() ? DataType::unknown : layer.inputs[0].type;
  const DataType out = layer.outputs.empty() ? DataType::unknown : layer.outputs[0].type;
  if (in == DataType::unknown || out == DataType::unknown) return "reformat";
  if (in != out) return std::string(to_string(in)) + " to " + to_string(out);
  return "layout only";
}

// The neighbour whose precision differs from the other side's: charged with the conversion.
std::optional<std::size_t> charged(const Analysis& analysis, const Graph& graph, std::size_t i) {
  std::optional<std::size_t> widest;
  for (const Places& side : {graph.after(i), graph.before(i)}) {
    for (const std::size_t n : side) {
      const LayerVerdict& verdict = analysis.verdicts[n];
      if (is_conversion(verdict.role) || verdict.role == LayerRole::none) continue;
      if (!widest || width_of(verdict.compute) > width_of(analysis.verdicts[*widest].compute)) {
        widest = n;
      }
    }
  }
  return widest;
}

}  // namespace

std::string cause_of(const Analysis& analysis, const ReformatEntry& entry) {
  std::string cause = entry.cause;
  if (!entry.caused_by) return cause;
  const LayerVerdict& verdict = analysis.verdicts[*entry.caused_by];
  cause += "; " + analysis.build.layers[*entry.caused_by].name;
  if (verdict.compute != Precision::unknown && verdict.compute != Precision::none) {
    cause += std::string(" (") + to_string(verdict.compute) + ")";
  }
  return cause;
}

void fill_reformats(Analysis& analysis, const Graph& graph) {
  std::map<std::string, SharedText> causes;  // a few, of many conversions
  analysis.reformats.reserve(static_cast<std::size_t>(
      std::count_if(analysis.verdicts.begin(), analysis.verdicts.end(),
                    [](const LayerVerdict& verdict) { return is_conversion(verdict.role); })));
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    const LayerRole role = analysis.verdicts[i].role;
    if (!is_conversion(role)) continue;
    const Layer& layer = analysis.build.layers[i];
    ReformatEntry entry;
    entry.layer = i;
    if (!layer.inputs.empty() && !layer.outputs.empty()) {
      const auto in = layer.inputs[0].stored_bytes();
      const auto out = layer.outputs[0].stored_bytes();
      if (in && out) entry.bytes = *in + *out;
    }
    std::string cause = kind_of(layer, role);
    if (is_io(graph, layer)) {
      cause += "; at the network's border";
      entry.removable = false;
    } else {
      entry.caused_by = charged(analysis, graph, i);
      const bool converts_type = !layer.inputs.empty() && !layer.outputs.empty() &&
                                 layer.inputs[0].type != layer.outputs[0].type;
      if (converts_type) entry.removable = true;
    }
    entry.cause = causes.try_emplace(cause, cause).first->second;
    analysis.reformats.push_back(std::move(entry));
  }
  const auto time = [&](const ReformatEntry& e) {
    return time_or_zero(analysis.build.layers[e.layer]);
  };
  std::stable_sort(
      analysis.reformats.begin(), analysis.reformats.end(),
      [&](const ReformatEntry& a, const ReformatEntry& b) { return time(a) > time(b); });
}

}  // namespace trtlens
