// Pieces of a file as UTF-8: nlohmann reads nothing else, and a program may print anything.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace trtlens::json_detail {

// Bytes that are none become U+FFFD.
class Utf8Pieces {
 public:
  // `next` gives the file piece by piece, an empty one at its end.
  explicit Utf8Pieces(const std::function<std::string_view()>& next) : next_(next) {}

  // The same; valid until the next call.
  std::string_view operator()();

 private:
  std::string_view clean(std::string_view text);

  const std::function<std::string_view()>& next_;
  std::string rest_, joined_, cleaned_;
};

}  // namespace trtlens::json_detail
