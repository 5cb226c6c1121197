// Builds of a history as rows of the tables of an export, whose files other engines read:
// docs/fleet.md.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "report/facts/fact.h"
#include "report/history/history.h"

namespace trtlens {

// A build on its way out.
struct FleetBuild {
  const BuildLine& line;
  const BuildRecord& record;
  const Analysis& analysis;  // of the record
  const Comparison* comparison =
      nullptr;                      // with the last good build before it; null: there is none
  const BuildLine* base = nullptr;  // that one
};

// What the tables call a build: 16 digits of its identity, the same wherever it is exported.
[[nodiscard]] std::string fleet_key(const BuildLine& build);
// The day of a build: "2026-11-27"; "" where there is none.
[[nodiscard]] std::string fleet_date(const BuildLine& build);
// The tables as macros of DuckDB: fleet_builds(PATH) and so on. Readers need not guess the columns
// of each of many files, and an export of other columns is known by it.
[[nodiscard]] std::string fleet_macros(const std::string& format);
// How they begin, whatever the columns.
[[nodiscard]] std::string fleet_mark(const std::string& format);
// A text as the value of a folder KEY=VALUE: percent-encoded, cut where it is long.
[[nodiscard]] std::string folder_value(const std::string& text);

// Builds of one day, which become a file of each table, and of `layers` one of each model.
class FleetPart {
 public:
  FleetPart(std::string date, std::string format)
      : date_(std::move(date)), format_(std::move(format)) {}

  void add(const FleetBuild& build);
  [[nodiscard]] bool is_empty() const { return keys_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Each file with its path in the export, compressed, until `write` says false. `builds` comes
  // last: a build is exported when it stands there.
  bool write(const std::function<bool(const std::string& path, const std::string& bytes)>& write);

 private:
  struct Line {
    std::string layer, text;  // layer: its name; "" in other tables
  };
  using Lines = std::vector<Line>;
  template <typename Row>
  void add_rows(const FleetBuild& build, const FactsOf<Row>& facts, std::span<const Row> rows,
                Lines& lines);
  [[nodiscard]] std::string text_of(const FactTable& facts, const Lines& lines) const;

  std::string date_, format_;  // csv, jsonl
  std::string keys_;           // of all builds
  std::size_t bytes_ = 0;
  Lines builds_, precisions_, findings_;
  std::map<std::string, Lines> layers_;  // by the folder of the model
};

}  // namespace trtlens
