// Why arithmetic stayed wider than the build allowed.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/graph/graph.h"

namespace trtlens {

// Layers that write or read a tensor; where a reformat reads it, those behind that.
[[nodiscard]] std::set<std::size_t> layers_at(const Analysis& analysis, const Graph& graph,
                                              const std::string& tensor);

// A constant or shape arithmetic: "(Unnamed Layer* 48) [Constant]_output".
[[nodiscard]] bool needs_no_scale(const std::string& tensor);

// What log and layer info say of the width of each layer. `analysis` and `graph` must outlive it;
// a log may name a million tensors, so they are looked up, not searched.
class WidthReasons {
 public:
  WidthReasons(const Analysis& analysis, const Graph& graph);

  // `why` begins with the kind of reason; what differs from layer to layer stands behind ':' or
  // " of tensor ".
  [[nodiscard]] Fallback explain(std::size_t layer) const;
  // Profile ms the layer would take by the fastest narrower kernel that was timed for it: a race's
  // times are shorter than the profile's, so its ratio counts. What a region computes in is not
  // known: of one, narrower than FP32. None: no such race.
  [[nodiscard]] std::optional<double> narrower_kernel_ms(std::size_t layer) const;

 private:
  bool is_forced(const Layer& layer, Precision compute, Fallback& reason) const;
  void explain_by_own_races(std::size_t index, Fallback& reason) const;

  const Analysis& analysis_;
  const Graph& graph_;
  // What log and option hold at a type: "precision fp32" of a layer or node, "fp32" of one or "*".
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const LayerNote*>> forced_;
  std::set<std::pair<std::string, std::string>> held_;
  std::map<std::string_view, std::vector<const LayerNote*>> non_conforming_;  // by layer
  std::unordered_map<std::string_view, std::vector<const Autotune*>> races_;  // by layer
  std::unordered_map<std::string_view, const RejectedInt8*> rejected_;        // by layer
  // A layer whose races show what a narrower kernel takes, by what makes layers equal.
  std::unordered_map<std::string, std::size_t> timed_twins_;
  std::vector<const MissingScale*> missing_;  // by number of the layer; null: none
  bool has_qdq_ = false;
};

}  // namespace trtlens
