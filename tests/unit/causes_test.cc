// Rules are symptoms of causes: what folds, who is blamed for an unknown error, which advice fits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzers/rules/engine/matcher.h"
#include "message_case.h"

namespace trtlens::causes_test {
namespace {

using message_rules::cause_by_place;
using message_rules::roots_of;
using message_rules::shows_program;
using message_rules::Symptom;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> rules_of(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings) rules.push_back(finding.rule);
  return rules;
}

RuleFile causes_file() {
  std::ifstream in(std::string(TRTLENS_SOURCE_DIR) + "/analyzers/rules/causes.json",
                   std::ios::binary);
  return {"causes.json", {std::istreambuf_iterator<char>(in), {}}};
}

TEST(Causes, AreGoodAndWhatTheBinaryHas) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<Cause> whole = load_causes(causes_file(), SampleCheck::run, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.front().expected << diagnostics.front().found;
  ASSERT_EQ(whole.size(), causes().size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const Cause& fast = causes()[i];
    EXPECT_EQ(fast.id, whole[i].id);
    EXPECT_EQ(fast.title, whole[i].title);
    EXPECT_EQ(fast.why, whole[i].why);
    EXPECT_EQ(fast.next_check, whole[i].next_check);
    EXPECT_EQ(fast.leads_to, whole[i].leads_to);
    EXPECT_EQ(fast.places, whole[i].places);
    EXPECT_EQ(fast.part, whole[i].part);
    EXPECT_EQ(fast.is_harmless, whole[i].is_harmless);
    EXPECT_EQ(fast.places.empty(), fast.part.empty()) << fast.id;
  }
}

// A cause that none of its rules is worth acting on is harmless, and the other way round.
TEST(Causes, EachHasSymptomsAndHarmlessOnesAskForNothing) {
  const std::vector<RuleInfo> rules = all_rule_infos();
  std::set<std::string> rule_ids;
  for (const RuleInfo& rule : rules) rule_ids.insert(rule.id);
  for (const Cause& cause : causes()) {
    std::size_t symptoms = 0;
    for (const RuleInfo& rule : rules) {
      if (rule.cause != cause.id) continue;
      ++symptoms;
      if (cause.is_harmless) {
        EXPECT_LE(rule.severity, Severity::minor) << rule.id;
      }
    }
    EXPECT_GT(symptoms, 0U) << cause.id;
    if (rule_ids.count(cause.id) == 0) continue;
    for (const RuleInfo& rule : rules) {
      if (rule.id == cause.id) {
        EXPECT_EQ(rule.cause, cause.id) << "one name, two meanings";
      }
    }
  }
}

TEST(Causes, WhatFollowsIsEvidence) {
  test::Case made;
  made.error("libmy_ops.so: cannot open shared object file: No such file or directory");
  made.error("3: getPluginCreator could not find plugin: MyNorm version: 1");
  made.tail();
  const std::vector<Finding> findings = made.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].cause, "plugin-library-not-loaded") << findings[0].rule;
  EXPECT_THAT(rules_of(findings), Not(Contains("plugin-not-found")));
  ASSERT_GE(findings[0].evidence.size(), 2U);
  EXPECT_EQ(findings[0].evidence[1].text.str(),
            "3: getPluginCreator could not find plugin: MyNorm version: 1");
  EXPECT_THAT(findings[0].evidence[1].note.str(), HasSubstr("MyNorm"));
}

TEST(Causes, NothingFollowsFromALaterLine) {
  const auto at = [](std::uint64_t line) { return std::make_pair(std::uint32_t{0}, line); };
  const std::vector<Symptom> in_order = {{"operator-not-imported", at(4)},
                                         {"plugin-library-not-loaded", at(4)}};
  EXPECT_THAT(roots_of(in_order), ElementsAre(1U, 1U));
  EXPECT_THAT(roots_of({in_order[0], {"plugin-library-not-loaded", at(5)}}), ElementsAre(0U, 1U));
  // Without a place nothing speaks against it.
  EXPECT_THAT(roots_of({in_order[0], {"plugin-library-not-loaded", {}}}), ElementsAre(1U, 1U));
}

