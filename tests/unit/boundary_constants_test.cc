// Boundaries inside rules that are no thresholds: alignments, compute capabilities, shares, counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/boundary_pair.h"

namespace trtlens::boundary_constants_test {
namespace {

using test::conv;
using test::find;
using test::layer;
using test::reformat;
using test::tensor;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;
constexpr DataType k8 = DataType::fp8;

bool fires(const Build& build, const char* rule) {
  return find(test::analyze_build(build), rule) != nullptr;
}

// Tensor cores pad to 8 channels of FP16 and BF16, to 16 of INT8 and FP8, to 32 of CHW32: half a
// step more than one is a quarter of zeros, one step is none.
TEST(BoundaryAlignment, PaddingIsToTheMultipleOfTheType) {
  const auto pads = [](DataType type, std::int64_t channels, const char* format) {
    Layer c = conv("c", {tensor("x", type, {8, 64, 7, 7})}, tensor("y", type), type, 50);
    c.inputs[0].format = format;
    c.out_maps = channels;
    return fires(test::build_of({c, conv("n", {tensor("y", type)}, tensor("z", type), type, 50)}),
                 "tc-alignment");
  };
  struct Case {
    DataType type;
    std::int64_t multiple;
    const char* format;
  };
  for (const Case& c :
       {Case{kH, 8, "x"}, Case{DataType::bf16, 8, "x"}, Case{kI, 16, "x"}, Case{k8, 16, "x"},
        Case{kI, 32, "Thirty-two wide channel vectorized row major Int8 format"}}) {
    EXPECT_FALSE(pads(c.type, c.multiple, c.format)) << to_string(c.type) << c.multiple;
    EXPECT_TRUE(pads(c.type, c.multiple * 3 / 2, c.format)) << to_string(c.type) << c.multiple;
    EXPECT_FALSE(pads(c.type, c.multiple * 2, c.format)) << to_string(c.type) << c.multiple;
  }
  EXPECT_FALSE(pads(kF, 9, "x"));
}

TEST(BoundaryAlignment, SparseKernelsTake32ChannelsOfInt8And16OfWiderTypes) {
  const auto eligible = [](DataType type, std::int64_t channels) {
    std::vector<Layer> layers;
    for (const char* name : {"a", "b"}) {
      layers.push_back(
          conv(name, {tensor("x", type, {1, channels, 8, 8})}, tensor("y", type), type, 1));
      layers.back().sparse_weights = false;
    }
    Build build = test::build_of(std::move(layers));
    build.options.flags = {{"sparsity", "enable"}};
    return fires(build, "sparsity-not-used");
  };
  EXPECT_TRUE(eligible(kI, 32));
  EXPECT_FALSE(eligible(kI, 16));
  EXPECT_FALSE(eligible(kI, 48));
  EXPECT_TRUE(eligible(kH, 16));
  EXPECT_TRUE(eligible(kH, 48));
  EXPECT_FALSE(eligible(kH, 8));
  EXPECT_FALSE(eligible(kH, 24));
}

// First compute capability with tensor cores for a type, and the one below.
TEST(BoundaryCapability, TensorCoresBeginWith) {
  const auto blames = [](DataType type, const char* capability) {
    Layer c = conv("c", {tensor("x", type)}, tensor("y", type), type, 1);
    c.tactic_name = "simt";
    Build build = test::build_of({c});
    build.gpu.emplace().compute_capability = capability;
    return fires(build, "non-tensor-core-tactic");
  };
  EXPECT_TRUE(blames(kH, "7.0"));
  EXPECT_FALSE(blames(kH, "6.9"));
  EXPECT_TRUE(blames(kI, "7.2"));
  EXPECT_FALSE(blames(kI, "7.1"));
  EXPECT_TRUE(blames(DataType::bf16, "8.0"));
  EXPECT_FALSE(blames(DataType::bf16, "7.9"));
  EXPECT_TRUE(blames(k8, "8.9"));
  EXPECT_FALSE(blames(k8, "8.8"));
  EXPECT_FALSE(blames(kF, "9.0"));
}

Build without_tf32(const char* capability) {
  Build build = test::build_of({conv("c", {tensor("a", kF)}, tensor("b", kF), kF, 1)});
  build.layers[0].tactic_name = "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_ffma";
  build.allowed.no_tf32 = true;
  build.allowed.labels = {"FP32"};
  build.producer = "trtexec";
  build.gpu.emplace().compute_capability = capability;
  return build;
}

TEST(BoundaryCapability, Tf32BeginsWith80) {
  EXPECT_TRUE(fires(without_tf32("8.0"), "noTF32-fp32-slow"));
  EXPECT_FALSE(fires(without_tf32("7.9"), "noTF32-fp32-slow"));
}

TEST(BoundaryCapability, FastFp16IsThatOfTheTable) {
  const std::map<std::string, bool> fast = {{"5.2", false}, {"5.3", true},  {"6.0", true},
                                            {"6.1", false}, {"6.2", true},  {"6.9", false},
                                            {"7.0", true},  {"12.0", true}, {"5.4", false}};
  for (const auto& [capability, is_fast] : fast) {
    Build build = without_tf32(capability.c_str());
    build.allowed.no_tf32 = false;
    EXPECT_EQ(fires(build, "fp32-only-allowed"), is_fast) << capability;
  }
}

TEST(BoundaryCapability, OnlyT4KeepsInt8OfTransformers) {
  for (const auto& [capability, says] :
       std::map<std::string, bool>{{"7.4", true}, {"7.5", false}, {"7.6", true}}) {
    Build build =
        test::build_of({layer("qk", "gemm", {tensor("q", kF)}, {tensor("s", kF)}, 1),
                        layer("softmax", "CudaSoftMax", {tensor("s", kF)}, {tensor("p", kF)}, 1),
                        layer("pv", "gemm", {tensor("p", kF)}, {tensor("y", kF)}, 1)});
    build.allowed.labels = {"FP32", "INT8"};
    build.has_log = true;
    build.gpu.emplace().compute_capability = capability;
    EXPECT_EQ(fires(build, "transformer-implicit-int8"), says) << capability;
  }
}

TEST(BoundaryCapability, Fp8ConvolutionsGainNothingOn89Only) {
  const auto says = [](const char* capability) {
    const auto build = [&](DataType type, double ms) {
      Layer l = conv("/a", {tensor("x", type)}, tensor("y", type), type, ms);
      l.onnx_nodes = {"/a"};
      Build b = test::build_of({l});
      b.performance.gpu_compute.emplace().median_ms = ms;
      b.gpu.emplace().compute_capability = capability;
      return b;
    };
    return find(test::compare_closely(build(kH, 1), build(k8, 0.97)), "fp8-conv-no-speedup-ada") !=
           nullptr;
  };
  EXPECT_TRUE(says("8.9"));
  EXPECT_FALSE(says("8.8"));
  EXPECT_FALSE(says("9.0"));
}

// 32 elements of an FP8 kernel belong to the weights' rule, 33 to fp8-conv-kernel-gt-32.
TEST(BoundaryKernel, OneRuleHasALargeFp8Kernel) {
  for (const std::int64_t elements : {32, 33}) {
    Layer c = conv("conv", {tensor("d", kH)}, tensor("e", kH), kH, 50);
    c.kernel = {1, elements};
    const Build build =
        test::build_of({reformat("dq", tensor("a", k8), tensor("d", kH), 10, "QDQ"), c});
    EXPECT_EQ(fires(build, "conv-fp32-weight-qdq-missing"), elements <= 32);
    EXPECT_EQ(fires(build, "fp8-conv-kernel-gt-32"), elements > 32);
  }
}

// What stands 65 layers off explains nothing.
TEST(BoundaryCount, WalksEndAfter64Layers) {
  const auto explained = [](int conversions) {
    std::vector<Layer> layers = {test::dequantize("dq", "x", "t0", 1, kH)};
    for (int i = 0; i < conversions; ++i) {
      const std::string from = "t" + std::to_string(i), to = "t" + std::to_string(i + 1);
      layers.push_back(reformat("r" + from, tensor(from, kH), tensor(to, kH), 1));
    }
    layers.push_back(layer("softmax", "CudaSoftMax",
                           {tensor("t" + std::to_string(conversions), kH)}, {tensor("y", kH)}, 1));
    return fires(test::build_of(std::move(layers)), "layernorm-splits-int8-fusion");
  };
  EXPECT_TRUE(explained(63));
  EXPECT_FALSE(explained(64));
}

TEST(BoundaryCount, TheLastLayerNeedsThreeOfArithmetic) {
  const auto says = [](int narrow) {
    std::vector<Layer> layers;
    for (int i = 0; i <= narrow; ++i) {
      const DataType type = i < narrow ? kI : kF;
      const std::string from = "t" + std::to_string(i), to = "t" + std::to_string(i + 1);
      layers.push_back(conv(from + "c", {tensor(from, type)}, tensor(to, type), type, 1));
    }
    Build build = test::build_of(std::move(layers));
    build.allowed.labels = {"FP32", "INT8"};
    build.has_log = true;
    return fires(build, "implicit-last-layer-fp32");
  };
  EXPECT_TRUE(says(2));
  EXPECT_FALSE(says(1));
}

TEST(BoundaryCopies, BoundAQueryFromNineTenthsOfItsTime) {
  const auto says = [](double copy_ms) {
    Build build;
    build.performance.gpu_compute.emplace().median_ms = 1;
    build.performance.enqueue.emplace().median_ms = 0.95;
    build.performance.h2d.emplace().median_ms = copy_ms;
    build.performance.throughput_qps = 500;
    return fires(build, "enqueue-bound");
  };
  EXPECT_TRUE(says(1.7999));
  EXPECT_FALSE(says(1.8));
}

TEST(BoundaryCopies, BoundWhereTheyTakeAsLongAsTheWork) {
  const auto says = [](double h2d_ms, double d2h_ms) {
    Build build;
    build.performance.gpu_compute.emplace().median_ms = 1;
    build.performance.h2d.emplace().median_ms = h2d_ms;
    build.performance.d2h.emplace().median_ms = d2h_ms;
    return fires(build, "h2d-d2h-bound");
  };
  EXPECT_TRUE(says(1, 0));
  EXPECT_TRUE(says(0, 1));
  EXPECT_FALSE(says(0.9999, 0.9999));
}

// Two launches' time for a conversion is what a launch takes: no more than moderate.
TEST(BoundarySeverity, AConversionAtTheBorderIsALaunchBelowTwoFloors) {
  const auto severity = [](double ms) {
    Build build = test::build_of({reformat("in", tensor("image", kF), tensor("x", kH), ms),
                                  conv("c", {tensor("x", kH)}, tensor("y", kH), kH, ms)});
    test::add_io(build, tensor("image", kF), true);
    const Analysis a = test::analyze_build(build);
    const Finding* f = find(a, "io-format-forces-reformat");
    return f == nullptr ? Severity::info : f->severity;
  };
  EXPECT_EQ(severity(0.01), Severity::major);
  EXPECT_EQ(severity(0.00999), Severity::moderate);
}

// A convolution that writes float is held against its twin that writes INT8.
TEST(BoundaryTwin, IsClearlyFasterBelowNineTenths) {
  const auto with_twin = [](double twin_ms) {
    Layer pool = layer("avgpool", "CudaPooling", {tensor("p", kH)}, {tensor("q", kH)}, 1);
    pool.parameter_type = "Pooling";
    const Build build =
        test::build_of({conv("twin", {tensor("a", kI)}, tensor("b", kI), kI, twin_ms),
                        conv("producer", {tensor("b", kI)}, tensor("p", kH), kI, 10), pool,
                        test::quantize("QuantizeLinear_1", "q", "r", 1, kH),
                        conv("next", {tensor("r", kI)}, tensor("y", kI, {8, 32, 7, 7}), kI, 10)});
    const Analysis a = test::analyze_build(build);
    const Finding* f = find(a, "gap-pool-not-quantised");
    return f == nullptr ? std::vector<std::string>{"silent"} : test::figures(*f);
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(with_twin(8.999), ::testing::Contains(HasSubstr("1 convolution writing float")));
  EXPECT_THAT(with_twin(9), ::testing::ElementsAre(HasSubstr("because of it")));
}

// Most of the arithmetic: half of its time is not yet, or is already enough.
TEST(BoundaryHalf, OfTheArithmetic) {
  const auto layer_of = [](const char* name, DataType type, double ms) {
    Layer l = conv(name, {tensor(std::string(name) + " in", type)},
                   tensor(std::string(name) + " out", type), type, ms);
    l.onnx_nodes = {name};
    return l;
  };
  const auto timed = [](std::vector<Layer> layers, double gpu_ms) {
    Build build = test::build_of(std::move(layers));
    build.performance.gpu_compute.emplace().median_ms = gpu_ms;
    return build;
  };
  const auto says = [](const Build& base, const Build& candidate, const char* rule) {
    return find(test::compare_closely(base, candidate), rule) != nullptr;
  };
  // The FP16 side of an INT8 build computes half in FP16.
  const Build int8 = timed({layer_of("/a", kI, 50), layer_of("/b", kI, 50)}, 120);
  EXPECT_TRUE(says(timed({layer_of("/a", kH, 50), layer_of("/b", kF, 50)}, 100), int8,
                   "int8-slower-than-fp16"));
  EXPECT_FALSE(says(timed({layer_of("/a", kH, 49.9), layer_of("/b", kF, 50.1)}, 100), int8,
                    "int8-slower-than-fp16"));
  // What is FP8 for more than half of the narrow part is no INT8 build.
  const Build fp16 = timed({layer_of("/a", kH, 50), layer_of("/b", kH, 50)}, 100);
  EXPECT_TRUE(says(fp16, timed({layer_of("/a", k8, 50), layer_of("/b", kI, 50)}, 120),
                   "int8-slower-than-fp16"));
  EXPECT_FALSE(says(fp16, timed({layer_of("/a", k8, 50.1), layer_of("/b", kI, 49.9)}, 120),
                    "int8-slower-than-fp16"));
  // Weights of a build whose arithmetic is narrow for more than half have another reason.
  const auto weighted = [&](const char* label, DataType first, double first_ms, DataType second) {
    Build b = timed({layer_of("/a", first, first_ms), layer_of("/b", second, 100 - first_ms)}, 100);
    if (label == std::string("INT8")) b.layers.push_back(test::quantize("q", "x", "/a in", 0));
    b.allowed.labels = {"FP32", label};
    b.memory.weights_bytes = 100 << 20;
    return b;
  };
  const char* size = "engine-size-precision-compared";
  EXPECT_TRUE(says(weighted("FP16", kH, 50, kH), weighted("INT8", kI, 50, kF), size));
  EXPECT_FALSE(says(weighted("FP16", kH, 50, kH), weighted("INT8", kI, 50.1, kF), size));
  EXPECT_TRUE(says(weighted("FP16", kF, 50, kH), weighted("INT8", kF, 50, kF), size));
  EXPECT_FALSE(says(weighted("FP16", kF, 50.1, kH), weighted("INT8", kF, 50, kF), size));
}

}  // namespace
}  // namespace trtlens::boundary_constants_test
