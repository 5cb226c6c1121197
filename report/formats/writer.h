// What a report format is. To add one: a Writer in report/formats/, named in writers.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/document/document.h"
#include "report/formats/text_stream.h"

namespace trtlens {

struct WriterOptions {
  bool colour = false;  // text: ANSI colours
  int width = 100;      // text: columns of the terminal
  bool plots = true;    // HTML: charts drawn by gnuplot; without it, bar lists
  std::string version;  // of trtlens, for the footer
};

struct Writer {
  std::string_view name;       // as in --format
  std::string_view extension;  // as in -o FILE, without the dot; "" when only a name picks it
  void (*write)(const Document& document, const WriterOptions& options, TextStream& out);
};

extern const Writer writer_text;
extern const Writer writer_markdown;
extern const Writer writer_html;
extern const Writer writer_step_summary;

// The formats made from a Document, sorted by name.
[[nodiscard]] const std::vector<const Writer*>& document_writers();

}  // namespace trtlens
