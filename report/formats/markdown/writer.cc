// GitHub-flavoured Markdown: a first screen, and the rest folded. A comment on a pull request holds
// 65,536 characters, the summary of a step a megabyte; GitHub drops what is longer as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <list>
#include <numeric>
#include <string_view>
#include <utility>

#include "analyzers/text.h"
#include "report/formats/markdown/screen.h"
#include "report/formats/markdown/words.h"
#include "report/formats/writer.h"

namespace trtlens {
namespace {

constexpr std::size_t kCellWidth = 160;  // identifiers longer than this are elided in the middle
constexpr std::size_t kWordWidth = 60;   // what cannot wrap makes a table wide
constexpr std::size_t kColumns = 6;

// Blocks one below the other, of at most `most` bytes. What does not fit ends at a row or an item,
// with how many there are besides; a block that has none is left out with all behind it.
class MarkdownBlocks {
 public:
  MarkdownBlocks(const std::vector<ShortPath>& paths, std::size_t most)
      : words_(paths), most_(most) {}

  [[nodiscard]] std::string text(const std::vector<Block>& all) {
    for (std::size_t i = 0; i < all.size() && !cut_; ++i) {
      const std::size_t before = out_.size();
      std::visit([this](const auto& b) { this->put(b); }, all[i]);
      if (out_.size() <= most_ && !is_bare_) continue;
      out_.resize(before);
      cut_ = true;
      const auto cards =
          std::count_if(all.begin() + static_cast<std::ptrdiff_t>(i), all.end(),
                        [](const Block& b) { return std::holds_alternative<FindingCard>(b); });
      const std::string more = fmt::format("\n… and {} more\n", cards);
      if (i > 0 && cards > 0 && out_.size() + more.size() <= most_) out_ += more;
    }
    return std::move(out_);
  }
  // Whether text() is not all.
  [[nodiscard]] bool is_cut() const { return cut_; }

 private:
  // Whether a row fits, and behind it how many more there are.
  [[nodiscard]] bool fits(const std::string& row) const {
    constexpr std::size_t kMore = 40;
    return out_.size() + row.size() + kMore <= most_;
  }
  // Ends a block behind `shown` of its `all` rows.
  void cut_behind(std::size_t shown, std::size_t all) {
    cut_ = true;
    is_bare_ = shown == 0;
    out_ += fmt::format("\n… and {} more\n", all - shown);
  }

  void title(const std::string& text) {
    if (!text.empty()) out_ += fmt::format("\n**{}**\n", words_.words(text));
  }

  void put(const Paragraph& paragraph) { out_ += "\n" + words_.prose(paragraph.text) + "\n"; }

  void put(const List& list) {
    title(list.title);
    out_ += "\n";
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string item = "- " + words_.prose(list.items[i]) + "\n";
      if (!fits(item)) return cut_behind(i, list.items.size());
      out_ += item;
    }
  }

  void put(const Facts& facts) {
    title(facts.title);
    out_ += "\n| | |\n| --- | --- |\n";
    for (const Fact& fact : facts.facts) {
      out_ += fmt::format("| {} | {} |\n", words_.words(fact.label), code(fact.value));
    }
  }

  // Code spans, line by line: a fence could be closed by a line of the input.
  void put(const Quote& quote) {
    out_ += "\n";
    if (!quote.place.empty()) out_ += "> " + words_.code(quote.place) + "\\\n";
    for (std::size_t i = 0; i < quote.lines.size(); ++i) {
      out_ += "> " + words_.code(quote.lines[i]);
      out_ += i + 1 < quote.lines.size() ? "\\\n" : "\n";
    }
  }

  [[nodiscard]] std::string code(const std::string& text) const {
    return words_.code_cell(text, 4 * kCellWidth);
  }

  // Words that are too long to wrap are elided.
  static std::string narrow(const std::string& text) {
    if (text.size() <= kWordWidth) return text;
    std::string out;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      out += elide_middle(visible(std::string_view(text).substr(at, end - at)), kWordWidth);
      if (end < text.size()) out += ' ';
      at = end + 1;
    }
    return out;
  }

  [[nodiscard]] std::string cell(const Column& column, const Cell& value) const {
    return column.kind == ColumnKind::name ? words_.code_cell(narrow(value.text), kCellWidth)
                                           : words_.words(value.text);
  }

  // Columns too many to be read side by side stand below the name in their row: details first, then
  // texts, then numbers, from the right.
  struct Layout {
    std::vector<std::size_t> beside, below;
    std::size_t name = 0;
  };

