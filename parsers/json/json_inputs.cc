// One file: its encoding, its documents, and which of them belong together.
#include "parsers/json/json_inputs.h"

#include <iterator>
#include <optional>
#include <utility>

#include "parsers/json/collector.h"
#include "parsers/json/mender.h"
#include "parsers/json/readers.h"
#include "parsers/json/repairs.h"
#include "parsers/text/encoding.h"

namespace trtlens {
namespace json_detail {
namespace {

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// The documents of a file, those that belong together as one.
class Documents {
 public:
  static constexpr std::size_t kMost = 1000;  // each may become a build of its own

  [[nodiscard]] bool empty() const { return documents_.empty(); }
  void add(Document document) {
    if (left_out_ > 0 || documents_.empty() || !joins(documents_.back(), document)) {
      if (documents_.size() < kMost) {
        documents_.push_back(std::move(document));
      } else if (++left_out_ == 1) {
        first_left_out_ = document.records.pos;
      }
      return;
    }
    JsonRecords& to = documents_.back().records;
    JsonRecords& from = document.records;
    const bool names_only = to.names_only && from.names_only;
    append(to.layers, from.layers);
    append(to.profile, from.profile);
    append(to.queries, from.queries);
    append(to.outputs, from.outputs);
    append(to.tuner, from.tuner);
    to.metadata.merge(from.metadata);
    if (from.profile_count) to.profile_count = from.profile_count;
    to.names_only = names_only;
    to.truncated = to.truncated || from.truncated;
    if (to.kind == InputKind::unknown) to.kind = from.kind;
    documents_.back().loose = true;
    documents_.back().bare_string = documents_.back().bare_string && document.bare_string;
  }

  [[nodiscard]] std::vector<JsonRecords> take() {
    std::vector<JsonRecords> records;
    for (Document& document : documents_) {
      JsonRecords& found = document.records;
      if (found.kind == InputKind::unknown) {
        // Strings outside any document, some of them names that TensorRT made: a dump of layers.
        bool is_names = document.bare_string && found.layers.size() > 1;
        bool marked = false;
        for (const Layer& layer : found.layers)
          marked = marked || looks_like_layer_name(layer.name);
        is_names = is_names && marked;
        if (is_names) found.kind = InputKind::layer_info;
        if (!is_names) found.layers.clear();
        found.names_only = is_names;
      }
      for (Layer& layer : found.layers) layer.found_in = kFoundInLayerInfo;
      records.push_back(std::move(found));
    }
    return records;
  }

  // Beyond kMost, and where the first of them stood.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] const SourcePos& first_left_out() const { return first_left_out_; }

 private:
  // Lines of the tuner's cache, layers or records without a list around them.
  static bool joins(const Document& before, const Document& next) {
    const bool bare_layers = before.records.kind == InputKind::layer_info || before.bare_string;
    if (next.bare_string) return before.bare_string || (before.loose && bare_layers);
    if (!next.loose) return false;
    if (before.bare_string) return next.records.kind == InputKind::layer_info;
    return before.loose && before.records.kind == next.records.kind;
  }

  std::vector<Document> documents_;
  std::size_t left_out_ = 0;
  SourcePos first_left_out_;
};

// A file whose text is in memory, valid JSON or not.
class File {
 public:
  File(std::string_view text, std::uint32_t file)
      : text_(text), lines_(text, file), repairs_(text, file) {}

  std::vector<JsonRecords> read() {
    const std::size_t last = text_.find_last_not_of(std::string_view("\0 \t\r\n", 5));
    const std::size_t end = last == std::string_view::npos ? 0 : last + 1;
    const std::size_t nul = text_.find('\0', end);
    if (nul != std::string_view::npos) {
      repairs_.note(Repair::nul_tail, nul, std::to_string(text_.size() - nul) + " trailing bytes");
    }
    text_ = text_.substr(0, end);
    bool truncated = false;
    while (!truncated && next_document()) {
      Document document = read_document();
      truncated = document.records.truncated;
      documents_.add(std::move(document));
    }
    return documents_.take();
  }

  Repairs& repairs() { return repairs_; }
  [[nodiscard]] const Documents& documents() const { return documents_; }

 private:
  // Moves to the next document; false when none follows.
  bool next_document() {
    while (true) {
      const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
      if (next == std::string_view::npos) return false;
      at_ = next;
      const char c = text_[at_];
      if (c == '{' || c == '[' || c == '"') return true;
      if (documents_.empty()) {
        repairs_.note(Repair::unexpected, at_, text_.substr(at_, 40));
        return false;
      }
      // `},{`: layers copied out of their list one by one.
      if (c != ',') {
        repairs_.note(Repair::trailing_text, at_, text_.substr(at_, 40));
        return false;
      }
      repairs_.note(Repair::trailing_comma, at_, ",");
      ++at_;
    }
  }

