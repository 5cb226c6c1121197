// Messages -> findings: folding, order, outcome, follow-up errors, fallbacks, contexts.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/message_case.h"

namespace trtlens::message_rules_match_test {
namespace {

using test::Case;
using test::kEngineNull;

const char kShuffle[] =
    "Error[2]: [shuffleBuilder.cpp::writeGlob::154] Error Code 2: Internal Error (Assertion "
    "inputScalesLen >= quantizations.inputs[0].scale.count() failed. )";
const char kDeallocate[] =
    "Error[1]: [defaultAllocator.cpp::deallocateAsync::64] Error Code 1: Cuda Runtime (operation "
    "not supported)";

TEST(MessageRuleMatch, ShuffleNamesWhatWasBeingTimed) {
  Case c;
  c.version(8, 5, 1).error(kShuffle).tail();
  c.build.last_timed = TimingCursor{"/Reshape_1 + reshape_before_/qkv.0/MatMul",
                                    "Shuffle",
                                    "Int8(96,1,1,1) -> Int8(1,1,1,1)",
                                    {}};
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  const Finding& first = findings[0];
  EXPECT_EQ(first.rule, "shuffle-scale-assert-8.5.1");
  EXPECT_EQ(first.severity, Severity::fatal);
  EXPECT_EQ(first.title,
            "TensorRT asserts on the scales of an INT8 layer: Reshape_1 + qkv.0.MatMul");
  EXPECT_NE(first.why.find("timing Shuffle with Int8(96,1,1,1) -> Int8(1,1,1,1)."),
            std::string::npos);
  ASSERT_GE(first.evidence.size(), 6U);
  EXPECT_EQ(first.evidence[0].file, "build.log");
  EXPECT_EQ(first.evidence[0].line, 100U);
  EXPECT_EQ(first.evidence[0].text, kShuffle);
  EXPECT_EQ(first.evidence[1].text, kEngineNull);
  EXPECT_EQ(first.evidence[5].text, "Engine set up failed");
}

TEST(MessageRuleMatch, ShuffleTextOf86IsNotTheKnownDefect) {
  Case c;
  c.version(8, 6, 1).error(kShuffle).tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "internal-assertion");
}

TEST(MessageRuleMatch, UnknownVersionMatchesButIsLessSure) {
  Case c;
  c.error(kShuffle).tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "shuffle-scale-assert-8.5.1");
  EXPECT_EQ(findings[0].confidence, Confidence::inferred);
}

TEST(MessageRuleMatch, StormIsOneFindingWithItsCount) {
  Case c;
  c.version(10, 0, 1).error(kDeallocate, 300).tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "deallocate-async-unsupported");
  EXPECT_EQ(findings[0].evidence.front().note.str(), "300 times");
  EXPECT_NE(findings[0].remedies.front().find("driver"), std::string::npos);
  EXPECT_EQ(findings[0].evidence.front().line, 100U);
}

TEST(MessageRuleMatch, PlacesAreCappedAtFive) {
  Case c(Outcome::passed);
  for (int i = 0; i < 9; ++i) {
    c.say(LogSeverity::warning, "Make sure input x" + std::to_string(i) + " has Int64 binding.");
  }
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "int64-binding-9x");
  EXPECT_EQ(findings[0].evidence.size(), 5U);
  EXPECT_EQ(findings[0].evidence[4].line, 104U);
}

TEST(MessageRuleMatch, OneGenericRuleSpeaksAboutAMessage) {
  Case c;
  c.error("ModelImporter.cpp:726: While parsing node number 5 [Resize -> \"y\"]:")
      .error(
          "ModelImporter.cpp:732: ERROR: builtin_op_importers.cpp:3613 In function "
          "importResize:\n[8] Assertion failed: (mode != \"cubic\") && \"Cubic "
          "interpolation is not supported!\"");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "onnx-parser-assertion");
  EXPECT_EQ(findings[0].title,
            "The ONNX parser rejects Resize: Cubic interpolation is not supported");
}

