// Tells logs from JSON, also a log inside a JSON string or a notebook.
#include "parsers/text/sniff.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "parsers/text/encoding.h"

namespace trtlens {
namespace {

using json_detail::skip_blanks;

constexpr std::size_t kMaxSniffed = 4096;

bool starts_with_list_item(std::string_view text);
bool starts_with_member(std::string_view text);

// `[]` and `[10]` followed by prose are no JSON.
bool is_after_list(std::string_view rest) {
  rest = skip_blanks(rest);
  if (rest.empty() || rest.front() == ',' || rest.front() == ']' || rest.front() == '}')
    return true;
  while (rest.substr(0, 1) == "[") {
    rest = skip_blanks(rest.substr(1));
    if (rest.empty()) return true;
    if (rest.front() != '[' && rest.front() != '{') return starts_with_list_item(rest);
  }
  return rest.front() == '{' && starts_with_member(rest.substr(1));
}

// `[1,0]<stdout>: text`: what closes on its line is followed by what may follow a list.
bool is_delimiter(std::string_view rest) {
  rest = skip_blanks(rest);
  if (rest.empty()) return true;
  if (rest.front() != ',' && rest.front() != ']') return false;
  const std::size_t end = rest.find_first_of("]\n[{\"");
  if (end == std::string_view::npos || rest[end] != ']') return true;
  return is_after_list(rest.substr(end + 1));
}

// `[1, 2]` is a list, `[07/07/2026-02:11:00]`, `[1/6]` and `[2024-05-01, 12:00:00 UTC]` begin a
// line of a log.
bool starts_with_number(std::string_view text) {
  const std::size_t end = text.find_first_not_of("+-.0123456789eE");
  if (end == 0 || text.find_first_of("0123456789") >= end) return false;
  for (std::size_t i = 1; i < std::min(end, text.size()); ++i) {
    if ((text[i] == '-' || text[i] == '+') && text[i - 1] != 'e' && text[i - 1] != 'E')
      return false;
  }
  return end == std::string_view::npos || is_delimiter(text.substr(end));
}

bool starts_with_word(std::string_view text) {
  for (std::string_view word : {"true", "false", "null", "nan", "-nan", "NaN"}) {
    if (text.substr(0, word.size()) == word) return is_delimiter(text.substr(word.size()));
  }
  return false;
}

bool starts_with_list_item(std::string_view text) {
  text = skip_blanks(text);
  if (text.empty() || text.front() == '"') return true;
  if (text.front() == ']') return is_after_list(text.substr(1));
  return starts_with_number(text) || starts_with_word(text);
}

bool starts_with_member(std::string_view text) {
  text = skip_blanks(text);
  return text.empty() || text.front() == '"' || text.front() == '}';
}

// `"conv0"` on a line of its own, then `{"Name": …`: layers copied out of a list by hand.
std::string_view skip_bare_strings(std::string_view text) {
  while (!text.empty() && text.front() == '"') {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    const std::size_t last = text.substr(0, end).find_last_not_of(" \t\r,");
    if (last == 0 || text[last] != '"') return {};
    text = skip_blanks(text.substr(end));
  }
  return text;
}

bool is_notebook(std::string_view text) {
  const auto has = [text](std::string_view key) { return text.find(key) != text.npos; };
  return has("\"nbformat\"") || (has("\"cells\"") && has("\"cell_type\""));
}

// The member that holds the text of a logger's record on the first line: of docker and fluent-bit,
// zap and slog, most structured loggers, journald, Google Cloud, Loki. Empty: it is no record.
std::string_view text_key(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const std::size_t last = line.find_last_not_of(" \t\r");
  if (line.empty() || line.front() != '{' || line[last] != '}') return {};
  // A line of a logger in front of an export makes no log of it.
  if (skip_blanks(text.substr(line.size())).substr(0, 1) == "[") return {};
  for (const std::string_view key : {"log", "msg", "message", "MESSAGE", "textPayload", "line"}) {
    const std::string member = "\"" + std::string(key) + "\":";
    const std::size_t at = line.find(member);
    if (at == line.npos) continue;
    if (skip_blanks(line.substr(at + member.size())).substr(0, 1) == "\"") return key;
  }
  return {};
}

}  // namespace

std::string log_in_json(std::string_view first_bytes) {
  if (!looks_like_json(first_bytes)) return {};
  const std::string_view text = skip_blanks(json_detail::without_bom(first_bytes));
  if (text.empty() || text.front() != '{') return {};
  if (is_notebook(text)) {
    return "a Jupyter notebook, no log: jq -j '.cells[].outputs[]?.text[]?' FILE | trtlens "
           "analyze -";
  }
  const std::string_view key = text_key(text);
  if (key.empty()) return {};
  // Docker keeps the line ends, and cuts long lines.
  return "records of a logger, no log: jq -" + std::string(key == "log" ? "j" : "r") + " ." +
         std::string(key) + " FILE | trtlens analyze -";
}

bool looks_like_json(std::string_view first_bytes) {
  using json_detail::Encoding;
  std::string_view text = first_bytes.substr(0, kMaxSniffed);
  const Encoding encoding = json_detail::encoding_of(text);
  std::string converted;
  if (encoding == Encoding::utf8_bom) text.remove_prefix(3);
  if (encoding == Encoding::utf16_le || encoding == Encoding::utf16_be) {
    converted = json_detail::utf8_of_utf16(text, encoding);
    text = json_detail::without_bom(converted);
  }
  const std::size_t last = text.find_last_not_of('\0');
  text = skip_blanks(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
  if (!text.empty() && text.front() == '"') {
    text = skip_bare_strings(text);
    return text.substr(0, 1) == "{" && skip_blanks(text.substr(1)).substr(0, 1) == "\"";
  }
  if (text.empty() || (text.front() != '[' && text.front() != '{')) return false;
  while (!text.empty() && text.front() == '[') {
    text = skip_blanks(text.substr(1));
    if (text.empty() || (text.front() != '[' && text.front() != '{')) {
      return starts_with_list_item(text);
    }
  }
  return starts_with_member(text.substr(1));
}

}  // namespace trtlens
