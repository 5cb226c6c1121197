// 11.1's tuning loop, and what --exportOutput says of the outputs.
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"

namespace trtlens {
namespace {

Json json_iteration(const TuningIteration& one) {
  Json losses = Json::object();
  for (const auto& [output, loss] : one.accuracy_losses) losses[output] = loss;
  return {{"iteration", json_optional(one.iteration)},
          {"build_route", json_text(one.build_route)},
          {"outcome", to_string(one.outcome)},
          {"crashed", json_optional(one.crashed)},
          {"error", json_text(one.error_message)},
          {"gpu_time_ms", json_optional(one.gpu_time_ms)},
          {"gpu_compute_ms", json_optional(one.gpu_compute_ms)},
          {"accuracy_loss", json_optional(one.accuracy_loss)},
          {"accuracy_losses", std::move(losses)},
          {"accuracy_failed", json_optional(one.accuracy_failed)},
          {"run", json_optional(one.run)}};
}

}  // namespace

void write_tuning(const Analysis& a, JsonStream& out) {
  const Tuning& tuning = a.build.tuning;
  if (tuning.empty()) return out.value(nullptr);
  const TuningIteration* const best = tuning.best();
  out.begin_object();
  out.members({{"routes", json_optional(tuning.routes)},
               {"succeeded", json_optional(tuning.succeeded)},
               {"attempted", json_optional(tuning.attempted)},
               {"timeout_s", json_optional(tuning.timeout_s)},
               {"best", best == nullptr ? Json(nullptr) : Json(best - tuning.iterations.data())},
               {"best_route", json_text(tuning.best_route)},
               {"best_gpu_time_ms", json_optional(tuning.best_gpu_time_ms)},
               {"expression", json_text(tuning.expression)},
               {"search", json_text(tuning.search)},
               {"accuracy_algorithm", json_text(tuning.accuracy_algorithm)},
               {"command", json_text(tuning.command)}});
  out.key("iterations");
  out.list(tuning.iterations,
           [&out](const TuningIteration& one) { out.value(json_iteration(one)); });
  out.end();
}

void write_outputs(const Analysis& a, JsonStream& out) {
  out.list(a.build.outputs, [&out](const OutputValues& output) {
    const Tensor& tensor = output.tensor;
    out.value({{"name", tensor.name.str()},
               {"dims", tensor.has_dims ? Json(tensor.dims.values()) : Json(nullptr)},
               {"values", output.count},
               {"nan", output.nan},
               {"inf", output.infinite},
               {"min", json_optional(output.min)},
               {"max", json_optional(output.max)}});
  });
}

void write_accuracy(const Analysis& a, JsonStream& out) {
  out.list(a.build.accuracy_losses, [&out](const AccuracyLoss& output) {
    out.value({{"name", output.tensor},
               {"algorithm", output.algorithm},
               {"loss", json_optional(output.loss)},
               {"threshold", json_optional(output.threshold)}});
  });
}

}  // namespace trtlens
