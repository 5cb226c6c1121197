// Multiply-accumulates and bytes against numbers worked out by hand from the exports' dimensions.
#include "analyzers/graph/layer_work.h"

#include <gtest/gtest.h>

#include "tests/unit/build_maker.h"

namespace trtlens::layer_work_test {
namespace {

using test::layer;
using test::tensor;

constexpr DataType kH = DataType::fp16;

LayerWork work_in(const Analysis& analysis, const std::string& name) {
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    if (analysis.build.layers[i].name == name) {
      return work_of(analysis.build.layers[i], analysis.verdicts[i].role,
                     implicit_batch_of(analysis.build));
    }
  }
  ADD_FAILURE() << "no layer " << name;
  return {};
}

Layer convolution(const Dims& in, const Dims& out, Dims kernel, std::int64_t groups,
                  std::int64_t weights) {
  Layer l = layer("c", "CaskConvolution", {tensor("x", kH, in.values())},
                  {tensor("y", kH, out.values())}, 0.1);
  l.parameter_type = "Convolution";
  l.kernel = std::move(kernel);
  l.groups = groups;
  l.weights = Weights{kH, weights};
  return l;
}

TEST(LayerWork, GroupsThatAreNotListedAreOne) {
  Layer l = convolution({1, 8, 4, 4}, {1, 16, 4, 4}, {3, 3}, 2, 0);
  const auto macs = [&l] { return work_of(l, LayerRole::convolution).macs; };
  EXPECT_EQ(macs(), 16.0 * 4 * 4 * 9 * 8 / 2);
  l.groups = 0;
  EXPECT_EQ(macs(), 16.0 * 4 * 4 * 9 * 8);
  l.groups.reset();
  EXPECT_EQ(macs(), 16.0 * 4 * 4 * 9 * 8);
}

// Two inputs, each of which could be the one matrix and neither the other's.
TEST(LayerWork, InputsOfDifferentLengthsGiveNoProduct) {
  Layer l = layer("m", "MatrixMultiply", {tensor("a", kH, {8, 64}), tensor("b", kH, {8, 64})},
                  {tensor("y", kH, {8, 16})}, 0.1);
  EXPECT_EQ(work_of(l, LayerRole::gemm).macs, 8.0 * 16 * 64);
  l.inputs[1].dims = Dims{8, 32};
  EXPECT_EQ(work_of(l, LayerRole::gemm).macs, std::nullopt);
}

TEST(LayerWork, OfResNet18InFP16) {
  const Analysis a = test::analyze_path(test::fixture("a_r18_fp16"));
  // 32 x 64 x 112 x 112 outputs, 3 x 7 x 7 sums each.
  const LayerWork first = work_in(a, "/conv1/Conv + /relu/Relu");
  EXPECT_EQ(first.macs, 25690112.0 * 147);
  // Input with its three channels padded to four, output, 9408 weights and 64 biases of two bytes
  // each.
  EXPECT_EQ(first.bytes, 2.0 * (32 * 4 * 224 * 224 + 25690112 + 9408 + 64));
  EXPECT_FALSE(first.is_estimate);
  // The residual is an input, too.
  const LayerWork residual = work_in(
      a, "/layer1/layer1.0/conv2/Conv + /layer1/layer1.0/Add + /layer1/layer1.0/relu_1/Relu");
  EXPECT_EQ(residual.macs, 32.0 * 64 * 56 * 56 * 64 * 9);
  EXPECT_EQ(residual.bytes, 2.0 * (3.0 * 32 * 64 * 56 * 56 + 36864 + 64));
  // Stride 2: the outputs count, not the inputs.
  EXPECT_EQ(work_in(a, "/layer2/layer2.0/downsample/downsample.0/Conv").macs,
            32.0 * 128 * 28 * 28 * 64);
  EXPECT_EQ(work_in(a, "/fc/Gemm").macs, 32.0 * 1000 * 512);
  const LayerWork pooling = work_in(a, "/maxpool/MaxPool");
  EXPECT_FALSE(pooling.macs);
  EXPECT_EQ(pooling.bytes, 2.0 * (32 * 64 * 112 * 112 + 32 * 64 * 56 * 56));
  // From FP32 to FP16, and from three channels to four.
  EXPECT_EQ(
      work_in(a, "Reformatting CopyNode for Input Tensor 0 to /conv1/Conv + /relu/Relu").bytes,
      (4.0 * 3 + 2.0 * 4) * 32 * 224 * 224);
  double macs = 0;
  for (std::size_t i = 0; i < a.build.layers.size(); ++i) {
    macs += work_of(a.build.layers[i], a.verdicts[i].role).macs.value_or(0);
  }
  // ResNet-18 of 224 x 224: 1814073344 multiply-accumulates a picture.
  EXPECT_EQ(macs, 32.0 * 1814073344);
}

TEST(LayerWork, OfDepthwiseAndGroupedConvolutions) {
  EXPECT_EQ(work_of(convolution({1, 30, 112, 112}, {1, 30, 112, 112}, {3, 3}, 30, 270),
                    LayerRole::convolution)
                .macs,
            30.0 * 112 * 112 * 9);
  EXPECT_EQ(work_of(convolution({1, 32, 112, 112}, {1, 32, 112, 112}, {3, 3}, 4, 2304),
                    LayerRole::convolution)
                .macs,
            32.0 * 112 * 112 * 8 * 9);
}

TEST(LayerWork, OfAConvolutionWhoseWeightsContradictItsShapeIsUnknown) {
  const Layer l = convolution({1, 32, 8, 8}, {1, 32, 8, 8}, {3, 3}, 1, 9217);
  EXPECT_FALSE(work_of(l, LayerRole::convolution).macs);
  EXPECT_TRUE(work_of(l, LayerRole::convolution).bytes);
}

TEST(LayerWork, OfATransposedConvolutionCountsItsInputs) {
  // 2 x 2 with stride 2: every input element meets 96 x 4 of the 96 x 96 x 4 weights.
  const Layer l = convolution({1, 96, 37, 37}, {1, 96, 74, 74}, {2, 2}, 1, 36864);
  EXPECT_EQ(work_of(l, LayerRole::deconvolution).macs, 96.0 * 37 * 37 * 96 * 4);
}

TEST(LayerWork, OfAConvolutionWithItsPoolingCountsTheOutputsBeforeIt) {
  Layer l = convolution({32, 3, 224, 224}, {32, 64, 56, 56}, {7, 7}, 1, 9408);
  l.parameter_type = "ConvActPool";
  l.stride = {2, 2};
  l.out_maps = 64;
  const LayerWork work = work_of(l, LayerRole::convolution);
  EXPECT_EQ(work.macs, 25690112.0 * 147);
  EXPECT_TRUE(work.is_estimate);
}

TEST(LayerWork, OfProductsOfTwoMatrices) {
  const auto product = [](std::vector<std::int64_t> a, std::vector<std::int64_t> b,
                          std::vector<std::int64_t> out) {
    Layer l = layer("m", "CaskGemmMatrixMultiply",
                    {tensor("a", kH, std::move(a)), tensor("b", kH, std::move(b))},
                    {tensor("c", kH, std::move(out))}, 0.1);
    l.parameter_type = "MatrixMultiply";
    return work_of(l, LayerRole::gemm);
  };
  // b_shuf_int8's /MatMul, and the same with the second matrix transposed.
  EXPECT_EQ(product({128, 3, 49, 32}, {128, 3, 32, 49}, {128, 3, 49, 49}).macs,
            128.0 * 3 * 49 * 49 * 32);
  EXPECT_EQ(product({128, 3, 49, 32}, {128, 3, 49, 32}, {128, 3, 49, 49}).macs,
            128.0 * 3 * 49 * 49 * 32);
  // One matrix for all of the batch.
  EXPECT_EQ(product({8, 16, 64}, {1, 64, 10}, {8, 16, 10}).macs, 8.0 * 16 * 10 * 64);
  EXPECT_FALSE(product({8, 16, 64}, {8, 63, 10}, {8, 17, 10}).macs);
  EXPECT_FALSE(product({-1, 16, 64}, {-1, 64, 10}, {-1, 16, 10}).macs);
}

TEST(LayerWork, OfAProductWithAConstantThatIsNotListed) {
  // A Myelin gemm: the weights are inside, alpha is not.
  const Layer plain = layer("m", "gemm", {tensor("a", kH, {1, 1370, 1536})},
                            {tensor("c", kH, {1, 1370, 384})}, 0.1);
  const LayerWork work = work_of(plain, LayerRole::gemm);
  EXPECT_EQ(work.macs, 1370.0 * 1536 * 384);
  EXPECT_EQ(work.bytes, 2.0 * (1370 * 1536 + 1370 * 384 + 1536 * 384));
  EXPECT_TRUE(work.is_estimate);
  // With what is added to the product, in either order.
  const Layer sum =
      layer("m", "gemm", {tensor("r", kH, {1, 1370, 384}), tensor("a", kH, {1, 1370, 1536})},
            {tensor("c", kH, {1, 1370, 384})}, 0.1);
  EXPECT_EQ(work_of(sum, LayerRole::gemm).macs, 1370.0 * 1536 * 384);
}

TEST(LayerWork, OfImplicitBatchMultipliesByIt) {
  const Layer l = convolution({64, 56, 56}, {64, 56, 56}, {3, 3}, 1, 36864);
  Build build = test::build_of({l});
  EXPECT_EQ(implicit_batch_of(build), std::nullopt);
  EXPECT_FALSE(work_of(l, LayerRole::convolution, implicit_batch_of(build)).macs);
  build.inference.batch = 4;
  const LayerWork work = work_of(l, LayerRole::convolution, implicit_batch_of(build));
  EXPECT_EQ(work.macs, 4.0 * 64 * 56 * 56 * 576);
  EXPECT_EQ(work.bytes, 2.0 * (4 * 2 * 64 * 56 * 56 + 36864));
}

TEST(LayerWork, OfDynamicShapesIsUnknown) {
  const Layer l = convolution({-1, 64, 56, 56}, {-1, 64, 56, 56}, {3, 3}, 1, 36864);
  EXPECT_FALSE(work_of(l, LayerRole::convolution).macs);
  EXPECT_FALSE(work_of(l, LayerRole::convolution).bytes);
}

TEST(LayerWork, CountsWhatTheFormatsStore) {
  Layer l = convolution({8, 3, 10, 10}, {8, 3, 10, 10}, {1, 1}, 1, 9);
  l.outputs[0].format = "Channel major FP16 format where channel % 8 == 0";
  EXPECT_EQ(work_of(l, LayerRole::convolution).bytes, 2.0 * (8 * 3 * 100 + 8 * 8 * 100 + 9));
  l.outputs[0].format = "Row major linear FP16 format";
  EXPECT_EQ(work_of(l, LayerRole::convolution).bytes, 2.0 * (2 * 8 * 3 * 100 + 9));
}

TEST(LayerWork, CountsHalfOfSparseWeightsAndTheirPlaces) {
  Layer l = convolution({1, 64, 1, 1}, {1, 64, 1, 1}, {1, 1}, 1, 4096);
  const double activations = 2.0 * 2 * 64;
  l.sparse_weights = true;
  EXPECT_EQ(work_of(l, LayerRole::convolution).bytes, activations + 2048 * 2 + 2048.0 / 4);
  l.sparse_weights = false;
  EXPECT_EQ(work_of(l, LayerRole::convolution).bytes, activations + 4096 * 2);
}

Layer attention(const Dims& q, const Dims& k, const Dims& v) {
  return layer(
      "mha", "kgen",
      {tensor("q", kH, q.values()), tensor("k", kH, k.values()), tensor("v", kH, v.values())},
      {tensor("o", kH, {q[0], q[1], q[2], v[3]})}, 0.1);
}

TEST(LayerWork, OfFusedAttentionIsThatOfItsTwoProducts) {
  const double macs = 2.0 * 8 * 12 * 197 * 197 * 64;
  EXPECT_EQ(
      work_of(attention({8, 12, 197, 64}, {8, 12, 64, 197}, {8, 12, 197, 64}), LayerRole::attention)
          .macs,
      macs);
  EXPECT_EQ(
      work_of(attention({8, 12, 197, 64}, {8, 12, 197, 64}, {8, 12, 197, 64}), LayerRole::attention)
          .macs,
      macs);
  // Queries of another sequence than keys and values.
  EXPECT_EQ(
      work_of(attention({8, 12, 50, 64}, {8, 12, 77, 64}, {8, 12, 77, 64}), LayerRole::attention)
          .macs,
      2.0 * 8 * 12 * 50 * 77 * 64);
}

TEST(LayerWork, OfPackedAttentionIsUnknown) {
  const Layer packed = layer("mha", "kgen", {tensor("qkv", kH, {8, 197, 12, 3, 64})},
                             {tensor("o", kH, {8, 197, 12, 64})}, 0.1);
  EXPECT_FALSE(work_of(packed, LayerRole::attention).macs);
  EXPECT_FALSE(
      work_of(attention({8, 12, 197, 64}, {8, 12, 32, 197}, {8, 12, 197, 64}), LayerRole::attention)
          .macs);
}

}  // namespace
}  // namespace trtlens::layer_work_test
