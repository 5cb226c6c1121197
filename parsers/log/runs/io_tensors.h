// The inputs and outputs of a run, which several of its lines name.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

// Where each name stands in a list of tensors: a log may mark thousands, and a search through all
// of them for every line has no end. Who changes the list otherwise than by add() only adds to it.
class IoTensorIndex {
 public:
  // The first of that name; null: there is none.
  [[nodiscard]] IoTensor* find(std::vector<IoTensor>& all, std::string_view name);
  // Adds an input or output, or completes the one of that name.
  void add(std::vector<IoTensor>& all, IoTensor io);

 private:
  void catch_up(const std::vector<IoTensor>& all);

  // The names are those of the list: a SharedText keeps its place, however the list grows.
  std::unordered_map<std::string_view, std::size_t> places_;
  std::size_t indexed_ = 0;  // tensors of the list
};

// Adds inputs and outputs, or completes those of their names; not one search through all for each.
void add_io_tensors(Build& build, std::vector<IoTensor> all);

}  // namespace trtlens
