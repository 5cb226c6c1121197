// Counts the pieces that the builder's list of DLA layers falls into.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::dla_cut_by_gpu {
namespace {

constexpr std::size_t kShown = 12;  // names of each device

std::string names_of(const Build& build, bool on_dla) {
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
void check(const RuleContext& c, std::vector<Finding>& out) {
  const PlacementLedger& placement = c.analysis.placement;
  const auto pieces = static_cast<double>(placement.dla_layers);
  if (!placement.of_log || pieces < c.threshold("pieces") || placement.gpu_layers == 0) return;
  const Build& build = c.analysis.build;
  Finding finding = c.finding();
  if (pieces < c.threshold("major_pieces")) finding.severity = Severity::moderate;
  finding.title = "Layers of the GPU cut what runs on the DLA in " +
                  std::to_string(placement.dla_layers) + " pieces: where one follows the other, " +
                  std::to_string(2 * (placement.dla_layers - 1)) + " changes of device";
  const SourcePos& pos = build.placements.front().pos;
  finding.evidence.push_back(c.line(pos, "on the DLA: " + names_of(build, true)));
  finding.evidence.push_back(c.line(pos, "on the GPU: " + names_of(build, false)));
  for (const Placement& row : build.placements) {
    if (!row.on_dla) finding.layers.emplace_back(row.layer);
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"dla-cut-by-gpu",
     "hardware",
     Severity::major,
     Confidence::measured,
     "The builder lists the DLA part of a network in several pieces.",
     "Every change between DLA and GPU costs a copy and a reformat, and each piece is a loadable "
     "of its own.",
     {"Replace the layers of the GPU that stand between the pieces by ones that the DLA has "
      "(InstanceNormalization by BatchNormalization, for instance), or fold them.",
      "If they stand in one block at the end, leave that block on the GPU: that is one change.",
      "Do not use the DLA for a network with more than about three changes."},
     "trtexec --onnx=MODEL --useDLACore=0 --allowGPUFallback --fp16 --verbose lists the layers of "
     "each device; compare its time with that of the same command without --useDLACore",
     "Pieces that do not depend on each other, with the GPU's layers in front of them or behind "
     "them.",
     {"https://github.com/NVIDIA-AI-IOT/jetson_dla_tutorial",
      "https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html#dla_topic"},
     {{"pieces", 2, "count", "pieces on the DLA, from which on it is cut"},
      {"major_pieces", 3, "count", "pieces on the DLA, for a major finding"}},
     "8.0 to 10.x, 11.4",
     "log 163: five pieces, InstanceNormalization between them"},
    Pass::placement,
    check};

}  // namespace trtlens::checks::dla_cut_by_gpu
