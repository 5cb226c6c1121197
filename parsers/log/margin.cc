#include "parsers/log/margin.h"

#include <algorithm>

#include "parsers/log/producer_header.h"

namespace trtlens {
namespace {

constexpr auto kNone = std::string_view::npos;

std::size_t behind_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && header::digit(text[at])) ++at;
  return at;
}

bool is_of_name(char c) {
  return header::digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '_' || c == '.';
}

// Where `line` goes on behind `text`, any number being any other. A line that was stripped of its
// trailing blanks ends inside the last ones of `text`.
std::size_t match(std::string_view text, std::string_view line) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at == line.size()) return text.find_first_not_of(' ', i) == kNone ? at : 0;
    if (header::digit(text[i])) {
      const std::size_t end = behind_digits(line, at);
      if (end == at) return 0;
      at = end;
      i = behind_digits(text, i);
    } else {
      if (text[i] != line[at]) return 0;
      ++i;
      ++at;
    }
  }
  return at;
}

}  // namespace

void Margin::learn(std::string_view text, bool is_sure) {
  const bool again = state_ != State::none && match(text_, text) == text.size();
  state_ = is_sure || again ? State::known : State::seen;
  if (!again) text_ = text;
}

std::size_t Margin::bytes_in(std::string_view line) const {
  return state_ == State::known ? match(text_, line) : 0;
}

std::size_t wrapper_bytes(std::string_view line) {
  std::size_t name = 0;
  while (name < line.size() && is_of_name(line[name])) ++name;
  const std::size_t bar = std::min(line.find_first_not_of(' ', name), line.size());
  if (name > 0 && line.substr(bar, 2) == "| ") return bar + 2;
  if (line.substr(0, 5) == "[pod/") {
    const std::size_t end = line.find("] ");
    return end == kNone ? 0 : end + 2;
  }
  // "May  1 12:00:00 ": three letters, a day, a clock.
  if (name != 3 || line.size() < 16 || !header::has_shape(line.substr(5), "0 00:00:00 ")) return 0;
  const std::size_t host = line.find(' ', 16);
  const std::size_t tag = host == kNone ? kNone : line.find(": ", host);
  const bool is_tag = tag != kNone && line.substr(host + 1, tag - host).find(' ') == kNone;
  return is_tag ? tag + 2 : 0;
}

}  // namespace trtlens
