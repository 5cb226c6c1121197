// Takes off padding, times and places of other programs, and tells whether an error is whole.
#include "parsers/log/framing/plain_text.h"

#include <re2/re2.h>

#include <algorithm>
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

bool is_whole_error(std::string_view body) {
  const std::size_t code = body.find("Error Code ");
  const std::size_t end = body.find_last_not_of(" \t\r");
  if (code == std::string_view::npos || body[end] != ')') return false;
  const std::string_view text = body.substr(code, end + 1 - code);
  return std::count(text.begin(), text.end(), '(') == std::count(text.begin(), text.end(), ')');
}

bool is_of_deepstream(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == 0 || colon > 7) return false;  // INFO, WARNING; npos is
  std::string_view text = line.substr(colon + 2);
  if (text.substr(0, 3) == "../") text.remove_prefix(3);
  return text.substr(0, 9) == "nvdsinfer";
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
