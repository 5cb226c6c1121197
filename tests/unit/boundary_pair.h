// Boundary pairs: for a threshold of a rule one build just beside it that fires, and one that does
// not. Thresholds are written here as numbers, so that a changed default is noticed.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::test {

inline constexpr DataType kF = DataType::fp32;
inline constexpr DataType kH = DataType::fp16;
inline constexpr DataType kI = DataType::int8;
inline constexpr DataType k8 = DataType::fp8;

struct BoundaryPair {
  const char* rule = nullptr;
  const char* key = nullptr;
  double threshold = 0;          // the default
  double fires = 0, silent = 0;  // beside it, one of them on it where the arithmetic is exact
  Build (*build)(double) = nullptr;
  Severity least = Severity::info;  // what the threshold decides is this severity
  Build (*base)(double) = nullptr;  // of a rule of two builds, whose candidate is `build`
};

inline std::ostream& operator<<(std::ostream& out, const BoundaryPair& pair) {
  return out << pair.rule << '.' << pair.key;
}

inline const Finding* find(const Comparison& comparison, const std::string& rule) {
  for (const Finding& f : comparison.findings) {
    if (f.rule == rule) return &f;
  }
  return nullptr;
}

// The noise floor of the verdict is low: it is a boundary of its own.
inline Comparison compare_closely(Build base, Build candidate) {
  std::vector<Analysis> b, c;
  b.push_back(analyze_build(std::move(base)));
  c.push_back(analyze_build(std::move(candidate)));
  CompareOptions options;
  options.noise_floor = 0.001;
  return compare(std::move(b), std::move(c), options);
}

inline bool fires(const BoundaryPair& pair, double value) {
  const auto counts = [&](const Finding* f) { return f != nullptr && f->severity >= pair.least; };
  if (pair.base == nullptr) return counts(find(analyze_build(pair.build(value)), pair.rule));
  return counts(find(compare_closely(pair.base(value), pair.build(value)), pair.rule));
}

// Nothing but the value may decide: both builds are made by one function.
class BoundaryPairTest : public ::testing::TestWithParam<BoundaryPair> {};

inline std::string name_of_pair(const ::testing::TestParamInfo<BoundaryPair>& info) {
  std::string name = std::string(info.param.rule) + '_' + info.param.key;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + '_' + std::to_string(info.index);
}

// One table for each group of rules (by pass, or by where the figure comes from), in
// boundary_GROUP_test.cc.
const std::vector<BoundaryPair>& precision_boundaries();
const std::vector<BoundaryPair>& placement_boundaries();
const std::vector<BoundaryPair>& symptom_boundaries();
const std::vector<BoundaryPair>& kernel_boundaries();
const std::vector<BoundaryPair>& timing_boundaries();
const std::vector<BoundaryPair>& comparison_boundaries();

}  // namespace trtlens::test
