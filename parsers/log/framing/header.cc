// Splits a line at its header, in any order of its parts; remembers the last one as a short cut.
#include "parsers/log/framing/header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "parsers/log/framing/library_text.h"
#include "parsers/log/framing/plain_text.h"
#include "parsers/log/framing/producer_header.h"
#include "parsers/text/eight_bytes.h"
#include "parsers/text/encoding.h"

namespace trtlens {
namespace {

using header::has_shape;
using header::take;
using header::take_blanks;

// samples/common/logging.h: "[MM/DD/YYYY-HH:MM:SS] "
constexpr std::string_view kStamp = "[00/00/0000-00:00:00]";

bool starts_with_stamp(std::string_view text) {
  return has_shape(text, kStamp);
}

bool starts_with_verdict(std::string_view text) {
  return text.substr(0, 5) == "&&&& ";
}

// The samples logger: {stamp} severity [ "[TRT] " ]; severity alone in a stderr capture of ≤ 8.0.
// A stdout capture of ≤ 8.0 lacks the warnings but has their stamps, in front of whatever followed.
bool take_samples(std::string_view& text, LogLine& line) {
  bool stamped = false;
  while (starts_with_stamp(text)) {
    text.remove_prefix(kStamp.size());
    take(text, " ");
    stamped = true;
  }
  const LogSeverity severity = header::take_letter(text);
  if (severity != LogSeverity::unknown) {
    line.severity = severity;
    line.own = true;
    line.library = take(text, "[TRT] ") || take(text, "[TRT]");
    if (stamped) line.producer = Producer::trtexec;
    return true;
  }
  if (!stamped) return false;
  if (starts_with_verdict(text)) {
    line.own = line.verdict = true;
  } else if (!header::take_tag(text, line) && !header::take_foreign(text, line)) {
    line.own = text.find_first_not_of(' ') == kNowhere;
    if (!line.own) line.severity = LogSeverity::info;
  }
  return true;
}

bool take_header(std::string_view& text, LogLine& line) {
  if (starts_with_verdict(text)) {
    line.own = line.verdict = true;
    return true;
  }
  return take_samples(text, line) || header::take_producer(text, line);
}

// What CI systems, terminals and quotes put in front of every line, header or not:
// "#12 34.51 " (docker buildkit), "2024-05-21T14:00:34.1234567Z " (GitHub Actions),
// "2023-12-04_08:50:01#" (MobaXterm), "Nov 20 10:00:00 host app[77]: " (journald), "> " and ">> "
// (a quoted reply). Returns how many bytes to skip.
std::size_t sure_decoration(std::string_view text) {
  constexpr std::size_t kMostMarks = 3;  // ">>>>>>>>>>>>>>> Chose Runner Type: " is TensorRT's
  std::size_t at = 0;
  while (at < text.size() && text[at] == '>') {
    const std::size_t end = std::min(text.find_first_not_of('>', at), text.size());
    if (end - at > kMostMarks || (end < text.size() && text[end] != ' ')) break;
    at = std::min(end + 1, text.size());
  }
  const auto digits = [&](std::size_t i) {
    while (i < text.size() && is_digit(text[i])) ++i;
    return i;
  };
  const std::string_view rest = text.substr(at);
  if (has_shape(rest, "#0")) {
    const std::size_t step = digits(at + 1);
    const std::size_t dot = step < text.size() && text[step] == ' ' ? digits(step + 1) : step;
    const std::size_t end = dot < text.size() && text[dot] == '.' ? digits(dot + 1) : dot;
    if (end > dot && end < text.size() && text[end] == ' ') at = end + 1;
  } else if (has_shape(rest, "0000-00-00T00:00:00.0")) {
    const std::size_t end = digits(at + 20);
    const std::string_view zone = text.substr(end, 2);
    if (zone == "Z " || zone == "Z\t") at = end + 2;
  } else if (has_shape(rest, "0000-00-00_00:00:00#")) {
    at += 20;
  } else {
    at += syslog_bytes(rest);
  }
  return at;
}

// A verdict line deep inside prose is not one; only a time, a quote or the header of a logger may
// stand before it.
bool may_precede_verdict(std::string_view before, std::string_view verdict) {
  if (has_shape(before, "0000-00-00") || wrapper_bytes(before) == before.size()) return true;
  // The whole first line of a run behind a separator.
  constexpr std::string_view kRunning = "&&&& RUNNING TensorRT.trtexec [TensorRT v";
  const std::string_view last =
      before.substr(before.size() - std::min<std::size_t>(before.size(), 2));
  const bool is_separated = last == "] " || last == "| " || last == "> " || last == ": ";
  if (is_separated && verdict.substr(0, kRunning.size()) == kRunning) return true;
  return std::none_of(before.begin(), before.end(),
                      [](char c) { return is_letter(c) && c != 'T' && c != 'Z'; });
}

// Where trtexec's line begins behind something that nobody knows; 0: nowhere.
std::size_t any_decoration(std::string_view text) {
  constexpr std::size_t kMostBytes = 96;
  const std::string_view window = text.substr(0, kMostBytes);
  for (std::size_t i = window.find('[', 1); i != kNowhere; i = window.find('[', i + 1)) {
    if (starts_with_stamp(text.substr(i))) return i;
  }
  if (const std::size_t i = window.find("&&&& ", 1); i != kNowhere) {
    return may_precede_verdict(text.substr(0, i), text.substr(i)) ? i : 0;
  }
  return wrapper_bytes(text);
}

// Whether `header` names TensorRT: what others print behind theirs may be anybody's.
bool names_tensorrt(std::string_view header) {
  constexpr std::array<std::string_view, 5> kNames = {"[TensorRT]", "[TRT]", "[Torch-TensorRT",
                                                      "[TRTorch", ":torch_tensorrt ["};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return header.find(name) != kNowhere; });
}

