// FP32 arithmetic of a command with --noTF32, on a GPU that has TF32.
#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"

namespace trtlens::checks::noTF32_fp32_slow {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  const bool no_tf32 = build.allowed.no_tf32 || build.options.has("noTF32");
  const auto sm = build.gpu ? build.gpu->sm() : std::nullopt;
  if (!no_tf32 || !build.has_profile || (sm && *sm < 80)) return;
  const std::vector<std::size_t> layers =
      unclaimed(c, layers_where(c, [&](std::size_t i) {
                  return computes_in_32_bits(c, i) && c.verdict(i).compute == Precision::fp32;
                }));
  if (layers.empty() || !takes_share(c, layers, c.threshold("min_share"))) return;
  Finding finding = c.finding(layers, {{"layers", arithmetic_text(c, layers)}});
  if (finding.severity > Severity::moderate) finding.severity = Severity::moderate;
  finding.gain = gain_in(c.analysis, layers, Precision::tf32);
  if (!finding.gain) finding.gain_unknown = "the roofline does not know these layers";
  show_layers(c, layers, finding);
  out.push_back(std::move(finding));
}

extern const Rule rule{"noTF32-fp32-slow", Pass::cause, check};

}  // namespace trtlens::checks::noTF32_fp32_slow
