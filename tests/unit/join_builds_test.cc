// The runs of one log as builds: which are, how they are numbered and named, and what joins them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "parsers/parse.h"
#include "tests/unit/join_sample.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_builds_test {
namespace {

using join_sample::build_log;
using join_sample::kNames;
using join_sample::layer_json;
using join_sample::profile_json;
using join_sample::run_log;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Runs = std::vector<int>;
using NumberedRuns = std::vector<std::pair<int, Runs>>;

std::string failed_log(const std::string& onnx) {
  return running("--onnx=" + onnx) + closing("FAILED", "--onnx=" + onnx);
}

class JoinBuilds : public join_sample::JoinTest {
 protected:
  void read_log(const std::string& text, ParseOptions options = {}) {
    options.other_runs = true;
    result_ = parse_inputs({write("m.log", text)}, options);
  }
  void read_all(const std::vector<std::string>& paths, ParseOptions options = {}) {
    options.other_runs = true;
    result_ = parse_inputs(paths, options);
  }
  // Of each build its number and its runs; the reported one first.
  [[nodiscard]] NumberedRuns builds() const {
    NumberedRuns all;
    for (std::size_t i = 0; i < result_.builds.size(); ++i) {
      const int other = static_cast<int>(i);
      const int number = i == 0                        ? result_.first_build
                         : other < result_.first_build ? other
                                                       : other + 1;
      all.emplace_back(number, result_.builds[i].runs);
    }
    return all;
  }
  [[nodiscard]] Runs runs_that_are_builds() const {
    Runs runs;
    for (const trtlens::Run& run : result_.runs) {
      if (run.is_build) runs.push_back(run.n);
    }
    return runs;
  }
  // The reported one first, without the folder.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names = result_.build_names;
    for (std::string& name : names) name = name.substr(name.find_last_of('/') + 1);
    return names;
  }

  ParseResult result_;
};

TEST_F(JoinBuilds, EachRunThatBuildsIsOne) {
  const std::string log = failed_log("dir/a") + build_log("b", kNames) + failed_log("c");
  read_log(log);
  EXPECT_THAT(builds(),
              ElementsAre(std::pair(3, Runs{3}), std::pair(1, Runs{1}), std::pair(2, Runs{2})));
  EXPECT_THAT(names(), ElementsAre("m.log, run 3: c", "m.log, run 1: a", "m.log, run 2: b"));
  EXPECT_THAT(runs_that_are_builds(), ElementsAre(1, 2, 3));
  ParseOptions second;
  second.build = 2;
  read_log(log, second);
  EXPECT_THAT(builds(),
              ElementsAre(std::pair(2, Runs{2}), std::pair(1, Runs{1}), std::pair(3, Runs{3})));
  ParseOptions missing;
  missing.build = 4;
  read_log(log, missing);
  EXPECT_TRUE(result_.build_not_found);
  ParseOptions alone;
  alone.run = 2;
  read_log(log, alone);
  EXPECT_THAT(builds(), ElementsAre(std::pair(1, Runs{2})));
  EXPECT_THAT(runs_that_are_builds(), ElementsAre(2));
}

TEST_F(JoinBuilds, NamesOfModelsAreShort) {
  const std::string name(80, 'x');
  read_log(failed_log("C:\\" + name) + failed_log(name + "y") + failed_log("dir/"));
  EXPECT_THAT(names(), ElementsAre("m.log, run 3", "m.log, run 1: " + name, "m.log, run 2"));
}

TEST_F(JoinBuilds, OnlyWhereTheyAreAskedFor) {
  const std::string path = write("m.log", failed_log("a") + build_log("b", kNames));
  EXPECT_THAT(parse_inputs({path}, {}).builds, SizeIs(1));
}

TEST_F(JoinBuilds, ATimingRunJoinsItsBuild) {
  read_log(build_log("a", kNames) + run_log("a.plan") + build_log("b", kNames) + run_log("b.plan"));
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{3, 4}), std::pair(1, Runs{1, 2})));
}

TEST_F(JoinBuilds, OneMoreTimingIsNone) {
  read_log(build_log("a", kNames) + run_log("a.plan") + run_log("a.plan"));
  EXPECT_THAT(builds(), ElementsAre(std::pair(1, Runs{1, 3})));
  EXPECT_THAT(runs_that_are_builds(), ElementsAre(1, 3));
  read_log(run_log("a.plan") + run_log("a.plan"));
  EXPECT_THAT(builds(), ElementsAre(std::pair(1, Runs{2})));
  read_log(run_log("a.plan") + run_log("b.plan"));  // another engine
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{2}), std::pair(1, Runs{1})));
  read_log(build_log("b", kNames) + run_log("b.plan") + run_log("b.plan") + failed_log("c"));
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{4}), std::pair(1, Runs{1, 3})));
}

// The path of an engine that is written again says nothing of the ones before.
TEST_F(JoinBuilds, ABuildHasItsLastTimingAlsoWhereItsPathIsWrittenAgain) {
  const std::string a = build_log("a", kNames) + run_log("a.plan") + run_log("a.plan");
  read_log(a + build_log("a", kNames));
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{4}), std::pair(1, Runs{1, 3})));
  read_log(failed_log("a") + run_log("a.plan") + build_log("a", kNames));
  EXPECT_THAT(builds(),
              ElementsAre(std::pair(3, Runs{3}), std::pair(1, Runs{1}), std::pair(2, Runs{2})));
}

TEST_F(JoinBuilds, WhatWasTimedBeforeItsBuildIsAnOlderEngine) {
  read_log(run_log("b.plan") + build_log("a", kNames));
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{2}), std::pair(1, Runs{1})));
  read_log(run_log("a.plan") + build_log("a", kNames));
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{2}), std::pair(1, Runs{1})));
}

