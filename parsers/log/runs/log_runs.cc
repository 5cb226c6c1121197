// Where the runs of a log begin and end.
#include "parsers/log/runs/log_runs.h"

#include <utility>

#include "parsers/log/runs/tuning.h"

namespace trtlens {

void LogRuns::begin(std::uint64_t first_line, std::uint64_t own_lines) {
  run_ = std::make_unique<RunBuilder>(recent_);
  if (options_.keep_tactics) run_->autotune.keep_records();
  run_->run.file = file_;
  run_->run.first_line = run_->run.last_line = first_line;
  run_->headers.own_lines_before = own_lines;
}

void LogRuns::end() {
  if (!run_) return;
  // Lines in front of the first verdict line are a run only when they say something.
  const bool says_something =
      run_->recognised > 0 || !run_->run.command.empty() || !run_->build.messages.empty();
  if (says_something && run_->is_of_tensorrt) {
    run_->run.n = ended_.count() + 1;
    run_->finish();
    result_.messages_left_out += run_->messages_left_out;
    result_.rows_left_out += run_->rows_left_out;
    result_.layers_left_out += run_->layers_left_out;
    result_.races_left_out += run_->autotune.races_left_out();
    result_.candidates_left_out += run_->autotune.candidates_left_out();
    if (result_.impossible_numbers == 0) {
      result_.first_impossible_line = run_->first_impossible_line;
    }
    result_.impossible_numbers += run_->impossible_numbers;
    if (parent_) add_tuning_run(parent_->build.tuning, run_->build, run_->run.n);
    ended_.add(std::move(run_));
  }
  run_.reset();
}

// 11.1's tuning loop prints the logs of its iterations inside its own: those are runs of their own,
// and its run goes on behind them.
void LogRuns::begin_by_verdict(const VerdictLine& verdict, std::uint64_t first_line,
                               std::uint64_t own_lines) {
  const RunBuilder* outer = parent_ ? parent_.get() : run_.get();
  const bool again = outer != nullptr && outer->run.command == verdict.command;
  const bool child = (in_task_ && !again) || is_tuning_child(verdict.command);
  const bool in_run = run_ && run_->stage == RunStage::running;
  if (child && in_run && !parent_ && !is_tuning_child(run_->run.command)) {
    parent_ = std::move(run_);
  } else {
    if (!child) end_task();
    end();
  }
  begin(first_line, own_lines);
  run_->stage = RunStage::running;
  run_->headers.verdicts = 1;
  run_->run.command = verdict.command;
  run_->run.producer = producer_of_name(verdict.name);
  if (!verdict.version.empty()) run_->build.tensorrt = version_of(verdict.version, verdict.build);
}

void LogRuns::end_task() {
  in_task_ = false;
  if (!parent_) return;
  if (run_) parent_->run.last_line = run_->run.last_line;
  end();
  run_ = std::move(parent_);
  run_->stage = RunStage::running;
  run_->opened = false;
}

// A verdict behind that of another run: of one that was left open when the other began.
bool LogRuns::close_earlier(const VerdictLine& verdict) {
  if (!run_ || run_->stage != RunStage::closed || run_->run.command.empty() ||
      run_->run.command == verdict.command) {
    return false;
  }
  return ended_.close(verdict.command,
                      verdict.verdict == VerdictWord::failed ? Outcome::failed : Outcome::passed);
}

void LogRuns::end_by_verdict(const VerdictLine& verdict) {
  run_->run.outcome = verdict.verdict == VerdictWord::failed ? Outcome::failed : Outcome::passed;
  if (run_->run.command.empty()) run_->run.command = verdict.command;
  if (run_->run.producer.empty()) run_->run.producer = producer_of_name(verdict.name);
  if (!run_->build.tensorrt && !verdict.version.empty()) {
    run_->build.tensorrt = version_of(verdict.version, verdict.build);
  }
  run_->stage = RunStage::closed;
}

void LogRuns::verdict(const VerdictLine& verdict, SourcePos pos, std::uint64_t own_lines) {
  if (verdict.verdict == VerdictWord::running) {
    begin_by_verdict(verdict, pos.line, own_lines);
  } else {
    const bool is_closed = run_ && run_->stage == RunStage::closed;
    if (parent_ && (is_closed || verdict.command == parent_->run.command)) end_task();
    if (close_earlier(verdict)) return;
    if (!run_) begin(pos.line, own_lines);
    end_by_verdict(verdict);
  }
  ++run_->recognised;
  run_->section = LogSection::none;
  run_->opened = false;
  // Behind the verdict of an iteration its loop speaks again, also where the TASK lines are gone.
  const bool iteration_ended =
      run_->stage == RunStage::closed && parent_ && is_tuning_child(run_->run.command);
  if (iteration_ended) end_task();
}

void LogRuns::task(bool begins, std::string_view text, SourcePos pos) {
  end_task();
  in_task_ = begins;
  const bool in_loop =
      run_ && run_->stage == RunStage::running && !is_tuning_child(run_->run.command);
  if (in_loop) add_tuning_task(run_->build.tuning, text, pos);
}

void LogRuns::finish() {
  end_task();
  end();
  ended_.take(result_);
}

LogResult LogRuns::take() {
  return std::move(result_);
}

}  // namespace trtlens
