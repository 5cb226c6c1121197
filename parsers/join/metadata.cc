// TREx's `*.metadata.json`: the banner of another run as JSON. It fills only what nothing else
// said.
#include <algorithm>
#include <cmath>
#include <utility>

#include "parsers/join/join.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

using Metadata = std::map<std::string, std::string>;

std::string value_of(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

// "80994 MiB", "1.41 GHz", "1000 qps", "108.0": the number and what stands behind it.
struct Measured {
  std::string digits;
  std::optional<double> number;
  std::string unit;
};

Measured measured(const std::string& text) {
  const std::size_t end = text.find_first_not_of("0123456789.e+-");
  Measured out{text.substr(0, end), finite_number(text.substr(0, end)), {}};
  if (end != std::string::npos) out.unit = text.substr(std::min(end + 1, text.size()));
  return out;
}

std::optional<double> number_in(const Metadata& metadata, const char* key) {
  return measured(value_of(metadata, key)).number;
}

// Whole numbers stand as 108.0, too.
std::optional<int> whole_in(const Metadata& metadata, const char* key) {
  const std::optional<double> number = number_in(metadata, key);
  constexpr double kMost = 1e6;
  if (!number || *number <= 0 || *number > kMost || std::trunc(*number) != *number) {
    return std::nullopt;
  }
  return static_cast<int>(*number);
}

// CUDA's attributes are in kHz.
std::optional<double> ghz_of_khz(std::optional<double> khz) {
  if (khz) khz = *khz / 1e6;
  return khz;
}

// "8, 0" of a list, "8.0" of a number.
std::string capability_of(std::string text) {
  const std::size_t comma = text.find(", ");
  if (comma != std::string::npos) text.replace(comma, 2, ".");
  return text;
}

// Of `*.profile.metadata.json`, as trtexec printed it, and of `*.device.metadata.json`, the CUDA
// attributes of the first GPU. What a log says of the same GPU stays.
void read_device(Build& build, const Metadata& metadata) {
  std::string name = value_of(metadata, "device_information/Selected Device");
  if (name.empty()) name = value_of(metadata, "Name");
  std::string capability = value_of(metadata, "device_information/Compute Capability");
  if (capability.empty()) capability = capability_of(value_of(metadata, "ComputeCapability"));
  if (name.empty() && capability.empty()) return;
  if (!build.gpu) build.gpu.emplace().name = name;
  Gpu& gpu = *build.gpu;
  if (gpu.name != name) return;
  if (gpu.compute_capability.empty()) gpu.compute_capability = capability;
  for (const char* key : {"device_information/SMs", "MULTIPROCESSOR_COUNT", "NumSMs"}) {
    fill(gpu.sms, whole_in(metadata, key));
  }
  const Measured memory = measured(value_of(metadata, "device_information/Device Global Memory"));
  if (memory.number && !memory.unit.empty()) {
    fill(gpu.memory_bytes, bytes_of(memory.digits, memory.unit));
  }
  fill(gpu.memory_bytes, whole_number(value_of(metadata, "TotalMemory")));
  fill(gpu.compute_clock_ghz, number_in(metadata, "device_information/Compute Clock Rate"));
  fill(gpu.compute_clock_ghz, ghz_of_khz(number_in(metadata, "CLOCK_RATE")));
  fill(gpu.memory_clock_ghz, number_in(metadata, "device_information/Memory Clock Rate"));
  fill(gpu.memory_clock_ghz, ghz_of_khz(number_in(metadata, "MEMORY_CLOCK_RATE")));
  fill(gpu.memory_bus_bits, whole_in(metadata, "device_information/Memory Bus Width"));
  fill(gpu.memory_bus_bits, whole_in(metadata, "GLOBAL_MEMORY_BUS_WIDTH"));
}

// "[0.55, 0.61, 0.56, 0.56, 0.57]", or joined by ", ": min, max, mean, median, and the percentiles
// that trtexec prints by default: 99, from 8.6 on 90, 95, 99.
std::optional<LatencyStats> stats_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::vector<double> numbers;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string::npos) break;
    const std::size_t end = text.find_first_not_of("0123456789.e+-", begin);
    if (const auto n = finite_number(text.substr(begin, end - begin))) numbers.push_back(*n);
    at = end == std::string::npos ? text.size() : end;
  }
  if (numbers.size() != 5 && numbers.size() != 7) return std::nullopt;
  LatencyStats stats;
  stats.min_ms = numbers[0];
  stats.max_ms = numbers[1];
  stats.mean_ms = numbers[2];
  stats.median_ms = numbers[3];
  stats.percentiles_ms["99"] = numbers.back();
  if (numbers.size() == 7) {
    stats.percentiles_ms["90"] = numbers[4];
    stats.percentiles_ms["95"] = numbers[5];
  }
  return stats;
}

void read_performance(Performance& performance, const Metadata& metadata) {
  struct Row {
    const char* key;
    std::optional<LatencyStats> Performance::*stats;
  };
  for (const Row& row :
       {Row{"GPU Compute Time", &Performance::gpu_compute}, Row{"Latency", &Performance::latency},
        Row{"Enqueue Time", &Performance::enqueue}, Row{"H2D Latency", &Performance::h2d},
        Row{"D2H Latency", &Performance::d2h}}) {
    if (performance.*row.stats) continue;
    performance.*row.stats =
        stats_of(value_of(metadata, ("performance_summary/" + std::string(row.key)).c_str()));
  }
  fill(performance.throughput_qps, number_in(metadata, "performance_summary/Throughput"));
  fill(performance.host_walltime_s, number_in(metadata, "performance_summary/Total Host Walltime"));
  fill(performance.gpu_compute_total_s,
       number_in(metadata, "performance_summary/Total GPU Compute Time"));
}

// "input.1=32x3x224x224": what was run, so that a dynamic input has sizes, and the batch is known.
void read_inference_shape(Build& build, const Metadata& metadata) {
  for (const char* key :
       {"inference_options/Input inference shape", "inference_options/Input inference shapes"}) {
    const std::string text = value_of(metadata, key);
    const std::size_t equals = text.rfind('=');
    // Of several inputs a name may hold what separates them.
    if (equals == std::string::npos || text.find(", ") != std::string::npos) continue;
    IoTensor io;
    io.tensor.name = text.substr(0, equals);
    io.tensor.dims = dims_of(text.substr(equals + 1));
    io.tensor.has_dims = !io.tensor.dims.empty();
    if (io.tensor.has_dims && text.find('+', equals) == std::string::npos) {
      add_io_tensors(build, {std::move(io)});
    }
  }
}

}  // namespace

void apply_metadata(Build& build, const std::map<std::string, std::string>& metadata) {
  if (metadata.empty()) return;
  read_device(build, metadata);
  for (const auto& [key, value] : metadata) {
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos) continue;
    const std::string section = key.substr(0, slash);
    const char* banner = section == "build_options"       ? "Build Options/"
                         : section == "model_options"     ? "Model Options/"
                         : section == "inference_options" ? "Inference Options/"
                                                          : nullptr;
    if (banner != nullptr) build.banner.emplace(banner + key.substr(slash + 1), value);
  }
  read_performance(build.performance, metadata);
  read_inference_shape(build, metadata);
  if (build.allowed.labels.empty()) build.allowed = allowed_precision(build);
}

}  // namespace trtlens
