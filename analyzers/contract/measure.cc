// Counts of kernels, shares of the profile, sizes; and why one of them is not known.
#include "analyzers/contract/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>

#include "analyzers/graph/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr double kMib = 1024.0 * 1024.0;

bool is_kind(LayerRole role, KernelKind kind) {
  switch (kind) {
    case KernelKind::convolutions:
      return role == LayerRole::convolution || role == LayerRole::deconvolution;
    case KernelKind::gemms:
      return role == LayerRole::gemm;
    case KernelKind::attention:
      break;
  }
  return role == LayerRole::attention;
}

bool hides(const LayerVerdict& verdict) {
  return verdict.compute == Precision::unknown &&
         (verdict.role == LayerRole::region || verdict.role == LayerRole::plugin);
}

// Layers of the engine as it is timed: those of other optimization profiles are the same again.
template <typename Fits>
std::vector<std::size_t> layers_that(const Analysis& analysis, Fits fits) {
  const Build& build = analysis.build;
  const int profile = timed_profile(build);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    if (build.layers[i].opt_profile == profile && fits(i)) found.push_back(i);
  }
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [&](std::size_t i) { return time_or_zero(build.layers[i]); });
  return found;
}

Measured unknown(std::string why, const char* needs) {
  Measured measured;
  measured.why = std::move(why);
  measured.needs = needs;
  return measured;
}

Measured exact(double value, std::vector<std::size_t> layers = {}) {
  return {true, value, value, std::move(layers), "", ""};
}

double percent_of(const Analysis& analysis, const std::vector<std::size_t>& layers) {
  double sum = 0;
  for (const std::size_t i : layers) sum += time_or_zero(analysis.build.layers[i]);
  return 100 * sum / analysis.build.profile_sum_ms;
}

Measured fp32_time(const Analysis& analysis) {
  const auto of = [&](std::initializer_list<Precision> precisions) {
    return layers_that(analysis, [&](std::size_t i) {
      return std::ranges::find(precisions, analysis.verdicts[i].compute) != precisions.end();
    });
  };
  Measured measured = exact(0, of({Precision::fp32, Precision::tf32}));
  measured.least = percent_of(analysis, measured.layers);
  const std::vector<std::size_t> untold = of({Precision::unknown, Precision::mixed});
  measured.most = measured.least + percent_of(analysis, untold);
  const double hidden = measured.most - measured.least;
  if (hidden <= 0) return measured;
  const bool has_layers = analysis.build.knows_layers();
  measured.why = fmt::format("{} of the profile's time is in {} of unknown arithmetic",
                             share_text(hidden / 100), count_text(untold.size(), "layer"));
  measured.needs = has_layers ? kNeedsNothing : kNeedsLayers;
  return measured;
}

// Conversions with a time; of a build without a profile all of them.
std::vector<std::size_t> conversions(const Analysis& analysis, bool reformats) {
  return layers_that(analysis, [&](std::size_t i) {
    const LayerRole role = analysis.verdicts[i].role;
    const bool fits = reformats ? role == LayerRole::reformat
                                : role == LayerRole::quantize || role == LayerRole::dequantize;
    return fits && (!analysis.build.has_profile || time_or_zero(analysis.build.layers[i]) > 0);
  });
}

Measured conversion_count(const Analysis& analysis, bool reformats) {
  if (!analysis.build.has_profile && !analysis.build.knows_layers()) {
    return unknown("the inputs do not tell the layers", kNeedsLayers);
  }
  std::vector<std::size_t> layers = conversions(analysis, reformats);
  const auto count = static_cast<double>(layers.size());
  return exact(count, std::move(layers));
}

Measured conversion_time(const Analysis& analysis, bool reformats) {
  std::vector<std::size_t> layers = conversions(analysis, reformats);
  const double percent = percent_of(analysis, layers);
  return exact(percent, std::move(layers));
}

Measured size_of(const std::optional<std::int64_t>& bytes, const char* what) {
  if (!bytes) return unknown(std::string("the inputs do not tell ") + what, kNeedsLog);
  return exact(static_cast<double>(*bytes) / kMib);
}

