// A command as a table: what CLI11 is to be told of it, for commands in files that do not include
// it.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace trtlens {

struct OutputOptions;  // report/cli/output.h

struct OptionRow {
  const char* names;  // "-q,--quiet"; "PATH": a word
  std::variant<std::string*, std::vector<std::string>*, int*, double*, bool*> into;
  std::string help;
  const char* type = "";
  bool required = false;
  std::function<std::string(const std::string&)> problem = nullptr;  // of a value; "" when there is none
};

struct CommandRow {
  const char* name;
  const char* help;
  const char* footer;
  std::vector<OptionRow> options;
  OutputOptions* output = nullptr;  // with -o, --format and the like; null: without
};

}  // namespace trtlens
