// The tables of facts: what the JSON Schema and the document take from them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "report/document/columns.h"
#include "report/facts/facts.h"
#include "report/formats/json/writer.h"

namespace trtlens::facts_test {
namespace {

void collect(const FactTable& table, std::set<const FactTable*>& found) {
  if (!found.insert(&table).second) return;
  for (const FactEntry& fact : table) {
    if (fact.of != nullptr) collect(*fact.of, found);
  }
}

TEST(Facts, HaveNamesOfTheirOwnAndAMeaning) {
  std::set<const FactTable*> tables;
  collect(kBuildFacts, tables);
  std::set<std::string> definitions;
  for (const FactTable* table : tables) {
    EXPECT_TRUE(definitions.insert(table->name()).second) << table->name();
    std::set<std::string> names;
    for (const FactEntry& fact : *table) {
      EXPECT_TRUE(names.insert(fact.name).second) << table->name() << "." << fact.name;
      EXPECT_STRNE(fact.meaning, "") << table->name() << "." << fact.name;
    }
  }
}

TEST(Facts, StandInTheSchemaWithTheirMeaning) {
  const auto schema = nlohmann::json::parse(json_schema("analyze"));
  std::set<const FactTable*> tables;
  collect(kBuildFacts, tables);
  for (const FactTable* table : tables) {
    const nlohmann::json& definition = schema["definitions"][table->name()];
    for (const FactEntry& fact : *table) {
      EXPECT_EQ(definition["properties"][fact.name]["description"], fact.meaning)
          << table->name() << "." << fact.name;
    }
  }
  const nlohmann::json& layer = schema["definitions"]["layer_memory"]["properties"];
  EXPECT_EQ(layer["scratch_bytes"]["type"], nlohmann::json({"integer", "null"}));
  const nlohmann::json& memory = schema["definitions"]["memory"]["properties"];
  EXPECT_EQ(memory["layers"]["items"]["$ref"], "#/definitions/layer_memory");
}

TEST(Facts, AMisspeltNameIsNoFact) {
  EXPECT_STREQ(kLayerMemoryFacts.at("scratch_bytes").name, "scratch_bytes");
  EXPECT_THROW((void)kLayerMemoryFacts.at("scratch_byte"), std::out_of_range);
}

TEST(Facts, AreShownAsTheirKindIs) {
  EXPECT_EQ(fact_cell(kMs, 1.5).text, "1.500");
  EXPECT_EQ(fact_cell(kMs, FactValue()).text, "unknown");
  EXPECT_EQ(fact_cell(kShare, 0.25).text, "25 %");
  EXPECT_EQ(fact_cell(kBytes, std::int64_t{3} << 20U).text, "3.0 MiB");
  EXPECT_EQ(fact_cell(kBytes, FactValue()).text, "unknown");
  EXPECT_EQ(fact_cell(kSeconds, 12.5).text, "12.5 s");
  EXPECT_EQ(fact_cell(kCount, std::int64_t{7}).text, "7");
  EXPECT_EQ(fact_cell(kCount, std::int64_t{7}).value, 7);
  EXPECT_EQ(fact_cell(kCount, FactValue()).text, "");
  EXPECT_EQ(fact_cell(kFlag, true).text, "yes");
  EXPECT_EQ(fact_cell(kFlag, false).text, "no");
  EXPECT_EQ(fact_cell(kFlag, FactValue()).text, "unknown");
  EXPECT_EQ(fact_cell(kText, FactValue()).text, "");
  EXPECT_EQ(fact_cell(kTexts, std::vector<std::string>{"a", "b"}).text, "a; b");
  EXPECT_EQ(fact_cell(kTexts, std::vector<std::string>()).text, "");
  EXPECT_EQ(fact_text(kMs, 1.5), "1.500 ms");
  EXPECT_EQ(fact_text(kMs, FactValue()), "");
}

}  // namespace
}  // namespace trtlens::facts_test
