// TensorRT's words behind a header that is not its own, or behind none: the words decide.
#include <algorithm>
#include <array>
#include <cstddef>

#include "parsers/log/classifier/classifier.h"
#include "parsers/log/framing/library_text.h"
#include "parsers/log/framing/margin.h"
#include "parsers/log/framing/plain_text.h"
#include "parsers/log/framing/producer_header.h"

namespace trtlens {
namespace {

// The kinds of an error code as TensorRT 8 to 11 print them.
constexpr std::array<std::string_view, 14> kErrorKinds = {
    "Internal Error", "API Usage Error", "Cuda Runtime",
    "Cuda Driver",    "Myelin",          "Serialization",
    "Miscellaneous",  "Cudnn",           "OutOfMemory",
    "Cask",           "Shape Error",     "DLA",
    "Cublas",         "CuBLAS"};

// "Error Code 4: API Usage Error (…)" in the first bytes of a line; a logger may break it in front
// of the parenthesis. "Error message: …" and "Skipping tactic … due to exception" explain what went
// on.
bool names_error_code(std::string_view raw, std::string_view head) {
  const std::size_t at = head.find("Error Code ");
  if (at == std::string_view::npos) return false;
  const std::string_view before = raw.substr(0, at);
  if (before.find("Error message") != std::string_view::npos ||
      before.find("kipping tactic") != std::string_view::npos) {
    return false;
  }
  const std::string_view text = raw.substr(at + 11);
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits > 2 || text.substr(digits, 2) != ": ") return false;
  const std::string_view kind = text.substr(digits + 2, text.find(" (") - digits - 2);
  return std::ranges::find(kErrorKinds, kind) != kErrorKinds.end();
}

// "[network.cpp::validate::3000] text": TensorRT's sources say where they speak.
bool names_library_source(std::string_view head) {
  const std::size_t source = head.find(".cpp::");
  if (source == std::string_view::npos) return false;
  const std::size_t begin = head.rfind('[', source);
  const std::size_t end = head.find(']', source);
  if (begin == std::string_view::npos || end == std::string_view::npos) return false;
  const std::string_view place = head.substr(begin, end - begin);
  const std::size_t number = place.find_last_not_of("0123456789");
  return place.find(' ') == std::string_view::npos && number + 1 < place.size() &&
         place[number] == ':' && place[number - 1] == ':';
}

}  // namespace

// The first such line of a run must begin as only TensorRT's messages do; behind it any line of a
// known kind is one, of a short wording when it stands right behind another.
bool Classifier::is_library_text(std::string_view text, LogLine& whole) const {
  const bool in_trtexec = is_inside_run() && run()->run.producer == "trtexec";
  const bool begins = begins_as_library(text);
  if (!begins && headers().library_lines == 0 && !in_trtexec) return false;
  whole.body = text;
  whole.library = true;
  Match match;
  match.line = &whole;
  auto found = kinds_.find(text, LogSection::none, false, match);
  // The rows of trtexec's banner and tables, and of the library's graph.
  const bool in_graph = run() && run()->section == LogSection::graph_nodes;
  if (found.kind == nullptr && (in_trtexec || in_graph)) {
    whole.library = in_graph;
    found = kinds_.find(text, run()->section, false, match);
    if (found.kind != nullptr && found.kind->section != LogSection::any) found.gate_hit = true;
  }
  if (found.kind == nullptr || (found.kind->flags & kLast) != 0) return false;
  if (whole.severity == LogSeverity::unknown && options_.known_message) {
    whole.severity = options_.known_message(std::string(text), LogSeverity::unknown).level;
  }
  if (whole.severity == LogSeverity::unknown) {
    const bool verbose = found.kind->extract != nullptr || (found.kind->flags & kVerbose) != 0;
    whole.severity = verbose ? LogSeverity::verbose : LogSeverity::info;
  }
  return begins || in_trtexec || found.gate_hit || headers().last_library_line == coverage_.lines();
}

