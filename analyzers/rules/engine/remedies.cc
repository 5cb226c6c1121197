// Which remedies of a rule apply: by the version, the command, and the programs that the input
// shows.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens::message_rules {
namespace {

// How a program, or the system it runs on, shows in a log: in its messages, its command or its
// paths.
struct Program {
  std::string_view name;
  const char* pattern;
};

constexpr std::array kPrograms = {
    Program{"ComfyUI", "(?i)comfyui"},
    Program{"DeepStream", "(?i:deepstream|gst-?nvinfer|nvdsinfer)|NvDs"},
    Program{"Frigate", "(?i)frigate"},
    Program{"Holoscan", "(?i)holoscan"},
    Program{"Jetson", "(?i)nvgpu|\\btegra|jetpack|\\bL4T\\b|\\b(?:orin|xavier)\\b"},
    Program{"MMDeploy",
            "(?i)mmdeploy|mmcv|TRTBatchedNMS|grid_sampler|RuntimeError: Failed to parse onnx, "},
    Program{"ONNX Runtime", "(?i)onnxruntime|onnx runtime|TensorrtExecutionProvider|\\bORT_"},
    Program{"Paddle", "(?i)\\bpaddle"},
    Program{"Polygraphy",
            "(?i:polygraphy)|Invalid Engine\\. Please ensure|Profile is not valid, please provide"},
    Program{"Python",
            "Traceback|\\.py\\b|site-packages|(?i:polygraphy|torch_tensorrt|\\bpython[\\d.]*\\b)"},
    Program{"Stable Diffusion", "(?i)stable.?diffusion|webui"},
    Program{"TF-TRT", "(?i)tf-?trt|tensorflow"},
    Program{"TAO", "(?i)\\btao\\b|tao-|\\.etlt|\\btlt\\b"},
    // Its layers are "Model/layers/0/norm_L51/NORMALIZATION_0".
    Program{"TensorRT-LLM", "(?i:tensorrt.llm|trtllm)|\\w_L\\d+/[A-Z_]+_\\d"},
    Program{"Torch-TensorRT",
            "(?i)torch.tensorrt|\\bcore/(?:conversion|lowering|partitioning|runtime)/"},
    Program{
        "Triton",
        "(?i)tritonserver|trtserver|\\btriton\\b|model_repository|config\\.pbtxt|nvinferserver"},
    Program{"Ultralytics", "(?i)ultralytics|yolo"},
    Program{"Windows", "(?m)(?:^|[\\s\"'(\\[=])[A-Za-z]:[\\\\/]\\w|\\.dll\\b|\\.exe\\b"},
    Program{"a diffusion model",
            "(?i)stable.?diffusion|\\b(?:down|up)_blocks[./]\\d|\\bmid_block[./]"},
    Program{"jetson-inference", "(?i)jetson.inference"},
    Program{"torch2trt", "torch2trt"},
};

// Whatever calls TensorRT by itself.
constexpr std::string_view kOwnProgram = "a program";

// Programs that a model reaches without an ONNX file.
constexpr std::array<std::string_view, 4> kConverters = {"TensorRT-LLM", "Torch-TensorRT",
                                                         "torch2trt", "TF-TRT"};
constexpr std::string_view kConverter = "a converter";

// Programs that take options of their own for the build: these and the converters.
constexpr std::array<std::string_view, 3> kWrappers = {"ONNX Runtime", "MMDeploy", "DeepStream"};
constexpr std::string_view kWrapper = "a wrapper";

constexpr int kToday = 100000;  // Version::number() of the releases that most have

const Program* program_of(std::string_view name) {
  const auto* const found = std::ranges::find(kPrograms, name, &Program::name);
  return found == kPrograms.end() ? nullptr : found;
}

// Compute capabilities that only Jetsons have.
bool is_jetson(const Build& build) {
  static const re2::RE2 of_jetsons("5\\.3|6\\.2|7\\.2|8\\.7|11\\.0");
  return build.gpu && re2::RE2::FullMatch(build.gpu->compute_capability, of_jetsons);
}

// By the producer, the command, the GPU or the packages that a traceback went through.
bool is_named(const re2::RE2& pattern, const Build& build) {
  const auto has = [&](const std::string& text) { return re2::RE2::PartialMatch(text, pattern); };
  return has(build.producer) || has(build.command) || (build.gpu && has(build.gpu->name)) ||
         std::ranges::any_of(build.packages, has);
}

// "ScaledYOLOv4_trt: common.hpp:138: void f(): Assertion `engine' failed.", with trtexec's logger.
bool names_other_program(const Build& build) {
  static const re2::RE2 asserted(R"(^\S+: \S+:\d+: [^\n]*: Assertion `)", re2::RE2::Latin1);
  return !build.names_trtexec() && std::ranges::any_of(build.messages, [&](const Message& message) {
    return !message.text.starts_with("trtexec") &&
           message.text.find(": Assertion `") != std::string::npos &&
           re2::RE2::PartialMatch(message.text, asserted);
  });
}

// For releases that few have, where the version is not known and no value of the message ("[[…]]")
// says that it is one of them: such advice names its versions and stands last.
bool is_if_older(const RuleRemedy& remedy, const Build& build) {
  return !build.tensorrt && remedy.versions.max && *remedy.versions.max < kToday &&
         !remedy.text.starts_with("[[");
}

// Of kConverters, where nothing speaks of trtexec or an ONNX file; else null.
const std::string_view* converter_of(const Build& build) {
  if (!shows_program(kOwnProgram, build)) return nullptr;
  const auto names_onnx = [](const Message& message) {
    return holds_ignoring_case(message.text, "onnx");
  };
  if (build.options.has("onnx") || std::ranges::any_of(build.messages, names_onnx)) return nullptr;
  const auto* const shown = std::ranges::find_if(
      kConverters, [&](std::string_view name) { return shows_program(name, build); });
  return shown == kConverters.end() ? nullptr : shown;
}

bool fits_version_and_command(const RuleRemedy& remedy, const Build& build) {
  const auto has = [&](const std::string& flag) { return has_flag(build, flag); };
  return is_in(remedy.versions, build) && std::ranges::none_of(remedy.command_lacks, has) &&
         (remedy.command_has.empty() || std::ranges::any_of(remedy.command_has, has));
}

bool applies_to(const RuleRemedy& remedy, const Build& build) {
  if (!fits_version_and_command(remedy, build)) return false;
  if (!remedy.operators.empty() && !shows_operator(remedy.operators, build)) return false;
  const auto is_shown = [&](const std::string& name) { return shows_program(name, build); };
  if (std::ranges::any_of(remedy.other_programs, is_shown)) return false;
  return remedy.programs.empty() || std::ranges::any_of(remedy.programs, is_shown);
}

// Said for this program, command, network, value or an older version, not to everybody.
bool is_special(const RuleRemedy& remedy) {
  return !remedy.programs.empty() || !remedy.command_lacks.empty() || !remedy.command_has.empty() ||
         !remedy.operators.empty() || (remedy.versions.max && *remedy.versions.max < kToday) ||
         remedy.text.starts_with("[[");
}

// Of more than a card takes the first, which is the best for all; then what is special.
void keep_best(std::vector<const RuleRemedy*>& fitting) {
  if (fitting.size() <= kMostActions) return;
  std::size_t special = 0;
  const std::size_t room = kMostActions - 1;
  for (std::size_t i = 1; i < fitting.size(); ++i) special += is_special(*fitting[i]) ? 1 : 0;
  std::size_t of_special = std::min(special, room), of_others = room - of_special;
  bool is_first = true;
  std::erase_if(fitting, [&](const RuleRemedy* remedy) {
    if (std::exchange(is_first, false)) return false;
    std::size_t& left = is_special(*remedy) ? of_special : of_others;
    return left == 0 || left-- == 0;
  });
}

}  // namespace

