// The class of a line, from its header, its words and what stands before it.
#include <cctype>
#include <string>
#include <utility>

#include "parsers/log/classifier/classifier.h"
#include "parsers/log/framing/plain_text.h"
#include "parsers/log/framing/producer_header.h"

namespace trtlens {
namespace {

// "4: text": 8.x puts the number of the error code in front of what an ILogger gets;
// "ModelImporter.cpp:780: text": the ONNX parser its source. Both are TensorRT's, whoever prints.
bool is_numbered(const LogLine& parsed) {
  const std::string_view text = parsed.body;
  const std::size_t source = text.substr(0, 64).find(".cpp:");
  if (source != std::string_view::npos && source > 0 && text.find_first_of(" \t") > source + 5) {
    return parsed.severity >= LogSeverity::warning;
  }
  const std::size_t end = text.find_first_not_of("0123456789");
  return parsed.severity >= LogSeverity::warning && end > 0 && end <= 2 &&
         text.substr(end, 2) == ": ";
}

bool all_blank(std::string_view text) {
  return text.find_first_not_of(std::string_view(" \t\0", 3)) == std::string_view::npos;
}

// "initialization.&&&& PASSED TensorRT.trtexec …": a warning whose end was written later than the
// verdict. Only a warning or an error: verbose lines quote documentation.
std::size_t verdict_inside(const LogLine& parsed) {
  const std::size_t at = parsed.body.find("&&&& ");
  if (at == 0 || at == std::string_view::npos) return std::string_view::npos;
  VerdictLine verdict;
  const bool ends_run =
      read_verdict(parsed.body.substr(at), verdict) && verdict.name.substr(0, 9) == "TensorRT." &&
      (verdict.verdict == VerdictWord::passed || verdict.verdict == VerdictWord::failed);
  return ends_run ? at : std::string_view::npos;
}

// "[I] RUNNING | Command: …": Polygraphy, and not the output of a command that it runs, which it
// shows indented.
bool is_first_of_polygraphy(const LogLine& parsed) {
  return parsed.raw.front() == '[' &&
         parsed.body.substr(0, 80).find(kPolygraphyRuns) != std::string_view::npos;
}

}  // namespace

// `[I] text` without a stamp is trtexec's in a capture of standard error, a logger's without the
// tag, or another program's: that of Polygraphy, of MLPerf's harnesses, of a script.
bool Classifier::of_another_program(const LogLine& parsed) const {
  if (parsed.library || parsed.producer == Producer::trtexec) return false;
  if (parsed.producer != Producer::unknown) return true;
  if (is_inside_run()) return run()->run.producer != "trtexec" && run()->run.producer != "sample";
  return run()->build.producer == "polygraphy" || headers().untagged_known == 0 ||
         headers().tagged > 0;
}

// The class of a line whose words no kind knows.
LineVerdict Classifier::nameless(const LogLine& parsed, const LineKind* near) {
  run()->opened = false;
  if (of_another_program(parsed)) return {LineClass::foreign, ""};
  // jetson-inference puts the tag before its own text, which begins in lower case or with "--".
  const char first = parsed.body.front();
  if (is_tag(parsed.producer) &&
      (first == '-' || std::islower(static_cast<unsigned char>(first)) != 0)) {
    return {LineClass::noise, "jetson-inference"};
  }
  if (near != nullptr) return {LineClass::malformed, "", near->id};
  return {LineClass::unknown, ""};
}

// Another stream's line stands in the middle of this one: it is read, and what was cut off waits
// for its rest.
LineVerdict Classifier::tear(const LogLine& parsed, std::size_t at, SourcePos pos) {
  const char* stamp = parsed.body.data() + at;
  torn_.assign(parsed.raw.data(), static_cast<std::size_t>(stamp - parsed.raw.data()));
  torn_pos_ = pos;
  std::string other;
  const LineVerdict verdict = classify(split_header(parsed.body.substr(at), other), pos);
  if (all_blank(parsed.body.substr(0, at))) torn_.clear();
  return verdict;
}

LineVerdict Classifier::before_verdict(const LogLine& parsed, std::size_t at, SourcePos pos) {
  LogLine front = parsed;
  front.body = parsed.body.substr(0, at);
  own_line(front, pos);
  std::string other;
  return classify(split_header(parsed.body.substr(at), other), pos);
}

// A killed process left a line without an end, and the next one wrote on.
std::size_t Classifier::next_run_inside(std::string_view raw) const {
  const std::size_t at = banner_inside(raw);
  if (at == std::string_view::npos || !run() || is_closed()) return std::string_view::npos;
  VerdictLine verdict;
  const bool begins = read_verdict(raw.substr(at), verdict) &&
                      verdict.verdict == VerdictWord::running && !verdict.command.empty();
  std::string other;
  return begins && !headers_.look(raw, other).verdict ? at : std::string_view::npos;
}

// What stands before it was cut off: only a warning or an error is worth its half.
LineVerdict Classifier::next_run(std::string_view raw, std::size_t at, SourcePos pos) {
  std::string other;
  const LogLine front = headers_.look(raw.substr(0, at), other);
  if (front.own && front.severity >= LogSeverity::warning) own_line(front, pos);
  torn_.clear();
  return classify(headers_.split(raw.substr(at)), pos);
}

// The rest of a torn_ line, or none: then what there is of a warning or an error is kept.
bool Classifier::mend(std::string_view rest) {
  const std::string whole = std::exchange(torn_, std::string()) + std::string(rest);
  std::string other;
  const LogLine parsed = split_header(whole, other);
  if (!run() || holds_stamp(parsed.body)) return false;
  if (!parsed.own) {  // of a list of layers
    Match match;
    if (rest.empty() || kinds_.find(parsed.body, run()->section, true, match).kind == nullptr) {
      return false;
    }
    bare_line(parsed, torn_pos_);
    return true;
  }
  if (parsed.severity < LogSeverity::warning) {
    Match match;
    LogLine plain;
    if (rest.empty() || find(parsed, run()->section, plain, match).kind == nullptr) return false;
  }
  own_line(parsed, torn_pos_);
  return true;
}

LineKindTable::Result Classifier::find(const LogLine& parsed, LogSection section, LogLine& plain,
                                       Match& match) const {
  match.line = &parsed;
  auto found = kinds_.find(parsed.body, section, false, match);
  if (found.kind != nullptr) return found;
  plain = parsed;
  plain.body = plainer(parsed.body);
  if (plain.body.empty() || plain.body.size() == parsed.body.size()) return found;
  match.line = &plain;
  const auto again = kinds_.find(plain.body, section, false, match);
  return {again.kind, found.gate_hit || again.gate_hit,
          found.near != nullptr ? found.near : again.near};
}

// "[TRT] text" names no level: the words of the rules tell it.
LogSeverity Classifier::level_by_words(const LogLine& parsed) {
  if (!is_tag(parsed.producer) || !options_.known_message) return parsed.severity;
  return options_.known_message(std::string(parsed.body), LogSeverity::unknown).level;
}

void Classifier::begin_own_line(const LogLine& parsed, bool untagged, SourcePos pos) {
  if (untagged && !is_inside_run() && is_first_of_polygraphy(parsed)) {
    end_run();
    begin_run(parsed, pos);
  }
  if (untagged && !is_numbered(parsed)) {
    is_by_letter();
  } else {
    is_of_tensorrt();
  }
  run()->producer_seen(parsed.producer);
  if (parsed.severity == LogSeverity::verbose) run()->build.is_verbose = true;
}

LineVerdict Classifier::own_line(const LogLine& parsed, SourcePos pos) {
  const bool untagged = !parsed.library && parsed.producer == Producer::unknown;
  begin_own_line(parsed, untagged, pos);
  if (all_blank(parsed.body)) {
    if (run()->section != LogSection::explanations || parsed.severity == LogSeverity::info) {
      run()->section = LogSection::none;
    }
    run()->opened = false;
    return {LineClass::noise, "blank"};
  }
  // Sections of trtexec hold none of the library's lines.
  if (is_one_of(kEndedByHeader, run()->section)) run()->section = LogSection::none;
  const bool in_graph = run()->section == LogSection::graph_nodes;
  // Warnings come from another stream: they may stand in the middle of a section.
  const bool loud = parsed.severity >= LogSeverity::warning;
  const bool outside = parsed.library || loud;
  const LogSection section = outside && !in_graph ? LogSection::none : run()->section;
  Match match;
  match.pos = pos;
  LogLine plain;
  const auto found = find(parsed, section, plain, match);
  if (in_graph && (found.kind == nullptr || found.kind->section != LogSection::graph_nodes)) {
    run()->section = LogSection::none;
  }
  if (found.kind == nullptr || loud) {
    const std::size_t at = stamp_inside(parsed.body);
    if (at != std::string_view::npos && torn_.empty()) return tear(parsed, at, pos);
  }
  if (loud) {
    const std::size_t at = verdict_inside(parsed);
    if (at != std::string_view::npos) return before_verdict(parsed, at, pos);
  }
  // Where a filter took the blank line behind the options out.
  const bool goes_on = found.kind != nullptr && (found.kind->flags & kProgress) != 0;
  if (goes_on && run()->section == LogSection::options) run()->section = LogSection::none;
  if (untagged && found.kind != nullptr) {
    is_of_tensorrt();
    ++run()->headers.untagged_known;
  }
  if (parsed.library && parsed.producer == Producer::unknown && !parsed.guessed)
    ++run()->headers.tagged;
  // Words that TensorRT uses are TensorRT's; an unknown `[E] text` may be anybody's.
  run()->speaker(found.kind != nullptr || is_numbered(parsed) || !of_another_program(parsed));
  if (found.kind != nullptr) {
    apply(*found.kind, match);
    const bool noise = (found.kind->flags & kNoise) != 0;
    return {noise ? LineClass::noise : LineClass::recognised, found.kind->id};
  }
  const LogSeverity level = loud ? parsed.severity : level_by_words(parsed);
  if (level < LogSeverity::warning) return nameless(parsed, found.near);
  // A warning or an error is understood as what it is: its text is the fact, and is kept.
  run()->message(level, parsed.body, pos);
  // A warning that ends its sentence is whole: what a program prints behind it is not its text.
  run()->opened = level >= LogSeverity::error ? !is_whole_error(parsed.body)
                                              : parsed.body.empty() || parsed.body.back() != '.';
  return {LineClass::recognised, "message"};
}

// "ERROR: text" is TensorRT's where no line has a better header and the words of one, the first,
// are known; inside trtexec's errors it is the ONNX parser's.
bool Classifier::is_old_samples(const LogLine& parsed, LogLine& old) const {
  if (is_inside_run() || headers().untagged_known > 0 || headers().tagged > 0) return false;
  if (run() && run()->seen(Producer::deepstream)) return false;  // "WARNING: [TRT]: text" is, there
  old = parsed;
  if (!header::take_old_samples(old.body, old)) return false;
  if (headers().old_samples) return true;
  if (run() && run()->opened) return false;
  // "ERROR: Unknown option: --foo" is any program's.
  if (options_.known_message) {
    const KnownWords known = options_.known_message(std::string(old.body), old.severity);
    if (known.rules > 0 && known.is_anybodys) return false;
  }
  Match match;
  const auto found = kinds_.find(old.body, LogSection::none, false, match);
  return found.kind != nullptr && (found.gate_hit || old.body.substr(0, 3) == "../");
}

// A crash, an exception: of this text and of what it names nothing is TensorRT's.
bool Classifier::is_anybodys(const LineKind& kind, const LogLine& parsed) const {
  return (kind.flags & kAnybodys) != 0 && options_.known_message &&
         options_.known_message(std::string(parsed.raw), LogSeverity::error).is_anybodys;
}

LineVerdict Classifier::bare_line(const LogLine& parsed, SourcePos pos) {
  if (!run()) begin_run(parsed, pos);
  if (all_blank(parsed.body)) {
    const LogSection section = run()->section;
    // The blank line that ends a part of trtexec's banner has lost its header, too.
    const bool headless = headers().library_lines > 0 && !has_headers();
    if (section == LogSection::layer_names || headless) run()->section = LogSection::none;
    const bool continues =
        run()->opened || (headless ? section : run()->section) != LogSection::none;
    return {continues ? LineClass::continuation : LineClass::foreign, ""};
  }
  if (run()->section == LogSection::layer_names && WrappedLayer::begins(parsed.body) &&
      !holds_stamp(parsed.body)) {
    run()->layer_text.hold(parsed.body, pos);
    is_held_ = true;
    return {LineClass::recognised, "layer-oneline"};
  }
  Match match;
  match.line = &parsed;
  match.pos = pos;
  const auto found = kinds_.find(parsed.body, run()->section, true, match);
  if (found.kind == nullptr && found.near != nullptr && torn_.empty()) {
    if (const std::size_t at = stamp_inside(parsed.body); at != std::string_view::npos) {
      return tear(parsed, at, pos);
    }
  }
  const bool may_be_any = found.kind == nullptr || (found.kind->flags & kNoise) != 0;
  const bool is_continuation = run()->opened && (has_headers() || run()->expects_more());
  if (LogLine known; may_be_any && !is_continuation && is_known_message(parsed, known)) {
    LogLine inner = parsed;
    if (headers_.take_wrapper(inner)) return bare_line(inner, pos);
    if (found.kind == nullptr) return library_line(known, pos);
    apply(*found.kind, match);
    return known_noise(known, pos);
  }
  // "Building engine: 50%|##  | 3/6 [06:22<00:00][E] text": the bar ends no line.
  if (found.kind != nullptr && std::string_view(found.kind->id) == "progress-bar" &&
      !all_blank(match[0])) {
    std::string other;
    return classify(split_header(match[0], other), pos);
  }
  // A crash beside "[E] text" of anybody's is that program's.
  const bool is_elsewhere = run()->is_by_letter && found.kind != nullptr;
  if (is_elsewhere && is_anybodys(*found.kind, parsed)) return {LineClass::foreign, ""};
  if (found.kind != nullptr) {
    if (!run()->is_of_tensorrt && !may_be_any && !is_anybodys(*found.kind, parsed)) {
      is_of_tensorrt();
    }
    const bool was_open = run()->opened;
    apply(*found.kind, match);
    run()->opened = (run()->opened || was_open) && run()->section != LogSection::traceback;
    const bool noise = (found.kind->flags & kNoise) != 0;
    return {noise ? LineClass::noise : LineClass::recognised, found.kind->id};
  }
  return line_of_no_kind(parsed, pos);
}

// A layer or tensor may be called "[I] [TRT] x": in a list of layers that is no header, nor is that
// of a line which tore a layer's.
bool Classifier::is_layer_line(const LogLine& parsed) const {
  if (!run()) return false;
  if (run()->section != LogSection::engine_layers && run()->section != LogSection::layer_names)
    return false;
  Match match;
  const auto found = kinds_.find(parsed.raw, run()->section, true, match);
  return found.kind != nullptr || (found.near != nullptr && holds_stamp(parsed.raw));
}

// Behind another program's header stands its own text; TAO's converter alone prints TensorRT's
// messages there too ("[WARNING] text").
LineVerdict Classifier::foreign_line(const LogLine& parsed, SourcePos pos) {
  if (run()) {
    run()->opened = false;
    run()->close_message();
  }
  const bool word = parsed.raw.size() > 2 && parsed.raw[0] == '[' &&
                    std::isupper(static_cast<unsigned char>(parsed.raw[1])) != 0 &&
                    parsed.raw.find(']') + 2 == parsed.raw.size() - parsed.body.size();
  if (LogLine known; is_known_message(parsed, known)) return library_line(known, pos);
  if (LogLine error; is_pasted_error(parsed, error)) {
    if (!run()) begin_run(parsed, pos);
    return own_line(error, pos);
  }
  // Why another program could not load or use TensorRT, behind its own header.
  constexpr std::string_view kSaved = "serialize cuda engine to file: ";  // DeepStream's last word
  if (parsed.severity >= LogSeverity::warning || parsed.body.find(kSaved) != std::string::npos) {
    Match match;
    match.line = &parsed;
    match.pos = pos;
    const auto found = kinds_.find(parsed.body, LogSection::none, true, match);
    if (found.kind != nullptr && found.gate_hit) {
      if (!run()) begin_run(parsed, pos);
      if (!is_anybodys(*found.kind, parsed)) is_of_tensorrt();
      apply(*found.kind, match);
      return {LineClass::recognised, found.kind->id};
    }
  }
  LogLine whole;
  const bool logged = is_logged(parsed, whole);
  const bool has_fields = whole.body.size() < parsed.body.size();  // "[WARN] [time] [node]: text"
  if (logged && (!word || has_fields || whole.producer == Producer::python)) {
    return library_line(whole, pos);
  }
  if (!word) return {LineClass::foreign, ""};
  LogLine own = parsed;
  own.own = own.library = true;
  own.producer = Producer::tao;
  Match match;
  const bool in_graph = run() && run()->section == LogSection::graph_nodes;
  const LogSection section = in_graph ? LogSection::graph_nodes : LogSection::none;
  const auto found = kinds_.find(own.body, section, false, match);
  const bool seen = run() && run()->seen(Producer::tao);
  if (!(found.kind != nullptr && found.gate_hit) &&
      !(seen && (found.kind != nullptr || own.severity >= LogSeverity::warning))) {
    return {LineClass::foreign, ""};
  }
  if (!run()) begin_run(parsed, pos);
  return own_line(own, pos);
}

// trtexec never prints the first lines of a Python script or of Polygraphy's builder: where they
// stand behind its last line, it was killed, or has said its verdict.
bool Classifier::is_of_next_process(const LogLine& parsed) const {
  if (!run() || runs_.has_parent() || parsed.producer == Producer::trtexec) return false;
  const bool python = parsed.producer == Producer::python && is_inside_run() &&
                      build_sign(parsed.body) == BuildSign::maybe;
  const bool polygraphy = parsed.producer == Producer::unknown && !parsed.library && is_closed() &&
                          parsed.body.substr(0, 35) == "Building engine with configuration:";
  return (python || polygraphy) && run()->run.producer == "trtexec";
}

bool Classifier::is_rest_of_layer(const LogLine& parsed) {
  if (parsed.own || parsed.verdict || parsed.severity != LogSeverity::unknown) return false;
  return run()->layer_text.goes_on_with(parsed.body, [&](std::string_view text) {
    Match match;
    return kinds_.find(text, LogSection::none, true, match).kind != nullptr;
  });
}

// Pieces that make no layer are none: there is no name to be had of them, and that is said.
void Classifier::release_layer() {
  if (!run() || !run()->layer_text.is_held()) return;
  const std::string text = run()->layer_text.take();
  LogLine line;
  line.raw = line.body = text;
  Match match;
  match.line = &line;
  match.pos = run()->layer_text.pos();
  const LogSection section =
      run()->layer_text.was_wrapped() ? LogSection::none : LogSection::layer_names;
  const auto found = kinds_.find(text, section, true, match);
  const bool is_layer = found.kind != nullptr;
  LineVerdict verdict = {LineClass::malformed, "", "layer-oneline"};
  if (tail_) verdict = {LineClass::continuation, "cut-off"};
  if (is_layer) verdict = {LineClass::recognised, found.kind->id};
  for (const WrappedLayer::Line& line_of_it : run()->layer_text.take_lines()) {
    count(line_of_it.raw, line_of_it.number, verdict, false);
    verdict = {LineClass::continuation, ""};
  }
  if (!is_layer) return;
  const bool was_open = run()->opened;
  apply(*found.kind, match);
  run()->opened = was_open;
}

LineVerdict Classifier::verdict_line(const LogLine& parsed, SourcePos pos) {
  VerdictLine verdict;
  if (run()) ++run()->headers.verdicts;
  if (!read_verdict(parsed.body, verdict)) return {LineClass::malformed, "verdict", "verdict"};
  if (verdict.verdict == VerdictWord::task_begin || verdict.verdict == VerdictWord::task_end) {
    runs_.task(verdict.verdict == VerdictWord::task_begin, parsed.body, pos);
    is_of_tensorrt();
    return {LineClass::recognised, "task"};
  }
  runs_.verdict(verdict, pos, own_lines_);
  is_of_tensorrt();
  return {LineClass::recognised, "verdict"};
}

LineVerdict Classifier::classify(const LogLine& parsed, SourcePos pos) {
  if (run() && run()->layer_text.is_held()) {
    if (is_rest_of_layer(parsed)) {
      run()->layer_text.add(parsed.body);
      is_held_ = true;
      return {LineClass::continuation, ""};
    }
    release_layer();
  }
  if (parsed.verdict) return verdict_line(parsed, pos);
  if (!parsed.own && parsed.severity != LogSeverity::unknown) return foreign_line(parsed, pos);
  // A header behind what is not the log's margin may be the end of a layer's name, or tear it.
  const bool is_doubtful = parsed.guessed || headers_.is_beside_margin(parsed);
  if (is_doubtful && is_layer_line(parsed)) {
    LogLine bare = parsed;
    bare.own = bare.library = bare.guessed = false;
    bare.body = bare.raw;
    return bare_line(bare, pos);
  }
  if (!parsed.own) return bare_line(parsed, pos);
  // 8.0 prints library lines behind its verdict; those of another producer are another program's.
  const bool same_program =
      parsed.producer == Producer::trtexec || parsed.producer == Producer::unknown;
  if ((is_closed() && !same_program) || is_of_next_process(parsed)) end_run();
  if (!run()) begin_run(parsed, pos);
  return own_line(parsed, pos);
}

// A decorated line. Of a bar that is redrawn behind CR the last state counts, but no line of
// TensorRT's is dropped for it.
LineVerdict Classifier::pieces(std::string_view raw, SourcePos pos, bool& own) {
  while (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);  // translated twice
  if (is_padded(raw)) raw = unpadded(raw);
  if (const std::size_t at = next_run_inside(raw); at != std::string_view::npos) {
    own = true;
    return next_run(raw, at, pos);
  }
  LineVerdict verdict;
  for (std::size_t cut = 0; cut != std::string_view::npos; raw.remove_prefix(cut + 1)) {
    cut = raw.find('\r');
    const LogLine parsed = headers_.split(raw.substr(0, cut));
    if (cut != std::string_view::npos && !parsed.own && !parsed.verdict) continue;
    const bool bare = !parsed.own && parsed.severity == LogSeverity::unknown;
    if (bare && headers_.is_outside(parsed) && !all_blank(parsed.raw)) {
      if (run()) run()->opened = false;
      return {LineClass::foreign, ""};
    }
    const bool mended = !torn_.empty() && mend(bare ? parsed.raw : std::string_view()) && bare;
    const LineVerdict piece =
        mended ? LineVerdict{LineClass::continuation, ""} : classify(parsed, pos);
    if (!own) verdict = piece;
    own = own || (parsed.own && piece.line_class != LineClass::foreign);
    if (cut == std::string_view::npos) break;
  }
  is_held_ = is_held_ && !own;
  return verdict;
}

}  // namespace trtlens
