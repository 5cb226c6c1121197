// What a report format is. To add one: a Writer in report/formats/, named in writers.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/document/document.h"
#include "report/formats/gates/gate_report.h"
#include "report/formats/text_stream.h"

namespace trtlens {

struct WriterOptions {
  bool colour = false;                // text: ANSI colours
  bool ascii = false;                 // text: for a terminal that does not show UTF-8
  int width = 100;                    // text: columns of the terminal
  bool full = false;                  // text: all sections, not the first screen
  std::vector<std::string> sections;  // text: these alone, by id
  // brief: how to ask for a section
  std::string more = "--format text --section NAME";
  bool plots = true;    // HTML: charts drawn by gnuplot; without it, bar lists
  std::string version;  // of trtlens, for the footer
};

struct Writer {
  std::string_view name;       // as in --format
  std::string_view extension;  // as in -o FILE, without the dot; "" when only a name picks it
  // What it is made from: a Document or, as the formats of gates are, a GateReport. Neither: JSON
  // and CSV.
  void (*write)(const Document& document, const WriterOptions& options, TextStream& out) = nullptr;
  void (*write_gate)(const GateReport& report, const std::string& version,
                     TextStream& out) = nullptr;
};

extern const Writer writer_baseline;
extern const Writer writer_brief;
extern const Writer writer_csv;
extern const Writer writer_github;
extern const Writer writer_gitlab;
extern const Writer writer_html;
extern const Writer writer_json;
extern const Writer writer_junit;
extern const Writer writer_markdown;
extern const Writer writer_sarif;
extern const Writer writer_step_summary;
extern const Writer writer_text;

// Of a brief, its last line with it.
inline constexpr std::size_t kMostBriefBytes = 4096;

// All of them, sorted by name.
[[nodiscard]] const std::vector<const Writer*>& all_writers();

}  // namespace trtlens