bool is_program(std::string_view name) {
  return name == kOwnProgram || name == kConverter || name == kWrapper ||
         program_of(name) != nullptr;
}

bool shows_program(std::string_view name, const Build& build) {
  if (name == kOwnProgram) {
    return (build.producer != "trtexec" && build.producer != "tensorrt_rtx") ||
           names_other_program(build);
  }
  const auto is_shown = [&](std::string_view one) { return shows_program(one, build); };
  if (name == kConverter) return std::ranges::any_of(kConverters, is_shown);
  if (name == kWrapper) {
    return std::ranges::any_of(kWrappers, is_shown) || shows_program(kConverter, build);
  }
  const Program* program = program_of(name);
  if (program == nullptr) return false;
  if (name == "Jetson" && build.gpu && build.gpu->sm()) {
    const re2::RE2 pattern(program->pattern, re2::RE2::Latin1);
    return is_named(pattern, build) || is_jetson(build);
  }
  return shows_words(program->pattern, build);
}

bool shows_words(const char* words, const Build& build) {
  const re2::RE2 pattern(words, re2::RE2::Latin1);
  return is_named(pattern, build) ||
         std::ranges::any_of(build.messages, [&](const Message& message) {
           return re2::RE2::PartialMatch(message.text, pattern);
         });
}

