// TensorRT's messages by the words of the rules, for lines without TensorRT's header.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/rule_index.h"

namespace trtlens {
namespace {

using message_rules::RuleIndex;

// Words that any program prints: of the C library, of the CUDA runtime, of shells and of Python.
constexpr std::array kAnybodys = {
    " (core dumped)",
    " open ",
    ": DCHECK(",
    ": cannot allocate memory in static TLS block",
    ": cannot open shared object file",
    ": sysmalloc",
    ": undefined symbol: ",
    "Assertion ",
    "Assertion `",
    "Assertion failed: ",
    "AssertionError",
    "AttributeError",
    "Bus error",
    "CUDA driver version is insufficient for CUDA runtime version",
    "CUDA error ",
    "Calibration completed in",
    "Could not open file",
    "Error parsing message",
    "Failed to open ",
    "FileNotFoundError: Could not find: ",
    "Floating point exception",
    "Illegal instruction",
    "ImportError: DLL load failed",
    "Killed",
    "RuntimeError",
    "RuntimeError: Driver error:",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGILL",
    "SIGKILL",
    "SIGSEGV",
    "Segmentation fault",
    "Starting Calibration",
    "System.AccessViolationException",
    "TypeError",
    "Uncaught exception detected: ",
    "Unknown option: ",
    "ValueError",
    "abort",
    "alibrated batch",
    "an illegal memory access was encountered",
    "bus error",
    "cannot allocate memory",
    "corrupted",
    "could not broadcast input array from shape ",
    "device-side assert triggered",
    "double free or corruption",
    "exit code",
    "failed to open ",
    "floating point exception",
    "illegal hardware instruction",
    "invalid device ordinal",
    "invalid",
    "is not a ",
    "killed",
    "munmap_chunk(): invalid pointer",
    "no cuda-capable device is detected",
    "no kernel image is available for execution on the device",
    "nvrtc",
    "operation not permitted when stream is capturing",
    "out of memory",
    "segmentation fault",
    "stack smashing detected",
    "std::bad_alloc",
    "terminate called after throwing an instance of '",
    "timing cache miss",
    "unaligned",
    "undefined symbol: ",
    "unspecified launch failure",
    "xception",
    "核心已转储",
    "段错误",
};

// The names that CUDA and its libraries give to their errors.
bool is_of_cuda(std::string_view word) {
  constexpr std::array<std::string_view, 7> kBegin = {"cudaError",  "CUDA_ERROR_",  "cuda_error_",
                                                      "_STATUS_",   "CUDNN_STATUS", "CUBLAS_STATUS",
                                                      "cuda error "};
  return std::ranges::any_of(kBegin, [&](std::string_view one) { return word.starts_with(one); });
}

bool is_anybodys(const std::string& word) {
  if (is_of_cuda(word)) return true;
  static const std::set<std::string> texts = [] {
    constexpr int kMostErrors = 140;
    std::set<std::string> all(kAnybodys.begin(), kAnybodys.end());
    // "invalid argument", in the case of a pattern that ignores it.
    for (int n = 1; n < kMostErrors; ++n) {
      std::string text = std::generic_category().message(n);
      all.insert(text);
      for (char& c : text) c = lower_case(c);
      all.insert(std::move(text));
    }
    return all;
  }();
  return texts.count(word) != 0;
}

// What a message is whose line names no level.
LogSeverity usual_level(const MessageRule& rule) {
  if (!rule.levels.empty()) return rule.levels.front();
  return rule.info.severity == Severity::fatal ? LogSeverity::error : LogSeverity::warning;
}

// Source code and people quote messages. `at` may stand inside a word: "C|ould not find".
bool is_quoted(const std::string& text, std::size_t at) {
  while (at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  if (at == 0 || (text[at - 1] != '"' && text[at - 1] != '`')) return false;
  return at < 4 || text.compare(at - 4, 3, "&& ") != 0;  // of an assertion
}

// What a text of another program hardly holds: TensorRT, its parts and its files.
bool names_tensorrt(const std::string& text) {
  static const re2::RE2 names(
      "(?i)tensorrt|nvinfer|\\btrt|_trt|(?:onnx|torch)2trt|pycuda\\._driver|genericReformat|onnx_?"
      "parser|myelin|getBestTactic|nbDims|nvdla|"
      "\\.(?:engine|plan)(?:[\\s'\"):,]|$)|"
      "getPluginRegistry|\\bModelImporter\\.cpp|\\bbuiltin_op_importers\\.cpp|"
      "\\.\\./(?:builder|rtSafe|rtExt)/|\\\\(?:rtSafe|rtExt)\\\\"
      "|lib(?:cu(?:dnn|blas|rand|da|fft|sparse)|nvrtc|nvidia-ml)\\w*\\.so|"
      "cudnn\\w*\\.dll|tritonserver|deepstream-app|--(?:stronglyTyped|fp16|fp32|int8|(?:load|save)"
      "Engine|"
      "(?:dump|export)(?:LayerInfo|Profile)|(?:min|opt|max)Shapes|(?:in|out)putIOFormats|"
      "useDLACore|allowGPUFallback|memPoolSize|tacticSources|timingCacheFile|profilingVerbosity|"
      "builderOptimizationLevel|(?:static|dynamic)Plugins|separateProfileRun|useSpinWait|"
      "noDataTransfers|skipInference|explicitBatch|precisionConstraints|layer(?:Precisions|"
      "OutputTypes)|weightStreamingBudget|allowWeightStreaming|stripWeights)\\b");
  return re2::RE2::PartialMatch(text, names);
}

// Many programs write and load ONNX models: the name alone tells nothing.
bool names_onnx(const std::string& text) {
  static const re2::RE2 name("(?i)onnx");
  return re2::RE2::PartialMatch(text, name);
}

// In these words TensorFlow and ROS name any library that they lack.
bool is_of_other_loader(const std::string& text) {
  static const re2::RE2 loader(
      "dso_loader\\.cc:\\d+\\] \\W*Could not load dynamic library '|dlopen error: \\S+: cannot "
      "open");
  static const re2::RE2 own("(?i)tensorrt|trt|libnv");
  return re2::RE2::PartialMatch(text, loader) && !re2::RE2::PartialMatch(text, own);
}

// The messages that rules ask for beside their own.
std::vector<MessageRule> companions_of(const std::vector<MessageRule>& rules) {
  std::vector<MessageRule> companions;
  for (const MessageRule& rule : rules) {
    if (!rule.requires_.and_message.re) continue;
    companions.emplace_back().patterns = {rule.requires_.and_message};
  }
  return companions;
}

constexpr std::size_t kLongWord = 12;  // bytes; shorter ones are too common to tell anything

class KnownByRules {
 public:
  explicit KnownByRules(const std::vector<MessageRule>& rules)
      : rules_(rules),
        index_(message_rules::index_of(rules)),
        companions_(companions_of(rules)),
        index_of_companions_(companions_) {}

  // Where rules of several levels know the text and its line names none, it is the lowest: the
  // milder reading.
  [[nodiscard]] KnownWords words_of(const std::string& text, LogSeverity level) const {
    KnownWords known;
    known.is_anybodys = true;
    if (is_of_other_loader(text)) return known;
    std::map<std::size_t, bool> rules;  // false: by words of its own
    for (const RuleIndex::Told& told : index_->told_by_words(text)) {
      if (is_quoted(text, told.at)) continue;
      bool& only_anybodys = rules.emplace(told.rule, true).first->second;
      only_anybodys = only_anybodys && is_anybodys(*told.word);
    }
    known.has_words = !rules.empty();
    known.is_anybodys = !names_tensorrt(text) && (rules.empty() || !names_onnx(text));
    for (const auto& [i, only_anybodys] : rules) {
      const MessageRule& rule = rules_[i];
      if (!message_rules::level_fits(rule.levels, level) || !matches(rule, text)) continue;
      const LogSeverity of_rule = level == LogSeverity::unknown ? usual_level(rule) : level;
      known.level = known.rules == 0 ? of_rule : std::min(known.level, of_rule);
      known.is_anybodys = known.is_anybodys && only_anybodys;
      ++known.rules;
    }
    if (known.rules == 0 && is_companion(text)) {
      known = {std::max(level, LogSeverity::warning), 1, true, false};
    }
    return known;
  }

 private:
  [[nodiscard]] bool is_companion(const std::string& text) const {
    const std::vector<RuleIndex::Told> told = index_of_companions_.told_by_words(text);
    return std::ranges::any_of(told, [&](const RuleIndex::Told& one) {
      return one.word->size() >= kLongWord && !is_anybodys(*one.word) && !is_quoted(text, one.at) &&
             matches(companions_[one.rule], text);
    });
  }

  static bool matches(const MessageRule& rule, const std::string& text) {
    return std::ranges::any_of(rule.patterns, [&](const RulePattern& pattern) {
      return message_rules::search(pattern, text, nullptr);
    });
  }

  const std::vector<MessageRule>& rules_;
  std::shared_ptr<const RuleIndex> index_;
  std::vector<MessageRule> companions_;
  RuleIndex index_of_companions_;
};

}  // namespace

KnownMessage known_message(const RuleBase* base) {
  // Most logs have no line to ask about; all logs of a command, also side by side, ask one index.
  struct Lazy {
    std::once_flag once;
    std::optional<KnownByRules> known;
  };
  return [base, lazy = std::make_shared<Lazy>()](const std::string& text, LogSeverity level) {
    std::call_once(lazy->once, [&] {
      const bool is_own = base == nullptr || !base->messages;
      lazy->known.emplace(is_own ? embedded_message_rules() : *base->messages);
    });
    return lazy->known->words_of(text, level);
  };
}

}  // namespace trtlens
