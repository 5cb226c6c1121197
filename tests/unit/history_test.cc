// A build into the history and out of it again.
#include "report/history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/history/intake.h"
#include "report/history/pages.h"
#include "tests/temp_folder.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/document_parts_of.h"

namespace trtlens::history_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kAt = "2026-11-26 10:00:00";

std::string fixture(const std::string& name) {
  return std::string(TRTLENS_SOURCE_DIR "/fixtures/builds/") + name;
}

Analysis analysis_of_fixture(const std::string& name) {
  return analyze(parse_inputs({fixture(name)}, {}), {});
}

class HistoryTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path() const { return folder_.at("h.db"); }
  TempFolder folder_;
};

TEST_F(HistoryTest, ABuildComesBackAsItWas) {
  const Analysis before = analysis_of_fixture("b_r18_q_conv");
  const BuildRecord record = record_of(before, "");
  History history(path(), History::Access::write);
  ASSERT_EQ(history.add("a", record, kAt), Added::added) << history.error();
  const std::optional<BuildRecord> kept = history.build(1);
  ASSERT_TRUE(kept) << history.error();
  EXPECT_EQ(kept->series, record.series);
  EXPECT_EQ(kept->command, record.command);
  EXPECT_EQ(kept->speed.ms, record.speed.ms);
  EXPECT_EQ(kept->speed.error, record.speed.error);
  EXPECT_EQ(kept->engine_bytes, record.engine_bytes);
  const Analysis after = analysis_of(*kept);
  ASSERT_EQ(after.build.layers.size(), before.build.layers.size());
  for (std::size_t i = 0; i < before.build.layers.size(); ++i) {
    const Layer& a = before.build.layers[i];
    const Layer& b = after.build.layers[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.layer_type, b.layer_type);
    EXPECT_EQ(a.parameter_type, b.parameter_type);
    EXPECT_EQ(a.tactic_name, b.tactic_name);
    EXPECT_EQ(a.onnx_nodes, b.onnx_nodes);
    EXPECT_EQ(a.kernel, b.kernel);
    EXPECT_EQ(a.groups, b.groups);
    EXPECT_EQ(a.inputs.size(), b.inputs.size());
    for (std::size_t k = 0; k < a.outputs.size(); ++k) {
      EXPECT_EQ(a.outputs[k].name, b.outputs[k].name);
      EXPECT_EQ(a.outputs[k].type, b.outputs[k].type);
      EXPECT_EQ(a.outputs[k].dims, b.outputs[k].dims);
      EXPECT_EQ(a.outputs[k].format, b.outputs[k].format);
    }
    EXPECT_EQ(a.time.has_value(), b.time.has_value());
    if (a.time) {
      EXPECT_DOUBLE_EQ(a.time->mean_ms, b.time->mean_ms);
    }
    EXPECT_EQ(before.verdicts[i].compute, after.verdicts[i].compute);
    EXPECT_EQ(before.verdicts[i].role, after.verdicts[i].role);
  }
  EXPECT_NEAR(after.build.profile_sum_ms, before.build.profile_sum_ms, 1e-9);
  EXPECT_EQ(after.build.options.flags, before.build.options.flags);
  EXPECT_EQ(after.build.outcome, before.build.outcome);
  ASSERT_EQ(after.findings.size(), before.findings.size());
  EXPECT_EQ(after.findings[0].rule, before.findings[0].rule);
  EXPECT_EQ(after.findings[0].stake_ms, before.findings[0].stake_ms);
  // Against the build itself nothing differs and all layers find each other.
  const Comparison c = compare({after}, {before}, {});
  EXPECT_TRUE(std::ranges::none_of(c.differences, [](const Difference& d) { return d.matters; }));
  EXPECT_DOUBLE_EQ(c.aligned_share_base, 1);
  EXPECT_NEAR(c.engine.ratio.value_or(0), 1, 1e-3);
}

TEST_F(HistoryTest, EqualLayersAreKeptOnce) {
  const Analysis analysis = analysis_of_fixture("b_r18_q_conv");
  History history(path(), History::Access::write);
  BuildRecord record = record_of(analysis, "");
  EXPECT_EQ(history.add("a", record, kAt), Added::added);
  record.times[3]->mean_ms *= 2;
  record.layers[5].tactic = "another one";
  EXPECT_EQ(history.add("b", record, kAt), Added::added);
  EXPECT_EQ(history.add("a", record, kAt), Added::known);
  Database database(path(), Database::Access::read);
  EXPECT_EQ(database.number("SELECT COUNT(*) FROM build"), 2);
  EXPECT_EQ(database.number("SELECT COUNT(*) FROM build_layer"),
            static_cast<std::int64_t>(2 * record.layers.size()));
  // Duplicates of a name differ in their tensors.
  EXPECT_EQ(database.number("SELECT COUNT(*) FROM layer"),
            static_cast<std::int64_t>(record.layers.size() + 1));
}

