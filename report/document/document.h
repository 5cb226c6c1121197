// The report as one tree of blocks. Writers turn it into bytes and decide nothing, so that formats
// cannot disagree. Numbers are formatted here, once; strings from the input are kept as they are
// and every writer escapes them for its own format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analyzers/analysis.h"
#include "report/document/engine.h"
#include "report/document/paths.h"
#include "report/document/screen.h"
#include "report/document/tone.h"

namespace trtlens {

// One of the labelled parts of a whole, such as the time share of INT8.
struct Part {
  std::string label;  // picks the colour
  std::string name;   // the label as shown
  std::string text;   // the share as shown
  double share = 0;
};

// One of the four answers of the first screen.
struct Tile {
  std::string label;  // "How fast"
  std::string value;  // the answer
  std::string unit;   // what the value is, in a few words
  std::vector<std::string> lines;
  std::vector<Part> parts;  // stacked bar; may be empty
  Tone tone = Tone::plain;
};

struct Paragraph {
  std::string text;
  Tone tone = Tone::plain;
};

// Short items, in order.
struct List {
  std::string title;
  std::vector<std::string> items;
};

struct Fact {
  std::string label, value;
};
struct Facts {
  std::string title;
  std::vector<Fact> facts;
  std::string name;  // what drawings call it, constant; "": none is of it
};

// Lines quoted from an input or to be typed by the user.
struct Quote {
  std::string place;  // "build.log:12"; empty for a command
  std::vector<std::string> lines;
};

enum class ColumnKind : std::uint8_t {
  text,       // prose: may wrap
  name,       // identifier from the input: elided in the middle when it is too long
  number,     // right-aligned
  share,      // right-aligned, a bar where the format has bars
  label,      // short words
  precision,  // its colour beside it where the format has colours
  delta       // right-aligned, a bar to either side of zero where the format has bars
};
[[nodiscard]] constexpr bool is_number(ColumnKind kind) {
  return kind == ColumnKind::number || kind == ColumnKind::share || kind == ColumnKind::delta;
}
struct Column {
  std::string title;
  ColumnKind kind = ColumnKind::text;
  bool detail = false;    // too much for a column on a screen: shown below the row instead
  bool extra = false;     // only where there is room for everything: in the interactive table
  bool cut = false;       // prose in one line where the width is that of a terminal
  std::string hint = {};  // what the title means, where the format can say it on demand
};
struct Cell {
  std::string text;
  std::optional<double> value;  // sort key, or the share of a bar
  std::string page{};           // beside this one, that the text leads to; HTML
};
// The rows of a table: held, or made from the Analysis when they are asked for. An engine has up to
// some 100000 layers, most of which no format but the interactive table shows.
class Rows {
 public:
  using Row = std::vector<Cell>;
  using MakeCell = std::function<Cell(std::size_t row, std::size_t column)>;

  Rows() = default;
  Rows(std::initializer_list<Row> rows) : rows_(rows) {}
  [[nodiscard]] static Rows made_by(std::size_t rows, std::size_t columns, MakeCell make);

  [[nodiscard]] std::size_t size() const { return made_rows_ + rows_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  // Behind those that are made.
  void push_back(Row row) { rows_.push_back(std::move(row)); }
  void erase_column(std::size_t column);  // of held rows
  [[nodiscard]] Cell cell(std::size_t row, std::size_t column) const;
  [[nodiscard]] Row operator[](std::size_t row) const;

 private:
  std::vector<Row> rows_;
  MakeCell make_;  // null: they are held
  std::size_t made_rows_ = 0, made_columns_ = 0;
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  Rows rows;
  std::size_t shown = 0;     // rows for formats that cannot scroll; 0: all
  bool interactive = false;  // sortable and filterable where the format can
  std::string note;
  std::string name;             // as that of Facts
  bool whole_in_files = false;  // text: all rows in a file
  std::string all_by{};         // the option that shows all rows; "": none is named
};

struct EvidenceLine {
  std::string place;  // "build.log:12", or a layer's label; empty: the text says it
  std::string name;   // of the layer, where its label is another
  std::string text;
  bool quoted = false;  // `text` is a line of the input
  std::string note;     // our words beside the quoted line
  std::string file;     // of a place in a log, and its line; "" and 0: another place
  std::uint64_t line = 0;
  // Lines of the log around it and it, from line `around_first` on; none: not read.
  std::vector<std::string> around;
  std::uint64_t around_first = 0;
};

struct FindingCard {
  std::size_t number = 0;  // rank, from 1
  Tone severity = Tone::info;
  std::string rule, category, confidence;
  std::string title, where, why;
  std::vector<std::string> places;  // of `where`, so that a line names as many as it has room for
  std::size_t places_left_out = 0;
  std::string stake, gain;              // in words, with the basis
  std::string stake_short, gain_short;  // "0.0184 ms (10 %)"; empty: not known
  std::vector<EvidenceLine> evidence;
  std::size_t evidence_left_out = 0;
  std::vector<EvidenceLine> more_evidence;  // the first of what is left out, where it can fold
  std::vector<std::string> steps;
  std::string next_check;
  std::vector<std::string> commands;  // of the check, to be copied: whole lines
  std::vector<std::string> sources;
};

enum class ChartKind : std::uint8_t {
  pareto,
  bars,
  histogram,
  trace,
  way,    // bars from one whole to another, each from where the one before it ended
  strips  // bars of the same label are beside each other, in one row
};
struct Bar {
  std::string label;
  double value = 0;
  std::string text;          // the value as shown
  double cumulative = 0;     // pareto: share of the whole so far
  std::string colour_label;  // precision whose colour the bar takes; empty: the default
  double from = 0;           // way, strips: where the bar begins; a negative value goes back
};
struct Point {
  double x = 0, y = 0;
};
struct Chart {
  ChartKind kind = ChartKind::bars;
  std::string title;
  std::string alt;      // what the chart shows, in one sentence
  std::string x_label;  // constant texts of ours, never from the input
  std::string y_label;
  std::vector<Bar> bars;
  std::vector<Point> points;  // trace; histogram: middle and height of the bars
  bool has_table = false;     // the same numbers stand in a table, or on the first screen
  bool has_view = false;      // the page draws the same itself
  std::string line;           // the same in one line, for formats that do not draw, or ""
  std::string picture;        // a file of it beside the report, as an address; "": none
};

// A part of a whole, or a step, with the row that says the same: of the Table or Facts of that
// name.
struct Piece {
  std::string label, text;    // "maxpool", "1 s"
  double from = 0, size = 0;  // of the width, 0 to 1
  std::string table;
  std::size_t row = 0;
  bool is_rest = false;  // what no part is known of
};
// Pieces beside each other.
struct PieceRow {
  std::string label;
  std::vector<Piece> pieces;
};
// What is held after each step, of the most that is held: 0 to 1; none: not known.
struct StepLine {
  std::string label;
  std::vector<std::optional<double>> heights;
};
// A picture of tables and facts of its section, for formats that draw: no number is in it alone.
struct Drawing {
  std::string title;
  std::string alt;  // what it shows, in one sentence
  std::vector<PieceRow> rows;
  std::vector<StepLine> lines;  // over the pieces of the one row, which are steps
  std::string most;             // what the highest of them stands for
};

using Block = std::variant<Paragraph, List, Facts, Quote, Table, FindingCard, Chart, Drawing>;

struct Section {
  std::string id;  // constant, fit for an anchor
  std::string title;
  std::vector<Block> blocks;
  bool collapsed = false;  // opened by the reader, where the format can
  bool marginal = false;   // left out where the format cannot fold

