// Short labels of layers.
#include "analyzers/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/text/names.h"

namespace trtlens::labels_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> labels_of(const std::vector<std::string>& names) {
  Build build;
  for (const std::string& name : names) {
    Layer layer;
    layer.name = name;
    layer.onnx_nodes = onnx_nodes_of_name(layer.name);
    build.layers.push_back(layer);
  }
  const SharedLabels shared(build);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < names.size(); ++i) labels.push_back(shared.of(build, i));
  return labels;
}

TEST(Labels, OfNodes) {
  EXPECT_EQ(node_label("/layer1/layer1.0/conv2/Conv"), "layer1.0.conv2");
  EXPECT_EQ(node_label("/layer1/layer1.0/downsample/downsample.0/Conv"),
            "layer1.0.downsample.0.Conv");
  EXPECT_EQ(node_label("/fc/Gemm"), "fc.Gemm");
  EXPECT_EQ(node_label("/maxpool/MaxPool"), "maxpool");
  EXPECT_EQ(node_label("/layer1/layer10/Conv_3"), "layer1.layer10.Conv_3");
  EXPECT_EQ(node_label("/conv1/Conv_3"), "conv1");
  EXPECT_EQ(node_label("Conv_34"), "Conv_34");
  EXPECT_EQ(node_label("/"), "/");
  EXPECT_EQ(node_label(""), "");
}

TEST(Labels, LeaveOutWeightsAndQuantizers) {
  EXPECT_THAT(labels_of({"onnx::Conv_199 + QuantizeLinear_15 + /layer1/layer1.0/conv2/Conv + "
                         "/layer1/layer1.0/Add + /layer1/layer1.0/relu_1/Relu",
                         "QuantizeLinear_7", "/a/Conv + /b/Add", "PWN(/d1/d1.2/LeakyRelu)",
                         "/c/conv/conv.0/Conv + /c/conv/conv.1/Conv"}),
              ElementsAre("layer1.0.conv2 + Add + relu_1", "QuantizeLinear_7", "a.Conv + b.Add",
                          "d1.2.LeakyRelu", "c.conv.0 + conv.1"));
}

TEST(Labels, LeaveOutWhatToolsNameQuantizersAndWeights) {
  const auto label = [](const std::vector<std::string>& nodes) {
    Build build;
    build.layers.emplace_back().name = std::string("__myl_x_myl0_1");
    for (const std::string& node : nodes) build.layers[0].onnx_nodes.emplace_back(node);
    return SharedLabels(build).of(build, 0);
  };
  EXPECT_EQ(label({"/a/Gemm", "input_Dequantize", "a.weight_Dequantize", "weight_Quantize"}),
            "a.Gemm");
  EXPECT_EQ(label({"/b/Gemm", "/Relu", "/Relu_output_0_Quantize"}), "b.Gemm + Relu");
  EXPECT_EQ(
      label({"net/c1/LastValueQuant/ReadVariableOp:0", "QuantLinearNode__694", "net/c1/Conv2D"}),
      "net.c1.Conv2D");
  EXPECT_EQ(label({"/classifier/1/addmm_mm", "/classifier/1/addmm_constant_0"}),
            "classifier.1.addmm_mm");
  EXPECT_EQ(label({"input_Quantize"}), "input_Quantize");
  EXPECT_EQ(label({"/a/Quantizer", "12"}), "a.Quantizer + 12");
}

