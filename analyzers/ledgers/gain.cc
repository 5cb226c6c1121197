// For a fallback the measure is a layer of the same work in the same engine, else the bytes that
// are saved; for a build in FP32 the roofline.
#include "analyzers/ledgers/gain.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

struct Twins {
  double fastest_ms = 0, slowest_ms = 0;
  std::uint32_t precisions = 0;  // a bit each
};

void add(std::optional<Twins>& sum, const Twins& one) {
  if (!sum) sum = one;
  sum->fastest_ms = std::min(sum->fastest_ms, one.fastest_ms);
  sum->slowest_ms = std::max(sum->slowest_ms, one.slowest_ms);
  sum->precisions |= one.precisions;
}

std::set<std::string> names_of(std::uint32_t precisions) {
  std::set<std::string> names;
  for (unsigned one = 0; precisions >> one != 0; ++one) {
    if ((precisions >> one & 1U) != 0) names.insert(to_string(static_cast<Precision>(one)));
  }
  return names;
}

// The timed layers by role and work, and by the bits that they compute in.
class TwinIndex {
 public:
  TwinIndex(const Analysis& analysis, const Graph& graph) : analysis_(analysis) {
    for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
      const LayerVerdict& verdict = analysis.verdicts[i];
      const int width = width_of(verdict.compute);
      const Layer& layer = analysis.build.layers[i];
      if (width == 0 || !graph.takes_part(i) || !layer.time) continue;
      Work work = work_of(layer);
      if (work.empty()) continue;
      const double ms = layer.time->mean_ms;
      add(twins_[{verdict.role, std::move(work)}][width],
          {ms, ms, 1U << static_cast<unsigned>(verdict.compute)});
    }
  }
  // Layers of the same role and work that compute in less.
  [[nodiscard]] std::optional<Twins> of(std::size_t layer) const {
    const LayerVerdict& wide = analysis_.verdicts[layer];
    const auto same = twins_.find({wide.role, work_of(analysis_.build.layers[layer])});
    if (same == twins_.end()) return std::nullopt;
    std::optional<Twins> narrower;
    for (const auto& [width, twins] : same->second) {
      if (width < width_of(wide.compute)) add(narrower, *twins);
    }
    return narrower;
  }

 private:
  const Analysis& analysis_;
  std::map<std::pair<LayerRole, Work>, std::map<int, std::optional<Twins>>> twins_;
};

// Profile ms of a layer, mended: between `low` and `high`.
struct Mended {
  double low_ms = 0, high_ms = 0;
};

struct Bases {
  Mended twins, kernels, bytes;  // sums over the layers with that basis
  std::size_t by_twins = 0, by_kernels = 0, by_bytes = 0;
  std::uint32_t precisions = 0;  // of the twins
};

void add(Mended& sum, const Mended& one) {
  sum.low_ms += one.low_ms;
  sum.high_ms += one.high_ms;
}

Mended mended(const Analysis& analysis, const std::optional<Twins>& twins,
              const WidthReasons& reasons, std::size_t layer, int bits, Bases& bases) {
  const double now_ms = analysis.build.layers[layer].time->mean_ms;
  if (twins) {
    const Mended one{twins->fastest_ms, twins->slowest_ms};
    ++bases.by_twins;
    bases.precisions |= twins->precisions;
    add(bases.twins, one);
    return one;
  }
  if (const std::optional<double> ms = reasons.narrower_kernel_ms(layer)) {
    const Mended one{std::min(*ms, now_ms), now_ms};
    ++bases.by_kernels;
    add(bases.kernels, one);
    return one;
  }
  const int width = width_of(analysis.verdicts[layer].compute);
  const Mended one{width > bits ? now_ms * bits / width : now_ms, now_ms};
  ++bases.by_bytes;
  add(bases.bytes, one);
  return one;
}

// Part of a layer's bytes that it no longer moves when `tensors` of it become `bits` wide.
double bytes_saved(const Layer& layer, const NameIndex& tensors, int bits) {
  double all = layer.weights
                   ? static_cast<double>(layer.weights->count) * bits_of(layer.weights->type) / 8
                   : 0;
  double saved = 0;
  for (const std::vector<Tensor>* side : {&layer.inputs, &layer.outputs}) {
    for (const Tensor& tensor : *side) {
      const std::optional<std::int64_t> bytes = tensor.bytes();
      if (!bytes) return 0;
      all += static_cast<double>(*bytes);
      const int width = bits_of(tensor.type);
      if (width <= bits || tensors.find(tensor.name.str()) == NameIndex::kNone) continue;
      saved += static_cast<double>(*bytes) * (width - bits) / width;
    }
  }
  return all > 0 ? saved / all : 0;
}

