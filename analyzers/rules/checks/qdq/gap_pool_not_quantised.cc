// Average pooling in floating point that has INT8 arithmetic on both sides.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::gap_pool_not_quantised {

static bool averages(const Layer& layer) {
  const auto says = [](const std::string& text) {
    return has_word(text, {"verage", "AVERAGE", "avgpool", "AvgPool", "avg_pool", "kAVG", "Mean",
                           "GlobalPool"});
  };
  if (has_word(layer.name.str(), {"MaxPool", "maxpool"})) return false;
  return says(layer.name) || says(layer.tactic_name);
}

// A float pooling that has INT8 arithmetic on both sides, and what stands there because of it.
struct FloatPool {
  std::size_t pool = 0;
  std::vector<std::size_t> conversions;  // beside it, and DQ of what the layer in front adds
  std::vector<std::size_t> producers;    // narrow arithmetic that writes the float input
};

// The DQ kernels of a residual that `producer` adds in float, because it writes float.
static void add_residual_dequantizers(const RuleContext& c, std::size_t producer,
                                      std::vector<std::size_t>& conversions) {
  const Layer& layer = c.layer(producer);
  for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
    if (!is_float(layer.inputs[k].type)) continue;
    for (const std::size_t w : c.graph.writers(layer.inputs[k].name)) {
      const bool alone = c.graph.after(w).size() == 1;
      if (c.verdict(w).role == LayerRole::dequantize && alone) conversions.push_back(w);
    }
  }
}

static std::optional<FloatPool> float_pool(const RuleContext& c, std::size_t i) {
  const auto narrow_ends = [&](const Walk& walked) {
    std::vector<std::size_t> ends;
    for (const std::size_t n : walked.ends) {
      if (computes_narrow(c, n)) ends.push_back(n);
    }
    return ends;
  };
  const Walk before = walk(c, i, Direction::backward, is_conversion);
  const Walk after = walk(c, i, Direction::forward, is_conversion);
  FloatPool found{i, before.between, narrow_ends(before)};
  if (found.producers.empty() || narrow_ends(after).empty()) return std::nullopt;
  // A Q behind it shows that the network brings its own scales; with calibration nobody can put one
  // in front.
  if (!any_of_role(c, after.between, LayerRole::quantize)) return std::nullopt;
  found.conversions = together({found.conversions, after.between});
  for (const std::size_t p : found.producers) add_residual_dequantizers(c, p, found.conversions);
  found.conversions = sorted_once(std::move(found.conversions));
  return found;
}

// Empty: not known.
static Work work_with_inputs_of(const Layer& layer) {
  Work work = work_of(layer);
  if (!work.empty()) work.push_back(static_cast<std::int64_t>(layer.inputs.size()));
  return work;
}

// Profile ms of the fastest layer of each work that computes and writes in 8 bits or less.
static std::map<Work, double> fastest_narrow_ms(const RuleContext& c) {
  std::map<Work, double> fastest;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!computes_narrow(c, i) || !c.graph.takes_part(i) || !layer.time) continue;
    Work work = work_with_inputs_of(layer);
    if (work.empty() || !is_narrow(layer.outputs[0].type)) continue;
    const auto [slot, is_first] = fastest.try_emplace(std::move(work), layer.time->mean_ms);
    if (!is_first) slot->second = std::min(slot->second, layer.time->mean_ms);
  }
  return fastest;
}

// Of the layer of the same work, when it takes clearly less than `layer`, which writes float.
static std::optional<double> faster_twin_ms(const std::map<Work, double>& fastest,
                                            const Layer& layer) {
  constexpr double kClearly = 0.9;
  if (!layer.time) return std::nullopt;
  const auto twin = fastest.find(work_with_inputs_of(layer));
  if (twin == fastest.end() || twin->second >= kClearly * layer.time->mean_ms) return std::nullopt;
  return twin->second;
}

struct Cost {
  std::vector<std::size_t> pools, conversions, producers;  // that nobody else has in a stake
  double twins_ms = 0;                                     // of `producers`, writing INT8
};

