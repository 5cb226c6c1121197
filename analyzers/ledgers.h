// The parts of an Analysis that are no findings: totals, fallbacks, missing scales, reformats,
// races.
#pragma once

#include "analyzers/analysis.h"
#include "analyzers/graph.h"

namespace trtlens {

void fill_totals(Analysis& analysis);
// Layers in FP32 or TF32 although something narrower was allowed; see report-json "fp32_fallback".
void fill_fallbacks(Analysis& analysis, const Graph& graph);
void fill_missing_scales(Analysis& analysis, const Graph& graph);
void fill_reformats(Analysis& analysis, const Graph& graph);
// Needs fallbacks and reformats.
void fill_account(Analysis& analysis, const Graph& graph);
void fill_races(Analysis& analysis);
void fill_samples(Analysis& analysis);

// Path of an input, as given.
[[nodiscard]] std::string path_of(const Analysis& analysis, const SourcePos& pos);
// "build.log:316"; "layers.json" when the line is not known.
[[nodiscard]] std::string place_of(const Analysis& analysis, const SourcePos& pos);

}  // namespace trtlens