  static Layout layout_of(const Table& table) {
    Layout layout;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!table.columns[c].extra) layout.beside.push_back(c);
    }
    const auto name = std::ranges::find_if(layout.beside, [&](std::size_t c) {
      return table.columns[c].kind == ColumnKind::name && !table.columns[c].detail;
    });
    if (!layout.beside.empty()) {
      layout.name = name == layout.beside.end() ? layout.beside.front() : *name;
    }
    const auto last_of = [&](const auto& fits) {
      return std::ranges::find_if(layout.beside.rbegin(), layout.beside.rend(), [&](std::size_t c) {
        return c != layout.name && fits(table.columns[c]);
      });
    };
    while (layout.beside.size() > kColumns) {
      auto at = last_of([](const Column& column) { return column.detail; });
      if (at == layout.beside.rend()) {
        at = last_of([](const Column& column) {
          return column.kind == ColumnKind::text || column.kind == ColumnKind::name ||
                 column.kind == ColumnKind::label;
        });
      }
      if (at == layout.beside.rend()) at = last_of([](const Column&) { return true; });
      layout.below.insert(layout.below.begin(), *at);
      layout.beside.erase(std::next(at).base());
    }
    return layout;
  }

  [[nodiscard]] std::string below(const Table& table, const Layout& layout, std::size_t row) const {
    std::string text;
    for (const std::size_t c : layout.below) {
      const Cell value = table.rows.cell(row, c);
      if (value.text.empty()) continue;
      text += (text.empty() ? "<br>" : " · ") + words_.words(table.columns[c].title) + " " +
              cell(table.columns[c], value);
    }
    return text;
  }

  void put(const Table& table) {
    title(table.title);
    const Layout layout = layout_of(table);
    std::string head = "|";
    std::string rule = "|";
    for (const std::size_t c : layout.beside) {
      const Column& column = table.columns[c];
      const bool right = is_number(column.kind);
      head += " " + words_.words(column.title) + " |";
      rule += right ? " ---: |" : " --- |";
    }
    out_ += "\n" + head + "\n" + rule + "\n";
    const std::size_t shown =
        table.shown == 0 ? table.rows.size() : std::min(table.shown, table.rows.size());
    for (std::size_t r = 0; r < shown; ++r) {
      std::string row = "|";
      for (const std::size_t c : layout.beside) {
        row += " " + cell(table.columns[c], table.rows.cell(r, c));
        if (c == layout.name) row += below(table, layout, r);
        row += " |";
      }
      row += "\n";
      if (!fits(row)) return cut_behind(r, table.rows.size());
      out_ += row;
    }
    if (shown < table.rows.size()) {
      const std::string how = table.all_by.empty() ? "" : ": `" + table.all_by + "`";
      out_ += fmt::format("\n… and {} more{}\n", table.rows.size() - shown, how);
    }
    if (!table.note.empty()) out_ += "\n" + words_.prose(table.note) + "\n";
  }

  void put(const FindingCard& card) {
    out_ += fmt::format("\n### {}. {}: {}\n\n", card.number, to_string(card.severity),
                        words_.words(card.title));
    out_ += fmt::format("{} · {} · {}\n\n", words_.code(card.rule), words_.words(card.category),
                        words_.words(card.confidence));
    labelled("Stake", words_.words(card.stake));
    labelled("Gain", words_.words(card.gain));
    labelled("Where", words_.words(card.where));
    labelled("Why", words_.ours(card.why));
    if (!card.evidence.empty()) out_ += "- **Evidence**\n";
    for (const EvidenceLine& line : card.evidence) evidence(line);
    if (card.evidence_left_out > 0) {
      out_ += fmt::format("  - … and {} more\n", card.evidence_left_out);
    }
    if (!card.steps.empty()) out_ += "- **Do**\n";
    std::size_t n = 0;
    for (const std::string& step : card.steps) {
      out_ += fmt::format("  {}. {}\n", ++n, words_.ours(step));
    }
    labelled("Check", words_.ours(card.next_check));
    if (card.next_check.empty() && !card.commands.empty()) out_ += "- **Check**\n";
    for (const std::string& command : card.commands) {
      out_ += "  - " + words_.code(command) + "\n";
    }
    for (const std::string& source : card.sources) {
      out_ += "- Source: " + words_.code(source) + "\n";
    }
  }

  void labelled(const char* label, const std::string& markdown) {
    if (!markdown.empty()) out_ += fmt::format("- **{}**: {}\n", label, markdown);
  }

  void evidence(const EvidenceLine& line) {
    const std::string shown = elide_middle(visible(line.text), 2 * kCellWidth);
    out_ += line.place.empty() ? "  - " : "  - " + words_.code(line.place);
    if (!shown.empty()) {
      out_ += (line.place.empty() ? "" : ": ") +
              (line.quoted ? words_.code(shown) : words_.words(shown));
    }
    if (!line.note.empty()) out_ += (shown.empty() ? ": " : " – ") + words_.words(line.note);
    out_ += "\n";
  }

  static void put(const Drawing& /*drawing*/) {}

  // Without a picture, charts whose numbers stand in a table are left to HTML; of the others, the
  // sentence.
  void put(const Chart& chart) {
    if (!chart.picture.empty()) {
      title(chart.title);
      out_ += fmt::format("\n![{}]({})\n", words_.words(chart.alt), chart.picture);
    } else if (!chart.line.empty()) {
      out_ += "\n" + words_.words(chart.line) + "\n";
    } else if (!chart.has_table) {
      out_ += fmt::format("\n**{}**: {}\n", words_.words(chart.title), words_.words(chart.alt));
    }
  }

  MarkdownWords words_;
  const std::size_t most_;
  std::string out_;
  bool cut_ = false;
  bool is_bare_ = false;  // behind the head of its last block nothing did fit
};

