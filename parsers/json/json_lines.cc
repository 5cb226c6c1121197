#include "parsers/json/json_lines.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "parsers/log/lines.h"

namespace trtlens {
namespace {

using nlohmann::json;

// docker and fluent-bit; most structured loggers; zap and slog; journald; Loki; Google Cloud.
constexpr std::array<const char*, 6> kKeys = {"log",     "message", "msg",
                                              "MESSAGE", "line",    "textPayload"};

std::optional<std::string> text_of(std::string_view line) {
  if (line.substr(0, 1) != "{") return std::nullopt;
  json record = json::parse(line, nullptr, false);
  if (!record.is_object()) return std::nullopt;
  for (const char* key : kKeys) {
    const auto found = record.find(key);
    if (found != record.end() && found->is_string()) {
      return std::move(found->get_ref<std::string&>());
    }
  }
  return std::nullopt;
}

class RecordReader {
 public:
  explicit RecordReader(const ContainedLogSink& sink) : sink_(sink) {}

  void read(std::string_view line, std::uint64_t number) {
    if (line.empty()) return;
    const std::optional<std::string> text = text_of(line);
    if (!text) {
      flush();
      if (end_.defect_line == 0) end_.defect_line = number;
      hand_on(line, number);
      return;
    }
    // The first record says whether records bring their lines' ends: one without is a piece then.
    const bool has_end = !text->empty() && text->back() == '\n';
    ends_lines_ = ends_lines_.value_or(has_end);
    if (pending_.empty()) pending_number_ = number;
    if (pending_.size() <= LineSplitter::kMaxLineBytes) pending_ += *text;
    if (has_end || !*ends_lines_) flush();
  }

  ContainedLogEnd finish() {
    flush();
    return end_;
  }

 private:
  // A record may hold several lines.
  void flush() {
    if (pending_.empty()) return;
    std::string_view rest = pending_;
    if (rest.back() == '\n') rest.remove_suffix(1);
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = rest.find('\n');
      hand_on(rest.substr(0, end), pending_number_);
      if (end != std::string_view::npos) rest.remove_prefix(end + 1);
    }
    pending_.clear();
  }
  void hand_on(std::string_view line, std::uint64_t number) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++end_.lines;
    sink_(line, number);
  }

  const ContainedLogSink& sink_;
  ContainedLogEnd end_;
  std::optional<bool> ends_lines_;
  std::string pending_;  // a line without its end yet
  std::uint64_t pending_number_ = 0;
};

}  // namespace

bool looks_like_json_lines(std::string_view first_bytes) {
  if (first_bytes.substr(0, 3) == "\xEF\xBB\xBF") first_bytes.remove_prefix(3);
  // Longer than a record: an export on one line.
  constexpr std::size_t kMaxRecord = 1 << 16;
  const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
  return line.size() <= kMaxRecord && text_of(line).has_value();
}

ContainedLogEnd read_json_lines(const std::function<std::string_view()>& next,
                                const ContainedLogSink& sink) {
  RecordReader reader(sink);
  LineSplitter splitter;
  const auto read = [&](std::string_view line, std::uint64_t number) {
    if (number == 1 && line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
    reader.read(line, number);
  };
  for (std::string_view chunk = next(); !chunk.empty(); chunk = next()) splitter.feed(chunk, read);
  splitter.finish(read);
  return reader.finish();
}

}  // namespace trtlens
