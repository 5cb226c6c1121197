// The first words of TensorRT's messages, and the names that loggers give its severities.
#include "parsers/log/framing/library_text.h"

#include <algorithm>

#include "parsers/log/framing/plain_text.h"
#include "parsers/log/framing/producer_header.h"

namespace trtlens {
namespace {

struct Level {
  std::string_view word;
  LogSeverity severity;
};
constexpr std::array<Level, 11> kLevels = {{{"DEBUG", LogSeverity::verbose},
                                            {"VERBOSE", LogSeverity::verbose},
                                            {"TRACE", LogSeverity::verbose},
                                            {"INFO", LogSeverity::info},
                                            {"WARNING", LogSeverity::warning},
                                            {"WARN", LogSeverity::warning},
                                            {"ERROR", LogSeverity::error},
                                            {"CRITICAL", LogSeverity::internal_error},
                                            {"FATAL", LogSeverity::internal_error},
                                            {"INTERNAL_ERROR", LogSeverity::internal_error},
                                            {"INTERNAL ERROR", LogSeverity::internal_error}}};

// "DEBUG" and "debug", not "Debug": prose begins so.
LogSeverity level_of(std::string_view word) {
  const LogSeverity severity = severity_of_word(word);
  if (severity == LogSeverity::unknown) return severity;
  const bool lower = std::islower(static_cast<unsigned char>(word.back())) != 0;
  const bool one_case = (std::islower(static_cast<unsigned char>(word.front())) != 0) == lower;
  return one_case ? severity : LogSeverity::unknown;
}

// "TensorRT: text" may be a sentence of the program; a logger's name in front of a colon is that of
// its module.
bool is_library_name(std::string_view name, char separator) {
  return name == "tensorrt" || (separator != ':' && (name == "TRT" || name == "TensorRT"));
}

// Behind the first word that is a level, among the words at the start of the line; kNowhere: none
// is.
std::size_t find_level(std::string_view line, LoggedText& found) {
  constexpr std::size_t kMostHeader = 100;
  const std::string_view head = line.substr(0, kMostHeader);
  for (std::size_t at = 0; at < head.size();) {
    if (!is_letter(head[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < head.size() && (is_letter(head[end]) || head[end] == '_')) ++end;
    const std::string_view word = head.substr(at, end - at);
    found.severity = level_of(word);
    if (found.severity != LogSeverity::unknown) return end;
    // "… - tensorrt - DEBUG - …", not a word of a sentence.
    const std::string_view behind = head.substr(end, 3);
    const bool is_field = behind == " - " || behind == " | " || behind.substr(0, 1) == "]" ||
                          behind.substr(0, 1) == ":";
    if (is_field && is_library_name(word, behind[0])) found.is_library = true;
    at = end;
  }
  return kNowhere;
}

// "UNSUPPORTED_STATE", "Error[3]", "4": of a message, and no logger's name.
bool is_code(std::string_view name) {
  const bool has_lower =
      std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  const bool is_number = name.find_first_not_of("0123456789") == kNowhere;
  return is_number || name.find('[', 1) != kNowhere || (!has_lower && name.size() > 8);
}

// The end of a field of a header, with its separator: "tensorrt: ", "module:log:12 - ", "name] ";
// 0: none begins here.
std::size_t field_end(std::string_view text, std::size_t& name_size) {
  constexpr std::size_t kMostField = 80;
  const std::size_t end = std::min(text.find_first_of(" ]"), kMostField);
  if (end == 0 || end >= text.size()) return 0;
  if (text[end] == ']') {
    name_size = end;
    if (text.substr(0, end).find("::") != kNowhere) return 0;  // "[network.cpp::validate::3000]"
    if (text.substr(end, 3) == "]: ") return end + 3;          // ROS 2
    return end + (text.substr(end, 2) == "] " ? 2 : 1);
  }
  if (text[end] != ' ') return 0;
  if (text[end - 1] == ':') {
    name_size = end - 1;
    return is_code(text.substr(0, name_size)) ? 0 : end + 1;
  }
  name_size = end;
  if (text.substr(end, 3) == " - " || text.substr(end, 3) == " | ") return end + 3;
  return 0;
}

// Of Android's logcat: "11-27 10:00:00.000  1234  1240 E TRT     : text", "E/TRT     ( 1234):
// text".
LoggedText logcat_text(std::string_view line) {
  constexpr std::array<LogSeverity, 6> kOfLetters = {
      LogSeverity::verbose, LogSeverity::verbose, LogSeverity::info,
      LogSeverity::warning, LogSeverity::error,   LogSeverity::internal_error};
  constexpr std::string_view kLetters = "VDIWEF", kClock = "00-00 00:00:00.000 ";
  LoggedText found;
  std::string_view rest = line;
  const bool is_brief = rest.substr(1, 1) == "/";
  if (!is_brief) {
    if (!header::has_shape(rest, kClock)) return found;
    rest.remove_prefix(kClock.size());
    for (int numbers = 0; numbers < 2; ++numbers) {  // process and thread
      header::take_blanks(rest);
      const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
      if (digits == 0 || rest.substr(digits, 1) != " ") return found;
      rest.remove_prefix(digits + 1);
    }
    header::take_blanks(rest);
    if (rest.substr(1, 1) != " ") return found;
  }
  const std::size_t letter = rest.empty() ? kNowhere : kLetters.find(rest[0]);
  constexpr std::size_t kMostTag = 80;
  const std::size_t colon = rest.substr(0, kMostTag).find(is_brief ? "): " : ": ");
  if (letter == kNowhere || colon == kNowhere) return found;
  found.severity = kOfLetters.at(letter);
  found.texts[found.size++] = rest.substr(colon + (is_brief ? 3 : 2));
  return found;
}

}  // namespace

LogSeverity severity_of_word(std::string_view word) {
  for (const Level& level : kLevels) {
    const auto same = [](char c, char upper) {
      return static_cast<char>(std::toupper(static_cast<unsigned char>(c))) == upper;
    };
    if (word.size() == level.word.size() &&
        std::equal(word.begin(), word.end(), level.word.begin(), same)) {
      return level.severity;
    }
  }
  return LogSeverity::unknown;
}

LoggedText logged_text(std::string_view line) {
  LoggedText found = logcat_text(line);
  if (found.size > 0) return found;
  const std::size_t level_end = find_level(line, found);
  if (level_end == kNowhere) return found;
  std::string_view text = line.substr(level_end);
  // Python's own form has no blanks: "DEBUG:tensorrt:text".
  if (text.size() > 2 && text[0] == ':' && text[1] != ' ') {
    const std::size_t colon = text.find(':', 1);
    if (colon == kNowhere) return {};
    found.is_library = is_library_name(text.substr(1, colon - 1), ' ');
    found.texts[found.size++] = text.substr(colon + 1);
    return found;
  }
  const std::size_t begin = text.find_first_not_of(" ]:|-)");
  if (begin == kNowhere || begin == 0) return {};
  // One blank ends the header: the text may begin with others, with "-------- Timing Runner" or
  // with "--best".
  const std::string_view separator = text.substr(0, std::min(begin, text.find("--")));
  const std::size_t mark = separator.find_last_not_of(' ');
  const std::size_t blank = mark == kNowhere ? 0 : mark + 1;
  text.remove_prefix(std::min(blank + 1, separator.size()));
  found.texts[found.size++] = text;
  if (!found.is_library && text[0] == ' ') {  // "INFO     text"
    header::take_blanks(text);
    found.texts[found.size++] = text;
  }
  while (found.size < found.texts.size() && !found.is_library) {
    std::size_t name_size = 0;
    const std::size_t end = field_end(text, name_size);
    if (end == 0) break;
    const std::size_t bracket = text[0] == '[' ? 1 : 0;
    found.is_library = is_library_name(text.substr(bracket, name_size - bracket), text[name_size]);
    text.remove_prefix(end);
    found.texts[found.size++] = text;
  }
  return found;
}

bool begins_as_library(std::string_view text) {
  // Texts of 8.x to 10.16; 7.x has most of them, too.
  static constexpr std::array<std::string_view, 41> kStarts = {
      "Starting Calibration",
      "Calibrated batch ",
      "Post Processing Calibration data in ",
      "Calibration completed in ",
      "[MemUsageChange] ",
      "[MemUsageSnapshot] ",
      "[MemUsageStats] ",
      "[BlockAssignment] ",
      "[GraphReduction] ",
      "=============== Computing costs for",
      "*************** Autotuning ",
      "--------------- Timing Runner: ",
      ">>>>>>>>>>>>>>> Chose Runner Type: ",
      "Tactic: ",
      "Fastest Tactic: ",
      "Engine Layer Information:",
      "Applying generic optimizations to the graph",
      "Original: ",
      "After dead-layer removal: ",
      "Missing scale and zero-point for tensor ",
      "Engine generation completed in ",
      "Local timing cache in use",
      "Global timing cache in use",
      "Timing cache disabled",
      "Total Host Persistent Memory: ",
      "Total Activation Memory: ",
      "Total Weights Memory: ",
      "Graph optimization time: ",
      "Graph construction and optimization completed in ",
      "Formats and tactics selection completed in ",
      "Using an engine plan file across different models",
      "TensorRT was linked against ",
      "CUDA lazy loading is ",
      "Deserialization required ",
      "Loaded engine size: ",
      "Plugin creator already registered - ",
      "Registered plugin creator - ",
      "Some tactics do not have sufficient workspace",
      "onnx2trt_utils.cpp:",
      "ModelImporter.cpp:",
      "Parsing node: "};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return text.substr(0, start.size()) == start; });
}

}  // namespace trtlens
