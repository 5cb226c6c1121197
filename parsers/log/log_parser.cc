#include "parsers/log/log_parser.h"

#include <cctype>
#include <memory>
#include <string>
#include <utility>

#include "parsers/log/header.h"
#include "parsers/log/line_kind.h"
#include "parsers/log/lines.h"
#include "parsers/log/numbers.h"
#include "parsers/log/plain_text.h"
#include "parsers/log/run_builder.h"
#include "parsers/log/run_retention.h"
#include "parsers/log/utf16.h"
#include "parsers/log/verdict_line.h"

namespace trtlens {
namespace {

bool all_blank(std::string_view text) {
  return text.find_first_not_of(std::string_view(" \t\0", 3)) == std::string_view::npos;
}

// A header ends a block of unprefixed lines.
bool is_ended_by_header(Section section) {
  return section == Section::layer_names || section == Section::engine_layers ||
         section == Section::onnx_node;
}

}  // namespace

struct LogParser::State {
  explicit State(std::uint32_t file_index) : file(file_index) {}

  std::uint32_t file;
  LineSplitter splitter;
  Utf16Decoder decoder;
  PlainHeader plain_header;
  std::string scratch;
  LogResult result;
  std::unique_ptr<RunBuilder> run;
  std::unique_ptr<RunBuilder> parent;  // of a run inside another one: 11.1's tuning loop
  EndedRuns ended;                     // parallel to result.runs
  bool keeps_tactics = false;
  bool inside_run = false;  // between RUNNING and its verdict
  bool closed = false;      // behind the verdict of a run
  bool opened = false;      // unprefixed lines belong to the message before them
  bool task = false;        // between TASK_BEGIN and TASK_END
  bool tail = false;        // the last line, which has no end
  // Unstamped "[I] text" and "[I] [TRT] text": where TensorRT's lines have the tag, text without it
  // is the program's.
  std::uint64_t untagged_known = 0, tagged = 0;
  std::string torn;  // a line that another stream's cut off; the rest may follow
  SourcePos torn_pos;
  // Whether an escape or a carriage return may stand in a line: of this chunk or begun before it.
  bool has_controls = false, carries_controls = false;
  Match usual_match;  // of usual_line(), not made anew for every line
  Observer observer = nullptr;
  void* observer_context = nullptr;

