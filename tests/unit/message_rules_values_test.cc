// What message rules say where the run went on, and of the network's own shapes.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/message_case.h"

namespace trtlens::message_rules_values_test {
namespace {

using test::Case;

const char kKnown[] =
    "Error[2]: [shuffleBuilder.cpp::writeGlob::154] Error Code 2: Internal Error (Assertion "
    "inputScalesLen >= quantizations.inputs[0].scale.count() failed. )";

TEST(MessageRuleValues, OpenDimensionsAreNamedWhereTheLogDeclaresThem) {
  const auto remedy = [](const Build& build) {
    Case c(Outcome::passed);
    c.build.io_tensors = build.io_tensors;
    c.say(LogSeverity::warning,
          "Dynamic dimensions required for input: x, but no shapes were provided. Automatically "
          "overriding shape to: 1x3x224x1");
    const std::vector<Finding> findings = c.findings();
    return findings.empty() || findings[0].remedies.empty() ? "" : findings[0].remedies[0];
  };
  Build build;
  IoTensor x;
  x.tensor.name = "x";
  x.network_dims = Dims{-1, 3, 224, -1};
  build.io_tensors = {x};
  EXPECT_EQ(remedy(build),
            "Build with the shape that is served: `--shapes=x:Nx3x224x?`, with the served size for "
            "N and each "
            "?.");
  build.io_tensors[0].network_dims = Dims{-1, 3, 224, 224};
  EXPECT_EQ(
      remedy(build),
      "Build with the shape that is served: `--shapes=x:Nx3x224x224`, with the served size for N.");
  build.io_tensors[0].network_dims = Dims{1, 3, 224, 1};
  EXPECT_EQ(remedy(build).find(
                "Build with `--shapes=x:1x3x224x1`, each open 1 replaced by the served size"),
            0U)
      << remedy(build);
}

TEST(MessageRuleValues, AProfileThatDoesNotFitNamesItsInput) {
  for (const char* end : {"kMIN", "kOPT", "kMAX"}) {
    Case c(Outcome::failed);
    c.error(std::string("x: ") + end + " dimensions in profile 2 are [1,2] but must be [1,3]");
    const std::vector<Finding> findings = c.findings();
    ASSERT_EQ(findings.size(), 1U) << end;
    EXPECT_EQ(findings[0].title,
              "Invalid shape range in an optimization profile, number 2: input x");
  }
}

// TensorFlow's end in ":0", many others in a digit; a code before the message is no name.
TEST(MessageRuleValues, NamesOfInputsAreWhole) {
  const auto title = [](const std::string& message) {
    Case c(Outcome::failed);
    c.error(message);
    const std::vector<Finding> findings = c.findings();
    return findings.empty() ? std::string() : findings[0].title;
  };
  const std::string code = "4: [network.cpp::validate::2948] Error Code 4: Internal Error (";
  EXPECT_EQ(title(code + "feed:0: dynamic input is missing dimensions in profile 0.)"),
            "Dynamic input has no shape in optimization profile 0: feed:0");
  const std::string fixed =
      " dimensions in profile 0 are [2,3] but input has static dimensions [1,3].";
  for (const std::string name : {"x", "input_1", "serving/x:0", "x.1"}) {
    EXPECT_EQ(title(code + name + ": kMIN" + fixed + ")"),
              "The profile gives another size than the model fixes: " + name);
  }
  EXPECT_EQ(title("Error Code 4: kMIN" + fixed),
            "The profile gives another size than the model fixes");
}

// A line that only says that there is no engine is no error to search for.
TEST(MessageRuleValues, TheLastWordOfABuildIsNotItsCause) {
  Case c(Outcome::failed);
  c.error("AssertionError: Failed to load CUDA engine");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "build-failed");
  EXPECT_NE(findings[0].why.find("only says that a call of TensorRT gave nothing back;"),
            std::string::npos);
  for (const std::string& remedy : findings[0].remedies) {
    EXPECT_EQ(remedy.find("Search the issues"), std::string::npos) << remedy;
  }
  Case other(Outcome::failed);
  other.error("AssertionError: Failed to load CUDA engine: model.onnx not found");
  ASSERT_EQ(other.findings().size(), 1U);
  EXPECT_NE(other.findings()[0].why.find("is not known to trtlens"), std::string::npos);
}

// "Aborted" behind an error is nobody's cause, and nothing to search for.
TEST(MessageRuleValues, ThatTheProgramEndedIsNoErrorBehindAnother) {
  const auto first = [](const std::vector<std::string>& errors) {
    Case c(Outcome::failed);
    for (const std::string& error : errors) c.error(error);
    const std::vector<Finding> findings = c.findings();
    return findings.empty() ? Finding() : findings[0];
  };
  const std::string ended = "Aborted (core dumped)";
  const std::string passed_on =
      "demo: a.cpp:12: void build(): Assertion `engine != nullptr' failed.";
  EXPECT_EQ(first({ended}).rule, "process-crashed");
  EXPECT_EQ(first({passed_on, ended})
                .why.find("\"Assertion 'engine != nullptr' failed\" only says that a call"),
            0U)
      << first({passed_on, ended}).why;
  EXPECT_EQ(first({"terminate called after throwing an instance of 'std::invalid_argument'\n"
                   "  what():  stoi",
                   ended})
                .rule,
            "uncaught-exception");
  const Finding unknown = first({"Something that nobody knows", ended});
  EXPECT_EQ(unknown.why,
            "The first error of the log is not known to trtlens: \"Something that nobody knows\".");
}

TEST(MessageRuleValues, ErrorsOfARunThatWentOnAreSaid) {
  Case c(Outcome::passed);
  c.error("Parameter check failed at: BuilderConfig.cpp::setType::17, condition: (x) != nullptr");
  c.error("Something else nobody knows");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "errors-unexplained");
  EXPECT_EQ(findings[0].severity, Severity::minor);
  EXPECT_EQ(findings[0].title.find("2 errors that trtlens does not know: "), 0U)
      << findings[0].title;
  EXPECT_EQ(findings[0].evidence[0].text.find("Parameter check failed"), 0U);
  EXPECT_EQ(findings[0].why, "The run went on: the engine may not be what was asked for.");
}

