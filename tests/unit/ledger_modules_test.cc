// Time by module; the layers against a query; memory; DLA and streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "analyzers/ledgers/ledgers.h"
#include "tests/unit/build_maker.h"

namespace trtlens::ledger_modules_test {
namespace {

using test::conv;
using test::layer;
using test::tensor;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DataType kH = DataType::fp16;
constexpr DataType kF = DataType::fp32;

Layer of_nodes(std::vector<SharedText> nodes, double ms) {
  Layer l = layer("layer of " + (nodes.empty() ? std::string("none") : nodes[0].str()),
                  "CaskConvolution", {}, {}, ms);
  l.onnx_nodes = std::move(nodes);
  return l;
}

struct Row {
  std::string name;
  double ms;
};
std::vector<Row> rows_of(const Analysis& a) {
  std::vector<Row> rows;
  for (const ModuleRow& row : a.modules->rows) {
    const std::string part =
        row.part == ModulePart::whole ? "" : " " + std::string(to_string(row.part));
    rows.push_back({a.modules->modules[row.module].path + part, row.time_ms});
  }
  return rows;
}
std::vector<std::string> names_of(const Analysis& a) {
  std::vector<std::string> names;
  for (const Row& row : rows_of(a)) names.push_back(row.name);
  return names;
}

TEST(Modules, TakeAFusedLayerAtTheDepthThatItsNodesShare) {
  const Analysis a = test::analyze_layers(
      {of_nodes({"/layer1/block/conv1/Conv", "/layer1/block/relu/Relu"}, 3),
       of_nodes({"/layer1/block/conv2/Conv"}, 2), of_nodes({"/head/fc/Gemm", "/tail/Add"}, 1),
       of_nodes({"Conv_7"}, 0.5)});
  ASSERT_TRUE(a.modules);
  EXPECT_THAT(names_of(a), ElementsAre("/layer1/block own", "/layer1/block/conv2", "/ own"));
  EXPECT_EQ(a.modules->layers_without, 1U);
  EXPECT_EQ(a.modules->without_ms, 0.5);
}

TEST(Modules, LeaveOutWeightsAndQuantizeNodesWithoutAPath) {
  const Analysis a = test::analyze_layers(
      {of_nodes({"body.0.weight", "QuantizeLinear_8", "/body/body.0/Conv"}, 1)});
  ASSERT_TRUE(a.modules);
  EXPECT_THAT(names_of(a), ElementsAre("/body/body.0"));
}

TEST(Modules, AreUnknownWhereNoNameHasAPath) {
  EXPECT_FALSE(test::analyze_layers({of_nodes({"Conv_0"}, 1)}).modules);
  EXPECT_FALSE(test::analyze_layers({of_nodes({"/conv/Conv"}, -1)}).modules);
}

TEST(Modules, ChargeAConversionToTheLayerThatNeedsIt) {
  Layer wide = conv("w", {tensor("b", kF)}, tensor("c", kF), kF, 1);
  wide.onnx_nodes = {"/wide/Conv"};
  Layer narrow = conv("n", {tensor("in", kH)}, tensor("a", kH), kH, 1);
  narrow.onnx_nodes = {"/narrow/Conv"};
  const Analysis a = test::analyze_layers(
      {narrow, test::reformat("r", tensor("a", kH), tensor("b", kF), 0.25), wide});
  ASSERT_TRUE(a.modules);
  ASSERT_EQ(rows_of(a).size(), 2U);
  EXPECT_EQ(rows_of(a)[0].name, "/wide");
  EXPECT_EQ(rows_of(a)[0].ms, 1.25);
}

TEST(Modules, AddUpToTheProfileInAtMostTwentyRows) {
  std::vector<Layer> layers;
  for (int block = 0; block < 9; ++block) {
    for (int part = 0; part < 5; ++part) {
      layers.push_back(of_nodes(
          {"/net/block" + std::to_string(block) + "/part" + std::to_string(part) + "/Conv"},
          0.5 + block));
    }
  }
  layers.push_back(of_nodes({"Resize_3"}, 0.25));
  const Analysis a = test::analyze_layers(std::move(layers));
  ASSERT_TRUE(a.modules);
  const std::vector<Row> rows = rows_of(a);
  EXPECT_LE(rows.size(), 20U);
  EXPECT_GT(rows.size(), 9U);  // the slowest blocks are open
  const double sum = std::accumulate(rows.begin(), rows.end(), a.modules->without_ms,
                                     [](double s, const Row& row) { return s + row.ms; });
  EXPECT_NEAR(sum, a.build.profile_sum_ms, 1e-9);
}

TEST(Modules, OfWhichOneHoldsVeryManyShowTheSlowestAndTheSumOfTheOthers) {
  std::vector<Layer> layers;
  layers.reserve(50);
  for (int part = 0; part < 50; ++part) {
    layers.push_back(of_nodes({"/net/part" + std::to_string(part) + "/Conv"}, 1 + part));
  }
  const Analysis a = test::analyze_layers(std::move(layers));
  ASSERT_TRUE(a.modules);
  ASSERT_EQ(a.modules->rows.size(), 20U);
  const std::vector<Row> rows = rows_of(a);
  EXPECT_EQ(rows[0].name, "/net others");  // 1 to 31 ms
  EXPECT_EQ(rows[0].ms, 31.0 * 32 / 2);
  EXPECT_EQ(rows[1].name, "/net/part49");
  EXPECT_EQ(rows[19].name, "/net/part31");
}

TEST(Modules, OfHostileDepthStayFew) {
  std::string deep = "/a";
  for (int i = 0; i < 10000; ++i) deep += "/b";
  const Analysis a = test::analyze_layers({of_nodes({deep}, 1)});
  ASSERT_TRUE(a.modules);
  EXPECT_LT(a.modules->modules.size(), 32U);
}

Build two_layers() {
  Build build = test::build_of({conv("a", {tensor("x", kH)}, tensor("y", kH), kH, 0.6),
                                conv("b", {tensor("y", kH)}, tensor("z", kH), kH, 0.004)});
  build.performance.gpu_compute = LatencyStats();
  build.performance.gpu_compute->median_ms = 0.5;
  return build;
}

TEST(Reconciliation, SharesTheDifferenceAmongTheLaunches) {
  Build build = two_layers();
  build.performance.latency = LatencyStats();
  build.performance.latency->median_ms = 1.0;
  build.performance.h2d = LatencyStats();
  build.performance.h2d->median_ms = 0.4;
  build.performance.d2h = LatencyStats();
  build.performance.d2h->median_ms = 0.1;
  const Analysis a = test::analyze_build(build);
  ASSERT_TRUE(a.reconciliation);
  const Reconciliation& r = *a.reconciliation;
  EXPECT_EQ(r.launches, 2U);
  EXPECT_NEAR(r.overhead_per_launch_ms.value_or(0), 0.052, 1e-9);
  EXPECT_NEAR(r.transfer_share.value_or(0), 0.5, 1e-9);
  ASSERT_EQ(r.below_floor.size(), 1U);
  EXPECT_EQ(build.layers[r.below_floor[0]].time->mean_ms, 0.004);
  EXPECT_EQ(r.below_floor_ms, 0.004);
  EXPECT_THAT(r.reasons, ElementsAre(HasSubstr("each carries its launch")));
}

TEST(Reconciliation, HasTheLayersBelowTheLaunchFloorSlowestFirst) {
  const Analysis a =
      test::analyze_layers({of_nodes({"/a"}, 0.003), of_nodes({"/b"}, 0.005),
                            of_nodes({"/c"}, 0.0049), of_nodes({"/d"}, 0), of_nodes({"/e"}, -1)});
  ASSERT_TRUE(a.reconciliation);
  EXPECT_THAT(a.reconciliation->below_floor, ElementsAre(2U, 0U));
  EXPECT_NEAR(a.reconciliation->below_floor_ms, 0.0079, 1e-12);
}

TEST(Reconciliation, NamesTheGraphThatTheProfileDoesNotUse) {
  Build build = two_layers();
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              Not(Contains(HasSubstr("CUDA graph"))));
  build.inference.cuda_graph = true;
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              Contains(HasSubstr("CUDA graph")));
}

