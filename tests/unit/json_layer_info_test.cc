// Layer info of every version, with and without details.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/json/json_inputs.h"

namespace trtlens::json_layer_info_test {
namespace {

std::vector<JsonRecords> read_clean(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  std::vector<JsonRecords> records = read_json(text, "layers.json", 3, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << diagnostic.id;
  return records;
}

JsonRecords read_one(const std::string& text) {
  std::vector<JsonRecords> records = read_clean(text);
  EXPECT_EQ(records.size(), 1U);
  return records.empty() ? JsonRecords{} : records.front();
}

constexpr const char* kDetailed = R"({"Layers": [{
  "Name": "conv1 + relu1",
  "LayerType": "CaskConvolution",
  "Inputs": [
  {
    "Name": "x",
    "Location": "Device",
    "Dimensions": [1,3,8,8],
    "Format/Datatype": "Row major linear FP32"
  }],
  "Outputs": [
  {
    "Name": "y",
    "Dimensions": [1,16,8,8],
    "Format/Datatype": "Half"
  }],
  "ParameterType": "Convolution",
  "Kernel": [3,3],
  "PaddingMode": "kEXPLICIT_ROUND_DOWN",
  "PrePadding": [1,1],
  "Stride": [2,2],
  "OutMaps": 16,
  "Groups": 1,
  "Weights": {"Type": "Half", "Count": 432},
  "Bias": {"Type": "Float", "Count": 16},
  "Activation": "RELU",
  "TacticName": "sm80_xmma_fprop",
  "TacticValue": "0xfffffffffffffffc",
  "StreamId": 2,
  "Metadata": "[ONNX Layer: /conv1]\u001e[ONNX Layer: /relu1]"
},{
  "Name": "copy [profile 1]",
  "LayerType": "Reformat",
  "Inputs": [],
  "Outputs": [],
  "ParameterType": "Reformat",
  "Origin": "QDQ",
  "TacticValue": "-1"
}],
"Bindings": ["x"
,"y"
]})";

TEST(JsonLayerInfo, ReadsEveryField) {
  const JsonRecords records = read_one(kDetailed);
  EXPECT_EQ(records.kind, InputKind::layer_info);
  EXPECT_FALSE(records.names_only);
  ASSERT_EQ(records.layers.size(), 2U);
  const Layer& conv = records.layers[0];
  EXPECT_EQ(conv.name, "conv1 + relu1");
  EXPECT_EQ(conv.layer_type, "CaskConvolution");
  EXPECT_EQ(conv.parameter_type, "Convolution");
  EXPECT_EQ(conv.kernel, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(conv.stride, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(conv.out_maps, 16);
  EXPECT_EQ(conv.groups, 1);
  ASSERT_TRUE(conv.weights && conv.bias);
  EXPECT_EQ(conv.weights->type, DataType::fp16);
  EXPECT_EQ(conv.weights->count, 432);
  EXPECT_EQ(conv.bias->count, 16);
  EXPECT_EQ(conv.activation, "RELU");
  EXPECT_EQ(conv.tactic_name, "sm80_xmma_fprop");
  EXPECT_EQ(conv.tactic_id, 0xfffffffffffffffcU);
  EXPECT_EQ(conv.stream_id, 2);
  EXPECT_EQ(conv.onnx_nodes, (std::vector<SharedText>{"/conv1", "/relu1"}));
  EXPECT_EQ(conv.found_in, kFoundInLayerInfo);
  ASSERT_EQ(conv.inputs.size(), 1U);
  EXPECT_EQ(conv.inputs[0].dims, (std::vector<std::int64_t>{1, 3, 8, 8}));
  EXPECT_EQ(conv.inputs[0].type, DataType::fp32);
  EXPECT_EQ(conv.inputs[0].format, "Row major linear FP32");
  const Layer& copy = records.layers[1];
  EXPECT_EQ(copy.origin, "QDQ");
  EXPECT_EQ(copy.opt_profile, 1);
  EXPECT_EQ(copy.name, "copy [profile 1]");
  EXPECT_EQ(copy.tactic_id, ~std::uint64_t{0});
  EXPECT_FALSE(copy.stream_id.has_value());
}

TEST(JsonLayerInfo, ACountOfWeightsThatIsNoneIsUnknown) {
  for (const char* count : {"-5", "9223372036854775807", "576460752303423488", "1e300", "1.5",
                            "1000000000000001", "\"many\"", "null"}) {
    std::vector<Diagnostic> diagnostics;
    const std::vector<JsonRecords> all =
        read_json(fmt::format(R"({{"Layers": [{{"Name": "a", "LayerType": "x",
"Weights": {{"Type": "Half", "Count": {0}}}, "Bias": {{"Type": "Half", "Count": {0}}}}}]}})",
                              count),
                  "e.json", 0, diagnostics);
    ASSERT_EQ(all.size(), 1U);
    const Layer& layer = all[0].layers.at(0);
    EXPECT_FALSE(layer.weights || layer.bias) << count;
    ASSERT_EQ(diagnostics.size(), 1U) << count;
    EXPECT_EQ(diagnostics[0].id, "json-impossible-count");
    EXPECT_EQ(diagnostics[0].line, 2U);
  }
}

