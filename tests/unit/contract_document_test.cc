// The report on a build that was held against a contract: one screen, and tables whose columns say
// what their heads say.
#include "report/document/contract/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/formats/text/screen.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/contract_sample.h"

namespace trtlens::contract_document_test {
namespace {

using test::analyze_build;
using test::contract_of;
using test::healthy;
using testing::ElementsAre;
using testing::HasSubstr;

// Every clause there is, none of which the healthy build holds.
constexpr const char* kAllBroken = R"(
  "tensorrt": ["11.0"], "gpu": ["NVIDIA H100"], "allowed_types": ["FP8"], "strongly_typed": true,
  "convolutions": {"FP16": 9, "FP32": 9, "INT8": 9, "other": 9},
  "gemms": {"FP16": 9, "FP32": 9, "INT8": 9, "other": 9},
  "attention": {"FP16": 9, "FP32": 9, "INT8": 9, "other": 9},
  "fp32_time_percent": 99, "reformats": 9, "reformat_time_percent": 99, "qdq_kernels": 9,
  "qdq_time_percent": 99, "engine_mib": 99, "activation_mib": 99, "device_mib": 99,
  "time_per_query": {"runs": [{"median_ms": 0.1}]})";

ContractResult check(Build build, const std::string& clauses) {
  std::vector<Analysis> builds;
  builds.push_back(analyze_build(std::move(build)));
  return check_contract(std::move(builds), contract_of(clauses), "engine.contract", {});
}

std::string screen_of(const ContractResult& result) {
  return render(writer_text, build_document(result, {}), {});
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST(ContractScreen, AllBrokenFitsOnIt) {
  Build build = healthy();
  for (Layer& layer : build.layers) {
    layer.name = "/model/a_long_module_name/of_a_deep_network/" + layer.name.str() + "/Conv";
  }
  const ContractResult result = check(build, kAllBroken);
  EXPECT_GT(result.count(ClauseState::broken), 20U);
  const std::string text = screen_of(result);
  EXPECT_LE(lines_in(text), kMostLines) << text;
  EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr("Broken: "));
  EXPECT_THAT(text, HasSubstr("more: "));
}

TEST(ContractScreen, NothingToldFitsOnIt) {
  Build bare;
  bare.has_log = true;
  const std::string text = screen_of(check(bare, kAllBroken));
  EXPECT_LE(lines_in(text), kMostLines) << text;
  EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr("Held as far as the inputs tell: 0 of "));
  EXPECT_THAT(text, HasSubstr("    needs   the log of the build"));
}

TEST(ContractScreen, FailedBuildsSayItOnce) {
  Build failed;
  failed.has_log = true;
  failed.outcome = Outcome::failed;
  const std::string text = screen_of(check(failed, kAllBroken));
  EXPECT_THAT(text, HasSubstr("  build: expected passed, found failed\n"));
  EXPECT_LE(lines_in(text), 30U) << text;
}

std::vector<std::string> heads_of(const Table& table) {
  std::vector<std::string> heads;
  for (const Column& column : table.columns) heads.push_back(column.title);
  return heads;
}
std::vector<std::string> row_of(const Table& table, std::size_t row) {
  std::vector<std::string> cells;
  for (const Cell& cell : table.rows[row]) cells.push_back(cell.text);
  return cells;
}

TEST(ContractDocument, ColumnsAreWhatTheirHeadsSay) {
  const ContractResult result =
      check(healthy(), R"("gemms": {"FP16": 2}, "reformats": 1, "engine_mib": {"at_most": 9})");
  const Document document = build_document(result, {});
  EXPECT_EQ(document.verdict, "Broken: 2 of 3 clauses");
  ASSERT_EQ(document.sections.size(), 2U);
  const Table& broken = *blocks_of<Table>(document.sections[0].blocks).at(0);
  EXPECT_THAT(heads_of(broken), ElementsAre("Clause", "Expected", "Found", "Layers", "Cause"));
  EXPECT_THAT(row_of(broken, 0), ElementsAre("gemms.FP16", "2", "1", "", ""));
  EXPECT_THAT(row_of(broken, 1), ElementsAre("engine_mib", "at most 9 MiB", "10 MiB", "",
                                             "Follows from the types: gemms.FP16"));
  const Table& held = *blocks_of<Table>(document.sections[1].blocks).at(0);
  EXPECT_THAT(heads_of(held), ElementsAre("Clause", "Expected", "Found"));
  EXPECT_THAT(row_of(held, 0), ElementsAre("reformats", "1", "1"));
}

TEST(ContractDocument, UndecidableRowsSayWhatTheyNeed) {
  Build bare;
  bare.has_log = true;
  const Document document = build_document(check(bare, R"("reformats": 1)"), {});
  const Table& open = *blocks_of<Table>(document.sections.at(0).blocks).at(0);
  EXPECT_THAT(heads_of(open), ElementsAre("Clause", "Expected", "Found", "Why", "Needs"));
  EXPECT_THAT(row_of(open, 0),
              ElementsAre("reformats", "1", "unknown", "The inputs do not tell the layers",
                          "The layers with their types: --exportLayerInfo=layers.json "
                          "--profilingVerbosity=detailed"));
}

}  // namespace
}  // namespace trtlens::contract_document_test