// How many bytes each of `sizes` gets of `room`: small ones all of theirs, the others as much each.
std::vector<std::size_t> fair_shares(const std::vector<std::size_t>& sizes, std::size_t room) {
  std::vector<std::size_t> shares(sizes.size()), by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, {}, [&](std::size_t i) { return sizes[i]; });
  std::size_t left = sizes.size();
  for (const std::size_t i : by_size) {
    shares[i] = std::min(sizes[i], room / left--);
    room -= shares[i];
  }
  return shares;
}

// A whole report of at most `most` bytes, which are at least as many as characters.
class MarkdownReport {
 public:
  MarkdownReport(const Document& document, std::size_t most)
      : document_(document), words_(document.short_paths), most_(most) {}

  // `open`: the sections that are not folded.
  std::string text(const std::string& version, const std::vector<std::string>& open) {
    for (const std::string& line : markdown_screen(document_)) text_ += line + "\n";
    const bool is_overview = text_.empty();
    if (is_overview) {
      const std::string title = words_.code(document_.title),
                        verdict = words_.words(document_.verdict);
      text_ = document_.contract ? "# " + verdict + "\n\n" + title + "\n"
                                 : "# " + title + ": " + verdict + "\n";
    }
    for (const auto& [title, section] : all_sections(document_)) {
      static constexpr std::array<std::string_view, 5> kFirst = {"builds", "broken", "undecidable",
                                                                 "variants", "matrix"};
      const bool is_all = is_overview && std::ranges::find(kFirst, section->id) != kFirst.end();
      const bool folds = !is_all && std::ranges::find(open, section->id) == open.end();
      if (is_all && section->id == "builds") {
        add_builds(title, *section);
        continue;
      }
      add_part(title, section->blocks, folds, is_all || section->id == "findings");
    }
    const std::vector<Block> about = about_blocks();
    if (!about.empty()) add_part("About this report", about, true, false);
    write_parts();
    if (!left_out_.empty()) {
      text_ += fmt::format(
          "\n**Left out**, because GitHub takes {} here: {}. `-o report.html` shows all of it"
          "{}.\n",
          most_ == kComment ? "65,536 characters" : "a megabyte", left_out(),
          most_ == kComment ? ", `--format step-summary` up to a megabyte" : "");
    }
    if (!version.empty()) text_ += fmt::format("\ntrtlens {}\n", words_.prose(version));
    return std::move(text_);
  }

  static constexpr std::size_t kComment = 65536, kSummary = 1000000;

 private:
  static constexpr std::size_t kReserve = 2000;  // for what is said of the parts left out
  static constexpr std::size_t kNamed = 12;

  struct MarkdownPart {
    std::string title, head, body, end;
    const std::vector<Block>* blocks = nullptr;
    bool is_first = false;  // what is read first
    bool is_whole = true;   // else even the room of a whole report is too little

    [[nodiscard]] std::size_t around() const { return head.size() + end.size(); }
  };

