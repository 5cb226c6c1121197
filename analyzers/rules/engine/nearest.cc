// The message rule whose words come nearest to a text that no rule knows.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/tables.h"

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

bool is_own(const std::string& word) {
  return std::ranges::binary_search(kOwnWords, word);
}

// Of a pattern how much is there; of a sample Dice's coefficient, for it is a whole message.
double likeness(std::size_t mine, const Wording& its, std::size_t both) {
  const auto mean = static_cast<double>(mine + its.words) / 2;
  const double all = its.is_sample ? mean : static_cast<double>(its.words);
  return all > 0 ? static_cast<double>(both) / all : 0;
}

// What a text has in common with one wording.
struct Common {
  std::size_t words = 0, letters = 0;
  bool has_own = false;  // a word of TensorRT's own
};

std::vector<Common> common_of(const std::set<std::string>& mine, const WordTable& table) {
  std::vector<Common> all(table.wordings.size());
  for (const std::string& token : mine) {
    std::set<std::uint16_t> places;
    for (const std::string& word : {token, token.substr(1)}) {  // "[Cc]ould" leaves "ould"
      const auto found = std::ranges::lower_bound(table.words, word);
      if (found == table.words.end() || *found != word) continue;
      const auto& its = table.places[static_cast<std::size_t>(found - table.words.begin())];
      places.insert(its.begin(), its.end());
    }
    for (const std::uint16_t place : places) {
      all[place].words += 1;
      all[place].letters += token.size();
      all[place].has_own = all[place].has_own || is_own(token);
    }
  }
  return all;
}

}  // namespace

WordTable word_table_of(const std::vector<MessageRule>& rules) {
  WordTable table;
  std::map<std::string, std::vector<std::uint16_t>> places;
  const auto add = [&](std::size_t rule, const std::string& text, bool is_sample) {
    const std::set<std::string> tokens = tokens_of(text);
    const auto at = static_cast<std::uint16_t>(table.wordings.size());
    for (const std::string& token : tokens) places[token].push_back(at);
    table.wordings.push_back(
        {static_cast<std::uint16_t>(rule), static_cast<std::uint16_t>(tokens.size()), is_sample});
  };
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_consequence) continue;
    for (const RulePattern& pattern : rules[i].patterns) {
      for (const std::string& words : pattern.re->words()) add(i, words, false);
    }
    for (const RuleSample& sample : rules[i].samples) add(i, sample.text, true);
  }
  for (auto& [word, its] : places) {
    table.words.push_back(word);
    table.places.push_back(std::move(its));
  }
  return table;
}

std::optional<NearRule> nearest_rule(const std::string& text, const std::string& input,
                                     Speaker speaker, double least_share) {
  constexpr std::size_t kLeastTokens = 3;
  constexpr double kAlike = 0.8;  // of the nearest: about the same message
  const std::set<std::string> mine = tokens_of(text);
  if (speaker == Speaker::anybody && std::ranges::none_of(mine, is_own)) return std::nullopt;
  const WordTable& table = embedded_word_table();
  const std::vector<Common> common = common_of(mine, table);
  struct Candidate {
    std::pair<double, int> rank;  // likest and longest; of rules about one message the most general
    const MessageRule* rule;
    std::size_t letters;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < common.size(); ++i) {
    const Common& both = common[i];
    const double like = likeness(mine.size(), table.wordings[i], both.words);
    if (both.words < kLeastTokens || like < least_share) continue;
    if (speaker == Speaker::anybody && !both.has_own) continue;
    const MessageRule& rule = embedded_message_rules()[table.wordings[i].rule];
    candidates.push_back(
        {{like * static_cast<double>(both.letters), -rule.priority}, &rule, both.letters});
  }
  std::ranges::stable_sort(candidates, std::greater<>(), &Candidate::rank);
  // A message of a program that is not there is no other rule's.
  for (const Candidate& near : candidates) {
    if (near.rank.first < kAlike * candidates.front().rank.first) break;
    if (!shows_programs_of(with_texts(*near.rule).info, input)) continue;
    return NearRule{near.rule->info.id, near.letters};
  }
  return std::nullopt;
}

}  // namespace trtlens
