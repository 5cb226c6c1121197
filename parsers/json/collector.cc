// Where in a document the reader is: which bracket opens what.
#include "parsers/json/collector.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace trtlens::json_detail {
namespace {

bool is_weights(Key key) {
  return key == Key::weights || key == Key::bias;
}

bool is_tensor_list(Key key) {
  return key == Key::inputs || key == Key::outputs || key == Key::constants;
}

bool is_number_list(Key key) {
  return key == Key::kernel || key == Key::window_size || key == Key::stride;
}

bool is_shape(Key key) {
  return key == Key::min_shape || key == Key::opt_shape || key == Key::max_shape;
}

}  // namespace

void Collector::start_object(std::size_t offset) {
  if (skipped_ > 0) {
    ++skipped_;
    return;
  }
  if (frames_.empty()) {
    begin_ = offset;
    document_.records.pos = lines_.at(offset);
    begin_element(offset);
    push(Place::root_object, Key::other);
    return;
  }
  const std::optional<Place> meant = object_place(frames_.back().place);
  if (frames_.size() >= kMaxDepth || !meant) {
    skipped_ = 1;
    return;
  }
  const Place place = *meant;
  push(place, key_);
  if (place == Place::element) begin_element(offset);
  if (place == Place::layer) begin_layer(offset);
  if (place == Place::tensor || place == Place::io_tensor) {
    tensor_ = Tensor{};
    strides_.clear();
    io_mode_.clear();
    shapes_.clear();
  }
  if (place == Place::profile_shapes) {
    const int number = static_cast<int>(shapes_.size());
    shapes_.emplace_back().profile = number;
  }
  if (place == Place::losses) {
    element_.touches_tuner = true;
    element_.tuner.accuracy_losses.clear();
  }
  if (place == Place::weights) {
    weights_ = Weights{};
    weights_ok_ = true;
  }
  if (place == Place::section || place == Place::losses) {
    if (key_ == Key::metadata_section) has_sections_ = true;
    path_ += key_text_;
    path_ += '/';
  }
}

// None: the object has no meaning there.
std::optional<Collector::Place> Collector::object_place(Place parent) const {
  const bool is_element = parent == Place::root_object || parent == Place::element;
  if ((is_element || parent == Place::layer) && is_weights(key_)) return Place::weights;
  if (is_element) return key_ == Key::accuracy_loss ? Place::losses : Place::section;
  switch (parent) {
    case Place::root_list:
      return Place::element;
    case Place::layers:
      return Place::layer;
    case Place::tensors:
      return Place::tensor;
    case Place::io_list:
      return Place::io_tensor;
    case Place::profile_list:
      return Place::profile_shapes;
    case Place::section:
      return Place::section;
    default:
      return std::nullopt;
  }
}

void Collector::end_object() {
  if (skipped_ > 0) {
    --skipped_;
    return;
  }
  if (frames_.empty()) return;
  const Place place = frames_.back().place;
  const Key key = frames_.back().key;
  path_.resize(frames_.back().path_size);
  frames_.pop_back();
  switch (place) {
    case Place::root_object:
    case Place::element:
      end_element();
      break;
    case Place::layer:
      end_layer();
      break;
    case Place::tensor:
    case Place::io_tensor:
      leave_tensor();
      break;
    case Place::weights:
      leave_weights(key);
      break;
    default:
      break;
  }
}

void Collector::start_array(std::size_t offset) {
  if (skipped_ > 0) {
    ++skipped_;
    return;
  }
  if (frames_.empty()) {
    begin_ = offset;
    document_.records.pos = lines_.at(offset);
    is_list_ = true;
    push(Place::root_list, Key::other);
    return;
  }
  const std::optional<Place> place = list_place(frames_.back().place);
  if (frames_.size() >= kMaxDepth || !place) {
    skipped_ = 1;
    return;
  }
  push(*place, key_);
  enter_list(*place, key_);
}