  // What stands above the sections of other formats, where it is not on the first screen: the
  // command, the two clocks.
  [[nodiscard]] std::vector<Block> about_blocks() const {
    std::vector<Block> blocks;
    if (document_.comparisons.size() == 1) return blocks;
    for (const Block& block : document_.headline) {
      const auto* const said = std::get_if<Paragraph>(&block);
      if (said != nullptr && said->tone == Tone::plain) blocks.push_back(block);
    }
    for (std::size_t i = 2; i < document_.identity.size(); ++i) {
      blocks.emplace_back(Quote{"", {document_.identity[i]}});
    }
    return blocks;
  }

  // The builds, and what to do first where both are one screen; else that is folded.
  void add_builds(const std::string& title, const Section& section) {
    constexpr std::size_t kOpenRows = 11;
    std::size_t rows = 0;
    auto rest = section.blocks.begin();
    for (auto block = rest; block != section.blocks.end(); ++block) {
      const auto* const table = std::get_if<Table>(&*block);
      if (table == nullptr) continue;
      const bool is_first = rows == 0;
      rows += table->shown == 0 ? table->rows.size() : std::min(table->rows.size(), table->shown);
      if (!is_first && rows > kOpenRows) break;
      rest = block + 1;
    }
    if (rows == 0) rest = section.blocks.end();
    const auto add = [&](auto first, auto last, const std::string& called, bool folds) {
      if (first == last) return;
      add_part(called, divided_.emplace_back(first, last), folds, !folds);
    };
    add(section.blocks.begin(), rest, title, false);
    add(rest, section.blocks.end(), "More on these builds", true);
  }

  void add_part(const std::string& title, const std::vector<Block>& blocks, bool folds,
                bool is_first) {
    const std::string head =
        folds ? "\n<details>\n<summary>" + escape_markdown_html(title) + "</summary>\n"
              : "\n## " + words_.words(title) + "\n";
    const std::string end = folds ? "\n</details>\n" : "";
    MarkdownBlocks all(document_.short_paths, most_);
    std::string body = all.text(blocks);
    parts_.push_back({title, head, std::move(body), end, &blocks, is_first, !all.is_cut()});
  }

  // A summary has something of every part. A comment has whole ones, for as long as they fit; of
  // what is read first as much as fits.
  void write_parts() {
    const std::size_t used = text_.size() + kReserve;
    std::size_t room = most_ > used ? most_ - used : 0;
    std::vector<std::size_t> sizes;
    for (const MarkdownPart& part : parts_) {
      sizes.push_back(part.around() + (part.is_whole ? part.body.size() : most_));
    }
    std::vector<std::size_t> shares = fair_shares(sizes, room);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (most_ == kComment) {
        shares[i] = sizes[i] <= room ? sizes[i] : parts_[i].is_first ? room : 0;
        room -= shares[i];
      }
      write_part(parts_[i], shares[i] == sizes[i], shares[i]);
    }
  }

  void write_part(MarkdownPart& part, bool is_whole, std::size_t share) {
    if (!is_whole) {
      const std::size_t most = share > part.around() ? share - part.around() : 0;
      part.body = MarkdownBlocks(document_.short_paths, most).text(*part.blocks);
      left_out_.push_back((part.body.empty() ? "" : "the rest of ") + part.title);
      if (part.body.empty()) return;
    }
    text_ += part.head + part.body + part.end;
  }

  [[nodiscard]] std::string left_out() const {
    std::vector<std::string> named(
        left_out_.begin(),
        left_out_.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, left_out_.size())));
    std::string text = words_.words(join(named, "; "));
    if (named.size() < left_out_.size()) {
      text += fmt::format("; and {} more", left_out_.size() - named.size());
    }
    return text;
  }

  const Document& document_;
  MarkdownWords words_;
  std::size_t most_;
  std::string text_;
  std::vector<MarkdownPart> parts_;
  std::list<std::vector<Block>> divided_;  // sections in two parts
  std::vector<std::string> left_out_;
};

void write_markdown(const Document& document, const WriterOptions& options, TextStream& out) {
  out += MarkdownReport(document, MarkdownReport::kComment).text(options.version, {});
}

// GitHub's page of a run, where nobody has to scroll past it.
void write_step_summary(const Document& document, const WriterOptions& options, TextStream& out) {
  out += MarkdownReport(document, MarkdownReport::kSummary)
             .text(options.version, {"findings", "differences", "groups", "not-comparable"});
}

}  // namespace

const Writer writer_markdown{"markdown", "md", write_markdown};
const Writer writer_step_summary{"step-summary", "", write_step_summary};

}  // namespace trtlens
