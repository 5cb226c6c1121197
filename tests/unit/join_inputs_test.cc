// parse_inputs on directories and files: what becomes one Build, and what does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"
#include "tests/unit/join_sample.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_inputs_test {
namespace {

using join_sample::build_log;
using join_sample::kNames;
using join_sample::layer_json;
using join_sample::layer_lines;
using join_sample::profile_json;
using join_sample::run_log;
using join_sample::times_json;
using testing::ElementsAre;
using testing::IsEmpty;

class JoinInputs : public join_sample::JoinTest {};

TEST_F(JoinInputs, BuildLogRunLogAndExportsAreOneBuild) {
  write("build.log", build_log("m", kNames));
  write("run.log", run_log("m.plan"));
  write("layers.json", layer_json(kNames));
  write("profile.json", profile_json(kNames, 0.25));
  write("times.json", times_json());
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  const Build& build = result.builds[0];
  EXPECT_THAT(build.runs, ElementsAre(1, 2));
  EXPECT_THAT(result.build_names, ElementsAre(root_));
  ASSERT_TRUE(build.engine_build_s.has_value());
  EXPECT_DOUBLE_EQ(*build.engine_build_s, 8.5);
  ASSERT_TRUE(build.performance.throughput_qps.has_value());
  EXPECT_DOUBLE_EQ(*build.performance.throughput_qps, 100.5);
  EXPECT_THAT(build.allowed.labels, ElementsAre("FP32", "FP16"));
  EXPECT_EQ(build.outcome, Outcome::passed);
  EXPECT_TRUE(build.closing_line);
  EXPECT_EQ(build.commands.size(), 2U);
  EXPECT_EQ(build.queries.size(), 1U);
  EXPECT_EQ(build.profile_iterations, 100U);
  ASSERT_EQ(build.layers.size(), 4U);
  for (const Layer& layer : build.layers) {
    EXPECT_EQ(layer.found_in, kFoundInLayerInfo | kFoundInProfile | kFoundInLog);
  }
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 1);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 0);
  EXPECT_EQ(result.runs.size(), 2U);
  EXPECT_EQ(result.coverage.lines(), result.inputs[0].lines + result.inputs[3].lines);
}

TEST_F(JoinInputs, TheOrderOfTheFilesDoesNotMatter) {
  write("1.log", run_log("m.plan"));
  write("2.log", build_log("m", kNames));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_THAT(result.builds[0].runs, ElementsAre(2, 1));
  EXPECT_TRUE(result.builds[0].engine_build_s.has_value());
  EXPECT_TRUE(result.builds[0].performance.throughput_qps.has_value());
}

// A run that prints no times takes none away.
TEST_F(JoinInputs, ASecondRunWithoutTimesLeavesTheFirstOnes) {
  const std::string arguments = "--onnx=m --fp16 --saveEngine=m.plan";
  const std::string times =
      own_lines({"Engine built in 8.5 sec.", "=== Performance summary ===", "Throughput: 100.5 qps",
                 "GPU Compute Time: min = 1 ms, max = 3 ms, mean = 2 ms, median = 2 ms"});
  write("1.log", running(arguments) + times + closing("PASSED", arguments));
  write("2.log", running("--loadEngine=m.plan --dumpLayerInfo") + layer_lines(kNames) +
                     closing("PASSED", "--loadEngine=m.plan --dumpLayerInfo"));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_THAT(result.builds[0].runs, ElementsAre(1, 2));
  EXPECT_TRUE(result.builds[0].performance.throughput_qps.has_value());
  EXPECT_TRUE(result.builds[0].performance.gpu_compute.has_value());
}

// Within one file the order is that of time.
TEST_F(JoinInputs, AnEngineTimedBeforeItsBuildIsAnOlderOne) {
  write("all.log", run_log("m.plan") + build_log("m", kNames));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_THAT(result.builds[0].runs, ElementsAre(2));
  EXPECT_FALSE(result.builds[0].performance.throughput_qps.has_value());
}

TEST_F(JoinInputs, ATruncatedTimingLogTruncatesTheBuild) {
  write("build.log", build_log("m", kNames));
  write("run.log", running("--loadEngine=m.plan") + own_lines({"Starting inference"}));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_EQ(result.builds[0].outcome, Outcome::truncated);
  EXPECT_FALSE(result.builds[0].closing_line);
}

