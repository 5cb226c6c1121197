// A layer of a list in the inspector's one-line form, of which more may follow: a terminal or an
// editor wrapped it. The pieces are put together again.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/build.h"

namespace trtlens {

class WrappedLayer {
 public:
  // Whether a line of the list begins a layer.
  [[nodiscard]] static bool begins(std::string_view line);

  [[nodiscard]] bool is_held() const { return !text_.empty(); }
  void hold(std::string_view line, SourcePos pos);

  // Whether `line`, which has no header, is the rest of what is held. `is_layer` asks the pattern
  // whether a text is a layer.
  using IsLayer = std::function<bool(std::string_view text)>;
  [[nodiscard]] bool goes_on_with(std::string_view line, const IsLayer& is_layer) const;
  void add(std::string_view line);

  // What was held; the width of the list is still known.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }
  [[nodiscard]] const SourcePos& pos() const { return pos_; }
  [[nodiscard]] bool was_wrapped() const { return pieces_ > 1; }

 private:
  [[nodiscard]] std::size_t last_width() const;

  std::string text_;  // empty: none
  SourcePos pos_;
  std::size_t last_bytes_ = 0, pieces_ = 0;  // of the last of its physical lines; their number
  std::size_t width_ = 0;                    // of this run's wrapped lines, columns; 0: none yet
};

}  // namespace trtlens
