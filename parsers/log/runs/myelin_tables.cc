// Reads the heads of a table's columns, then its rows.
#include "parsers/log/runs/myelin_tables.h"

#include <utility>

#include "parsers/model/limits.h"
#include "parsers/text/names.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

// Text of column `i`, empty when the row has fewer.
std::string_view column(std::string_view row, std::size_t i) {
  for (; i > 0; --i) {
    const std::size_t comma = row.find(',');
    if (comma == std::string_view::npos) return {};
    row.remove_prefix(comma + 1);
  }
  row = row.substr(0, row.find(','));
  while (!row.empty() && row.front() == ' ') row.remove_prefix(1);
  while (!row.empty() && row.back() == ' ') row.remove_suffix(1);
  return row;
}

// Names of regions are long, and a build has a few of them; a hostile log has any number.
constexpr std::size_t kRegionBytes = std::size_t{4} << 20;

}  // namespace

void MyelinTables::begin(MyelinRace race) {
  begun_ = std::move(race);
  open_ = false;
  cost_.reset();
  name_.reset();
}

void MyelinTables::heads(std::string_view heads) {
  for (std::size_t i = 0;; ++i) {
    const std::string_view head = column(heads, i);
    if (head.empty()) break;
    if (head == "cost(in ms)") cost_ = i;
    if (head == "kernel_name") name_ = i;
  }
}

void MyelinTables::candidate(std::string_view row, std::vector<MyelinRace>& races) {
  if (!cost_ || (!begun_ && !open_)) return;
  const auto ms = finite_number(column(row, *cost_));
  if (!ms || *ms < 0 || *ms > kMaxTimeMs) return;
  if (begun_) {
    races.push_back(std::move(*begun_));
    begun_.reset();
    open_ = true;
  }
  MyelinRace& race = races.back();
  ++race.timed;
  const std::string_view name = name_ ? column(row, *name_) : std::string_view();
  if (!race.fastest_ms || *ms < *race.fastest_ms) {
    race.runner_up_ms = race.fastest_ms;
    race.runner_up = std::move(race.fastest);
    race.fastest_ms = *ms;
    race.fastest = name;
  } else if (!race.runner_up_ms || *ms < *race.runner_up_ms) {
    race.runner_up_ms = *ms;
    race.runner_up = name;
  }
}

void MyelinTables::region(std::string_view layer, std::string_view metadata) {
  const std::size_t bytes = layer.size() + metadata.size();
  if (metadata.empty() || region_bytes_ + bytes > kRegionBytes) return;
  if (regions_.try_emplace(std::string(layer), metadata).second) region_bytes_ += bytes;
}

void MyelinTables::name_nodes(std::vector<Layer>& layers) const {
  if (regions_.empty()) return;
  for (Layer& layer : layers) {
    const auto found = regions_.find(layer.name);
    if (!layer.onnx_nodes.empty() || found == regions_.end()) continue;
    layer.onnx_nodes = onnx_nodes_of_metadata(found->second);
    layer.metadata = found->second;
  }
}

}  // namespace trtlens
