// 11.1's tuning loop: the build routes that were tried, and the best of them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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

std::string remark_text(const TuningIteration& one, const TuningIteration* best) {
  std::vector<std::string> parts;
  if (&one == best) parts.emplace_back("best");
  if (one.accuracy_failed.value_or(false)) parts.emplace_back("accuracy check failed");
  if (!one.gpu_time_ms && one.gpu_compute_ms) parts.emplace_back("time of its own summary");
  if (!one.error_message.empty()) parts.push_back(one.error_message);
  return join(parts, "; ");
}

// Fastest first; those without a time behind them, in order.
std::vector<std::size_t> iterations_by_time(const std::vector<TuningIteration>& iterations) {
  std::vector<std::size_t> order(iterations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto one = iterations[a].time_ms();
    const auto other = iterations[b].time_ms();
    return one && (!other || *one < *other);
  });
  return order;
}

Table iteration_table(const Context& context) {
  const Tuning& tuning = context.build.tuning;
  const TuningIteration* const best = tuning.best();
  Table table;
  table.title = "Tuning iterations, fastest first";
  table.columns = {{"Iteration", ColumnKind::number},     {"Build route", ColumnKind::name},
                   {"GPU time (ms)", ColumnKind::number}, {"Outcome", ColumnKind::label},
                   {"Accuracy loss", ColumnKind::label},  {"Run", ColumnKind::number},
                   {"Remark", ColumnKind::text}};
  for (const std::size_t i : iterations_by_time(tuning.iterations)) {
    const TuningIteration& one = tuning.iterations[i];
    table.rows.push_back(
        {one.iteration
             ? Cell{fmt::format("{}", *one.iteration), static_cast<double>(*one.iteration)}
             : text_cell(""),
         text_cell(one.build_route.empty() ? "unknown" : one.build_route), ms_cell(one.time_ms()),
         text_cell(outcome_text(one)), text_cell(loss_text(one)),
         one.run ? Cell{fmt::format("{}", *one.run), static_cast<double>(*one.run)} : text_cell(""),
         text_cell(remark_text(one, best))});
  }
  table.shown = context.rows_shown(15);
  const bool has_runs = std::any_of(tuning.iterations.begin(), tuning.iterations.end(),
                                    [](const TuningIteration& one) { return one.run.has_value(); });
  if (has_runs) table.note = "--run N reports the run of an iteration.";
  return table;
}

void add_tuning_facts(const Tuning& tuning, Section& section) {
  FactList facts("Tuning loop");
  if (tuning.attempted && tuning.succeeded) {
    facts.add("Iterations",
              fmt::format("{} of {} succeeded", *tuning.succeeded, *tuning.attempted));
  }
  if (tuning.routes) facts.add("Build routes to try", fmt::format("{}", *tuning.routes));
  if (tuning.timeout_s) facts.add("Stopped early", "timeout of " + seconds_text(*tuning.timeout_s));
  facts.add("Best route", tuning.best_route);
  if (tuning.best_gpu_time_ms) facts.add("Best GPU time", ms_text(*tuning.best_gpu_time_ms));
  facts.add("Tuned expression", tuning.expression);
  facts.add("Search", tuning.search);
  facts.add("Accuracy measured by", tuning.accuracy_algorithm);
  facts.add("Command", tuning.command);
  facts.add_to(section);
}

}  // namespace

Section tuning_section(const Context& context) {
  Section section{"tuning", "Tuning of build routes", {}};
  const Tuning& tuning = context.build.tuning;
  if (tuning.empty()) return section;
  add_tuning_facts(tuning, section);
  if (!tuning.iterations.empty()) section.blocks.emplace_back(iteration_table(context));
  return section;
}

}  // namespace trtlens
