// What a tired engineer reads once: the texts of rules and causes are short. A placeholder counts
// as one word, optional parts count.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"

namespace trtlens::rule_texts_test {
namespace {

std::ptrdiff_t words_of(std::string text) {
  for (const char* bracket : {"[[", "]]"}) {
    for (std::size_t at = text.find(bracket); at != std::string::npos; at = text.find(bracket)) {
      text.replace(at, 2, " ");
    }
  }
  std::istringstream in(text);
  std::ptrdiff_t words = 0;
  for (std::string word; in >> word;) {
    words +=
        std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0; }) ? 1 : 0;
  }
  return words;
}

bool has_condition(const RuleRemedy& remedy) {
  return remedy.versions.min || remedy.versions.max || !remedy.programs.empty() ||
         !remedy.command_lacks.empty() || !remedy.command_has.empty() ||
         !remedy.operators.empty() || remedy.text.compare(0, 2, "[[") == 0;
}

std::vector<MessageRule> whole_rules() {
  std::vector<Diagnostic> unused;
  return load_message_rules(embedded_rule_files(), {}, unused, SampleCheck::skip);
}

// Numbers that stand alone: "8.5", not the 8 of INT8 or of layer1.0.
std::ptrdiff_t numbers_of(const std::string& text) {
  static const RE2 number(R"([-+<(]?\d[\d.,]*)");
  std::istringstream in(text);
  std::ptrdiff_t numbers = 0;
  for (std::string word; in >> word;) {
    while (!word.empty() && std::string_view(",.:;)").find(word.back()) != std::string::npos) {
      word.pop_back();
    }
    numbers += RE2::FullMatch(word, number) ? 1 : 0;
  }
  return numbers;
}