TEST_F(JoinInputs, LayersShownByTheTimingLogAreKept) {
  write("build.log", build_log("m", kNames));
  write("run.log",
        running("--loadEngine=m.plan --dumpLayerInfo") +
            own_lines({"Layer Information:", "Layers:"}) +
            "Name: conv1, LayerType: CaskConvolution, Inputs: [], Outputs: [], ParameterType: "
            "Convolution, TacticName: sm80_xmma, TacticValue: 0x1, Metadata: [ONNX Layer: c]\n\n" +
            own_lines({"=== Profile (10 iterations ) ===",
                       "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer",
                       "      31.40       0.5000       0.0018       2.1   conv1",
                       "      31.40       0.5000       0.0018       2.1   Total"}) +
            closing("PASSED", ""));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  ASSERT_EQ(result.builds[0].layers.size(), 4U);
  const Layer& layer = result.builds[0].layers[0];
  EXPECT_EQ(layer.tactic_name, "sm80_xmma");
  EXPECT_EQ(layer.parameter_type, "Convolution");
  EXPECT_THAT(layer.onnx_nodes, ElementsAre("c"));
  ASSERT_TRUE(layer.time.has_value());
  EXPECT_DOUBLE_EQ(result.builds[0].profile_sum_ms, 0.5);
  EXPECT_EQ(result.builds[0].profile_iterations, 10U);
}

TEST_F(JoinInputs, RunPicksOne) {
  write("all.log",
        build_log("a", {"a1", "a2"}) + build_log("b", {"b1", "b2"}) + build_log("c", {"c1", "c2"}));
  EXPECT_EQ(read({}).builds.at(0).options.value("onnx"), "c");
  EXPECT_EQ(read({}, 1).builds.at(0).options.value("onnx"), "a");
  EXPECT_EQ(read({}, 2).builds.at(0).options.value("onnx"), "b");
  EXPECT_FALSE(read({}, 3).run_not_found);
  EXPECT_TRUE(read({}, 4).run_not_found);
  EXPECT_EQ(read({}).runs.size(), 3U);
}

TEST_F(JoinInputs, RunOfAnotherDirectoryIsReportedFirst) {
  write("one/full.log", build_log("a", {"a1", "a2"}));
  write("two/full.log", build_log("b", {"b1", "b2"}));
  const ParseResult result = read({at("one"), at("two")}, 2);
  ASSERT_EQ(result.builds.size(), 2U);
  EXPECT_THAT(result.builds[0].runs, ElementsAre(2));
  EXPECT_EQ(result.build_names[0], at("two"));
}

TEST_F(JoinInputs, TwoEnginesInOneDirectory) {
  write("a_layers.json", layer_json({"a1", "a2", "a3"}));
  write("a_profile.json", profile_json({"a1", "a2", "a3"}, 1));
  write("b_layers.json", layer_json({"b1", "b2", "b3"}));
  write("b_profile.json", profile_json({"b1", "b2", "b3"}, 2));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 2U);
  EXPECT_DOUBLE_EQ(result.builds[0].profile_sum_ms, 3);
  EXPECT_DOUBLE_EQ(result.builds[1].profile_sum_ms, 6);
  for (const Build& build : result.builds) {
    EXPECT_EQ(build.layers.size(), 3U);
    EXPECT_DOUBLE_EQ(build.unattributed_ms, 0);
  }
  EXPECT_THAT(result.build_names, ElementsAre(at("a_layers.json") + ", " + at("a_profile.json"),
                                              at("b_layers.json") + ", " + at("b_profile.json")));
}

TEST_F(JoinInputs, AProfileOfZerosIsSaidToBeOne) {
  const std::string path = write("profile.json", profile_json({"a", "b"}, 0));
  const ParseResult zeros = read({});
  ASSERT_EQ(zeros.builds.size(), 1U);
  EXPECT_TRUE(zeros.builds[0].has_profile);
  ASSERT_EQ(zeros.diagnostics.size(), 1U);
  EXPECT_EQ(zeros.diagnostics[0].id, "profile-all-zero");
  EXPECT_EQ(zeros.diagnostics[0].file, path);
  EXPECT_EQ(zeros.diagnostics[0].line, 1U);
  EXPECT_EQ(zeros.diagnostics[0].expected, "times of layers");
  EXPECT_EQ(zeros.diagnostics[0].found, "a profile of nothing but zeros");
  write("profile.json", profile_json({"a", "b"}, 0.001));
  EXPECT_THAT(read({}).diagnostics, IsEmpty());
}

