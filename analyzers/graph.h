// Who feeds whom: layers joined by tensor names. Several writers of a tensor, self-loops and
// missing producers are normal (concatenation by slices, in-place scatter, Myelin constants).
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/build.h"

namespace trtlens {

class Graph {
 public:
  Graph(const Build& build, const std::vector<LayerVerdict>& verdicts);

  // Layers that write an input of `layer` / read an output of it; zero-time no-ops are looked
  // through, so these are neighbours that do something. No duplicates, in layer order.
  [[nodiscard]] const std::vector<std::size_t>& before(std::size_t layer) const {
    return before_[layer];
  }
  [[nodiscard]] const std::vector<std::size_t>& after(std::size_t layer) const {
    return after_[layer];
  }
  [[nodiscard]] const std::vector<std::size_t>& writers(const std::string& tensor) const;
  [[nodiscard]] const std::vector<std::size_t>& readers(const std::string& tensor) const;
  [[nodiscard]] bool is_network_input(const std::string& tensor) const;
  [[nodiscard]] bool is_network_output(const std::string& tensor) const;
  // Layer of that exact name; the first one of several; npos when there is none.
  [[nodiscard]] std::size_t find(const std::string& name) const;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Whether the layer belongs to the optimization profile that was timed. Those of the others are
  // the same layers again: they have no neighbours here and count in no sum.
  [[nodiscard]] bool takes_part(std::size_t layer) const { return takes_part_[layer]; }

 private:
  using Index = std::unordered_map<std::string, std::vector<std::size_t>>;
  void link(const std::vector<Layer>& layers, const std::vector<LayerVerdict>& verdicts);

  Index writers_, readers_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::string, bool> io_;  // name -> is input
  std::vector<std::vector<std::size_t>> before_, after_;
  std::vector<bool> takes_part_;
};

// The optimization profile that was timed: that of the layers with a time, else the one that the
// options name, else the first.
[[nodiscard]] int timed_profile(const Build& build);

// Layers whose time a layer of another precision costs: the conversions next to it, and the
// activations behind it that a narrow kernel would have taken in.
struct Fence {
  std::vector<std::size_t> before, after;  // conversions
  std::vector<std::size_t> activations;
  // Sum of profile times of the members in `members`.
  [[nodiscard]] static double time_ms(const Build& build, const std::vector<std::size_t>& members);
};
// `core` are the layers of one island; none of them appears in the result.
[[nodiscard]] Fence fence_of(const std::vector<std::size_t>& core, const Graph& graph,
                             const Analysis& analysis);

[[nodiscard]] bool is_conversion(LayerRole role);  // reformat, quantize, dequantize
[[nodiscard]] bool is_arithmetic(LayerRole role);  // convolution, deconvolution, gemm, attention
[[nodiscard]] bool is_narrow(DataType type);       // INT8, FP8, INT4, FP4
[[nodiscard]] bool is_float(DataType type);        // FP32, FP16, BF16

}  // namespace trtlens
