// Several builds: the table with a line each, and the same rows in JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/document/sections/builds.h"
#include "report/formats/convert/convert.h"
#include "report/formats/escape.h"
#include "tests/rendered.h"
#include "tests/unit/report_sample.h"

namespace trtlens::builds_overview_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// Two builds in the folder "sweep": one good, one failed; the gate fails the second.
class BuildsOverview : public ::testing::Test {
 protected:
  void SetUp() override {
    analyses_.push_back(sample::healthy(30));
    analyses_.push_back(sample::failed());
    analyses_[0].name = "sweep/a";
    analyses_[1].name = "sweep/b";
    analyses_[1].build_number = 2;
    analyses_[1].build.runs = {1};
    hold_all();
  }

  void hold_all() {
    GateOptions options;
    options.fail_on = fail_on_;
    gates_.clear();
    for (Analysis& analysis : analyses_) gates_.push_back(hold(analysis, options, Baseline()));
  }

  [[nodiscard]] std::string text_of(int width = 100) const {
    WriterOptions options;
    options.width = width;
    return render(writer_text, overview_of(analyses_, gates_), options);
  }

  [[nodiscard]] nlohmann::json rows() const {
    return nlohmann::json::parse(trtlens::text_of(
        [&](TextStream& out) { write_json(analyses_, gates_, "1", out); }))["builds"];
  }

  std::string fail_on_ = "none";
  std::vector<Analysis> analyses_;
  std::vector<GateResult> gates_;
};

TEST_F(BuildsOverview, HasALineABuild) {
  EXPECT_EQ(text_of(),
            R"(2 builds  1 failed, 1 passed (1 with a major finding)
in sweep/

Builds
------

#  Build  Outcome  ms/query  Precision  First finding
1  a      passed      0.527  TF32 51 %  major: Three convolutions run in TF32 because two tensors
                                        have no scale: 0.235 ms with the five reformats around them
2  b      failed          -  -          fatal: No INT8 implementation for a grouped convolution with
                                        6 channels per group (30 channels, 5 groups)
ms/query: median GPU compute time. Precision: the one with most profile time, or most layers without
a profile. -: not known. --build N reports on build N.

What to do first
Builds  Severity  Rule                                      First action
2       fatal     grouped-conv-int8-group-not-multiple-of-  Pad to 8 channels per group
                  4
1       major     missing-scale-hot-layer                   Recalibrate after deleting the stale
                                                            cache r18.cache
)");
}

