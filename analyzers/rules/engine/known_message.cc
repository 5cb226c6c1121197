// TensorRT's messages by the words of the rules, for lines without TensorRT's header.
#include <algorithm>
#include <memory>
#include <utility>

#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/rule_index.h"

namespace trtlens {
namespace {

using message_rules::RuleIndex;

// What a message is whose line names no level.
LogSeverity usual_level(const MessageRule& rule) {
  if (!rule.levels.empty()) return rule.levels.front();
  return rule.info.severity == Severity::fatal ? LogSeverity::error : LogSeverity::warning;
}

class KnownByRules {
 public:
  explicit KnownByRules(const std::vector<MessageRule>& rules) : rules_(rules), index_(rules) {}

  // Where rules of several levels know the text and its line names none, it is the lowest: the
  // milder reading.
  [[nodiscard]] KnownWords words_of(const std::string& text, LogSeverity level) const {
    KnownWords known;
    for (const std::size_t i : index_.told_by_words(text)) {
      known.has_words = true;
      const MessageRule& rule = rules_[i];
      if (!message_rules::level_fits(rule.levels, level) || !matches(rule, text)) continue;
      const LogSeverity of_rule = level == LogSeverity::unknown ? usual_level(rule) : level;
      known.level = known.rules == 0 ? of_rule : std::min(known.level, of_rule);
      ++known.rules;
    }
    return known;
  }

 private:
  static bool matches(const MessageRule& rule, const std::string& text) {
    return std::any_of(rule.patterns.begin(), rule.patterns.end(), [&](const RulePattern& pattern) {
      return message_rules::search(pattern, text, nullptr);
    });
  }

  const std::vector<MessageRule>& rules_;
  RuleIndex index_;
};

}  // namespace

KnownMessage known_message(const RuleBase* base) {
  // Most logs have no line to ask about.
  return [base, known = std::shared_ptr<const KnownByRules>()](const std::string& text,
                                                               LogSeverity level) mutable {
    if (!known) {
      const bool is_own = base == nullptr || !base->messages;
      known =
          std::make_shared<const KnownByRules>(is_own ? embedded_message_rules() : *base->messages);
    }
    return known->words_of(text, level);
  };
}

}  // namespace trtlens
