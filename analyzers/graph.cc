#include "analyzers/graph.h"

#include <algorithm>
#include <set>

namespace trtlens {
namespace {

const std::vector<std::size_t>& none() {
  static const std::vector<std::size_t> empty;
  return empty;
}

// Steps of one walk over no-ops. Networks need a few; a tensor that every layer shares, or a list
// of nothing but no-ops, would cost the square of the layers.
constexpr std::size_t kMaxWalk = 512;

// A no-op moves nothing: what stands behind it is the real neighbour.
bool transparent(const Layer& layer, const LayerVerdict& verdict) {
  return verdict.role == LayerRole::none && layer.layer_type != "Constant" &&
         (!layer.time || layer.time->mean_ms == 0);
}

}  // namespace

bool is_conversion(LayerRole role) {
  return role == LayerRole::reformat || role == LayerRole::quantize ||
         role == LayerRole::dequantize;
}

bool is_arithmetic(LayerRole role) {
  return role == LayerRole::convolution || role == LayerRole::deconvolution ||
         role == LayerRole::gemm || role == LayerRole::attention;
}

bool is_narrow(DataType type) {
  return type == DataType::int8 || type == DataType::fp8 || type == DataType::int4 ||
         type == DataType::fp4;
}

bool is_float(DataType type) {
  return type == DataType::fp32 || type == DataType::fp16 || type == DataType::bf16;
}

int timed_profile(const Build& build) {
  for (const Layer& layer : build.layers) {
    if (layer.time) return layer.opt_profile;
  }
  const int named = static_cast<int>(build.inference.opt_profile.value_or(0));
  const bool is_there = std::any_of(build.layers.begin(), build.layers.end(),
                                    [&](const Layer& l) { return l.opt_profile == named; });
  return is_there || build.layers.empty() ? named : build.layers.front().opt_profile;
}

Graph::Graph(const Build& build, const std::vector<LayerVerdict>& verdicts) {
  const int profile = timed_profile(build);
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const Layer& layer = build.layers[i];
    by_name_.try_emplace(layer.name, i);
    takes_part_.push_back(layer.opt_profile == profile);
    if (!takes_part_.back()) continue;
    for (const Tensor& t : layer.outputs) writers_[t.name].push_back(i);
    for (const Tensor& t : layer.inputs) readers_[t.name].push_back(i);
  }
  for (const IoTensor& io : build.io_tensors) io_[io.tensor.name] = io.is_input;
  link(build.layers, verdicts);
}

void Graph::link(const std::vector<Layer>& layers, const std::vector<LayerVerdict>& verdicts) {
  before_.resize(layers.size());
  after_.resize(layers.size());
  // Walks over no-ops; `seen` ends cycles through in-place layers.
  const auto walk = [&](std::size_t from, bool forward, std::set<std::size_t>& found) {
    std::vector<std::size_t> stack{from};
    std::set<std::size_t> seen{from};
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      const auto& tensors = forward ? layers[at].outputs : layers[at].inputs;
      for (const Tensor& t : tensors) {
        for (const std::size_t next : forward ? readers(t.name) : writers(t.name)) {
          if (seen.size() > kMaxWalk) return;
          if (!seen.insert(next).second) continue;
          if (transparent(layers[next], verdicts[next])) {
            stack.push_back(next);
          } else {
            found.insert(next);
          }
        }
      }
    }
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!takes_part_[i]) continue;
    std::set<std::size_t> found;
    walk(i, false, found);
    before_[i].assign(found.begin(), found.end());
    found.clear();
    walk(i, true, found);
    after_[i].assign(found.begin(), found.end());
  }
}

const std::vector<std::size_t>& Graph::writers(const std::string& tensor) const {
  const auto found = writers_.find(tensor);
  return found == writers_.end() ? none() : found->second;
}

const std::vector<std::size_t>& Graph::readers(const std::string& tensor) const {
  const auto found = readers_.find(tensor);
  return found == readers_.end() ? none() : found->second;
}

bool Graph::is_network_input(const std::string& tensor) const {
  const auto found = io_.find(tensor);
  return found != io_.end() && found->second;
}

bool Graph::is_network_output(const std::string& tensor) const {
  const auto found = io_.find(tensor);
  return found != io_.end() && !found->second;
}

std::size_t Graph::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNone : found->second;
}

double Fence::time_ms(const Build& build, const std::vector<std::size_t>& members) {
  double sum = 0;
  for (const std::size_t i : members) sum += time_or_zero(build.layers[i]);
  return sum;
}

Fence fence_of(const std::vector<std::size_t>& core, const Graph& graph, const Analysis& analysis) {
  const std::vector<Layer>& layers = analysis.build.layers;
  const std::set<std::size_t> inside(core.begin(), core.end());
  std::set<std::size_t> before, after, activations;
  for (const std::size_t at : core) {
    for (const std::size_t p : graph.before(at)) {
      if (inside.count(p) != 0 || !is_conversion(analysis.verdicts[p].role)) continue;
      // The conversion of the network's input is there whatever this layer computes in.
      const bool of_input =
          !layers[p].inputs.empty() && graph.is_network_input(layers[p].inputs[0].name);
      if (!of_input) before.insert(p);
    }
  }
  // Behind it: conversions, and activations with one data input (Clip, ReLU, SiLU), until
  // arithmetic.
  std::vector<std::size_t> stack(core.begin(), core.end());
  std::set<std::size_t> seen = inside;
  while (!stack.empty()) {
    const std::size_t at = stack.back();
    stack.pop_back();
    for (const std::size_t next : graph.after(at)) {
      if (!seen.insert(next).second) continue;
      const LayerRole role = analysis.verdicts[next].role;
      const bool activation = role == LayerRole::pointwise && layers[next].inputs.size() == 1;
      if (!is_conversion(role) && !activation) continue;
      (activation ? activations : after).insert(next);
      stack.push_back(next);
    }
  }
  Fence fence;
  fence.before.assign(before.begin(), before.end());
  fence.after.assign(after.begin(), after.end());
  fence.activations.assign(activations.begin(), activations.end());
  return fence;
}

}  // namespace trtlens
