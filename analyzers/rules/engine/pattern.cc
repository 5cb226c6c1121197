// Works out from a regular expression the words that every match must hold.
#include "analyzers/rules/engine/pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace trtlens {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr int kMaxBrackets = 50;  // one in another; deeper ones have no known words

constexpr std::array<bool, 256> kStandsForItself = [] {
  std::array<bool, 256> plain{};
  plain.fill(true);
  for (const char c : std::string_view("|()[*?{\\.^$+"))
    plain[static_cast<unsigned char>(c)] = false;
  return plain;
}();

std::size_t shortest(const std::vector<std::string>& words) {
  std::size_t least = words.empty() ? 0 : words[0].size();
  for (const std::string& word : words) least = std::min(least, word.size());
  return least;
}

// Reads a pattern once, from left to right. What it does not understand has no known words.
class WordReader {
 public:
  explicit WordReader(std::string_view regex) : regex_(regex) {}

  std::vector<std::string> all() {
    std::vector<std::string> words = alternatives();
    return is_lost_ || at_ < regex_.size() ? std::vector<std::string>() : words;
  }

 private:
  // Up to the bracket that closes them, or the end. Empty: one of them has none.
  std::vector<std::string> alternatives() {
    std::vector<std::string> words;
    bool is_known = true;
    while (true) {
      std::vector<std::string> some = sequence();
      is_known = is_known && !some.empty();
      std::move(some.begin(), some.end(), std::back_inserter(words));
      if (peek() != '|') break;
      ++at_;
    }
    return is_known ? words : std::vector<std::string>();
  }

  // The longest run of characters that stand for themselves, or a group with longer ones.
  std::vector<std::string> sequence() {
    std::string longest;
    std::vector<std::string> of_group;
    const auto end_run = [&] {
      if (run_.size() > longest.size()) longest = run_;
      run_.clear();
    };
    while (true) {
      add_plain();
      const char c = peek();
      if (at_ >= regex_.size() || c == '|' || c == ')') break;
      if (c == '(') {
        end_run();
        std::vector<std::string> words = group();
        if (shortest(words) > shortest(of_group)) of_group = std::move(words);
        continue;
      }
      if (c == '[') {
        end_run();
        skip_class();
        continue;
      }
      ++at_;
      if (c == '*' || c == '?' || c == '{') {  // the character before is optional
        if (!run_.empty()) run_.pop_back();
        end_run();
        if (c == '{') skip_repeat();
      } else if (c == '\\') {
        const char escaped = peek();
        ++at_;
        if (std::ispunct(static_cast<unsigned char>(escaped)) != 0) {
          run_ += escaped;
        } else {
          end_run();
          is_lost_ = is_lost_ || std::string_view("dDwWsSbBnrt").find(escaped) == kNone;
        }
      } else {  // . ^ $ +
        end_run();
      }
    }
    end_run();
    if (longest.empty() || longest.size() < shortest(of_group)) return of_group;
    std::vector<std::string> words;
    words.push_back(std::move(longest));
    return words;
  }

  void add_plain() {
    std::size_t end = at_;
    while (end < regex_.size() && kStandsForItself[static_cast<unsigned char>(regex_[end])]) ++end;
    if (end > at_) run_.append(regex_, at_, end - at_);
    at_ = std::max(at_, end);
  }

  // Words of a group that has to be there.
  std::vector<std::string> group() {
    bool is_any_case = false;
    ++at_;
    if (regex_.substr(at_, 3) == "?P<") {
      at_ = std::min(regex_.find('>', at_), regex_.size() - 1) + 1;
    } else if (peek() == '?') {
      const std::size_t end = std::min(regex_.find_first_of(":)", at_), regex_.size());
      is_any_case = regex_.substr(at_, end - at_).find('i') != kNone;
      at_ = end + 1;
      is_lost_ = is_lost_ || end >= regex_.size() || regex_[end] == ')';  // flags of what follows
    }
    if (++depth_ > kMaxBrackets) is_lost_ = true;
    if (is_lost_) at_ = regex_.size();
    std::vector<std::string> words = alternatives();
    --depth_;
    is_lost_ = is_lost_ || peek() != ')';
    ++at_;
    const char behind = peek();
    const bool is_optional = behind == '?' || behind == '*' || behind == '{';
    return is_any_case || is_optional ? std::vector<std::string>() : words;
  }

  void skip_repeat() {
    is_lost_ = is_lost_ || std::isdigit(static_cast<unsigned char>(peek())) == 0;
    at_ = std::min(regex_.find('}', at_), regex_.size() - 1) + 1;
  }

  void skip_class() {
    ++at_;
    if (peek() == '^') ++at_;
    if (peek() == ']') ++at_;  // the first one is a member
    for (; at_ < regex_.size() && peek() != ']'; at_ += peek() == '\\' ? 2 : 1) {
      is_lost_ = is_lost_ || regex_.substr(at_, 2) == "[:";
    }
    is_lost_ = is_lost_ || at_ >= regex_.size();
    ++at_;
  }

  [[nodiscard]] char peek() const { return at_ < regex_.size() ? regex_[at_] : '\0'; }

  std::string_view regex_;
  std::size_t at_ = 0;
  std::string run_;  // of characters that stand for themselves
  int depth_ = 0;
  bool is_lost_ = false;
};

}  // namespace

std::vector<std::string> required_words(std::string_view regex) {
  return WordReader(regex).all();
}

MessagePattern::MessagePattern(std::string_view regex, std::vector<std::string> words)
    : regex_(regex), words_(std::move(words)), any_case_(regex.substr(0, 4) == "(?i)") {}

MessagePattern::MessagePattern(std::string_view regex) : MessagePattern(regex, {}) {
  // (?m) and (?s) change no letters.
  const std::string_view flags = regex.substr(0, 4);
  if (any_case_ || flags == "(?m)" || flags == "(?s)") regex.remove_prefix(flags.size());
  words_ = required_words(regex);
  if (!any_case_) return;
  for (std::string& words : words_) {
    for (char& c : words) c = lower_case(c);
  }
}

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::uint32_t four_bytes(const char* text) {
  std::uint32_t four = 0;
  for (int i = 0; i < 4; ++i) four = four << 8U | static_cast<unsigned char>(lower_case(text[i]));
  return four;
}

bool MessagePattern::stands_at(std::size_t at, const std::string& word,
                               std::string_view text) const {
  text = text.substr(at, word.size());
  return std::equal(word.begin(), word.end(), text.begin(), text.end(),
                    [&](char a, char b) { return a == (any_case_ ? lower_case(b) : b); });
}

bool MessagePattern::may_match(std::string_view text) const {
  if (words_.empty()) return true;
  return std::ranges::any_of(words_, [&](const std::string& words) {
    if (!any_case_) return text.find(words) != kNone;
    return std::search(text.begin(), text.end(), words.begin(), words.end(),
                       [](char a, char b) { return lower_case(a) == b; }) != text.end();
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
