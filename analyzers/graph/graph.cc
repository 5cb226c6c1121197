// Lists of readers and writers by tensor, counted first and filled then; walks over no-ops.
#include "analyzers/graph/graph.h"

#include <algorithm>
#include <functional>
#include <set>

namespace trtlens {
namespace {

// Steps of one walk over no-ops. Networks need a few; a tensor that every layer shares, or a list
// of nothing but no-ops, would cost the square of the layers.
constexpr std::size_t kMaxWalk = 512;
constexpr std::size_t kMaxBehind = 64;  // of a fence, for each layer of its core

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
  const bool is_there =
      std::ranges::any_of(build.layers, [&](const Layer& l) { return l.opt_profile == named; });
  return is_there || build.layers.empty() ? named : build.layers.front().opt_profile;
}

void PlaceLists::add(const std::vector<std::uint32_t>& items) {
  items_.insert(items_.end(), items.begin(), items.end());
  begins_.push_back(static_cast<std::uint32_t>(items_.size()));
}

void PlaceLists::end_counting() {
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  items_.resize(begins_.back());
}

std::size_t NameIndex::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>()(name) & mask;
  while (slots_[slot] != 0 && *names_[slots_[slot] - 1] != name) slot = (slot + 1) & mask;
  return slot;
}

std::size_t NameIndex::find(std::string_view name) const {
  if (slots_.empty()) return kNone;
  const std::uint32_t number = slots_[slot_of(name)];
  return number == 0 ? kNone : number - 1;
}

std::size_t NameIndex::add(const std::string& name) {
  if (names_.size() * 2 >= slots_.size()) grow();
  std::uint32_t& number = slots_[slot_of(name)];
  if (number == 0) {
    names_.push_back(&name);
    number = static_cast<std::uint32_t>(names_.size());
  }
  return number - 1;
}

void NameIndex::grow() {
  slots_.assign(std::max<std::size_t>(64, slots_.size() * 2), 0);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    slots_[slot_of(*names_[i])] = static_cast<std::uint32_t>(i + 1);
  }
}

Graph::Graph(const Build& build, const std::vector<LayerVerdict>& verdicts) {
  const int profile = timed_profile(build);
  takes_part_.reserve(build.layers.size());
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const Layer& layer = build.layers[i];
    if (layers_.add(layer.name) == first_of_name_.size()) {
      first_of_name_.push_back(static_cast<std::uint32_t>(i));
    }
    takes_part_.push_back(layer.opt_profile == profile);
  }
  index_tensors(build.layers);
  // Layers of a further profile call the network's tensors by names of their own.
  const std::string mark = profile > 0 ? " [profile " + std::to_string(profile) + "]" : "";
  for (const IoTensor& io : build.io_tensors) {
    io_[io.tensor.name] = io.is_input;
    if (profile > 0) io_[io.tensor.name.str() + mark] = io.is_input;
  }
  find_border(build.layers, verdicts);
  link(build.layers, verdicts);
}

void Graph::find_border(const std::vector<Layer>& layers,
                        const std::vector<LayerVerdict>& verdicts) {
  const auto is_no_op = [&](std::size_t i) { return transparent(layers[i], verdicts[i]); };
  for (const bool at_input : {true, false}) {
    auto& border = at_input ? at_input_ : at_output_;
    // What keeps a no-op, and a tensor, from the border: sides and layers that are not there yet.
    std::vector<std::size_t> open_sides(layers.size()), open_layers(tensors_.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      open_sides[i] = (at_input ? layers[i].inputs : layers[i].outputs).size();
    }
    for (std::size_t t = 0; t < open_layers.size(); ++t) {
      for (const std::size_t i : (at_input ? writers_ : readers_).of(t)) {
        if (open_sides[i] > 0 || !is_no_op(i)) ++open_layers[t];
      }
    }
    std::vector<std::string> stack;
    for (const auto& [name, is_input] : io_) {
      if (is_input == at_input && border.insert(name).second) stack.push_back(name);
    }
    while (!stack.empty()) {
      const std::string name = std::move(stack.back());
      stack.pop_back();
      for (const std::size_t layer : at_input ? readers(name) : writers(name)) {
        if (--open_sides[layer] > 0 || !is_no_op(layer)) continue;
        for (const Tensor& t : at_input ? layers[layer].outputs : layers[layer].inputs) {
          if (--open_layers[tensors_.find(t.name)] > 0) continue;
          if (border.insert(t.name).second) stack.push_back(t.name);
        }
      }
    }
  }
}

void Graph::index_tensors(const std::vector<Layer>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!takes_part_[i]) continue;
    for (const Tensor& t : layers[i].outputs) tensors_.add(t.name);
    for (const Tensor& t : layers[i].inputs) tensors_.add(t.name);
  }
  writers_.resize(tensors_.size());
  readers_.resize(tensors_.size());
  for (const bool counting : {true, false}) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (!takes_part_[i]) continue;
      for (const Tensor& t : layers[i].outputs) {
        const std::size_t tensor = tensors_.find(t.name);
        counting ? writers_.count(tensor) : writers_.put(tensor, i);
      }
      for (const Tensor& t : layers[i].inputs) {
        const std::size_t tensor = tensors_.find(t.name);
        counting ? readers_.count(tensor) : readers_.put(tensor, i);
      }
    }
    if (counting) writers_.end_counting();
    if (counting) readers_.end_counting();
  }
  writers_.end_putting();
  readers_.end_putting();
}

