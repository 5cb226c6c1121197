// Numbers as trtexec prints them: %g-like, "inf", "nan", "-nan"; 64-bit tactic ids in hex or signed
// decimal.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parsers/model/tensor.h"

namespace trtlens {

// NaN for what is none, for inf and nan.
[[nodiscard]] double finite_or_nan(std::string_view text);
[[nodiscard]] inline std::optional<double> finite_number(std::string_view text) {
  const double value = finite_or_nan(text);
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}
[[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view text);
// Of what is counted: it is not negative.
[[nodiscard]] std::optional<std::uint64_t> count_of(std::string_view text);
// "0x00000000000003e8" or "-3360065831133338131" as unsigned 64 bits.
[[nodiscard]] std::optional<std::uint64_t> tactic_id_of(std::string_view text);
// "32x3x224x224", "1,3,224,224", "-1, 1, 28, 28", "-2,32:8,14": dims without the vector part.
[[nodiscard]] std::vector<std::int64_t> dims_of(std::string_view text);
// The same into `dims`, in place of what it holds. False: it cannot be read, and `dims` is empty,
// as of a scalar.
bool read_dims(std::string_view text, std::vector<std::int64_t>& dims);
// Of a tensor: what cannot be read is unknown.
void read_dims(std::string_view text, Tensor& tensor);
// Value of the last printed digit: 1e-4 for "0.0410", 0.01 for "16.77".
[[nodiscard]] double quantum_of(std::string_view text);
// "12.5744 MiB", "414MB", "1024 KiB", "512 bytes", "4032".
[[nodiscard]] std::optional<std::int64_t> bytes_of(std::string_view number, std::string_view unit);

}  // namespace trtlens