std::optional<Collector::Place> Collector::list_place(Place parent) const {
  const bool may_wrap = parent == Place::root_object || parent == Place::section;
  if (may_wrap && key_ == Key::layers) return Place::layers;
  if (may_wrap && key_ == Key::bindings) return Place::bindings;
  if (may_wrap && key_ == Key::io_tensors) return Place::io_list;
  switch (parent) {
    case Place::root_object:
    case Place::element:
    case Place::layer:
      if (is_tensor_list(key_)) return Place::tensors;
      if (is_number_list(key_)) return Place::numbers;
      if (parent == Place::layer) return std::nullopt;
      if (key_ == Key::values) return Place::values;
      return parent == Place::root_object ? Place::samples : Place::section_list;
    case Place::tensor:
    case Place::io_tensor:
      if (key_ == Key::dimensions || key_ == Key::strides) return Place::numbers;
      if (key_ == Key::profile_info && parent == Place::io_tensor) return Place::profile_list;
      return std::nullopt;
    case Place::profile_shapes:
      if (is_shape(key_)) return Place::numbers;
      return std::nullopt;
    case Place::samples:
      return Place::sample;
    case Place::section:
      return Place::section_list;
    default:
      return std::nullopt;
  }
}

void Collector::enter_list(Place place, Key key) {
  switch (place) {
    case Place::layers:
    case Place::bindings:
    case Place::io_list:
      is_wrapper_ = true;
      has_io_list_ = has_io_list_ || place == Place::io_list;
      set_kind(InputKind::layer_info);
      if (key_repeated_) clear_list(place);
      break;
    case Place::tensors:
      element_.is_layer = element_.touches_layer = true;
      tensors_of(key).clear();
      break;
    case Place::numbers:
      numbers_.clear();
      numbers_ok_ = true;
      break;
    case Place::samples:
      samples_.clear();
      samples_ok_ = key == Key::other;
      list_name_ = key_text_;
      list_pos_ = lines_.at_quote(key_offset_);
      list_text_.clear();
      break;
    case Place::sample:
      pair_index_ = 0;
      break;
    case Place::values:
      element_.output = OutputValues{};
      break;
    case Place::profile_list:
      shapes_.clear();
      break;
    case Place::section_list:
      list_name_ = key_text_;
      list_text_.clear();
      break;
    default:
      break;
  }
}

std::vector<Tensor>& Collector::tensors_of(Key list) {
  if (list == Key::constants) return element_.constants;
  return list == Key::inputs ? element_.layer.inputs : element_.layer.outputs;
}

// Of a member that comes twice in an object the last one counts.
void Collector::clear_list(Place place) {
  if (place == Place::layers) {
    document_.records.layers.clear();
    layer_strings_ = 0;
  } else {
    document_.records.io_tensors.clear();
  }
}

void Collector::end_array() {
  if (skipped_ > 0) {
    --skipped_;
    return;
  }
  if (frames_.empty()) return;
  const Place place = frames_.back().place;
  const Key key = frames_.back().key;
  frames_.pop_back();
  switch (place) {
    case Place::numbers:
      leave_numbers(key);
      break;
    case Place::samples:
      leave_samples();
      break;
    case Place::section_list:
      add_property(list_name_, list_text_);
      break;
    default:
      break;
  }
}

void Collector::key(std::string_view text, std::size_t offset) {
  if (skipped_ > 0 || frames_.empty()) return;
  Frame& frame = frames_.back();
  const KnownKey known = known_key(text);
  key_ = known.key;
  key_offset_ = offset;
  key_repeated_ = known.spelling != 0 && frame.seen[known.spelling];
  if (key_repeated_) note(document_.records.duplicate_keys, lines_.at_quote(offset), text);
  frame.seen.set(known.spelling);
  const Place place = frame.place;
  if (place == Place::section || place == Place::losses) key_text_ = text;
  if (place != Place::root_object && place != Place::element) return;
  key_text_ = text;
  if (key_ == Key::values) element_.is_output = true;
  if (key_ == Key::device_property) element_.is_device = true;
  if (key_ == Key::tuner_version) element_.is_tuner_header = true;
}

