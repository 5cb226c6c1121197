#include "parsers/log/prepared_lines.h"

#include <cstring>

#include "parsers/log/plain_text.h"

namespace trtlens {

void PreparedChunk::prepare(std::string_view text) {
  text_ = text;
  lines_.clear();
  fields_.clear();
  has_controls_ = holds_controls(text);
  const std::size_t first = text.find('\n');
  head_ = text.substr(0, first == std::string_view::npos ? first : first + 1);
  text.remove_prefix(head_.size());
  while (!text.empty()) {
    const void* end = std::memchr(text.data(), '\n', text.size());
    if (end == nullptr) break;
    const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - text.data());
    std::string_view raw = text.substr(0, length);
    if (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
    prepare_line(raw);
    text.remove_prefix(length + 1);
  }
  tail_ = text;
}

void PreparedChunk::prepare_line(std::string_view raw) {
  PreparedLine& line = lines_.emplace_back();
  line.raw = raw;
  if (is_padded(raw) || (has_controls_ && holds_controls(raw))) return;
  LogLine split;
  const LogLine* parsed = header_.again(raw);
  if (parsed == nullptr) {
    if (!header_.split(raw, split)) return;
    parsed = &split;
  }
  if (parsed->severity >= LogSeverity::warning) return;
  match_.line = parsed;
  line.kind = kinds_.find(parsed->body, LogSection::none, false, match_).kind;
  if (line.kind == nullptr) return;
  line.severity = parsed->severity;
  line.library = parsed->library;
  line.header_bytes = static_cast<std::uint8_t>(raw.size() - parsed->body.size());
  if (line.kind->apply == nullptr) return;  // nobody asks for its fields
  line.has_tactic = match_.tactic.has_value();
  if (line.has_tactic) line.tactic = *match_.tactic;
  line.first_field = static_cast<std::uint32_t>(fields_.size());
  line.fields = static_cast<std::uint8_t>(match_.fields);
  for (std::size_t i = 0; i < match_.fields; ++i) {
    const std::string_view field = match_.field[i];
    PreparedField& place = fields_.emplace_back();
    if (field.empty()) continue;  // of no text, perhaps
    place.begin = static_cast<std::uint32_t>(field.data() - text_.data());
    place.bytes = static_cast<std::uint32_t>(field.size());
  }
}

}  // namespace trtlens
