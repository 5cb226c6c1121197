// Weights, kernel and groups of layers whose record lists constants, in both forms of layer info.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyzers/graph/layer_work.h"
#include "analyzers/precision/precision.h"
#include "parsers/json/json_inputs.h"
#include "parsers/text/constants.h"
#include "tests/unit/log_sample.h"

namespace trtlens::myelin_constants_test {
namespace {

Tensor sized(std::vector<std::int64_t> dims, DataType type = DataType::fp32) {
  Tensor t;
  t.dims = std::move(dims);
  t.has_dims = true;
  t.type = type;
  return t;
}

Layer with(const std::string& name, const std::string& type, std::vector<std::int64_t> in,
           std::vector<std::int64_t> out) {
  Layer l;
  l.name = name;
  l.layer_type = type;
  l.inputs = {sized(std::move(in))};
  l.outputs = {sized(std::move(out))};
  return l;
}

TEST(Constants, WeightsOfAConvolutionTellItsKernelAndGroups) {
  Layer l = with("/dw/Conv_myl0_2", "correlation", {2, 48, 20, 30}, {2, 96, 20, 30});
  take_constants(l, {sized({1}), sized({1, 96, 1, 1}), sized({96, 12, 3, 5}, DataType::fp16)});
  ASSERT_TRUE(l.weights);
  EXPECT_EQ(l.weights->type, DataType::fp16);
  EXPECT_EQ(l.weights->count, 96 * 12 * 15);
  EXPECT_EQ(l.kernel, (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(l.groups, 4);
  EXPECT_EQ(l.out_maps, 96);
  const LayerWork work = work_of(l, LayerRole::convolution);
  ASSERT_TRUE(work.macs);
  EXPECT_DOUBLE_EQ(*work.macs, 2.0 * 96 * 20 * 30 * 12 * 15);
}

TEST(Constants, ABiasAloneIsNoWeights) {
  Layer l = with("/stem/Conv_myl0_2", "correlation", {1, 3, 20, 30}, {1, 16, 20, 30});
  take_constants(l, {sized({1, 16, 1, 1}), sized({16}), sized({16, 2, 3, 3})});
  EXPECT_FALSE(l.weights);  // 3 channels are no groups of 2
  EXPECT_TRUE(l.kernel.empty());
  Layer product = with("/fc/Gemm_myl0_3", "gemm", {1, 3136}, {1, 1024});
  take_constants(product, {sized({1, 1024}), sized({1024, 1}), sized({1})});
  EXPECT_FALSE(product.weights);
}

// TensorRT's tensors have at most eight; more are no tensors, and would be multiplied in vain.
TEST(Constants, UpToEightDimensions) {
  Layer l = with("/fc/Gemm_myl0_3", "gemm", {1, 1, 1, 1, 1, 1, 8, 640}, {1, 1, 1, 1, 1, 1, 8, 12});
  take_constants(l, {sized({640, 12})});
  EXPECT_TRUE(l.weights);
  Layer more = with("/fc/Gemm_myl0_3", "gemm", {1, 1, 1, 1, 1, 1, 1, 8, 640}, {8, 12});
  take_constants(more, {sized({640, 12})});
  EXPECT_FALSE(more.weights);
}

TEST(Constants, WeightsOfAProductStandInEitherOrder) {
  for (const auto& dims :
       std::vector<std::vector<std::int64_t>>{{640, 12}, {12, 640}, {1, 640, 12}}) {
    Layer l = with("/fc/Gemm_myl0_3", "gemm", {8, 640}, {8, 12});
    take_constants(l, {sized({1, 12}), sized(dims, DataType::fp8)});
    ASSERT_TRUE(l.weights);
    EXPECT_EQ(l.weights->type, DataType::fp8);
    EXPECT_EQ(l.weights->count, 640 * 12);
  }
  // Open dimensions; a vector as a column.
  Layer open = with("/fc/Gemm_myl0_3", "gemm", {-1, 640}, {-1, 12});
  take_constants(open, {sized({640, 12})});
  EXPECT_TRUE(open.weights);
  Layer column = with("__myl_MulSum_myl0_8", "kgen", {640, 1}, {1, 12});
  take_constants(column, {sized({640, 12})});
  ASSERT_TRUE(column.weights);
  EXPECT_EQ(role_of(column), LayerRole::gemm);
  EXPECT_DOUBLE_EQ(work_of(column, LayerRole::gemm).macs.value_or(0), 640 * 12);
}

TEST(Constants, OtherLayersAndKnownWeightsStayAsTheyAre) {
  Layer sum = with("__myl_AddRelu_myl0_8", "kgen", {8, 640}, {8, 12});
  take_constants(sum, {sized({640, 12})});
  EXPECT_FALSE(sum.weights);
  Layer known = with("/fc/Gemm_myl0_3", "gemm", {8, 640}, {8, 12});
  known.weights = Weights{DataType::int8, 5};
  take_constants(known, {sized({640, 12})});
  EXPECT_EQ(known.weights->count, 5);
  // Sizes whose product no number holds.
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  Layer hostile = with("/fc/Gemm_myl0_3", "gemm", {0, kHuge}, {0, kHuge});
  take_constants(hostile, {sized({kHuge, kHuge}), sized({0, kHuge, kHuge}), sized({-1, kHuge})});
  EXPECT_FALSE(hostile.weights);
}

constexpr const char* kJson = R"({"Layers": [{
  "Name": "/fc/Gemm_myl0_3", "LayerType": "gemm",
  "Inputs": [{"Name": "a", "Dimensions": [2,640], "Datatype": "Half",
              "Format": "(Linear) Row major linear format"}],
  "Constants": [
    {"Name": "alpha", "Dimensions": [1], "Datatype": "Half"},
    {"Name": "w", "Dimensions": [640,12], "Datatype": "Half",
     "Format": "(Transposed) Transposed format"}],
  "Outputs": [{"Name": "b", "Dimensions": [2,12], "Datatype": "Half",
               "Format": "(Linear) Row major linear format"}],
  "TacticName": "", "StreamId": 0, "Metadata": ""},
 {"Name": "/fc2/Gemm_myl0_4", "LayerType": "gemm",
  "Inputs": [{"Name": "b", "Dimensions": [2,12], "Datatype": "Half"}],
  "Outputs": [{"Name": "c", "Dimensions": [2,640], "Datatype": "Half"}]}]})";

