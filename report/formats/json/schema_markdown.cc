// A schema as tables to read: every name of a report with its type and its meaning.
#include <fmt/format.h>

#include <algorithm>

#include "report/formats/json/parts.h"
#include "report/formats/json/schema.h"

namespace trtlens {
namespace {

// "#/definitions/layer"
std::string name_in(const Json& reference) {
  const std::string path = reference.get<std::string>();
  return path.substr(path.rfind('/') + 1);
}

std::string type_text(const Json& node);

std::string joined_types(const Json& nodes) {
  std::string text;
  for (const Json& node : nodes) text += (text.empty() ? "" : " or ") + type_text(node);
  return text;
}

std::string words_text(const Json& words) {
  std::string text;
  for (const Json& word : words) {
    text += (text.empty() ? "" : ", ") +
            (word.is_null() ? "null" : "`" + word.get<std::string>() + "`");
  }
  return text;
}

std::string named_type(const std::string& type, const Json& node) {
  if (type == "array") return "list of " + (node.contains("items") ? type_text(node["items"]) : "");
  if (type == "object" && node.contains("additionalProperties")) return "object by name";
  return type == "string" ? "text" : type;
}

// In the words of the page: "integer or null", "list of [layer](#layer)".
std::string type_text(const Json& node) {
  if (node.contains("$ref")) return fmt::format("[{0}](#{0})", name_in(node["$ref"]));
  if (node.contains("enum")) return words_text(node["enum"]);
  if (node.contains("const")) return node["const"].dump();
  if (node.contains("anyOf")) return joined_types(node["anyOf"]);
  if (!node.contains("type")) return "";
  if (node["type"].is_string()) return named_type(node["type"], node);
  std::string text;
  for (const Json& type : node["type"]) {
    text += (text.empty() ? "" : " or ") + named_type(type, node);
  }
  return text;
}

class Page {
 public:
  explicit Page(const Json& schema) : schema_(schema) {}

  // Of the report, then of everything that it is made of.
  [[nodiscard]] std::string text() {
    out_ = "# " + schema_["title"].get<std::string>() + "\n";
    rows(schema_);
    for (std::size_t i = 0; i < named_.size(); ++i) {  // it grows
      const Json& node = schema_["definitions"][named_[i]];
      out_ += fmt::format("\n## {}\n", named_[i]);
      rows(node);
    }
    return out_;
  }

 private:
  void rows(const Json& node) {
    if (!node.contains("properties")) {
      out_ += "\n" + type_text(node) + "\n";
    } else {
      out_ += "\n| name | type | meaning |\n|---|---|---|\n";
      members(node, "");
    }
    note_references(node);
  }

  // An object without a name of its own stands in the table of what it is in.
  void members(const Json& node, const std::string& prefix) {
    for (const auto& [name, member] : node["properties"].items()) {
      const Json none = "";
      const std::string meaning = member.value("description", none);
      out_ += fmt::format("| {}{} | {} | {} |\n", prefix, name, type_text(member), meaning);
      const Json* inside = &member;
      if (inside->contains("anyOf")) inside = &(*inside)["anyOf"][0];
      if (inside->contains("items")) inside = &(*inside)["items"];
      if (inside->contains("properties")) members(*inside, prefix + name + ".");
    }
  }

  void note_references(const Json& node) {
    for (const auto& [key, value] : node.items()) {
      if (key == "definitions") continue;
      if (value.is_structured()) note_references(value);
      if (key != "$ref") continue;
      const std::string name = name_in(value);
      if (std::find(named_.begin(), named_.end(), name) == named_.end()) named_.push_back(name);
    }
  }

  const Json& schema_;
  std::vector<std::string> named_;  // in the order of their first use
  std::string out_;
};

}  // namespace

std::string schema_markdown(const std::string& name) {
  const std::string text = json_schema(name);
  if (text.empty()) return text;
  const Json schema = Json::parse(text);
  return Page(schema).text();
}

}  // namespace trtlens
