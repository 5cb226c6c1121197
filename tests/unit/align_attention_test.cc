// Fused attention against its parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::align_attention_test {
namespace {

using test::tensor;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr DataType kH = DataType::fp16;

struct Pair {
  Analysis base, candidate;
  std::vector<LayerGroup> groups;

  Pair(Build b, Build c)
      : base(test::analyze_build(std::move(b))),
        candidate(test::analyze_build(std::move(c))),
        groups(align(base, candidate)) {}

  // Names of the candidate's layers in the group of a base layer.
  [[nodiscard]] std::vector<std::string> partners(const std::string& name) const {
    std::vector<std::string> found;
    for (const LayerGroup& group : groups) {
      for (const std::size_t b : group.base) {
        if (base.build.layers[b].name != name) continue;
        for (const std::size_t c : group.candidate) {
          found.push_back(candidate.build.layers[c].name);
        }
      }
    }
    return found;
  }
};

// A block of attention between two layers that both sides have: one kernel, or its parts.
Build attention_of(const std::string& scope, bool fused, bool with_softmax = true,
                   const std::string& written = "o") {
  const auto gemm = [](const std::string& name, const std::string& in, const std::string& out) {
    Layer l = test::layer(name, "gemm", {tensor(in, kH, {1, 64, 96})},
                          {tensor(out, kH, {1, 64, 96})}, 0.2);
    if (!name.starts_with("_")) l.onnx_nodes = {name};
    return l;
  };
  std::vector<Layer> layers{gemm("/b/to_qkv/MatMul", "x", "qkv")};
  if (fused) {
    layers.push_back(gemm(scope + "mha", "qkv", written));
    layers.back().tactic_name = "_gemm_mha_v2_0x1f";
  } else {
    layers.push_back(gemm(scope + "MatMul", "qkv", "s"));
    layers.push_back(test::layer(scope + (with_softmax ? "Softmax" : "Relu"), "kgen",
                                 {tensor("s", kH, {1, 64, 96})}, {tensor("p", kH, {1, 64, 96})},
                                 0.1));
    layers.back().tactic_name = with_softmax ? "__myl_MaxrSubExpSumDiv_0x2e" : "__myl_MaxMul_0x2e";
    if (!scope.starts_with("_")) layers.back().onnx_nodes = {layers.back().name};
    layers.push_back(gemm(scope + "MatMul_1", "p", written));
  }
  layers.push_back(gemm("/b/ff/MatMul", written, "y"));
  return test::build_of(std::move(layers));
}

TEST(Align, FusedAttentionIsItsParts) {
  for (const bool fused_first : {true, false}) {
    const Pair a(attention_of("/b/attn/", fused_first), attention_of("/b/attn/", !fused_first));
    ASSERT_THAT(a.groups, SizeIs(3));
    EXPECT_EQ(a.groups[1].base.size() + a.groups[1].candidate.size(), 4U);
    EXPECT_EQ(a.groups[1].how, "signature");
    EXPECT_THAT(a.partners("/b/ff/MatMul"), ElementsAre("/b/ff/MatMul"));
  }
  // Myelin gives the kernel no name of the network.
  const Pair nameless(attention_of("__myl_", true), attention_of("__myl_", false));
  EXPECT_THAT(nameless.partners("__myl_mha"),
              ElementsAre("__myl_MatMul", "__myl_Softmax", "__myl_MatMul_1"));
}

// Another part of the network, or no attention: neither is a counterpart.
TEST(Align, FusedAttentionIsNoOthersParts) {
  const Pair other(attention_of("/b/attn/", true), attention_of("/b/cross/", false, true, "o2"));
  EXPECT_THAT(other.partners("/b/attn/mha"), ElementsAre());
  const Pair gated(attention_of("/b/attn/", true), attention_of("/b/attn/", false, false, "o2"));
  EXPECT_THAT(gated.partners("/b/attn/mha"), ElementsAre());
}

}  // namespace
}  // namespace trtlens::align_attention_test
