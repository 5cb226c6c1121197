// One function a form of header: glog, ISO stamps, Polygraphy, TensorFlow, GXF, samples of old.
#include "parsers/log/framing/producer_header.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "parsers/log/framing/plain_text.h"

namespace trtlens::header {
namespace {

LogSeverity severity_of_letter(char c) {
  constexpr std::string_view kLetters = "VIWEF";  // in the order of LogSeverity, behind unknown
  return static_cast<LogSeverity>(kLetters.find(c) + 1);  // npos + 1 is 0
}

struct Word {
  std::string_view word;
  LogSeverity severity;
};
constexpr std::array<Word, 11> kWords = {{{"INTERNAL ERROR", LogSeverity::internal_error},
                                          {"INTERNAL_ERROR", LogSeverity::internal_error},
                                          {"BUG", LogSeverity::internal_error},
                                          {"ERROR", LogSeverity::error},
                                          {"WARNING", LogSeverity::warning},
                                          {"WARN", LogSeverity::warning},
                                          {"INFO", LogSeverity::info},
                                          {"VERBOSE", LogSeverity::verbose},
                                          {"DEBUG", LogSeverity::verbose},
                                          {"GRAPH", LogSeverity::verbose},
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

// `rest`: of `text`, behind the header.
bool of(LogLine& line, std::string_view& text, std::string_view rest, Producer producer,
        LogSeverity severity, bool library) {
  text = rest;
  line.producer = producer;
  line.severity = severity;
  line.own = true;
  line.library = library;
  return true;
}

// Length of "2024-05-17 17:06:02.351065690", "2024-05-21T14:00:34", "2021-03-17 14:49:33,418"; 0:
// none.
std::size_t iso_time(std::string_view text) {
  if (text.size() < 19 || !has_shape(text, "0000-00-00") || !has_shape(text.substr(11), "00:00:00"))
    return 0;
  if (text[10] != ' ' && text[10] != 'T' && text[10] != '_') return 0;
  std::size_t end = 19;
  if (end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && is_digit(text[end + 1])) {
    do ++end;
    while (end < text.size() && is_digit(text[end]));
  }
  return end;
}

// "[2022-11-08 06:01:58 WARNING] text", also behind ONNX Runtime's own header.
bool take_iso(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  Producer producer = Producer::python;
  const std::size_t inner = rest.substr(0, 260).find("] [20");
  if (inner != kNowhere && rest.find("onnxruntime") < inner) {
    rest.remove_prefix(inner + 2);
    producer = Producer::onnxruntime;
  }
  if (!has_shape(rest, "[0000-00-00 00:00:00 ")) return false;
  rest.remove_prefix(21);
  take_blanks(rest);
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown || !take(rest, "]")) return false;
  take(rest, " ");
  return of(line, text, rest, producer, severity, true);
}

// "I0829 03:48:41.018076 1161 logging.cc:46] text" (glog, as Triton prints it); later releases put
// the text in quotes.
bool take_glog(std::string_view& text, LogLine& line) {
  if (text.size() < 30) return false;
  const LogSeverity severity = severity_of_letter(text[0]);
  if (severity == LogSeverity::unknown || !has_shape(text.substr(1), "0000 00:00:00.000000 ")) {
    return false;
  }
  const std::size_t end = text.find("] ");
  if (end > 120) return false;
  std::string_view rest = text.substr(end + 2);
  // Triton's own words are foreign, but for why it lacks a model or the GPU.
  const auto begins = [rest](std::string_view begin) { return rest.starts_with(begin); };
  if (text.substr(0, end).find(" logging.cc:") == kNowhere && !begins("failed to load '") &&
      !begins("ERROR: Failed to create instance: ") &&
      !begins("Unable to allocate pinned system memory")) {
    return false;
  }
  if (rest.size() > 2 && rest.front() == '"' && rest.back() == '"') {
    rest = rest.substr(1, rest.size() - 2);
  }
  return of(line, text, rest, Producer::triton, severity, true);
}

// "Could not load dynamic library 'libnvinfer.so.7'; dlerror: libnvrtc.so.11.1: cannot open …": the
// library is there, but not what it needs. Without TensorRT itself TensorFlow works all the same.
bool lacks_dependency(std::string_view text) {
  constexpr std::string_view kBegin = "Could not load dynamic library 'libnvinfer";
  const std::size_t error = text.find("; dlerror: ");
  return text.substr(0, kBegin.size()) == kBegin && error != kNowhere &&
         text.substr(error + 11, 10) != "libnvinfer";
}

// "2024-07-08 18:23:06.193422: E tensorflow/compiler/tf2tensorrt/utils/trt_logger.cc:87]
// DefaultLogger text" (TensorFlow's integration).
bool take_tensorflow(std::string_view& text, LogLine& line) {
  const std::size_t time = iso_time(text);
  if (time == 0) return false;
  std::string_view rest = text.substr(time);
  if (!take(rest, ": ") || rest.size() < 2) return false;
  const LogSeverity severity = severity_of_letter(rest[0]);
  const std::size_t end = rest.substr(0, 200).find("] ");
  if (severity == LogSeverity::unknown || end == kNowhere) return false;
  const std::string_view source = rest.substr(0, end);
  rest.remove_prefix(end + 2);
  if (source.find("dso_loader.cc:") != kNowhere && lacks_dependency(rest)) {
    return of(line, text, rest, Producer::tensorflow, LogSeverity::warning, true);
  }
  if (source.find("trt_logger.cc:") == kNowhere) return false;
  const std::size_t name_end = rest.substr(0, 40).find("Logger ");
  if (name_end != kNowhere) rest.remove_prefix(name_end + 7);
  return of(line, text, rest, Producer::tensorflow, severity, true);
}

// jetson-inference prints no severity: an error says that it is one.
LogSeverity severity_of_text(std::string_view text) {
  static constexpr std::array<std::string_view, 3> kInside = {"Error Code ", " Error in ",
                                                              "CaffeParser: ERROR"};
  static constexpr std::array<std::string_view, 13> kBegin = {
      "INVALID_ARGUMENT: ",        "INTERNAL_ERROR: ",
      "INVALID_CONFIG: ",          "INVALID_STATE: ",
      "FAILED_ALLOCATION: ",       "FAILED_EXECUTION: ",
      "Parameter check failed at", "Network must have at least one",
      "Network validation failed", "device GPU, failed ",
      "device DLA, failed ",       "device DLA_0, failed ",
      "device DLA_1, failed "};
  const auto is_inside = [&](std::string_view words) { return text.find(words) != kNowhere; };
  const auto begins = [&](std::string_view words) { return text.substr(0, words.size()) == words; };
  const bool is_error = std::any_of(kInside.begin(), kInside.end(), is_inside) ||
                        std::any_of(kBegin.begin(), kBegin.end(), begins);
  return is_error ? LogSeverity::error : LogSeverity::info;
}

// "WARN         TRT: text trt_utils.cpp:252" (NVIDIA's GXF, as Isaac and Clara print it).
bool take_gxf(std::string_view& text, std::string_view rest, LogLine& line, LogSeverity severity) {
  take_blanks(rest);
  if (!take(rest, "TRT: ")) return false;
  const std::size_t source = rest.find_last_of(' ');
  if (source != kNowhere && rest.find(".cpp:", source) != kNowhere) rest = rest.substr(0, source);
  return of(line, text, rest, Producer::unknown, severity, true);
}

// "INFO: [TRT]: text" (DeepStream); "DEBUG: [Torch-TensorRT - …] - text", "INFO:torch_tensorrt
// [TensorRT Conversion Context]:text" (Torch-TensorRT).
bool take_colon_word(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown || rest.empty()) return false;
  if (rest.front() == ' ') return take_gxf(text, rest, line, severity);
  if (rest.front() != ':') return false;
  if (take(rest, ": [TRT]: ")) return of(line, text, rest, Producer::deepstream, severity, true);
  if (rest.substr(0, 9) == ": [Torch-" || rest.substr(0, 9) == ": [TRTorc") {
    const std::size_t end = rest.find("] - ");
    if (end == kNowhere) return false;
    return of(line, text, rest.substr(end + 4), Producer::torch_tensorrt, severity, false);
  }
  constexpr std::string_view kDynamo = ":torch_tensorrt [";
  const std::size_t end = rest.substr(0, 80).find("]:");
  if (rest.substr(0, kDynamo.size()) != kDynamo || end == kNowhere) return false;
  rest.remove_prefix(end + 2);
  constexpr std::string_view kSource = "logging.py:";  // of later releases, with the line's number
  if (take(rest, kSource)) rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
  return of(line, text, rest, Producer::torch_tensorrt, severity, true);
}

// "[21:38:19.610] [INFO] [TensorRT] text" (Edge-LLM); "[INFO] [MemUsageChange] text" (TAO's
// converter, which prints its own text behind the same word); "[TensorRT-LLM][INFO] text".
bool take_bracketed_word(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  const bool llm = take(rest, "[TensorRT-LLM]");
  const bool timed = has_shape(rest, "[00:00:00.000] ");
  if (timed) rest.remove_prefix(15);
  if (!take(rest, "[")) return false;
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown || !take(rest, "] ")) return false;
  if (llm) return of(line, text, rest, Producer::tensorrt_llm, severity, false);
  if (take(rest, "[TensorRT] ")) return of(line, text, rest, Producer::edge_llm, severity, true);
  if (timed || rest.substr(0, 4) != "[Mem") return false;
  return of(line, text, rest, Producer::tao, severity, true);
}

// Polygraphy's letters that the samples logger has not: "[X] " for TensorRT's verbose messages,
// "[S] ", "[U] " and "[!] " for text of its own.
bool take_polygraphy(std::string_view& text, LogLine& line) {
  constexpr auto kProgram = Producer::polygraphy;
  std::string_view rest = text;
  if (take(rest, "[X] ")) return of(line, text, rest, kProgram, LogSeverity::verbose, true);
  if (take(rest, "[!] ")) return of(line, text, rest, kProgram, LogSeverity::error, false);
  if (!take(rest, "[S] ") && !take(rest, "[U] ")) return false;
  return of(line, text, rest, kProgram, LogSeverity::info, false);
}

// A bracket that holds a severity word at its end: "[2021-03-17 14:49:33,418 main.py:694 INFO] ".
LogSeverity last_word_of(std::string_view bracket) {
  const std::size_t blank = bracket.find_last_of(' ');
  if (blank == kNowhere) return LogSeverity::info;
  std::string_view word = bracket.substr(blank + 1);
  const LogSeverity severity = take_word(word);
  return severity == LogSeverity::unknown || !word.empty() ? LogSeverity::info : severity;
}

// "WARNING:tensorflow:text": Python's logging as it is by default.
bool python_logging(std::string_view rest) {
  if (rest.size() < 3 || rest[0] != ':') return false;
  std::size_t end = 1;
  while (end < rest.size() && end < 80 &&
         (std::isalnum(static_cast<unsigned char>(rest[end])) != 0 || rest[end] == '_' ||
          rest[end] == '.')) {
    ++end;
  }
  return end > 1 && end < rest.size() && rest[end] == ':';
}

LogSeverity foreign(LogLine& line, std::string_view& text, LogSeverity severity, std::size_t size) {
  line.severity = severity;
  text.remove_prefix(size);
  return severity;
}

}  // namespace

bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? !is_digit(text[i]) : text[i] != shape[i]) return false;
  }
  return true;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void take_blanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

LogSeverity take_letter(std::string_view& text) {
  if (text.size() < 3 || text[0] != '[' || text[2] != ']') return LogSeverity::unknown;
  const LogSeverity severity = severity_of_letter(text[1]);
  if (severity == LogSeverity::unknown) return severity;
  const bool is_tagged = text.substr(3, 5) == "[TRT]";  // a program's own logger: "[E][TRT] text"
  if (text.size() > 3 && text[3] != ' ' && !is_tagged) return LogSeverity::unknown;
  text.remove_prefix(text.size() > 3 && !is_tagged ? 4 : 3);
  return severity;
}

bool take_tag(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  if (take(rest, "[TensorRT] ")) {  // Python ≤ 8.0
    const LogSeverity severity = take_word(rest);
    if (severity == LogSeverity::unknown || !take(rest, ":")) return false;
    take(rest, " ");
    return of(line, text, rest, Producer::python, severity, true);
  }
  if (!take(rest, "[TRT]")) return false;
  take(rest, " ");
  const LogSeverity severity = take_letter(rest);
  if (severity != LogSeverity::unknown) {  // Python 8.2+
    return of(line, text, rest, Producer::python, severity, true);
  }
  take(rest, ": ");
  const bool is_indented = take(rest, " ");  // as jetson-inference does it
  take_blanks(rest);
  const Producer producer = is_indented ? Producer::jetson_inference : Producer::tag;
  return of(line, text, rest, producer, severity_of_text(rest), true);
}

