// Works out from a regular expression the words that every match must hold.
#include "analyzers/rules/engine/pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>

namespace trtlens {
namespace {

constexpr auto kNone = std::string_view::npos;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The place behind the bracket that closes the class at `at`; kNone: it is open.
std::size_t class_end(std::string_view regex, std::size_t at) {
  ++at;
  if (at < regex.size() && regex[at] == '^') ++at;
  if (at < regex.size() && regex[at] == ']') ++at;  // the first one is a member
  while (at < regex.size() && regex[at] != ']') {
    if (regex.substr(at, 2) == "[:") return kNone;
    at += regex[at] == '\\' ? 2 : 1;
  }
  return at < regex.size() ? at + 1 : kNone;
}

// "(?i)" and "(?i:x)": flags may make letters stand for others.
bool sets_flags(std::string_view group) {
  return group.substr(0, 2) == "(?" && group.substr(2, 1) != ":" && group.substr(2, 2) != "P<";
}

// The place behind the group at `at`; kNone: it is open, or sets flags.
std::size_t group_end(std::string_view regex, std::size_t at) {
  if (sets_flags(regex.substr(at))) return kNone;
  int depth = 0;
  while (at < regex.size()) {
    if (regex[at] == '\\') {
      at += 2;
    } else if (regex[at] == '[') {
      at = class_end(regex, at);
      if (at == kNone) return kNone;
    } else {
      depth += regex[at] == '(' ? 1 : regex[at] == ')' ? -1 : 0;
      ++at;
      if (depth == 0) return at;
    }
  }
  return kNone;
}

// Collects runs of characters that stand for themselves.
class Words {
 public:
  void add(char c) { run_ += c; }
  // What stands before is optional.
  void drop_last() {
    if (!run_.empty()) run_.pop_back();
    end();
  }
  void end() {
    if (run_.size() > longest_.size()) longest_ = run_;
    run_.clear();
  }
  [[nodiscard]] const std::string& longest() const { return longest_; }

 private:
  std::string run_, longest_;
};

}  // namespace

std::string required_words(std::string_view regex) {
  Words words;
  std::size_t at = 0;
  while (at < regex.size()) {
    const char c = regex[at];
    const char next = at + 1 < regex.size() ? regex[at + 1] : '\0';
    const bool is_no_repeat = c == '{' && std::isdigit(static_cast<unsigned char>(next)) == 0;
    if (c == '|' || is_no_repeat) return {};
    if (c == '(' || c == '[') {
      words.end();
      at = c == '(' ? group_end(regex, at) : class_end(regex, at);
      if (at == kNone) return {};
    } else if (c == '\\') {
      if (std::ispunct(static_cast<unsigned char>(next)) != 0) {
        words.add(next);
      } else if (std::string_view("dDwWsSbB").find(next) != kNone && next != '\0') {
        words.end();
      } else {
        return {};  // \x41, \Q…\E, \pN
      }
      at += 2;
    } else {
      if (c == '*' || c == '?' || c == '{') {
        words.drop_last();
      } else if (c == '.' || c == '^' || c == '$' || c == '+') {
        words.end();
      } else {
        words.add(c);
      }
      at = c == '{' ? regex.find('}', at) : at;
      if (at == kNone) return {};
      ++at;
    }
  }
  words.end();
  return words.longest();
}

namespace {

std::size_t shortest(const std::vector<std::string>& words) {
  std::size_t least = words.empty() ? 0 : words[0].size();
  for (const std::string& word : words) least = std::min(least, word.size());
  return least;
}

// What stands in a group: without its brackets, "?:" and "?P<name>".
std::string_view inside(std::string_view group) {
  group = group.substr(1, group.size() - 2);
  if (group.substr(0, 2) == "?:") return group.substr(2);
  if (group.substr(0, 3) == "?P<")
    group.remove_prefix(std::min(group.find('>'), group.size() - 1) + 1);
  return group;
}

// Of one alternative: its own longest words, or those of a group that has to be there.
std::vector<std::string> words_of_sequence(std::string_view regex) {
  std::vector<std::string> best;
  if (std::string own = required_words(regex); !own.empty()) best.push_back(std::move(own));
  std::size_t at = 0;
  while (at < regex.size()) {
    if (regex[at] != '(') {
      at = regex[at] == '[' ? class_end(regex, at) : at + (regex[at] == '\\' ? 2 : 1);
      continue;
    }
    const std::size_t end = group_end(regex, at);
    if (end == kNone) return {};
    const bool optional = end < regex.size() && std::string_view("?*{").find(regex[end]) != kNone;
    if (!optional) {
      std::vector<std::string> words = words_of_alternatives(inside(regex.substr(at, end - at)));
      if (shortest(words) > shortest(best)) best = std::move(words);
    }
    at = end;
  }
  return best;
}

}  // namespace

std::vector<std::string> words_of_alternatives(std::string_view regex) {
  std::vector<std::string> words;
  std::size_t from = 0;
  std::size_t at = 0;
  while (at <= regex.size()) {
    const char c = at < regex.size() ? regex[at] : '|';
    if (c == '|') {
      const std::vector<std::string> some = words_of_sequence(regex.substr(from, at - from));
      if (some.empty()) return {};
      words.insert(words.end(), some.begin(), some.end());
      from = ++at;
    } else if (c == '(' || c == '[') {
      at = c == '(' ? group_end(regex, at) : class_end(regex, at);
      if (at == kNone) return {};
    } else {
      at += c == '\\' ? 2 : 1;
    }
  }
  return words;
}

MessagePattern::MessagePattern(std::string_view regex) : regex_(regex) {
  constexpr std::string_view kAnyCase = "(?i)";
  any_case_ = regex.substr(0, kAnyCase.size()) == kAnyCase;
  // (?m) and (?s) change no letters.
  const std::string_view flags = regex.substr(0, kAnyCase.size());
  if (any_case_ || flags == "(?m)" || flags == "(?s)") regex.remove_prefix(kAnyCase.size());
  words_ = words_of_alternatives(regex);
  if (!any_case_) return;
  for (std::string& words : words_) {
    for (char& c : words) c = lower(c);
  }
}

bool MessagePattern::may_match(std::string_view text) const {
  if (words_.empty()) return true;
  return std::any_of(words_.begin(), words_.end(), [&](const std::string& words) {
    if (!any_case_) return text.find(words) != kNone;
    return std::search(text.begin(), text.end(), words.begin(), words.end(),
                       [](char a, char b) { return lower(a) == b; }) != text.end();
  });
}

MessagePattern::~MessagePattern() = default;

const re2::RE2& MessagePattern::re() const {
  std::call_once(once_, [this] {
    re2::RE2::Options options;
    options.set_log_errors(false);
    // Messages may hold any bytes; with UTF-8 a bad byte would end every `.*`.
    options.set_encoding(re2::RE2::Options::EncodingLatin1);
    compiled_ = std::make_unique<const re2::RE2>(regex_, options);
  });
  return *compiled_;
}

}  // namespace trtlens
