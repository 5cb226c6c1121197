// The table of GPUs, slices of GPUs (MIG), and the peaks of architectures for those without a row.
#include "analyzers/ledgers/devices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <re2/re2.h>

namespace trtlens {
namespace {

constexpr const char* kVolta =
    "https://images.nvidia.com/content/volta-architecture/pdf/volta-architecture-whitepaper.pdf";
constexpr const char* kTuring =
    "https://images.nvidia.com/aem-dam/en-zz/Solutions/design-visualization/technologies/"
    "turing-architecture/NVIDIA-Turing-Architecture-Whitepaper.pdf";
constexpr const char* kAmpere =
    "https://images.nvidia.com/aem-dam/en-zz/Solutions/data-center/"
    "nvidia-ampere-architecture-whitepaper.pdf";
constexpr const char* kGa102 =
    "https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.1.pdf";
constexpr const char* kAda =
    "https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf";
constexpr const char* kHopper =
    "https://resources.nvidia.com/en-us-hopper-architecture/nvidia-h100-tensor-c";
constexpr const char* kBlackwellRtx =
    "https://images.nvidia.com/aem-dam/Solutions/geforce/blackwell/"
    "nvidia-rtx-blackwell-gpu-architecture.pdf";
constexpr const char* kOrin =
    "https://www.nvidia.com/content/dam/en-zz/Solutions/gtcf21/jetson-orin/"
    "nvidia-jetson-agx-orin-technical-brief.pdf";

// Multiply-accumulates a clock and SM, of the fastest product of the architecture: GeForce takes
// twice the time for BF16 and TF32.
struct Architecture {
  int sm;
  int fp32, fp16;
  int tf32, fp16_tensor, bf16_tensor, fp8_tensor, int8_tensor, fp4_tensor;
  const char* source;
};

// Neither Xavier, Orin nor Thor: their memory is the host's.
constexpr std::array<Architecture, 7> kArchitectures = {{
    {70, 64, 128, 0, 512, 0, 0, 0, 0, kVolta},
    {75, 64, 128, 0, 512, 0, 0, 1024, 0, kTuring},
    {80, 64, 256, 512, 1024, 1024, 0, 2048, 0, kAmpere},
    {86, 128, 128, 256, 512, 512, 0, 1024, 0, kGa102},
    {89, 128, 128, 256, 512, 512, 1024, 1024, 0, kAda},
    {90, 128, 256, 1024, 2048, 2048, 4096, 4096, 0, kHopper},
    {120, 128, 128, 256, 512, 512, 1024, 1024, 2048, kBlackwellRtx},
}};

std::optional<Device> of_architecture(const Gpu& gpu) {
  const auto known = [](const auto& value) { return value && *value > 0; };
  if (!known(gpu.sms) || !known(gpu.compute_clock_ghz) || !known(gpu.memory_clock_ghz) ||
      !known(gpu.memory_bus_bits) || gpu.name.find("MIG ") != std::string::npos) {
    return std::nullopt;
  }
  for (const Architecture& a : kArchitectures) {
    if (gpu.sm() != a.sm) continue;
    // Turing without RTX in its name (GTX 1660, T1000, Quadro T2000) has no tensor cores.
    if (a.sm == 75 && gpu.name.find("RTX") == std::string::npos) return std::nullopt;
    const double tops = 2e-3 * *gpu.sms * *gpu.compute_clock_ghz;
    return Device{"GPUs of compute capability " + gpu.compute_capability,
                  "",
                  a.sm,
                  *gpu.sms,
                  *gpu.compute_clock_ghz,
                  tops * a.fp32,
                  tops * a.fp16,
                  tops * a.tf32,
                  tops * a.fp16_tensor,
                  tops * a.bf16_tensor,
                  tops * a.fp8_tensor,
                  tops * a.int8_tensor,
                  tops * a.fp4_tensor,
                  0,
                  false,
                  a.source};
  }
  return std::nullopt;
}

// INT32 lanes, that DP4A takes, for each of FP32: half from GA10x to Hopper.
double int_lanes(const Device& device) {
  return device.sm >= 86 && device.sm <= 90 ? 0.5 : 1;
}

// Vendors give some FP32 peaks at a higher clock than those of the tensor cores: here all are at
// the row's.
// name, others; SM, SMs, GHz; FP32, FP16; TF32, FP16, BF16, FP8, INT8, FP4 of tensor cores; GB/s
const std::vector<Device> kDevices = {
    {"B200", "", 100, 148, 1.856, 70.3, 140.6, 1125, 2250, 2250, 4500, 4500, 9000, 7700, false,
     "https://www.nvidia.com/en-us/data-center/hgx/"},
    {"H200", "", 90, 132, 1.83, 61.8, 123.7, 494.7, 989.4, 989.4, 1978.9, 1978.9, 0, 4800, false,
     "https://www.nvidia.com/en-us/data-center/h200/"},
    {"H100 80GB HBM3", "H100 SXM5 80GB", 90, 132, 1.83, 61.8, 123.7, 494.7, 989.4, 989.4, 1978.9,
     1978.9, 0, 3352, false, kHopper},
    {"H100 PCIe", "", 90, 114, 1.62, 47.3, 94.6, 378, 756, 756, 1513, 1513, 0, 2039, false,
     kHopper},
    {"A100-SXM4-40GB", "A100-PCIE-40GB", 80, 108, 1.41, 19.5, 78, 156, 312, 312, 0, 624, 0, 1555,
     false, kAmpere},
    {"A100-SXM4-80GB", "", 80, 108, 1.41, 19.5, 78, 156, 312, 312, 0, 624, 0, 2039, false, kAmpere},
    {"A100 80GB PCIe", "", 80, 108, 1.41, 19.5, 78, 156, 312, 312, 0, 624, 0, 1935, false,
     "https://www.nvidia.com/en-us/data-center/a100/"},
    {"A30", "", 80, 56, 1.44, 10.3, 41.2, 82, 165, 165, 0, 330, 0, 933, false,
     "https://www.nvidia.com/en-us/data-center/products/a30-gpu/"},
    {"A10", "", 86, 72, 1.695, 31.2, 31.2, 62.5, 125, 125, 0, 250, 0, 600, false,
     "https://www.nvidia.com/en-us/data-center/products/a10-gpu/"},
    {"A2", "", 86, 10, 1.77, 4.5, 4.5, 9, 18, 18, 0, 36, 0, 200, false,
     "https://www.nvidia.com/en-us/data-center/products/a2/"},
    {"A40", "", 86, 84, 1.74, 37.4, 37.4, 74.8, 149.7, 149.7, 0, 299.3, 0, 696, false,
     "https://www.nvidia.com/en-us/data-center/a40/"},
    {"L4", "", 89, 58, 2.04, 30.3, 30.3, 60, 121, 121, 242, 242, 0, 300, false,
     "https://www.nvidia.com/en-us/data-center/l4/"},
    // Its page prints 362 for FP16: half of the 733 of FP8 is not that.
    {"L40S", "", 89, 142, 2.52, 91.6, 91.6, 183, 366, 366, 733, 733, 0, 864, false,
     "https://www.nvidia.com/en-us/data-center/l40s/"},
    {"T4", "", 75, 40, 1.59, 8.1, 16.2, 0, 65, 0, 0, 130, 0, 320, false,
     "https://www.nvidia.com/en-us/data-center/tesla-t4/"},
    {"V100-SXM2-16GB", "V100-SXM2-32GB", 70, 80, 1.53, 15.7, 31.4, 0, 125, 0, 0, 0, 0, 900, false,
     kVolta},
    {"V100-PCIE-16GB", "V100-PCIE-32GB", 70, 80, 1.37, 14, 28, 0, 112, 0, 0, 0, 0, 900, false,
     "https://www.nvidia.com/en-us/data-center/v100/"},
    {"TITAN RTX", "", 75, 72, 1.77, 16.3, 32.6, 0, 130.5, 0, 0, 261, 0, 672, false,
     "https://www.nvidia.com/en-us/deep-learning-ai/products/titan-rtx/"},
    {"RTX A6000", "", 86, 84, 1.8, 38.7, 38.7, 77.4, 154.8, 154.8, 0, 309.7, 0, 768, false,
     "https://www.nvidia.com/en-us/design-visualization/rtx-a6000/"},
    {"RTX 6000 Ada Generation", "", 89, 142, 2.505, 91.1, 91.1, 182.1, 364.2, 364.2, 728.5, 728.5,
     0, 960, false, "https://www.nvidia.com/en-us/design-visualization/rtx-6000/"},
    {"RTX 2080 Ti", "", 75, 68, 1.545, 13.4, 26.9, 0, 107.6, 0, 0, 215.2, 0, 616, false, kTuring},
    {"RTX 2080", "", 75, 46, 1.71, 10.1, 20.1, 0, 80.5, 0, 0, 161.1, 0, 448, false, kTuring},
    {"RTX 2070", "", 75, 36, 1.62, 7.5, 14.9, 0, 59.7, 0, 0, 119.4, 0, 448, false, kTuring},
    {"RTX 3070", "", 86, 46, 1.725, 20.3, 20.3, 20.3, 81.3, 40.6, 0, 162.6, 0, 448, false, kGa102},
    {"RTX 3080", "", 86, 68, 1.71, 29.8, 29.8, 29.8, 119, 59.5, 0, 238, 0, 760, false, kGa102},
    {"RTX 3090", "", 86, 82, 1.695, 35.6, 35.6, 35.6, 142, 71, 0, 284, 0, 936, false, kGa102},
    {"RTX 4080", "", 89, 76, 2.505, 48.7, 48.7, 48.7, 194.9, 97.5, 389.9, 389.9, 0, 717, false,
     kAda},
    {"RTX 4090", "", 89, 128, 2.52, 82.6, 82.6, 82.6, 330.3, 165.2, 660.6, 660.6, 0, 1008, false,
     kAda},
    {"RTX 5080", "", 120, 84, 2.617, 56.3, 56.3, 56.3, 225.1, 112.6, 450.2, 450.2, 900.4, 960,
     false, kBlackwellRtx},
    {"RTX 5090", "", 120, 170, 2.407, 104.8, 104.8, 104.8, 419, 209.5, 838, 838, 1676, 1792, false,
     kBlackwellRtx},
    // AGX Xavier; its NX has 6 SMs.
    {"Xavier", "Jetson AGX Xavier", 72, 8, 1.377, 1.41, 2.82, 0, 11, 0, 0, 22, 0, 136.5, true,
     "https://developer.nvidia.com/blog/nvidia-jetson-agx-xavier-32-teraops-ai-robotics/"},
    // AGX Orin 64GB; the 32GB has 14 SMs, NX and Nano have 8 and fewer.
    {"Orin", "Jetson AGX Orin", 87, 16, 1.3, 5.3, 10.6, 21.2, 42.5, 42.5, 0, 85, 0, 204.8, true,
     kOrin},
};

// GPUs that MIG divides: their memory, and into how many parts it and the SMs go. Supported MIG
// Profiles, https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html
struct Divided {
  std::string_view name;
  int gigabytes, memory_slices, compute_slices;
};
constexpr std::array<Divided, 8> kDivided = {{{"A30", 24, 4, 4},
                                              {"A100-SXM4-40GB", 40, 8, 7},
                                              {"A100-PCIE-40GB", 40, 8, 7},
                                              {"A100-SXM4-80GB", 80, 8, 7},
                                              {"A100 80GB PCIe", 80, 8, 7},
                                              {"H100 80GB HBM3", 80, 8, 7},
                                              {"H100 PCIe", 80, 8, 7},
                                              {"H200", 141, 8, 7}}};
constexpr std::string_view kMig = " MIG ";

struct Slice {
  int compute = 0, gigabytes = 0;
};
// "3g.20gb", "1c.3g.20gb" of a compute instance inside, "1g.10gb+me" with media engines.
std::optional<Slice> slice_of(std::string_view profile) {
  static const re2::RE2 form(R"((?s)(?:\d{0,4}c\.)?(\d{1,4})g\.(\d{1,4})gb(?:\+.*)?)",
                             re2::RE2::Latin1);
  Slice slice;
  if (!re2::RE2::FullMatch(profile, form, &slice.compute, &slice.gigabytes) || slice.compute == 0 ||
      slice.gigabytes == 0) {
    return std::nullopt;
  }
  return slice;
}

std::string_view without_maker(std::string_view name) {
  for (const std::string_view maker : {"NVIDIA ", "Tesla ", "GeForce "}) {
    if (name.substr(0, maker.size()) == maker) name.remove_prefix(maker.size());
  }
  return name;
}

std::optional<Device> of_table(const Gpu& gpu, std::string_view name) {
  for (const Device& device : kDevices) {
    if (name != device.name && (name.empty() || name != device.other_name)) continue;
    if (gpu.sm() && *gpu.sm() != device.sm) continue;
    if (device.integrated && gpu.sms != device.sms) continue;
    Device found = device;
    found.name = std::string(name);
    return found;
  }
  return std::nullopt;
}

// "A100-SXM4-40GB MIG 3g.20gb": the row of the whole GPU with its part of the memory. How many SMs
// it has the log says; where that does not fit the profile, the name lies.
std::optional<Device> of_slice(const Gpu& gpu, std::string_view name) {
  const std::size_t at = name.find(kMig);
  const std::string_view whole = name.substr(0, at);
  const std::optional<Slice> slice = slice_of(name.substr(at + kMig.size()));
  const auto divided =
      std::ranges::find_if(kDivided, [&](const Divided& one) { return one.name == whole; });
  if (!slice || divided == kDivided.end() || !gpu.sms) return std::nullopt;
  std::optional<Device> device = of_table(gpu, whole);
  // A part of the H100 has up to a tenth more SMs than its share: 3g has 60 of 132.
  const double share = static_cast<double>(slice->compute) / divided->compute_slices;
  if (!device || *gpu.sms <= 0 || *gpu.sms > std::min(1.0, 1.1 * share) * device->sms) {
    return std::nullopt;
  }
  // Profiles are named by rounded gigabytes: 18 of 141 are an eighth.
  const double part = static_cast<double>(slice->gigabytes) / divided->gigabytes;
  const double slices = std::round(part * divided->memory_slices);
  if (slices < 1 || slices > divided->memory_slices) return std::nullopt;
  device->bandwidth_gbps *= slices / divided->memory_slices;
  device->log_tells_memory = false;
  device->name = std::string(name);
  return device;
}

}  // namespace

const std::vector<Device>& devices() {
  return kDevices;
}

std::optional<Device> find_device(const Gpu& gpu) {
  const std::string_view name = without_maker(gpu.name);
  if (name.find(kMig) != std::string_view::npos) return of_slice(gpu, name);
  if (std::optional<Device> device = of_table(gpu, name)) return device;
  return of_architecture(gpu);
}

double peak_of(const Device& device, Precision precision, bool tensor_cores) {
  switch (precision) {
    case Precision::fp32:
      return device.fp32;
    case Precision::tf32:
      return tensor_cores ? device.tf32 : device.fp32;
    case Precision::fp16:
      return tensor_cores && device.fp16_tensor > 0 ? device.fp16_tensor : device.fp16;
    case Precision::bf16:
      return tensor_cores ? device.bf16_tensor : device.fp32;
    case Precision::fp8:
      return tensor_cores ? device.fp8_tensor : 0;
    case Precision::int8:
      // Without tensor cores four multiply-accumulates an instruction (DP4A), from SM 6.1 on.
      return tensor_cores && device.int8_tensor > 0 ? device.int8_tensor
                                                    : 4 * device.fp32 * int_lanes(device);
    case Precision::fp4:
      return tensor_cores ? device.fp4_tensor : 0;
    default:
      return 0;
  }
}

}  // namespace trtlens
