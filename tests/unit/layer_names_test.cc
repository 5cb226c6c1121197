// Short labels of layers in every table, and the whole names behind them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "report/document/document.h"
#include "tests/unit/document_parts_of.h"

namespace trtlens::layer_names_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Of a table's rows: the first cell, and the whole name behind it.
std::vector<std::pair<std::string, std::string>> layers_of(const Table* table) {
  std::vector<std::pair<std::string, std::string>> layers;
  if (table == nullptr) return layers;
  EXPECT_EQ(table->columns.front().title, "Layer");
  EXPECT_EQ(table->columns.back().title, "Name");
  EXPECT_TRUE(table->columns.back().detail && table->columns.back().extra);
  for (std::size_t r = 0; r < table->rows.size(); ++r) {
    layers.emplace_back(table->rows.cell(r, 0).text,
                        table->rows.cell(r, table->columns.size() - 1).text);
  }
  return layers;
}

// Two layers whose names do not fit, and one that only the log of the build names.
Analysis with_long_names() {
  Analysis a;
  for (const char* name :
       {"w_1 + QuantizeLinear_2 + /layer1/layer1.0/conv1/Conv",
        "Reformatting CopyNode for Input Tensor 0 to /layer1/layer1.0/conv1/Conv"}) {
    Layer layer;
    layer.name = name;
    LayerTime time;
    time.mean_ms = 1;
    layer.time = time;
    a.build.layers.push_back(layer);
    a.verdicts.emplace_back();
  }
  a.build.layers[0].onnx_nodes = {SharedText("/layer1/layer1.0/conv1/Conv")};
  a.verdicts[0].role = LayerRole::convolution;
  a.verdicts[0].compute = Precision::fp32;
  a.build.profile_sum_ms = 2;
  a.labels = SharedLabels(a.build);
  return a;
}

TEST(Names, TablesOfTheEnginesLayersHaveShortLabels) {
  Analysis a = with_long_names();
  const std::string conv = a.build.layers[0].name, copy = a.build.layers[1].name;
  a.fallbacks = std::vector<Fallback>{{0, 1, "no scale", {}}};
  ReformatEntry entry;
  entry.layer = 1;
  entry.cause = "layout only";
  entry.caused_by = 0;
  a.reformats = {entry};
  LayerRoof roof;
  roof.layer = 0;
  a.roofline.layers = {roof};
  a.races = {{conv, "a", "b", 0.0195, 0.0196, 0.005, "FP16 -> FP16", 0}};
  a.race_ledger.alternatives = {{0, "FP32", "", "c", 0.02}};
  MissingScaleCost cost;
  cost.tensor = "t";
  cost.layers = {0};
  cost.reformats = {1, 7};
  a.missing_scales = {cost};
  const Document d = build_document(a, 10);
  EXPECT_THAT(layers_of(table_of(d, "precision", "fallbacks")),
              ElementsAre(Pair("layer1.0.conv1", conv)));
  EXPECT_THAT(layers_of(table_of(d, "roofline", "roof")),
              ElementsAre(Pair("layer1.0.conv1", conv)));
  EXPECT_THAT(layers_of(table_of(d, "tactics", "Close races")),
              ElementsAre(Pair("layer1.0.conv1", conv)));
  EXPECT_THAT(layers_of(table_of(d, "tactics", "Fastest kernel")),
              ElementsAre(Pair("layer1.0.conv1", conv)));
  EXPECT_THAT(layers_of(table_of(d, "reformats", "ledger")),
              ElementsAre(Pair("reformat -> layer1.0.conv1", copy)));
  EXPECT_EQ(table_of(d, "reformats", "ledger")->rows[0][6].text,
            "layout only; layer1.0.conv1 (FP32)");
  const std::vector<Cell> scale = table_of(d, "precision", "without scale")->rows[0];
  EXPECT_EQ(scale[4].text, "layer1.0.conv1");
  EXPECT_EQ(scale[5].text, "reformat -> layer1.0.conv1, unknown");
}

TEST(Names, OfALogAloneAreAsShort) {
  Analysis a = with_long_names();
  const auto tuned = [](const std::string& name) {
    LayerTuning one;
    one.layer = name;
    return one;
  };
  const std::string alone = "/layer2/conv/Conv";
  // Two names of one label say nothing by it.
  const std::string twin = "/layer3/conv/Conv", other = "/layer3/conv/Conv_1";
  a.build_time.layers = {tuned(a.build.layers[0].name), tuned(alone), tuned(twin), tuned(other),
                         tuned("plain")};
  LayerMemory memory;
  memory.layer = alone;
  memory.device_persistent_bytes = 1 << 20;
  a.build.memory.layers = {memory};
  a.memory.layers = {0};
  a.build.placements = {{alone, true}};
  a.placement.of_log = true;
  a.placement.dla_layers = 1;
  a.build_time.progress = BuildProgress();
  a.build_time.progress->stage = "timing tactics";
  a.build_time.progress->layer = alone;
  const Document d = build_document(a, 10);
  EXPECT_THAT(
      layers_of(table_of(d, "build-time", "Autotuning")),
      ElementsAre(Pair("layer1.0.conv1", a.build.layers[0].name.str()), Pair("layer2.conv", alone),
                  Pair(twin, ""), Pair(other, ""), Pair("plain", "")));
  EXPECT_THAT(layers_of(table_of(d, "memory", "hold device")),
              ElementsAre(Pair("layer2.conv", alone)));
  EXPECT_THAT(texts(table_of(d, "placement", "What runs where")->rows[0]),
              ElementsAre("DLA", "layer2.conv", alone));
  EXPECT_EQ(blocks_of<Paragraph>(d, "build-time")[0]->text,
            "The log ends while timing tactics: layer2.conv.");
}

}  // namespace
}  // namespace trtlens::layer_names_test
