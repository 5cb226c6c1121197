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
  if (own.contains("definitions")) definitions.update(own["definitions"]);
  schema.update(own);
  schema["definitions"] = std::move(definitions);
  return json_dump(schema);
}

}  // namespace trtlens
