// The command `record`: how to record everything, in the flags that a version has.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "analyzers/nearest_name.h"
#include "analyzers/text.h"
#include "report/cli/commands.h"
#include "report/cli/help_text.h"
#include "report/cli/output.h"
#include "report/cli/value_problem.h"

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

std::string version_problem(const std::string& text) {
  if (version_number(text)) return {};
  return fmt::format("'{}' is no version of TensorRT from 7 to 11, such as 8.6 or 10{}", text,
                     did_you_mean(text, {"7", "8", "8.6", "9", "10", "11"}));
}

struct Precision {
  const char* name;
  int first;  // version that has the flag
};
constexpr Precision kPrecisions[] = {{"fp16", 700}, {"int8", 700}, {"fp8", 806}, {"bf16", 900}};

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const Precision& one : kPrecisions) names.emplace_back(one.name);
  return names;
}

// Empty, or why the version does not have them.
std::string precision_flags(const RecordArguments& arguments, int version, std::string& flags) {
  for (const std::string& name : arguments.precisions) {
    if (version >= kTypedAlways) {
      return fmt::format(
          "TensorRT {} has no --{}: the types of the model decide; leave out "
          "--precision",
          arguments.tensorrt, name);
    }
    for (const Precision& one : kPrecisions) {
      if (name == one.name && version < one.first) {
        return fmt::format("TensorRT {} has no --{}; it came with {}.{}", arguments.tensorrt, name,
                           one.first / kNumberOfMajor, one.first % kNumberOfMajor);
      }
    }
    flags += " --" + name;
  }
  return {};
}

// The run of an engine; layers, too, where it was not trtexec that built it.
std::string run_commands(int version, bool with_layers) {
  const std::string load = "trtexec --loadEngine=model.plan";
  const std::string layers = with_layers && version >= kFirstLayerInfo
                                 ? " --dumpLayerInfo --exportLayerInfo=layers.json"
                                 : "";
  const std::string profile = " --dumpProfile --exportProfile=profile.json";
  const std::string times = " --exportTimes=times.json";
  if (version < kFirstSeparateRun) {  // a profile disturbs the times
    return load + times + " > run.log 2>&1\n" + load + layers + profile + " > profile.log 2>&1\n";
  }
  const char* separate = version < kSeparateByItself ? " --separateProfileRun" : "";
  return load + layers + profile + separate + times + " > run.log 2>&1\n";
}

std::string trtexec_commands(const std::string& model, const std::string& flags, int version) {
  std::string build = "trtexec --onnx=" + model;
  if (version < 800) build += " --explicitBatch";
  build += flags + " --verbose";
  if (version >= kFirstLayerInfo) {
    build += " --profilingVerbosity=detailed --dumpLayerInfo --exportLayerInfo=layers.json";
  }
  return build + " --saveEngine=model.plan > build.log 2>&1\n" + run_commands(version, false);
}

std::string polygraphy_commands(const std::string& model, const std::string& flags, int version) {
  return "polygraphy convert " + model + " --convert-to trt" + flags +
         " -vv --log-file build.log -o model.plan\n" + run_commands(version, true);
}

constexpr const char* kTorchCommands =
    "# In the Python program, around the compilation and some calls:\n"
    "#   with torch_tensorrt.dynamo.Debugger(log_level=\"debug\", logging_dir=\"record\",\n"
    "#                                       save_layer_info=True, save_engine_profile=True):\n"
    "#       model = torch_tensorrt.dynamo.compile(program, inputs=inputs)\n"
    "#       model(*inputs)\n"
    "trtlens analyze record\n";

std::string onnxruntime_commands(const std::string& model) {
  return "# The log of the build, and ONNX files of what goes to TensorRT; for the layers and "
         "their "
         "times\n"
         "# give each of these files to `trtlens record --print --onnx`.\n"
         "python3 -c 'import sys, onnxruntime; onnxruntime.InferenceSession(sys.argv[1], "
         "providers=[(\"TensorrtExecutionProvider\", {\"trt_detailed_build_log\": \"1\", "
         "\"trt_dump_subgraphs\": \"1\"})])' " +
         model + " > build.log 2>&1\n";
}

}  // namespace

std::string record_commands(const RecordArguments& arguments, std::string& problem) {
  const int version = version_number(arguments.tensorrt).value_or(0);
  const bool starts_with_dash = arguments.onnx.starts_with('-');  // it would be an option
  const std::string model = shell_word((starts_with_dash ? "./" : "") + arguments.onnx);
  const bool has_flags = arguments.producer == "trtexec" || arguments.producer == "polygraphy";
  if (!has_flags && !arguments.precisions.empty()) {
    problem = "--precision is of trtexec and polygraphy; " + arguments.producer +
              " has it in the program";
    return {};
  }
  std::string flags;
  problem = precision_flags(arguments, version, flags);
  if (!problem.empty()) return {};
  if (arguments.producer == "torch-tensorrt") return kTorchCommands;
  const std::string analyze = "trtlens analyze .\n";
  if (arguments.producer == "onnxruntime") return onnxruntime_commands(model) + analyze;
  return (has_flags && arguments.producer == "polygraphy"
              ? polygraphy_commands(model, flags, version)
              : trtexec_commands(model, flags, version)) +
         analyze;
}

CommandRow record_command(RecordArguments& a) {
  return {"record",
          kRecordHelp,
          kRecordExamples,
          {{"--print", &a.print, "print the commands; a shell runs them", "", true},
           {"--onnx", &a.onnx, "the model (default: model.onnx)", "FILE"},
           {"--tensorrt", &a.tensorrt, "version that they are for: 7 to 11 (default: 10)",
            "VERSION", false, version_problem},
           {"--precision", &a.precisions,
            "precisions to allow, repeatable: " + join(precision_names(), ", ") +
                "; none for TensorRT 11, where the types of the model decide",
            "NAME", false, one_of(precision_names())},
           {"--producer", &a.producer,
            "what builds the engine: trtexec, polygraphy, torch-tensorrt, onnxruntime (default: "
            "trtexec)",
            "NAME", false, one_of({"trtexec", "polygraphy", "torch-tensorrt", "onnxruntime"})}}};
}

int run_record(const RecordArguments& arguments) {
  std::string problem;
  const std::string commands = record_commands(arguments, problem);
  if (!problem.empty()) {
    complain(problem);
    return kExitFailure;
  }
  return print(commands) ? kExitDone : kExitFailure;
}

}  // namespace trtlens