TEST(Causes, ChainsEndAtTheFirstCause) {
  EXPECT_THAT(roots_of({{"no-engine", {}}, {"no-kernel", {}}, {"gpu-not-supported", {}}}),
              ElementsAre(2U, 2U, 2U));
  // Two failures of one cause may be about two nodes; a warning of it is not.
  EXPECT_THAT(roots_of({{"no-kernel", {}}, {"no-kernel", {}}, {"no-kernel", {}, false}}),
              ElementsAre(0U, 1U, 0U));
  EXPECT_THAT(roots_of({{"no-kernel", {}, false}, {"no-kernel", {}, false}}), ElementsAre(0U, 1U));
  // Whatever ended it explains the end, but no later error does.
  const auto at = [](std::uint64_t line) { return std::make_pair(std::uint32_t{0}, line); };
  EXPECT_THAT(roots_of({{"program-crashed", at(9)}, {"weights-outside-fp16", at(3)}}),
              ElementsAre(1U, 1U));
  EXPECT_THAT(roots_of({{"program-crashed", at(9)}, {"weights-outside-fp16", at(12)}}),
              ElementsAre(0U, 1U));
  EXPECT_THAT(roots_of({{"a-rule", {}}, {"another-rule", {}}}), ElementsAre(0U, 1U));
}

TEST(Causes, ACrashIsNoCauseOfAnErrorBeforeIt) {
  test::Case made;
  made.error("2: [kernelFoo.cpp::launch::77] Error Code 2: Internal Error (splines reticulated)");
  made.error("Segmentation fault (core dumped)");
  const std::vector<Finding> findings = made.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "build-failed");
  EXPECT_EQ(findings[0].title, "The build failed: splines reticulated");
  EXPECT_EQ(findings[0].confidence, Confidence::guessed);
  EXPECT_THAT(rules_of(findings), Not(Contains("process-crashed")));
}

TEST(Causes, EveryErrorOfAFoldedFindingIsQuoted) {
  test::Case made;
  made.error("libmy_ops.so: cannot open shared object file: No such file or directory");
  for (const char* name : {"A", "B", "C"}) {
    made.error("3: getPluginCreator could not find plugin: " + std::string(name) + " version: 1");
  }
  const std::vector<Finding> findings = made.findings();
  ASSERT_FALSE(findings.empty());
  std::size_t quoted = 0;
  for (const Evidence& evidence : findings[0].evidence) {
    quoted += evidence.text.str().find("could not find plugin") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(quoted, 3U);
}

TEST(Causes, UnknownErrorsAreJudgedByTheirPlace) {
  test::Case made;
  made.error(
      "2: [pluginV2DynamicExtRunner.cpp::execute::115] Error Code 2: Internal Error "
      "(the moon is full)");
  made.tail();
  const std::vector<Finding> findings = made.findings();
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].rule, "build-failed");
  EXPECT_EQ(findings[0].cause, "plugin-faulty");
  EXPECT_EQ(findings[0].title, "The build failed in TensorRT's code for plugins: the moon is full");
  EXPECT_THAT(findings[0].why, StartsWith("The error comes from TensorRT's code that calls plug"));
  EXPECT_THAT(findings[0].remedies[0], StartsWith("Run the plugin alone"));
}

TEST(Causes, PlacesInTheFormsOfAllVersions) {
  const auto cause = [](const std::string& text) {
    const Cause* found = cause_by_place(text);
    return found == nullptr ? std::string() : found->id;
  };
  EXPECT_EQ(cause("[calibrator.cpp::calibrateEngine::1160] Error Code 2"),
            "calibration-data-faulty");
  EXPECT_EQ(cause("Error Code 1: Cuda Runtime (In alloc at /_src/common/cudaMemory.cpp:97)"),
            "gpu-memory-full");
  EXPECT_EQ(cause("[cudaDriverHelpers.cpp::operator()::29] Error Code 1: Cuda Driver"),
            "driver-not-ready");
  EXPECT_EQ(cause("[standardEngine.cpp::initCudaResources::3] x"), "cuda-error");
  EXPECT_EQ(cause("Myelin ([myelinGraph.h:1040]) said so"), "");
  EXPECT_EQ(cause("[boundLayer.cpp::visit::12] x"), "");
  EXPECT_EQ(cause("the pluginV2Runner.cpp of somebody"), "");
  EXPECT_EQ(cause("odd at /home/me/app/my_alloc.cpp:33"), "");
  EXPECT_EQ(cause("node [yolo_plugin.cpp::x::1] broke"), "");
  EXPECT_EQ(cause("[executionContext.cpp::setInputShape::1032] Error Code 3: API Usage Error"), "");
  for (const char* of_myelin :
       {"[myelinGraphAllocator.cpp::grow::12] Error Code 2",
        "Error Code: 9: Skipping tactic due to exception [myelinPlanUtils.cpp:createPlan:32] x",
        "2: [../optimizer/myelin/myelinCudaUtils.cpp::launch::9] odd",
        "../optimizer/myelin/myelinShapeUtils.cpp (22) - Odd Error in plan: 5",
        "Error Code 2: (failed. In add at /_src/optimizer/myelin/myelinUtils.cpp:123)"}) {
    EXPECT_EQ(cause(of_myelin), "graph-compiler-failed") << of_myelin;
  }
  EXPECT_EQ(cause("see myelinShapeUtils.cpp (22) - Odd Error in plan"), "");
}

