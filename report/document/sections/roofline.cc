// The section on the roofline: layers against the peaks of the device.
#include <fmt/format.h>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

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

ColumnOf<LayerRoof> number_column(const char* title, const char* format,
                                  double (*value)(const LayerRoof& roof)) {
  return {{title, ColumnKind::number}, [format, value](const LayerRoof& roof) {
            return Cell{fmt::format(fmt::runtime(format), value(roof)), value(roof)};
          }};
}

Table roof_table(const Context& context, const Roofline& roofline) {
  Table table = table_of(
      context, kLayerRoofFacts, pointers_to(roofline.layers),
      {label_column<LayerRoof>(&LayerRoof::layer),
       {{"Precision", ColumnKind::precision},
        [](const Context& of, const LayerRoof& roof) { return of.compute_of(roof.layer); }},
       "time_ms",
       "roof_ms",
       "efficiency",
       "bound",
       number_column("GMAC", "{:.3f}", [](const LayerRoof& roof) { return roof.macs / 1e9; }),
       number_column("MB", "{:.2f}", [](const LayerRoof& roof) { return roof.bytes / 1e6; }),
       number_column(
           "MAC per byte", "{:.1f}",
           [](const LayerRoof& roof) { return roof.bytes > 0 ? roof.macs / roof.bytes : 0; }),
       "misfit",
       name_column<LayerRoof>(&LayerRoof::layer)});
  table.title = "Convolutions and matrix products against their roof, most to win first";
  table.shown = context.top;
  table.note = roof_note(roofline);
  return table;
}

}  // namespace

Section roofline_section(const Context& context) {
  Section section{"roofline", "Roofline", {}};
  const Roofline& roofline = context.analysis.roofline;
  if (!roofline.unknown.empty()) {
    section.say("No roofline: " + roofline.unknown + ".");
    return section;
  }
  if (roofline.layers.empty()) return section;
  section.say(roofline_sentence(context, roofline));
  section.add(roof_table(context, roofline));
  return section;
}

}  // namespace trtlens
