#include "parsers/log/header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace trtlens {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}

// Matches `shape` at the start of `text`: '0' stands for a digit, anything else for itself.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? !digit(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

// samples/common/logging.h: "[MM/DD/YYYY-HH:MM:SS] "
constexpr std::string_view kStamp = "[00/00/0000-00:00:00]";

bool starts_with_stamp(std::string_view text) {
  return has_shape(text, kStamp);
}

LogSeverity severity_of_letter(char c) {
  switch (c) {
    case 'V':
      return LogSeverity::verbose;
    case 'I':
      return LogSeverity::info;
    case 'W':
      return LogSeverity::warning;
    case 'E':
      return LogSeverity::error;
    case 'F':
      return LogSeverity::internal_error;
    default:
      return LogSeverity::unknown;
  }
}

struct Word {
  std::string_view word;
  LogSeverity severity;
};
constexpr std::array<Word, 9> kWords = {{{"INTERNAL ERROR", LogSeverity::internal_error},
                                         {"INTERNAL_ERROR", LogSeverity::internal_error},
                                         {"ERROR", LogSeverity::error},
                                         {"WARNING", LogSeverity::warning},
                                         {"WARN", LogSeverity::warning},
                                         {"INFO", LogSeverity::info},
                                         {"VERBOSE", LogSeverity::verbose},
                                         {"DEBUG", LogSeverity::verbose},
                                         {"TRACE", LogSeverity::verbose}}};

// Takes a severity word from the start of `text`.
LogSeverity take_word(std::string_view& text) {
  for (const Word& w : kWords) {
    if (text.substr(0, w.word.size()) == w.word) {
      text.remove_prefix(w.word.size());
      return w.severity;
    }
  }
  return LogSeverity::unknown;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void take_blanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

// "[V] " or "[V]" at the end of the line.
LogSeverity take_letter(std::string_view& text) {
  if (text.size() < 3 || text[0] != '[' || text[2] != ']') return LogSeverity::unknown;
  const LogSeverity severity = severity_of_letter(text[1]);
  if (severity == LogSeverity::unknown) return severity;
  if (text.size() > 3 && text[3] != ' ') return LogSeverity::unknown;
  text.remove_prefix(text.size() > 3 ? 4 : 3);
  return severity;
}

// What CI systems, terminals and quotes put in front. Returns how many bytes to skip.
std::size_t decoration(std::string_view text) {
  const std::size_t window = std::min<std::size_t>(text.size(), 64);
  for (std::size_t i = 0; i < window; ++i) {
    if (text[i] == '[' && starts_with_stamp(text.substr(i))) return i;
    if (text[i] == '&' && text.substr(i, 5) == "&&&& ") {
      // A verdict line deep inside prose is not one; only a time or a quote may stand before it.
      const std::string_view before = text.substr(0, i);
      for (const char c : before) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0 && c != 'T' && c != 'Z') return 0;
      }
      return i;
    }
  }
  return 0;
}

// "[2022-11-08 06:01:58 WARNING] text", also behind ONNX Runtime's own header.
bool iso_header(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  bool ort = false;
  const std::size_t inner = rest.find("] [20");
  if (inner < 200 && rest.find("onnxruntime") < inner) {
    rest.remove_prefix(inner + 2);
    ort = true;
  }
  if (!has_shape(rest, "[0000-00-00 00:00:00 ")) return false;
  rest.remove_prefix(21);
  take_blanks(rest);
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown || !take(rest, "]")) return false;
  take(rest, " ");
  line.severity = severity;
  line.producer = ort ? Producer::onnxruntime : Producer::python;
  line.own = line.library = true;
  text = rest;
  return true;
}

// "I0829 03:48:41.018076 1161 logging.cc:46] text" (glog, as Triton prints it).
bool glog_header(std::string_view& text, LogLine& line) {
  if (text.size() < 30) return false;
  const LogSeverity severity = severity_of_letter(text[0]);
  if (severity == LogSeverity::unknown || !has_shape(text.substr(1), "0000 00:00:00.000000 ")) {
    return false;
  }
  const std::size_t end = text.find("] ");
  if (end > 120) return false;
  if (text.substr(0, end).find("logging.cc:") == std::string_view::npos) return false;
  line.severity = severity;
  line.producer = Producer::triton;
  line.own = line.library = true;
  text.remove_prefix(end + 2);
  return true;
}

// "[TensorRT] INFO: text" (Python ≤ 8.0), "[TRT] [I] text" (Python 8.2+), "[TRT]    text" (jetson).
bool bracket_header(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  if (take(rest, "[TensorRT] ")) {
    const LogSeverity severity = take_word(rest);
    if (severity == LogSeverity::unknown || !take(rest, ":")) return false;
    take(rest, " ");
    line.severity = severity;
    line.producer = Producer::python;
  } else if (take(rest, "[TRT]")) {
    take(rest, " ");
    const LogSeverity severity = take_letter(rest);
    if (severity != LogSeverity::unknown) {
      line.severity = severity;
      line.producer = Producer::python;
    } else {
      take_blanks(rest);
      line.severity = LogSeverity::info;
      line.producer = Producer::jetson_inference;
    }
  } else {
    return false;
  }
  line.own = line.library = true;
  text = rest;
  return true;
}

