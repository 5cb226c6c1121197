// Facts on two builds: what is not the same, the verdict on the engine, groups of layers.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kSides[] = {"base", "candidate"};
constexpr const char* kVerdicts[] = {"regressed", "improved", "no_change", "cannot_tell"};
constexpr const char* kDifferences[] = {"option",  "gpu",   "version", "clock",      "default",
                                        "network", "shape", "timing",  "repetitions"};
constexpr const char* kFloors[] = {"assumed", "given",   "repetitions",
                                   "history", "queries", "threshold"};
constexpr const char* kMatches[] = {"onnx", "tensors",   "signature",
                                    "name", "only_base", "only_candidate"};

const FactsOf<Difference> kDifferenceFacts{
    "difference",
    {{"what", one_of(kDifferences), "kind of the difference", kFrom<&Difference::what>},
     {"name", kText, "the option, setting or figure that differs", kFrom<&Difference::name>},
     {"base", kText.or_null(), "on the side of the base; null when it is not there or not known",
      kFrom<&Difference::base>},
     {"candidate", kText.or_null(),
      "on the side of the candidate; null when it is not there or not known",
      kFrom<&Difference::candidate>},
     {"matters", kFlag, "it may change the times", kFrom<&Difference::matters>}}};

const FactsOf<Settle> kSettleFacts{
    "settle",
    {{"runs", kCount.or_null(), "runs a side; null when no number up to 50 would do",
      kFrom<&Settle::runs>},
     {"obstacle", kText.or_null(), "why no number of runs would do", kFrom<&Settle::obstacle>},
     {"commands", kText.or_null().pair(),
      "that time the engine of the base and of the candidate; null when no log shows one",
      kFrom<&Settle::commands>}}};

struct LeftOutRow {
  const char* side;
  const LeftOutRun* run;
};

std::vector<LeftOutRow> left_out_of(const EngineVerdict& engine) {
  std::vector<LeftOutRow> rows;
  for (const std::size_t side : {0U, 1U}) {
    for (const LeftOutRun& run : engine.left_out.at(side)) rows.push_back({kSides[side], &run});
  }
  return rows;
}

const FactsOf<LeftOutRow> kLeftOutFacts{
    "left_out_run",
    {{"side", one_of(kSides), "whose run it is", kFrom<&LeftOutRow::side>},
     {"name", kText.or_null(), "of the run: a directory or a file, as given",
      [](const LeftOutRow& row) { return row.run->name; }},
     {"why", kText.or_null(), "slow for no reason of the engine's, failed or without a time",
      [](const LeftOutRow& row) { return row.run->why; }}}};

const FactsOf<EngineVerdict> kEngineFacts{
    "engine_verdict",
    {{"metric", kText,
      "what is compared: gpu_compute_ms, the time of a query on the GPU; else profile_sum_ms, the "
      "sum of the layers' profile times",
      kFrom<&EngineVerdict::metric>},
     {"base", kMs.or_null(), "ms: mean over the runs of the base that count",
      kFrom<&EngineVerdict::base_ms>},
     {"candidate", kMs.or_null(), "ms: mean over the runs of the candidate that count",
      kFrom<&EngineVerdict::candidate_ms>},
     {"delta", kMs.or_null(), "ms: candidate minus base", kFrom<&EngineVerdict::delta_ms>},
     {"ratio", kNumber.or_null(), "candidate over base", kFrom<&EngineVerdict::ratio>},
     {"ci95", kNumber.pair().or_null(),
      "interval of the ratio at 95 %, over runs; null unless a side has two",
      kFrom<&EngineVerdict::ci95>},
     {"p_value", kNumber.or_null(),
      "chance of such a shift, or a larger one, between equal engines, over runs; null unless a "
      "side has two",
      kFrom<&EngineVerdict::p_value>},
     {"n", kCount.pair(), "queries of the runs that count, of base and candidate",
      kFrom<&EngineVerdict::queries>},
     {"runs", kCount.pair(), "runs that were given, of base and candidate",
      kFrom<&EngineVerdict::runs>},
     {"runs_left_out", kCount.pair(), "runs that do not count, of base and candidate",
      [](const EngineVerdict& engine) {
        return std::array{engine.left_out[0].size(), engine.left_out[1].size()};
      }},
     {"left_out", kLeftOutFacts, "the runs that do not count", kFrom<left_out_of>},
     {"margin", kNumber, "least shift that matters: the slower side over the faster one, minus 1",
      kFrom<&EngineVerdict::margin>},
     {"noise_floor", kNumber,
      "least shift that is a verdict here: the slower side over the faster one, minus 1",
      kFrom<&EngineVerdict::noise_floor>},
     {"noise_floor_from", one_of(kFloors),
      "where noise_floor is from: assumed, the default; given, --noise-floor; repetitions; "
      "history, scatter of the builds of --history; queries, scatter inside the runs; threshold, "
      "--threshold is larger",
      kFrom<&EngineVerdict::noise_floor_from>},
     {"scatter", kShare.or_null(),
      "standard deviation between the runs of a side, as a share of the time; null unless a side "
      "has two",
      kFrom<&EngineVerdict::scatter>},
     {"method", kText.or_null(), "how the figure of a run is made, and how runs are compared",
      kFrom<&EngineVerdict::method>},
     {"reason", kText.or_null(), "why no number of runs gives a verdict",
      kFrom<&EngineVerdict::reason>},
     {"notes", kTexts, "what was odd about the runs", kFrom<&EngineVerdict::notes>},
     {"verdict", one_of(kVerdicts), "of the whole engine", kFrom<&EngineVerdict::verdict>},
     {"settle", kSettleFacts, "of cannot_tell: what would give a verdict",
      kFrom<&EngineVerdict::settle>},
     {"confirm", kSettleFacts,
      "of a verdict of single runs that one slow process could look like: what would confirm it",
      kFrom<&EngineVerdict::confirm>}}};

