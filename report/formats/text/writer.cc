// The report for a terminal: as wide as it is, colours optional, nothing of the input interpreted.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "report/formats/escape.h"
#include "report/formats/text/screen.h"
#include "report/formats/text/table.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kLabelWidth = 18;  // of the four answers and of facts
constexpr std::size_t kBarWidth = 32;

class TextReport {
 public:
  TextReport(const WriterOptions& options, TextStream& out)
      : ink_{options.colour},
        width_(static_cast<std::size_t>(std::max(options.width, 40))),
        full_(options.full),
        out_(out) {}

  void write(const Document& document, const WriterOptions& options) {
    const bool is_part = !options.sections.empty();
    if (!options.full && !is_part) {
      if (document.screen) return text_screen(document, width_, ink_, out_);
      if (!document.comparisons.empty()) {
        return text_comparison_screen(document, width_, ink_, out_);
      }
      if (document.contract) return text_contract_screen(document, width_, ink_, out_);
      if (!document.each.empty()) return matrix(document, !options.more.empty());
    }
    if (!is_part) headline(document);
    if (is_wanted("summary", options)) summaries(document);
    const std::vector<TitledSection> sections = all_sections(document);
    for (const auto& [title, section] : sections) {
      if (is_part ? !is_wanted(section->id, options) : section->marginal) continue;
      titled(title, *section);
    }
    for (const std::string& id : options.sections) {
      const bool is_there =
          (id == "summary" && !document.comparisons.empty()) ||
          std::ranges::any_of(sections, [&](const auto& one) { return one.section->id == id; });
      if (!is_there) out_ += "\n" + id + ": nothing in these inputs\n";
    }
    if (is_part || options.version.empty()) return;
    out_ += "\n" + ink_.dim("trtlens " + printable(options.version)) + "\n";
  }

 private:
  // What several comparisons have in common: each by itself is one step away.
  void matrix(const Document& document, bool says_more) {
    constexpr std::size_t kVariants = 20, kLayers = 8;
    headline(document);
    for (Section section : document.sections) {
      const std::size_t rows = section.id == "variants" ? kVariants : kLayers;
      for (Block& block : section.blocks) {
        if (auto* const table = std::get_if<Table>(&block)) {
          table->shown = std::min(table->shown == 0 ? rows : table->shown, rows);
        }
      }
      titled(section.title, section);
    }
    if (!says_more) return;
    out_ +=
        "\n" + hanging("More       ", "--full, -o report.html, --section findings,groups", width_);
  }

  void titled(const std::string& title, const Section& section) {
    out_ += "\n";
    std::size_t widest = 0;
    for (const std::string& line : wrap(printable(title), width_)) {
      out_ += ink_.bold(line) + "\n";
      widest = std::max(widest, display_width(line));
    }
    out_ += ink_.dim(std::string(widest, '-')) + "\n";
    blocks(section.blocks);
  }

  static bool is_wanted(const std::string& id, const WriterOptions& options) {
    return std::ranges::find(options.sections, id) != options.sections.end();
  }

  // Each comparison's first screen.
  void summaries(const Document& document) {
    for (const ComparisonScreen& screen : document.comparisons) {
      Document one;
      one.comparisons = {screen};
      if (document.comparisons.size() == 1) one.comparison = document.comparison;
      if (&screen != document.comparisons.data()) out_ += "\n";
      text_comparison_screen(one, width_, ink_, out_);
    }
  }

  void headline(const Document& document) {
    if (document.comparisons.empty()) {
      constexpr std::size_t kLeastTitle = 12;  // beside the verdict
      const std::size_t rest = display_width(document.verdict) + 2;
      const bool fits = rest + kLeastTitle <= width_;
      const std::string title =
          elide_middle(printable(document.title), fits ? width_ - rest : width_);
      out_ += ink_.bold(title) + (fits ? "  " : "\n") +
              ink_.tone(document.verdict_tone, document.verdict) + "\n";
    }
    for (const ComparisonScreen& screen : document.comparisons) {
      out_ += ink_.bold(printable(screen.title)) + "\n";
      const bool is_one = document.comparisons.size() == 1;
      const std::string& verdict = is_one ? document.verdict : screen.verdict;
      for (const std::string& line : wrap(printable(verdict), width_)) {
        out_ += ink_.tone(screen.tone, line) + "\n";
      }
    }
    std::string identity;
    for (const std::string& part : document.identity) {
      identity += (identity.empty() ? "" : " · ") + printable(part);
    }
    if (!identity.empty()) {
      for (const std::string& line : wrap(identity, width_)) out_ += ink_.dim(line) + "\n";
    }
    const bool has_more = document.screen || !document.tiles.empty() || !document.headline.empty();
    if (!has_more) return;  // sections begin with a blank line
    out_ += "\n";
    if (document.screen && document.screen->cause_first) {
      for (const Paragraph* said : warnings_of(document)) put(*said);
      text_failure(failure_of(document), kStepsShown, width_, ink_, out_);
      return;
    }
    for (const Tile& tile : document.tiles) answer(tile);
    blocks(document.headline);
  }

