// The choice between the causes of "Could not find any implementation for node".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzers/precision/no_implementation.h"
#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::message_rules_no_implementation_test {
namespace {

using ::testing::ElementsAre;

OnnxNode node(const std::string& name, const std::string& op, std::vector<std::int64_t> input,
              std::vector<std::int64_t> weights, std::vector<std::int64_t> output = {}) {
  OnnxNode out;
  out.name = name;
  out.op = op;
  out.inputs.resize(2);
  out.inputs[0].dims = std::move(input);
  out.inputs[1].dims = std::move(weights);
  if (!output.empty()) {
    out.outputs.resize(1);
    out.outputs[0].dims = std::move(output);
  }
  out.pos.line = 316;
  return out;
}

TEST(GroupedConv, OfAConv) {
  const std::optional<GroupedConv> conv =
      grouped_conv_of(node("c", "Conv", {1, 30, 112, 112}, {60, 6, 3, 3}));
  ASSERT_TRUE(conv.has_value());
  EXPECT_EQ(conv->groups, 5);
  EXPECT_EQ(conv->in_per_group, 6);
  EXPECT_EQ(conv->out_per_group, 12);
  EXPECT_FALSE(conv->depthwise());
}

TEST(GroupedConv, OfAConvTranspose) {
  const std::optional<GroupedConv> conv =
      grouped_conv_of(node("c", "ConvTranspose", {1, 32, 8, 8}, {32, 6, 2, 2}, {1, 24, 16, 16}));
  ASSERT_TRUE(conv.has_value());
  EXPECT_EQ(conv->groups, 4);
  EXPECT_EQ(conv->in_per_group, 8);
  EXPECT_EQ(conv->out_per_group, 6);
}

TEST(GroupedConv, UnknownIsNotGuessed) {
  EXPECT_FALSE(grouped_conv_of(node("c", "Conv", {1, -1, 8, 8}, {8, 4, 3, 3})));
  EXPECT_FALSE(grouped_conv_of(node("c", "Conv", {1, 30, 8, 8}, {8, 7, 3, 3})));
  EXPECT_FALSE(grouped_conv_of(node("c", "Conv", {30}, {8, 6, 3, 3})));
  EXPECT_FALSE(grouped_conv_of(node("c", "Gemm", {1, 30, 8, 8}, {8, 6, 3, 3})));
  EXPECT_FALSE(grouped_conv_of(node("c", "ConvTranspose", {1, 32, 8, 8}, {32, 6, 2, 2})));
  EXPECT_FALSE(grouped_conv_of(node("c", "Conv", {1, 30, 8, 8}, {31, 6, 3, 3})));
}

TEST(NamesNode, WholeNamesOnly) {
  EXPECT_TRUE(names_node("w + QuantizeLinear_8 + /a/Conv + /a/Relu", "/a/Conv"));
  EXPECT_TRUE(names_node("/a/Conv", "/a/Conv"));
  EXPECT_TRUE(names_node("PWN(PWN(/a/Sigmoid), /a/Mul)", "/a/Sigmoid"));
  EXPECT_FALSE(names_node("w + /a/Conv_1", "/a/Conv"));
  EXPECT_FALSE(names_node("w + /b/a/Conv", "/a/Conv"));
  EXPECT_TRUE(names_node("/a/Conv_1 + /a/Conv", "/a/Conv"));
  EXPECT_FALSE(names_node("anything", ""));
}

std::vector<Finding> fail(const Build& given, const std::string& name) {
  Build build = given;
  build.outcome = Outcome::failed;
  build.command = "trtexec --int8";
  Message message;
  message.severity = LogSeverity::error;
  message.text =
      "Error[10]: [optimizer.cpp::computeCosts::3728] Error Code 10: Internal Error (Could not "
      "find "
      "any implementation for node " +
      name + ".)";
  message.pos.line = 1420;
  build.messages.push_back(message);
  Input input;
  input.path = "build.log";
  return match_message_rules(build, {input}, embedded_message_rules());
}

const char kName[] = "body.0.weight + QuantizeLinear_8 + /body/body.0/Conv + /body/body.1/Relu";

Build on(const char* compute_capability) {
  Build build;
  build.gpu = Gpu{};
  build.gpu->compute_capability = compute_capability;
  build.tensorrt = Version{8, 6, 1, std::nullopt, VersionSource::banner};
  return build;
}

TEST(NoImplementation, GroupsThatBreakTheRule) {
  Build build = on("9.0");
  build.onnx_nodes = {node("/body/body.0/Conv", "Conv", {1, 30, 112, 112}, {30, 6, 3, 3})};
  const std::vector<Finding> findings = fail(build, kName);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "grouped-conv-int8-group-not-multiple-of-4");
  EXPECT_NE(findings[0].why.find("Here a group has 6; pad to 8."), std::string::npos);
  EXPECT_NE(findings[0].evidence.back().note.str().find(
                "weights (30, 6, 3, 3), input of 30 channels → 5 groups, 6 in and 6 out per group; "
                "pad to 8"),
            std::string::npos);
  ASSERT_EQ(findings[0].evidence.size(), 2U);
  EXPECT_EQ(findings[0].evidence[1].line, 316U);
}

// The full name stands in the quoted line.
TEST(NoImplementation, NamesTheLayerByItsLabel) {
  Build build = on("9.0");
  build.onnx_nodes = {node("/body/body.0/Conv", "Conv", {1, 30, 112, 112}, {30, 6, 3, 3})};
  const Finding fused = fail(build, kName).at(0);
  EXPECT_EQ(fused.title, "No INT8 kernel for a grouped convolution: body.0.Conv + body.1.Relu");
  EXPECT_THAT(fused.where, ElementsAre("body.0.Conv + body.1.Relu"));
  EXPECT_EQ(fused.where_left_out, 0U);
  const Finding alone = fail(build, "/body/body.0/Conv").at(0);
  EXPECT_EQ(alone.title, "No INT8 kernel for a grouped convolution: /body/body.0/Conv");
  EXPECT_TRUE(alone.where.empty());
}

