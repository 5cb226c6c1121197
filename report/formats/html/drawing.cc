// Drawings of tables, as SVG: bars divided into pieces, and lines over steps. The script only links
// them to the rows.
#include <fmt/format.h>

#include <algorithm>

#include "report/formats/escape.h"
#include "report/formats/html/parts.h"

namespace trtlens {
namespace {

constexpr int kLabelHeight = 16, kPieceHeight = 24, kStepsHeight = 120;  // px
constexpr double kLeastSize = 0.002;  // of the width: what is smaller is not seen
// A label is written where it fits into the widths of a page, and of a narrow one.
constexpr double kPageWidth = 1150, kNarrowWidth = 340, kLetterWidth = 6.4;

std::string fitted(const std::string& text, double size, const std::string& x, const char* css) {
  const double width = static_cast<double>(display_width(text)) * kLetterWidth + 10;
  if (size * kPageWidth < width) return "";
  const bool is_wide_only = size * kNarrowWidth < width;
  return fmt::format("<text x=\"{}\" dx=\"5\" y=\"16\" class=\"{}{}\">{}</text>", x, css,
                     is_wide_only ? " minor" : "", escape_html(text));
}

// With its number where there is room for it.
std::string label_of(const Piece& piece, bool with_text) {
  std::string text;
  if (with_text) text = fitted(piece.label + " " + piece.text, piece.size, "0", "in");
  return text.empty() ? fitted(piece.label, piece.size, "0", "in") : text;
}

std::string said_of(const Piece& piece) {
  return escape_html(piece.text.empty() ? piece.label : piece.label + ": " + piece.text);
}

// The script finds its row by its name.
std::string open_tag(const Piece& piece, int top, const char* css) {
  const double size = std::max(piece.size, kLeastSize);
  const std::string row =
      piece.table.empty() ? "" : fmt::format(" data-row=\"{}-{}\"", piece.table, piece.row);
  return fmt::format(
      "<svg x=\"{:.2f}%\" y=\"{}\" width=\"{:.2f}%\" class=\"piece {}\"{}><title>{}"
      "</title>",
      100 * std::min(piece.from, 1 - size), top, 100 * size, css, row, said_of(piece));
}

void rows(const Drawing& drawing, TextStream& out) {
  int top = 0;
  for (const PieceRow& row : drawing.rows) {
    out += fmt::format("<text y=\"{}\" class=\"what\">{}</text>", top + 12, escape_html(row.label));
    top += kLabelHeight;
    for (std::size_t i = 0; i < row.pieces.size(); ++i) {
      const Piece& piece = row.pieces[i];
      const std::string label = label_of(piece, true);
      out += open_tag(piece, top,
                      piece.is_rest ? "rest"
                      : i % 2 == 0  ? "even"
                                    : "odd") +
             fmt::format("<rect width=\"100%\" height=\"{}\"/>{}</svg>", kPieceHeight - 2, label);
      if (!label.empty() || row.pieces.size() > 1) continue;
      const double end = piece.from + std::max(piece.size, kLeastSize);
      out += fmt::format("<svg y=\"{}\">", top) +
             fitted(piece.label + " " + piece.text, 1 - end, fmt::format("{:.2f}%", 100 * end),
                    "beside") +
             "</svg>";
    }
    top += kPieceHeight;
  }
}

// A step holds until the next one.
std::string path_of(const StepLine& line) {
  const double width = 1000.0 / static_cast<double>(line.heights.size());
  std::string path;
  bool goes_on = false;
  for (std::size_t i = 0; i < line.heights.size(); ++i) {
    const std::optional<double>& height = line.heights[i];
    if (height) {
      const double x = width * static_cast<double>(i), y = 99 - 98 * *height;
      path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", goes_on ? "L" : "M", x, y, x + width);
    }
    goes_on = height.has_value();
  }
  return path;
}

void steps(const Drawing& drawing, TextStream& out) {
  out += fmt::format("<text y=\"12\" class=\"what\">{}</text>", escape_html(drawing.most));
  for (const Piece& piece : drawing.rows.at(0).pieces) {
    out += open_tag(piece, kLabelHeight, "step") +
           fmt::format("<rect width=\"100%\" height=\"{}\"/><svg y=\"{}\">{}</svg></svg>",
                       kStepsHeight, kStepsHeight, label_of(piece, false));
  }
  out += fmt::format(
      "<svg y=\"{}\" width=\"100%\" height=\"{}\" viewBox=\"0 0 1000 100\" "
      "preserveAspectRatio=\"none\" class=\"over\">",
      kLabelHeight, kStepsHeight);
  for (std::size_t i = 0; i < drawing.lines.size(); ++i) {
    out += fmt::format("<path class=\"line-{}\" d=\"{}\"/>", i + 1, path_of(drawing.lines[i]));
  }
  out += "</svg>";
}

std::string legend(const Drawing& drawing) {
  std::string items;
  for (std::size_t i = 0; i < drawing.lines.size(); ++i) {
    items += fmt::format(
        "<li><svg class=\"key\" aria-hidden=\"true\"><path class=\"line-{}\" d=\"M0 "
        "5H24\"/></svg>{}"
        "</li>",
        i + 1, escape_html(drawing.lines[i].label));
  }
  return items.empty() ? "" : "<ul class=\"legend\">" + items + "</ul>";
}

}  // namespace

void html_drawing(const Drawing& drawing, TextStream& out) {
  const bool is_steps = !drawing.lines.empty();
  const int height = is_steps
                         ? kLabelHeight + kStepsHeight + kPieceHeight
                         : static_cast<int>(drawing.rows.size()) * (kLabelHeight + kPieceHeight);
  out += fmt::format(
      "<figure class=\"pieces\"><figcaption><b>{}</b>{}</figcaption>\n<svg class=\"drawn\" "
      "role=\"img\" aria-label=\"{}\" height=\"{}\">",
      escape_html(drawing.title), legend(drawing), escape_html(drawing.alt), height);
  if (is_steps) {
    steps(drawing, out);
  } else {
    rows(drawing, out);
  }
  out += "</svg></figure>\n";
}

}  // namespace trtlens
