// Looks at 64 bytes at a time for ends of lines and control characters.
#include "parsers/log/framing/line_ends.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace trtlens {
namespace {

constexpr unsigned char kFirstControl = 0x0b, kLastControl = 0x1f;
constexpr std::size_t kBlockBytes = 64;

// Whether a control character is among bytes of which the least, kFirstControl taken off, is this.
constexpr bool is_control(unsigned char least) {
  return least <= kLastControl - kFirstControl;
}

#ifdef __SSE2__
// Writes where in the text the bits of a block at `at` stand. Most blocks have one end or none,
// which of the two cannot be foreseen: no branch on it. What is written for none is written over.
inline std::uint16_t* put(std::uint64_t bits, std::size_t at, std::uint16_t* out) {
  constexpr std::uint64_t kLast = std::uint64_t{1} << 63U;
  *out = static_cast<std::uint16_t>(at + static_cast<unsigned>(std::countr_zero(bits | kLast)));
  out += bits != 0 ? 1 : 0;
  for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
    *out++ = static_cast<std::uint16_t>(at + static_cast<unsigned>(std::countr_zero(bits)));
  }
  return out;
}

std::uint16_t* find_by_16(const char* text, std::size_t blocks, std::uint16_t* out,
                          unsigned char* least_bytes) {
  const __m128i end = _mm_set1_epi8('\n'), first = _mm_set1_epi8(kFirstControl);
  __m128i least = _mm_set1_epi8(-1);
  for (std::size_t at = 0; at < blocks * kBlockBytes; at += kBlockBytes) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < kBlockBytes; i += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + at + i));
      least = _mm_min_epu8(least, _mm_sub_epi8(bytes, first));
      const auto ends = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, end)));
      bits |= std::uint64_t{ends} << i;
    }
    out = put(bits, at, out);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(least_bytes), least);
  return out;
}

[[gnu::target("avx2")]] std::uint16_t* find_by_32(const char* text, std::size_t blocks,
                                                  std::uint16_t* out, unsigned char* least_bytes) {
  const __m256i end = _mm256_set1_epi8('\n'), first = _mm256_set1_epi8(kFirstControl);
  __m256i least = _mm256_set1_epi8(-1);
  for (std::size_t at = 0; at < blocks * kBlockBytes; at += kBlockBytes) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < kBlockBytes; i += 32) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + at + i));
      least = _mm256_min_epu8(least, _mm256_sub_epi8(bytes, first));
      const auto ends = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, end)));
      bits |= std::uint64_t{ends} << i;
    }
    out = put(bits, at, out);
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(least_bytes), least);
  return out;
}

[[gnu::target("avx512bw")]] std::uint16_t* find_by_64(const char* text, std::size_t blocks,
                                                      std::uint16_t* out,
                                                      unsigned char* least_bytes) {
  const __m512i end = _mm512_set1_epi8('\n'), first = _mm512_set1_epi8(kFirstControl);
  __m512i least = _mm512_set1_epi8(-1);
  for (std::size_t at = 0; at < blocks * kBlockBytes; at += kBlockBytes) {
    const __m512i bytes = _mm512_loadu_si512(text + at);
    least = _mm512_min_epu8(least, _mm512_sub_epi8(bytes, first));
    out = put(_mm512_cmpeq_epi8_mask(bytes, end), at, out);
  }
  _mm512_storeu_si512(least_bytes, least);
  return out;
}

// Processors before Ice Lake, which has VBMI2, slow down for such registers.
std::size_t widest_register() {
  if (__builtin_cpu_supports("avx512vbmi2") != 0) return 64;
  return __builtin_cpu_supports("avx2") != 0 ? 32 : 16;
}
#else
constexpr std::size_t widest_register() {
  return 0;
}
#endif

}  // namespace

LineEnds::LineEnds(std::size_t most_bytes)
    : register_bytes_(std::min(most_bytes, widest_register())) {}

void LineEnds::find(std::string_view piece) {
  std::uint16_t* out = ends_.data();
#ifdef __SSE2__
  const auto find_by = register_bytes_ == 64   ? find_by_64
                       : register_bytes_ == 32 ? find_by_32
                                               : find_by_16;
  std::array<unsigned char, 64> least{};
  const auto find_in = [&](const char* text, std::size_t blocks) {
    least.fill(0xff);
    out = find_by(text, blocks, out, least.data());
    has_controls_ = has_controls_ || is_control(*std::min_element(least.begin(), least.end()));
  };
  const std::size_t whole = piece.size() / kBlockBytes;
  find_in(piece.data(), whole);
  if (const std::string_view rest = piece.substr(whole * kBlockBytes); !rest.empty()) {
    std::array<char, kBlockBytes> block{};
    block.fill(' ');
    std::copy(rest.begin(), rest.end(), block.begin());
    std::uint16_t* const begin = out;
    find_in(block.data(), 1);
    for (std::uint16_t* at = begin; at < out; ++at) {
      *at = static_cast<std::uint16_t>(*at + whole * kBlockBytes);
    }
  }
#else
  const char* const begin = piece.data();
  const char* const end = begin + piece.size();
  for (const char* from = begin; from < end; ++from) {
    from = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
    if (from == nullptr) break;
    *out++ = static_cast<std::uint16_t>(from - begin);
  }
  unsigned char least = 0xff;  // compilers take many bytes at once
  for (const char c : piece) {
    least =
        std::min(least, static_cast<unsigned char>(static_cast<unsigned char>(c) - kFirstControl));
  }
  has_controls_ = has_controls_ || is_control(least);
#endif
  count_ = static_cast<std::size_t>(out - ends_.data());
}

}  // namespace trtlens
