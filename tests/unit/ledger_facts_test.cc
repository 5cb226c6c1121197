// What ledgers count with, as the parsers read it: batch, sparse weights, size of the engine.
#include <gtest/gtest.h>

#include <string>

#include "parsers/parse.h"
#include "tests/temp_folder.h"
#include "tests/unit/log_sample.h"

namespace trtlens::ledger_facts_test {
namespace {

// A convolution of 3x3 over an input of `dims`, in the words of --exportLayerInfo.
std::string layer_info(const std::string& dims) {
  const std::string tensor =
      ", \"Dimensions\": " + dims + ", \"Format/Datatype\": \"Row major linear FP16 format\"}";
  return R"({"Layers": [{"Name": "c", "LayerType": "CaskConvolution", "Inputs": [{"Name": "x")" +
         tensor + R"(], "Outputs": [{"Name": "y")" + tensor +
         R"(], "ParameterType": "Convolution", "Kernel": [3, 3], "HasSparseWeights": 1}],
            "Bindings": ["x", "y"]})";
}

std::string timing_log(const std::string& batch, const std::string& options) {
  return running("--loadEngine=e.plan" + options) +
         own_lines({"=== Inference Options ===", "Batch: " + batch});
}

Build build_of(const std::string& dims, const std::string& log) {
  const TempFolder folder;
  (void)folder.write("layers.json", layer_info(dims));
  if (!log.empty()) (void)folder.write("run.log", log);
  return parse_inputs({folder.path().string()}, {}).builds.at(0);
}

TEST(ImplicitBatch, IsThatOfTheLogNotTheChannels) {
  EXPECT_EQ(build_of("[64, 56, 56]", timing_log("32", " --batch=32")).inference.batch, 32);
  EXPECT_EQ(build_of("[64, 56, 56]", timing_log("1", "")).inference.batch, 1);
  EXPECT_EQ(build_of("[64, 56, 56]", running("--loadEngine=e.plan --batch=8")).inference.batch, 8);
  EXPECT_EQ(build_of("[64, 56, 56]", "").inference.batch, std::nullopt);
}

TEST(ImplicitBatch, IsNotThatOfAnExplicitEngine) {
  const Build build = build_of("[16, 64, 56, 56]", timing_log("1", ""));
  EXPECT_EQ(has_implicit_batch(build), false);
  EXPECT_EQ(build.inference.batch, 16);
  EXPECT_EQ(build_of("[16, 64, 56, 56]", "").inference.batch, 16);
  EXPECT_EQ(has_implicit_batch(Build()), std::nullopt);
}

TEST(SparseWeights, AreReadFromLayerInfoAndLog) {
  EXPECT_EQ(build_of("[16, 64, 56, 56]", "").layers.at(0).sparse_weights, true);
  const ParsedLog log = parse_log(
      library_lines({"Engine Layer Information:"}) +
      "Name: c, LayerType: CaskConvolution, Inputs: [], Outputs: [], ParameterType: Convolution, "
      "Kernel: [3,3], HasSparseWeights: 0, StreamId: 0\n"
      "Name: d, LayerType: CaskConvolution, Inputs: [], Outputs: [], ParameterType: Convolution, "
      "Kernel: [3,3], StreamId: 0\n");
  ASSERT_EQ(log.build().layers.size(), 2U);
  EXPECT_EQ(log.build().layers[0].sparse_weights, false);
  EXPECT_EQ(log.build().layers[1].sparse_weights, std::nullopt);
}

TEST(SparseKernels, OfMyelinsGraphsAreMessagesLikeThoseOfTheNetwork) {
  const ParsedLog log =
      parse_log(library_lines({"(Sparsity) Chose 0 layer(s) using sparse tactics: ",
                               " (foreignNode) (Sparsity) Chose 1 layer(s) using sparse tactics: a",
                               " (foreignNode) (Other) Sorted table of all evaluated tactics:"}));
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_NE(log.build().messages[1].text.find("Chose 1 layer(s)"), std::string::npos);
  EXPECT_EQ(log.lines[2].kind, "foreign-node");
}

TEST(EngineSize, InWholeMebibytesIsUnknownBelowOne) {
  const auto loaded = [](const char* size) {
    return parse_log(stamped("[I] [TRT] ", {std::string("Loaded engine size: ") + size + " MiB"}))
        .build()
        .memory;
  };
  EXPECT_EQ(loaded("0").engine_bytes, std::nullopt);
  EXPECT_TRUE(loaded("0").engine_in_mib);
  EXPECT_EQ(loaded("23").engine_bytes, std::int64_t{23} << 20U);
  EXPECT_TRUE(loaded("23").engine_in_mib);
  const Memory exact = parse_log(own_lines({"Created engine with size: 0.5 MiB"})).build().memory;
  EXPECT_EQ(exact.engine_bytes, std::int64_t{1} << 19U);
  EXPECT_FALSE(exact.engine_in_mib);
  const Memory none = parse_log(own_lines({"Created engine with size: 0 MiB"})).build().memory;
  EXPECT_EQ(none.engine_bytes, std::nullopt);
}

}  // namespace
}  // namespace trtlens::ledger_facts_test
