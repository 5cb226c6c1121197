// Finds stamps, and adds up what lies between them.
#include "parsers/log/framing/clock.h"

namespace trtlens {

std::optional<int> second_of_day(std::string_view clock) {
  if (clock.size() < kClockBytes) return std::nullopt;
  const auto two = [&](std::size_t i) {
    const int tens = clock[i] - '0', ones = clock[i + 1] - '0';
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
  };
  const int h = two(0), m = two(3), s = two(6);
  if (clock[2] != ':' || clock[5] != ':' || h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 60) {
    return std::nullopt;
  }
  return (h * 60 + m) * 60 + s;
}

void LogClock::tick(int second) {
  const int passed = last_ ? (second - *last_ + kSecondsOfDay) % kSecondsOfDay : 0;
  last_ = second;
  // Lines of two streams may come in the wrong order, by some seconds.
  elapsed_s_ = elapsed_s_.value_or(0) + (passed < kSecondsOfDay / 2 ? passed : 0);
}

void LogClock::read(std::string_view chunk) {
  constexpr int kFirstLines = 100;
  for (int i = 0; !last_ && i < kFirstLines && !chunk.empty(); ++i) {
    const std::size_t end = chunk.find('\n');
    if (const auto second = second_of_day(clock_in(chunk.substr(0, end)))) tick(*second);
    if (end == std::string_view::npos) return;
    chunk.remove_prefix(end + 1);
  }
  // The last lines may be a table, which has no stamps.
  std::size_t end = chunk.rfind('\n');
  for (int i = 0; i < kFirstLines && end != std::string_view::npos && end > 0; ++i) {
    const std::size_t before = chunk.rfind('\n', end - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    if (const auto second = second_of_day(clock_in(chunk.substr(start, end - start)))) {
      return tick(*second);
    }
    end = before;
  }
}

}  // namespace trtlens