const RunHeaders& Classifier::headers() const {
  static const RunHeaders none;
  return run() ? run()->headers : none;
}

// Most lines of this run have a header: text without one is the program's. A filter may leave
// some.
bool Classifier::has_headers() const {
  const RunHeaders& seen = headers();
  return own_lines_ > seen.own_lines_before + seen.verdicts + seen.library_lines;
}

// Of a run without headers: an ILogger that prints the message only, or a filter cut them.
bool Classifier::is_headless(const LogLine& parsed, LogLine& whole) const {
  if (parsed.severity != LogSeverity::unknown || has_headers() || headers().old_samples) {
    return false;
  }
  whole = parsed;
  if (!is_library_text(parsed.body, whole)) return false;
  whole.own = whole.guessed = true;
  return true;
}

// "ERROR:root:text": whose logger it is the words say, or its name does.
bool Classifier::is_logged(const LogLine& parsed, LogLine& whole) const {
  if (parsed.severity == LogSeverity::unknown || parsed.producer != Producer::unknown) return false;
  const LoggedText logged = logged_text(parsed.raw);
  whole = parsed;
  whole.own = whole.library = true;
  whole.severity = logged.severity;
  if (logged.is_library && logged.size > 0) {
    whole.producer = Producer::python;
    whole.body = logged.texts[logged.size - 1];
    return true;
  }
  if (has_headers() || is_inside_run()) return false;
  whole.guessed = true;
  for (std::size_t i = 0; i < logged.size; ++i) {
    if (is_library_text(logged.texts[i], whole)) return true;
  }
  return false;
}

// The text of anybody's exception may stand behind its first line, and be TensorRT's.
LineVerdict Classifier::continuation(const LogLine& parsed) {
  run()->continue_message(parsed.body);
  if (!run()->is_of_tensorrt) {
    const KnownWords known = options_.known_message(std::string(parsed.body), LogSeverity::error);
    if (known.rules > 0 && !known.is_anybodys) is_of_tensorrt();
  }
  return {LineClass::continuation, ""};
}

// A frame of a traceback that a rule asks for: the exception is still to come.
LineVerdict Classifier::known_noise(const LogLine& known, SourcePos pos) {
  if (run()->section != LogSection::traceback) return library_line(known, pos);
  count_library_line();
  is_of_tensorrt();
  run()->message(LogSeverity::info, known.body, pos);
  return {LineClass::recognised, "message"};
}

// A message of TensorRT's behind any header or none. Of the texts that the most rules know the
// shortest is taken: what stands before it names the logger. Words that any program prints count
// beside a line of TensorRT's only; behind a verdict all are another program's.
bool Classifier::is_known_message(const LogLine& parsed, LogLine& whole) {
  if (!options_.known_message || is_closed()) return false;
  const KnownWords raw = options_.known_message(std::string(parsed.raw), LogSeverity::unknown);
  if (!raw.is_anybodys) is_of_tensorrt();
  if (!raw.has_words) return false;
  const LoggedText logged = logged_text(parsed.raw);
  LogSeverity level = logged.size > 0 ? logged.severity : parsed.severity;
  // "[2025-11-20 10:00:00] text": a clock is no level.
  const bool is_clock = parsed.raw[0] == '[' || is_digit(parsed.raw[0]);
  if (logged.size == 0 && is_clock && level == LogSeverity::info) level = LogSeverity::unknown;
  // "check the INFO log above": a word of the message is no level either.
  const bool is_behind = std::any_of(
      logged.texts.begin(), logged.texts.begin() + static_cast<std::ptrdiff_t>(logged.size),
      [&](std::string_view text) {
        return options_.known_message(std::string(text), LogSeverity::unknown).rules > 0;
      });
  if (logged.size > 0 && !is_behind && raw.rules > 0) level = parsed.severity;
  const bool is_beside = own_lines_ > headers().own_lines_before || headers().library_lines > 0;
  whole = parsed;
  int most = 0;
  const auto hold = [&](std::string_view text) {
    const KnownWords known = options_.known_message(std::string(text), level);
    // What TensorRT says at other levels, the kinds know.
    if (known.rules <= most || known.level < LogSeverity::warning) return;
    if (known.is_anybodys && !is_beside) return;
    most = known.rules;
    whole.body = text;
    whole.severity = known.level;
  };
  for (std::size_t i = logged.size; i > 0; --i) hold(logged.texts[i - 1]);
  if (parsed.body.size() == parsed.raw.size()) {
    hold(parsed.body.substr(wrapper_bytes(parsed.body)));
  }
  std::string_view body = parsed.body;
  if (body.size() < parsed.raw.size()) header::take_blanks(body);
  hold(body);
  whole.own = whole.library = whole.guessed = true;
  whole.producer = Producer::unknown;
  return most > 0;
}

