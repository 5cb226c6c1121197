// The members of a gzip stream, a piece at a time, by zlib.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trtlens {

class Inflater {
 public:
  enum class Status : std::uint8_t { going_on, member_ended, damaged };

  Inflater();
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // The next bytes are the header of a member.
  void begin_member() { inflateReset(&stream_); }
  // Takes what it can from the front of `raw`, fills `room` bytes at `out` as far as it can, and
  // leaves in `room` how many are free.
  [[nodiscard]] Status step(std::string_view& raw, char* out, std::size_t& room);

 private:
  z_stream stream_{};
};

}  // namespace trtlens
