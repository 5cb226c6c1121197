// Learns a margin from lines with a header, and drops it when lines contradict it.
#include "parsers/log/framing/margin.h"

#include <algorithm>

#include "parsers/log/framing/plain_text.h"
#include "parsers/log/framing/producer_header.h"

namespace trtlens {
namespace {

std::size_t behind_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

bool is_of_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.';
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(' ', at), text.size());
}

// Where `line` goes on behind `text`, any number being any other, with the blanks that pad it. A
// line that was stripped of its trailing blanks ends inside the last ones of `text`.
std::size_t match(std::string_view text, std::string_view line) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t number = behind_blanks(text, i);
    if (at == line.size()) return number == text.size() ? at : 0;
    if (number < text.size() && is_digit(text[number])) {
      const std::size_t begin = behind_blanks(line, at);
      at = behind_digits(line, begin);
      if (at == begin) return 0;
      i = behind_digits(text, number);
    } else {
      if (text[i] != line[at]) return 0;
      ++i;
      ++at;
    }
  }
  return at;
}

// "2024-05-01T12:00:00.123+02:00 ".
std::size_t clock_bytes(std::string_view line) {
  constexpr std::size_t kTimeAt = 11;  // behind the date and what parts them
  if (line.size() < kTimeAt || !header::has_shape(line, "0000-00-00") ||
      !header::has_shape(line.substr(kTimeAt), "00:00:00")) {
    return 0;
  }
  const std::size_t end = std::min(line.find_first_not_of("0123456789.,:+-Z", 19), line.size());
  return line.substr(end, 1) == " " ? end + 1 : 0;
}

// "[12:00:00] ", "[12:00:00.123] ", "[2024-05-01 12:00:00.123] " in front of the letter for a
// level.
std::size_t bracketed_clock_bytes(std::string_view line) {
  if (line.size() < sizeof "[00:00:00] [E] " - 1 || line[0] != '[') return 0;
  const std::size_t time = header::has_shape(line.substr(1), "0000-00-00") ? 12 : 1;
  if (!header::has_shape(line.substr(std::min(time, line.size())), "00:00:00")) return 0;
  const std::size_t end = std::min(line.find_first_not_of("0123456789.,", time + 8), line.size());
  const std::string_view rest = line.substr(end);
  const bool has_letter =
      rest.size() >= 6 && rest.substr(0, 3) == "] [" && rest[4] == ']' && rest[5] == ' ';
  return has_letter ? end + 2 : 0;
}

// "May  1 12:00:00 ": three letters, a day, a clock.
constexpr std::size_t kSyslogTime = 16;
bool begins_with_syslog_time(std::string_view line) {
  constexpr std::size_t kName = 3;
  return line.size() >= kSyslogTime && is_of_name(line[0]) && is_of_name(line[1]) &&
         is_of_name(line[2]) && !is_of_name(line[kName]) &&
         header::has_shape(line.substr(5), "0 00:00:00 ");
}

// "12:" in front of a header, "    12\t".
std::size_t number_bytes(std::string_view line) {
  const std::size_t begin = behind_blanks(line, 0);
  const std::size_t end = behind_digits(line, begin);
  if (end == begin || end >= line.size()) return 0;
  if (line[end] == '\t') return end + 1;
  const std::size_t next = behind_blanks(line, end + 1);
  return line[end] == ':' && next < line.size() && !is_digit(line[next]) ? next : 0;
}

}  // namespace

void Margin::learn(std::string_view text, bool is_sure) {
  is_none_ = false;
  if (is_known_ && match(text_, text) == text.size()) return;
  const bool again = has_candidate_ && match(candidate_, text) == text.size();
  has_candidate_ = !is_sure && !again;
  if (has_candidate_) {
    candidate_ = text;
    return;
  }
  text_ = text;
  is_known_ = true;
  marks_all_ = false;
}

std::size_t Margin::bytes_in(std::string_view line) const {
  return is_known_ ? match(text_, line) : 0;
}

bool is_sure_wrapper(std::string_view front) {
  return wrapper_bytes(front) == front.size() &&
         std::any_of(front.begin(), front.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '|'; });
}

std::size_t wrapper_bytes(std::string_view line) {
  std::size_t name = 0;
  while (name < line.size() && is_of_name(line[name])) ++name;
  const std::size_t bar = std::min(line.find_first_not_of(' ', name), line.size());
  if (name > 0 && line.substr(bar, 2) == "| ") return bar + 2;
  if (line.substr(0, 5) == "[pod/") {
    const std::size_t end = line.find("] ");
    return end == kNowhere ? 0 : end + 2;
  }
  if (const std::size_t clock = clock_bytes(line); clock > 0) return clock;
  if (const std::size_t clock = bracketed_clock_bytes(line); clock > 0) return clock;
  if (const std::size_t syslog = syslog_bytes(line); syslog > 0) return syslog;
  return begins_with_syslog_time(line) ? kSyslogTime : number_bytes(line);
}

std::size_t syslog_bytes(std::string_view line) {
  if (!begins_with_syslog_time(line)) return 0;
  const std::size_t host = line.find(' ', kSyslogTime);
  const std::size_t tag = host == kNowhere ? kNowhere : line.find(": ", host);
  const bool is_tag = tag != kNowhere && line.substr(host + 1, tag - host).find(' ') == kNowhere;
  const bool is_host = host != kNowhere && line.substr(kSyslogTime, 1) != "[";
  return is_tag && is_host ? tag + 2 : 0;
}

}  // namespace trtlens
