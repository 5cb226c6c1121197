// What a scalar means at its place.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>
#include <tuple>

#include "parsers/json/collector.h"
#include "parsers/model/limits.h"
#include "parsers/text/numbers.h"

namespace trtlens::json_detail {
namespace {

constexpr std::size_t kMaxProperties = 4096;
constexpr std::size_t kMaxListText = 4096;

constexpr std::array kLayerTexts{&Layer::layer_type, &Layer::parameter_type, &Layer::tactic_name,
                                 &Layer::origin,     &Layer::activation,     &Layer::plugin_type};

std::size_t place_behind(Key first, Key key) {
  return static_cast<std::size_t>(key) - static_cast<std::size_t>(first);
}

std::optional<double> number_of(const Scalar& value) {
  if (!value.is_number()) return std::nullopt;
  return value.real;
}

// Whole numbers only, of both spellings (`3`, `3.0`).
std::optional<std::int64_t> integer_of(const Scalar& value) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (value.kind == Scalar::Kind::integer) {
    if (value.integer < 0) return value.integer;
    if (value.magnitude > kMax) return std::nullopt;
    return static_cast<std::int64_t>(value.magnitude);
  }
  if (value.kind == Scalar::Kind::real && std::trunc(value.real) == value.real &&
      std::abs(value.real) < 9e15) {
    return static_cast<std::int64_t>(value.real);
  }
  return std::nullopt;
}

std::string text_of(const Scalar& value) {
  switch (value.kind) {
    case Scalar::Kind::boolean:
      return value.truth ? "true" : "false";
    case Scalar::Kind::integer:
      return value.integer < 0 ? std::to_string(value.integer) : std::to_string(value.magnitude);
    case Scalar::Kind::real:
    case Scalar::Kind::string:
      return std::string(value.text);
    case Scalar::Kind::null:
      break;
  }
  return {};
}

}  // namespace

double quantum_of(double value, std::string_view text) {
  if (value == 0 || !std::isfinite(value)) return 0;
  // Digits beyond the 6 of trtexec's ostream are those of another writer.
  int digits = 0;
  for (char c : text) {
    if (c == 'e' || c == 'E') break;
    if (c >= '0' && c <= '9' && (digits > 0 || c != '0')) ++digits;
  }
  digits = std::min(std::max(digits, 6), 17);
  const std::string printed = fmt::format("{:.{}e}", std::abs(value), digits - 1);
  const std::size_t sign = printed.find('e') + 1;
  int exponent = 0;
  std::from_chars(printed.data() + sign + (printed[sign] == '+' ? 1 : 0),
                  printed.data() + printed.size(), exponent);
  // The nearest double of 1e-8, which std::pow need not give.
  const std::string power = fmt::format("1e{}", exponent - digits + 1);
  double quantum = 0;
  std::from_chars(power.data(), power.data() + power.size(), quantum);
  return quantum;
}

void Collector::element_scalar(const Scalar& value) {
  if (key_ >= Key::first_time && key_ <= Key::last_time) {
    const std::size_t index = place_behind(Key::first_time, key_);
    // Points in time count from the first query: those of queries under way are negative.
    const bool is_point = index < static_cast<std::size_t>(TimeKey::in);
    const std::optional<double> ms = is_point ? number_of(value) : duration_of(value);
    if (ms && std::abs(*ms) <= kMaxTimeMs) {
      element_.times[index] = *ms;
      element_.times_seen |= 1U << index;
    }
    return;
  }
  if (layer_scalar(value)) {
    element_.touches_layer = true;
    return;
  }
  if (record_scalar(value)) return;
  if (tuner_scalar(value)) {
    element_.touches_tuner = true;
    return;
  }
  if (value.kind != Scalar::Kind::null) add_property(key_text_, text_of(value));
}

