#include "parsers/redact/vocabulary.h"

#include <algorithm>

#include "parsers/log/grammar/line_kind.h"
#include "parsers/model/onnx.h"
#include "parsers/redact/tokens.h"
#include "parsers/redact/words.h"
#include "parsers/text/ascii.h"

namespace trtlens {
namespace {

constexpr char kOptional = '\x01';  // stands behind a letter that may be left out

std::string_view without_digits(std::string_view word) {
  while (!word.empty() && is_digit(word.back())) word.remove_suffix(1);
  return word;
}

template <typename Add>
void each_word(std::string_view list, const Add& add) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) add(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

// The end of the class of characters that begins at `at`.
std::size_t end_of_class(std::string_view regex, std::size_t at) {
  std::size_t end = at + 1;
  if (end < regex.size() && regex[end] == '^') ++end;
  if (end < regex.size() && regex[end] == ']') ++end;
  while (end < regex.size() && regex[end] != ']') end += regex[end] == '\\' ? 2 : 1;
  return std::min(end + 1, regex.size());
}

// What a class of characters stands for: the letter of "[Cc]", else a blank.
char letter_of_class(std::string_view inside) {
  const bool is_letter_in_both_cases =
      inside.size() == 2 && is_letter(inside[0]) && lower(inside)[0] == lower(inside)[1];
  return is_letter_in_both_cases ? inside[0] : ' ';
}

// Behind "(?P<name>", "(?:", "(?i)" and the like.
std::size_t end_of_group_head(std::string_view regex, std::size_t at) {
  if (at + 1 >= regex.size() || regex[at + 1] != '?') return at + 1;
  std::size_t end = at + 2;
  while (end < regex.size() && regex[end] != ':' && regex[end] != '>' && regex[end] != ')') ++end;
  return std::min(end + 1, regex.size());
}

// Literals of a regular expression, blanks in the place of all else.
std::string literals_of(std::string_view regex) {
  std::string out;
  for (std::size_t at = 0; at < regex.size();) {
    const char c = regex[at];
    if (c == '\\' && at + 1 < regex.size()) {
      const char next = regex[at + 1];
      out += is_letter(next) || is_digit(next) ? ' ' : next;
      at += 2;
    } else if (c == '[') {
      const std::size_t end = end_of_class(regex, at);
      out += letter_of_class(regex.substr(at + 1, end - at - 2));
      at = end;
    } else if (c == '(') {
      at = end_of_group_head(regex, at);
      out += ' ';
    } else if (c == '?') {
      if (!out.empty() && is_letter(out.back())) out += kOptional;
      ++at;
    } else if (c == '{') {
      at = std::min(regex.find('}', at), regex.size() - 1) + 1;
    } else {
      constexpr std::string_view kSigns = "|)^$.";
      if (c != '*' && c != '+') out += kSigns.find(c) == kSigns.npos ? c : ' ';
      ++at;
    }
  }
  return out;
}

// With the letters that may be left out, or without them.
std::string spelled(std::string_view literals, bool with) {
  std::string out;
  for (const char c : literals) {
    if (c != kOptional) {
      out += c;
    } else if (!with) {
      out.pop_back();
    }
  }
  return out;
}

// "buildSerializedNetwork", "IBuilder": nobody's plain word.
bool is_identifier(std::string_view word) {
  return word.size() > 2 && is_letter(word[0]) &&
         std::any_of(word.begin() + 1, word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// "kAVERAGE" of TensorRT's enumerations.
bool is_enumerator(std::string_view word) {
  return word.size() > 2 && word[0] == 'k' && std::all_of(word.begin() + 1, word.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || is_digit(c);
         });
}

}  // namespace

Vocabulary::Vocabulary() {
  each_word(kOnnxOperators, [&](std::string_view word) { names_.emplace(word); });
  each_word(kNameWords, [&](std::string_view word) {
    names_.emplace(word);
    if (word.find('_') != word.npos) tokens_.insert(lower(word));
  });
  each_word(kPlainWords, [&](std::string_view word) { plain_.emplace(word); });
  each_word(kKernelWords, [&](std::string_view word) { kernels_.emplace(word); });
  each_word(kUnitWords, [&](std::string_view word) { units_.emplace(word); });
  for (const LineKind* kind : LineKindTable::instance().kinds()) {
    add_pattern(kind->regex);
    if (kind->literal != nullptr) add_text(kind->literal);
  }
}

void Vocabulary::add_pattern(std::string_view regex) {
  const std::string literals = literals_of(regex);
  add_text(spelled(literals, true));
  if (literals.find(kOptional) != std::string::npos) add_text(spelled(literals, false));
}

void Vocabulary::add_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_token(text, at);
    if (end == at) {
      at += sign_at(text, at).bytes;
      continue;
    }
    add_token(text.substr(at, end - at));
    at = end;
  }
}