TEST_F(JoinInputs, AFileOfADirectoryThatCannotBeReadIsSaid) {
  write("profile.json", profile_json({"a", "b"}, 1));
  std::filesystem::create_symlink("/proc/self/mem", at("layers.json"));  // for root, too
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 1U);
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].id, "input-unreadable");
  EXPECT_EQ(result.diagnostics[0].file, at("layers.json"));
  EXPECT_EQ(result.diagnostics[0].found, "one of the kernel, such as of /proc");
}

// Two builds of one model share most names: a profile goes to the closest, not to the first.
TEST_F(JoinInputs, TheClosestEngineGetsTheProfile) {
  write("layers_fp16.json", layer_json({"c1", "c2", "c3", "c4", "relu"}));
  write("layers_int8.json", layer_json({"c1", "c2", "c3", "c4", "quantize"}));
  write("profile.json", profile_json({"c1", "c2", "c3", "c4", "quantize"}, 1));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 2U);
  EXPECT_FALSE(result.builds[0].has_profile);
  EXPECT_TRUE(result.builds[1].has_profile);
  EXPECT_DOUBLE_EQ(result.builds[1].unattributed_ms, 0);
}

TEST_F(JoinInputs, TheLogThatNamesTheLayersGetsThem) {
  write("one/build.log", build_log("m", kNames));
  write("one/layers.json", layer_json({"q1", "q2", "q3", "q4"}));
  const ParseResult result = read({at("one")});
  ASSERT_EQ(result.builds.size(), 2U);
  EXPECT_TRUE(result.builds[0].has_log);
  EXPECT_FALSE(result.builds[0].has_layer_info);
  EXPECT_TRUE(result.builds[1].has_layer_info);
}

TEST_F(JoinInputs, LayerInfoOfOneEngineProfileOfAnother) {
  write("layers.json", layer_json({"a1", "a2", "a3", "same"}));
  write("profile.json", profile_json({"b1", "b2", "b3", "same"}, 0.5));
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 2U);
  EXPECT_FALSE(result.builds[0].has_profile);
  EXPECT_FALSE(result.builds[1].has_layer_info);
  EXPECT_DOUBLE_EQ(result.builds[1].profile_sum_ms, 2);
}

std::vector<std::string> numbered(int from, int count) {
  std::vector<std::string> names;
  for (int i = from; i < from + count; ++i) names.push_back("layer" + std::to_string(i));
  return names;
}

TEST_F(JoinInputs, FilesNamedTogetherJoinFrom90PercentOn) {
  const std::string layers = write("one/layers.json", layer_json(numbered(0, 20)));
  const std::string near = write("two/profile.json", profile_json(numbered(2, 20), 0.5));
  const std::string far = write("three/profile.json", profile_json(numbered(3, 20), 0.5));
  const ParseResult joined = read({layers, near});
  ASSERT_EQ(joined.builds.size(), 1U);
  EXPECT_DOUBLE_EQ(joined.builds[0].profile_sum_ms, 10);
  EXPECT_DOUBLE_EQ(joined.builds[0].unattributed_ms, 1);
  const ParseResult apart = read({layers, far});
  ASSERT_EQ(apart.builds.size(), 2U);
  EXPECT_THAT(apart.build_names, ElementsAre(layers, far));
}

TEST_F(JoinInputs, NamedBuildAndTimingLogsJoinByTheirLayers) {
  const std::string build = write("one/build.log", build_log("m", kNames));
  const std::string run =
      write("two/run.log", running("--loadEngine=m.plan --dumpLayerInfo") + layer_lines(kNames) +
                               own_lines({"Throughput: 5 qps"}) + closing("PASSED", ""));
  const ParseResult result = read({run, build});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_THAT(result.builds[0].runs, ElementsAre(2, 1));
  EXPECT_TRUE(result.builds[0].engine_build_s.has_value());
  EXPECT_TRUE(result.builds[0].performance.throughput_qps.has_value());
}