// A profile of twice the query's time: launches alone do not make that.
TEST(Reconciliation, DoesNotBlameLaunchesForHalfOfIt) {
  Build build = two_layers();
  build.performance.gpu_compute->median_ms = build.profile_sum_ms / 1.6;
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              ElementsAre(HasSubstr("which launches do not explain")));
  build.performance.gpu_compute->median_ms = build.profile_sum_ms / 1.4;
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              ElementsAre(HasSubstr("each carries its launch")));
}

TEST(Reconciliation, IsUnknownWithoutAProfile) {
  EXPECT_FALSE(test::analyze_layers({of_nodes({"/conv/Conv"}, -1)}).reconciliation);
  Build build = two_layers();
  build.performance = Performance();
  const Analysis a = test::analyze_build(build);
  ASSERT_TRUE(a.reconciliation);
  EXPECT_FALSE(a.reconciliation->overhead_per_launch_ms);
  EXPECT_THAT(a.reconciliation->reasons, ::testing::IsEmpty());
}

TEST(MemoryLedger, PutsTheLayerThatHoldsMostFirst) {
  Build build;
  build.memory.layers = {{"small", 100, 0, 512}, {"host only", 9000, 0, 0}, {"big", 0, 4096, 0}};
  build.memory.steps = {MemoryStep(), MemoryStep(), MemoryStep()};
  build.memory.steps[0].gpu_delta_bytes = 5;
  build.memory.steps[1].gpu_delta_bytes = -50;
  build.memory.steps[2].gpu_delta_bytes = 7;
  const Analysis a = test::analyze_build(build);
  EXPECT_THAT(a.memory.layers, ElementsAre(2U, 0U));
  EXPECT_THAT(a.memory.steps_by_growth, ElementsAre(2U, 0U));
  EXPECT_FALSE(a.memory.device_bytes);  // a part is unknown
  build.memory.weights_bytes = 100;
  build.memory.activation_bytes = 20;
  build.memory.device_persistent_bytes = 3;
  EXPECT_EQ(test::analyze_build(build).memory.device_bytes, 123);
}

