// Kernels that Myelin generated: what their names and tensors say, and what rules make of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzers/precision/precision.h"
#include "tests/unit/build_maker.h"

namespace trtlens::myelin_kernel_test {
namespace {

using test::analyze_build;
using test::analyze_layers;
using test::conv;
using test::find;
using test::layer;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr DataType kF = DataType::fp32, kH = DataType::fp16;
constexpr const char* kLinear = "(Linear) Row major linear format";
constexpr const char* kNhwc = "(NHWC) Channel major format";

Tensor in_format(std::string name, const char* format, DataType type = kF,
                 std::vector<std::int64_t> dims = {1, 3, 32, 48}) {
  Tensor t = tensor(std::move(name), type, std::move(dims));
  t.format = std::string(format);
  return t;
}

Layer kernel(const std::string& operators, Tensor in, Tensor out, double ms = 1) {
  Layer l = layer("__myl_" + operators + "_myl0_4", "kgen", {std::move(in)}, {std::move(out)}, ms);
  l.tactic_name = "__myl_" + operators + "_0x00c0ffee00c0ffee";
  return l;
}

TEST(MyelinOperators, AreTheWordsOfTheName) {
  EXPECT_THAT(myelin_operators("__myl_AddMaxrSubExpSum_myl0_9"),
              ElementsAre("Add", "Maxr", "Sub", "Exp", "Sum"));
  EXPECT_THAT(myelin_operators("__myl_CasRes_0x12ab"), ElementsAre("Cas", "Res"));
  EXPECT_THAT(myelin_operators("__mye1085_myl0_0"), IsEmpty());
  EXPECT_THAT(myelin_operators("/mlp/fc1/MatMul_myl1_8"), IsEmpty());
  EXPECT_TRUE(has_operators(myelin_operators("__myl_AddMulSum_myl0_1"), {"Mul", "Sum"}));
  EXPECT_FALSE(has_operators(myelin_operators("__myl_MulAddSum_myl0_1"), {"Mul", "Sum"}));
}

struct RoleCase {
  const char* operators;
  LayerRole expected;
};

// Names alone: in a profile without layer info they are all there is.
TEST(MyelinKernel, RolesByOperators) {
  constexpr RoleCase kRoles[] = {
      {"Move", LayerRole::reformat},
      {"Tran", LayerRole::shuffle},
      {"ReshTran", LayerRole::shuffle},
      {"SliRes", LayerRole::shuffle},
      {"ConcTran", LayerRole::shuffle},
      {"CorrMulAddRelu", LayerRole::convolution},
      {"FcAdd", LayerRole::gemm},
      {"FcNegExpAddDivMulMul", LayerRole::gemm},
      {"AddMaxrSubExpSum", LayerRole::softmax},
      {"MulAddMeanSubMulMeanAddSqrtDivMul", LayerRole::normalisation},
      {"AddCasMulMeaAddSqrDivMulCas", LayerRole::normalisation},
      {"Mean", LayerRole::reduction},
      {"CastSumCast", LayerRole::reduction},
  };
  for (const RoleCase& c : kRoles) {
    const Layer l = layer(std::string("__myl_") + c.operators + "_myl0_2", "", {}, {}, 1);
    EXPECT_STREQ(to_string(role_of(l)), to_string(c.expected)) << c.operators;
  }
  for (const char* operators : {"CastReshCast", "MaxMinCas", "DivMulTopk", "MulSum", "Gath"}) {
    const Layer l = layer(std::string("__myl_") + operators + "_myl0_2", "", {}, {}, 1);
    EXPECT_EQ(role_of_myelin_kernel(l), std::nullopt) << operators;
  }
}

TEST(MyelinKernel, AMoveIntoAnotherLayoutIsAConversion) {
  const Layer moved = kernel("Move", in_format("x", kLinear), in_format("y", kNhwc));
  EXPECT_EQ(role_of(moved), LayerRole::reformat);
  EXPECT_EQ(verdict_of(moved).compute, Precision::none);
  // Sizes in another order, and no node that asks for it.
  Layer transposed = kernel("Tran", in_format("x", kNhwc, kF, {1, 48, 3}),
                            in_format("y", kLinear, kF, {1, 3, 48}));
  EXPECT_EQ(role_of(transposed), LayerRole::reformat);
  transposed.onnx_nodes = {SharedText(std::string("/Transpose"))};
  EXPECT_EQ(role_of(transposed), LayerRole::shuffle);
  // A part of a concatenation under the name of the whole.
  EXPECT_EQ(role_of(kernel("Move", in_format("x", kLinear),
                           in_format("all", kLinear, kF, {1, 9, 32, 48}))),
            LayerRole::shuffle);
  EXPECT_EQ(role_of(kernel("Resh", in_format("x", kNhwc), in_format("y", kLinear, kF, {1, 4608}))),
            LayerRole::shuffle);
}

TEST(MyelinKernel, CastsOfValuesAreConversionsThoseOfIndicesAreNot) {
  EXPECT_EQ(role_of(kernel("Cast", in_format("x", kLinear), in_format("y", kLinear, kH))),
            LayerRole::reformat);
  EXPECT_EQ(role_of(kernel("ReshCast", in_format("x", kLinear, DataType::uint8),
                           in_format("y", kLinear, kH))),
            LayerRole::reformat);
  EXPECT_EQ(role_of(kernel("CastReshCast", in_format("i", kLinear, DataType::int32),
                           in_format("o", kLinear, DataType::int64))),
            LayerRole::shuffle);
  EXPECT_EQ(role_of(kernel("Cast", in_format("mask", kLinear, DataType::boolean),
                           in_format("m", kLinear))),
            LayerRole::shuffle);
}

// TensorRT 11 generates them; what they write tells them from a ReLU6 in front of a cast.
TEST(MyelinKernel, AQuantizerWritesANarrowType) {
  const auto role = [](const char* operators, DataType in, DataType out) {
    return role_of(kernel(operators, in_format("x", kLinear, in), in_format("y", kLinear, out)));
  };
  for (const char* words : {"MulRounMaxrMinrCast", "MulRounMaxMinCast", "DivRounClipCast"}) {
    EXPECT_EQ(role(words, kF, DataType::int8), LayerRole::quantize) << words;
    EXPECT_EQ(role(words, kH, DataType::int8), LayerRole::quantize) << words;
    EXPECT_EQ(role(words, kF, kH), LayerRole::pointwise) << words;
  }
  EXPECT_EQ(role("MulMaxMinCast", kH, DataType::fp8), LayerRole::quantize);
  EXPECT_EQ(role("MaxMinCas", kH, kH), LayerRole::pointwise);
  EXPECT_EQ(role("MulRounMaxMinCast", DataType::int8, DataType::int8), LayerRole::pointwise);
  // The network's own arithmetic in front.
  for (const char* words : {"AddMulRounMaxMinCast", "ErfMulRounMaxMinCast", "MulRounMaxMin"}) {
    EXPECT_EQ(role(words, kF, DataType::int8), LayerRole::pointwise) << words;
  }
}

// Its time stands in the ledger of conversions and in the account, as that of any other Q.
TEST(MyelinKernel, AQuantizerIsAccountedAsOne) {
  const Layer front = conv("c", {tensor("x", kH)}, in_format("a", kNhwc, kH), kH, 1);
  const Layer q = kernel("MulRounMaxrMinrCast", in_format("a", kNhwc, kH),
                         in_format("b", kNhwc, DataType::int8), 0.5);
  const Layer behind =
      conv("d", {in_format("b", kNhwc, DataType::int8)}, tensor("z", kF), DataType::int8, 1);
  const Analysis a = analyze_layers({front, q, behind});
  ASSERT_EQ(a.reformats.size(), 1U);
  EXPECT_EQ(a.verdicts[1].compute, Precision::none);
  ASSERT_TRUE(a.account);
  double quantizers = 0, all = 0;
  for (const AccountRow& row : a.account->rows) {
    if (row.detail.find("QuantizeLinear") != std::string::npos) quantizers += row.time_ms;
    all += row.time_ms;
  }
  EXPECT_DOUBLE_EQ(quantizers, 0.5);
  EXPECT_DOUBLE_EQ(all, 2.5);
}

TEST(MyelinKernel, MulSumIsAProductWhereAMatrixStandsBehindIt) {
  Layer l =
      kernel("MulSum", in_format("x", kLinear, kF, {640, 1}), in_format("y", kLinear, kF, {1, 12}));
  EXPECT_EQ(role_of(l), LayerRole::gemm);  // 12 is no part of 640
  EXPECT_EQ(verdict_of(l).compute, Precision::fp32);
  l.outputs[0].dims = std::vector<std::int64_t>{1, 10};
  EXPECT_EQ(role_of(l), LayerRole::pointwise);  // perhaps sums of 64 products
  l.weights = Weights{kH, 6400};
  EXPECT_EQ(role_of(l), LayerRole::gemm);
  Layer sums = kernel("MulAddSum", l.inputs[0], in_format("y", kLinear, kF, {1, 12}));
  EXPECT_EQ(role_of(sums), LayerRole::pointwise);
}

TEST(MyelinKernel, BookkeepingComputesNothing) {
  const Tensor policy = in_format("l2_cache_policy_inputs_0_myl0", kLinear, DataType::uint8, {64});
  const LayerVerdict v = verdict_of(layer("__mye7_myl0_0", "custom_layer", {policy}, {}, 0.003));
  EXPECT_EQ(v.role, LayerRole::none);
  EXPECT_EQ(v.compute, Precision::none);
  // A plugin that Myelin took in writes something.
  EXPECT_EQ(role_of(layer("Box_myl0_1", "custom_layer", {policy}, {tensor("y", kH)}, 1)),
            LayerRole::plugin);
  for (const char* type : {"memset", "cjmp"}) {
    EXPECT_EQ(role_of(layer("__mye8_myl0_1", type, {}, {tensor("y", kH)}, 1)), LayerRole::none);
  }
  const Layer add = layer("loop/i_myl0_3", "add", {tensor("i", DataType::int64, {1})},
                          {tensor("i", DataType::int64, {1})}, 1);
  EXPECT_EQ(role_of(add), LayerRole::pointwise);
  EXPECT_EQ(verdict_of(add).compute, Precision::int64);
}

TEST(MyelinKernel, EvidenceNamesTheTypeBesideTheLayout) {
  const Layer l = kernel("DivMulTopk", in_format("x", kLinear, kH), in_format("y", kLinear, kH));
  EXPECT_THAT(verdict_of(l).evidence,
              ElementsAre("input x: FP16, (Linear) Row major linear format"));
  const Layer old = kernel("DivMulTopk", in_format("x", "Half", kH), in_format("y", "Half", kH));
  EXPECT_THAT(verdict_of(old).evidence, ElementsAre("input x: Half"));
}

Build with_input(std::vector<Layer> layers) {
  Build build = test::build_of(std::move(layers));
  test::add_io(build, tensor("x", kF), true);
  return build;
}

// A region reads linear tensors: --inputIOFormats would put a reformat in front of it.
TEST(RuleIoFormat, LeavesKernelsOfARegionAlone) {
  const Layer behind = conv("c", {in_format("y", kNhwc)}, tensor("z", kF), kF, 1);
  const Layer moved = kernel("Move", in_format("x", kLinear), in_format("y", kNhwc));
  const Analysis a = analyze_build(with_input({moved, behind}));
  EXPECT_EQ(find(a, "io-format-forces-reformat"), nullptr);
  ASSERT_EQ(a.reformats.size(), 1U);
  EXPECT_EQ(a.reformats[0].cause, "layout only; at the network's border");
  EXPECT_EQ(a.reformats[0].removable, false);
  Layer outside = moved;
  outside.layer_type = std::string("Reformat");
  EXPECT_NE(find(analyze_build(with_input({outside, behind})), "io-format-forces-reformat"),
            nullptr);
}

TEST(ReformatLedger, TellsCopiesFromConversions) {
  const Layer front = conv("c", {tensor("x", kF)}, in_format("a", kNhwc), kF, 1);
  const Layer behind = conv("d", {in_format("b", kNhwc)}, tensor("z", kF), kF, 1);
  const Analysis copied =
      analyze_layers({front, kernel("Move", in_format("a", kNhwc), in_format("b", kNhwc)), behind});
  ASSERT_EQ(copied.reformats.size(), 1U);
  EXPECT_EQ(copied.reformats[0].cause, "copy");
  const Finding* f = find(copied, "reformat-time-share");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(test::figures(*f),
              ::testing::Contains(HasSubstr("copies of a concatenation or slice")));
  // Up to 10.x the format is the type alone: the layout may have changed.
  const Analysis old = analyze_layers(
      {front, kernel("Move", in_format("a", "Half", kH), in_format("b", "Half", kH)), behind});
  ASSERT_EQ(old.reformats.size(), 1U);
  EXPECT_EQ(old.reformats[0].cause, "layout only");
}

TEST(RuleShuffle, IsMinorWhereTheLaunchOfOneIsLong) {
  const auto with = [](double ms) {
    return analyze_layers({conv("c", {tensor("x", kF)}, tensor("a", kF), kF, ms * 9),
                           kernel("Resh", tensor("a", kF), tensor("b", kF, {8, 3136}), ms)});
  };
  ASSERT_NE(find(with(0.009), "shuffle-dominates"), nullptr);
  EXPECT_EQ(find(with(0.009), "shuffle-dominates")->severity, Severity::minor);
  EXPECT_EQ(find(with(0.011), "shuffle-dominates")->severity, Severity::major);
  // Two of them are no tiny part, each by itself as short.
  const Analysis both = analyze_layers({conv("c", {tensor("x", kF)}, tensor("a", kF), kF, 0.09),
                                        kernel("Resh", tensor("a", kF), tensor("b", kF), 0.009),
                                        kernel("Slic", tensor("b", kF), tensor("d", kF), 0.009)});
  ASSERT_NE(find(both, "shuffle-dominates"), nullptr);
  EXPECT_EQ(find(both, "shuffle-dominates")->severity, Severity::major);
}

Layer counter(DataType type, const std::string& out) {
  return layer("loop/counter_myl0_5", "add", {tensor("i", type, {1})}, {tensor(out, type, {1})}, 1);
}

TEST(RuleCastShape, LeavesTheCounterOfALoopAlone) {
  const char* rule = "cast-shape-overhead";
  const Layer c = conv("c", {tensor("x", kF)}, tensor("a", kF), kF, 1);
  EXPECT_EQ(find(analyze_layers({c, counter(DataType::int64, "i")}), rule), nullptr);
  EXPECT_NE(find(analyze_layers({c, counter(DataType::int64, "j")}), rule), nullptr);
  EXPECT_NE(find(analyze_layers({c, kernel("CastReshCast", tensor("i", DataType::int64),
                                           tensor("o", DataType::int32))}),
                 rule),
            nullptr);
}

TEST(RulePointwiseAlone, LeavesIndicesAlone) {
  const auto with = [](DataType type) {
    std::vector<Layer> layers = {conv("c", {tensor("x", kF)}, tensor("t0", kF), kF, 1)};
    for (int i = 0; i < 10; ++i) {
      const std::string number = std::to_string(i);
      layers.push_back(layer("sum" + number, "add", {tensor("t" + number, type)},
                             {tensor("t" + std::to_string(i + 1), type)}, 0.1));
    }
    return analyze_layers(std::move(layers));
  };
  EXPECT_NE(find(with(kF), "pointwise-alone"), nullptr);
  EXPECT_EQ(find(with(DataType::int32), "pointwise-alone"), nullptr);
}

}  // namespace
}  // namespace trtlens::myelin_kernel_test
