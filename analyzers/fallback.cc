// Which arithmetic stayed in FP32 or TF32 although the build allowed something narrower, and why.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzers/ledgers.h"
#include "analyzers/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Whether the build allowed less than 32 bits: by its options, or, without a log, by what is seen.
std::optional<bool> allowed_narrower(const Analysis& analysis) {
  const Build& build = analysis.build;
  if (build.allowed.strongly_typed) return false;
  if (!build.allowed.labels.empty()) {
    return std::any_of(build.allowed.labels.begin(), build.allowed.labels.end(),
                       [](const std::string& label) { return label != "FP32"; });
  }
  bool arithmetic = false;
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const LayerVerdict& verdict = analysis.verdicts[i];
    if (verdict.role == LayerRole::quantize || verdict.role == LayerRole::dequantize) return true;
    // What runs inside a region cannot be known: it may be arithmetic.
    arithmetic = arithmetic || verdict.role == LayerRole::region || is_arithmetic(verdict.role);
    const int width = is_arithmetic(verdict.role) ? width_of(verdict.compute) : 0;
    if (width > 0 && width < 32) return true;
  }
  // Nothing narrower to see, and nobody says what was allowed: it cannot be told.
  if (arithmetic || build.has_log || build.layers.empty() || build.layer_names_only) {
    return std::nullopt;
  }
  return false;
}

bool names_layer(const Layer& layer, const std::string& pattern) {
  if (layer.name == pattern) return true;
  return std::find(layer.onnx_nodes.begin(), layer.onnx_nodes.end(), pattern) !=
         layer.onnx_nodes.end();
}

