// Facts on the roofline: layers against the peaks of the device.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kBounds[] = {"memory", "compute", "launch"};
constexpr const char* kPeakSources[] = {"log", "table"};

// What is known with the device only.
template <auto Member>
constexpr auto kOfDevice = [](const Roofline& ledger) {
  return ledger.device.empty() ? FactValue() : fact_value(ledger.*Member);
};
template <auto Member>
constexpr auto kSourceOf = [](const Roofline& ledger) {
  return ledger.device.empty() ? FactValue() : fact_value(kPeakSources[ledger.*Member ? 0 : 1]);
};

}  // namespace

const FactsOf<LayerRoof> kLayerRoofFacts{
    "layer_roof",
    {{"layer", kText, "its name",
      [](const Analysis& a, const LayerRoof& roof) { return a.build.layers[roof.layer].name; }},
     {"time_ms", kMs, "profile time",
      [](const Analysis& a, const LayerRoof& roof) {
        return a.build.layers[roof.layer].time->mean_ms;
      },
      as_number("Time (ms)")},
     {"roof_ms", kMs,
      "the longer of 2 x macs at the device's peak in the precision of the layer and bytes at its "
      "bandwidth: no kernel can be faster",
      kFrom<&LayerRoof::roof_ms>, as_number("Roof (ms)")},
     {"efficiency", kShare, "roof_ms / time_ms", kFrom<&LayerRoof::efficiency>,
      as_number("Efficiency")},
     {"bound", one_of(kBounds), "what the roof is made of; launch below the launch floor",
      kFrom<&LayerRoof::bound>, as_label("Bound by")},
     {"macs", kNumber, "multiply-accumulates", kFrom<&LayerRoof::macs>},
     {"bytes", kNumber, "each input, output and weight once, as its format stores it",
      kFrom<&LayerRoof::bytes>},
     {"estimated", kFlag, "part of the work was inferred", kFrom<&LayerRoof::is_estimate>},
     {"tensor_cores", kFlag, "the roof is that of tensor cores", kFrom<&LayerRoof::tensor_cores>},
     {"sparse", kFlag, "at the peak of 2:4 sparse weights, twice the dense one",
      kFrom<&LayerRoof::sparse>},
     {"misfit", kText.or_null(), "why tensor cores do not take it, or have to pad channels",
      kFrom<&LayerRoof::misfit>, as_detail("Tensor cores", ColumnKind::text)}}};

const FactsOf<Roofline> kRooflineFacts{
    "roofline",
    {{"device", kText.or_null(), "row of the device table", kFrom<&Roofline::device>},
     {"unknown", kText.or_null(), "why there is no roofline", kFrom<&Roofline::unknown>},
     {"source", kText.or_null(), "page of the peaks", kFrom<&Roofline::source>},
     {"bandwidth_gb_per_s", kNumber.or_absent(), "at most", kOfDevice<&Roofline::bandwidth_gbps>},
     {"bandwidth_from", one_of(kPeakSources).or_absent(), "clock and bus of the log, or the table",
      kSourceOf<&Roofline::bandwidth_of_log>},
     {"clock_from", one_of(kPeakSources).or_absent(), "clock of the peaks",
      kSourceOf<&Roofline::clock_of_log>},
     {"time_ms", kMs.or_absent(), "of layers", kOfDevice<&Roofline::time_ms>},
     {"roof_ms", kMs.or_absent(), "of layers", kOfDevice<&Roofline::roof_ms>},
     {"layers_without_work", kCount.or_absent(),
      "arithmetic layers whose shapes do not say what they do", kOfDevice<&Roofline::without_work>},
     {"layers_without_peak", kCount.or_absent(),
      "layers in precisions that the device has no published peak for",
      kOfDevice<&Roofline::without_peak>},
     {"layers", kLayerRoofFacts, "most time above the roof first", kFrom<&Roofline::layers>}}};

}  // namespace trtlens
