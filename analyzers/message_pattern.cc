#include "analyzers/message_pattern.h"

#include <re2/re2.h>

#include <cctype>

namespace trtlens {
namespace {

constexpr auto kNone = std::string_view::npos;

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

MessagePattern::MessagePattern(std::string_view regex)
    : regex_(regex), words_(required_words(regex)) {}

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
