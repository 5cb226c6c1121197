// Tables of the document, made of rows of a ledger: facts in the columns that their table gives
// them, and what only the document shows.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "report/document/parts.h"
#include "report/facts/facts.h"

namespace trtlens {

[[nodiscard]] Cell fact_cell(const FactType& type, const FactValue& value);
// With its unit; empty where it is not known.
[[nodiscard]] std::string fact_text(const FactType& type, const FactValue& value);

template <typename Row>
struct ColumnOf {
  ColumnOf(const char* its_fact) : fact(its_fact) {}  // NOLINT(google-explicit-constructor)
  ColumnOf(Column its_column, std::function<Cell(const Context&, const Row&)> its_cell)
      : column(std::move(its_column)), cell(std::move(its_cell)) {}

  // Where this does not hold the table does without the column.
  [[nodiscard]] ColumnOf only_if(bool holds) && {
    is_there = holds;
    return std::move(*this);
  }

  const char* fact = nullptr;
  Column column;
  std::function<Cell(const Context&, const Row&)> cell;
  bool is_there = true;
};

template <typename Row>
[[nodiscard]] std::vector<const Row*> pointers_to(const std::vector<Row>& rows) {
  std::vector<const Row*> all;
  all.reserve(rows.size());
  for (const Row& row : rows) all.push_back(&row);
  return all;
}

// `rows` are of the Analysis, which outlives the table: cells are made when they are asked for.
template <typename Row>
[[nodiscard]] Table table_of(const Context& context, const FactsOf<Row>& facts,
                             std::vector<const Row*> rows, std::vector<ColumnOf<Row>> columns) {
  std::erase_if(columns, [](const ColumnOf<Row>& column) { return !column.is_there; });
  Table table;
  for (ColumnOf<Row>& column : columns) {
    if (column.fact != nullptr) {
      const FactOf<Row>* fact = facts.find(column.fact);
      column.column = {fact->shown.title, fact->shown.kind, fact->shown.is_detail};
      column.cell = [fact](const Context& of, const Row& row) {
        return fact_cell(fact->type, fact->value(of.analysis, row));
      };
    }
    table.columns.push_back(column.column);
  }
  const std::size_t count = rows.size();
  auto make = [context = context.shared_from_this(), rows = std::move(rows),
               columns = std::move(columns)](std::size_t row, std::size_t column) {
    return columns[column].cell(*context, *rows[row]);
  };
  table.rows = Rows::made_by(count, table.columns.size(), std::move(make));
  return table;
}

// Adds what is known of these facts, under their titles.
template <typename Row>
void add_facts(const Context& context, const FactsOf<Row>& facts, const Row& row,
               std::initializer_list<const char*> names, FactList& out) {
  for (const char* name : names) {
    const FactOf<Row>* fact = facts.find(name);
    out.add(fact->shown.title, fact_text(fact->type, fact->value(context.analysis, row)));
  }
}

}  // namespace trtlens