TEST(JsonLayerInfo, LayersKeepTheirPlace) {
  const JsonRecords records = read_one(kDetailed);
  ASSERT_EQ(records.layers.size(), 2U);
  EXPECT_EQ(records.layers[0].pos.file, 3U);
  EXPECT_EQ(records.layers[0].pos.line, 1U);
  EXPECT_EQ(records.layers[0].pos.column, 13U);
  EXPECT_EQ(records.layers[1].pos.line, 31U);
  EXPECT_EQ(records.layers[1].pos.column, 3U);
}

TEST(JsonLayerInfo, BindingsGetTheirFactsFromTheLayers) {
  const JsonRecords records = read_one(kDetailed);
  ASSERT_EQ(records.io_tensors.size(), 2U);
  EXPECT_TRUE(records.io_tensors[0].is_input);
  EXPECT_EQ(records.io_tensors[0].tensor.elements(), 192);
  EXPECT_FALSE(records.io_tensors[1].is_input);
  EXPECT_EQ(records.io_tensors[1].tensor.type, DataType::fp16);
}

TEST(JsonLayerInfo, DifferingWritersLeaveTheShapeUnknown) {
  const JsonRecords records = read_one(
      R"({"Layers":[{"Name":"a","LayerType":"X","Inputs":[],"Outputs":[{"Name":"y","Dimensions":[1,2],
      "Format/Datatype":"Half"}]},{"Name":"b","LayerType":"X","Inputs":[],
      "Outputs":[{"Name":"y","Dimensions":[1,3],"Format/Datatype":"Half"}]}],"Bindings":["y"]})");
  ASSERT_EQ(records.io_tensors.size(), 1U);
  EXPECT_FALSE(records.io_tensors[0].tensor.has_dims);
  EXPECT_EQ(records.io_tensors[0].tensor.type, DataType::fp16);
}

// TensorRT 11: a memset, a jump and the counter of a loop compute no node of the model.
TEST(JsonLayerInfo, BookkeepingOfMyelinComputesNoNode) {
  const JsonRecords records = read_one(
      R"({"Layers":[{"Name":"memset_8","LayerType":"memset","Metadata":"","Inputs":[],"Outputs":[]},
      {"Name":"g","LayerType":"gemm","Metadata":"[ONNX Layer: /fc]","Inputs":[],"Outputs":[]},
      {"Name":"conv1","LayerType":"correlation","Metadata":"","Inputs":[],"Outputs":[]},
      {"Name":"/box","LayerType":"custom_layer","Inputs":[],"Outputs":[]}],"Bindings":[]})");
  ASSERT_EQ(records.layers.size(), 4U);
  EXPECT_TRUE(records.layers[0].onnx_nodes.empty());
  EXPECT_EQ(records.layers[1].onnx_nodes, (std::vector<SharedText>{"/fc"}));
  EXPECT_EQ(records.layers[2].onnx_nodes, (std::vector<SharedText>{"conv1"}));
  EXPECT_EQ(records.layers[3].onnx_nodes, (std::vector<SharedText>{"/box"}));
}

