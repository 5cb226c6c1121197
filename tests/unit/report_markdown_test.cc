// The Markdown report: escaping, tables, folding.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "report/document/paths.h"
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
    std::string prose =
        std::regex_replace(without_code(line), std::regex("<br>|</?(details|summary)>"), "");
    EXPECT_THAT(prose, Not(HasSubstr("UNCLOSED"))) << line;
    EXPECT_FALSE(std::regex_search(prose, std::regex("<([A-Za-z/!?]|$)"))) << line;  // no tag
    EXPECT_THAT(prose, Not(HasSubstr("@nvidia"))) << line;
    EXPECT_FALSE(std::regex_search(prose, std::regex("[^\\\\]\\]\\("))) << line;  // no link
  }
  EXPECT_EQ(visible(text, true), text);
}

TEST(Markdown, TheFirstScreenThenTheRestFolded) {
  const std::string text = markdown_of(sample::healthy(39));
  EXPECT_EQ(text.rfind("# `p_r18`: Passed, 1 major, 13 minor\n"
                       "**0.527 ms per query (GPU compute, median of 3000, p99 0.538 ms)** · ",
                       0),
            0U);
  EXPECT_THAT(
      text,
      HasSubstr(
          "\n- **FP32 fallbacks**: 7 convolutions and GEMMs in FP32 or TF32, 0.369 ms (52 %), "
          "conversions not counted: "));
  EXPECT_THAT(text, HasSubstr("\n- **Scales**: 2 tensors have none, 1 of which matters"));
  EXPECT_THAT(text, HasSubstr("\n| 1 | major | Three convolutions run in TF32 "));
  EXPECT_THAT(text, HasSubstr("\n| | | and 10 more: see Findings | | | |\n"));
  EXPECT_THAT(text, HasSubstr("\n| | 34 more | "));
  EXPECT_THAT(text, HasSubstr("\n<details>\n<summary>Findings</summary>\n\n### 1. major: Three "));
  EXPECT_THAT(text, HasSubstr("  - `p_r18/build.log:725`: `[W] [TRT] Missing scale"));
  EXPECT_THAT(text, HasSubstr("  1. Recalibrate after deleting the stale cache r18.cache\n"));
  EXPECT_THAT(text, HasSubstr("\n… and 29 more\n"));
  EXPECT_THAT(text, Not(HasSubstr("Left out")));
}

TEST(Markdown, AFailureBeginsWithItsCause) {
  const std::string text = markdown_of(sample::failed());
  EXPECT_EQ(text.rfind("# `p_r18`: Build failed\n\n**No INT8 implementation for a grouped ", 0),
            0U);
  EXPECT_THAT(text, HasSubstr("\n1. Pad to 8 channels per group\n2. Take the Q/DQ off"));
  EXPECT_THAT(text, HasSubstr("\n> `p_r18/build.log:1420`\\\n> `[E] Error[10]: "));
  EXPECT_THAT(text.substr(0, text.find("<details>")), Not(HasSubstr("unknown")));
}

std::size_t lines_before_folds(const std::string& text) {
  const std::string_view screen = std::string_view(text).substr(0, text.find("\n<details>"));
  return static_cast<std::size_t>(std::count(screen.begin(), screen.end(), '\n'));
}

// With warnings, many findings and layers, and a failure with a long quotation.
TEST(Markdown, TheFirstScreenHas25LinesAtMost) {
  Analysis warned = sample::healthy(140);
  OutputValues nan;
  nan.tensor.name = "out";
  nan.count = nan.nan = 4;
  warned.build.outputs = {nan};
  Analysis failed = sample::failed();
  failed.findings[0].remedies.assign(6, "Do this");
  failed.findings[0].evidence[0].text = "a\nb\nc\nd\ne\nf";
  for (std::size_t n = 0; n < 9; ++n) {
    failed.findings.push_back(sample::small_finding(n, Severity::minor));
  }
  for (const Analysis& a : {sample::healthy(39), sample::hostile(), sample::failed(), warned,
                            failed, sample::names_only()}) {
    const std::string text = markdown_of(a);
    EXPECT_LE(lines_before_folds(text), 25U) << text.substr(0, 3000);
    EXPECT_GE(lines_before_folds(text), 4U) << text.substr(0, 3000);
  }
  EXPECT_THAT(markdown_of(warned), HasSubstr("\n- **Every value of out is NaN"));
}