// Repetitions beside the build that they time are no part of it, unless one is named.
TEST_F(JoinInputs, LogsOfTwoDirectoriesStayApart) {
  write("one/build.log", build_log("m", kNames));
  const std::string run = write("two/run.log", running("--loadEngine=m.plan --dumpLayerInfo") +
                                                   layer_lines(kNames) + closing("PASSED", ""));
  const std::string readme = write("README.md", "no log\n");
  EXPECT_EQ(read({at("one"), at("two")}).builds.size(), 2U);
  EXPECT_EQ(read({readme, at("one"), at("two")}).builds.size(), 2U);
  EXPECT_EQ(read({run, at("one")}).builds.size(), 1U);
}

TEST_F(JoinInputs, ADirectoryOfDirectoriesIsOneBuildEach) {
  for (const char* name : {"0", "1", "2"}) {
    write(std::string(name) + "/full.log", build_log("m", kNames));
    write(std::string(name) + "/layers.json", layer_json(kNames));
  }
  const ParseResult result = read({});
  ASSERT_EQ(result.builds.size(), 3U);
  EXPECT_THAT(result.build_names, ElementsAre(at("0"), at("1"), at("2")));
  for (const Build& build : result.builds) EXPECT_TRUE(build.has_log && build.has_layer_info);
  EXPECT_EQ(read({root_ + "///"}).builds.size(), 3U);
}

TEST_F(JoinInputs, DuplicateNamesOfTheFilesJoinInOrder) {
  write("layers.json", layer_json({"x", "y", "x"}));
  write("profile.json",
        "[{\"count\": 1}, {\"name\": \"y\", \"averageMs\": 4}, {\"name\": \"x\", "
        "\"averageMs\": 1}, {\"name\": \"x\", \"averageMs\": 2}, {\"name\": "
        "\"x\", \"averageMs\": 0.5}]");
  const Build build = read({}).builds.at(0);
  ASSERT_EQ(build.layers.size(), 4U);
  EXPECT_DOUBLE_EQ(build.layers[0].time->mean_ms, 1);
  EXPECT_DOUBLE_EQ(build.layers[1].time->mean_ms, 4);
  EXPECT_DOUBLE_EQ(build.layers[2].time->mean_ms, 2);
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 7.5);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 0.5);
}

// ---- what is no input ----

TEST_F(JoinInputs, FilesThatAreNothing) {
  write("full.log", build_log("m", kNames));
  write("README.txt", "How to run trtexec:\n  see the manual\n");
  write("empty.log", "");
  write("engine.plan", std::string("ftrt\0\0\0\x01", 8) + std::string(200, '\0'));
  write("calib.cache", "TRT-8501-EntropyCalibration2\nx: 3c010a14\ny: 3d5a0000\n");
  write("package.json", "{\"name\": \"web\", \"version\": \"1\"}");
  write(".hidden.log", build_log("hidden", kNames));
  const ParseResult result = read({});
  ASSERT_EQ(result.inputs.size(), 6U);
  const auto input = [&](const std::string& name) {
    for (const Input& i : result.inputs) {
      if (i.path == at(name)) return i;
    }
    ADD_FAILURE() << name;
    return Input();
  };
  EXPECT_EQ(input("full.log").kind, InputKind::log);
  EXPECT_THAT(input("full.log").runs, ElementsAre(1));
  EXPECT_EQ(input("README.txt").kind, InputKind::unknown);
  EXPECT_EQ(input("README.txt").lines, 2U);
  EXPECT_EQ(input("empty.log").why, "empty");
  EXPECT_TRUE(input("empty.log").readable);
  EXPECT_FALSE(input("engine.plan").is_text);
  EXPECT_FALSE(input("engine.plan").why.empty());
  EXPECT_EQ(input("engine.plan").bytes, 208U);
  EXPECT_EQ(input("calib.cache").kind, InputKind::unknown);
  EXPECT_EQ(input("package.json").kind, InputKind::unknown);
  EXPECT_EQ(result.coverage.lines(), input("full.log").lines);
  EXPECT_EQ(result.builds.size(), 1U);
  EXPECT_EQ(result.runs.size(), 1U);
}

