// The matrix of `compare --against base`. Groups of layers differ from variant to variant: a row
// is the least set of the base's layers that no variant's group divides, so that columns add up.
#include "report/document/comparison/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzers/text.h"
#include "report/document/columns.h"
#include "report/document/comparison/comparison.h"
#include "report/document/comparison/groups.h"
#include "report/document/comparison/words.h"
#include "report/document/parts.h"
#include "report/document/paths.h"

namespace trtlens {
namespace {

// Figures side by side would be a comparison.
bool has_change(const Comparison& c) {
  return !c.refused && c.engine.ratio && c.engine.reason.empty();
}

// Fastest first; those without a time behind them.
std::vector<std::size_t> ranks_of(const std::vector<Comparison>& comparisons) {
  std::vector<std::size_t> ranks(comparisons.size());
  std::iota(ranks.begin(), ranks.end(), std::size_t{0});
  std::ranges::stable_sort(ranks, {}, [&](std::size_t i) {
    const Comparison& c = comparisons[i];
    return has_change(c) ? *c.engine.ratio : std::numeric_limits<double>::infinity();
  });
  return ranks;
}

bool is_removed(const Difference& d) {
  return d.what == "option" && !d.candidate;
}

// "--int8", "without --fp16", "--onnx=b.onnx", "Q/DQ nodes 84": of the variant.
std::string difference_text(const Difference& d) {
  if (d.what != "option") return d.name + " " + side_text(d, d.candidate);
  if (is_removed(d)) return "without " + d.name;
  if (*d.candidate == "given") return d.name;
  const std::size_t slash = d.candidate->find_last_of("/\\");
  return d.name + "=" +
         (slash == std::string::npos ? *d.candidate : d.candidate->substr(slash + 1));
}

// What makes it a variant; of one that failed, why.
std::string about_variant(const Comparison& c, const ComparisonScreen& screen) {
  if (!screen.failures.empty()) return screen.failures.front().title;
  if (c.refused && !c.not_comparable.empty()) return c.not_comparable.front();
  std::vector<std::string> texts;
  bool any_unknown = false;
  for (const bool is_gone : {false, true}) {  // "--int8, without --fp16"
    for (const Difference& d : c.differences) {
      if (!d.matters || is_removed(d) != is_gone) continue;
      const bool is_unknown = d.what != "option" && !d.candidate;
      any_unknown = any_unknown || is_unknown;
      if (!is_unknown) texts.push_back(difference_text(d));
    }
  }
  if (!texts.empty()) return join(texts, ", ");
  return any_unknown || !unknown_build_text(c).empty() ? "not known" : "nothing that matters";
}

Cell time_cell(const std::optional<double>& ms) {
  return {ms ? ms_number(*ms) : "–", ms};
}

// What the times are of: of most variants, then of those whose base has another figure.
std::string time_note(const std::vector<Comparison>& comparisons) {
  struct Figure {
    std::string name;
    std::optional<double> base_ms;
    std::vector<std::string> variants;
  };
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    const EngineVerdict& engine = comparisons[i].engine;
    if (!has_change(comparisons[i])) continue;
    const std::string name = is_by_profile(engine)
                                 ? "sum of the layers' profile times"
                                 : "GPU compute per query" + statistic_text(engine);
    auto known = std::ranges::find(figures, name, &Figure::name);
    if (known == figures.end()) known = figures.insert(known, {name, engine.base_ms, {}});
    known->variants.push_back(std::to_string(i + 1));
  }
  std::ranges::stable_sort(figures, std::ranges::greater(),
                           [](const Figure& figure) { return figure.variants.size(); });
  std::string note;
  for (const Figure& figure : figures) {
    note += note.empty() ? "Time: " + figure.name + "."
                         : fmt::format(" Of {}: {}, {} of the base.", join(figure.variants, ", "),
                                       figure.name, ms_text(figure.base_ms));
  }
  return note;
}

// The base's, as most variants are held against it.
std::optional<double> usual_base_ms(const std::vector<Comparison>& comparisons) {
  std::vector<double> all;
  for (const Comparison& c : comparisons) {
    if (has_change(c)) all.push_back(*c.engine.base_ms);
  }
  if (all.empty()) return std::nullopt;
  return *std::ranges::max_element(all, {}, [&](double ms) { return std::ranges::count(all, ms); });
}

Rows::Row row_of_base(const std::vector<Comparison>& comparisons) {
  const std::optional<double> ms = usual_base_ms(comparisons);
  return {{"base", 0.0},  text_cell(side_name(comparisons.front(), 0)),
          text_cell("–"), time_cell(ms),
          {"–", {}},      text_cell("")};
}

Table table_of_variants(const std::vector<Comparison>& comparisons, const Document& all, int top) {
  Table table;
  table.columns = {{"#", ColumnKind::label},       {"Variant", ColumnKind::name},
                   {"Verdict", ColumnKind::label}, {"Time (ms)", ColumnKind::number},
                   {"Change", ColumnKind::delta},  {"What differs", ColumnKind::text}};
  table.columns.back().cut = true;
  table.rows.push_back(row_of_base(comparisons));
  for (const std::size_t i : ranks_of(comparisons)) {
    const Comparison& c = comparisons[i];
    const bool has_figures = has_change(c);
    const std::string number = std::to_string(i + 1);
    table.rows.push_back(
        {{number, static_cast<double>(i + 1)},
         {side_name(c, 1), {}, "#comparison-" + number},
         text_cell(verdict_word(c)),
         time_cell(has_figures ? c.engine.candidate_ms : std::nullopt),
         has_figures ? Cell{shift_texts(c.engine).shift, *c.engine.ratio - 1} : Cell{"–", {}},
         text_cell(about_variant(c, all.each[i].comparisons.front()))});
  }
  table.interactive = true;
  table.shown = top > 0 ? static_cast<std::size_t>(top) : 0;
  table.note = time_note(comparisons);
  return table;
}

// Sets of the base's layers.
class LayerSets {
 public:
  explicit LayerSets(std::size_t layers) : parent_(layers) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  void join(const std::vector<std::size_t>& layers) {
    for (const std::size_t layer : layers) parent_[of(layer)] = of(layers.front());
  }
  // One of its set's, the same for all of them.
  [[nodiscard]] std::size_t of(std::size_t layer) {
    while (parent_[layer] != layer) {
      parent_[layer] = parent_[parent_[layer]];
      layer = parent_[layer];
    }
    return layer;
  }

