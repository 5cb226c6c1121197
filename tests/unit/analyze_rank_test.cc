// Order of the findings, what --ignore takes away, and what settles the outcome.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analyzers/text.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/message_case.h"

namespace trtlens::analyze_rank_test {
namespace {

using test::conv;
using test::tensor;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

// Measured fallback of `fallback_ms`, inferred residual finding of `residual_ms`.
Build two_problems(double fallback_ms, double residual_ms) {
  Build build = test::build_of(
      {conv("ballast", {tensor("i", kI)}, tensor("o", kI), kI, 10 - fallback_ms - residual_ms),
       conv("/block/conv2 + Add", {tensor("x", kI), tensor("r", kH)}, tensor("y", kH), kI, 0),
       test::quantize("q", "y", "z", residual_ms, kH),
       conv("wide", {tensor("f", kF)}, tensor("g", kF), kF, fallback_ms)});
  build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}

std::vector<std::string> staked(const Analysis& a) {
  std::vector<std::string> rules;
  for (const Finding& f : a.findings) {
    if (f.stake_ms) rules.push_back(f.rule);
  }
  return rules;
}

TEST(Ranking, StakeTimesWeightOfTheConfidence) {
  const std::vector<std::string> fallback_first = {"fp32-fallback", "residual-add-not-quantised"};
  const std::vector<std::string> residual_first = {"residual-add-not-quantised", "fp32-fallback"};
  EXPECT_EQ(staked(test::analyze_build(two_problems(1.0, 1.4))), fallback_first);
  EXPECT_EQ(staked(test::analyze_build(two_problems(1.0, 1.45))), residual_first);
  EXPECT_DOUBLE_EQ(weight_of(Confidence::measured), 1.0);
  EXPECT_DOUBLE_EQ(weight_of(Confidence::inferred), 0.7);
  EXPECT_DOUBLE_EQ(weight_of(Confidence::guessed), 0.4);
}

// An engine calibrated with random numbers is not what was asked for, however fast.
TEST(Ranking, SpoiltOutputsComeBeforeWhatCostsTime) {
  Build build = two_problems(1.0, 1.4);
  Message message;
  message.severity = LogSeverity::info;
  message.text = "Starting Calibration.";
  message.of_tensorrt = true;
  build.messages.push_back(message);
  build.allowed.labels = {"FP32", "FP16", "INT8"};
  build.producer = "trtexec";
  build.options.flags = {{"calib", "c.cache"}, {"int8", ""}};
  const Analysis a = test::analyze_build(std::move(build));
  EXPECT_EQ(a.findings.front().rule, "int8-calib-file-missing-random-data");
  EXPECT_TRUE(a.findings.at(1).stake_ms);
}

// A program prints no closing line; that it saved the engine says as much.
TEST(Outcome, WithoutAClosingLineASavedEngineHasPassed) {
  Build build;
  build.has_log = true;
  EXPECT_EQ(test::analyze_build(build).build.outcome, Outcome::unknown);
  build.engine_saved = true;
  EXPECT_EQ(test::analyze_build(build).build.outcome, Outcome::passed);
  build.outcome = Outcome::truncated;
  EXPECT_EQ(test::analyze_build(build).build.outcome, Outcome::truncated);
}

// An excerpt failed by its errors alone. Rules that know these may know that they end nothing.
TEST(Outcome, OfAnExcerptWhoseErrorsEndNothingIsUnknown) {
  test::Case excerpt;
  excerpt.build.command.clear();
  excerpt
      .error(
          "1: [stdArchiveReader.cpp::StdArchiveReader::32] Error Code 1: Serialization "
          "(Serialization assertion magicTagRead == kMAGIC_TAG failed.Magic tag does not match)")
      .error("4: The timing cache will not be used!");
  const Analysis harmless = test::analyze_build(excerpt.build);
  EXPECT_EQ(harmless.build.outcome, Outcome::unknown);
  EXPECT_EQ(harmless.findings.front().rule, "timing-cache-not-readable");

  test::Case other = excerpt;
  other.error("1: [resources.cpp::f::12] Error Code 1: Miscellaneous (nobody knows this)");
  EXPECT_EQ(test::analyze_build(other.build).build.outcome, Outcome::failed);
  EXPECT_EQ(test::analyze_build(other.build).findings.front().rule, "build-failed");

  excerpt.build.command = "trtexec --onnx=m.onnx";
  excerpt.build.command_is_typed = true;  // above the lines, which are still an excerpt
  EXPECT_EQ(test::analyze_build(excerpt.build).build.outcome, Outcome::unknown);
}

bool has(const Analysis& analysis, const std::string& rule) {
  return std::ranges::count(analysis.findings, rule, &Finding::rule) > 0;
}

// A log that stops right behind such errors does not say that they ended the run.
TEST(Outcome, OfALogThatStopsBehindErrorsThatEndNothingIsTruncated) {
  test::Case cut;
  cut.error(
         "1: [stdArchiveReader.cpp::StdArchiveReader::32] Error Code 1: Serialization "
         "(Serialization assertion magicTagRead == kMAGIC_TAG failed.Magic tag does not match)")
      .error("4: The timing cache will not be used!");
  const Analysis stops = test::analyze_build(cut.build);
  EXPECT_EQ(stops.build.outcome, Outcome::truncated);
  EXPECT_EQ(stops.findings.front().rule, "build-truncated");
  EXPECT_EQ(stops.findings.front().severity, Severity::major);
  EXPECT_TRUE(has(stops, "timing-cache-not-readable"));
  EXPECT_FALSE(has(stops, "build-failed"));
  cut.build.closing_line = true;
  EXPECT_TRUE(has(test::analyze_build(cut.build), "build-failed"));
}

// Where we stopped reading, an error that no rule knows need not have ended anything.
TEST(Outcome, OfAnInterruptedRunBehindAnUnknownErrorIsTruncated) {
  test::Case cut;
  cut.error("1: [resources.cpp::f::12] Error Code 1: Miscellaneous (nobody knows this)");
  cut.build.messages[0].of_tensorrt = true;
  cut.build.runs = {1};
  const auto with = [&cut](bool interrupted) {
    auto reading = std::make_shared<Reading>();
    reading->inputs.push_back(cut.input);
    reading->inputs[0].interrupted = interrupted;
    reading->runs = {{1, "trtexec", "", Outcome::failed, 0, 1, 100}};
    return analyze(cut.build, "x", reading, {});
  };
  EXPECT_EQ(with(false).build.outcome, Outcome::failed);
  EXPECT_TRUE(has(with(false), "build-failed"));
  EXPECT_EQ(with(true).build.outcome, Outcome::truncated);
  EXPECT_FALSE(has(with(true), "build-failed"));
  EXPECT_FALSE(has(with(true), "build-truncated"));
  EXPECT_TRUE(has(with(true), "errors-unexplained"));
}

// The order that report-json promises, on any list of findings.
void expect_ordered(const Analysis& a) {
  const auto weighted = [](const Finding& f) {
    std::optional<double> ms = f.stake_ms;
    if (!ms && f.gain && f.gain->query) ms = f.gain->query->high_ms;
    return ms.value_or(0) * weight_of(f.confidence);
  };
  for (std::size_t i = 1; i < a.findings.size(); ++i) {
    const Finding& x = a.findings[i - 1];
    const Finding& y = a.findings[i];
    ASSERT_GE(x.severity, y.severity) << x.rule << " before " << y.rule;
    if (x.severity != y.severity || x.severity == Severity::fatal) continue;
    EXPECT_GE(weighted(x), weighted(y)) << x.rule << " before " << y.rule;
    if (weighted(x) == weighted(y)) {
      EXPECT_LE(x.rule, y.rule);
    }
  }
}

// What is worse comes first, though its cost is not known.
TEST(Ranking, SeverityComesBeforeTheStake) {
  const Analysis a = test::analyze_path(test::fixture("g_unet_int8"));
  expect_ordered(a);
  const auto place = [&](std::string_view rule) {
    return std::ranges::find(a.findings, rule, &Finding::rule) - a.findings.begin();
  };
  const auto major = place("int8-no-calibrator-dummy-ranges");
  const auto minor = place("reformat-time-share");
  ASSERT_LT(std::max(major, minor), std::ssize(a.findings));
  EXPECT_FALSE(a.findings[static_cast<std::size_t>(major)].stake_ms);
  EXPECT_TRUE(a.findings[static_cast<std::size_t>(minor)].stake_ms);
  EXPECT_LT(major, minor);
}

TEST(Ranking, HoldsOnEveryFixture) {
  std::size_t several = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::fixture(""))) {
    const Analysis a = test::analyze_path(entry.path().string());
    SCOPED_TRACE(entry.path().string());
    expect_ordered(a);
    several += a.findings.size() > 1 ? 1U : 0U;
  }
  EXPECT_GT(several, 8U);
}