// Narrow layers that write or read a wide tensor for the sake of those that are mended.
double saved_beside_ms(const Analysis& analysis, const Graph& graph, const Narrowing& narrowing) {
  std::vector<std::size_t> core = narrowing.layers, beside;
  core.insert(core.end(), narrowing.conversions.begin(), narrowing.conversions.end());
  core.insert(core.end(), narrowing.activations.begin(), narrowing.activations.end());
  core = sorted_once(std::move(core));
  NameIndex tensors;
  for (const std::size_t i : core) {
    const Layer& layer = analysis.build.layers[i];
    for (const Tensor& tensor : layer.inputs) tensors.add(tensor.name.str());
    for (const Tensor& tensor : layer.outputs) tensors.add(tensor.name.str());
    for (const Places& side : {graph.before(i), graph.after(i)}) {
      beside.insert(beside.end(), side.begin(), side.end());
    }
  }
  double saved_ms = 0;
  for (const std::size_t i : sorted_once(std::move(beside))) {
    const int width = width_of(analysis.verdicts[i].compute);
    if (std::ranges::binary_search(core, i) || width == 0 || width > narrowing.bits) continue;
    const Layer& layer = analysis.build.layers[i];
    saved_ms += time_or_zero(layer) * bytes_saved(layer, tensors, narrowing.bits);
  }
  return saved_ms;
}

// Part of a conversion's bytes by which the wider of its tensors exceeds the narrower; where sizes
// are not known, as for FP32 and INT8.
double share_of_difference(const Layer& layer) {
  constexpr double kFp32ToInt8 = 0.6;
  if (layer.inputs.empty() || layer.outputs.empty()) return kFp32ToInt8;
  const std::optional<std::int64_t> in = layer.inputs[0].bytes(), out = layer.outputs[0].bytes();
  if (!in || !out || *in + *out <= 0) return kFp32ToInt8;
  return static_cast<double>(std::abs(*in - *out)) / static_cast<double>(*in + *out);
}

// A layer is bound by its bytes or by its arithmetic: whichever it is, that part shrinks. What it
// cannot do without, at the peak, shrinks in any case.
double least_gain_ms(const LayerRoof& now, const LayerRoof& then, double now_ms) {
  const double compute = now.compute_ms > 0 ? then.compute_ms / now.compute_ms : 1;
  const double memory = now.memory_ms > 0 ? then.memory_ms / now.memory_ms : 1;
  const double by_both = now_ms * (1 - std::max(compute, memory));
  const double by_arithmetic =
      now.compute_ms > now.memory_ms ? now.compute_ms - then.compute_ms : 0;
  const double most = std::max(now_ms - kLaunchFloorMs, 0.0);
  return std::clamp(std::max(by_both, by_arithmetic), 0.0, most);
}

std::string range_text(const Mended& mended) {
  return mended.low_ms < mended.high_ms ? ms_text(mended.low_ms) + " to " + ms_text(mended.high_ms)
                                        : ms_text(mended.low_ms);
}

std::string basis_text(const Bases& bases, const Narrowing& narrowing, double around_ms,
                       double beside_ms) {
  std::vector<std::string> parts;
  if (bases.by_twins > 0) {
    parts.push_back("the same shapes in " + join(names_of(bases.precisions), " or ") +
                    " elsewhere in this engine: " + range_text(bases.twins) + " in place of " +
                    (bases.by_twins == narrowing.layers.size()
                         ? "these layers"
                         : count_text(bases.by_twins, "layer")));
  }
  if (bases.by_kernels > 0) {
    parts.push_back("the narrower kernels that were timed for " +
                    count_text(bases.by_kernels, "layer") + ": " + range_text(bases.kernels));
  }
  if (bases.by_bytes > 0) {
    parts.push_back(count_text(bases.by_bytes, "layer") +
                    (bases.by_bytes == 1 ? " takes" : " take") + " between what " +
                    (bases.by_bytes == 1 ? "it takes" : "they take") +
                    " now and its share of the bytes: " + range_text(bases.bytes));
  }
  if (around_ms > 0) parts.push_back("no conversions around them (" + ms_text(around_ms) + " now)");
  if (beside_ms > 0) {
    parts.push_back("at best fewer bytes in the layers beside them (" + ms_text(beside_ms) + ")");
  }
  return join(parts, "; ");
}

}  // namespace

Work work_of(const Layer& layer) {
  if (layer.inputs.empty() || layer.outputs.empty() || !layer.weights) return {};
  if (!layer.inputs[0].has_dims || !layer.outputs[0].has_dims) return {};
  Work work = {layer.weights->count, layer.groups ? 1 : 0, layer.groups.value_or(0)};
  for (const Dims* sizes :
       {&layer.inputs[0].dims, &layer.outputs[0].dims, &layer.kernel, &layer.stride}) {
    work.push_back(static_cast<std::int64_t>(sizes->size()));
    work.insert(work.end(), sizes->begin(), sizes->end());
  }
  return work;
}