 private:
  std::vector<std::size_t> parent_;
};

struct Shift {
  double ms = 0;
  bool is_judged = false;  // a group in it is slower or faster beyond the noise
};
struct MatrixRow {
  std::vector<std::size_t> layers;  // of the base; none: only variants have them
  double base_ms = 0;
  std::vector<Shift> shifts;  // by comparison

  [[nodiscard]] double largest(bool judged) const {
    double most = 0;
    for (const Shift& shift : shifts) {
      if (shift.is_judged || !judged) most = std::max(most, std::abs(shift.ms));
    }
    return most;
  }
};

// Whether its layers can stand in the matrix.
bool has_layers(const Comparison& c, const Analysis& base) {
  return !c.refused && c.base.build.has_profile && c.candidate.build.has_profile &&
         c.base.build.layers.size() == base.build.layers.size();
}

void add_shift(const LayerGroup& group, Shift& shift) {
  shift.ms += group.delta_ms;
  shift.is_judged = shift.is_judged || unmatched(group) || group.verdict == Verdict::regressed ||
                    group.verdict == Verdict::improved;
}

// Those that shifted most first, beyond the noise before the others.
std::vector<MatrixRow> matrix_rows(const std::vector<Comparison>& comparisons,
                                   const Analysis& base) {
  LayerSets sets(base.build.layers.size());
  for (const Comparison& c : comparisons) {
    if (!has_layers(c, base)) continue;
    for (const LayerGroup& group : c.groups) sets.join(group.base);
  }
  constexpr std::size_t kNoLayer = std::numeric_limits<std::size_t>::max();
  std::map<std::size_t, MatrixRow> by_set;
  const auto row_of = [&](std::size_t set) -> MatrixRow& {
    MatrixRow& row = by_set[set];
    row.shifts.resize(comparisons.size());
    return row;
  };
  for (std::size_t layer = 0; layer < base.build.layers.size(); ++layer) {
    MatrixRow& row = row_of(sets.of(layer));
    row.layers.push_back(layer);
    row.base_ms += time_or_zero(base.build.layers[layer]);
  }
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    if (!has_layers(comparisons[i], base)) continue;
    for (const LayerGroup& group : comparisons[i].groups) {
      const std::size_t set = group.base.empty() ? kNoLayer : sets.of(group.base.front());
      add_shift(group, row_of(set).shifts[i]);
    }
  }
  std::vector<MatrixRow> rows;
  for (auto& [set, row] : by_set) {
    if (row.base_ms != 0 || row.largest(false) != 0) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), [](const MatrixRow& row) {
    return std::pair(row.largest(true), row.largest(false));
  });
  return rows;
}