  void add(Block block) { blocks.push_back(std::move(block)); }
  // Nothing where there is none.
  template <typename Some>
  void add(std::optional<Some> block) {
    if (block) add(std::move(*block));
  }
  void say(std::string text, Tone tone = Tone::plain) {
    if (!text.empty()) add(Paragraph{std::move(text), tone});
  }
};

// What every report begins with.
struct Heading {
  std::string title;    // what was analyzed
  std::string verdict;  // "Passed"
  Tone verdict_tone = Tone::plain;
};

struct Document : Heading {
  // Defined once, in document.cc: else each file that holds one compiles them.
  Document();
  Document(const Document& other);
  Document(Document&& other) noexcept;
  Document& operator=(const Document& other);
  Document& operator=(Document&& other) noexcept;
  ~Document();

  std::vector<std::string> identity;  // version, GPU, command
  std::vector<Tile> tiles;
  std::vector<Block> headline;  // cause of a failed build, the sentence about the two clocks
  std::vector<Section> sections;
  std::optional<Screen> screen;               // of one build
  std::vector<ComparisonScreen> comparisons;  // else: of each comparison
  std::optional<ContractScreen> contract;     // else: of a build held against one
  std::vector<ShortPath> short_paths;         // where others read along: no path is absolute
  std::function<EngineView()> engine;         // layers, for formats that draw them; null: none
  std::optional<ComparisonView> comparison;   // of one comparison of two profiles, likewise
  std::array<std::function<EngineView()>, 2> sides;  // of it
  std::string overview;        // page that has this one among others, as an address; "": none
  std::vector<Document> each;  // of several comparisons: what each says by itself
};

// The blocks of one kind, in order.
template <typename Some>
[[nodiscard]] std::vector<const Some*> blocks_of(const std::vector<Block>& blocks) {
  std::vector<const Some*> found;
  for (const Block& block : blocks) {
    if (const Some* one = std::get_if<Some>(&block)) found.push_back(one);
  }
  return found;
}
// All sections in their order: those of all comparisons, then each one's behind its number, and of
// variants behind their name.
struct TitledSection {
  std::string title;  // names of the input in it
  const Section* section = nullptr;
};
[[nodiscard]] std::vector<TitledSection> all_sections(const Document& document);
[[nodiscard]] std::vector<std::string> section_ids_of(const Document& document);  // each once
// In the order of all_sections().
[[nodiscard]] std::vector<const Chart*> charts_of(const Document& document);
// Of the findings that are shown in full.
[[nodiscard]] std::vector<const FindingCard*> cards_of(const Document& document);
// The time of a query, or that there is none.
[[nodiscard]] std::string speed_of(const Screen& screen);
// Of a build that failed, as its first screen says it; no title where no rule explains it.
[[nodiscard]] ScreenFailure failure_of(const Document& document);
// Where it is; empty where the title says so.
[[nodiscard]] std::string place_beside_title(const FindingCard& card);
// What is wrong beside all findings: an engine that computes no result, a log that stops.
[[nodiscard]] std::vector<const Paragraph*> warnings_of(const Document& document);
// What the first screen of a build says where there is no finding.
[[nodiscard]] std::vector<Paragraph> nothing_found(const Document& document);

[[nodiscard]] Heading heading_of(const Analysis& analysis);
// Of the sections of a report on one build, in its order.
[[nodiscard]] const std::vector<std::string>& section_ids();

struct GateResult;  // analyzers/gate/gate.h

// `top`: how many findings and table rows are shown in full; 0 or less: all. `gate`: what was made
// of the findings; null: nothing. The analysis must outlive the document, which makes the rows of
// large tables from it.
[[nodiscard]] Document build_document(const Analysis& analysis, int top,
                                      const GateResult* gate = nullptr);
Document build_document(Analysis&& analysis, int top, const GateResult* gate = nullptr) = delete;

}  // namespace trtlens
