// Holds the size of a quantized engine against that of the wider one.
#include "analyzers/compare/compare_rule.h"
#include "analyzers/text.h"
#include "parsers/model/command.h"

namespace trtlens::compare_checks::engine_size_precision_compared {
namespace {

std::string mib_text(std::int64_t bytes) {
  return std::to_string((bytes + (1 << 19)) >> 20) + " MiB";
}

void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& narrow : sides_of(c)) {
    const SideView wide{c, !narrow.is_base};
    const Build& n = narrow.analysis().build;
    const Build& w = wide.analysis().build;
    const bool meant =
        has_quantizers(narrow.analysis()) || allows(n.allowed, "INT8") || allows(n.allowed, "FP8");
    const ArithmeticShares other = arithmetic_of(wide.analysis());
    if (!meant || !allows(w.allowed, "FP16") || allows(w.allowed, "INT8") ||
        allows(w.allowed, "FP8") || has_quantizers(wide.analysis()) || other.full > 0.5) {
      continue;
    }
    // Weights say more than the file, which holds kernels and tables, too.
    const bool weights = n.memory.weights_bytes && w.memory.weights_bytes;
    const auto own = weights ? n.memory.weights_bytes : n.memory.engine_bytes;
    const auto others = weights ? w.memory.weights_bytes : w.memory.engine_bytes;
    const double least = context.threshold("min_mib") * 1048576;
    if (!own || !others || static_cast<double>(*others) < least ||
        static_cast<double>(*own) <=
            context.threshold("max_ratio") * static_cast<double>(*others)) {
      continue;
    }
    // Most of the arithmetic is narrow: then the size has another reason.
    const ArithmeticShares shares = arithmetic_of(narrow.analysis());
    if (shares.any && shares.narrow > 0.5) continue;
    Finding finding = context.finding();
    finding.title = std::string("The quantized build (") + narrow.name() + ") holds " +
                    mib_text(*own) + (weights ? " of weights" : " of engine") + ", " +
                    share_text(static_cast<double>(*own) / static_cast<double>(*others)) +
                    " of the FP16 build's " + mib_text(*others) + ": about half is expected";
    out.push_back(std::move(finding));
    return;
  }
}

}  // namespace

extern const CompareRule rule{
    {"engine-size-precision-compared",
     "precision-fallback",
     Severity::major,
     Confidence::inferred,
     "A quantized engine that is about as large as the FP16 one.",
     "Weights are stored in the precision that their layer computes in. An engine that did not "
     "shrink computes in high precision.",
     {"Look for layers that fell back: trtlens analyze of the quantized build.",
      "Check that the ONNX file has Q/DQ on weights."},
     "trtexec --onnx=MODEL --profilingVerbosity=detailed --exportLayerInfo=layers.json shows the "
     "type of every layer's weights.",
     "Models that are mostly embeddings, refittable or version-compatible engines.",
     {"https://forums.developer.nvidia.com/t/why-does-int8-quantization-occupy-more-gpu-graphics-"
      "memory-than-float16-tensorrt-quantization/254754"},
     {{"max_ratio", 0.75, "share", "of the FP16 build's bytes"},
      {"min_mib", 4, "MiB", "of the FP16 build: smaller ones are mostly code"}},
     "",
     "b_r18_q_now against a_r18_fp16: its weights are FP16"},
    check};

}  // namespace trtlens::compare_checks::engine_size_precision_compared
