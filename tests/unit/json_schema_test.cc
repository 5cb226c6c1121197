// The JSON Schemas that `trtlens schema` prints: what holds for every name in them.
#include <fmt/format.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "report/formats/json/writer.h"

namespace trtlens::json_schema_test {
namespace {

using Json = nlohmann::json;

Json member(const Json& node, const char* name) {
  return node.contains(name) ? node[name] : Json();
}

// Names below `node`, each with a description.
int described_names(const Json& node, const std::string& place) {
  if (!node.is_object()) return 0;
  int names = 0;
  const Json properties = member(node, "properties");
  for (const auto& [name, property] : properties.items()) {
    const std::string its_place = fmt::format("{}.{}", place, name);
    EXPECT_TRUE(property.contains("description")) << its_place << " has no description";
    names += 1 + described_names(property, its_place);
  }
  const Json definitions = member(node, "definitions");
  for (const auto& [name, definition] : definitions.items()) {
    names += described_names(definition, name);
  }
  for (const char* const inner : {"items", "additionalProperties"}) {
    names += described_names(member(node, inner), place + "[]");
  }
  for (const Json& choice : member(node, "anyOf")) names += described_names(choice, place);
  return names;
}

TEST(JsonSchema, EveryNameHasADescription) {
  for (const std::string& report : schema_names()) {
    const int least = report == "contract" ? 40 : 400;
    EXPECT_GT(described_names(Json::parse(json_schema(report)), report), least) << report;
  }
}

TEST(JsonSchema, ANameWithoutADescriptionIsNoticed) {
  const Json schema = Json::parse(R"({"anyOf": [{"items": {"properties": {"a": {}}}}]})");
  EXPECT_NONFATAL_FAILURE(described_names(schema, "x"), "x[].a has no description");
}

}  // namespace
}  // namespace trtlens::json_schema_test
