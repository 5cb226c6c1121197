// The member names that have a meaning in some export.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trtlens::json_detail {

enum class Key : std::uint8_t {
  other,
  // layer info
  layers,
  bindings,
  io_tensors,
  name,
  // texts of a layer, the first three of layers alone; the order is that of kLayerTexts
  layer_type,
  parameter_type,
  tactic_name,
  origin,
  activation,
  plugin_type,
  // its other members
  tactic_value,
  metadata,
  stream_id,
  inputs,
  outputs,
  constants,
  weights,
  bias,
  groups,
  out_maps,
  sparse_weights,
  kernel,
  window_size,
  stride,
  // tensors
  dimensions,
  format_and_type,
  data_type,
  format,
  strides,
  io_mode,
  profile_info,
  min_shape,
  opt_shape,
  max_shape,
  type,
  count_of_weights,
  // profile
  count,
  lower_name,
  time_ms,
  average_ms,
  median_ms,
  percentage,
  trace_phase,
  trace_duration,
  trace_process,
  // output
  lower_dimensions,
  values,
  // tuner
  tuner_version,
  gpu_time,
  accuracy_loss,
  accuracy_failed,
  iteration,
  build_route,
  crash,
  error_message,
  // TREx
  metadata_section,
  device_property,
  // times; the order is that of TimeKey
  first_time,
  last_time = first_time + 18
};

// Members of a record of --exportTimes, all versions; `Key::first_time + i`.
enum class TimeKey : std::uint8_t {
  start_enq,
  end_enq,
  start_in,
  end_in,
  start_h2d,
  end_h2d,
  start_compute,
  end_compute,
  start_out,
  end_out,
  start_d2h,
  end_d2h,
  in,
  h2d,
  compute,
  out,
  d2h,
  latency,
  end_to_end
};
inline constexpr std::size_t kTimeKeyCount = 19;

// `spelling` tells the members apart that share a Key (`Weights`, `ConvWeights`); 0 for Key::other.
struct KnownKey {
  Key key = Key::other;
  std::uint8_t spelling = 0;
};
inline constexpr std::size_t kMaxSpellings = 128;

[[nodiscard]] KnownKey known_key(std::string_view text);

}  // namespace trtlens::json_detail
