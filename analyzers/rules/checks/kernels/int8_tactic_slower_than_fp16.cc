// The fastest INT8 kernel of a layer against its fastest FP16 kernel.
#include <optional>
#include <string_view>
#include <unordered_map>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::int8_tactic_slower_than_fp16 {

struct Best {
  std::optional<double> int8_ms, half_ms;
  SourcePos pos;
};

static void check(const RuleContext& c, std::vector<Finding>& out) {
  std::unordered_map<std::string_view, Best> races;
  for_each_layer(c.analysis.build.autotuning, [&](auto first, auto last) {
    if (first->layer.empty()) return;
    Best& best = races[first->layer.str()];
    for (; first != last; ++first) {
      const Autotune& race = *first;
      const DataType type = race.chosen_ms ? race.first_type() : DataType::unknown;
      if (type != DataType::int8 && type != DataType::fp16) continue;
      std::optional<double>& slot = type == DataType::int8 ? best.int8_ms : best.half_ms;
      if (!slot || *race.chosen_ms < *slot) slot = race.chosen_ms;
      if (type == DataType::int8) best.pos = race.pos;
    }
  });
  const std::vector<std::size_t> layers = unclaimed(
      c, layers_where(c, [&](std::size_t i) {
        const auto race = races.find(c.layer(i).name.str());
        return c.verdict(i).compute == Precision::int8 && is_arithmetic(c.verdict(i).role) &&
               race != races.end() && race->second.int8_ms && race->second.half_ms &&
               *race->second.int8_ms >= c.threshold("min_ratio") * *race->second.half_ms;
      }));
  if (layers.empty() || !takes_share(c, layers, c.threshold("min_share"))) return;
  Finding finding = c.finding(layers, {{"layers", arithmetic_text(c, layers)},
                                       {"run", layers.size() == 1 ? "runs" : "run"}});
  if (finding.severity > Severity::moderate) finding.severity = Severity::moderate;
  for (const std::size_t i : first_of(layers, 8)) {
    const Best& best = races[c.layer(i).name.str()];
    finding.evidence.push_back(c.line(
        best.pos,
        c.layer(i).name + ": INT8 " + ms_text(*best.int8_ms) + ", FP16 " + ms_text(*best.half_ms)));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"int8-tactic-slower-than-fp16", Pass::rest, check};

}  // namespace trtlens::checks::int8_tactic_slower_than_fp16
