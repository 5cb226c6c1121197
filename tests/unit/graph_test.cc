// Readers, writers and neighbours in graphs that are no trees.
#include "analyzers/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "analyzers/precision/precision.h"
#include "tests/unit/build_maker.h"

namespace trtlens::graph_test {
namespace {

using test::conv;
using test::dequantize;
using test::layer;
using test::quantize;
using test::reformat;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr DataType kF = DataType::fp32;
constexpr DataType kI = DataType::int8;

Analysis verdicts_only(Build build) {
  Analysis a;
  a.build = std::move(build);
  for (const Layer& l : a.build.layers) a.verdicts.push_back(verdict_of(l));
  return a;
}

std::vector<std::uint32_t> listed(Places places) {
  return {places.begin(), places.end()};
}

TEST(Graph, NeighboursByTensorName) {
  const Analysis a = verdicts_only(
      test::build_of({conv("b", {tensor("t1", kF)}, tensor("t2", kF), kF, 1),
                      conv("a", {tensor("t0", kF)}, tensor("t1", kF), kF, 1),
                      conv("c", {tensor("t2", kF), tensor("t1", kF)}, tensor("t3", kF), kF, 1)}));
  const Graph g(a.build, a.verdicts);
  EXPECT_THAT(listed(g.before(0)), ElementsAre(1));
  EXPECT_THAT(listed(g.after(1)), ElementsAre(0, 2));
  EXPECT_THAT(listed(g.before(2)), ElementsAre(0, 1));
  EXPECT_THAT(listed(g.before(1)), IsEmpty());
  EXPECT_THAT(listed(g.after(2)), IsEmpty());
  EXPECT_EQ(g.find("c"), 2U);
  EXPECT_EQ(g.find("none of these"), Graph::kNone);
  EXPECT_THAT(listed(g.readers("t1")), ElementsAre(0, 2));
  EXPECT_THAT(listed(g.writers("nowhere")), IsEmpty());
}

// Conversions behind a layer, one behind the other: 64 of them belong to its fence.
TEST(Fence, EndsAfterSixtyFourLayers) {
  std::vector<Layer> layers = {conv("c", {tensor("x", kF)}, tensor("t0", kF), kF, 1)};
  for (int i = 0; i < 100; ++i) {
    layers.push_back(reformat("r" + std::to_string(i), tensor("t" + std::to_string(i), kF),
                              tensor("t" + std::to_string(i + 1), kF), 1));
  }
  const Analysis a = verdicts_only(test::build_of(std::move(layers)));
  const Graph g(a.build, a.verdicts);
  EXPECT_EQ(fence_of({0}, g, a).after.size(), 64U);
}

TEST(Graph, LooksThroughNoOpsOfNoTimeButNotThroughConstants) {
  const Analysis a = verdicts_only(
      test::build_of({conv("a", {tensor("t0", kF)}, tensor("t1", kF), kF, 1),
                      layer("noop1", "NoOp", {tensor("t1", kF)}, {tensor("t2", kF)}, 0),
                      layer("noop2", "NoOp", {tensor("t2", kF)}, {tensor("t3", kF)}, -1),
                      conv("b", {tensor("t3", kF), tensor("w", kF)}, tensor("t4", kF), kF, 1),
                      layer("const", "Constant", {}, {tensor("w", kF)}, 0),
                      layer("slow", "NoOp", {tensor("t4", kF)}, {tensor("t5", kF)}, 0.5),
                      conv("c", {tensor("t5", kF)}, tensor("t6", kF), kF, 1)}));
  const Graph g(a.build, a.verdicts);
  EXPECT_THAT(listed(g.after(0)), ElementsAre(3));
  EXPECT_THAT(listed(g.before(3)), ElementsAre(0, 4));
  EXPECT_THAT(listed(g.after(3)), ElementsAre(5));  // it took time, so it is somebody
}

TEST(Graph, SurvivesCyclesSelfLoopsAndSeveralWriters) {
  const Analysis a = verdicts_only(test::build_of(
      {layer("in place", "PluginV2", {tensor("t", kF)}, {tensor("t", kF)}, 1),
       layer("n1", "NoOp", {tensor("x", kF)}, {tensor("y", kF)}, 0),
       layer("n2", "NoOp", {tensor("y", kF)}, {tensor("x", kF)}, 0),
       conv("slice1", {tensor("t", kF)}, tensor("cat", kF), kF, 1),
       conv("slice2", {tensor("t", kF)}, tensor("cat", kF), kF, 1),
       conv("reader", {tensor("cat", kF), tensor("x", kF)}, tensor("out", kF), kF, 1)}));
  const Graph g(a.build, a.verdicts);
  EXPECT_THAT(listed(g.before(0)), IsEmpty());
  EXPECT_THAT(listed(g.after(0)), ElementsAre(3, 4));
  EXPECT_THAT(listed(g.before(5)), ElementsAre(3, 4));
  EXPECT_THAT(listed(g.after(1)), ElementsAre(5));
}

TEST(Graph, OtherProfilesTakeNoPart) {
  std::vector<Layer> layers = {conv("a", {tensor("i", kF)}, tensor("t", kF), kF, 1),
                               conv("b", {tensor("t", kF)}, tensor("o", kF), kF, 1),
                               conv("b [profile 1]", {tensor("t", kF)}, tensor("o", kF), kF, -1)};
  layers[2].opt_profile = 1;
  const Analysis a = verdicts_only(test::build_of(std::move(layers)));
  EXPECT_THAT(listed(Graph(a.build, a.verdicts).after(0)), ElementsAre(1));
}

// Without times: the profile that the command names, or that of the first layer.
TEST(Graph, OfProfilesWithoutTimesTheNamedOneTakesPart) {
  std::vector<Layer> layers = {conv("a [profile 1]", {tensor("i", kF)}, tensor("o", kF), kF, -1),
                               conv("a", {tensor("i", kF)}, tensor("o", kF), kF, -1)};
  layers[0].opt_profile = 1;
  Build build = test::build_of(std::move(layers));
  const auto takes_part = [&build] {
    const Analysis a = verdicts_only(build);
    const Graph g(a.build, a.verdicts);
    return std::vector<bool>{g.takes_part(0), g.takes_part(1)};
  };
  EXPECT_THAT(takes_part(), ElementsAre(false, true));
  build.inference.opt_profile = 1;
  EXPECT_THAT(takes_part(), ElementsAre(true, false));
  build.inference.opt_profile = 2;
  EXPECT_THAT(takes_part(), ElementsAre(true, false));
}

TEST(Fence, HoldsConversionsAndTheActivationsBehind) {
  Build build = test::build_of(
      {dequantize("dq", "t0", "t1", 0.2), conv("core", {tensor("t1", kF)}, tensor("t2", kF), kF, 1),
       layer("clip", "PointWiseV2", {tensor("t2", kF)}, {tensor("t3", kF)}, 0.1),
       quantize("q", "t3", "t4", 0.3), conv("next", {tensor("t4", kI)}, tensor("t5", kI), kI, 1),
       quantize("q of next", "t5", "t6", 0.4)});
  test::add_io(build, tensor("t6", kI), false);
  const Analysis a = verdicts_only(std::move(build));
  const Graph g(a.build, a.verdicts);
  const Fence fence = fence_of({1}, g, a);
  EXPECT_THAT(fence.before, ElementsAre(0));
  EXPECT_THAT(fence.activations, ElementsAre(2));
  EXPECT_THAT(fence.after, ElementsAre(3));
  EXPECT_DOUBLE_EQ(Fence::time_ms(a.build, fence.after), 0.3);
}

TEST(Fence, LeavesOutTheConversionOfTheNetworkInputAndTwoInputPointwise) {
  Build build = test::build_of(
      {reformat("of input", tensor("image", kF), tensor("t1", kF), 0.2),
       conv("core", {tensor("t1", kF)}, tensor("t2", kF), kF, 1),
       layer("add", "PointWiseV2", {tensor("t2", kF), tensor("r", kF)}, {tensor("t3", kF)}, 0.1),
       quantize("q", "t3", "t4", 0.3)});
  test::add_io(build, tensor("image", kF), true);
  const Analysis a = verdicts_only(std::move(build));
  const Graph g(a.build, a.verdicts);
  const Fence fence = fence_of({1}, g, a);
  EXPECT_THAT(fence.before, IsEmpty());
  EXPECT_THAT(fence.activations, IsEmpty());
  EXPECT_THAT(fence.after, IsEmpty());
}

TEST(Graph, KnowsTheBorder) {
  Build build = test::build_of({conv("a", {tensor("i", kF)}, tensor("o", kF), kF, 1)});
  test::add_io(build, tensor("i", kF), true);
  test::add_io(build, tensor("o", kF), false);
  const Analysis a = verdicts_only(std::move(build));
  const Graph g(a.build, a.verdicts);
  EXPECT_TRUE(g.is_network_input("i"));
  EXPECT_FALSE(g.is_network_output("i"));
  EXPECT_TRUE(g.is_network_output("o"));
  EXPECT_FALSE(g.is_network_input("x"));
}

TEST(Graph, LooksThroughNoOpsToTheBorder) {
  Build build = test::build_of({layer("in", "NoOp", {tensor("x", kF)}, {tensor("flat x", kF)}, 0),
                                conv("c", {tensor("flat x", kF)}, tensor("a", kF), kF, 1),
                                layer("out", "NoOp", {tensor("a", kF)}, {tensor("y", kF)}, 0),
                                conv("d", {tensor("x", kF)}, tensor("b", kF), kF, 1),
                                layer("too", "NoOp", {tensor("b", kF)}, {tensor("z", kF)}, 0),
                                conv("e", {tensor("b", kF)}, tensor("w", kF), kF, 1)});
  test::add_io(build, tensor("x", kF), true);
  for (const char* name : {"y", "z", "w"}) test::add_io(build, tensor(name, kF), false);
  const Analysis a = test::analyze_build(std::move(build));
  const Graph graph(a.build, a.verdicts);
  EXPECT_TRUE(graph.is_at_input("x"));
  EXPECT_TRUE(graph.is_at_input("flat x"));
  EXPECT_FALSE(graph.is_at_input("a"));
  EXPECT_TRUE(graph.is_at_output("a"));
  EXPECT_TRUE(graph.is_at_output("y"));
  EXPECT_FALSE(graph.is_at_output("b"));  // read by a convolution, too
}

// A loop as Myelin writes it: a fill and the body write one tensor, which the body reads again; the
// counter reads and writes its own; the jump reads what the body wrote.
TEST(Graph, LoopsHaveBackEdgesAndSeveralWriters) {
  const Tensor state = tensor("state", kF), i = tensor("i", DataType::int64, {1});
  const Analysis a = verdicts_only(test::build_of(
      {layer("__mye1_myl0_0", "memset", {}, {state}, 0.1),
       conv("body", {state}, tensor("next", kF), kF, 1),
       layer("__myl_AddMul_myl0_2", "kgen", {tensor("next", kF), state}, {state}, 0.1),
       layer("loop_myl0_3", "add", {i}, {i}, 0.1), layer("__mye2_myl0_4", "cjmp", {i}, {}, 0.1)}));
  const Graph g(a.build, a.verdicts);
  EXPECT_THAT(listed(g.writers("state")), ElementsAre(0, 2));
  EXPECT_THAT(listed(g.before(1)), ElementsAre(0, 2));
  EXPECT_THAT(listed(g.after(1)), ElementsAre(2));
  EXPECT_THAT(listed(g.before(4)), ElementsAre(3));
  EXPECT_THAT(fence_of({1}, g, a).after, IsEmpty());
}

// Every layer counts once, and no rule finds anything in the loop.
TEST(Graph, LoopsCountOnce) {
  const Tensor state = tensor("state", DataType::fp16), i = tensor("i", DataType::int64, {1});
  const Analysis a = test::analyze_layers(
      {layer("__mye1_myl0_0", "memset", {}, {state}, 0.1),
       conv("body", {state}, tensor("next", DataType::fp16), DataType::fp16, 1),
       layer("__myl_AddMul_myl0_2", "kgen", {tensor("next", DataType::fp16), state}, {state}, 0.1),
       layer("loop_myl0_3", "add", {i}, {i}, 0.1), layer("__mye2_myl0_4", "cjmp", {i}, {}, 0.1)});
  ASSERT_TRUE(a.account);
  double sum_ms = 0;
  std::size_t layers = 0;
  for (const AccountRow& row : a.account->rows) {
    sum_ms += row.time_ms;
    layers += row.layers.size();
  }
  EXPECT_NEAR(sum_ms, 1.4, 1e-12);
  EXPECT_EQ(layers, 5U);
  EXPECT_THAT(a.reformats, IsEmpty());
  for (const Finding& f : a.findings) EXPECT_EQ(f.severity, Severity::info) << f.rule;
}

// The network has one input; the layers of the second profile call it "x [profile 1]".
TEST(Graph, FurtherProfilesHaveNamesOfTheirOwnForInputs) {
  std::vector<Layer> layers = {
      conv("c", {tensor("x", kF)}, tensor("y", kF), kF, -1),
      conv("c [profile 1]", {tensor("x [profile 1]", kF)}, tensor("y [profile 1]", kF), kF, 1)};
  layers[1].opt_profile = 1;
  Build build = test::build_of(std::move(layers));
  test::add_io(build, tensor("x", kF), true);
  test::add_io(build, tensor("y", kF), false);
  const Analysis a = verdicts_only(std::move(build));
  const Graph g(a.build, a.verdicts);
  EXPECT_TRUE(g.is_network_input("x [profile 1]"));
  EXPECT_TRUE(g.is_at_output("y [profile 1]"));
  EXPECT_FALSE(g.is_network_input("y [profile 1]"));
  EXPECT_FALSE(g.is_network_input("x [profile 2]"));
}

}  // namespace
}  // namespace trtlens::graph_test
