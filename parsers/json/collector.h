// Turns the events of a JSON reader into records, without a tree in between.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/json/json_inputs.h"
#include "parsers/json/keys.h"
#include "parsers/json/positions.h"
#include "parsers/text/shared_texts.h"

namespace trtlens::json_detail {

struct Scalar {
  enum class Kind : std::uint8_t { null, boolean, integer, real, string };
  enum class NotFinite : std::uint8_t { no, nan, infinite };
  Kind kind = Kind::null;
  NotFinite not_finite = NotFinite::no;  // of Kind::null: what stood there instead of a number
  bool truth = false;
  std::int64_t integer = 0;     // of Kind::integer that fits
  std::uint64_t magnitude = 0;  // of Kind::integer that is not negative
  double real = 0;              // of both kinds of number; finite
  std::string_view text;        // of strings; of reals as written
  std::size_t offset = 0;       // of strings: no later than their opening quote

  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
};

struct ElementFacts {
  std::optional<double> time_ms, average_ms, median_ms;
  double quantum_ms = 0;
  std::optional<double> trace_duration_us;
  std::optional<std::uint64_t> count;
  std::array<double, kTimeKeyCount> times{};
  std::uint32_t times_seen = 0;                       // bit per TimeKey
  bool touches_layer = false, touches_tuner = false;  // a member of it was set
  bool is_layer = false, is_profile = false, is_output = false, is_device = false;
  bool is_tuner = false, is_tuner_header = false;
  bool has_lower_name = false, has_trace_phase = false, is_of_cpu = false;
};

// Whatever an object of a list may turn out to be; the members seen decide at its end.
struct Element : ElementFacts {
  Layer layer;
  std::vector<Tensor> constants;  // of the layer
  std::string lower_name, dimensions;
  TuningIteration tuner;
  OutputValues output;
  std::vector<std::pair<std::string, std::string>> properties;  // members without a meaning
  SourcePos pos;
};

// A document, and whether the next one may continue it.
struct Document {
  JsonRecords records;
  bool loose = false;        // a bare object that stands for one record
  bool bare_string = false;  // a string outside any document: perhaps a layer's name
};

// Nesting beyond this is skipped by the collector and refused by the readers.
inline constexpr std::size_t kMaxDepth = 512;

class Collector {
 public:
  // `lines` must outlive the collector. `text_bytes`: of the whole file, 0 when it is not known.
  Collector(LineCounter& lines, std::size_t text_bytes) : lines_(lines), text_bytes_(text_bytes) {}

  void start_object(std::size_t offset);
  void end_object();
  void start_array(std::size_t offset);
  void end_array();
  // `offset`: no later than the opening quote, behind the token before it.
  void key(std::string_view text, std::size_t offset);
  void scalar(const Scalar& value);

  // Closes the document. What was begun and not ended is dropped.
  [[nodiscard]] Document finish(bool truncated);

 private:
  enum class Place : std::uint8_t {
    root_object,
    root_list,
    element,
    layers,
    layer,
    tensors,
    tensor,
    weights,
    bindings,
    io_list,
    io_tensor,
    numbers,
    samples,
    sample,
    section,
    section_list,
    values,        // of an output
    losses,        // of the tuner, by output
    profile_list,  // ProfileInfo of an input or output, 11.x
    profile_shapes
  };
  struct Frame {
    Place place;
    Key key;                          // member of the parent that holds it
    std::size_t path_size;            // of `path_` before it
    std::bitset<kMaxSpellings> seen;  // known members that an object had so far
  };

  void push(Place place, Key key) { frames_.push_back({place, key, path_.size(), {}}); }
  [[nodiscard]] std::optional<Place> object_place(Place parent) const;
  [[nodiscard]] std::optional<Place> list_place(Place parent) const;
  void enter_list(Place place, Key key);
  [[nodiscard]] std::vector<Tensor>& tensors_of(Key list);
  void clear_list(Place place);
  static void note(Oddity& oddity, const SourcePos& pos, std::string_view text);
  void leave_numbers(Key key);
  void leave_samples();
  void leave_tensor();
  void leave_weights(Key key);

  void begin_element(std::size_t offset);
  void begin_layer(std::size_t offset);
  void make_room(std::vector<Layer>& layers, std::size_t offset);
  void add_layer(std::vector<Layer>& layers, Layer&& layer, std::size_t offset);
  void end_layer();
  void end_element();
  void add_profile_record();
  void add_query();
  void add_output();
  void add_tuning_iteration();
  void add_device();
  void set_kind(InputKind kind);

  void element_scalar(const Scalar& value);
  bool layer_scalar(const Scalar& value);
  bool record_scalar(const Scalar& value);
  bool tuner_scalar(const Scalar& value);
  void tensor_scalar(const Scalar& value);
  void weights_scalar(const Scalar& value);
  void number_scalar(const Scalar& value);
  [[nodiscard]] std::optional<double> duration_of(const Scalar& value);
  void sample_scalar(const Scalar& value, bool first_of_pair);
  void value_scalar(const Scalar& value);
  void loss_scalar(const Scalar& value);
  void string_scalar(const Scalar& value, Place place);
  void section_scalar(const Scalar& value, Place place);
  void add_property(std::string_view name, std::string_view text);

  LineCounter& lines_;
  std::size_t text_bytes_ = 0, begin_ = 0;  // of the file; where the document begins
  RecentTexts texts_;
  RecentDims dims_;
  Document document_;
  std::vector<Frame> frames_;
  std::size_t skipped_ = 0;  // depth inside something without a meaning
  bool is_list_ = false, is_wrapper_ = false, has_sections_ = false, has_io_list_ = false;
  std::size_t devices_ = 0;

  Key key_ = Key::other;
  std::string key_text_;
  std::size_t key_offset_ = 0;
  bool key_repeated_ = false;  // in its object

  Element element_;
  std::size_t element_offset_ = 0;
  std::string path_;  // of the section being read: "device_information/"
  std::string list_text_, list_name_;
  SourcePos list_pos_;

  Tensor tensor_;
  std::string strides_, io_mode_;
  std::vector<ProfileShapes> shapes_;  // of an input
  Weights weights_;
  bool weights_ok_ = true;
  std::vector<std::int64_t> numbers_;
  bool numbers_ok_ = true;

  std::vector<double> samples_;
  std::size_t pair_index_ = 0;
  bool samples_ok_ = true;
  std::size_t sample_lists_ = 0, sample_count_ = 0;
  std::vector<Layer> sampled_;
  std::vector<Layer> loose_names_;
  std::uint64_t layer_strings_ = 0;
};

// ONNX nodes and optimisation profile, from Metadata and name.
void complete_layer(Layer& layer);
// `Bindings` has names only: the layers tell which are inputs, their shapes and types.
void complete_bindings(JsonRecords& records);
// Value of the last printed digit: `text` as written, else the 6 digits of an ostream.
[[nodiscard]] double quantum_of(double value, std::string_view text);
// Whether a name has the marks that TensorRT leaves in fused and generated names.
[[nodiscard]] bool looks_like_layer_name(std::string_view name);

}  // namespace trtlens::json_detail
