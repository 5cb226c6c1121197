// What an object turned out to be at its end, and the document at its own.
#include <algorithm>
#include <string>
#include <utility>

#include "parsers/json/collector.h"
#include "parsers/text/constants.h"
#include "parsers/text/names.h"
#include "parsers/text/numbers.h"

namespace trtlens::json_detail {
namespace {

// The times of one query by name, with the one version that got two pairs wrong mended.
class TimeFields {
 public:
  explicit TimeFields(const Element& element) : element_(element) {
    swapped_ = has(TimeKey::start_enq) && has(TimeKey::start_in);
  }

  [[nodiscard]] bool has(TimeKey key) const { return (element_.times_seen & bit(key)) != 0; }
  [[nodiscard]] double get(TimeKey key) const {
    return element_.times[static_cast<std::size_t>(key)];
  }
  // 7.1 and 7.2 print the values of the Enq and In pairs exchanged.
  [[nodiscard]] TimeKey start() const {
    return swapped_ || !has(TimeKey::start_enq) ? TimeKey::start_in : TimeKey::start_enq;
  }
  [[nodiscard]] TimeKey end() const { return swapped_ ? TimeKey::end_in : TimeKey::end_enq; }
  [[nodiscard]] bool has_enqueue() const {
    return has(TimeKey::start_enq) && has(start()) && has(end());
  }
  [[nodiscard]] std::optional<float> first_of(TimeKey one, TimeKey other) const {
    if (!has(one) && !has(other)) return std::nullopt;
    return static_cast<float>(has(one) ? get(one) : get(other));
  }

