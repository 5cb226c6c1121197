// The message rule whose words come nearest to a text that no rule knows.
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens {
namespace {

using message_rules::shows_programs_of;

// Words of TensorRT's that other programs hardly say; sorted.
constexpr auto kOwnWords = std::to_array<std::string_view>(
    {"builder",          "calibrate", "calibration",    "calibrator",    "cask",
     "convolution",      "cublas",    "cudnn",          "deconvolution", "dequantize",
     "dequantizelinear", "dimension", "dimensions",     "engines",       "foreignnode",
     "implementation",   "inference", "kmax",           "kmin",          "kopt",
     "myelin",           "nvinfer",   "nvonnxparser",   "onnx",          "polygraphy",
     "quantization",     "quantize",  "quantizelinear", "refit",         "serialized",
     "shapes",           "tactic",    "tactics",        "tensor",        "tensorrt",
     "tensors",          "trtexec",   "workspace"});

// "Could not find any implementation" -> could, find, implementation.
std::set<std::string> tokens_of(const std::string& text) {
  constexpr std::size_t kShortest = 4;
  std::set<std::string> tokens;
  std::string token;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0) {
      token += lower_case(text[i]);
      continue;
    }
    if (token.size() >= kShortest) tokens.insert(token);
    token.clear();
  }
  return tokens;
}

std::size_t letters_of(const std::set<std::string>& tokens) {
  std::size_t letters = 0;
  for (const std::string& token : tokens) letters += token.size();
  return letters;
}

double share_in(const std::set<std::string>& mine, std::set<std::string> its,
                std::set<std::string>& both) {
  for (const std::string& token : mine) {  // "[Cc]ould" leaves "ould" of its first word
    if (its.erase(token.substr(1)) > 0) its.insert(token);
  }
  std::ranges::set_intersection(mine, its, std::inserter(both, both.begin()));
  return its.empty() ? 0 : static_cast<double>(both.size()) / static_cast<double>(its.size());
}

bool is_own(const std::string& word) {
  return std::ranges::binary_search(kOwnWords, word);
}

}  // namespace

std::optional<NearRule> nearest_rule(const std::string& text, const std::string& input,
                                     double least_share) {
  constexpr std::size_t kLeastTokens = 3;
  const std::set<std::string> mine = tokens_of(text);
  std::optional<NearRule> nearest;
  if (std::ranges::none_of(mine, is_own)) return nearest;
  // Most letters in common; of rules about one message the most general one.
  std::pair<std::size_t, int> best;
  for (const MessageRule& rule : embedded_message_rules()) {
    if (rule.is_consequence) continue;
    for (const RulePattern& pattern : rule.patterns) {
      for (const std::string& words : pattern.re->words()) {
        std::set<std::string> both;
        const double share = share_in(mine, tokens_of(words), both);
        if (both.size() < kLeastTokens || share < least_share) continue;
        const std::pair<std::size_t, int> found{letters_of(both), -rule.priority};
        if (std::ranges::none_of(both, is_own) || (nearest && found <= best)) continue;
        if (!shows_programs_of(with_texts(rule).info, input)) continue;
        nearest = NearRule{rule.info.id, found.first};
        best = found;
      }
    }
  }
  return nearest;
}

}  // namespace trtlens
