// Part of the section on time: the sum of the layers against a query.
#include <fmt/format.h>

#include <cmath>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

std::string reconciliation_sentence(const Context& context, const Reconciliation& r) {
  std::string text = r.launches == 1
                         ? "The only layer with a time above 0 takes " + ms_text(r.layers_ms)
                         : fmt::format("{} layers with a time above 0 add up to {}", r.launches,
                                       ms_text(r.layers_ms));
  const std::string reasons =
      r.reasons.empty() ? "" : " " + sentence_start(join(r.reasons, "; ")) + ".";
  if (!r.gpu_compute_ms) return text + "; what a query takes is unknown." + reasons;
  const double difference = r.layers_ms - *r.gpu_compute_ms;
  text += fmt::format(", {} {} than the {} of GPU compute time of a query ({})",
                      share_text(std::abs(difference) / *r.gpu_compute_ms),
                      difference >= 0 ? "more" : "less", context.gpu_compute_what,
                      ms_text(*r.gpu_compute_ms));
  if (r.overhead_per_launch_ms) {
    text += fmt::format(": {} a layer", us_text(std::abs(*r.overhead_per_launch_ms)));
  }
  return text + "." + reasons;
}

}  // namespace

void add_reconciliation(const Context& context, Section& section) {
  if (!context.analysis.reconciliation) return;
  const Reconciliation& r = *context.analysis.reconciliation;
  section.say(reconciliation_sentence(context, r));
  FactList facts("Layers against a query");
  add_facts(context, kReconciliationFacts, r,
            {"layers_ms", "gpu_compute_ms", "latency_ms", "enqueue_ms"}, facts);
  if (r.transfer_share) {
    facts.add("H2D and D2H, of the latency",
              fmt::format("{} + {}, {}", ms_text(r.h2d_ms), ms_text(r.d2h_ms),
                          share_text(*r.transfer_share)));
  }
  if (r.overhead_per_launch_ms) {
    facts.add("Difference a layer", us_text(*r.overhead_per_launch_ms));
  }
  if (r.launches > 0) {
    facts.add("Layers below 0.005 ms, bound by their launch",
              fmt::format("{} of {}, {} ({})", r.below_floor.size(), r.launches,
                          ms_text(r.below_floor_ms), share_text(r.below_floor_ms / r.layers_ms)));
  }
  facts.add_to(section);
}

}  // namespace trtlens