bool take_producer(std::string_view& text, LogLine& line) {
  if (text.size() < 4) return false;
  // Most lines without a header begin with none of these: layers, profile rows, other programs.
  switch (text[0]) {
    case '[':
      return take_tag(text, line) || take_iso(text, line) || take_bracketed_word(text, line) ||
             take_polygraphy(text, line);
    case '2':
      return take_iso(text, line) || take_tensorflow(text, line);
    case 'I':
    case 'W':
    case 'E':
    case 'F':
      return take_glog(text, line) || take_colon_word(text, line);
    case 'D':
    case 'V':
    case 'G':
    case 'T':
      return take_colon_word(text, line);
    default:
      return false;
  }
}

bool take_old_samples(std::string_view& text, LogLine& line) {
  std::string_view rest = text;
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown || !take(rest, ": ") || rest.empty()) return false;
  line.guessed = true;
  return of(line, text, rest, Producer::unknown, severity, true);
}

bool take_foreign(std::string_view& text, LogLine& line) {
  const auto is = [&](LogSeverity severity, std::size_t size) {
    return foreign(line, text, severity, size) != LogSeverity::unknown;
  };
  if (text.size() < 8) return false;
  // "0:00:04.467701746 1459327 0x5b9e5f55cc90 WARN nvinfer gstnvinfer.cpp:679:… [UID = 1]: text"
  // (GStreamer).
  if (has_shape(text, "0:00:00.000000000 ")) {
    const std::string_view level = text.substr(0, 64);
    const LogSeverity severity = level.find(" ERROR ") != kNowhere  ? LogSeverity::error
                                 : level.find(" WARN ") != kNowhere ? LogSeverity::warning
                                                                    : LogSeverity::info;
    const std::size_t context = text.find("[UID = ");
    const std::size_t end = context == kNowhere ? kNowhere : text.find("]: ", context);
    return is(severity, end == kNowhere ? 18 : end + 3);
  }
  if (const std::size_t size = iso_time(text); size > 0) {
    const std::string_view level = text.substr(size, 15);
    return is(level == " [E:onnxruntime"   ? LogSeverity::error
              : level == " [W:onnxruntime" ? LogSeverity::warning
                                           : LogSeverity::info,
              size);
  }
  if (severity_of_letter(text[0]) != LogSeverity::unknown &&
      has_shape(text.substr(1), "0000 00:00:00.000000 ")) {
    const std::size_t end = text.find("] ");
    return is(severity_of_letter(text[0]), end == kNowhere ? 22 : end + 2);
  }
  std::string_view rest = text;
  if (take_word(rest) != LogSeverity::unknown && python_logging(rest)) {
    rest = text;
    return is(take_word(rest), text.find(':') + 1);
  }
  if (text[0] != '[') return false;
  if (text.substr(0, 10) == "[TRT-LLM] ") {
    rest = text.substr(10);
    const LogSeverity severity = take_letter(rest);
    return is(severity == LogSeverity::unknown ? LogSeverity::info : severity,
              text.size() - rest.size());
  }
  const std::size_t end = text.find(']');
  if (end == kNowhere) return false;
  if (iso_time(text.substr(1)) > 0) return is(last_word_of(text.substr(0, end)), end + 1);
  // "[21:38:19.220] [INFO] [llm_inference.cpp:272:f] text" (Edge-LLM), "[INFO] text" (TAO).
  rest = text;
  if (has_shape(rest, "[00:00:00.000] ")) rest.remove_prefix(15);
  if (!take(rest, "[")) return false;
  const LogSeverity severity = take_word(rest);
  if (severity == LogSeverity::unknown || !take(rest, "] ")) return false;
  return is(severity, text.size() - rest.size());
}

}  // namespace trtlens::header
