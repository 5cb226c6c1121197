// The members of a gzip stream, a piece at a time. Two sources of one interface, chosen by CMake:
// inflate_isal.cc (five times as fast) and, for the static binary, inflate_zlib.cc, because
// distributions ship no libisal.a.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace trtlens {

class Inflater {
 public:
  enum class Status : std::uint8_t { going_on, member_ended, damaged };

  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // The next bytes are the header of a member.
  void begin_member();
  // Takes what it can from the front of `raw`, fills `room` bytes at `out` as far as it can, and
  // leaves in `room` how many are free.
  [[nodiscard]] Status step(std::string_view& raw, char* out, std::size_t& room);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trtlens
