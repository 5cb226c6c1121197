// Which operator the parser stopped at, and whether it is one of ONNX's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/onnx.h"
#include "tests/unit/message_case.h"

namespace trtlens::onnx_operator_test {
namespace {

using test::Case;

// A paste that begins in the dump of the node: the line "While parsing node" is missing.
Finding finding_of(const std::string& op, int lines_between = 2) {
  Case c;
  c.error("ModelImporter.cpp:749: --- Begin node ---")
      .error("ModelImporter.cpp:750: input: \"x\"\noutput: \"y\"\nname: \"/a/b\"\nop_type: \"" +
             op + "\"\n");
  for (int i = 0; i < lines_between; ++i) c.say(LogSeverity::info, "x" + std::to_string(i));
  c.error(
      "ModelImporter.cpp:754: ERROR: builtin_op_importers.cpp:4951 In function "
      "importFallbackPluginImporter:\n[8] Assertion failed: creator && \"Plugin not found, are the "
      "plugin name, version, and namespace correct?\"");
  const std::vector<Finding> findings = c.findings();
  return findings.empty() ? Finding() : findings.front();
}

TEST(OnnxOperator, IsReadFromTheDumpOfItsNode) {
  EXPECT_EQ(finding_of("Det").title, "No importer and no plugin for Det: /a/b");
  EXPECT_EQ(finding_of("Det", 77).title, "No importer and no plugin for Det: /a/b");
  EXPECT_EQ(finding_of("Det", 200).title, "No importer and no plugin for an operator");
}

TEST(OnnxOperator, AdviceTellsOwnFromCustom) {
  EXPECT_EQ(
      finding_of("Det").remedies.front(),
      "Upgrade TensorRT: Det is ONNX's own, and docs/operators.md of onnx-tensorrt lists what "
      "each release imports.");
  EXPECT_EQ(finding_of("MyOp").remedies.front(),
            "Load the plugin of MyOp, which is no operator of ONNX, before parsing: "
            "--staticPlugins=LIB.so (up to 8.5 --plugins=LIB.so).");
  EXPECT_EQ(finding_of("SkipLayerNormalization").remedies.front(),
            "Export without ONNX Runtime's optimizer and quantizer: SkipLayerNormalization is an "
            "operator of its own.");
  EXPECT_EQ(finding_of("Det", 200).remedies.front(),
            "Read op_type in the node above the error: if it is ONNX's own, upgrade TensorRT; if "
            "not, load its plugin.");
}

TEST(OnnxOperator, AdviceNamesTheLibraryOfAKnownPlugin) {
  const std::vector<std::string> remedies = finding_of("PPScatterPlugin").remedies;
  ASSERT_EQ(remedies.size(), 3U);
  EXPECT_EQ(remedies[0],
            "Load libpointpillar_core.so of CUDA-PointPillars, built for this TensorRT, before "
            "parsing: plugins of this name come from there.");
  EXPECT_EQ(remedies[1].substr(0, 34), "Load the plugin of PPScatterPlugin");
}

TEST(OnnxOperator, IsAWholeWordOfTheList) {
  for (const char* const own : {"Abs", "GridSample", "Scatter", "ScatterND", "Xor"}) {
    EXPECT_TRUE(is_onnx_operator(own)) << own;
  }
  for (const char* const custom : {"", " ", "Scatte", "ScatterBEV", "DCNv2", "Abs Acos", "abs"}) {
    EXPECT_FALSE(is_onnx_operator(custom)) << custom;
    EXPECT_FALSE(is_onnxruntime_operator(custom)) << custom;
  }
  EXPECT_TRUE(is_onnxruntime_operator("BiasGelu"));
  EXPECT_FALSE(is_onnxruntime_operator("Gelu"));
}

TEST(OnnxOperator, ListsHaveNoNameTwice) {
  std::string_view rest = kOnnxRuntimeOperators;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    EXPECT_FALSE(is_onnx_operator(name)) << name;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    EXPECT_FALSE(has_name(rest, name)) << name;
  }
}

}  // namespace
}  // namespace trtlens::onnx_operator_test