// "Error[9]: …" ends a title at its bracket.
TEST(Causes, TheTitleOfAnUnknownErrorBeginsWithItsWords) {
  for (const char* text :
       {"Error[9]: the moon is full", "2: the moon is full",
        "Error[2]: [../a/moonUtils.cpp::shine::9] the moon is full", "the moon is full"}) {
    test::Case made;
    made.error(text);
    EXPECT_EQ(made.findings().at(0).title, "The build failed: the moon is full") << text;
  }
}

// An engine that is loaded has no model, and no kernels are chosen.
TEST(Causes, AnUnknownErrorOfLoadingIsCheckedByLoading) {
  const auto found = [](const std::string& text) {
    test::Case made;
    made.build.command.clear();
    made.error(text);
    return made.findings().at(0);
  };
  const Finding load = found("INVALID_CONFIG: Deserialize the cuda engine failed");
  EXPECT_THAT(load.title, StartsWith("The engine was not loaded"));
  EXPECT_THAT(load.remedies[0], HasSubstr("version, the GPU's compute capability and the size"));
  EXPECT_THAT(load.next_check, HasSubstr("`ls -l ENGINE`"));
  EXPECT_THAT(load.next_check, HasSubstr("`trtexec --loadEngine=ENGINE --verbose`"));
  EXPECT_THAT(load.next_check, Not(HasSubstr("--onnx")));
  const Finding build = found("the builder saw a full moon");
  EXPECT_THAT(build.next_check, HasSubstr("--onnx="));
  EXPECT_THAT(build.next_check, Not(HasSubstr("--loadEngine")));
}

TEST(Causes, AReshapeSaysWhichSizesDiffer) {
  const auto title = [](const std::string& text) {
    test::Case made;
    made.error(text);
    return made.findings().at(0).title;
  };
  const std::string node = "Shapes do not fit together in a node";
  EXPECT_EQ(title("[a.cpp::b::1] Error Code 4: Miscellaneous (IShuffleLayer /r/Reshape: reshape "
                  "changes volume. Reshaping [1,1000] to [1,500].)"),
            node + ": /r/Reshape, 1x1000→1x500");
  EXPECT_EQ(title("4: IShuffleLayer /r/Reshape: reshaping failed for tensor: /r/in reshape would "
                  "change volume 1000 to 500"),
            node + ": /r/Reshape, 1000→500");
  EXPECT_EQ(title("4: IShuffleLayer /r/Reshape: reshape changes volume: 1000 != 500"),
            node + ": /r/Reshape, 1000→500");
  EXPECT_EQ(title("Error[4]: reshape changes volume. Reshaping [12] to [7]."), node + ", 12→7");
  EXPECT_EQ(title("Error[4]: reshape changes volume."), node);
}

TEST(Causes, AdviceForAProgramNeedsTheProgram) {
  const auto advice = [](const std::string& producer) {
    test::Case made;
    made.build.producer = producer;
    made.error(
        "1: [stdArchiveReader.cpp::StdArchiveReader::40] Error Code 1: Serialization "
        "(Serialization assertion stdVersionRead == serializationVersion failed.Version tag "
        "does not match. Note: Current Version: 232, Serialized Engine Version: 213)");
    std::string all;
    const std::vector<Finding> findings = made.findings();
    for (const std::string& remedy : findings.at(0).remedies) all += remedy + '\n';
    return all;
  };
  EXPECT_THAT(advice("trtexec"), Not(HasSubstr("cached engine file")));
  EXPECT_THAT(advice("trtexec"), Not(HasSubstr("YOLO_MODELS")));
  EXPECT_THAT(advice("deepstream"), HasSubstr("Delete the cached engine file"));
  EXPECT_THAT(advice("deepstream"), Not(HasSubstr("YOLO_MODELS")));
  EXPECT_THAT(advice("frigate"), HasSubstr("YOLO_MODELS"));
}

