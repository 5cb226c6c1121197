// Boundaries of the message rules with a numeric condition, and of what is computed from facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/precision/no_implementation.h"
#include "analyzers/rules/engine/message_rules.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/message_case.h"

namespace trtlens::boundary_messages_test {
namespace {

using test::Case;

bool says(const Case& c, const std::string& rule) {
  const std::vector<Finding> findings = c.findings();
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.rule == rule; });
}

OnnxNode node(const std::string& op, std::vector<Tensor> inputs = {}) {
  OnnxNode n;
  n.name = "/" + op;
  n.op = op;
  n.inputs = std::move(inputs);
  return n;
}

const char* const kNoKernel =
    "[optimizer.cpp::computeCosts::3728] Error Code 10: Internal Error (Could not find any "
    "implementation for node ";

Case no_kernel(const std::string& name) {
  Case c;
  c.error(kNoKernel + name + ".)").tail();
  return c;
}
Case quantised() {
  return no_kernel("body.0.weight + QuantizeLinear_8 + /body/body.0/Conv + /body/body.1/Relu");
}
Case unquantised() {
  Case c = no_kernel("conv1/7x7_s2 + conv1/relu_7x7");
  c.version(8, 6, 0);
  return c;
}
Case typed() {
  Case c = no_kernel("stem.weight + /stem/weight_quantizer/QuantizeLinear + /stem/Conv");
  c.version(10, 2, 0);
  c.build.options.flags = {{"stronglyTyped", ""}};
  return c;
}
Case fp8_flag() {
  Case c;
  c.version(10, 5, 0);
  c.build.options.flags = {{"fp8", ""}};
  return c;
}
Case passed(int minor) {
  Case c(Outcome::passed);
  c.version(10, minor, 0);
  return c;
}
Case cudnn_plugin() {
  Case c = passed(8);
  c.build.onnx_nodes = {node("InstanceNormalization_TRT")};
  return c;
}
Case int8_conv() {
  Case c = passed(8);
  c.build.onnx_nodes = {node("Conv")};
  c.build.allowed.labels = {"FP32", "INT8"};
  return c;
}
Case volta() {
  return passed(4);
}

// Compute capabilities just inside and just outside.
struct Capability {
  const char* rule;
  Case (*make)();
  std::vector<const char*> fires, silent;
};
const std::vector<Capability>& capabilities() {
  static const std::vector<Capability> all = {
      {"qdq-sm75-or-older-no-int8-impl", quantised, {"7.5", "7.0"}, {"7.6", "8.0"}},
      {"fp8-flag-fails-10.5", fp8_flag, {"9.0"}, {"8.9", "9.1"}},
      {"cudnn-plugin-on-blackwell", cudnn_plugin, {"10.0", "12.0"}, {"9.9"}},
      {"int8-blackwell-before-10.10", int8_conv, {"10.0", "12.0"}, {"9.9"}},
      {"volta-deprecated-10.4", volta, {"7.0"}, {"6.9", "7.1"}},
      {"no-implementation-maxwell", unquantised, {"5.3", "5.0"}, {"5.4"}},
      {"fp8-conv-small-channel-typed", typed, {"8.9", "9.0"}, {"8.8"}},
  };
  return all;
}

TEST(BoundaryMessages, FireInTheirComputeCapabilities) {
  for (const Capability& row : capabilities()) {
    const auto at = [&](const char* capability) {
      Case c = row.make();
      c.build.gpu.emplace().name = "Tesla V100-SXM2-16GB";
      c.build.gpu->compute_capability = capability;
      return says(c, row.rule);
    };
    for (const char* capability : row.fires) {
      EXPECT_TRUE(at(capability)) << row.rule << " on " << capability;
    }
    for (const char* capability : row.silent) {
      EXPECT_FALSE(at(capability)) << row.rule << " on " << capability;
    }
  }
}

const char* const kOfProfiles = "multi-profile-accuracy-10.x";

TEST(BoundaryMessages, FireFromTwoProfiles) {
  Case c = passed(3);
  c.build.banner["Build Options/Input build shape (profile 0)"] = "x=1x8+4x8+8x8";
  EXPECT_FALSE(says(c, kOfProfiles));
  c.build.banner["Build Options/Input build shape (profile 1)"] = "x=8x8+16x8+32x8";
  EXPECT_TRUE(says(c, kOfProfiles));
}

// A new rule with such a condition without a row above fails here.
TEST(BoundaryMessages, CoverEveryNumericCondition) {
  std::set<std::string> covered = {kOfProfiles};
  for (const Capability& row : capabilities()) covered.insert(row.rule);
  std::set<std::string> declared;
  for (const MessageRule& rule : embedded_message_rules()) {
    const RuleRequirement& r = rule.requires_;
    if (r.sm_min || r.sm_max || r.profiles_min) declared.insert(rule.info.id);
  }
  EXPECT_EQ(declared, covered);
}

