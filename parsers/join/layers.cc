// Layers of layer info, profile and log become one list, joined by name and by order among
// duplicates.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "parsers/join/join.h"
#include "parsers/text/names.h"

namespace trtlens {
namespace {

// Layers of one name, in order; handed out one by one. The layers must stay where they are.
class ByName {
 public:
  explicit ByName(const std::vector<Layer>& layers) : next_(layers.size(), kNone) {
    first_.reserve(layers.size());
    for (std::size_t i = layers.size(); i-- > 0;) {
      const auto [entry, is_new] = first_.try_emplace(layers[i].name, i);
      if (!is_new) next_[i] = std::exchange(entry->second, i);
    }
  }
  // Index of the next unused layer of that name, or kNone.
  std::size_t take(const std::string& name) {
    const auto found = first_.find(name);
    if (found == first_.end() || found->second == kNone) return kNone;
    return std::exchange(found->second, next_[found->second]);
  }
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

 private:
  std::unordered_map<std::string_view, std::size_t> first_;  // unused
  std::vector<std::size_t> next_;                            // of the same name
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
  if (!into.sparse_weights) into.sparse_weights = log.sparse_weights;
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

// A record of a profile has a name alone; most have the layer of the layer info.
void name_nodes(std::vector<Layer>& layers) {
  for (Layer& layer : layers) {
    if (layer.found_in == kFoundInProfile) layer.onnx_nodes = onnx_nodes_of_name(layer.name);
  }
}

// Tactic names of the autotuning races for layers of which only the id is known.
void name_tactics(Build& build) {
  if (build.autotuning.empty()) return;
  std::unordered_map<std::string_view, std::vector<const Autotune*>> races;
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
  if (build.io_tensors.empty()) return;
  std::unordered_map<std::string_view, DataType> types;
  for (const IoTensor& io : build.io_tensors) types.emplace(io.tensor.name, DataType::unknown);
  for (const Layer& layer : build.layers) {
    for (const std::vector<Tensor>* tensors : {&layer.inputs, &layer.outputs}) {
      for (const Tensor& tensor : *tensors) {
        const auto found = types.find(tensor.name);
        if (found == types.end() || found->second != DataType::unknown) continue;
        found->second = tensor.type;
      }
    }
  }
  for (IoTensor& io : build.io_tensors) {
    const DataType type = types.at(io.tensor.name);
    if (type != DataType::unknown) io.tensor.type = type;
  }
}

// Names of layers say which optimization profile they are of; those that Myelin made up do not. The
// number of their region does, where the others of that region are of one profile.
void settle_profiles(std::vector<Layer>& layers) {
  std::unordered_map<std::string_view, int> of_region;
  bool any = false;
  for (Layer& layer : layers) {
    if (layer.opt_profile == 0) layer.opt_profile = opt_profile_of_name(layer.name);
    any = any || layer.opt_profile != 0;
  }
  if (!any) return;
  constexpr int kSeveral = -1;
  for (const Layer& layer : layers) {
    const std::string_view region = myelin_graph_of_name(layer.name.str());
    if (region.empty() || is_myelin_name(layer.name.str())) continue;
    const auto [known, is_new] = of_region.try_emplace(region, layer.opt_profile);
    if (!is_new && known->second != layer.opt_profile) known->second = kSeveral;
  }
  for (Layer& layer : layers) {
    if (layer.opt_profile != 0 || !is_myelin_name(layer.name.str())) continue;
    const auto found = of_region.find(myelin_graph_of_name(layer.name.str()));
    if (found != of_region.end() && found->second != kSeveral) layer.opt_profile = found->second;
  }
}

// Gives each of `more` to `join` with the layer of its name; those without one come last.
template <typename Join>
void join_by_name(std::vector<Layer>& layers, std::vector<Layer> more, const Join& join) {
  if (layers.empty()) {
    layers = std::move(more);
    return;
  }
  ByName known(layers);
  std::vector<Layer> others;
  for (Layer& layer : more) {
    const std::size_t i = known.take(layer.name);
    if (i != ByName::kNone) {
      join(layers[i], layer);
    } else {
      others.push_back(std::move(layer));
    }
  }
  layers.insert(layers.end(), std::make_move_iterator(others.begin()),
                std::make_move_iterator(others.end()));
}

// Layers of the optimization profile that was timed, of which the profile says nothing. Where it
// names layers that the layer info lacks, the two have other names for the same.
std::size_t count_without_time(const Build& build) {
  std::set<int> timed;
  for (const Layer& layer : build.layers) {
    if (!layer.time) continue;
    if ((layer.found_in & kFoundInLayerInfo) == 0) return 0;
    timed.insert(layer.opt_profile);
  }
  return static_cast<std::size_t>(std::ranges::count_if(build.layers, [&](const Layer& layer) {
    return (layer.found_in & kFoundInLayerInfo) != 0 && !layer.time &&
           timed.contains(layer.opt_profile);
  }));
}

void report_zeros(const Build& build, Reading& result) {
  const bool has_times = std::any_of(build.layers.begin(), build.layers.end(),
                                     [](const Layer& layer) { return layer.time.has_value(); });
  if (build.profile_sum_ms > 0 || !has_times) return;
  const SourcePos& pos = build.profile_pos;
  result.diagnostics.push_back({"profile-all-zero", DiagnosticSeverity::warning,
                                pos.line == 0 ? "" : result.inputs[pos.file].path, pos.line, 0,
                                "times of layers", "a profile of nothing but zeros"});
}

void report_untimed(const Build& build, Reading& result) {
  if (build.layers_without_time == 0) return;
  const SourcePos& pos = build.profile_pos;
  result.diagnostics.push_back({"profile-incomplete", DiagnosticSeverity::warning,
                                pos.line == 0 ? "" : result.inputs[pos.file].path, pos.line, 0,
                                "the time of each layer",
                                std::to_string(build.layers_without_time) + " without one"});
}

}  // namespace

void join_log_layers(Build& build, std::vector<Layer> more) {
  join_by_name(build.layers, std::move(more), merge_from_log);
}

void join_layers(Build& build, std::vector<Layer> layer_info, std::vector<Layer> profile) {
  std::vector<Layer> from_log = std::move(build.layers);
  build.layers.clear();
  build.has_layer_info = build.has_layer_info || !layer_info.empty();
  for (Layer& layer : layer_info) layer.found_in |= kFoundInLayerInfo;
  build.layers = std::move(layer_info);
  // The export describes the engine. Layers that only the log names belong to it as well (a names
  // list of another verbosity does not): they are listed, never dropped.
  join_by_name(build.layers, std::move(from_log), merge_from_log);
  // The profile of the log (--dumpProfile) has fewer digits than the export: the export wins.
  if (!profile.empty()) {
    build.has_profile = true;
    for (Layer& layer : build.layers) layer.time.reset();
    for (Layer& record : profile) record.found_in = kFoundInProfile;
    join_by_name(build.layers, std::move(profile), [](Layer& layer, const Layer& record) {
      layer.time = record.time;
      layer.found_in |= kFoundInProfile;
    });
  }
  name_nodes(build.layers);
  settle_profiles(build.layers);
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
  build.layers_without_time = count_without_time(build);
}

void report_layer_times(const Build& build, Reading& result) {
  report_zeros(build, result);
  report_untimed(build, result);
}

}  // namespace trtlens
