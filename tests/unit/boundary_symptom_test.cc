// Boundary pairs of the rules about symptoms. A profile is 100 ms: shares are per cent.
#include "tests/unit/boundary_pair.h"

namespace trtlens::test {
namespace {

Layer half_conv(const std::string& name, double ms) {
  return conv(name, {tensor(name + " in", kH)}, tensor(name + " out", kH), kH, ms);
}
Layer gemm(const std::string& name, const std::string& from, const std::string& to, double ms) {
  return layer(name, "gemm", {tensor(from, kH)}, {tensor(to, kH)}, ms);
}

Build integer_share(double percent) {
  return build_of(
      {half_conv("c", 100 - percent), layer("gather", "kgen", {tensor("i", DataType::int64)},
                                            {tensor("o", DataType::int32)}, percent)});
}

Build attention_share(double percent) {
  return build_of({half_conv("rest", 100 - percent), gemm("qk", "q", "s", percent - 2),
                   layer("softmax", "CudaSoftMax", {tensor("s", kH)}, {tensor("p", kH)}, 1),
                   gemm("pv", "p", "y", 1)});
}

Build projection_share(double percent) {
  return build_of(
      {half_conv("rest", 100 - percent), gemm("/attn/q_proj/MatMul", "h", "q", percent - 1),
       gemm("/attn/k_proj/MatMul", "h", "k", 0.5), gemm("/attn/v_proj/MatMul", "h", "v", 0.5)});
}

Build elementwise(int count, double percent) {
  std::vector<Layer> layers = {half_conv("c", 100 - percent)};
  for (int i = 0; i < count; ++i) {
    const std::string from = "t" + std::to_string(i), to = "t" + std::to_string(i + 1);
    layers.push_back(layer("__myl_MaxMinCas_myl" + from, "kgen", {tensor(from, kH)},
                           {tensor(to, kH)}, percent / count));
  }
  return build_of(std::move(layers));
}
Build elementwise_count(double count) {
  const int kernels = static_cast<int>(count);
  return elementwise(kernels, 50.0);
}
Build elementwise_share(double percent) {
  return elementwise(10, percent);
}

Build reformats(double percent, double sum_ms) {
  const double ms = percent / 100 * sum_ms;
  return build_of(
      {half_conv("c", sum_ms - ms), reformat("r", tensor("c out", kH), tensor("x", kH), ms)});
}
Build reformat_share(double percent) {
  return reformats(percent, 100);
}
Build reformats_of_a_profile(double sum_ms) {
  return reformats(50, sum_ms);
}

Build shuffles(int count, double percent) {
  std::vector<Layer> layers = {half_conv("c", 100 - percent)};
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    layers.push_back(
        layer("s" + n, "Shuffle", {tensor("a" + n, kH)}, {tensor("b" + n, kH)}, percent / count));
  }
  return build_of(std::move(layers));
}
Build shuffle_share(double percent) {
  return shuffles(4, percent);
}
Build single_shuffle_share(double percent) {
  return shuffles(1, percent);
}

Build hot_share(double percent) {
  std::vector<Layer> layers = {half_conv("hot", percent)};
  for (int i = 0; i < 12; ++i) {
    layers.push_back(half_conv("c" + std::to_string(i), (100 - percent) / 12));
  }
  return build_of(std::move(layers));
}

Build tiny(int count, double each_ms, double rest_ms) {
  std::vector<Layer> layers = {half_conv("big", rest_ms)};
  for (int i = 0; i < count; ++i) layers.push_back(half_conv("c" + std::to_string(i), each_ms));
  return build_of(std::move(layers));
}
Build kernels_of(double ms) {
  return tiny(40, ms, 0.1);
}
Build tiny_count(double count) {
  return tiny(static_cast<int>(count), 0.004, 0.1);
}
Build tiny_share(double percent) {
  return tiny(32, percent / 32 / 256, (100 - percent) / 256);
}

}  // namespace

const std::vector<BoundaryPair>& symptom_boundaries() {
  static const std::vector<BoundaryPair> pairs = {
      {"cast-shape-overhead", "min_share", 0.03, 3, 2.99, integer_share},
      {"mha-not-fused", "min_share", 0.05, 5, 4.99, attention_share},
      {"qkv-not-fused", "min_share", 0.02, 2, 1.99, projection_share},
      {"pointwise-alone", "min_count", 10, 10, 9, elementwise_count},
      {"pointwise-alone", "min_share", 0.10, 10, 9.99, elementwise_share},
      {"reformat-time-share", "min_share", 0.10, 10, 9.99, reformat_share},
      {"reformat-time-share", "major_share", 0.20, 20, 19.99, reformat_share, Severity::major},
      {"reformat-time-share", "min_ms", 0.2, 0.2, 0.1999, reformats_of_a_profile,
       Severity::moderate},
      {"shuffle-dominates", "min_share", 0.15, 15, 14.99, shuffle_share},
      {"shuffle-dominates", "min_single_share", 0.05, 5, 4.99, single_shuffle_share},
      {"single-layer-hotspot", "min_share", 0.10, 10, 9.99, hot_share},
      {"tiny-kernels", "max_ms", 0.005, 0.00499, 0.005, kernels_of},
      {"tiny-kernels", "min_count", 20, 20, 19, tiny_count},
      {"tiny-kernels", "min_share", 0.20, 20, 19.99, tiny_share},
  };
  return pairs;
}

}  // namespace trtlens::test
