#include "analyzers/rule.h"

namespace trtlens {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<const MissingScaleCost*> harmless;
  for (const MissingScaleCost& cost : c.analysis.missing_scales) {
    if (!cost.matters) harmless.push_back(&cost);
  }
  if (harmless.empty()) return;
  Finding finding = c.finding();
  const bool known = c.analysis.build.has_layer_info && !c.analysis.build.layer_names_only;
  const bool one = harmless.size() == 1;
  finding.title = count_text(harmless.size(), "tensor") + " without scale " +
                  (known ? std::string(one ? "costs" : "cost") +
                               " nothing: no convolution or matrix product falls back because of " +
                               (one ? "it" : "them")
                         : "cannot be tied to layers: there is no detailed layer information");
  if (!known) {
    finding.confidence = Confidence::guessed;
    finding.remedies = {
        "Look first at the outputs of convolutions and matrix products in the list; constants and "
        "shape arithmetic are harmless."};
    finding.next_check =
        "Build with --profilingVerbosity=detailed --exportLayerInfo=layers.json and give trtlens "
        "that file beside the log.";
  }
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < harmless.size() && i < kShown; ++i) {
    finding.evidence.push_back(c.line(harmless[i]->pos, ""));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_missing_scale_ignorable;
const Rule rule_missing_scale_ignorable{
    {"missing-scale-ignorable",
     "missing-scale",
     Severity::info,
     Confidence::measured,
     "Tensors without scale whose layers do not suffer from it.",
     "TensorRT warns for every tensor without an entry in the table: also for constants, for shape "
     "arithmetic and for tensors that fusion removes. Only layers that compute wider than INT8 "
     "because of it cost time.",
     {"Ignore them."},
     "",
     "",
     {"https://github.com/NVIDIA/TensorRT/issues/3659"},
     {},
     "up to 10.16",
     {}},
    Pass::note,
    check};

}  // namespace trtlens
