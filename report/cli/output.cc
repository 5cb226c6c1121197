// Picks the writer of every place that a report goes to, and prints complaints.
#include "report/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "parsers/input/file_id.h"
#include "report/cli/log_windows.h"
#include "report/cli/output_file.h"
#include "report/cli/output_width.h"
#include "report/cli/plots.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

// The name that GitLab's documentation gives to its code quality reports, which are JSON.
constexpr const char* kGitlabFile = "gl-code-quality-report.json";

constexpr const char* kMoreInReplies = "the same tool with the argument section";  // of `mcp`

bool wants_colour(const std::string& when, int fd) {
  if (when == "always") return true;
  if (when == "never") return false;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool is_dumb = term != nullptr && std::string_view(term) == "dumb";
  return (no_color == nullptr || *no_color == '\0') && !is_dumb && is_terminal(fd);
}

// What the environment says of who reads standard output, a pager behind a pipe, too; where it says
// nothing a terminal of today shows UTF-8.
bool wants_ascii() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = lower_case(value);
    return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
  }
  return false;
}

// Null when there is none.
const Writer* writer_of(const std::string& format) {
  for (const Writer* writer : all_writers()) {
    if (writer->name == format) return writer;
  }
  return nullptr;
}

// How a report looks where it goes.
struct Look {
  std::string format;
  WriterOptions options = {};
  std::string path = "-";               // Markdown: pictures are relative to it
  std::vector<std::string> plots = {};  // Markdown: files of its charts
};

void write(const Report& report, const Look& look, TextStream& out) {
  const Writer* writer = writer_of(look.format);
  if (writer == nullptr) return;
  if (writer->write_gate != nullptr) return writer->write_gate(report.gate(), TRTLENS_VERSION, out);
  if (writer == &writer_csv) return report.csv(out);
  if (writer->write == nullptr) return report.json(out);
  WriterOptions options = look.options;
  options.version = TRTLENS_VERSION;
  Document document = report.document();
  if (look.format == "html") add_log_windows(document);
  if (look.format == "markdown" || look.format == "step-summary") {
    name_plots(look.plots, look.path, document);
  }
  writer->write(document, options, out);
}

// 0 or errno.
int write_to(int fd, const Report& report, const Look& look) {
  return write_stream(fd, [&](TextStream& out) { write(report, look, out); });
}

bool same_file(const std::string& a, const std::string& b) {
  const auto id = file_id(a);
  return id && id == file_id(b);
}

bool write_to_file(const std::string& path, const Report& report, const Look& look) {
  OutputFile file;
  if (const int error = file.open(path); error != 0) {
    complain("cannot write " + path + ": " + std::strerror(error));
    return false;
  }
  int error = write_to(file.fd(), report, look);
  if (error == 0) error = file.commit();
  if (error != 0) complain(path + ": " + std::strerror(error));
  return error == 0;
}

std::string* kept_complaints = nullptr;  // of a KeptComplaints; null: they are printed

void print_to_stderr(const std::string& text) {
  const std::string line = without_runner_commands(visible(text) + "\n");
  if (kept_complaints != nullptr) {
    *kept_complaints += line;
    return;
  }
  (void)write_all(STDERR_FILENO, line.data(), line.size());
}

bool is_of(const Writer& writer, Formats formats) {
  if (&writer == &writer_csv) return formats == Formats::and_csv;
  return writer.write_gate == nullptr || formats != Formats::of_reports;
}

std::string format_of_path(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  if (name == kGitlabFile) return "gitlab";
  if (name.empty() && !path.empty()) return "html";  // a folder of pages
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return {};
  for (const Writer* writer : all_writers()) {
    if (writer->extension == name.substr(dot + 1)) return std::string(writer->name);
  }
  return {};
}

// `item` with the format or the extension that the one in it comes nearest to; "" where none does.
std::string nearest_place(const std::string& item) {
  const std::size_t colon = item.find(':');
  if (colon != std::string::npos) {
    const std::string near = nearest_name(item.substr(0, colon), format_names());
    if (!near.empty()) return near + item.substr(colon);
  }
  const std::size_t dot = item.find_last_of('.');
  if (dot == std::string::npos) return {};
  std::vector<std::string> extensions;
  for (const Writer* writer : all_writers()) {
    if (!writer->extension.empty()) extensions.emplace_back(writer->extension);
  }
  const std::string near = nearest_name(item.substr(dot + 1), extensions);
  return near.empty() ? near : item.substr(0, dot + 1) + near;
}

// To standard output or, where that carries the log, to standard error. `format` empty: text on a
// terminal, else Markdown.
bool write_to_output(const Report& report, const OutputOptions& options, std::string format,
                     const std::vector<std::string>& plots, StageTimes& times) {
  if (options.into != nullptr) {
    Look look{format};
    look.options.sections = options.sections;
    look.options.more = kMoreInReplies;
    *options.into += text_of([&](TextStream& text) { write(report, look, text); });
    return true;
  }
  const int fd = options.report_to_stderr ? STDERR_FILENO : STDOUT_FILENO;
  const bool terminal = is_terminal(fd);
  const bool is_of_text = terminal || options.full || !options.sections.empty();
  if (format.empty()) format = is_of_text ? "text" : "markdown";
  Look look{format};
  look.options.colour = wants_colour(options.color, fd);
  look.options.ascii = wants_ascii();
  look.options.width = static_cast<int>(output_width());
  look.options.full = options.full;
  look.options.sections = options.sections;
  look.plots = plots;
  if (format != "text" && !options.sections.empty()) {
    complain("--section is for text; the report in " + format + " is whole");
  }
  const int error = write_to(fd, report, look);
  if (error != 0 && fd == STDOUT_FILENO) {
    complain(std::string("standard output: ") + std::strerror(error));
  }
  times.end("render " + format);
  return error == 0;
}

