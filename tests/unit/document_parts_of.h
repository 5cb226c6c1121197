// Parts of a report's document, found by their names.
#pragma once

#include <string>
#include <vector>

#include "report/document/document.h"

namespace trtlens {

inline const Section* section_of(const Document& document, const std::string& id) {
  for (const Section& section : document.sections) {
    if (section.id == id) return &section;
  }
  return nullptr;
}

template <typename T>
std::vector<const T*> blocks_of(const Document& document, const std::string& id) {
  std::vector<const T*> out;
  const Section* section = section_of(document, id);
  if (section == nullptr) return out;
  for (const Block& block : section->blocks) {
    if (const T* found = std::get_if<T>(&block)) out.push_back(found);
  }
  return out;
}

inline const Table* table_of(const Document& document, const std::string& id,
                             const std::string& title) {
  for (const Table* table : blocks_of<Table>(document, id)) {
    if (table->title.find(title) != std::string::npos) return table;
  }
  return nullptr;
}

inline std::vector<std::string> texts(const std::vector<Cell>& row) {
  std::vector<std::string> out;
  out.reserve(row.size());
  for (const Cell& cell : row) out.push_back(cell.text);
  return out;
}

}  // namespace trtlens
