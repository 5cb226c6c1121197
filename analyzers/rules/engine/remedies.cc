// Which remedies of a rule apply: by the version, the command, and the programs that the input
// shows.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens::message_rules {
namespace {

// How a program shows in a log: in its messages, its command or its paths.
struct Program {
  std::string_view name;
  const char* pattern;
};

constexpr std::array kPrograms = {
    Program{"ComfyUI", "(?i)comfy"},
    Program{"DeepStream", "(?i)deepstream|nvds|nvinfer[^_a-z]|gst-?nvinfer"},
    Program{"Frigate", "(?i)frigate"},
    Program{"Jetson", "(?i)jetson|tegra|jetpack|xavier|\\borin\\b|nvgpu"},
    Program{"MMDeploy", "(?i)mmdeploy|mmcv|TRTBatchedNMS|grid_sampler"},
    Program{"ONNX Runtime", "(?i)onnxruntime|onnx runtime|TensorrtExecutionProvider|\\bORT_"},
    Program{"Paddle", "(?i)paddle"},
    Program{"Polygraphy", "(?i)polygraphy"},
    Program{"Python", "(?i)python|traceback|polygraphy|torch|\\.py\\b"},
    Program{"Stable Diffusion", "(?i)stable.?diffusion|webui"},
    Program{"TAO", "(?i)\\btao\\b|tao-|etlt|tlt"},
    Program{"TensorRT-LLM", "(?i)tensorrt.llm|trtllm"},
    Program{"Torch-TensorRT", "(?i)torch.tensorrt"},
    Program{"Triton", "(?i)triton|model_repository|config\\.pbtxt|nvinferserver"},
    Program{"Ultralytics", "(?i)ultralytics|yolo"},
    Program{"jetson-inference", "(?i)jetson.inference"},
};

// Whatever calls TensorRT by itself.
constexpr std::string_view kOwnProgram = "a program";

const Program* program_of(std::string_view name) {
  const auto* const found = std::ranges::find(kPrograms, name, &Program::name);
  return found == kPrograms.end() ? nullptr : found;
}

// Compute capabilities that only Jetsons have.
bool is_jetson(const Build& build) {
  static const re2::RE2 of_jetsons("5\\.3|6\\.2|7\\.2|8\\.7|11\\.0");
  return build.gpu && re2::RE2::FullMatch(build.gpu->compute_capability, of_jetsons);
}

bool applies_to(const RuleRemedy& remedy, const Build& build) {
  if (!is_in(remedy.versions, build)) return false;
  for (const std::string& flag : remedy.command_lacks) {
    if (has_flag(build, flag)) return false;
  }
  const std::vector<std::string>& names = remedy.programs;
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
           return shows_program(name, build);
         });
}

}  // namespace

bool is_program(std::string_view name) {
  return name == kOwnProgram || program_of(name) != nullptr;
}

bool shows_program(std::string_view name, const Build& build) {
  if (name == kOwnProgram) return build.producer != "trtexec";
  const Program* program = program_of(name);
  if (program == nullptr) return false;
  const re2::RE2 pattern(program->pattern, re2::RE2::Latin1);
  const auto has = [&](const std::string& text) { return re2::RE2::PartialMatch(text, pattern); };
  if (has(build.producer) || has(build.command)) return true;
  if (build.gpu && has(build.gpu->name)) return true;
  if (name == "Jetson" && is_jetson(build)) return true;
  return std::ranges::any_of(build.messages,
                             [&](const Message& message) { return has(message.text); });
}

std::vector<std::string> remedies_for(const std::vector<RuleRemedy>& remedies, const Values& values,
                                      const Build& build) {
  std::vector<std::string> texts;
  for (const RuleRemedy& remedy : remedies) {
    if (!applies_to(remedy, build)) continue;
    std::string text = expand(remedy.text, values);
    // One that is wholly in [[ ]] is for a value that is not always known.
    if (text.empty()) continue;
    if (texts.empty() && text.compare(0, 3, "Or ") == 0) {
      text.erase(0, 3);
      text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace trtlens::message_rules
