// How fast the arithmetic layers could be at most on this GPU, in the precision they run in.
#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "analyzers/graph/graph.h"
#include "analyzers/graph/layer_work.h"
#include "analyzers/ledgers/devices.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Channels that tensor cores take at a time: 16 bytes of the operands' type. 1: not their type.
std::int64_t channel_multiple(Precision precision) {
  using enum Precision;
  static constexpr std::array kTaken = {tf32, fp16, bf16, fp8, int8, fp4};
  return std::ranges::count(kTaken, precision) == 0 ? 1 : 128 / width_of(precision);
}

constexpr std::int64_t kImageChannels = 4;

struct Fit {
  bool tensor_cores = false;
  std::string misfit;
};

// Why the channels do not fill the operands of tensor cores; empty when they do.
std::string misfit_of(const Layer& layer, Precision precision, std::int64_t in, std::int64_t out,
                      std::int64_t groups) {
  const std::int64_t multiple = channel_multiple(precision);
  const std::string wants =
      std::string("; ") + to_string(precision) + " tensor cores take " + std::to_string(multiple);
  const std::string each = groups > 1 ? " channels a group" : " channels";
  // An image keeps three channels, or four with the padding: there are kernels for just that.
  const bool is_image =
      in <= kImageChannels && (is_first_layer_kernel(layer.tactic_name) ||
                               layer.inputs[0].channel_vector() == kImageChannels);
  if (is_image && in < kImageChannels) return std::to_string(in) + each + " in, padded to 4";
  if (!is_image && in % multiple != 0) return std::to_string(in) + each + " in" + wants;
  if (out % multiple != 0) return std::to_string(out) + each + " out" + wants;
  return {};
}

// Whether a kernel on tensor cores fits; `tactic`: the kernel that runs, empty for any.
Fit fit_of(const Layer& layer, LayerRole role, Precision precision, const std::string& tactic) {
  if (precision == Precision::fp32) return {false, "FP32 without TF32: no tensor cores"};
  const std::int64_t multiple = channel_multiple(precision);
  if (multiple == 1) return {};
  const bool convolves = (role == LayerRole::convolution || role == LayerRole::deconvolution ||
                          !layer.kernel.empty()) &&
                         !layer.inputs.empty() && !layer.outputs.empty();
  if (is_off_tensor_cores(tactic)) return {false, "kernel without tensor cores"};
  if (!convolves) return {true, ""};
  const std::size_t axis = layer.inputs[0].dims.size() == layer.kernel.size() + 1 ? 0 : 1;
  if (layer.inputs[0].dims.size() <= axis || layer.outputs[0].dims.size() <= axis) {
    return {true, ""};
  }
  const std::int64_t groups = std::max<std::int64_t>(layer.groups.value_or(1), 1);
  const std::int64_t in = layer.inputs[0].dims[axis] / groups;
  const std::int64_t out = layer.out_maps.value_or(layer.outputs[0].dims[axis]) / groups;
  if (groups > 1 && in <= 1) {
    // A few FP16 kernels do it all the same (depthwiseHMMA).
    if (is_on_tensor_cores(tactic)) return {true, ""};
    return {false, "depthwise: nothing for tensor cores to sum up"};
  }
  return {true, misfit_of(layer, precision, in, out, groups)};
}

// The clock and the SMs of the log scale the row of the table: a slice, a laptop's limit, a boost.
double scale_of(const Device& device, const Gpu& gpu, Roofline& out) {
  double scale = 1;
  if (gpu.sms && *gpu.sms > 0) scale *= static_cast<double>(*gpu.sms) / device.sms;
  if (gpu.compute_clock_ghz && *gpu.compute_clock_ghz > 0) {
    scale *= *gpu.compute_clock_ghz / device.clock_ghz;
    out.clock_of_log = true;
  }
  return scale;
}

// Double data rate, whatever the kind of memory: 2 x 3.201 GHz x 6016 bit is 4814 GB/s.
double bandwidth_of(const Device& device, const Gpu& gpu, Roofline& out) {
  if (device.integrated || !device.log_tells_memory || !gpu.memory_clock_ghz ||
      !gpu.memory_bus_bits || *gpu.memory_clock_ghz <= 0 || *gpu.memory_bus_bits <= 0) {
    return device.bandwidth_gbps;
  }
  out.bandwidth_of_log = true;
  return 2 * *gpu.memory_clock_ghz * *gpu.memory_bus_bits / 8;
}

// From Ampere on tensor cores skip the zeros of 2:4 sparse weights.
constexpr int kFirstSparseSm = 80;

double compute_ms_of(double macs, double peak_tera) {
  return 2 * macs / (peak_tera * 1e12) * 1e3;
}

