// Notes how long the lists of the Build were at a pass, and erases what a pass that lost had added.
#include "parsers/log/runs/backend_passes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace trtlens {
namespace {

template <typename T>
void erase_range(std::vector<T>& items, std::size_t from, std::size_t to) {
  const std::size_t last = std::min(to, items.size());
  if (from >= last) return;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(from),
              items.begin() + static_cast<std::ptrdiff_t>(last));
}

// What every pass prints of its own engine.
void copy_totals(const Memory& from, Memory& to) {
  to.weights_bytes = from.weights_bytes;
  to.activation_bytes = from.activation_bytes;
  to.scratch_bytes = from.scratch_bytes;
  to.host_persistent_bytes = from.host_persistent_bytes;
  to.device_persistent_bytes = from.device_persistent_bytes;
}

}  // namespace

BackendPasses::Marks BackendPasses::marks_of(const Build& build) {
  Marks marks;
  marks.non_conforming = build.non_conforming.size();
  marks.layer_memory = build.memory.layers.size();
  copy_totals(build.memory, marks.totals);
  return marks;
}

void BackendPasses::erase(Build& build, const Marks& from, const Marks& to) {
  erase_range(build.non_conforming, from.non_conforming, to.non_conforming);
  erase_range(build.memory.layers, from.layer_memory, to.layer_memory);
}

void BackendPasses::begin(const Build& build) {
  open_ = marks_of(build);
  complete_ = false;
}

void BackendPasses::keep_first() {
  kept_ = std::exchange(open_, std::nullopt);
}

void BackendPasses::keep(Build& build) {
  if (!open_) return;
  if (kept_) {
    erase(build, *kept_, *open_);
    open_.reset();
  } else {
    keep_first();
  }
}

void BackendPasses::drop(Build& build) {
  if (!open_) return;
  erase(build, *open_, marks_of(build));
  copy_totals(open_->totals, build.memory);
  open_.reset();
}

void BackendPasses::finish(Build& build) {
  if (kept_ && !complete_) drop(build);
}

}  // namespace trtlens