void Graph::link(const std::vector<Layer>& layers, const std::vector<LayerVerdict>& verdicts) {
  std::vector<std::uint32_t> seen_by(layers.size(), 0);  // number of the walk that came by
  std::uint32_t walk_number = 0;
  std::vector<std::size_t> stack;
  std::vector<std::uint32_t> found;
  // Walks over no-ops; `seen` ends cycles through in-place layers.
  const auto walk = [&](std::size_t from, bool forward) {
    found.clear();
    stack.assign(1, from);
    seen_by[from] = ++walk_number;
    std::size_t seen = 1;
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      const auto& tensors = forward ? layers[at].outputs : layers[at].inputs;
      for (const Tensor& t : tensors) {
        for (const std::size_t next : forward ? readers(t.name) : writers(t.name)) {
          if (seen > kMaxWalk) return;
          if (seen_by[next] == walk_number) continue;
          seen_by[next] = walk_number;
          ++seen;
          if (transparent(layers[next], verdicts[next])) {
            stack.push_back(next);
          } else {
            found.push_back(static_cast<std::uint32_t>(next));
          }
        }
      }
    }
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const bool forward : {false, true}) {
      found.clear();
      if (takes_part_[i]) walk(i, forward);
      std::ranges::sort(found);
      (forward ? after_ : before_).add(found);
    }
  }
}

Places Graph::writers(std::string_view tensor) const {
  const std::size_t i = tensors_.find(tensor);
  return i == NameIndex::kNone ? Places() : writers_.of(i);
}

Places Graph::readers(std::string_view tensor) const {
  const std::size_t i = tensors_.find(tensor);
  return i == NameIndex::kNone ? Places() : readers_.of(i);
}

bool Graph::is_network_input(const std::string& tensor) const {
  const auto found = io_.find(tensor);
  return found != io_.end() && found->second;
}

bool Graph::is_network_output(const std::string& tensor) const {
  const auto found = io_.find(tensor);
  return found != io_.end() && !found->second;
}

bool Graph::is_at_input(const std::string& tensor) const {
  return at_input_.count(tensor) != 0;
}

bool Graph::is_at_output(const std::string& tensor) const {
  return at_output_.count(tensor) != 0;
}

std::size_t Graph::find(std::string_view name) const {
  const std::size_t i = layers_.find(name);
  return i == NameIndex::kNone ? kNone : first_of_name_[i];
}

std::string_view target_in_name(std::string_view conversion) {
  for (const std::string_view words :
       {"Reformatting CopyNode for Input Tensor ", "Reformatting CopyNode for Output Tensor "}) {
    if (!conversion.starts_with(words)) continue;
    const std::size_t to = conversion.find(" to ", words.size());
    return to == std::string_view::npos ? std::string_view() : conversion.substr(to + 4);
  }
  return {};
}

double Fence::time_ms(const Build& build, const std::vector<std::size_t>& members) {
  double sum = 0;
  for (const std::size_t i : members) sum += time_or_zero(build.layers[i]);
  return sum;
}

Fence fence_of(const std::vector<std::size_t>& core, const Graph& graph, const Analysis& analysis) {
  const std::vector<Layer>& layers = analysis.build.layers;
  std::set<std::size_t> seen(core.begin(), core.end());
  const std::size_t most = seen.size() * (1 + kMaxBehind);
  Fence fence;
  for (const std::size_t at : core) {
    for (const std::size_t p : graph.before(at)) {
      if (!is_conversion(analysis.verdicts[p].role) || seen.contains(p)) continue;
      // The conversion of the network's input is there whatever this layer computes in.
      const bool of_input =
          !layers[p].inputs.empty() && graph.is_at_input(layers[p].inputs[0].name);
      if (!of_input) fence.before.push_back(p);
    }
  }
  // Behind it: conversions, and activations with one data input (Clip, ReLU, SiLU), until
  // arithmetic.
  std::vector<std::size_t> stack(core.begin(), core.end());
  while (!stack.empty() && seen.size() < most) {
    const std::size_t at = stack.back();
    stack.pop_back();
    for (const std::size_t next : graph.after(at)) {
      if (!seen.insert(next).second) continue;
      const LayerRole role = analysis.verdicts[next].role;
      const bool activation = role == LayerRole::pointwise && layers[next].inputs.size() == 1;
      if (!is_conversion(role) && !activation) continue;
      (activation ? fence.activations : fence.after).push_back(next);
      stack.push_back(next);
    }
  }
  for (auto* const side : {&fence.before, &fence.after, &fence.activations}) {
    *side = sorted_once(std::move(*side));
  }
  return fence;
}

bool changes_type(const Layer& layer) {
  return !layer.inputs.empty() && !layer.outputs.empty() &&
         layer.inputs[0].type != layer.outputs[0].type;
}

bool keeps_format(const Layer& layer) {
  if (layer.layer_type != "kgen" || layer.inputs.empty() || layer.outputs.empty()) return false;
  const Tensor& in = layer.inputs[0];
  const Tensor& out = layer.outputs[0];
  // Up to 10.x the format of a kernel's tensors is their type alone.
  const bool names_layout = in.format.str().find(' ') != std::string::npos;
  return names_layout && in.type == out.type && in.format == out.format;
}

}  // namespace trtlens
