#include "parsers/json/json_lines.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "parsers/json/encoding.h"
#include "parsers/json/json_inputs.h"
#include "parsers/json/utf8_pieces.h"
#include "parsers/log/framing/lines.h"

namespace trtlens {
namespace {

using json_detail::skip_blanks;
using json_detail::without_bom;
using nlohmann::json;

// Most structured loggers; zap and slog; journald; docker and fluent-bit; Google Cloud; Loki. Some
// have a short name under the last ones.
constexpr std::array<const char*, 6> kKeys = {"message",     "msg", "MESSAGE",
                                              "textPayload", "log", "line"};

struct Record {
  std::string text;
  bool is_error_stream = false;
  bool is_piece = false;  // the rest of its line is in the next record of the stream
};

// journald writes what is not printable as a list of bytes.
std::optional<std::string> text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return std::nullopt;
  std::string text;
  for (const json& byte : value) {
    if (!byte.is_number_unsigned() || byte.get<std::uint64_t>() > 255) return std::nullopt;
    text.push_back(static_cast<char>(byte.get<std::uint64_t>()));
  }
  return text;
}

// Docker cuts lines at 16 KiB; CRI's tag says so.
bool is_piece(const json& record, std::string_view key, const std::string& text) {
  constexpr std::size_t kDockerPiece = 16384;
  const auto tag = record.find("logtag");
  if (tag != record.end()) return *tag == "P";
  return key == "log" && text.size() >= kDockerPiece && text.back() != '\n';
}

// Whether `line` is JSON at all goes to `is_json`.
std::optional<Record> record_of(std::string_view line, bool& is_json) {
  line = skip_blanks(line);
  if (line.substr(0, 1) != "{") return std::nullopt;
  const json record = json::parse(line, nullptr, false);
  is_json = record.is_object();
  if (!is_json) return std::nullopt;
  for (const char* key : kKeys) {
    const auto found = record.find(key);
    if (found == record.end()) continue;
    std::optional<std::string> text = text_of(*found);
    if (!text) continue;
    Record result;
    result.is_piece = is_piece(record, key, *text);
    result.text = std::move(*text);
    const auto stream = record.find("stream");
    result.is_error_stream = stream != record.end() && *stream == "stderr";
    return result;
  }
  return std::nullopt;
}

std::string_view without_end(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

class RecordReader {
 public:
  explicit RecordReader(const ContainedLogSink& sink) : sink_(sink) {}

  void read(std::string_view line, std::uint64_t number) {
    if (line.empty()) return;
    bool is_json = false;
    std::optional<Record> record = record_of(line, is_json);
    if (!record) {
      if (end_.defect_line == 0) end_.defect_line = number;
      if (!is_json) hand_on(line, number);
      return;
    }
    Line& begun = begun_[record->is_error_stream ? 1 : 0];
    if (begun.text.empty()) begun.number = number;
    if (begun.text.size() <= LineSplitter::kMaxLineBytes) begun.text += record->text;
    if (!record->is_piece) flush(begun);
  }

  ContainedLogEnd finish() {
    for (Line& begun : begun_) {
      if (!begun.text.empty()) flush(begun);
    }
    return end_;
  }

 private:
  struct Line {
    std::string text;
    std::uint64_t number = 0;
  };

  // A record may hold several lines, or an empty one.
  void flush(Line& begun) {
    std::string_view rest = begun.text;
    if (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = rest.find('\n');
      hand_on(rest.substr(0, end), begun.number);
      if (end != std::string_view::npos) rest.remove_prefix(end + 1);
    }
    begun.text.clear();
  }
  void hand_on(std::string_view line, std::uint64_t number) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++end_.lines;
    sink_(line, number);
  }

  const ContainedLogSink& sink_;
  ContainedLogEnd end_;
  std::array<Line, 2> begun_;  // of standard output and error
};

}  // namespace

bool looks_like_json_lines(std::string_view first_bytes) {
  // One that is longer is an export on one line. Records of a service itself may say nothing.
  constexpr std::size_t kMaxRecord = 1 << 16, kTried = 5;
  std::string_view rest = without_bom(first_bytes);
  bool speaks = false;
  for (std::size_t tried = 0; tried < kTried && !rest.empty(); ++tried) {
    rest = skip_blanks(rest);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    bool is_json = false;
    if (line.size() > kMaxRecord) break;
    speaks = record_of(line, is_json).has_value() || speaks;
    const bool is_object = is_json || (line.substr(0, 1) == "{" && without_end(line).back() == '}');
    const bool is_whole = line.size() < rest.size();
    // One line of a logger in front of an export makes no log of it.
    if (!is_object && is_whole && looks_like_json(rest)) return false;
    if (tried == 0 && !is_object) return false;
    rest.remove_prefix(line.size());
  }
  return speaks;
}

ContainedLogEnd read_json_lines(const std::function<std::string_view()>& next,
                                const ContainedLogSink& sink) {
  RecordReader reader(sink);
  LineSplitter splitter;
  const auto read = [&](std::string_view line, std::uint64_t number) {
    reader.read(number == 1 ? without_bom(line) : line, number);
  };
  json_detail::Utf8Pieces pieces(next);
  for (std::string_view chunk = pieces(); !chunk.empty(); chunk = pieces()) {
    splitter.feed(chunk, read);
  }
  splitter.finish(read);
  return reader.finish();
}

}  // namespace trtlens
