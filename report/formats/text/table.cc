// Natural widths first; the widest columns that can wrap or be cut give way until the line fits.
#include "report/formats/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include "analyzers/text.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::size_t kGap = 2;             // blanks between columns
constexpr std::size_t kDetailIndent = 4;    // of what stands below a row
constexpr std::size_t kDetailLines = 4;     // of one detail, at most
constexpr std::size_t kLeastFlexible = 12;  // a column that may shrink keeps this
constexpr std::size_t kLeastHard = 6;       // any that holds no numbers, where nothing else helps

bool is_flexible(const Column& column) {
  return column.kind == ColumnKind::text || column.kind == ColumnKind::name;
}

bool is_right(const Column& column) {
  return is_number(column.kind);
}

// Columns on the line itself, without those that are shown below the row.
std::vector<std::size_t> line_columns(const Table& table) {
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].detail && !table.columns[c].extra) out.push_back(c);
  }
  return out;
}

std::size_t rows_shown(const Table& table) {
  return table.shown == 0 ? table.rows.size() : std::min(table.shown, table.rows.size());
}

// As it is printed: the first column begins a line.
std::string shown(const std::string& text, std::size_t column) {
  return column == 0 ? without_runner_commands(printable(text)) : printable(text);
}

// Which columns may be narrower than `width`; each where those before it do not suffice.
using GivesWay = bool (*)(const Column& column, std::size_t width);
bool prose_and_names(const Column& column, std::size_t width) {
  return is_flexible(column) && width > kLeastFlexible;
}
bool what_is_cut(const Column& column, std::size_t width) {
  return column.cut && width > kLeastHard;
}
bool all_but_numbers(const Column& column, std::size_t width) {
  return !is_right(column) && width > kLeastHard;
}

std::size_t line_width(const std::vector<std::size_t>& widths) {
  std::size_t total = widths.empty() ? 0 : kGap * (widths.size() - 1);
  for (const std::size_t w : widths) total += w;
  return total;
}

std::vector<std::size_t> natural_widths(const Table& table,
                                        const std::vector<std::size_t>& columns) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t c = columns[i];
    std::size_t widest = display_width(table.columns[c].title);
    for (std::size_t r = 0; r < rows_shown(table); ++r) {
      widest = std::max(widest, display_width(shown(table.rows.cell(r, c).text, i)));
    }
    widths.push_back(widest);
  }
  return widths;
}

// The widest columns that may give way until the line fits, where that is enough.
void narrow(const Table& table, const std::vector<std::size_t>& columns, std::size_t width,
            const std::vector<GivesWay>& ways, std::vector<std::size_t>& widths) {
  for (const GivesWay gives_way : ways) {
    for (std::size_t total = line_width(widths); total > width; --total) {
      std::size_t widest = widths.size();
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool can = gives_way(table.columns[columns[i]], widths[i]);
        if (can && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
      }
      if (widest == widths.size()) break;
      --widths[widest];
    }
  }
}

// Which columns stand side by side, how wide, and which ones below, where there is no room.
struct Layout {
  std::vector<std::size_t> columns, widths, below;
};

Layout layout_of(const Table& table, std::size_t width) {
  Layout layout{line_columns(table), {}, {}};
  const std::vector<std::size_t> natural = natural_widths(table, layout.columns);
  layout.widths = natural;
  narrow(table, layout.columns, width, {prose_and_names, what_is_cut, all_but_numbers},
         layout.widths);
  // Once some stand below, there is room for the names of the others.
  while (line_width(layout.widths) > width && layout.columns.size() > 1) {
    layout.below.insert(layout.below.begin(), layout.columns.back());
    layout.columns.pop_back();
    layout.widths.assign(natural.begin(), natural.begin() + std::ssize(layout.columns));
    narrow(table, layout.columns, width, {prose_and_names, what_is_cut}, layout.widths);
  }
  return layout;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string blanks(used < width ? width - used : 0, ' ');
  return right ? blanks + text : text + blanks;
}

// Where cutting names makes two of them one, they go on in further lines.
std::vector<bool> wrapped_names(const Table& table, const std::vector<std::size_t>& columns,
                                const std::vector<std::size_t>& widths) {
  std::vector<bool> wraps(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (table.columns[columns[i]].kind != ColumnKind::name) continue;
    std::map<std::string, std::string> whole;  // by what is shown of it
    for (std::size_t r = 0; r < rows_shown(table) && !wraps[i]; ++r) {
      const std::string text = shown(table.rows.cell(r, columns[i]).text, i);
      const auto [at, is_new] = whole.emplace(elide_middle(text, widths[i]), text);
      wraps[i] = !is_new && at->second != text;
    }
  }
  return wraps;
}

