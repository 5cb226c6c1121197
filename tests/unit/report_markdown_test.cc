// The Markdown report: escaping, tables, folding.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "report/formats/escape.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_markdown_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string markdown_of(const Analysis& a) {
  return render(writer_markdown, build_document(a, 10), WriterOptions());
}

std::size_t cells_of(const std::string& line) {
  std::size_t bars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '|') {
      ++bars;
    }
  }
  return bars;
}

// Code spans removed as a Markdown reader would: the next run of as many backquotes ends a span.
std::string without_code(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      out += line.substr(i, 2);
      i += 2;
      continue;
    }
    if (line[i] != '`') {
      out += line[i++];
      continue;
    }
    const std::size_t run = line.find_first_not_of('`', i) == std::string::npos
                                ? line.size() - i
                                : line.find_first_not_of('`', i) - i;
    std::size_t end = i + run;
    for (;;) {
      end = line.find('`', end);
      if (end == std::string::npos) return out + "UNCLOSED";
      std::size_t stop = line.find_first_not_of('`', end);
      if (stop == std::string::npos) stop = line.size();
      if (stop - end == run) {
        i = stop;
        break;
      }
      end = stop;
    }
  }
  return out;
}

TEST(Markdown, EveryRowOfATableHasTheSameNumberOfCells) {
  for (const Analysis& a : {sample::healthy(39), sample::hostile(), sample::failed()}) {
    std::istringstream stream(markdown_of(a));
    std::size_t cells = 0;
    std::size_t rows = 0;
    for (std::string line; std::getline(stream, line);) {
      if (line.empty() || line[0] != '|') {
        cells = 0;
        continue;
      }
      if (cells == 0) cells = cells_of(line);
      EXPECT_EQ(cells_of(line), cells) << line;
      ++rows;
    }
    EXPECT_GT(rows, 10U);
  }
}

TEST(Markdown, NothingOfTheInputIsMarkup) {
  const std::string text = markdown_of(sample::hostile());
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::string prose = std::regex_replace(without_code(line), std::regex("<br>"), "");
    EXPECT_THAT(prose, Not(HasSubstr("UNCLOSED"))) << line;
    EXPECT_EQ(prose.find('<'), std::string::npos) << line;
    EXPECT_THAT(prose, Not(HasSubstr("@nvidia"))) << line;
    EXPECT_FALSE(std::regex_search(prose, std::regex("[^\\\\]\\]\\("))) << line;  // no link
  }
  EXPECT_EQ(visible(text, true), text);
}

TEST(Markdown, HeadlineAndFindingsAreThere) {
  const std::string text = markdown_of(sample::healthy(39));
  EXPECT_EQ(text.rfind("# `p_r18`: Passed\n", 0), 0U);
  EXPECT_THAT(text, HasSubstr("| **How fast** | **0.527 ms** — per query"));
  EXPECT_THAT(text, HasSubstr("### 1. major: Three convolutions run in TF32"));
  EXPECT_THAT(text, HasSubstr("  - `p_r18/build.log:725`: `[W] [TRT] Missing scale"));
  EXPECT_THAT(text, HasSubstr("  1. Recalibrate after deleting the stale cache r18.cache\n"));
  EXPECT_THAT(text, HasSubstr("\n… and 29 more\n"));
  EXPECT_LT(text.size(), 65536U);  // the limit of a GitHub comment
}

// Every number of a shown table stands in every format as the Document spells it.
TEST(Markdown, AgreesWithTheOtherFormats) {
  const Analysis of_document = sample::healthy(39);
  const Document document = build_document(of_document, 10);
  WriterOptions options;
  options.plots = false;
  options.full = true;
  std::size_t compared = 0;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      const Table* table = std::get_if<Table>(&block);
      if (table == nullptr) continue;
      const std::size_t shown = table->shown == 0 ? table->rows.size() : table->shown;
      for (std::size_t r = 0; r < std::min(shown, table->rows.size()); ++r) {
        for (const Cell& cell : table->rows[r]) {
          if (!cell.value) continue;
          for (const Writer* writer :
               {&writer_html, &writer_markdown, &writer_step_summary, &writer_text}) {
            const std::string text = render(*writer, document, options);
            ASSERT_THAT(text,
                        HasSubstr(writer == &writer_html ? escape_html(cell.text) : cell.text))
                << writer->name;
          }
          if (++compared > 60) return;
        }
      }
    }
  }
}

TEST(Writers, AreSortedAndNamed) {
  std::vector<std::string> names;
  for (const Writer* writer : all_writers()) {
    names.push_back(fmt::format("{} .{}", writer->name, writer->extension));
  }
  EXPECT_THAT(names,
              ::testing::ElementsAre("baseline .baseline", "github .", "gitlab .", "html .html",
                                     "json .json", "junit .xml", "markdown .md", "sarif .sarif",
                                     "step-summary .", "text .txt"));
}

}  // namespace
}  // namespace trtlens::report_markdown_test
