// The device table, and the roof of layers worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "analyzers/ledgers/devices.h"
#include "report/document/document.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/document_parts_of.h"

namespace trtlens::roofline_test {
namespace {

using test::tensor;
using ::testing::HasSubstr;

constexpr DataType kH = DataType::fp16;

// Multiply-accumulates of FP16 a clock and SM, dense, with tensor cores.
constexpr double fp16_rate(int sm) {
  switch (sm) {
    case 100:
      return 4096;
    case 90:
      return 2048;
    case 80:
    case 87:
      return 1024;
    default:
      return 512;
  }
}

TEST(Devices, HavePeaksThatFollowFromTheirSmsAndClocks) {
  for (const Device& d : devices()) {
    const double tops = 2e-3 * d.sms * d.clock_ghz;  // per multiply-accumulate a clock and SM
    EXPECT_NEAR(d.fp16_tensor / (tops * fp16_rate(d.sm)), 1, 0.03) << d.name;
    const double lanes = d.sm == 70 || d.sm == 72 || d.sm == 75 || d.sm == 80 ? 64 : 128;
    EXPECT_NEAR(d.fp32 / (tops * lanes), 1, 0.12) << d.name;
    if (d.int8_tensor > 0) {
      EXPECT_NEAR(d.int8_tensor / d.fp16_tensor, 2, 0.03) << d.name;
    }
    if (d.fp8_tensor > 0) {
      EXPECT_NEAR(d.fp8_tensor, d.int8_tensor, 1) << d.name;
    }
    if (d.fp4_tensor > 0) {
      EXPECT_NEAR(d.fp4_tensor / d.fp8_tensor, 2, 0.03) << d.name;
    }
    EXPECT_GT(d.bandwidth_gbps, 100) << d.name;
    EXPECT_EQ(std::string(d.source).rfind("https://", 0), 0U) << d.name;
  }
}

TEST(Devices, AreFoundByTheirWholeName) {
  const auto find = [](const char* name, const char* capability, std::optional<int> sms = {}) {
    Gpu gpu;
    gpu.name = name;
    gpu.compute_capability = capability;
    gpu.sms = sms;
    const std::optional<Device> device = find_device(gpu);
    return device ? device->name : "none";
  };
  EXPECT_EQ(find("NVIDIA H200", "9.0"), "H200");
  EXPECT_EQ(find("Tesla T4", "7.5"), "T4");
  EXPECT_EQ(find("NVIDIA A100-PCIE-40GB", "8.0"), "A100-PCIE-40GB");
  EXPECT_EQ(find("GeForce RTX 3090", ""), "RTX 3090");
  EXPECT_EQ(find("NVIDIA A2", "8.6"), "A2");
  EXPECT_EQ(find("NVIDIA GeForce RTX 3090 Ti", "8.6"), "none");
  EXPECT_EQ(find("NVIDIA GeForce RTX 3070 Laptop GPU", "8.6"), "none");
  EXPECT_EQ(find("NVIDIA H200", "8.0"), "none");  // names lie
  EXPECT_EQ(find("Orin", "8.7", 16), "Orin");
  EXPECT_EQ(find("Orin", "8.7", 8), "none");  // NX or Nano
  EXPECT_EQ(find("Orin", "8.7"), "none");
  EXPECT_EQ(find("", ""), "none");
}

Gpu described(const char* name, const char* capability) {
  Gpu gpu;
  gpu.name = name;
  gpu.compute_capability = capability;
  gpu.sms = 20;
  gpu.compute_clock_ghz = 1.5;
  gpu.memory_clock_ghz = 6.001;
  gpu.memory_bus_bits = 192;
  return gpu;
}

TEST(Devices, WithoutARowHaveThePeaksOfTheirArchitecture) {
  const auto laptop = find_device(described("NVIDIA GeForce RTX 3050 Ti Laptop GPU", "8.6"));
  ASSERT_TRUE(laptop);
  EXPECT_EQ(laptop->name, "GPUs of compute capability 8.6");
  EXPECT_NEAR(laptop->fp16_tensor, 2e-3 * 20 * 1.5 * 512, 1e-9);
  EXPECT_NEAR(laptop->fp32, 2e-3 * 20 * 1.5 * 128, 1e-9);
  EXPECT_TRUE(find_device(described("NVIDIA TITAN RTX", "7.5")));
  EXPECT_FALSE(find_device(described("Quadro T2000", "7.5")));  // no tensor cores
  EXPECT_FALSE(find_device(described("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0")));
  EXPECT_FALSE(find_device(described("Orin", "8.7")));
  Gpu no_clock = described("NVIDIA GeForce RTX 3060", "8.6");
  no_clock.compute_clock_ghz.reset();
  EXPECT_FALSE(find_device(no_clock));
}

TEST(Devices, SlicesHaveTheirPartOfTheMemory) {
  const auto slice = [](const char* name, const char* capability, std::optional<int> sms) {
    Gpu gpu;
    gpu.name = name;
    gpu.compute_capability = capability;
    gpu.sms = sms;
    const std::optional<Device> device = find_device(gpu);
    return device ? device->bandwidth_gbps : -1;
  };
  EXPECT_DOUBLE_EQ(slice("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0", 14), 1555.0 / 8);
  EXPECT_DOUBLE_EQ(slice("NVIDIA A100-SXM4-40GB MIG 3g.20gb", "8.0", 42), 1555.0 / 2);
  EXPECT_DOUBLE_EQ(slice("NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb", "8.0", 14), 1555.0 / 2);
  EXPECT_DOUBLE_EQ(slice("NVIDIA A100 80GB PCIe MIG 1g.20gb", "8.0", 14), 1935.0 / 4);
  EXPECT_DOUBLE_EQ(slice("NVIDIA H100 80GB HBM3 MIG 3g.40gb", "9.0", 60), 3352.0 / 2);
  EXPECT_DOUBLE_EQ(slice("NVIDIA H200 MIG 1g.18gb+me", "9.0", 16), 4800.0 / 8);
  EXPECT_DOUBLE_EQ(slice("NVIDIA A30 MIG 2g.12gb", "8.0", 28), 933.0 / 2);
  EXPECT_EQ(slice("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0", {}), -1);   // SMs not known
  EXPECT_EQ(slice("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "8.0", 42), -1);   // more than its share
  EXPECT_EQ(slice("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "9.0", 14), -1);   // names lie
  EXPECT_EQ(slice("NVIDIA A100-SXM4-40GB MIG 7g.80gb", "8.0", 98), -1);  // more than there is
  EXPECT_EQ(slice("NVIDIA A100-SXM4-40GB MIG 1g", "8.0", 14), -1);
  EXPECT_EQ(slice("NVIDIA B200 MIG 1g.23gb", "10.0", 18), -1);  // not in the table of slices
}

// The memory clock and bus in a slice's log are those of the whole GPU.
TEST(Devices, OfASliceTheLogDoesNotTellTheMemory) {
  Build build = test::build_of({test::conv("c", {tensor("x", kH)}, tensor("y", kH), kH, 1)});
  build.gpu.emplace();
  build.gpu->name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb";
  build.gpu->compute_capability = "8.0";
  build.gpu->sms = 14;
  build.gpu->memory_clock_ghz = 1.215;
  build.gpu->memory_bus_bits = 5120;
  const Analysis a = test::analyze_build(build);
  EXPECT_EQ(a.roofline.device, "A100-SXM4-40GB MIG 1g.5gb");
  EXPECT_DOUBLE_EQ(a.roofline.bandwidth_gbps, 1555.0 / 8);
  EXPECT_FALSE(a.roofline.bandwidth_of_log);
}

// The rows of the table stand for the rates of the architectures, at most twice as fast as GeForce.
TEST(Devices, OfTheTableAgreeWithTheirArchitecture) {
  for (const Device& d : devices()) {
    Gpu gpu = described("a GPU with RTX in its name", "");
    gpu.compute_capability = std::to_string(d.sm / 10) + '.' + std::to_string(d.sm % 10);
    gpu.sms = d.sms;
    gpu.compute_clock_ghz = d.clock_ghz;
    const auto architecture = find_device(gpu);
    if (!architecture) continue;
    EXPECT_NEAR(d.fp16_tensor / architecture->fp16_tensor, 1, 0.03) << d.name;
    EXPECT_NEAR(d.int8_tensor, architecture->int8_tensor, 0.03 * architecture->int8_tensor + 1e-9)
        << d.name;
    EXPECT_LE(d.tf32, 1.03 * architecture->tf32) << d.name;
    EXPECT_GE(d.tf32, 0.48 * architecture->tf32) << d.name;
    EXPECT_LE(d.bf16_tensor, 1.03 * architecture->bf16_tensor) << d.name;
    EXPECT_GE(d.bf16_tensor, 0.48 * architecture->bf16_tensor) << d.name;
  }
}

TEST(Devices, DoDp4aWithTheirIntegerLanes) {
  Device d;
  d.fp32 = 10;
  d.int8_tensor = 80;
  for (const auto& [sm, tops] :
       std::map<int, double>{{75, 40}, {80, 40}, {86, 20}, {90, 20}, {120, 40}}) {
    d.sm = sm;
    EXPECT_EQ(peak_of(d, Precision::int8, false), tops) << sm;
  }
}

// 1x1 convolution of 32 x `channels` x 56 x 56.
Layer convolution(std::int64_t channels, std::int64_t groups, double ms) {
  Layer l = test::conv("c", {tensor("x", kH, {32, channels, 56, 56})},
                       tensor("y", kH, {32, channels, 56, 56}), kH, ms);
  l.kernel = {1, 1};
  l.groups = groups;
  l.weights = Weights{kH, channels * channels / groups};
  return l;
}

Analysis on(const char* gpu, Layer layer) {
  Build build = test::build_of({std::move(layer)});
  build.gpu = Gpu();
  build.gpu->name = gpu;
  return test::analyze_build(std::move(build));
}

LayerRoof only_roof(const Analysis& a) {
  EXPECT_EQ(a.roofline.layers.size(), 1U);
  return a.roofline.layers.empty() ? LayerRoof() : a.roofline.layers[0];
}

TEST(Roofline, IsTheLongerOfComputingAndMoving) {
  const LayerRoof few = only_roof(on("NVIDIA L4", convolution(64, 1, 1)));
  // 32 x 64 x 56 x 56 in and out of 2 bytes, 64 x 64 weights; 300 GB/s.
  EXPECT_NEAR(few.roof_ms, 2.0 * (2 * 6422528 + 4096) / 300e9 * 1e3, 1e-9);
  EXPECT_NEAR(few.efficiency, few.roof_ms, 1e-9);
  EXPECT_EQ(few.bound, Bound::memory);
  EXPECT_TRUE(few.tensor_cores);
  EXPECT_EQ(few.misfit, "");
  const LayerRoof many = only_roof(on("NVIDIA L4", convolution(4096, 1, 100)));
  EXPECT_NEAR(many.roof_ms, 2.0 * 32 * 56 * 56 * 4096 * 4096 / 121e12 * 1e3, 1e-6);
  EXPECT_EQ(many.bound, Bound::compute);
}

TEST(Roofline, ScalesWithTheClockAndTheMemoryOfTheLog) {
  Build build = test::build_of({convolution(4096, 1, 100)});
  build.gpu = Gpu();
  build.gpu->name = "NVIDIA H200";
  build.gpu->sms = 132;
  build.gpu->compute_clock_ghz = 1.83 / 2;
  build.gpu->memory_clock_ghz = 3.201;
  build.gpu->memory_bus_bits = 6016;
  const Analysis a = test::analyze_build(build);
  EXPECT_NEAR(a.roofline.bandwidth_gbps, 4814.3, 0.1);
  EXPECT_TRUE(a.roofline.bandwidth_of_log);
  EXPECT_NEAR(only_roof(a).roof_ms, 2.0 * 32 * 56 * 56 * 4096 * 4096 / (989.4e12 / 2) * 1e3, 1e-6);
}

TEST(Roofline, TakesNoTensorCoresForDepthwiseConvolution) {
  const LayerRoof roof = only_roof(on("NVIDIA L4", convolution(64, 64, 1)));
  EXPECT_FALSE(roof.tensor_cores);
  EXPECT_EQ(roof.misfit, "depthwise: nothing for tensor cores to sum up");
}

TEST(Roofline, SaysWhichChannelsTensorCoresHaveToPad) {
  const LayerRoof roof = only_roof(on("NVIDIA L4", convolution(60, 1, 1)));
  EXPECT_TRUE(roof.tensor_cores);
  EXPECT_EQ(roof.misfit, "60 channels in; FP16 tensor cores take 8");
}

TEST(Roofline, CallsALayerBelowTheFloorBoundByItsLaunch) {
  EXPECT_EQ(only_roof(on("NVIDIA L4", convolution(64, 1, 0.0049))).bound, Bound::launch);
  EXPECT_NE(only_roof(on("NVIDIA L4", convolution(64, 1, 0.0051))).bound, Bound::launch);
}

TEST(Roofline, IsNotDrawnForAnUnknownDevice) {
  const Analysis unknown = on("NVIDIA Graphics Device", convolution(64, 1, 1));
  EXPECT_TRUE(unknown.roofline.layers.empty());
  EXPECT_EQ(unknown.roofline.unknown,
            "the device table has no row for NVIDIA Graphics Device, and the input does not print "
            "its SMs, clocks and memory bus");
  const Analysis none = test::analyze_layers({convolution(64, 1, 1)});
  EXPECT_EQ(none.roofline.unknown, "the input does not name the GPU");
}

TEST(Roofline, IsNotDrawnForAnUnknownBatch) {
  Layer l = convolution(64, 1, 1);
  l.inputs[0].dims = l.outputs[0].dims = {64, 56, 56};
  const Analysis unknown = on("NVIDIA L4", l);
  EXPECT_TRUE(unknown.roofline.layers.empty());
  EXPECT_EQ(unknown.roofline.unknown,
            "the engine's shapes lack the batch, and the input does not say it");
  Build build = test::build_of({l});
  build.gpu = Gpu();
  build.gpu->name = "NVIDIA L4";
  build.inference.batch = 2;
  EXPECT_EQ(only_roof(test::analyze_build(std::move(build))).macs, 2.0 * 64 * 64 * 56 * 56);
}

TEST(Roofline, CountsLayersWhoseWorkIsUnknown) {
  Layer dynamic = convolution(64, 1, 1);
  dynamic.inputs[0].dims = {-1, 64, 56, 56};
  const Analysis a = on("NVIDIA L4", dynamic);
  EXPECT_TRUE(a.roofline.layers.empty());
  EXPECT_EQ(a.roofline.without_work, 1U);
}

// 1x1 convolution in INT8 of 64 channels.
Layer int8_convolution(const char* tactic, std::int64_t groups = 1) {
  Layer l = test::conv("c", {tensor("x", DataType::int8, {32, 64, 56, 56})},
                       tensor("y", DataType::int8, {32, 64, 56, 56}), DataType::int8, 1);
  l.kernel = {1, 1};
  l.groups = groups;
  l.weights = Weights{DataType::int8, std::int64_t{64} * 64 / groups};
  l.tactic_name = tactic;
  return l;
}

std::string sentence_of(const Analysis& a) {
  const Document d = build_document(a, 10);
  const auto paragraphs = blocks_of<Paragraph>(d, "roofline");
  return paragraphs.empty() ? std::string() : paragraphs[0]->text;
}

// A judgement of 4 % of the time is not one of the engine.
TEST(Roofline, SaysWhatItDoesNotCover) {
  EXPECT_THAT(sentence_of(on("NVIDIA L4", convolution(64, 1, 1))),
              HasSubstr("The 1 layer below takes 1.000 ms; at the device's peaks"));
  Build build = test::build_of(
      {convolution(64, 1, 1), test::layer("{ForeignNode[a...b]}", "Myelin", {}, {}, 20),
       test::reformat("r", tensor("y", kH), tensor("z", DataType::fp32), 4)});
  build.gpu.emplace().name = "NVIDIA L4";
  EXPECT_THAT(
      sentence_of(test::analyze_build(build)),
      HasSubstr("The 1 layer below takes 1.000 ms, without the other 24.000 ms (96 %), 80 % "
                "of the profile in regions or plugins whose inside is not known; at"));
  build.layers.erase(build.layers.begin() + 1);
  build.profile_sum_ms = 5;
  EXPECT_THAT(sentence_of(test::analyze_build(build)),
              HasSubstr("takes 1.000 ms, without the other 4.000 ms (80 %); at"));
}

TEST(Roofline, HoldsKernelsOffTensorCoresAgainstTheOrdinaryUnits) {
  const LayerRoof dp4a =
      only_roof(on("NVIDIA L4", int8_convolution("ampere_int8x4_icudnn_int8x4_128x32_nn_v1")));
  EXPECT_FALSE(dp4a.tensor_cores);
  EXPECT_EQ(dp4a.misfit, "kernel without tensor cores");
  const LayerRoof imma = only_roof(on(
      "NVIDIA L4", int8_convolution("turing_int8_i8816cudnn_int8_256x64_ldg16_relu_small_nt_v1")));
  EXPECT_TRUE(imma.tensor_cores);
  Layer vector = convolution(64, 1, 1);
  vector.tactic_name = "sm50_xmma_cublas_gemvx_f16f16_f32_f32_tn_n_int32_unit_n";
  EXPECT_FALSE(only_roof(on("NVIDIA L4", vector)).tensor_cores);
}

TEST(Roofline, KnowsDepthwiseKernelsOfTensorCores) {
  Layer l = convolution(64, 64, 1);
  l.tactic_name = "sm50_xmma_convolution_depthwiseHMMA_FP16NHWCx8_TR3_TS3_STRIDEH1_STRIDEW1";
  const LayerRoof roof = only_roof(on("NVIDIA L4", l));
  EXPECT_TRUE(roof.tensor_cores);
  EXPECT_EQ(roof.misfit, "");
}

TEST(Roofline, KnowsThatImagesArePaddedToFourChannels) {
  Layer l = convolution(64, 1, 1);
  l.inputs[0].dims = {32, 3, 56, 56};
  l.weights = Weights{kH, std::int64_t{3} * 64};
  EXPECT_EQ(only_roof(on("NVIDIA L4", l)).misfit, "3 channels in; FP16 tensor cores take 8");
  l.tactic_name = "sm90_xmma_fprop_image_first_layer_f16f16_f32_f16_nhwckrsc_nhwc_hmma_k64c4r7s7";
  EXPECT_EQ(only_roof(on("NVIDIA L4", l)).misfit, "3 channels in, padded to 4");
  l.tactic_name = {};
  l.inputs[0].format = "Channel major FP16 format where channel % 4 == 0";
  EXPECT_EQ(only_roof(on("NVIDIA L4", l)).misfit, "3 channels in, padded to 4");
}

TEST(Roofline, DoublesForSparseWeightsFromAmpereOn) {
  Layer l = convolution(4096, 1, 100);
  const double dense_ms = only_roof(on("NVIDIA L4", l)).roof_ms;
  l.sparse_weights = true;
  const LayerRoof sparse = only_roof(on("NVIDIA L4", l));
  EXPECT_TRUE(sparse.sparse);
  EXPECT_NEAR(sparse.roof_ms, dense_ms / 2, 1e-6);
  EXPECT_FALSE(only_roof(on("Tesla T4", l)).sparse);
  l.sparse_weights = false;
  EXPECT_FALSE(only_roof(on("NVIDIA L4", l)).sparse);
}

TEST(Roofline, CountsLayersWithoutAPeakApart) {
  Layer l = convolution(64, 1, 1);
  l.inputs[0].type = l.outputs[0].type = l.weights->type = DataType::fp8;
  const Analysis a = on("Tesla T4", l);
  EXPECT_EQ(a.roofline.without_work, 0U);
  EXPECT_EQ(a.roofline.without_peak, 1U);
  EXPECT_EQ(on("NVIDIA L4", l).roofline.without_peak, 0U);
}

}  // namespace
}  // namespace trtlens::roofline_test