// Of what is always said: an optional part may stand in for another one.
std::ptrdiff_t sentences_of(std::string text) {
  static const RE2 optional(R"(\[\[.*?\]\])"), placeholder(R"(\{[^}]*\})");
  RE2::GlobalReplace(&text, optional, "");
  RE2::GlobalReplace(&text, placeholder, "X");
  static const RE2 end(R"([.?!]["')]*\s+\S)");
  return text.empty() ? 0 : 1 + RE2::GlobalReplace(&text, end, "");
}

void hold_title(const std::string& id, const std::string& title) {
  constexpr std::ptrdiff_t kTitle = 12;
  std::string named = title;
  static const RE2 placeholder(R"(\{[^}]*\})");
  RE2::GlobalReplace(&named, placeholder, "X");
  EXPECT_LE(words_of(named), kTitle) << id << ": " << title;
  EXPECT_EQ(named.find('('), std::string::npos) << id << ": " << title;
  EXPECT_LE(numbers_of(named), 1) << id << ": " << title;
}

void hold_texts(const std::string& id, const std::string& why,
                const std::vector<RuleRemedy>& remedies) {
  constexpr std::ptrdiff_t kFirstRemedy = 20, kRemedy = 28, kWhy = 60;
  EXPECT_LE(words_of(why), kWhy) << id << ": " << why;
  EXPECT_LE(sentences_of(why), 2) << id << ": " << why;
  bool may_be_first = true;  // where no remedy before it applies
  for (const RuleRemedy& remedy : remedies) {
    EXPECT_LE(words_of(remedy.text), may_be_first ? kFirstRemedy : kRemedy)
        << id << ": " << remedy.text;
    may_be_first = may_be_first && has_condition(remedy);
  }
}

void hold_checks(const std::string& id, const std::vector<std::string>& checks,
                 std::ptrdiff_t most) {
  for (const std::string& check : checks) EXPECT_LE(words_of(check), most) << id << ": " << check;
}

TEST(RuleTexts, AreShort) {
  // Rules of layers and of two builds name the command that records what they need.
  constexpr std::ptrdiff_t kCheck = 25, kRecordingCheck = 41;
  for (const MessageRule& rule : whole_rules()) {
    hold_title(rule.info.id, rule.info.title);
    hold_texts(rule.info.id, rule.info.why, rule.info.remedies);
    hold_checks(rule.info.id, rule.info.check_texts(), kCheck);
  }
  for (const Cause& cause : causes()) {
    hold_title(cause.id, cause.title);
    hold_texts(cause.id, cause.why, cause.remedies);
    hold_checks(cause.id, cause.check_texts(), kCheck);
  }
  for (const auto& [id, info] : coded_rule_infos()) {
    hold_title(id, info.title);
    hold_texts(id, info.why, info.remedies);
    hold_checks(id, info.check_texts(), kRecordingCheck);
  }
}

// What is to be typed stands between backticks, from where a card takes it as a command.
TEST(RuleTexts, CommandsOfChecksAreMarked) {
  static const RE2 marked("`[^`]*`");
  const auto hold = [&](const std::string& id, const std::vector<std::string>& checks) {
    for (std::string check : checks) {
      RE2::GlobalReplace(&check, marked, "");
      EXPECT_FALSE(RE2::PartialMatch(check, R"(trtexec --|trtlens \w+ [A-Z]|polygraphy run)"))
          << id << ": " << check;
    }
  };
  for (const MessageRule& rule : whole_rules()) hold(rule.info.id, rule.info.check_texts());
  for (const auto& [id, info] : coded_rule_infos()) hold(id, info.check_texts());
  for (const Cause& cause : causes()) hold(cause.id, cause.check_texts());
}

TEST(RuleTexts, AFewRemediesAlwaysApply) {
  for (const MessageRule& rule : whole_rules()) {
    if (rule.is_consequence) continue;
    const auto always = std::ranges::count_if(
        rule.info.remedies, [](const RuleRemedy& remedy) { return !has_condition(remedy); });
    EXPECT_LE(always, 3) << rule.info.id;
    EXPECT_FALSE(rule.info.remedies.empty()) << rule.info.id;
  }
}

// Options without a value: to give one twice changes nothing.
constexpr std::string_view kSwitches =
    "allowGPUFallback|allowWeightStreaming|best|bf16|directIO|fp16|fp8|int8|nativeInstanceNorm|"
    "noDataTransfers|refit|stripWeights|stronglyTyped|useCudaGraph|useDLACore=0|useSpinWait|"
    "verbose|versionCompatible";

// Advice that asks for more than the option: something that the command line cannot do.
const std::map<std::string, std::string>& changes_besides() {
  static const std::map<std::string, std::string> by_text = {
      {"Q/DQ", "the model loses or gets its quantizers"},
      {"int8 --calib", "the model and its scales change"},
      {"converted model", "the model is converted first"},
      {"types into the model", "the model gets its types"},
      {"Quantize the model", "the model is quantized first"},
      {"Quantize the weights", "the weights are quantized first"},
      {"--verbose log", "names the log that is there"},
      {"of a --verbose build", "names the log that is there"},
      {"Keep standard error", "the log gets another stream"},
      {"without --", "an option is left out"},
      {"instead of --", "an option is left out"},
      {"leave --", "an option is left out"},
      {"alone", "other options are left out"},
      {"Add the flag", "the message says which of them"},
      {"Choose a core", "another value is wanted"},
      {"precisionConstraints=obey", "layers are named as well"},
      {"Leave out of quantization", "the model loses quantizers"},
      {"Drop --best", "an option is left out"},
      {"in FP16: `trtexec", "other options are left out"},
      {"and keep the faster", "two builds are compared"},
      {"qdq_translator", "the model and its scales change"},
      {"Polygraphy calibrate", "another program builds"},
      {"jetson-inference", "another program builds"},
      {"the ONNX yourself", "another program builds"},
      {"tf2onnx", "another model is built"},
      {"engine built with more", "another program builds"}};
  return by_text;
}

// "Add --fp16" is no advice for a command that has it: what asks for an option without a value
// says so ("command_lacks"), unless the rule does, or the option is one that it wants left out.
TEST(RuleTexts, AnOptionIsAskedForWhereItIsNotGiven) {
  static const RE2 asked("--(" + std::string(kSwitches) + R"()(?:[^\w=-]|$))");
  static const RE2 left_out(R"((?i)\b(?:drop|without|no|leave|write|keep one of)\b[^.:;]*$)");
  std::size_t conditions = 0;
  const auto hold = [&](const std::string& id, const RuleRemedy& remedy,
                        std::vector<std::string> known) {
    for (const auto* more : {&remedy.command_lacks, &remedy.command_has}) {
      known.insert(known.end(), more->begin(), more->end());
    }
    const auto& besides = changes_besides();
    const bool is_more = std::ranges::any_of(
        besides, [&](const auto& one) { return remedy.text.find(one.first) != std::string::npos; });
    bool asks = false, is_known = is_more;
    re2::StringPiece rest(remedy.text);
    for (std::string name; RE2::FindAndConsume(&rest, asked, &name);) {
      name = name.substr(0, name.find('='));
      const std::string before = remedy.text.substr(0, remedy.text.find("--" + name));
      if (RE2::PartialMatch(before, left_out)) continue;
      asks = true;
      is_known = is_known || std::ranges::find(known, name) != known.end();
    }
    conditions += asks && !is_more ? 1 : 0;
    EXPECT_TRUE(is_known || !asks) << id << ": " << remedy.text;
  };
  for (const MessageRule& rule : whole_rules()) {
    std::vector<std::string> known = rule.requires_.command_lacks;
    known.insert(known.end(), rule.requires_.command_has.begin(), rule.requires_.command_has.end());
    for (const RuleRemedy& remedy : rule.info.remedies) hold(rule.info.id, remedy, known);
  }
  for (const auto& [id, info] : coded_rule_infos()) {
    for (const RuleRemedy& remedy : info.remedies) hold(id, remedy, {});
  }
  for (const Cause& cause : causes()) {
    for (const RuleRemedy& remedy : cause.remedies) hold(cause.id, remedy, {});
  }
  EXPECT_GT(conditions, 30U);
}

// A guess prints its check first, so that must tell the causes apart: it says what follows from an
// outcome, and does not end with a question that leaves the answer to the reader.
void hold_outcomes(const std::string& id, const std::vector<std::string>& checks) {
  static const RE2 outcome(R"((?i)\b(?:if|else|means?|tells?|confirms)\b)");
  EXPECT_FALSE(checks.empty()) << id;
  for (const std::string& check : checks) {
    EXPECT_TRUE(RE2::PartialMatch(check, outcome) && !check.ends_with('?')) << id << ": " << check;
  }
}

TEST(RuleTexts, TheCheckOfAGuessTells) {
  int guesses = 0;
  for (const MessageRule& rule : whole_rules()) {
    const RuleInfo& info = rule.info;
    if (info.severity < Severity::major || info.confidence != Confidence::guessed) continue;
    hold_outcomes(info.id, info.check_texts());
    ++guesses;
  }
  EXPECT_GT(guesses, 30);
}

// A rule that does not know what its message means takes the check of the place that failed.
TEST(RuleTexts, TheCheckOfAPlaceTells) {
  for (const Cause& cause : causes()) {
    if (cause.places.empty()) continue;
    hold_outcomes(cause.id, cause.check_texts());
  }
}

// A symptom that nobody has seen is a guess: each names a log that it fired on, or a thread, or a
// document that quotes it.
TEST(RuleTexts, EachWasSeenSomewhere) {
  for (const MessageRule& rule : whole_rules()) {
    if (rule.is_consequence) continue;
    EXPECT_FALSE(rule.info.seen.empty()) << rule.info.id;
  }
  for (const auto& [id, info] : coded_rule_infos()) EXPECT_FALSE(info.seen.empty()) << id;
}

}  // namespace
}  // namespace trtlens::rule_texts_test