  Document read_document() {
    const SourcePos begin = lines_.at(at_);
    if (text_[at_] != '"') {
      LineCounter lines = lines_;
      Collector collector(lines, text_.size());
      TextSource source(text_, at_, lines);
      if (!json_detail::read_document(source, collector)) {
        at_ = source.offset();
        return collector.finish(false);
      }
    }
    LineCounter lines = lines_;
    Collector collector(lines, text_.size());
    Mender mender(text_, repairs_);
    TextSource source(text_, at_, lines, &mender);
    const std::optional<Stop> stop = json_detail::read_document(source, collector);
    at_ = source.offset();
    Document document = collector.finish(stop.has_value());
    document.records.pos = begin;  // also of one that is cut in its first string
    if (stop) note(*stop, document.records);
    return document;
  }

  void note(const Stop& stop, const JsonRecords& kept) {
    const std::string brackets = std::to_string(stop.open_brackets.size()) + " open brackets";
    if (stop.is_too_deep) return repairs_.note(Repair::depth, stop.offset, brackets);
    if (stop.is_cut) {
      return repairs_.note(Repair::truncated, text_.size(), "the end of the file with " + brackets);
    }
    const Fault fault = fault_at(stop, text_);
    repairs_.damaged(fault.offset, fault.expected, text_.substr(fault.offset, 20),
                     kept.layers.size() + kept.profile.size() + kept.queries.size() +
                         kept.outputs.size() + kept.tuner.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  LineCounter lines_;
  Repairs repairs_;
  Documents documents_;
};

void report_oddity(const char* id, const char* expected, const char* rest, const Oddity& oddity,
                   const std::string& path, std::vector<Diagnostic>& diagnostics) {
  if (oddity.count == 0) return;
  std::string found = excerpt(oddity.text);
  if (oddity.count > 1) found += " and " + std::to_string(oddity.count - 1) + " more" + rest;
  diagnostics.push_back({id, DiagnosticSeverity::warning, path, oddity.pos.line, oddity.pos.column,
                         expected, std::move(found)});
}

// What can be odd about documents that are valid JSON.
void report_documents(const std::vector<JsonRecords>& records, const Documents& documents,
                      const std::string& path, std::vector<Diagnostic>& diagnostics) {
  const std::string all = std::to_string(records.size() + documents.left_out());
  if (records.size() > 1) {
    diagnostics.push_back({"json-concatenated", DiagnosticSeverity::note, path, records[1].pos.line,
                           records[1].pos.column, "one JSON document in the file",
                           all + " documents"});
  }
  for (const JsonRecords& document : records) {
    report_oddity("json-impossible-time", "a time between 0 and 1e12", ", left out",
                  document.impossible_times, path, diagnostics);
    report_oddity("json-impossible-count", "a whole number of weights between 0 and 1e15",
                  ", left out", document.impossible_counts, path, diagnostics);
    report_oddity("json-duplicate-key", "each member of an object once", ", the last one counts",
                  document.duplicate_keys, path, diagnostics);
  }
  if (documents.left_out() > 0) {
    const SourcePos& at = documents.first_left_out();
    diagnostics.push_back({"json-documents-cut", DiagnosticSeverity::warning, path, at.line,
                           at.column,
                           "at most " + std::to_string(Documents::kMost) + " documents in a file",
                           all + ", the rest left out"});
  }
}

}  // namespace
}  // namespace json_detail

std::vector<JsonRecords> read_json(std::string_view text, const std::string& path,
                                   std::uint32_t file_index, std::vector<Diagnostic>& diagnostics) {
  using namespace json_detail;
  const Encoding encoding = encoding_of(text);
  std::string converted;
  if (encoding == Encoding::utf8_bom) text.remove_prefix(3);
  if (encoding == Encoding::utf16_le || encoding == Encoding::utf16_be) {
    converted = utf8_of_utf16(text, encoding);
    text = without_bom(converted);
  }
  File file(text, file_index);
  if (encoding != Encoding::utf8) {
    file.repairs().note(Repair::encoding, 0, to_string(encoding));
  }
  std::vector<JsonRecords> records = file.read();
  report_documents(records, file.documents(), path, diagnostics);
  file.repairs().report(path, diagnostics);
  return records;
}

std::optional<std::vector<JsonRecords>> read_json_pieces(
    const std::function<std::string_view()>& next, std::size_t bytes, const std::string& path,
    std::uint32_t file_index, std::vector<Diagnostic>& diagnostics) {
  using namespace json_detail;
  LineCounter lines({}, file_index);
  TextSource source(next, lines);
  Documents documents;
  for (char c = source.skip_blanks(); c != '\0'; c = source.skip_blanks()) {
    if (c != '{' && c != '[') return std::nullopt;
    Collector strict(lines, bytes);
    if (read_document(source, strict)) return std::nullopt;
    documents.add(strict.finish(false));
  }
  // A NUL in the file ends the loop as well.
  if (source.offset() < bytes) return std::nullopt;
  std::vector<JsonRecords> records = documents.take();
  report_documents(records, documents, path, diagnostics);
  return records;
}

}  // namespace trtlens
