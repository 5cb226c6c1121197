// What each subcommand does, given its arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/cli/command_table.h"
#include "report/cli/gate.h"
#include "report/cli/output.h"
#include "report/cli/rule_files.h"
#include "report/document/sections/builds.h"

namespace trtlens {

class History;

enum ExitStatus : int {
  kExitDone = 0,
  kExitFinding = 1,        // a finding, regression or broken clause at or above --fail-on
  kExitFailure = 2,        // could not do the job
  kExitNotComparable = 3,  // and --force was not given
  kExitInterrupted = 130,  // by Ctrl-C, as shells have it; what was read is reported
};

struct AnalyzeArguments {
  std::vector<std::string> paths;
  OutputOptions output;
  int top = 10;
  int run = 0;
  int build = 0;
  bool tee = false;
  bool watch = false;  // the command `watch`: shows the build while it runs
  bool keep_tactics = false;
  BuildOrder order;  // of a table of builds
  GateArguments gate{"none", 0, {}};
  std::vector<std::string> ignore;
  RuleOptions rules;
};

struct CompareArguments {
  // Two or three, or any number against the first; each a path, or several joined by commas.
  std::vector<std::string> sides;
  std::string against;  // "base": each with the first; "": each with the one before it
  OutputOptions output;
  int top = 20;
  GateArguments gate{"regression", 2, {}};
  std::vector<std::string> ignore;
  RuleOptions rules;
  double noise_floor_percent = 5;
  bool force = false;
  std::string history;  // a file: BASE is its last good build, and the only side the candidate
  std::string series;   // of it; "": the candidate's
};

struct HistoryArguments {
  std::string command;  // add, list, show, trend, prune, export
  std::string db;       // the file
  std::vector<std::string> paths;
  std::string series;  // of add: the builds', "" is what they say; else: only series with this text
  int id = 0;
  int top = 20;
  std::string layer, onnx_node, metric;  // no metric: time
  double threshold_percent = 2;
  int keep = 0;        // newest of each series; 0: not said
  std::string before;  // a date; "": not said
  std::string to;      // of export: a folder
  std::string export_format = "csv";
  OutputOptions output;
};

struct ExpectArguments {
  std::vector<std::string> paths;
  std::string output;  // a file; empty: standard output
  bool quiet = false;
};

struct CheckArguments {
  std::vector<std::string> paths;
  std::string contract;
  OutputOptions output;
  GateArguments gate{"broken", 0, {}};
  std::vector<std::string> ignore;
  RuleOptions rules;
};

struct ConvertArguments {
  std::vector<std::string> paths;
  std::string to;      // a format of another tool
  std::string output;  // a file; empty: standard output
  int run = 0;
  int build = 0;
  bool quiet = false, redact = false;
};

struct LintArguments {
  std::vector<std::string> paths;
  std::string format;  // text, json, markdown; empty: by what standard output is
  int top = 50;
  bool with_samples = false;
  std::string fail_on = "none";
  bool quiet = false, timing = false, redact = false;
};

struct RedactArguments {
  std::vector<std::string> paths, rules;
  std::string output;  // a folder; empty: standard output
  std::string map;     // a file; empty: none
  bool quiet = false;
};

struct RecordArguments {
  bool print = false, run = false;
  std::string onnx = "model.onnx", tensorrt = "10", producer = "trtexec";
  std::vector<std::string> precisions;
  std::vector<std::string> more;  // options of trtexec
};

struct RulesArguments {
  std::string category;
  std::string format;  // text, json, markdown
  bool check = false;
  RuleOptions rules;
};

struct ExplainArguments {
  std::string rule;
  std::string format;
  RuleOptions rules;
};

[[nodiscard]] int run_analyze(const AnalyzeArguments& arguments);
// Whether there are as many sides as it compares; says so.
[[nodiscard]] bool takes_sides(const CompareArguments& arguments);
[[nodiscard]] int run_compare(const CompareArguments& arguments);
[[nodiscard]] int run_expect(const ExpectArguments& arguments);
[[nodiscard]] int run_check(const CheckArguments& arguments);
[[nodiscard]] int run_convert(const ConvertArguments& arguments);
[[nodiscard]] int run_lint(LintArguments arguments);
[[nodiscard]] int run_redact(const RedactArguments& arguments);
[[nodiscard]] int run_record(const RecordArguments& arguments);
[[nodiscard]] int run_rules(const RulesArguments& arguments);
[[nodiscard]] int run_explain(const ExplainArguments& arguments);
// The text of it; nothing after an error, which is printed.
[[nodiscard]] std::optional<std::string> explained(const ExplainArguments& arguments);
[[nodiscard]] int run_schema(const std::string& of);
[[nodiscard]] int run_mcp();
[[nodiscard]] int run_history(const HistoryArguments& arguments);
// Of `history export`. The history is open and sound.
[[nodiscard]] int export_history(const HistoryArguments& arguments, History& history);
// As the command line has them.
[[nodiscard]] CommandRow convert_command(ConvertArguments& arguments);
[[nodiscard]] CommandRow redact_command(RedactArguments& arguments);
[[nodiscard]] CommandRow mcp_command();
[[nodiscard]] CommandRow record_command(RecordArguments& arguments);
[[nodiscard]] CommandRow lint_command(LintArguments& arguments);
[[nodiscard]] CommandRow expect_command(ExpectArguments& arguments);
[[nodiscard]] CommandRow history_command(HistoryArguments& arguments);

}  // namespace trtlens
