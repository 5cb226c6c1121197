// Looks at 16 bytes at a time for ends of lines and control characters.
#include "parsers/log/framing/line_ends.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace trtlens {
namespace {

constexpr unsigned char kFirstControl = 0x0b, kLastControl = 0x1f;

#ifdef __SSE2__
// 64 bytes at a time.
struct Blocks {
  __m128i least = _mm_set1_epi8(-1);  // of the bytes, kFirstControl taken off

  // Which of them end a line, as bits.
  std::uint64_t ends(const char* block) {
    const std::uint64_t low = ends_of_two(block), high = ends_of_two(block + 32);
    return low | high << 32U;
  }
  [[nodiscard]] bool has_controls() const {
    const __m128i most = _mm_set1_epi8(kLastControl - kFirstControl);
    return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(least, most), least)) != 0;
  }

 private:
  std::uint32_t ends_of_two(const char* text) {
    const __m128i first = load(text), second = load(text + 16);
    least = _mm_min_epu8(least, _mm_min_epu8(above(first), above(second)));
    return ends_of(first) | ends_of(second) << 16U;
  }
  static __m128i load(const char* text) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  }
  static __m128i above(__m128i bytes) { return _mm_sub_epi8(bytes, _mm_set1_epi8(kFirstControl)); }
  static std::uint32_t ends_of(__m128i bytes) {
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))));
  }
};
#endif

}  // namespace

void LineEnds::find(std::string_view piece) {
  std::uint16_t* out = ends_.data();
#ifdef __SSE2__
  Blocks blocks;
  const auto take = [&](const char* block, std::size_t at) {
    std::uint64_t bits = blocks.ends(block);
    // Most blocks have one end or none, which of the two cannot be foreseen: no branch on it. What
    // is written for none is written over.
    constexpr std::uint64_t kLast = std::uint64_t{1} << 63U;
    *out = static_cast<std::uint16_t>(at + static_cast<unsigned>(std::countr_zero(bits | kLast)));
    out += bits != 0 ? 1 : 0;
    for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
      *out++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(std::countr_zero(bits)));
    }
  };
  std::size_t at = 0;
  for (; at + 64 <= piece.size(); at += 64) take(piece.data() + at, at);
  if (at < piece.size()) {
    std::array<char, 64> rest{};
    std::memcpy(rest.data(), piece.data() + at, piece.size() - at);
    take(rest.data(), at);
  }
  has_controls_ = has_controls_ || blocks.has_controls();
#else
  const char* const begin = piece.data();
  const char* const end = begin + piece.size();
  for (const char* from = begin; from < end; ++from) {
    from = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
    if (from == nullptr) break;
    *out++ = static_cast<std::uint16_t>(from - begin);
  }
  unsigned char least = 0xff;  // as Blocks has it; compilers take many bytes at once
  for (const char c : piece) {
    least =
        std::min(least, static_cast<unsigned char>(static_cast<unsigned char>(c) - kFirstControl));
  }
  has_controls_ = has_controls_ || least <= kLastControl - kFirstControl;
#endif
  count_ = static_cast<std::size_t>(out - ends_.data());
}

}  // namespace trtlens
