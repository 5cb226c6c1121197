// Which operator the parser stopped at, and whether it is one of ONNX's own.
#include <gtest/gtest.h>

#include <string>

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
  EXPECT_EQ(finding_of("DCNv2").remedies.front(),
            "Load the plugin of DCNv2, which is no operator of ONNX, before parsing: "
            "--staticPlugins=LIB.so (up to 8.5 --plugins=LIB.so).");
  EXPECT_EQ(finding_of("Det", 200).remedies.front(),
            "Read op_type in the node above the error: if it is ONNX's own, upgrade TensorRT; if "
            "not, load its plugin.");
}

TEST(OnnxOperator, IsAWholeWordOfTheList) {
  for (const char* const own : {"Abs", "GridSample", "Scatter", "ScatterND", "Xor"}) {
    EXPECT_TRUE(is_onnx_operator(own)) << own;
  }
  for (const char* const custom : {"", " ", "Scatte", "ScatterBEV", "DCNv2", "Abs Acos", "abs"}) {
    EXPECT_FALSE(is_onnx_operator(custom)) << custom;
  }
}

}  // namespace
}  // namespace trtlens::onnx_operator_test
