// Type words of every spelling.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "parsers/model/build.h"

namespace trtlens::json_data_type_test {
namespace {

TEST(JsonDataType, LongFormatStrings) {
  EXPECT_EQ(data_type_of("Row major linear FP32"), DataType::fp32);
  EXPECT_EQ(data_type_of("Channel major FP16 format where channel % 8 == 0"), DataType::fp16);
  EXPECT_EQ(data_type_of("Thirty-two wide channel vectorized row major Int8 format."),
            DataType::int8);
  EXPECT_EQ(data_type_of("Channel major INT8 format where channel % 16 == 0"), DataType::int8);
  EXPECT_EQ(data_type_of("Row major linear BFloat16 format"), DataType::bf16);
  EXPECT_EQ(data_type_of("Row major linear FP4 format (kLINEAR)"), DataType::fp4);
  EXPECT_EQ(data_type_of("Row major linear UInt8 format"), DataType::uint8);
  EXPECT_EQ(data_type_of("Row major linear BOOL"), DataType::boolean);
}

TEST(JsonDataType, ShortAndForeignSpellings) {
  EXPECT_EQ(data_type_of("Half"), DataType::fp16);
  EXPECT_EQ(data_type_of("Half(784,1:8,56,4)"), DataType::fp16);
  EXPECT_EQ(data_type_of("float32"), DataType::fp32);
  EXPECT_EQ(data_type_of("kINT8"), DataType::int8);
  EXPECT_EQ(data_type_of("FLOAT8E4M3FN"), DataType::fp8);
  EXPECT_EQ(data_type_of("FP8 E4M3"), DataType::fp8);
  EXPECT_EQ(data_type_of("e8m0"), DataType::e8m0);
}

TEST(JsonDataType, WhatIsNoTypeStaysUnknown) {
  EXPECT_EQ(data_type_of("N/A due to dynamic shapes"), DataType::unknown);
  EXPECT_EQ(data_type_of("Unknown format"), DataType::unknown);
  EXPECT_EQ(data_type_of("UInt64"), DataType::unknown);
  EXPECT_EQ(data_type_of(""), DataType::unknown);
  EXPECT_STREQ(to_string(DataType::unknown), "unknown");
}

TEST(JsonDataType, EveryLabelReadsBack) {
  for (int i = 1; i <= static_cast<int>(DataType::e8m0); ++i) {
    const DataType type = static_cast<DataType>(i);
    EXPECT_EQ(data_type_of(to_string(type)), type) << to_string(type);
    EXPECT_GT(bits_of(type), 0) << to_string(type);
  }
  EXPECT_EQ(bits_of(DataType::unknown), 0);
}

Tensor make_tensor(std::vector<std::int64_t> dims, DataType type) {
  Tensor tensor;
  tensor.dims = std::move(dims);
  tensor.has_dims = true;
  tensor.type = type;
  return tensor;
}

TEST(JsonTensor, Sizes) {
  EXPECT_EQ(make_tensor({2, 3, 4}, DataType::fp16).bytes(), 48);
  EXPECT_EQ(make_tensor({3}, DataType::int4).bytes(), 2);
  EXPECT_EQ(make_tensor({}, DataType::fp32).elements(), 1);
  EXPECT_EQ(make_tensor({0, 5}, DataType::fp32).bytes(), 0);
}

TEST(JsonTensor, UnknownSizesAreNone) {
  EXPECT_EQ(make_tensor({-1, 3}, DataType::fp32).elements(), std::nullopt);
  EXPECT_EQ(make_tensor({2}, DataType::unknown).bytes(), std::nullopt);
  EXPECT_EQ(Tensor{}.elements(), std::nullopt);
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(make_tensor({huge, 2}, DataType::fp32).elements(), std::nullopt);
  EXPECT_EQ(make_tensor({huge}, DataType::fp32).bytes(), std::nullopt);
}

TEST(StoredBytes, CountTheChannelsThatAFormatPads) {
  Tensor t;
  t.has_dims = true;
  t.dims = {32, 3, 224, 224};
  t.type = DataType::int8;
  const auto stored = [&](const char* format) {
    t.format = std::string(format);
    return t.stored_bytes().value_or(-1);
  };
  constexpr std::int64_t kPlane = 32LL * 224 * 224;
  EXPECT_EQ(stored("Row major Int8 format"), 3 * kPlane);
  EXPECT_EQ(stored("Four wide channel vectorized row major Int8 format"), 4 * kPlane);
  EXPECT_EQ(stored("Thirty-two wide channel vectorized row major Int8 format"), 32 * kPlane);
  EXPECT_EQ(stored("Channel major INT8 format where channel % 16 == 0"), 16 * kPlane);
  t.dims = {2, 33, 4, 5, 6};
  EXPECT_EQ(stored("Thirty-two wide channel vectorized row major Int8 format with 3 spatial "
                   "dimensions"),
            2 * 64 * 4 * 5 * 6);
  t.dims = {7, 5};  // too few dimensions for a vectorised format
  EXPECT_EQ(stored("Thirty-two wide channel vectorized row major Int8 format"), 35);
  t.dims = {1, -1, 2, 2};
  EXPECT_EQ(stored("Thirty-two wide channel vectorized row major Int8 format"), -1);
}

}  // namespace
}  // namespace trtlens::json_data_type_test
