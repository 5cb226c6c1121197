// Steps of inflating gzip with zlib.
#include "parsers/input/inflate.h"

namespace trtlens {

Inflater::Inflater() {
  constexpr int kGzipOnly = 16;
  inflateInit2(&stream_, MAX_WBITS + kGzipOnly);
}

Inflater::Status Inflater::step(std::string_view& raw, char* out, std::size_t& room) {
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

}  // namespace trtlens
