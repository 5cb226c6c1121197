// GitHub-flavoured Markdown, fit for a pull-request comment.
#include <fmt/format.h>

#include <algorithm>

#include "report/formats/escape.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kCellWidth = 160;  // identifiers longer than this are elided in the middle

class MarkdownReport {
 public:
  explicit MarkdownReport(TextStream& out) : out_(out) {}

  void write(const Document& document, const std::string& version) {
    headline(document);
    for (const Section& section : document.sections) {
      out_ += fmt::format("\n## {}\n", escape_markdown(section.title));
      if (section.collapsed) out_ += "\n<details><summary>Show</summary>\n";
      blocks(section.blocks);
      if (section.collapsed) out_ += "\n</details>\n";
    }
    if (!version.empty()) out_ += fmt::format("\n---\ntrtlens {}\n", escape_markdown(version));
  }

 private:
  void headline(const Document& document) {
    out_ += fmt::format("# {}: {}\n", markdown_code(document.title, false),
                        escape_markdown_inline(document.verdict));
    std::string identity;
    for (const std::string& part : document.identity) {
      identity += (identity.empty() ? "" : " · ") + markdown_code(part, false);
    }
    if (!identity.empty()) out_ += "\n" + identity + "\n";
    out_ += "\n| | |\n| --- | --- |\n";
    for (const Tile& tile : document.tiles) answer(tile);
    blocks(document.headline);
  }

  void answer(const Tile& tile) {
    std::string text = "**" + escape_markdown_inline(tile.value) + "**";
    if (!tile.unit.empty()) text += " — " + escape_markdown_inline(tile.unit);
    std::string parts;
    for (const Part& part : tile.parts) {
      parts += (parts.empty() ? "" : ", ") + escape_markdown_inline(part.name + " " + part.text);
    }
    if (!parts.empty()) text += "<br>All: " + parts;
    for (const std::string& line : tile.lines) text += "<br>" + escape_markdown_inline(line);
    out_ += fmt::format("| **{}** | {} |\n", escape_markdown_inline(tile.label), text);
  }

  void blocks(const std::vector<Block>& all) {
    for (const Block& block : all) {
      std::visit([this](const auto& b) { put(b); }, block);
    }
  }

  void title(const std::string& text) {
    if (!text.empty()) out_ += fmt::format("\n**{}**\n", escape_markdown_inline(text));
  }

  void put(const Paragraph& paragraph) { out_ += "\n" + escape_markdown(paragraph.text) + "\n"; }

  void put(const List& list) {
    title(list.title);
    out_ += "\n";
    for (const std::string& item : list.items) out_ += "- " + escape_markdown(item) + "\n";
  }

  void put(const Facts& facts) {
    title(facts.title);
    out_ += "\n| | |\n| --- | --- |\n";
    for (const Fact& fact : facts.facts) {
      out_ += fmt::format("| {} | {} |\n", escape_markdown_inline(fact.label), code(fact.value));
    }
  }

  // Code spans, line by line: a fence could be closed by a line of the input.
  void put(const Quote& quote) {
    out_ += "\n";
    if (!quote.place.empty()) out_ += "> " + markdown_code(quote.place, false) + "\\\n";
    for (std::size_t i = 0; i < quote.lines.size(); ++i) {
      out_ += "> " + markdown_code(quote.lines[i], false);
      out_ += i + 1 < quote.lines.size() ? "\\\n" : "\n";
    }
  }

  static std::string code(const std::string& text) {
    return markdown_code(elide_middle(visible(text), 4 * kCellWidth), true);
  }

  static std::string cell(const Column& column, const Cell& value) {
    if (column.kind == ColumnKind::name) {
      return markdown_code(elide_middle(visible(value.text), kCellWidth), true);
    }
    return escape_markdown_inline(value.text);
  }

  void put(const Table& table) {
    title(table.title);
    std::string head = "|";
    std::string rule = "|";
    for (const Column& column : table.columns) {
      if (column.extra) continue;
      const bool right = column.kind == ColumnKind::number || column.kind == ColumnKind::share;
      head += " " + escape_markdown_inline(column.title) + " |";
      rule += right ? " ---: |" : " --- |";
    }
    out_ += "\n" + head + "\n" + rule + "\n";
    const std::size_t shown =
        table.shown == 0 ? table.rows.size() : std::min(table.shown, table.rows.size());
    for (std::size_t r = 0; r < shown; ++r) {
      out_ += "|";
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].extra) continue;
        out_ += " " + cell(table.columns[c], table.rows.cell(r, c)) + " |";
      }
      out_ += "\n";
    }
    if (shown < table.rows.size()) {
      out_ += fmt::format("\n… and {} more\n", table.rows.size() - shown);
    }
    if (!table.note.empty()) out_ += "\n" + escape_markdown(table.note) + "\n";
  }

  void put(const FindingCard& card) {
    out_ += fmt::format("\n### {}. {}: {}\n\n", card.number, to_string(card.severity),
                        escape_markdown_inline(card.title));
    out_ +=
        fmt::format("{} · {} · {}\n\n", markdown_code(card.rule, false),
                    escape_markdown_inline(card.category), escape_markdown_inline(card.confidence));
    labelled("Stake", card.stake);
    labelled("Gain", card.gain);
    labelled("Why", card.why);
    if (!card.evidence.empty()) out_ += "- **Evidence**\n";
    for (const EvidenceLine& line : card.evidence) evidence(line);
    if (card.evidence_left_out > 0) {
      out_ += fmt::format("  - … and {} more\n", card.evidence_left_out);
    }
    if (!card.steps.empty()) out_ += "- **Do**\n";
    std::size_t n = 0;
    for (const std::string& step : card.steps) {
      out_ += fmt::format("  {}. {}\n", ++n, escape_markdown(step));
    }
    labelled("Check", card.next_check);
    for (const std::string& source : card.sources) {
      out_ += "- Source: " + markdown_code(source, false) + "\n";
    }
  }

  void labelled(const char* label, const std::string& text) {
    if (!text.empty()) out_ += fmt::format("- **{}**: {}\n", label, escape_markdown_inline(text));
  }

  void evidence(const EvidenceLine& line) {
    const std::string shown = elide_middle(visible(line.text), 2 * kCellWidth);
    out_ += "  - " + markdown_code(line.place, false);
    if (!shown.empty()) {
      out_ += ": " + (line.quoted ? markdown_code(shown, false) : escape_markdown_inline(shown));
    }
    if (!line.note.empty())
      out_ += (shown.empty() ? ": " : " – ") + escape_markdown_inline(line.note);
    out_ += "\n";
  }

  // Charts whose numbers stand in a table are left to HTML; of the others, the sentence.
  void put(const Chart& chart) {
    if (!chart.has_table) {
      out_ += fmt::format("\n**{}**: {}\n", escape_markdown_inline(chart.title),
                          escape_markdown_inline(chart.alt));
    }
  }

  TextStream& out_;
};

void write_markdown(const Document& document, const WriterOptions& options, TextStream& out) {
  MarkdownReport(out).write(document, options.version);
}

}  // namespace

const Writer writer_markdown{"markdown", "md", write_markdown};

}  // namespace trtlens
