// The engine as the views of a page show it: strip, flame, graph. By layer means by its number in
// Build::layers, which is the order of execution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzers/graph/picture.h"

namespace trtlens {

// Texts of which many are the same, each once.
class Words {
 public:
  Words() = default;
  Words(Words&&) = default;  // no copy: it would point into the other's keys
  Words& operator=(Words&&) = default;
  void add(const std::string& text) {
    const auto [known, is_new] =
        numbers_.try_emplace(text, static_cast<std::uint32_t>(words_.size()));
    if (is_new) words_.push_back(&known->first);
    word_.push_back(known->second);
  }
  [[nodiscard]] std::size_t size() const { return word_.size(); }
  [[nodiscard]] const std::string& operator[](std::size_t i) const { return *words_[word_[i]]; }
  [[nodiscard]] const std::vector<const std::string*>& words() const { return words_; }
  [[nodiscard]] const std::vector<std::uint32_t>& word() const { return word_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> words_;  // keys of numbers_
  std::vector<std::uint32_t> word_;
};

struct EngineFinding {
  std::size_t number = 0;  // of its card
  std::vector<std::uint32_t> layers;
};

struct EngineView {
  std::vector<double> ms;  // by layer; 0: no time, or none is known
  Words kind;              // by layer: "INT8", "Q/DQ", "reformat", "no arithmetic"
  Words module;            // by layer: "layer1.0"; "" where no name says so
  Words label;             // by layer; none: a table of the document has them
  Picture picture;
  Words tensor;  // by edge: "32×64×112×112 INT8"
  Words format;  // by edge: "Row major Int8 format"
  std::vector<EngineFinding> findings;
};

}  // namespace trtlens
