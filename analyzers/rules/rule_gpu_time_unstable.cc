#include "analyzers/rule.h"

namespace trtlens {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  std::optional<double> variation;
  std::string source;
  SourcePos pos;
  if (a.compute_samples && a.compute_samples->n >= 30) {
    variation = a.compute_samples->coeff_var;
    source = "computed from " + std::to_string(a.compute_samples->n) + " queries";
    pos = a.build.times_pos;
  } else if (a.build.performance.coeff_var) {
    variation = a.build.performance.coeff_var;
    source = "trtexec's own warning";
    if (a.build.performance.gpu_compute) pos = a.build.performance.gpu_compute->pos;
  }
  if (!variation || *variation < c.threshold("min_coeff_var")) return;
  Finding finding = c.finding();
  finding.title =
      "GPU compute time varies by " + share_text(*variation) + " of its mean from query to query";
  finding.evidence.push_back(
      c.line(pos, "coefficient of variation " + share_text(*variation) + " (" + source + ")"));
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_gpu_time_unstable;
const Rule rule_gpu_time_unstable{
    {"gpu-time-unstable",
     "timing-validity",
     Severity::minor,
     Confidence::measured,
     "The GPU compute time of equal queries varies much.",
     "Clocks that move, throttling or another process on the GPU: small differences between two "
     "runs then mean nothing. trtexec warns from 1 % on before 10.13 and from 2.5 % on after; this "
     "finding uses one threshold for all versions.",
     {"Lock the clocks: nvidia-smi -lgc FREQUENCY (Jetson: nvpmodel and jetson_clocks).",
      "Add --useSpinWait, and measure longer: --warmUp=500 --duration=10.",
      "Make sure that nothing else runs on the GPU."},
     "Repeat the run several times and compare the runs, not the queries.",
     "A few outliers in a short run.",
     {},
     {{"min_coeff_var", 0.05, "share", "standard deviation over mean of the GPU compute times"}},
     "",
     {}},
    Pass::note,
    check};

}  // namespace trtlens
