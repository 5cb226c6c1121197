// Cuts a line into words and folds names, numbers, types and ids.
#include "parsers/log/lint/line_shape.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "parsers/text/ascii.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxBodyBytes = 4096;  // longer lines are lists of names
constexpr std::size_t kMaxTokens = 48;
constexpr std::size_t kMaxShapeBytes = 300;
constexpr std::size_t kMaxWordBytes = 32;

constexpr char kInside = '\x01';  // stands for what brackets or quotes hold
constexpr char kOdd = '\x02';     // stands for a byte that no word has

bool all_letters(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_letter);
}
bool one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

template <std::size_t N>
bool is_word_of(const std::array<const char*, N>& words, std::string_view word) {
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return word == w; });
}

// Element types in the spellings of logs, without the k of kFLOAT, in small letters.
constexpr std::array<const char*, 23> kTypes = {
    "float", "half",  "double", "bool",     "int4",    "int8",    "int16", "int32",
    "int64", "uint8", "bf16",   "bfloat16", "fp4",     "fp8",     "fp16",  "fp32",
    "fp64",  "tf32",  "e8m0",   "float16",  "float32", "float64", "float8"};
// Words behind which a name stands when a colon or a blank and a colon ends them.
constexpr std::array<const char*, 14> kNouns = {"layer", "layers", "tensor",  "node",   "name",
                                                "file",  "model",  "path",    "engine", "plugin",
                                                "input", "output", "binding", "op"};
constexpr std::array<const char*, 22> kUnits = {
    "ms",  "s",   "us",  "ns",  "sec", "b",  "kb",  "mb",    "gb",      "tb", "kib",
    "mib", "gib", "tib", "ghz", "mhz", "hz", "qps", "bytes", "seconds", "x",  "gbps"};

bool is_type(std::string_view word) {
  if (word.size() > 9) return false;
  if (word.size() > 1 && word[0] == 'k') word.remove_prefix(1);
  return is_word_of(kTypes, lower(word));
}

// Numbers, sizes, dates, versions and lists of them: digits between the signs of numbers.
bool is_number(std::string_view text) {
  const std::string word = text.size() > 4 ? "" : lower(text);
  if (word == "nan" || word == "inf" || word == "-nan" || word == "-inf") return true;
  bool digit = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_digit(c)) {
      digit = true;
      continue;
    }
    const bool between = i > 0 && is_digit(text[i - 1]) && i + 1 < text.size();
    const bool sign =
        between && (text[i + 1] == '-' || text[i + 1] == '+' || is_digit(text[i + 1]));
    if (sign && one_of(c, "eExX")) continue;
    if (!one_of(c, ".,:/+-*%~")) return false;
  }
  return digit;
}

bool is_hex_id(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    return text.size() > 2 && std::all_of(text.begin() + 2, text.end(), is_hex);
  }
  return text.size() >= 8 && std::all_of(text.begin(), text.end(), is_hex) &&
         std::any_of(text.begin(), text.end(), is_digit);
}

std::string fold_word(std::string_view text) {
  if (text.empty()) return {};
  const bool signs = std::none_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == kOdd || c == kInside ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  if (signs) {  // "+", "->", rulers of any length
    std::string out;
    for (const char c : text) {
      const std::size_t n = out.size();
      if (n < 3 || out[n - 1] != c || out[n - 2] != c || out[n - 3] != c) out += c;
    }
    return out.size() > 8 ? "<name>" : out;
  }
  if (is_hex_id(text)) return "<hex>";
  if (is_number(text)) return "<n>";
  std::size_t unit = text.size();
  while (unit > 0 && is_letter(text[unit - 1])) --unit;
  if (unit > 0 && is_number(text.substr(0, unit)) && is_word_of(kUnits, lower(text.substr(unit)))) {
    return "<n>" + std::string(text.substr(unit));
  }
  if (is_type(text)) return "<type>";
  return is_plain_word(text) ? std::string(text) : "<name>";
}

// What stands behind "=", or behind the colon of a noun: a value, even when it is a plain word.
std::string fold_value(std::string_view text) {
  const std::string folded = fold_word(text);
  return is_plain_word(folded) ? "<name>" : folded;
}

