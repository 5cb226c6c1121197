// Adds that Q/DQ keeps apart from their convolution.
#include "analyzers/graph/graph.h"
#include "analyzers/graph/neighbours.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::qdq_overplaced_on_conv_output {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  if (!is_explicitly_quantized(c)) return;
  std::vector<std::size_t> adds, convolutions, all;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    if (!is_lone_add(c, i) || c.claimed.count(i) != 0) continue;
    for (const std::size_t p : walk(c, i, Direction::backward, is_conversion).ends) {
      if (!could_take_add(c, p)) continue;
      adds.push_back(i);
      convolutions.push_back(p);
      all.push_back(i);
      for (const std::size_t dq : c.graph.after(p)) {
        if (is_conversion(c.verdict(dq).role)) all.push_back(dq);
      }
      break;
    }
  }
  all = unclaimed(c, all);
  if (adds.empty()) return;
  Finding finding = c.finding(all);
  finding.title = count_text(adds.size(), "Add") +
                  " apart from the quantized convolution in front, because of Q/DQ in between" +
                  cost_text(c, all);
  show_layers(c, all, finding);
  for (std::size_t k = 0; k < convolutions.size() && k < 4; ++k) {
    finding.evidence.push_back(c.measured(convolutions[k], "writes INT8 for an Add alone"));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{
    {"qdq-overplaced-on-conv-output",
     "qdq-placement",
     Severity::moderate,
     Confidence::inferred,
     "An Add that runs as a kernel of its own on the INT8 output of a convolution.",
     "Q/DQ between a convolution and the Add behind it forces the two apart: the convolution "
     "writes INT8, and the Add reads and writes the whole tensor once more. With Q/DQ on the "
     "other input of the Add only, the two are one kernel.",
     {"Take the Q/DQ off the output of the convolution; quantize the inputs of convolutions and "
      "the residual input of the Add."},
     "Export again, then trtexec --onnx=MODEL --int8 --fp16 --profilingVerbosity=detailed "
     "--exportLayerInfo=layers.json --exportProfile=profile.json, and look for a layer whose "
     "name holds both the convolution and the Add",
     "A convolution with several readers cannot take the Add in; neither can one whose INT8 "
     "output is an output of the network.",
     {"https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-853/developer-guide/"
      "index.html#qdq-placement-recs",
      "https://github.com/NVIDIA/TensorRT/issues/1532"},
     {},
     "8.0 and later",
     "none: in b_mob_q_dwnow_i8 the Q/DQ is on the wrong input"},
    Pass::placement,
    check};

}  // namespace trtlens::checks::qdq_overplaced_on_conv_output