// What was pasted is what is asked about, whoever printed it; of a whole log only TensorRT's count.
TEST(MessageRuleValues, ErrorsOfAnExcerptAreSaidWhoeverPrintedThem) {
  Case c(Outcome::unknown);
  c.build.command = {};
  c.error("the gizmo exploded");
  c.build.messages[0].of_tensorrt = false;
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title, "An error that trtlens does not know: the gizmo exploded");
  EXPECT_EQ(findings[0].why, "Only the whole log shows how the run ended.");
  EXPECT_EQ(
      findings[0].next_check,
      "Get the whole log, which names the layer or file: `trtexec --onnx=MODEL.onnx --verbose "
      "> build.log 2>&1`.");
  c.build.closing_line = true;
  EXPECT_TRUE(c.findings().empty());
}

// Of a release that is not known, advice for old ones says for which, and stands last.
TEST(MessageRuleValues, AdviceForOldReleasesNamesThemWhereTheReleaseIsNotKnown) {
  Case c(Outcome::failed);
  c.error("(Unnamed Layer* 12) [Shuffle]: at most one dimension may be inferred");
  std::vector<std::string> remedies{
      "Export with a fixed batch, or write the other dimensions of the Reshape as numbers.",
      "Fold constants: `polygraphy surgeon sanitize MODEL.onnx --fold-constants -o folded.onnx`.",
      "For TensorRT up to 7: Use TensorRT 8 or later, whose parser works out such targets."};
  EXPECT_EQ(c.findings().at(0).remedies, remedies);
  c.version(7, 2, 3);
  remedies[2] = "Use TensorRT 8 or later, whose parser works out such targets.";
  EXPECT_EQ(c.findings().at(0).remedies, remedies);
  c.version(8, 0, 1);
  remedies.pop_back();
  EXPECT_EQ(c.findings().at(0).remedies, remedies);

  // A value of the message says that the release is an old one.
  Case sm(Outcome::failed);
  sm.error("Internal Error (Unsupported SM: 0x809)");
  const std::string install =
      "Install TensorRT 8.5 or later with CUDA 11.8 or later: the first for Ada (SM 0x809).";
  EXPECT_EQ(sm.findings().at(0).remedies.at(0), install);
  sm.version(8, 6, 1);
  EXPECT_NE(sm.findings().at(0).remedies.at(0), install);
}