void trim_end(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

// One table row as lines: text columns wrap, names are elided.
std::string row_lines(const Table& table, const std::vector<Cell>& row,
                      const std::vector<std::size_t>& columns,
                      const std::vector<std::size_t>& widths, const std::vector<bool>& wraps) {
  constexpr std::size_t kNameLines = 3;
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string text = shown(row[columns[i]].text, i);
    if (table.columns[columns[i]].cut) {
      cells.push_back({end_elided(text, widths[i])});
    } else if (table.columns[columns[i]].kind == ColumnKind::text) {
      cells.push_back(wrap(text, widths[i]));
    } else if (wraps[i]) {
      cells.push_back(wrap(elide_middle(text, kNameLines * widths[i]), widths[i]));
    } else {
      cells.push_back({elide_middle(text, widths[i])});
    }
    lines = std::max(lines, cells.back().size());
  }
  std::string out;
  for (std::size_t l = 0; l < lines; ++l) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line += std::string(kGap, ' ');
      const std::string text = l < cells[i].size() ? cells[i][l] : "";
      line += padded(text, widths[i], is_right(table.columns[columns[i]]));
    }
    trim_end(line);
    out += line + "\n";
  }
  return out;
}

// A number keeps its unit beside it: "7.0 %", "0.854 ms".
bool is_unit(std::string_view text) {
  const std::string_view word = text.substr(0, std::min<std::size_t>(text.find(' '), 8));
  const std::size_t letters = std::min(word.find_first_of(".,;:)"), word.size());
  static constexpr std::array<std::string_view, 6> kUnits = {"%", "ms", "s", "KiB", "MiB", "GiB"};
  return std::ranges::find(kUnits, word.substr(0, letters)) != kUnits.end();
}

std::size_t end_of_word(std::string_view text, std::size_t start) {
  std::size_t end = std::min(text.find(' ', start), text.size());
  const bool is_number = end > start && text[end - 1] >= '0' && text[end - 1] <= '9';
  if (is_number && end < text.size() && is_unit(text.substr(end + 1))) {
    end = std::min(text.find(' ', end + 1), text.size());
  }
  return end;
}

// Of a word that does not fit, up to a hyphen or the like in its second half, where one stands.
std::string_view first_piece(std::string_view word, std::size_t width) {
  constexpr std::size_t kReadableLines = 4;  // longer than any name that is read
  const std::string_view piece = word.substr(0, fitting_bytes(word, width));
  if (word.size() > kReadableLines * width) return piece;
  const std::size_t joint = piece.find_last_of("-/_,");
  return joint != std::string_view::npos && joint >= piece.size() / 2 ? piece.substr(0, joint + 1)
                                                                      : piece;
}

// "Efficiency 20 % · GMAC 0.154": what stands below, with its titles.
std::string below_row(const Table& table, const std::vector<Cell>& row,
                      const std::vector<std::size_t>& columns) {
  std::string text;
  for (const std::size_t c : columns) {
    if (row[c].text.empty()) continue;
    text += (text.empty() ? "" : " · ") + printable(table.columns[c].title) + " " +
            printable(row[c].text);
  }
  return text;
}

void text_details(const Table& table, const std::vector<Cell>& row, std::size_t width,
                  const Ink& ink, TextStream& out) {
  const std::size_t indent = std::min(kDetailIndent, width / 8);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].detail || table.columns[c].extra || row[c].text.empty()) continue;
    const std::string label = printable(table.columns[c].title) + ": ";
    const bool stands_beside = indent + display_width(label) + kLeastFlexible <= width;
    const std::size_t room = width - indent - (stands_beside ? display_width(label) : 0);
    // Reasons are read to their end; a name of kilobytes is not.
    const std::string text = elide_middle(printable(row[c].text), kDetailLines * room);
    std::string start = std::string(indent, ' ') + (stands_beside ? label : "");
    for (const std::string& line : wrap(stands_beside ? text : label + text, room)) {
      out += ink.dim(start + line) + "\n";
      start.assign(width - room, ' ');
    }
  }
}

}  // namespace

