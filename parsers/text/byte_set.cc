#include "parsers/text/byte_set.h"

#include <algorithm>

namespace trtlens {

void ByteSet::add(unsigned char first, unsigned char last) {
  for (unsigned byte = first; byte <= last; ++byte) bytes_.set(byte);
}

ByteRanges::ByteRanges(const ByteSet& set) {
  const std::bitset<256>& bytes = set.bytes();
  is_all_ = bytes.all();
  for (unsigned byte = 0; byte < bytes.size(); ++byte) {
    if (!bytes[byte]) continue;
    const unsigned first = byte;
    while (byte + 1 < bytes.size() && bytes[byte + 1]) ++byte;
    if (count_ == kMost) {
      count_ = 0;
      return;
    }
    ranges_[count_++] = {Sixteen{} + static_cast<unsigned char>(first),
                         Sixteen{} + static_cast<unsigned char>(byte - first)};
  }
  std::sort(ranges_.begin(), ranges_.begin() + count_,
            [](const Range& a, const Range& b) { return a.width[0] > b.width[0]; });
}

// 255 for each byte that is in a range, else 0.
inline Sixteen ByteRanges::holds(Sixteen text) const {
  Sixteen in = Sixteen(text - ranges_[0].lowest <= ranges_[0].width);
  if (!any_of(~in)) return in;
  for (std::size_t i = 1; i < count_; ++i) {
    in |= Sixteen(text - ranges_[i].lowest <= ranges_[i].width);
  }
  return in;
}

const char* ByteRanges::skip(const ByteSet& set, const char* begin, const char* at,
                             const char* end) const {
  constexpr std::ptrdiff_t kWide = sizeof(Sixteen);
  constexpr Sixteen kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  if (is_all_) return end;
  while (count_ > 0 && end - at >= kWide) {
    const std::size_t found = leading_ones(holds(sixteen_at(at)));
    at += found;
    if (found < kWide) return at;
  }
  if (count_ > 0 && at < end && end - begin >= kWide) {  // with some before it
    const auto before = static_cast<unsigned char>(kWide - (end - at));
    const Sixteen in = holds(sixteen_at(end - kWide)) | Sixteen(kPlaces < before);
    return end - kWide + leading_ones(in);
  }
  while (at < end && set.holds(*at)) ++at;
  return at;
}

}  // namespace trtlens