TEST(Causes, ProgramsShowInMessagesCommandAndGpu) {
  Build build;
  build.producer = "trtexec";
  EXPECT_FALSE(shows_program("Jetson", build));
  EXPECT_FALSE(shows_program("a program", build));
  build.gpu.emplace().compute_capability = "8.7";
  EXPECT_TRUE(shows_program("Jetson", build));
  build.gpu->compute_capability = "8.6";
  EXPECT_FALSE(shows_program("Jetson", build));
  build.messages.emplace_back().text = "weights of pytorch_model/orin_head/tritonX/nvdsx are odd";
  for (const char* name : {"Python", "Triton", "DeepStream", "ComfyUI"}) {
    EXPECT_FALSE(shows_program(name, build)) << name;
  }
  build.messages.emplace_back().text = "from /opt/ComfyUI/custom_nodes";
  EXPECT_TRUE(shows_program("ComfyUI", build));
  EXPECT_FALSE(shows_program("Triton", build));
  build.command = "trtexec --loadEngine=/models/model_repository/a/1/model.plan";
  EXPECT_TRUE(shows_program("Triton", build));
}

TEST(Causes, ProgramsShowInThePackagesOfATraceback) {
  Build build;
  build.packages = {"torch", "torch2trt"};
  EXPECT_TRUE(shows_program("torch2trt", build));
  EXPECT_TRUE(shows_program("a converter", build));
  EXPECT_FALSE(shows_program("Torch-TensorRT", build));
}

TEST(Causes, ProgramsShowInTheirOwnSentences) {
  const auto shows = [](const char* program, const char* message) {
    Build build;
    build.messages.emplace_back().text = message;
    return shows_program(program, build);
  };
  EXPECT_TRUE(shows("Polygraphy", "Profile is not valid, please provide profile data."));
  EXPECT_FALSE(shows("Polygraphy", "Profile is not valid"));
  EXPECT_TRUE(shows("a diffusion model", "layer /down_blocks.0/attentions.0/Reshape_1"));
  EXPECT_TRUE(shows("a diffusion model", "layer mid_block/resnets.0/Conv"));
  EXPECT_FALSE(shows("a diffusion model", "layer /down_blocks/x/mid_blocks.1/Reshape_1"));
}

TEST(Causes, WindowsShowsInItsPaths) {
  const auto shows = [](const std::string& message) {
    Build build;
    build.messages.emplace_back().text = message;
    return shows_program("Windows", build);
  };
  EXPECT_TRUE(shows("D:\\a\\_work\\1\\s\\x.cc:709 failed"));
  EXPECT_TRUE(shows("File \"C:/pose/demo.py\", line 311"));
  EXPECT_TRUE(shows("nvinfer_10.dll is missing"));
  EXPECT_FALSE(shows("see https://host/a and tensor:/b, layer m.dlla, x::/y"));
}

TEST(Causes, AConverterIsAWrapperToo) {
  const auto groups = [](const std::string& message) {
    Build build;
    build.messages.emplace_back().text = message;
    return std::pair(shows_program("a converter", build), shows_program("a wrapper", build));
  };
  using Groups = std::pair<bool, bool>;
  EXPECT_EQ(groups("weights are odd"), Groups(false, false));
  EXPECT_EQ(groups("from polygraphy.backend.trt import x"), Groups(false, false));
  for (const char* wrapper : {"onnxruntime", "mmdeploy", "gst-nvinfer"}) {
    EXPECT_EQ(groups(wrapper), Groups(false, true)) << wrapper;
  }
  for (const char* converter : {"tensorrt_llm", "torch_tensorrt", "torch2trt", "TF-TRT"}) {
    EXPECT_EQ(groups(converter), Groups(true, true)) << converter;
  }
}

