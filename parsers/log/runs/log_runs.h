// The runs of a log: where each begins and ends by verdict lines, and what is left of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "parsers/log/framing/verdict_line.h"
#include "parsers/log/log_parser.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/log/runs/run_retention.h"

namespace trtlens {

class LogRuns {
 public:
  LogRuns(std::uint32_t file, const LogOptions& options)
      : options_(options), ended_(options.keep_run), file_(file) {}

  // The one that lines belong to; null: none has begun.
  [[nodiscard]] RunBuilder* run() const { return run_.get(); }
  // Whether it stands inside another one: 11.1's tuning loop.
  [[nodiscard]] bool has_parent() const { return parent_ != nullptr; }

  // `own_lines`: lines with TensorRT's header before it.
  void begin(std::uint64_t first_line, std::uint64_t own_lines);
  void end();
  // RUNNING, PASSED and FAILED.
  void verdict(const VerdictLine& verdict, SourcePos pos, std::uint64_t own_lines);
  // TASK_BEGIN and TASK_END, around the iterations of a tuning loop.
  void task(bool begins, std::string_view text, SourcePos pos);
  void finish();
  // Behind finish(): all but what the classifier and the framing count.
  [[nodiscard]] LogResult take();

 private:
  void begin_by_verdict(const VerdictLine& verdict, std::uint64_t first_line,
                        std::uint64_t own_lines);
  bool close_earlier(const VerdictLine& verdict);
  void end_by_verdict(const VerdictLine& verdict);
  void end_task();

  const LogOptions& options_;
  std::shared_ptr<json_detail::RecentValues> recent_ =
      std::make_shared<json_detail::RecentValues>();
  std::unique_ptr<RunBuilder> run_;
  std::unique_ptr<RunBuilder> parent_;
  EndedRuns ended_;
  LogResult result_;
  std::uint32_t file_;
  bool in_task_ = false;  // between TASK_BEGIN and TASK_END
};

}  // namespace trtlens
