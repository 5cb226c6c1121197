// Facts on placement: layers on DLA and GPU, layers by stream.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kPlacementSources[] = {"engine", "log"};

// What only the engine says, the times only with a profile.
FactValue if_timed(const Analysis& a, const PlacementLedger& ledger, double ms) {
  return !ledger.of_log && a.build.has_profile ? FactValue(ms) : FactValue();
}

const FactsOf<PlacementLedger> kDlaFacts{
    "dla",
    {{"from", one_of(kPlacementSources), "layers of the engine, or the builder's lists in the log",
      [](const PlacementLedger& ledger) { return kPlacementSources[ledger.of_log ? 1 : 0]; }},
     {"dla_layers", kCount, "on DLA", kFrom<&PlacementLedger::dla_layers>},
     {"gpu_layers", kCount, "on the GPU", kFrom<&PlacementLedger::gpu_layers>},
     {"transitions", kCount.or_null(), "changes of device in the order of the engine",
      [](const PlacementLedger& ledger) {
        return ledger.of_log ? FactValue() : fact_value(ledger.transitions);
      }},
     {"dla_ms", kMs.or_null(), "profile time on DLA",
      [](const Analysis& a, const PlacementLedger& ledger) {
        return if_timed(a, ledger, ledger.dla_ms);
      }},
     {"gpu_ms", kMs.or_null(), "profile time on the GPU",
      [](const Analysis& a, const PlacementLedger& ledger) {
        return if_timed(a, ledger, ledger.gpu_ms);
      }}}};

}  // namespace

const FactsOf<StreamTime> kStreamFacts{
    "stream",
    {{"stream", kInteger.or_null(), "its number", kFrom<&StreamTime::stream>, as_number("Stream")},
     {"layers", kCount, "on it", kFrom<&StreamTime::layers>, as_number("Layers")},
     {"time_ms", kMs, "their profile time", kFrom<&StreamTime::time_ms>, as_number("Time (ms)")}}};

const FactsOf<PlacementLedger> kPlacementFacts{
    "placement",
    {{"worker_streams", kCount.or_null(), "that a query runs on",
      kFrom<&PlacementLedger::worker_streams>},
     {"dla", kDlaFacts, "null without DLA",
      [](const PlacementLedger& ledger) { return ledger.dla_layers > 0 ? &ledger : nullptr; }},
     {"streams", kStreamFacts, "when there are several", kFrom<&PlacementLedger::streams>}}};

}  // namespace trtlens
