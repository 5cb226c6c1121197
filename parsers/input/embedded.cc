// Inflates what the build compressed; damage here is a fault of the build, so it throws.
#include "parsers/input/embedded.h"

#include <cstddef>
#include <stdexcept>

#include "parsers/input/inflate.h"

namespace trtlens {

std::string EmbeddedFile::text() const {
  constexpr std::size_t kPiece = 65536;
  std::string text;
  std::string_view raw = packed;
  Inflater inflater;
  inflater.begin_member();
  for (Inflater::Status status = Inflater::Status::going_on;
       status != Inflater::Status::member_ended;) {
    const std::size_t used = text.size();
    text.resize(used + kPiece);
    std::size_t room = kPiece;
    status = inflater.step(raw, text.data() + used, room);
    text.resize(text.size() - room);
    const bool is_stuck = status == Inflater::Status::going_on && room == kPiece;
    if (is_stuck || status == Inflater::Status::damaged) {
      throw std::logic_error("an embedded file is damaged");
    }
  }
  return text;
}

}  // namespace trtlens
