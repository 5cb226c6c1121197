// Facts on 11.1's tuning loop, on the values of outputs, and on how far these are from a reference.
#include "report/facts/facts.h"

namespace trtlens {

const FactsOf<TuningIteration> kTuningIterationFacts{
    "tuning_iteration",
    {{"iteration", kInteger.or_null(), "its number", kFrom<&TuningIteration::iteration>,
      as_number("Iteration")},
     {"build_route", kText.or_null(), "that was tried", kFrom<&TuningIteration::build_route>},
     {"outcome", one_of(kOutcomes), "of its build and run", kFrom<&TuningIteration::outcome>},
     {"crashed", kFlag.or_null(), "its process", kFrom<&TuningIteration::crashed>},
     {"error", kText.or_null(), "as the tuner says", kFrom<&TuningIteration::error_message>},
     {"gpu_time_ms", kMs.or_null(), "as the tuner says", kFrom<&TuningIteration::gpu_time_ms>},
     {"gpu_compute_ms", kMs.or_null(), "median of the summary that its own run printed",
      kFrom<&TuningIteration::gpu_compute_ms>},
     {"accuracy_loss", kNumber.or_null(), "of the output farthest off",
      kFrom<&TuningIteration::accuracy_loss>},
     {"accuracy_losses", kNumbersByName, "of each output, where they have names",
      kFrom<&TuningIteration::accuracy_losses>},
     {"accuracy_failed", kFlag.or_null(), "the accuracy check",
      kFrom<&TuningIteration::accuracy_failed>},
     {"run", kInteger.or_null().from(1), "number of its run in the logs",
      kFrom<&TuningIteration::run>, as_number("Run")}}};

const FactsOf<Tuning> kTuningFacts{
    "tuning",
    {{"routes", kCount.or_null(), "that the expression expands to", kFrom<&Tuning::routes>,
      as_number("Build routes to try")},
     {"succeeded", kCount.or_null(), "iterations", kFrom<&Tuning::succeeded>},
     {"attempted", kCount.or_null(), "iterations", kFrom<&Tuning::attempted>},
     {"timeout_s", kSeconds.or_null(), "that stopped it early", kFrom<&Tuning::timeout_s>},
     {"best", kCount.or_null(), "index into iterations",
      [](const Tuning& tuning) {
        const TuningIteration* const best = tuning.best();
        return best == nullptr ? FactValue() : fact_value(best - tuning.iterations.data());
      }},
     {"best_route", kText.or_null(), "as the tuner says", kFrom<&Tuning::best_route>,
      as_label("Best route")},
     {"best_gpu_time_ms", kMs.or_null(), "as the tuner says", kFrom<&Tuning::best_gpu_time_ms>,
      as_number("Best GPU time")},
     {"expression", kText.or_null(), "that was tuned", kFrom<&Tuning::expression>,
      as_label("Tuned expression")},
     {"search", kText.or_null(), "how routes are picked", kFrom<&Tuning::search>,
      as_label("Search")},
     {"accuracy_algorithm", kText.or_null(), "that measures the losses",
      kFrom<&Tuning::accuracy_algorithm>, as_label("Accuracy measured by")},
     {"command", kText.or_null(), "of the tuner", kFrom<&Tuning::command>, as_label("Command")},
     {"iterations", kTuningIterationFacts, "in their order", kFrom<&Tuning::iterations>}}};

const FactsOf<OutputValues> kOutputFacts{
    "output",
    {{"name", kText, "of the tensor", [](const OutputValues& output) { return output.tensor.name; },
      as_name("Tensor")},
     {"dims", kIntegers.or_null(), "of the tensor",
      [](const OutputValues& output) {
        const Tensor& tensor = output.tensor;
        return tensor.has_dims ? FactValue(tensor.dims.values()) : FactValue();
      }},
     {"values", kCount, "in all", kFrom<&OutputValues::count>, as_number("Values")},
     {"nan", kCount, "of them", kFrom<&OutputValues::nan>, as_number("NaN")},
     {"inf", kCount, "of them, of both signs", kFrom<&OutputValues::infinite>, as_number("Inf")},
     {"min", kNumber.or_null(), "of the finite values", kFrom<&OutputValues::min>,
      as_number("Min")},
     {"max", kNumber.or_null(), "of the finite values", kFrom<&OutputValues::max>,
      as_number("Max")}}};

const FactsOf<AccuracyLoss> kAccuracyFacts{
    "accuracy_loss",
    {{"name", kText, "of the tensor", kFrom<&AccuracyLoss::tensor>, as_name("Tensor")},
     {"algorithm", kText, "that measured it", kFrom<&AccuracyLoss::algorithm>,
      as_label("Algorithm")},
     {"loss", kNumber.or_null(), "against the reference", kFrom<&AccuracyLoss::loss>,
      as_number("Loss")},
     {"threshold", kNumber.or_null(), "the one that the loss does not keep",
      kFrom<&AccuracyLoss::threshold>, as_number("Beyond the threshold")}}};

}  // namespace trtlens