// "(x)[y]" with kInside for x and y; folded to "(<…>)[<…>]". False when it is anything else.
bool fold_groups(std::string_view text, std::string& out) {
  std::string folded, last;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    if (i + 2 >= text.size() || text[i + 1] != kInside) return false;
    const bool quoted = one_of(text[i], "'\"`");
    std::string group = std::string(1, text[i]) + (quoted ? "<text>" : "<…>") + text[i + 2];
    if (group != last) folded += group;
    last = std::move(group);
  }
  out += folded;
  return true;
}

// A token without blanks and without the punctuation behind it.
std::string fold_core(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos && equals > 0 && equals + 1 < text.size()) {
    std::string value;
    const std::string_view rest = text.substr(equals + 1);
    if (!fold_groups(rest, value)) value = fold_value(rest);
    return fold_word(text.substr(0, equals)) + "=" + value;
  }
  const std::size_t colon = text.find(':');
  const bool key =
      colon != std::string_view::npos && colon > 1 && all_letters(text.substr(0, colon));
  if (key && colon + 1 < text.size() && text[colon + 1] != ':') {
    std::string value;
    const std::string_view rest = text.substr(colon + 1);
    if (!fold_groups(rest, value)) value = fold_value(rest);
    return std::string(text.substr(0, colon)) + ":" + value;
  }
  const std::size_t inside = text.find(kInside);
  if (inside == std::string_view::npos) return fold_word(text);
  std::string out = inside > 0 ? fold_word(text.substr(0, inside - 1)) : "";
  return inside > 0 && fold_groups(text.substr(inside - 1), out) ? out : "<name>";
}

bool is_closing(char open, char c) {
  return (open == '(' && c == ')') || (open == '[' && c == ']') || (open == '{' && c == '}');
}

// Place of the partner of each opening bracket; 0 for those without.
std::vector<std::size_t> partners(std::string_view body) {
  std::vector<std::size_t> partner(body.size(), 0), open;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (one_of(body[i], "([{")) open.push_back(i);
    if (!one_of(body[i], ")]}") || open.empty() || !is_closing(body[open.back()], body[i]))
      continue;
    partner[open.back()] = i;
    open.pop_back();
  }
  return partner;
}

// Brackets and quotes emptied, blanks and odd bytes made one of a kind.
std::string emptied(std::string_view body) {
  const std::vector<std::size_t> partner = partners(body);
  std::array<std::size_t, 3> no_more = {0, 0,
                                        0};  // quotes of a kind that have no end from there on
  static constexpr std::string_view kQuotes = "'\"`";
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    std::size_t end = partner[i];
    const std::size_t quote = kQuotes.find(c);
    const bool begins = i == 0 || one_of(body[i - 1], " \t:=([{,");
    if (quote != std::string_view::npos && begins && no_more.at(quote) == 0) {
      end = body.find(c, i + 1);
      if (end == std::string_view::npos) end = 0, no_more.at(quote) = 1;
    }
    // A tag such as "[MemUsageChange]" names the component that speaks.
    if (i == 0 && c == '[' && end != 0 && all_letters(body.substr(1, end - 1))) {
      out.append(body.substr(0, end + 1)).push_back(' ');
      i = end;
    } else if (end != 0) {
      out += {c, kInside, body[end]};
      i = end;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += c == '\t' ? ' ' : byte < 0x20 || byte == 0x7F ? kOdd : c;
    }
  }
  return out;
}

// A folded token and the punctuation behind it.
struct Token {
  std::string text, end;
  [[nodiscard]] bool folded() const { return text.find('<') != std::string::npos; }
  [[nodiscard]] bool group() const { return !text.empty() && one_of(text[0], "([{") && folded(); }
};

