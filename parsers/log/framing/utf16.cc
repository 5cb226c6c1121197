// Carries half a code unit or half a pair from one chunk to the next.
#include "parsers/log/framing/utf16.h"

#include <utility>

#include "parsers/text/encoding.h"

namespace trtlens {

std::string_view Utf16Decoder::decode(std::string_view chunk) {
  if (!decided_) {
    // A first chunk of one byte may be half a mark: it waits for the next.
    if (!carry_.empty()) {
      carry_.append(chunk);
      output_ = std::move(carry_);
      carry_.clear();
      chunk = output_;
    }
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(chunk[i]); };
    if (chunk.size() == 1 && (byte(0) == 0xFF || byte(0) == 0xFE)) {
      carry_ = chunk;
      return {};
    }
    if (!chunk.empty()) {
      decided_ = true;
      active_ = chunk.size() >= 2 &&
                ((byte(0) == 0xFF && byte(1) == 0xFE) || (byte(0) == 0xFE && byte(1) == 0xFF));
      if (active_) {
        little_endian_ = byte(0) == 0xFF;
        chunk.remove_prefix(2);
      }
    }
  }
  if (!active_) return chunk;
  carry_.append(chunk.data(), chunk.size());
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
