// 11.1's tuning loop: the cache and the result files of the tuner beside its log.
#include <algorithm>
#include <utility>

#include "parsers/join/join.h"

namespace trtlens {
namespace {

// What the tuner wrote of an iteration that the log tells of, too.
void complete(TuningIteration& into, TuningIteration& from) {
  fill(into.crashed, from.crashed);
  fill(into.gpu_time_ms, from.gpu_time_ms);
  fill(into.accuracy_loss, from.accuracy_loss);
  fill(into.accuracy_failed, from.accuracy_failed);
  if (into.accuracy_losses.empty()) into.accuracy_losses = std::move(from.accuracy_losses);
  if (into.error_message.empty()) into.error_message = std::move(from.error_message);
  if (into.outcome == Outcome::unknown) into.outcome = from.outcome;
}

void take_header(Tuning& into, const std::map<std::string, std::string>& metadata) {
  if (metadata.count("tuner_version") == 0) return;
  const auto take = [&metadata](std::string& text, const char* key) {
    const auto found = metadata.find(key);
    if (text.empty() && found != metadata.end()) text = found->second;
  };
  take(into.expression, "tuning_expr");
  take(into.search, "searching_algorithm");
  take(into.accuracy_algorithm, "accuracy_algorithm");
  take(into.command, "command_line");
}

}  // namespace

void join_tuning(Tuning& into, std::vector<TuningIteration> iterations,
                 const std::map<std::string, std::string>& metadata) {
  take_header(into, metadata);
  const std::size_t of_log = into.iterations.size();
  std::vector<bool> joined(of_log);
  for (TuningIteration& one : iterations) {
    std::size_t i = 0;
    for (; i < of_log; ++i) {
      const TuningIteration& known = into.iterations[i];
      const bool same = known.iteration && known.iteration == one.iteration &&
                        known.build_route == one.build_route;
      if (same && !joined[i]) break;
    }
    if (i == of_log) {
      into.iterations.push_back(std::move(one));
    } else {
      joined[i] = true;
      complete(into.iterations[i], one);
    }
  }
}

}  // namespace trtlens