std::string label_of(const MatrixRow& row, const Analysis& base) {
  if (row.layers.empty()) return "layers that the base has not";
  const std::size_t slowest = *std::ranges::max_element(
      row.layers, {}, [&](std::size_t i) { return time_or_zero(base.build.layers[i]); });
  const auto timed = static_cast<std::size_t>(std::ranges::count_if(
      row.layers, [&](std::size_t i) { return time_or_zero(base.build.layers[i]) > 0; }));
  return label_of(base, slowest) + (timed > 1 ? fmt::format(" and {} more", timed - 1) : "");
}

Cell shift_cell(const Shift& shift) {
  return {shift.is_judged ? ms_change_text(shift.ms) : "~", shift.ms};
}

// The first row is the sum of all others.
void add_rows(const std::vector<Comparison>& comparisons, const Analysis& base,
              const std::vector<std::size_t>& ranks, Table& table) {
  Rows::Row whole{text_cell("all layers"), time_cell(base.build.profile_sum_ms)};
  for (const std::size_t i : ranks) {
    const Comparison& c = comparisons[i];
    const double ms = c.candidate.build.profile_sum_ms - c.base.build.profile_sum_ms;
    whole.push_back(has_layers(c, base) ? Cell{ms_change_text(ms), ms} : Cell{"–", {}});
  }
  table.rows.push_back(std::move(whole));
  for (const MatrixRow& row : matrix_rows(comparisons, base)) {
    Rows::Row cells{text_cell(label_of(row, base)),
                    row.layers.empty() ? Cell{"–", {}} : time_cell(row.base_ms)};
    for (const std::size_t i : ranks) {
      cells.push_back(has_layers(comparisons[i], base) ? shift_cell(row.shifts[i]) : Cell{"–", {}});
    }
    table.rows.push_back(std::move(cells));
  }
}

// None where no two profiles can be held against each other.
std::optional<Section> layers_section(const std::vector<Comparison>& comparisons, int top) {
  const auto first =
      std::ranges::find_if(comparisons, [](const Comparison& c) { return has_layers(c, c.base); });
  if (first == comparisons.end()) return std::nullopt;
  constexpr std::size_t kMostColumns = 4;  // of variants, where the width is that of a page
  Table table;
  table.columns = {{"Layer", ColumnKind::name}, {"Base (ms)", ColumnKind::number}};
  const std::vector<std::size_t> ranks = ranks_of(comparisons);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    Column column{fmt::format("#{}", ranks[rank] + 1), ColumnKind::number};
    column.extra = rank >= kMostColumns;
    column.hint = side_name(comparisons[ranks[rank]], 1);
    table.columns.push_back(std::move(column));
  }
  add_rows(comparisons, first->base, ranks, table);
  table.interactive = true;
  table.shown = top > 0 ? static_cast<std::size_t>(top) : 0;
  table.note = "Shift of the profile in ms, a column a variant. ~: within the noise.";
  if (ranks.size() > kMostColumns) {
    table.note += fmt::format(" In text and Markdown: the {} fastest.", kMostColumns);
  }
  Section section{"matrix", "Where each variant is slower or faster", {}};
  section.add(std::move(table));
  return section;
}

// "1 regressed, 2 improved"
std::string verdicts_text(const std::vector<Comparison>& comparisons) {
  std::string text;
  for (const std::string_view word :
       {"Regressed", "Improved", "No change", "Cannot tell", "Not comparable"}) {
    const auto variants = std::ranges::count(comparisons, word, verdict_word);
    if (variants == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", variants,
                        static_cast<char>(word.front() - 'A' + 'a'), word.substr(1));
  }
  return text;
}

}  // namespace

Document matrix_of(const std::vector<Comparison>& comparisons, const std::vector<GateResult>& gates,
                   int top) {
  Document all;
  all.title = fmt::format("{} against {}", count_text(comparisons.size(), "variant"),
                          side_name(comparisons.front(), 0));
  all.verdict = verdicts_text(comparisons);
  std::vector<const Analysis*> sides;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    sides.insert(sides.end(), {&comparisons[i].base, &comparisons[i].candidate});
    all.each.push_back(build_document(comparisons[i], top, &gates.at(i)));
    const Tone tone = all.each.back().verdict_tone;
    if (i == 0 || tone == Tone::major) all.verdict_tone = tone;
  }
  all.short_paths = short_paths(sides);
  Section variants{"variants", "How fast each variant is", {}};
  variants.add(table_of_variants(comparisons, all, top));
  all.sections.push_back(std::move(variants));
  if (std::optional<Section> layers = layers_section(comparisons, top)) {
    all.sections.push_back(std::move(*layers));
  }
  return all;
}

}  // namespace trtlens