TEST_F(HistoryTest, WhatIsNotKnownIsNull) {
  Analysis empty;
  empty.name = "x/y";
  History history(path(), History::Access::write);
  ASSERT_EQ(history.add("a", record_of(empty, ""), kAt), Added::added) << history.error();
  Database database(path(), Database::Access::read);
  EXPECT_EQ(
      database.number("SELECT COUNT(*) FROM build WHERE gpu IS NULL AND profile_ms IS NULL AND "
                      "gpu_median_ms IS NULL AND engine_bytes IS NULL AND logged_at IS NULL "
                      "AND command IS NULL AND tensorrt IS NULL AND series = 'y'"),
      1);
  const std::vector<BuildLine> lines = history.builds();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(is_good(lines[0]));
  EXPECT_EQ(lines[0].when, kAt);
}

TEST_F(HistoryTest, ModelsAndSeries) {
  const auto named = [](const std::string& command, const std::string& name = "nightly/7") {
    Analysis analysis;
    analysis.name = name;
    analysis.build.options = parse_command(command);
    return record_of(analysis, "").model;
  };
  EXPECT_EQ(named("--onnx=models/resnet18.onnx --saveEngine=e.plan"), "resnet18.onnx");
  EXPECT_EQ(named("--onnx=repository/vit/model.onnx"), "vit/model.onnx");
  EXPECT_EQ(named("--onnx=model.onnx"), "model.onnx");
  EXPECT_EQ(named("--loadEngine=../a/engine.plan"), "a/engine.plan");
  EXPECT_EQ(named("--loadEngine=engine.plan"), "7/engine.plan");
  EXPECT_EQ(named(""), "7");
  EXPECT_EQ(record_of(analysis_of_fixture("a_r18_fp16"), "").series,
            "resnet18_b32.onnx, FP32+FP16, 32x3x224x224, NVIDIA H200");
  EXPECT_EQ(record_of(analysis_of_fixture("a_r18_fp16"), "mine").series, "mine");
}

// Files of anybody: nothing that is read may be trusted.
TEST_F(HistoryTest, OddDetailsAreLeftOut) {
  const char* const odd_details[] = {
      "",
      "[]",
      "{",
      R"({"inputs": 3, "kernel": "x", "groups": [], "io": [1, {"dims": [1, "x"]}]})",
      R"({"tensorrt": [1], "gpu": 7, "flags": [["a"], 3, ["a", 1]], "allowed": [1], "found_in": -5})",
      R"({"onnx_operators": {"Conv": -3, "Add": "x"}, "gpu_compute": [], "profile_iterations": -1})"};
  for (const char* odd : odd_details) {
    BuildRecord record;
    record.name = "x";
    record.details = odd;
    record.outcome = "odd";
    record.layers = {{"a", "", "", "odd", "odd", "", {}, odd}};
    record.times = {std::nullopt};
    const Analysis analysis = analysis_of(record);
    EXPECT_EQ(analysis.build.layers.size(), 1U);
    EXPECT_EQ(analysis.build.outcome, Outcome::unknown);
  }
}

TEST_F(HistoryTest, TheBaseIsTheLastGoodOneOfTheSeries) {
  History history(path(), History::Access::write);
  BuildRecord record = record_of(analysis_of_fixture("a_r18_fp16"), "s");
  const auto add = [&](const std::string& identity, double factor, const std::string& outcome) {
    BuildRecord one = record;
    one.name = "n/" + identity;
    one.outcome = outcome;
    for (std::optional<double>& ms : one.speed.ms) {
      if (ms) *ms *= factor;
    }
    EXPECT_EQ(history.add(identity, one, kAt), Added::added) << history.error();
  };
  // Twelve builds, a step of 20 %, four of the new level; a failed one and another series behind.
  for (int i = 0; i < 12; ++i) add("a" + std::to_string(i), 1 + 0.001 * i, "passed");
  for (int i = 0; i < 4; ++i) add("b" + std::to_string(i), 1.2 + 0.001 * i, "passed");
  add("failed", 1, "failed");
  record.series = "other";
  add("other", 3, "passed");
  const HistoryBase base = base_in(history, "s", "new");
  EXPECT_EQ(base.error, "");
  EXPECT_EQ(base.analysis.name, "#16 b3");
  ASSERT_EQ(base.earlier.size(), 4U);
  EXPECT_EQ(base.earlier[0].name, "n/b0");
  EXPECT_THAT(base.note, HasSubstr("the 4 builds of its level, from #13 on"));
  // A build that is in is held against those before it.
  EXPECT_EQ(base_in(history, "s", "b1").analysis.name, "#13 b0");
  EXPECT_THAT(base_in(history, "s", "a0").error,
              StartsWith("no good build of 's' before this one"));
  EXPECT_THAT(base_in(history, "none", "").error, HasSubstr("such as 's'"));
}