// "INFO: [TRT]: text", "DEBUG: [Torch-TensorRT…] - text", "INFO:torch_tensorrt [… Context]:text",
// "[21:38:19.610] [INFO] [TensorRT] text", "[INFO] [MemUsageChange] text" (TAO).
bool word_header(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  if (has_shape(rest, "[00:00:00.000] ")) rest.remove_prefix(15);
  const bool bracketed = take(rest, "[");
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown) return false;
  Producer producer = Producer::unknown;
  if (bracketed) {
    if (!take(rest, "] ")) return false;
    if (take(rest, "[TensorRT] ")) {
      producer = Producer::edge_llm;
    } else if (rest.substr(0, 4) == "[Mem") {
      producer = Producer::tao;
    } else {
      return false;
    }
  } else if (take(rest, ": [TRT]: ")) {
    producer = Producer::deepstream;
  } else if (rest.substr(0, 9) == ": [Torch-" || rest.substr(0, 9) == ": [TRTorc") {
    const std::size_t end = rest.find("] - ");
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 4);
    producer = Producer::torch_tensorrt;
  } else if (rest.substr(0, 15) == ":torch_tensorrt") {
    const std::size_t end = rest.find("]:");
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + 2);
    producer = Producer::torch_tensorrt;
  } else {
    return false;
  }
  line.severity = severity;
  line.producer = producer;
  line.own = line.library = true;
  text = rest;
  return true;
}

// The samples logger: {stamp} severity [ "[TRT] " ]; severity alone in a stderr capture of ≤ 8.0.
bool samples_header(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  bool stamped = false;
  while (starts_with_stamp(rest)) {
    rest.remove_prefix(kStamp.size());
    take(rest, " ");
    stamped = true;
  }
  const LogSeverity severity = take_letter(rest);
  if (severity == LogSeverity::unknown) {
    if (!stamped) return false;
    if (!bracket_header(rest, line)) line.own = true;
    text = rest;
    return true;
  }
  line.severity = severity;
  line.own = true;
  line.library = take(rest, "[TRT] ") || take(rest, "[TRT]");
  if (stamped) line.producer = Producer::trtexec;
  text = rest;
  return true;
}

// "[X] text": Polygraphy's letter for TensorRT's verbose messages. Its other letters are those of
// the samples logger.
bool polygraphy_header(std::string_view& text, LogLine& line) {
  if (!take(text, "[X] ")) return false;
  line.severity = LogSeverity::verbose;
  line.producer = Producer::polygraphy;
  line.own = line.library = true;
  return true;
}

std::string_view without_controls(std::string_view raw, std::string& scratch) {
  if (std::memchr(raw.data(), '\x1b', raw.size()) == nullptr) return raw;
  scratch.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\x1b' && i + 1 < raw.size() && raw[i + 1] == '[') {
      i += 2;
      while (i < raw.size() && (raw[i] < '@' || raw[i] > '~')) ++i;
    } else {
      scratch.push_back(raw[i]);
    }
  }
  return scratch;
}

}  // namespace

const char* to_string(Producer producer) {
  switch (producer) {
    case Producer::trtexec:
      return "trtexec";
    case Producer::python:
      return "python";
    case Producer::polygraphy:
      return "polygraphy";
    case Producer::onnxruntime:
      return "onnxruntime";
    case Producer::triton:
      return "triton";
    case Producer::torch_tensorrt:
      return "torch_tensorrt";
    case Producer::deepstream:
      return "deepstream";
    case Producer::tao:
      return "tao";
    case Producer::jetson_inference:
      return "jetson_inference";
    case Producer::tensorrt_rtx:
      return "tensorrt_rtx";
    case Producer::edge_llm:
      return "edge_llm";
    case Producer::unknown:
      break;
  }
  return "unknown";
}

bool PlainHeader::split(std::string_view raw, LogLine& line) {
  constexpr std::size_t kSeverity = kStamp.size() + 1;
  constexpr std::size_t kText = kSeverity + 4;
  if (raw.size() < kText || raw[kStamp.size()] != ' ' || raw[kSeverity] != '[' ||
      raw[kSeverity + 2] != ']' || raw[kSeverity + 3] != ' ') {
    return false;
  }
  if (std::memcmp(raw.data(), stamp_.data(), stamp_.size()) != 0) {
    if (!starts_with_stamp(raw)) return false;
    std::memcpy(stamp_.data(), raw.data(), stamp_.size());
  }
  line.severity = severity_of_letter(raw[kSeverity + 1]);
  if (line.severity == LogSeverity::unknown) return false;
  line.raw = raw;
  line.body = raw.substr(kText);
  line.library = take(line.body, "[TRT] ") || take(line.body, "[TRT]");
  line.producer = Producer::trtexec;
  line.own = true;
  line.verdict = line.guessed = false;
  return true;
}

LogLine split_header(std::string_view raw, std::string& scratch) {
  LogLine line;
  raw = without_controls(raw, scratch);
  // U+FEFF at the start of a file that an editor or PowerShell saved.
  take(raw, "\xEF\xBB\xBF");
  line.raw = raw;
  std::string_view text = raw.substr(decoration(raw));
  if (text.substr(0, 5) == "&&&& ") {
    line.own = line.verdict = true;
    line.body = text;
    return line;
  }
  if (samples_header(text, line) || bracket_header(text, line) || iso_header(text, line) ||
      glog_header(text, line) || word_header(text, line) || polygraphy_header(text, line)) {
    line.body = text;
    return line;
  }
  line.body = raw;
  // Somebody's own header in front of a library message: TensorRT's, though its parts are not
  // known.
  const std::size_t tag = raw.find("[TRT]");
  const std::size_t old_tag = raw.find("[TensorRT]");
  if (tag != std::string_view::npos || old_tag != std::string_view::npos) {
    line.own = line.library = line.guessed = true;
    line.body = tag != std::string_view::npos ? raw.substr(tag + 5) : raw.substr(old_tag + 10);
    take(line.body, ":");
    take_blanks(line.body);
  }
  return line;
}

}  // namespace trtlens
