// Who feeds whom: layers joined by tensor names. Several writers of a tensor, self-loops and
// missing producers are normal (concatenation by slices, in-place scatter, Myelin constants).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/model/build.h"

namespace trtlens {

// Numbers of layers, in a list that a Graph holds.
using Places = std::span<const std::uint32_t>;

// Many short lists in one piece of memory: an engine has as many as layers.
class PlaceLists {
 public:
  [[nodiscard]] Places of(std::size_t list) const {
    return {items_.data() + begins_[list], items_.data() + begins_[list + 1]};
  }
  // The next list.
  void add(const std::vector<std::uint32_t>& items);
  // Or all at once, from pairs given twice: resize(), count() for each, end_counting(), put() for
  // each in the same order, end_putting().
  void count(std::size_t list) { ++begins_[list + 2]; }
  void resize(std::size_t lists) { begins_.assign(lists + 2, 0); }
  void end_counting();
  void put(std::size_t list, std::size_t item) {
    items_[begins_[list + 1]++] = static_cast<std::uint32_t>(item);
  }
  void end_putting() { begins_.pop_back(); }

 private:
  std::vector<std::uint32_t> begins_{0}, items_;
};

// Names to numbers: those of the names that were new, from 0 on. Holds no copy of a name.
class NameIndex {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] std::size_t find(std::string_view name) const;
  // `name` must outlive the index.
  std::size_t add(const std::string& name);

 private:
  [[nodiscard]] std::size_t slot_of(std::string_view name) const;
  void grow();

  std::vector<std::uint32_t> slots_;  // number + 1; 0: free
  std::vector<const std::string*> names_;
};

// The layers' names must stay where they are while there is a Graph.
class Graph {
 public:
  Graph(const Build& build, const std::vector<LayerVerdict>& verdicts);

  // Layers that write an input of `layer` / read an output of it; zero-time no-ops are looked
  // through, so these are neighbours that do something. No duplicates, in layer order.
  [[nodiscard]] Places before(std::size_t layer) const { return before_.of(layer); }
  [[nodiscard]] Places after(std::size_t layer) const { return after_.of(layer); }
  [[nodiscard]] Places writers(std::string_view tensor) const;
  [[nodiscard]] Places readers(std::string_view tensor) const;
  [[nodiscard]] bool is_network_input(const std::string& tensor) const;
  [[nodiscard]] bool is_network_output(const std::string& tensor) const;
  // The same for tensors that only no-ops part from one: a reshape that moves nothing in front of
  // an output is no layer of its own.
  [[nodiscard]] bool is_at_input(const std::string& tensor) const;
  [[nodiscard]] bool is_at_output(const std::string& tensor) const;
  // Layer of that exact name; the first one of several; npos when there is none.
  [[nodiscard]] std::size_t find(std::string_view name) const;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Whether the layer belongs to the optimization profile that was timed. Those of the others are
  // the same layers again: they have no neighbours here and count in no sum.
  [[nodiscard]] bool takes_part(std::size_t layer) const { return takes_part_[layer]; }

 private:
  void index_tensors(const std::vector<Layer>& layers);
  void find_border(const std::vector<Layer>& layers, const std::vector<LayerVerdict>& verdicts);
  void link(const std::vector<Layer>& layers, const std::vector<LayerVerdict>& verdicts);

  NameIndex tensors_, layers_;
  PlaceLists writers_, readers_;              // by tensor
  std::vector<std::uint32_t> first_of_name_;  // by number in layers_
  std::unordered_map<std::string, bool> io_;  // name -> is input
  std::unordered_set<std::string> at_input_, at_output_;
  PlaceLists before_, after_;  // by layer
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
// `core` are the layers of one island; none of them appears in the result. Behind it are looked at
// 64 layers for each of the core: what stands farther off is not there because of it.
[[nodiscard]] Fence fence_of(const std::vector<std::size_t>& core, const Graph& graph,
                             const Analysis& analysis);

[[nodiscard]] bool is_conversion(LayerRole role);  // reformat, quantize, dequantize
[[nodiscard]] bool is_arithmetic(LayerRole role);  // convolution, deconvolution, gemm, attention
[[nodiscard]] bool is_narrow(DataType type);       // INT8, FP8, INT4, FP4
[[nodiscard]] bool is_float(DataType type);        // FP32, FP16, BF16
// Whether what it reads first and writes first are known and of two types.
[[nodiscard]] bool changes_type(const Layer& layer);
// Whether one of Myelin's kernels copies a tensor as it is, as into a part of a concatenation:
// false where the layouts are not known.
[[nodiscard]] bool keeps_format(const Layer& layer);

// Lists of layers and the like: sorted, each once; the first ones, at most so many.
template <typename Item>
[[nodiscard]] std::vector<Item> sorted_once(std::vector<Item> items) {
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}
template <typename Item>
[[nodiscard]] std::span<const Item> first_of(const std::vector<Item>& items, std::size_t most) {
  return {items.data(), std::min(most, items.size())};
}
template <typename Item>
std::span<const Item> first_of(std::vector<Item>&& items, std::size_t most) = delete;

// X of "Reformatting CopyNode for Input Tensor 0 to X"; empty: it is no such name.
[[nodiscard]] std::string_view target_in_name(std::string_view conversion);

}  // namespace trtlens