TEST(JsonLayerInfo, NamesOnly) {
  const JsonRecords records = read_one(
      "{\"Layers\": [\"Conv__25 + Relu\"\n,\"MaxPool2d\"\n],\n\"Bindings\": "
      "[\"x:0\"\n,\"z:0\"\n]}");
  EXPECT_EQ(records.kind, InputKind::layer_info);
  EXPECT_TRUE(records.names_only);
  ASSERT_EQ(records.layers.size(), 2U);
  EXPECT_EQ(records.layers[1].pos.line, 2U);
  EXPECT_EQ(records.layers[1].pos.column, 2U);
  EXPECT_EQ(records.layers[0].onnx_nodes, (std::vector<SharedText>{"Conv__25", "Relu"}));
  ASSERT_EQ(records.io_tensors.size(), 2U);
  EXPECT_TRUE(records.io_tensors[0].is_input);
  EXPECT_FALSE(records.io_tensors[1].is_input);
}

TEST(JsonLayerInfo, MixedAndEmptyLists) {
  const JsonRecords mixed = read_one(R"({"Layers": ["a", {"Name": "b"}, ""], "Bindings": []})");
  EXPECT_FALSE(mixed.names_only);
  ASSERT_EQ(mixed.layers.size(), 3U);
  EXPECT_EQ(mixed.layers[1].name, "b");
  const JsonRecords empty = read_one(R"({"Layers": [], "Bindings": []})");
  EXPECT_EQ(empty.kind, InputKind::layer_info);
  EXPECT_TRUE(empty.layers.empty());
  EXPECT_FALSE(empty.names_only);
}

TEST(JsonLayerInfo, RootListAndBareLayers) {
  const std::string layer = R"({"Name": "a", "LayerType": "kgen", "Inputs": [], "Outputs": []})";
  const JsonRecords list = read_one("[" + layer + ", \"b\"]");
  EXPECT_EQ(list.kind, InputKind::layer_info);
  EXPECT_EQ(list.layers.size(), 2U);
  const JsonRecords bare = read_one(layer);
  EXPECT_EQ(bare.kind, InputKind::layer_info);
  ASSERT_EQ(bare.layers.size(), 1U);
  EXPECT_EQ(bare.layers[0].layer_type, "kgen");
  const JsonRecords several = read_one(layer + layer + "\n" + layer);
  EXPECT_EQ(several.layers.size(), 3U);
  const JsonRecords led_by_string = read_one("\"first\"\n" + layer);
  ASSERT_EQ(led_by_string.layers.size(), 2U);
  EXPECT_EQ(led_by_string.layers[0].name, "first");
}

TEST(JsonLayerInfo, ConvActPoolPrefixes) {
  const JsonRecords records = read_one(R"({"Layers": [{"Name": "c", "LayerType": "CaskConvActPool",
    "ParameterType": "ConvActPool", "ConvKernel": [7, 7], "ConvStride": [2, 2], "ConvOutMaps": 64,
    "ConvGroups": 1, "ConvWeights": {"Type": "Int8", "Count": 9408},
    "ConvBias": {"Type": "Float", "Count": 64}, "ConvActivation": "RELU",
    "PoolingWindowSize": [3, 3], "PoolingStride": [1, 1]}]})");
  ASSERT_EQ(records.layers.size(), 1U);
  const Layer& layer = records.layers[0];
  EXPECT_EQ(layer.kernel, (std::vector<std::int64_t>{7, 7}));
  EXPECT_EQ(layer.stride, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(layer.out_maps, 64);
  ASSERT_TRUE(layer.weights && layer.bias);
  EXPECT_EQ(layer.weights->type, DataType::int8);
  EXPECT_EQ(layer.weights->count, 9408);
  EXPECT_EQ(layer.activation, "RELU");
}

