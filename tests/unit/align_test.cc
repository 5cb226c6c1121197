// Which layers of two builds are the same work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::align_test {
namespace {

using test::conv;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Layer node(const std::string& name, std::vector<SharedText> onnx, std::vector<std::int64_t> dims,
           const std::string& in, const std::string& out, double ms = 1) {
  Layer l = conv(name, {tensor(in, kH)}, tensor(out, kH, std::move(dims)), kH, ms);
  l.onnx_nodes = std::move(onnx);
  return l;
}

struct Aligned {
  Analysis base, candidate;
  std::vector<LayerGroup> groups;

  Aligned(Build b, Build c)
      : base(test::analyze_build(std::move(b))),
        candidate(test::analyze_build(std::move(c))),
        groups(align(base, candidate)) {}

  [[nodiscard]] std::vector<std::string> names(const Analysis& side,
                                               const std::vector<std::size_t>& layers) const {
    std::vector<std::string> found;
    found.reserve(layers.size());
    for (const std::size_t i : layers) found.push_back(side.build.layers[i].name);
    return found;
  }
  // Names of the candidate's layers in the group of a base layer.
  [[nodiscard]] std::vector<std::string> partners(const std::string& name) const {
    for (const LayerGroup& g : groups) {
      for (const std::string& n : names(base, g.base)) {
        if (n == name) return names(candidate, g.candidate);
      }
    }
    return {"no such layer"};
  }
  [[nodiscard]] std::string how(const std::string& name) const {
    for (const LayerGroup& g : groups) {
      for (const std::string& n : names(base, g.base)) {
        if (n == name) return g.how;
      }
    }
    return "no such layer";
  }
};

// Q/DQ in the graph moves every number: Conv_3 is another layer then. Weights and shapes are not
// fooled.
TEST(Align, RenumberedNodesDoNotTell) {
  const Aligned a(test::build_of({node("Conv_0", {"Conv_0"}, {1, 8, 4, 4}, "x", "1"),
                                  node("Conv_3", {"Conv_3"}, {1, 16, 4, 4}, "1", "2"),
                                  node("Conv_6", {"Conv_6"}, {1, 32, 4, 4}, "2", "3")}),
                  test::build_of({node("Conv_3", {"Conv_3"}, {1, 8, 4, 4}, "x", "2"),
                                  node("Conv_9", {"Conv_9"}, {1, 16, 4, 4}, "2", "7"),
                                  node("Conv_15", {"Conv_15"}, {1, 32, 4, 4}, "7", "9")}));
  ASSERT_THAT(a.groups, SizeIs(3));
  EXPECT_THAT(a.partners("Conv_0"), ElementsAre("Conv_3"));
  EXPECT_THAT(a.partners("Conv_3"), ElementsAre("Conv_9"));
  EXPECT_EQ(a.how("Conv_3"), "signature");
}

// Myelin numbers its kernels anew in every version; other numbers of them tell nothing.
TEST(Align, MyelinKernelsOfAnotherNumber) {
  const auto kernels = [](const std::vector<std::string>& names) {
    std::vector<Layer> layers;
    for (const std::string& name : names) {
      layers.push_back(test::layer(name, "kgen", {}, {}, 0.1));
    }
    Build build = test::build_of(std::move(layers));
    build.layer_names_only = true;
    return build;
  };
  const Aligned a(kernels({"__myl_CastReshCast_myl15_1", "__mye26_0_myl7_0", "__myl_Add_myl1_0"}),
                  kernels({"__mye26_0_myl8_0", "__myl_CastReshCast_myl16_1", "__myl_Add_myl2_0",
                           "__myl_Add_myl2_1"}));
  EXPECT_THAT(a.partners("__myl_CastReshCast_myl15_1"), ElementsAre("__myl_CastReshCast_myl16_1"));
  EXPECT_THAT(a.partners("__mye26_0_myl7_0"), ElementsAre("__mye26_0_myl8_0"));
  EXPECT_THAT(a.partners("__myl_Add_myl1_0"), ElementsAre());
}

// 10.16 fuses the bias of node_linear_1 elsewhere and calls its product node_linear_1_2.
TEST(Align, MyelinKernelsOfALaterLayerOfTheNode) {
  const auto kernel = [](const std::string& name, std::vector<SharedText> nodes) {
    Layer layer = test::layer(name, "kgen", {}, {}, 0.1);
    layer.onnx_nodes = std::move(nodes);
    return layer;
  };
  const auto names_only = [](Build build) {
    build.layer_names_only = true;
    return build;
  };
  const Build base = names_only(
      test::build_of({kernel("PWN(relu_2)", {"relu_2"}), kernel("lin_1_myl10_1", {"lin_1"})}));
  const Aligned a(base,
                  names_only(test::build_of({kernel("PWN(lin_1 + relu_2)", {"lin_1", "relu_2"}),
                                             kernel("lin_1_2_myl11_1", {"lin_1_2"})})));
  EXPECT_THAT(a.partners("lin_1_myl10_1"), ElementsAre("PWN(lin_1 + relu_2)", "lin_1_2_myl11_1"));
  // A node of that name is itself.
  Build both = base;
  both.layers.push_back(kernel("lin_1_2_myl12_1", {"lin_1_2"}));
  const Aligned b(both, names_only(test::build_of({kernel("lin_1_myl4_1", {"lin_1"}),
                                                   kernel("lin_1_2_myl11_1", {"lin_1_2"})})));
  EXPECT_THAT(b.partners("lin_1_myl10_1"), ElementsAre("lin_1_myl4_1"));
  EXPECT_THAT(b.partners("lin_1_2_myl12_1"), ElementsAre("lin_1_2_myl11_1"));
}

// The near miss: the same export twice, numbers and all.
TEST(Align, NumbersOfTheSameExportTell) {
  const auto side = [] {
    return test::build_of({node("Conv_0", {"Conv_0"}, {1, 8, 4, 4}, "x", "1"),
                           node("Conv_3", {"Conv_3"}, {1, 8, 4, 4}, "1", "2")});
  };
  const Aligned a(side(), side());
  EXPECT_THAT(a.partners("Conv_3"), ElementsAre("Conv_3"));
  EXPECT_EQ(a.how("Conv_3"), "onnx");
}

TEST(Align, WeightsInFusedNamesTell) {
  const Aligned a(
      test::build_of(
          {node("a.weight + QuantizeLinear_7 + Conv_9", {"Conv_9"}, {1, 8}, "x", "1"),
           node("b.weight + QuantizeLinear_20 + Conv_22", {"Conv_22"}, {1, 8}, "1", "2")}),
      test::build_of(
          {node("b.weight + QuantizeLinear_7 + Conv_9", {"Conv_9"}, {1, 9}, "x", "1"),
           node("a.weight + QuantizeLinear_9 + Conv_30", {"Conv_30"}, {1, 7}, "1", "3")}));
  EXPECT_THAT(a.partners("a.weight + QuantizeLinear_7 + Conv_9"),
              ElementsAre("a.weight + QuantizeLinear_9 + Conv_30"));
}

// `{ForeignNode[a...d]}` holds what stands between a and d in the network and has no layer.
TEST(Align, ForeignNodeRangesHoldTheNodesBetweenTheirEnds) {
  Build b = test::build_of({node("/a", {"/a"}, {1}, "x", "1"), node("/b", {"/b"}, {2}, "1", "2"),
                            node("/c", {"/c"}, {3}, "2", "3"), node("/z", {"/z"}, {4}, "3", "4")});
  for (const char* name : {"/a", "/b", "/c", "/z"}) {
    OnnxNode n;
    n.name = name;
    b.onnx_nodes.push_back(n);
  }
  const Aligned a(std::move(b),
                  test::build_of({node("{ForeignNode[/a.../c]}", {"/a", "/c"}, {3}, "x", "3"),
                                  node("/z", {"/z"}, {4}, "3", "4")}));
  ASSERT_THAT(a.groups, SizeIs(2));
  EXPECT_THAT(a.partners("/b"), ElementsAre("{ForeignNode[/a.../c]}"));
  EXPECT_THAT(a.partners("/z"), ElementsAre("/z"));
}

TEST(Align, TensorsTellWhereNamesDoNot) {
  const Aligned a(test::build_of({node("__myl_Fc_0", {}, {1}, "x", "/fc/Gemm_output_0")}),
                  test::build_of({node("__myl_Fc_7", {}, {2}, "x", "/fc/Gemm_output_0")}));
  EXPECT_EQ(a.how("__myl_Fc_0"), "tensors");
}

// Parallel branches stand in another order; their neighbours tell them apart.
TEST(Align, BranchesInAnotherOrder) {
  const auto stem = [](const char* name) { return node(name, {}, {1, 4}, "x", name); };
  const auto branch = [](const char* name, const char* in, const char* out) {
    return node(name, {}, {1, 8}, in, out);
  };
  const auto head = [](const char* name, const char* in) {
    return node(name, {}, {1, std::string(in) == "1" ? 16 : 32}, in, name);
  };
  const Aligned a(test::build_of({stem("s0"), branch("p", "s0", "1"), branch("q", "s0", "2"),
                                  head("hp", "1"), head("hq", "2")}),
                  test::build_of({stem("S0"), branch("Q", "S0", "2"), branch("P", "S0", "1"),
                                  head("HP", "1"), head("HQ", "2")}));
  EXPECT_THAT(a.partners("hp"), ElementsAre("HP"));
  EXPECT_THAT(a.groups, SizeIs(5));
}

// One side fused the pool into the convolution.
TEST(Align, FusedAwayWorkJoinsItsGroup) {
  Layer pool = test::layer("MaxPool_12", "CaskPooling", {tensor("1", kH)},
                           {tensor("2", kH, {1, 8, 2, 2})}, 0.2);
  pool.parameter_type = "Pooling";
  pool.onnx_nodes = {"MaxPool_12"};
  const auto c = [](const std::string& name, std::vector<SharedText> nodes, const char* out,
                    std::vector<std::int64_t> dims) {
    return node(name, std::move(nodes), std::move(dims), "x", out);
  };
  const Aligned a(test::build_of({c("w.weight + Conv_9", {"Conv_9"}, "1", {1, 8, 4, 4}), pool}),
                  test::build_of({c("w.weight + Conv_20 + MaxPool_25", {"Conv_20", "MaxPool_25"},
                                    "2", {1, 8, 2, 2})}));
  ASSERT_THAT(a.groups, SizeIs(1));
  EXPECT_THAT(a.groups[0].base, ElementsAre(0, 1));
}

// A reformat between two convolutions goes to the one whose precision changed.
TEST(Align, OneSidedReformatsGoToWhatChanged) {
  const auto side = [](bool int8_first) {
    Layer first = node("/a", {"/a"}, {1, 8}, "x", "1");
    Layer second = node("/b", {"/b"}, {1, 8}, int8_first ? "r" : "1", "2");
    if (int8_first) {
      first.weights->type = kI;
      first.inputs[0].type = kI;
    }
    std::vector<Layer> layers{first};
    if (int8_first) {
      layers.push_back(test::reformat("r", tensor("1", kI), tensor("r", kH), 0.1));
    }
    layers.push_back(second);
    return test::build_of(std::move(layers));
  };
  const Aligned a(side(false), side(true));
  EXPECT_THAT(a.partners("/a"), ElementsAre("/a", "r"));
  EXPECT_THAT(a.partners("/b"), ElementsAre("/b"));
  const Aligned mirrored(side(true), side(false));
  EXPECT_THAT(mirrored.groups, SizeIs(2));
}

// The same reformat on both sides belongs to neither neighbour.
TEST(Align, EqualReformatsAreAGroupOfTheirOwn) {
  const auto side = [] {
    return test::build_of({node("/a", {"/a"}, {1, 8}, "x", "1"),
                           test::reformat("r", tensor("1", kI), tensor("r", kH), 0.1),
                           node("/b", {"/b"}, {1, 8}, "r", "2")});
  };
  const Aligned a(side(), side());
  ASSERT_THAT(a.groups, SizeIs(3));
  EXPECT_THAT(a.partners("r"), ElementsAre("r"));
}

// A residual stage with a downsample, then a plain block. Which of the two convolutions the sum is
// fused into, and where the downsample stands, differs between builds.
Layer conv_of(const std::string& name, std::vector<std::string> in, std::int64_t from,
              const std::string& out, std::int64_t to, std::int64_t size, std::int64_t kernel = 3,
              std::int64_t stride = 1) {
  std::vector<Tensor> inputs{tensor(in[0], kH, {1, from, size * stride, size * stride})};
  if (in.size() > 1) inputs.push_back(tensor(in[1], kH, {1, to, size, size}));
  Layer l = conv(name, std::move(inputs), tensor(out, kH, {1, to, size, size}), kH, 0.04);
  l.kernel = {kernel, kernel};
  l.stride = {stride, stride};
  l.out_maps = to;
  return l;
}

TEST(Align, TheSumInTheOtherConvolution) {
  const Aligned a(test::build_of({conv_of("b1", {"x"}, 64, "b1", 128, 28, 3, 2),
                                  conv_of("b2", {"b1"}, 128, "b2", 128, 28),
                                  conv_of("bd+sum", {"x", "b2"}, 64, "bs", 128, 28, 1, 2),
                                  conv_of("b3", {"bs"}, 128, "b3", 128, 28),
                                  conv_of("b4+sum", {"b3", "bs"}, 128, "b4", 128, 28),
                                  conv_of("b5", {"b4"}, 128, "b5", 256, 14, 3, 2)}),
                  test::build_of({conv_of("c1", {"x"}, 64, "c1", 128, 28, 3, 2),
                                  conv_of("cd", {"x"}, 64, "cd", 128, 28, 1, 2),
                                  conv_of("c2+sum", {"c1", "cd"}, 128, "cs", 128, 28),
                                  conv_of("c3", {"cs"}, 128, "c3", 128, 28),
                                  conv_of("c4+sum", {"c3", "cs"}, 128, "c4", 128, 28),
                                  conv_of("c5", {"c4"}, 128, "c5", 256, 14, 3, 2)}));
  EXPECT_THAT(a.partners("b1"), ElementsAre("c1"));
  EXPECT_THAT(a.partners("b2"), ElementsAre("c2+sum"));
  EXPECT_THAT(a.partners("bd+sum"), ElementsAre("cd"));
  EXPECT_THAT(a.partners("b3"), ElementsAre("c3"));
  EXPECT_THAT(a.partners("b4+sum"), ElementsAre("c4+sum"));
  EXPECT_THAT(a.partners("b5"), ElementsAre("c5"));
}

// A sum inside its convolution here, a kernel of its own there: it joins that convolution's group.
TEST(Align, TheSumThatIsAKernelOfItsOwn) {
  const Layer sum = test::layer(
      "sum", "ElementWise", {tensor("d1", kH, {1, 64, 56, 56}), tensor("r", kH, {1, 64, 56, 56})},
      {tensor("d2", kH, {1, 64, 56, 56})}, 0.1);
  const Build fused = test::build_of({conv_of("a1", {"x"}, 3, "r", 64, 56, 7, 4),
                                      conv_of("a2+sum", {"r", "r"}, 64, "a2", 64, 56),
                                      conv_of("a3", {"a2"}, 64, "a3", 128, 28, 3, 2)});
  const Build alone = test::build_of({conv_of("d0", {"x"}, 3, "r", 64, 56, 7, 4),
                                      conv_of("d1", {"r"}, 64, "d1", 64, 56), sum,
                                      conv_of("d3", {"d2"}, 64, "d3", 128, 28, 3, 2)});
  const Aligned one(fused, alone);
  EXPECT_THAT(one.partners("a2+sum"), ElementsAre("d1", "sum"));
  const Aligned other(alone, fused);
  EXPECT_THAT(other.partners("sum"), ElementsAre("a2+sum"));
}

// Layers that nothing but their place tells apart.
TEST(Align, EqualBranchesPairInTheOrderOfTheEngine) {
  std::vector<Layer> base, candidate;
  for (const std::string n : {"1", "2", "3"}) {
    base.push_back(conv_of("b" + n, {"x"}, 64, "o" + n, 64, 28));
    candidate.push_back(conv_of("c" + n, {"y"}, 64, "p" + n, 64, 28));
  }
  const Aligned a(test::build_of(base), test::build_of(candidate));
  EXPECT_THAT(a.partners("b1"), ElementsAre("c1"));
  EXPECT_THAT(a.partners("b2"), ElementsAre("c2"));
  EXPECT_THAT(a.partners("b3"), ElementsAre("c3"));
}

// The first convolution of a stage and the others write the same shape and read another one.
TEST(Align, TheDatasShapeTells) {
  const Aligned a(test::build_of({conv_of("b1", {"x"}, 64, "b1", 128, 28)}),
                  test::build_of({conv_of("c1", {"y"}, 128, "c1", 128, 28)}));
  EXPECT_THAT(a.partners("b1"), ElementsAre());
}

// What is fused and what stands alone between the same layers.
TEST(Align, FusionsBetweenTheSameLayers) {
  const auto pool = [](const std::string& in, const std::string& out) {
    Layer l = test::layer("pool", "CudaPooling", {tensor(in, kH, {1, 64, 112, 112})},
                          {tensor(out, kH, {1, 64, 56, 56})}, 0.06);
    l.parameter_type = "Pooling";
    return l;
  };
  Layer fused = conv("conv and pool", {tensor("x", kI, {1, 3, 224, 224})},
                     tensor("c2", kI, {1, 64, 56, 56}), kI, 0.07);
  const Aligned a(test::build_of({conv_of("b1", {"x"}, 3, "b1", 64, 112, 7, 2), pool("b1", "b2"),
                                  conv_of("b3", {"b2"}, 64, "b3", 64, 56)}),
                  test::build_of({std::move(fused), conv_of("c3", {"c2"}, 64, "c3", 64, 56)}));
  EXPECT_THAT(a.partners("b1"), ElementsAre("conv and pool"));
  EXPECT_THAT(a.partners("pool"), ElementsAre("conv and pool"));
  EXPECT_THAT(a.partners("b3"), ElementsAre("c3"));
}

// Two such pieces between the same layers cannot be told apart.
TEST(Align, EqualPiecesBetweenTheSameLayersStayAlone) {
  const auto pool = [](const std::string& in, const std::string& out) {
    Layer l = test::layer("pool of " + in, "CudaPooling", {tensor(in, kH, {1, 64, 56, 56})},
                          {tensor(out, kH, {1, 64, 28, 28})}, 0.06);
    l.parameter_type = "Pooling";
    return l;
  };
  const auto fused = [](const std::string& name) {
    return conv(name, {tensor("s", kH, {1, 64, 56, 56})}, tensor(name, kH, {1, 64, 28, 28}), kH,
                0.07);
  };
  const auto sum = [](const std::string& a, const std::string& b) {
    Layer l = test::layer("sum", "PointWise",
                          {tensor(a, kH, {1, 64, 28, 28}), tensor(b, kH, {1, 64, 28, 28})},
                          {tensor("o", kH, {1, 64, 28, 28})}, 0.01);
    l.parameter_type = "PointWise";
    return l;
  };
  const auto stem = [] { return conv_of("stem", {"x"}, 3, "s", 64, 56, 7, 2); };
  const Aligned two(
      test::build_of({stem(), conv_of("p", {"s"}, 64, "p", 64, 56), pool("p", "p2"),
                      conv_of("q", {"s"}, 64, "q", 64, 56), pool("q", "q2"), sum("p2", "q2")}),
      test::build_of({stem(), fused("P"), fused("Q"), sum("P", "Q")}));
  EXPECT_THAT(two.partners("stem"), ElementsAre("stem"));
  EXPECT_THAT(two.partners("sum"), ElementsAre("sum"));
  EXPECT_THAT(two.partners("p"), ElementsAre());
  EXPECT_THAT(two.partners("q"), ElementsAre());
}

// One side fuses the activations of a long row of equal convolutions.
TEST(Align, ActivationsFusedOnOneSide) {
  std::vector<Layer> apart{conv_of("b0", {"x"}, 3, "a0", 64, 56, 7, 2)};
  std::vector<Layer> fused{conv_of("c0", {"x"}, 3, "c0", 64, 56, 7, 2)};
  for (int i = 1; i < 40; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    apart.push_back(conv_of("b" + n, {"a" + before}, 64, "b" + n, 64, 56));
    Layer act = test::layer("act" + n, "PointWise", {tensor("b" + n, kH, {1, 64, 56, 56})},
                            {tensor("a" + n, kH, {1, 64, 56, 56})}, 0.02);
    act.parameter_type = "PointWise";
    apart.push_back(std::move(act));
    fused.push_back(conv_of("c" + n, {"c" + before}, 64, "c" + n, 64, 56));
  }
  apart.push_back(conv_of("bz", {"a39"}, 64, "bz", 128, 28, 3, 2));
  fused.push_back(conv_of("cz", {"c39"}, 64, "cz", 128, 28, 3, 2));
  const Aligned a(test::build_of(std::move(apart)), test::build_of(std::move(fused)));
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    EXPECT_THAT(a.partners("b" + n), ElementsAre("c" + n));
    if (i > 0) {
      EXPECT_THAT(a.partners("act" + n), ElementsAre("c" + n));
    }
  }
}

