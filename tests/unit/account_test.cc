// The time account: every microsecond in one row, and what a narrower precision could still win.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "analyzers/text.h"
#include "report/document/document.h"
#include "tests/unit/build_maker.h"

namespace trtlens::account_test {
namespace {

using test::conv;
using test::reformat;
using test::tensor;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

const AccountRow* row_of(const Analysis& a, TimeUse use, const std::string& detail) {
  for (const AccountRow& row : a.account->rows) {
    if (row.use == use && row.detail == detail) return &row;
  }
  return nullptr;
}

void expect_partition(const Analysis& a, const std::string& what) {
  if (a.build.profile_sum_ms <= 0) {
    EXPECT_FALSE(a.account) << what;
    return;
  }
  ASSERT_TRUE(a.account) << what;
  double sum_ms = 0;
  std::set<std::size_t> seen;
  for (const AccountRow& row : a.account->rows) {
    sum_ms += row.time_ms;
    for (const std::size_t i : row.layers) EXPECT_TRUE(seen.insert(i).second) << what << " " << i;
  }
  EXPECT_NEAR(sum_ms, a.build.profile_sum_ms, 1e-9 * (1 + a.build.profile_sum_ms)) << what;
  EXPECT_EQ(seen.size(), a.timed_layers) << what;
}

TEST(Account, AddsUpOnEveryBuildAndEngine) {
  for (const char* name : {"p_r18_partial_i8", "b_mob_q_dwnow_i8", "b_r18_q_conv", "b_r18_q_res",
                           "a_r18_fp16", "b_g8_q", "b_lstm"}) {
    if (test::is_there(test::fixture(name))) {
      expect_partition(test::analyze_path(test::fixture(name)), name);
    }
  }
  for (const char* set : {"builds", "corpus/engines"}) {
    if (!test::is_there(test::shared(set))) continue;
    for (const auto& entry : std::filesystem::directory_iterator(test::shared(set))) {
      if (!entry.is_directory()) continue;
      expect_partition(test::analyze_path(entry.path().string()), entry.path().string());
    }
  }
}

TEST(Account, WideArithmeticAndItsConversionsBoundTheGain) {
  Build build = test::build_of({conv("a", {tensor("x", kI)}, tensor("y", kI), kI, 0.4),
                                reformat("r", tensor("y", kI), tensor("yf", kF), 0.1),
                                conv("b", {tensor("yf", kF)}, tensor("z", kF), kF, 0.3),
                                reformat("l", tensor("other", kI), tensor("other2", kI), 0.2)});
  build.allowed.labels = {"FP32", "INT8"};
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_TRUE(a.account);
  EXPECT_EQ(a.account->narrowest, Precision::int8);
  EXPECT_TRUE(a.account->is_allowed);
  EXPECT_NEAR(a.account->wide_ms, 0.4, 1e-12);
  EXPECT_NEAR(a.account->ceiling_wide.value_or(0), 1.0 / 0.6, 1e-12);
  EXPECT_NEAR(a.account->conversions_ms, 0.3, 1e-12);
  const AccountRow* around = row_of(a, TimeUse::wide_conversion, "reformats");
  ASSERT_NE(around, nullptr);
  EXPECT_NEAR(around->time_ms, 0.1, 1e-12);
  EXPECT_NE(row_of(a, TimeUse::layout, "reformats"), nullptr);
}

// FP16 beside FP32 is as narrow as a build with --fp16 may be; with --int8 it is not.
TEST(Account, TheOptionsSayWhatIsWide) {
  const auto account = [](std::vector<std::string> labels) {
    Build build = test::build_of({conv("a", {tensor("x", kH)}, tensor("y", kH), kH, 0.4)});
    build.allowed.labels = std::move(labels);
    return test::analyze_build(std::move(build));
  };
  EXPECT_EQ(account({"FP32", "FP16"}).account->wide_ms, 0);
  EXPECT_NEAR(account({"FP32", "FP16", "INT8"}).account->wide_ms, 0.4, 1e-12);
  const Analysis unknown = account({});
  EXPECT_EQ(unknown.account->wide_ms, 0);
  EXPECT_FALSE(unknown.account->is_allowed);
  EXPECT_EQ(unknown.account->narrowest, Precision::fp16);
}

// What a strongly typed network fixes is known: no option allows anything.
TEST(Account, TheTypesOfANetworkAreItsOwn) {
  Build build = test::build_of({conv("a", {tensor("x", kH)}, tensor("y", kH), kH, 0.4),
                                conv("b", {tensor("y", kF)}, tensor("z", kF), kF, 0.2)});
  const auto wide = [](const Build& of) {
    const Analysis a = test::analyze_build(of);
    for (const AccountRow& row : a.account->rows) {
      if (row.use == TimeUse::wide) return row.detail;
    }
    return std::string();
  };
  EXPECT_EQ(wide(build), "FP32, what the build allowed is not known");
  build.allowed.strongly_typed = true;
  EXPECT_EQ(wide(build), "FP32, a type of the network");
}

// The sentences above the account's table.
std::string text_of(const Analysis& a) {
  for (const Section& section : build_document(a, 10).sections) {
    if (section.id != "account") continue;
    for (const Block& block : section.blocks) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block)) return paragraph->text;
    }
  }
  return {};
}

