// The facts on a build: the report's "build", of which ledgers are parts.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

std::vector<const Message*> warnings_and_errors(const Analysis& a) {
  std::vector<const Message*> messages;
  for (const Message& message : a.build.messages) {
    if (message.severity >= LogSeverity::warning) messages.push_back(&message);
  }
  return messages;
}

const Coverage& coverage_of(const Analysis& a) {
  return a.reading->coverage;
}

// Null without a verbose log.
const Analysis* with_tactics(const Analysis& a) {
  const bool has_records = !a.build.tactic_records.rows.empty();
  return a.build.is_verbose || !a.races.empty() || has_records ? &a : nullptr;
}

const Roofline* with_roofline(const Analysis& a) {
  return a.roofline.device.empty() && a.roofline.unknown.empty() ? nullptr : &a.roofline;
}

}  // namespace

std::optional<std::string> path_of_input(const Analysis& analysis, const SourcePos& pos) {
  const std::vector<Input>& inputs = analysis.reading->inputs;
  if (pos.file >= inputs.size()) return std::nullopt;
  return inputs[pos.file].path;
}

FactValue dims_if_any(const Dims& dims) {
  return dims.empty() ? FactValue() : FactValue(dims.values());
}

FactValue dims_of(const Tensor& tensor) {
  return tensor.has_dims ? FactValue(tensor.dims.values()) : FactValue();
}

FactValue type_of(const Tensor& tensor) {
  return tensor.type == DataType::unknown ? FactValue() : fact_value(tensor.type);
}

const FactsOf<Analysis> kBuildFacts{
    "build",
    {{"tensorrt", kTensorRtFacts, "its version", kOfBuild<&Build::tensorrt>},
     {"producer", kText, "program that wrote the log: trtexec, python, polygraphy, …",
      kOfBuild<&Build::producer>},
     {"outcome", one_of(kOutcomes), "how it ended; docs/report-json.md says by what",
      kOfBuild<&Build::outcome>},
     {"gpu", kGpuFacts, "that it was built on", kOfBuild<&Build::gpu>},
     {"io_tensors", kIoTensorFacts, "inputs and outputs of the network",
      kOfBuild<&Build::io_tensors>},
     {"inference", kInferenceFacts, "how it was run", kOfBuild<&Build::inference>},
     {"plan_version", kText.or_null(), "TensorRT that built the plan, of --getPlanVersionOnly",
      kOfBuild<&Build::plan_version>},
     {"optimization_profiles", kOptimizationProfileFacts,
      "what each optimization profile allows an input, by profile",
      kOfBuild<&Build::optimization_profiles>},
     {"banner", kTextsByName,
      "rows of trtexec's banner that are not its default, by section and label",
      [](const Analysis& a) { return changed_options(a.build); }},
     {"command", kText.or_null(), "of the run that built, else of the one that timed",
      kOfBuild<&Build::command>},
     {"commands", kTexts, "of all runs that were joined", kOfBuild<&Build::commands>},
     {"options", kIrregular,
      "flags of trtexec's command line by name; true for those without a value"},
     {"coverage", kCoverageFacts, "lines of the logs by class", kFrom<coverage_of>},
     {"messages", kMessageFacts, "warnings and errors of the logs", kFrom<warnings_and_errors>},
     {"performance", kPerformanceFacts, "of trtexec's summary, else of the exported times",
      kItself},
     {"layers", kLayerFacts, "of every optimization profile", kOfBuild<&Build::layers>},
     {"totals", kTotalsFacts, "of the optimization profile that was timed", kItself},
     {"missing_scale", kMissingScaleFacts, "every tensor that the log reports, once",
      kFrom<&Analysis::missing_scales>},
     {"fp32_fallback", kFallbackFacts,
      "layers in FP32 or TF32 although something narrower was allowed; null: cannot be told",
      kFrom<&Analysis::fallbacks>},
     {"reformats", kReformatFacts, "layers that convert formats or types",
      kFrom<&Analysis::reformats>},
     {"account", kAccountFacts, "why it is not faster; null without a profile",
      kFrom<&Analysis::account>},
     {"tactics", kTacticsFacts, "of a verbose log", kFrom<with_tactics>},
     {"build_time", kBuildTimeFacts, "where the time of the build went",
      kFrom<&Analysis::build_time>},
     {"memory", kMemoryFacts, "of the engine, and while it was built", kOfBuild<&Build::memory>},
     {"reconciliation", kReconciliationFacts,
      "the profile's sum against the medians of a query; null without a profile",
      kFrom<&Analysis::reconciliation>},
     {"onnx_times", kOnnxTimeFacts,
      "ONNX nodes by the layers that compute them, slowest first; empty without a profile",
      kFrom<&Analysis::onnx_times>},
     {"modules", kModuleFacts,
      "profile time by module; null without a profile, or when no ONNX node's name holds a path",
      kFrom<&Analysis::modules>},
     {"roofline", kRooflineFacts, "null without times or shapes", kFrom<with_roofline>},
     {"ladder", kLadderFacts,
      "from the profile now by the gains of findings to the roof; null when no finding has one",
      kFrom<&Analysis::ladder>},
     {"placement", kPlacementFacts, "on DLA and streams", kFrom<&Analysis::placement>},
     {"tuning", kTuningFacts, "11.1's tuning loop (--tuneBuildRoutes)",
      [](const Analysis& a) { return a.build.tuning.empty() ? nullptr : &a.build.tuning; }},
     {"outputs", kOutputFacts,
      "what --exportOutput wrote, else what --dumpOutput printed into the log (1000 of them)",
      kOfBuild<&Build::outputs>},
     {"accuracy_losses", kAccuracyFacts, "outputs against the reference of --loadRefOutputs (11.1)",
      kOfBuild<&Build::accuracy_losses>}}};

}  // namespace trtlens
