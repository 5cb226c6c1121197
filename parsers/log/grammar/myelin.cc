// Myelin's regions, the layers called {ForeignNode[…]}: what they hold, and from 10.x on the sorted
// tables of the kernels that Myelin timed for their operators. Closed source.
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/names.h"

namespace trtlens {
namespace {

void on_operator(RunBuilder& b, const Match& m) {
  MyelinRace race;
  race.op = m[0];
  race.onnx_nodes = onnx_nodes_of_metadata(m[1]);
  race.region = b.autotune.cursor().layer;
  race.format_combination = b.autotune.cursor().format_combination;
  race.pos = m.pos;
  b.myelin.begin(std::move(race));
}

const LineKind kMyelinKinds[] = {
    {"myelin-operator", " \\(foreignNode\\) Autotuning op (.+?)(?:: ?(\\[ONNX Layer: .*\\])?)?",
     on_operator,
     " (foreignNode) Autotuning op node_conv2d: [ONNX Layer: node_conv2d][ONNX Layer: node_relu]",
     " (foreignNode) Autotuning op ", kProgress},
    {"myelin-heads", Gate::prefix, " (foreignNode) tactic_id, ",
     " \\(foreignNode\\) (tactic_id(?:, [^,]+)+)",
     [](RunBuilder& b, const Match& m) { b.myelin.heads(m[0]); },
     " (foreignNode) tactic_id, cost(in ms), cost/fastest_cost, prediction_correlation, "
     "kernel_name, tactic_hash, tunable_parameter",
     " (foreignNode) tactic_id, ", kProgress},
    // A column may be empty; names of kernels hold no comma.
    {"myelin-candidate", Gate::prefix, " (foreignNode) ", " \\(foreignNode\\) +(\\d+(?:, ?[^,]*)+)",
     [](RunBuilder& b, const Match& m) { b.myelin.candidate(m[0], b.build.myelin_races); },
     " (foreignNode)   30, 0.0051360, 1.00000, 5986.98955, sm80_xmma_fprop_implicit_gemm_f32f32, "
     "0x49175fa8b00a3, , 0",
     " (foreignNode) Sorted table of all evaluated tactics:", kProgress},
    // But for "(Sparsity) …", which is a message.
    {"foreign-node", " \\(foreignNode\\) ((?:[^(]|\\((?:[^S]|S[^p])).*)?", nullptr,
     " (foreignNode) Sorted table of all evaluated tactics:", nullptr, kNoise | kProgress},
    {"foreign-metadata", "ForeignNode (\\{.*\\}(?: \\[profile \\d+\\])?) metadata: ?(.*)",
     [](RunBuilder& b, const Match& m) { b.myelin.region(m[0], m[1]); },
     "ForeignNode {ForeignNode[a...b]} metadata: [ONNX Layer: a][ONNX Layer: b]",
     "ForeignNode a metadata: b"},
    {"myelin-runner", "\\[runner\\] (?:Allocating|Freeing|Releasing) resources for \\d+ graphs\\.",
     nullptr, "[runner] Allocating resources for 1 graphs.",
     "[runner] Allocating resources for graphs", kNoise},
    {"subgraph-time", "Subgraph compilation completed in (\\S+) seconds\\.", nullptr,
     "Subgraph compilation completed in 0.235 seconds.", "Subgraph compilation completed in 0.235",
     kNoise | kProgress},
};

}  // namespace

LineKinds kinds_of_myelin() {
  return kMyelinKinds;
}

}  // namespace trtlens
