// TREx's `*.metadata.json`: the banner of another run as JSON. It fills only what nothing else
// said.
#include "parsers/join.h"
#include "parsers/log/numbers.h"
#include "parsers/log/run_builder.h"

namespace trtlens {
namespace {

using Metadata = std::map<std::string, std::string>;

std::string value_of(const Metadata& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

void read_device(Build& build, const Metadata& metadata) {
  if (build.gpu) return;
  Gpu gpu;
  gpu.name = value_of(metadata, "device_information/Selected Device");
  if (gpu.name.empty()) gpu.name = value_of(metadata, "Name");
  gpu.compute_capability = value_of(metadata, "device_information/Compute Capability");
  if (const auto n = whole_number(value_of(metadata, "device_information/SMs"))) {
    gpu.sms = static_cast<int>(*n);
  }
  if (!gpu.name.empty() || !gpu.compute_capability.empty()) build.gpu = gpu;
}

// "[0.55, 0.61, 0.56, 0.56, 0.57]" of old files, "min = …" of newer ones, or joined by ", ".
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
  if (numbers.size() != 5 || text.find('=') != std::string::npos) return std::nullopt;
  LatencyStats stats;
  stats.min_ms = numbers[0];
  stats.max_ms = numbers[1];
  stats.mean_ms = numbers[2];
  stats.median_ms = numbers[3];
  stats.percentiles_ms["99"] = numbers[4];
  return stats;
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
  Performance& performance = build.performance;
  if (!performance.gpu_compute) {
    performance.gpu_compute = stats_of(value_of(metadata, "performance_summary/GPU Compute Time"));
  }
  if (!performance.latency) {
    performance.latency = stats_of(value_of(metadata, "performance_summary/Latency"));
  }
  if (!performance.throughput_qps) {
    performance.throughput_qps =
        finite_number(value_of(metadata, "performance_summary/Throughput"));
  }
  if (build.allowed.labels.empty()) build.allowed = allowed_precision(build);
}

}  // namespace trtlens
