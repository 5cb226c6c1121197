// TensorRT's messages by the words of the rules, for lines without TensorRT's header.
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <map>
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

// Source code and people quote messages. `at` may stand inside a word: "C|ould not find".
bool is_quoted(const std::string& text, std::size_t at) {
  while (at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0) --at;
  if (at == 0 || (text[at - 1] != '"' && text[at - 1] != '`')) return false;
  return at < 4 || text.compare(at - 4, 3, "&& ") != 0;  // of an assertion
}

// What a text of another program hardly holds: TensorRT, its parts and its files.
bool names_tensorrt(const std::string& text) {
  static const re2::RE2 names(
      "(?i)tensorrt|nvinfer|\\btrt|_trt|onnx|myelin|getBestTactic|nbDims|nvdla|\\.(?:engine|plan)"
      "\\b|"
      "getPluginRegistry|--(?:stronglyTyped|fp16|fp32|int8)\\b");
  return re2::RE2::PartialMatch(text, names);
}

class KnownByRules {
 public:
  explicit KnownByRules(const std::vector<MessageRule>& rules) : rules_(rules), index_(rules) {}

  // Where rules of several levels know the text and its line names none, it is the lowest: the
  // milder reading.
  [[nodiscard]] KnownWords words_of(const std::string& text, LogSeverity level) const {
    KnownWords known;
    std::map<std::size_t, bool> rules;  // false: by words of its own
    for (const RuleIndex::Told& told : index_.told_by_words(text)) {
      if (is_quoted(text, told.at)) continue;
      const auto [at, added] = rules.emplace(told.rule, told.is_anybodys);
      if (!added) at->second = at->second && told.is_anybodys;
    }
    known.has_words = !rules.empty();
    known.is_anybodys = !names_tensorrt(text);
    for (const auto& [i, is_anybodys] : rules) {
      const MessageRule& rule = rules_[i];
      if (!message_rules::level_fits(rule.levels, level) || !matches(rule, text)) continue;
      const LogSeverity of_rule = level == LogSeverity::unknown ? usual_level(rule) : level;
      known.level = known.rules == 0 ? of_rule : std::min(known.level, of_rule);
      known.is_anybodys = known.is_anybodys && is_anybodys;
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
