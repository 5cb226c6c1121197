// The words for element types of every TensorRT, and their widths.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/model/build.h"

namespace trtlens {
namespace {

struct TypeWord {
  std::string_view word;  // lower case
  DataType type;
};

// Spellings of the layer JSON, the verbose log, trtexec's own lines, the ONNX parser and numpy.
constexpr std::array<TypeWord, 44> kTypeWords{{
    {"fp32", DataType::fp32},        {"float", DataType::fp32},
    {"float32", DataType::fp32},     {"f32", DataType::fp32},
    {"fp16", DataType::fp16},        {"half", DataType::fp16},
    {"float16", DataType::fp16},     {"f16", DataType::fp16},
    {"bf16", DataType::bf16},        {"bfloat16", DataType::bf16},
    {"fp8", DataType::fp8},          {"float8", DataType::fp8},
    {"float8e4m3fn", DataType::fp8}, {"fp8e4m3", DataType::fp8},
    {"e4m3", DataType::fp8},         {"e5m2", DataType::fp8},
    {"float8e5m2", DataType::fp8},   {"int8", DataType::int8},
    {"uint8", DataType::uint8},      {"int4", DataType::int4},
    {"uint4", DataType::int4},       {"fp4", DataType::fp4},
    {"fp4e2m1", DataType::fp4},      {"nvfp4", DataType::fp4},
    {"float4", DataType::fp4},       {"float4e2m1", DataType::fp4},
    {"float4e2m1fn", DataType::fp4}, {"e2m1", DataType::fp4},
    {"int16", DataType::int16},      {"int32", DataType::int32},
    {"int64", DataType::int64},      {"bool", DataType::boolean},
    {"boolean", DataType::boolean},  {"double", DataType::fp64},
    {"fp64", DataType::fp64},        {"float64", DataType::fp64},
    {"e8m0", DataType::e8m0},        {"ue8m0", DataType::e8m0},
    {"fp8e8m0", DataType::e8m0},     {"float8e8m0fnu", DataType::e8m0},
    {"i8", DataType::int8},          {"i32", DataType::int32},
    {"i64", DataType::int64},        {"u8", DataType::uint8},
}};

// More than the longest has with the 'k' of an enumerator.
constexpr std::size_t kMostWordBytes = 16;

// What the words above begin with, and `kFLOAT`, `kHALF`: the enumerators of the C++ API. Most
// words of a format are none of these.
constexpr bool may_begin_type(char c) {
  return std::string_view("bdefhiknu").find(c) != std::string_view::npos;
}

DataType type_of_word(std::string_view word) {
  if (word.empty() || !may_begin_type(word.front())) return DataType::unknown;
  for (const TypeWord& entry : kTypeWords) {
    if (entry.word == word) return entry.type;
  }
  return word.front() == 'k' ? type_of_word(word.substr(1)) : DataType::unknown;
}

// In lower case; '\0': no byte of a word.
constexpr char lower_of_word(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return c;
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : '\0';
}

struct TypeFacts {
  const char* name;
  int bits;  // of an element
};

// In the order of DataType.
constexpr std::array<TypeFacts, 15> kTypes{{
    {"unknown", 0},
    {"FP32", 32},
    {"FP16", 16},
    {"BF16", 16},
    {"FP8", 8},
    {"INT8", 8},
    {"UINT8", 8},
    {"INT4", 4},
    {"FP4", 4},
    {"INT16", 16},
    {"INT32", 32},
    {"INT64", 64},
    {"BOOL", 8},
    {"FP64", 64},
    {"E8M0", 8},
}};
static_assert(kTypes.size() == static_cast<std::size_t>(DataType::e8m0) + 1);

const TypeFacts& facts_of(DataType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace

const char* to_string(DataType type) {
  return facts_of(type).name;
}

// The first type word wins: in `Channel major FP16 format where channel % 8 == 0` as in `FP8 E4M3`.
DataType data_type_of(std::string_view format_or_type) {
  std::array<char, kMostWordBytes> word{};
  std::size_t size = 0;
  for (std::size_t i = 0; i <= format_or_type.size(); ++i) {
    const char c = i < format_or_type.size() ? lower_of_word(format_or_type[i]) : '\0';
    if (c != '\0') {
      if (size < word.size()) word[size] = c;
      ++size;
      continue;
    }
    if (size <= word.size()) {
      const DataType type = type_of_word({word.data(), size});
      if (type != DataType::unknown) return type;
    }
    size = 0;
  }
  return DataType::unknown;
}

int bits_of(DataType type) {
  return facts_of(type).bits;
}

std::optional<std::int64_t> Tensor::elements() const {
  if (!has_dims) return std::nullopt;
  std::int64_t product = 1;
  for (std::int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(product, dim, &product)) return std::nullopt;
  }
  return product;
}

namespace {

std::optional<std::int64_t> bytes_of(std::optional<std::int64_t> elements, DataType type) {
  const std::int64_t bits = bits_of(type);
  if (!elements || bits == 0) return std::nullopt;
  std::int64_t total_bits = 0;
  if (__builtin_mul_overflow(*elements, bits, &total_bits)) return std::nullopt;
  return total_bits / 8 + (total_bits % 8 != 0 ? 1 : 0);
}

std::int64_t channel_vector_of(std::string_view format) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kWide = {{
      {"Two wide channel vectorized", 2},
      {"Four wide channel vectorized", 4},
      {"Sixteen wide channel vectorized", 16},
      {"Thirty-two wide channel vectorized", 32},
  }};
  for (const auto& [words, channels] : kWide) {
    if (format.substr(0, words.size()) == words) return channels;
  }
  constexpr std::string_view kMultiple = "where channel % ";
  const std::size_t at = format.find(kMultiple);
  if (at == std::string_view::npos) return 1;
  std::int64_t channels = 1;
  const char* digits = format.data() + at + kMultiple.size();
  std::from_chars(digits, format.data() + format.size(), channels);
  return std::clamp<std::int64_t>(channels, 1, 64);
}

}  // namespace

std::optional<std::int64_t> Tensor::bytes() const {
  return bytes_of(elements(), type);
}

std::int64_t Tensor::channel_vector() const {
  return channel_vector_of(format.str());
}

std::optional<std::int64_t> Tensor::stored_bytes() const {
  const std::string_view words = format.str();
  const std::int64_t vector = channel_vector();
  // TensorFormat: channels are third from last, fourth with three spatial dimensions.
  const std::size_t behind = words.find("3 spatial dimensions") == std::string_view::npos ? 3 : 4;
  if (vector == 1 || dims.size() < behind) return bytes();
  Tensor padded = *this;
  std::int64_t& channels = padded.dims[padded.dims.size() - behind];
  if (channels > std::numeric_limits<std::int64_t>::max() - vector) return std::nullopt;
  if (channels > 0) channels = (channels + vector - 1) / vector * vector;
  return padded.bytes();
}

}  // namespace trtlens
