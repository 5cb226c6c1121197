// Which project a plugin comes from that an engine needs and nobody loaded.
#include <gtest/gtest.h>

#include <string>

#include "analyzers/rules/engine/plugin_homes.h"
#include "tests/unit/message_case.h"

namespace trtlens::plugin_home_test {
namespace {

using message_rules::plugin_home;
using test::Case;

std::string first_advice(const std::string& name, const std::string& behind = "") {
  Case c;
  c.error("getPluginCreator could not find plugin " + name + " version 1" + behind)
      .error(
          "[pluginV2Runner.cpp::load::308] Error Code 1: Serialization (Serialization assertion "
          "creator failed.Cannot deserialize plugin since corresponding IPluginCreator not found "
          "in Plugin Registry)");
  const std::vector<Finding> findings = c.findings();
  if (findings.empty()) return "";
  EXPECT_EQ(findings.front().rule, "engine-plugin-missing-at-load");
  return findings.front().remedies.front();
}

TEST(PluginHome, IsTheFirstAdvice) {
  EXPECT_EQ(first_advice("YoloLayer_TRT"),
            "Load libmyplugins.so of tensorrtx, or libyolo_layer.so of tensorrt_demos, built for "
            "this TensorRT, before the engine: plugins of this name come from there.");
  EXPECT_EQ(first_advice("YoloLayer_TR"),
            "Load or link its library in the program that loads the engine; trtexec: "
            "--staticPlugins=LIB.so (up to 8.5 --plugins=LIB.so).");
}

TEST(PluginHome, IsKnownByTheNamespaceOfAnybodysName) {
  EXPECT_EQ(plugin_home("Gemm", "could not find plugin Gemm version 1 namespace tensorrt_llm"),
            "libnvinfer_plugin_tensorrt_llm.so of TensorRT-LLM");
  EXPECT_EQ(plugin_home("Gemm", "Cannot find plugin: Gemm, version: 1, namespace:tensorrt_llm."),
            "libnvinfer_plugin_tensorrt_llm.so of TensorRT-LLM");
  EXPECT_EQ(plugin_home("Gemm", "could not find plugin Gemm version 1 namespace "), "");
}

// TensorRT 7 writes name and namespace as one word.
TEST(PluginHome, ReadsTheNamespaceBehindTheName) {
  EXPECT_EQ(first_advice("interpolatetorch2trt", " namespace torch2trt"),
            "Load torch2trt with its plugins (python setup.py install --plugins), built for this "
            "TensorRT, before the engine: plugins of this name come from there.");
  EXPECT_EQ(plugin_home("interpolatetorch2trt", ""), plugin_home("x", "namespace torch2trt"));
}

}  // namespace
}  // namespace trtlens::plugin_home_test