TEST(Stakes, CountALayerOnceAndNeverExceedTheProfile) {
  for (const auto& entry : std::filesystem::directory_iterator(test::fixture(""))) {
    const Analysis a = test::analyze_path(entry.path().string());
    for (const Finding& f : a.findings) {
      if (!f.stake_ms) continue;
      std::vector<SharedText> names = f.layers;
      std::sort(names.begin(), names.end());
      EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << f.title;
      EXPECT_NEAR(*f.stake_ms, test::sum_ms(a, f.layers), 1e-9) << f.title;
      EXPECT_LE(*f.stake_ms, a.build.profile_sum_ms + 1e-9) << f.title;
      if (f.gain) {
        EXPECT_LE(f.gain->high_ms, *f.stake_ms + 1e-9) << f.title;
      }
    }
  }
}

TEST(Stakes, TimesInEvidenceAreSumsOfLayersOrMeasured) {
  const Analysis a = test::analyze_path(test::fixture("p_r18_partial_i8"));
  const Finding* f = test::find(a, "missing-scale-hot-layer");
  ASSERT_NE(f, nullptr);
  double reformats = 0, layers = 0;
  for (const std::string& name : f->layers) {
    const Layer* l = test::find_layer(a, name);
    ASSERT_NE(l, nullptr);
    (l->layer_type == "Reformat" ? reformats : layers) += time_or_zero(*l);
  }
  EXPECT_EQ(test::figures(*f),
            (std::vector<std::string>{"3 layers out of INT8, " + ms_text(layers),
                                      "5 reformats around them, " + ms_text(reformats)}));
}

