// A build of 500 layers into a history, each in its transaction: whose layers are new, and whose
// layers are known. To be read beside the 15 ms of issue 22.
#include <benchmark/benchmark.h>

#include <string>

#include "report/history/history.h"
#include "tests/temp_folder.h"

namespace trtlens {
namespace {

constexpr std::size_t kLayers = 500;

BuildRecord record_of_500() {
  Build build;
  for (std::size_t i = 0; i < kLayers; ++i) {
    Layer layer;
    const std::string block = "/block" + std::to_string(i / 8) + "/conv" + std::to_string(i % 8);
    layer.name = block + "/Conv + " + block + "/act/Relu";
    layer.layer_type = "CaskConvolution";
    layer.parameter_type = "Convolution";
    layer.tactic_name =
        "sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize128x128x32";
    layer.onnx_nodes = {block + "/Conv", block + "/act/Relu"};
    Tensor tensor;
    tensor.name = block + "/act/Relu_output_0";
    tensor.type = DataType::fp16;
    tensor.format = "Channel major FP16 format where channel % 8 == 0";
    tensor.dims = {8, 64, 56, 56};
    tensor.has_dims = true;
    layer.inputs = layer.outputs = {tensor};
    layer.time.emplace().mean_ms = 0.01;
    layer.found_in = kFoundInLayerInfo | kFoundInProfile;
    build.layers.push_back(layer);
  }
  build.has_layer_info = build.has_profile = true;
  return record_of(analyze(std::move(build), "b", std::make_shared<const Reading>(), {}), "");
}

void add_known_layers(benchmark::State& state) {
  const TempFolder folder;
  History history(folder.at("h.db"), History::Access::write);
  const BuildRecord record = record_of_500();
  std::size_t n = 0;
  for (auto _ : state) {
    if (history.add(std::to_string(n++), record, "2026-11-26 10:00:00") != Added::added) {
      state.SkipWithError(history.error().c_str());
    }
  }
}
BENCHMARK(add_known_layers)->Unit(benchmark::kMillisecond);

void add_new_layers(benchmark::State& state) {
  const TempFolder folder;
  History history(folder.at("h.db"), History::Access::write);
  BuildRecord record = record_of_500();
  std::size_t n = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (LayerRecord& layer : record.layers) layer.tactic = "tactic " + std::to_string(n);
    state.ResumeTiming();
    if (history.add(std::to_string(n++), record, "2026-11-26 10:00:00") != Added::added) {
      state.SkipWithError(history.error().c_str());
    }
  }
}
BENCHMARK(add_new_layers)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trtlens