Analysis all_half(std::vector<std::string> labels, const char* capability, int version) {
  Build build = test::build_of({conv("a", {tensor("x", kH)}, tensor("y", kH), kH, 0.4)});
  build.allowed.labels = std::move(labels);
  build.gpu.emplace();
  build.gpu->compute_capability = capability;
  build.tensorrt = Version{version, 0, 0, std::nullopt, VersionSource::log};
  return test::analyze_build(std::move(build));
}

// As narrow as the build allowed is not as narrow as can be: INT8 was not allowed.
TEST(Account, WhatWasNotAllowedIsNotJudged) {
  const Analysis old = all_half({"FP32", "FP16"}, "9.0", 8);
  EXPECT_THAT(old.account->not_allowed, ElementsAre(Precision::int8));
  EXPECT_THAT(text_of(old), HasSubstr("Every convolution runs in FP16: 0.400 ms of 0.400 "
                                      "ms (100 %). INT8 was not allowed: what it would win is not "
                                      "judged."));
  const Analysis now = all_half({"FP32", "FP16"}, "9.0", 10);
  EXPECT_THAT(now.account->not_allowed, ElementsAre(Precision::int8, Precision::fp8));
  EXPECT_THAT(all_half({"FP32"}, "9.0", 10).account->not_allowed,
              ElementsAre(Precision::fp16, Precision::bf16, Precision::int8, Precision::fp8));
  EXPECT_THAT(all_half({"FP32"}, "7.5", 10).account->not_allowed,
              ElementsAre(Precision::fp16, Precision::int8));
  EXPECT_THAT(all_half({"FP32", "FP16", "INT8"}, "9.0", 8).account->not_allowed, IsEmpty());
}

TEST(Account, WithoutOptionsNothingIsSaidOfNarrowerPrecisions) {
  const std::string text =
      text_of(test::analyze_layers({conv("a", {tensor("x", kF)}, tensor("y", kF), kF, 0.4)}));
  EXPECT_THAT(text, Not(HasSubstr("already")));
  EXPECT_THAT(text, HasSubstr("What the build allowed is not known"));
}

TEST(Account, RegionsAndPluginsAreUnknownTime) {
  Build build = test::build_of(
      {conv("patch", {tensor("x", kI)}, tensor("y", kI), kI, 0.1),
       test::layer("{ForeignNode[a...b]}", "Myelin", {tensor("y", kH)}, {tensor("z", kH)}, 0.6),
       test::layer("nms", "PluginV2", {tensor("z", kH)}, {tensor("w", kH)}, 0.3)});
  build.allowed.labels = {"FP32", "FP16", "INT8"};
  const Analysis a = test::analyze_build(std::move(build));
  EXPECT_NEAR(a.account->unknown_ms, 0.9, 1e-12);
  EXPECT_THAT(text_of(a), HasSubstr("Every convolution already runs in INT8: 0.100 ms of 1.000 ms "
                                    "(10 %). Myelin regions and plugins take 0.900 ms (90 %), in "
                                    "unknown types: "));
}