// The other message that a rule asks for belongs to its finding: it stands behind the first as
// evidence, and is explained with it.
TEST(MessageRuleValues, TheCompanionIsEvidenceAndExplained) {
  Case c;
  c.error(
      "[optimizer.cpp::computeCosts::3869] Error Code 10: Internal Error (Could not find any "
      "implementation for node {ForeignNode[/a/MatMul.../b/Add]}.)");
  c.error("fusion.cpp:12: DCHECK(region_ && softmax_) failed. ");
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U) << findings[1].rule;
  EXPECT_EQ(findings[0].rule, "foreignnode-myelin-check");
  ASSERT_EQ(findings[0].evidence.size(), 2U);
  EXPECT_EQ(findings[0].evidence[1].text.str().find("fusion.cpp:12: DCHECK"), 0U);
  EXPECT_EQ(findings[0].evidence[1].note.str(), "");
}

TEST(MessageRuleValues, ErrorsThatARuleExplainsAreNotUnexplained) {
  Case c(Outcome::passed);
  c.version(8, 5, 1).error(kKnown);
  for (const Finding& finding : c.findings()) EXPECT_NE(finding.rule, "errors-unexplained");
  Case failed;
  failed.error("Something that nobody knows");
  for (const Finding& finding : failed.findings()) EXPECT_NE(finding.rule, "errors-unexplained");
}

TEST(MessageRuleValues, LogThatStopsAfterTheBuildWasTimingNothing) {
  Case c(Outcome::truncated);
  c.build.last_timed = TimingCursor{"conv1", "CaskConvolution", "Half(1) -> Half(1)", {0, 77, 0}};
  c.build.engine_build_s = 12.5;
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title, "The log stops after the build, before trtexec ended");
  EXPECT_EQ(findings[0].why,
            "The log has no closing line (&&&& PASSED or FAILED) and no error: the process was "
            "killed, crashed or still runs, or the log was cut.");
  EXPECT_TRUE(findings[0].evidence.empty());
}

TEST(MessageRuleValues, TruncatedLogWithAnErrorDoesNotSayThatThereIsNone) {
  Case c(Outcome::truncated);
  c.error("Something that no rule knows");
  c.build.messages[0].before_progress = true;
  const std::vector<Finding> findings = c.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "build-truncated");
  EXPECT_EQ(findings[0].why,
            "The log has no closing line (&&&& PASSED or FAILED): the process was killed, crashed "
            "or still runs, or the log was cut.");
}

// The limit that admits them all is the largest request, in whole MiB.
TEST(MessageRuleValues, AWorkspaceThatIsTooSmallHasItsNumbers) {
  const std::string said = "Some tactics do not have sufficient workspace memory to run.";
  Case c(Outcome::passed);
  c.version(8, 5, 1).say(LogSeverity::info, said);
  c.build.memory.workspace_refused = WorkspaceRefused{53, 128000, 3146240, 104857};
  const std::vector<Finding> findings = c.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].title, "The workspace limit of 0.1 MiB made it skip tactics");
  EXPECT_EQ(findings[0].remedies.at(0),
            "Remove the limit, or set --memPoolSize=workspace:4, in MiB.");
  EXPECT_NE(findings[0].why.find(
                "53 tactics asked for 0.12 MiB to 3 MiB of workspace; 0.1 MiB was allowed."),
            std::string::npos);

  Case tiny(Outcome::passed);
  tiny.version(8, 5, 1).say(LogSeverity::info, said);
  tiny.build.memory.workspace_refused = WorkspaceRefused{1, 1024, 1024, 1024};
  EXPECT_EQ(tiny.findings().at(0).title, "The workspace limit of 1 KiB made it skip tactics");

  // A unit that is read as bytes is why the limit is small: one remedy, not two.
  Case typed(Outcome::passed);
  typed.version(10, 3, 0).say(LogSeverity::info, said);
  typed.build.options.flags = {{"memPoolSize", "workspace:1024MiB"}};
  ASSERT_EQ(typed.findings().size(), 1U);
  EXPECT_EQ(typed.findings()[0].title, "--memPoolSize=workspace:1024MiB was read as bytes");
  typed.build.options.flags = {{"memPoolSize", "workspace:1M"}};
  ASSERT_EQ(typed.findings().size(), 1U);
  EXPECT_EQ(typed.findings()[0].rule, "workspace-too-small");

  Case unknown(Outcome::passed);
  unknown.version(8, 5, 1).say(LogSeverity::info, said);
  EXPECT_EQ(unknown.findings().at(0).title, "The workspace limit made it skip tactics");
  EXPECT_NE(unknown.findings().at(0).remedies.at(0).find(
                "Remove the limit, or set --memPoolSize=workspace:4096, in MiB."),
            std::string::npos);
}

