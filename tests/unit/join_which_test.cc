// Which runs, logs and documents become one Build: each condition by what joins and what nearly
// does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"
#include "tests/unit/join_sample.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_which_test {
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

class JoinWhich : public join_sample::JoinTest {
 protected:
  // The runs of the build that is reported for `--run N`.
  [[nodiscard]] std::vector<int> runs(int run) const { return read({}, run).builds.at(0).runs; }
};

// A timing run that shows its layers.
std::string timing_log(const std::string& plan, const std::vector<std::string>& layers) {
  return running("--loadEngine=" + plan + " --dumpLayerInfo") + layer_lines(layers) +
         own_lines({"Throughput: 5 qps"}) + closing("PASSED", "");
}

std::string failed_log(const std::string& onnx) {
  const std::string arguments = "--onnx=" + onnx + " --saveEngine=" + onnx + ".plan";
  return running(arguments) + closing("FAILED", arguments);
}

// A build log that names no layers.
std::string bare_log(const std::string& onnx) {
  return build_log(onnx, {});
}

TEST_F(JoinWhich, AFailedBuildSavedNoEngine) {
  write("all.log", failed_log("m") + run_log("m.plan"));
  EXPECT_THAT(runs(1), ElementsAre(1));
  EXPECT_THAT(runs(2), ElementsAre(2));
}

TEST_F(JoinWhich, RunsOfOneLogShareHalfOfTheirLayers) {
  write("all.log", build_log("m", kNames) + timing_log("m.plan", {"conv1", "conv2", "x", "y"}));
  EXPECT_THAT(runs(0), ElementsAre(1, 2));
  write("all.log", build_log("m", kNames) + timing_log("m.plan", {"conv1", "w", "x", "y"}));
  EXPECT_THAT(runs(1), ElementsAre(1));
  EXPECT_THAT(runs(2), ElementsAre(2));
}

TEST_F(JoinWhich, ATimingRunBelongsToTheLastBuildBeforeIt) {
  const std::string pair = build_log("m", kNames) + run_log("m.plan");
  write("all.log", pair + pair);
  EXPECT_THAT(runs(1), ElementsAre(1, 2));
  EXPECT_THAT(runs(2), ElementsAre(1, 2));
  EXPECT_THAT(runs(3), ElementsAre(3, 4));
  EXPECT_THAT(runs(4), ElementsAre(3, 4));
}

TEST_F(JoinWhich, OfThreeRunsThePathOfTheEngineDecides) {
  write("all.log", build_log("a", kNames) + build_log("b", kNames) + run_log("a.plan"));
  EXPECT_THAT(runs(1), ElementsAre(1));  // another build stands between
  EXPECT_THAT(runs(2), ElementsAre(2));
  EXPECT_THAT(runs(3), ElementsAre(1, 3));
  write("all.log", build_log("a", kNames) + run_log("copied.plan") + run_log("a.plan"));
  EXPECT_THAT(runs(1), ElementsAre(1, 3));
  EXPECT_THAT(runs(2), ElementsAre(2));
}

TEST_F(JoinWhich, OfTwoRunsThePathDoesNotMatter) {
  write("all.log", build_log("a", kNames) + run_log("copied.plan"));
  EXPECT_THAT(runs(1), ElementsAre(1, 2));
  EXPECT_THAT(runs(2), ElementsAre(1, 2));
}

TEST_F(JoinWhich, ATimingLogInFrontOfItsBuildLog) {
  write("1.log", run_log("copied.plan"));
  write("2.log", build_log("a", kNames));
  EXPECT_THAT(runs(1), ElementsAre(2, 1));
  EXPECT_THAT(runs(2), ElementsAre(2, 1));
}

