// Boundary pairs of the rules about precision. A profile is 100 ms: shares are per cent.
#include <cmath>

#include "tests/unit/boundary_pair.h"

namespace trtlens::test {
namespace {

Layer rest(double ms) {
  return conv("rest", {tensor("rest in", kH)}, tensor("rest out", kH), kH, ms);
}

Build forced(std::size_t count, double ms) {
  std::vector<Layer> layers = {rest(100 - ms)};
  std::vector<LayerNote> notes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    layers.push_back(conv("forced" + n, {tensor("a" + n, kF)}, tensor("b" + n, kF), kF,
                          ms / static_cast<double>(count)));
    notes.push_back({"forced" + n, "precision fp32", {}});
  }
  Build build = build_of(std::move(layers));
  build.forced_precision = std::move(notes);
  build.allowed.labels = {"FP32", "FP16"};
  build.has_log = true;
  return build;
}
Build forced_layers(double count) {
  return forced(static_cast<std::size_t>(count), 50);
}
Build forced_share(double percent) {
  return forced(4, percent);
}

// FP32 arithmetic of so many per cent beside a pooling.
Build fp32_share(double percent) {
  Build build =
      build_of({conv("c", {tensor("a", kF)}, tensor("b", kF), kF, percent),
                layer("pool", "CudaPooling", {tensor("b", kF)}, {tensor("y", kF)}, 100 - percent)});
  build.producer = "trtexec";
  build.allowed.labels = {"FP32"};
  build.gpu.emplace().compute_capability = "8.0";
  return build;
}
Build without_tf32(double percent) {
  Build build = fp32_share(percent);
  build.layers[0].tactic_name = "sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x64x8_ffma";
  build.allowed.no_tf32 = true;
  return build;
}

Build fp8_kernel(double elements) {
  Layer c = conv("conv", {tensor("d", kH)}, tensor("e", kH), kH, 50);
  c.groups = 1;
  c.out_maps = 64;
  c.kernel = {1, static_cast<std::int64_t>(elements)};
  return build_of({reformat("dq", tensor("a", k8), tensor("d", kH), 10, "QDQ"), c,
                   reformat("q", tensor("e", kH), tensor("f", k8), 10, "QDQ"),
                   conv("next", {tensor("f", k8)}, tensor("y", kH), k8, 30)});
}

// A chain of a hundred convolutions, the last one wide.
Build narrow_share(double share) {
  constexpr int kLayers = 100;
  const int narrow = static_cast<int>(std::lround(share * kLayers));
  std::vector<Layer> layers;
  for (int i = 0; i < kLayers; ++i) {
    const std::string from = "t" + std::to_string(i), to = "t" + std::to_string(i + 1);
    const DataType type = i < narrow ? kI : kF;
    layers.push_back(conv("c" + from, {tensor(from, type)}, tensor(to, type), type, 1));
  }
  Build build = build_of(std::move(layers));
  build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}

Build uncalibrated(double tensors) {
  Build build = build_of({conv("c1", {tensor("a", kF)}, tensor("b", kF), kF, 50),
                          conv("c2", {tensor("b", kF)}, tensor("c", kF), kF, 50)});
  for (int i = 0; i < static_cast<int>(tensors); ++i) {
    build.missing_scales.push_back({i == 0 ? "b" : "c", 1, {}});
  }
  build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}

Build region_share(double percent) {
  return build_of({rest(100 - percent), layer("{ForeignNode[n1...n2]}", "Myelin", {tensor("b", kF)},
                                              {tensor("y", kF)}, percent)});
}

// Of the two products around a softmax so many are known to be wide; of the other nothing is known.
Build wide_products(double count) {
  const DataType second = count > 1 ? kF : DataType::unknown;
  Build build = build_of({layer("qk", "gemm", {tensor("q", kF)}, {tensor("s", kF)}, 40),
                          layer("softmax", "CudaSoftMax", {tensor("s", kF)}, {tensor("p", kF)}, 20),
                          layer("pv", "gemm", {tensor("p", second)}, {tensor("y", second)}, 40)});
  build.allowed.labels = {"FP32", "INT8"};
  build.has_log = true;
  return build;
}
Build names_of_attention(double count) {
  Build build;
  build.has_log = true;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    build.missing_scales.push_back({"/attention/self/" + std::to_string(i), 1, {}});
  }
  return build;
}

}  // namespace

const std::vector<BoundaryPair>& precision_boundaries() {
  static const std::vector<BoundaryPair> pairs = {
      {"forced-higher-precision-many", "min_count", 3, 3, 2, forced_layers},
      {"forced-higher-precision-many", "min_share", 0.20, 20, 19.99, forced_share},
      {"fp32-only-allowed", "min_share", 0.30, 30, 29.99, fp32_share},
      {"noTF32-fp32-slow", "min_share", 0.20, 20, 19.99, without_tf32},
      {"fp8-conv-kernel-gt-32", "max_size", 32, 33, 32, fp8_kernel},
      {"implicit-last-layer-fp32", "min_narrow_share", 0.5, 0.50, 0.49, narrow_share},
      {"missing-scale-only-warnings-no-int8-at-all", "min_count", 2, 2, 1, uncalibrated},
      {"myelin-region-fp32", "min_share", 0.20, 20, 19.99, region_share},
      {"transformer-implicit-int8", "min_count", 2, 2, 1, wide_products},
      {"transformer-implicit-int8", "min_count", 2, 2, 1, names_of_attention},
  };
  return pairs;
}

}  // namespace trtlens::test
