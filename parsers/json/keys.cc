// The names and a hash table over them, both made by the compiler.
#include "parsers/json/keys.h"

#include <array>
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
    Entry{"Constants", Key::constants},
    Entry{"Weights", Key::weights},
    Entry{"weights", Key::weights},
    Entry{"ConvWeights", Key::weights},
    Entry{"Bias", Key::bias},
    Entry{"ConvBias", Key::bias},
    Entry{"Groups", Key::groups},
    Entry{"ConvGroups", Key::groups},
    Entry{"OutMaps", Key::out_maps},
    Entry{"ConvOutMaps", Key::out_maps},
    Entry{"HasSparseWeights", Key::sparse_weights},
    Entry{"ConvHasSparseWeights", Key::sparse_weights},
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
    Entry{"ProfileInfo", Key::profile_info},
    Entry{"MinShape", Key::min_shape},
    Entry{"OptShape", Key::opt_shape},
    Entry{"MaxShape", Key::max_shape},
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
    Entry{"pid", Key::trace_process},
    Entry{"dimensions", Key::lower_dimensions},
    Entry{"values", Key::values},
    Entry{"tuner_version", Key::tuner_version},
    Entry{"gpu_time_ms", Key::gpu_time},
    Entry{"gpu_time", Key::gpu_time},
    Entry{"accuracy_loss", Key::accuracy_loss},
    Entry{"accuracy_failed", Key::accuracy_failed},
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

// Length and two bytes tell nearly all names apart: half the cost of a general hash, and a member's
// name is looked up for every 20 bytes of an export.
constexpr std::size_t kSlots = 512;
constexpr std::size_t slot_of(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[i]));
  };
  return (text.size() * 37 + byte(0) * 5 + byte(text.size() - 1) * 11 + byte(text.size() / 2) * 3) %
         kSlots;
}

struct Slot {
  std::string_view text;
  KnownKey known;
};
using Table = std::array<Slot, kSlots>;

constexpr void insert(Table& table, std::string_view text, Key key, std::size_t spelling) {
  std::size_t slot = slot_of(text);
  while (!table[slot].text.empty()) slot = (slot + 1) % kSlots;
  table[slot] = {text, {key, static_cast<std::uint8_t>(spelling)}};
}

constexpr Table make_table() {
  Table table{};
  std::size_t spelling = 0;
  for (const Entry& entry : kEntries) insert(table, entry.text, entry.key, ++spelling);
  for (std::size_t i = 0; i < kTimeKeyCount; ++i) {
    const auto key = static_cast<Key>(static_cast<std::size_t>(Key::first_time) + i);
    insert(table, kTimeKeys[i], key, ++spelling);
  }
  return table;
}

constexpr Table kTable = make_table();
static_assert(kEntries.size() + kTimeKeyCount < kMaxSpellings);

}  // namespace

KnownKey known_key(std::string_view text) {
  if (text.empty()) return {};
  for (std::size_t slot = slot_of(text); !kTable[slot].text.empty(); slot = (slot + 1) % kSlots) {
    if (kTable[slot].text == text) return kTable[slot].known;
  }
  return {};
}

}  // namespace trtlens::json_detail