// Where a header begins behind something that nobody knows, when it names TensorRT or its words
// follow; 0: nowhere.
std::size_t tagged_header(std::string_view text) {
  constexpr std::size_t kMostBytes = 96;
  const std::size_t end = std::min(text.size(), kMostBytes);
  for (std::size_t i = 1; i < end; ++i) {
    const char before = text[i - 1];
    if (before != ' ' && before != '\t' && before != ':' && before != '>') continue;
    std::string_view rest = text.substr(i);
    // Anybody's logger may have letters, and short words in its errors; Polygraphy's first line
    // says what it runs.
    const LogSeverity letter = header::take_letter(rest);
    if (letter != LogSeverity::unknown) {
      const bool is_quiet = letter < LogSeverity::warning && begins_as_library(rest);
      if (is_quiet || begins_polygraphy(rest)) return i;
      continue;
    }
    LogLine line;
    if (!header::take_producer(rest, line)) continue;
    // "[TRT] text" is a tag, as guess_tag() knows; Polygraphy's letters are short.
    if (is_tag(line.producer) || line.producer == Producer::polygraphy) return 0;
    const std::string_view header = text.substr(i, text.size() - i - rest.size());
    if (names_tensorrt(header) || begins_as_library(rest)) return i;
  }
  return 0;
}

// "[2023-12-25 12:50:15][Error]", "[ERROR] [1701369293.026835734] ": the last brackets that hold
// the word for a level.
LogSeverity last_bracketed_word(std::string_view text) {
  constexpr int kMostBrackets = 3;
  for (int n = 0; n < kMostBrackets; ++n) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    const std::size_t open = text.rfind('[');
    if (open == kNowhere || text.back() != ']') break;
    const LogSeverity level = severity_of_word(text.substr(open + 1, text.size() - open - 2));
    if (level != LogSeverity::unknown) return level;
    text = text.substr(0, open);
  }
  return LogSeverity::unknown;
}

// "TRT ERROR: text", as Isaac ROS prints behind its own header.
void take_isaac(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  if (!take(rest, "TRT ")) return;
  const std::size_t end = std::min(rest.find(": "), rest.size());
  const LogSeverity level = severity_of_word(rest.substr(0, end));
  if (level == LogSeverity::unknown) return;
  if (line.severity == LogSeverity::unknown) line.severity = level;
  rest.remove_prefix(std::min(end + 2, rest.size()));
  text = rest;
}

// Somebody's own header in front of a library message: TensorRT's, though its parts are not known.
bool guess_tag(std::string_view& text, LogLine& line) {
  const std::size_t tag = text.find("[TRT]");
  const std::size_t old_tag = text.find("[TensorRT]");
  if (tag == kNowhere && old_tag == kNowhere) return false;
  line.own = line.library = line.guessed = true;
  if (tag == kNowhere) {
    text.remove_prefix(old_tag + 10);
  } else {
    // "[component-1] [W] [TRT] text", "[12:50:15][Error][TRT] text", "app[7]: [TRT] [W] text"
    std::string_view before = tag < 4 ? std::string_view() : text.substr(tag - 4, 4);
    line.severity = header::take_letter(before);
    if (line.severity == LogSeverity::unknown) {
      line.severity = last_bracketed_word(text.substr(0, tag));
    }
    text.remove_prefix(tag + 5);
    std::string_view behind = text.substr(std::min<std::size_t>(text.size(), 1));
    if (line.severity == LogSeverity::unknown) {
      line.severity = header::take_letter(behind);
      if (line.severity != LogSeverity::unknown) text = behind;
    }
  }
  take(text, ":");
  take_blanks(text);
  take_isaac(text, line);
  if (line.severity == LogSeverity::unknown && text.find("Error Code ") != kNowhere) {
    line.severity = LogSeverity::error;
  }
  return true;
}

