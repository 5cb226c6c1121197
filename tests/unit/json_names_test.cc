// Names of fused layers and their ONNX nodes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/text/names.h"

namespace trtlens::json_names_test {
namespace {

using Names = std::vector<SharedText>;

TEST(JsonMetadata, SplitsAtBothSeparators) {
  EXPECT_EQ(
      onnx_nodes_of_metadata("[ONNX Layer: /Reshape]\x1e[ONNX Layer: /T]\x1f[ONNX Layer: /A]"),
      (Names{"/Reshape", "/T", "/A"}));
}

TEST(JsonMetadata, DropsEmptyAndRepeatedItems) {
  EXPECT_EQ(onnx_nodes_of_metadata("[ONNX Layer: X]\x1e"), (Names{"X"}));
  EXPECT_EQ(onnx_nodes_of_metadata("[ONNX Layer: a]\x1f[ONNX Layer: b]\x1f[ONNX Layer: a]"),
            (Names{"a", "b"}));
  EXPECT_TRUE(onnx_nodes_of_metadata("").empty());
}

TEST(JsonMetadata, SurvivesLostSeparators) {
  EXPECT_EQ(onnx_nodes_of_metadata("[ONNX Layer: a][ONNX Layer: b]"), (Names{"a", "b"}));
  EXPECT_EQ(onnx_nodes_of_metadata("[ONNX Layer: a]+[ONNX Layer: b]"), (Names{"a", "b"}));
  EXPECT_EQ(onnx_nodes_of_metadata("[ONNX Layer: a]\xef\xbf\xbd[ONNX Layer: b]"),
            (Names{"a", "b"}));
}

TEST(JsonMetadata, KeepsBracketsInsideNames) {
  EXPECT_EQ(onnx_nodes_of_metadata("[ONNX Layer: a[0]]\x1e[ONNX Layer: b]c]"),
            (Names{"a[0]", "b]c"}));
}

TEST(JsonNames, SplitsFusions) {
  EXPECT_EQ(onnx_nodes_of_name("Conv_0 + Relu_1"), (Names{"Conv_0", "Relu_1"}));
  EXPECT_EQ(onnx_nodes_of_name("/a/Conv || /b/Conv"), (Names{"/a/Conv", "/b/Conv"}));
  EXPECT_EQ(onnx_nodes_of_name("Conv_0"), (Names{"Conv_0"}));
}

TEST(JsonNames, OpensPointwiseNests) {
  EXPECT_EQ(onnx_nodes_of_name("/c/Conv + PWN(PWN(/act/Sigmoid), PWN(/act/Mul))"),
            (Names{"/c/Conv", "/act/Sigmoid", "/act/Mul"}));
  EXPECT_EQ(onnx_nodes_of_name("PWN(PWN(/Add_2), PWN(/Constant_14_output_0 + ONNXTRT_Broadcast, "
                               "PWN(/Div_1)))"),
            (Names{"/Add_2", "/Div_1"}));
}

TEST(JsonNames, LeavesSeparatorsInsideBracketsAlone) {
  EXPECT_EQ(onnx_nodes_of_name("model/f(a + b)/Conv + Relu"),
            (Names{"model/f(a + b)/Conv", "Relu"}));
  // Brackets that do not balance are part of a name and group nothing.
  EXPECT_EQ(onnx_nodes_of_name("odd(name + Relu"), (Names{"odd(name", "Relu"}));
}

TEST(JsonNames, ForeignNodeHasItsTwoEnds) {
  EXPECT_EQ(onnx_nodes_of_name("{ForeignNode[/up/Resize.../dec/Slice_22]}"),
            (Names{"/up/Resize", "/dec/Slice_22"}));
  EXPECT_EQ(onnx_nodes_of_name("{ForeignNode[norm1.weight + (Unnamed Layer* 31) [Shuffle]..."
                               "/R_2 + /T_1]}"),
            (Names{"/R_2", "/T_1"}));
  EXPECT_EQ(onnx_nodes_of_name("{ForeignNode[[ELEMENTWISE]-[aten_ops.add.Tensor]-[/f/add_5]]}"),
            (Names{"/f/add_5"}));
}

TEST(JsonNames, TorchTensorRtNamesGiveTheirPath) {
  EXPECT_EQ(onnx_nodes_of_name("[CONVOLUTION]-[aten_ops.convolution.default]-[/f/0/convolution] + "
                               "[RELU]-[aten_ops.relu.default]-[/f/1/relu]"),
            (Names{"/f/0/convolution", "/f/1/relu"}));
}

TEST(JsonNames, InitializersAndTheirQuantizersAreNoNodes) {
  EXPECT_EQ(onnx_nodes_of_name("onnx::Conv_193 + QuantizeLinear_2 + /conv1/Conv + /relu/Relu"),
            (Names{"/conv1/Conv", "/relu/Relu"}));
  EXPECT_EQ(onnx_nodes_of_name("QuantizeLinear_15"), (Names{"QuantizeLinear_15"}));
  EXPECT_EQ(onnx_nodes_of_name("Reshape_143 + (Unnamed Layer* 169) [Shuffle]"),
            (Names{"Reshape_143"}));
}

TEST(JsonNames, UnnamedLayersCountWhenThereIsNothingElse) {
  EXPECT_EQ(
      onnx_nodes_of_name("(Unnamed Layer* 0) [Convolution] + (Unnamed Layer* 1) [Activation]"),
      (Names{"(Unnamed Layer* 0) [Convolution]", "(Unnamed Layer* 1) [Activation]"}));
}

TEST(JsonNames, HelpersBelongToTheirNode) {
  EXPECT_EQ(onnx_nodes_of_name("reshape_after_Gemm_120_copy_input"), (Names{"Gemm_120"}));
  EXPECT_EQ(onnx_nodes_of_name("reshape_before_/proj.0/MatMul"), (Names{"/proj.0/MatMul"}));
  EXPECT_EQ(onnx_nodes_of_name("Softmax_7_clone_1"), (Names{"Softmax_7"}));
}

TEST(JsonNames, MyelinKernels) {
  EXPECT_EQ(onnx_nodes_of_name("node_linear_myl5_2"), (Names{"node_linear"}));
  EXPECT_EQ(onnx_nodes_of_name("A+B+C_myl0_44"), (Names{"A", "B", "C"}));
  EXPECT_TRUE(onnx_nodes_of_name("__myl_AddMaxrSub_myl4_2").empty());
  EXPECT_EQ(onnx_nodes_of_name("node_linear [profile 1]_myl11_2"), (Names{"node_linear"}));
}

TEST(JsonNames, ReformatsAndCopiesHaveNoNode) {
  EXPECT_TRUE(onnx_nodes_of_name("Reformatting CopyNode for Input Tensor 0 to A + B").empty());
  EXPECT_TRUE(onnx_nodes_of_name("/model.6/cv1/act/Mul_output_0 copy").empty());
  EXPECT_TRUE(onnx_nodes_of_name("").empty());
}

TEST(JsonNames, DlaSubgraphListsItsLayers) {
  EXPECT_EQ(onnx_nodes_of_name("{conv1/7x7_s2,conv1/relu_7x7}"),
            (Names{"conv1/7x7_s2", "conv1/relu_7x7"}));
}

TEST(JsonNames, ReformatTarget) {
  EXPECT_EQ(reformat_target("Reformatting CopyNode for Input Tensor 0 to A + B"), "A + B");
  EXPECT_EQ(reformat_target("Reformatting CopyNode for Output Tensor 12 to X"), "X");
  EXPECT_EQ(reformat_target("Reformatting CopyNode for Network Input x"), "x");
  EXPECT_EQ(reformat_target("Reformatted Input Tensor 1 to X"), "X");
  EXPECT_EQ(reformat_target("conv1 input reformatter 0"), "conv1");
  EXPECT_EQ(reformat_target("Conv_0 + Relu_1"), "");
  EXPECT_EQ(reformat_target("Reformatting CopyNode for Input Tensor to X"), "");
}

TEST(JsonNames, OptimizationProfile) {
  EXPECT_EQ(opt_profile_of_name("Conv_0 [profile 12]"), 12);
  EXPECT_EQ(opt_profile_of_name("node_linear [profile 1]_myl11_2"), 1);
  EXPECT_EQ(opt_profile_of_name("Conv_0"), 0);
  EXPECT_EQ(opt_profile_of_name("Conv_0 [profile x]"), 0);
  EXPECT_EQ(opt_profile_of_name("Conv_0 [profile 99999999999999999999]"), 0);
}

TEST(JsonNames, HostileNestingEnds) {
  std::string name;
  for (int i = 0; i < 20000; ++i) name += "PWN(";
  name += "x";
  name.append(20000, ')');
  EXPECT_EQ(onnx_nodes_of_name(name).size(), 1U);
}

}  // namespace
}  // namespace trtlens::json_names_test
