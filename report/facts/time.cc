// Facts on profile time: against a query, by ONNX node, by module of the network.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

const FactsOf<Layer> kBelowFloorFacts{
    "layer_below_floor",
    {{"layer", kText, "its name", kFrom<&Layer::name>},
     {"time_ms", kMs, "profile time", [](const Layer& layer) { return layer.time->mean_ms; }}}};

std::vector<const Layer*> layers_below_floor(const Analysis& a, const Reconciliation& ledger) {
  std::vector<const Layer*> layers;
  for (const std::size_t i : ledger.below_floor) layers.push_back(&a.build.layers[i]);
  return layers;
}

constexpr const char* kModuleParts[] = {"whole", "own", "others"};

const FactsOf<ModuleLedger> kWithoutModuleFacts{
    "without_module",
    {{"layers", kCount, "of no module", kFrom<&ModuleLedger::layers_without>},
     {"time_ms", kMs, "their profile time", kFrom<&ModuleLedger::without_ms>}}};

const FactsOf<ModuleTime> kModuleTimeFacts{
    "module",
    {{"module", kText, "its path; / is the whole graph", kFrom<&ModuleTime::path>},
     {"depth", kCount, "modules that it is in", kFrom<&ModuleTime::depth>},
     {"layers", kCount, "with those of the modules inside", kFrom<&ModuleTime::layers>},
     {"time_ms", kMs, "with the modules inside", kFrom<&ModuleTime::time_ms>},
     {"own_layers", kCount, "without those of the modules inside", kFrom<&ModuleTime::own_layers>},
     {"own_ms", kMs, "without the modules inside", kFrom<&ModuleTime::own_ms>}}};

}  // namespace

const FactsOf<Reconciliation> kReconciliationFacts{
    "reconciliation",
    {{"layers_ms", kMs, "sum of the profile", kFrom<&Reconciliation::layers_ms>,
      as_number("Sum of the layers")},
     {"launches", kCount, "records with a time above 0", kFrom<&Reconciliation::launches>},
     {"gpu_compute_ms", kMs.or_null(), "median of a query", kFrom<&Reconciliation::gpu_compute_ms>,
      as_number("GPU compute")},
     {"latency_ms", kMs.or_null(), "median of a query", kFrom<&Reconciliation::latency_ms>,
      as_number("Latency")},
     {"enqueue_ms", kMs.or_null(), "median of a query", kFrom<&Reconciliation::enqueue_ms>,
      as_number("Enqueue")},
     {"h2d_ms", kMs.or_null(), "median of a query", kFrom<&Reconciliation::h2d_ms>},
     {"d2h_ms", kMs.or_null(), "median of a query", kFrom<&Reconciliation::d2h_ms>},
     {"overhead_per_launch_ms", kMs.or_null(),
      "(layers_ms - gpu_compute_ms) / launches, negative when a query takes longer; null for a "
      "single record",
      kFrom<&Reconciliation::overhead_per_launch_ms>},
     {"launch_floor_ms", kMs, "a layer below it is bound by its launch",
      [](const Reconciliation&) { return kLaunchFloorMs; }},
     {"below_floor", kCount, "layers below launch_floor_ms",
      [](const Reconciliation& ledger) { return ledger.below_floor.size(); }},
     {"below_floor_ms", kMs, "their profile time", kFrom<&Reconciliation::below_floor_ms>},
     {"below_floor_layers", kBelowFloorFacts, "slowest first", kFrom<layers_below_floor>},
     {"transfer_share", kShare.or_null(), "(H2D + D2H) / latency",
      kFrom<&Reconciliation::transfer_share>},
     {"reasons", kTexts, "why the sums differ, as far as the input says",
      kFrom<&Reconciliation::reasons>}}};

const FactsOf<OnnxTime> kOnnxTimeFacts{
    "onnx_time",
    {{"node", kText.or_null(), "its name", kFrom<&OnnxTime::node>, as_name("ONNX node")},
     {"layers", kCount.from(1), "that compute it", kFrom<&OnnxTime::layers>, as_number("Layers")},
     {"time_ms", kMs, "of these layers; one with several nodes counts for each of them",
      kFrom<&OnnxTime::time_ms>, as_number("Time of its layers (ms)")},
     {"alone_ms", kMs, "of layers with that node only", kFrom<&OnnxTime::alone_ms>,
      as_number("Alone (ms)")}}};

const FactsOf<ModuleRow> kModuleRowFacts{
    "module_row",
    {{"module", kText, "its path",
      [](const Analysis& a, const ModuleRow& row) { return a.modules->modules[row.module].path; }},
     {"part", one_of(kModuleParts),
      "the whole module, its own layers that are in no module inside, or the others: modules "
      "inside without a row",
      kFrom<&ModuleRow::part>},
     {"layers", kCount, "of the row", kFrom<&ModuleRow::layers>, as_number("Layers")},
     {"time_ms", kMs, "profile time of the row", kFrom<&ModuleRow::time_ms>,
      as_number("Time (ms)")}}};

const FactsOf<ModuleLedger> kModuleFacts{
    "modules",
    {{"rows", kModuleRowFacts,
      "at most 20, slowest first: with `without` they add up to totals.profile_sum_ms",
      kFrom<&ModuleLedger::rows>},
     {"without", kWithoutModuleFacts, "layers of no module", kItself},
     {"tree", kModuleTimeFacts,
      "every module, parents first; a fused layer counts at the deepest one common to its nodes, a "
      "conversion to those of the layer that is charged with it",
      kFrom<&ModuleLedger::modules>}}};

}  // namespace trtlens