TEST(Ignore, ByRuleAndByLayer) {
  const auto with = [](std::vector<std::string> ignore) {
    AnalyzeOptions options;
    options.ignore = std::move(ignore);
    return staked(test::analyze_build(two_problems(1, 1), options));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(with({}).size(), 2U);
  EXPECT_EQ(with({"fp32-fallback"}), Names{"residual-add-not-quantised"});
  EXPECT_EQ(with({"fp32-fallback:^wide$"}), Names{"residual-add-not-quantised"});
  EXPECT_EQ(with({"fp32-fallback:^wid$"}).size(), 2U);
  EXPECT_EQ(with({"fp32-fallback:("}).size(), 2U);  // no expression: nothing is ignored
  EXPECT_EQ(with({"fp32"}).size(), 2U);
}

TEST(Outcome, AFatalMessageFailsABuildWithoutClosingLine) {
  Build build;
  build.has_log = true;
  build.outcome = Outcome::unknown;
  Message m;
  m.severity = LogSeverity::error;
  m.text = "Error Code 10: Internal Error (Could not find any implementation for node /a/Conv.)";
  m.pos.line = 5;
  build.messages.push_back(m);
  EXPECT_EQ(test::analyze_build(build).build.outcome, Outcome::failed);
  build.closing_line = true;
  build.outcome = Outcome::passed;
  EXPECT_EQ(test::analyze_build(build).build.outcome, Outcome::passed);
}

// A build of one layer whose calibration is missing.
Analysis without_calibration(DataType input, DataType output) {
  Build build;
  build.has_log = true;
  build.producer = "trtexec";
  Message message;
  message.severity = LogSeverity::warning;
  message.text = "Calibrator is not being used. Users must provide dynamic range for all tensors";
  build.messages = {message};
  Layer layer;
  layer.name = "conv";
  layer.inputs = {test::tensor("x", input)};
  layer.outputs = {test::tensor("y", output)};
  build.layers = {layer};
  return test::analyze_build(std::move(build));
}

TEST(Analyze, Int8ThatNoTensorShowsDidNothing) {
  const Analysis nothing = without_calibration(DataType::fp32, DataType::fp16);
  const Finding* f = test::find(nothing, "int8-no-calibrator-dummy-ranges");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "--int8 had no effect: no tensor between layers is INT8");
  EXPECT_EQ(f->severity, Severity::moderate);
  EXPECT_EQ(f->remedies.at(1), "Otherwise build without --int8.");
  for (const auto& [input, output] :
       {std::pair(DataType::int8, DataType::fp16), std::pair(DataType::fp32, DataType::int8)}) {
    const Analysis used = without_calibration(input, output);
    ASSERT_NE(test::find(used, "int8-no-calibrator-dummy-ranges"), nullptr);
    EXPECT_EQ(test::find(used, "int8-no-calibrator-dummy-ranges")->severity, Severity::major);
  }
}

TEST(Analyze, SurvivesAnEmptyResult) {
  const Analysis a = analyze(ParseResult(), {});
  EXPECT_TRUE(a.findings.empty());
  EXPECT_FALSE(a.fallbacks);
  EXPECT_TRUE(a.by_precision.empty());
}

}  // namespace
}  // namespace trtlens::analyze_rank_test
