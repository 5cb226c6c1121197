// How well the inputs were understood, and the command that would supply what is missing.
#include <fmt/format.h>

#include <algorithm>

#include "analyzers/rules/evidence_commands.h"
#include "report/document/parts.h"
#include "report/facts/facts.h"

namespace trtlens {
namespace {

// Columns that no row has anything in say nothing.
void drop_empty_columns(Table& table) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    bool empty = true;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      empty = empty && table.rows.cell(r, c).text.empty();
    }
    if (!empty) continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(c));
    table.rows.erase_column(c);
  }
}

Table input_table(const Context& context) {
  Table table;
  table.title = "Inputs";
  table.columns = {{"Path", ColumnKind::name},    {"Kind", ColumnKind::label},
                   {"Bytes", ColumnKind::number}, {"Lines", ColumnKind::number},
                   {"Runs", ColumnKind::label},   {"Remark", ColumnKind::text}};
  for (const Input& input : context.analysis.reading->inputs) {
    std::vector<std::string> runs;
    for (const int run : input.runs) runs.push_back(fmt::format("{}", run));
    std::string remark = input.why;
    if (remark.empty() && !input.readable) remark = "not readable";
    if (remark.empty() && !input.is_text) remark = "binary, not read";
    table.rows.push_back({text_cell(input_text(input.path)), text_cell(to_string(input.kind)),
                          count_cell(input.bytes), count_cell(input.lines),
                          text_cell(join(runs, ", ")), text_cell(remark)});
  }
  drop_empty_columns(table);
  return table;
}

std::optional<Table> run_table(const Context& context) {
  const std::vector<Run>& runs = context.analysis.reading->runs;
  if (runs.size() < 2) return std::nullopt;
  Table table;
  table.title = "Runs found in the logs";
  table.columns = {{"Run", ColumnKind::number},          {"Outcome", ColumnKind::label},
                   {"Reported here", ColumnKind::label}, {"Lines", ColumnKind::label},
                   {"File", ColumnKind::name},           {"Command", ColumnKind::name, true}};
  const std::vector<int>& joined = context.build.runs;
  for (const Run& run : runs) {
    const bool here = std::find(joined.begin(), joined.end(), run.n) != joined.end();
    const std::string file = run.file < context.analysis.reading->inputs.size()
                                 ? context.analysis.reading->inputs[run.file].path
                                 : "";
    table.rows.push_back({{fmt::format("{}", run.n), static_cast<double>(run.n)},
                          text_cell(to_string(run.outcome)),
                          text_cell(here ? "yes" : "no"),
                          text_cell(fmt::format("{} to {}", run.first_line, run.last_line)),
                          text_cell(file),
                          text_cell(run.command)});
  }
  table.note = "--run N reports another run.";
  return table;
}

std::optional<Table> coverage_table(const Coverage& coverage) {
  const std::uint64_t lines = coverage.lines();
  if (lines == 0) return std::nullopt;
  Table table;
  table.title = "Lines of the logs by class";
  table.columns = {{"Class", ColumnKind::label},
                   {"Lines", ColumnKind::number},
                   {"Share", ColumnKind::share},
                   {"Meaning", ColumnKind::text}};
  for (const auto& [line_class, n] : lines_by_class(coverage)) {
    table.rows.push_back({text_cell(line_class.name), count_cell(n),
                          share_cell(static_cast<double>(n) / static_cast<double>(lines)),
                          text_cell(line_class.meaning)});
  }
  table.rows.push_back({text_cell("all"), count_cell(lines), share_cell(1.0), text_cell("")});
  if (coverage.of(LineClass::malformed) + coverage.of(LineClass::unknown) > 0) {
    table.note = "trtlens lint-log shows what was malformed or unknown.";
  }
  return table;
}

std::string missing_sentence(const Context& context) {
  std::string text = "Not in these inputs: ";
  std::vector<std::string> lacking;
  const Build& build = context.build;
  if (!build.has_log) lacking.emplace_back("the build log");
  if (build.has_log && !build.is_verbose) lacking.emplace_back("the verbose log");
  if (!build.has_layer_info) lacking.emplace_back("the layer info");
  if (build.layer_names_only) lacking.emplace_back("details of the layers (names only)");
  if (!build.has_profile) lacking.emplace_back("times per layer");
  if (!context.gpu_compute_ms) lacking.emplace_back("the time of a query");
  if (build.queries.empty()) lacking.emplace_back("times of single queries");
  return lacking.empty() ? "" : text + join(lacking, ", ") + ".";
}

// A build that failed has nothing to time: only a more talkative log of trtexec's helps.
void add_next_command(const Context& context, Section& section) {
  if (context.build.outcome == Outcome::failed) {
    const bool built = context.analysis.failed_phase == FailedPhase::build;
    if (built && !context.build.is_verbose && !context.build.command.empty()) {
      section.say(
          "The log is not verbose: --verbose shows the layer, tactic and format that were being "
          "timed when the build failed.");
    }
    return;
  }
  const std::string missing = missing_sentence(context);
  if (missing.empty()) return;
  const std::string recorded = repeated_command(context.build, missing_flags(context));
  // Of a few lines nobody knows whether trtexec, or an ONNX file, is behind them.
  if (recorded.empty() && context.is_pasted) return;
  if (!recorded.empty()) {
    section.say(missing + " Your command, with what records it:");
    section.add(Quote{"", {recorded}});
  } else {
    section.say(missing + " This command records everything; m.onnx stands for the model, and " +
                (context.build.allowed.labels.empty() ? "your shapes, precisions and plugins"
                                                      : "your shapes, plugins and other options") +
                " are to be added:");
    section.add(Quote{"", {full_command(context.build)}});
    if (context.version() == 0) {
      section.say(
          "The command is for TensorRT 8.4 to 10.x; 11.x needs no precision flags and no "
          "--separateProfileRun.");
    }
  }
  if (context.version() != 0 && context.version() < 80400) {
    section.say(
        "These flags exist since TensorRT 8.2; older versions know --nvtxMode=verbose, "
        "--dumpProfile and --exportTimes.");
  }
}

}  // namespace

std::vector<std::string> missing_flags(const Context& context) {
  return missing_flags(context.build, context.gpu_compute_ms.has_value());
}

std::vector<std::string> unread_exports(const Context& context) {
  const Build& build = context.build;
  std::vector<std::string> files;
  const auto add = [&](const char* flag, bool is_missing) {
    if (!is_missing) return;
    for (const auto& [name, value] : build.options.flags) {
      if (name == flag && !value.empty()) files.push_back(value);
    }
  };
  add("exportLayerInfo", !build.has_layer_info);
  add("exportProfile", !build.has_profile);
  add("exportTimes", build.queries.empty());
  return files;
}

Section input_section(const Context& context) {
  Section section{"input", "How well the input was understood", {}};
  if (!context.analysis.reading->inputs.empty()) section.add(input_table(context));
  section.add(coverage_table(context.analysis.reading->coverage));
  section.add(run_table(context));
  DiagnosticLines diagnostics =
      diagnostic_lines(context.analysis.reading->diagnostics, context.top == 0);
  if (!diagnostics.shown.empty()) {
    List list{"Diagnostics", std::move(diagnostics.shown)};
    list.items.insert(list.items.end(), diagnostics.more.begin(), diagnostics.more.end());
    section.add(std::move(list));
  }
  add_next_command(context, section);
  return section;
}

}  // namespace trtlens
