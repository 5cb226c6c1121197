// Tensors without a scale that cost nothing, so that nobody hunts them.
#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::missing_scale_ignorable {

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<const MissingScaleCost*> harmless;
  for (const MissingScaleCost& cost : c.analysis.missing_scales) {
    if (cost.matters == false) harmless.push_back(&cost);
  }
  if (harmless.empty()) return;
  Finding finding = c.finding();
  finding.next_check = rebuild_command(c.analysis.build, "") +
                       " shows the layers of each tensor and what they take.";
  const bool one = harmless.size() == 1;
  const std::string what =
      c.analysis.build.knows_layers()
          ? (one ? "costs nothing" : "cost nothing")
          : (one ? "is a constant or shape arithmetic" : "are constants or shape arithmetic");
  finding.title = count_text(harmless.size(), "tensor") + " without scale " + what;
  for (const MissingScaleCost* cost : first_of(harmless, 5)) {
    finding.evidence.push_back(c.line(cost->pos, ""));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"missing-scale-ignorable", Pass::note, check};

}  // namespace trtlens::checks::missing_scale_ignorable
