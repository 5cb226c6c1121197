#include "parsers/redact/redactor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/log/framing/utf16.h"
#include "parsers/redact/shapes.h"
#include "parsers/redact/tokens.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxHeldBytes = std::size_t{1} << 16;
// More digits behind a word are an id, not a place in a row.
constexpr std::size_t kMaxDigits = 5;

// "MulAddRes", of `__myl_MulAddRes_myl0_3`: Myelin shortens the names of operators to four letters.
bool are_myelin_operators(std::string_view word, const Vocabulary& vocabulary) {
  constexpr std::size_t kMostLetters = 4;
  if (word.empty() || word[0] < 'A' || word[0] > 'Z') return false;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t end = at + 1;
    while (end < word.size() && (word[end] < 'A' || word[end] > 'Z')) ++end;
    const std::string_view piece = word.substr(at, end - at);
    if (piece.size() > kMostLetters && !vocabulary.is_name_word(piece)) return false;
    at = end;
  }
  return true;
}

// In the condition that did not hold, which is C++ of TensorRT.
constexpr int kInAssertion = 3;

int assertion_behind(std::string_view word, int before) {
  constexpr std::array<std::string_view, kInAssertion> kWords{"Internal", "Error", "Assertion"};
  if (before == kInAssertion) return word == "failed" ? 0 : kInAssertion;
  if (word == kWords.at(static_cast<std::size_t>(before))) return before + 1;
  return word == kWords[0] ? 1 : 0;
}

// Without the signs at its ends.
std::pair<std::size_t, std::size_t> core_of(std::string_view token) {
  std::size_t begin = 0, end = 0;
  bool any = false;
  for (std::size_t at = 0; at < token.size();) {
    const Sign sign = sign_at(token, at);
    if (sign.kind == SignKind::word) {
      if (!any) begin = at;
      any = true;
      end = at + sign.bytes;
    }
    at += sign.bytes;
  }
  return {begin, end};
}

}  // namespace

// From 26 names on the first letter says how many letters follow.
std::string nth_name(std::size_t n) {
  constexpr std::size_t kLetters = 26;
  std::size_t letters = 1, names = kLetters;
  for (; n >= names; names *= kLetters, ++letters) n -= names;
  std::string name(letters + 1, 'a');
  name[0] = static_cast<char>('o' + letters);
  for (std::size_t i = letters; i > 0; --i, n /= kLetters) {
    name[i] = static_cast<char>('a' + n % kLetters);
  }
  return name;
}

void Redactor::know(const std::vector<std::string>& patterns) {
  if (std::exchange(knows_patterns_, true)) return;
  for (const std::string& pattern : patterns) vocabulary_.add_pattern(pattern);
}

std::map<std::string, std::string> Redactor::names() const {
  std::map<std::string, std::string> names;
  for (const auto& [word, name] : names_) names.emplace(name, word);
  return names;
}

std::string Redactor::name_of(std::string_view word) {
  const auto known = names_.find(std::string(word));
  if (known != names_.end()) return known->second;
  if (names_.size() >= kMaxWords || word_bytes_ + word.size() > kMaxWordBytes) {
    return nth_name(next_);
  }
  word_bytes_ += word.size();
  std::string name = nth_name(next_++);
  while (vocabulary_.is_plain_word(name)) name = nth_name(next_++);
  return names_.emplace(word, std::move(name)).first->second;
}

void Redactor::redact_word(std::string_view word, std::string& out) {
  // "xAutomatically setting shape": trtexec forgets the blank behind a name.
  constexpr std::string_view kGlued = "Automatically";
  if (word.ends_with(kGlued) && word.size() > kGlued.size()) {
    const std::string_view name = word.substr(0, word.size() - kGlued.size());
    if (vocabulary_.is_plain_word(name)) {
      out += name;
    } else {
      redact_word(name, out);
    }
    out += kGlued;
    return;
  }
  std::size_t letters = word.size();
  while (letters > 0 && is_ascii_digit(word[letters - 1])) --letters;
  // Of an escape (`\u00e9`) the digits are no number.
  const bool has_escape = word.find('\\') != word.npos;
  if (letters == 0 || has_escape || word.size() - letters > kMaxDigits) letters = word.size();
  out += name_of(word.substr(0, letters));
  out += word.substr(letters);
}

