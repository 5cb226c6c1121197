// What the rules about two builds share: which side is which, ratios, evidence of both.
#include "analyzers/compare/compare_rule.h"

#include <algorithm>
#include <cmath>

#include "analyzers/graph/graph.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {

#define X(name)                    \
  namespace compare_checks::name { \
  extern const CompareRule rule;   \
  }
#include "compare_rules.inc"
#undef X

const std::vector<const CompareRule*>& compare_rules() {
  static const std::vector<const CompareRule*> rules = {
#define X(name) &compare_checks::name::rule,
#include "compare_rules.inc"
#undef X
  };
  return rules;
}

std::vector<Finding> compare_findings(const Comparison& c) {
  std::vector<Finding> findings;
  for (const CompareRule* rule : compare_rules()) rule->check({c, rule_info(rule->id)}, findings);
  name_places({&c.candidate, &c.base}, findings);
  const auto weight = [](const Finding& f) {
    return f.stake_ms.value_or(0) * weight_of(f.confidence);
  };
  std::ranges::stable_sort(findings, [&](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    return weight(a) > weight(b);
  });
  return findings;
}

Finding CompareContext::finding(const Values& values) const {
  return info.finding(values, c.candidate.build);
}

Finding CompareContext::finding(double stake_ms, const Values& values) const {
  Finding result = finding(values);
  put_at_stake(stake_ms, std::max(c.base.build.profile_sum_ms, c.candidate.build.profile_sum_ms),
               result);
  return result;
}

std::optional<double> SideView::ratio() const {
  if (!c.engine.ratio) return std::nullopt;
  return is_base ? 1 / *c.engine.ratio : *c.engine.ratio;
}

bool SideView::is_slower() const {
  return c.engine.verdict == (is_base ? Verdict::improved : Verdict::regressed);
}

bool SideView::is_slower(const LayerGroup& group) const {
  return group.verdict == (is_base ? Verdict::improved : Verdict::regressed);
}

std::string SideView::speed_text() const {
  const double own = ratio().value_or(1);
  if (is_slower()) return ratio_text(own);
  const SideView other{c, !is_base};
  return other.is_slower() ? "hardly faster" : "not shown to be faster";
}

Evidence SideView::speed() const {
  Evidence evidence;
  evidence.note = std::string("the ") + name() +
                  " against the other side: " + signed_share_text(ratio().value_or(1) - 1);
  if (c.engine.verdict == Verdict::no_change) evidence.note = evidence.note.str() + ", no change";
  if (c.engine.verdict == Verdict::cannot_tell) {
    evidence.note = evidence.note.str() + ", within the noise";
  }
  return evidence;
}

double SideView::extra_ms(const LayerGroup& group) const {
  return is_base ? -group.delta_ms : group.delta_ms;
}

std::vector<SideView> sides_of(const Comparison& c) {
  return {{c, false}, {c, true}};
}

ArithmeticShares arithmetic_of(const Analysis& side) {
  ArithmeticShares shares;
  double all = 0;
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    if (!is_arithmetic(side.verdicts[i].role)) continue;
    const Layer& layer = side.build.layers[i];
    const double weight = side.build.has_profile ? time_or_zero(layer) : 1;
    all += weight;
    const Precision compute = side.verdicts[i].compute;
    const int width = width_of(compute);
    if (compute == Precision::fp8) shares.fp8 += weight;
    if (width == 4 || width == 8) shares.narrow += weight;
    if (width == 16) shares.half += weight;
    if (compute == Precision::fp32 || compute == Precision::tf32) shares.full += weight;
  }
  if (all <= 0) return {};
  return {shares.narrow / all, shares.fp8 / all, shares.half / all, shares.full / all, true};
}

bool has_quantizers(const Analysis& side) {
  const auto quantizer = [](const std::string& name) {
    return name.find("QuantizeLinear") != std::string::npos;  // and DequantizeLinear
  };
  const Build& build = side.build;
  return std::ranges::any_of(build.onnx_nodes,
                             [&](const OnnxNode& node) { return quantizer(node.op); }) ||
         std::ranges::any_of(build.layers, [&](const Layer& layer) {
           return quantizer(layer.name) || layer.origin == "QDQ";
         });
}

bool built_alike(const Comparison& c, const std::vector<std::string>& except) {
  if (c.base.build.commands.empty() || c.candidate.build.commands.empty()) return false;
  return std::ranges::none_of(c.differences, [&](const Difference& d) {
    if (!d.matters || d.what == "timing" || std::ranges::find(except, d.name) != except.end()) {
      return false;
    }
    // Unknown on one side: no difference that is seen. An absent option is known to be absent.
    return d.what == "option" || (d.base && d.candidate);
  });
}

Evidence layer_evidence(const Layer& layer, double ms, std::string note) {
  return {.note = std::move(note), .layer = layer.name, .metric = "time_ms", .value = ms};
}

std::string ratio_text(double ratio) {
  return share_text(std::fabs(ratio - 1)) + (ratio >= 1 ? " slower" : " faster");
}

}  // namespace trtlens
