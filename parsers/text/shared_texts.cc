// Small caches of the last texts and shapes.
#include "parsers/text/shared_texts.h"

#include "parsers/text/eight_bytes.h"

namespace trtlens::json_detail {
namespace {

constexpr std::size_t kTextSlots = 4096;
constexpr std::size_t kDimsSlots = 512;

}  // namespace

RecentTexts::Slot& RecentTexts::slot_of(std::string_view text) {
  if (slots_.empty()) slots_.resize(kTextSlots);
  Slot& slot = slots_[cheap_hash(text) % kTextSlots];
  if (slot.text != text) slot = {SharedText(text), std::nullopt};
  return slot;
}

SharedText RecentTexts::text(std::string_view text) {
  return text.size() > kMostBytes ? SharedText(text) : slot_of(text).text;
}

std::pair<SharedText, DataType> RecentTexts::text_and_type(std::string_view text) {
  if (text.size() > kMostBytes) return {SharedText(text), data_type_of(text)};
  Slot& slot = slot_of(text);
  if (!slot.type) slot.type = data_type_of(text);
  return {slot.text, *slot.type};
}

Dims RecentDims::dims(const std::vector<std::int64_t>& dims) {
  if (slots_.empty()) slots_.resize(kDimsSlots);
  std::uint64_t hash = dims.size();
  for (const std::int64_t dim : dims) {
    hash = (hash ^ static_cast<std::uint64_t>(dim)) * 0x9E3779B97F4A7C15U;
  }
  Dims& slot = slots_[(hash >> 32U) % kDimsSlots];
  if (slot.values() != dims) slot = Dims(dims);
  return slot;
}

}  // namespace trtlens::json_detail