TEST_F(JoinInputs, ANamedTextIsALogWhateverItSays) {
  const std::string path = write("notes.txt", "hello\nworld\n");
  const ParseResult result = read({path});
  ASSERT_EQ(result.inputs.size(), 1U);
  EXPECT_EQ(result.inputs[0].kind, InputKind::log);
  EXPECT_EQ(result.coverage.of(LineClass::foreign), 2U);
  EXPECT_THAT(result.builds, IsEmpty());
}

TEST_F(JoinInputs, UnreadableInputs) {
  const ParseResult missing = read({at("nowhere.log")});
  ASSERT_EQ(missing.inputs.size(), 1U);
  EXPECT_FALSE(missing.inputs[0].readable);
  EXPECT_EQ(missing.inputs[0].why, "No such file or directory");
  EXPECT_THAT(missing.builds, IsEmpty());
  write("one/full.log", build_log("m", kNames));
  std::filesystem::create_symlink("nowhere", at("one/dangling.log"));
  EXPECT_EQ(read({at("one")}).builds.size(), 1U);
  const ParseResult both = read({at("nowhere.log"), at("one/full.log")});
  EXPECT_EQ(both.builds.size(), 1U);
  EXPECT_EQ(both.inputs.size(), 2U);
}

// A build that somebody named is not dropped without a word.
TEST_F(JoinInputs, ANamedDirectoryWithoutABuildIsSaid) {
  write("one/full.log", build_log("m", kNames));
  write("notes/notes.txt", "nothing\n");
  std::filesystem::create_directories(at("empty"));
  for (const char* folder : {"notes", "empty"}) {
    const ParseResult both = read({at(folder), at("one")});
    EXPECT_EQ(both.builds.size(), 1U);
    const auto said = std::ranges::find(both.inputs, at(folder), &Input::file);
    ASSERT_NE(said, both.inputs.end());
    EXPECT_FALSE(said->readable);
    EXPECT_EQ(said->why, "no log of trtexec and no JSON export in it");
  }
  EXPECT_EQ(read({at("one"), at("one")}).inputs.size(), 1U);  // read once, which is said
  EXPECT_THAT(read({at("empty")}).inputs, IsEmpty());
}

TEST_F(JoinInputs, ALogOfADirectoryThatHoldsNothingIsSaid) {
  write("one/full.log", build_log("m", kNames));
  write("one/run.log", "");
  write("one/x.log", std::string(64, '\0') + "\1\2\3");
  write("one/engine.plan", std::string(64, '\0') + "\1\2\3");
  std::vector<std::string> said;
  for (const Diagnostic& d : read({at("one")}).diagnostics) {
    if (d.id == "log-not-read") said.push_back(d.file + ": " + d.found);
  }
  EXPECT_THAT(said, testing::ElementsAre(at("one/run.log") + ": empty",
                                         at("one/x.log") + ": binary, neither a log nor JSON"));
}

TEST_F(JoinInputs, ADirectoryWithoutAnything) {
  const ParseResult result = read({});
  EXPECT_THAT(result.inputs, IsEmpty());
  EXPECT_THAT(result.builds, IsEmpty());
  EXPECT_EQ(result.coverage.lines(), 0U);
}

TEST_F(JoinInputs, LinesThatWereCutAreReported) {
  const std::string path =
      write("long.log", running("--onnx=m") + std::string(3 << 20, 'x') + "\n");
  const ParseResult result = read({path});
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].id, "log-line-cut");
  EXPECT_EQ(result.diagnostics[0].line, 2U);
  EXPECT_EQ(result.diagnostics[0].file, path);
}

TEST_F(JoinInputs, ProgressEndsAtTheTotal) {
  write("full.log", build_log("m", kNames));
  write("layers.json", layer_json(kNames));
  std::uint64_t done = 0, total = 0;
  ParseOptions options;
  options.progress = [&](std::uint64_t bytes, std::uint64_t all) {
    EXPECT_GE(bytes, done);
    done = bytes;
    total = all;
  };
  (void)parse_inputs({root_}, options);
  EXPECT_GT(total, 0U);
  EXPECT_EQ(done, total);
}

