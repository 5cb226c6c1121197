// Outputs of which no value is finite.
#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "analyzers/graph/graph.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::output_all_nan {

// Nothing in it is a number that anybody can use. All zero is no such thing: a detector that sees
// nothing in random inputs writes zeros, as a ReLU may.
static bool has_no_number(const OutputValues& output) {
  return output.count > 0 && output.nan + output.infinite == output.count;
}

static std::string values_text(const OutputValues& output) {
  if (output.all_nan()) return "is NaN";
  return output.nan == 0 ? "is infinite" : "is NaN or infinite";
}

static std::string why_of(const RuleContext& c) {
  const AllowedPrecision& allowed = c.analysis.build.allowed;
  const bool may_overflow =
      allowed.strongly_typed || allowed.labels.empty() || allows(allowed, "FP16");
  if (may_overflow) return c.info.why;
  return fmt::format(
      "Whatever the speed of this engine, it computes no result. {} allowed, so the model itself, "
      "its "
      "weights or the inputs are the likely cause, not the precision.",
      allowed.labels.size() == 1 ? "Only FP32 was" : "FP16 was not");
}

// Places in the rule's remedies.
enum Remedy : std::size_t { kKeepInFp32, kTypesOfTheModel, kFindFirstNan, kRealInputs };

static std::vector<std::string> remedies_of(const RuleContext& c,
                                            const std::vector<std::string>& all) {
  const AllowedPrecision& allowed = c.analysis.build.allowed;
  const auto pick = [&](std::initializer_list<Remedy> fitting) {
    std::vector<std::string> texts;
    for (const Remedy remedy : fitting) texts.push_back(all.at(remedy));
    return texts;
  };
  const bool only_fp32 = !allowed.strongly_typed && allowed.labels.size() == 1;
  if (only_fp32) return pick({kFindFirstNan, kRealInputs});
  if (allowed.strongly_typed) return pick({kTypesOfTheModel, kFindFirstNan, kRealInputs});
  return pick({kKeepInFp32, kFindFirstNan, kRealInputs});
}

// What lets a build compute, or hand over, anything else than FP32.
static const std::vector<std::string>& not_fp32() {
  static const std::vector<std::string> names = {"fp16",
                                                 "bf16",
                                                 "int8",
                                                 "fp8",
                                                 "int4",
                                                 "fp4",
                                                 "best",
                                                 "calib",
                                                 "precisionConstraints",
                                                 "layerPrecisions",
                                                 "layerOutputTypes",
                                                 "inputIOFormats",
                                                 "outputIOFormats"};
  return names;
}

static std::string next_check_of(const RuleContext& c) {
  const Build& build = c.analysis.build;
  if (build.allowed.strongly_typed) {
    return "`polygraphy run MODEL.onnx --trt --strongly-typed --onnxrt --validate`: NaN from ONNX "
           "Runtime as well is the model's. Build the model with every type FP32, where numbers "
           "mean that the precision is the cause: " +
           rebuild_command(build, "FP32.onnx", {"--exportOutput=output.json"},
                           {"inputIOFormats", "outputIOFormats"}) +
           ".";
  }
  const std::string fp16 = allows(build.allowed, "FP16") ? " --fp16" : "";
  return "`polygraphy run MODEL.onnx --trt" + fp16 +
         " --onnxrt --validate`: NaN from ONNX Runtime as well is the model's. Build it in FP32 "
         "alone, where numbers mean that the precision is the cause: " +
         rebuild_command(build, "", {"--exportOutput=output.json"}, not_fp32()) + ".";
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::vector<const OutputValues*> bad;
  for (const OutputValues& output : c.analysis.build.outputs) {
    if (has_no_number(output)) bad.push_back(&output);
  }
  if (bad.empty()) return;
  Finding finding =
      c.finding({{"output", name_text(bad[0]->tensor.name)}, {"is", values_text(*bad[0])}});
  finding.why = why_of(c);
  finding.remedies = remedies_of(c, c.info.remedy_texts());
  finding.next_check = next_check_of(c);
  for (const OutputValues* output : first_of(bad, 8)) {
    finding.evidence.push_back(c.line(
        output->pos, name_text(output->tensor.name) + ": " + count_text(output->count, "value") +
                         ", " + std::to_string(output->nan) + " NaN, " +
                         std::to_string(output->infinite) + " infinite"));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"output-all-nan", Pass::note, check};

}  // namespace trtlens::checks::output_all_nan