TEST(Account, WithoutKnownArithmeticNothingIsConcluded) {
  if (!test::is_there(test::fixture("b_lstm"))) GTEST_SKIP();
  const std::string lstm = text_of(test::analyze_path(test::fixture("b_lstm")));
  EXPECT_THAT(lstm, Not(HasSubstr("make it shorter")));
  EXPECT_THAT(lstm, HasSubstr("Myelin regions take 1.593 ms (100 %), in unknown types: "));
}

// Finding, ledger and account have one culprit of the Q kernels behind Adds of float residuals.
void expect_one_culprit(const std::string& path, std::size_t adds, const char* quantizer,
                        const char* add) {
  const Analysis a = test::analyze_path(path);
  const Finding* f = test::find(a, "residual-add-not-quantised");
  ASSERT_NE(f, nullptr);
  const AccountRow* row =
      row_of(a, TimeUse::conversion, "QuantizeLinear, residual inputs without Q/DQ");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->layers.size(), adds);
  for (const std::size_t i : row->layers) {
    EXPECT_THAT(f->layers, Contains(a.build.layers[i].name));
  }
  EXPECT_THAT(test::figures(*f),
              Contains(HasSubstr(" extra QuantizeLinear kernels, " + ms_text(row->time_ms))));
  for (const ReformatEntry& entry : a.reformats) {
    if (a.build.layers[entry.layer].name.str() != quantizer) continue;
    EXPECT_THAT(cause_of(a, entry), AllOf(HasSubstr("the residual input of "), HasSubstr(add)));
  }
  double sum_ms = 0;
  for (const AccountRow& one : a.account->rows) sum_ms += one.time_ms;
  EXPECT_NEAR(sum_ms, a.build.profile_sum_ms, 1e-9);
}

TEST(Account, ChargesTheQuantizersOfFloatResidualsToTheAdds) {
  expect_one_culprit(test::fixture("b_r18_q_conv"), 8, "QuantizeLinear_20", "onnx::Conv_199 + ");
  expect_one_culprit(test::fixture("b_mob_q_dwnow_i8"), 10, "QuantizeLinear_38",
                     "PWN(/features/features.3/Add)");
  const std::string path = test::shared("corpus/engines/003-trex-a100-resnet-qat");
  if (test::is_there(path)) expect_one_culprit(path, 8, "QuantizeLinear_40", "Conv_34 + Add_36");
}

// The slowest ones by name; a number stands for the rest.
TEST(Account, NamesTheKernelsThatTheirLaunchBounds) {
  std::vector<Layer> layers = {conv("work", {tensor("x", kH)}, tensor("y", kH), kH, 0.5)};
  for (const double ms : {0.001, 0.004, 0.002, 0.003}) {
    layers.push_back(
        test::layer("tiny " + std::to_string(ms).substr(0, 5), "PointWise", {}, {}, ms));
  }
  EXPECT_THAT(
      text_of(test::analyze_layers(layers)),
      HasSubstr("4 kernels below 0.0050 ms take 0.0100 ms (2.0 %), bound by their launches in "
                "any precision: tiny 0.004 (4.00 µs), "
                "tiny 0.003 (3.00 µs), tiny 0.002 (2.00 µs), and 1 more."));
  layers.resize(2);
  EXPECT_THAT(
      text_of(test::analyze_layers(layers)),
      HasSubstr("1 kernel takes 0.0010 ms (0.2 %), bound by its launch in any precision: tiny "
                "0.001."));
}

// Names alone: what a reformat changes is unknown, as is the kind of what is no reformat.
TEST(Account, NamesAloneTellNoFormatsAndNoKinds) {
  Build build = test::build_of(
      {test::layer("Reformatting CopyNode for Input Tensor 0 to /c/Conv", "", {}, {}, 0.2),
       test::layer("/c/Conv", "", {}, {}, 0.8)});
  build.layer_names_only = true;
  const Analysis a = test::analyze_build(std::move(build));
  EXPECT_NE(row_of(a, TimeUse::unknown_format, "reformats"), nullptr);
  EXPECT_EQ(row_of(a, TimeUse::layout, "reformats"), nullptr);
  EXPECT_NE(row_of(a, TimeUse::other, "unknown"), nullptr);
  EXPECT_NEAR(a.account->unknown_ms, 0.8, 1e-12);
  EXPECT_THAT(text_of(a), HasSubstr("or of unknown formats, take 0.200 ms"));
}