TEST(Placement, CountsChangesOfDeviceInTheOrderOfTheEngine) {
  const auto on = [](const char* name, const char* type, double ms) {
    Layer l = layer(name, type, {tensor("x", kH)}, {tensor("y", kH)}, ms);
    return l;
  };
  const Analysis a =
      test::analyze_layers({on("{ForeignNode[a...b]}", "DLA", 2), on("pool", "CaskPooling", 0.5),
                            test::reformat("r", tensor("y", kH), tensor("z", kH), 0.1),
                            on("{ForeignNode[c...d]}", "DLA", 1)});
  EXPECT_EQ(a.placement.dla_layers, 2U);
  EXPECT_EQ(a.placement.gpu_layers, 1U);
  EXPECT_EQ(a.placement.transitions, 2U);
  EXPECT_EQ(a.placement.dla_ms, 3);
  EXPECT_FALSE(a.placement.of_log);
}

TEST(Placement, TakesTheListsOfTheBuilderWhereTheEngineIsUnknown) {
  Build build;
  build.placements = {{"{ForeignNode[a]}", true}, {"SHUFFLE: b", false}, {"SHUFFLE: c", false}};
  const Analysis a = test::analyze_build(build);
  EXPECT_TRUE(a.placement.of_log);
  EXPECT_EQ(a.placement.dla_layers, 1U);
  EXPECT_EQ(a.placement.gpu_layers, 2U);
}

