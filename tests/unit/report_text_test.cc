// The text report at several widths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "report/formats/escape.h"
#include "report/formats/text/table.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_text_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const Analysis& a, int width = 100, bool colour = false) {
  WriterOptions options;
  options.full = true;
  options.width = width;
  options.colour = colour;
  return render(writer_text, build_document(a, 10), options);
}

std::string table_text(const Table& table, std::size_t width) {
  return trtlens::text_of([&](TextStream& out) { text_table(table, width, Ink{}, out); });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Up to 24 bytes an answer is a number or a word, with its unit behind it; a sentence stands alone.
TEST(Text, AShortAnswerHasItsUnitBesideIt) {
  const auto answered = [](const std::string& value) {
    Document document;
    Tile tile;
    tile.label = "How";
    tile.value = value;
    tile.unit = "per query";
    document.tiles = {tile};
    return render(writer_text, document, {});
  };
  EXPECT_THAT(answered(std::string(24, 'x')), HasSubstr(std::string(24, 'x') + " — per query"));
  EXPECT_THAT(answered(std::string(25, 'x')), Not(HasSubstr("x — per query")));
}

TEST(Text, ATraceIsALineOfItsHighestPoints) {
  Chart chart;
  chart.kind = ChartKind::trace;
  chart.title = "Trace";
  chart.alt = "Seen.";
  const auto drawn = [&chart](std::vector<double> times, int width) {
    chart.points.clear();
    for (const double ms : times) chart.points.push_back({0, ms});
    Document document;
    document.sections.push_back({"time", "Time", {chart}});
    WriterOptions options;
    options.full = true;
    options.width = width;
    const std::vector<std::string> lines = lines_of(render(writer_text, document, options));
    const auto title = std::find(lines.begin(), lines.end(), "Trace");
    return title == lines.end() ? std::string() : *(title + 1);
  };
  EXPECT_EQ(drawn({0, 1, 2, 3, 4, 5, 6, 7}, 100), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(drawn({0, 0}, 100), "▁▁");
  std::vector<double> many(200, 1);
  many[3] = 7;
  EXPECT_EQ(drawn(many, 100).substr(0, 9), "▂█▂");  // two points a column
}

TEST(Wrap, BreaksAtBlanksAndCutsLongWords) {
  EXPECT_THAT(wrap("one two three four", 9), ElementsAre("one two", "three", "four"));
  EXPECT_THAT(wrap("abcdefghijklmnop", 8), ElementsAre("abcdefgh", "ijklmnop"));
  EXPECT_THAT(wrap("日本語日本語", 8), ElementsAre("日本語日", "本語"));
  EXPECT_THAT(wrap("", 8), ElementsAre(""));
}

// A name goes on behind a hyphen or the like, where one stands in the second half of the line.
TEST(Wrap, CutsNamesWhereAPersonWould) {
  EXPECT_THAT(wrap("int8-set-but-flag-missing", 20), ElementsAre("int8-set-but-flag-", "missing"));
  EXPECT_THAT(wrap("stage3_warpsize", 10), ElementsAre("stage3_", "warpsize"));
  EXPECT_THAT(wrap("abc-efghijklmnop", 8), ElementsAre("abc-efgh", "ijklmnop"));
}

// Work that grows with more than the length of a word does not end here.
TEST(Wrap, CutsAWordOfAMegabyte) {
  std::string word;
  while (word.size() < 1000000) word += "/層e\u0301[x]";
  const std::vector<std::string> lines = wrap("a " + word + " b", 80);
  std::string again;
  for (std::size_t i = 1; i < lines.size(); ++i) again += lines[i];
  EXPECT_EQ(lines[0], "a");
  EXPECT_EQ(again, word + " b");
  // A wide letter that does not fit leaves a column free.
  EXPECT_GE(lines.size(), 1 + display_width(word) / 80);
  EXPECT_LE(lines.size(), 2 + (display_width(word) + 2) / 79);
}

TEST(Text, ALayerNameOfAMegabyteIsReported) {
  Analysis a = sample::healthy(3);
  a.findings[0].layers = {SharedText(std::string(1000000, 'x'))};
  a.findings[0].title = std::string(1000000, 'x') + " is slow";
  EXPECT_THAT(text_of(a), HasSubstr("\n   " + std::string(97, 'x') + "\n"));
}

// Whatever stands in a log, no line of the report is a command for the runner that shows it.
TEST(Text, NoLineIsACommandForARunner) {
  const std::string attack = "::error title=CI::pwned";
  for (const std::string blanks : {"", "  ", "\u00a0", "\u3000"}) {
    Document document;
    document.title = blanks + attack;
    document.identity = {blanks + attack + " ##[error]pwned"};
    document.headline = {
        Paragraph{blanks + attack, Tone::major},
        Quote{"", {blanks + attack}},
        Paragraph{std::string(90, 'x') + " " + attack, Tone::plain},
        List{blanks + attack, {std::string(90, 'x') + " " + attack}},
        Table{"", {{attack, ColumnKind::name}}, {{{attack, {}}}}, 0, false, attack, {}},
        Facts{attack, {{attack, attack}}, {}}};
    for (const bool colour : {false, true}) {
      WriterOptions options;
      options.full = true;
      options.colour = colour;
      const std::string text = render(writer_text, document, options);
      EXPECT_FALSE(
          std::regex_search(text, std::regex("\n(\x1b\\[[0-9;]*m|\u00a0|\u3000| )*::|##\\[")))
          << text;
      EXPECT_THAT(text, HasSubstr("\\x3a:error title=CI::pwned"));
      EXPECT_THAT(text, HasSubstr("\\x23#[error]pwned"));
    }
  }
}

TEST(Text, FirstScreenOfAHealthyBuild) {
  const std::vector<std::string> lines = lines_of(text_of(sample::healthy(39)));
  EXPECT_EQ(lines[0], "p_r18  Passed");
  EXPECT_EQ(lines[4],
            "How fast          0.527 ms — per query (GPU compute, median of 3000, p99 0.538 ms)");
  const std::string text = text_of(sample::healthy(39));
  EXPECT_THAT(text, HasSubstr("\nWhich precision   TF32 52 %, INT8 26 % — of profile time\n"));
  EXPECT_THAT(text, HasSubstr("\nWhat to do first  Recalibrate after deleting the stale cache"));
}

TEST(Text, NoLineIsWiderThanTheTerminal) {
  for (const Analysis& a : {sample::healthy(39), sample::hostile(), sample::failed()}) {
    for (const int width : {80, 100, 160}) {
      for (const std::string& line : lines_of(text_of(a, width))) {
        EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
      }
    }
  }
}

TEST(Text, NothingOfTheInputReachesTheTerminalRaw) {
  const std::string text = text_of(sample::hostile());
  for (const char c : text) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  }
  EXPECT_EQ(visible(text, true), text);
  EXPECT_THAT(text, HasSubstr("\\u202e"));
  EXPECT_THAT(text, HasSubstr("\\x1b[31m"));
}

TEST(Text, ColourAddsOnlyOurSequences) {
  const Analysis a = sample::hostile();
  const std::string coloured = text_of(a, 100, true);
  const std::regex ours("\x1b\\[(0|1|2|3[1-6]|1;31)m");
  EXPECT_EQ(std::regex_replace(coloured, ours, ""), text_of(a));
  EXPECT_THAT(coloured, HasSubstr("\x1b[31m"));
  EXPECT_THAT(text_of(a), Not(HasSubstr("\x1b")));
}

TEST(TextTable, ElidesNamesWrapsProseAndAlignsNumbers) {
  Table table;
  table.columns = {
      {"Layer", ColumnKind::name}, {"Time (ms)", ColumnKind::number}, {"Why", ColumnKind::text}};
  table.rows = {{{"/a/very/long/layer/name/that/does/not/fit", {}},
                 {"0.1", {}},
                 {"because of several reasons", {}}},
                {{"/b", {}}, {"12.3456", {}}, {"x", {}}}};
  EXPECT_EQ(table_text(table, 50),
            "Layer               Time (ms)  Why\n"
            "/a/very/…s/not/fit        0.1  because of several\n"
            "                               reasons\n"
            "/b                    12.3456  x\n");
}

// What a runner would obey is longer when it is written out.
TEST(Text, ANumberKeepsItsUnitBesideIt) {
  using ::testing::ElementsAre;
  EXPECT_THAT(wrap("takes 7.0 % of 0.854 ms, or so", 9),
              ElementsAre("takes", "7.0 % of", "0.854 ms,", "or so"));
  EXPECT_THAT(wrap("layer 12 same 5", 8), ElementsAre("layer 12", "same 5"));
}

// "layer1.…+ relu" would be both.
TEST(TextTable, WrapsNamesThatCuttingMakesEqual) {
  Table table;
  table.columns = {{"Layer", ColumnKind::name}, {"ms", ColumnKind::number}};
  table.rows = {{{"layer1.0.conv1 + relu", {}}, {"1", {}}},
                {{"layer1.1.conv1 + relu", {}}, {"2", {}}}};
  EXPECT_EQ(table_text(table, 20),
            "Layer             ms\n"
            "layer1.0.conv1 +   1\nrelu\n"
            "layer1.1.conv1 +   2\nrelu\n");
  table.rows = {{{"layer1.0.conv1 + relu", {}}, {"1", {}}}};
  EXPECT_EQ(table_text(table, 20), "Layer             ms\nlayer1.…1 + relu   1\n");
}

TEST(TextTable, ColumnsStayWhereNamesAreCommands) {
  Table table;
  table.columns = {
      {"Layer", ColumnKind::name}, {"Tactic", ColumnKind::name}, {"Time (ms)", ColumnKind::number}};
  table.rows = {{{"::error::a", {}}, {"##[error]t", {}}, {"0.1", {}}},
                {{"/a/name/of/which/the/middle", {}}, {"##vso[is.left.out]####[x]", {}}, {"2", {}}},
                {{"b ::c", {}}, {"::c", {}}, {"3", {}}}};
  EXPECT_EQ(table_text(table, 50),
            "Layer               Tactic               Time (ms)\n"
            "\\x3a:error::a       \\x23#[error]t              0.1\n"
            "/a/name/…he/middle  \\x23#vso[…#\\x23#[x]          2\n"
            "b ::c               ::c                          3\n");
}

TEST(TextTable, ShowsDetailsBelowAndCountsTheRest) {
  Table table;
  table.title = "T";
  table.columns = {
      {"#", ColumnKind::number}, {"Layer", ColumnKind::name}, {"Tactic", ColumnKind::name, true}};
  table.rows = {{{"1", {}}, {"a", {}}, {"t", {}}},
                {{"2", {}}, {"b", {}}, {"", {}}},
                {{"3", {}}, {"c", {}}, {"u", {}}}};
  table.shown = 2;
  table.note = "N";
  EXPECT_EQ(table_text(table, 60), "T\n#  Layer\n1  a\n    Tactic: t\n2  b\n… and 1 more\nN\n");
}

// A reason is read to its end; only a name of kilobytes is cut.
TEST(TextTable, DetailsWrap) {
  Table table;
  table.columns = {{"Layer", ColumnKind::name}, {"Why", ColumnKind::text, true}};
  table.rows = {{{"a", {}}, {"precision changed: FP16 to INT8; 1 Q/DQ kernel added", {}}}};
  EXPECT_EQ(table_text(table, 40),
            "Layer\n"
            "a\n"
            "    Why: precision changed: FP16 to\n"
            "         INT8; 1 Q/DQ kernel added\n");
  table.rows = {{{"a", {}}, {std::string(5000, 'x'), {}}}};
  EXPECT_LT(table_text(table, 40).size(), 300U);
}

// Where numbers alone are wider than the terminal, the last columns stand below their row.
TEST(Text, ColumnsWithoutRoomStandBelowTheirRow) {
  Table table;
  table.columns = {{"Layer", ColumnKind::name}};
  for (const char* const title : {"Time (ms)", "Roof (ms)", "Efficiency"}) {
    table.columns.push_back({title, ColumnKind::number});
  }
  table.rows = {{{"features.2.conv.1.0", {}}, {"0.0132", {}}, {"0.0027", {}}, {"20 %", {}}}};
  EXPECT_EQ(table_text(table, 46),
            "Layer         Time (ms)  Roof (ms)  Efficiency\n"
            "featu…nv.1.0     0.0132     0.0027        20 %\n");
  EXPECT_EQ(table_text(table, 39),
            "Layer              Time (ms)  Roof (ms)\n"
            "features…conv.1.0     0.0132     0.0027\n"
            "    Efficiency 20 %\n");
  EXPECT_EQ(table_text(table, 30),
            "Layer                Time (ms)\n"
            "features.2.conv.1.0     0.0132\n"
            "   Roof (ms) 0.0027 ·\n   Efficiency 20 %\n");
}

// But for what is to be copied.
TEST(Text, NoLineIsWiderThanANarrowTerminal) {
  for (Analysis a : {sample::healthy(39), sample::hostile(), sample::failed()}) {
    a.name = std::string(90, 'n') + ".log";
    for (const int width : {40, 60}) {
      for (const std::string& line : lines_of(text_of(a, width))) {
        const bool is_copied = line.starts_with("   Source: ");
        EXPECT_TRUE(is_copied || display_width(line) <= static_cast<std::size_t>(width)) << line;
      }
    }
  }
}

TEST(Text, CommandsGoOnBehindABackslash) {
  EXPECT_EQ(command_lines("Do: ", {"ls -l", "trtexec --onnx=m.onnx --fp16"}, 24),
            "Do:\n"
            "    ls -l\n"
            "    trtexec \\\n"
            "    --onnx=m.onnx \\\n"
            "    --fp16\n");
  // Between quotes, and in a word, a line must not end.
  EXPECT_EQ(command_lines("  ", {"grep \"a b c d e f g h\" x"}, 16),
            "  grep \"a b c d e f g h\" x\n");
  EXPECT_EQ(command_lines("  ", {"ls aaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, 16),
            "  ls aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n");
  EXPECT_EQ(command_lines("  ", {"ls \x1b[31m"}, 40), "  ls \\x1b[31m\n");
}

// A label in front of a command would be copied with it.
TEST(Text, CommandsStandOnLinesOfTheirOwn) {
  Analysis a = sample::failed();
  a.findings[0].remedies = {"Do it."};
  a.findings[0].next_check = "`trtexec --onnx=m.onnx`";
  EXPECT_THAT(text_of(a), HasSubstr("\n  Check\n        trtexec --onnx=m.onnx\n"));
  a.findings[0].next_check = "Does it build? `trtexec --onnx=m.onnx`";
  EXPECT_THAT(text_of(a), HasSubstr("\n  Check Does it build?\n        trtexec --onnx=m.onnx\n"));
  EXPECT_EQ(command_lines("Do: ", {}, 24), "");
}

TEST(Text, SameInputSameBytes) {
  EXPECT_EQ(text_of(sample::hostile()), text_of(sample::hostile()));
}

}  // namespace
}  // namespace trtlens::report_text_test
