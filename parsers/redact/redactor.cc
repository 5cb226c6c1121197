#include "parsers/redact/redactor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/log/framing/utf16.h"
#include "parsers/redact/shapes.h"
#include "parsers/redact/tokens.h"
#include "parsers/text/ascii.h"
#include "parsers/text/sniff.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxHeldBytes = std::size_t{1} << 16;
// More digits behind a word are an id, not a place in a row.
constexpr std::size_t kMaxDigits = 5;
constexpr std::size_t kMyelinLetters = 5;  // of "my", "myl", "mye2698", "myln"

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

// Behind these words stands a condition that did not hold, C++ of TensorRT.
constexpr std::array<std::string_view, 3> kAssertion{"Internal", "Error", "Assertion"};
constexpr std::array<std::string_view, 3> kSerialization{"", "Serialization", "assertion"};
constexpr std::array<std::string_view, 3> kParameter{"Parameter", "check", "failed"};
constexpr std::array<std::string_view, 3> kParser{"", "Assertion", "failed"};  // behind "[8]"
// What follows is told to people, and names what it is about.
constexpr std::array<std::string_view, 6> kProse{"while", "for",  "setting",
                                                 "named", "host", "user"};
constexpr int kInCondition = 3;       // until "failed"
constexpr int kInParameterCheck = 4;  // until the line ends

int condition_behind(std::string_view word, int before) {
  if (before == kInCondition) return word.starts_with("failed") ? 0 : kInCondition;
  if (before == kInParameterCheck) {
    return std::ranges::find(kProse, word) == kProse.end() ? before : 0;
  }
  if (word.empty()) return 0;
  const bool is_number = !word.empty() && std::ranges::all_of(word, is_digit);
  const auto step = static_cast<std::size_t>(before);
  const bool to_line_end = kParameter.at(step) == word || kParser.at(step) == word;
  if (step == 2 && to_line_end) return kInParameterCheck;
  if (to_line_end || word == kAssertion.at(step) || word == kSerialization.at(step)) {
    return before + 1;
  }
  if (word == kSerialization[1]) return 2;
  return is_number || word == kAssertion[0] || word == kParameter[0] ? 1 : 0;
}

// Of the file or folder of a path that begins at `at`.
std::size_t end_of_file(std::string_view path, std::size_t at) {
  return std::min(path.find_first_of("/\\", at), path.size());
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
  // "xAutomatically setting shape", "Slicerequires bool": messages without a blank behind the name.
  // "FooPlugin: enqueue failed".
  constexpr std::size_t kLongestGlued = 300;
  for (const std::string_view glued : {"Automatically", "requires", "Plugin"}) {
    if (word.size() > kLongestGlued || !word.ends_with(glued) || word.size() == glued.size())
      continue;
    const std::string_view name = word.substr(0, word.size() - glued.size());
    if (vocabulary_.is_name_word(name)) {
      out += name;
    } else {
      redact_word(name, out);
    }
    out += glued;
    return;
  }
  std::size_t letters = word.size();
  while (letters > 0 && is_digit(word[letters - 1])) --letters;
  // Of an escape (`\u00e9`) the digits are no number.
  const bool has_escape = word.find('\\') != word.npos;
  if (letters == 0 || has_escape || word.size() - letters > kMaxDigits) letters = word.size();
  out += name_of(word.substr(0, letters));
  out += word.substr(letters);
}

// Whether the word at `at` of the token stays.
bool Redactor::keeps_part(std::string_view token, std::size_t at, std::string_view word,
                          Part& part) const {
  const std::string_view before = token.substr(0, at);
  const bool begins_myelin =
      before.ends_with("__") && word.starts_with("my") && word.size() <= kMyelinLetters;
  const bool is_method = part.is_interface && before.ends_with("::");
  const bool is_kept = begins_myelin || is_method || vocabulary_.is_number(word) ||
                       vocabulary_.is_name_word(word) ||
                       ((part.is_kernel || part.is_library) && vocabulary_.is_kernel_word(word)) ||
                       (part.is_library && vocabulary_.is_plain_word(word)) ||
                       (part.is_myelin && are_myelin_operators(word, vocabulary_));
  part.is_myelin = begins_myelin;
  // "IBuilder::buildSerializedNetwork"
  part.is_interface =
      is_kept && word.size() > 2 && word[0] == 'I' && word[1] >= 'A' && word[1] <= 'Z';
  return is_kept;
}

// "encoder/layer1.0/Conv_12"
void Redactor::redact_parts(std::string_view token, bool is_kernel, std::string& out) {
  Part part;
  part.is_kernel = is_kernel;
  for (std::size_t at = 0; at < token.size();) {
    const bool begins_file = at == 0 || token[at - 1] == '/' || token[at - 1] == '\\';
    if (begins_file) {
      const std::string_view file = token.substr(at, end_of_file(token, at) - at);
      part.is_library = begins_library(file);
      if (vocabulary_.is_token(file)) {
        out += file;
        at += file.size();
        continue;
      }
    }
    const bool begins_word = at == 0 || sign_at(token, at - 1).kind != SignKind::word;
    if (const std::size_t id = begins_word ? end_of_id(token, at) : at; id > at) {
      out += name_of(token.substr(at, id - at));
      at = id;
      continue;
    }
    const std::size_t end = end_of_word(token, at);
    if (end == at) {
      const std::size_t bytes = sign_at(token, at).bytes;
      out += token.substr(at, bytes);
      at += bytes;
      continue;
    }
    const std::string_view word = token.substr(at, end - at);
    if (keeps_part(token, at, word, part)) {
      out += word;
    } else {
      redact_word(word, out);
    }
    at = end;
  }
}

