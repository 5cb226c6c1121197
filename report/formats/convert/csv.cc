// A row a layer, or a build: RFC 4180. Texts stand in quotes, whatever they begin with.
#include <fmt/format.h>

#include "report/facts/facts.h"
#include "report/formats/convert/convert.h"
#include "report/formats/convert/flat_rows.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr const char* kBetween = "; ";  // of the items of a list

template <typename Items, typename Text>
std::string joined(const Items& items, const char* between, const Text& text) {
  std::string all;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) all += between;
    is_first = false;
    all += text(item);
  }
  return all;
}

// Without quotes; the dimensions of a tensor as "32x64x56x56".
struct PlainText {
  std::string operator()(std::monostate /*unknown*/) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return visible(value); }
  std::string operator()(const std::vector<std::string>& values) const {
    return joined(values, kBetween, [](const std::string& value) { return visible(value); });
  }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return joined(values, "x", [](std::int64_t value) { return std::to_string(value); });
  }
  std::string operator()(const NamedNumbers& values) const {
    return joined(values, kBetween, [](const auto& one) {
      return fmt::format("{}={}", visible(one.first), one.second);
    });
  }
  template <typename Other>
  std::string operator()(const Other& /*not of rows*/) const {
    return {};
  }
};

std::string text_of(const FlatCell& cell) {
  return joined(cell, kBetween,
                [](const FactValue& value) { return std::visit(PlainText(), value); });
}

bool is_number(const FlatCell& cell) {
  return cell.size() == 1 &&
         (std::holds_alternative<std::int64_t>(cell[0]) || std::holds_alternative<double>(cell[0]));
}

void write_heading(TextStream& out) {
  out += csv_header(layer_columns());
}

void write_csv(const Analysis& analysis, TextStream& out) {
  for_each_layer_row(analysis, [&](const std::vector<FlatCell>& cells) { out += csv_line(cells); });
}

}  // namespace

std::string csv_header(const std::vector<FlatColumn>& columns) {
  return joined(columns, ",", [](const FlatColumn& column) { return column.name; }) + "\n";
}

std::string csv_line(const std::vector<FlatCell>& cells) {
  return joined(cells, ",",
                [](const FlatCell& cell) {
                  std::string text = text_of(cell);
                  if (text.empty() || is_number(cell)) return text;
                  return '"' + replaced(text, {{'"', "\"\""}}) + '"';
                }) +
         "\n";
}

const Converter kCsv{"csv", false, write_csv, true, write_heading};

void write_builds_csv(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                      const std::vector<std::size_t>& rows, TextStream& out) {
  const std::vector<FlatColumn> columns = flat_columns(kBuildRowFacts);
  out += csv_header(columns);
  FlatRow row(columns);
  for (const std::size_t i : rows) {
    row.clear();
    const BuildRow build{&analyses[i], &gates.at(i)};
    kBuildRowFacts.write(analyses[i], &build, row);
    out += csv_line(row.cells);
  }
}

}  // namespace trtlens