 private:
  static std::uint32_t bit(TimeKey key) { return 1U << static_cast<std::uint32_t>(key); }
  const Element& element_;
  bool swapped_ = false;
};

}  // namespace

void Collector::set_kind(InputKind kind) {
  if (document_.records.kind == InputKind::unknown) document_.records.kind = kind;
}

// Clears what the element before it set. A Layer is large, and most elements touch none.
void Collector::begin_element(std::size_t offset) {
  if (element_.touches_layer) element_.layer = Layer{};
  if (element_.touches_tuner) element_.tuner = TuningIteration{};
  static_cast<ElementFacts&>(element_) = ElementFacts{};
  element_.constants.clear();
  element_.lower_name.clear();
  element_.dimensions.clear();
  element_.properties.clear();
  if (element_.output.count > 0) element_.output = OutputValues{};
  element_.pos = lines_.at(offset);
  element_offset_ = offset;
  key_ = Key::other;
}

void Collector::begin_layer(std::size_t offset) {
  if (element_.touches_layer) element_.layer = Layer{};  // members of the document itself
  element_.constants.clear();
  element_.touches_layer = false;
  element_.pos = lines_.at(offset);
  element_offset_ = offset;
}

// Grows by what the bytes read so far let expect, so that a big list is not copied at twice its
// size. Memory that is reserved and not used costs nothing.
void Collector::make_room(std::vector<Layer>& layers, std::size_t offset) {
  constexpr std::size_t kMinLayers = 256;
  if (layers.size() == layers.capacity() && layers.size() >= kMinLayers && offset > begin_ &&
      offset < text_bytes_) {
    const double of_all =
        static_cast<double>(text_bytes_ - begin_) / static_cast<double>(offset - begin_);
    layers.reserve(static_cast<std::size_t>(static_cast<double>(layers.size()) * of_all * 1.05) +
                   1);
  }
}

void Collector::add_layer(std::vector<Layer>& layers, Layer&& layer, std::size_t offset) {
  make_room(layers, offset);
  complete_layer(layer);  // while it is in the cache
  layers.push_back(std::move(layer));
}

void Collector::end_layer() {
  Layer& layer = element_.layer;
  layer.pos = element_.pos;
  layer.found_in = kFoundInLayerInfo;
  take_constants(layer, element_.constants);
  add_layer(document_.records.layers, std::move(layer), element_offset_);
  element_.layer = Layer{};
  element_.touches_layer = false;
  set_kind(InputKind::layer_info);
}

void Collector::end_element() {
  if (!is_list_ && (is_wrapper_ || has_sections_)) return;  // finish() looks at the rest
  const std::uint32_t seen = element_.times_seen;
  const bool is_query = seen != 0 && !element_.has_lower_name && !element_.is_layer;
  document_.loose = !is_list_;
  if (element_.is_layer && !element_.layer.name.empty()) {
    end_layer();
  } else if (is_query) {
    add_query();
  } else if (element_.has_lower_name && element_.is_profile) {
    add_profile_record();
  } else if (element_.has_lower_name && element_.trace_duration_us && element_.has_trace_phase &&
             !element_.is_of_cpu) {
    // Totals over an unknown number of queries: only shares and sums mean something.
    element_.time_ms = *element_.trace_duration_us / 1000;
    element_.average_ms = element_.time_ms;
    element_.quantum_ms = quantum_of(*element_.average_ms, {});
    add_profile_record();
  } else if (element_.has_lower_name && element_.is_output) {
    add_output();
  } else if (element_.is_tuner || element_.is_tuner_header) {
    set_kind(InputKind::tuner);
    if (element_.is_tuner) add_tuning_iteration();
    for (auto& [name, text] : element_.properties) document_.records.metadata.emplace(name, text);
  } else if (element_.is_device && is_list_) {
    add_device();
  } else if (element_.count && element_.properties.empty() && !element_.has_lower_name) {
    set_kind(InputKind::profile);
    document_.records.profile_count = element_.count;
  } else {
    document_.loose = false;
  }
}

void Collector::add_profile_record() {
  make_room(document_.records.profile, element_offset_);
  Layer& layer = document_.records.profile.emplace_back();
  layer.name = std::move(element_.lower_name);
  layer.pos = element_.pos;
  layer.found_in = kFoundInProfile;
  const std::optional<std::uint64_t>& count = document_.records.profile_count;
  std::optional<double> mean = element_.average_ms;
  if (!mean && element_.time_ms && count && *count > 0) {
    mean = *element_.time_ms / static_cast<double>(*count);
    element_.quantum_ms = quantum_of(*mean, {});
  }
  if (mean) {
    layer.time = LayerTime{*mean, element_.median_ms, element_.time_ms, element_.quantum_ms};
  }
  layer.opt_profile = opt_profile_of_name(layer.name);
  set_kind(InputKind::profile);
}

void Collector::add_query() {
  const TimeFields fields(element_);
  Query query;
  query.h2d_ms = fields.first_of(TimeKey::h2d, TimeKey::in);
  query.d2h_ms = fields.first_of(TimeKey::d2h, TimeKey::out);
  if (!fields.has(TimeKey::compute)) return;
  query.start_ms = static_cast<float>(
      fields.has(fields.start()) ? fields.get(fields.start()) : fields.get(TimeKey::start_compute));
  query.compute_ms = static_cast<float>(fields.get(TimeKey::compute));
  query.latency_ms = fields.has(TimeKey::latency)
                         ? static_cast<float>(fields.get(TimeKey::latency))
                         : query.h2d_ms.value_or(0) + query.compute_ms + query.d2h_ms.value_or(0);
  if (fields.has_enqueue()) {
    query.enqueue_ms = static_cast<float>(fields.get(fields.end()) - fields.get(fields.start()));
  }
  document_.records.queries.push_back(query);
  set_kind(InputKind::times);
}

void Collector::add_output() {
  OutputValues output = element_.output;
  output.pos = element_.pos;
  Tensor& tensor = output.tensor;
  tensor.name = std::move(element_.lower_name);
  if (!element_.dimensions.empty()) read_dims(element_.dimensions, tensor);
  document_.records.outputs.push_back(std::move(output));
  set_kind(InputKind::output);
}

// What the tuner says of one build: with "crash" a line of its cache, else the file of one result.
void Collector::add_tuning_iteration() {
  TuningIteration& tuner = element_.tuner;
  tuner.pos = element_.pos;
  for (const auto& [output, loss] : tuner.accuracy_losses) {
    tuner.accuracy_loss = std::max(tuner.accuracy_loss.value_or(loss), loss);
  }
  if (tuner.crashed.value_or(false)) {
    tuner.outcome = Outcome::failed;
  } else if (tuner.gpu_time_ms) {
    tuner.outcome = Outcome::passed;
  }
  document_.records.tuner.push_back(std::move(tuner));
}

// TREx's device metadata: a list of one object per GPU.
void Collector::add_device() {
  std::string prefix;
  if (devices_ > 0) prefix = std::to_string(devices_) + "/";
  ++devices_;
  auto& metadata = document_.records.metadata;
  if (!element_.layer.name.empty()) metadata.emplace(prefix + "Name", element_.layer.name);
  for (auto& [name, text] : element_.properties) metadata.emplace(prefix + name, text);
  set_kind(InputKind::metadata);
}

Document Collector::finish(bool truncated) {
  JsonRecords& records = document_.records;
  records.truncated = truncated;
  if (has_sections_ && records.kind == InputKind::unknown) {
    records.kind = InputKind::metadata;
    for (auto& [name, text] : element_.properties) records.metadata.emplace(name, text);
  }
  bool has_layer_name = false;
  for (const Layer& layer : sampled_) {
    has_layer_name = has_layer_name || looks_like_layer_name(layer.name);
  }
  // Any dictionary of equally long lists could be training curves; names tell.
  if (records.kind == InputKind::unknown && has_layer_name && sampled_.size() == sample_lists_) {
    records.kind = InputKind::profile;
    records.profile_count = sample_count_;
    records.profile = std::move(sampled_);
    for (Layer& layer : records.profile) {
      layer.found_in = kFoundInProfile;
      complete_layer(layer);
    }
  }
  for (const Layer& layer : loose_names_) {
    has_layer_name = has_layer_name || looks_like_layer_name(layer.name);
  }
  const bool joins_layers = is_list_ && records.kind == InputKind::layer_info;
  const bool only_names = is_list_ && records.kind == InputKind::unknown && has_layer_name;
  if (joins_layers || only_names || document_.bare_string) {
    layer_strings_ += loose_names_.size();
    for (Layer& layer : loose_names_) {
      complete_layer(layer);
      records.layers.push_back(std::move(layer));
    }
  }
  if (only_names) records.kind = InputKind::layer_info;
  records.names_only = records.kind == InputKind::layer_info && !records.layers.empty() &&
                       layer_strings_ == records.layers.size();
  if (records.kind == InputKind::unknown) records.metadata.clear();
  if (!has_io_list_) complete_bindings(records);
  return std::move(document_);
}

}  // namespace trtlens::json_detail
