#include "parsers/json/shared_texts.h"

#include <string>

namespace trtlens::json_detail {

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
  if (!entry->type) entry->type = data_type_of(entry->text);
  return *entry->type;
}

}  // namespace trtlens::json_detail
