// What GPUs can do at most, as data.
#pragma once

#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

// Peaks are dense (no structured sparsity), in 10^12 operations a second, two to a
// multiply-accumulate; 0: the device has no such unit. Those of tensor cores are with the
// narrowest accumulator, so that no kernel can be faster.
struct Device {
  const char* name;         // as the driver prints it, without "NVIDIA", "Tesla" and "GeForce"
  const char* other_names;  // separated by '|'
  int sm;                   // compute capability, 90 for 9.0
  int sms;
  double clock_ghz;   // that the peaks belong to
  double fp32, fp16;  // without tensor cores
  double tf32, fp16_tensor, bf16_tensor, fp8_tensor, int8_tensor, fp4_tensor;
  double bandwidth_gbps;
  bool integrated;  // shares the memory of the host: the log's memory clock says nothing
  const char* source;
};

[[nodiscard]] const std::vector<Device>& devices();

// The row of a GPU; null when none has its name, compute capability and, where it is integrated,
// its number of SMs.
[[nodiscard]] const Device* find_device(const Gpu& gpu);

// Peak at the SMs and the clock of the row; 0 when the device has no unit for it.
[[nodiscard]] double peak_of(const Device& device, Precision precision, bool tensor_cores);

}  // namespace trtlens
