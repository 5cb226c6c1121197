// Facts as JSON, and what a schema says of them.
#include "report/formats/json/facts.h"

#include <utility>

namespace trtlens {
namespace {

struct ValueAsJson {
  Json operator()(std::monostate /*unknown*/) const { return nullptr; }
  Json operator()(const LayerNames& names) const {
    Json list = Json::array();
    for (const std::size_t i : *names.which) list.push_back((*names.layers)[i].name.str());
    return list;
  }
  Json operator()(const NamedNumbers& numbers) const {
    Json object = Json::object();
    for (const auto& [name, number] : numbers) object[name] = number;
    return object;
  }
  Json operator()(const FactPair& pair) const {
    return {std::visit(*this, pair[0]), std::visit(*this, pair[1])};
  }
  template <typename Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

Json json_options(const Build& build) {
  Json options = {
      {"precision", build.allowed.labels.empty() ? Json(nullptr) : Json(build.allowed.labels)},
      {"strongly_typed", build.allowed.strongly_typed}};
  for (const auto& [name, value] : build.options.flags) {
    if (name == "precision" || name == "strongly_typed") continue;
    options[name] = value.empty() ? Json(true) : Json(value);
  }
  return options;
}

Json type_name(const FactType& type, const char* name) {
  return type.may_be_null ? Json{name, "null"} : Json(name);
}

Json items_of(const char* name) {
  return {{"type", name}};
}

Json number_schema(const FactType& type, const char* name) {
  Json schema = {{"type", type_name(type, name)}};
  if (type.least) schema["minimum"] = *type.least;
  if (type.most) schema["maximum"] = *type.most;
  return schema;
}

Json schema_of_value(const FactType& type) {
  switch (type.kind) {
    case FactKind::flag:
      return {{"type", type_name(type, "boolean")}};
    case FactKind::integer:
    case FactKind::bytes:
      return number_schema(type, "integer");
    case FactKind::ms:
    case FactKind::seconds:
    case FactKind::share:
    case FactKind::number:
      return number_schema(type, "number");
    case FactKind::hex:
      return {{"type", type_name(type, "string")}, {"pattern", "^0x[0-9a-f]{16}$"}};
    case FactKind::texts:
      if (!type.words.empty()) return {{"type", "array"}, {"items", {{"enum", type.words}}}};
      return {{"type", type_name(type, "array")}, {"items", items_of("string")}};
    case FactKind::integers:
      return {{"type", type_name(type, "array")}, {"items", items_of("integer")}};
    case FactKind::numbers_by_name:
      return {{"type", type_name(type, "object")}, {"additionalProperties", items_of("number")}};
    case FactKind::texts_by_name:
      return {{"type", "object"}, {"additionalProperties", items_of("string")}};
    case FactKind::text:
    case FactKind::irregular:
      break;
  }
  return {{"type", type_name(type, "string")}};
}

Json schema_of_pair(FactType type) {
  const bool may_be_null = std::exchange(type.may_be_null, type.parts_may_be_null);
  const Json pair = {
      {"type", "array"}, {"items", schema_of_value(type)}, {"minItems", 2}, {"maxItems", 2}};
  return may_be_null ? Json{{"anyOf", {pair, items_of("null")}}} : pair;
}

Json reference_to(const char* definition) {
  return {{"$ref", std::string("#/definitions/") + definition}};
}

Json schema_of(const FactEntry& fact) {
  Json schema;
  const FactType& type = fact.type;
  if (fact.is_list) {
    schema = {{"type", type_name(type, "array")}, {"items", reference_to(fact.of->name())}};
  } else if (fact.of != nullptr && type.may_be_null) {
    schema = {{"anyOf", {reference_to(fact.of->name()), items_of("null")}}};
  } else if (fact.of != nullptr) {
    schema = reference_to(fact.of->name());
  } else if (type.is_pair) {
    schema = schema_of_pair(type);
  } else if (type.kind == FactKind::irregular) {
    schema = reference_to(fact.name);
  } else if (!type.words.empty() && type.kind == FactKind::text) {
    schema = {{"enum", type.words}};
    if (type.may_be_null) schema["enum"].push_back(nullptr);
  } else {
    schema = schema_of_value(type);
  }
  schema["description"] = fact.meaning;
  return schema;
}

}  // namespace

Json json_of(const FactValue& value) {
  return std::visit(ValueAsJson(), value);
}

void FactsAsJson::fact(const FactEntry& fact, const FactValue& value) {
  if (const auto* names = std::get_if<LayerNames>(&value)) {
    out_.key(fact.name);
    out_.list(*names->which, [&](std::size_t i) { out_.value((*names->layers)[i].name.str()); });
    return;
  }
  const Json json = json_of(value);
  const auto* const text = json.get_ptr<const Json::string_t*>();
  const bool is_known = !json.is_null() && (text == nullptr || !text->empty());
  if (fact.type.may_be_absent && !is_known) return;
  out_.member(fact.name, is_known || !fact.type.may_be_null ? json : nullptr);
}

void FactsAsJson::irregular(const FactEntry& fact, const Analysis& analysis) {
  if (std::string_view(fact.name) == "options") {
    return out_.member(fact.name, json_options(analysis.build));
  }
  if (analysis.build.tactic_records.rows.empty()) return;
  out_.key(fact.name);
  write_tactic_records(analysis, out_);
}

void FactsAsJson::begin_object(const FactEntry* fact) {
  if (fact != nullptr) out_.key(fact->name);
  out_.begin_object();
}

void FactsAsJson::begin_list(const FactEntry* fact) {
  if (fact != nullptr) out_.key(fact->name);
  out_.begin_list();
}

void define_facts(const FactTable& table, Json& definitions) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const FactEntry& fact : table) {
    properties[fact.name] = schema_of(fact);
    if (!fact.type.may_be_absent) required.push_back(fact.name);
    if (fact.of != nullptr && !definitions.contains(fact.of->name())) {
      define_facts(*fact.of, definitions);
    }
  }
  definitions[table.name()] = {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

}  // namespace trtlens