TEST(JsonLayerInfo, SplitFormatAndIoTensorsOf11) {
  const JsonRecords records = read_one(R"({"Layers": [{"Name": "c", "LayerType": "gemm",
    "Inputs": [{"Name": "x", "Dimensions": [-1, 64], "Datatype": "FP8", "Format": "kLINEAR",
                "Strides": [64, 1], "StrideOrder": [1, 0]}],
    "Outputs": [{"Name": "y", "Dimensions": [], "Datatype": "Float", "Strides": [64, 1]}]}],
    "I/O Tensors": [
      {"Name": "x", "IOMode": "kINPUT", "DataType": "FP8", "Dimensions": [-1, 64],
       "ProfileInfo": [{"MinShape": [1, 64], "OptShape": [8, 64], "MaxShape": [9, 64]}]},
      {"Name": "y", "IOMode": "Output", "DataType": "Float", "Dimensions": []}]})");
  ASSERT_EQ(records.layers.size(), 1U);
  const Tensor& in = records.layers[0].inputs.at(0);
  EXPECT_EQ(in.type, DataType::fp8);
  EXPECT_EQ(in.format, "kLINEAR");
  EXPECT_FALSE(in.elements().has_value());
  const Tensor& out = records.layers[0].outputs.at(0);
  EXPECT_EQ(out.format, "(64,1)");
  EXPECT_EQ(out.elements(), 1);
  ASSERT_EQ(records.io_tensors.size(), 2U);
  EXPECT_TRUE(records.io_tensors[0].is_input);
  EXPECT_EQ(records.io_tensors[0].tensor.dims, (std::vector<std::int64_t>{-1, 64}));
  EXPECT_FALSE(records.io_tensors[1].is_input);
  EXPECT_EQ(records.io_tensors[1].tensor.type, DataType::fp32);
  ASSERT_EQ(records.io_tensors[0].shapes.size(), 1U);
  EXPECT_EQ(records.io_tensors[0].shapes[0].min, (std::vector<std::int64_t>{1, 64}));
  EXPECT_EQ(records.io_tensors[0].shapes[0].opt, (std::vector<std::int64_t>{8, 64}));
  EXPECT_EQ(records.io_tensors[0].shapes[0].max, (std::vector<std::int64_t>{9, 64}));
  EXPECT_TRUE(records.io_tensors[1].shapes.empty());
}

// Of an output a profile has the format only; the second profile stays the second.
TEST(JsonLayerInfo, ShapesOfSeveralProfiles) {
  const JsonRecords records = read_one(R"({"Layers": [], "I/O Tensors": [
      {"Name": "x", "IOMode": "Input", "DataType": "Float", "Dimensions": [-1],
       "ProfileInfo": [{"Format": "kLINEAR"}, {"MinShape": [1], "OptShape": [4], "MaxShape": [8]}]},
      {"Name": "y", "IOMode": "Output", "Dimensions": [-1], "ProfileInfo": [{"Format": "kLINEAR"}]},
      {"Name": "z", "IOMode": "Input", "Dimensions": [2], "ProfileInfo": []}]})");
  ASSERT_EQ(records.io_tensors.size(), 3U);
  ASSERT_EQ(records.io_tensors[0].shapes.size(), 1U);
  EXPECT_EQ(records.io_tensors[0].shapes[0].profile, 1);
  EXPECT_EQ(records.io_tensors[0].shapes[0].opt, (std::vector<std::int64_t>{4}));
  EXPECT_TRUE(records.io_tensors[1].shapes.empty());
  EXPECT_TRUE(records.io_tensors[2].shapes.empty());
}

// In a list of records each of these members alone says that one is a layer.
TEST(JsonLayerInfo, OneMemberMakesALayer) {
  for (const char* member : {"LayerType", "ParameterType", "TacticName", "TacticValue"}) {
    const JsonRecords records =
        read_one(std::string(R"([{"Name": "a", ")") + member + R"(": "0x1"}])");
    ASSERT_EQ(records.layers.size(), 1U) << member;
    EXPECT_EQ(records.layers[0].name, "a");
  }
}

TEST(JsonLayerInfo, OddMemberTypesAreTolerated) {
  const JsonRecords records = read_one(R"({"Layers": [
    {"Name": "s", "LayerType": "Shuffle", "Reshape": "nbDims=-1", "Kernel": "x", "Groups": null,
     "Operations": ["auto const v0 = pwgen::iMul(a, b);"], "Constants": [{"Name": "k"}],
     "TacticValue": 17, "Inputs": [{"Name": "x", "Dimensions": ["N", 3]}], "Extra": {"Name": "no"}},
    {"Name": "k", "LayerType": "Constant", "weights": {"Type": "Float", "Count": 5}}]})");
  ASSERT_EQ(records.layers.size(), 2U);
  EXPECT_EQ(records.layers[0].name, "s");
  EXPECT_EQ(records.layers[0].tactic_id, 17U);
  EXPECT_FALSE(records.layers[0].groups.has_value());
  EXPECT_FALSE(records.layers[0].inputs.at(0).has_dims);
  ASSERT_TRUE(records.layers[1].weights.has_value());
  EXPECT_EQ(records.layers[1].weights->count, 5);
}

}  // namespace
}  // namespace trtlens::json_layer_info_test
