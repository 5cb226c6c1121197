// Where profile time goes seen from elsewhere: against a query, by module, against the roofline, by
// device and stream.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "report/document/parts.h"

namespace trtlens {
namespace {

std::string reconciliation_sentence(const Context& context, const Reconciliation& r) {
  std::string text = r.launches == 1
                         ? "The only layer with a time above 0 takes " + ms_text(r.layers_ms)
                         : fmt::format("{} layers with a time above 0 add up to {}", r.launches,
                                       ms_text(r.layers_ms));
  const std::string reasons =
      r.reasons.empty() ? "" : " " + sentence_start(join(r.reasons, "; ")) + ".";
  if (!r.gpu_compute_ms) return text + "; what a query takes is unknown." + reasons;
  const double difference = r.layers_ms - *r.gpu_compute_ms;
  text += fmt::format(", {} {} than the {} of GPU compute time of a query ({})",
                      share_text(std::abs(difference) / *r.gpu_compute_ms),
                      difference >= 0 ? "more" : "less", context.gpu_compute_what,
                      ms_text(*r.gpu_compute_ms));
  if (r.overhead_per_launch_ms) {
    text += fmt::format(": {} a layer", us_text(std::abs(*r.overhead_per_launch_ms)));
  }
  return text + "." + reasons;
}

std::optional<Table> dla_table(const PlacementLedger& placement, bool timed) {
  if (placement.dla_layers == 0) return std::nullopt;
  Table table;
  table.title = placement.of_log ? "DLA and GPU, as the builder lists them" : "DLA and GPU";
  table.columns = {{"Device", ColumnKind::label},
                   {placement.of_log ? "Layers or groups" : "Layers", ColumnKind::number}};
  const bool has_time = timed && !placement.of_log;
  if (has_time) table.columns.push_back({"Time (ms)", ColumnKind::number});
  const auto add = [&](const char* device, std::uint32_t layers, double ms) {
    Rows::Row row = {text_cell(device), count_cell(layers)};
    if (has_time) row.push_back(ms_cell(ms));
    table.rows.push_back(std::move(row));
  };
  add("DLA", placement.dla_layers, placement.dla_ms);
  add("GPU", placement.gpu_layers, placement.gpu_ms);
  if (placement.of_log) {
    table.note = "The lists say nothing of the order.";
  } else {
    table.note =
        fmt::format("Changes of device in the order of the engine: {}.", placement.transitions);
  }
  return table;
}

std::optional<Table> placement_table(const Context& context) {
  const std::vector<Placement>& placements = context.build.placements;
  if (!context.analysis.placement.of_log || context.analysis.placement.dla_layers == 0) {
    return std::nullopt;
  }
  Table table;
  table.title = "What runs where";
  table.columns = {{"Device", ColumnKind::label}, {"Layer or group", ColumnKind::name}};
  for (const Placement& placement : placements) {
    table.rows.push_back({text_cell(placement.on_dla ? "DLA" : "GPU"), text_cell(placement.layer)});
  }
  table.shown = context.top;
  return table;
}

std::optional<Table> stream_table(const Context& context, const PlacementLedger& placement) {
  if (placement.streams.empty()) return std::nullopt;
  Table table;
  table.title = "Layers by stream";
  table.columns = {{"Stream", ColumnKind::number},
                   {"Layers", ColumnKind::number},
                   {"Time (ms)", ColumnKind::number}};
  double sum = 0, longest = 0;
  for (const StreamTime& stream : placement.streams) {
    table.rows.push_back({text_cell(std::to_string(stream.stream)), count_cell(stream.layers),
                          ms_cell(stream.time_ms)});
    sum += stream.time_ms;
    longest = std::max(longest, stream.time_ms);
  }
  table.note = fmt::format(
      "{} in all, {} on the busiest stream: streams that overlap perfectly take the latter, those "
      "that do not overlap the former{}.",
      ms_text(sum), ms_text(longest),
      context.gpu_compute_ms ? "; a query takes " + ms_text(*context.gpu_compute_ms) : "");
  return table;
}

// The time of what has no roof: regions, plugins, conversions, arithmetic whose shapes do not tell.
std::string uncovered_clause(const Context& context) {
  constexpr double kWorthTelling = 0.01;
  if (context.profile_ms <= 0) return "";
  const double left_ms = context.profile_ms - context.analysis.roofline.time_ms;
  if (left_ms / context.profile_ms < kWorthTelling) return "";
  std::string text = fmt::format(", without the other {} ({})", ms_text(left_ms),
                                 share_text(left_ms / context.profile_ms));
  double region_ms = 0;
  if (const std::optional<TimeAccount>& account = context.analysis.account) {
    for (const AccountRow& row : account->rows) {
      if (row.use == TimeUse::region) region_ms += row.time_ms;
    }
  }
  if (region_ms / context.profile_ms >= kWorthTelling) {
    text += fmt::format(", {} of the profile in regions or plugins whose inside is not known",
                        share_text(region_ms / context.profile_ms));
  }
  return text;
}

std::string roofline_sentence(const Context& context, const Roofline& roofline) {
  std::string text = fmt::format(
      "{} moves {:.0f} GB/s at most{}. The {} below {} {}{}; at the device's peaks {} would take "
      "{} ({}).",
      roofline.device, roofline.bandwidth_gbps,
      roofline.bandwidth_of_log ? " (clock and bus of the log)" : "",
      count_text(roofline.layers.size(), "layer", "layers"),
      roofline.layers.size() == 1 ? "takes" : "take", ms_text(roofline.time_ms),
      uncovered_clause(context), roofline.layers.size() == 1 ? "it" : "they",
      ms_text(roofline.roof_ms),
      share_text(roofline.time_ms > 0 ? roofline.roof_ms / roofline.time_ms : 0));
  std::vector<std::string> parts;
  for (const Bound bound : {Bound::memory, Bound::compute, Bound::launch}) {
    const double ms = roofline.bound_ms[static_cast<std::size_t>(bound)];
    if (ms > 0) parts.push_back(fmt::format("{} {}", to_string(bound), ms_text(ms)));
  }
  if (!parts.empty()) text += " Time by what bounds it: " + join(parts, ", ") + ".";
  if (roofline.without_work > 0) {
    text += fmt::format(" Of {} the input does not say what it does.",
                        count_text(roofline.without_work, "more such layer", "more such layers"));
  }
  if (roofline.without_peak > 0) {
    text +=
        fmt::format(" For the precision of {} the device has no published peak, or it is unknown.",
                    count_text(roofline.without_peak, "more such layer", "more such layers"));
  }
  return text;
}

std::string roof_note(const Roofline& roofline) {
  bool sparse = false, cached = false, outran = false;
  for (const LayerRoof& roof : roofline.layers) {
    sparse = sparse || roof.sparse;
    cached = cached || (roof.bound == Bound::memory && roof.efficiency > 1);
    outran = outran || (roof.bound == Bound::compute && roof.efficiency > 1);
  }
  std::string note = fmt::format(
      "Roof: the longer of multiply-accumulates at the device's dense peak in the precision of the "
      "layer{}{} and every tensor moved once.",
      sparse ? " (twice that where the weights are 2:4 sparse)" : "",
      roofline.clock_of_log ? ", at the clock of the log," : "");
  if (cached) note += " Above 100 %, bound by memory: tensors stayed in a cache.";
  if (outran) {
    note +=
        " Above 100 %, bound by compute: the GPU ran above the clock of the peaks, or the kernel "
        "multiplies less (Winograd).";
  }
  return note + fmt::format(" Bound by launch: below {}. Peaks: {}", ms_text(kLaunchFloorMs),
                            roofline.source);
}

Table roof_table(const Context& context, const Roofline& roofline) {
  Table table;
  table.title = "Convolutions and matrix products against their roof, most to win first";
  table.columns = {{"Layer", ColumnKind::name},          {"Precision", ColumnKind::precision},
                   {"Time (ms)", ColumnKind::number},    {"Roof (ms)", ColumnKind::number},
                   {"Efficiency", ColumnKind::number},   {"Bound by", ColumnKind::label},
                   {"GMAC", ColumnKind::number},         {"MB", ColumnKind::number},
                   {"MAC per byte", ColumnKind::number}, {"Tensor cores", ColumnKind::text, true}};
  for (const LayerRoof& roof : roofline.layers) {
    const double intensity = roof.bytes > 0 ? roof.macs / roof.bytes : 0;
    table.rows.push_back({text_cell(context.build.layers[roof.layer].name),
                          text_cell(context.compute_of(roof.layer)),
                          ms_cell(layer_ms(context.build.layers[roof.layer])),
                          ms_cell(roof.roof_ms),
                          share_cell(roof.efficiency),
                          text_cell(to_string(roof.bound)),
                          {fmt::format("{:.3f}", roof.macs / 1e9), roof.macs},
                          {fmt::format("{:.2f}", roof.bytes / 1e6), roof.bytes},
                          {fmt::format("{:.1f}", intensity), intensity},
                          text_cell(roof.misfit)});
  }
  table.shown = context.top;
  table.note = roof_note(roofline);
  return table;
}

std::string module_name(const ModuleLedger& ledger, const ModuleRow& row) {
  const std::string& path = ledger.modules[row.module].path;
  switch (row.part) {
    case ModulePart::own:
      return row.module == 0 ? "top level" : path + " (not in its modules)";
    case ModulePart::others:
      return fmt::format("{} ({} other modules)", path, row.modules);
    case ModulePart::whole:
      break;
  }
  return path;
}

using Operators = std::unordered_map<std::string_view, const std::string*>;

Cell node_cell(const Context& context, const Operators& operators, const OnnxTime& time,
               std::size_t column) {
  if (column > 0 && operators.empty()) ++column;
  switch (column) {
    case 0:
      return text_cell(time.node);
    case 1: {
      const auto found = operators.find(time.node.str());
      return text_cell(found == operators.end() ? "" : *found->second);
    }
    case 2:
      return count_cell(time.layers);
    case 3:
      return ms_cell(time.time_ms);
    case 4:
      return share_cell(context.share_of(time.time_ms));
    default:
      return ms_cell(time.alone_ms);
  }
}

std::optional<Table> node_table(const Context& context) {
  const std::vector<OnnxTime>& times = context.analysis.onnx_times;
  if (times.empty()) return std::nullopt;
  Operators operators;
  for (const OnnxNode& node : context.build.onnx_nodes) operators.try_emplace(node.name, &node.op);
  Table table;
  table.title = "ONNX nodes, by the layers that compute them";
  table.columns = {{"ONNX node", ColumnKind::name}};
  if (!operators.empty()) table.columns.push_back({"Operator", ColumnKind::label});
  table.columns.push_back({"Layers", ColumnKind::number});
  table.columns.push_back({"Time of its layers (ms)", ColumnKind::number});
  table.columns.push_back({"Share", ColumnKind::share});
  table.columns.push_back({"Alone (ms)", ColumnKind::number});
  auto make = [context = context.shared_from_this(), operators = std::move(operators)](
                  std::size_t row, std::size_t column) {
    return node_cell(*context, operators, context->analysis.onnx_times[row], column);
  };
  table.rows = Rows::made_by(times.size(), table.columns.size(), std::move(make));
  table.shown = context.top;
  table.note =
      "A layer into which several nodes were fused counts for each of them, so the rows do not add "
      "up; \"alone\" is the time of layers that compute nothing else.";
  return table;
}

std::optional<Table> module_table(const Context& context) {
  if (!context.analysis.modules) return std::nullopt;
  const ModuleLedger& ledger = *context.analysis.modules;
  Table table;
  table.title = "Modules of the network";
  table.columns = {{"Module", ColumnKind::name},
                   {"Layers", ColumnKind::number},
                   {"Time (ms)", ColumnKind::number},
                   {"Share", ColumnKind::share}};
  for (const ModuleRow& row : ledger.rows) {
    table.rows.push_back({text_cell(module_name(ledger, row)), count_cell(row.layers),
                          ms_cell(row.time_ms), share_cell(context.share_of(row.time_ms))});
  }
  if (ledger.layers_without > 0) {
    table.rows.push_back({text_cell("no module"), count_cell(ledger.layers_without),
                          ms_cell(ledger.without_ms),
                          share_cell(context.share_of(ledger.without_ms))});
  }
  table.note =
      "Adds up to the profile. A fused layer counts at the deepest module that all its ONNX nodes "
      "are in, a conversion to those of the layer that is charged with it.";
  return table;
}

}  // namespace

void add_reconciliation(const Context& context, Section& section) {
  if (!context.analysis.reconciliation) return;
  const Reconciliation& r = *context.analysis.reconciliation;
  section.blocks.emplace_back(Paragraph{reconciliation_sentence(context, r), Tone::plain});
  FactList facts("Layers against a query");
  const auto add = [&](const char* label, const std::optional<double>& ms) {
    if (ms) facts.add(label, ms_text(*ms));
  };
  add("Sum of the layers", r.layers_ms);
  add("GPU compute", r.gpu_compute_ms);
  add("Latency", r.latency_ms);
  add("Enqueue", r.enqueue_ms);
  if (r.transfer_share) {
    facts.add("H2D and D2H, of the latency",
              fmt::format("{} + {}, {}", ms_text(r.h2d_ms), ms_text(r.d2h_ms),
                          share_text(*r.transfer_share)));
  }
  if (r.overhead_per_launch_ms) {
    facts.add("Difference a layer", us_text(*r.overhead_per_launch_ms));
  }
  if (r.launches > 0) {
    facts.add("Layers below 0.005 ms, bound by their launch",
              fmt::format("{} of {}, {} ({})", r.below_floor.size(), r.launches,
                          ms_text(r.below_floor_ms), share_text(r.below_floor_ms / r.layers_ms)));
  }
  facts.add_to(section);
}

Section module_section(const Context& context) {
  Section section{"modules", "Time by module and ONNX node", {}};
  if (auto modules = module_table(context)) section.blocks.emplace_back(std::move(*modules));
  if (auto nodes = node_table(context)) section.blocks.emplace_back(std::move(*nodes));
  return section;
}

Section roofline_section(const Context& context) {
  Section section{"roofline", "Roofline", {}};
  const Roofline& roofline = context.analysis.roofline;
  if (!roofline.unknown.empty()) {
    section.blocks.emplace_back(Paragraph{"No roofline: " + roofline.unknown + ".", Tone::plain});
    return section;
  }
  if (roofline.layers.empty()) return section;
  section.blocks.emplace_back(Paragraph{roofline_sentence(context, roofline), Tone::plain});
  section.blocks.emplace_back(roof_table(context, roofline));
  return section;
}

Section placement_section(const Context& context) {
  Section section{"placement", "DLA and streams", {}};
  const PlacementLedger& placement = context.analysis.placement;
  if (auto table = dla_table(placement, context.profile_ms > 0)) {
    section.blocks.emplace_back(std::move(*table));
  }
  if (auto table = placement_table(context)) section.blocks.emplace_back(std::move(*table));
  auto streams = stream_table(context, placement);
  if (streams) {
    section.blocks.emplace_back(std::move(*streams));
  } else if (placement.worker_streams.value_or(1) > 1) {
    section.blocks.emplace_back(Paragraph{
        fmt::format("The engine runs on {} streams; which layer runs on which the input does not "
                    "say.",
                    *placement.worker_streams),
        Tone::plain});
  }
  return section;
}

}  // namespace trtlens
