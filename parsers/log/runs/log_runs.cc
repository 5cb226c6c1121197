// Where the runs of a log begin and end, and what a line of a known kind does to its run.
#include <memory>
#include <utility>

#include "parsers/log/framing/plain_text.h"
#include "parsers/log/grammar/numbers.h"
#include "parsers/log/log_state.h"
#include "parsers/log/runs/tuning.h"

namespace trtlens {

void LogParser::State::begin_run(std::uint64_t first_line) {
  run = std::make_unique<RunBuilder>();
  if (keeps_tactics) run->autotune.keep_records();
  run->run.file = file;
  run->run.first_line = run->run.last_line = first_line;
  opened = closed = false;
  layer = {};
  run->headers.own_lines_before = result.own_lines;
}

void LogParser::State::end_run() {
  if (!run) return;
  release_layer();
  // Lines in front of the first verdict line are a run only when they say something.
  if (run->recognised > 0 || !run->run.command.empty() || !run->build.messages.empty()) {
    run->run.n = ended.count() + 1;
    run->finish();
    result.messages_left_out += run->messages_left_out;
    result.rows_left_out += run->rows_left_out;
    result.layers_left_out += run->layers_left_out;
    result.races_left_out += run->autotune.races_left_out();
    if (result.impossible_numbers == 0) result.first_impossible_line = run->first_impossible_line;
    result.impossible_numbers += run->impossible_numbers;
    if (parent) add_tuning_run(parent->build.tuning, run->build, run->run.n);
    ended.add(std::move(run));
  }
  run.reset();
  inside_run = false;
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
  run->headers.verdicts = 1;
  run->run.command = verdict.command;
  run->run.producer = producer_of_name(verdict.name);
  if (!verdict.version.empty()) run->build.tensorrt = version_of(verdict.version, verdict.build);
}

void LogParser::State::end_task() {
  task = false;
  if (!parent) return;
  release_layer();  // its lines are counted with the run that printed it
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
  return ended.close(verdict.command,
                     verdict.verdict == VerdictWord::failed ? Outcome::failed : Outcome::passed);
}

// A script says nowhere that a build ended and the next begins; trtexec and Polygraphy do.
bool LogParser::State::may_be_between_builds() const {
  return run && run->phase != BuildPhase::open && run->run.command.empty();
}

// Ends the run in front of the first line that is certain to be the next build's. True: the line is
// held until another one tells.
bool LogParser::State::between_builds(std::string_view raw, std::uint64_t number, bool decorated) {
  std::string other;
  const LogLine parsed = split_header(raw, other, &margin);
  // ONNX Runtime and Torch-TensorRT build an engine for each part of one model.
  const bool scripts = parsed.producer == Producer::python || parsed.producer == Producer::unknown;
  const bool another = parsed.producer != Producer::unknown &&
                       parsed.producer != Producer::trtexec && !run->seen(parsed.producer);
  BuildSign sign = BuildSign::none;
  if (parsed.own && (scripts || another)) sign = build_sign(parsed.body);
  if (LogLine whole; !parsed.own && is_without_header(parsed, whole)) {
    sign = build_sign(whole.body);
  }
  const bool built = run->phase == BuildPhase::built;
  const bool likely = sign == BuildSign::maybe || sign == BuildSign::confirmed;
  const bool begins =
      sign == BuildSign::network || (built && (sign == BuildSign::build || (another && likely)));
  if ((long_way & kHolding) != 0) {
    held.add(raw, number, decorated);
    const bool confirms = begins || (built && sign == BuildSign::confirmed);
    if (confirms || sign == BuildSign::same || parsed.verdict || held.full()) {
      release_held(confirms);
    }
    return true;
  }
  if (begins) {
    end_run();
    return false;
  }
  if (sign != BuildSign::rule && sign != BuildSign::maybe) return false;
  long_way |= kHolding;
  held.add(raw, number, decorated);
  return true;
}

void LogParser::State::release_held(bool begins_build) {
  if ((long_way & kHolding) == 0) return;
  long_way &= static_cast<std::uint8_t>(~kHolding);
  const HeldLines lines = std::exchange(held, {});
  if (begins_build) end_run();
  for (const HeldLines::Line& line : lines.lines) {
    unusual_line(line.raw, line.number, line.decorated);
  }
}

LineVerdict LogParser::State::verdict_line(const LogLine& parsed, SourcePos pos) {
  VerdictLine verdict;
  if (run) ++run->headers.verdicts;
  if (!read_verdict(parsed.body, verdict)) return {LineClass::malformed, "verdict", "verdict"};
  if (verdict.verdict == VerdictWord::task_begin || verdict.verdict == VerdictWord::task_end) {
    end_task();
    task = verdict.verdict == VerdictWord::task_begin;
    const bool in_loop = inside_run && !is_tuning_child(run->run.command);
    if (in_loop) add_tuning_task(run->build.tuning, parsed.body, pos);
    return {LineClass::recognised, "task"};
  }
  if (verdict.verdict == VerdictWord::running) {
    begin_verdict_run(verdict, pos.line);
  } else {
    if (parent && (closed || verdict.command == parent->run.command)) end_task();
    if (close_earlier_run(verdict)) return {LineClass::recognised, "verdict"};
    if (!run) begin_run(pos.line);
    run->run.outcome = verdict.verdict == VerdictWord::failed ? Outcome::failed : Outcome::passed;
    if (run->run.command.empty()) run->run.command = verdict.command;
    if (run->run.producer.empty()) run->run.producer = producer_of_name(verdict.name);
    if (!run->build.tensorrt && !verdict.version.empty()) {
      run->build.tensorrt = version_of(verdict.version, verdict.build);
    }
    inside_run = false;
    closed = true;
  }
  ++run->recognised;
  run->section = LogSection::none;
  opened = false;
  // Behind the verdict of an iteration its loop speaks again, also where the TASK lines are gone.
  if (closed && parent && is_tuning_child(run->run.command)) end_task();
  return {LineClass::recognised, "verdict"};
}

}  // namespace trtlens