std::optional<Gain> gain_of(const Analysis& analysis, const Graph& graph,
                            const WidthReasons& reasons, const Narrowing& narrowing) {
  if (narrowing.layers.empty()) return std::nullopt;
  const TwinIndex index(analysis, graph);
  const double around_ms = Fence::time_ms(analysis.build, narrowing.conversions) +
                           Fence::time_ms(analysis.build, narrowing.activations);
  Bases bases;
  Gain gain;
  gain.low_ms = gain.high_ms = around_ms;
  for (const std::size_t i : narrowing.layers) {
    if (!analysis.build.layers[i].time) return std::nullopt;
    const std::optional<Twins> twins = index.of(i);
    if (narrowing.only_by_twins && !twins) return std::nullopt;
    const Mended one = mended(analysis, twins, reasons, i, narrowing.bits, bases);
    gain.low_ms += time_or_zero(analysis.build.layers[i]) - one.high_ms;
    gain.high_ms += time_or_zero(analysis.build.layers[i]) - one.low_ms;
  }
  const double beside_ms = saved_beside_ms(analysis, graph, narrowing);
  gain.high_ms += beside_ms;
  if (gain.high_ms <= 0) return std::nullopt;
  gain.low_ms = std::max(gain.low_ms, 0.0);
  gain.basis = basis_text(bases, narrowing, around_ms, beside_ms);
  return gain;
}

std::optional<Gain> gain_without(const Analysis& analysis,
                                 const std::vector<std::size_t>& conversions) {
  Gain gain;
  for (const std::size_t i : conversions) {
    const double now_ms = time_or_zero(analysis.build.layers[i]);
    gain.high_ms += now_ms;
    gain.low_ms += now_ms * (1 - share_of_difference(analysis.build.layers[i]));
  }
  if (gain.high_ms <= 0) return std::nullopt;
  gain.basis = "without " + std::string(conversions.size() == 1 ? "this kernel" : "these kernels");
  if (gain.low_ms < gain.high_ms) {
    gain.basis += "; at worst the layers beside " +
                  std::string(conversions.size() == 1 ? "it" : "them") +
                  " move the wider tensors instead";
  }
  return gain;
}

bool waits_for_launches(const Analysis& analysis) {
  constexpr double kWaiting = 0.03;  // of a query: from there on a finding is moderate
  const auto& sums = analysis.reconciliation;
  return std::ranges::any_of(analysis.findings, [&](const Finding& finding) {
    if (!says_launch_bound(finding)) return false;
    if (!finding.gain || !finding.gain->query || !sums || !sums->gpu_compute_ms) return true;
    // Where the slow queries alone wait, the median has next to nothing to win.
    return finding.gain->query->high_ms >= kWaiting * *sums->gpu_compute_ms;
  });
}

void fill_query_gains(Analysis& analysis) {
  const std::optional<Reconciliation>& sums = analysis.reconciliation;
  if (!sums || !sums->gpu_compute_ms || sums->layers_ms <= 0) return;
  const double scale = std::min(*sums->gpu_compute_ms / sums->layers_ms, 1.0);
  const bool waits = waits_for_launches(analysis);
  for (Finding& finding : analysis.findings) {
    if (!finding.gain || finding.gain->query || finding.gain->high_ms <= 0) continue;
    finding.gain->query =
        MsRange{waits ? 0 : finding.gain->low_ms * scale, finding.gain->high_ms * scale};
  }
}

double gain_of_narrowing_ms(const Analysis& analysis, const std::vector<std::size_t>& conversions) {
  double saved_ms = 0;
  for (const std::size_t i : conversions) {
    const Layer& layer = analysis.build.layers[i];
    saved_ms += time_or_zero(layer) * share_of_difference(layer);
  }
  return saved_ms;
}

std::optional<Gain> gain_in(const Analysis& analysis, const std::vector<std::size_t>& layers,
                            Precision precision) {
  std::map<std::size_t, const LayerRoof*> roofs;
  for (const LayerRoof& roof : analysis.roofline.layers) roofs.emplace(roof.layer, &roof);
  Gain gain;
  for (const std::size_t i : layers) {
    const auto now = roofs.find(i);
    if (now == roofs.end()) return std::nullopt;
    const std::optional<LayerRoof> then = roof_in(analysis, *now->second, precision);
    if (!then) return std::nullopt;
    const double now_ms = time_or_zero(analysis.build.layers[i]);
    gain.low_ms += least_gain_ms(*now->second, *then, now_ms);
    gain.high_ms += std::max(now_ms - std::max(then->roof_ms, kLaunchFloorMs), 0.0);
  }
  if (gain.high_ms <= gain.low_ms) return std::nullopt;
  gain.basis = std::string("at best what no kernel can beat in ") + to_string(precision) + " on " +
               analysis.roofline.device + "; at worst " +
               (gain.low_ms > 0 ? "what fewer bytes or faster arithmetic save each for itself"
                                : "nothing: the bytes stay the same");
  return gain;
}

}  // namespace trtlens
