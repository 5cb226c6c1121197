// What changes a text while it is read.
#pragma once

#include <string_view>

namespace trtlens {

class TextFilter {
 public:
  TextFilter() = default;
  virtual ~TextFilter() = default;
  TextFilter(const TextFilter&) = delete;
  TextFilter& operator=(const TextFilter&) = delete;

  // What to read in the place of the next chunk, valid until the next call; may be empty while more
  // is to come. An empty chunk is the end of the text: the rest.
  [[nodiscard]] virtual std::string_view pass(std::string_view chunk) = 0;
};

}  // namespace trtlens
