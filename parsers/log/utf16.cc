#include "parsers/log/utf16.h"

#include "parsers/json/encoding.h"

namespace trtlens {

std::string_view Utf16Decoder::decode(std::string_view chunk) {
  if (!decided_ && chunk.size() >= 2) {
    decided_ = true;
    const auto first = static_cast<unsigned char>(chunk[0]);
    const auto second = static_cast<unsigned char>(chunk[1]);
    active_ = (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF);
    little_endian_ = first == 0xFF;
    if (active_) chunk.remove_prefix(2);
  }
  if (!active_) return chunk;
  carry_.append(chunk);
  std::size_t usable = carry_.size() & ~std::size_t{1};
  if (usable >= 2) {
    const char high = carry_[usable - (little_endian_ ? 1 : 2)];
    if ((static_cast<unsigned char>(high) & 0xFC) == 0xD8) usable -= 2;
  }
  output_ = json_detail::utf8_of_utf16(
      std::string_view(carry_).substr(0, usable),
      little_endian_ ? json_detail::Encoding::utf16_le : json_detail::Encoding::utf16_be);
  carry_.erase(0, usable);
  return output_;
}

}  // namespace trtlens