TEST(Markdown, TablesHaveSixColumnsAtMostAndLoseNothing) {
  Table table;
  table.columns = {{"A", ColumnKind::number}, {"Name", ColumnKind::name},
                   {"B", ColumnKind::number}, {"C", ColumnKind::label},
                   {"D", ColumnKind::number}, {"E", ColumnKind::share},
                   {"F", ColumnKind::text},   {"G", ColumnKind::text, true}};
  table.rows = {
      {{"1", {}}, {"n", {}}, {"2", {}}, {"3", {}}, {"4", {}}, {"5", {}}, {"6", {}}, {"7", {}}},
      {{"1", {}}, {"n", {}}, {"2", {}}, {"3", {}}, {"4", {}}, {"5", {}}, {"", {}}, {"", {}}}};
  Document document;
  document.sections = {{"a", "First", {table}}};
  EXPECT_THAT(render(writer_markdown, document, WriterOptions()),
              HasSubstr("| A | Name | B | C | D | E |\n"
                        "| ---: | --- | ---: | --- | ---: | ---: |\n"
                        "| 1 | `n`<br>F 6 · G 7 | 2 | 3 | 4 | 5 |\n"
                        "| 1 | `n` | 2 | 3 | 4 | 5 |\n"));
  std::istringstream stream(markdown_of(sample::healthy(39)));
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] != '|') continue;
    EXPECT_LE(cells_of(line), 7U) << line;
  }
}

TEST(Markdown, WordsThatCannotWrapAreElided) {
  Table table;
  table.columns = {{"Name", ColumnKind::name}};
  table.rows = {{{"short + " + std::string(100, 'x') + "END", {}}}};
  Document document;
  document.sections = {{"a", "First", {table}}};
  const std::string text = render(writer_markdown, document, WriterOptions());
  EXPECT_THAT(text, HasSubstr("`short + xxx"));
  EXPECT_THAT(text, HasSubstr("…"));
  EXPECT_THAT(text, HasSubstr("xEND`"));
}

// Lists of `bytes` in sections of their own.
Document long_document(std::size_t sections, std::size_t bytes) {
  Document document;
  document.title = "t";
  for (std::size_t n = 0; n < sections; ++n) {
    List list{"Items", {}};
    for (std::size_t at = 0; at < bytes; at += 100) list.items.push_back(std::string(97, 'a'));
    document.sections.push_back({"s", fmt::format("Section {}", n), {list}});
  }
  return document;
}

TEST(Markdown, WhatDoesNotFitIsLeftOutAndNamed) {
  const std::string text = render(writer_markdown, long_document(4, 20000), WriterOptions());
  EXPECT_LE(text.size(), 65536U);
  EXPECT_GT(text.size(), 60000U);
  EXPECT_THAT(text, HasSubstr("<summary>Section 2</summary>"));
  EXPECT_THAT(text,
              ::testing::EndsWith(
                  "\n</details>\n\n**Left out**, because GitHub takes 65,536 characters here: "
                  "Section 3. `-o report.html` shows all of it, `--format step-summary` up to "
                  "a megabyte.\n"));
  // A small one behind a large one stays.
  Document mixed = long_document(1, 70000);
  mixed.sections.push_back(long_document(2, 100).sections[1]);
  const std::string rest = render(writer_markdown, mixed, WriterOptions());
  EXPECT_THAT(rest, Not(HasSubstr("<summary>Section 0")));
  EXPECT_THAT(rest, HasSubstr("<summary>Section 1</summary>"));
  // Findings are cut behind one of them.
  Document findings = long_document(1, 70000);
  findings.sections[0].id = "findings";
  const std::string cut = render(writer_markdown, findings, WriterOptions());
  EXPECT_LE(cut.size(), 65536U);
  EXPECT_GT(cut.size(), 60000U);
  EXPECT_THAT(cut, ::testing::ContainsRegex("a\n\n… and [0-9]+ more\n\n</details>\n\n\\*\\*Left"));
  EXPECT_THAT(cut, HasSubstr("characters here: the rest of Section 0."));
  // So is a table of builds, which is not folded.
  findings.sections[0].id = "builds";
  const std::string builds = render(writer_markdown, findings, WriterOptions());
  EXPECT_GT(builds.size(), 60000U);
  EXPECT_THAT(builds, HasSubstr("\n## Section 0\n"));
  EXPECT_THAT(builds, HasSubstr("characters here: the rest of Section 0."));
  // A finding is left out whole.
  Document cards = long_document(0, 0);
  cards.sections.push_back({"findings", "Findings", {}});
  for (std::size_t n = 1; n <= 5; ++n) {
    FindingCard card;
    card.number = n;
    card.why = std::string(20000, 'y');
    cards.sections[0].add(card);
  }
  const std::string three = render(writer_markdown, cards, WriterOptions());
  EXPECT_THAT(three, HasSubstr("y\n\n… and 2 more\n\n</details>"));
  EXPECT_THAT(three, HasSubstr("characters here: the rest of Findings."));
}

