// Where the time goes: charts, time by precision and type, the layers.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kParetoBars = 24;
constexpr std::size_t kTypeBars = 16;

// "CaskConvolution" says "Convolution" already.
std::string type_of(const Layer& layer) {
  if (layer.layer_type.empty()) return layer.parameter_type;
  if (layer.layer_type.str().find(layer.parameter_type) != std::string::npos)
    return layer.layer_type;
  return layer.layer_type.str() + " / " + layer.parameter_type.str();
}

std::string display_label(const std::string& label) {
  return label.empty() ? "unknown" : label;
}

std::optional<Chart> pareto_chart(const Context& context) {
  Chart chart;
  chart.kind = ChartKind::pareto;
  chart.title = "Time by layer";
  chart.x_label = "ms per query (profile)";
  chart.has_table = true;
  double sum = 0;
  for (const std::size_t i : context.by_time) {
    const std::optional<double> ms = layer_ms(context.build.layers[i]);
    if (!ms || *ms <= 0 || chart.bars.size() == kParetoBars) break;
    sum += *ms;
    chart.bars.push_back({context.build.layers[i].name, *ms, ms_text(*ms),
                          context.share_of(sum).value_or(0), context.compute_of(i)});
  }
  if (chart.bars.empty() || context.profile_ms <= 0) return std::nullopt;
  chart.alt = fmt::format(
      "Bars: the {} take {} of {} profile time; line: cumulative share. Colour: precision.",
      chart.bars.size() == 1 ? std::string("slowest layer")
                             : fmt::format("{} slowest layers", chart.bars.size()),
      share_text(chart.bars.back().cumulative), ms_text(context.profile_ms));
  return chart;
}

using ShareRows = std::vector<const ShareRow*>;

std::optional<Chart> share_chart(const Context& context, const ShareRows& rows, const char* title,
                                 bool by_precision) {
  Chart chart;
  chart.title = title;
  chart.x_label = "ms per query (profile)";
  chart.has_table = true;
  std::vector<std::string> leading;
  for (const ShareRow* row : rows) {
    if (row->time_ms <= 0 || chart.bars.size() == kTypeBars) continue;
    const std::string label = display_label(row->label);
    chart.bars.push_back(
        {label, row->time_ms, ms_text(row->time_ms), 0, by_precision ? label : ""});
    if (leading.size() < 4) leading.push_back(label + " " + share_text(row->share));
  }
  if (chart.bars.empty() || context.profile_ms <= 0) return std::nullopt;
  chart.alt = fmt::format("{}: {}.", title, join(leading, ", "));
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

// Columns that no row has anything in are not made.
struct LayerColumns {
  bool time = false, type = false, precision = false, tactic = false, evidence = false;
  bool onnx = false, opt_profile = false;
};

LayerColumns columns_present(const Context& context) {
  LayerColumns has;
  std::set<int> profiles;
  for (std::size_t i = 0; i < context.build.layers.size(); ++i) {
    const Layer& layer = context.build.layers[i];
    has.time = has.time || layer.time;
    has.type = has.type || !type_of(layer).empty();
    has.precision = has.precision || context.verdict(i).compute != Precision::unknown;
    has.tactic = has.tactic || !layer.tactic_name.empty();
    has.evidence = has.evidence || !context.verdict(i).evidence.empty();
    has.onnx = has.onnx || !layer.onnx_nodes.empty();
    profiles.insert(layer.opt_profile);
  }
  has.opt_profile = profiles.size() > 1;
  return has;
}

std::size_t index_of(const Context& context, const Layer& layer) {
  return static_cast<std::size_t>(&layer - context.build.layers.data());
}

// The tactic has a column of its own, so that its name need not be repeated here.
std::string evidence_text(const Context& context, const Layer& layer) {
  const LayerVerdict& verdict = context.verdict(index_of(context, layer));
  if (verdict.evidence.empty()) return "";
  std::vector<SharedText> parts = verdict.evidence;
  for (SharedText& part : parts) {
    const std::size_t at =
        layer.tactic_name.empty() ? std::string::npos : part.find(layer.tactic_name);
    if (at != std::string::npos) part = "tactic name";
  }
  return fmt::format("{} ({})", join(parts, "; "), to_string(verdict.confidence));
}

// Of a layer in the order of time.
struct LayerPlace {
  std::size_t rank = 0;  // from 1
  double sum_ms = 0;     // of the layers up to it
};

std::vector<LayerPlace> places_of(const Context& context) {
  std::vector<LayerPlace> places(context.build.layers.size());
  LayerPlace last;
  for (const std::size_t i : context.by_time) {
    ++last.rank;
    last.sum_ms += layer_ms(context.build.layers[i]).value_or(0);
    places[i] = last;
  }
  return places;
}

Table layer_table(const Context& context) {
  const LayerColumns has = columns_present(context);
  std::vector<const Layer*> rows;
  for (const std::size_t i : context.by_time) rows.push_back(&context.build.layers[i]);
  const auto places = std::make_shared<const std::vector<LayerPlace>>(places_of(context));
  const auto rank = [places](const Context& of, const Layer& layer) {
    return count_cell((*places)[index_of(of, layer)].rank);
  };
  const auto time = [](const Layer& layer) { return ms_cell(layer_ms(layer)); };
  const auto cumulative = [places](const Context& of, const Layer& layer) {
    const double sum_ms = (*places)[index_of(of, layer)].sum_ms;
    return share_cell(layer_ms(layer) ? of.share_of(sum_ms) : std::nullopt);
  };
  const auto type = [](const Layer& layer) { return display_label(type_of(layer)); };
  const auto precision = [](const Context& of, const Layer& layer) {
    return of.compute_of(index_of(of, layer));
  };
  const auto onnx_nodes = [](const Layer& layer) { return join(layer.onnx_nodes, ", "); };
  using Of = ColumnOf<Layer>;
  Table table =
      table_of(context, kLayerFacts, rows,
               {{{"#", ColumnKind::number}, rank},
                "name",
                Of({"Time (ms)", ColumnKind::number}, time).only_if(has.time),
                share_column<Layer>(layer_ms).only_if(has.time),
                Of({"Cumulative", ColumnKind::number}, cumulative).only_if(has.time),
                Of("opt_profile").only_if(has.opt_profile),
                Of({"Type", ColumnKind::name}, type).only_if(has.type),
                Of({"Precision", ColumnKind::precision}, precision).only_if(has.precision),
                Of({"Evidence", ColumnKind::text, true}, evidence_text).only_if(has.evidence),
                Of({"Tactic", ColumnKind::name, true}, &Layer::tactic_name).only_if(has.tactic),
                Of({"ONNX nodes", ColumnKind::name, true, true}, onnx_nodes).only_if(has.onnx)});
  table.title = has.time ? "Layers, slowest first" : "Layers";
  table.interactive = true;
  table.shown = context.top;
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
    section.add(layer_table(context));
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
