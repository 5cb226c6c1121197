// Folds the tables that Myelin prints of a region into one MyelinRace an operator.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

class MyelinTables {
 public:
  // "Autotuning op X: [ONNX Layer: a]"; `race` becomes a record with its first candidate.
  void begin(MyelinRace race);
  // "tactic_id, cost(in ms), …, kernel_name, …": columns vary from operator to operator.
  void heads(std::string_view heads);
  // "  30, 0.0051360, 1.00000, …": a row below the heads. Without a time it did not run.
  void candidate(std::string_view row, std::vector<MyelinRace>& races);
  // "ForeignNode {ForeignNode[a...b]} metadata: [ONNX Layer: a][ONNX Layer: b]"
  void region(std::string_view layer, std::string_view metadata);

  // Gives layers without ONNX nodes those of their region.
  void name_nodes(std::vector<Layer>& layers) const;
  [[nodiscard]] std::size_t bytes() const { return region_bytes_; }

 private:
  std::optional<MyelinRace> begun_;         // has no candidate yet
  bool open_ = false;                       // the last record takes candidates
  std::optional<std::size_t> cost_, name_;  // columns
  std::unordered_map<std::string, std::string> regions_;
  std::size_t region_bytes_ = 0;
};

}  // namespace trtlens