TEST_F(JoinWhich, WhatWasTimedBeforeItsBuildInOneLogIsAnOlderEngine) {
  write("all.log", run_log("a.plan") + build_log("a", kNames));
  EXPECT_THAT(runs(2), ElementsAre(2));
  write("all.log", run_log("a.plan") + build_log("a", kNames) + run_log("b.plan"));
  EXPECT_THAT(runs(1), ElementsAre(1));
  EXPECT_THAT(runs(2), ElementsAre(2));
}

// Of more than two runs nobody knows that the files are not in the order of time.
TEST_F(JoinWhich, WhatWasTimedBeforeItsBuildInOneOfThreeRunsIsAnOlderEngine) {
  write("1.log", run_log("a.plan"));
  write("2.log", build_log("a", kNames) + build_log("b", kNames));
  EXPECT_THAT(runs(1), ElementsAre(1));
  EXPECT_THAT(runs(2), ElementsAre(2));
}

// --saveEngine, --model and the like make a build; a run without any times one.
TEST_F(JoinWhich, EveryFlagOfAModelMakesABuild) {
  for (const char* flag : {"--onnx=a", "--uff=a", "--deploy=a", "--model=a", "--saveEngine=a"}) {
    const std::string built = running(flag) + layer_lines(kNames) + closing("PASSED", flag);
    write("all.log", built + run_log("a.plan"));
    EXPECT_THAT(runs(2), ElementsAre(1, 2)) << flag;
    write("all.log", built + built);
    EXPECT_THAT(runs(2), ElementsAre(2)) << flag;
  }
}

TEST_F(JoinWhich, NamedLogsShareNineTenthsOfTheirLayers) {
  const auto numbered = [](int from) {
    std::vector<std::string> names;
    for (int i = from; i < from + 20; ++i) names.push_back("layer" + std::to_string(i));
    return names;
  };
  const std::string build = write("one/build.log", build_log("m", numbered(0)));
  const std::string near = write("two/run.log", timing_log("m.plan", numbered(2)));
  const std::string far = write("three/run.log", timing_log("m.plan", numbered(3)));
  const ParseResult joined = read({build, near});
  ASSERT_EQ(joined.builds.size(), 1U);
  EXPECT_THAT(joined.builds[0].runs, ElementsAre(1, 2));
  EXPECT_THAT(joined.build_names, ElementsAre(build));
  EXPECT_EQ(read({build, far}).builds.size(), 2U);
  const std::string copied = write("five/run.log", timing_log("copied.plan", numbered(0)));
  EXPECT_THAT(read({build, copied}).builds.at(0).runs, ElementsAre(1, 2));
  EXPECT_THAT(read({copied, build}).builds.at(0).runs, ElementsAre(2, 1));
  const std::string bare = write("four/run.log", run_log("m.plan"));
  EXPECT_EQ(read({build, bare}).builds.size(), 2U);  // a log without layers may be of any engine
  EXPECT_EQ(read({bare, build}).builds.size(), 2U);
}

TEST_F(JoinWhich, TwoNamedBuildLogsAreTwoBuilds) {
  const std::string one = write("one/build.log", build_log("m", kNames));
  const std::string two = write("two/build.log", build_log("m", kNames));
  const std::string run = write("three/run.log", timing_log("m.plan", kNames));
  EXPECT_EQ(read({one, two}).builds.size(), 2U);
  // The timing log goes to the first; behind it, that has its two logs.
  const ParseResult three = read({one, two, run});
  ASSERT_EQ(three.builds.size(), 2U);
  EXPECT_THAT(three.builds[0].runs, ElementsAre(1, 3));
  EXPECT_THAT(three.builds[1].runs, ElementsAre(2));
}

TEST_F(JoinWhich, OneTimingLogForANamedBuildLog) {
  const std::string build = write("one/build.log", build_log("m", kNames));
  const std::string first = write("two/run.log", timing_log("m.plan", kNames));
  const std::string last = write("three/run.log", timing_log("m.plan", kNames));
  const ParseResult result = read({build, first, last});
  ASSERT_EQ(result.builds.size(), 2U);
  EXPECT_THAT(result.builds[0].runs, ElementsAre(1, 3));
  EXPECT_THAT(result.builds[1].runs, ElementsAre(2));
}

