// Layers of log, layer info and profile by name; every microsecond accounted for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "parsers/join/join.h"

namespace trtlens::join_layers_test {
namespace {

using ::testing::ElementsAre;

Layer named(const std::string& name, const std::string& type = {}) {
  Layer layer;
  layer.name = name;
  layer.layer_type = type;
  return layer;
}

Layer timed(const std::string& name, double mean_ms) {
  Layer layer = named(name);
  layer.time.emplace();
  layer.time->mean_ms = mean_ms;
  return layer;
}

std::vector<std::pair<std::string, double>> times(const Build& build) {
  std::vector<std::pair<std::string, double>> found;
  for (const Layer& layer : build.layers) {
    found.emplace_back(layer.name, layer.time ? layer.time->mean_ms : -1);
  }
  return found;
}
using Times = std::vector<std::pair<std::string, double>>;

TEST(JoinLayers, ByNameNotByPosition) {
  Build build;
  join_layers(build, {named("a"), named("b"), named("c")},
              {timed("c", 4), timed("a", 1), timed("b", 2)});
  EXPECT_EQ(times(build), (Times{{"a", 1}, {"b", 2}, {"c", 4}}));
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 7);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 0);
  for (const Layer& layer : build.layers) {
    EXPECT_EQ(layer.found_in, kFoundInLayerInfo | kFoundInProfile);
  }
}

TEST(JoinLayers, DuplicatesInOrder) {
  Build build;
  join_layers(build, {named("x", "first"), named("y"), named("x", "second")},
              {timed("x", 1), timed("x", 2), timed("x", 4), timed("y", 8)});
  EXPECT_EQ(times(build), (Times{{"x", 1}, {"y", 8}, {"x", 2}, {"x", 4}}));
  EXPECT_EQ(build.layers[2].layer_type, "second");
  EXPECT_EQ(build.layers[3].found_in, kFoundInProfile);
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 15);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 4);
}

TEST(JoinLayers, FewerRecordsThanDuplicates) {
  Build build;
  join_layers(build, {named("x"), named("x")}, {timed("x", 1)});
  EXPECT_EQ(times(build), (Times{{"x", 1}, {"x", -1}}));
  EXPECT_FALSE(build.layers[1].time.has_value());
}

// Layers of the profile that was timed; where names differ, nobody can tell.
TEST(JoinLayers, CountsWhatTheProfileLacks) {
  const auto lacking = [](std::vector<Layer> layer_info, std::vector<Layer> profile) {
    Build build;
    join_layers(build, std::move(layer_info), std::move(profile));
    return build.layers_without_time;
  };
  EXPECT_EQ(lacking({named("a"), named("b"), named("c")}, {timed("b", 1)}), 2U);
  EXPECT_EQ(lacking({named("a"), named("b")}, {timed("a", 1), timed("b", 0)}), 0U);
  EXPECT_EQ(lacking({named("a"), named("b")}, {timed("a", 1), timed("other", 1)}), 0U);
  EXPECT_EQ(lacking({named("a"), named("b")}, {}), 0U);
  EXPECT_EQ(lacking({}, {timed("a", 1)}), 0U);
  EXPECT_EQ(lacking({named("a"), named("a [profile 1]")}, {timed("a", 1)}), 0U);
}

TEST(JoinLayers, WhatOneSourceNamesIsListed) {
  Build build;
  build.layers = {named("log only"), named("a", "CaskConvolution")};
  for (Layer& layer : build.layers) layer.found_in = kFoundInLog;
  join_layers(build, {named("a"), named("info only")}, {timed("profile only", 0.5), timed("a", 1)});
  ASSERT_EQ(times(build),
            (Times{{"a", 1}, {"info only", -1}, {"log only", -1}, {"profile only", 0.5}}));
  EXPECT_EQ(build.layers[0].layer_type, "CaskConvolution");
  EXPECT_EQ(build.layers[0].found_in, kFoundInLog | kFoundInLayerInfo | kFoundInProfile);
  EXPECT_EQ(build.layers[2].found_in, kFoundInLog);
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 1.5);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 0.5);
}

TEST(JoinLayers, WithoutLayerInfoNothingIsUnattributed) {
  Build build;
  join_layers(build, {}, {timed("a", 1), timed("b", 2)});
  EXPECT_TRUE(build.has_profile);
  EXPECT_FALSE(build.has_layer_info);
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 3);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 0);
}

