// A row a layer, RFC 4180. Texts stand in quotes, whatever they begin with.
#include <fmt/format.h>

#include "report/formats/convert/convert.h"
#include "report/formats/convert/flat_layers.h"
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
  template <typename Other>
  std::string operator()(const Other& /*not of layers*/) const {
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

void write_csv(const Analysis& analysis, TextStream& out) {
  out += joined(layer_columns(), ",", [](const FlatColumn& column) { return column.name; }) + "\n";
  for_each_layer_row(analysis, [&](const std::vector<FlatCell>& cells) {
    out += joined(cells, ",",
                  [](const FlatCell& cell) {
                    std::string text = text_of(cell);
                    if (text.empty() || is_number(cell)) return text;
                    return '"' + replaced(text, {{'"', "\"\""}}) + '"';
                  }) +
           "\n";
  });
}

}  // namespace

const Converter kCsv{"csv", false, write_csv};

}  // namespace trtlens