void say_converter(const Build& build, Values& values) {
  if (const std::string_view* converter = converter_of(build)) {
    values["converter"] = *converter;
    return;
  }
  const auto names_other_model = [](const Message& message) {
    return holds_ignoring_case(message.text, ".caffemodel") ||
           holds_ignoring_case(message.text, ".prototxt") ||
           holds_ignoring_case(message.text, ".uff");
  };
  const bool is_trtexec = build.producer == "trtexec" && !build.command.empty();
  const bool has_model = std::ranges::none_of(build.messages, names_other_model) &&
                         !(is_trtexec && build.options.has("loadEngine"));
  // Where ONNX Runtime itself failed it is no reference.
  if (has_model && !shows_program("ONNX Runtime", build)) values["reference_model"] = "MODEL.onnx";
  if (has_model && !is_trtexec) values["onnx_model"] = "MODEL.onnx";
  if (!is_trtexec) values["caller"] = ", and of the program that called it,";
  if (!values.contains("no_error")) values["verbose_option"] = "--verbose";
  if (const auto said = values.find("unexplained"); said != values.end()) {
    values["searched"] = said->second;
  }
}

bool shows_operator(const std::vector<std::string>& of, const Build& build) {
  const auto is_node = [&](const OnnxNode& node) {
    return std::ranges::find(of, node.op) != of.end();
  };
  if (std::ranges::any_of(build.onnx_nodes, is_node)) return true;
  return std::ranges::any_of(build.layers, [&](const Layer& layer) {
    return std::ranges::any_of(of, [&](const std::string& op) {
      return holds_ignoring_case(layer.parameter_type.str(), op) ||
             holds_ignoring_case(layer.name.str(), op);
    });
  });
}

bool shows_programs_of(const RuleInfo& rule, const std::string& input) {
  const std::string about = rule.title + '\n' + rule.what;
  return std::ranges::all_of(kPrograms, [&](const Program& program) {
    const re2::RE2 pattern(program.pattern, re2::RE2::Latin1);
    const bool speaks_of =
        about.find(program.name) != std::string::npos || re2::RE2::PartialMatch(about, pattern);
    return !speaks_of || re2::RE2::PartialMatch(input, pattern);
  });
}

std::string check_for(const std::string& next_check, const std::vector<RuleRemedy>& special_checks,
                      const Build& build) {
  const auto special = std::ranges::find_if(
      special_checks, [&](const RuleRemedy& check) { return applies_to(check, build); });
  const std::string& check = special == special_checks.end() ? next_check : special->text;
  static const re2::RE2 makes_file("(?i)export(?:ed)?\\b");  // "for the model, exported to ONNX"
  const bool needs_file = has_word(check, {"--onnx=", ".onnx", "--loadEngine="}) &&
                          !re2::RE2::PartialMatch(check, makes_file);
  return needs_file && converter_of(build) != nullptr ? std::string() : check;
}

std::vector<std::string> remedies_for(const std::vector<RuleRemedy>& remedies, const Values& values,
                                      const Build& build) {
  std::vector<std::string> texts;
  const auto if_older = [&](const RuleRemedy* remedy) { return is_if_older(*remedy, build); };
  const auto take = [&](auto fits) {
    std::vector<const RuleRemedy*> fitting;
    for (const RuleRemedy& remedy : remedies) {
      // One that is wholly in [[ ]] is for a value that is not always known.
      if (fits(remedy, build) && !expand(remedy.text, values).empty()) fitting.push_back(&remedy);
    }
    std::vector<const RuleRemedy*> last;
    std::ranges::copy_if(fitting, std::back_inserter(last), if_older);
    std::erase_if(fitting, if_older);
    keep_best(fitting);
    fitting.insert(fitting.end(), last.begin(), last.end());
    if (fitting.size() > kMostActions) fitting.resize(kMostActions);
    for (const RuleRemedy* remedy : fitting) {
      std::string text = expand(remedy->text, values);
      const bool names_versions = if_older(remedy);
      if ((texts.empty() || names_versions) && text.starts_with("Or ")) {
        text = sentence_start(text.substr(3));
      }
      if (names_versions) text.insert(0, "For TensorRT " + versions_text(remedy->versions) + ": ");
      texts.push_back(std::move(text));
    }
  };
  take(applies_to);
  // Advice for somebody else is better than none.
  if (texts.empty()) {
    take(fits_version_and_command);
  }
  return texts;
}

}  // namespace trtlens::message_rules
