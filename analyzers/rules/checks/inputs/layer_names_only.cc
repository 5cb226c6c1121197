// Layer info that holds names and nothing else.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::layer_names_only {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!c.analysis.build.layer_names_only || c.analysis.build.layers.empty()) return;
  out.push_back(c.finding());
  out.back().title =
      "The layer information holds names only: precision, formats and reformats of the " +
      count_text(c.analysis.build.layers.size(), "layer") + " cannot be known";
}

}  // namespace

extern const Rule rule{
    {"layer-names-only",
     "timing-validity",
     Severity::info,
     Confidence::measured,
     "The engine was built without detailed profiling verbosity.",
     "The inspector then gives names and nothing else, and most questions stay unanswered.",
     {"Build with --profilingVerbosity=detailed, then export again with --exportLayerInfo."},
     "trtexec --onnx=MODEL --profilingVerbosity=detailed --dumpLayerInfo "
     "--exportLayerInfo=layers.json --exportProfile=profile.json --separateProfileRun",
     "",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.16/include/NvInferRuntime.h"},
     {},
     "8.2 and later",
     "log 98; engines 54, 55, 58, 91 (info)"},
    Pass::note,
    check};

}  // namespace trtlens::checks::layer_names_only