TEST_F(BuildsOverview, FitsIntoItsWidth) {
  for (const int width : {60, 80, 100, 200}) {
    std::istringstream in(text_of(width));
    for (std::string line; std::getline(in, line);) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST_F(BuildsOverview, SaysWhichFailTheGateAndBy) {
  EXPECT_THAT(text_of(), Not(HasSubstr("Gate")));
  fail_on_ = "fatal";
  hold_all();
  const std::string text = text_of();
  EXPECT_THAT(text, HasSubstr("two     passes\n"));
  EXPECT_THAT(text, HasSubstr("grouped           fails\n"));
  EXPECT_THAT(text, HasSubstr("What fails --fail-on fatal\n"));
  EXPECT_THAT(text, HasSubstr("\nb      fatal"));
  EXPECT_THAT(text, Not(HasSubstr("\na      ")));
}

TEST_F(BuildsOverview, NamesAreWithoutTheFolderThatAllHave) {
  analyses_[1].name = "./other/b";
  EXPECT_THAT(text_of(), StartsWith("2 builds  "));
  EXPECT_THAT(text_of(), HasSubstr("\n1  sweep/a"));
  analyses_[0].name = "./a";
  EXPECT_THAT(text_of(), StartsWith("2 builds  "));
  EXPECT_THAT(text_of(), HasSubstr("\n2  other/b"));
  // A common beginning of names is no folder.
  analyses_[0].name = "run_a";
  analyses_[1].name = "run_b";
  EXPECT_THAT(text_of(), HasSubstr("\n1  run_a"));
}

TEST_F(BuildsOverview, RunsOfOneLogAreWithoutItsName) {
  analyses_[0].name = "sweep/all.log, run 1: a.onnx";
  analyses_[1].name = "sweep/all.log, run 12: b.onnx";
  EXPECT_THAT(text_of(), HasSubstr("\nin sweep/all.log\n"));
  EXPECT_THAT(text_of(), HasSubstr("\n1  run 1: a.onnx "));
  EXPECT_THAT(text_of(), HasSubstr("\n2  run 12: b.onnx "));
}

TEST_F(BuildsOverview, CountsRunsThatAreNoBuilds) {
  Reading reading;
  reading.run_count = 3;
  reading.runs.resize(2);  // one was left out
  for (trtlens::Run& run : reading.runs) run.is_build = true;
  const auto text_with = [&] {
    analyses_[0].reading = std::make_shared<const Reading>(reading);
    return render(writer_markdown, overview_of(analyses_, gates_), {});
  };
  EXPECT_THAT(text_with(),
              HasSubstr(" 1 more run of these logs is not listed: --run N reports one.\n"));
  reading.runs[1].is_build = false;
  EXPECT_THAT(text_with(),
              HasSubstr(" 2 more runs of these logs are not listed: --run N reports one.\n"));
  reading.run_count = 1;
  EXPECT_THAT(text_with(), Not(HasSubstr("not listed")));
}

TEST_F(BuildsOverview, NeedsTwoThatAreBuilds) {
  EXPECT_TRUE(are_builds(analyses_));
  analyses_[1].build.runs.clear();  // query times by themselves
  EXPECT_FALSE(are_builds(analyses_));
  analyses_[1].build.layers.resize(1);
  EXPECT_TRUE(are_builds(analyses_));
}

TEST_F(BuildsOverview, JsonHasARowABuild) {
  const nlohmann::json all = rows();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["number"], 1);
  EXPECT_EQ(all[0]["name"], "sweep/a");
  EXPECT_EQ(all[0]["outcome"], "passed");
  EXPECT_EQ(all[0]["gpu_compute_ms"], 0.5271);
  EXPECT_NEAR(all[0]["precision"]["INT8"], 0.254, 0.0005);
  const nlohmann::json found = {
      {"fatal", 0}, {"major", 1}, {"moderate", 0}, {"minor", 13}, {"info", 1}};
  EXPECT_EQ(all[0]["findings"], found);
  EXPECT_EQ(all[0]["first_finding"]["rule"], analyses_[0].findings[0].rule);
  EXPECT_EQ(all[1]["number"], 2);
  EXPECT_EQ(all[1]["outcome"], "failed");
  EXPECT_TRUE(all[1]["gpu_compute_ms"].is_null());
  EXPECT_TRUE(all[1]["profile_ms"].is_null());
  EXPECT_TRUE(all[1]["precision"].is_null());
  EXPECT_EQ(all[1]["first_finding"]["severity"], "fatal");
}

TEST_F(BuildsOverview, SortsAndFilters) {
  analyses_.push_back(sample::healthy(30));
  analyses_[2].name = "sweep/0";
  analyses_[2].build_number = 3;
  analyses_[2].build.performance.gpu_compute->median_ms = 0.1;
  analyses_[2].findings.clear();
  hold_all();
  const auto rows = [&](const std::string& sort, const std::string& filter = "") {
    return rows_of(analyses_, gates_, {sort, filter, {}, 0});
  };
  EXPECT_THAT(rows("number"), ElementsAre(0, 1, 2));
  EXPECT_THAT(rows("name"), ElementsAre(2, 0, 1));
  EXPECT_THAT(rows("time"), ElementsAre(2, 0, 1));  // the second one has none
  EXPECT_THAT(rows("outcome"), ElementsAre(1, 0, 2));
  EXPECT_THAT(rows("finding"), ElementsAre(1, 0, 2));
  EXPECT_THAT(rows("number", "PASSED"), ElementsAre(0, 2));
  EXPECT_THAT(rows("number", "sweep/0"), ElementsAre(2));
  EXPECT_THAT(rows("number", analyses_[1].findings[0].rule), ElementsAre(1));
  EXPECT_THAT(rows("number", "no such text"), IsEmpty());
  EXPECT_THAT(
      render(writer_text, overview_of(analyses_, gates_, {"time", "passed", {}, 0}), {}),
      AllOf(HasSubstr("\n3  0      passed      0.100"), HasSubstr("\n1  a "),
            HasSubstr("\n2 of 3 builds say 'passed'. ms/query: "), Not(HasSubstr("\n2  b"))));
  EXPECT_EQ(
      render(writer_text, overview_of(analyses_, gates_, {"time", "no such text", {}, 0}), {}),
      "3 builds  1 failed, 2 passed (1 with a major finding)\nin sweep/\n\nBuilds\n------\n\n"
      "No build says 'no such text'.\n");
}

// Of the builds that are shown, not of all.
TEST_F(BuildsOverview, TheFilterHoldsForWhatToDoFirst) {
  const auto text = [&](const std::string& filter) {
    return render(writer_text, overview_of(analyses_, gates_, {"number", filter, {}, 0}), {});
  };
  const auto severities = [&](const std::string& filter) {
    const std::string all = text(filter);
    return all.substr(all.find("What to do first"));
  };
  EXPECT_THAT(severities("passed"), AllOf(HasSubstr("  major "), Not(HasSubstr("  fatal "))));
  EXPECT_THAT(severities(""), AllOf(HasSubstr("  major "), HasSubstr("  fatal ")));
}

// By their numbers, as in the table above; the worst first, then what most builds have.
TEST_F(BuildsOverview, WhatToDoFirstNamesTheBuilds) {
  const Analysis one = analyses_[0];
  analyses_.assign(13, one);
  for (std::size_t i = 0; i < analyses_.size(); ++i) {
    analyses_[i].build_number = static_cast<int>(i + 1);
    Finding& first = analyses_[i].findings.front();
    first.rule = "many";
    first.remedies = {"Run `nvidia-smi`."};
  }
  const auto give = [&](std::size_t number, const char* rule, Severity severity) {
    analyses_[number - 1].findings.front().rule = rule;
    analyses_[number - 1].findings.front().severity = severity;
  };
  for (const std::size_t number : {4, 7, 9}) give(number, "few", Severity::major);
  give(11, "worst", Severity::fatal);
  give(13, "guess", Severity::moderate);
  analyses_[12].findings.front().confidence = Confidence::guessed;
  analyses_[12].findings.front().next_check = "`dmesg`";
  hold_all();
  const std::string text = text_of();
  EXPECT_EQ(text.substr(text.find("What to do first")),
            R"(What to do first
Builds                   Severity  Rule   First action
11                       fatal     worst  Run nvidia-smi.
1-3, 5, 6, 8 and 2 more  major     many   Run nvidia-smi.
4, 7, 9                  major     few    Run nvidia-smi.
13                       moderate  guess  Run the check that --build 13 prints.
)");
}

// Up to twelve builds leave room for eight actions, more for five.
TEST_F(BuildsOverview, WhatToDoFirstIsLongerWhereBuildsAreFew) {
  const Analysis one = analyses_[0];
  const auto actions_of = [&](std::size_t builds) {
    analyses_.assign(builds, one);
    for (std::size_t i = 0; i < builds; ++i) {
      analyses_[i].findings.front().rule = std::string("rule-") + "abcdefghijklm"[i];
    }
    hold_all();
    const std::string text = text_of();
    return text.substr(text.find("What to do first"));
  };
  EXPECT_THAT(actions_of(12), AllOf(HasSubstr("rule-h "), Not(HasSubstr("rule-i ")),
                                    HasSubstr("\n… and 4 more: --top 0\n")));
  EXPECT_THAT(actions_of(13), AllOf(HasSubstr("rule-e "), Not(HasSubstr("rule-f ")),
                                    HasSubstr("\n… and 8 more: --top 0\n")));
}

// Red, yellow or green, and how many of those that passed have a major finding.
TEST_F(BuildsOverview, TheVerdictIsThatOfTheWorstBuild) {
  using Said = std::pair<std::string, Tone>;
  const auto verdict = [&] {
    hold_all();
    const Document document = overview_of(analyses_, gates_);
    return Said(document.verdict, document.verdict_tone);
  };
  EXPECT_EQ(verdict(), Said("1 failed, 1 passed (1 with a major finding)", Tone::fatal));
  analyses_[1].build.outcome = Outcome::truncated;
  EXPECT_EQ(verdict(), Said("1 truncated, 1 passed (1 with a major finding)", Tone::moderate));
  analyses_[0].findings.front().severity = Severity::moderate;
  EXPECT_EQ(verdict(), Said("1 truncated, 1 passed", Tone::moderate));
  analyses_[1] = analyses_[0];
  EXPECT_EQ(verdict(), Said("2 passed", Tone::good));
  analyses_[1].findings.front().severity = Severity::major;
  EXPECT_EQ(verdict(), Said("2 passed (1 with a major finding)", Tone::moderate));
}

// One line more than there is room for: each build has one line.
TEST_F(BuildsOverview, TitlesOfFewBuildsAreWhole) {
  const Analysis one = analyses_[0];
  analyses_.assign(7, one);
  hold_all();
  EXPECT_THAT(text_of(), AllOf(HasSubstr("have no scale: 0.235 ms"), Not(HasSubstr("…"))));
  analyses_.push_back(one);
  hold_all();
  EXPECT_THAT(text_of(), HasSubstr("because two tensors …\n"));
}

// In Markdown what to do first is folded where both tables have more than eleven rows.
TEST_F(BuildsOverview, MarkdownFoldsWhatIsMoreThanAScreen) {
  const Analysis one = analyses_[0];
  const auto markdown = [&] {
    hold_all();
    return render(writer_markdown, overview_of(analyses_, gates_), {});
  };
  analyses_.assign(10, one);
  EXPECT_THAT(markdown(), AllOf(HasSubstr("What to do first"), Not(HasSubstr("<details>"))));
  analyses_.push_back(one);
  EXPECT_THAT(markdown(),
              HasSubstr("<summary>More on these builds</summary>\n\n**What to do first"));
}

// The worst first within one severity.
TEST_F(BuildsOverview, TheCostlierFindingIsTheWorse) {
  analyses_[1] = analyses_[0];
  analyses_[1].build_number = 2;
  analyses_[1].findings[0].stake_ms = 1 + analyses_[0].findings[0].stake_ms.value_or(0);
  hold_all();
  EXPECT_THAT(rows_of(analyses_, gates_, {"finding", "", {}, 0}), ElementsAre(1, 0));
}

TEST_F(BuildsOverview, ManyRowsAreCutAndTheirFindingsCounted) {
  const Analysis good = analyses_[0];
  analyses_.assign(40, good);
  for (std::size_t i = 0; i < analyses_.size(); ++i) {
    analyses_[i].build_number = static_cast<int>(i + 1);
  }
  hold_all();
  const std::string text = text_of();
  EXPECT_THAT(text, HasSubstr("\n15  "));
  EXPECT_THAT(text, Not(HasSubstr("\n16  ")));
  EXPECT_THAT(text, HasSubstr("\n… and 25 more: --top 0\n"));
  EXPECT_THAT(text, HasSubstr("What to do first\n"
                              "Builds  Severity  Rule                     First action\n1-40    "));
  EXPECT_LE(std::ranges::count(text, '\n'), 40);
  const std::string all =
      render(writer_text, overview_of(analyses_, gates_, {"number", "", {}, 0}), {});
  EXPECT_THAT(all, HasSubstr("\n40  "));
  // What failed is in sight, unless another order was asked for.
  analyses_[30].build.outcome = Outcome::failed;
  hold_all();
  EXPECT_THAT(text_of(), HasSubstr("finding\n31  "));
  EXPECT_THAT(render(writer_text, overview_of(analyses_, gates_, {"number", "", {}, 18}), {}),
              Not(HasSubstr("\n31  ")));
  EXPECT_THAT(all, Not(HasSubstr("--top")));
  // Then what passed with a worse finding.
  analyses_[35].findings[0].severity = Severity::fatal;
  hold_all();
  EXPECT_THAT(rows_of(analyses_, gates_, {"", "", {}, 15}), testing::Contains(35U));
  EXPECT_EQ(rows_of(analyses_, gates_, {"", "", {}, 15})[1], 35U);
  // As many as are shown are all.
  const auto order = [&](std::size_t shown) {
    return rows_of(analyses_, gates_, {"", "", {}, shown}).front();
  };
  EXPECT_EQ(order(39), 30U);
  EXPECT_EQ(order(40), 0U);
  WriterOptions file;
  file.full = true;  // cannot be asked for the rest
  EXPECT_THAT(render(writer_text, overview_of(analyses_, gates_), file), HasSubstr("\n40  "));
}

TEST_F(BuildsOverview, AnOutlineHasTheSameRow) {
  const std::string text = text_of();
  const nlohmann::json json = rows();
  for (Analysis& analysis : analyses_) analysis = outline_of(std::move(analysis));
  EXPECT_TRUE(analyses_[0].build.layers.empty());
  EXPECT_EQ(text_of(), text);
  EXPECT_EQ(rows(), json);
}

TEST_F(BuildsOverview, CsvHasARowABuild) {
  analyses_[0].name = "a \"b\"\n,c";
  const std::string csv = trtlens::text_of([&](TextStream& out) {
    write_builds_csv(analyses_, gates_, {1, 0}, out);
  });
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line,
            "number,name,outcome,gpu_compute_ms,profile_ms,precision,findings_fatal,"
            "findings_major,findings_moderate,findings_minor,findings_info,first_finding_rule,"
            "first_finding_severity,first_finding_title,first_finding_stake_ms");
  std::getline(in, line);
  EXPECT_THAT(line, StartsWith("2,\"sweep/b\",\"failed\",,,,1,"));
  std::getline(in, line);
  EXPECT_THAT(line, StartsWith("1,\"a \"\"b\"\""));
  EXPECT_THAT(line, HasSubstr(",\"passed\",0.5271,"));
  EXPECT_FALSE(std::getline(in, line));
}

