// Steps of inflating gzip with zlib, for builds without ISA-L.
#include <zlib.h>

#include "parsers/input/inflate.h"

namespace trtlens {

struct Inflater::State {
  z_stream stream{};
};

Inflater::Inflater() : state_(std::make_unique<State>()) {
  constexpr int kGzipOnly = 16;
  inflateInit2(&state_->stream, MAX_WBITS + kGzipOnly);
}
Inflater::~Inflater() {
  inflateEnd(&state_->stream);
}

void Inflater::begin_member() {
  inflateReset(&state_->stream);
}

Inflater::Status Inflater::step(std::string_view& raw, char* out, std::size_t& room) {
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data()));
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = reinterpret_cast<Bytef*>(out);
  stream.avail_out = static_cast<uInt>(room);
  const int status = inflate(&stream, Z_NO_FLUSH);
  raw.remove_prefix(raw.size() - stream.avail_in);
  room = stream.avail_out;
  if (status == Z_STREAM_END) return Status::member_ended;
  return status == Z_OK || status == Z_BUF_ERROR ? Status::going_on : Status::damaged;
}

}  // namespace trtlens