void add_roof(const Analysis& analysis, std::size_t i, const Device& device, double scale,
              std::optional<std::int64_t> batch, Roofline& out) {
  const Layer& layer = analysis.build.layers[i];
  const LayerVerdict& verdict = analysis.verdicts[i];
  const LayerWork work = work_of(layer, verdict.role, batch);
  const Fit fit = fit_of(layer, verdict.role, verdict.compute, layer.tactic_name);
  const double dense_peak = peak_of(device, verdict.compute, fit.tensor_cores) * scale;
  if (!work.macs || !work.bytes) {
    ++out.without_work;
    return;
  }
  if (dense_peak <= 0) {
    ++out.without_peak;
    return;
  }
  LayerRoof roof;
  roof.layer = i;
  roof.macs = *work.macs;
  roof.bytes = *work.bytes;
  roof.is_estimate = work.is_estimate;
  roof.tensor_cores = fit.tensor_cores;
  roof.misfit = fit.misfit;
  roof.sparse =
      fit.tensor_cores && layer.sparse_weights.value_or(false) && device.sm >= kFirstSparseSm;
  const double peak = roof.sparse ? 2 * dense_peak : dense_peak;
  roof.compute_ms = compute_ms_of(*work.macs, peak);
  roof.memory_ms = *work.bytes / (out.bandwidth_gbps * 1e9) * 1e3;
  const double time_ms = layer.time->mean_ms;
  roof.roof_ms = std::max(roof.compute_ms, roof.memory_ms);
  roof.efficiency = roof.roof_ms / time_ms;
  roof.bound = roof.compute_ms > roof.memory_ms ? Bound::compute : Bound::memory;
  if (time_ms < kLaunchFloorMs) roof.bound = Bound::launch;
  out.roof_ms += roof.roof_ms;
  out.time_ms += time_ms;
  out.bound_ms[static_cast<std::size_t>(roof.bound)] += time_ms;
  out.layers.push_back(std::move(roof));
}

}  // namespace

const char* to_string(Bound bound) {
  return name_of<Bound::launch>(bound, {"unknown", "memory", "compute", "launch"});
}

std::optional<LayerRoof> roof_in(const Analysis& analysis, const LayerRoof& now,
                                 Precision precision) {
  const Build& build = analysis.build;
  const std::optional<Device> device = build.gpu ? find_device(*build.gpu) : std::nullopt;
  const int width = width_of(analysis.verdicts[now.layer].compute);
  if (!device || width == 0) return std::nullopt;
  const Fit fit = fit_of(build.layers[now.layer], analysis.verdicts[now.layer].role, precision, "");
  Roofline unused;
  const double peak =
      peak_of(*device, precision, fit.tensor_cores) * scale_of(*device, *build.gpu, unused);
  if (peak <= 0) return std::nullopt;
  LayerRoof roof = now;
  roof.compute_ms = compute_ms_of(now.macs, peak);
  roof.memory_ms = now.memory_ms * std::min(width_of(precision), width) / width;
  roof.roof_ms = std::max(roof.compute_ms, roof.memory_ms);
  return roof;
}

void fill_roofline(Analysis& analysis) {
  const Build& build = analysis.build;
  Roofline& out = analysis.roofline;
  std::vector<std::size_t> arithmetic;  // with a time and shapes: names alone have no roof
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    if (is_arithmetic(analysis.verdicts[i].role) && time_or_zero(build.layers[i]) > 0 &&
        !build.layers[i].inputs.empty()) {
      arithmetic.push_back(i);
    }
  }
  if (arithmetic.empty()) return;
  if (!build.gpu || build.gpu->name.empty()) {
    out.unknown = "the input does not name the GPU";
    return;
  }
  const std::optional<std::int64_t> batch = implicit_batch_of(build);
  if (!batch) {
    out.unknown = "the engine's shapes lack the batch, and the input does not say it";
    return;
  }
  const std::optional<Device> device = find_device(*build.gpu);
  if (!device) {
    out.unknown = "the device table has no row for " + build.gpu->name +
                  ", and the input does not print its SMs, clocks and memory bus";
    return;
  }
  out.device = device->name;
  out.source = device->source;
  const double scale = scale_of(*device, *build.gpu, out);
  out.bandwidth_gbps = bandwidth_of(*device, *build.gpu, out);
  for (const std::size_t i : arithmetic) {
    add_roof(analysis, i, *device, scale, batch, out);
  }
  const auto above = [&](const LayerRoof& roof) {
    return build.layers[roof.layer].time->mean_ms - roof.roof_ms;
  };
  std::ranges::stable_sort(out.layers, std::ranges::greater(), above);
}

}  // namespace trtlens