TEST(Account, NothingLeftIsNoBound) {
  Build build = test::build_of({conv("a", {tensor("x", kF)}, tensor("y", kF), kF, 0.4)});
  build.allowed.labels = {"FP32", "INT8"};
  EXPECT_FALSE(test::analyze_build(std::move(build)).account->ceiling_wide);
}

TEST(Account, NoTimesNoAccount) {
  EXPECT_FALSE(
      test::analyze_layers({conv("a", {tensor("x", kF)}, tensor("y", kF), kF, -1)}).account);
}

TEST(Account, PartialCalibrationNamesTheMissingScales) {
  const Analysis a = test::analyze_path(test::fixture("p_r18_partial_i8"));
  const AccountRow* wide = row_of(a, TimeUse::wide, "TF32, missing scale");
  ASSERT_NE(wide, nullptr);
  EXPECT_EQ(wide->layers.size(), 3U);
  EXPECT_NEAR(wide->time_ms, 0.170, 0.0006);
  EXPECT_NEAR(a.account->wide_ms, 0.235, 0.0006);
}

// The hand-made figures of reference/ideal-answers.md: what mending won, measured on the twin.
TEST(IdealGains, HoldWhatTheTwinsProve) {
  struct Case {
    const char *build, *rule;
    double proven_ms;
  };
  for (const Case& c : {Case{"p_r18_partial_i8", "missing-scale-hot-layer", 0.187},
                        Case{"b_r18_q_conv", "residual-add-not-quantised", 0.451},
                        Case{"b_r18_q_now", "conv-fp32-weight-qdq-missing", 0.516},
                        Case{"b_r18_q_now", "qdq-graph-no-int8-compute", 0.347},
                        Case{"p_r18_force2", "fp32-fallback", 0.119}}) {
    std::string path = test::fixture(c.build);
    if (!test::is_there(path)) path = test::shared(std::string("builds/") + c.build);
    if (!test::is_there(path)) continue;
    const Analysis a = test::analyze_path(path);
    const Finding* f = test::find(a, c.rule);
    ASSERT_NE(f, nullptr) << c.build;
    ASSERT_TRUE(f->gain) << c.build;
    EXPECT_LE(f->gain->low_ms, c.proven_ms) << c.build << ": " << f->gain->basis;
    EXPECT_GE(f->gain->high_ms, c.proven_ms) << c.build << ": " << f->gain->basis;
    EXPECT_LE(f->gain->high_ms, f->stake_ms.value_or(0) * 1.05) << c.build;
  }
}

// The gain is that of the action beside it: weights and residual inputs. b_r18_q_conv has the
// weights alone.
TEST(IdealGains, StateTheFirstOfTwoStepsApart) {
  const std::string path = test::shared("builds/b_r18_q_now");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  const Finding* f = test::find(a, "conv-fp32-weight-qdq-missing");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->remedies.at(0), AllOf(HasSubstr("on the weights"), HasSubstr("residual inputs")));
  ASSERT_TRUE(f->gain && f->gain->first_step);
  EXPECT_NEAR(f->gain->low_ms, 0.346, 0.0006);
  EXPECT_NEAR(f->gain->high_ms, 0.592, 0.0006);
  EXPECT_EQ(f->gain->first_step->what, "the weights alone");
  EXPECT_LE(f->gain->first_step->low_ms, 0.065);
  EXPECT_GE(f->gain->first_step->high_ms, 0.065);
  EXPECT_EQ(build_document(a, 10).tiles.at(3).unit,
            "Estimated gain: 0.346 to 0.592 ms of profile time, 0.316 to 0.541 ms per query; the "
            "weights alone from nothing up to 0.592 ms");
}

// FP16 was not tried; nothing says that the permutes would be faster with it.
TEST(IdealGains, PromiseNothingForLayoutWork) {
  const std::string path = test::shared("builds/b_shuf_int8");
  if (!test::is_there(path)) GTEST_SKIP() << path << " is not there";
  const Analysis a = test::analyze_path(path);
  const Finding* f = test::find(a, "shuffle-dominates");
  ASSERT_NE(f, nullptr);
  EXPECT_FALSE(f->gain) << f->gain->basis;
}

}  // namespace
}  // namespace trtlens::account_test
