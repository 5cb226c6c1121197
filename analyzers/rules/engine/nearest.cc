// The message rule whose words come nearest to a text that no rule knows.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "analyzers/rules/engine/matcher.h"

namespace trtlens {
namespace {

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

}  // namespace

std::optional<NearRule> nearest_rule(const std::string& text) {
  constexpr std::size_t kLeastTokens = 2, kLeastLetters = 15;
  constexpr double kLeastShare = 0.6;
  const std::set<std::string> mine = tokens_of(text);
  std::optional<NearRule> nearest;
  // Most letters in common; of rules about one message the most general one.
  std::pair<std::size_t, int> best;
  for (const MessageRule& rule : embedded_message_rules()) {
    if (rule.is_consequence) continue;
    for (const RulePattern& pattern : rule.patterns) {
      for (const std::string& words : pattern.re->words()) {
        std::set<std::string> its = tokens_of(words);
        for (const std::string& token : mine) {  // "[Cc]ould" leaves "ould" of its first word
          if (its.erase(token.substr(1)) > 0) its.insert(token);
        }
        std::set<std::string> both;
        std::ranges::set_intersection(mine, its, std::inserter(both, both.begin()));
        const std::size_t letters = letters_of(both);
        const double share = static_cast<double>(letters) / static_cast<double>(letters_of(its));
        const std::pair<std::size_t, int> found{letters, -rule.priority};
        if (both.size() < kLeastTokens || letters < kLeastLetters || share < kLeastShare) continue;
        if (nearest && found <= best) continue;
        nearest = NearRule{rule.info.id, letters};
        best = found;
      }
    }
  }
  return nearest;
}

}  // namespace trtlens