bool Collector::layer_scalar(const Scalar& value) {
  Layer& layer = element_.layer;
  if (key_ >= Key::layer_type && key_ <= Key::plugin_type) {
    layer.*kLayerTexts[place_behind(Key::layer_type, key_)] = texts_.text(value.text);
    element_.is_layer = element_.is_layer || key_ <= Key::tactic_name;
    return true;
  }
  switch (key_) {
    case Key::name:
      layer.name = text_of(value);
      return true;
    case Key::tactic_value:
      element_.is_layer = true;
      if (value.kind == Scalar::Kind::string) {
        layer.tactic_id = tactic_id_of(value.text);
      } else if (value.kind == Scalar::Kind::integer) {
        layer.tactic_id =
            value.integer < 0 ? static_cast<std::uint64_t>(value.integer) : value.magnitude;
      }
      return true;
    case Key::metadata:
      layer.metadata = value.text;
      return true;
    case Key::stream_id:
      if (const auto id = integer_of(value); id && *id >= 0 && *id <= kMaxStreamId) {
        layer.stream_id = static_cast<int>(*id);
      }
      return true;
    case Key::groups:
      layer.groups = integer_of(value);
      return true;
    case Key::out_maps:
      layer.out_maps = integer_of(value);
      return true;
    case Key::sparse_weights:
      if (const auto flag = integer_of(value)) layer.sparse_weights = *flag != 0;
      return true;
    default:
      return false;
  }
}

// A duration in ms or us; none when it is no number, or one that no clock gives.
std::optional<double> Collector::duration_of(const Scalar& value) {
  if (!value.is_number()) return std::nullopt;
  if (value.real >= 0 && value.real <= kMaxTimeMs) return value.real;
  note(document_.records.impossible_times, lines_.at_quote(key_offset_), text_of(value));
  return std::nullopt;
}

bool Collector::record_scalar(const Scalar& value) {
  switch (key_) {
    case Key::lower_name:
      element_.lower_name = text_of(value);
      element_.has_lower_name = true;
      return true;
    case Key::time_ms:
      element_.time_ms = duration_of(value);
      element_.is_profile = true;
      return true;
    case Key::average_ms:
      element_.average_ms = duration_of(value);
      if (value.kind == Scalar::Kind::integer) element_.quantum_ms = quantum_of(value.real, {});
      if (value.kind == Scalar::Kind::real) {
        element_.quantum_ms = quantum_of(value.real, value.text);
      }
      element_.is_profile = true;
      return true;
    case Key::median_ms:
      element_.median_ms = duration_of(value);
      element_.is_profile = true;
      return true;
    case Key::percentage:
      element_.is_profile = true;
      return true;
    case Key::count:
      if (value.kind == Scalar::Kind::integer && value.integer >= 0) {
        element_.count = value.magnitude;
      }
      return true;
    case Key::trace_phase:
      element_.has_trace_phase = true;
      return true;
    case Key::trace_process:  // of libtorch: what the host does around the engine
      element_.is_of_cpu = text_of(value).starts_with("CPU ");
      return true;
    case Key::trace_duration:
      element_.trace_duration_us = duration_of(value);
      return true;
    case Key::lower_dimensions:
      element_.dimensions = text_of(value);
      element_.is_output = true;
      return true;
    default:
      return false;
  }
}

bool Collector::tuner_scalar(const Scalar& value) {
  TuningIteration& tuner = element_.tuner;
  switch (key_) {
    case Key::gpu_time:
      tuner.gpu_time_ms = number_of(value);
      element_.is_tuner = true;
      return true;
    case Key::accuracy_loss:
      tuner.accuracy_loss = number_of(value);
      return true;
    case Key::accuracy_failed:
      if (value.kind == Scalar::Kind::boolean) tuner.accuracy_failed = value.truth;
      element_.touches_tuner = true;
      return false;
    case Key::iteration:
      tuner.iteration = integer_of(value);
      return true;
    case Key::build_route:
      tuner.build_route = value.text;
      element_.is_tuner = true;
      return true;
    case Key::crash:
      if (value.kind == Scalar::Kind::boolean) tuner.crashed = value.truth;
      if (value.kind == Scalar::Kind::integer) tuner.crashed = value.real != 0;
      return true;
    case Key::error_message:
      tuner.error_message = value.text;
      return true;
    default:
      return false;
  }
}