// Each of the places is behind the parser's line that names its node.
TEST(MessageRuleMatch, EveryQuotedPlaceHasItsContext) {
  Case c;
  const auto fail = [&](int node) {
    c.error("ModelImporter.cpp:726: While parsing node number " + std::to_string(node) + " [MyOp" +
            std::to_string(node) + " -> \"y" + std::to_string(node) + "\"]:");
    c.error(
        "ModelImporter.cpp:732: ERROR: builtin_op_importers.cpp:" + std::to_string(5000 + node) +
        " In function importFallbackPluginImporter:\n[8] Assertion failed: creator && \"Plugin "
        "not found, are the plugin name, version, and namespace correct?\"");
  };
  for (const int node : {3, 7, 9}) fail(node);
  const auto quoted = [](const Finding& finding, const std::string& text) {
    return std::count_if(finding.evidence.begin(), finding.evidence.end(), [&](const Evidence& e) {
      return e.text.str().find(text) != std::string::npos;
    });
  };
  std::vector<Finding> findings = c.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].evidence.size(), 6U);
  for (const char* node : {"number 3 ", "number 7 ", "number 9 "}) {
    EXPECT_EQ(quoted(findings[0], node), 1) << node;
  }
  // Beyond the places that are shown one line stands for the contexts that are not.
  for (const int node : {11, 12, 13, 14}) fail(node);
  findings = c.findings();
  EXPECT_EQ(quoted(findings[0], "number 12 "), 1);
  EXPECT_EQ(quoted(findings[0], "number 13 "), 1);
  EXPECT_EQ(findings[0].evidence.back().note.str(), "2 such errors, the first here");
}

// Layer info of 11.x and --dumpOptimizationProfile tell of them without a banner.
TEST(MessageRuleMatch, ProfilesAreThoseOfTheBuild) {
  Case c(Outcome::passed);
  c.version(10, 3, 0);
  c.build.optimization_profiles = {{"x", false, {0, {}, {}, {}}}};
  EXPECT_TRUE(c.findings().empty());
  c.build.optimization_profiles.push_back({"x", false, {2, {}, {}, {}}});
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "multi-profile-accuracy-10.x");
  EXPECT_EQ(findings[0].title,
            "Engines with several optimization profiles may compute wrong values before 10.8");
}

TEST(MessageRuleMatch, LaterMessagesCompleteTheFacts) {
  Case c;
  c.error("1: [resizingAllocator.cpp::allocate::78] Error Code 1: Cuda Runtime (out of memory)");
  c.error("[x.cpp::y::1] Error Code 2: OutOfMemory (Requested size was 4096 bytes.)");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title, "The GPU ran out of memory: 4 KiB wanted");
}

TEST(MessageRuleMatch, ManyMessagesGiveTheSameAsFew) {
  Case few(Outcome::passed);
  few.say(LogSeverity::warning, "Detected invalid timing cache, setup a local cache instead");
  Case many = few;
  for (int i = 0; i < 1000; ++i) many.say(LogSeverity::warning, "warning " + std::to_string(i));
  ASSERT_EQ(few.findings().size(), 1U);
  ASSERT_EQ(many.findings().size(), 1U);
  EXPECT_EQ(many.findings()[0].rule, few.findings()[0].rule);
}

TEST(MessageRuleMatch, PassedBuildDemotes) {
  Case c(Outcome::passed);
  c.version(10, 0, 1).error(kDeallocate, 2);
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::moderate);
  EXPECT_EQ(findings[0].why.rfind("The build went on after this message", 0), 0U);
}

TEST(MessageRuleMatch, ProgressAfterAMessageDemotes) {
  Case c;
  c.error("1: [resizingAllocator.cpp::allocate::78] Error Code 1: Cuda Runtime (out of memory)");
  c.build.messages.back().before_progress = true;
  c.error(kShuffle).version(8, 5, 1).tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "shuffle-scale-assert-8.5.1");
  EXPECT_EQ(findings[1].rule, "gpu-oom");
  EXPECT_EQ(findings[1].severity, Severity::moderate);
}

TEST(MessageRuleMatch, FailureWithNothingButDemotedCausesKeepsTheLikeliest) {
  Case c;
  c.error("1: [resizingAllocator.cpp::allocate::78] Error Code 1: Cuda Runtime (out of memory)");
  c.build.messages.back().before_progress = true;
  c.tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "gpu-oom");
  EXPECT_EQ(findings[0].severity, Severity::fatal);
  EXPECT_EQ(findings[0].confidence, Confidence::guessed);
}

