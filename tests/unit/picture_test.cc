// Ranks, places and edges of the drawn graph.
#include "analyzers/graph/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/precision/precision.h"
#include "tests/unit/build_maker.h"

namespace trtlens::picture_test {
namespace {

using test::conv;
using test::layer;
using test::tensor;
using ::testing::ElementsAre;

constexpr DataType kF = DataType::fp32;

Picture picture(std::vector<Layer> layers) {
  Analysis a;
  a.build = test::build_of(std::move(layers));
  for (const Layer& l : a.build.layers) a.verdicts.push_back(verdict_of(l));
  return picture_of(a);
}

std::vector<std::pair<int, int>> ends(const Picture& p) {
  std::vector<std::pair<int, int>> ends;
  for (const PictureEdge& edge : p.edges) ends.emplace_back(edge.from, edge.to);
  return ends;
}

// a feeds b and c, both of which d adds.
std::vector<Layer> diamond() {
  return {conv("a", {tensor("x", kF)}, tensor("t", kF), kF, 1),
          conv("b", {tensor("t", kF)}, tensor("u", kF), kF, 1),
          conv("c", {tensor("t", kF)}, tensor("v", kF), kF, 1),
          layer("d", "ElementWise", {tensor("u", kF), tensor("v", kF)}, {tensor("y", kF)}, 1)};
}

TEST(Picture, RanksGrowAlongTheEdges) {
  const Picture p = picture(diamond());
  EXPECT_THAT(p.rank, ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(p.place, ElementsAre(0, -1, 0, 0));
  EXPECT_THAT(ends(p),
              ElementsAre(std::pair(0, 1), std::pair(0, 2), std::pair(1, 3), std::pair(2, 3)));
  EXPECT_EQ(p.edges[3].input, 1U);
}

TEST(Picture, ARankIsThatOfTheLongestPath) {
  std::vector<Layer> layers = diamond();
  layers[3].inputs.push_back(tensor("t", kF));  // past b and c
  EXPECT_THAT(picture(std::move(layers)).rank, ElementsAre(0, 1, 1, 2));
}

// Two chains whose second layers come in the other order: their places follow their writers.
TEST(Picture, NeighboursStandNearEachOther) {
  const Picture p = picture({conv("a", {tensor("x", kF)}, tensor("t", kF), kF, 1),
                             conv("b", {tensor("x", kF)}, tensor("u", kF), kF, 1),
                             conv("b2", {tensor("u", kF)}, tensor("w", kF), kF, 1),
                             conv("a2", {tensor("t", kF)}, tensor("v", kF), kF, 1)});
  EXPECT_THAT(p.rank, ElementsAre(0, 0, 1, 1));
  EXPECT_LT(p.place[0], p.place[1]);
  EXPECT_LT(p.place[3], p.place[2]);
}

TEST(Picture, ABackEdgeLiftsNothing) {
  const Picture p =
      picture({conv("a", {tensor("x", kF), tensor("loop", kF)}, tensor("t", kF), kF, 1),
               conv("b", {tensor("t", kF)}, tensor("loop", kF), kF, 1)});
  EXPECT_THAT(p.rank, ElementsAre(0, 1));
  EXPECT_THAT(ends(p), ElementsAre(std::pair(1, 0), std::pair(0, 1)));
}

// Where all write and read one tensor, edges stay few for each layer.
TEST(Picture, EdgesDoNotGrowWithTheSquare) {
  std::vector<Layer> layers;
  for (int i = 0; i < 1000; ++i) {
    layers.push_back(conv("l" + std::to_string(i), {tensor("t", kF)}, tensor("t", kF), kF, 1));
  }
  EXPECT_EQ(picture(std::move(layers)).edges.size(), 16000U);
}

}  // namespace
}  // namespace trtlens::picture_test