TEST(Constants, AreReadFromJson) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<JsonRecords> records = read_json(kJson, "layers.json", 3, diagnostics);
  ASSERT_EQ(records.size(), 1U);
  ASSERT_EQ(records[0].layers.size(), 2U);
  const Layer& l = records[0].layers[0];
  ASSERT_TRUE(l.weights);
  EXPECT_EQ(l.weights->type, DataType::fp16);
  EXPECT_EQ(l.weights->count, 7680);
  EXPECT_EQ(l.inputs.size(), 1U);
  EXPECT_EQ(l.outputs.size(), 1U);
  EXPECT_FALSE(records[0].layers[1].weights);  // those of the layer in front are not its own
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Constants, AreReadFromALog) {
  const std::string record =
      "Name: /fc/Gemm_myl0_3, LayerType: gemm, Inputs: [ { Name: a, Dimensions: [2,640], Strides: "
      "[640,1], StrideOrder: [1,0], Datatype: Half, Format: (Linear) Row major linear format }], "
      "Constants: [ { Name: w, Dimensions: [640,12], Strides: [1,640], StrideOrder: [0,1], "
      "Datatype: Half, Format: (Transposed) Transposed format }, { Name: bias, Dimensions: [1,12], "
      "Strides: [12,1], StrideOrder: [1,0], Datatype: Half, Format: (Linear) Row major linear "
      "format }], Outputs: [ { Name: b, Dimensions: [2,12], Strides: [12,1], StrideOrder: [1,0], "
      "Datatype: Half, Format: (Linear) Row major linear format }], TacticName: , StreamId: 0, "
      "Metadata: [ONNX Layer: /fc/Gemm]";
  const ParsedLog log = parse_log(own_lines({"Layer Information:"}) + record + "\n");
  ASSERT_EQ(log.build().layers.size(), 1U);
  const Layer& l = log.build().layers[0];
  ASSERT_TRUE(l.weights);
  EXPECT_EQ(l.weights->type, DataType::fp16);
  EXPECT_EQ(l.weights->count, 7680);
  EXPECT_EQ(l.inputs.size(), 1U);
  ASSERT_EQ(l.outputs.size(), 1U);
  EXPECT_EQ(l.outputs[0].name, "b");
  ASSERT_EQ(l.onnx_nodes.size(), 1U);
  EXPECT_EQ(l.onnx_nodes[0], "/fc/Gemm");
}

}  // namespace
}  // namespace trtlens::myelin_constants_test