TEST_F(HistoryTest, AKeptCandidateIsJudgedByItsFigures) {
  const Analysis run = analysis_of_fixture("b_r18_q_conv");
  CompareOptions options;
  for (const double factor : {1.0, 1.002, 0.998, 1.001, 0.999}) {
    options.earlier.push_back(speed_of(run));
    for (std::optional<double>& ms : options.earlier.back().ms) {
      if (ms) *ms *= factor;
    }
  }
  const EngineVerdict direct = compare({run}, {run}, options).engine;
  // The history has no queries of it any more.
  const Analysis kept = analysis_of(record_of(run, ""));
  EXPECT_NE(compare({run}, {kept}, options).engine.method, direct.method);
  options.kept = speed_of(run);
  const EngineVerdict again = compare({run}, {kept}, options).engine;
  EXPECT_EQ(again.method, direct.method);
  EXPECT_EQ(again.ratio, direct.ratio);
  EXPECT_EQ(again.ci95, direct.ci95);
  EXPECT_EQ(again.p_value, direct.p_value);
  EXPECT_EQ(again.queries, direct.queries);
  ASSERT_TRUE(options.kept->ms[0]);
  *options.kept->ms[0] *= 1.1;
  EXPECT_EQ(compare({run}, {kept}, options).engine.verdict, Verdict::regressed);
}

TEST_F(HistoryTest, ALevelIsSoughtAmongTheNewestBuilds) {
  History history(path(), History::Access::write);
  ASSERT_EQ(history.add("a", record_of(analysis_of_fixture("a_r18_fp16"), "s"), kAt), Added::added);
  BuildLine line = history.builds().front();
  // Old builds have another figure than new ones: which do most of them have?
  const auto runs = [&](std::size_t old, std::size_t recent) {
    std::vector<BuildLine> good;
    for (std::size_t i = 0; i < old + recent; ++i) {
      line.id = static_cast<std::int64_t>(i + 2);
      line.speed.ms = {};
      line.speed.ms.at(i < old ? 0 : 1) = 1.0;
      good.push_back(line);
    }
    good.back().id = 1;  // the only one that is in
    return base_of(history, good).earlier.size();
  };
  EXPECT_EQ(runs(251, 249), 1U);  // the last one stands for itself
  EXPECT_EQ(runs(249, 251), 30U);
  EXPECT_EQ(runs(900, 251), 30U);
}

TEST_F(HistoryTest, ItsScatterIsTheNoiseFloor) {
  const Analysis run = analysis_of_fixture("a_r18_fp16");
  CompareOptions options;
  const RunSpeed speed = speed_of(run);
  for (const double factor : {1.0, 1.002, 0.998, 1.001, 0.999}) {
    options.earlier.push_back(speed);
    for (std::optional<double>& ms : options.earlier.back().ms) {
      if (ms) *ms *= factor;
    }
  }
  const EngineVerdict same = compare({run}, {run}, options).engine;
  EXPECT_EQ(same.noise_floor_from, "history");
  EXPECT_EQ(same.verdict, Verdict::no_change);
  EXPECT_EQ(same.runs[0], 5U);
  EXPECT_LT(same.noise_floor, 0.05);
  for (RunSpeed& earlier : options.earlier) {
    for (std::optional<double>& ms : earlier.ms) {
      if (ms) *ms /= 1.04;
    }
  }
  // 4 % is below the floor of single runs, and beyond what these runs scatter by.
  EXPECT_EQ(compare({run}, {run}, options).engine.verdict, Verdict::regressed);
  options.earlier.resize(1);
  const EngineVerdict alone = compare({run}, {run}, options).engine;
  EXPECT_EQ(alone.noise_floor_from, "assumed");
  EXPECT_EQ(alone.verdict, Verdict::cannot_tell);
}

