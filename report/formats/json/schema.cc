// Puts the definitions that reports share into each of their schemas.
#include "report/formats/json/writer.h"

#include <algorithm>

#include "parsers/input/embedded.h"
#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"

namespace trtlens {
namespace {

Json embedded_schema(const std::string& name) {
  for (const EmbeddedFile& file : embedded_schemas()) {
    if (file.name == name + ".json") return Json::parse(file.text());
  }
  return Json::object();
}

// A definition as it stands in a file, or what it adds to that of a table of facts.
void add_to(Json& known, const Json& definition) {
  if (known.is_null()) {
    known = definition;
    return;
  }
  Json required = definition.value("required", Json::array());
  for (const Json& name : known.value("required", Json::array())) required.push_back(name);
  Json properties = definition.value("properties", Json::object());
  properties.update(known.value("properties", Json::object()));
  known["properties"] = std::move(properties);
  known["required"] = std::move(required);
}

}  // namespace

std::vector<std::string> schema_names() {
  return {"analyze", "compare", "check", "contract"};
}

// What reports are made of is written once, and is part of each.
std::string json_schema(const std::string& name) {
  const std::vector<std::string> names = schema_names();
  if (std::ranges::find(names, name) == names.end()) return {};
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}};
  Json own = embedded_schema(name);
  if (name == "contract") {  // a file, no report
    schema.update(own);
    return json_dump(schema);
  }
  Json definitions = embedded_schema("common");
  define_facts(kBuildFacts, definitions);
  define_facts(kBuildRowFacts, definitions);
  if (name == "compare") define_facts(kComparisonFacts, definitions);
  for (const auto& [of, definition] : own["definitions"].items()) {
    add_to(definitions[of], definition);
  }
  schema.update(own);
  schema["definitions"] = std::move(definitions);
  return json_dump(schema);
}

}  // namespace trtlens
