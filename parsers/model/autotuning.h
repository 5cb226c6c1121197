// Races between tactics while the engine was built, and how long they took.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "parsers/model/diagnostic.h"
#include "parsers/model/shared_value.h"
#include "parsers/model/tensor.h"

namespace trtlens {

// Why a candidate of a race was not timed.
enum class SkipReason : std::uint8_t { memory, exception, time_limit, no_time, other };
inline constexpr std::size_t kSkipReasons = 5;
[[nodiscard]] const char* to_string(SkipReason reason);

// How long something took while tactics were timed. 8.6 and later say it of every runner; before,
// the stamps of the lines do, which count whole seconds.
struct TuningTime {
  std::optional<double> runners_s, stamps_s;
};

// One tactic race: the candidates of one layer and format combination, folded.
struct Autotune {
  SharedText layer;
  SharedText format_combination;  // "Int8(…) -> Half(…)" as printed
  SharedText chosen_runner;       // empty: nothing was chosen
  SharedText chosen_name;
  std::optional<std::uint64_t> chosen_id, runner_up_id;
  std::optional<double> chosen_ms, runner_up_ms;
  SharedText runner_up_name;
  std::uint32_t timed = 0;    // candidates with a finite time
  std::uint32_t skipped = 0;  // candidates that were not timed
  std::uint32_t runners_without_tactics = 0;
  double timed_ms = 0;      // sum of the candidates' times
  bool from_cache = false;  // the timing cache had the result
  TuningTime time;
  SourcePos pos;

  // Of the first tensor of the combination.
  [[nodiscard]] DataType first_type() const;
};

// Calls `each(first, last)` for races of one layer that stand together, as they mostly do: what
// belongs to the layer is looked up once for all of them.
template <typename Each>
void for_each_layer(const std::deque<Autotune>& races, const Each& each) {
  for (auto first = races.begin(); first != races.end();) {
    const auto last = std::find_if(
        first, races.end(), [&](const Autotune& race) { return race.layer != first->layer; });
    each(first, last);
    first = last;
  }
}

// A sorted table of Myelin's: the kernels that it timed for one operator of a region, folded. 10.x.
struct MyelinRace {
  std::string op;                      // Myelin's name of it
  std::vector<SharedText> onnx_nodes;  // that it computes
  std::string region;                  // "{ForeignNode[a...b]}"
  std::string format_combination;      // of the region
  std::string fastest, runner_up;      // kernels
  std::optional<double> fastest_ms, runner_up_ms;
  std::uint32_t timed = 0;
  SourcePos pos;
};

// One tactic that was timed or skipped; kept with ParseOptions::keep_tactics only. The texts are
// places in TacticRecords::texts: a layer's name stands in thousands of records. 0 is no text.
struct TacticRecord {
  std::uint32_t layer = 0, format_combination = 0, runner = 0, name = 0;
  std::uint32_t skipped = 0;  // why it was not timed
  std::optional<std::uint64_t> id;
  std::optional<double> time_ms;  // none: skipped
  SourcePos pos;
};
struct TacticRecords {
  std::vector<std::string> texts{std::string()};  // each once; the first is empty
  std::vector<TacticRecord> rows;                 // in the order of the log

  [[nodiscard]] const std::string& text(std::uint32_t place) const { return texts.at(place); }
};

// What was being timed; the last one when a build died.
struct TimingCursor {
  std::string layer, runner, format_combination;
  SourcePos pos;
};

// Layers whose tactics were begun to be timed since the graph was made, of how many layers of the
// graph: not all of them are timed.
struct TimedLayers {
  std::uint64_t begun = 0;
  std::optional<std::uint64_t> at_most;
  bool is_over = false;  // tactics are selected
};

// Races between conversions, which belong to no layer.
struct ReformatTuning {
  std::uint64_t races = 0;
  TuningTime time;
};

}  // namespace trtlens