// The profile has names of the timing log that the build log has not.
TEST_F(JoinWhich, MergedLogsKnowTheLayersAndTheFilesOfBoth) {
  const std::string build = write("one/build.log", build_log("m", kNames));
  const std::vector<std::string> more = {"relu1", "relu2", "relu3", "relu4"};
  std::vector<std::string> all = kNames;
  all.insert(all.end(), more.begin(), more.end());
  const std::string run = write("two/run.log", timing_log("m.plan", all));
  const std::string profile = write("three/profile.json", profile_json(more, 1));
  const ParseResult result = read({build, run, profile});
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_TRUE(result.builds[0].has_profile);
  // Two builds of one directory have the names of their files.
  const std::string other = write("one/layers.json", layer_json({"q1", "q2"}));
  EXPECT_THAT(read({build, run, other}).build_names, ElementsAre(build + ", " + run, other));
}

TEST_F(JoinWhich, LayerInfoAndProfileOfADirectoryShareHalfOfTheirNames) {
  write("layers.json", layer_json(kNames));
  write("profile.json", profile_json({"conv1", "conv2", "x", "y"}, 1));
  EXPECT_EQ(read({folder_.path().string()}).builds.size(), 1U);
  write("profile.json", profile_json({"conv1", "w", "x", "y"}, 1));
  EXPECT_EQ(read({folder_.path().string()}).builds.size(), 2U);
}

TEST_F(JoinWhich, TheClosestEngineGetsTheProfileWhereverItStands) {
  const std::vector<std::string> fp16 = {"c1", "c2", "c3", "relu"}, int8 = {"c1", "c2", "c3", "q"};
  for (const auto& [first, second] : {std::pair(fp16, int8), std::pair(int8, fp16)}) {
    write("1.json", layer_json(first));
    write("2.json", layer_json(second));
    write("profile.json", profile_json(int8, 1));
    const ParseResult result = read({folder_.path().string()});
    ASSERT_EQ(result.builds.size(), 2U);
    EXPECT_EQ(result.builds[0].has_profile, first == int8);
    EXPECT_EQ(result.builds[1].has_profile, second == int8);
  }
}

TEST_F(JoinWhich, AnEngineHasOneLayerInfoAndOneProfile) {
  for (const char* name : {"1.json", "2.json"}) write(name, layer_json(kNames));
  EXPECT_EQ(read({folder_.path().string()}).builds.size(), 2U);
  for (const char* name : {"1.json", "2.json"}) write(name, profile_json(kNames, 1));
  EXPECT_EQ(read({folder_.path().string()}).builds.size(), 2U);
}

TEST_F(JoinWhich, DocumentsOfAnotherDirectoryJoinOnlyWhenTheyAreNamed) {
  const std::string layers = write("one/layers.json", layer_json(kNames));
  const std::string profile = write("two/profile.json", profile_json(kNames, 1));
  EXPECT_EQ(read({layers, profile}).builds.size(), 1U);
  EXPECT_EQ(read({at("one"), at("two")}).builds.size(), 2U);
}

// A log without layers may be of any engine: one that has the names of the document fits better.
TEST_F(JoinWhich, TheEngineWithTheNamesComesBeforeTheLogWithout) {
  const std::string log = write("one/build.log", bare_log("m"));
  const std::string layers = write("two/layers.json", layer_json(kNames));
  const std::string with_layers = write("two/build.log", build_log("m", kNames));
  const std::string profile = write("one/profile.json", profile_json(kNames, 1));
  EXPECT_TRUE(read({log, profile}).builds.at(0).has_profile);
  const ParseResult behind = read({log, layers, profile});
  ASSERT_EQ(behind.builds.size(), 2U);
  EXPECT_FALSE(behind.builds[0].has_profile);
  EXPECT_TRUE(behind.builds[1].has_profile);
  const ParseResult before = read({with_layers, log, profile});
  ASSERT_EQ(before.builds.size(), 2U);
  EXPECT_TRUE(before.builds[0].has_profile);
  EXPECT_FALSE(before.builds[1].has_profile);
}

