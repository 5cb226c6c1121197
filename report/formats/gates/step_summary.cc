// The Markdown report for GitHub's step summary, which drops what is longer than a megabyte as a
// whole.
#include <string>

#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kMost = 1000000;
constexpr std::string_view kNotice =
    "\n\n**This summary was cut: GitHub shows a megabyte at most. `trtlens … -o report.md` has it "
    "all.**\n";
constexpr std::string_view kClosed = "\n</details>\n";

std::size_t count_of(std::string_view text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++n;
  return n;
}

// The beginning of a report that was too long: whole lines, with nothing left open in which the
// notice would be hidden.
std::string cut(std::string_view head) {
  head = head.substr(0, kMost - kNotice.size() - kClosed.size());
  std::string text(head.substr(0, head.rfind('\n') + 1));
  if (count_of(text, "\n<details>") > count_of(text, "\n</details>")) text += kClosed;
  return text.append(kNotice);
}

void write_step_summary(const Document& document, const WriterOptions& options, TextStream& out) {
  std::string head;
  TextStream first([&](std::string_view piece) {
    if (head.size() <= kMost) head += piece;
  });
  writer_markdown.write(document, options, first);
  first.flush();
  if (head.size() <= kMost) {
    out += head;
  } else {
    out += cut(head);
  }
}

}  // namespace

const Writer writer_step_summary{"step-summary", "", write_step_summary};

}  // namespace trtlens
