#include "parsers/log/prepared_lines.h"

#include "parsers/log/framing/plain_text.h"

namespace trtlens {

inline void PreparedChunk::prepare_line(std::string_view raw) {
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
  if (fields_.size() < known_fields_ + Match::kMaxFields) {
    fields_.resize(2 * fields_.size() + Match::kMaxFields);
  }
  match_.field = fields_.data() + known_fields_;
  match_.line = parsed;
  line.kind = kinds_.find_usual(parsed->body, match_);
  if (line.kind == nullptr) return;
  line.severity = parsed->severity;
  line.library = parsed->library;
  line.header_bytes = static_cast<std::uint8_t>(raw.size() - parsed->body.size());
  if (line.kind->apply == nullptr) return;  // nobody asks for its fields
  line.has_tactic = match_.tactic.has_value();
  if (line.has_tactic) line.tactic = *match_.tactic;
  line.first_field = static_cast<std::uint32_t>(known_fields_);
  line.fields = static_cast<std::uint8_t>(match_.fields);
  known_fields_ += match_.fields;
}

void PreparedChunk::prepare(std::string_view text) {
  text_ = text;
  head_ = text;
  lines_.clear();
  known_fields_ = 0;
  has_controls_ = false;
  bool is_first = true;
  const auto take = [&](std::string_view raw) {
    if (is_first) {
      is_first = false;
      head_ = text.substr(0, raw.size() + 1);
      return;
    }
    if (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);
    prepare_line(raw);
  };
  const auto piece = [&] { has_controls_ = ends_.has_controls(); };
  const std::size_t whole = ends_.split(text, piece, take);
  tail_ = is_first ? std::string_view() : text.substr(whole);
}

}  // namespace trtlens