TEST(Causes, NoAdviceToDoWhatTheCommandDoes) {
  const auto advises = [](const std::string& flag) {
    test::Case made;
    if (!flag.empty()) made.build.options.flags.emplace_back(flag, "");
    made.error("9: something that nobody has ever seen");
    std::string all;
    const std::vector<Finding> findings = made.findings();
    for (const std::string& remedy : findings.at(0).remedies) all += remedy + '\n';
    return all.find("Add `--verbose` and `2>&1`") != std::string::npos;
  };
  EXPECT_TRUE(advises(""));
  EXPECT_TRUE(advises("--noTF32"));
  EXPECT_FALSE(advises("--verbose"));
}

struct Loaded {
  std::vector<MessageRule> rules;
  std::vector<std::string> faults;
};

// A rule that has the texts of its cause.
Loaded load(const std::string& members) {
  Loaded loaded;
  std::vector<Diagnostic> diagnostics;
  const std::string text =
      "[{\"id\": \"mine\", \"category\": \"c\", \"severity\": \"fatal\", \"confidence\": "
      "\"measured\", \"title\": \"t\", \"what\": \"w\",\n" +
      members +
      " \"patterns\": [\"boom \\\\d\"], \"samples\": [\"boom 7\"], \"near_misses\": [\"boom\"]}]";
  loaded.rules = load_message_rules({}, {{"my.json", text}}, diagnostics);
  for (const Diagnostic& d : diagnostics) {
    loaded.faults.push_back(d.file + ':' + std::to_string(d.line) + ':' + std::to_string(d.column) +
                            ": expected " + d.expected + ", found " + d.found);
  }
  return loaded;
}

TEST(Causes, OwnRulesTakeTheTextsOfTheirCause) {
  const std::string sources = "\"sources\": [\"https://example.com\"],";
  const Loaded loaded = load("\"cause\": \"plugin-faulty\"," + sources);
  EXPECT_THAT(loaded.faults, ElementsAre());
  ASSERT_EQ(loaded.rules.size(), 1U);
  const Cause* cause = cause_by_id("plugin-faulty");
  ASSERT_NE(cause, nullptr);
  EXPECT_EQ(loaded.rules[0].info.why, cause->why);
  EXPECT_EQ(loaded.rules[0].info.next_check, cause->next_check);
  EXPECT_EQ(loaded.rules[0].info.remedies.size(), cause->remedies.size());
  // Its own come first.
  const Loaded own = load("\"cause\": \"plugin-faulty\", \"why\": \"mine\"," + sources);
  ASSERT_EQ(own.rules.size(), 1U);
  EXPECT_EQ(own.rules[0].info.why, "mine");
}

TEST(Causes, TheFirstCheckThatAppliesIsTaken) {
  const std::string texts =
      "\"why\": \"y\", \"remedies\": [\"r\"], \"sources\": [\"https://example.com\"],\n";
  const Loaded loaded = load(texts +
                             "\"next_check\": [{\"text\": \"in MMDeploy\", \"for\": "
                             "[\"MMDeploy\"]}, {\"text\": \"not in Triton\", \"not_for\": "
                             "[\"Triton\"]}, \"look\"],");
  EXPECT_THAT(loaded.faults, ElementsAre());
  ASSERT_EQ(loaded.rules.size(), 1U);
  const auto check = [&](const std::string& message) {
    Build build;
    build.messages.emplace_back().text = message;
    return loaded.rules[0].info.finding({}, build).next_check;
  };
  EXPECT_EQ(check("boom 7 of mmdeploy"), "in MMDeploy");
  EXPECT_EQ(check("boom 7"), "not in Triton");
  EXPECT_EQ(check("boom 7 of tritonserver"), "look");
  EXPECT_THAT(load(texts + "\"next_check\": [{\"text\": \"a\"}],").faults,
              ElementsAre("my.json:3:15: expected a last check that is text alone, found none"));
  EXPECT_THAT(load(texts + "\"next_check\": [\"a\", \"b\"],").faults,
              ElementsAre("my.json:3:15: expected conditions for each check but the last, found "
                          "text alone"));
  EXPECT_THAT(load(texts + "\"next_check\": [],").faults,
              ElementsAre("my.json:3:15: expected a last check that is text alone, found none"));
}