TEST_F(JoinWhich, TimesGoToTheirDirectoryOrElseToTheFirstBuild) {
  const std::string one = write("one/layers.json", layer_json({"a1", "a2"}));
  const std::string two = write("two/layers.json", layer_json({"b1", "b2"}));
  const std::string near = write("two/times.json", times_json());
  const std::string far = write("three/times.json", times_json());
  const ParseResult in_directory = read({one, two, near});
  ASSERT_EQ(in_directory.builds.size(), 2U);
  EXPECT_THAT(in_directory.builds[0].queries, IsEmpty());
  EXPECT_EQ(in_directory.builds[1].queries.size(), 1U);
  EXPECT_THAT(in_directory.diagnostics, IsEmpty());
  const ParseResult elsewhere = read({one, two, far});
  ASSERT_EQ(elsewhere.builds.size(), 2U);
  EXPECT_EQ(elsewhere.builds[0].queries.size(), 1U);
  EXPECT_THAT(elsewhere.builds[1].queries, IsEmpty());
  ASSERT_EQ(elsewhere.diagnostics.size(), 1U);
  EXPECT_EQ(elsewhere.diagnostics[0].id, "joined-without-names");
  EXPECT_EQ(elsewhere.diagnostics[0].file, far);
  EXPECT_EQ(elsewhere.diagnostics[0].found, "none: taken as of " + one);
}

// A directory with two builds: each has the names of its files, up to four.
TEST_F(JoinWhich, FourFilesAreNamedAndTheOthersCounted) {
  write("a_build.log", build_log("m", kNames));
  write("b_run.log", run_log("m.plan"));
  write("c_layers.json", layer_json(kNames));
  write("d_profile.json", profile_json(kNames, 1));
  write("z_layers.json", layer_json({"q1", "q2"}));
  const std::string four = at("a_build.log") + ", " + at("b_run.log") + ", " + at("c_layers.json") +
                           ", " + at("d_profile.json");
  EXPECT_THAT(read({folder_.path().string()}).build_names, ElementsAre(four, at("z_layers.json")));
  write("e_times.json", times_json());
  EXPECT_THAT(read({folder_.path().string()}).build_names,
              ElementsAre(four + " and 1 more", at("z_layers.json")));
}

TEST_F(JoinWhich, AProfileThatLacksLayersIsSaidToBeOne) {
  write("layers.json", layer_json({"a", "b", "c"}));
  const std::string path = write("profile.json", profile_json({"b"}, 1));
  const ParseResult part = read({});
  ASSERT_EQ(part.diagnostics.size(), 1U);
  EXPECT_EQ(part.diagnostics[0].id, "profile-incomplete");
  EXPECT_EQ(part.diagnostics[0].file, path);
  EXPECT_EQ(part.diagnostics[0].expected, "the time of each layer");
  EXPECT_EQ(part.diagnostics[0].found, "2 without one");
  EXPECT_FALSE(part.builds[0].profile_cut);  // the layer info tells what it lacks
  write("profile.json", profile_json({"a", "b", "c"}, 1));
  EXPECT_THAT(read({}).diagnostics, IsEmpty());
}

TEST_F(JoinWhich, AProfileWithoutLayerInfoIsWholeIfItsDocumentIs) {
  const std::string whole = profile_json({"a", "b", "c"}, 1);
  write("profile.json", whole);
  EXPECT_FALSE(read({}).builds.at(0).profile_cut);
  write("profile.json", whole.substr(0, whole.size() - 30));
  EXPECT_TRUE(read({}).builds.at(0).profile_cut);
}

}  // namespace
}  // namespace trtlens::join_which_test
