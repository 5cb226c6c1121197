// The section on placement: layers on DLA and GPU, layers by stream.
#include <fmt/format.h>

#include <algorithm>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

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
  table.columns = {{"Device", ColumnKind::label},
                   {"Layer or group", ColumnKind::name},
                   {"Name", ColumnKind::name, true, true}};
  for (const Placement& placement : placements) {
    table.rows.push_back({text_cell(placement.on_dla ? "DLA" : "GPU"),
                          text_cell(label_in(context, placement.layer)),
                          text_cell(name_behind(context, placement.layer))});
  }
  table.shown = context.top;
  return table;
}

std::optional<Table> stream_table(const Context& context, const PlacementLedger& placement) {
  if (placement.streams.empty()) return std::nullopt;
  Table table = table_of(context, kStreamFacts, pointers_to(placement.streams),
                         {"stream", "layers", "time_ms"});
  table.title = "Layers by stream";
  double sum = 0, longest = 0;
  for (const StreamTime& stream : placement.streams) {
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

}  // namespace

Section placement_section(const Context& context) {
  Section section{"placement", "DLA and streams", {}};
  const PlacementLedger& placement = context.analysis.placement;
  section.add(dla_table(placement, context.profile_ms > 0));
  section.add(placement_table(context));
  auto streams = stream_table(context, placement);
  if (streams) {
    section.add(std::move(*streams));
  } else if (placement.worker_streams.value_or(1) > 1) {
    section.say(
        fmt::format("The engine runs on {} streams; which layer runs on which the input does not "
                    "say.",
                    *placement.worker_streams));
  }
  return section;
}

}  // namespace trtlens