std::string Ink::bold(const std::string& text) const {
  return on ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string Ink::dim(const std::string& text) const {
  return on ? "\x1b[2m" + text + "\x1b[0m" : text;
}

std::string Ink::tone(Tone tone, const std::string& text) const {
  if (!on || tone == Tone::plain) return text;
  const char* const code = name_of<Tone::fatal>(tone, {"0", "32", "36", "34", "33", "31", "1;31"});
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

// Looks at every byte once: a name may be as long as the whole input.
std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  width = std::max(width, kLeastHard);
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;  // columns of `line`
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = end_of_word(text, start);
    std::string_view word = std::string_view(text).substr(start, end - start);
    start = end + 1;
    if (word.empty()) continue;
    std::size_t columns = display_width(word);
    if (!line.empty() && used + 1 + columns > width) {
      lines.push_back(std::move(line));
      line.clear();
      used = 0;
    }
    while (columns > width) {
      const std::string_view piece = first_piece(word, width);
      lines.emplace_back(piece);
      word.remove_prefix(piece.size());
      columns -= display_width(piece);
    }
    used += columns + (line.empty() ? 0 : 1);
    line.append(line.empty() ? "" : " ").append(word);
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string hanging(const std::string& first, const std::string& text, std::size_t width) {
  const std::size_t indent = display_width(first);
  std::string out;
  bool is_first = true;
  for (const std::string& line : wrap(text, width > indent ? width - indent : 8)) {
    std::string whole = (is_first ? first : std::string(indent, ' ')) + line;
    trim_end(whole);
    out += whole + "\n";
    is_first = false;
  }
  return out;
}

std::string command_lines(const std::string& first, const std::vector<std::string>& commands,
                          std::size_t width) {
  constexpr std::size_t kContinued = 2;  // " \\"
  const std::size_t indent = display_width(first);
  const std::size_t room = std::max<std::size_t>(width, indent + kContinued + 8) - indent;
  const std::string blanks(indent, ' ');
  std::string out;
  // Who copies whole lines copies nothing but commands.
  if (!commands.empty() && first != blanks) {
    out = first;
    trim_end(out);
    out += "\n";
  }
  for (const std::string& command : commands) {
    const std::string shown = printable(command);
    std::vector<std::string> lines = {shown};
    if (display_width(shown) > room && shown.find_first_of("\"'") == std::string::npos) {
      lines = wrap(shown, room - kContinued);
      // A word that had to be cut would not be one word for a shell.
      if (join(lines, " ") != shown) lines = {shown};
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out += blanks + lines[i] + (i + 1 < lines.size() ? " \\\n" : "\n");
    }
  }
  return out;
}

void text_table(const Table& table, std::size_t width, const Ink& ink, TextStream& out) {
  const auto [columns, widths, below] = layout_of(table, width);
  const std::vector<bool> wraps = wrapped_names(table, columns, widths);
  for (const std::string& line : wrap(printable(table.title), width)) {
    if (!table.title.empty()) out += ink.bold(line) + "\n";
  }
  std::vector<Cell> titles;
  for (const Column& column : table.columns) titles.push_back({column.title, std::nullopt});
  std::string head = row_lines(table, titles, columns, widths, wraps);
  head.pop_back();
  out += ink.dim(head) + "\n";
  const std::string indent(std::min(kDetailIndent, width / 8), ' ');
  for (std::size_t r = 0; r < rows_shown(table); ++r) {
    const std::vector<Cell> row = table.rows[r];
    out += row_lines(table, row, columns, widths, wraps);
    const std::string moved = below_row(table, row, below);
    if (!moved.empty()) {
      out += hanging(indent, elide_middle(moved, kDetailLines * (width - indent.size())), width);
    }
    text_details(table, row, width, ink, out);
  }
  if (rows_shown(table) < table.rows.size()) {
    const std::string how = table.all_by.empty() ? "" : ": " + table.all_by;
    const std::size_t more = table.rows.size() - rows_shown(table);
    for (const std::string& line : wrap(fmt::format("… and {} more{}", more, how), width)) {
      out += ink.dim(line) + "\n";
    }
  }
  if (!table.note.empty()) {
    for (const std::string& line : wrap(printable(table.note), width)) out += ink.dim(line) + "\n";
  }
}

}  // namespace trtlens
