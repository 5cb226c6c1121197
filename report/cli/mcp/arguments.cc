#include "report/cli/mcp/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "report/formats/escape.h"

namespace trtlens::mcp {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostWhole = 1'000'000'000;

bool is_path(const json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty();
}

// A pipe or a device may have no end, and one answer keeps all others waiting.
bool may_wait(const json& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path.get_ref<const std::string&>(), error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

std::string paths_problem(const Argument& argument, const json& value) {
  const bool is_list = value.is_array() && !value.empty() && std::ranges::all_of(value, is_path);
  if (!is_path(value) && !is_list) {
    return fmt::format("'{}' wants a path, or an array of paths", argument.name);
  }
  const json list = is_list ? value : json::array({value});
  for (const json& path : list) {
    const auto& name = path.get_ref<const std::string&>();
    if (may_wait(path)) {
      return fmt::format("'{}': {} is no file and no folder", argument.name, short_name(name));
    }
    const std::string among = "," + name + ",";  // of a comparison's side
    if (among.find(",-,") == std::string::npos) continue;
    return fmt::format("'{}': standard input carries the protocol; give the path of a file",
                       argument.name);
  }
  return {};
}

std::string whole_problem(const Argument& argument, const json& value) {
  const bool is_whole =
      value.is_number_integer() ||
      (value.is_number() && std::trunc(value.get<double>()) == value.get<double>());
  const double number = value.is_number() ? value.get<double>() : -1;
  if (is_whole && number >= argument.least && number <= static_cast<double>(kMostWhole)) return {};
  return fmt::format("'{}' wants a whole number from {} to {}", argument.name, argument.least,
                     kMostWhole);
}

std::string value_problem(const Argument& argument, const json& value) {
  switch (argument.kind) {
    case ArgumentKind::paths:
      return paths_problem(argument, value);
    case ArgumentKind::whole:
      return whole_problem(argument, value);
    case ArgumentKind::number:
      if (value.is_number() && std::isfinite(value.get<double>())) return {};
      return fmt::format("'{}' wants a number", argument.name);
    case ArgumentKind::text:
      break;
  }
  if (!value.is_string()) return fmt::format("'{}' wants a string", argument.name);
  const auto& text = value.get_ref<const std::string&>();
  if (argument.values.empty() || std::ranges::count(argument.values, text) > 0) return {};
  return fmt::format("'{}' is none of {}: {}{}", argument.name, join(argument.values, ", "),
                     short_name(text), did_you_mean(text, argument.values));
}

json schema_of(const Argument& argument) {
  json schema;
  switch (argument.kind) {
    case ArgumentKind::paths:
      schema["anyOf"] = {{{"type", "string"}},
                         {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}}};
      break;
    case ArgumentKind::whole:
      schema = {{"type", "integer"}, {"minimum", argument.least}, {"maximum", kMostWhole}};
      break;
    case ArgumentKind::number:
      schema["type"] = "number";
      break;
    case ArgumentKind::text:
      schema["type"] = "string";
      if (!argument.values.empty()) schema["enum"] = argument.values;
      break;
  }
  schema["description"] = argument.meaning;
  return schema;
}

}  // namespace

json schema_of(const std::vector<Argument>& arguments) {
  json properties = json::object(), required = json::array();
  for (const Argument& argument : arguments) {
    properties[argument.name] = schema_of(argument);
    if (argument.required) required.push_back(argument.name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

std::string problem_of(const json& given, const std::vector<Argument>& arguments) {
  if (!given.is_object()) return "arguments: an object is wanted";
  std::vector<std::string> names;
  for (const Argument& argument : arguments) {
    names.emplace_back(argument.name);
    const auto found = given.find(argument.name);
    if (found == given.end()) {
      if (argument.required)
        return fmt::format("'{}' is missing: {}", argument.name, argument.meaning);
      continue;
    }
    if (std::string problem = value_problem(argument, *found); !problem.empty()) return problem;
  }
  for (const auto& [name, value] : given.items()) {
    if (std::ranges::count(names, name) > 0) continue;
    return fmt::format("there is no argument '{}', only {}{}", short_name(name), join(names, ", "),
                       did_you_mean(name, names));
  }
  return {};
}

std::string short_name(const std::string& name) {
  constexpr std::size_t kWidth = 80;
  return elide_middle(printable(name), kWidth);
}

std::string text_of(const json& given, const char* name) {
  return given.contains(name) ? given.at(name).get<std::string>() : std::string();
}

std::vector<std::string> paths_of(const json& given, const char* name) {
  if (!given.contains(name)) return {};
  const json& value = given.at(name);
  if (value.is_string()) return {value.get<std::string>()};
  return value.get<std::vector<std::string>>();
}

double number_of(const json& given, const char* name, double otherwise) {
  return given.contains(name) ? given.at(name).get<double>() : otherwise;
}

std::size_t whole_of(const json& given, const char* name, std::size_t otherwise) {
  return given.contains(name) ? static_cast<std::size_t>(given.at(name).get<double>()) : otherwise;
}

}  // namespace trtlens::mcp
