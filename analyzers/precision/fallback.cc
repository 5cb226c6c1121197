// Which arithmetic stayed in FP32 or TF32 although the build allowed something narrower, and why.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/ledgers/ledgers.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Whether the build allowed less than 32 bits: by its options, or, without a log, by what is seen.
std::optional<bool> allowed_narrower(const Analysis& analysis) {
  const Build& build = analysis.build;
  if (build.allowed.strongly_typed) return false;
  if (!build.allowed.labels.empty()) {
    return std::ranges::any_of(build.allowed.labels,
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

// "--layerPrecisions=a:fp32,b:fp16": the type and the name of each item.
std::set<std::pair<std::string, std::string>> held_by_option(const Build& build) {
  std::set<std::pair<std::string, std::string>> held;
  const std::string value = build.options.value("layerPrecisions").value_or("");
  for (const std::string_view item : split(value, ",")) {
    const std::size_t colon = item.rfind(':');
    if (colon != std::string::npos) held.emplace(item.substr(colon + 1), item.substr(0, colon));
  }
  return held;
}

// The layer's name and those of its nodes.
template <typename Each>
void for_each_name(const Layer& layer, const Each& each) {
  each(layer.name.str());
  for (const SharedText& node : layer.onnx_nodes) each(node.str());
}

// Eight of a layer are evidence enough; a log may say it thousands of times of thousands of layers.
void add_note(const LayerNote& note, std::vector<const LayerNote*>& notes) {
  constexpr std::size_t kMostNotes = 8;
  if (notes.size() < kMostNotes) notes.push_back(&note);
}

bool reads_dequantized(const Analysis& analysis, const Graph& graph, std::size_t layer) {
  const Places before = graph.before(layer);
  return std::ranges::any_of(
      before, [&](std::size_t i) { return analysis.verdicts[i].role == LayerRole::dequantize; });
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

RaceSummary summary_of(const std::vector<const Autotune*>& races, const Layer& layer, int width) {
  RaceSummary summary;
  for (const Autotune* one : races) {
    const Autotune& race = *one;
    summary.seen = true;
    const DataType type = race.first_type();
    const int bits = bits_of(type);
    if (bits > 0 && bits < width) {
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

void explain_by_races(const Analysis& analysis, const RaceSummary& races, Fallback& fallback) {
  if (!races.seen) {
    fallback.why = analysis.build.is_verbose
                       ? "unknown: no race names it (equal layers are timed once)"
                   : analysis.build.has_log ? "unknown: the build log is not verbose"
                                            : "unknown: no log of the build was given";
  } else if (races.narrower_ms && races.chosen_ms && *races.narrower_ms < *races.chosen_ms) {
    fallback.why =
        "not worth the conversions: a kernel reading " + races.narrower + " took " +
        ms_text(*races.narrower_ms) + " against " + ms_text(*races.chosen_ms) +
        " without the conversions that it needs: the tensors around it have another type";
    fallback.evidence.push_back(place_of(analysis, races.pos));
  } else if (races.narrower_ms) {
    fallback.why = "lost the tactic race: the fastest kernel reading " + races.narrower + " took " +
                   ms_text(*races.narrower_ms) +
                   (races.chosen_ms ? " against " + ms_text(*races.chosen_ms) : "");
    fallback.evidence.push_back(place_of(analysis, races.pos));
  } else if (races.from_cache) {
    fallback.why =
        "unknown: narrower formats were offered, their times came from the timing cache and are "
        "not "
        "in the log";
  } else if (races.narrower_offered) {
    fallback.why = "no implementation: narrower formats were offered, none could run";
  } else {
    fallback.why = "no narrower format was tried";
  }
}

// What the timing cache goes by, as far as the layer info tells it: layers that are equal here are
// timed once. Empty: it does not tell enough.
std::string signature_of(const Layer& layer) {
  if (layer.inputs.empty() || layer.outputs.empty() || !layer.tactic_id || !layer.weights) {
    return {};
  }
  std::string text = layer.layer_type.str() + '/' + layer.parameter_type.str() + '/' +
                     layer.activation.str() + '/' + std::to_string(*layer.tactic_id) + '/' +
                     std::to_string(layer.groups.value_or(0)) + '/' +
                     to_string(layer.weights->type) + std::to_string(layer.weights->count);
  const auto add = [&](const Dims& dims) {
    text += '|';
    for (const std::int64_t size : dims.values()) text += std::to_string(size) + ',';
  };
  for (const Dims* dims : {&layer.kernel, &layer.stride}) add(*dims);
  for (const std::vector<Tensor>* side : {&layer.inputs, &layer.outputs}) {
    text += '>';
    for (const Tensor& tensor : *side) {
      if (!tensor.has_dims || tensor.format.empty()) return {};
      add(tensor.dims);
      text += tensor.format.str();
    }
  }
  return text;
}

bool names_quantize(const Layer& layer) {
  return layer.name.str().find("QuantizeLinear") != std::string::npos;
}

}  // namespace

std::set<std::size_t> layers_at(const Analysis& analysis, const Graph& graph,
                                const std::string& tensor) {
  std::set<std::size_t> layers;
  for (const std::size_t i : graph.writers(tensor)) layers.insert(i);
  for (const std::size_t i : graph.readers(tensor)) {
    const LayerRole role = analysis.verdicts[i].role;
    if (is_conversion(role) || role == LayerRole::none) {
      const Places after = graph.after(i);
      layers.insert(after.begin(), after.end());
    } else {
      layers.insert(i);
    }
  }
  return layers;
}

WidthReasons::WidthReasons(const Analysis& analysis, const Graph& graph)
    : analysis_(analysis),
      graph_(graph),
      held_(held_by_option(analysis.build)),
      missing_(analysis.build.layers.size()) {
  const Build& build = analysis.build;
  for (const LayerNote& note : build.forced_precision) {
    add_note(note, forced_[{note.layer, note.text}]);
  }
  for (const LayerNote& note : build.non_conforming) add_note(note, non_conforming_[note.layer]);
  for_each_layer(build.autotuning, [&](auto first, auto last) {
    std::vector<const Autotune*>& races = races_[first->layer];
    for (; first != last; ++first) races.push_back(&*first);
  });
  for (const RejectedInt8& said : build.rejected_int8) rejected_.try_emplace(said.layer, &said);
  for (const MissingScale& scale : build.missing_scales) {
    for (const std::size_t i : layers_at(analysis, graph, scale.tensor)) {
      if (missing_[i] == nullptr) missing_[i] = &scale;
    }
  }
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    if (!is_arithmetic(analysis.verdicts[i].role)) continue;
    const auto races = races_.find(build.layers[i].name);
    if (races == races_.end()) continue;
    const RaceSummary summary =
        summary_of(races->second, build.layers[i], width_of(analysis.verdicts[i].compute));
    if (!summary.narrower_ms || !summary.chosen_ms) continue;
    std::string signature = signature_of(build.layers[i]);
    if (!signature.empty()) timed_twins_.try_emplace(std::move(signature), i);
  }
  has_qdq_ = std::ranges::any_of(build.layers, names_quantize);
}

// A layer that is held at a type by the command or by a call of the builder's interface.
bool WidthReasons::is_forced(const Layer& layer, Precision compute, Fallback& reason) const {
  const bool wide = width_of(compute) >= 32;
  const std::string type = wide ? "fp32" : compute == Precision::bf16 ? "bf16" : "fp16";
  const std::string text = "precision " + type;
  std::set<const LayerNote*> notes;  // in the order of the log
  bool is_held = held_.count({type, "*"}) != 0;
  for_each_name(layer, [&](const std::string& name) {
    const auto found = forced_.find({name, text});
    if (found != forced_.end()) notes.insert(found->second.begin(), found->second.end());
    is_held = is_held || held_.count({type, name}) != 0;
  });
  if (notes.empty() && !is_held) return false;
  reason.why = "forced to " + upper_case(type) + " by --layerPrecisions";
  for (const LayerNote* note : notes) reason.evidence.push_back(place_of(analysis_, note->pos));
  if (notes.empty()) reason.evidence.push_back(analysis_.build.command);
  return true;
}

Fallback WidthReasons::explain(std::size_t index) const {
  const Layer& layer = analysis_.build.layers[index];
  const Precision compute = analysis_.verdicts[index].compute;
  Fallback reason;
  reason.layer = index;
  if (layer.time) reason.time_ms = layer.time->mean_ms;
  if (is_forced(layer, compute, reason)) return reason;
  const auto rejected = rejected_.find(layer.name);
  if (rejected != rejected_.end()) {
    reason.why = "missing scale of tensor " + rejected->second->tensor;
    reason.evidence.push_back(place_of(analysis_, rejected->second->pos));
    return reason;
  }
  if (const MissingScale* missing = missing_[index]) {
    reason.why = "missing scale of tensor " + missing->tensor;
    reason.evidence.push_back(place_of(analysis_, missing->pos));
    return reason;
  }
  const bool dequantized = reads_dequantized(analysis_, graph_, index);
  if (layer.weights && is_float(layer.weights->type) && dequantized) {
    reason.why = "weights without Q/DQ: its input is dequantized, its weights are " +
                 std::string(to_string(layer.weights->type));
    return reason;
  }
  // In a network with Q/DQ what has none is to stay float: 16 bits are as narrow as it may be.
  if (has_qdq_ && !dequantized && !names_quantize(layer) && width_of(compute) <= 16) {
    reason.why = "no Q/DQ on its input and weights";
    return reason;
  }
  explain_by_own_races(index, reason);
  const auto notes = non_conforming_.find(layer.name.str());
  if (notes == non_conforming_.end()) return reason;
  for (const LayerNote* note : notes->second) {
    reason.evidence.push_back(place_of(analysis_, note->pos));
  }
  return reason;
}

// Where the timing cache answered, the times are those of an equal layer, which the log shows.
void WidthReasons::explain_by_own_races(std::size_t index, Fallback& reason) const {
  const Layer& layer = analysis_.build.layers[index];
  const int width = width_of(analysis_.verdicts[index].compute);
  const auto races = races_.find(layer.name);
  RaceSummary summary;
  if (races != races_.end()) summary = summary_of(races->second, layer, width);
  const bool cached = summary.from_cache && !summary.narrower_ms;
  const auto twin = cached ? timed_twins_.find(signature_of(layer)) : timed_twins_.end();
  if (twin == timed_twins_.end()) return explain_by_races(analysis_, summary, reason);
  const Layer& equal = analysis_.build.layers[twin->second];
  explain_by_races(analysis_, summary_of(races_.at(equal.name.str()), equal, width), reason);
  reason.why += " (timed for " + name_text(equal.name) + ", which is equal)";
}

std::optional<double> WidthReasons::narrower_kernel_ms(std::size_t layer) const {
  const Layer& of = analysis_.build.layers[layer];
  const auto races = races_.find(of.name);
  if (races == races_.end() || !of.time) return std::nullopt;
  const LayerVerdict& verdict = analysis_.verdicts[layer];
  const int width = verdict.role == LayerRole::region ? 32 : width_of(verdict.compute);
  const RaceSummary summary = summary_of(races->second, of, width);
  if (!summary.narrower_ms || !summary.chosen_ms || *summary.chosen_ms <= 0) return std::nullopt;
  return of.time->mean_ms * *summary.narrower_ms / *summary.chosen_ms;
}

void fill_fallbacks(Analysis& analysis, const Graph& graph, const WidthReasons& reasons) {
  const std::optional<bool> allowed = allowed_narrower(analysis);
  if (!allowed) return;
  analysis.fallbacks.emplace();
  if (!*allowed) return;
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    const LayerVerdict& verdict = analysis.verdicts[i];
    if (!is_arithmetic(verdict.role) || !graph.takes_part(i)) continue;
    if (verdict.compute != Precision::fp32 && verdict.compute != Precision::tf32) continue;
    // Attention inside a Myelin region only with evidence: the type of a region's input is none.
    if (verdict.role == LayerRole::attention && verdict.confidence == Confidence::guessed) continue;
    analysis.fallbacks->push_back(reasons.explain(i));
  }
}

}  // namespace trtlens