// ---- bytes that are no text of the line ----

// End of the escape sequence at `at`: "ESC [ … letter", "ESC ] … BEL", "ESC letter".
std::size_t escape_end(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end >= text.size()) return text.size();
  if (text[end] == '[') {
    ++end;
    while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
  } else if (text[end] == ']') {
    while (end < text.size() && text[end] != '\a') ++end;
  }
  return std::min(end + 1, text.size());
}

// Takes escape sequences out of `text`, in place.
void strip_escapes(std::string& text) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i = escape_end(text, i);
    } else {
      text[out++] = text[i++];
    }
  }
  text.resize(out);
}

// Colours whose ESC a web page swallowed: "[38;5;11m[W] text[0m".
std::string_view without_dead_colours(std::string_view text) {
  while (text.size() > 3 && text[0] == '[' && is_digit(text[1])) {
    std::size_t end = 1;
    while (end < text.size() && (is_digit(text[end]) || text[end] == ';')) ++end;
    if (end >= text.size() || text[end] != 'm') break;
    text.remove_prefix(end + 1);
    if (text.size() >= 3 && text.substr(text.size() - 3) == "[0m") text.remove_suffix(3);
  }
  return text;
}

// A line of a notebook's output: `    "[07/25/2022-16:42:23] [I] text\n",`. Empty: it is none.
std::string_view string_of_notebook(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == kNowhere || text[begin] != '"') return {};
  if (text.back() == ',') text.remove_suffix(1);
  if (text.size() < begin + 2 || text.back() != '"') return {};
  text = text.substr(begin + 1, text.size() - begin - 2);
  if (text.size() >= 2 && text.substr(text.size() - 2) == "\\n") {
    return text.substr(0, text.size() - 2);
  }
  // The last line of an output has no "\n".
  return text.substr(0, 1) == "[" || starts_with_verdict(text) ? text : std::string_view();
}

// "\\u001e" at `at`; -1: it is none.
int utf16_unit(std::string_view text, std::size_t at) {
  int unit = 0;
  if (text.substr(at, 2) != "\\u" || text.size() < at + 6) return -1;
  const char* end = text.data() + at + 6;
  const auto [stop, error] = std::from_chars(text.data() + at + 2, end, unit, 16);
  return error == std::errc() && stop == end ? unit : -1;
}

// Appends the character of the escape at `at`, which may be the first of a pair. Returns its
// bytes.
std::size_t take_utf16_escape(std::string_view text, std::size_t at, std::string& out) {
  const int first = utf16_unit(text, at);
  if (first < 0) return 0;
  const bool is_half = first >= 0xD800 && first < 0xE000;
  const int second = is_half && first < 0xDC00 ? utf16_unit(text, at + 6) : -1;
  if (second >= 0xDC00 && second < 0xE000) {
    const int code = 0x10000 + ((first - 0xD800) << 10) + second - 0xDC00;
    json_detail::append_utf8(out, static_cast<std::uint32_t>(code));
    return 12;
  }
  json_detail::append_utf8(out, is_half ? 0xFFFD : static_cast<std::uint32_t>(first));
  return 6;
}

void unescape_json(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out.push_back(text[i]);
    } else if (const std::size_t bytes = take_utf16_escape(text, i, out); bytes > 0) {
      i += bytes - 1;
    } else {
      ++i;
      out.push_back(text[i] == 't' ? '\t' : text[i] == 'r' ? '\r' : text[i]);
    }
  }
}

std::string_view text_of(std::string_view raw, std::string& scratch) {
  // A log that was truncated while it was written begins with NULs.
  if (!raw.empty() && raw.front() == '\0') {
    raw.remove_prefix(std::min(raw.find_first_not_of('\0'), raw.size()));
  }
  // U+FEFF at the start of a file that an editor or PowerShell saved.
  take(raw, "\xEF\xBB\xBF");
  if (raw.empty()) return raw;
  const bool quoted = raw.front() == '"' || raw.front() == ' ';
  const std::string_view inner = quoted ? string_of_notebook(raw) : std::string_view();
  if (inner.data() != nullptr) {
    unescape_json(inner, scratch);
    strip_escapes(scratch);
    return scratch;
  }
  if (std::memchr(raw.data(), '\x1b', raw.size()) != nullptr) {
    scratch = raw;
    strip_escapes(scratch);
    return scratch;
  }
  return without_dead_colours(raw);
}

}  // namespace