// The largest of all, in a unit that people read.
TEST(MessageRuleValues, SkippedTacticsSayTheMostThatWasAskedFor) {
  const auto skip = [](const char* size) {
    return "Skipping tactic 0 due to insufficient memory on requested size of " +
           std::string(size) + " detected for tactic 0x0000000000000000.";
  };
  Case c(Outcome::passed);
  c.say(LogSeverity::warning, skip("2048000000"))
      .say(LogSeverity::warning, skip("28332523520"))
      .say(LogSeverity::warning, skip("1048576000"));
  EXPECT_EQ(c.findings().at(0).title, "Tactics skipped for lack of memory: 26 GiB");
  Case megabytes(Outcome::passed);
  megabytes.say(LogSeverity::warning,
                "Skipping tactic 3 due to insuficient memory on requested size of 449 detected for "
                "tactic 4.");
  EXPECT_EQ(megabytes.findings().at(0).title, "Tactics skipped for lack of memory: 449 MiB");
  Case none(Outcome::passed);
  none.say(LogSeverity::warning, "Device memory is insufficient to use tactic.");
  EXPECT_EQ(none.findings().at(0).title, "Tactics skipped for lack of memory");
  Case huge(Outcome::passed);  // beyond 64 bits
  huge.say(LogSeverity::warning, skip("99999999999999999999999"));
  EXPECT_EQ(huge.findings().at(0).title, "Tactics skipped for lack of memory");
}

