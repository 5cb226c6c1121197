// Profile time and number of layers by precision and by type.
#include <algorithm>
#include <map>

#include "analyzers/ledgers/ledgers.h"

namespace trtlens {
namespace {

std::vector<ShareRow> rows_of(const std::map<std::string, ShareRow>& sums, double total_ms) {
  std::vector<ShareRow> rows;
  for (const auto& [label, sum] : sums) {
    rows.push_back(sum);
    rows.back().label = label;
    rows.back().share = total_ms > 0 ? sum.time_ms / total_ms : 0;
  }
  std::ranges::stable_sort(rows, [](const ShareRow& a, const ShareRow& b) {
    return a.time_ms != b.time_ms ? a.time_ms > b.time_ms : a.label < b.label;
  });
  return rows;
}

}  // namespace

void fill_totals(Analysis& analysis) {
  std::map<std::string, ShareRow> by_precision, by_type;
  const Build& build = analysis.build;
  const int profile = timed_profile(build);
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    const Layer& layer = build.layers[i];
    if (layer.opt_profile != profile && !layer.time) continue;
    if (layer.time) ++analysis.timed_layers;
    const double time_ms = time_or_zero(layer);
    ShareRow& precision = by_precision[to_string(analysis.verdicts[i].compute)];
    ++precision.layers;
    precision.time_ms += time_ms;
    precision.timed += layer.time ? 1 : 0;
    std::string type = layer.parameter_type.empty() ? layer.layer_type : layer.parameter_type;
    if (type.empty()) type = to_string(analysis.verdicts[i].role);
    ShareRow& row = by_type[type];
    ++row.layers;
    row.time_ms += time_ms;
    row.timed += layer.time ? 1 : 0;
  }
  analysis.by_precision = rows_of(by_precision, build.profile_sum_ms);
  analysis.by_type = rows_of(by_type, build.profile_sum_ms);
}

}  // namespace trtlens
