#include <algorithm>
#include <unordered_map>

#include "parsers/join.h"

namespace trtlens {
namespace {

// Layers of one name, in order; handed out one by one.
class ByName {
 public:
  explicit ByName(const std::vector<Layer>& layers) {
    for (std::size_t i = 0; i < layers.size(); ++i) of_[layers[i].name].push_back(i);
  }
  // Index of the next unused layer of that name, or npos.
  std::size_t take(const std::string& name) {
    const auto found = of_.find(name);
    if (found == of_.end()) return kNone;
    std::size_t& used = used_[name];
    return used < found->second.size() ? found->second[used++] : kNone;
  }
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

 private:
  std::unordered_map<std::string, std::vector<std::size_t>> of_;
  std::unordered_map<std::string, std::size_t> used_;
};

// The log knows a layer that the layer info names too: keep what only the log said.
void merge_from_log(Layer& into, const Layer& log) {
  into.found_in |= kFoundInLog;
  if (into.layer_type.empty()) into.layer_type = log.layer_type;
  if (into.inputs.empty()) into.inputs = log.inputs;
  if (into.outputs.empty()) into.outputs = log.outputs;
  if (into.tactic_name.empty()) into.tactic_name = log.tactic_name;
  if (!into.tactic_id) into.tactic_id = log.tactic_id;
  if (into.parameter_type.empty()) into.parameter_type = log.parameter_type;
  if (into.origin.empty()) into.origin = log.origin;
  if (!into.weights) into.weights = log.weights;
  if (!into.bias) into.bias = log.bias;
  if (!into.groups) into.groups = log.groups;
  if (!into.out_maps) into.out_maps = log.out_maps;
  if (into.kernel.empty()) into.kernel = log.kernel;
  if (into.stride.empty()) into.stride = log.stride;
  if (into.activation.empty()) into.activation = log.activation;
  if (into.plugin_type.empty()) into.plugin_type = log.plugin_type;
  if (!into.stream_id) into.stream_id = log.stream_id;
  if (into.metadata.empty() && !log.metadata.empty()) {
    into.metadata = log.metadata;
    into.onnx_nodes = log.onnx_nodes;
  }
  if (!into.time) into.time = log.time;
}

// Tactic names of the autotuning races for layers of which only the id is known.
void name_tactics(Build& build) {
  std::unordered_map<std::string, std::vector<const Autotune*>> races;
  for (const Autotune& race : build.autotuning) races[race.layer].push_back(&race);
  for (Layer& layer : build.layers) {
    if (!layer.tactic_name.empty() || !layer.tactic_id) continue;
    const auto found = races.find(layer.name);
    if (found == races.end()) continue;
    for (const Autotune* race : found->second) {
      if (race->chosen_id == layer.tactic_id && !race->chosen_name.empty()) {
        layer.tactic_name = race->chosen_name;
      }
    }
  }
}

// The parser's line has the network's types; what the engine reads and writes stands in its layers.
void settle_io_types(Build& build) {
  std::unordered_map<std::string, DataType> types;
  for (const Layer& layer : build.layers) {
    for (const std::vector<Tensor>* tensors : {&layer.inputs, &layer.outputs}) {
      for (const Tensor& tensor : *tensors) {
        if (tensor.type != DataType::unknown) types.emplace(tensor.name, tensor.type);
      }
    }
  }
  for (IoTensor& io : build.io_tensors) {
    const auto found = types.find(io.tensor.name);
    if (found != types.end()) io.tensor.type = found->second;
  }
}

}  // namespace

void join_log_layers(Build& build, std::vector<Layer> more) {
  ByName known(build.layers);
  for (Layer& layer : more) {
    const std::size_t i = known.take(layer.name);
    if (i != ByName::kNone) {
      merge_from_log(build.layers[i], layer);
    } else {
      build.layers.push_back(std::move(layer));
    }
  }
}

void join_layers(Build& build, std::vector<Layer> layer_info, std::vector<Layer> profile) {
  std::vector<Layer> from_log = std::move(build.layers);
  build.layers.clear();
  build.has_layer_info = build.has_layer_info || !layer_info.empty();
  for (Layer& layer : layer_info) layer.found_in |= kFoundInLayerInfo;
  build.layers = std::move(layer_info);
  if (build.layers.empty()) {
    build.layers = std::move(from_log);
  } else {
    // The export describes the engine. Layers that only the log names belong to it as well (a names
    // list of another verbosity does not): they are listed, never dropped.
    ByName known(build.layers);
    for (Layer& log : from_log) {
      const std::size_t i = known.take(log.name);
      if (i != ByName::kNone) {
        merge_from_log(build.layers[i], log);
      } else {
        build.layers.push_back(std::move(log));
      }
    }
  }
  // The profile of the log (--dumpProfile) has fewer digits than the export: the export wins.
  if (!profile.empty()) {
    build.has_profile = true;
    for (Layer& layer : build.layers) layer.time.reset();
    ByName known(build.layers);
    for (Layer& record : profile) {
      const std::size_t i = known.take(record.name);
      if (i != ByName::kNone) {
        build.layers[i].time = record.time;
        build.layers[i].found_in |= kFoundInProfile;
      } else {
        record.found_in = kFoundInProfile;
        build.layers.push_back(std::move(record));
      }
    }
  }
  settle_io_types(build);
  name_tactics(build);
  build.profile_sum_ms = 0;
  build.unattributed_ms = 0;
  for (const Layer& layer : build.layers) {
    if (!layer.time) continue;
    build.has_profile = true;
    build.profile_sum_ms += layer.time->mean_ms;
    if (build.has_layer_info && (layer.found_in & kFoundInLayerInfo) == 0) {
      build.unattributed_ms += layer.time->mean_ms;
    }
  }
}

}  // namespace trtlens
