// A layer of a list in the inspector's one-line form, of which more may follow: a terminal or an
// editor wrapped it. The pieces are put together again.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/model/build.h"

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
  [[nodiscard]] bool goes_on_with(std::string_view line, const IsLayer& is_layer);
  void add(std::string_view line);

  // A physical line of what is held: its class is known when all of it is.
  struct Line {
    std::string raw;
    std::uint64_t number = 0;
  };
  void wait(std::string_view raw, std::uint64_t number) {
    lines_.push_back({std::string(raw), number});
  }

  // What was held; the width of the list is still known.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }
  [[nodiscard]] std::vector<Line> take_lines() { return std::exchange(lines_, {}); }
  [[nodiscard]] const SourcePos& pos() const { return pos_; }
  [[nodiscard]] bool was_wrapped() const { return pieces_ > 1; }

 private:
  [[nodiscard]] std::size_t last_width() const;

  std::string text_;  // empty: none
  SourcePos pos_;
  std::size_t last_bytes_ = 0, pieces_ = 0;  // of the last of its physical lines; their number
  std::size_t width_ = 0;                    // of this run's wrapped lines, columns; 0: none yet
  std::size_t asked_ = 0;                    // times that the whole text was looked at
  std::vector<Line> lines_;
};

}  // namespace trtlens
