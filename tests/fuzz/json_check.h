// What must hold for any bytes read as JSON exports; for the fuzz targets and the property tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/join/join.h"
#include "parsers/json/json_inputs.h"
#include "parsers/json/mender.h"
#include "parsers/json/readers.h"
#include "parsers/text/sniff.h"

namespace trtlens {

// The first invariant that a text breaks; empty when all hold.
class JsonCheck {
 public:
  explicit JsonCheck(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") text_.remove_prefix(3);
    utf16_ = text.substr(0, 2).find_first_of(std::string_view("\xff\xfe\0", 3)) !=
             std::string_view::npos;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if (i < text_.size() && text_[i] != '\n') continue;
      line_sizes_.push_back(i - begin);
      begin = i + 1;
    }
    run(text);
  }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  [[nodiscard]] const std::vector<JsonRecords>& documents() const { return documents_; }

 private:
  static constexpr std::uint32_t kFile = 3;

  void expect(bool holds, const char* what) {
    if (!holds && broken_.empty()) broken_ = what;
  }

  // After conversion from UTF-16 lines can only be longer in bytes; their number is not known here.
  void expect_place(std::uint64_t line, std::uint64_t column) {
    expect(line >= 1 && column >= 1, "a place has a line and a column");
    if (utf16_) return;
    expect(line <= line_sizes_.size(), "a place is on a line of the file");
    if (line == 0 || line > line_sizes_.size()) return;
    expect(column <= line_sizes_[line - 1] + 1, "a place is in its line");
  }
  void expect_place(const SourcePos& pos) {
    expect(pos.file == kFile, "a place is in the file");
    expect_place(pos.line, pos.column);
  }

  void run(std::string_view text) {
    (void)looks_like_json(text);
    std::vector<Diagnostic> diagnostics;
    documents_ = read_json(text, "f.json", kFile, diagnostics);
    const std::string first = digest(documents_, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics) {
      expect(!diagnostic.id.empty() && !diagnostic.expected.empty(), "a diagnostic says what");
      expect(diagnostic.file == "f.json", "a diagnostic names its file");
      expect_place(diagnostic.line, diagnostic.column);
    }
    expect(documents_.size() <= text.size(), "no more documents than bytes");
    for (const JsonRecords& document : documents_) check_document(document);

    check_pieces(text, first);
    check_readers();
    check_join();
  }

  void check_layer(const Layer& layer, unsigned found_in) {
    expect(layer.found_in == found_in, "a layer says what named it");
    expect(layer.opt_profile >= 0, "an optimisation profile has a number");
    expect_place(layer.pos);
    for (const std::vector<Tensor>* tensors : {&layer.inputs, &layer.outputs}) {
      for (const Tensor& tensor : *tensors) {
        expect(tensor.has_dims || tensor.dims.empty(), "dims come with has_dims");
        expect(!tensor.elements() || *tensor.elements() >= 0, "a size is not negative");
      }
    }
    if (!layer.time) return;
    const LayerTime& time = *layer.time;
    for (const double ms : {time.mean_ms, time.median_ms.value_or(0), time.total_ms.value_or(0)}) {
      expect(std::isfinite(ms) && ms >= 0, "a time is finite and not negative");
    }
    expect(time.quantum_ms >= 0, "a quantum is not negative");
  }

  void check_document(const JsonRecords& document) {
    expect_place(document.pos);
    expect(document.layers.size() + document.profile.size() + document.queries.size() +
                   document.outputs.size() + document.tuner.size() <=
               text_.size(),
           "a record takes a byte at least");
    for (const Layer& layer : document.layers) check_layer(layer, kFoundInLayerInfo);
    for (const Layer& layer : document.profile) check_layer(layer, kFoundInProfile);
    for (const Query& query : document.queries) {
      expect(std::isfinite(query.start_ms) && std::isfinite(query.enqueue_ms.value_or(0)),
             "finite points");
      expect(
          query.compute_ms >= 0 && query.h2d_ms.value_or(0) >= 0 && query.d2h_ms.value_or(0) >= 0,
          "durations");
      expect(std::isfinite(query.compute_ms) && std::isfinite(query.latency_ms), "finite times");
    }
    for (const TuningIteration& iteration : document.tuner) expect_place(iteration.pos);
    for (const OutputValues& output : document.outputs) {
      expect_place(output.pos);
      expect(output.nan + output.infinite <= output.count, "parts of the values");
      expect(output.min.value_or(0) <= output.max.value_or(0) || !output.min, "a range");
    }
    for (const Oddity* oddity :
         {&document.impossible_times, &document.impossible_counts, &document.duplicate_keys}) {
      if (oddity->count > 0) expect_place(oddity->pos);
    }
    // A list of one kind is of that kind, unless the document is of another kind in the first
    // place.
    expect(document.kind != InputKind::unknown || document.layers.empty(), "layers have a kind");
    expect(document.kind != InputKind::log, "JSON is no log");
    expect(!document.names_only || document.kind == InputKind::layer_info, "names of layers");
  }