void Vocabulary::add_token(std::string_view token) {
  while (!token.empty() && sign_at(token, 0).kind == SignKind::joint) token.remove_prefix(1);
  while (!token.empty() && sign_at(token, token.size() - 1).kind == SignKind::joint) {
    token.remove_suffix(1);
  }
  if (token.empty()) return;
  if (end_of_word(token, 0) == token.size()) {
    // An operator that a pattern names stays as it is spelled: "Relu" does not keep "relu".
    const bool is_operator =
        token[0] >= 'A' && token[0] <= 'Z' && names_.find(token) != names_.end();
    if (!is_operator) plain_.insert(lower(token));
  } else {
    tokens_.insert(lower(token));
  }
  // Its parts: identifiers are kept everywhere.
  for (std::size_t at = 0; at < token.size();) {
    const std::size_t end = end_of_word(token, at);
    if (is_identifier(token.substr(at, end - at))) names_.emplace(token.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

bool Vocabulary::is_name_word(std::string_view word) const {
  const bool is_letter_alone = word.size() == 1 && is_letter(word[0]);
  if (is_letter_alone || names_.find(word) != names_.end() || is_enumerator(word)) return true;
  for (const std::string_view of_parser : {"import", "check"}) {  // "importConv", "checkUnique"
    if (!word.starts_with(of_parser)) continue;
    if (names_.find(word.substr(of_parser.size())) != names_.end()) return true;
  }
  // Of its interfaces: "IShuffleLayer".
  constexpr std::string_view kLayer = "Layer";
  if (word.size() > 1 + kLayer.size() && word[0] == 'I' && word.ends_with(kLayer)) {
    std::string_view type = word.substr(1, word.size() - 1 - kLayer.size());
    if (names_.find(type) != names_.end()) return true;
    type.remove_prefix(type[0] == 'I' ? 1 : 0);  // "IIOneHotLayer", as it is printed
    if (names_.find(type) != names_.end()) return true;
  }
  const std::string_view letters = without_digits(word);
  return letters.size() < word.size() && names_.find(letters) != names_.end();
}

// "f16f16", "i8816", "tilesize128x64", "nhwc": with digits inside, short, or in the list.
bool Vocabulary::is_kernel_word(std::string_view word) const {
  constexpr std::size_t kShort = 2;
  const std::string_view letters = without_digits(word);
  return letters.size() <= kShort || std::any_of(letters.begin(), letters.end(), is_digit) ||
         kernels_.find(lower(letters)) != kernels_.end();
}

bool Vocabulary::is_plain_word(std::string_view word) const {
  return is_name_word(word) || plain_.find(lower(word)) != plain_.end();
}

bool Vocabulary::is_token(std::string_view token) const {
  return tokens_.find(lower(token)) != tokens_.end() || is_compound(token);
}

// "Spin-wait", "Thirty-two", "0-byte": plain words and counts.
bool Vocabulary::is_compound(std::string_view token) const {
  if (token.find('-') == token.npos) return false;
  for (bool is_first = true;; is_first = false) {
    const std::size_t end = std::min(token.find('-'), token.size());
    const std::string_view part = token.substr(0, end);
    const bool is_count =
        is_first && !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
    const bool is_plain = std::all_of(part.begin(), part.end(), is_letter) && is_plain_word(part);
    if (!is_count && !is_plain) return false;
    if (end == token.size()) return true;
    token.remove_prefix(end + 1);
  }
}

// Digits; "3x224x224", "0x7f", "12ms", "1e", "01T10".
bool Vocabulary::is_number(std::string_view word) const {
  if (word.starts_with("tactic0x")) word.remove_prefix(6);  // "Skipping tactic0x0000000000000000"
  if (word.empty() || !is_digit(word[0])) return false;
  const auto digits = [&](std::size_t at) {
    while (at < word.size() && is_digit(word[at])) ++at;
    return at;
  };
  std::size_t at = digits(0);
  if (at == word.size()) return true;
  const bool begins_as_hex =
      word.size() > 2 && (word[1] == 'x' || word[1] == 'X') && word[0] == '0';
  if (begins_as_hex && std::all_of(word.begin() + 2, word.end(), is_hex)) return true;
  constexpr std::string_view kBetween = "xXeET";
  while (at + 1 < word.size() && kBetween.find(word[at]) != kBetween.npos &&
         is_digit(word[at + 1])) {
    at = digits(at + 1);
  }
  return at == word.size() || units_.find(lower(word.substr(at))) != units_.end();
}

}  // namespace trtlens