// A token that is one word. What follows may hang on it.
bool Redactor::keeps(std::string_view word, const Before& was, Before& before) const {
  before.tactic = word == "Tactic" || word == "tactic";
  before.tactic_name = word == "TacticName" || (was.tactic && (word == "Name" || word == "name"));
  constexpr std::array<std::string_view, 12> kVersioned{
      "version", "Version", "TensorRT", "TRT",  "v",    "cuDNN",
      "cudnn",   "cuBLAS",  "cuBLASLt", "CUDA", "cuda", "driver"};
  before.version = std::ranges::find(kVersioned, word) != kVersioned.end();
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
  before.condition = condition_behind(core, was.condition);
  const bool is_prose = was.condition == kInParameterCheck && before.condition == 0;
  // "optimizer/api/network.cpp::addPoolingNd::1102" is a path of TensorRT's.
  const bool is_code = token.find_first_of("/\\@") == token.npos || token.find("::") != token.npos;
  if (was.condition >= kInCondition && !is_prose && is_code) {
    out += token;
    return;
  }
  const bool is_layer_type = was.layer_type && token.find('/') == token.npos;
  if (core.empty() || is_layer_type || is_source_place(core) || vocabulary_.is_token(core)) {
    out += token;
    return;
  }
  // "--fp16", "network."; in "/model" and "model_" it is a part of a name.
  const bool stands_alone = token.substr(0, begin).find_first_not_of('-') == token.npos &&
                            token.substr(end).find_first_not_of(".-:") == token.npos;
  const bool is_word = end_of_word(core, 0) == core.size() && stands_alone;
  const bool is_id = (is_ipv4(core) && !was.version) || is_uuid(core);
  if (!is_word && !is_id) {
    redact_parts(token, (was.tactic_name || is_kernel(core)) && core.find('/') == core.npos, out);
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
    if (c == ',' || c == '}' || c == '\n' || c == '"') {
      const int condition = c == '\n' || c == '"' ? 0 : before.condition;
      before = {};
      before.condition = condition;
    }
    const std::size_t bytes = sign_at(text, at).bytes;
    out += text.substr(at, bytes);
    at += bytes;
  }
}

void Redactor::redact_json(std::string_view text, Before& before, std::string& out) {
  constexpr std::string_view kShort = "\"nrtbf";
  std::size_t begin = 0;
  for (std::size_t at = text.find('\\'); at < text.size() - 1; at = text.find('\\', at + 2)) {
    if (kShort.find(text[at + 1]) == std::string_view::npos) continue;
    redact(text.substr(begin, at - begin), before, out);
    out += text.substr(at, 2);
    if (text[at + 1] == '"') before = {};
    begin = at + 2;
  }
  redact(text.substr(begin), before, out);
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

class RedactingFilter {
 public:
  explicit RedactingFilter(Redactor& redactor) : redactor_(redactor) {}

  std::string_view operator()(std::string_view chunk) {
    out_.clear();
    held_ += chunk.empty() ? utf16_.finish() : utf16_.decode(chunk);
    std::size_t ready = held_.size();
    if (!chunk.empty()) {
      const std::size_t blank = held_.find_last_of(" \n\t");
      if (blank != std::string::npos) {
        ready = blank + 1;
      } else if (held_.size() < kMaxHeldBytes) {
        return {};
      } else if (const std::size_t gap = held_.find_last_of(",\"{}[]():"); gap != held_.npos) {
        ready = gap + 1;  // JSON without blanks
      }
    }
    std::string_view text = std::string_view(held_).substr(0, ready);
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (!has_begun_ && text.starts_with(kByteOrderMark)) {
      out_ += kByteOrderMark;
      text.remove_prefix(kByteOrderMark.size());
    }
    if (!has_begun_) is_json_ = looks_like_json(text);
    has_begun_ = true;
    if (is_json_) {
      redactor_.redact_json(text, before_, out_);
    } else {
      redactor_.redact(text, before_, out_);
    }
    held_.erase(0, ready);
    return out_;
  }

 private:
  Redactor& redactor_;
  Redactor::Before before_;
  Utf16Decoder utf16_;
  std::string held_, out_;
  bool has_begun_ = false, is_json_ = false;
};

TextFilter Redactor::filter() {
  return RedactingFilter(*this);
}

TextFilter redacted(Redactor* redactor) {
  return redactor == nullptr ? nullptr : redactor->filter();
}

}  // namespace trtlens