// "--layerPrecisions=a:fp32,b:fp16": whether one of the layer's nodes is held at 32 bits.
bool held_by_option(const Analysis& analysis, const Layer& layer) {
  const auto value = analysis.build.options.value("layerPrecisions");
  if (!value) return false;
  std::size_t at = 0;
  while (at < value->size()) {
    const std::size_t end = value->find(',', at);
    const std::string item = value->substr(at, end == std::string::npos ? end : end - at);
    const std::size_t colon = item.rfind(':');
    if (colon != std::string::npos && item.substr(colon + 1) == "fp32" &&
        (item.substr(0, colon) == "*" || names_layer(layer, item.substr(0, colon)))) {
      return true;
    }
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return false;
}

bool reads_dequantized(const Analysis& analysis, const Graph& graph, std::size_t layer) {
  const Places before = graph.before(layer);
  return std::any_of(before.begin(), before.end(), [&](std::size_t i) {
    return analysis.verdicts[i].role == LayerRole::dequantize;
  });
}

// What the races say: a narrower format combination was timed and lost, or none could run.
struct RaceSummary {
  bool seen = false, narrower_offered = false;
  bool from_cache = false;  // a narrower combination printed nothing: its times were cached
  std::optional<double> narrower_ms, chosen_ms;
  std::string narrower;
  SourcePos pos;
};

bool is_cached(const Autotune& race) {
  return race.timed == 0 && race.skipped == 0 && race.runners_without_tactics == 0 &&
         race.chosen_runner.empty();
}

RaceSummary races_of(const Analysis& analysis, const Layer& layer) {
  RaceSummary summary;
  for (const Autotune& race : analysis.build.autotuning) {
    if (race.layer != layer.name) continue;
    summary.seen = true;
    const std::string first = race.format_combination.substr(0, race.format_combination.find('('));
    const DataType type = data_type_of(first);
    const int bits = bits_of(type);
    if (bits > 0 && bits < 32) {
      summary.narrower_offered = true;
      summary.from_cache = summary.from_cache || is_cached(race);
      if (race.chosen_ms && (!summary.narrower_ms || *race.chosen_ms < *summary.narrower_ms)) {
        summary.narrower_ms = race.chosen_ms;
        summary.narrower = to_string(type);
        summary.pos = race.pos;
      }
    } else if (race.chosen_ms && layer.tactic_id && race.chosen_id == layer.tactic_id) {
      summary.chosen_ms = race.chosen_ms;
    }
  }
  return summary;
}

void explain_by_races(const Analysis& analysis, const Layer& layer, Fallback& fallback) {
  const RaceSummary races = races_of(analysis, layer);
  if (!races.seen) {
    fallback.why = analysis.build.is_verbose
                       ? "unknown: no race names it (equal layers are timed once)"
                       : "unknown: the build log is not verbose";
  } else if (races.narrower_ms && races.chosen_ms && *races.narrower_ms < *races.chosen_ms) {
    fallback.why = "not worth the conversions: a kernel reading " + races.narrower + " took " +
                   ms_text(*races.narrower_ms) + " against " + ms_text(*races.chosen_ms) +
                   ", but the tensors around it have another type";
    fallback.evidence.push_back(place_of(analysis, races.pos));
  } else if (races.narrower_ms) {
    fallback.why = "lost the tactic race: the fastest kernel reading " + races.narrower + " took " +
                   ms_text(*races.narrower_ms) +
                   (races.chosen_ms ? " against " + ms_text(*races.chosen_ms) : "");
    fallback.evidence.push_back(place_of(analysis, races.pos));
  } else if (races.from_cache) {
    fallback.why =
        "lost the tactic race: narrower formats were offered, their times came from the "
        "timing cache and are not in the log";
  } else if (races.narrower_offered) {
    fallback.why = "no implementation: narrower formats were offered, none could run";
  } else {
    fallback.why = "no narrower format was tried";
  }
}

// What the log says of scales, by layer: it may name a million tensors.
class ScaleNotes {
 public:
  ScaleNotes(const Build& build, const Graph& graph) : missing_(build.layers.size()) {
    for (const RejectedInt8& said : build.rejected_int8) rejected_.try_emplace(said.layer, &said);
    for (const MissingScale& scale : build.missing_scales) {
      for (const Places& layers : {graph.writers(scale.tensor), graph.readers(scale.tensor)}) {
        for (const std::size_t i : layers) {
          if (missing_[i] == nullptr) missing_[i] = &scale;
        }
      }
    }
  }
  // The first of each that concerns the layer; null when none does.
  [[nodiscard]] const RejectedInt8* rejected(const Layer& layer) const {
    const auto found = rejected_.find(layer.name);
    return found == rejected_.end() ? nullptr : found->second;
  }
  [[nodiscard]] const MissingScale* missing(std::size_t layer) const { return missing_[layer]; }

 private:
  std::unordered_map<std::string_view, const RejectedInt8*> rejected_;
  std::vector<const MissingScale*> missing_;
};

Fallback explain(const Analysis& analysis, const Graph& graph, const ScaleNotes& scales,
                 std::size_t index) {
  const Layer& layer = analysis.build.layers[index];
  Fallback fallback;
  fallback.layer = index;
  if (layer.time) fallback.time_ms = layer.time->mean_ms;
  for (const LayerNote& note : analysis.build.forced_precision) {
    if (names_layer(layer, note.layer) && note.text == "precision fp32") {
      fallback.why = "forced to FP32 by --layerPrecisions";
      fallback.evidence.push_back(place_of(analysis, note.pos));
    }
  }
  if (fallback.why.empty() && held_by_option(analysis, layer)) {
    fallback.why = "forced to FP32 by --layerPrecisions";
    fallback.evidence.push_back(analysis.build.command);
  }
  if (!fallback.why.empty()) return fallback;
  if (const RejectedInt8* rejected = scales.rejected(layer)) {
    fallback.why = "missing scale of tensor " + rejected->tensor;
    fallback.evidence.push_back(place_of(analysis, rejected->pos));
    return fallback;
  }
  if (const MissingScale* missing = scales.missing(index)) {
    fallback.why = "missing scale of tensor " + missing->tensor;
    fallback.evidence.push_back(place_of(analysis, missing->pos));
    return fallback;
  }
  const bool float_weights = layer.weights && is_float(layer.weights->type);
  if (float_weights && reads_dequantized(analysis, graph, index)) {
    fallback.why = "weights without Q/DQ: its input is dequantized, its weights are " +
                   std::string(to_string(layer.weights->type));
    return fallback;
  }
  explain_by_races(analysis, layer, fallback);
  for (const LayerNote& note : analysis.build.non_conforming) {
    if (note.layer == layer.name) fallback.evidence.push_back(place_of(analysis, note.pos));
  }
  return fallback;
}

}  // namespace

void fill_fallbacks(Analysis& analysis, const Graph& graph) {
  const std::optional<bool> allowed = allowed_narrower(analysis);
  if (!allowed) return;
  analysis.fallbacks.emplace();
  if (!*allowed) return;
  const ScaleNotes scales(analysis.build, graph);
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    const LayerVerdict& verdict = analysis.verdicts[i];
    if (!is_arithmetic(verdict.role) || !graph.takes_part(i)) continue;
    if (verdict.compute != Precision::fp32 && verdict.compute != Precision::tf32) continue;
    // Attention inside a Myelin region only with evidence: the type of a region's input is none.
    if (verdict.role == LayerRole::attention && verdict.confidence == Confidence::guessed) continue;
    analysis.fallbacks->push_back(explain(analysis, graph, scales, i));
  }
}

}  // namespace trtlens