void Collector::tensor_scalar(const Scalar& value) {
  switch (key_) {
    case Key::name:
      tensor_.name =
          value.kind == Scalar::Kind::string ? texts_.text(value.text) : SharedText(text_of(value));
      break;
    case Key::format_and_type:
      std::tie(tensor_.format, tensor_.type) = texts_.text_and_type(value.text);
      break;
    // 11.x splits the member; its data type is the better source.
    case Key::data_type:
      tensor_.type = texts_.text_and_type(value.text).second;
      break;
    case Key::format:
      tensor_.format = texts_.text(value.text);
      if (tensor_.type == DataType::unknown) tensor_.type = texts_.text_and_type(value.text).second;
      break;
    case Key::io_mode:
      io_mode_ = text_of(value);
      break;
    default:
      break;
  }
}

void Collector::weights_scalar(const Scalar& value) {
  if (key_ == Key::type) weights_.type = texts_.text_and_type(value.text).second;
  if (key_ != Key::count_of_weights) return;
  weights_.count = integer_of(value).value_or(-1);
  weights_ok_ = weights_.count >= 0 && weights_.count <= kMaxWeights;
  if (weights_ok_) return;
  note(document_.records.impossible_counts, lines_.at_quote(key_offset_), text_of(value));
}

void Collector::number_scalar(const Scalar& value) {
  const std::optional<std::int64_t> number = integer_of(value);
  if (number) numbers_.push_back(*number);
  numbers_ok_ = numbers_ok_ && number.has_value();
}

void Collector::sample_scalar(const Scalar& value, bool first_of_pair) {
  if (!value.is_number() || value.real < 0) {
    samples_ok_ = false;
  } else if (first_of_pair) {
    samples_.push_back(value.real);
  }
}

// Values of --exportOutput, of which there may be millions.
void Collector::value_scalar(const Scalar& value) {
  OutputValues& output = element_.output;
  ++output.count;
  if (value.not_finite == Scalar::NotFinite::nan) ++output.nan;
  if (value.not_finite == Scalar::NotFinite::infinite) ++output.infinite;
  if (!value.is_number()) return;
  output.min = std::min(output.min.value_or(value.real), value.real);
  output.max = std::max(output.max.value_or(value.real), value.real);
}

void Collector::loss_scalar(const Scalar& value) {
  if (value.kind != Scalar::Kind::null) add_property(key_text_, text_of(value));
  const std::optional<double> loss = number_of(value);
  if (!loss || element_.tuner.accuracy_losses.size() >= kMaxProperties) return;
  element_.tuner.accuracy_losses.emplace_back(key_text_, *loss);
}

void Collector::string_scalar(const Scalar& value, Place place) {
  if (value.kind != Scalar::Kind::string) return;
  if (place == Place::bindings) {
    IoTensor io;
    io.tensor.name = value.text;
    document_.records.io_tensors.push_back(std::move(io));
    return;
  }
  Layer layer;
  layer.name = value.text;
  layer.found_in = kFoundInLayerInfo;
  layer.pos = lines_.at_quote(value.offset);
  if (place == Place::root_list) {
    loose_names_.push_back(std::move(layer));
    return;
  }
  ++layer_strings_;
  add_layer(document_.records.layers, std::move(layer), value.offset);
}

void Collector::section_scalar(const Scalar& value, Place place) {
  if (value.kind == Scalar::Kind::null) return;
  if (place == Place::section) {
    add_property(key_text_, text_of(value));
  } else if (list_text_.size() < kMaxListText) {
    if (!list_text_.empty()) list_text_ += ", ";
    list_text_ += text_of(value);
  }
}

void Collector::add_property(std::string_view name, std::string_view text) {
  if (element_.properties.size() >= kMaxProperties) return;
  element_.properties.emplace_back(path_ + std::string(name), text);
}

}  // namespace trtlens::json_detail
