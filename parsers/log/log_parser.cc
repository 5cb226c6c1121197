#include "parsers/log/log_parser.h"

#include <re2/re2.h>

#include <memory>
#include <string>

#include "parsers/log/header.h"
#include "parsers/log/line_kind.h"
#include "parsers/log/lines.h"
#include "parsers/log/numbers.h"
#include "parsers/log/run_builder.h"
#include "parsers/log/utf16.h"

namespace trtlens {
namespace {

// "&&&& RUNNING TensorRT.trtexec [TensorRT v101601] [b11] # trtexec --onnx=m.onnx"
struct VerdictLine {
  std::string_view status, name, version, build, command;
  bool task = false;  // 11.1: &&&& TASK_BEGIN, TASK_END, TASK_ABORT
};

bool read_verdict(std::string_view body, VerdictLine& verdict) {
  if (body.substr(0, 5) != "&&&& ") return false;
  static const RE2 pattern(
      "&&&& (RUNNING|PASSED|FAILED|WAIVED|TASK_BEGIN|TASK_END|TASK_ABORT)(?: (\\S+))?(?: "
      "\\[TensorRT v([0-9.]+)\\])?(?: \\[b(\\d+)\\])?(?: # ?(.*)|.*)?");
  re2::StringPiece groups[6];
  if (!pattern.Match(re2::StringPiece(body.data(), body.size()), 0, body.size(), RE2::ANCHOR_BOTH,
                     groups, 6)) {
    return false;
  }
  const auto view = [&](int i) {
    return groups[i].data() == nullptr ? std::string_view()
                                       : std::string_view(groups[i].data(), groups[i].size());
  };
  verdict.status = view(1);
  verdict.name = view(2);
  verdict.version = view(3);
  verdict.build = view(4);
  verdict.command = view(5);
  verdict.task = verdict.status.substr(0, 4) == "TASK";
  return true;
}

bool all_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

struct LogParser::State {
  explicit State(std::uint32_t file_index) : file(file_index) {}

  std::uint32_t file;
  LineSplitter splitter;
  Utf16Decoder decoder;
  std::string scratch;
  LogResult result;
  std::unique_ptr<RunBuilder> run;
  bool inside_run = false;  // between RUNNING and its verdict
  bool closed = false;      // behind the verdict of a run
  bool opened = false;      // unprefixed lines belong to the message before them
  Observer observer = nullptr;
  void* observer_context = nullptr;

