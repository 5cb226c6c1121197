// build.tactics.records: the raw records of --keep-tactics.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "report/formats/json/writer.h"
#include "tests/rendered.h"
#include "tests/unit/build_maker.h"

namespace trtlens::json_tactics_test {
namespace {

using nlohmann::json;

Analysis with_records(const std::string& layer) {
  Analysis a;
  Input input;
  input.path = "build.log";
  Reading reading;
  reading.inputs.push_back(input);
  a.reading = std::make_shared<const Reading>(std::move(reading));
  TacticRecords& records = a.build.tactic_records;
  records.texts.insert(records.texts.end(), {layer, "Half(1) -> Half(1)", "CaskConvolution",
                                             "sm80_xmma_fprop", "scratch memory"});
  TacticRecord timed;
  timed.layer = 1;
  timed.format_combination = 2;
  timed.runner = 3;
  timed.name = 4;
  timed.id = 0x8012345678901234U;
  timed.time_ms = 0.0389486;
  timed.pos = {0, 17, 1};
  TacticRecord skipped;
  skipped.layer = 1;
  skipped.skipped = 5;
  skipped.pos = {0, 18, 1};
  records.rows = {timed, skipped};
  return a;
}

TEST(JsonTacticRecords, AreWrittenInOrder) {
  const json report = json::parse(json_of(with_records("conv1"), "0"));
  const json& records = report["build"]["tactics"]["records"];
  ASSERT_EQ(records.size(), 2U);
  const json timed = {{"layer", "conv1"},
                      {"formats", "Half(1) -> Half(1)"},
                      {"runner", "CaskConvolution"},
                      {"name", "sm80_xmma_fprop"},
                      {"id", "0x8012345678901234"},
                      {"time_ms", 0.0389486},
                      {"skipped", nullptr},
                      {"file", "build.log"},
                      {"line", 17}};
  EXPECT_EQ(records[0], timed);
  const json skipped = {{"layer", "conv1"},
                        {"formats", nullptr},
                        {"runner", nullptr},
                        {"name", nullptr},
                        {"id", nullptr},
                        {"time_ms", nullptr},
                        {"skipped", "scratch memory"},
                        {"file", "build.log"},
                        {"line", 18}};
  EXPECT_EQ(records[1], skipped);
}

TEST(JsonTacticRecords, AreAbsentWithoutTheOption) {
  Analysis a = with_records("conv1");
  a.build.tactic_records = TacticRecords();
  a.build.is_verbose = true;
  const json report = json::parse(json_of(a, "0"));
  ASSERT_TRUE(report["build"]["tactics"].is_object());
  EXPECT_FALSE(report["build"]["tactics"].contains("records"));
}

// The list is put in as text: a name that looks like its place, or is no UTF-8, must not matter.
TEST(JsonTacticRecords, HostileNames) {
  const std::string name = "\"records\": [] \x1b[31m \xFF \xE2\x80\xAE \"], {\\";
  Analysis a = with_records(name);
  Layer layer;
  layer.name = name;
  a.build.layers.push_back(layer);
  a.verdicts.emplace_back();
  a.build.command = name;
  const std::string text = json_of(a, "0");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
  const json report = json::parse(text);
  ASSERT_EQ(report["build"]["tactics"]["records"].size(), 2U);
  EXPECT_EQ(report["build"]["tactics"]["records"][0]["layer"],
            report["build"]["layers"][0]["name"]);
}

}  // namespace
}  // namespace trtlens::json_tactics_test
