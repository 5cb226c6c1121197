// Puts options of trtexec in the words of the program that the input shows: who calls TensorRT
// through ONNX Runtime has no --fp16 but trt_fp16_enable. Commands, in backticks, stay trtexec's.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "analyzers/rules/advice.h"
#include "analyzers/rules/engine/matcher.h"

namespace trtlens {
namespace {

struct Spelling {
  std::string_view option;  // of trtexec; the value behind it is not part of it
  std::string_view own;     // of the program
};

struct ProgramOptions {
  std::string_view program;  // a name of a remedy's "for"
  std::array<Spelling, 11> spellings;
};

// onnxruntime.ai, TensorRT execution provider; torch_tensorrt.compile(); TF-TRT's
// TrtConversionParams; export() of Ultralytics; Gst-nvinfer; tensorrt's IBuilderConfig.
constexpr std::array kPrograms = {
    ProgramOptions{"ONNX Runtime",
                   {{{"fp16", "trt_fp16_enable"},
                     {"bf16", "trt_bf16_enable"},
                     {"int8", "trt_int8_enable"},
                     {"memPoolSize=workspace", "trt_max_workspace_size"},
                     {"minShapes", "trt_profile_min_shapes"},
                     {"optShapes", "trt_profile_opt_shapes"},
                     {"maxShapes", "trt_profile_max_shapes"},
                     {"builderOptimizationLevel", "trt_builder_optimization_level"},
                     {"timingCacheFile", "trt_timing_cache_path"},
                     {"useDLACore", "trt_dla_core"}}}},
    ProgramOptions{"Torch-TensorRT",
                   {{{"memPoolSize=workspace", "workspace_size"},
                     {"minShapes", "min_shape"},
                     {"optShapes", "opt_shape"},
                     {"maxShapes", "max_shape"},
                     {"builderOptimizationLevel", "optimization_level"},
                     {"timingCacheFile", "timing_cache_path"},
                     {"stronglyTyped", "use_explicit_typing=True"},
                     {"versionCompatible", "version_compatible=True"},
                     {"noTF32", "disable_tf32=True"}}}},
    ProgramOptions{"TF-TRT",
                   {{{"fp16", "precision_mode FP16"},
                     {"int8", "precision_mode INT8"},
                     {"memPoolSize=workspace", "max_workspace_size_bytes"}}}},
    ProgramOptions{"Ultralytics",
                   {{{"fp16", "half=True"},
                     {"int8", "int8=True"},
                     {"memPoolSize=workspace", "workspace"},
                     {"verbose", "verbose=True"}}}},
    ProgramOptions{"DeepStream",
                   {{{"memPoolSize=workspace", "workspace-size"}, {"useDLACore", "use-dla-core"}}}},
    ProgramOptions{"Python",
                   {{{"fp16", "BuilderFlag.FP16"},
                     {"bf16", "BuilderFlag.BF16"},
                     {"int8", "BuilderFlag.INT8"},
                     {"fp8", "BuilderFlag.FP8"},
                     {"memPoolSize=workspace", "set_memory_pool_limit"},
                     {"builderOptimizationLevel", "builder_optimization_level"},
                     {"useDLACore", "DLA_core"},
                     {"allowGPUFallback", "BuilderFlag.GPU_FALLBACK"},
                     {"versionCompatible", "BuilderFlag.VERSION_COMPATIBLE"},
                     {"precisionConstraints=obey", "BuilderFlag.OBEY_PRECISION_CONSTRAINTS"},
                     {"precisionConstraints=prefer", "BuilderFlag.PREFER_PRECISION_CONSTRAINTS"}}}},
};

// Programs in Python that set TensorRT's options for their users, each in its own way.
constexpr std::array<std::string_view, 9> kOwnWays = {
    "ComfyUI",          "Frigate", "MMDeploy", "Paddle",       "Polygraphy",
    "Stable Diffusion", "TAO",     "Triton",   "TensorRT-LLM",
};

// "yolo" in a path is not yet that program.
bool is_shown(std::string_view program, const Build& build) {
  using message_rules::shows_program;
  if (!shows_program(program, build)) return false;
  if (program == "Ultralytics") return message_rules::shows_words("(?i)ultralytics", build);
  const auto shows = [&](std::string_view name) { return shows_program(name, build); };
  return program != "Python" || std::ranges::none_of(kOwnWays, shows);
}

const ProgramOptions* program_of(const Build& build) {
  if (build.producer == "trtexec" || build.producer == "tensorrt_rtx") return nullptr;
  const auto* const found = std::ranges::find_if(
      kPrograms, [&](const ProgramOptions& one) { return is_shown(one.program, build); });
  return found == kPrograms.end() ? nullptr : found;
}

// The option at `at`, behind its dashes, in the words of the program; nullptr: it has none.
const Spelling* spelling_at(std::string_view text, std::size_t at, const ProgramOptions& program) {
  const auto fits = [&](const Spelling& one) {
    if (one.option.empty() || !text.substr(at).starts_with(one.option)) return false;
    const std::size_t end = at + one.option.size();
    return end == text.size() || std::string_view(" ,.;:)=").find(text[end]) != std::string::npos;
  };
  const auto* const found = std::ranges::find_if(program.spellings, fits);
  return found == program.spellings.end() ? nullptr : found;
}

// Where the value of an option ends, which is in trtexec's form and unit.
std::size_t value_end(std::string_view text, std::size_t at) {
  const bool has_value =
      at + 1 < text.size() && (text[at] == '=' || text[at] == ':') && text[at + 1] != ' ';
  if (!has_value) return at;
  std::size_t end = std::min(text.find_first_of(" ;)", at), text.size());
  while (end > at && (text[end - 1] == ',' || text[end - 1] == '.')) --end;
  constexpr std::string_view kUnit = " (MiB)";
  return text.substr(end).starts_with(kUnit) ? end + kUnit.size() : end;
}

// As it was where an option has no other name, or is another program's: a mixture helps nobody.
std::string in_words_of(const ProgramOptions& program, const std::string& text) {
  static const re2::RE2 other(R"(\b(?:trtexec|polygraphy|trtllm-build|qdq_translator)\b)");
  std::string out;
  bool in_command = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '`') in_command = !in_command;
    if (in_command || text.compare(at, 2, "--") != 0) {
      out += text[at++];
      continue;
    }
    const Spelling* own = spelling_at(text, at + 2, program);
    if (own == nullptr) return text;
    out += own->own;
    at = value_end(text, at + 2 + own->option.size());
  }
  return re2::RE2::PartialMatch(text, other) ? text : out;
}

}  // namespace

void fit_to_program(std::vector<Finding>& findings, const Build& build) {
  const auto has_option = [](const Finding& finding) {
    return finding.next_check.find("--") != std::string::npos ||
           std::ranges::any_of(finding.remedies, [](const std::string& remedy) {
             return remedy.find("--") != std::string::npos;
           });
  };
  if (std::ranges::none_of(findings, has_option)) return;
  const ProgramOptions* program = program_of(build);
  if (program == nullptr) return;
  for (Finding& finding : findings) {
    for (std::string& remedy : finding.remedies) remedy = in_words_of(*program, remedy);
    finding.next_check = in_words_of(*program, finding.next_check);
  }
}

}  // namespace trtlens