TEST(StepSummary, EverySectionHasItsPart) {
  Document document = long_document(2, 100);
  Table table;
  table.title = "Rows";
  table.columns = {{"Name", ColumnKind::name}, {"ms", ColumnKind::number}};
  for (int i = 0; i < 60000; ++i) {
    table.rows.push_back({{fmt::format("layer {}", i), {}}, {"0.1", {}}});
  }
  document.sections.insert(document.sections.begin(), Section{"layers", "Layers", {table}});
  document.sections.push_back({"tactics", "Tactics", {table, Paragraph{"Behind", Tone::plain}}});
  const std::string text = render(writer_step_summary, document, WriterOptions());
  EXPECT_LE(text.size(), 1000000U);
  EXPECT_GT(text.size(), 990000U);
  for (const char* title : {"Layers", "Section 0", "Section 1", "Tactics"}) {
    EXPECT_THAT(text, HasSubstr(fmt::format("<summary>{}</summary>", title)));
  }
  // As many rows as say so, and both tables as many but for a few bytes.
  const std::size_t last = text.rfind("\n… and ");
  const std::size_t left_out = std::stoul(text.substr(last + std::string("\n… and ").size()));
  EXPECT_THAT(text.substr(0, last),
              ::testing::EndsWith(fmt::format("| `layer {}` | 0.1 |\n", 60000 - left_out - 1)));
  const std::size_t first = text.find("\n… and ");
  ASSERT_NE(first, last);
  EXPECT_NEAR(std::stod(text.substr(first + std::string("\n… and ").size())),
              static_cast<double>(left_out), 100);
  EXPECT_THAT(text, Not(HasSubstr("Behind")));
  EXPECT_THAT(text, HasSubstr("here: the rest of Layers; the rest of Tactics. `-o report.html`"));
}

TEST(StepSummary, IsLongerAndShowsFindingsAtOnce) {
  const Analysis analysis = sample::healthy(39);
  const Document document = build_document(analysis, 10);
  const std::string text = render(writer_step_summary, document, WriterOptions());
  EXPECT_THAT(text, HasSubstr("\n## Findings\n\n### 1. major: Three "));
  EXPECT_NE(text, render(writer_markdown, document, WriterOptions()));
  const std::string whole = render(writer_step_summary, long_document(4, 20000), WriterOptions());
  EXPECT_THAT(whole, HasSubstr("<summary>Section 3</summary>"));
  const std::string cut = render(writer_step_summary, long_document(4, 300000), WriterOptions());
  EXPECT_LE(cut.size(), 1000000U);
  EXPECT_THAT(cut, HasSubstr("takes a megabyte here: the rest of Section 0; the rest of"));
}

TEST(Markdown, NoPathIsAbsolute) {
  Analysis a = sample::healthy(39);
  a.name = "/home/me/ci/p_r18";
  sample::change_reading(a, [](Reading& reading) {
    for (Input& input : reading.inputs) input.path = "/home/me/ci/" + input.path;
  });
  a.findings[0].evidence[0].file = std::string("/home/me/ci/p_r18/build.log");
  a.build.command =
      "/usr/bin/trtexec --onnx=/models/of/me/m.onnx --layerPrecisions=/conv1/Conv:fp16";
  a.build.commands = {a.build.command};
  a.findings[0].next_check = a.build.command;
  // As evidence_commands.cc names the files of a second run.
  a.findings[1].next_check =
      "`trtexec --onnx=/models/of/me/m.onnx --saveEngine=/home/me/after_m.engine`";
  for (const Writer* writer : {&writer_markdown, &writer_step_summary}) {
    const std::string text = render(*writer, build_document(a, 10), WriterOptions());
    EXPECT_EQ(text.rfind("# `p_r18`: ", 0), 0U);
    EXPECT_THAT(text, HasSubstr("`p_r18/build.log:725`"));
    EXPECT_THAT(text, HasSubstr("trtexec --onnx=m.onnx --layerPrecisions=/conv1/Conv:fp16"));
    EXPECT_THAT(text, HasSubstr("`trtexec --onnx=m.onnx --saveEngine=after_m.engine`"));
    for (const char* gone : {"/home", "/usr", "/models"}) EXPECT_THAT(text, Not(HasSubstr(gone)));
  }
}