TEST(Causes, NoCheckNeedsAFileThatAConverterDoesNotHave) {
  RuleInfo info;
  info.next_check = "If it builds, the program is at fault: `trtexec --onnx=MODEL.onnx`.";
  const auto check = [&](const std::string& message) {
    Build build;
    build.messages.emplace_back().text = message;
    return info.finding({}, build).next_check;
  };
  EXPECT_EQ(check("weights are odd"), info.next_check);
  EXPECT_EQ(check("torch2trt: weights are odd"), "");
  EXPECT_EQ(check("torch2trt: weights of m.onnx are odd"), info.next_check);
  info.next_check = "Export it; if that builds, the converter is: `trtexec --onnx=MODEL.onnx`.";
  EXPECT_EQ(check("torch2trt: weights are odd"), info.next_check);
  info.next_check = "If it runs, the program is at fault: `trtexec --loadEngine=ENGINE`.";
  EXPECT_EQ(check("torch2trt: weights are odd"), "");
  info.next_check = "If it differs, look: `trtexec --loadEngine=ENGINE --exportTimes=t.json`.";
  EXPECT_EQ(check("torch2trt: weights are odd"), "");
  info.next_check = "Look at its weights.";
  EXPECT_EQ(check("torch2trt: weights are odd"), info.next_check);
}

TEST(Causes, AFolderOfAConvertersNameTakesNoCheckFromTrtexec) {
  RuleInfo info;
  info.next_check = "`trtexec --loadEngine=/home/me/torch2trt/m.engine --useCudaGraph`: is it so?";
  Build build;
  build.command = "trtexec --loadEngine=/home/me/torch2trt/m.engine";
  build.producer = "trtexec";
  EXPECT_EQ(info.finding({}, build).next_check, info.next_check);
  build.producer.clear();
  EXPECT_EQ(info.finding({}, build).next_check, "");
}

TEST(Causes, FaultsOfRulesSayWhatIsMissing) {
  EXPECT_THAT(load("\"cause\": \"plugin-faulty\",").faults, ElementsAre());
  EXPECT_THAT(load("\"why\": \"y\", \"next_check\": \"n\",").faults,
              ElementsAre("my.json:1:2: expected the key \"remedies\", found none"));
  EXPECT_THAT(
      load("\"cause\": \"no-such\", \"why\": \"y\", \"next_check\": \"n\", \"remedies\": [\"r\"], "
           "\"sources\": [\"https://example.com\"],")
          .faults,
      ElementsAre("my.json:1:2: expected the id of a cause of causes.json, found \"no-such\""));
  EXPECT_THAT(
      load("\"why\": \"y\", \"next_check\": \"n\", \"remedies\": [{\"text\": \"r\", \"for\": "
           "[\"Nobody\"]}], \"sources\": [\"https://example.com\"],")
          .faults,
      ElementsAre("my.json:2:66: expected the name of a program of remedies.cc, found \"Nobody\""));
}

TEST(Causes, FaultsOfCauses) {
  const auto faults = [](const std::string& text) {
    std::vector<Diagnostic> diagnostics;
    (void)load_causes({"c.json", text}, SampleCheck::run, diagnostics);
    std::vector<std::string> all;
    for (const Diagnostic& d : diagnostics) {
      all.push_back(std::to_string(d.line) + ':' + std::to_string(d.column) + ": expected " +
                    d.expected + ", found " + d.found);
    }
    return all;
  };
  EXPECT_THAT(faults("[{\"id\": \"a\", \"title\": \"A\"}]"), ElementsAre());
  EXPECT_THAT(faults("[{\"id\": \"a\", \"title\": \"A\", \"leads_to\": [\"b\"]}]"),
              ElementsAre("1:2: expected the id of a cause, found \"b\""));
  EXPECT_THAT(faults("[{\"id\": \"a\", \"title\": \"A\"},\n {\"id\": \"a\", \"title\": \"B\"}]"),
              ElementsAre("2:2: expected an id of its own, found \"a\" again"));
  EXPECT_THAT(
      faults("[{\"id\": \"a\", \"title\": \"A\", \"why\": \"{mine}\"}]"),
      ElementsAre("1:35: expected placeholders with a text for none, or in [[ ]], found {mine}"));
  EXPECT_THAT(faults("[{\"id\": \"a\", \"title\": \"A\", \"why\": \"{mine|it}[[ {x}]]\"}]"),
              ElementsAre());
  EXPECT_THAT(faults("[{\"id\": \"a\", \"title\": \"A\", \"places\": \"(\"}]"),
              ElementsAre("1:38: expected an RE2 pattern, found missing ): ("));
}

}  // namespace
}  // namespace trtlens::causes_test