TEST(HistoryIntake, Dates) {
  EXPECT_EQ(date_in("[11/21/2026-13:00:01] [I] x"), "2026-11-21 13:00:01");
  EXPECT_EQ(date_in("[2022-11-08 06:01:58 VERBOSE] x"), "2022-11-08 06:01:58");
  EXPECT_EQ(date_in("2024-07-08 18:23:06.193422: x"), "2024-07-08 18:23:06");
  EXPECT_EQ(date_in("I0829 03:48:41.018076 x"), "");
  EXPECT_EQ(date_in("2024-02-29 00:00:00"), "2024-02-29 00:00:00");
  for (const char* none : {"2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "0000-01-01"}) {
    EXPECT_EQ(date_in(std::string(none) + " 00:00:00"), "") << none;
  }
  EXPECT_EQ(date_in("[I] x"), "");
  EXPECT_EQ(date_in(""), "");
}

TEST(HistoryIntake, FoldersBelowAreUnitsOfTheirOwn) {
  const TempFolder folder;
  for (const char* file : {"a/1/x.log", "a/1/y.log", "a/2/x.log", "a/x.log"}) {
    (void)folder.write(file, "x");
  }
  std::filesystem::create_directory_symlink(folder.path(), folder.at("a/up"));
  std::vector<std::string> problems;
  const std::vector<Unit> units =
      units_in({folder.at("a/"), folder.at("none.log")},
               [&](const std::string& text) { problems.push_back(text); });
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const Unit& unit : units) found.emplace_back(unit.name, unit.files.size());
  EXPECT_THAT(found, ElementsAre(std::pair("", 1U), std::pair(folder.at("a"), 1U),
                                 std::pair(folder.at("a/1"), 2U), std::pair(folder.at("a/2"), 1U)));
  EXPECT_THAT(problems, IsEmpty());
}

TEST(HistoryTrends, FiguresThatAllHaveAndThoseThatLackThem) {
  std::vector<BuildLine> builds(4);
  for (std::size_t i = 0; i < builds.size(); ++i) {
    builds[i].id = static_cast<std::int64_t>(i + 1);
    builds[i].series = i < 3 ? "a" : "b";
    builds[i].speed.ms[1] = 0.5;
  }
  builds[0].speed.ms[0] = 0.4;
  builds[2].speed.ms[1].reset();
  const std::vector<Trend> trends = trends_of(builds, "time", {});
  ASSERT_EQ(trends.size(), 2U);
  EXPECT_EQ(trends[0].what, "GPU compute, median");
  EXPECT_THAT(trends[0].values, ElementsAre(0.5, 0.5));
  EXPECT_EQ(trends[0].left_out, 1U);
  const std::vector<Trend> none = trends_of(builds, "engine_bytes", {});
  EXPECT_THAT(none[0].values, IsEmpty());
  EXPECT_THAT(none[0].stretches, IsEmpty());
  EXPECT_EQ(trends_of(builds, {{4, 0.1}}, "layer x", {}).size(), 1U);
}

TEST(HistoryTrends, SixBuildsAreEnoughToSayThatNothingChanged) {
  const auto said = [](std::size_t builds) {
    std::vector<BuildLine> all(builds);
    for (BuildLine& build : all) build.speed.ms[1] = 0.5;
    const Document document = trend_document(trends_of(all, "time", {}), "h.db", 0);
    return std::get<Paragraph>(document.sections.front().blocks.front()).text;
  };
  EXPECT_EQ(said(5), "Too few builds to tell, 5 of 6 at least: median 0.500 ms.");
  EXPECT_EQ(said(6), "No change in 6 builds: 0.500 ms, scatter 0 %.");
}

// Builds are called by as much of their paths' ends as tells them apart.
TEST(HistoryPages, BuildsAreCalledByTheEndsOfTheirPaths) {
  const auto names_of = [](const std::vector<std::string>& paths) {
    std::vector<BuildLine> builds;
    for (const std::string& path : paths) builds.emplace_back().name = path;
    const Document document = list_document(builds, "/w/my.db", 0);
    EXPECT_EQ(document.title.substr(document.title.find(" in ")), " in my.db");
    std::vector<std::string> names;
    const Rows& rows = blocks_of<Table>(document, "builds").at(0)->rows;
    for (std::size_t i = 0; i < rows.size(); ++i) names.push_back(rows[i][2].text);
    return names;
  };
  EXPECT_THAT(names_of({"/w/x/a", "/w/x/b/", "/w/x/a"}), ElementsAre("a", "b", "a"));
  EXPECT_THAT(names_of({"/w/x/a", "/w/y/a", "b", ""}), ElementsAre("", "b", "y/a", "x/a"));
  EXPECT_THAT(names_of({"/x/a", "x/a", "/"}), ElementsAre("/", "x/a", "/x/a"));
}

}  // namespace
}  // namespace trtlens::history_test
