// Where the time goes: charts, time by precision and type.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kParetoBars = 24;
constexpr std::size_t kTypeBars = 16;

std::string display_label(const std::string& label) {
  return label.empty() ? "unknown" : label;
}

std::optional<Chart> pareto_chart(const Context& context) {
  Chart chart;
  chart.kind = ChartKind::pareto;
  chart.title = "Time by layer";
  chart.x_label = "ms per query (profile)";
  chart.has_table = true;
  std::vector<std::size_t> shown;
  for (const std::size_t i : context.by_time) {
    const std::optional<double> ms = layer_ms(context.build.layers[i]);
    if (!ms || *ms <= 0 || shown.size() == kParetoBars) break;
    shown.push_back(i);
  }
  double sum = 0;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const double ms = *layer_ms(context.build.layers[shown[k]]);
    sum += ms;
    chart.bars.push_back({label_of(context.analysis, shown[k]), ms, ms_text(ms),
                          context.share_of(sum).value_or(0), kind_of(context, shown[k])});
  }
  if (chart.bars.empty() || context.profile_ms <= 0) return std::nullopt;
  chart.alt = fmt::format(
      "Bars: the {} take {} of {} profile time; line: cumulative share. Colour: precision or "
      "conversion.",
      chart.bars.size() == 1 ? std::string("slowest layer")
                             : fmt::format("{} slowest layers", chart.bars.size()),
      share_text(chart.bars.back().cumulative), ms_text(context.profile_ms));
  return chart;
}

using ShareRows = std::vector<const ShareRow*>;

// What the layers of each type spend their time on; "" where they do not agree.
std::unordered_map<std::string, std::string> kinds_by_type(const Context& context) {
  std::unordered_map<std::string, std::string> kinds;
  for (const std::size_t i : context.by_time) {
    const Layer& layer = context.build.layers[i];
    if (layer_ms(layer).value_or(0) <= 0) break;
    const std::string type = layer.parameter_type.empty() ? layer.layer_type : layer.parameter_type;
    const std::string kind = kind_of(context, i);
    const auto [known, is_new] = kinds.try_emplace(type, kind);
    if (!is_new && known->second != kind) known->second.clear();
  }
  return kinds;
}

std::optional<Chart> share_chart(const Context& context, const ShareRows& rows, const char* title,
                                 bool by_precision) {
  Chart chart;
  chart.title = title;
  chart.x_label = "ms per query (profile)";
  chart.has_table = true;
  std::vector<std::string> leading;
  std::unordered_map<std::string, std::string> kinds;
  if (!by_precision) kinds = kinds_by_type(context);
  for (const ShareRow* row : rows) {
    if (row->time_ms <= 0 || chart.bars.size() == kTypeBars) continue;
    const std::string label = display_label(row->label);
    chart.bars.push_back(
        {label, row->time_ms, ms_text(row->time_ms), 0, by_precision ? label : kinds[label]});
    if (leading.size() < 4) leading.push_back(label + " " + share_text(row->share));
  }
  if (chart.bars.empty() || context.profile_ms <= 0) return std::nullopt;
  chart.alt = fmt::format("{}: {}.", title, join(leading, ", "));
  const bool is_mixed =
      std::ranges::any_of(chart.bars, [](const Bar& bar) { return bar.colour_label.empty(); });
  if (is_mixed) chart.alt += " Blue-grey: layers of several kinds.";
  return chart;
}

ShareRows by_time(const std::vector<ShareRow>& all) {
  ShareRows rows = pointers_to(all);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ShareRow* a, const ShareRow* b) { return a->time_ms > b->time_ms; });
  return rows;
}

std::optional<Table> share_table(const Context& context, const FactsOf<ShareRow>& facts,
                                 const ShareRows& rows, const char* title, const Column& what) {
  if (rows.empty()) return std::nullopt;
  const bool timed = context.profile_ms > 0;
  const auto label = [](const ShareRow& row) { return display_label(row.label); };
  Table table = table_of(context, facts, rows,
                         {{what, label},
                          "layers",
                          ColumnOf<ShareRow>("time_ms").only_if(timed),
                          ColumnOf<ShareRow>("share").only_if(timed)});
  table.title = title;
  table.shown = context.rows_shown(12);
  return table;
}

std::optional<Table> precision_table(const Context& context, const ShareRows& rows) {
  std::optional<Table> table = share_table(context, kPrecisionShareFacts, rows, "By precision",
                                           {"Computes in", ColumnKind::precision});
  const bool has_none = std::any_of(rows.begin(), rows.end(),
                                    [](const ShareRow* row) { return row->label == "none"; });
  if (table && has_none) {
    table->note = "none: kinds without arithmetic, such as reformats, no-ops and shape work.";
  }
  return table;
}

std::string totals_sentence(const Context& context) {
  const Build& build = context.build;
  std::string text = fmt::format("{}, {} with a time, {} in all.",
                                 count_text(build.layers.size(), "layer", "layers"),
                                 context.analysis.timed_layers, ms_text(context.profile_ms));
  if (build.unattributed_ms > 0) {
    text += fmt::format(" {} of it belongs to profile records that the layer info lacks.",
                        ms_text(build.unattributed_ms));
  }
  if (build.profile_iterations) {
    text += fmt::format(" Averages over {}.",
                        count_text(*build.profile_iterations, "iteration", "iterations"));
  }
  return text;
}

}  // namespace

Section time_section(const Context& context) {
  Section section{"time", "Where the time goes", {}};
  const Build& build = context.build;
  const bool timed = context.profile_ms > 0;
  if (timed) section.say(totals_sentence(context));
  if (!timed && !build.layers.empty()) {
    section.say(profile_is_zero(context)
                    ? "Times per layer are unknown: the profile holds nothing but zeros."
                    : "Times per layer are unknown: --dumpProfile --exportProfile=profile.json "
                      "--separateProfileRun records them.");
  }
  const ShareRows precisions = by_time(context.analysis.by_precision);
  const ShareRows types = by_time(context.analysis.by_type);
  section.add(pareto_chart(context));
  section.add(share_chart(context, precisions, "Time by precision", true));
  section.add(share_chart(context, types, "Time by type", false));
  if (!build.layers.empty()) {
    section.add(precision_table(context, precisions));
    section.add(
        share_table(context, kTypeShareFacts, types, "By type", {"Type", ColumnKind::name}));
  }
  add_reconciliation(context, section);
  section.add(histogram_chart(context));
  section.add(trace_chart(context));
  return section;
}

}  // namespace trtlens
