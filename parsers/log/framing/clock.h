// The time of the day in the stamp that a line begins with.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace trtlens {

inline constexpr std::size_t kClockBytes = 8;
inline constexpr int kSecondsOfDay = 24 * 60 * 60;

// "13:51:55" of "[11/21/2026-13:51:55] …", "[2022-11-08 06:01:58 VERBOSE] …", "2024-07-08
// 18:23:06.193422: …" and glog's "I0829 03:48:41.018076 …". Empty: none.
[[nodiscard]] inline std::string_view clock_in(std::string_view line) {
  if (line.size() <= 20) return {};
  if (line[0] == '[' && ((line[11] == '-' && line[20] == ']') || line[11] == ' ')) {
    return line.substr(12, kClockBytes);
  }
  if (line[4] == '-' && line[7] == '-') return line.substr(11, kClockBytes);
  if (line[5] == ' ' && line[14] == '.') return line.substr(6, kClockBytes);
  return {};
}
// Of such a text; nothing when it is no time.
[[nodiscard]] std::optional<int> second_of_day(std::string_view clock);

// Seconds from the first stamp of a log to the last one so far; lines without a stamp do not count.
class LogClock {
 public:
  // Looks at the first line with a stamp, then at the last whole line of a chunk.
  void read(std::string_view chunk);
  [[nodiscard]] std::optional<double> elapsed_s() const { return elapsed_s_; }

 private:
  void tick(int second);

  std::optional<int> last_;
  std::optional<double> elapsed_s_;
};

}  // namespace trtlens
