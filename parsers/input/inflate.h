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

  Inflater() {
    constexpr int kGzipOnly = 16;
    inflateInit2(&stream_, MAX_WBITS + kGzipOnly);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // The next bytes are the header of a member.
  void begin_member() { inflateReset(&stream_); }
  // Takes what it can from the front of `raw`, fills `room` bytes at `out` as far as it can, and
  // leaves in `room` how many are free.
  [[nodiscard]] Status step(std::string_view& raw, char* out, std::size_t& room) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data()));
    stream_.avail_in = static_cast<uInt>(raw.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    raw.remove_prefix(raw.size() - stream_.avail_in);
    room = stream_.avail_out;
    if (status == Z_STREAM_END) return Status::member_ended;
    return status == Z_OK || status == Z_BUF_ERROR ? Status::going_on : Status::damaged;
  }

 private:
  z_stream stream_{};
};

}  // namespace trtlens