TEST_F(JoinInputs, OneBuildOfTheSharedSet) {
  const std::string directory = std::string(TRTLENS_SHARED_DIR) + "/builds/b_lstm";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << directory << " is not there";
  const ParseResult result = read({directory});
  ASSERT_EQ(result.builds.size(), 1U);
  const Build& build = result.builds[0];
  EXPECT_TRUE(build.has_log && build.has_layer_info && build.has_profile);
  EXPECT_TRUE(build.engine_build_s.has_value());
  EXPECT_TRUE(build.performance.gpu_compute.has_value());
  EXPECT_FALSE(build.queries.empty());
  EXPECT_EQ(build.runs.size(), 2U);
}

// Repetitions that are nothing but times: each is a run, none overwrites another.
TEST_F(JoinInputs, EveryFileOfTimesIsARun) {
  std::vector<std::string> named;
  for (const char* name : {"0/times.json", "1/times.json", "2/times.json"}) {
    named.push_back(write(name, times_json()));
  }
  const ParseResult result = read(named);
  ASSERT_EQ(result.builds.size(), 3U);
  EXPECT_EQ(result.build_names, named);
  for (const Build& build : result.builds) EXPECT_EQ(build.queries.size(), 1U);
  // Two in one directory are not one run either; each has a name of its own.
  write("0/times_b.json", times_json());
  EXPECT_THAT(read({at("0")}).build_names, ElementsAre(at("0/times.json"), at("0/times_b.json")));
  // A log takes the times of its own directory, and one file of another's.
  write("3/run.log", run_log("m.plan"));
  const ParseResult across = read({at("3/run.log"), named[0]});
  EXPECT_EQ(across.builds.size(), 1U);
  ASSERT_EQ(across.diagnostics.size(), 1U);
  EXPECT_EQ(across.diagnostics[0].id, "joined-without-names");
  EXPECT_EQ(across.diagnostics[0].found, "none: taken as of " + at("3/run.log"));
  const std::string beside = write("3/times.json", times_json());
  EXPECT_THAT(read({at("3/run.log"), beside}).diagnostics, IsEmpty());
  EXPECT_EQ(read({at("3/run.log"), named[0], named[1]}).builds.size(), 2U);
}

// A gate must not pass over builds that were not read without a word.
TEST_F(JoinInputs, NotesFoldersThatAreNotRead) {
  write("all/a/build.log", build_log("m", kNames));
  EXPECT_THAT(read({at("all")}).diagnostics, IsEmpty());
  write("all/a/b/c/build.log", build_log("m", kNames));
  const ParseResult beside = read({at("all")});
  ASSERT_EQ(beside.diagnostics.size(), 1U);
  const Diagnostic& note = beside.diagnostics[0];
  EXPECT_EQ(note.id + ": expected " + note.expected + ", found " + note.found,
            "folder-not-read: expected logs and exports of one build, found 1 folder beside them, "
            "not read");
  EXPECT_EQ(note.file, at("all/a"));
  write("deep/1/2/3/build.log", build_log("m", kNames));
  write("deep/1/2/4/build.log", build_log("m", kNames));
  const ParseResult below = read({at("deep")});
  EXPECT_THAT(below.builds, IsEmpty());
  ASSERT_EQ(below.diagnostics.size(), 1U);
  EXPECT_EQ(below.diagnostics[0].expected + ", found " + below.diagnostics[0].found,
            "builds at most two folders deep, found 2 folders below, not read");
  EXPECT_EQ(below.diagnostics[0].file, at("deep/1/2"));
}

TEST_F(JoinInputs, AFileIsReadOnceByWhateverPath) {
  const std::string times = write("a/times.json", times_json());
  write("a/profile.json", profile_json(kNames, 0.25));
  std::filesystem::create_directory_symlink(at("a"), at("link"));
  std::filesystem::create_symlink(times, at("times.json"));
  for (const std::string& again : {at("a"), at("./a"), at("link"), times, at("times.json")}) {
    const ParseResult result = read({at("a"), again});
    EXPECT_EQ(result.inputs.size(), 2U) << again;
    ASSERT_EQ(result.builds.size(), 1U) << again;
    EXPECT_EQ(result.builds[0].queries.size(), 1U) << again;
    ASSERT_EQ(result.diagnostics.size(), 1U) << again;
    EXPECT_EQ(result.diagnostics[0].id, "input-twice") << again;
  }
  // The same bytes in another file are another run.
  write("b/times.json", times_json());
  EXPECT_EQ(read({at("a"), at("b")}).builds.size(), 2U);
}

}  // namespace
}  // namespace trtlens::join_inputs_test
