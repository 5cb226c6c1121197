// The tables of facts, one a kind of row. `kBuildFacts` is the report's "build", of which the
// others are parts.
#pragma once

#include <array>

#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "report/facts/fact.h"

namespace trtlens {

extern const FactsOf<Analysis> kBuildFacts;  // build.cc

// One of several builds, as a line of the overview; what a baseline accepts is not counted.
struct BuildRow {
  const Analysis* analysis = nullptr;
  const GateResult* gate = nullptr;
};
[[nodiscard]] const Finding* first_finding(const BuildRow& row);  // that is no note; or null
extern const FactsOf<BuildRow> kBuildRowFacts;                    // builds.cc

// identity.cc, performance.cc
extern const FactsOf<Version> kTensorRtFacts;
extern const FactsOf<Gpu> kGpuFacts;
extern const FactsOf<IoTensor> kIoTensorFacts;
extern const FactsOf<OptimizationProfile> kOptimizationProfileFacts;
extern const FactsOf<Inference> kInferenceFacts;
extern const FactsOf<Coverage> kCoverageFacts;
[[nodiscard]] const FactEntry& fact_of(LineClass line_class);
// The classes of lines, and how many are of each.
[[nodiscard]] std::vector<std::pair<FactEntry, std::uint64_t>> lines_by_class(const Coverage& of);
extern const FactsOf<Message> kMessageFacts;
extern const FactsOf<Analysis> kPerformanceFacts;

// layers.cc
extern const FactsOf<Layer> kLayerFacts;
extern const FactsOf<Analysis> kTotalsFacts;
extern const FactsOf<ShareRow> kPrecisionShareFacts;
extern const FactsOf<ShareRow> kTypeShareFacts;

// precision.cc
extern const FactsOf<MissingScaleCost> kMissingScaleFacts;
extern const FactsOf<Fallback> kFallbackFacts;
extern const FactsOf<ReformatEntry> kReformatFacts;
extern const FactsOf<TimeAccount> kAccountFacts;
extern const FactsOf<AccountRow> kAccountRowFacts;

// tactics.cc
extern const FactsOf<Analysis> kTacticsFacts;
extern const FactsOf<Race> kRaceFacts;
extern const FactsOf<RegionRace> kRegionRaceFacts;

// build_time.cc, memory.cc
extern const FactsOf<BuildTime> kBuildTimeFacts;
extern const FactsOf<BuildStage> kBuildStageFacts;
extern const FactsOf<LayerTuning> kLayerTuningFacts;
extern const FactsOf<Memory> kMemoryFacts;
extern const FactsOf<LayerMemory> kLayerMemoryFacts;
extern const FactsOf<MemoryStep> kMemoryStepFacts;

// time.cc, roofline.cc, ladder.cc, placement.cc
extern const FactsOf<Reconciliation> kReconciliationFacts;
extern const FactsOf<OnnxTime> kOnnxTimeFacts;
extern const FactsOf<ModuleLedger> kModuleFacts;
extern const FactsOf<ModuleRow> kModuleRowFacts;
extern const FactsOf<Roofline> kRooflineFacts;
extern const FactsOf<LayerRoof> kLayerRoofFacts;
extern const FactsOf<Ladder> kLadderFacts;
extern const FactsOf<PlacementLedger> kPlacementFacts;
extern const FactsOf<StreamTime> kStreamFacts;

// tuning.cc
extern const FactsOf<Tuning> kTuningFacts;
extern const FactsOf<TuningIteration> kTuningIterationFacts;
extern const FactsOf<OutputValues> kOutputFacts;
extern const FactsOf<AccuracyLoss> kAccuracyFacts;

// comparison.cc
extern const FactsOf<Comparison> kComparisonFacts;

inline constexpr const char* kOutcomes[] = {"passed", "failed", "truncated", "unknown"};

// A member of the build, whatever the row.
template <auto Member>
inline constexpr auto kOfBuild = [](const Analysis& a, const auto&... /*row*/) -> const auto& {
  return a.build.*Member;
};
// The row, of which other facts make an object.
inline constexpr auto kItself = [](const auto& row) -> const auto& {
  return row;
};

// The path of an input; not known where the place is not.
[[nodiscard]] std::optional<std::string> path_of_input(const Analysis& analysis,
                                                       const SourcePos& pos);
// Not known where they are not.
[[nodiscard]] FactValue dims_of(const Tensor& tensor);
[[nodiscard]] FactValue dims_if_any(const Dims& dims);
[[nodiscard]] FactValue type_of(const Tensor& tensor);

}  // namespace trtlens