  void line(std::string_view raw, std::uint64_t number);
  LineVerdict classify(const LogLine& parsed, SourcePos pos);
  LineVerdict own_line(const LogLine& parsed, SourcePos pos);
  LineVerdict bare_line(const LogLine& parsed, SourcePos pos);
  LineVerdict verdict_line(const LogLine& parsed, SourcePos pos);
  [[nodiscard]] bool is_layer_line(const LogLine& parsed) const;
  void apply(const LineKind& kind, const Match& match);
  void begin_run(std::uint64_t first_line);
  void end_run();
};

void LogParser::State::begin_run(std::uint64_t first_line) {
  run = std::make_unique<RunBuilder>();
  run->run.file = file;
  run->run.first_line = first_line;
  opened = closed = false;
}

void LogParser::State::end_run() {
  if (!run) return;
  // Lines in front of the first verdict line are a run only when they say something.
  if (run->recognised > 0 || !run->run.command.empty() || !run->build.messages.empty()) {
    run->run.n = static_cast<int>(result.runs.size()) + 1;
    run->finish();
    result.messages_left_out += run->messages_left_out;
    result.runs.push_back(run->run);
    result.builds.push_back(std::move(run->build));
  }
  run.reset();
  inside_run = false;
}

void LogParser::State::apply(const LineKind& kind, const Match& match) {
  const LogLine& parsed = *match.line;
  const bool loud = parsed.severity >= LogSeverity::warning;
  if (parsed.own) run->close_message();
  if (kind.apply != nullptr) kind.apply(*run, match);
  const bool applied_message = kind.apply != nullptr && (kind.flags & kKeep) == 0;
  if ((kind.flags & kKeep) != 0 || (loud && !applied_message)) {
    run->message(parsed.severity, parsed.body, match.pos);
  }
  if ((kind.flags & kProgress) != 0) run->progress(match.pos);
  if ((kind.flags & kNoise) == 0) ++run->recognised;
  opened = (kind.flags & kOpens) != 0 || parsed.severity >= LogSeverity::error;
}

LineVerdict LogParser::State::verdict_line(const LogLine& parsed, SourcePos pos) {
  VerdictLine verdict;
  if (!read_verdict(parsed.body, verdict)) return {LineClass::malformed, "verdict", "verdict"};
  if (verdict.task) return {LineClass::recognised, "task"};
  if (verdict.status == "RUNNING") {
    end_run();
    begin_run(pos.line);
    inside_run = true;
    run->run.command = verdict.command;
    if (!verdict.version.empty()) run->build.tensorrt = version_of(verdict.version, verdict.build);
  } else if (run) {
    run->run.outcome = verdict.status == "FAILED" ? Outcome::failed : Outcome::passed;
    if (run->run.command.empty()) run->run.command = verdict.command;
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

LineVerdict LogParser::State::own_line(const LogLine& parsed, SourcePos pos) {
  Match match;
  match.line = &parsed;
  match.pos = pos;
  run->producer_seen(parsed.producer);
  // A bare `[E] text` without stamp and [TRT] is trtexec's in a stderr capture, else a wrapper's.
  run->speaker(parsed.library || parsed.producer != Producer::unknown || inside_run);
  if (parsed.severity == LogSeverity::verbose) run->build.is_verbose = true;
  if (all_blank(parsed.body)) {
    if (run->section != Section::explanations || parsed.severity == LogSeverity::info) {
      run->section = Section::none;
    }
    opened = false;
    return {LineClass::noise, "blank"};
  }
  // A header ends a block of unprefixed lines; sections of trtexec hold none of the library's
  // lines.
  if (run->section == Section::layer_names || run->section == Section::engine_layers ||
      run->section == Section::onnx_node) {
    run->section = Section::none;
  }
  const bool in_graph = run->section == Section::graph_nodes;
  // Warnings come from another stream: they may stand in the middle of a section.
  const bool outside = parsed.library || parsed.severity >= LogSeverity::warning;
  const Section section = outside && !in_graph ? Section::none : run->section;
  const auto found = LineKindTable::instance().find(parsed.body, section, false, match);
  if (in_graph && (found.kind == nullptr || found.kind->section != Section::graph_nodes)) {
    run->section = Section::none;
  }
  if (found.kind != nullptr) {
    apply(*found.kind, match);
    const bool noise = (found.kind->flags & kNoise) != 0;
    return {noise ? LineClass::noise : LineClass::recognised, found.kind->id};
  }
  if (parsed.severity >= LogSeverity::warning) {
    run->message(parsed.severity, parsed.body, pos);
    opened = true;
  } else {
    opened = false;
  }
  // A warning or an error is understood as what it is: its text is the fact, and is kept.
  if (parsed.severity >= LogSeverity::warning) return {LineClass::recognised, "message"};
  if (found.gate_hit) return {LineClass::malformed, "", found.near->id};
  return {LineClass::unknown, ""};
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

LineVerdict LogParser::State::classify(const LogLine& parsed, SourcePos pos) {
  if (parsed.verdict) {
    if (!run) begin_run(pos.line);
    return verdict_line(parsed, pos);
  }
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

void LogParser::State::line(std::string_view raw, std::uint64_t number) {
  const SourcePos pos{file, number, 1};
  // Of a bar that is redrawn behind CR the last state counts, but no line of TensorRT's is dropped
  // for it.
  std::string_view rest = raw;
  while (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);  // translated twice
  LineVerdict verdict;
  bool own = false;
  for (std::size_t cut = 0; cut != std::string_view::npos; rest.remove_prefix(cut + 1)) {
    cut = rest.find('\r');
    const LogLine parsed = split_header(rest.substr(0, cut), scratch);
    if (cut != std::string_view::npos && !parsed.own && !parsed.verdict) continue;
    const LineVerdict piece = classify(parsed, pos);
    if (!own) verdict = piece;
    own = own || parsed.own;
    if (cut == std::string_view::npos) break;
  }
  result.coverage.add(verdict.line_class);
  if (own) ++result.own_lines;
  if (run) run->run.last_line = number;
  if (observer != nullptr) observer(observer_context, raw, verdict);
}

LogParser::LogParser(std::uint32_t file) : state_(std::make_unique<State>(file)) {}
LogParser::~LogParser() = default;

void LogParser::observe(Observer observer, void* context) {
  state_->observer = observer;
  state_->observer_context = context;
}

void LogParser::feed(std::string_view chunk) {
  State& s = *state_;
  s.splitter.feed(s.decoder.decode(chunk),
                  [&](std::string_view line, std::uint64_t number) { s.line(line, number); });
}

LogResult LogParser::finish() {
  State& s = *state_;
  const auto sink = [&](std::string_view line, std::uint64_t number) { s.line(line, number); };
  s.splitter.feed(s.decoder.finish(), sink);
  s.splitter.finish(sink);
  s.end_run();
  s.result.lines = s.splitter.lines();
  s.result.cut_lines = s.splitter.cut_lines();
  s.result.first_cut_line = s.splitter.first_cut_line();
  return std::move(s.result);
}

}  // namespace trtlens
