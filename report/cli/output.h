// Where reports go: files by extension, standard output by format. Knows terminals and pipes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "parsers/parse.h"
#include "report/cli/timing.h"
#include "report/document/document.h"
#include "report/formats/gates/gate_report.h"
#include "report/formats/text_stream.h"

namespace trtlens {

struct OutputOptions {
  std::vector<std::string> files;     // -o: a path, or FORMAT:PATH
  std::string format;                 // --format; empty: by what standard output is
  std::string plots;                  // --plots: a folder, or FORMAT:FOLDER; "": none
  std::string color = "auto";         // auto, always, never
  bool full = false;                  // --full, of text
  std::vector<std::string> sections;  // --section, of text
  bool quiet = false;
  bool timing = false;
  std::shared_ptr<Redactor> redactor;  // --redact; null: names stay
  bool report_to_stderr = false;       // --tee: standard output carries the log
  std::string* into = nullptr;         // `mcp`: the report, in place of standard output
};

// A report in every format: `document` for text, Markdown and HTML, `json` for JSON, `csv` for a
// row a build, `gate` for the formats of gates.
struct Report {
  std::function<Document()> document;
  std::function<void(TextStream&)> json;
  std::function<void(TextStream&)> csv;  // null: there is none
  bool has_pages = false;                // of -o FOLDER/
  std::function<GateReport()> gate;      // null: there is none
};

// Which formats a command has: those of reports; of gates, too; also CSV, with a row a build.
enum class Formats : std::uint8_t { of_reports, and_gates, and_csv };
// Their names, for messages: "html, json, markdown, text".
[[nodiscard]] std::vector<std::string> format_names(Formats of = Formats::and_csv);
// The format that `name` or the extension of a path stands for; "" when there is none.
[[nodiscard]] std::string format_of_name(const std::string& name);

// What an item of -o says: FORMAT:PATH, else a path whose extension names the format; FOLDER/ is
// for pages of HTML.
struct OutputPlace {
  std::string path, format;  // format: "" when there is none
};
[[nodiscard]] OutputPlace output_place(const std::string& item);
// Of an item that names no format; else "".
[[nodiscard]] std::string place_problem(const std::string& item);
// Extensions that name a format, for messages: ".html .json .md".
[[nodiscard]] std::string format_extensions(Formats of = Formats::and_csv);

// Whether a file of -o is one that was read; says so.
[[nodiscard]] bool overwrites_input(const OutputOptions& options, const std::vector<Input>& inputs);

// Writes the report to all its places; false after an error, which is printed.
[[nodiscard]] bool write_report(const Report& report, const OutputOptions& options,
                                StageTimes& times);

// One more page of HTML; false after an error, which is printed.
[[nodiscard]] bool write_page(const std::string& path, const std::function<Document()>& document);

// "trtlens: text" on standard error.
void complain(const std::string& text);
// As long as it lives, what would be said on standard error is kept here: `mcp` answers with it.
class KeptComplaints {
 public:
  KeptComplaints();
  ~KeptComplaints();
  KeptComplaints(const KeptComplaints&) = delete;
  KeptComplaints& operator=(const KeptComplaints&) = delete;
  [[nodiscard]] const std::string& lines() const { return lines_; }

 private:
  std::string lines_;
};
// Diagnostics on standard error: the first five of each id, then how many more. `quiet`: no notes.
void print_diagnostics(const std::vector<Diagnostic>& diagnostics, bool quiet = false);

[[nodiscard]] bool is_terminal(int fd);

// Writes `text` to standard output; false after an error, which is printed.
[[nodiscard]] bool print(const std::string& text);

// Writes all bytes; a reader that went away is no error. False for any other failure.
[[nodiscard]] bool write_all(int fd, const char* data, std::size_t size);

}  // namespace trtlens