Measured engine_size(const Memory& memory) {
  Measured size = size_of(memory.engine_bytes, "the engine's size");
  if (!memory.engine_in_mib) return size;
  // Whole MiB, rounded down; without a size it is below 1.
  if (!size.is_known) size = exact(0);
  size.most = size.least + 1;
  size.why = "the log tells the engine's size in whole MiB";
  size.needs = "the size of the file that --saveEngine writes";
  return size;
}

}  // namespace

const char* to_string(KernelKind kind) {
  return name_of<KernelKind::attention>(kind, {"convolutions", "gemms", "attention"});
}

const char* to_string(Quantity quantity) {
  return name_of<Quantity::device_mib>(
      quantity, {"fp32_time_percent", "reformats", "reformat_time_percent", "qdq_kernels",
                 "qdq_time_percent", "engine_mib", "activation_mib", "device_mib"});
}

const char* unit_of(Quantity quantity) {
  const std::string_view name = to_string(quantity);
  if (name.ends_with("_percent")) return " %";
  return name.ends_with("_mib") ? " MiB" : "";
}

std::string hiding_text(std::size_t number) {
  return count_text(number, "layer") + (number == 1 ? " hides" : " hide") + " what runs inside";
}

std::string quantity_text(double value, const char* unit) {
  std::string number = fmt::format("{:.1f}", value);
  if (number.ends_with(".0")) number.erase(number.size() - 2);
  return number + unit;
}

std::string limits_text(const Limits& limits, const char* unit) {
  const auto& [least, most] = limits;
  if (least && most) {
    if (*least == *most) return quantity_text(*least, unit);
    return quantity_text(*least, "") + " to " + quantity_text(*most, unit);
  }
  if (least) return "at least " + quantity_text(*least, unit);
  return most ? "at most " + quantity_text(*most, unit) : "any";
}

Measured quantity_of(const Analysis& analysis, Quantity quantity) {
  const Build& build = analysis.build;
  const bool of_time = std::string_view(to_string(quantity)).ends_with("_time_percent");
  if (of_time && (!build.has_profile || !(build.profile_sum_ms > 0))) {
    return unknown("no profile, so that no layer has a time", kNeedsProfile);
  }
  switch (quantity) {
    case Quantity::fp32_time_percent:
      return fp32_time(analysis);
    case Quantity::reformats:
      return conversion_count(analysis, true);
    case Quantity::reformat_time_percent:
      return conversion_time(analysis, true);
    case Quantity::qdq_kernels:
      return conversion_count(analysis, false);
    case Quantity::qdq_time_percent:
      return conversion_time(analysis, false);
    case Quantity::engine_mib:
      return engine_size(build.memory);
    case Quantity::activation_mib:
      return size_of(build.memory.activation_bytes, "the memory of its activations");
    case Quantity::device_mib:
      break;
  }
  return size_of(analysis.memory.device_bytes, "all of weights, activations and persistent memory");
}

std::size_t TypedKernels::typed() const {
  std::size_t number = 0;
  for (const auto& [type, layers] : by_type) number += layers.size();
  return number;
}

TypedKernels typed_kernels(const Analysis& analysis, KernelKind kind) {
  TypedKernels kernels;
  kernels.is_known = analysis.build.knows_layers();
  if (!kernels.is_known) {
    kernels.why = "the inputs do not tell what the layers do";
    kernels.needs = kNeedsLayers;
    return kernels;
  }
  const auto is_untold = [&](std::size_t i) {
    const Precision compute = analysis.verdicts[i].compute;
    return compute == Precision::unknown || compute == Precision::mixed;
  };
  for (const std::size_t i : layers_that(
           analysis, [&](std::size_t l) { return is_kind(analysis.verdicts[l].role, kind); })) {
    if (is_untold(i)) {
      kernels.untyped.push_back(i);
    } else {
      kernels.by_type[to_string(analysis.verdicts[i].compute)].push_back(i);
    }
  }
  kernels.hiding =
      layers_that(analysis, [&](std::size_t i) { return hides(analysis.verdicts[i]); });
  if (!kernels.hiding.empty()) {
    kernels.why = hiding_text(kernels.hiding.size());
    kernels.needs = kNeedsNothing;
  } else if (!kernels.untyped.empty()) {
    kernels.why = count_text(kernels.untyped.size(), "kernel") + " of unknown type";
    kernels.needs = kNeedsLayers;
  }
  return kernels;
}

}  // namespace trtlens