// Without a profile no layer has a time: not known, and not 0.
FactValue if_profiled(const Analysis& side, double value) {
  return side.build.has_profile ? FactValue(value) : FactValue();
}

struct GroupRow {
  const Comparison* of;
  const LayerGroup* group;
};

std::vector<GroupRow> groups_of(const Comparison& c) {
  std::vector<GroupRow> rows;
  for (const LayerGroup& group : c.groups) rows.push_back({&c, &group});
  return rows;
}

template <auto Member>
constexpr auto kOfGroup = [](const GroupRow& row) -> const auto& {
  return row.group->*Member;
};

const FactsOf<GroupRow> kGroupFacts{
    "layer_group",
    {{"base_layers", kTexts, "names of the base's layers",
      [](const GroupRow& row) {
        return LayerNames{&row.of->base.build.layers, &row.group->base};
      }},
     {"candidate_layers", kTexts, "names of the candidate's layers",
      [](const GroupRow& row) {
        return LayerNames{&row.of->candidate.build.layers, &row.group->candidate};
      }},
     {"how", one_of(kMatches), "what the layers were matched by", kOfGroup<&LayerGroup::how>},
     {"confidence", kShare.from(0, 1),
      "0 to 1: how sure it is that both sides are the same work; 0 when one side has no layer",
      kOfGroup<&LayerGroup::confidence>},
     {"base_ms", kMs.or_null(), "profile time, ms: mean over the runs that count; null: no profile",
      [](const GroupRow& row) { return if_profiled(row.of->base, row.group->base_ms); }},
     {"candidate_ms", kMs.or_null(),
      "profile time, ms: mean over the runs that count; null: no profile",
      [](const GroupRow& row) { return if_profiled(row.of->candidate, row.group->candidate_ms); }},
     {"delta_ms", kMs.or_null(),
      "profile time, ms: candidate minus base; null: a side has no profile",
      [](const GroupRow& row) {
        return row.of->base.build.has_profile ? if_profiled(row.of->candidate, row.group->delta_ms)
                                              : FactValue();
      }},
     {"precision", kText.or_null().pair(),
      "types of the arithmetic in it, of base and candidate; null when there is none",
      kOfGroup<&LayerGroup::precision>},
     {"verdict", one_of(kVerdicts), "of this group", kOfGroup<&LayerGroup::verdict>},
     {"p_value", kNumber.or_null(),
      "chance of such a shift between equal engines, before the correction for the number of "
      "groups; null unless a side has two runs",
      kOfGroup<&LayerGroup::p_value>},
     {"why", kTexts, "what changed in it",
      [](const GroupRow& row) { return row.group->why_texts(); }}}};

template <auto Counts>
constexpr auto kCountsOf = [](const Comparison& c) {
  std::array<std::optional<std::size_t>, 2> counts;
  if (c.base.build.has_profile) counts[0] = (c.*Counts)[0];
  if (c.candidate.build.has_profile) counts[1] = (c.*Counts)[1];
  return counts;
};

const FactsOf<Comparison> kSummaryFacts{
    "summary",
    {{"aligned_share_base", kShare.or_null(),
      "share of the base's profile time in groups that have layers of both sides",
      [](const Comparison& c) { return if_profiled(c.base, c.aligned_share_base); }},
     {"aligned_share_candidate", kShare.or_null(),
      "share of the candidate's profile time in groups that have layers of both sides",
      [](const Comparison& c) { return if_profiled(c.candidate, c.aligned_share_candidate); }},
     {"launches", kCount.or_null().pair(),
      "kernels with a time, of base and candidate; null without a profile",
      kCountsOf<&Comparison::launches>},
     {"reformats", kCount.or_null().pair(),
      "kernels with a time that only convert type or layout, of base and candidate; null without "
      "a profile",
      kCountsOf<&Comparison::reformats>},
     {"qdq_kernels", kCount.or_null().pair(),
      "kernels with a time that are QuantizeLinear or DequantizeLinear alone, of base and "
      "candidate; null without a profile",
      kCountsOf<&Comparison::qdq_kernels>},
     {"profiled_runs", kCount.pair(),
      "runs that the layers' times are means over, of base and candidate",
      kFrom<&Comparison::profiled_runs>}}};

}  // namespace

const FactsOf<Comparison> kComparisonFacts{
    "comparison",
    {{"comparable", kFlag, "false: not_comparable says why the numbers cannot be set side by side",
      kFrom<&Comparison::comparable>},
     {"not_comparable", kTexts,
      "why the sides are not comparable: another GPU, other input shapes, another batch, under 20 "
      "% of either side's time aligned, a side without any time, or without a build; else empty",
      kFrom<&Comparison::not_comparable>},
     {"forced", kFlag, "not comparable, and judged all the same (--force)",
      [](const Comparison& c) { return !c.comparable && !c.refused; }},
     {"same_files", kFlag, "both sides were read from the same files",
      kFrom<&Comparison::same_files>},
     {"differences", kDifferenceFacts,
      "what else is not the same on both sides, and may explain a shift",
      kFrom<&Comparison::differences>},
     {"engine", kEngineFacts, "is the candidate slower than the base, as a whole",
      kFrom<&Comparison::engine>},
     {"groups", kGroupFacts,
      "layers that do the same work on both sides, largest shift first; every layer is in one "
      "group",
      kFrom<groups_of>},
     {"cause", kText.or_null(), "one sentence: what the shift of the profile consists of",
      kFrom<&Comparison::cause>},
     {"summary", kSummaryFacts, "counts over the layers of both sides", kItself}}};

}  // namespace trtlens