TEST(Placement, PiecesOnTheDlaThatTheGpuCutsAreAFinding) {
  Build build;
  build.placements = {{"{ForeignNode[a]}", true},
                      {"{ForeignNode[b...c]}", true},
                      {"PLUGIN_V2: InstanceNormalization_5", false}};
  build.placements[0].pos.line = 7;
  const Analysis cut = test::analyze_build(build);
  const Finding* f = test::find(cut, "dla-cut-by-gpu");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->severity, Severity::moderate);
  EXPECT_EQ(f->title, "Layers on the GPU cut the DLA part into 2 pieces");
  EXPECT_THAT(test::figures(*f), ElementsAre(HasSubstr("2 changes of device")));
  EXPECT_THAT(f->layers, ElementsAre("PLUGIN_V2: InstanceNormalization_5"));
  ASSERT_EQ(f->evidence.size(), 3U);
  EXPECT_EQ(f->evidence[0].line, 7U);
  EXPECT_THAT(f->evidence[1].note, HasSubstr("InstanceNormalization_5"));
  build.placements.insert(build.placements.begin(), {"{ForeignNode[z]}", true});
  const Analysis cut_twice = test::analyze_build(build);
  f = test::find(cut_twice, "dla-cut-by-gpu");
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_THAT(f->title, HasSubstr("into 3 pieces"));
  EXPECT_THAT(test::figures(*f), ElementsAre(HasSubstr("4 changes of device")));
  EXPECT_EQ(f->evidence[0].note,
            "on the DLA: {ForeignNode[z]}, {ForeignNode[a]}, {ForeignNode[b...c]}");
}

TEST(Placement, TwelveLayersOfADeviceAreNamed) {
  Build build;
  build.placements = {{"{ForeignNode[a]}", true}, {"{ForeignNode[b]}", true}};
  for (int i = 1; i <= 12; ++i) build.placements.push_back({"n" + std::to_string(i), false});
  const std::string names = "on the GPU: n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12";
  const auto noted = [&build] {
    const Analysis a = test::analyze_build(build);
    return test::find(a, "dla-cut-by-gpu")->evidence.at(1).note;
  };
  EXPECT_EQ(noted(), names);
  build.placements.push_back({"n13", false});
  EXPECT_EQ(noted(), names + " and 1 more");
}

TEST(Placement, OnePieceOnTheDlaIsNotCut) {
  Build build;
  build.placements = {{"{ForeignNode[a...z]}", true}, {"SHUFFLE: b", false}, {"TOPK: c", false}};
  EXPECT_EQ(test::find(test::analyze_build(build), "dla-cut-by-gpu"), nullptr);
  build.placements = {{"{ForeignNode[a]}", true}, {"{ForeignNode[b]}", true}};
  EXPECT_EQ(test::find(test::analyze_build(build), "dla-cut-by-gpu"), nullptr);
}

TEST(OnnxTimes, ALayerCountsForEachOfItsNodes) {
  Build build = test::build_of({of_nodes({"/a/Conv", "/a/Relu"}, 0.3), of_nodes({"/b/Conv"}, 0.5),
                                of_nodes({"/a/Conv"}, 0.4), of_nodes({}, 1)});
  const Analysis a = test::analyze_build(std::move(build));
  ASSERT_EQ(a.onnx_times.size(), 3U);
  EXPECT_EQ(a.onnx_times[0].node, "/a/Conv");
  EXPECT_EQ(a.onnx_times[0].layers, 2U);
  EXPECT_DOUBLE_EQ(a.onnx_times[0].time_ms, 0.7);
  EXPECT_DOUBLE_EQ(a.onnx_times[0].alone_ms, 0.4);
  EXPECT_EQ(a.onnx_times[1].node, "/b/Conv");
  EXPECT_EQ(a.onnx_times[2].node, "/a/Relu");
  EXPECT_DOUBLE_EQ(a.onnx_times[2].alone_ms, 0);
}

