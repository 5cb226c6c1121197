// Counts the pieces that the builder's list of DLA layers falls into.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::dla_cut_by_gpu {

constexpr std::size_t kShown = 12;  // names of each device

static std::string names_of(const Build& build, bool on_dla) {
  std::string text;
  std::size_t n = 0;
  for (const Placement& placement : build.placements) {
    if (placement.on_dla != on_dla) continue;
    if (++n <= kShown) text += (n == 1 ? "" : ", ") + placement.layer;
  }
  if (n > kShown) text += " and " + std::to_string(n - kShown) + " more";
  return text;
}

// "[DlaLayer] {ForeignNode[a...b]}" is one piece: layers of the GPU stand between two of them.
static void check(const RuleContext& c, std::vector<Finding>& out) {
  const PlacementLedger& placement = c.analysis.placement;
  const auto pieces = static_cast<double>(placement.dla_layers);
  if (!placement.of_log || pieces < c.threshold("pieces") || placement.gpu_layers == 0) return;
  const Build& build = c.analysis.build;
  Finding finding = c.finding({{"pieces", std::to_string(placement.dla_layers)}});
  if (pieces < c.threshold("major_pieces")) finding.severity = Severity::moderate;
  const SourcePos& pos = build.placements.front().pos;
  finding.evidence.push_back(c.line(pos, "on the DLA: " + names_of(build, true)));
  finding.evidence.push_back(c.line(pos, "on the GPU: " + names_of(build, false)));
  finding.evidence.push_back({.note = "where one piece follows the other: " +
                                      std::to_string(2 * (placement.dla_layers - 1)) +
                                      " changes of device"});
  for (const Placement& row : build.placements) {
    if (!row.on_dla) finding.layers.emplace_back(row.layer);
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"dla-cut-by-gpu", Pass::placement, check};

}  // namespace trtlens::checks::dla_cut_by_gpu