TEST_F(BuildsOverview, NamesLeadToPages) {
  BuildOrder order;
  order.page = [](const Analysis& of) { return "builds/" + std::to_string(of.build_number); };
  const std::string html = render(writer_html, overview_of(analyses_, gates_, order), {});
  EXPECT_THAT(html, HasSubstr("<a href=\"builds/1\">a</a>"));  // without script
  EXPECT_THAT(render(writer_html, overview_of(analyses_, gates_), {}),
              Not(HasSubstr("<a href=\"b")));
}

// Notes are no first finding; what a baseline accepts is none either.
TEST_F(BuildsOverview, AFirstFindingIsReportedAndNoNote) {
  analyses_[1].findings[0].severity = Severity::info;
  hold_all();
  EXPECT_TRUE(rows()[1]["first_finding"].is_null());
  EXPECT_THAT(text_of(), HasSubstr("no finding\n"));
}

TEST(QueryTimeOf, TakesTrtexecsMedianThenTheSamplesThenTheMean) {
  Analysis a;
  EXPECT_FALSE(query_time(a));
  a.build.performance.gpu_compute.emplace();
  a.build.performance.gpu_compute->mean_ms = 3;
  EXPECT_EQ(query_time(a)->ms, 3);
  EXPECT_STREQ(query_time(a)->statistic, "mean");
  a.compute_samples.emplace();
  EXPECT_EQ(query_time(a)->ms, 3);  // of no query
  a.compute_samples->n = 1;
  a.compute_samples->median_ms = 2;
  EXPECT_EQ(query_time(a)->ms, 2);
  EXPECT_STREQ(query_time(a)->statistic, "median");
  a.build.performance.gpu_compute->median_ms = 1;
  EXPECT_EQ(query_time(a)->ms, 1);
}

}  // namespace
}  // namespace trtlens::builds_overview_test
