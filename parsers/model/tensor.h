// Tensors: their types and shapes, inputs and outputs of the network, values of outputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "parsers/model/shared_value.h"

namespace trtlens {

// Element type of a tensor or of weights. TF32 is no tensor type: it is a way to multiply FP32.
enum class DataType : std::uint8_t {
  unknown,
  fp32,
  fp16,
  bf16,
  fp8,
  int8,
  uint8,
  int4,
  fp4,
  int16,
  int32,
  int64,
  boolean,
  fp64,
  e8m0
};

// "FP32", "INT8", "BOOL", …; "unknown" for DataType::unknown.
[[nodiscard]] const char* to_string(DataType type);
// Type word of any spelling TensorRT prints: `Half`, `Row major linear FP32`, `INT8`, `float32`, …
[[nodiscard]] DataType data_type_of(std::string_view format_or_type);
// Bits per element; 0 when unknown.
[[nodiscard]] int bits_of(DataType type);

struct Tensor {
  SharedText name;
  Dims dims;              // -1 when dynamic
  SharedText format;      // "Format/Datatype" as written, or the strides of a log line
  bool has_dims = false;  // a scalar has no dims and has_dims
  DataType type = DataType::unknown;

  [[nodiscard]] std::optional<std::int64_t> elements() const;  // product of dims; none when dynamic
  [[nodiscard]] std::optional<std::int64_t> bytes() const;
  // With the channels that a vectorised format pads: 3 become 32 in "Thirty-two wide channel
  // vectorized row major Int8 format", 8 in "Channel major FP16 format where channel % 8 == 0".
  [[nodiscard]] std::optional<std::int64_t> stored_bytes() const;
  // Channels that the format stores together; 1 when it pads none.
  [[nodiscard]] std::int64_t channel_vector() const;
};

// What an optimization profile allows an input: ProfileInfo of 11.x layer info.
struct ProfileShapes {
  int profile = 0;
  Dims min, opt, max;
};

// The same as the log or the banner prints it. The dims of a shape tensor are its values.
struct OptimizationProfile {
  std::string input;
  bool shape_tensor = false;
  ProfileShapes shapes;
};

struct IoTensor {
  Tensor tensor;
  bool is_input = true;
  Dims network_dims{};  // of an input, as the network declares them: -1 is open
  std::vector<ProfileShapes> shapes = {};
};

// A tensor of --exportOutput: what its values are like; they themselves are not kept.
struct OutputValues {
  Tensor tensor;
  std::uint64_t count = 0, nan = 0, infinite = 0;
  std::optional<double> min, max;  // of the finite ones
  SourcePos pos;

  [[nodiscard]] bool all_nan() const { return count > 0 && nan == count; }
};

// "Accuracy loss for tensor T (L2): 0.001234 [FAIL: >= threshold 0.010000]", 11.1: an output
// against the reference of --loadRefOutputs.
struct AccuracyLoss {
  std::string tensor, algorithm;
  std::optional<double> loss;
  std::optional<double> threshold;  // that it does not keep
  SourcePos pos;
};

struct Weights {
  DataType type = DataType::unknown;
  std::int64_t count = 0;
};

}  // namespace trtlens
