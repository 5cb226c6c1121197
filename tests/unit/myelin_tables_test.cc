// The tables that Myelin prints of its regions, from the lines to the ledger.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/build_maker.h"
#include "tests/unit/log_sample.h"

namespace trtlens::myelin_tables_test {
namespace {

using ::testing::ElementsAre;

constexpr const char* kHeads =
    " (foreignNode) tactic_id, cost(in ms), cost/fastest_cost, prediction_correlation, "
    "kernel_name, "
    "tactic_hash, tunable_parameter, conv_w2c_input_fold";

std::vector<std::string> region(const std::string& formats, std::vector<std::string> table) {
  std::vector<std::string> lines = {
      "=============== Computing costs for {ForeignNode[fc...act]}",
      "ForeignNode {ForeignNode[fc...act]} metadata: [ONNX Layer: fc][ONNX Layer: act]",
      "*************** Autotuning format combination: " + formats + " ***************",
      "--------------- Timing Runner: {ForeignNode[fc...act]} (Myelin[0x80000023])",
      " (foreignNode) Set user's cuda kernel library"};
  lines.insert(lines.end(), table.begin(), table.end());
  lines.insert(lines.end(),
               {"Tactic: 0x0000000000000000 Time: 0.0101",
                ">>>>>>>>>>>>>>> Chose Runner Type: Myelin Tactic: 0x0000000000000000"});
  return lines;
}

std::vector<std::string> table_of_fc(const std::string& first, const std::string& second) {
  return {" (foreignNode) Autotuning op fc_1: [ONNX Layer: fc][ONNX Layer: act]",
          " (foreignNode) Sorted table of all evaluated tactics:", kHeads,
          " (foreignNode)   30, " + first + ", 1.00000, 5986.98955, kernel_a, 0x4d, , 0",
          " (foreignNode) 1007, " + second + ", 1.02118, 1.69915, kernel_b, 0x51, , 0"};
}

TEST(MyelinTables, AreOneRaceAnOperator) {
  const ParsedLog log = parse_log(
      library_lines(region("Half(64,1) -> Half(64,1)", table_of_fc("0.0051360", "0.0052448"))));
  EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 0U);
  ASSERT_EQ(log.build().myelin_races.size(), 1U);
  const MyelinRace& race = log.build().myelin_races[0];
  EXPECT_EQ(race.op, "fc_1");
  EXPECT_THAT(race.onnx_nodes, ElementsAre("fc", "act"));
  EXPECT_EQ(race.region, "{ForeignNode[fc...act]}");
  EXPECT_EQ(race.format_combination, "Half(64,1) -> Half(64,1)");
  EXPECT_EQ(race.timed, 2U);
  EXPECT_EQ(race.fastest, "kernel_a");
  EXPECT_EQ(race.fastest_ms, 0.0051360);
  EXPECT_EQ(race.runner_up, "kernel_b");
  EXPECT_EQ(race.runner_up_ms, 0.0052448);
  EXPECT_EQ(race.pos.line, 6U);
  EXPECT_EQ(log.build().tactics_timed, 1U) << "the region itself";
}

TEST(MyelinTables, AreReadByTheirHeads) {
  const ParsedLog log = parse_log(library_lines(region(
      "Half(1) -> Half(1)",
      {" (foreignNode) Autotuning op fc_1", " (foreignNode)  1, 9.0, kernel_before_its_heads",
       " (foreignNode) tactic_id, kernel_name, cost(in ms)", " (foreignNode)  1, kernel_a, 0.5",
       " (foreignNode)  2, kernel_b, 0.25", " (foreignNode)  3, kernel_c, inf",
       " (foreignNode)  4, kernel_d, -1", " (foreignNode)  5"})));
  ASSERT_EQ(log.build().myelin_races.size(), 1U);
  const MyelinRace& race = log.build().myelin_races[0];
  EXPECT_EQ(race.op, "fc_1");
  EXPECT_TRUE(race.onnx_nodes.empty());
  EXPECT_EQ(race.timed, 2U);
  EXPECT_EQ(race.fastest, "kernel_b");
  EXPECT_EQ(race.runner_up, "kernel_a");
}

TEST(MyelinTables, WithoutCandidatesAreNoRace) {
  const ParsedLog log = parse_log(library_lines(
      region("Half(1) -> Half(1)", {" (foreignNode) Autotuning op a: [ONNX Layer: a]", kHeads})));
  EXPECT_TRUE(log.build().myelin_races.empty());
}

TEST(MyelinTables, NodesOfARegionNameThoseOfItsLayer) {
  std::vector<std::string> lines = region("Half(1) -> Half(1)", {});
  lines.emplace_back("Engine Layer Information:");
  std::string text = library_lines(lines);
  text +=
      "Layer(Myelin): {ForeignNode[fc...act]}, Tactic: 0x0000000000000000, x (Half[1,64]) -> "
      "y (Half[1,64])\n";
  const ParsedLog log = parse_log(text);
  const Layer* layer = find_layer(log.build(), "{ForeignNode[fc...act]}");
  ASSERT_NE(layer, nullptr);
  EXPECT_THAT(layer->onnx_nodes, ElementsAre("fc", "act"));
}

TEST(RacesInRegions, AreTheFastestOfEveryTypes) {
  Build build;
  const auto add = [&](const char* op, const char* formats, double ms) {
    MyelinRace race;
    race.op = op;
    race.region = "{ForeignNode[a...b]}";
    race.format_combination = formats;
    race.fastest_ms = ms;
    race.timed = 1;
    build.myelin_races.push_back(race);
  };
  add("short", "Half(8) -> Half(8)", 0.1);
  add("long", "Float(8) -> Float(8)", 0.9);
  add("long", "Half(8) -> Half(8)", 0.5);
  add("long", "Half(8:2) -> Half(8)", 0.4);  // another layout, or another pass
  build.has_log = true;
  const Analysis analysis = test::analyze_build(std::move(build));
  std::vector<std::size_t> order;
  for (const RegionRace& row : analysis.race_ledger.in_regions) order.push_back(row.race);
  EXPECT_THAT(order, ElementsAre(3, 1, 0));
  EXPECT_EQ(analysis.race_ledger.in_regions[1].types, "FP32 -> FP32");
}

}  // namespace
}  // namespace trtlens::myelin_tables_test