TEST(MessageRuleMatch, UnknownOutcomeIsFatal) {
  Case c(Outcome::unknown);
  c.error(
      "IRuntime::deserializeCudaEngine: Error Code 6: API Usage Error (The engine cannot run on "
      "this GPU, which has compute capability 9.0. Supported compute capabilities: 8.0 8.6. "
      "TensorRT-RTX does not)");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "sm-not-supported");
  EXPECT_EQ(findings[0].severity, Severity::fatal);
  EXPECT_NE(findings[0].title.find("9.0"), std::string::npos);
}

TEST(MessageRuleMatch, RootCauseComesFirstWhateverItsLine) {
  Case c;
  c.error(
      "1: [pluginV2DynamicExtRunner.cpp::execute::115] Error Code 2: Internal Error (Assertion "
      "status == kSTATUS_SUCCESS failed. )");
  c.error("CUDA initialization failure with error: 35");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "cuda-driver-too-old");
  EXPECT_EQ(findings[1].rule, "plugin-enqueue-failed");
}

TEST(MessageRuleMatch, FileOrderWithinAndAcrossInputs) {
  Case c;
  c.build.outcome = Outcome::failed;
  c.error("Cannot create DLA engine, 0 not available");
  c.error("Cannot find input tensor with name \"x\" in the network inputs! Please");
  c.build.messages[0].pos.file = 1;  // the other file comes first
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "shape-name-not-an-input");
  EXPECT_EQ(findings[1].evidence[0].file, "");  // an index that no input has
}

TEST(MessageRuleMatch, UnknownErrorIsQuoted) {
  Case c;
  c.error("The flux capacitor is empty").tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "build-failed");
  EXPECT_EQ(findings[0].severity, Severity::fatal);
  EXPECT_EQ(findings[0].title, "The build failed: The flux capacitor is empty");
  EXPECT_EQ(findings[0].evidence[0].line, 100U);
  EXPECT_FALSE(findings[0].remedies.empty());
}

TEST(MessageRuleMatch, FailureWithoutErrorSaysThatTheLogLacksThem) {
  Case c;
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title, "The build failed: no error message stands here");
  EXPECT_EQ(findings[0].why.rfind("In this log no error message stands: trtexec writes errors to "
                                  "standard error",
                                  0),
            0U);
  EXPECT_TRUE(findings[0].evidence.empty());
}

TEST(MessageRuleMatch, OnlyConsequencesStillQuoteOne) {
  Case c;
  c.tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "build-failed");
  EXPECT_NE(findings[0].title.find("engine != nullptr"), std::string::npos);
}

TEST(MessageRuleMatch, TruncatedLogSaysWhereItStood) {
  Case c(Outcome::truncated);
  c.build.last_timed = TimingCursor{"conv1", "CaskConvolution", "Half(1) -> Half(1)", {0, 77, 0}};
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "build-truncated");
  EXPECT_EQ(findings[0].severity, Severity::major);
  EXPECT_EQ(findings[0].title, "The log stops while TensorRT times conv1");
  EXPECT_EQ(findings[0].evidence[0].line, 77U);
}

TEST(MessageRuleMatch, TruncatedLogCallsAReformatSo) {
  Case c(Outcome::truncated);
  c.build.last_timed =
      TimingCursor{"Optimizer Reformat(x -> <out>)", "Reformat", "Half(1) -> Float(1)", {0, 77, 0}};
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title, "The log stops while TensorRT times a reformat");
  EXPECT_EQ(findings[0].evidence[0].note.str(), "timing Optimizer Reformat(x -> <out>)");
}

TEST(MessageRuleMatch, TruncatedLogWithAnErrorHasTheError) {
  Case c(Outcome::truncated);
  c.version(8, 5, 1).error(kShuffle);
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "shuffle-scale-assert-8.5.1");
}

TEST(MessageRuleMatch, PassedBuildWithoutMessagesHasNoFinding) {
  EXPECT_TRUE(Case(Outcome::passed).findings().empty());
  EXPECT_TRUE(Case(Outcome::unknown).findings().empty());
}