  // The label stands in a column of its own, the answer beside it.
  void answer(const Tile& tile) {
    const std::string indent(kLabelWidth, ' ');
    const std::size_t pad = kLabelWidth > tile.label.size() ? kLabelWidth - tile.label.size() : 1;
    const std::string label = tile.label + std::string(pad, ' ');
    const bool prose = tile.parts.empty() && tile.value.size() > 24;
    std::string value = printable(tile.value);
    if (!prose && !tile.unit.empty()) value += " — " + printable(tile.unit);
    bool first = true;
    for (const std::string& line : wrap(value, width_ - kLabelWidth)) {
      out_ += (first ? ink_.bold(label) : indent) + ink_.tone(tile.tone, line) + "\n";
      first = false;
    }
    if (prose && !tile.unit.empty()) out_ += hanging(indent, printable(tile.unit), width_);
    if (!tile.parts.empty()) out_ += hanging(indent, parts(tile), width_);
    for (const std::string& line : tile.lines) out_ += hanging(indent, printable(line), width_);
  }

  static std::string parts(const Tile& tile) {
    std::string out;
    for (const Part& part : tile.parts) {
      out += (out.empty() ? "All: " : ", ") + printable(part.name) + " " + part.text;
    }
    return out;
  }

  void blocks(const std::vector<Block>& all) {
    for (const Block& block : all) {
      if (std::visit([](const auto& b) { return is_silent(b); }, block)) continue;
      out_ += "\n";
      std::visit([this](const auto& b) { this->put(b); }, block);
    }
  }

  // Whether put() prints nothing.
  template <typename T>
  static bool is_silent(const T& /*block*/) {
    return false;
  }
  static bool is_silent(const List& list) { return list.title.empty() && list.items.empty(); }
  static bool is_silent(const Facts& facts) { return facts.title.empty() && facts.facts.empty(); }
  static bool is_silent(const Quote& quote) { return quote.place.empty() && quote.lines.empty(); }
  static bool is_silent(const Chart& chart) { return chart.has_table && chart.line.empty(); }
  static bool is_silent(const Drawing& /*drawing*/) { return true; }

  void put(const Paragraph& paragraph) {
    for (const std::string& line : wrap(printable(paragraph.text), width_)) {
      out_ += ink_.tone(paragraph.tone, line) + "\n";
    }
  }

  void put(const List& list) {
    if (!list.title.empty()) out_ += ink_.bold(printable(list.title)) + "\n";
    for (const std::string& item : list.items) out_ += hanging("- ", printable(item), width_);
  }

  void put(const Facts& facts) {
    if (!facts.title.empty()) out_ += ink_.bold(printable(facts.title)) + "\n";
    std::size_t widest = 0;
    for (const Fact& fact : facts.facts) widest = std::max(widest, display_width(fact.label));
    for (const Fact& fact : facts.facts) {
      const std::string pad(widest + 2 - display_width(fact.label), ' ');
      out_ += hanging(fact.label + pad, printable(fact.value), width_);
    }
  }

  void put(const Quote& quote) {
    if (quote.place.empty()) {
      out_ += command_lines("  ", quote.lines, width_);
      return;
    }
    out_ += "  " + ink_.dim(printable(quote.place)) + "\n";
    for (const std::string& line : quote.lines) out_ += hanging("  | ", printable(line), width_);
  }

  static void put(const Drawing& /*drawing*/) {}
  void put(const Table& table) {
    if (!full_ || !table.whole_in_files) return text_table(table, width_, ink_, out_);
    Table whole = table;
    whole.shown = 0;
    text_table(whole, width_, ink_, out_);
  }

  void put(const FindingCard& card) {
    const std::string head = fmt::format("{}. [{}] ", card.number, to_string(card.severity));
    const std::string indent(3, ' ');
    bool first = true;
    for (const std::string& line : wrap(head + printable(card.title), width_ - indent.size())) {
      out_ += (first ? "" : indent) + ink_.tone(card.severity, line) + "\n";
      first = false;
    }
    out_ += ink_.dim(hanging_line(
        indent, fmt::format("{} · {} · {}", card.rule, card.category, card.confidence)));
    labelled(indent, "Stake: ", card.stake);
    labelled(indent, "Gain:  ", card.gain);
    labelled(indent, "Where: ", card.where);
    labelled(indent, "Why:   ", card.why);
    if (!card.evidence.empty()) out_ += indent + "Evidence:\n";
    for (const EvidenceLine& line : card.evidence) evidence(line);
    if (card.evidence_left_out > 0) {
      out_ += fmt::format("     … and {} more\n", card.evidence_left_out);
    }
    if (!card.steps.empty()) out_ += indent + ink_.bold("Do:") + "\n";
    std::size_t n = 0;
    for (const std::string& step : card.steps) {
      out_ += hanging(fmt::format("     {}. ", ++n), printable(step), width_);
    }
    labelled(indent, "Check: ", card.next_check);
    out_ += command_lines(indent + (card.next_check.empty() ? "Check: " : "       "), card.commands,
                          width_);
    for (const std::string& source : card.sources) {
      out_ += ink_.dim(indent + "Source: " + printable(source)) + "\n";
    }
  }