// One of two equal branches is gone: which one is not known.
TEST(Align, AnOddTwinStaysAlone) {
  const Aligned a(test::build_of({conv_of("b0", {"x"}, 3, "b0", 64, 56, 7, 2),
                                  conv_of("p", {"b0"}, 64, "p", 64, 56),
                                  conv_of("q", {"b0"}, 64, "q", 64, 56)}),
                  test::build_of({conv_of("c0", {"x"}, 3, "c0", 64, 56, 7, 2),
                                  conv_of("r", {"c0"}, 64, "r", 64, 56)}));
  EXPECT_THAT(a.partners("b0"), ElementsAre("c0"));
  EXPECT_THAT(a.partners("p"), ElementsAre());
  EXPECT_THAT(a.partners("q"), ElementsAre());
}

// Public engines of one network, exported with and without Q/DQ: numbers against weights.
TEST(AlignCorpus, EveryConvolutionOfTheResnetLadder) {
  const std::string corpus = "/work/shared/corpus/engines/";
  const std::string fp16 = corpus + "001-trex-a100-resnet-fp16";
  if (!test::is_there(fp16)) GTEST_SKIP() << fp16 << " is not there";
  const std::vector<std::pair<const char*, const char*>> truth = {
      {"Conv_0 ", "conv1"},
      {"MaxPool_2", "MaxPool_12"},  // a kernel of its own in 003, else fused
      {"Conv_3 ", "layer1.0.conv1"},
      {"Conv_5 ", "layer1.0.conv2"},
      {"Conv_8 ", "layer1.1.conv1"},
      {"Conv_10 ", "layer1.1.conv2"},
      {"Conv_13 ", "layer2.0.conv1"},
      {"Conv_15", "layer2.0.conv2"},
      {"Conv_16 ", "layer2.0.downsample"},
      {"Conv_19 ", "layer2.1.conv1"},
      {"Conv_21 ", "layer2.1.conv2"},
      {"Conv_24 ", "layer3.0.conv1"},
      {"Conv_26", "layer3.0.conv2"},
      {"Conv_27 ", "layer3.0.downsample"},
      {"Conv_30 ", "layer3.1.conv1"},
      {"Conv_32 ", "layer3.1.conv2"},
      {"Conv_35 ", "layer4.0.conv1"},
      {"Conv_37", "layer4.0.conv2"},
      {"Conv_38 ", "layer4.0.downsample"},
      {"Conv_41 ", "layer4.1.conv1"},
      {"Conv_43 ", "layer4.1.conv2"},
      {"Gemm_48", "fc"}};
  const Analysis base = test::analyze_path(fp16);
  for (const char* name : {"003-trex-a100-resnet-qat", "004-trex-a100-resnet-qat-residual",
                           "005-trex-a100-resnet-qat-residual-qgap"}) {
    const Analysis candidate = test::analyze_path(corpus + name);
    std::size_t found = 0;
    for (const LayerGroup& g : align(base, candidate)) {
      for (const std::size_t b : g.base) {
        const std::string& layer = base.build.layers[b].name;
        for (const auto& [start, weights] : truth) {
          if (layer.rfind(start, 0) != 0) continue;
          std::size_t good = 0;
          for (const std::size_t c : g.candidate) {
            const std::string& other = candidate.build.layers[c].name;
            const bool pool = std::string(weights) == "MaxPool_12";
            if (other.find(pool ? weights : ".weight") == std::string::npos) continue;
            if (!pool) {
              EXPECT_EQ(other.rfind(std::string(weights) + ".", 0), 0U) << layer << ": " << other;
            }
            ++good;
          }
          EXPECT_EQ(good, 1U) << name << ": " << layer;
          ++found;
        }
      }
    }
    EXPECT_EQ(found, truth.size()) << name;
  }
}

