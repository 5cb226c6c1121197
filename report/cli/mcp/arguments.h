// What a tool takes: one table says it to the client, and holds what the client sends.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace trtlens::mcp {

enum class ArgumentKind : std::uint8_t {
  text,
  paths,  // one path as a string, or several as an array
  whole,  // a number from `least` on
  number
};

struct Argument {
  const char* name;
  ArgumentKind kind = ArgumentKind::text;
  bool required = false;
  std::string meaning;
  std::vector<std::string> values{};  // of a text; empty: any
  int least = 0;                      // of a whole number
};

// The JSON Schema of an object with these members.
[[nodiscard]] nlohmann::json schema_of(const std::vector<Argument>& arguments);

// What is wrong with `given`, in a sentence; "": nothing.
[[nodiscard]] std::string problem_of(const nlohmann::json& given,
                                     const std::vector<Argument>& arguments);

// What a client sent, as an answer may repeat it.
[[nodiscard]] std::string short_name(const std::string& name);

// Of arguments without a problem; what is not given is empty, or `otherwise`.
[[nodiscard]] std::string text_of(const nlohmann::json& given, const char* name);
[[nodiscard]] std::vector<std::string> paths_of(const nlohmann::json& given, const char* name);
[[nodiscard]] double number_of(const nlohmann::json& given, const char* name, double otherwise);
[[nodiscard]] std::size_t whole_of(const nlohmann::json& given, const char* name,
                                   std::size_t otherwise);

}  // namespace trtlens::mcp
