// A command as a table: what CLI11 is to be told of it, by files that do not include it.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "report/cli/output.h"
#include "report/cli/value_problem.h"

namespace trtlens {

using OnFlag = std::function<void()>;
using OnValue = std::function<void(const std::string&)>;
using OnValues = std::function<void(const std::vector<std::string>&)>;

struct OptionRow {
  const char* names;  // "-q,--quiet"; "PATH": a word
  std::variant<std::string*, std::vector<std::string>*, int*, double*, bool*, OnFlag, OnValue,
               OnValues>
      into;
  std::string help;
  const char* type = "";
  bool required = false;
  std::function<std::string(const std::string&)> problem =
      nullptr;  // of a value; "" when there is none
  bool shows_default = false;
  std::string known = "";     // values to offer, "a,b"; else those of a `problem` that is one_of()
  bool is_list = false;       // a value may be several, "a,b"
  const char* excludes = "";  // an option above it
};

struct CommandRow {
  const char* name;
  const char* help;
  // Paragraphs are one line each: wrapped_help() breaks them. "": that of trtlens.
  const char* footer;
  std::vector<OptionRow> options;
  std::vector<CommandRow> commands = {};  // of its own, one of which is to be given
};

[[nodiscard]] std::vector<OptionRow> joined(const std::vector<std::vector<OptionRow>>& lists);

// -o, --format and the like of a command that reports.
[[nodiscard]] std::vector<OptionRow> output_rows(OutputOptions& output, Formats formats);

}  // namespace trtlens
