// The commands that record everything, in the flags that a version has.
#include "report/cli/record/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr int kNumberOfMajor = 100;  // 8.6 is 806
constexpr int kFirstLayerInfo = 802;
constexpr int kFirstSeparateRun = 702;
constexpr int kSeparateByItself = 1100;
constexpr int kTypedAlways = 1100;

// 806 of "8.6" and "8.6.1"; of a major alone the newest: nothing that it has is left out.
std::optional<int> version_number(const std::string& text) {
  int parts[2] = {0, -1};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int& part : parts) {
    const auto [rest, error] = std::from_chars(at, end, part);
    if (error != std::errc() || part < 0 || part >= kNumberOfMajor) return {};
    at = rest;
    if (at == end) break;
    if (*at++ != '.') return {};
  }
  if (std::string_view(at, end).find_first_not_of("0123456789.") != std::string_view::npos)
    return {};
  constexpr int kOldest = 7;
  constexpr int kNewest = 11;
  if (parts[0] < kOldest || parts[0] > kNewest) return {};
  return parts[0] * kNumberOfMajor + (parts[1] < 0 ? kNumberOfMajor - 1 : parts[1]);
}

struct PrecisionFlag {
  const char* name;
  int first;  // version that has the flag
};
constexpr PrecisionFlag kPrecisions[] = {{"fp16", 700}, {"int8", 700}, {"fp8", 806}, {"bf16", 900}};

// Empty, or why the version does not have them.
std::string precision_flags(const RecordArguments& arguments, int version, std::string& flags) {
  for (const std::string& name : arguments.precisions) {
    if (version >= kTypedAlways) {
      return fmt::format(
          "TensorRT {} has no --{}: the types of the model decide; leave out "
          "--precision",
          arguments.tensorrt, name);
    }
    for (const PrecisionFlag& one : kPrecisions) {
      if (name == one.name && version < one.first) {
        return fmt::format("TensorRT {} has no --{}; it came with {}.{}", arguments.tensorrt, name,
                           one.first / kNumberOfMajor, one.first % kNumberOfMajor);
      }
    }
    if (flags.find(" --" + name) == std::string::npos) flags += " --" + name;
  }
  return {};
}

// The run of an engine; layers, too, where it was not trtexec that built it.
void add_runs(int version, bool with_layers, const std::string& more,
              std::vector<RecordStep>& steps) {
  const std::string load = "trtexec --loadEngine=model.plan" + more;
  const std::string layers = with_layers && version >= kFirstLayerInfo
                                 ? " --dumpLayerInfo --exportLayerInfo=layers.json"
                                 : "";
  const std::string profile = " --dumpProfile --exportProfile=profile.json";
  const std::string times = " --exportTimes=times.json";
  if (version < kFirstSeparateRun) {  // a profile disturbs the times
    steps.push_back({load + times, "run.log"});
    steps.push_back({load + layers + profile, "profile.log"});
    return;
  }
  const char* separate = version < kSeparateByItself ? " --separateProfileRun" : "";
  steps.push_back({load + layers + profile + separate + times, "run.log"});
}

std::string trtexec_build(const std::string& model, const std::string& flags, int version) {
  std::string build = "trtexec --onnx=" + model;
  if (version < 800) build += " --explicitBatch";
  build += flags + " --verbose";
  if (version >= kFirstLayerInfo) {
    build += " --profilingVerbosity=detailed --dumpLayerInfo --exportLayerInfo=layers.json";
  }
  return build + " --saveEngine=model.plan";
}

constexpr const char* kTorchNote =
    "# In the Python program, around the compilation and some calls:\n"
    "#   with torch_tensorrt.dynamo.Debugger(log_level=\"debug\", logging_dir=\".\",\n"
    "#                                       save_layer_info=True, save_engine_profile=True):\n"
    "#       model = torch_tensorrt.dynamo.compile(program, inputs=inputs)\n"
    "#       model(*inputs)\n";

constexpr const char* kOnnxruntimeNote =
    "# The log of the build, and ONNX files of what goes to TensorRT; for the layers and their "
    "times\n"
    "# give each of these files to `trtlens record --print --onnx`.\n";
constexpr const char* kOnnxruntimeCommand =
    "python3 -c 'import sys, onnxruntime; onnxruntime.InferenceSession(sys.argv[1], "
    "providers=[(\"TensorrtExecutionProvider\", {\"trt_detailed_build_log\": \"1\", "
    "\"trt_dump_subgraphs\": \"1\"})])' ";

// Empty, or what the producer does not take.
std::string producer_problem(const RecordArguments& arguments) {
  const std::string& producer = arguments.producer;
  if (producer != "trtexec" && producer != "polygraphy" && !arguments.precisions.empty()) {
    return "--precision is of trtexec and polygraphy; " + producer + " has it in the program";
  }
  if (producer != "trtexec" && !arguments.more.empty()) {
    return "options behind -- are of trtexec, which builds nothing here";
  }
  const auto word = std::ranges::find_if(
      arguments.more, [](const std::string& one) { return !one.starts_with('-'); });
  if (word == arguments.more.end()) return {};
  return fmt::format("'{}' is no option of trtexec; the model is --onnx FILE", *word);
}

}  // namespace

bool is_recorded_version(const std::string& text) {
  return version_number(text).has_value();
}

std::vector<std::string> recorded_precisions() {
  std::vector<std::string> names;
  for (const PrecisionFlag& one : kPrecisions) names.emplace_back(one.name);
  return names;
}

std::vector<RecordStep> record_steps(const RecordArguments& arguments, std::string& problem) {
  if (arguments.onnx.empty()) problem = "--onnx wants the name of a file";
  const int version = version_number(arguments.tensorrt).value_or(0);
  const bool starts_with_dash = arguments.onnx.starts_with('-');  // it would be an option
  const std::string model = shell_word((starts_with_dash ? "./" : "") + arguments.onnx);
  const bool by_polygraphy = arguments.producer == "polygraphy";
  if (problem.empty()) problem = producer_problem(arguments);
  if (!problem.empty()) return {};
  std::string flags;
  problem = precision_flags(arguments, version, flags);
  if (!problem.empty()) return {};
  if (arguments.producer == "torch-tensorrt") return {{"", "", kTorchNote}};
  if (arguments.producer == "onnxruntime") {
    return {{kOnnxruntimeCommand + model, "build.log", kOnnxruntimeNote}};
  }
  std::string more;
  for (const std::string& option : arguments.more) more += " " + shell_word(option);
  std::vector<RecordStep> steps;
  if (by_polygraphy) {
    steps.push_back({"polygraphy convert " + model + " --convert-to trt" + flags +
                         " -vv --log-file build.log -o model.plan",
                     ""});
  } else {
    steps.push_back({trtexec_build(model, flags + more, version), "build.log"});
  }
  add_runs(version, by_polygraphy, more, steps);
  return steps;
}

std::string commands_text(const std::vector<RecordStep>& steps) {
  std::string text;
  for (const RecordStep& step : steps) {
    text += step.note;
    if (step.command.empty()) continue;
    text += step.command + (step.log.empty() ? "" : " > " + step.log + " 2>&1") + "\n";
  }
  return text + "trtlens analyze .\n";
}

}  // namespace trtlens