// Their own names are numbers: what they read says where they stand.
TEST(Labels, OfQuantizersSayWhatTheyRead) {
  const auto label = [](const std::string& name, const std::string& reads) {
    Build build;
    Layer layer;
    layer.name = name;
    layer.onnx_nodes = onnx_nodes_of_name(layer.name);
    layer.inputs.emplace_back().name = reads;
    build.layers.push_back(layer);
    return SharedLabels(build).of(build, 0);
  };
  EXPECT_EQ(label("QuantizeLinear_7", "/maxpool/MaxPool_output_0"), "maxpool -> Q");
  EXPECT_EQ(label("DequantizeLinear_28", "/f/f.2/conv.0/Conv_output_0_q"), "f.2.conv.0 -> DQ");
  EXPECT_EQ(label("QuantizeLinear_0", "input"), "input -> Q");
  EXPECT_EQ(label("QuantizeLinear_0", "onnx::Conv_12"), "QuantizeLinear_0");
  EXPECT_EQ(label("QuantizeLinear_0", "123"), "QuantizeLinear_0");
  EXPECT_EQ(label("/c/Conv", "/maxpool/MaxPool_output_0"), "c.Conv");
}

TEST(Labels, OfRegionsWithoutALastName) {
  EXPECT_THAT(labels_of({"{ForeignNode[blocks.0.n1.weight...(Unnamed Layer* 416) [ElementWise]]}",
                         "{ForeignNode[/a/a.0/Add...(Unnamed Layer* 8) [ElementWise]]}",
                         "{ForeignNode[onnx::MatMul_621...(Unnamed Layer* 865) [ElementWise]]}",
                         "{ForeignNode[/b/Cast_8...ONNXTRT_unsqueezeTensor_12]}"}),
              ElementsAre("region from blocks.0.n1", "region from a.0.Add", "region",
                          "region from b.Cast_8"));
}

TEST(Labels, OfConversionsAndRegions) {
  EXPECT_THAT(labels_of({"Reformatting CopyNode for Input Tensor 0 to /maxpool/MaxPool",
                         "Reformatting CopyNode for Output Tensor 0 to /maxpool/MaxPool",
                         "Reformatting CopyNode for Input Tensor 0 to {ForeignNode[/a.../b]}",
                         "{ForeignNode[/d3/d3.0/Add.../d3/d3.1/InstanceNormalization]}",
                         "{ForeignNode[d3.1.weight.../d3/d3.1/Mul]}",
                         "{ForeignNode[onnx::Add_9 + (Unnamed Layer* 3) [Shuffle].../a/Cat + "
                         "/a/Mul]}",
                         "__myl_MulSum_myl0_1"}),
              ElementsAre("reformat -> maxpool", "maxpool -> reformat", "reformat -> region",
                          "region d3.0.Add to d3.1.InstanceNormalization", "region to d3.1.Mul",
                          "region to a.Mul", "__myl_MulSum_myl0_1"));
}

TEST(Labels, OfConversionsNameTheNodesOfTheirLayer) {
  const std::string to = "Reformatting CopyNode for Input Tensor 0 to ";
  EXPECT_THAT(labels_of({to + "PWN(PWN(/m.0/act/Sigmoid), PWN(/m.0/act/Mul))",
                         to + "fc.weight + QuantizeLinear_255 + Gemm_257 + fc.bias + (Unnamed "
                              "Layer* 306) [Shuffle]",
                         to + "QuantizeLinear_634", to + "plain name", to + "__myl_MulSum_myl0_1"}),
              ElementsAre("reformat -> m.0.act.Sigmoid + Mul", "reformat -> Gemm_257",
                          "reformat -> QuantizeLinear_634", "reformat -> plain name",
                          "reformat -> __myl_MulSum_myl0_1"));
}

TEST(Labels, OfManyNodesNameThree) {
  EXPECT_THAT(labels_of({"/m/Mul + /m/Add + /m/Exp + /m/Erf",
                         "/m/Mul + /m/Add + /m/Exp + /m/Erf + /m/Abs"}),
              ElementsAre("m.Mul + Add + Exp + Erf", "m.Mul + Add + Exp + 2 more"));
}

TEST(Labels, AreAllDifferent) {
  EXPECT_THAT(labels_of({"/a/Add", "onnx::Add_3 + /a/Add", "/a/Mul"}),
              ElementsAre("a.Add #0", "a.Add #1", "a.Mul"));
}

}  // namespace
}  // namespace trtlens::labels_test