// "encoder/layer1.0/Conv_12"
void Redactor::redact_parts(std::string_view token, bool is_kernel, std::string& out) {
  bool is_myelin = false;  // behind "__myl_"
  bool is_library = begins_library(token);
  for (std::size_t at = 0; at < token.size();) {
    const std::size_t end = end_of_word(token, at);
    if (end == at) {
      const std::size_t bytes = sign_at(token, at).bytes;
      if (token[at] == '/') is_library = begins_library(token.substr(at + 1));
      out += token.substr(at, bytes);
      at += bytes;
      continue;
    }
    const std::string_view word = token.substr(at, end - at);
    const bool begins_myelin = word.starts_with("my") && word.size() <= 5 && at > 1 &&
                               token[at - 1] == '_' && token[at - 2] == '_';
    const bool is_kept = begins_myelin || vocabulary_.is_number(word) ||
                         vocabulary_.is_name_word(word) ||
                         (is_kernel && vocabulary_.is_kernel_word(word)) ||
                         (is_library && vocabulary_.is_plain_word(word)) ||
                         (is_myelin && are_myelin_operators(word, vocabulary_));
    if (is_kept) {
      out += word;
    } else {
      redact_word(word, out);
    }
    is_myelin = begins_myelin;
    at = end;
  }
}

// A token that is one word. What follows may hang on it.
bool Redactor::keeps(std::string_view word, const Before& was, Before& before) const {
  before.tactic = word == "Tactic" || word == "tactic";
  before.tactic_name = word == "TacticName" || (was.tactic && (word == "Name" || word == "name"));
  before.version = word == "version" || word == "Version" || word == "TensorRT" || word == "v";
  before.numbered = was.version && is_numbered(word, 'v');
  before.layer_type = word == "LayerType" || word == "ParameterType";
  return vocabulary_.is_plain_word(word) || vocabulary_.is_number(word) ||
         (was.numbered && is_numbered(word, 'b')) ||
         (was.tactic_name && vocabulary_.is_kernel_word(word));
}

void Redactor::redact_token(std::string_view token, Before& before, std::string& out) {
  const Before was = std::exchange(before, {});
  const auto [begin, end] = core_of(token);
  const std::string_view core = token.substr(begin, end - begin);
  before.assertion = assertion_behind(core, was.assertion);
  if (was.assertion == kInAssertion) {
    out += token;
    return;
  }
  const bool is_layer_type = was.layer_type && token.find('/') == token.npos;
  if (core.empty() || is_layer_type || is_source_place(core) || vocabulary_.is_token(core)) {
    out += token;
    return;
  }
  const bool is_word = end_of_word(core, 0) == core.size();
  const bool is_id = (is_ipv4(core) && !was.version) || is_uuid(core);
  if (!is_word && !is_id) {
    redact_parts(token, was.tactic_name || is_kernel(core), out);
    return;
  }
  out += token.substr(0, begin);
  if (is_id) {
    out += name_of(core);
  } else if (keeps(core, was, before)) {
    out += core;
  } else {
    redact_word(core, out);
  }
  out += token.substr(end);
}

void Redactor::redact(std::string_view text, Before& before, std::string& out) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t address = end_of_address(text, at);
    if (address > at) {
      out += name_of(text.substr(at, address - at));
      at = address;
      continue;
    }
    const std::size_t end = end_of_token(text, at);
    if (end > at) {
      redact_token(text.substr(at, end - at), before, out);
      at = end;
      continue;
    }
    // A list or an object goes on with another member.
    const char c = text[at];
    if (c == ',' || c == '}' || c == '\n') {
      const int assertion = c == '\n' ? 0 : before.assertion;
      before = {};
      before.assertion = assertion;
    }
    const std::size_t bytes = sign_at(text, at).bytes;
    out += text.substr(at, bytes);
    at += bytes;
  }
}

std::string Redactor::text(std::string_view text) {
  std::string out;
  Before before;
  redact(text, before, out);
  return out;
}

std::string Redactor::path(std::string_view path) {
  return path == "-" ? std::string(path) : text(path);
}

class RedactingFilter : public TextFilter {
 public:
  explicit RedactingFilter(Redactor& redactor) : redactor_(redactor) {}

  std::string_view pass(std::string_view chunk) override {
    out_.clear();
    held_ += chunk.empty() ? utf16_.finish() : utf16_.decode(chunk);
    std::size_t ready = held_.size();
    if (!chunk.empty()) {
      const std::size_t blank = held_.find_last_of(" \n\t");
      if (blank != std::string::npos) {
        ready = blank + 1;
      } else if (held_.size() < kMaxHeldBytes) {
        return {};
      }
    }
    redactor_.redact(std::string_view(held_).substr(0, ready), before_, out_);
    held_.erase(0, ready);
    return out_;
  }

 private:
  Redactor& redactor_;
  Redactor::Before before_;
  Utf16Decoder utf16_;
  std::string held_, out_;
};

std::unique_ptr<TextFilter> Redactor::filter() {
  return std::make_unique<RedactingFilter>(*this);
}

std::unique_ptr<TextFilter> redacted(Redactor* redactor) {
  return redactor == nullptr ? nullptr : redactor->filter();
}

}  // namespace trtlens