TEST(ShortName, OfADirectoryItselfOfAFileWithItsFolder) {
  const auto shown = [](const std::string& name, const std::string& input) {
    Analysis a = sample::names_only();
    a.name = name;
    sample::change_reading(a, [&](Reading& reading) {
      reading.inputs.resize(1);
      reading.inputs[0].path = input;
    });
    return short_name(a);
  };
  EXPECT_EQ(shown("/a/b/c", "/a/b/c/build.log"), "c");
  EXPECT_EQ(shown("/a/b/c/build.log", "/a/b/c/build.log"), "c/build.log");
  EXPECT_EQ(shown("build.log", "build.log"), "build.log");
  EXPECT_EQ(shown("/build.log", "/build.log"), "/build.log");
  EXPECT_EQ(shown("a.log,b.log", "x/a.log"), "a.log,b.log");
}

TEST(ShortPaths, KeepTheFileAndItsFolder) {
  const auto shown = [](std::vector<std::string> inputs, const std::string& text) {
    Analysis a = sample::names_only();
    sample::change_reading(a, [&](Reading& reading) {
      reading.inputs.clear();
      for (std::string& path : inputs) {
        reading.inputs.emplace_back();
        reading.inputs.back().path = std::move(path);
      }
    });
    return with_short_paths(text, short_paths({&a}));
  };
  EXPECT_EQ(shown({"/a/b/x.log"}, "/a/b/x.log:1, /a/b/y"), "b/x.log:1, b/y");
  EXPECT_EQ(shown({"/a/b/x.log", "/a/c/y.log"}, "/a/b/x.log /a/c/y.log /a"), "b/x.log c/y.log /a");
  EXPECT_EQ(shown({"/x.log", "/a/y.log"}, "/x.log:1 /a/y.log (/a) /xy /ab /a/b"),
            "x.log:1 a/y.log (a) /xy /ab a/b");
  EXPECT_EQ(shown({"b/x.log"}, "/a/b/x.log"), "/a/b/x.log");
  EXPECT_EQ(shown({}, "--saveEngine=/a/b/x.plan --loadInputs=x:/a/x.bin,y:/a/y.bin,z:z.bin, /a/b"),
            "--saveEngine=x.plan --loadInputs=x:x.bin,y:y.bin,z:z.bin, /a/b");
  EXPECT_EQ(shown({}, "`--onnx=\"/a/m.onnx\" --tempdir=/tmp/` --onnx=a/b --onnx=/ --onnx= --onnx"),
            "`--onnx=\"m.onnx\" --tempdir=tmp/` --onnx=a/b --onnx=/ --onnx= --onnx");
  EXPECT_EQ(shown({}, "--tuningResultFile=/tmp/t.json"), "--tuningResultFile=t.json");
  EXPECT_EQ(shown({}, "--layerPrecisions=/a/Conv:fp16 --x--onnx=/a/b"),
            "--layerPrecisions=/a/Conv:fp16 --x--onnx=b");
  EXPECT_EQ(shown({"/a/b/x.log"}, "c/a/b/x.log z/a/b"), "c/a/b/x.log z/a/b");
  // A drive is no input's name: neither is the path torn nor another text that holds it.
  EXPECT_EQ(shown({}, "--onnx=C:/a/m.onnx --loadInputs=C:/a/x.bin"),
            "--onnx=C:/a/m.onnx --loadInputs=C:x.bin");
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
  EXPECT_THAT(
      names, ::testing::ElementsAre("baseline .baseline", "brief .", "csv .csv", "github .",
                                    "gitlab .", "html .html", "json .json", "junit .xml",
                                    "markdown .md", "sarif .sarif", "step-summary .", "text .txt"));
}

}  // namespace
}  // namespace trtlens::report_markdown_test
