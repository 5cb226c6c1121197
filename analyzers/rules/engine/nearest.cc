// The message rule whose words come nearest to a text that no rule knows.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analyzers/rules/engine/json.h"
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

bool is_own(const std::string& word) {
  return std::ranges::binary_search(kOwnWords, word);
}

// The words of one pattern or sample of a rule.
struct Wording {
  const MessageRule* rule = nullptr;
  std::set<std::string> words;
  bool is_sample = false;  // whole: its own words count as well as those in common
};

// nullptr: the object has no such key.
const PlacedJson* member_of(const PlacedJson& object, std::string_view key) {
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    if (object.keys[i].first == key) return &object.items[i];
  }
  return nullptr;
}

// Samples by rule; the rules that are loaded have none.
std::map<std::string, std::vector<std::string>> samples_by_rule() {
  std::map<std::string, std::vector<std::string>> by_rule;
  PlacedJsonError error;
  for (const RuleFile& file : embedded_rule_files()) {
    const std::optional<PlacedJson> rules = parse_placed_json(file.text, error);
    if (!rules) continue;  // a test holds them free of faults
    for (const PlacedJson& rule : rules->items) {
      const PlacedJson* id = member_of(rule, "id");
      const PlacedJson* samples = member_of(rule, "samples");
      if (id == nullptr || samples == nullptr) continue;  // a consequence
      for (const PlacedJson& sample : samples->items) {
        const PlacedJson* text = member_of(sample, "text");
        by_rule[id->text].push_back(text == nullptr ? sample.text : text->text);
      }
    }
  }
  return by_rule;
}

const std::vector<Wording>& wordings() {
  static const std::vector<Wording> all = [] {
    const std::map<std::string, std::vector<std::string>> samples = samples_by_rule();
    std::vector<Wording> out;
    for (const MessageRule& rule : embedded_message_rules()) {
      if (rule.is_consequence) continue;
      for (const RulePattern& pattern : rule.patterns) {
        for (const std::string& words : pattern.re->words()) {
          out.push_back({&rule, tokens_of(words), false});
        }
      }
      if (const auto found = samples.find(rule.info.id); found != samples.end()) {
        for (const std::string& text : found->second) out.push_back({&rule, tokens_of(text), true});
      }
    }
    return out;
  }();
  return all;
}

std::set<std::string> common(const std::set<std::string>& mine, std::set<std::string> its) {
  for (const std::string& token : mine) {  // "[Cc]ould" leaves "ould" of its first word
    if (its.erase(token.substr(1)) > 0) its.insert(token);
  }
  std::set<std::string> both;
  std::ranges::set_intersection(mine, its, std::inserter(both, both.begin()));
  return both;
}

// Of a pattern how much is there; of a sample Dice's coefficient, for it is a whole message.
double likeness(const std::set<std::string>& mine, const Wording& its, std::size_t both) {
  const auto mean = static_cast<double>(mine.size() + its.words.size()) / 2;
  const double all = its.is_sample ? mean : static_cast<double>(its.words.size());
  return all > 0 ? static_cast<double>(both) / all : 0;
}

}  // namespace

std::optional<NearRule> nearest_rule(const std::string& text, const std::string& input,
                                     Speaker speaker, double least_share) {
  constexpr std::size_t kLeastTokens = 3;
  const std::set<std::string> mine = tokens_of(text);
  std::optional<NearRule> nearest;
  if (speaker == Speaker::anybody && std::ranges::none_of(mine, is_own)) return nearest;
  // Likest and longest; of rules about one message the most general one.
  std::pair<double, int> best;
  for (const Wording& its : wordings()) {
    const std::set<std::string> both = common(mine, its.words);
    const double like = likeness(mine, its, both.size());
    if (both.size() < kLeastTokens || like < least_share) continue;
    const std::size_t letters = letters_of(both);
    const std::pair<double, int> found{like * static_cast<double>(letters), -its.rule->priority};
    if (speaker == Speaker::anybody && std::ranges::none_of(both, is_own)) continue;
    if (nearest && found <= best) continue;
    if (!shows_programs_of(with_texts(*its.rule).info, input)) continue;
    nearest = NearRule{its.rule->info.id, letters};
    best = found;
  }
  return nearest;
}

}  // namespace trtlens