TEST(JoinLayers, TheExportWinsOverTheTableOfTheLog) {
  Build build;
  build.layers = {timed("a", 1.1), timed("table only", 3)};
  for (Layer& layer : build.layers) layer.found_in = kFoundInLog;
  join_layers(build, {named("a")}, {timed("a", 1.0625)});
  EXPECT_EQ(times(build), (Times{{"a", 1.0625}, {"table only", -1}}));
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 1.0625);
}

TEST(JoinLayers, TheTableOfTheLogStandsInForTheExport) {
  Build build;
  build.layers = {timed("a", 1), timed("b", 2)};
  for (Layer& layer : build.layers) layer.found_in = kFoundInLog;
  join_layers(build, {named("a")}, {});
  EXPECT_TRUE(build.has_profile);
  EXPECT_EQ(times(build), (Times{{"a", 1}, {"b", 2}}));
  EXPECT_DOUBLE_EQ(build.profile_sum_ms, 3);
  EXPECT_DOUBLE_EQ(build.unattributed_ms, 2);
}

TEST(JoinLayers, RacesNameTheTacticsOfTheirIds) {
  Build build;
  Autotune race;
  race.layer = "a";
  race.chosen_id = 7;
  race.chosen_name = "kernel";
  build.autotuning = {race};
  Layer known = named("a");
  known.tactic_id = 7;
  Layer other = named("b");
  other.tactic_id = 7;
  join_layers(build, {known, other}, {});
  EXPECT_EQ(build.layers[0].tactic_name, "kernel");
  EXPECT_EQ(build.layers[1].tactic_name, "");
}

TEST(JoinLogLayers, TheSecondLogCompletesTheFirst) {
  Build build;
  Layer built = named("conv", "CaskConvolution");
  built.onnx_nodes = {"guessed"};
  build.layers = {built, named("conv")};
  Layer shown = timed("conv", 2);
  shown.tactic_name = "sm80";
  shown.metadata = "[ONNX Layer: c]";
  shown.onnx_nodes = {"c"};
  shown.kernel = {3, 3};
  shown.groups = 1;
  join_log_layers(build, {shown, timed("new", 1)});
  ASSERT_EQ(times(build), (Times{{"conv", 2}, {"conv", -1}, {"new", 1}}));
  EXPECT_EQ(build.layers[0].layer_type, "CaskConvolution");
  EXPECT_EQ(build.layers[0].tactic_name, "sm80");
  EXPECT_THAT(build.layers[0].onnx_nodes, testing::ElementsAre("c"));
  EXPECT_THAT(build.layers[0].kernel, testing::ElementsAre(3, 3));
  EXPECT_EQ(build.layers[0].groups, 1);
  EXPECT_EQ(build.layers[1].tactic_name, "");
}

std::vector<int> profiles(std::vector<Layer> layers, std::vector<Layer> profile = {}) {
  Build build;
  join_layers(build, std::move(layers), std::move(profile));
  std::vector<int> found;
  for (const Layer& layer : build.layers) found.push_back(layer.opt_profile);
  return found;
}

// Names that Myelin made up do not say which optimization profile they are of; those of the nodes
// in the same region do.
TEST(JoinLayers, KernelsAreOfTheProfileOfTheirRegion) {
  EXPECT_THAT(profiles({named("__myl_Move_myl3_0"), named("/fc/Gemm_myl3_1"),
                        named("__mye7_0_myl12_0"), named("/fc/Gemm [profile 2]_myl12_1"),
                        named("__myl_Resh_myl12_2"), named("__myl_Resh_myl4_0")}),
              ElementsAre(0, 0, 2, 2, 2, 0));
  // In a profile alone, and in a log, too.
  EXPECT_THAT(profiles({}, {timed("__myl_Move_myl1_0", 1), timed("a [profile 1]_myl1_1", 1)}),
              ElementsAre(1, 1));
  // A region of two profiles tells nothing.
  EXPECT_THAT(
      profiles({named("__myl_Move_myl1_0"), named("a_myl1_1"), named("a [profile 1]_myl1_2")}),
      ElementsAre(0, 0, 1));
  EXPECT_THAT(profiles({named("__myl_Move_myl1_0"), named("a [profile 3]"), named("__my_myl"),
                        named("_myl1_")}),
              ElementsAre(0, 3, 0, 0));
}

}  // namespace
}  // namespace trtlens::join_layers_test