TEST(NoImplementation, TitleOfManyNodesHasTwelveWords) {
  Build build = on("9.0");
  build.onnx_nodes = {node("/a/Conv", "Conv", {1, 30, 112, 112}, {30, 6, 3, 3})};
  const Finding finding =
      fail(build, "/a/Conv + /b/Relu + /c/Add + /d/Mul + /e/Sub + /f/Exp").at(0);
  EXPECT_EQ(finding.title, "No INT8 kernel for a grouped convolution: a.Conv + …");
  EXPECT_THAT(finding.where, ElementsAre("a.Conv + b.Relu + c.Add + 3 more"));
}

TEST(NoImplementation, PlacesOfSeveralMessagesAreCounted) {
  Build build = on("9.0");
  build.onnx_nodes = {node("/a/Conv", "Conv", {1, 30, 112, 112}, {30, 6, 3, 3})};
  const auto again = [&](const std::string& name) {
    Message message;
    message.severity = LogSeverity::error;
    message.text = "10: Could not find any implementation for node " + name + ".";
    message.pos.line = 100 + build.messages.size();
    build.messages.push_back(message);
  };
  for (const char* name :
       {"/a/Conv + /1/Relu", "/a/Conv + /2/Relu", "/a/Conv + /3/Relu", "/a/Conv + /3/Relu"}) {
    again(name);
  }
  const Finding finding = fail(build, "/a/Conv + /4/Relu").at(0);
  EXPECT_EQ(finding.where.size(), 3U);
  EXPECT_EQ(finding.where_left_out, 1U);
}

TEST(NoImplementation, GroupsBreakTheRuleOnAnOldGpuToo) {
  Build build = on("7.5");
  build.onnx_nodes = {node("/body/body.0/Conv", "Conv", {1, 30, 112, 112}, {30, 6, 3, 3})};
  EXPECT_EQ(fail(build, kName).at(0).rule, "grouped-conv-int8-group-not-multiple-of-4");
}

TEST(NoImplementation, GoodGroupsOnAnOldGpu) {
  Build build = on("7.5");
  build.onnx_nodes = {node("/body/body.0/Conv", "Conv", {1, 40, 112, 112}, {40, 8, 3, 3})};
  const std::vector<Finding> findings = fail(build, kName);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "qdq-sm75-or-older-no-int8-impl");
  EXPECT_NE(findings[0].title.find("7.5"), std::string::npos);
}

TEST(NoImplementation, GoodGroupsOnANewGpu) {
  Build build = on("8.6");
  build.onnx_nodes = {node("/body/body.0/Conv", "Conv", {1, 40, 112, 112}, {40, 8, 3, 3})};
  EXPECT_EQ(fail(build, kName).at(0).rule, "qdq-no-implementation");
}

TEST(NoImplementation, WithoutParserLinesTheChannelsAreNotKnown) {
  const std::vector<Finding> findings = fail(on("9.0"), kName);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "qdq-no-implementation");
  EXPECT_NE(findings[0].why.find("are not known: the log has no parser lines (--verbose)"),
            std::string::npos);
}

TEST(NoImplementation, UnknownGpuIsNoOldGpu) {
  EXPECT_EQ(fail(Build{}, kName).at(0).rule, "qdq-no-implementation");
}

TEST(NoImplementation, DepthwiseHasATextOfItsOwn) {
  Build build = on("9.0");
  build.onnx_nodes = {node("/body/body.0/Conv", "Conv", {1, 30, 8, 8}, {30, 1, 3, 3})};
  const std::vector<Finding> findings = fail(build, kName);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "grouped-conv-int8-group-not-multiple-of-4");
  EXPECT_EQ(findings[0].remedies.at(2),
            "As it is depthwise, try it first on compute capability 8.0 or later.");
  EXPECT_NE(findings[0].why.find("Here 30 channels are depthwise; pad to 32."), std::string::npos)
      << findings[0].why;
  build.tensorrt = Version{8, 4, 1, std::nullopt, VersionSource::banner};
  EXPECT_EQ(fail(build, kName).at(0).rule, "depthwise-bn-output-channels-8.4");
}

TEST(NoImplementation, PlainAndForeignNodes) {
  EXPECT_EQ(fail(on("9.0"), "Conv_119 + Add_182").at(0).rule, "no-implementation");
  EXPECT_EQ(fail(on("9.0"), "{ForeignNode[/a/MatMul.../b/Add]}").at(0).rule,
            "foreignnode-no-implementation");
}

TEST(NoImplementation, Int8FormatsBeingTimedMakeItQuantised) {
  Build build = on("9.0");
  build.last_timed =
      TimingCursor{"Conv_119 + Add_182", "CaskConvolution", "Int8(1,1) -> Float(1,1)", {}};
  EXPECT_EQ(fail(build, "Conv_119 + Add_182").at(0).rule, "qdq-no-implementation");
}

TEST(NoImplementation, AMisalignedConvIsFoundBehindAnAlignedOne) {
  Build build = on("9.0");
  build.onnx_nodes = {node("c1", "Conv", {1, 16, 8, 8}, {16, 16, 3, 3}),
                      node("c2", "Conv", {1, 12, 8, 8}, {12, 2, 3, 3})};
  EXPECT_EQ(fail(build, "w + QuantizeLinear_1 + c1 + c2").at(0).rule,
            "grouped-conv-int8-group-not-multiple-of-4");
}

}  // namespace
}  // namespace trtlens::message_rules_no_implementation_test
