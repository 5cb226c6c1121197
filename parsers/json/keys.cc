#include "parsers/json/keys.h"

#include <array>
#include <unordered_map>

namespace trtlens::json_detail {
namespace {

struct Entry {
  std::string_view text;
  Key key;
};

constexpr std::array<std::string_view, kTimeKeyCount> kTimeKeys{
    "startEnqMs", "endEnqMs",       "startInMs",    "endInMs",    "startH2dMs",
    "endH2dMs",   "startComputeMs", "endComputeMs", "startOutMs", "endOutMs",
    "startD2hMs", "endD2hMs",       "inMs",         "h2dMs",      "computeMs",
    "outMs",      "d2hMs",          "latencyMs",    "endToEndMs"};

// ConvActPool prefixes the members of its convolution (`ConvWeights`); its pooling window is left
// out, so that kernel and stride are those of the convolution.
constexpr std::array kEntries{
    Entry{"Layers", Key::layers},
    Entry{"Bindings", Key::bindings},
    Entry{"I/O Tensors", Key::io_tensors},
    Entry{"IOTensors", Key::io_tensors},
    Entry{"Name", Key::name},
    Entry{"LayerType", Key::layer_type},
    Entry{"ParameterType", Key::parameter_type},
    Entry{"Origin", Key::origin},
    Entry{"TacticName", Key::tactic_name},
    Entry{"TacticValue", Key::tactic_value},
    Entry{"Metadata", Key::metadata},
    Entry{"StreamId", Key::stream_id},
    Entry{"Inputs", Key::inputs},
    Entry{"Outputs", Key::outputs},
    Entry{"Weights", Key::weights},
    Entry{"weights", Key::weights},
    Entry{"ConvWeights", Key::weights},
    Entry{"Bias", Key::bias},
    Entry{"ConvBias", Key::bias},
    Entry{"Groups", Key::groups},
    Entry{"ConvGroups", Key::groups},
    Entry{"OutMaps", Key::out_maps},
    Entry{"ConvOutMaps", Key::out_maps},
    Entry{"Kernel", Key::kernel},
    Entry{"ConvKernel", Key::kernel},
    Entry{"WindowSize", Key::window_size},
    Entry{"Stride", Key::stride},
    Entry{"ConvStride", Key::stride},
    Entry{"Activation", Key::activation},
    Entry{"ConvActivation", Key::activation},
    Entry{"PluginType", Key::plugin_type},
    Entry{"Dimensions", Key::dimensions},
    Entry{"Format/Datatype", Key::format_and_type},
    Entry{"Datatype", Key::data_type},
    Entry{"DataType", Key::data_type},
    Entry{"Format", Key::format},
    Entry{"Strides", Key::strides},
    Entry{"IOMode", Key::io_mode},
    Entry{"Type", Key::type},
    Entry{"Count", Key::count_of_weights},
    Entry{"count", Key::count},
    Entry{"name", Key::lower_name},
    Entry{"timeMs", Key::time_ms},
    Entry{"averageMs", Key::average_ms},
    Entry{"medianMs", Key::median_ms},
    Entry{"percentage", Key::percentage},
    Entry{"ph", Key::trace_phase},
    Entry{"dur", Key::trace_duration},
    Entry{"dimensions", Key::lower_dimensions},
    Entry{"values", Key::values},
    Entry{"tuner_version", Key::tuner_version},
    Entry{"gpu_time_ms", Key::gpu_time},
    Entry{"gpu_time", Key::gpu_time},
    Entry{"accuracy_loss", Key::accuracy_loss},
    Entry{"iter", Key::iteration},
    Entry{"build_route", Key::build_route},
    Entry{"crash", Key::crash},
    Entry{"error_message", Key::error_message},
    Entry{"model_options", Key::metadata_section},
    Entry{"build_options", Key::metadata_section},
    Entry{"inference_options", Key::metadata_section},
    Entry{"reporting_options", Key::metadata_section},
    Entry{"system_options", Key::metadata_section},
    Entry{"performance_summary", Key::metadata_section},
    Entry{"device_information", Key::metadata_section},
    Entry{"ComputeCapability", Key::device_property},
    Entry{"TotalMemory", Key::device_property},
    Entry{"MULTIPROCESSOR_COUNT", Key::device_property},
};

std::unordered_map<std::string_view, Key> make_table() {
  std::unordered_map<std::string_view, Key> table;
  for (const Entry& entry : kEntries) table.emplace(entry.text, entry.key);
  for (std::size_t i = 0; i < kTimeKeyCount; ++i) {
    table.emplace(kTimeKeys[i], static_cast<Key>(static_cast<std::size_t>(Key::first_time) + i));
  }
  return table;
}

}  // namespace

Key key_of(std::string_view text) {
  static const std::unordered_map<std::string_view, Key> table = make_table();
  const auto found = table.find(text);
  return found == table.end() ? Key::other : found->second;
}

}  // namespace trtlens::json_detail