// Why there is no such report; "": there is.
std::string lack_of(const Report& report, const OutputPlace& place) {
  if (place.path.ends_with('/') && !report.has_pages) {
    return "-o FOLDER/ has a page a build: only analyze writes it";
  }
  const Writer* writer = writer_of(place.format);
  if (writer == nullptr) return {};
  if (writer == &writer_csv && !report.csv) return "csv has a row a build: only analyze writes it";
  const bool lacks_gate = writer->write_gate != nullptr && !report.gate;
  return lacks_gate ? place.format + " is a format of analyze, compare, check and history show"
                    : "";
}

// Says what it lacks.
bool can_write(const Report& report, const OutputOptions& options) {
  std::vector<OutputPlace> places = {{"-", options.format}};
  for (const std::string& item : options.files) places.push_back(output_place(item));
  for (const OutputPlace& place : places) {
    const std::string lack = lack_of(report, place);
    if (lack.empty()) continue;
    complain(lack);
    return false;
  }
  return true;
}

}  // namespace

KeptComplaints::KeptComplaints() {
  kept_complaints = &lines_;
}
KeptComplaints::~KeptComplaints() {
  kept_complaints = nullptr;
}

bool overwrites_input(const OutputOptions& options, const std::vector<Input>& inputs) {
  for (const std::string& item : options.files) {
    const std::string path = output_place(item).path;
    for (const Input& input : inputs) {
      if (input.kind == InputKind::unknown || !same_file(path, input.file)) continue;
      complain("-o " + path + " would overwrite an input");
      return true;
    }
  }
  return false;
}

std::vector<std::string> format_names(Formats of) {
  std::vector<std::string> names;
  for (const Writer* writer : all_writers()) {
    if (is_of(*writer, of)) names.emplace_back(writer->name);
  }
  return names;
}

std::string format_extensions(Formats of) {
  std::vector<std::string> all;
  for (const Writer* writer : all_writers()) {
    if (!writer->extension.empty() && is_of(*writer, of))
      all.push_back("." + std::string(writer->extension));
  }
  std::sort(all.begin(), all.end());
  return join(all, " ");
}

std::string format_of_name(const std::string& name) {
  if (name == "md") return "markdown";
  if (name == "txt") return "text";
  return writer_of(name) != nullptr ? name : std::string();
}

OutputPlace output_place(const std::string& item) {
  const std::size_t colon = item.find(':');
  if (colon != std::string::npos && colon + 1 < item.size()) {
    const std::string format = format_of_name(item.substr(0, colon));
    if (!format.empty()) return {item.substr(colon + 1), format};
  }
  return {item, format_of_path(item)};
}

std::string place_problem(const std::string& item) {
  if (!output_place(item).format.empty()) return {};
  if (item == "-") return "standard output: its format stands before it, such as html:-";
  const std::string near = nearest_place(item);
  return "'" + item + "': the extension names no format (" + format_extensions() + ")" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

bool write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno == EPIPE;
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool write_report(const Report& report, const OutputOptions& options, StageTimes& times) {
  if (!can_write(report, options)) return false;
  bool good = true;
  std::vector<std::string> plots;
  if (!options.plots.empty()) {
    auto drawn = write_plots(report.document(), options.plots, options.quiet);
    good = drawn.has_value();
    plots = std::move(drawn).value_or(std::vector<std::string>());
  }
  for (const std::string& item : options.files) {
    const auto [path, format] = output_place(item);
    if (path == "-") {
      good = write_to_output(report, options, format, plots, times) && good;
      continue;
    }
    const std::string file = path.ends_with('/') ? path + "index.html" : path;
    Look look{format};
    look.options.full = true;
    look.path = file;
    look.plots = plots;
    const bool written = write_to_file(file, report, look);
    good = good && written;
    times.end("render " + file);
    if (written && !options.quiet) complain("wrote " + file);
  }
  if (options.files.empty() || !options.format.empty()) {
    good = write_to_output(report, options, options.format, plots, times) && good;
  }
  return good;
}

bool write_page(const std::string& path, const std::function<Document()>& document) {
  Report report;
  report.document = document;
  return write_to_file(path, report, Look{"html"});
}

bool print(const std::string& text) {
  if (write_all(STDOUT_FILENO, text.data(), text.size())) return true;
  complain(std::string("standard output: ") + std::strerror(errno));
  return false;
}

void complain(const std::string& text) {
  print_to_stderr("trtlens: " + text);
}

void print_diagnostics(const std::vector<Diagnostic>& diagnostics, bool quiet) {
  std::vector<Diagnostic> shown = diagnostics;
  if (quiet) {
    std::erase_if(shown,
                  [](const Diagnostic& d) { return d.severity == DiagnosticSeverity::note; });
  }
  const DiagnosticLines lines = diagnostic_lines(shown);
  for (const std::string& text : lines.shown) print_to_stderr(text);
  for (const std::string& text : lines.more) complain("… " + text);
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

}  // namespace trtlens