const char* to_string(Producer producer) {
  static constexpr std::array kNames = {
      "unknown",      "trtexec",        "python",       "polygraphy", "onnxruntime",
      "triton",       "torch_tensorrt", "deepstream",   "tao",        "jetson_inference",
      "tensorrt_rtx", "edge_llm",       "tensorrt_llm", "tensorflow", "unknown"};
  static_assert(kNames.size() == static_cast<std::size_t>(Producer::tag) + 1);
  return kNames[static_cast<std::size_t>(producer)];
}

void PlainHeader::remember(const LogLine& line) {
  bytes_ = line.raw.size() - line.body.size();
  // A header without the last blank ends its line. A warning's is not worth it.
  if (bytes_ > header_.size() || line.raw[bytes_ - 1] != ' ' ||
      line.severity >= LogSeverity::warning) {
    bytes_ = 0;
  }
  std::memcpy(header_.data(), line.raw.data(), bytes_);
  last_ = line;
}

bool PlainHeader::split(std::string_view raw, LogLine& line) {
  static_assert(kStamp.size() == kStampBytes);
  if (raw.size() <= kStamp.size() || raw[kStamp.size()] != ' ') return false;
  const bool known = bytes_ != 0 && std::memcmp(raw.data(), header_.data(), kStampBytes) == 0;
  if (!known && !starts_with_stamp(raw)) return false;
  line.body = raw.substr(kStamp.size() + 1);
  line.severity = header::take_letter(line.body);
  if (line.severity == LogSeverity::unknown) return false;
  line.raw = raw;
  line.library = take(line.body, "[TRT] ") || take(line.body, "[TRT]");
  line.producer = Producer::trtexec;
  line.own = true;
  line.verdict = line.guessed = false;
  remember(line);
  return true;
}

LogLine split_header(std::string_view raw, std::string& scratch, const Margin* margin) {
  LogLine line;
  raw = text_of(raw, scratch);
  line.raw = line.body = raw;
  if (take_header(line.body, line)) return line;
  const auto takes_behind = [&](std::size_t bytes) {
    std::string_view text = raw.substr(bytes);
    if (bytes == 0 || !take_header(text, line)) return false;
    line.body = text;
    line.decoration = bytes;
    return true;
  };
  const std::size_t sure = sure_decoration(raw);
  const std::size_t blanks = std::min(raw.find_first_not_of(" \t", sure), raw.size());
  if (takes_behind(blanks)) {
    line.indentation = raw.substr(sure, blanks - sure);
    return line;
  }
  if (takes_behind(any_decoration(raw))) return line;
  const std::size_t known = margin != nullptr ? margin->bytes_in(raw) : 0;
  if (takes_behind(known)) {
    line.has_margin = true;
    return line;
  }
  const bool may_be_behind = margin == nullptr || !margin->is_none();
  if (may_be_behind && takes_behind(tagged_header(raw))) return line;
  line.raw = line.body = raw.substr(std::max(sure, known));
  line.has_margin = known > 0;
  if (!guess_tag(line.body, line)) static_cast<void>(header::take_foreign(line.body, line));
  return line;
}

std::size_t stamp_inside(std::string_view body) {
  constexpr std::size_t kLeast = kStamp.size() + sizeof " [E]" - 1;
  if (body.size() < kLeast) return kNowhere;
  const std::string_view starts = body.substr(0, body.size() - kLeast + 1);
  for (std::size_t at = starts.find('['); at != kNowhere; at = starts.find('[', at + 1)) {
    if (!is_digit(body[at + 1])) continue;
    std::string_view rest = body.substr(at);
    if (!starts_with_stamp(rest)) continue;
    rest.remove_prefix(kStamp.size());
    if (take(rest, " ") && header::take_letter(rest) != LogSeverity::unknown) return at;
  }
  return kNowhere;
}

std::size_t glued_message(std::string_view line) {
  constexpr std::size_t kLeast = 28;  // of a header and its message
  if (line.size() < kLeast) return kNowhere;
  std::size_t at = stamp_inside(line.substr(kLeast));
  if (at == kNowhere) return kNowhere;
  at += kLeast;
  const auto is_behind_blank = [line](std::size_t stamp) { return line[stamp - 1] == ' '; };
  if (!is_behind_blank(at)) return kNowhere;
  const bool ends_sentence = std::string_view(".)!\"").find(line[at - 2]) != kNowhere;
  if (ends_sentence) return at;
  const std::size_t next = stamp_inside(line.substr(at + 1));
  return next != kNowhere && is_behind_blank(at + 1 + next) ? at : kNowhere;
}

}  // namespace trtlens