  void check_pieces(std::string_view text, const std::string& whole) {
    std::size_t at = 0;
    const std::size_t size = 1 + text.size() % 13;
    const auto next = [&] {
      const std::string_view piece = text.substr(std::min(at, text.size()), size);
      at += piece.size();
      return piece;
    };
    std::vector<Diagnostic> diagnostics;
    const auto pieces = read_json_pieces(next, text.size(), "f.json", kFile, diagnostics);
    if (pieces) {
      expect(digest(*pieces, diagnostics) == whole, "pieces give what the whole gives");
    } else {
      expect(diagnostics.empty(), "what is read again has no diagnostic yet");
      const std::vector<JsonRecords> again = read_json(text, "f.json", kFile, diagnostics);
      expect(digest(again, diagnostics) == whole, "the same bytes give the same result");
    }
  }

  // On a valid document the mender mends nothing, and the reader sees the same behind it.
  void check_readers() {
    const std::size_t begin = text_.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || (text_[begin] != '{' && text_[begin] != '[')) return;
    LineCounter lines(text_, kFile);
    json_detail::Collector strict(lines, text_.size());
    json_detail::TextSource source(text_, begin, lines);
    if (json_detail::read_document(source, strict)) return;
    const std::string_view document = text_.substr(0, source.offset());
    LineCounter other_lines(document, kFile);
    json_detail::Collector mended(other_lines, document.size());
    json_detail::Repairs repairs(document, kFile);
    json_detail::Mender mender(document, repairs);
    json_detail::TextSource other_source(document, begin, other_lines, &mender);
    expect(!json_detail::read_document(other_source, mended), "valid JSON is valid mended");
    expect(other_source.offset() == source.offset(), "both end at one place");
    std::vector<Diagnostic> repaired;
    repairs.report("f.json", repaired);
    expect(repaired.empty(), "valid JSON is not mended");
    std::vector<JsonRecords> one, other;
    one.push_back(strict.finish(false).records);
    other.push_back(mended.finish(false).records);
    expect(digest(one, {}) == digest(other, {}), "the mender changes nothing");
  }

  // Every layer and every microsecond of each pair of documents is in the joined build.
  void check_join() {
    std::vector<Layer> layers, profile;
    for (const JsonRecords& document : documents_) {
      if (layers.empty()) layers = document.layers;
      if (profile.empty()) profile = document.profile;
    }
    double sum = 0;
    std::size_t timed = 0;
    for (const Layer& record : profile) {
      if (record.time) sum += record.time->mean_ms;
      timed += record.time ? 1 : 0;
    }
    const std::size_t least = std::max(layers.size(), profile.size());
    const std::size_t most = layers.size() + profile.size();
    Build build;
    join_layers(build, std::move(layers), std::move(profile));
    expect(build.layers.size() >= least && build.layers.size() <= most, "no layer gets lost");
    expect(std::abs(build.profile_sum_ms - sum) <= 1e-9 * sum, "the profile's sum is kept");
    expect(build.unattributed_ms <= build.profile_sum_ms * (1 + 1e-9),
           "a part is no more than all");
    const auto has_time = [](const Layer& layer) { return layer.time.has_value(); };
    const auto joined = std::count_if(build.layers.begin(), build.layers.end(), has_time);
    expect(static_cast<std::size_t>(joined) == timed, "every time is one layer's");
  }

  using LineCounter = json_detail::LineCounter;

  static void put(std::ostream& out, const SourcePos& pos) {
    out << pos.file << ':' << pos.line << ':' << pos.column << ' ';
  }
  static void put(std::ostream& out, const Tensor& tensor) {
    out << tensor.name.str() << '|' << tensor.format.str() << '|' << to_string(tensor.type) << '|'
        << tensor.has_dims;
    for (const std::int64_t dim : tensor.dims) out << ',' << dim;
    out << ' ';
  }
  static void put(std::ostream& out, const Layer& layer) {
    put(out, layer.pos);
    out << layer.name.str() << '|' << layer.layer_type.str() << '|' << layer.parameter_type.str()
        << '|' << layer.origin.str() << '|' << layer.tactic_name.str() << '|'
        << layer.tactic_id.value_or(7) << '|' << layer.groups.value_or(-7) << '|'
        << layer.out_maps.value_or(-7) << '|' << layer.sparse_weights.value_or(false) << '|'
        << layer.activation.str() << '|' << layer.plugin_type.str() << '|' << layer.metadata.str()
        << '|' << layer.stream_id.value_or(-7) << '|' << layer.opt_profile << '|' << layer.found_in
        << '|';
    for (const auto& weights : {layer.weights, layer.bias}) {
      if (weights) out << to_string(weights->type) << weights->count << ' ';
    }
    for (const auto* numbers : {&layer.kernel, &layer.stride}) {
      for (const std::int64_t number : *numbers) out << number << ',';
      out << '|';
    }
    for (const std::string& node : layer.onnx_nodes) out << node << ';';
    for (const Tensor& tensor : layer.inputs) put(out, tensor);
    for (const Tensor& tensor : layer.outputs) put(out, tensor);
    if (layer.time) {
      out << layer.time->mean_ms << ' ' << layer.time->median_ms.value_or(-7) << ' '
          << layer.time->total_ms.value_or(-7) << ' ' << layer.time->quantum_ms;
    }
    out << '\n';
  }
  static void put(std::ostream& out, const Oddity& oddity) {
    put(out, oddity.pos);
    out << oddity.count << oddity.text << '\n';
  }

  // All that was read, as text.
  static std::string digest(const std::vector<JsonRecords>& documents,
                            const std::vector<Diagnostic>& diagnostics) {
    std::ostringstream out;
    out << std::hexfloat;
    for (const JsonRecords& document : documents) {
      put(out, document.pos);
      out << to_string(document.kind) << document.truncated << document.names_only
          << document.profile_count.value_or(7) << '\n';
      for (const Layer& layer : document.layers) put(out, layer);
      for (const Layer& layer : document.profile) put(out, layer);
      for (const IoTensor& io : document.io_tensors) {
        put(out << io.is_input, io.tensor);
        for (const ProfileShapes& shapes : io.shapes) {
          out << shapes.profile;
          for (const Dims* dims : {&shapes.min, &shapes.opt, &shapes.max}) {
            for (const std::int64_t dim : *dims) out << ',' << dim;
            out << ';';
          }
        }
      }
      for (const OutputValues& output : document.outputs) {
        put(out, output.pos);
        put(out, output.tensor);
        out << output.count << ' ' << output.nan << ' ' << output.infinite << ' '
            << output.min.value_or(-7) << ' ' << output.max.value_or(-7) << '\n';
      }
      for (const Query& q : document.queries) {
        out << q.start_ms << ' ' << q.compute_ms << ' ' << q.latency_ms << ' '
            << q.h2d_ms.value_or(-7) << ' ' << q.d2h_ms.value_or(-7) << ' '
            << q.enqueue_ms.value_or(-7) << '\n';
      }
      for (const TuningIteration& t : document.tuner) {
        put(out, t.pos);
        out << t.iteration.value_or(-7) << t.build_route << t.error_message
            << t.crashed.value_or(false) << t.gpu_time_ms.value_or(-7)
            << t.accuracy_loss.value_or(-7) << to_string(t.outcome)
            << t.accuracy_failed.value_or(false) << '\n';
      }
      for (const auto& [name, value] : document.metadata) out << name << '=' << value << '\n';
      put(out, document.impossible_times);
      put(out, document.impossible_counts);
      put(out, document.duplicate_keys);
    }
    for (const Diagnostic& d : diagnostics) {
      out << d.id << d.file << d.line << ':' << d.column << d.expected << d.found << '\n';
    }
    return out.str();
  }

  std::string_view text_;
  bool utf16_ = false;
  std::vector<std::size_t> line_sizes_;
  std::vector<JsonRecords> documents_;
  std::string broken_;
};

}  // namespace trtlens