void Collector::scalar(const Scalar& value) {
  if (skipped_ > 0) return;
  if (frames_.empty()) {
    if (value.kind != Scalar::Kind::string) return;
    document_.bare_string = true;
    begin_ = value.offset;
    document_.records.pos = lines_.at_quote(value.offset);
    Layer layer;
    layer.name = value.text;
    layer.pos = document_.records.pos;
    loose_names_.push_back(std::move(layer));
    return;
  }
  const Place place = frames_.back().place;
  switch (place) {
    case Place::layer:
      (void)layer_scalar(value);
      break;
    case Place::root_object:
    case Place::element:
      element_scalar(value);
      break;
    case Place::tensor:
    case Place::io_tensor:
      tensor_scalar(value);
      break;
    case Place::weights:
      weights_scalar(value);
      break;
    case Place::numbers:
      number_scalar(value);
      break;
    case Place::values:
      value_scalar(value);
      break;
    case Place::losses:
      loss_scalar(value);
      break;
    case Place::samples:
      sample_scalar(value, true);
      break;
    case Place::sample:
      sample_scalar(value, pair_index_++ == 0);
      break;
    case Place::root_list:
    case Place::layers:
    case Place::bindings:
      string_scalar(value, place);
      break;
    case Place::section:
    case Place::section_list:
      section_scalar(value, place);
      break;
    default:
      break;
  }
}

void Collector::leave_numbers(Key key) {
  if (!numbers_ok_) return;
  if (key == Key::strides) {
    strides_ = fmt::format("({})", fmt::join(numbers_, ","));
    return;
  }
  const Dims dims = dims_.dims(numbers_);
  if (key == Key::dimensions) {
    tensor_.dims = dims;
    tensor_.has_dims = true;
  } else if (is_shape(key)) {
    ProfileShapes& shapes = shapes_.back();
    (key == Key::min_shape ? shapes.min : key == Key::opt_shape ? shapes.opt : shapes.max) = dims;
  } else {
    Layer& layer = element_.layer;
    element_.touches_layer = true;
    if (key == Key::stride) layer.stride = dims;
    const bool is_second = key == Key::window_size && !layer.kernel.empty();
    if (key != Key::stride && !is_second) layer.kernel = dims;
  }
}

void Collector::note(Oddity& oddity, const SourcePos& pos, std::string_view text) {
  if (oddity.count++ > 0) return;
  oddity.pos = pos;
  oddity.text = text;
}

// One layer of a Python IProfiler dump: `"name": [ms, …]` or `"name": [[ms, timestamp], …]`.
void Collector::leave_samples() {
  ++sample_lists_;
  if (!samples_ok_ || samples_.empty()) return;
  if (sampled_.empty()) sample_count_ = samples_.size();
  if (samples_.size() != sample_count_) return;
  Layer layer;
  layer.name = list_name_;
  layer.pos = list_pos_;
  LayerTime time;
  time.total_ms = std::accumulate(samples_.begin(), samples_.end(), 0.0);
  time.mean_ms = *time.total_ms / static_cast<double>(samples_.size());
  const std::size_t middle = samples_.size() / 2;
  const auto at_middle = samples_.begin() + static_cast<std::ptrdiff_t>(middle);
  std::nth_element(samples_.begin(), at_middle, samples_.end());
  double median = *at_middle;
  if (samples_.size() % 2 == 0) {
    median = (median + *std::max_element(samples_.begin(), at_middle)) / 2;
  }
  time.median_ms = median;
  layer.time = time;
  sampled_.push_back(std::move(layer));
}

void Collector::leave_tensor() {
  const bool is_io = !frames_.empty() && frames_.back().place == Place::io_list;
  if (tensor_.format.empty() && !strides_.empty()) tensor_.format = texts_.text(strides_);
  if (!is_io) {
    tensors_of(frames_.empty() ? Key::outputs : frames_.back().key).push_back(std::move(tensor_));
    return;
  }
  IoTensor io;
  io.tensor = std::move(tensor_);
  // ProfileInfo of an output has a format only.
  const auto lacks = [](const ProfileShapes& shapes) {
    return shapes.min.empty() && shapes.opt.empty() && shapes.max.empty();
  };
  shapes_.erase(std::remove_if(shapes_.begin(), shapes_.end(), lacks), shapes_.end());
  io.shapes = std::move(shapes_);
  // Spelled `Input`, `kINPUT` or `INPUT`.
  io.is_input = io_mode_.find("OUT") == std::string::npos &&
                io_mode_.find("Out") == std::string::npos &&
                io_mode_.find("out") == std::string::npos;
  document_.records.io_tensors.push_back(std::move(io));
}

void Collector::leave_weights(Key key) {
  element_.touches_layer = true;
  if (!weights_ok_) return;
  if (key == Key::weights) element_.layer.weights = weights_;
  if (key == Key::bias) element_.layer.bias = weights_;
}

}  // namespace trtlens::json_detail
