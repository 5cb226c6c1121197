#include "parsers/log/plain_text.h"

#include <re2/re2.h>

#include <cctype>

namespace trtlens {

std::string_view unpadded(std::string_view line) {
  const std::size_t last = line.find_last_not_of(std::string_view(" \0", 2));
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

bool ends_in_number(std::string_view line) {
  std::size_t begin = line.size();
  const auto part_of_one = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.';
  };
  while (begin > 0 && part_of_one(line[begin - 1])) --begin;
  return begin < line.size() && std::isdigit(static_cast<unsigned char>(line[begin])) != 0;
}

std::string_view plainer(std::string_view body) {
  const std::size_t first = body.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  body = body.substr(first, body.find_last_not_of(' ') + 1 - first);
  static const RE2 place(
      "(?:\\(\\d\\d:\\d\\d:\\d\\d\\) )?(?:\\[[\\w./\\\\-]+\\.py:\\d+\\] +)?"
      "(?:(?:[A-Za-z]:[/\\\\])?[\\w./\\\\-]+\\.(?:cpp|cc|h|hpp|cu):\\d+: )?");
  re2::StringPiece found;
  if (place.Match(re2::StringPiece(body.data(), body.size()), 0, body.size(), RE2::ANCHOR_START,
                  &found, 1)) {
    body.remove_prefix(found.size());
  }
  return body;
}

}  // namespace trtlens
