// Small caches of the last texts and shapes, and a table of all of them.
#include "parsers/text/shared_texts.h"

#include <string>

#include "parsers/text/eight_bytes.h"

namespace trtlens::json_detail {
namespace {

constexpr std::size_t kTextSlots = 4096;
constexpr std::size_t kDimsSlots = 512;

}  // namespace

SharedTexts::Entry* SharedTexts::find_or_add(std::string_view text) {
  const auto found = entries_.find(text);
  if (found != entries_.end()) return &found->second;
  if (entries_.size() >= kMaxTexts) return nullptr;
  SharedText copy(text);
  const std::string_view key = copy.str();
  return &entries_.emplace(key, Entry{std::move(copy), std::nullopt}).first->second;
}

SharedText SharedTexts::text(std::string_view text) {
  if (text.empty()) return {};
  const Entry* const entry = find_or_add(text);
  return entry == nullptr ? SharedText(text) : entry->text;
}

DataType SharedTexts::type_of(std::string_view text) {
  if (text.empty()) return DataType::unknown;
  Entry* const entry = find_or_add(text);
  if (entry == nullptr) return data_type_of(std::string(text));
  return type_of(*entry);
}

DataType SharedTexts::type_of(Entry& entry) {
  if (!entry.type) entry.type = data_type_of(entry.text);
  return *entry.type;
}

std::pair<SharedText, DataType> SharedTexts::text_and_type(std::string_view text) {
  if (text.empty()) return {};
  Entry* const entry = find_or_add(text);
  if (entry == nullptr) return {SharedText(text), data_type_of(std::string(text))};
  return {entry->text, type_of(*entry)};
}

RecentTexts::Slot& RecentTexts::slot_of(std::string_view text) {
  if (slots_.empty()) slots_.resize(kTextSlots);
  Slot& slot = slots_[cheap_hash(text) % kTextSlots];
  if (slot.text != text) slot = {SharedText(text), std::nullopt};
  return slot;
}

SharedText RecentTexts::copy_of(std::string_view text) {
  return SharedText(text);
}

std::pair<SharedText, DataType> RecentTexts::text_and_type(std::string_view text) {
  if (text.size() > kMostBytes) return {copy_of(text), data_type_of(text)};
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
