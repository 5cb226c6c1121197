// Loops, conditions and outputs whose size depends on data.
#include <set>
#include <string_view>
#include <unordered_map>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::loop_nonzero_dds {

static bool is_data_dependent(const std::string& op) {
  return is_one_of(op, {"Loop", "Scan", "If", "NonZero", "NonMaxSuppression"});
}

static bool is_weighted(const std::string& op) {
  return is_one_of(op, {"Conv", "ConvTranspose", "MatMul", "Gemm", "LSTM", "GRU"});
}

// Marks of tensors, by what they were computed from.
constexpr unsigned kFromInput = 1;  // data of the network's input, not its shape
constexpr unsigned kFromDds = 2;    // and of an operator with an output of unknown size

// Operators with outputs of unknown size whose result a weighted operator reads. Nodes stand in
// the order of the parser, producers first.
static std::set<std::string> operators_in_the_middle(const Build& build) {
  std::unordered_map<std::string_view, unsigned> marks;
  for (const IoTensor& io : build.io_tensors) {
    if (io.is_input) marks[io.tensor.name.str()] = kFromInput;
  }
  std::set<std::string> seen, found;
  for (const OnnxNode& node : build.onnx_nodes) {
    unsigned mark = 0;
    for (const Tensor& t : node.inputs) {
      const auto known = marks.find(t.name.str());
      if (known != marks.end()) mark |= known->second;
    }
    // The shape of a tensor is not its data.
    if (node.op == "Shape" || node.op == "Size" || mark == 0) continue;
    if ((mark & kFromDds) != 0 && is_weighted(node.op)) found = seen;
    if (is_data_dependent(node.op)) {
      mark |= kFromDds;
      seen.insert(node.op);
    }
    for (const Tensor& t : node.outputs) marks[t.name.str()] |= mark;
  }
  return found;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  const std::set<std::string> operators = operators_in_the_middle(build);
  if (operators.empty()) return;
  const auto& enqueue = build.performance.enqueue;
  const auto& compute = build.performance.gpu_compute;
  const bool waits = enqueue && compute && enqueue->median_ms && compute->median_ms &&
                     *enqueue->median_ms > c.threshold("min_ratio") * *compute->median_ms;
  Finding finding =
      c.finding({{"operators", join(operators, ", ")}, {"wait", waits ? "takes as long" : ""}});
  // Without a host that waits there is no sign that it costs something.
  if (!waits) finding.severity = Severity::minor;
  constexpr std::size_t kShown = 4;
  std::size_t shown = 0;
  for (const OnnxNode& node : build.onnx_nodes) {
    if (shown >= kShown || operators.count(node.op) == 0) continue;
    finding.evidence.push_back(c.line(node.pos, node.op + " node " + node.name));
    ++shown;
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"loop-nonzero-dds", Pass::note, check};

}  // namespace trtlens::checks::loop_nonzero_dds
