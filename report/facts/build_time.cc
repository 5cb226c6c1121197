// Facts on build time: its stages, the layers that took longest, where an unfinished build stands.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kClocks[] = {"runners", "stamps"};

std::optional<std::string> clock_of(const BuildTime& ledger) {
  if (ledger.clock == TuningClock::none) return std::nullopt;
  return kClocks[ledger.clock == TuningClock::runners ? 0 : 1];
}

const FactsOf<BuildTime> kTimingCacheFacts{
    "timing_cache",
    {{"entries", kCount.or_null(), "as the log says at its end",
      kOfBuild<&Build::timing_cache_entries>},
     {"hits", kCount.or_null(), "as the log says at its end", kOfBuild<&Build::timing_cache_hits>},
     {"races", kCount, "that it answered", kFrom<&BuildTime::from_cache>}}};

const FactsOf<BuildProgress> kUnfinishedFacts{
    "unfinished_build",
    {{"stage", kText, "what was being done", kFrom<&BuildProgress::stage>},
     {"layer", kText.or_null(), "that was timed last", kFrom<&BuildProgress::layer>},
     {"layers_done", kCount.or_null(), "begun, of layers", kFrom<&BuildProgress::layers_done>},
     {"layers", kCount.or_null(), "of the graph; not all of them are timed",
      kFrom<&BuildProgress::layers>},
     {"file", kText.or_null(), "of its last line",
      [](const Analysis& a, const BuildProgress& p) { return path_of_input(a, p.last_line); }},
     {"line", kCount, "its last one", [](const BuildProgress& p) { return p.last_line.line; }}}};

}  // namespace

const FactsOf<BuildStage> kBuildStageFacts{
    "build_stage",
    {{"name", kText, "as parse, engine generation, autotuning", kFrom<&BuildStage::name>},
     {"s", kSeconds, "how long it took", kFrom<&BuildStage::s>, as_number("Time")}}};

const FactsOf<LayerTuning> kLayerTuningFacts{
    "layer_tuning",
    {{"layer", kText, "its name", kFrom<&LayerTuning::layer>},
     {"s", kSeconds.or_null(), "by the clock of build_time", kFrom<&LayerTuning::s>},
     {"tactics", kCount, "timed over its races", kFrom<&LayerTuning::timed>, as_number("Timed")},
     {"skipped", kCount, "tactics that were not timed", kFrom<&LayerTuning::skipped>,
      as_number("Skipped")},
     {"combinations", kCount, "of formats, each with a race of its own",
      kFrom<&LayerTuning::combinations>, as_number("Combinations")},
     {"tactics_ms", kMs, "sum of the candidates' times", kFrom<&LayerTuning::timed_ms>,
      as_number("All tactics (ms)")}}};

const FactsOf<BuildTime> kBuildTimeFacts{
    "build_time",
    {{"engine_s", kSeconds.or_null(), "until the engine was built",
      kOfBuild<&Build::engine_build_s>, as_label("Build time")},
     {"load_s", kSeconds.or_null(), "until the engine was loaded", kOfBuild<&Build::engine_load_s>,
      as_label("Engine load time")},
     {"stages", kBuildStageFacts, "in their order", kOfBuild<&Build::stages>},
     {"clock", one_of(kClocks).or_null(),
      "where s comes from: runners (\"profiling completed in\", 8.6 and later), stamps of the "
      "log's "
      "lines (whole seconds), or null: there is no s, and tactics_ms orders",
      kFrom<clock_of>},
     {"layers_s", kSeconds.or_null(), "races of layers together", kFrom<&BuildTime::layers_s>},
     {"conversions_s", kSeconds.or_null(), "races of conversions together",
      kFrom<&BuildTime::reformats_s>},
     {"conversion_races", kCount, "races of conversions", kFrom<&BuildTime::reformat_races>},
     {"timing_cache", kTimingCacheFacts, "what it saved", kItself},
     {"unfinished", kUnfinishedFacts, "where a build without a closing line stands",
      kFrom<&BuildTime::progress>},
     {"slowest_layers", kLayerTuningFacts, "longest first",
      [](const BuildTime& ledger) { return ledger.layers.empty() ? nullptr : &ledger.layers; }}}};

}  // namespace trtlens
