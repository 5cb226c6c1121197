#include <algorithm>
#include <optional>
#include <string_view>

#include "analyzers/neighbours.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

// Names in "(Sparsity) Layers eligible for sparse math: a, b"; none without such a message.
std::optional<std::size_t> names_behind(const Build& build, std::string_view words,
                                        SourcePos* pos) {
  for (const Message& message : build.messages) {
    const std::size_t at = message.text.find(words);
    if (at == std::string::npos) continue;
    *pos = message.pos;
    const std::string_view list = std::string_view(message.text).substr(at + words.size());
    if (list.find_first_not_of(" :") == std::string_view::npos) return 0;
    return 1 + static_cast<std::size_t>(std::count(list.begin(), list.end(), ','));
  }
  return std::nullopt;
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  SourcePos eligible_pos, picked_pos;
  const auto eligible = names_behind(build, "Layers eligible for sparse math", &eligible_pos);
  const auto picked =
      names_behind(build, "inference plan picked sparse implementation for layers", &picked_pos);
  if (!eligible || !picked || *eligible < static_cast<std::size_t>(c.threshold("min_eligible")) ||
      static_cast<double>(*picked) > c.threshold("max_picked") * static_cast<double>(*eligible)) {
    return;
  }
  Finding finding = c.finding();
  finding.title = "Sparse kernels were allowed: " + std::to_string(*picked) + " of " +
                  count_text(*eligible, "layer") + " that could be sparse " +
                  (*picked == 1 ? "is" : "are");
  finding.evidence.push_back(c.line(eligible_pos, ""));
  finding.evidence.push_back(c.line(picked_pos, ""));
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_sparsity_not_used;
const Rule rule_sparsity_not_used{
    {"sparsity-not-used",
     "tactic",
     Severity::minor,
     Confidence::measured,
     "A build with --sparsity in which few or no layers got a sparse kernel.",
     "A sparse kernel needs weights with two zeros in every four, enough channels, and has to "
     "beat the dense ones in the race. Otherwise the pruning cost accuracy and won nothing.",
     {"Check that the weights are pruned 2:4 along the input channels (polygraphy surgeon prune "
      "shows what speed is possible, ASP keeps the accuracy).",
      "Choose channels in multiples of 16 (FP16) or 32 (INT8).",
      "Use --sparsity=enable; force is for timing only."},
     "trtexec --onnx=MODEL --fp16 --sparsity=enable --verbose 2>&1 | grep \"(Sparsity)\"",
     "On small layers the dense kernel is the faster one.",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.16/samples/common/sampleOptions.cpp",
      "https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html"},
     {{"min_eligible", 2, "count", "of layers that could have been sparse"},
      {"max_picked", 0.5, "share", "of them that are"}},
     "8.0 and later",
     {}},
    Pass::note,
    check};

}  // namespace trtlens