Build chain(std::size_t count, bool named, std::mt19937* changes) {
  std::vector<Layer> layers;
  layers.reserve(count);
  std::string in = "x";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string out = (named ? "/t" : "t") + std::to_string(i);
    const bool changed = changes != nullptr && (*changes)() % 5 == 0;
    const std::string name = (changed ? "/new" : "/n") + std::to_string(i);
    Layer l = node(named ? name : "k" + std::to_string(i * (changes != nullptr ? 3 : 2)),
                   named ? std::vector<SharedText>{name} : std::vector<SharedText>{},
                   {1, static_cast<std::int64_t>(8 + i % 7 + (changed ? 100 : 0))}, in, out, 0.01);
    layers.push_back(std::move(l));
    in = out;
  }
  return test::build_of(std::move(layers));
}

// That it stays near-linear holds growth_test.py.
TEST(Align, FindsMostOfALongChain) {
  for (const bool named : {true, false}) {
    for (const std::size_t count : {1300U, 10000U}) {
      std::mt19937 random(5);
      const Analysis b = test::analyze_build(chain(count, named, nullptr));
      const Analysis c = test::analyze_build(chain(count, named, &random));
      std::size_t both = 0;
      for (const LayerGroup& g : align(b, c))
        both += !g.base.empty() && !g.candidate.empty() ? 1 : 0;
      EXPECT_GE(both, count * 3 / 4) << named;
    }
  }
}

}  // namespace
}  // namespace trtlens::align_test