  [[nodiscard]] std::string hanging_line(const std::string& indent, const std::string& text) const {
    return hanging(indent, printable(text), width_);
  }

  void labelled(const std::string& indent, const char* label, const std::string& text) {
    if (!text.empty()) out_ += hanging(indent + label, printable(text), width_);
  }

  void evidence(const EvidenceLine& line) {
    const std::string place = printable(line.place);
    const std::string text = printable(line.text);
    if (!line.quoted && line.note.empty() &&
        display_width(place) + display_width(text) + 9 <= width_) {
      out_ += "     - " + place + (place.empty() || text.empty() ? "" : ": ") + text + "\n";
      return;
    }
    if (place.empty()) {
      out_ += hanging("     - ", text, width_);
      return;
    }
    out_ += hanging("     - ", place, width_);
    if (!text.empty()) out_ += hanging("       | ", elide_middle(text, 3 * width_), width_);
    if (!line.note.empty()) out_ += hanging("       ", printable(line.note), width_);
  }

  // Charts whose numbers stand in a table are for formats that can draw.
  void put(const Chart& chart) {
    if (!chart.line.empty()) return put(Paragraph{chart.line});
    out_ += ink_.bold(chart.title) + "\n";
    if (chart.kind == ChartKind::trace) out_ += sparkline(chart.points) + "\n";
    if (chart.kind == ChartKind::histogram) bar_lines(chart);
    for (const std::string& line : wrap(printable(chart.alt), width_))
      out_ += ink_.dim(line) + "\n";
  }

  // Neighbouring bins are joined: a screen has fewer lines than the chart has bars.
  void bar_lines(const Chart& chart) {
    const std::size_t step = (chart.bars.size() + 11) / 12;
    std::vector<Bar> bars;
    double most = 0;
    for (std::size_t i = 0; i < chart.bars.size(); i += step) {
      Bar bar = chart.bars[i];
      const std::size_t end = std::min(i + step, chart.bars.size());
      for (std::size_t k = i + 1; k < end; ++k) bar.value += chart.bars[k].value;
      bar.label = chart.bars[(i + end - 1) / 2].label;
      most = std::max(most, bar.value);
      bars.push_back(bar);
    }
    constexpr std::size_t kLabelAndNumber = 22;
    const std::size_t widest = std::min(kBarWidth, width_ - kLabelAndNumber);
    for (const Bar& bar : bars) {
      const double share = most > 0 ? bar.value / most : 0;
      const auto cells = static_cast<std::size_t>(std::lround(share * static_cast<double>(widest)));
      std::string line;
      for (std::size_t i = 0; i < cells; ++i) line += "█";
      out_ += fmt::format("{:>10}  {} {:.0f}\n", printable(bar.label), line, bar.value);
    }
  }

  // The highest value of each slice, from 0.
  [[nodiscard]] std::string sparkline(const std::vector<Point>& points) const {
    static constexpr const char* kLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t columns = std::min(points.size(), width_);
    double most = 0;
    for (const Point& point : points) most = std::max(most, point.y);
    std::string out;
    for (std::size_t c = 0; c < columns; ++c) {
      double high = 0;
      for (std::size_t i = points.size() * c / columns; i < points.size() * (c + 1) / columns;
           ++i) {
        high = std::max(high, points[i].y);
      }
      const double share = most > 0 ? high / most : 0;
      out += kLevels[static_cast<std::size_t>(std::clamp(std::lround(share * 7), 0L, 7L))];
    }
    return out;
  }

  Ink ink_;
  std::size_t width_;
  bool full_;
  TextStream& out_;
};

void write_lines(const Document& document, const WriterOptions& options, TextStream& out) {
  RunnerSafeLines lines(out);
  TextReport(options, lines.stream()).write(document, options);
  lines.finish();
}

void write_text(const Document& document, const WriterOptions& options, TextStream& out) {
  if (!options.ascii) return write_lines(document, options, out);
  out += as_ascii(text_of([&](TextStream& whole) { write_lines(document, options, whole); }));
}

}  // namespace

const Writer writer_text{"text", "txt", write_text};

}  // namespace trtlens