  LineVerdict pieces(std::string_view raw, SourcePos pos, bool& own);
  void line(std::string_view raw, std::uint64_t number);
  bool usual_line(std::string_view raw, SourcePos pos);
  void count(std::string_view raw, SourcePos pos, LineVerdict verdict, bool own);
  LineVerdict classify(const LogLine& parsed, SourcePos pos);
  LineVerdict own_line(const LogLine& parsed, SourcePos pos);
  [[nodiscard]] LineVerdict nameless(const LogLine& parsed, const LineKind* near);
  LineVerdict bare_line(const LogLine& parsed, SourcePos pos);
  LineVerdict foreign_line(const LogLine& parsed, SourcePos pos);
  LineVerdict verdict_line(const LogLine& parsed, SourcePos pos);
  LineVerdict tear(const LogLine& parsed, std::size_t at, SourcePos pos);
  bool mend(std::string_view rest);
  [[nodiscard]] bool is_layer_line(const LogLine& parsed) const;
  [[nodiscard]] bool of_another_program(const LogLine& parsed) const;
  [[nodiscard]] LineKindTable::Result find(const LogLine& parsed, Section section, LogLine& plain,
                                           Match& match) const;
  void apply(const LineKind& kind, const Match& match);
  void begin_run(std::uint64_t first_line);
  void end_run();
  void begin_verdict_run(const VerdictLine& verdict, std::uint64_t first_line);
  void end_task();
  bool close_earlier_run(const VerdictLine& verdict);
};

void LogParser::State::begin_run(std::uint64_t first_line) {
  run = std::make_unique<RunBuilder>();
  if (keeps_tactics) run->autotune.keep_records();
  run->run.file = file;
  run->run.first_line = run->run.last_line = first_line;
  opened = closed = false;
  untagged_known = tagged = 0;
}

void LogParser::State::end_run() {
  if (!run) return;
  // Lines in front of the first verdict line are a run only when they say something.
  if (run->recognised > 0 || !run->run.command.empty() || !run->build.messages.empty()) {
    run->run.n = static_cast<int>(result.runs.size()) + 1;
    run->finish();
    result.messages_left_out += run->messages_left_out;
    result.runs.push_back(run->run);
    ended.add(std::move(run));
  }
  run.reset();
  inside_run = false;
}

void LogParser::State::apply(const LineKind& kind, const Match& match) {
  const LogLine& parsed = *match.line;
  const bool loud = parsed.severity >= LogSeverity::warning;
  if (parsed.own) run->close_message();
  if ((kind.flags & kDeferred) != 0) {
    run->defer(kind, match);
  } else if (kind.apply != nullptr) {
    kind.apply(*run, match);
  }
  const bool applied_message = kind.apply != nullptr && (kind.flags & kKeep) == 0;
  if ((kind.flags & kKeep) != 0 || (loud && !applied_message)) {
    run->message(parsed.severity, parsed.body, match.pos);
  }
  if ((kind.flags & kProgress) != 0) run->progress(match.pos);
  if ((kind.flags & kNoise) == 0) ++run->recognised;
  opened = (kind.flags & kOpens) != 0 || parsed.severity >= LogSeverity::error;
}

// 11.1's tuning loop prints the logs of its iterations inside its own: those are runs of their own,
// and its run goes on behind them.
void LogParser::State::begin_verdict_run(const VerdictLine& verdict, std::uint64_t first_line) {
  const RunBuilder* outer = parent ? parent.get() : run.get();
  const bool again = outer != nullptr && outer->run.command == verdict.command;
  const bool child = (task && !again) || is_tuning_child(verdict.command);
  if (child && inside_run && !parent && !is_tuning_child(run->run.command)) {
    parent = std::move(run);
  } else {
    if (!child) end_task();
    end_run();
  }
  begin_run(first_line);
  inside_run = true;
  run->run.command = verdict.command;
  run->run.producer = producer_of_name(verdict.name);
  if (!verdict.version.empty()) run->build.tensorrt = version_of(verdict.version, verdict.build);
}

void LogParser::State::end_task() {
  task = false;
  if (!parent) return;
  if (run) parent->run.last_line = run->run.last_line;
  end_run();
  run = std::move(parent);
  inside_run = true;
  closed = opened = false;
}

// A verdict behind that of another run: of one that was left open when the other began.
bool LogParser::State::close_earlier_run(const VerdictLine& verdict) {
  if (!run || !closed || run->run.command.empty() || run->run.command == verdict.command) {
    return false;
  }
  for (std::size_t i = result.runs.size(); i-- > 0;) {
    Build& build = ended.build(i);
    if (build.closing_line || result.runs[i].command != verdict.command) continue;
    build.closing_line = true;
    result.runs[i].outcome = build.outcome =
        verdict.verdict == Verdict::failed ? Outcome::failed : Outcome::passed;
    return true;
  }
  return false;
}

LineVerdict LogParser::State::verdict_line(const LogLine& parsed, SourcePos pos) {
  VerdictLine verdict;
  if (!read_verdict(parsed.body, verdict)) return {LineClass::malformed, "verdict", "verdict"};
  if (verdict.verdict == Verdict::task_begin || verdict.verdict == Verdict::task_end) {
    end_task();
    task = verdict.verdict == Verdict::task_begin;
    return {LineClass::recognised, "task"};
  }
  if (verdict.verdict == Verdict::running) {
    begin_verdict_run(verdict, pos.line);
  } else {
    if (parent && (closed || verdict.command == parent->run.command)) end_task();
    if (close_earlier_run(verdict)) return {LineClass::recognised, "verdict"};
    if (!run) begin_run(pos.line);
    run->run.outcome = verdict.verdict == Verdict::failed ? Outcome::failed : Outcome::passed;
    if (run->run.command.empty()) run->run.command = verdict.command;
    if (run->run.producer.empty()) run->run.producer = producer_of_name(verdict.name);
    if (!run->build.tensorrt && !verdict.version.empty()) {
      run->build.tensorrt = version_of(verdict.version, verdict.build);
    }
    inside_run = false;
    closed = true;
  }
  ++run->recognised;
  run->section = Section::none;
  opened = false;
  return {LineClass::recognised, "verdict"};
}

// `[I] text` without a stamp is trtexec's in a capture of standard error, a logger's without the
// tag, or another program's: that of Polygraphy, of MLPerf's harnesses, of a script.
bool LogParser::State::of_another_program(const LogLine& parsed) const {
  if (parsed.library || parsed.producer == Producer::trtexec) return false;
  if (parsed.producer != Producer::unknown) return true;
  if (inside_run) return run->run.producer != "trtexec" && run->run.producer != "sample";
  return run->build.producer == "polygraphy" || untagged_known == 0 || tagged > 0;
}

// The class of a line whose words no kind knows.
LineVerdict LogParser::State::nameless(const LogLine& parsed, const LineKind* near) {
  opened = false;
  if (of_another_program(parsed)) return {LineClass::foreign, ""};
  // jetson-inference puts the tag before its own text, which begins in lower case or with "--".
  const char first = parsed.body.front();
  if (parsed.producer == Producer::jetson_inference &&
      (first == '-' || std::islower(static_cast<unsigned char>(first)) != 0)) {
    return {LineClass::noise, "jetson-inference"};
  }
  if (near != nullptr) return {LineClass::malformed, "", near->id};
  return {LineClass::unknown, ""};
}

// Another stream's line stands in the middle of this one: it is read, and what was cut off waits
// for its rest.
LineVerdict LogParser::State::tear(const LogLine& parsed, std::size_t at, SourcePos pos) {
  const char* stamp = parsed.body.data() + at;
  torn.assign(parsed.raw.data(), static_cast<std::size_t>(stamp - parsed.raw.data()));
  torn_pos = pos;
  std::string other;
  const LineVerdict verdict = classify(split_header(parsed.body.substr(at), other), pos);
  if (all_blank(parsed.body.substr(0, at))) torn.clear();
  return verdict;
}

// The rest of a torn line, or none: then what there is of a warning or an error is kept.
bool LogParser::State::mend(std::string_view rest) {
  const std::string whole = std::exchange(torn, std::string()) + std::string(rest);
  std::string other;
  const LogLine parsed = split_header(whole, other);
  if (!run || !parsed.own || stamp_inside(parsed.body) != std::string_view::npos) return false;
  if (parsed.severity < LogSeverity::warning) {
    Match match;
    LogLine plain;
    if (rest.empty() || find(parsed, run->section, plain, match).kind == nullptr) return false;
  }
  own_line(parsed, torn_pos);
  return true;
}

LineKindTable::Result LogParser::State::find(const LogLine& parsed, Section section, LogLine& plain,
                                             Match& match) const {
  match.line = &parsed;
  const LineKindTable& kinds = LineKindTable::instance();
  auto found = kinds.find(parsed.body, section, false, match);
  if (found.kind != nullptr) return found;
  plain = parsed;
  plain.body = plainer(parsed.body);
  if (plain.body.empty() || plain.body.size() == parsed.body.size()) return found;
  match.line = &plain;
  const auto again = kinds.find(plain.body, section, false, match);
  return {again.kind, found.gate_hit || again.gate_hit,
          found.near != nullptr ? found.near : again.near};
}

LineVerdict LogParser::State::own_line(const LogLine& parsed, SourcePos pos) {
  const bool untagged = !parsed.library && parsed.producer == Producer::unknown;
  // "[I] RUNNING | Command: …": Polygraphy, and not the output of a command that it runs, which it
  // shows indented.
  if (untagged && !inside_run && parsed.raw.front() == '[' &&
      parsed.body.substr(0, 80).find("RUNNING | Command: ") != std::string_view::npos) {
    end_run();
    begin_run(pos.line);
  }
  run->producer_seen(parsed.producer);
  if (parsed.severity == LogSeverity::verbose) run->build.is_verbose = true;
  if (all_blank(parsed.body)) {
    if (run->section != Section::explanations || parsed.severity == LogSeverity::info) {
      run->section = Section::none;
    }
    opened = false;
    return {LineClass::noise, "blank"};
  }
  // Sections of trtexec hold none of the library's lines.
  if (is_ended_by_header(run->section)) run->section = Section::none;
  const bool in_graph = run->section == Section::graph_nodes;
  // Warnings come from another stream: they may stand in the middle of a section.
  const bool loud = parsed.severity >= LogSeverity::warning;
  const bool outside = parsed.library || loud;
  const Section section = outside && !in_graph ? Section::none : run->section;
  Match match;
  match.pos = pos;
  LogLine plain;
  const auto found = find(parsed, section, plain, match);
  if (in_graph && (found.kind == nullptr || found.kind->section != Section::graph_nodes)) {
    run->section = Section::none;
  }
  if (found.kind == nullptr || loud) {
    const std::size_t at = stamp_inside(parsed.body);
    if (at != std::string_view::npos && torn.empty()) return tear(parsed, at, pos);
  }
  if (untagged && found.kind != nullptr) ++untagged_known;
  if (parsed.library && parsed.producer == Producer::unknown && !parsed.guessed) ++tagged;
  // Words that TensorRT uses are TensorRT's; an unknown `[E] text` may be anybody's.
  run->speaker(found.kind != nullptr || !of_another_program(parsed));
  if (found.kind != nullptr) {
    apply(*found.kind, match);
    const bool noise = (found.kind->flags & kNoise) != 0;
    return {noise ? LineClass::noise : LineClass::recognised, found.kind->id};
  }
  if (!loud) return nameless(parsed, found.near);
  // A warning or an error is understood as what it is: its text is the fact, and is kept.
  run->message(parsed.severity, parsed.body, pos);
  opened = true;
  return {LineClass::recognised, "message"};
}

LineVerdict LogParser::State::bare_line(const LogLine& parsed, SourcePos pos) {
  if (!run) begin_run(pos.line);
  if (all_blank(parsed.body)) {
    if (run->section == Section::layer_names) run->section = Section::none;
    const bool continues = opened || run->section != Section::none;
    return {continues ? LineClass::continuation : LineClass::foreign, ""};
  }
  Match match;
  match.line = &parsed;
  match.pos = pos;
  const auto found = LineKindTable::instance().find(parsed.body, run->section, true, match);
  if (found.kind != nullptr) {
    const bool was_open = opened;
    apply(*found.kind, match);
    opened = opened || was_open;
    const bool noise = (found.kind->flags & kNoise) != 0;
    return {noise ? LineClass::noise : LineClass::recognised, found.kind->id};
  }
  if (run->section == Section::onnx_node || opened) {
    run->continue_message(parsed.body);
    return {LineClass::continuation, ""};
  }
  return {LineClass::foreign, ""};
}

// A layer or tensor may be called "[I] [TRT] x": in a list of layers that is no header.
bool LogParser::State::is_layer_line(const LogLine& parsed) const {
  if (!run) return false;
  if (run->section != Section::engine_layers && run->section != Section::layer_names) return false;
  Match match;
  return LineKindTable::instance().find(parsed.raw, run->section, true, match).kind != nullptr;
}

// Behind another program's header stands its own text; TAO's converter alone prints TensorRT's
// messages there too ("[WARNING] text").
LineVerdict LogParser::State::foreign_line(const LogLine& parsed, SourcePos pos) {
  opened = false;
  if (run) run->close_message();
  const bool word = parsed.raw.size() > 2 && parsed.raw[0] == '[' &&
                    std::isupper(static_cast<unsigned char>(parsed.raw[1])) != 0 &&
                    parsed.raw.find(']') + 2 == parsed.raw.size() - parsed.body.size();
  if (!word) return {LineClass::foreign, ""};
  LogLine own = parsed;
  own.own = own.library = true;
  own.producer = Producer::tao;
  Match match;
  const auto found = LineKindTable::instance().find(own.body, Section::none, false, match);
  const bool seen = run && run->seen(Producer::tao);
  if (!(found.kind != nullptr && found.gate_hit) &&
      !(seen && (found.kind != nullptr || own.severity >= LogSeverity::warning))) {
    return {LineClass::foreign, ""};
  }
  if (!run) begin_run(pos.line);
  return own_line(own, pos);
}

LineVerdict LogParser::State::classify(const LogLine& parsed, SourcePos pos) {
  if (parsed.verdict) return verdict_line(parsed, pos);
  if (!parsed.own && parsed.severity != LogSeverity::unknown) return foreign_line(parsed, pos);
  if (parsed.guessed && is_layer_line(parsed)) {
    LogLine bare = parsed;
    bare.own = bare.library = bare.guessed = false;
    bare.body = bare.raw;
    return bare_line(bare, pos);
  }
  if (!parsed.own) return bare_line(parsed, pos);
  // 8.0 prints library lines behind its verdict; those of another producer are another program's.
  const bool same_program =
      parsed.producer == Producer::trtexec || parsed.producer == Producer::unknown;
  if (closed && !same_program) end_run();
  if (!run) begin_run(pos.line);
  return own_line(parsed, pos);
}

// A decorated line. Of a bar that is redrawn behind CR the last state counts, but no line of
// TensorRT's is dropped for it.
LineVerdict LogParser::State::pieces(std::string_view raw, SourcePos pos, bool& own) {
  while (!raw.empty() && raw.back() == '\r') raw.remove_suffix(1);  // translated twice
  if (is_padded(raw)) raw = unpadded(raw);
  LineVerdict verdict;
  for (std::size_t cut = 0; cut != std::string_view::npos; raw.remove_prefix(cut + 1)) {
    cut = raw.find('\r');
    const LogLine parsed = split_header(raw.substr(0, cut), scratch);
    if (cut != std::string_view::npos && !parsed.own && !parsed.verdict) continue;
    const bool bare = !parsed.own && parsed.severity == LogSeverity::unknown;
    const bool mended = !torn.empty() && mend(bare ? parsed.raw : std::string_view()) && bare;
    const LineVerdict piece =
        mended ? LineVerdict{LineClass::continuation, ""} : classify(parsed, pos);
    if (!own) verdict = piece;
    own = own || (parsed.own && piece.line_class != LineClass::foreign);
    if (cut == std::string_view::npos) break;
  }
  return verdict;
}

// Nearly every line of a verbose build: the header of the line before, outside of all sections,
// words of a known kind. Does what classify() does with such a line. False: it is none, and nothing
// was done.
bool LogParser::State::usual_line(std::string_view raw, SourcePos pos) {
  if (!run || !torn.empty()) return false;
  const LogLine* parsed = plain_header.again(raw);
  if (parsed == nullptr || parsed->severity >= LogSeverity::warning || is_padded(raw)) return false;
  const bool outside =
      run->section == Section::none || (parsed->library && !is_ended_by_header(run->section) &&
                                        run->section != Section::graph_nodes);
  if (!outside) return false;
  usual_match.line = parsed;
  usual_match.pos = pos;
  const LineKind* kind =
      LineKindTable::instance().find(parsed->body, Section::none, false, usual_match).kind;
  if (kind == nullptr) return false;
  run->producer_seen(parsed->producer);
  if (parsed->severity == LogSeverity::verbose) run->build.is_verbose = true;
  run->speaker(true);
  apply(*kind, usual_match);
  const bool noise = (kind->flags & kNoise) != 0;
  count(raw, pos, {noise ? LineClass::noise : LineClass::recognised, kind->id}, true);
  return true;
}

void LogParser::State::line(std::string_view raw, std::uint64_t number) {
  const SourcePos pos{file, number, 1};
  const bool decorated = has_controls && raw.find_first_of("\r\x1b") != std::string_view::npos;
  if (!decorated && usual_line(raw, pos)) return;
  LineVerdict verdict;
  bool own = false;
  LogLine plain;
  if (!decorated && torn.empty() && !is_padded(raw) && plain_header.split(raw, plain)) {
    verdict = classify(plain, pos);
    own = verdict.line_class != LineClass::foreign;
  } else {
    verdict = pieces(raw, pos, own);
  }
  count(raw, pos, verdict, own);
}

void LogParser::State::count(std::string_view raw, SourcePos pos, LineVerdict verdict, bool own) {
  // What the end of the file cut off is not to blame for missing its pattern.
  if (tail &&
      (verdict.line_class == LineClass::malformed || verdict.line_class == LineClass::unknown)) {
    verdict = {LineClass::continuation, "cut-off"};
  }
  result.coverage.add(verdict.line_class);
  if (own) ++result.own_lines;
  if (run) run->run.last_line = pos.line;
  if (observer != nullptr) observer(observer_context, raw, verdict);
}

LogParser::LogParser(std::uint32_t file) : state_(std::make_unique<State>(file)) {}
LogParser::~LogParser() = default;

void LogParser::keep_run(int n) {
  state_->ended.keep_run(n);
}

void LogParser::keep_tactics() {
  state_->keeps_tactics = true;
}

void LogParser::observe(Observer observer, void* context) {
  state_->observer = observer;
  state_->observer_context = context;
}

void LogParser::feed(std::string_view chunk) {
  State& s = *state_;
  chunk = s.decoder.decode(chunk);
  // A line that ends in this chunk may have begun before it.
  const auto holds = [chunk](char c) { return chunk.find(c) != std::string_view::npos; };
  const bool here = holds('\x1b') || holds('\r');
  s.has_controls = here || s.carries_controls;
  s.carries_controls = here || (s.carries_controls && !holds('\n'));
  s.splitter.feed(chunk,
                  [&](std::string_view line, std::uint64_t number) { s.line(line, number); });
}

LogResult LogParser::finish() {
  State& s = *state_;
  const auto sink = [&](std::string_view line, std::uint64_t number) { s.line(line, number); };
  s.has_controls = true;
  s.splitter.feed(s.decoder.finish(), sink);
  s.tail = true;
  s.splitter.finish(sink);
  if (!s.torn.empty()) s.mend({});
  s.end_task();
  s.end_run();
  s.result.builds = s.ended.take();
  s.result.lines = s.splitter.lines();
  s.result.cut_lines = s.splitter.cut_lines();
  s.result.first_cut_line = s.splitter.first_cut_line();
  return std::move(s.result);
}

}  // namespace trtlens
