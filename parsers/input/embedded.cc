// Inflates what the build compressed; damage here is a fault of the build, so it throws.
#include "parsers/input/embedded.h"

#include <cstddef>
#include <stdexcept>

#include "parsers/input/inflate.h"

namespace trtlens {
namespace {

std::string inflated(std::string_view raw) {
  constexpr std::size_t kPiece = 65536;
  std::string text;
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

}  // namespace

std::vector<EmbeddedFile> inflate_files(
    const std::vector<std::pair<std::string_view, std::string_view>>& compressed) {
  std::vector<EmbeddedFile> files;
  files.reserve(compressed.size());
  for (const auto& [name, raw] : compressed) files.push_back({name, inflated(raw)});
  return files;
}

}  // namespace trtlens
