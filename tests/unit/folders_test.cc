// Folders of many builds: which files are one, and that reading them one by one says the same.
#include "parsers/folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/cli/builds.h"
#include "report/cli/pages.h"
#include "report/formats/json/writer.h"
#include "tests/rendered.h"
#include "tests/unit/join_sample.h"
#include "tests/unit/log_sample.h"

namespace trtlens::folders_test {
namespace {

using join_sample::build_log;
using join_sample::kNames;
using join_sample::layer_json;
using join_sample::profile_json;
using join_sample::run_log;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class Folders : public join_sample::JoinTest {
 protected:
  // Of the folder: its parts as names without the folder's.
  [[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> parts() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    for (const FolderPart& part : look_into(root_).parts) {
      all.emplace_back(short_of(part.name), std::vector<std::string>());
      for (const std::string& file : part.files) all.back().second.push_back(short_of(file));
    }
    return all;
  }
  [[nodiscard]] std::string short_of(const std::string& path) const {
    return path == root_ ? "" : path.substr(root_.size() + 1);
  }

  [[nodiscard]] static std::string json_of(const HeldBuilds& held) {
    return text_of([&](TextStream& out) { write_json(held.analyses, held.gates, "1", out); });
  }
  // Both ways to read the folder.
  [[nodiscard]] std::optional<HeldBuilds> one_by_one(const AnalyzeArguments& arguments) const {
    BuildPages pages(arguments);
    StageTimes times(false);
    return hold_folders(arguments, {}, baseline_, pages, times);
  }
  [[nodiscard]] std::optional<HeldBuilds> at_once(const AnalyzeArguments& arguments) const {
    ParseOptions options;
    options.build = arguments.build;
    return hold_read(parse_inputs(arguments.paths, options), arguments, {}, baseline_);
  }
  [[nodiscard]] AnalyzeArguments arguments() const {
    AnalyzeArguments all;
    all.paths = {root_};
    all.output.quiet = true;
    return all;
  }
  // Three builds, the second failed.
  void write_three() const {
    write("a/build.log", build_log("m", kNames));
    write("a/run.log", run_log("m.plan"));
    write("a/profile.json", profile_json(kNames, 0.25));
    write("b/build.log", running("--onnx=x") + stamped("[E] ", {"Could not open file x"}) +
                             closing("FAILED", "--onnx=x"));
    write("c/build.log", build_log("n", {"conv1", "conv2"}));
    write("c/layers.json", layer_json({"conv1", "conv2"}));
  }

  Baseline baseline_;
};

TEST_F(Folders, FilesOfOneEngineAreOnePart) {
  write("build.log", build_log("m", kNames));
  write("run.log", run_log("m.plan"));
  write("run2.log", run_log("m.plan"));
  write("layers.json", layer_json(kNames));
  EXPECT_THAT(parts(), ElementsAre(Pair(
                           "", ElementsAre("build.log", "layers.json", "run.log", "run2.log"))));
}

// The command of the second log names its export; the first one's files are called by it.
TEST_F(Folders, EachLogThatBuildsIsAPartWithWhatIsIts) {
  write("a.log", build_log("m", kNames));
  write("a_layers.json", layer_json(kNames));
  const std::string arguments = "--onnx=n --exportLayerInfo=out/info.json --saveEngine=n.plan";
  write("b.log", running(arguments) + closing("PASSED", arguments));
  write("info.json", layer_json(kNames));
  write("time.log", run_log("n.plan"));
  write("notes.txt", "nothing of TensorRT's\n");
  EXPECT_THAT(parts(), ElementsAre(Pair("a.log", ElementsAre("a.log", "a_layers.json")),
                                   Pair("b.log", ElementsAre("b.log", "info.json", "time.log")),
                                   Pair("", ElementsAre("notes.txt"))));
  const ParseResult joined = read({});
  EXPECT_THAT(joined.build_names, ElementsAre(at("a.log"), at("b.log")));
}

// Both save to one path, as ModelOpt's autotuner has it: nobody knows whose time this is.
TEST_F(Folders, WhatSeveralCouldHaveMadeIsOfNone) {
  write("a.log", build_log("m", kNames));
  write("b.log", build_log("m", kNames));
  write("time.log", run_log("m.plan"));
  write("layers.json", layer_json(kNames));
  EXPECT_THAT(
      parts(),
      ElementsAre(Pair("a.log", ElementsAre("a.log")), Pair("b.log", ElementsAre("b.log")),
                  Pair("time.log", ElementsAre("time.log")), Pair("", ElementsAre("layers.json"))));
}

TEST_F(Folders, LogsThatTimeDifferentEnginesArePartsToo) {
  write("1.log", run_log("a.plan"));
  write("2.log", run_log("b.plan"));
  EXPECT_EQ(parts().size(), 2U);
  write("2.log", run_log("a.plan"));
  EXPECT_EQ(parts().size(), 1U);
}

TEST_F(Folders, ALogBehindItsWrapperBuildsToo) {
  const std::string wrapped = "Command: trtexec --onnx=m --saveEngine=e.plan\nReturn code: 0\n\n" +
                              std::string(80, '=') + "\nSTDOUT:\n" + build_log("m", kNames) +
                              "\nSTDERR:\n";
  write("baseline.log", wrapped);
  write("region_0_scheme_1.log", wrapped);
  EXPECT_THAT(read({}).build_names, ElementsAre(at("baseline.log"), at("region_0_scheme_1.log")));
}

// profile_format="trex" of torch-tensorrt's Debugger; the names are as it writes them.
TEST_F(Folders, TorchTensorRtsTrexFolderIsOneBuild) {
  write("_run_on_acc_0_engine_layer_information.json", layer_json(kNames));
  write("_run_on_acc_0_engine_engine_exectuion_profile.trace", profile_json(kNames, 0.25));
  write("_run_on_acc_0_engine_enqueue_profile.trace",
        "[{\"name\": \"enqueue\", \"ph\": \"X\", \"ts\": 0, \"dur\": 3, \"tid\": 1, "
        "\"pid\": \"CPU Functions\", \"args\": {}}]");
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_EQ(result.builds[0].layers.size(), 4U);
  EXPECT_DOUBLE_EQ(result.builds[0].profile_sum_ms, 1);
}

TEST_F(Folders, OneByOneSaysTheSameAsAtOnce) {
  write_three();
  AnalyzeArguments all = arguments();
  all.gate.fail_on = "fatal";
  const auto held = one_by_one(all);
  const auto joined = at_once(all);
  ASSERT_TRUE(held && joined);
  EXPECT_EQ(held->analyses.size(), 3U);
  EXPECT_TRUE(held->fails);
  EXPECT_EQ(json_of(*held), json_of(*joined));
  EXPECT_EQ(render(writer_text, overview_of(held->analyses, held->gates), {}),
            render(writer_text, overview_of(joined->analyses, joined->gates), {}));
}

// The others are outlines: the one that is asked for is read once more, with its runs' numbers.
TEST_F(Folders, AnyOneCanBeReported) {
  write_three();
  AnalyzeArguments third = arguments();
  third.build = 3;
  const auto held = one_by_one(third);
  const auto joined = at_once(third);
  ASSERT_TRUE(held && joined);
  EXPECT_THAT(held->analyses[0].build.runs, ElementsAre(4));
  EXPECT_EQ(held->analyses[0].build.layers.size(), 2U);
  EXPECT_THAT(held->analyses[1].build.layers, IsEmpty());
  const auto without_inputs = [](const HeldBuilds& of) {
    nlohmann::json json = nlohmann::json::parse(json_of(of));
    json.erase("inputs");  // those of the reported one stand first
    return json;
  };
  EXPECT_EQ(without_inputs(*held), without_inputs(*joined));
  EXPECT_EQ(held->analyses[0].reading->inputs.front().path, at("c/build.log"));
  third.build = 4;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(one_by_one(third));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "trtlens: --build 4: found 3 builds\n");
}

TEST_F(Folders, AnAcceptedFindingIsGoneOnlyWhereNoBuildHasIt) {
  write_three();
  const auto held = one_by_one(arguments());
  ASSERT_TRUE(held);
  const Finding& finding = held->analyses[1].findings.at(0);
  baseline_.entries = {{fingerprint_of(finding), finding.rule, "", 2},
                       {"0123456789abcdef", "build-failed", "", 3}};
  const auto gated = one_by_one(arguments());
  ASSERT_TRUE(gated);
  ASSERT_EQ(gated->gates[0].gone.size(), 1U);
  EXPECT_EQ(gated->gates[0].gone[0].line, 3U);
}

TEST_F(Folders, AFolderIsReadOnceAndOneThatIsNotThereIsALine) {
  write_three();
  AnalyzeArguments twice = arguments();
  twice.paths = {at("a"), at("./a/"), at("c")};
  testing::internal::CaptureStderr();
  const auto held = one_by_one(twice);
  ASSERT_TRUE(held);
  EXPECT_EQ(held->analyses.size(), 2U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            at("./a") + ": warning: expected every input once, found what is " + at("a") +
                ", too: read once [input-twice]\n");
}

TEST(PageOf, NamesAreHarmlessAndTellApart) {
  EXPECT_THAT(page_of("runs/a b<script>.log"),
              testing::MatchesRegex("builds/runs_a_b_script_.log-[0-9a-f]+.html"));
  EXPECT_NE(page_of("a b"), page_of("a_b"));
  EXPECT_THAT(page_of("../../etc"), testing::MatchesRegex("builds/etc-[0-9a-f]+.html"));
  EXPECT_THAT(page_of("///"), testing::MatchesRegex("builds/-[0-9a-f]+.html"));
  EXPECT_LE(page_of(std::string(5000, 'x')).size(), 120U);
}

}  // namespace
}  // namespace trtlens::folders_test
