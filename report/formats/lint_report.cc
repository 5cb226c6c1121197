// Text and Markdown of the same lines; samples only where they are asked for.
#include "report/formats/lint_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analyzers/text.h"
#include "report/document/parts.h"
#include "report/facts/facts.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::size_t kSampleWidth = 240;
constexpr std::size_t kNamed = 5;  // versions and producers in the first line

// "TensorRT 8.5.1, trtexec, 1 run"
std::string origin(const LintResult& result) {
  std::string text = result.versions.empty() ? "TensorRT of unknown version"
                                             : "TensorRT " + join_some(result.versions, kNamed);
  if (!result.producers.empty()) text += ", " + join_some(result.producers, kNamed);
  return text + ", " + count_text(result.runs, "run", "runs");
}

// "120 lines: 100 recognised, 5 noise, …"
std::string coverage(const LintResult& result) {
  std::string text = count_text(result.coverage.lines(), "line", "lines") + ":";
  const char* separator = " ";
  for (const auto& [line_class, n] : lines_by_class(result.coverage)) {
    text += fmt::format("{}{} {}", separator, n, line_class.name);
    separator = ", ";
  }
  return text;
}

std::uint64_t lines_of(const LintResult& result) {
  return result.coverage.of(LineClass::malformed) + result.coverage.of(LineClass::unknown);
}

// What is listed, in a sentence.
std::string summary(const LintResult& result) {
  const std::uint64_t lines = lines_of(result);
  if (result.coverage.lines() == result.coverage.of(LineClass::foreign)) {
    return "No line of TensorRT's is in it.";
  }
  if (lines == 0) return "Every line of TensorRT's was understood.";
  std::string text =
      fmt::format("Not understood: {} of {}.", count_text(lines, "line", "lines"),
                  count_text(static_cast<std::uint64_t>(result.shapes.size()), "shape", "shapes"));
  if (result.lines_left_out > 0) {
    text += fmt::format(" {} of further shapes are not listed.",
                        count_text(result.lines_left_out, "line", "lines"));
  }
  return text;
}

std::string place(const LintResult& result, const SourcePos& pos) {
  if (result.inputs.size() < 2) return fmt::format("{}", pos.line);
  return fmt::format("{}:{}", pos.file + 1, pos.line);
}

std::string left_out(std::size_t shapes) {
  return fmt::format("… and {}: --top 0 shows all",
                     count_text(static_cast<std::uint64_t>(shapes), "more shape", "more shapes"));
}

std::size_t shown(const LintResult& result, const LintView& view) {
  const std::size_t all = result.shapes.size();
  return view.top == 0 ? all : std::min(view.top, all);
}

std::string sample_of(const LineShape& shape) {
  return elide_middle(visible(shape.sample), kSampleWidth);
}

std::string lint_lines(const LintResult& result, const LintView& view, const std::string& version) {
  std::string out = visible("trtlens " + version + " lint-log: " + origin(result)) + "\n" +
                    coverage(result) + "\n" + summary(result) + "\n";
  if (view.samples) {
    for (const Input& input : result.inputs) out += "input " + visible(input.path) + "\n";
  }
  const std::size_t rows = shown(result, view);
  if (rows == 0) return out;
  std::size_t near = 4, where = 4;
  for (std::size_t i = 0; i < rows; ++i) {
    near = std::max(near, result.shapes[i].near.size());
    where = std::max(where, place(result, result.shapes[i].first).size());
  }
  out += fmt::format("\n{:>8}  {:9}  {:8}  {:>{}}  {:{}}  {}\n", "count", "class", "severity",
                     "line", where, "near", near, "shape");
  for (std::size_t i = 0; i < rows; ++i) {
    const LineShape& s = result.shapes[i];
    out += fmt::format("{:>8}  {:9}  {:8}  {:>{}}  {:{}}  {}\n", s.count, to_string(s.line_class),
                       to_string(s.severity), place(result, s.first), where,
                       s.near.empty() ? "-" : s.near, near, visible(s.shape));
    if (view.samples) out += fmt::format("{:>8}  {}\n", "|", sample_of(s));
  }
  if (rows < result.shapes.size()) out += left_out(result.shapes.size() - rows) + "\n";
  return out;
}

}  // namespace

const char* to_string(LogSeverity severity) {
  return name_of<LogSeverity::internal_error>(
      severity, {"unknown", "verbose", "info", "warning", "error", "error"});
}

const char* to_string(LineClass line_class) {
  return fact_of(line_class).name;
}

std::string lint_text(const LintResult& result, const LintView& view, const std::string& version) {
  return without_runner_commands(lint_lines(result, view, version));
}

std::string lint_markdown(const LintResult& result, const LintView& view,
                          const std::string& version) {
  std::string out =
      fmt::format("**trtlens {} lint-log**: {}\n\n{}\n\n{}\n", escape_markdown(version),
                  escape_markdown(origin(result)), escape_markdown(coverage(result)),
                  escape_markdown(summary(result)));
  if (view.samples) {
    for (const Input& input : result.inputs) out += "\n- " + markdown_code(input.path, false);
    out += "\n";
  }
  const std::size_t rows = shown(result, view);
  if (rows == 0) return out;
  const char* const sample_head = view.samples ? " Sample |" : "";
  const char* const sample_rule = view.samples ? " --- |" : "";
  out += fmt::format("\n| Count | Class | Severity | Line | Near | Shape |{}\n", sample_head);
  out += fmt::format("| ---: | --- | --- | ---: | --- | --- |{}\n", sample_rule);
  for (std::size_t i = 0; i < rows; ++i) {
    const LineShape& s = result.shapes[i];
    out += fmt::format("| {} | {} | {} | {} | {} | {} |", s.count, to_string(s.line_class),
                       to_string(s.severity), place(result, s.first), markdown_code(s.near, true),
                       markdown_code(s.shape, true));
    if (view.samples) out += " " + markdown_code(sample_of(s), true) + " |";
    out += "\n";
  }
  if (rows < result.shapes.size()) {
    out += "\n" + escape_markdown(left_out(result.shapes.size() - rows)) + "\n";
  }
  return out;
}

}  // namespace trtlens