TEST(MessageRuleValues, WhyLayersLeftTheDla) {
  const auto switched = [](const std::string& layer) {
    return "Layer '" + layer +
           "' (SHUFFLE): Unsupported on DLA. Switching this layer's device "
           "type to GPU.";
  };
  Case c(Outcome::passed);
  c.say(LogSeverity::warning, "/avg/Pool: DLA cores do not support AVG Reduce operation.")
      .say(LogSeverity::warning, switched("/avg/Pool"))
      .say(LogSeverity::warning, switched("/Flatten"))
      .say(LogSeverity::warning, "(Unnamed Layer* 7) [Scale]: DLA cores do not support POW.")
      .say(LogSeverity::warning,
           "DLA Layer conv1 does not support dynamic shapes in any dimension.");
  const Finding all = c.findings().at(0);
  EXPECT_EQ(all.rule, "dla-gpu-fallback");
  EXPECT_NE(all.why.find("The log says why: /avg/Pool: DLA cores do not support AVG Reduce "
                         "operation, (Unnamed Layer* 7) [Scale]: DLA cores do not support POW, "
                         "conv1: does not support dynamic shapes."),
            std::string::npos)
      << all.why;
  // Where the log gives none, it says how many.
  Case none(Outcome::passed);
  none.say(LogSeverity::warning, switched("/a")).say(LogSeverity::warning, switched("/b"));
  EXPECT_NE(none.findings().at(0).why.find("2 messages say so."), std::string::npos);
  EXPECT_EQ(none.findings().at(0).why.find("says why"), std::string::npos);

  // What crosses the border is asked for in the DLA's own formats, unless the command asks.
  const auto advises = [](const Case& of) {
    const std::vector<Finding> findings = of.findings();
    for (const std::string& remedy : findings.at(0).remedies) {
      if (remedy.find("--inputIOFormats=fp16:chw16") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(advises(none));
  none.build.options.flags = {{"inputIOFormats", "fp16:chw16"}};
  EXPECT_FALSE(advises(none));
}

TEST(MessageRuleValues, NodesThatOnnxRuntimeKeepsOutsideAreCounted) {
  const auto placed = [](const char* provider, int nodes) {
    return std::string(
               "session_state.cc:1155 VerifyEachNodeIsAssignedToAnEp]  Node(s) placed on [") +
           provider + "ExecutionProvider]. Number of nodes: " + std::to_string(nodes);
  };
  Case c(Outcome::unknown);
  c.say(LogSeverity::warning, placed("Tensorrt", 11))
      .say(LogSeverity::warning, placed("CPU", 1))
      .say(LogSeverity::warning, placed("CUDA", 6));
  const Finding f = c.findings().at(0);
  EXPECT_EQ(f.rule, "ort-nodes-outside-tensorrt");
  EXPECT_EQ(
      f.why.find(
          "Nodes outside of TensorRT: 1 on CPUExecutionProvider, 6 on CUDAExecutionProvider."),
      0U)
      << f.why;
  Case old(Outcome::unknown);
  old.say(LogSeverity::warning, " Provider: [TensorrtExecutionProvider]: [TRTKernel_0 (T_0), ]")
      .say(LogSeverity::warning, " Provider: [CUDAExecutionProvider]: [NonZero (NonZero_12), ]");
  EXPECT_EQ(old.findings().at(0).why.find(
                "Nodes outside of TensorRT: CUDAExecutionProvider: NonZero (NonZero_12)"),
            0U)
      << old.findings().at(0).why;
  Case without(Outcome::unknown);  // no TensorRT in it
  without.say(LogSeverity::warning, placed("CPU", 1)).say(LogSeverity::warning, placed("CUDA", 6));
  EXPECT_TRUE(without.findings().empty());
}

std::string all_steps(const Finding& finding) {
  std::string text = finding.next_check;
  for (const std::string& remedy : finding.remedies) text += '\n' + remedy;
  return text;
}

// What makes the network itself has no ONNX file to try.
TEST(MessageRuleValues, AnUnknownErrorOfAConverterNamesNoOnnxFile) {
  Case c;
  c.build.command.clear();
  c.error("KeyError: 'type'");
  const std::string of_any = all_steps(c.findings().at(0));
  EXPECT_NE(of_any.find("trtexec --onnx="), std::string::npos);
  EXPECT_NE(of_any.find("for \"KeyError: 'type'\""), std::string::npos);
  EXPECT_EQ(of_any.find("TensorRT-LLM"), std::string::npos);
  c.build.producer = "tensorrt_llm";
  const std::string of_llm = all_steps(c.findings().at(0));
  EXPECT_EQ(of_llm.find("onnx"), std::string::npos) << of_llm;
  EXPECT_EQ(of_llm.find("--verbose"), std::string::npos) << of_llm;
  EXPECT_NE(of_llm.find("Search the issues of TensorRT-LLM"), std::string::npos);
  c.say(LogSeverity::warning, "Exporting to model.onnx");
  EXPECT_EQ(all_steps(c.findings().at(0)), of_any) << "there is one";
}

TEST(MessageRuleValues, AFailedAssertionIsItsCondition) {
  Case c;
  c.error(
      "yolov7: /src/yolov7/main.cpp:38: void serialize_engine(unsigned int, std::string&): "
      "Assertion `serialized_engine != nullptr' failed.");
  const Finding finding = c.findings().at(0);
  EXPECT_EQ(finding.title, "The build failed: Assertion 'serialized_engine != nullptr' failed");
  EXPECT_EQ(all_steps(finding).find("trtlens explain"), std::string::npos)
      << "whose words are near says nothing of a call that gave nothing back";
}

TEST(MessageRuleValues, AWeightlessConvolutionAsksForTheFileOfWeights) {
  const auto first = [](const std::string& condition) {
    Case c;
    c.error("Parameter check failed at: ../builder/Network.cpp::addX::1, condition: " + condition);
    return c.findings().at(0).remedies.at(0);
  };
  EXPECT_EQ(first("nbOutputChannels >= 1 && nbOutputChannels < MAX_OUTPUT_MAPS"),
            "Check the file of weights: nbOutputChannels is 0 where it was not found, is empty, or "
            "is of another release.");
  EXPECT_EQ(first("nbInputs >= 1"),
            "Look at the node converted at that moment: a pad, window, axis or weight breaks the "
            "condition.");
}

TEST(MessageRuleValues, ARangeOfOneSizeIsThatSize) {
  const auto why = [](const std::string& most) {
    Case c;
    c.error(
        "3: [executionContext.cpp::validateInputBindings::2046] Error Code 3: API Usage Error "
        "(Parameter check failed at: "
        "runtime/api/executionContext.cpp::validateInputBindings::2046, "
        "condition: profileMinDims.d[i] <= dimensions.d[i]. Supplied binding dimension [1,4,64,64] "
        "for bindings[0] exceed min ~ max range at index 0, maximum dimension in profile is " +
        most + ", minimum dimension in profile is 4, but supplied dimension is 1.)");
    return c.findings().at(0).why;
  };
  const std::string rule =
      "Every dimension must lie between the profile's MIN and MAX, and fixed dimensions cannot "
      "change; axis 0 (counting from 0) is 1, ";
  EXPECT_EQ(why("4"), rule + "allowed is only 4.");
  EXPECT_EQ(why("8"), rule + "allowed are 4 to 8.");
}

TEST(MessageRuleValues, ACrashNamesTheLastNodeParsed) {
  const auto steps = [](const Build& build) {
    Case c;
    c.build.onnx_nodes = build.onnx_nodes;
    c.build.graph_layers = build.graph_layers;
    c.error("Segmentation fault (core dumped)");
    return all_steps(c.findings().at(0));
  };
  Build build;
  EXPECT_EQ(steps(build).find("last node parsed"), std::string::npos);
  build.onnx_nodes = {{"/a/Conv", "Conv", {}, {}, {}}, {"/img_neck/Resize", "Resize", {}, {}, {}}};
  EXPECT_NE(steps(build).find("The last node parsed is img_neck.Resize: "), std::string::npos);
  build.graph_layers = 9;  // parsing is over
  EXPECT_EQ(steps(build).find("last node parsed"), std::string::npos);
}

// "Loaded engine size: 0 MiB" in front of the error.
TEST(MessageRuleValues, AnEngineBelowOneMibIsLookedAtFirst) {
  const auto first_step = [](bool in_mib, std::optional<std::int64_t> bytes) {
    Case c;
    c.build.memory.engine_in_mib = in_mib;
    c.build.memory.engine_bytes = bytes;
    c.error(
        "1: [runtime.cpp::parsePlan::314] Error Code 1: Serialization (Serialization assertion "
        "plan->header.magicTag == rt::kPLAN_MAGIC_TAG failed.)");
    return c.findings().at(0).remedies.at(0);
  };
  const std::string size = "Check its size, below 1 MiB here: ";
  EXPECT_TRUE(first_step(true, std::nullopt).starts_with(size));
  EXPECT_FALSE(first_step(true, 1 << 20).starts_with(size));
  EXPECT_FALSE(first_step(false, std::nullopt).starts_with(size));
}

TEST(MessageRuleValues, AnOperatorThatOnlyALaterMessageNamesIsTaken) {
  const std::string anonymous =
      "ModelImporter.cpp:967: ERROR: onnxOpCheckers.cpp:818 In function "
      "checkFallbackPluginImporter:\n"
      "[6] creator && \"Plugin not found, are the plugin name, version, and namespace correct?\"";
  const auto named = [](const std::string& op) {
    return "In node 11 with name: /net/" + op + "_0 and operator: " + op +
           " (checkFallbackPluginImporter): INVALID_NODE: creator && \"Plugin not found, are the "
           "plugin name, version, and namespace correct?\"";
  };
  Case c;
  c.error(anonymous);
  EXPECT_EQ(c.findings().at(0).title, "No importer and no plugin for an operator");
  c.error(named("GridA")).error(named("GridB"));
  const Finding both = c.findings().at(0);
  EXPECT_EQ(both.title, "No importer and no plugin for GridA: /net/GridA_0");
  EXPECT_EQ(all_steps(both).find("op_type"), std::string::npos);
}

TEST(MessageRuleValues, ATitleMayBeginWithABracket) {
  Case c;
  c.error("OSError: (/opt/libfoo.so: undefined symbol: _ZN2at11show_configEv)");
  EXPECT_EQ(c.findings().at(0).title, "/opt/libfoo.so was built for another PyTorch");
}

}  // namespace
}  // namespace trtlens::message_rules_values_test