TEST(MessageRuleMatch, ParserBlockBeforeItsAssertion) {
  Case c;
  c.version(8, 5, 1)
      .error(
          "ModelImporter.cpp:726: While parsing node number 19 [InstanceNormalization -> \"y\"]:")
      .error("ModelImporter.cpp:727: --- Begin node ---")
      .error(
          "ModelImporter.cpp:728: input: \"a\"\ninput: \"b\"\noutput: \"y\"\nname: \"/u2/In\"\n"
          "op_type: \"InstanceNormalization\"")
      .error("ModelImporter.cpp:729: --- End node ---")
      .error(
          "ModelImporter.cpp:732: ERROR: builtin_op_importers.cpp:2183 In function "
          "importInstanceNormalization:\n[8] Assertion failed: inputs.at(1).is_weights() && "
          "\"The scale tensor is required to be an initializer.\"")
      .error("Failed to parse onnx file")
      .error("Engine set up failed");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "initializer-required");
  EXPECT_EQ(findings[0].title, "InstanceNormalization needs a constant scale: /u2/In");
  EXPECT_NE(findings[0].why.find("takes this input (the scale) only"), std::string::npos);
  EXPECT_EQ(findings[0].evidence[0].line, 104U);
  EXPECT_EQ(findings[0].evidence[1].line, 100U);
}

TEST(MessageRuleMatch, LibraryErrorBeforeTheParserBlock) {
  Case c;
  c.version(10, 16, 1)
      .error(
          "Error[4]: ITensor::getDimensions: Error Code 4: Shape Error (broadcast dimensions "
          "must be conformable In op at /_src/x.cpp:2700)")
      .error(
          "ModelImporter.cpp:138: While parsing node number 103 [Where -> \"/Where_6_output_0\"]:")
      .error(
          "ModelImporter.cpp:149: ERROR: ModelImporter.cpp:506 In function parseNode:\n[6] "
          "Invalid Node - /Where_6")
      .error("Failed to parse onnx file");
  const std::vector<Finding> findings = c.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "broadcast-shapes-mismatch");
  EXPECT_NE(findings[0].title.find("Where"), std::string::npos);
  EXPECT_NE(findings[0].title.find("/Where_6"), std::string::npos);
}

TEST(MessageRuleMatch, UnsupportedOperatorIsNamed) {
  Case c;
  c.version(8, 5, 1)
      .say(LogSeverity::warning, "Make sure input x has Int64 binding.")
      .say(LogSeverity::info,
           "No importer registered for op: LayerNormalization. Attempting to import as plugin.")
      .error("ModelImporter.cpp:726: While parsing node number 33 [LayerNormalization -> \"y\"]:")
      .error(
          "ModelImporter.cpp:732: ERROR: builtin_op_importers.cpp:5410 In function "
          "importFallbackPluginImporter:\n[8] Assertion failed: creator && \"Plugin not found, "
          "are the plugin name, version, and namespace correct?\"");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[1].evidence.size(), 1U);  // the warning is no part of the parser's block
  EXPECT_EQ(findings[0].rule, "op-since-8-6");
  EXPECT_EQ(findings[0].title, "LayerNormalization needs TensorRT 8.6 or later");
}

TEST(MessageRuleMatch, MissingAndDamagedOnnxFilesAreTold) {
  Case missing;
  missing.say(LogSeverity::unknown, "Could not open file models/a.onnx")
      .error("ModelImporter.cpp:688: Failed to parse ONNX model from file: models/a.onnx");
  const std::vector<Finding> found = missing.findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "onnx-file-missing");
  EXPECT_EQ(found[0].title, "The model file cannot be opened: models/a.onnx");
  EXPECT_EQ(found[0].evidence.size(), 2U);
  EXPECT_EQ(found[0].evidence.at(1).line, 101U);
  Case neither;  // standard output alone lacks the reason
  neither.error("ModelImporter.cpp:688: Failed to parse ONNX model from file: models/a.onnx");
  ASSERT_EQ(neither.findings().size(), 1U);
  EXPECT_EQ(neither.findings()[0].rule, "onnx-file-not-parsed");
}

TEST(MessageRuleMatch, RtxIsATensorRtOfItsOwnCount) {
  Case c;  // 1.7.1 is no TensorRT older than 8.5
  c.version(1, 7, 1).error(kShuffle);
  c.build.producer = "tensorrt_rtx";
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "internal-assertion");
}

TEST(MessageRuleMatch, DynamicInputsGiveTheExactOption) {
  Case c(Outcome::passed);
  c.say(LogSeverity::warning,
        "Dynamic dimensions required for input: ids, but no shapes were provided. Automatically "
        "overriding shape to: 1x77");
  c.say(LogSeverity::warning,
        "Dynamic dimensions required for input: image, but no shapes were provided. Automatically "
        "overriding shape to: 1x3x224x224");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].remedies[0].find("`--shapes=ids:1x77,image:1x3x224x224`"),
            std::string::npos);
}

