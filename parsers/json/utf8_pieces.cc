#include "parsers/json/utf8_pieces.h"

#include <algorithm>
#include <cstddef>

#include "parsers/json/utf8.h"

namespace trtlens::json_detail {
namespace {

// Where the last character begins, when more of it may follow.
std::size_t begun_character(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const std::size_t at = text.size() - back;
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x80) break;
    if (c < 0xC0) continue;
    return utf8_length(text, at) == 0 ? at : text.size();
  }
  return text.size();
}

}  // namespace

// A piece without a defect is handed on where it is.
std::string_view Utf8Pieces::operator()() {
  std::string_view text = next_();
  const bool is_end = text.empty();
  if (!rest_.empty()) {
    joined_.assign(rest_).append(text);
    rest_.clear();
    text = joined_;
  }
  if (!is_end) {  // a character may go on in the next one
    const std::size_t cut = begun_character(text);
    rest_.assign(text.substr(cut));
    text = text.substr(0, cut);
    if (text.empty()) return (*this)();
  }
  return clean(text);
}

std::string_view Utf8Pieces::clean(std::string_view text) {
  cleaned_.clear();
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length =
        static_cast<unsigned char>(text[i]) < 0x80 ? 1 : utf8_length(text, i);
    if (length == 0) {
      cleaned_.append(text.substr(done, i - done)).append("\xEF\xBF\xBD");
      done = i + 1;
    }
    i += std::max<std::size_t>(1, length);
  }
  if (done == 0) return text;
  return cleaned_.append(text.substr(done));
}

}  // namespace trtlens::json_detail
