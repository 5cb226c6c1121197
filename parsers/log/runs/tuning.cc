// Finds the iteration that a line is about, by its number or by being the last.
#include "parsers/log/runs/tuning.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>

#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

// The last one of that number, and of that route where it is known; null when there is none.
TuningIteration* last_of(Tuning& tuning, const std::optional<std::int64_t>& number,
                         std::string_view route) {
  const auto found =
      std::find_if(tuning.iterations.rbegin(), tuning.iterations.rend(), [&](const auto& one) {
        return one.iteration == number && (route.empty() || one.build_route == route);
      });
  return found == tuning.iterations.rend() ? nullptr : &*found;
}

TuningIteration* last_or_new(Tuning& tuning, std::string_view number, std::string_view route,
                             SourcePos pos) {
  const auto n = whole_number(number);
  if (!n) return nullptr;
  if (TuningIteration* known = last_of(tuning, n, route)) return known;
  TuningIteration& added = tuning.iterations.emplace_back();
  added.iteration = n;
  added.build_route = route;
  added.pos = pos;
  return &added;
}

// The iteration that a run inside the loop's belongs to: "--tuningResultFile=/tmp/trtexec_tuning_7_
// iter3.json" has its number; without, it is the one that was begun last. Null: none.
TuningIteration* iteration_of(Tuning& tuning, const CommandOptions& options) {
  const std::string file = options.value("tuningResultFile").value_or("");
  const std::string route = options.value("setBuildRoute").value_or("");
  const std::size_t at = file.rfind("_iter");
  const std::size_t end = file.rfind(".json");
  if (at == std::string::npos || end == std::string::npos || end < at) {
    if (tuning.iterations.empty()) return nullptr;
    TuningIteration& last = tuning.iterations.back();
    return route.empty() || last.build_route == route ? &last : nullptr;
  }
  const auto number = whole_number(std::string_view(file).substr(at + 5, end - at - 5));
  if (!number) return nullptr;
  TuningIteration* const one = last_of(tuning, number, route);
  return one == nullptr ? last_of(tuning, number, {}) : one;
}

}  // namespace

void add_tuning_task(Tuning& tuning, std::string_view body, SourcePos pos) {
  static const RE2 pattern("&&&& TASK_([A-Z]+) \\[iter=(\\d+)\\] BuildRoute = '(.*)'\\s*",
                           RE2::Latin1);
  re2::StringPiece word, number, route;
  if (!RE2::FullMatch(re2::StringPiece(body.data(), body.size()), pattern, &word, &number,
                      &route)) {
    return;
  }
  const auto view = [](const re2::StringPiece& piece) {
    return std::string_view(piece.data(), piece.size());
  };
  TuningIteration* const one = last_or_new(tuning, view(number), view(route), pos);
  if (one == nullptr || word != "ABORT") return;
  one->crashed = true;
  one->outcome = Outcome::failed;
}

void add_tuning_iteration(Tuning& tuning, std::string_view number, std::string_view route,
                          SourcePos pos) {
  (void)last_or_new(tuning, number, route, pos);
}

void add_tuning_failure(Tuning& tuning, std::string_view number, std::string_view why,
                        SourcePos pos) {
  TuningIteration* const one = last_or_new(tuning, number, {}, pos);
  if (one == nullptr) return;
  one->outcome = Outcome::failed;
  one->error_message = why;
}

void add_tuning_best(Tuning& tuning, std::string_view route, std::string_view ms) {
  tuning.best_route = route;
  tuning.best_gpu_time_ms = finite_number(ms);
  const auto found = std::find_if(
      tuning.iterations.rbegin(), tuning.iterations.rend(),
      [&](const auto& one) { return one.build_route == route && one.outcome != Outcome::failed; });
  if (found != tuning.iterations.rend()) found->gpu_time_ms = tuning.best_gpu_time_ms;
}

void add_tuning_run(Tuning& tuning, const Build& child, int n) {
  TuningIteration* const one = iteration_of(tuning, child.options);
  if (one == nullptr || one->run) return;
  one->run = n;
  if (child.performance.gpu_compute) one->gpu_compute_ms = child.performance.gpu_compute->median_ms;
  for (const AccuracyLoss& output : child.accuracy_losses) {
    if (output.threshold) one->accuracy_failed = true;
    if (!output.loss) continue;
    one->accuracy_losses.emplace_back(output.tensor, *output.loss);
    one->accuracy_loss = std::max(one->accuracy_loss.value_or(*output.loss), *output.loss);
    tuning.accuracy_algorithm = output.algorithm;
  }
  const bool ended = child.outcome == Outcome::passed || child.outcome == Outcome::failed;
  if (ended && one->outcome != Outcome::failed) one->outcome = child.outcome;
}

}  // namespace trtlens
