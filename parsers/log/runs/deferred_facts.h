// Facts that come by the thousand (nodes, layers, their memory), kept as the text of their fields
// until their run is asked for: of a log of many runs only the one to report becomes a whole Build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parsers/log/grammar/line_kind.h"

namespace trtlens {

class DeferredFacts {
 public:
  void add(const LineKind& kind, const Match& match);
  // Applies all to `run` in the order in which they came, and forgets them. Their Match has no
  // line.
  void apply(RunBuilder& run);

  [[nodiscard]] bool empty() const { return facts_.empty(); }
  [[nodiscard]] std::size_t bytes() const {
    return text_.size() + facts_.size() * sizeof(Fact) + sizes_.size() * sizeof(sizes_[0]);
  }

 private:
  struct Fact {
    const LineKind* kind = nullptr;
    SourcePos pos;
    std::size_t first_size = 0;  // in sizes_, one a field of the kind
    std::size_t fields = 0;
  };

  void clear();

  std::vector<Fact> facts_;
  std::vector<std::uint32_t> sizes_;
  std::string text_;  // of all fields, one behind the other
};

}  // namespace trtlens