TEST(MessageRuleMatch, QuantizeOutputsAreToldOnlyBesideAPlugin) {
  OnnxNode q;
  q.name = "QuantizeLinear_1";
  q.op = "QuantizeLinear";
  q.outputs.resize(1);
  q.outputs[0].type = DataType::fp32;
  q.pos.line = 7;
  Case plain;
  plain.build.onnx_nodes = {q};
  plain.version(8, 5, 1).error(kShuffle);
  ASSERT_EQ(plain.findings().size(), 1U);
  Case plugin;
  plugin.build.onnx_nodes = {q};
  plugin.error(
      "[pluginV2Builder.cpp::reportPluginError::24] Error Code 9: Internal Error (/P_3: "
      "could not find any supported formats consistent with input/output data types)");
  const std::vector<Finding> findings = plugin.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "plugin-no-format");
  EXPECT_NE(findings[0].title.find("/P_3"), std::string::npos);
  EXPECT_EQ(findings[1].rule, "quantize-output-type-float");
  EXPECT_EQ(findings[1].severity, Severity::info);
  EXPECT_EQ(findings[1].evidence[0].line, 7U);
}

TEST(MessageRuleMatch, CalibratorCopyNeedsCalibrationAroundIt) {
  const char copy[] =
      "1: [genericReformat.cu::executeMemcpy::1334] Error Code 1: Cuda Runtime (invalid argument)";
  Case alone;
  alone.error(copy);
  EXPECT_EQ(alone.findings().at(0).rule, "binding-copy-refused");
  Case calibrating;
  calibrating.say(LogSeverity::warning,
                  "Calibration Profile is not defined. Calibrating with Profile 0");
  calibrating.error(copy);
  EXPECT_EQ(calibrating.findings().at(0).rule, "calib-cuda-invalid-argument");
}

TEST(MessageRuleMatch, HostileTextsAreCutAndKept) {
  Case c;
  const std::string name = std::string(5000, 'n') + std::string("\xff\x00\x1b[31m", 7);
  c.error("Could not find any implementation for node " + name + ".)");
  c.error(std::string(100000, '{') + "[[");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "no-implementation");
  EXPECT_LT(findings[0].title.size(), 400U);
  for (const Evidence& evidence : findings[0].evidence) EXPECT_LE(evidence.text.size(), 2010U);
}

TEST(MessageRuleMatch, AStormOfEqualErrorsIsOneFinding) {
  Case c;
  c.version(10, 0, 1)
      .error(
          "1: [defaultAllocator.cpp::deallocateAsync::64] Error Code 1: Cuda Runtime (operation "
          "not supported)",
          10000)
      .say(LogSeverity::warning, "Some tactics do not have sufficient workspace memory to run.", 10)
      .tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "deallocate-async-unsupported");
  EXPECT_EQ(findings[0].evidence[0].note.str(), "10000 times");
  EXPECT_EQ(findings[0].evidence[0].line, 100U);
  EXPECT_EQ(findings[0].evidence.size(), 6U);  // and the five that follow
  EXPECT_EQ(findings[1].rule, "workspace-too-small");
}

TEST(MessageRuleMatch, ErrorsThatDifferInNumbersTakeOnePlace) {
  Case c;
  for (int i = 0; i < 5000; ++i) {
    c.error("3: [engine.cpp::frobnicate::" + std::to_string(i % 7) +
            "] Error Code 3: API Usage Error (Tensor " + std::to_string(i) + " at 0xab" +
            std::to_string(i) + " is odd)");
  }
  c.error("another error").tail();
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "build-failed");
  const std::vector<Evidence>& evidence = findings[0].evidence;
  ASSERT_EQ(evidence.size(), 7U);
  EXPECT_EQ(evidence[0].note.str(), "5000 such errors, the first here");
  EXPECT_EQ(evidence[1].text.str(), "another error");
  EXPECT_TRUE(evidence[1].note.empty());
  EXPECT_EQ(evidence[2].text.str(), kEngineNull);
}

}  // namespace
}  // namespace trtlens::message_rules_match_test