// Each once, however many pools it writes for, when it would be faster writing INT8.
static void add_producers(const RuleContext& c, std::vector<std::size_t> producers, Cost& cost) {
  if (producers.empty()) return;
  const std::map<Work, double> twins = fastest_narrow_ms(c);
  for (const std::size_t p : sorted_once(std::move(producers))) {
    const std::optional<double> twin_ms = faster_twin_ms(twins, c.layer(p));
    if (!twin_ms || c.claimed.count(p) != 0) continue;
    cost.producers.push_back(p);
    cost.twins_ms += *twin_ms;
  }
}

static std::optional<Gain> gain_of_pools(const RuleContext& c, const Cost& cost) {
  if (!c.analysis.build.has_profile) return std::nullopt;
  double scales_ms = 0;  // Q and DQ; what only changes the layout may stay
  for (const std::size_t i : cost.conversions) {
    if (c.verdict(i).role != LayerRole::reformat) scales_ms += time_or_zero(c.layer(i));
  }
  const double pools_ms = c.time_ms(cost.pools);
  const double producers_ms = c.time_ms(cost.producers) - cost.twins_ms;
  Gain gain;
  gain.low_ms = std::max(0.0, scales_ms + producers_ms - pools_ms);
  gain.high_ms = c.time_ms(cost.conversions) + producers_ms;
  if (gain.high_ms <= 0) return std::nullopt;
  gain.basis = "at best none of the conversions (" + ms_text(c.time_ms(cost.conversions)) + ")";
  if (!cost.producers.empty()) {
    gain.basis +=
        "; the same shapes with INT8 output elsewhere in this engine: " + ms_text(cost.twins_ms) +
        " in place of " + ms_text(c.time_ms(cost.producers));
  }
  gain.basis += "; at worst the pooling takes twice its " + ms_text(pools_ms) +
                ", and conversions of the layout alone stay";
  return gain;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  Cost cost;
  std::vector<std::size_t> producers;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    const LayerRole role = c.verdict(i).role;
    if ((role != LayerRole::pooling && role != LayerRole::reduction) || !c.graph.takes_part(i) ||
        layer.inputs.empty() || !is_float(layer.inputs[0].type) || !averages(layer) ||
        c.claimed.count(i) != 0) {
      continue;
    }
    const std::optional<FloatPool> found = float_pool(c, i);
    if (!found || found->conversions.empty()) continue;
    cost.pools.push_back(i);
    cost.conversions.insert(cost.conversions.end(), found->conversions.begin(),
                            found->conversions.end());
    producers.insert(producers.end(), found->producers.begin(), found->producers.end());
  }
  add_producers(c, std::move(producers), cost);
  cost.conversions = unclaimed(c, cost.conversions);
  const std::vector<std::size_t> all = together({cost.conversions, cost.producers});
  if (cost.pools.empty() || all.empty()) return;
  Finding finding = c.finding(all);
  const std::size_t pools = cost.pools.size();
  finding.title = (pools == 1 ? "Average pooling" : count_text(pools, "average pooling")) +
                  " between quantized layers " + (pools == 1 ? "runs" : "run") + " in " +
                  float_text(c, cost.pools);
  if (!cost.conversions.empty()) {
    show_sum(c, cost.conversions,
             count_text(cost.conversions.size(), "conversion") + " because of it", finding);
  }
  if (!cost.producers.empty()) {
    show_sum(c, cost.producers,
             count_text(cost.producers.size(), "convolution") + " writing float for it", finding);
  }
  finding.gain = gain_of_pools(c, cost);
  // Most of the convolution's time stays: what can be won weighs, not what is in question.
  if (finding.gain && !cost.producers.empty()) {
    finding.severity =
        std::min(finding.severity,
                 severity_of_share(finding.gain->high_ms / c.analysis.build.profile_sum_ms));
  }
  show_layers(c, all, finding);
  for (const std::size_t i : cost.pools) {
    finding.evidence.push_back(c.measured(i, "the pooling itself: it stays"));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"gap-pool-not-quantised", Pass::placement, check};

}  // namespace trtlens::checks::gap_pool_not_quantised
