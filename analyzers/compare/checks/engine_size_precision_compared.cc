// Holds the size of a quantized engine against that of the wider one.
#include "analyzers/compare/compare_rule.h"
#include "analyzers/graph/graph.h"

namespace trtlens::compare_checks::engine_size_precision_compared {

static std::string mib_text(std::int64_t bytes) {
  return std::to_string((bytes + (1 << 19)) >> 20) + " MiB";
}

// No layer that shows its types has a narrow one: INT8 was allowed, and nothing was quantized.
// Without types this is not known.
static bool shows_no_narrow_type(const Build& build) {
  bool shows_types = false;
  for (const Layer& layer : build.layers) {
    for (const auto* tensors : {&layer.inputs, &layer.outputs}) {
      for (const Tensor& tensor : *tensors) {
        if (is_narrow(tensor.type)) return false;
        shows_types = shows_types || tensor.type != DataType::unknown;
      }
    }
    if (layer.weights && is_narrow(layer.weights->type)) return false;
  }
  return shows_types;
}

static void check(const CompareContext& context, std::vector<Finding>& out) {
  const Comparison& c = context.c;
  for (const SideView& narrow : sides_of(c)) {
    const SideView wide{c, !narrow.is_base};
    const Build& n = narrow.analysis().build;
    const Build& w = wide.analysis().build;
    const bool is_allowed = allows(n.allowed, "INT8") || allows(n.allowed, "FP8");
    const bool meant =
        has_quantizers(narrow.analysis()) || (is_allowed && !shows_no_narrow_type(n));
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
    Finding finding = context.finding(
        {{"share", share_text(static_cast<double>(*own) / static_cast<double>(*others))}});
    finding.evidence.push_back({.note = std::string(weights ? "weights" : "engine") + " of the " +
                                        narrow.name() + ": " + mib_text(*own) +
                                        ", of the FP16 build " + mib_text(*others) +
                                        "; about half is expected"});
    out.push_back(std::move(finding));
    return;
  }
}

extern const CompareRule rule{"engine-size-precision-compared", check};

}  // namespace trtlens::compare_checks::engine_size_precision_compared