// An error of TensorRT's behind a header or a word that nobody knows: an exception of Python's, a
// container's name, another language's logger.
bool Classifier::is_pasted_error(const LogLine& parsed, LogLine& error) const {
  if (run() && run()->opened) return false;
  const std::string_view head = parsed.raw.substr(0, 400);
  if (!names_error_code(parsed.raw, head) && !names_library_source(head)) return false;
  error = parsed;
  error.body = parsed.raw;
  error.own = error.library = error.guessed = true;
  error.producer = Producer::unknown;
  error.severity = LogSeverity::error;
  return true;
}

// "ERROR: Unable to create engine" behind an "ERROR: text" of TensorRT's: the same logger's next
// message. The ONNX parser's "ERROR: file.cpp:12 In function …" belongs to what it explains.
bool Classifier::is_labelled_alike(const LogLine& parsed, LogLine& next) const {
  const RunHeaders& seen = headers();
  if (seen.labelled_at == 0 || seen.labelled_at != own_lines_ + library_lines_) return false;
  if (!run()->opened && seen.last_library_line != coverage_.lines()) return false;
  next = parsed;
  return header::take_old_samples(next.body, next) &&
         next.body.substr(0, next.body.find(' ')).find(".cpp:") == std::string_view::npos;
}

bool Classifier::is_without_header(const LogLine& parsed, LogLine& whole) const {
  if (headers().old_samples && is_old_samples(parsed, whole)) return true;
  return headers().library_lines > 0 && (is_headless(parsed, whole) || is_logged(parsed, whole));
}

// A bare line whose words no kind knows.
LineVerdict Classifier::line_of_no_kind(const LogLine& parsed, SourcePos pos) {
  if (LogLine old; is_old_samples(parsed, old)) {
    run()->headers.old_samples = true;
    return own_line(old, pos);
  }
  if (LogLine error; is_pasted_error(parsed, error)) return own_line(error, pos);
  if (LogLine whole; is_headless(parsed, whole) || is_labelled_alike(parsed, whole)) {
    return library_line(whole, pos);
  }
  if (run()->opened && is_of_deepstream(parsed.body)) {
    run()->opened = false;
    run()->close_message();
  }
  if (run()->section == LogSection::onnx_node || run()->opened) return continuation(parsed);
  return {LineClass::foreign, ""};
}

void Classifier::count_library_line() {
  ++library_lines_;
  ++run()->headers.library_lines;
  run()->headers.last_library_line = coverage_.lines() + 1;
}

LineVerdict Classifier::library_line(const LogLine& whole, SourcePos pos) {
  if (is_closed() && whole.severity != LogSeverity::unknown && !whole.guessed) end_run();
  if (!run()) begin_run(whole, pos);
  count_library_line();
  LogLine labelled;
  std::string_view text = whole.raw;
  const bool is_labelled = header::take_old_samples(text, labelled) && text == whole.body;
  if (is_labelled) run()->headers.labelled_at = own_lines_ + library_lines_;
  return own_line(whole, pos);
}

}  // namespace trtlens