// INT8 kernels of grouped convolutions want multiples of 4, depthwise ones in total.
TEST(BoundaryNoImplementation, GroupedChannelsAreMultiplesOfFour) {
  const auto diagnosed = [](std::int64_t channels, std::int64_t each) {
    Build build;
    build.onnx_nodes = {node("Conv", {test::tensor("x", DataType::fp32, {1, channels, 8, 8}),
                                      test::tensor("w", DataType::fp32, {channels, each, 3, 3})})};
    return diagnose_node(build, "/Conv");
  };
  EXPECT_TRUE(diagnosed(8, 4).is("channels-fit"));
  EXPECT_TRUE(diagnosed(24, 12).is("channels-fit"));
  EXPECT_TRUE(diagnosed(12, 6).is("grouped-misaligned"));
  EXPECT_THAT(diagnosed(6, 3).numbers, ::testing::HasSubstr("pad to 4"));
  EXPECT_TRUE(diagnosed(12, 1).is("channels-fit"));
  EXPECT_TRUE(diagnosed(10, 1).is("depthwise-misaligned"));
  EXPECT_THAT(diagnosed(10, 1).numbers, ::testing::HasSubstr("next is 12"));
}

// The hardware guide's table of units.
TEST(BoundaryComputed, PrecisionsWithoutUnits) {
  const std::map<std::string, std::pair<std::vector<const char*>, std::vector<const char*>>>
      without = {
          {"INT8", {{"6.0", "6.2", "5.3"}, {"6.1", "6.3", "7.0"}}},
          {"FP8", {{"8.8", "8.6"}, {"8.9", "9.0"}}},
          {"FP4", {{"9.9", "9.0"}, {"10.0", "12.0"}}},
          {"BF16", {{"7.9", "7.5"}, {"8.0"}}},
          {"FP16", {{"5.2", "5.4", "6.1", "6.3", "6.9"}, {"5.3", "6.0", "6.2", "7.0"}}},
      };
  for (const auto& [label, lists] : without) {
    const auto at = [name = label](const char* capability) {
      Case c(Outcome::passed);
      c.build.allowed.labels = {"FP32", name};
      c.build.gpu.emplace().compute_capability = capability;
      return says(c, "int8-arch-support");
    };
    for (const char* capability : lists.first) EXPECT_TRUE(at(capability)) << label << capability;
    for (const char* capability : lists.second) EXPECT_FALSE(at(capability)) << label << capability;
  }
}

// The largest shape is eight times the one that kernels were chosen for.
TEST(BoundaryComputed, OptShapesAreAnEighthOfTheLargest) {
  const auto at = [](const char* max) {
    Case c(Outcome::passed);
    c.build.options.flags = {
        {"minShapes", "x:1x8"}, {"optShapes", "x:10x8"}, {"maxShapes", std::string("x:") + max}};
    return says(c, "opt-shape-mismatch");
  };
  EXPECT_TRUE(at("80x8"));
  EXPECT_FALSE(at("79x8"));
}

// Bytes a parameter, with so many parameters and this precision allowed.
bool weights_are_wide(const char* label, std::int64_t parameters, double bytes_each) {
  Case c(Outcome::passed);
  c.build.allowed.labels = {"FP32", label};
  c.build.onnx_nodes = {node("Conv", {test::tensor("x", DataType::fp32, {1, 8, 8, 8}),
                                      test::tensor("w", DataType::fp32, {parameters, 1})})};
  test::add_io(c.build, test::tensor("x", DataType::fp32, {1, 8, 8, 8}), true);
  c.build.memory.weights_bytes =
      static_cast<std::int64_t>(bytes_each * static_cast<double>(parameters));
  return says(c, "engine-size-precision-check");
}

TEST(BoundaryComputed, WeightsAreWideFromFourFifthsOfTheNextWidth) {
  constexpr std::int64_t kParameters = 10'000'000;
  // FP16 beside FP32: 0.8 of 4 bytes. INT8 and FP8 beside FP16: of 2. FP4 and INT4: of 2.
  for (const auto& [label, least] : std::map<const char*, double>{{"FP16", 3.2},
                                                                  {"BF16", 3.2},
                                                                  {"INT8", 1.6},
                                                                  {"FP8", 1.6},
                                                                  {"INT4", 1.6},
                                                                  {"FP4", 1.6}}) {
    EXPECT_TRUE(weights_are_wide(label, kParameters, least)) << label;
    EXPECT_FALSE(weights_are_wide(label, kParameters, least - 0.001)) << label;
  }
  // More than 4.4 bytes are kept twice.
  EXPECT_TRUE(weights_are_wide("FP16", kParameters, 4.4));
  EXPECT_FALSE(weights_are_wide("FP16", kParameters, 4.401));
}

TEST(BoundaryComputed, WeightsAreWideFromAMillionParameters) {
  EXPECT_TRUE(weights_are_wide("FP16", 1048576, 4));
  EXPECT_FALSE(weights_are_wide("FP16", 1048575, 4));
}

}  // namespace
}  // namespace trtlens::boundary_messages_test
