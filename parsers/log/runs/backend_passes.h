// Passes over the graph, one for each backend strategy (8.6+; several in one build from 10.x on).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parsers/model/build.h"

namespace trtlens {

// Each pass prints its notes on layers and its memory; one of them becomes the engine. What a pass
// timed stays: the time was spent.
class BackendPasses {
 public:
  // "Building graph using backend strategy 4"
  void begin(const Build& build);
  [[nodiscard]] bool begun() const { return open_ || kept_; }
  // "Use backend strategy 4 … as the initial choice."
  void keep_first();
  // "Chose this engine with backend strategy 3 …": not the one kept until here.
  void keep(Build& build);
  // "Skip backend strategy 2since …", "Engine generation failed with this backend strategy".
  void drop(Build& build);
  // "Engine generation completed in …": the pass is whole.
  void completed() { complete_ = true; }
  // End of the log: a pass that was cut off does not replace the one kept.
  void finish(Build& build);

 private:
  struct Marks {
    std::size_t non_conforming = 0, layer_memory = 0;
    Memory totals;  // without steps
  };
  static Marks marks_of(const Build& build);
  static void erase(Build& build, const Marks& from, const Marks& to);

  std::optional<Marks> open_, kept_;
  bool complete_ = false;  // the open one
};

}  // namespace trtlens
