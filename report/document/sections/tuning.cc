// 11.1's tuning loop: the build routes that were tried, and the best of them.
#include <fmt/format.h>

#include <algorithm>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

std::string outcome_text(const TuningIteration& one) {
  if (one.crashed.value_or(false)) return "crashed";
  if (one.outcome != Outcome::unknown) return to_string(one.outcome);
  return "unknown";
}

// Of the output that is farthest off; "y 0.001" where outputs have names.
std::string loss_text(const TuningIteration& one) {
  if (!one.accuracy_loss) return "";
  std::string text = number_text(*one.accuracy_loss);
  for (const auto& [output, loss] : one.accuracy_losses) {
    if (loss == *one.accuracy_loss) {
      text += fmt::format(" ({})", output);
      break;
    }
  }
  return text;
}

std::string route_text(const TuningIteration& one) {
  return one.build_route.empty() ? "unknown" : one.build_route;
}

std::string remark_text(const TuningIteration& one, const TuningIteration* best) {
  std::vector<std::string> parts;
  if (&one == best) parts.emplace_back("best");
  if (one.accuracy_failed.value_or(false)) parts.emplace_back("accuracy check failed");
  if (!one.gpu_time_ms && one.gpu_compute_ms) parts.emplace_back("time of its own summary");
  if (!one.error_message.empty()) parts.push_back(one.error_message);
  return join(parts, "; ");
}

// Fastest first; those without a time behind them, in order.
std::vector<const TuningIteration*> iterations_by_time(const Tuning& tuning) {
  std::vector<const TuningIteration*> order = pointers_to(tuning.iterations);
  std::stable_sort(order.begin(), order.end(),
                   [](const TuningIteration* a, const TuningIteration* b) {
                     const auto one = a->time_ms();
                     const auto other = b->time_ms();
                     return one && (!other || *one < *other);
                   });
  return order;
}

Table iteration_table(const Context& context) {
  const Tuning& tuning = context.build.tuning;
  using One = TuningIteration;
  Table table = table_of(context, kTuningIterationFacts, iterations_by_time(tuning),
                         {"iteration",
                          {{"Build route", ColumnKind::name}, route_text},
                          {{"GPU time (ms)", ColumnKind::number},
                           [](const One& one) { return ms_cell(one.time_ms()); }},
                          {{"Outcome", ColumnKind::label}, outcome_text},
                          {{"Accuracy loss", ColumnKind::label}, loss_text},
                          "run",
                          {{"Remark", ColumnKind::text}, [best = tuning.best()](const One& one) {
                             return remark_text(one, best);
                           }}});
  table.title = "Tuning iterations, fastest first";
  table.shown = context.rows_shown(15);
  const bool has_runs = std::any_of(tuning.iterations.begin(), tuning.iterations.end(),
                                    [](const One& one) { return one.run.has_value(); });
  if (has_runs) table.note = "--run N reports the run of an iteration.";
  return table;
}

void add_tuning_facts(const Context& context, Section& section) {
  const Tuning& tuning = context.build.tuning;
  FactList facts("Tuning loop");
  if (tuning.attempted && tuning.succeeded) {
    facts.add("Iterations",
              fmt::format("{} of {} succeeded", *tuning.succeeded, *tuning.attempted));
  }
  add_facts(context, kTuningFacts, tuning, {"routes"}, facts);
  if (tuning.timeout_s) facts.add("Stopped early", "timeout of " + seconds_text(*tuning.timeout_s));
  add_facts(
      context, kTuningFacts, tuning,
      {"best_route", "best_gpu_time_ms", "expression", "search", "accuracy_algorithm", "command"},
      facts);
  facts.add_to(section);
}

}  // namespace

Section tuning_section(const Context& context) {
  Section section{"tuning", "Tuning of build routes", {}};
  const Tuning& tuning = context.build.tuning;
  if (tuning.empty()) return section;
  add_tuning_facts(context, section);
  if (!tuning.iterations.empty()) section.add(iteration_table(context));
  return section;
}

}  // namespace trtlens
