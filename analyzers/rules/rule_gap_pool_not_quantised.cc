#include <algorithm>
#include <optional>

#include "analyzers/graph.h"
#include "analyzers/neighbours.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

bool averages(const Layer& layer) {
  const auto says = [](const std::string& text) {
    return has_word(text, {"verage", "AVERAGE", "avgpool", "AvgPool", "avg_pool", "kAVG", "Mean",
                           "GlobalPool"});
  };
  if (has_word(layer.name.str(), {"MaxPool", "maxpool"})) return false;
  return says(layer.name) || says(layer.tactic_name);
}

// The conversions beside a float pooling that has INT8 arithmetic on both sides.
std::optional<std::vector<std::size_t>> conversions_around(const RuleContext& c, std::size_t i) {
  const auto is_narrow_end = [&](std::size_t n) { return computes_narrow(c, n); };
  const Walk before = walk(c, i, Direction::backward, is_conversion);
  const Walk after = walk(c, i, Direction::forward, is_conversion);
  const bool narrow_before = std::any_of(before.ends.begin(), before.ends.end(), is_narrow_end);
  const bool narrow_after = std::any_of(after.ends.begin(), after.ends.end(), is_narrow_end);
  if (!narrow_before || !narrow_after) return std::nullopt;
  // A Q behind it shows that the network brings its own scales; with calibration nobody can put one
  // in front.
  if (std::none_of(after.between.begin(), after.between.end(),
                   [&](std::size_t n) { return c.verdict(n).role == LayerRole::quantize; })) {
    return std::nullopt;
  }
  std::vector<std::size_t> between = before.between;
  between.insert(between.end(), after.between.begin(), after.between.end());
  return between;
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<std::size_t> pools, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    const LayerRole role = c.verdict(i).role;
    if ((role != LayerRole::pooling && role != LayerRole::reduction) || !c.graph.takes_part(i) ||
        layer.inputs.empty() || !is_float(layer.inputs[0].type) || !averages(layer)) {
      continue;
    }
    const auto around = conversions_around(c, i);
    if (!around || around->empty()) continue;
    pools.push_back(i);
    all.push_back(i);
    all.insert(all.end(), around->begin(), around->end());
  }
  pools = unclaimed(c, pools);
  all = unclaimed(c, all);
  if (pools.empty()) return;
  Finding finding = c.finding(all);
  finding.title = count_text(pools.size(), "average pooling") +
                  " between quantized layers in floating point, with " +
                  count_text(all.size() - pools.size(), "conversion") + " around" +
                  cost_text(c, all);
  show_layers(c, all, finding);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_gap_pool_not_quantised;
const Rule rule_gap_pool_not_quantised{
    {"gap-pool-not-quantised",
     "qdq-placement",
     Severity::moderate,
     Confidence::measured,
     "Average pooling in floating point between INT8 layers.",
     "Unlike maximum pooling, average pooling does not let Q and DQ pass: it runs in INT8 only "
     "with DQ in front of it and Q behind it. Here the tensor is turned to float, averaged, and "
     "quantized again.",
     {"Put Q/DQ on the input and on the output of the average pooling (pytorch-quantization: "
      "QuantAdaptiveAvgPool2d), one scale for all readers.",
      "Leave maximum pooling as it is: it needs none."},
     "Export again with these two Q/DQ pairs, then trtexec --onnx=MODEL --int8 --fp16 "
     "--profilingVerbosity=detailed --exportLayerInfo=layers.json --exportProfile=profile.json, "
     "and trtlens compare BEFORE AFTER",
     "The pooling may be kept in float for accuracy; at the end of a classifier it costs "
     "little.",
     {"https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html#tensorrt-process-qdq"},
     {},
     "8.0 and later",
     {}},
    Pass::placement,
    check};

}  // namespace trtlens
