// Facts on tactic races: what was timed, what won by how much, what lost.
#include <algorithm>

#include "report/facts/facts.h"

namespace trtlens {
namespace {

using SkipCounts = std::array<std::uint64_t, kSkipReasons>;

const FactsOf<SkipCounts> kSkippedFacts{
    "skipped_tactics",
    {{"memory", kCount, "needed more than there was", [](const SkipCounts& n) { return n[0]; }},
     {"exception", kCount, "failed when tried", [](const SkipCounts& n) { return n[1]; }},
     {"time_limit", kCount, "of the pre-run", [](const SkipCounts& n) { return n[2]; }},
     {"no_time", kCount, "gave no finite time", [](const SkipCounts& n) { return n[3]; }},
     {"other", kCount, "of other reasons", [](const SkipCounts& n) { return n[4]; }}}};

const FactsOf<Alternative> kAlternativeFacts{
    "alternative",
    {{"types", kText, "of the format combination, without layouts", kFrom<&Alternative::types>},
     {"formats", kText, "as printed", kFrom<&Alternative::format_combination>},
     {"tactic", kText.or_null(), "its fastest kernel", kFrom<&Alternative::tactic>},
     {"ms", kMs, "of that kernel", kFrom<&Alternative::ms>}}};

std::vector<const Alternative*> alternatives_of(const Analysis& a, const Race& race) {
  const auto number = static_cast<std::size_t>(&race - a.races.data());
  const std::vector<Alternative>& all = a.race_ledger.alternatives;  // race by race
  auto at = std::partition_point(all.begin(), all.end(),
                                 [&](const Alternative& other) { return other.race < number; });
  std::vector<const Alternative*> found;
  for (; at != all.end() && at->race == number; ++at) found.push_back(&*at);
  return found;
}

const std::vector<RegionRace>& in_regions(const Analysis& a) {
  return a.race_ledger.in_regions;
}

template <auto Member>
constexpr auto kOfMyelinRace =
    [](const Analysis& a, const RegionRace& row) { return a.build.myelin_races[row.race].*Member; };

}  // namespace

const FactsOf<Race> kRaceFacts{
    "race",
    {{"layer", kText, "its name", kFrom<&Race::layer>},
     {"chosen", kText.or_null(), "the tactic that won", kFrom<&Race::chosen>,
      as_detail("Chosen tactic")},
     {"chosen_ms", kMs, "its time in the race", kFrom<&Race::chosen_ms>, as_number("Chosen (ms)")},
     {"runner_up", kText.or_null(), "the next fastest tactic", kFrom<&Race::runner_up>,
      as_detail("Runner-up tactic")},
     {"runner_up_ms", kMs.or_null(), "its time in the race", kFrom<&Race::runner_up_ms>,
      as_number("Runner-up (ms)")},
     {"margin", kShare.or_null(), "(runner_up_ms - chosen_ms) / chosen_ms", kFrom<&Race::margin>,
      as_number("Margin")},
     {"types", kText.or_null(),
      "of the race's format combination without layouts: \"FP16 -> FP32\"", kFrom<&Race::types>},
     {"coin_flip", kFlag, "the runner-up is another kernel within 2 %", kFrom<&Race::coin_flip>},
     {"from_cache", kFlag, "the timing cache had the result", kFrom<&Race::from_cache>},
     {"alternatives", kAlternativeFacts,
      "for every other combination of types that was timed, its fastest kernel; fastest first",
      kFrom<alternatives_of>}}};

const FactsOf<RegionRace> kRegionRaceFacts{
    "operator_race",
    {{"operator", kText, "Myelin's name of it", kOfMyelinRace<&MyelinRace::op>,
      as_name("Operator")},
     {"onnx_nodes", kTexts, "that it computes", kOfMyelinRace<&MyelinRace::onnx_nodes>},
     {"region", kText.or_null(), "whose operator it is", kOfMyelinRace<&MyelinRace::region>},
     {"types", kText.or_null(), "of the region", kFrom<&RegionRace::types>,
      as_label("Types of the region")},
     {"formats", kText.or_null(), "of the region, as printed",
      kOfMyelinRace<&MyelinRace::format_combination>},
     {"timed", kCount.from(1), "kernels", kOfMyelinRace<&MyelinRace::timed>,
      as_number("Kernels timed")},
     {"fastest", kText.or_null(), "kernel; Myelin does not say which one it takes",
      kOfMyelinRace<&MyelinRace::fastest>, as_detail("Fastest kernel")},
     {"fastest_ms", kMs.or_null(), "its time", kOfMyelinRace<&MyelinRace::fastest_ms>,
      as_number("Fastest (ms)")},
     {"runner_up", kText.or_null(), "the next fastest kernel",
      kOfMyelinRace<&MyelinRace::runner_up>},
     {"runner_up_ms", kMs.or_null(), "its time", kOfMyelinRace<&MyelinRace::runner_up_ms>,
      as_number("Runner-up (ms)")},
     {"file", kText.or_null(), "where the table stands",
      [](const Analysis& a, const RegionRace& row) {
        return path_of_input(a, a.build.myelin_races[row.race].pos);
      }},
     {"line", kInteger, "of the file", [](const Analysis& a, const RegionRace& row) {
        return a.build.myelin_races[row.race].pos.line;
      }}}};

const FactsOf<Analysis> kTacticsFacts{
    "tactics",
    {{"timed", kCount, "candidates, those of conversions included",
      kOfBuild<&Build::tactics_timed>},
     {"layers", kCount, "with a race", [](const Analysis& a) { return a.races.size(); }},
     {"skipped", kCount, "candidates that were not timed", kOfBuild<&Build::tactics_skipped>},
     {"skipped_for", kSkippedFacts, "skipped, by reason", kOfBuild<&Build::tactics_skipped_for>},
     {"coin_flips", kCount, "races that are one",
      [](const Analysis& a) { return a.race_ledger.coin_flips; }},
     {"coin_flip_ms", kMs.or_null(), "profile time of their layers",
      [](const Analysis& a) { return a.race_ledger.coin_flip_ms; }},
     {"races", kRaceFacts, "of layers", kFrom<&Analysis::races>},
     {"in_regions", kRegionRaceFacts,
      "operators of Myelin's regions: the fastest kernel of every types", kFrom<in_regions>},
     {"records", kIrregular.or_absent(),
      "with --keep-tactics only: every tactic that was timed or skipped, in the order of the "
      "log"}}};

}  // namespace trtlens