std::vector<Token> tokens_of(std::string_view flat) {
  std::vector<Token> tokens;
  bool value = false;  // a noun and a colon stand before it
  for (std::size_t at = 0; at < flat.size();) {
    if (flat[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(flat.find(' ', at), flat.size());
    std::string_view text = flat.substr(at, end - at);
    at = end;
    if (tokens.size() == kMaxTokens) {
      tokens.push_back({"…", ""});
      break;
    }
    std::size_t core = text.size();
    while (core > 0 && one_of(text[core - 1], ".,;:!?")) --core;
    Token token{{}, std::string(text.substr(core, 3))};
    text = text.substr(0, core);
    const bool tag = tokens.empty() && text.size() > 2 && text[0] == '[' && text[1] != kInside &&
                     all_letters(text.substr(1, text.size() - 2)) && text.back() == ']';
    token.text = tag ? std::string(text) : value ? fold_value(text) : fold_core(text);
    if (value && text.find(kInside) != std::string_view::npos) token.text = fold_core(text);
    value = token.end == ":" && is_word_of(kNouns, lower(token.text));
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// Fused layers: "a + b [Shuffle] + c" is one name, of however many layers.
void join_names(std::vector<Token>& tokens) {
  std::vector<Token> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool joint = (tokens[i].text == "+" || tokens[i].text == "||") && tokens[i].end.empty();
    const bool between = joint && !out.empty() && out.back().end.empty() && i + 1 < tokens.size();
    const bool goes_on = !out.empty() && out.back().text == "<name>" && out.back().end.empty();
    if (goes_on && tokens[i].text == "<name>") {  // a name with blanks
      out.back().end = tokens[i].end;
      continue;
    }
    if (!between || out.back().text == "<n>") {
      out.push_back(std::move(tokens[i]));
      continue;
    }
    bool group = false;
    while (!out.empty() && out.back().group()) out.pop_back(), group = true;
    if (!group && !out.empty()) out.pop_back();
    Token name{"<name>", tokens[++i].end};
    while (name.end.empty() && i + 1 < tokens.size() && tokens[i + 1].group()) {
      name.end = tokens[++i].end;
    }
    out.push_back(std::move(name));
  }
  tokens = std::move(out);
}

// "a, b, c" is "a, …", also when an item is several tokens long.
void fold_lists(std::vector<Token>& tokens) {
  for (std::size_t period = 1; period <= 3; ++period) {
    const auto same = [&](std::size_t a, std::size_t b) {
      bool folded = false;
      for (std::size_t k = 0; k < period; ++k) {
        if (tokens[a + k].text != tokens[b + k].text) return false;
        if (k + 1 < period && tokens[a + k].end != tokens[b + k].end) return false;
        folded = folded || tokens[a + k].folded();
      }
      return folded && tokens[a + period - 1].end == ",";
    };
    for (std::size_t i = 0; i + 2 * period <= tokens.size(); ++i) {
      std::size_t last = i;
      while (last + 2 * period <= tokens.size() && same(last, last + period)) last += period;
      if (last == i) continue;
      const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i + period);
      Token rest{"…", tokens[last + period - 1].end};
      tokens.erase(begin, tokens.begin() + static_cast<std::ptrdiff_t>(last + period));
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i + period), std::move(rest));
    }
  }
}

}  // namespace

// "Layer", "non-conforming", "doesn't", "Q/DQ", "--fp16".
bool is_plain_word(std::string_view text) {
  if (text.size() > kMaxWordBytes) return false;
  if (text.size() > 2 && text[0] == '-' && (is_letter(text[1]) || text[1] == '-')) {
    text.remove_prefix(text[1] == '-' ? 2 : 1);  // an option
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return is_letter(c) || is_digit(c) || c == '-';
    });
  }
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto capitals = [](std::string_view part) {
      return !part.empty() && part.size() <= 4 &&
             std::all_of(part.begin(), part.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    };
    return capitals(text.substr(0, slash)) && capitals(text.substr(slash + 1));
  }
  bool letter = false;
  for (const char c : text) {
    const bool joint = c == '-' || c == '\'';
    if (!is_letter(c) && !(joint && letter)) return false;
    letter = is_letter(c);
  }
  return letter;
}

std::string line_shape(std::string_view body) {
  const bool cut = body.size() > kMaxBodyBytes;
  std::vector<Token> tokens = tokens_of(emptied(body.substr(0, kMaxBodyBytes)));
  join_names(tokens);
  fold_lists(tokens);
  if (cut && !tokens.empty() && tokens.back().text != "…") tokens.push_back({"…", ""});
  std::string shape;
  for (const Token& token : tokens) {
    if (shape.size() + token.text.size() + token.end.size() > kMaxShapeBytes) {
      shape += " …";
      break;
    }
    if (!shape.empty()) shape += ' ';
    shape += token.text + token.end;
  }
  return shape;
}

}  // namespace trtlens
