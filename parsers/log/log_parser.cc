// Chunks to lines, lines to their classes, facts to runs.
#include "parsers/log/log_parser.h"

#include <memory>
#include <utility>

#include "parsers/log/classifier/classifier.h"
#include "parsers/log/framing/clock.h"
#include "parsers/log/framing/framing.h"
#include "parsers/log/runs/log_runs.h"
#include "parsers/parse.h"

namespace trtlens {

struct LogParser::Stages {
  Stages(std::uint32_t file, LogOptions given)
      : options(std::move(given)), runs(file, options), classifier(file, options, runs) {}

  const LogOptions options;
  Framing framing;
  LogClock clock;
  LogRuns runs;
  Classifier classifier;
};

LogParser::LogParser(std::uint32_t file, LogOptions options)
    : stages_(std::make_unique<Stages>(file, std::move(options))) {}
LogParser::~LogParser() = default;

void LogParser::feed(std::string_view chunk) {
  stages_->clock.read(chunk);
  stages_->classifier.lines(stages_->framing, chunk);
}

void LogParser::so_far(const std::function<void(const LogSoFar&)>& show) {
  RunBuilder* run = stages_->runs.run();
  if (run == nullptr) return;
  run->settle();
  const bool is_closed = run->stage == RunStage::closed;
  show({run->build, run->autotune.races(), run->autotune.cursor(), run->timed_layers,
        run->run.first_line, stages_->framing.splitter().lines(),
        is_closed ? std::optional(run->run.outcome) : std::nullopt, stages_->clock.elapsed_s(),
        [run] { return run->so_far(); }});
}

LogResult LogParser::finish() {
  auto& [options, framing, clock, runs, classifier] = *stages_;
  framing.finish([&](std::string_view line, std::uint64_t number,
                     bool decorated) { stages_->classifier.line(line, number, decorated); },
                 [&](std::string_view line, std::uint64_t number, bool decorated) {
                   stages_->classifier.last_line(line, number, decorated);
                 });
  classifier.finish();
  LogResult result = runs.take();
  result.coverage = classifier.coverage();
  result.own_lines = classifier.own_lines();
  result.library_lines = classifier.library_lines();
  result.lines = framing.splitter().lines();
  result.cut_lines = framing.splitter().cut_lines();
  result.first_cut_line = framing.splitter().first_cut_line();
  return result;
}

}  // namespace trtlens