TEST_F(JoinBuilds, ExportsGoToTheCommandThatNamesThem) {
  const auto run = [](const std::string& i) {
    const std::string arguments =
        "--onnx=m --exportTimes=out/t" + i + ".json --exportProfile=p" + i;
    return running(arguments) + join_sample::layer_lines(kNames) + closing("PASSED", arguments);
  };
  write("m.log", run("1") + run("2"));
  write("t1.json", join_sample::times_json());
  write("p1", profile_json(kNames, 1));
  read_all({root_});
  ASSERT_THAT(result_.builds, SizeIs(2));
  EXPECT_THAT(result_.builds[0].queries, IsEmpty());
  EXPECT_FALSE(result_.builds[0].has_profile);
  EXPECT_THAT(result_.builds[1].queries, SizeIs(1));
  EXPECT_TRUE(result_.builds[1].has_profile);
  EXPECT_THAT(names(), ElementsAre("m.log, run 2: m", "m.log, run 1: m"));
}

TEST_F(JoinBuilds, ExportsOfOtherLayersAreNotOfTheCommandThatNamesThem) {
  const std::string arguments = "--onnx=m --exportProfile=p1";
  write("m.log", running(arguments) + join_sample::layer_lines(kNames) +
                     closing("PASSED", arguments) + build_log("b", {"b1", "b2"}));
  write("p1", profile_json({"b1", "b2"}, 1));
  read_all({root_});
  ASSERT_THAT(result_.builds, SizeIs(2));
  EXPECT_TRUE(result_.builds[0].has_profile);
  EXPECT_FALSE(result_.builds[1].has_profile);
}

// What called TensorRT logs, too, before its first command.
TEST_F(JoinBuilds, LinesInFrontOfTheFirstCommandAreNone) {
  const std::string before =
      "[TensorRT] INFO: builtin_op_importers.cpp:3788: Successfully created plugin: X\n";
  read_log(before + build_log("a", kNames));
  EXPECT_THAT(builds(), ElementsAre(std::pair(1, Runs{2})));
  read_log(join_sample::layer_lines(kNames) + run_log("a.plan") + build_log("b", kNames));
  EXPECT_THAT(builds(),
              ElementsAre(std::pair(3, Runs{3}), std::pair(1, Runs{1}), std::pair(2, Runs{2})));
}

TEST_F(JoinBuilds, LogsOfOneFolderThatAreNamedAreAsManyBuilds) {
  const std::string a = write("a.log", build_log("a", kNames));
  const std::string b = write("b.log", failed_log("b"));
  read_all({a, b});
  EXPECT_THAT(names(), ElementsAre("b.log", "a.log"));
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{2}), std::pair(1, Runs{1})));
  ParseOptions second;
  second.run = 2;
  read_all({a, b}, second);
  EXPECT_THAT(names(), ElementsAre("b.log"));
}

// The logs of a folder that was not divided are of one build, but for the runs of one log.
TEST_F(JoinBuilds, OfAFolderOnlyTheRunsOfTheReportedLog) {
  write("a.log", run_log("a.plan"));
  write("b.log", failed_log("b") + failed_log("c"));
  read_all({root_});
  EXPECT_THAT(builds(), ElementsAre(std::pair(2, Runs{3}), std::pair(1, Runs{2})));
}

TEST_F(JoinBuilds, ExportsGoToTheEngineWithTheirLayers) {
  const std::vector<std::string> others = {"a1", "a2", "a3"};
  write("m.log", build_log("a", others) + build_log("b", kNames));
  write("layers.json", layer_json(others));
  write("profile.json", profile_json(kNames, 1));
  read_all({root_});
  ASSERT_THAT(result_.builds, SizeIs(2));
  EXPECT_TRUE(result_.builds[0].has_profile);
  EXPECT_FALSE(result_.builds[0].has_layer_info);
  EXPECT_TRUE(result_.builds[1].has_layer_info);
  EXPECT_FALSE(result_.builds[1].has_profile);
}

TEST_F(JoinBuilds, TimesGoToTheReportedRun) {
  write("m.log", failed_log("a") + build_log("b", kNames));
  write("times.json", join_sample::times_json());
  read_all({root_});
  ASSERT_THAT(result_.builds, SizeIs(2));
  EXPECT_THAT(result_.builds[0].queries, SizeIs(1));
  EXPECT_THAT(result_.builds[1].queries, IsEmpty());
}

TEST_F(JoinBuilds, TheNewestHundredOfALog) {
  const auto log_of = [](int runs) {
    std::string log;
    for (int i = 1; i <= runs; ++i) log += failed_log("m" + std::to_string(i));
    return log;
  };
  read_log(log_of(100));
  EXPECT_THAT(result_.builds, SizeIs(100));
  read_log(log_of(101));
  EXPECT_THAT(result_.builds, SizeIs(100));
  EXPECT_EQ(result_.builds[1].runs, Runs{2});
  EXPECT_EQ(result_.first_build, 100);
  EXPECT_FALSE(result_.runs.front().is_build);
}

// A tuner tries routes in runs of their own: they are its build.
TEST_F(JoinBuilds, TrialsOfATunerAreNone) {
  ParseOptions options;
  options.other_runs = true;
  const std::string folder = std::string(TRTLENS_SOURCE_DIR) + "/fixtures/cases/analyze_tuning/";
  const ParseResult tuned = parse_inputs({folder + "build.log"}, options);
  EXPECT_GT(tuned.run_count, 1);
  EXPECT_THAT(tuned.builds, SizeIs(1));
}

}  // namespace
}  // namespace trtlens::join_builds_test
