// The reformat ledger: what each conversion moves, between what, and which layer needs it.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "analyzers/graph/layer_work.h"
#include "analyzers/graph/residuals.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/precision.h"

namespace trtlens {
namespace {

// Without tensors, as in a profile alone, a Q that is the first kernel can only read the network's
// input, and a DQ that is the last one writes its output.
bool is_io(const Analysis& analysis, const Graph& graph, std::size_t i) {
  const Layer& layer = analysis.build.layers[i];
  if (layer.inputs.empty() && layer.outputs.empty() && analysis.build.has_profile) {
    const LayerRole role = analysis.verdicts[i].role;
    return (role == LayerRole::quantize && i == 0) ||
           (role == LayerRole::dequantize && i + 1 == analysis.build.layers.size());
  }
  return (!layer.inputs.empty() && graph.is_at_input(layer.inputs[0].name)) ||
         (!layer.outputs.empty() && graph.is_at_output(layer.outputs[0].name));
}

std::string kind_of(const Layer& layer, LayerRole role) {
  if (role == LayerRole::quantize) return "unfused QuantizeLinear";
  if (role == LayerRole::dequantize) return "unfused DequantizeLinear";
  const DataType in = layer.inputs.empty() ? DataType::unknown : layer.inputs[0].type;
  const DataType out = layer.outputs.empty() ? DataType::unknown : layer.outputs[0].type;
  if (in == DataType::unknown || out == DataType::unknown) return "reformat";
  if (in != out) return std::string(to_string(in)) + " to " + to_string(out);
  return keeps_format(layer) ? "copy" : "layout only";
}

std::optional<std::int64_t> bytes_of(const Layer& layer, std::optional<std::int64_t> batch) {
  if (!batch || layer.inputs.empty() || layer.outputs.empty()) return std::nullopt;
  const auto in = layer.inputs[0].stored_bytes();
  const auto out = layer.outputs[0].stored_bytes();
  if (!in || !out) return std::nullopt;
  std::int64_t bytes = 0;  // dimensions are any number that a file holds
  if (__builtin_add_overflow(*in, *out, &bytes) || __builtin_mul_overflow(bytes, *batch, &bytes)) {
    return std::nullopt;
  }
  return bytes;
}

// Whether the layer that a conversion is named after needs it, whatever its neighbours compute in:
// a reshape wants the plain layout, and a region its own layout and types, which nobody else chose.
bool needs_for_itself(const Analysis& analysis, std::size_t named, const Layer& conversion,
                      std::optional<std::size_t> widest) {
  const LayerRole role = analysis.verdicts[named].role;
  if (conversion.inputs.empty() || conversion.outputs.empty()) return false;
  const int in = bits_of(conversion.inputs[0].type), out = bits_of(conversion.outputs[0].type);
  if (in == 0 || out == 0) return false;
  if (conversion.inputs[0].type == conversion.outputs[0].type) {
    return role == LayerRole::region || role == LayerRole::shuffle || role == LayerRole::none;
  }
  // A neighbour that computes in the wider type is the reason for it.
  const int width = widest ? width_of(analysis.verdicts[*widest].compute) : 0;
  return role == LayerRole::region && width < std::max(in, out);
}

// The neighbour of a conversion that computes in most bits. Layers stand in the order of
// execution: a copy into a concatenation's tensor has readers of other parts of it that ran before.
std::optional<std::size_t> widest_beside(const Analysis& analysis, const Graph& graph,
                                         std::size_t i, bool in_order) {
  std::optional<std::size_t> widest;
  for (const bool behind : {true, false}) {
    for (const std::size_t n : behind ? graph.after(i) : graph.before(i)) {
      const LayerVerdict& verdict = analysis.verdicts[n];
      if (is_conversion(verdict.role) || verdict.role == LayerRole::none) continue;
      if (in_order && (n > i) != behind) continue;
      if (!widest || width_of(verdict.compute) > width_of(analysis.verdicts[*widest].compute)) {
        widest = n;
      }
    }
  }
  return widest;
}

// The layer charged with a conversion: the one that needs it for itself, else the widest beside it.
std::optional<std::size_t> charged(const Analysis& analysis, const Graph& graph, std::size_t i) {
  std::optional<std::size_t> widest = widest_beside(analysis, graph, i, true);
  if (!widest) widest = widest_beside(analysis, graph, i, false);
  const Layer& layer = analysis.build.layers[i];
  // The layer that TensorRT names the conversion after.
  const std::string_view target = target_in_name(layer.name.str());
  const std::size_t named = target.empty() ? Graph::kNone : graph.find(target);
  const bool is_known = named != Graph::kNone;
  return is_known && needs_for_itself(analysis, named, layer, widest) ? named : widest;
}

bool is_wide_arithmetic(const LayerVerdict& verdict) {
  return is_arithmetic(verdict.role) && width_of(verdict.compute) > 8;
}

// Whoever writes float because it adds a float residual is charged with what that costs, not the
// layer that reads the result. Wide arithmetic beside the conversion needs it in any case.
void charge_to_residual(const Analysis& analysis,
                        const std::map<std::size_t, std::size_t>& residual_conversions,
                        ReformatEntry& entry) {
  const auto found = residual_conversions.find(entry.layer);
  if (found == residual_conversions.end()) return;
  if (entry.caused_by && is_wide_arithmetic(analysis.verdicts[*entry.caused_by])) return;
  entry.caused_by = found->second;
  entry.is_of_residual = true;
}

std::string cause_with(const Analysis& analysis, const ReformatEntry& entry,
                       const std::string& layer) {
  std::string cause = entry.cause;
  const LayerVerdict& verdict = analysis.verdicts[*entry.caused_by];
  cause += entry.is_of_residual ? "; the residual input of " : "; ";
  cause += layer;
  if (verdict.compute != Precision::unknown && verdict.compute != Precision::none) {
    cause += std::string(" (") + to_string(verdict.compute) + ")";
  }
  if (entry.is_of_residual) cause += " has no Q/DQ";
  return cause;
}

}  // namespace

std::string cause_of(const Analysis& analysis, const ReformatEntry& entry) {
  if (!entry.caused_by) return entry.cause;
  return cause_with(analysis, entry, analysis.build.layers[*entry.caused_by].name);
}

std::string cause_by_label(const Analysis& analysis, const ReformatEntry& entry) {
  if (!entry.caused_by) return entry.cause;
  return cause_with(analysis, entry, label_of(analysis, *entry.caused_by));
}

void fill_reformats(Analysis& analysis, const Graph& graph, const WidthReasons& reasons) {
  std::map<std::string, SharedText> causes;  // a few, of many conversions
  const std::optional<std::int64_t> batch = implicit_batch_of(analysis.build);
  const std::map<std::size_t, std::size_t> of_residuals =
      residual_conversions(analysis, graph, reasons);
  analysis.reformats.reserve(static_cast<std::size_t>(std::ranges::count_if(
      analysis.verdicts, [](const LayerVerdict& verdict) { return is_conversion(verdict.role); })));
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    const LayerRole role = analysis.verdicts[i].role;
    if (!is_conversion(role)) continue;
    const Layer& layer = analysis.build.layers[i];
    ReformatEntry entry;
    entry.layer = i;
    entry.bytes = bytes_of(layer, batch);
    std::string cause = kind_of(layer, role);
    if (is_io(analysis, graph, i)) {
      cause += "; at the network's border";
      entry.removable = false;
    } else {
      entry.caused_by = charged(analysis, graph, i);
      charge_to_residual(analysis, of_residuals, entry);
      if (changes_type(layer)) entry.removable = true;
    }
    entry.cause = causes.try_emplace(cause, cause).first->second;
    analysis.reformats.push_back(std::move(entry));
  }
  const auto time = [&](const ReformatEntry& e) {
    return time_or_zero(analysis.build.layers[e.layer]);
  };
  std::ranges::stable_sort(analysis.reformats, std::ranges::greater(), time);
}

}  // namespace trtlens
