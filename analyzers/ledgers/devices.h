// What GPUs can do at most, as data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzers/analysis.h"

namespace trtlens {

// Peaks are dense (no structured sparsity), in 10^12 operations a second, two to a
// multiply-accumulate; 0: the device has no such unit. Those of tensor cores are with the
// narrowest accumulator, so that no kernel can be faster.
struct Device {
  std::string name;  // as the driver prints it, without "NVIDIA", "Tesla" and "GeForce"
  const char* other_name = "";
  int sm = 0;  // compute capability, 90 for 9.0
  int sms = 0;
  double clock_ghz = 0;       // that the peaks belong to
  double fp32 = 0, fp16 = 0;  // without tensor cores
  double tf32 = 0, fp16_tensor = 0, bf16_tensor = 0, fp8_tensor = 0, int8_tensor = 0,
         fp4_tensor = 0;
  double bandwidth_gbps = 0;  // 0: only the log can say
  bool integrated = false;    // shares the memory of the host: the log's memory clock says nothing
  const char* source = "";
  bool log_tells_memory = true;  // false: a slice, whose driver prints the memory of the whole
};

[[nodiscard]] const std::vector<Device>& devices();

// The row of a GPU: by its name, compute capability and, where it is integrated, its number of SMs.
// A GPU without one has the peaks of its architecture at the SMs and the clock of the log, when
// that prints both and the clock and the width of the memory; none otherwise. A slice (MIG) has the
// row of the whole GPU with its part of the memory, when the log prints its SMs.
[[nodiscard]] std::optional<Device> find_device(const Gpu& gpu);

// Peak at the SMs and the clock of the row; 0 when the device has no unit for it.
[[nodiscard]] double peak_of(const Device& device, Precision precision, bool tensor_cores);

}  // namespace trtlens
