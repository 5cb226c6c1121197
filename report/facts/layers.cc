// Facts on layers, and sums over them.
#include <fmt/format.h>

#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kComputes[] = {"FP32", "TF32",  "FP16",  "BF16", "FP8",   "INT8",   "INT4",
                                     "FP4",  "INT32", "INT64", "BOOL", "mixed", "unknown"};
constexpr const char* kPrecisions[] = {"FP32", "TF32",  "FP16",    "BF16",  "FP8",
                                       "INT8", "INT4",  "FP4",     "INT32", "INT64",
                                       "BOOL", "mixed", "unknown", "none"};
constexpr const char* kConfidences[] = {"measured", "inferred", "guessed"};
constexpr const char* kPlaces[] = {"layer_info", "profile", "log"};

std::size_t index_of(const Analysis& a, const Layer& layer) {
  return static_cast<std::size_t>(&layer - a.build.layers.data());
}

std::string label_of_layer(const Analysis& a, const Layer& layer) {
  return label_of(a, index_of(a, layer));
}

const LayerVerdict& verdict_of(const Analysis& a, const Layer& layer) {
  return a.verdicts[index_of(a, layer)];
}

const FactsOf<LayerVerdict> kPrecisionFacts{
    "precision",
    {{"compute", one_of(kComputes).or_null(),
      "what the arithmetic runs in, which need not be the type of a tensor; null: there is none",
      [](const LayerVerdict& verdict) {
        return verdict.compute == Precision::none ? FactValue() : fact_value(verdict.compute);
      }},
     {"evidence", kTexts, "what says so", kFrom<&LayerVerdict::evidence>},
     {"confidence", one_of(kConfidences), "how sure that is", kFrom<&LayerVerdict::confidence>}}};

const FactsOf<Layer> kTacticFacts{
    "tactic",
    {{"name", kText.or_null(), "of the kernel", kFrom<&Layer::tactic_name>},
     {"id", kHex.or_null(), "as TensorRT prints it", [](const Layer& layer) {
        return layer.tactic_id ? FactValue(fmt::format("0x{:016x}", *layer.tactic_id))
                               : FactValue();
      }}}};

const FactsOf<Layer> kLayerTimeFacts{
    "layer_time",
    {{"mean_ms", kMs,
      "of a query, averageMs of the profile; timeMs is that of all its queries together",
      [](const Layer& layer) { return layer.time->mean_ms; }},
     {"median_ms", kMs.or_null(), "of a query, medianMs of the profile, 8.4 and later",
      [](const Layer& layer) { return layer.time->median_ms; }},
     {"share", kShare.or_null(), "mean_ms of the profile's sum, as its percentage",
      [](const Analysis& a, const Layer& layer) {
        const double sum_ms = a.build.profile_sum_ms;
        return sum_ms > 0 ? FactValue(layer.time->mean_ms / sum_ms) : FactValue();
      }}}};

std::vector<std::string> places_of(const Layer& layer) {
  std::vector<std::string> places;
  if ((layer.found_in & kFoundInLayerInfo) != 0) places.emplace_back(kPlaces[0]);
  if ((layer.found_in & kFoundInProfile) != 0) places.emplace_back(kPlaces[1]);
  if ((layer.found_in & kFoundInLog) != 0) places.emplace_back(kPlaces[2]);
  return places;
}

FactValue weights_bytes(const Layer& layer) {
  if (!layer.weights || bits_of(layer.weights->type) <= 0) return {};
  return layer.weights->count * bits_of(layer.weights->type) / 8;
}

// A row of which no layer has a time takes an unknown time, and of no time at all nothing is a
// share.
FactValue time_of_row(const ShareRow& row) {
  return row.timed > 0 ? FactValue(row.time_ms) : FactValue();
}
FactValue share_of_row(const Analysis& a, const ShareRow& row) {
  return row.timed > 0 && a.build.profile_sum_ms > 0 ? FactValue(row.share) : FactValue();
}

const FactsOf<Tensor> kTensorFacts{
    "tensor",
    {{"name", kText, "its name", kFrom<&Tensor::name>},
     {"dims", kIntegers.or_null(), "empty: a scalar; -1: dynamic", kFrom<dims_of>},
     {"type", kText.or_null(), "of its elements", kFrom<type_of>},
     {"format", kText.or_null(), "as written", kFrom<&Tensor::format>}}};

}  // namespace

