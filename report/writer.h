// What a report format is. To add one: a Writer in report/writers/, named in writers.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/document.h"

namespace trtlens {

struct WriterOptions {
  bool colour = false;  // text: ANSI colours
  int width = 100;      // text: columns of the terminal
  bool plots = true;    // HTML: charts drawn by gnuplot; without it, bar lists
  std::string version;  // of trtlens, for the footer
};

struct Writer {
  std::string_view name;       // as in --format
  std::string_view extension;  // as in -o FILE, without the dot
  std::string (*write)(const Document& document, const WriterOptions& options);
};

extern const Writer writer_text;
extern const Writer writer_markdown;
extern const Writer writer_html;

// The formats made from a Document, sorted by name.
[[nodiscard]] const std::vector<const Writer*>& document_writers();

}  // namespace trtlens
