// Facts as JSON, and what a schema says of them.
#include "report/formats/json/facts.h"

namespace trtlens {
namespace {

struct ValueAsJson {
  Json operator()(std::monostate /*unknown*/) const { return nullptr; }
  Json operator()(const LayerNames& names) const {
    Json list = Json::array();
    for (const std::size_t i : *names.which) list.push_back((*names.layers)[i].name.str());
    return list;
  }
  template <typename Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

Json type_name(const FactType& type, const char* name) {
  return type.may_be_null ? Json{name, "null"} : Json(name);
}

Json items_of(const char* name) {
  return {{"type", name}};
}

Json schema_of_value(const FactType& type) {
  switch (type.kind) {
    case FactKind::flag:
      return {{"type", type_name(type, "boolean")}};
    case FactKind::integer:
    case FactKind::bytes: {
      Json schema = {{"type", type_name(type, "integer")}};
      if (type.least) schema["minimum"] = *type.least;
      return schema;
    }
    case FactKind::ms:
    case FactKind::seconds:
    case FactKind::share:
    case FactKind::number:
      return {{"type", type_name(type, "number")}};
    case FactKind::texts:
      return {{"type", type_name(type, "array")}, {"items", items_of("string")}};
    case FactKind::integers:
      return {{"type", type_name(type, "array")}, {"items", items_of("integer")}};
    case FactKind::numbers_by_name:
      return {{"type", "object"}, {"additionalProperties", items_of("number")}};
    case FactKind::texts_by_name:
      return {{"type", "object"}, {"additionalProperties", items_of("string")}};
    case FactKind::text:
    case FactKind::irregular:
      break;
  }
  return {{"type", type_name(type, "string")}};
}

Json reference_to(const char* definition) {
  return {{"$ref", std::string("#/definitions/") + definition}};
}

Json schema_of(const FactInfo& fact) {
  Json schema;
  const FactType& type = fact.type;
  if (fact.is_list) {
    schema = {{"type", type_name(type, "array")}, {"items", reference_to(fact.of->name)}};
  } else if (fact.of != nullptr && type.may_be_null) {
    schema = {{"anyOf", {reference_to(fact.of->name), items_of("null")}}};
  } else if (fact.of != nullptr) {
    schema = reference_to(fact.of->name);
  } else if (type.kind == FactKind::irregular) {
    schema = reference_to(fact.name);
  } else if (!type.words.empty()) {
    schema = {{"enum", type.words}};
    if (type.may_be_null) schema["enum"].push_back(nullptr);
  } else {
    schema = schema_of_value(type);
  }
  if (*fact.meaning != '\0') schema["description"] = fact.meaning;
  return schema;
}

}  // namespace

void FactsAsJson::fact(const FactInfo& fact, const FactValue& value) {
  Json json = std::visit(ValueAsJson(), value);
  const bool is_known = !json.is_null() && json != "";
  if (fact.type.may_be_absent && !is_known) return;
  out_.member(fact.name, is_known || !fact.type.may_be_null ? json : nullptr);
}

void FactsAsJson::irregular(const FactInfo& /*fact*/, const Analysis& /*analysis*/) {}

void FactsAsJson::begin_object(const FactInfo* fact) {
  if (fact != nullptr) out_.key(fact->name);
  out_.begin_object();
}

void FactsAsJson::begin_list(const FactInfo* fact) {
  if (fact != nullptr) out_.key(fact->name);
  out_.begin_list();
}

void define_facts(const FactTable& table, Json& definitions) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const FactInfo* fact : table.infos()) {
    properties[fact->name] = schema_of(*fact);
    if (!fact->type.may_be_absent) required.push_back(fact->name);
    if (fact->of != nullptr && !definitions.contains(fact->of->name)) {
      define_facts(*fact->of, definitions);
    }
  }
  definitions[table.name] = {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

}  // namespace trtlens
