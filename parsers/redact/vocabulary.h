// Which words of a text are not names: everything else may be one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace trtlens {

class Vocabulary {
 public:
  // The list of words.h and the words of the grammar of logs.
  Vocabulary();

  // The words that a regular expression (RE2) looks for.
  void add_pattern(std::string_view regex);
  // The words of a text that is nobody's name.
  void add_text(std::string_view text);

  // A word of letters and digits, in a name or alone.
  [[nodiscard]] bool is_name_word(std::string_view word) const;
  // One that stands alone.
  [[nodiscard]] bool is_plain_word(std::string_view word) const;
  // Letters, digits and signs without a blank: "libnvinfer_plugin.so".
  [[nodiscard]] bool is_token(std::string_view token) const;
  // One of the name of a kernel.
  [[nodiscard]] bool is_kernel_word(std::string_view word) const;
  [[nodiscard]] bool is_number(std::string_view word) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Words = std::unordered_set<std::string, Hash, std::equal_to<>>;

  [[nodiscard]] bool is_compound(std::string_view token) const;
  void add_token(std::string_view token);

  Words names_, plain_, tokens_, kernels_, units_;
};

}  // namespace trtlens
