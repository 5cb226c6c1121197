// Values of facts as cells and texts of the document.
#include "report/document/columns.h"

#include <fmt/format.h>

namespace trtlens {
namespace {

std::optional<double> number_of(const FactValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(const FactValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr ? std::optional(*integer) : std::nullopt;
}

}  // namespace

std::string fact_text(const FactType& type, const FactValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return join(*texts, "; ");
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
  const std::optional<double> number = number_of(value);
  if (!number) return "";
  switch (type.kind) {
    case FactKind::bytes:
      return bytes_text(integer_of(value));
    case FactKind::ms:
      return ms_text(number);
    case FactKind::seconds:
      return seconds_text(*number);
    case FactKind::share:
      return share_text(*number);
    case FactKind::integer:
      return fmt::format("{}", *integer_of(value));
    default:
      return fmt::format("{:g}", *number);
  }
}

Cell fact_cell(const FactType& type, const FactValue& value) {
  if (type.kind == FactKind::ms) return ms_cell(number_of(value));
  if (type.kind == FactKind::share) return share_cell(number_of(value));
  if (const auto* flag = std::get_if<bool>(&value)) return text_cell(*flag ? "yes" : "no");
  std::string text = fact_text(type, value);
  const bool has_word_for_unknown = type.kind != FactKind::text && type.kind != FactKind::integer;
  const bool is_unknown = std::holds_alternative<std::monostate>(value);
  if (is_unknown && has_word_for_unknown) text = "unknown";
  return {std::move(text), number_of(value)};
}

Table make_table(const Context& context, const FactTable& facts, std::vector<const void*> rows,
                 std::vector<ColumnEntry> columns) {
  std::erase_if(columns, [](const ColumnEntry& column) { return !column.is_there; });
  Table table;
  for (ColumnEntry& column : columns) {
    if (column.fact != nullptr) {
      const FactEntry& fact = facts.at(column.fact);
      column.column = {fact.shown.title, fact.shown.kind, fact.shown.is_detail};
      column.cell = [&fact](const Context& of, const void* row) {
        return fact_cell(fact.type, fact.value(of.analysis, row));
      };
    }
    table.columns.push_back(column.column);
  }
  const std::size_t count = rows.size();
  auto make = [context = context.shared_from_this(), rows = std::move(rows),
               columns = std::move(columns)](std::size_t row, std::size_t column) {
    return columns[column].cell(*context, rows[row]);
  };
  table.rows = Rows::made_by(count, table.columns.size(), std::move(make));
  return table;
}

void add_known(const Context& context, const FactTable& facts, const void* row,
               std::initializer_list<const char*> names, FactList& out) {
  for (const char* name : names) {
    const FactEntry& fact = facts.at(name);
    out.add(fact.shown.title, fact_text(fact.type, fact.value(context.analysis, row)));
  }
}

}  // namespace trtlens
