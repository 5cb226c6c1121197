// A build that allowed no FP16 on a GPU where it is fast.
#include <algorithm>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::fp32_only_allowed {

// Whether trtexec's own options, or what it printed of them, allowed FP32 and nothing else. The
// command of another program says nothing of what its script allowed.
static bool allowed_fp32_alone(const RuleContext& c) {
  const Build& build = c.analysis.build;
  const AllowedPrecision& allowed = build.allowed;
  const bool told =
      build.producer == "trtexec" || build.banner.count("Build Options/Precision") != 0;
  return told && !allowed.strongly_typed && allowed.labels.size() == 1 &&
         allowed.labels[0] == "FP32" && !is_explicitly_quantized(c);
}

// The types are the network's own.
static bool is_typed(const RuleContext& c) {
  return c.analysis.build.allowed.strongly_typed && !is_explicitly_quantized(c);
}

// Nothing says what was allowed, and no tensor is narrower than 32 bits: nothing else was, or
// nothing else was worth it.
static bool shows_fp32_alone(const RuleContext& c) {
  const AllowedPrecision& allowed = c.analysis.build.allowed;
  if (!allowed.labels.empty() || allowed.strongly_typed || is_explicitly_quantized(c)) return false;
  const auto narrow = [](const Tensor& tensor) {
    return tensor.type == DataType::unknown || (is_float(tensor.type) && bits_of(tensor.type) < 32);
  };
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (std::ranges::any_of(layer.inputs, narrow) || std::ranges::any_of(layer.outputs, narrow)) {
      return false;
    }
  }
  return true;
}

// The hardware guide's table: tensor cores, or native FP16 at twice the rate. 6.1 has it at 1/64.
static bool has_fast_fp16(const Build& build, bool if_unknown) {
  const int sm = build.gpu ? build.gpu->sm().value_or(0) : 0;
  if (sm == 0) return if_unknown;
  return sm >= 70 || sm == 53 || sm == 60 || sm == 62;
}

static bool computes_narrower(const RuleContext& c) {
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Precision compute = c.verdict(i).compute;
    const bool known = compute != Precision::unknown && compute != Precision::none;
    if (is_arithmetic(c.verdict(i).role) && known && !computes_in_32_bits(c, i)) return true;
  }
  return false;
}

static std::string title_of(const RuleContext& c, bool is_told,
                            const std::vector<std::size_t>& layers) {
  const auto tf32 = static_cast<std::size_t>(std::ranges::count_if(
      layers, [&](std::size_t i) { return c.verdict(i).compute == Precision::tf32; }));
  const std::string what = arithmetic_text(c, layers) +
                           (layers.size() == 1 ? " computes in " : " compute in ") +
                           (tf32 == layers.size() ? "TF32"
                            : tf32 == 0           ? "FP32"
                                                  : "FP32 or TF32");
  if (is_typed(c)) return "The network's own types are FP32: " + what;
  return is_told ? "Only FP32 was allowed: " + what : what + "; what was allowed is unknown";
}

static std::vector<std::size_t> without(const std::vector<std::size_t>& layers,
                                        const std::vector<std::size_t>& some) {
  std::vector<std::size_t> rest;
  std::ranges::copy_if(layers, std::back_inserter(rest),
                       [&](std::size_t i) { return std::ranges::count(some, i) == 0; });
  return rest;
}

// The first of the rule's remedies is for a network that says its types.
static void advise(const RuleContext& c, Finding& finding) {
  if (!is_typed(c)) {
    finding.remedies.erase(finding.remedies.begin());
    return;
  }
  finding.remedies.resize(1);
  finding.why =
      "A strongly typed network is built in the types of its model: no option makes TensorRT try "
      "FP16, which would move half the bytes and multiply at least at twice the rate of TF32. How "
      "much of that this network would win, this build does not tell.";
  finding.next_check =
      "Build the converted model with the same command, then compare: `trtlens compare BEFORE "
      "AFTER`.";
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  const bool is_told = allowed_fp32_alone(c) || is_typed(c);
  if (build.profile_sum_ms <= 0 || (!is_told && !shows_fp32_alone(c))) return;
  if (!has_fast_fp16(build, !is_told) || computes_narrower(c)) return;
  const std::vector<std::size_t> layers =
      layers_where(c, [&](std::size_t i) { return computes_in_32_bits(c, i) && c.layer(i).time; });
  if (layers.empty() || !takes_share(c, layers, c.threshold("min_share"))) return;
  const std::vector<std::size_t> open = unclaimed(c, layers);
  Finding finding = open.empty() ? c.finding() : c.finding(open);
  // FP32 may be what was wanted; and where other findings have all of its time, they come first.
  finding.severity = open.empty() ? Severity::info : std::min(finding.severity, Severity::moderate);
  finding.title = title_of(c, is_told, layers);
  advise(c, finding);
  if (!is_told) finding.confidence = Confidence::guessed;
  finding.gain = gain_in(c.analysis, open, Precision::fp16);
  if (!finding.gain) finding.gain_unknown = "the roofline does not know these layers";
  if (open.size() < layers.size()) {
    const std::vector<std::size_t> told = without(layers, open);
    show_sum(c, told, count_text(told.size(), "layer") + " of them in other findings", finding);
  }
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"fp32-only-allowed", Pass::rest, check};

}  // namespace trtlens::checks::fp32_only_allowed
