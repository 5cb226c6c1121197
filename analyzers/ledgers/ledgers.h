// The parts of an Analysis that are no findings.
#pragma once

#include "analyzers/analysis.h"
#include "analyzers/graph/graph.h"

namespace trtlens {

class WidthReasons;  // analyzers/precision/fallback.h

void fill_totals(Analysis& analysis);
// Layers in FP32 or TF32 although something narrower was allowed; see report-json "fp32_fallback".
void fill_fallbacks(Analysis& analysis, const Graph& graph, const WidthReasons& reasons);
void fill_missing_scales(Analysis& analysis, const Graph& graph);
void fill_reformats(Analysis& analysis, const Graph& graph, const WidthReasons& reasons);
// Needs fallbacks and reformats.
void fill_account(Analysis& analysis, const Graph& graph, const WidthReasons& reasons);
void fill_races(Analysis& analysis);  // and race_ledger
void fill_build_time(Analysis& analysis);
void fill_memory(Analysis& analysis);
void fill_reconciliation(Analysis& analysis);
void fill_modules(Analysis& analysis);  // after fill_reformats()
void fill_onnx_times(Analysis& analysis);
// The name of the layer has but the ends of what is in it: "{ForeignNode[first...last]}".
[[nodiscard]] bool names_a_range(const Layer& layer);
void fill_roofline(Analysis& analysis);
// The roof of a layer if it computed in `precision` and moved as many fewer bytes; efficiency and
// bound stay those of `now`. None: the device has no published peak for it.
[[nodiscard]] std::optional<LayerRoof> roof_in(const Analysis& analysis, const LayerRoof& now,
                                               Precision precision);
void fill_placement(Analysis& analysis);
[[nodiscard]] bool is_on_dla(const Layer& layer);  // where the engine names the implementation
void fill_samples(Analysis& analysis);

// Types of a format combination without their layouts, equal inputs once:
// "Half(1,1),Half(1,1) -> Float(1,1)" is "FP16 -> FP32". A word of no known type stays.
[[nodiscard]] std::string types_of_combination(const std::string& format_combination);

// Path of an input, as given.
[[nodiscard]] std::string path_of(const Analysis& analysis, const SourcePos& pos);
// "build.log:316"; "layers.json" when the line is not known.
[[nodiscard]] std::string place_of(const Analysis& analysis, const SourcePos& pos);

}  // namespace trtlens
