// Steps of inflating gzip with ISA-L.
#include <isa-l/igzip_lib.h>

#include "parsers/input/inflate.h"

namespace trtlens {

struct Inflater::State {
  inflate_state stream{};
};

Inflater::Inflater() : state_(std::make_unique<State>()) {
  isal_inflate_init(&state_->stream);
}
Inflater::~Inflater() = default;

void Inflater::begin_member() {
  isal_inflate_reset(&state_->stream);
  state_->stream.crc_flag = ISAL_GZIP;
}

Inflater::Status Inflater::step(std::string_view& raw, char* out, std::size_t& room) {
  inflate_state& stream = state_->stream;
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(raw.data()));
  stream.avail_in = static_cast<std::uint32_t>(raw.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out);
  stream.avail_out = static_cast<std::uint32_t>(room);
  const int status = isal_inflate(&stream);
  raw.remove_prefix(raw.size() - stream.avail_in);
  room = stream.avail_out;
  if (status < 0) return Status::damaged;
  return stream.block_state == ISAL_BLOCK_FINISH ? Status::member_ended : Status::going_on;
}

}  // namespace trtlens
