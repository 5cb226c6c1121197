// Builds the graph of one side: nodes that compute, and edges that pass over what does not.
#include "analyzers/compare/align/work.h"

#include <algorithm>

namespace trtlens {
namespace {

constexpr std::uint32_t kUnset = static_cast<std::uint32_t>(-1);
constexpr std::size_t kMostSteps = 16;     // of conversions and no-ops behind each other
constexpr std::size_t kMostSources = 64;   // of one tensor
constexpr std::size_t kMostLookups = 256;  // for them
constexpr Key kSum = 101, kInput = 102, kOutput = 103;

Key mixed_dims(Key seed, const Dims& dims) {
  seed = mixed(seed, dims.size());
  for (const std::int64_t d : dims) seed = mixed(seed, static_cast<Key>(d));
  return seed;
}

bool is_convolution(LayerRole role) {
  return role == LayerRole::convolution || role == LayerRole::deconvolution;
}

// A convolution that adds a tensor of its output's shape.
bool adds(const Layer& layer, LayerRole role) {
  return is_convolution(role) && layer.inputs.size() > 1 && layer.outputs.size() == 1 &&
         layer.outputs[0].has_dims && layer.inputs[1].dims == layer.outputs[0].dims;
}

Key signature_of(const Layer& layer, LayerRole role) {
  // One sum, as a kernel of its own or inside a convolution.
  if (role == LayerRole::pointwise && layer.inputs.size() > 1 && layer.outputs.size() == 1) {
    return mixed_dims(kSum, layer.outputs[0].dims);
  }
  Key key = mixed(1, static_cast<Key>(role));
  for (const Tensor& tensor : layer.outputs) key = mixed_dims(key, tensor.dims);
  if (role == LayerRole::pointwise) return key;
  // The data's shape tells the first convolution of a stage from the second. Further inputs come
  // and go with what is fused.
  if (!layer.inputs.empty()) key = mixed_dims(key, layer.inputs[0].dims);
  key = mixed_dims(key, layer.kernel);
  key = mixed_dims(key, layer.stride);
  key = mixed(key, static_cast<Key>(layer.groups.value_or(0)));
  return mixed(key, static_cast<Key>(layer.out_maps.value_or(0)));
}

void add_once(std::vector<std::uint32_t>& list, std::uint32_t item) {
  if (list.size() < kMostSources && std::ranges::find(list, item) == list.end()) {
    list.push_back(item);
  }
}

}  // namespace

WorkGraph::WorkGraph(const AlignSide& side) : side_(side) {
  add_nodes();
  add_edges();
  add_outputs();
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    for (const std::uint32_t p : nodes_[n].producers) nodes_[p].consumers.push_back(n);
  }
}

void WorkGraph::add_nodes() {
  work_of_.assign(side_.size(), kUnset);
  out_of_.assign(side_.size(), kUnset);
  for (std::size_t i = 0; i < side_.size(); ++i) {
    const LayerRole role = side_.analysis.verdicts[i].role;
    if (side_.conversion[i] || role == LayerRole::none || !side_.graph.takes_part(i)) continue;
    const Layer& layer = side_.layer(i);
    work_of_[i] = out_of_[i] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({WorkNode::Kind::work, i, signature_of(layer, role), {}, {}});
    if (!adds(layer, role)) continue;
    out_of_[i] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(
        {WorkNode::Kind::sum, i, mixed_dims(kSum, layer.outputs[0].dims), {work_of_[i]}, {}});
  }
}

void WorkGraph::add_edges() {
  for (std::size_t i = 0; i < side_.size(); ++i) {
    if (work_of_[i] == kUnset) continue;
    const bool has_sum = out_of_[i] != work_of_[i];
    const auto& inputs = side_.layer(i).inputs;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      unwritten_.try_emplace(inputs[k].name.str(), &inputs[k]);
      connect(inputs[k].name.str(), has_sum && k > 0 ? out_of_[i] : work_of_[i]);
    }
  }
}

// Tensors of the network's outputs, and those that nothing reads.
void WorkGraph::add_outputs() {
  for (std::size_t i = 0; i < side_.size(); ++i) {
    if (!side_.graph.takes_part(i)) continue;
    for (const Tensor& tensor : side_.layer(i).outputs) {
      if (!side_.graph.is_network_output(tensor.name) &&
          !side_.graph.readers(tensor.name.str()).empty()) {
        continue;
      }
      const auto node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(
          {WorkNode::Kind::output, Graph::kNone, mixed_dims(kOutput, tensor.dims), {}, {}});
      connect(tensor.name.str(), node);
    }
  }
}

void WorkGraph::connect(std::string_view tensor, std::uint32_t to) {
  std::vector<std::uint32_t> sources;
  lookups_ = 0;
  collect_sources(tensor, 0, sources);
  for (const std::uint32_t source : sources) {
    if (source != to) add_once(nodes_[to].producers, source);
  }
}

void WorkGraph::collect_sources(std::string_view tensor, std::size_t depth,
                                std::vector<std::uint32_t>& out) {
  const Places writers = side_.graph.writers(tensor);
  if (writers.empty()) {
    const auto seen = unwritten_.find(tensor);
    add_once(out, input_of(tensor, seen == unwritten_.end() ? nullptr : seen->second));
    return;
  }
  for (const std::size_t w : writers) {
    if (out.size() >= kMostSources || ++lookups_ > kMostLookups) return;
    if (out_of_[w] != kUnset) {
      add_once(out, out_of_[w]);
      continue;
    }
    if (depth == kMostSteps) continue;
    const auto& inputs = side_.layer(w).inputs;
    for (const Tensor& input : inputs) {
      unwritten_.try_emplace(input.name.str(), &input);
      collect_sources(input.name.str(), depth + 1, out);
      // A conversion has one; what else it reads are scales.
      if (side_.conversion[w]) break;
    }
  }
}

std::uint32_t WorkGraph::input_of(std::string_view tensor, const Tensor* seen) {
  const auto [at, is_new] = inputs_.try_emplace(tensor, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) {
    nodes_.push_back({WorkNode::Kind::input,
                      Graph::kNone,
                      seen == nullptr ? kInput : mixed_dims(kInput, seen->dims),
                      {},
                      {}});
  }
  return at->second;
}

}  // namespace trtlens
