// Replaces the names in logs, exports and paths by short ones.
//
// What is no word of the Vocabulary, and no number, may be a name: every such word gets another
// one, the same wherever it stands. Signs between words stay, so that paths keep their depth and
// modules their layers. One reading, in memory of the distinct words.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/input/input.h"
#include "parsers/redact/vocabulary.h"

namespace trtlens {

class Redactor {
 public:
  // Beyond these, different words have one name.
  static constexpr std::size_t kMaxWords = 400000;
  static constexpr std::size_t kMaxWordBytes = std::size_t{64} << 20;  // of all together

  // The words that these regular expressions look for stay; the same ones are taken once.
  void know(const std::vector<std::string>& patterns);

  // What each name stands for, in their order.
  [[nodiscard]] std::map<std::string, std::string> names() const;

  // Of an input or a folder; "-" stays.
  [[nodiscard]] std::string path(std::string_view path);
  [[nodiscard]] std::string text(std::string_view text);
  // For one input, as long as the Redactor lives.
  [[nodiscard]] TextFilter filter();

 private:
  friend class RedactingFilter;

  // What was read before a token decides what some are.
  struct Before {
    bool tactic = false, tactic_name = false;  // the words "Tactic", "Tactic Name" or "TacticName"
    bool version = false;                      // a word that versions follow
    bool layer_type = false;                   // "LayerType": what follows is TensorRT's
    int condition = 0;  // how far the words are read behind which a condition of TensorRT stands
    bool numbered = false;  // a version: "v101600"
  };

  // What was read of a token that consists of words.
  struct Part {
    bool is_kernel = false, is_library = false;
    bool is_myelin = false;     // behind "__myl"
    bool is_interface = false;  // behind a class of TensorRT's
  };

  void redact(std::string_view text, Before& before, std::string& out);
  // Between its escapes such as `\n`.
  void redact_json(std::string_view text, Before& before, std::string& out);
  [[nodiscard]] bool keeps(std::string_view word, const Before& was, Before& before) const;
  void redact_token(std::string_view token, Before& before, std::string& out);
  // Word by word; `is_kernel`: the name of one.
  void redact_parts(std::string_view token, bool is_kernel, std::string& out);
  [[nodiscard]] bool keeps_part(std::string_view token, std::size_t at, std::string_view word,
                                Part& part) const;
  void redact_word(std::string_view word, std::string& out);
  [[nodiscard]] std::string name_of(std::string_view word);

  Vocabulary vocabulary_;
  bool knows_patterns_ = false;
  std::size_t next_ = 0;        // of the names
  std::size_t word_bytes_ = 0;  // of names_
  std::unordered_map<std::string, std::string> names_;
};

// Its filter; null without one.
[[nodiscard]] TextFilter redacted(Redactor* redactor);

// The n-th name, from 0. Later ones sort behind earlier ones.
[[nodiscard]] std::string nth_name(std::size_t n);

}  // namespace trtlens
