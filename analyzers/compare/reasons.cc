// What changed in a group and why it got slower or faster.
#include "analyzers/compare/reasons.h"

#include <algorithm>

#include "analyzers/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

std::size_t conversions_in(const Analysis& side, const std::vector<std::size_t>& layers) {
  return static_cast<std::size_t>(std::count_if(layers.begin(), layers.end(), [&](std::size_t i) {
    return is_conversion(side.verdicts[i].role) && time_or_zero(side.build.layers[i]) > 0;
  }));
}

double conversion_ms(const Analysis& side, const std::vector<std::size_t>& layers) {
  double sum = 0;
  for (const std::size_t i : layers) {
    if (is_conversion(side.verdicts[i].role)) sum += time_or_zero(side.build.layers[i]);
  }
  return sum;
}

}  // namespace

void explain(const Comparison& c, LayerGroup& group) {
  if (group.how == "only_base" || group.how == "only_candidate") return;
  if (!group.precision[0].empty() && !group.precision[1].empty() &&
      group.precision[0] != group.precision[1]) {
    group.why.push_back("precision changed: " + group.precision[0] + " to " + group.precision[1]);
  }
  const std::size_t before = conversions_in(c.base, group.base);
  const std::size_t after = conversions_in(c.candidate, group.candidate);
  if (before != after) {
    group.why.push_back(count_text(after > before ? after - before : before - after, "reformat") +
                        (after > before ? " added" : " removed") + " (" +
                        ms_text(conversion_ms(c.base, group.base)) + " to " +
                        ms_text(conversion_ms(c.candidate, group.candidate)) + ")");
  }
  const auto kernels = [](const Analysis& side, const std::vector<std::size_t>& layers) {
    return std::count_if(layers.begin(), layers.end(), [&](std::size_t i) {
      return !is_conversion(side.verdicts[i].role) && time_or_zero(side.build.layers[i]) > 0;
    });
  };
  const auto kernels_before = kernels(c.base, group.base);
  const auto kernels_after = kernels(c.candidate, group.candidate);
  if (kernels_after > kernels_before && kernels_before > 0) group.why.emplace_back("fusion lost");
  if (kernels_after < kernels_before && kernels_after > 0) group.why.emplace_back("fusion won");
}

}  // namespace trtlens
