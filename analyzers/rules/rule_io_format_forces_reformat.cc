#include <algorithm>

#include "analyzers/graph.h"
#include "analyzers/rule.h"

namespace trtlens {
namespace {

struct Border {
  std::vector<std::size_t> all, inputs, outputs;
};

Border border_of(const RuleContext& c) {
  Border border;
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (!is_conversion(c.verdict(i).role) || layer.inputs.empty() || layer.outputs.empty()) {
      continue;
    }
    if (c.claimed.count(i) != 0 || !c.graph.takes_part(i)) continue;
    const bool of_input = c.graph.is_network_input(layer.inputs[0].name);
    const bool of_output = c.graph.is_network_output(layer.outputs[0].name);
    if (!of_input && !of_output) continue;
    border.all.push_back(i);
    (of_input ? border.inputs : border.outputs).push_back(i);
  }
  return border;
}

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Border border = border_of(c);
  const double sum = c.time_ms(border.all);
  const double share = sum / std::max(c.analysis.build.profile_sum_ms, 1e-12);
  if (border.all.empty() || share < c.threshold("min_share")) return;
  Finding finding = c.finding(border.all);
  const bool inputs = c.time_ms(border.inputs) > 0;
  const bool outputs = c.time_ms(border.outputs) > 0;
  const std::string what = inputs && outputs ? "inputs and outputs" : inputs ? "inputs" : "outputs";
  finding.title = "Converting the network's " + what + " takes " + ms_text(sum) + ", " +
                  share_text(share) + " of the profile";
  for (const std::size_t i : border.all) {
    Evidence evidence = c.measured(i);
    evidence.note = c.layer(i).inputs[0].format.str() + " to " + c.layer(i).outputs[0].format.str();
    finding.evidence.push_back(std::move(evidence));
  }
  finding.remedies.clear();
  if (inputs) {
    finding.remedies.emplace_back(
        "Give the inputs in the type and layout that the first layer reads, such as "
        "--inputIOFormats=fp16:chw, fp16:hwc8, int8:chw4 or int8:chw32, and let the preprocessing "
        "write them so.");
  }
  if (outputs) {
    finding.remedies.emplace_back(
        "Take the outputs in the type and layout that the last layer writes, such as "
        "--outputIOFormats=fp16:chw.");
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule_io_format_forces_reformat;
const Rule rule_io_format_forces_reformat{
    {"io-format-forces-reformat",
     "reformat-overhead",
     Severity::moderate,
     Confidence::measured,
     "Inputs or outputs are converted in type or layout at the network's border.",
     "trtexec asks for linear FP32 at the border. The first layer of an INT8 or FP16 engine wants "
     "another type and layout, so the GPU converts every query's image.",
     {"Give the inputs in the type and layout of the first layer: --inputIOFormats=fp16:chw, "
      "fp16:hwc8, int8:chw4 or int8:chw32, and let the preprocessing write it.",
      "The same for outputs: --outputIOFormats."},
     "trtexec --onnx=MODEL --inputIOFormats=fp16:chw …, and compare",
     "The caller has to supply FP32.",
     {"https://github.com/NVIDIA/TensorRT/blob/release/10.16/samples/common/sampleOptions.cpp"},
     {{"min_share", 0.05, "share", "of profile time"}},
     "",
     {}},
    Pass::symptom,
    check};

}  // namespace trtlens