const FactsOf<ShareRow> kPrecisionShareFacts{
    "share_of_precision",
    {{"precision", one_of(kPrecisions), "none: no arithmetic", kFrom<&ShareRow::label>},
     {"layers", kCount, "that compute in it", kFrom<&ShareRow::layers>, as_number("Layers")},
     {"time_ms", kMs.or_null(), "null where no layer has a time", kFrom<time_of_row>,
      as_number("Time (ms)")},
     {"share", kShare.or_null(), "of the profile's sum", kFrom<share_of_row>, as_share("Share")}}};

const FactsOf<ShareRow> kTypeShareFacts{
    "share_of_type",
    {{"type", kText, "of layers", kFrom<&ShareRow::label>},
     {"layers", kCount, "of the type", kFrom<&ShareRow::layers>, as_number("Layers")},
     {"time_ms", kMs.or_null(), "null where no layer has a time", kFrom<time_of_row>,
      as_number("Time (ms)")},
     {"share", kShare.or_null(), "of the profile's sum", kFrom<share_of_row>, as_share("Share")}}};

const FactsOf<Layer> kLayerFacts{
    "layer",
    {{"index", kCount, "place in the list", kFrom<index_of>},
     {"name", kText, "as TensorRT names it", kFrom<&Layer::name>, as_name("Layer")},
     {"label", kText, "a short name: module path and operators; no other layer has it",
      kFrom<label_of_layer>},
     {"layer_type", kText.or_null(), "implementation: CaskConvolution, Reformat, kgen",
      kFrom<&Layer::layer_type>},
     {"parameter_type", kText.or_null(), "operation: Convolution, Reformat",
      kFrom<&Layer::parameter_type>},
     {"role", kText, "what it does, as far as the rules care",
      [](const Analysis& a, const Layer& layer) { return verdict_of(a, layer).role; }},
     {"precision", kPrecisionFacts, "what it computes in", kFrom<verdict_of>},
     {"inputs", kTensorFacts, "in their order", kFrom<&Layer::inputs>},
     {"outputs", kTensorFacts, "in their order", kFrom<&Layer::outputs>},
     {"tactic", kTacticFacts, "the kernel",
      [](const Layer& layer) {
        return layer.tactic_name.empty() && !layer.tactic_id ? nullptr : &layer;
      }},
     {"origin", kText.or_null(), "of a Reformat: REFORMAT, QDQ, CONCAT, SLICE, CAST",
      kFrom<&Layer::origin>},
     {"opt_profile", kCount, "optimization profile that it is of", kFrom<&Layer::opt_profile>,
      as_number("Profile")},
     {"onnx_nodes", kTexts, "that it computes", kFrom<&Layer::onnx_nodes>},
     {"weights_bytes", kBytes.or_null().from(0), "of its weights", kFrom<weights_bytes>},
     {"time", kLayerTimeFacts, "profile time",
      [](const Layer& layer) { return layer.time ? &layer : nullptr; }},
     {"found_in", one_of(kPlaces).listed(), "inputs that name it", kFrom<places_of>}}};

const FactsOf<Analysis> kTotalsFacts{
    "totals",
    {{"layers", kCount, "of the optimization profile that was timed",
      [](const Analysis& a) {
        std::uint64_t layers = 0;
        for (const ShareRow& row : a.by_precision) layers += row.layers;
        return layers;
      }},
     {"timed_layers", kCount, "with a time", kFrom<&Analysis::timed_layers>},
     {"profile_sum_ms", kMs.or_null(), "sum of the profile's averageMs over all records",
      [](const Analysis& a) {
        return a.build.has_profile ? FactValue(a.build.profile_sum_ms) : FactValue();
      }},
     {"unattributed_ms", kMs.or_null(),
      "of profile records without layer info when layer info was given; layers has them, too",
      [](const Analysis& a) {
        const bool known = a.build.has_profile && a.build.has_layer_info;
        return known ? FactValue(a.build.unattributed_ms) : FactValue();
      }},
     {"by_precision", kPrecisionShareFacts, "layers by what they compute in",
      kFrom<&Analysis::by_precision>},
     {"by_type", kTypeShareFacts, "layers by their type", kFrom<&Analysis::by_type>}}};

}  // namespace trtlens
