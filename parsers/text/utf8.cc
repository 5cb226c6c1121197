// UTF-8 by Boost.Locale's templates, which need no library.
#include "parsers/text/utf8.h"

#include <boost/locale/utf.hpp>
#include <iterator>

namespace trtlens::json_detail {
namespace {

namespace utf = boost::locale::utf;
using Utf8 = utf::utf_traits<char>;

}  // namespace

void append_utf8(std::string& out, std::uint32_t code) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  Utf8::encode(utf::is_valid_codepoint(code) ? code : kReplacement, std::back_inserter(out));
}

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const char* const begin = text.data() + i;
  const char* at = begin;
  const utf::code_point code = Utf8::decode(at, text.data() + text.size());
  if (code == utf::illegal || code == utf::incomplete) return 0;
  return static_cast<std::size_t>(at - begin);
}

}  // namespace trtlens::json_detail
