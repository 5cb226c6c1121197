// Tables of the document, made of rows of a ledger: facts in the columns that their table gives
// them, and what only the document shows.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "report/document/parts.h"
#include "report/facts/facts.h"

namespace trtlens {

[[nodiscard]] Cell fact_cell(const FactType& type, const FactValue& value);
// With its unit; empty where it is not known.
[[nodiscard]] std::string fact_text(const FactType& type, const FactValue& value);

// A column: a fact as its table shows it, or what only the document shows.
struct ColumnEntry {
  const char* fact = nullptr;
  Column column = {};
  std::function<Cell(const Context&, const void* row)> cell = {};
  bool is_there = true;
};

[[nodiscard]] inline Cell as_cell(Cell cell) {
  return cell;
}
[[nodiscard]] inline Cell as_cell(std::string text) {
  return text_cell(std::move(text));
}

// `get` is of (row) or (context, row).
template <typename Get, typename Row>
[[nodiscard]] decltype(auto) got(const Get& get, const Context& context, const Row& row) {
  if constexpr (std::is_invocable_v<const Get&, const Row&>) {
    return std::invoke(get, row);
  } else {
    return std::invoke(get, context, row);
  }
}

template <typename Row>
struct ColumnOf : ColumnEntry {
  ColumnOf(const char* its_fact) { fact = its_fact; }  // NOLINT(google-explicit-constructor)
  template <typename Get>                              // a Cell, or a text
  ColumnOf(const Column& its_column, Get get) {
    column = its_column;
    cell = [get = std::move(get)](const Context& context, const void* row) {
      return as_cell(got(get, context, *static_cast<const Row*>(row)));
    };
  }

  // Where this does not hold the table does without the column.
  [[nodiscard]] ColumnOf only_if(bool holds) && {
    is_there = holds;
    return std::move(*this);
  }
};

// The share of the profile that `ms` of a row has.
template <typename Row, typename Get>
[[nodiscard]] ColumnOf<Row> share_column(Get ms) {
  return {{"Share", ColumnKind::share}, [ms](const Context& context, const Row& row) {
            return share_cell(context.share_of(got(ms, context, row)));
          }};
}

// Where the log says what a row holds.
template <typename Row>
[[nodiscard]] ColumnOf<Row> place_column(const char* title) {
  return {{title, ColumnKind::name}, [](const Context& context, const Row& row) {
            const std::string place = context.place(row.pos);
            return place.empty() ? "unknown" : place;
          }};
}

[[nodiscard]] Table make_table(const Context& context, const FactTable& facts,
                               std::vector<const void*> rows, std::vector<ColumnEntry> columns);

// `rows` are of the Analysis, which outlives the table: cells are made when they are asked for.
template <typename Row>
[[nodiscard]] Table table_of(const Context& context, const FactsOf<Row>& facts,
                             const std::vector<const Row*>& rows,
                             std::type_identity_t<std::initializer_list<ColumnOf<Row>>> columns) {
  return make_table(context, facts, {rows.begin(), rows.end()}, {columns.begin(), columns.end()});
}

template <typename Row>
[[nodiscard]] std::vector<const Row*> pointers_to(const std::vector<Row>& rows) {
  std::vector<const Row*> all;
  all.reserve(rows.size());
  for (const Row& row : rows) all.push_back(&row);
  return all;
}

// Adds what is known of these facts, under their titles.
void add_known(const Context& context, const FactTable& facts, const void* row,
               std::initializer_list<const char*> names, FactList& out);
template <typename Row>
void add_facts(const Context& context, const FactsOf<Row>& facts, const Row& row,
               std::initializer_list<const char*> names, FactList& out) {
  add_known(context, facts, &row, names, out);
}

}  // namespace trtlens