// Between the ends of a range stands what its name does not say.
TEST(Modules, ARangeWithAnEndOutsideOfThemBelongsToNone) {
  Layer region = of_nodes({"onnx::LSTM_223", "/out/Add"}, 1);
  region.name = "{ForeignNode[onnx::LSTM_223.../out/Add]}";
  const Layer other = of_nodes({"/stem/Conv"}, 0.5);
  const Analysis a = test::analyze_build(test::build_of({region, other}));
  ASSERT_TRUE(a.modules);
  EXPECT_EQ(a.modules->layers_without, 1U);
  EXPECT_EQ(a.modules->without_ms, 1);
  ASSERT_EQ(a.onnx_times.size(), 1U);
  EXPECT_EQ(a.onnx_times[0].node, "/stem/Conv");
  region.onnx_nodes = {"/out/Add"};  // an initializer's name is none of a node
  EXPECT_EQ(test::analyze_build(test::build_of({region, other})).modules->layers_without, 1U);
  region.onnx_nodes = {"/head/Conv", "/head/Add"};
  EXPECT_EQ(test::analyze_build(test::build_of({region, other})).modules->layers_without, 0U);
  // With metadata all nodes are known.
  region.metadata = "[ONNX Layer: onnx::LSTM_223][ONNX Layer: /out/Add]";
  const Analysis known = test::analyze_build(test::build_of({region, other}));
  EXPECT_EQ(known.modules->layers_without, 0U);
  EXPECT_EQ(known.onnx_times.size(), 3U);
}

TEST(Placement, AddsUpLayersByStreamWhenThereAreSeveral) {
  Build build = two_layers();
  build.layers[0].stream_id = 0;
  build.layers[1].stream_id = 0;
  EXPECT_THAT(test::analyze_build(build).placement.streams, ::testing::IsEmpty());
  build.layers[1].stream_id = 1;
  build.inference.worker_streams = 3;
  const Analysis a = test::analyze_build(build);
  ASSERT_EQ(a.placement.streams.size(), 2U);
  EXPECT_EQ(a.placement.streams[1].time_ms, 0.004);
  EXPECT_EQ(a.placement.worker_streams, 3);
  EXPECT_THAT(a.reconciliation->reasons, Contains(HasSubstr("several streams overlap")));
}

TEST(Reconciliation, SaysNothingOfLaunchesInsideASingleRecord) {
  Build build = test::build_of({layer("{ForeignNode[a...b]}", "Myelin", {}, {}, 1.6)});
  build.performance.gpu_compute = build.performance.enqueue = LatencyStats();
  build.performance.gpu_compute->median_ms = 1.45;
  build.performance.enqueue->median_ms = 1.2;
  const Analysis a = test::analyze_build(build);
  EXPECT_FALSE(a.reconciliation->overhead_per_launch_ms);
  EXPECT_THAT(a.reconciliation->reasons, ElementsAre(HasSubstr("a single record")));
  build.performance.enqueue->median_ms = 1.46;
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              ElementsAre(HasSubstr("the GPU waits for launches"), HasSubstr("a single record")));
  build.performance.throughput_qps = 661;  // 96 % of the time
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              ElementsAre(HasSubstr("the GPU hardly waits"), HasSubstr("a single record")));
}

TEST(Reconciliation, SaysWhatSharedTheGpuWithTheProfile) {
  Build build = two_layers();
  build.performance = Performance();
  build.inference.streams = 2;
  build.inference.untimed_capture = SourcePos();
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons,
              ElementsAre(HasSubstr("2 inferences shared the GPU"), HasSubstr("captured")));
  build.inference.streams = 1;
  build.inference.untimed_capture.reset();
  EXPECT_THAT(test::analyze_build(build).reconciliation->reasons, ::testing::IsEmpty());
}

}  // namespace
}  // namespace trtlens::ledger_modules_test
