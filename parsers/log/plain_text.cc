#include "parsers/log/plain_text.h"

#include <re2/re2.h>

namespace trtlens {

std::string_view unpadded(std::string_view line) {
  const std::size_t last = line.find_last_not_of(std::string_view(" \0", 2));
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

std::string_view plainer(std::string_view body) {
  const std::size_t first = body.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  body = body.substr(first, body.find_last_not_of(' ') + 1 - first);
  static const RE2 place(
      "(?:\\(\\d\\d:\\d\\d:\\d\\d\\) )?(?:\\[[\\w./\\\\-]+\\.py:\\d+\\] +)?"
      "(?:[\\w./\\\\:-]+\\.(?:cpp|cc|h|hpp|cu):\\d+: )?");
  re2::StringPiece found;
  if (place.Match(re2::StringPiece(body.data(), body.size()), 0, body.size(), RE2::ANCHOR_START,
                  &found, 1)) {
    body.remove_prefix(found.size());
  }
  return body;
}

}  // namespace trtlens
