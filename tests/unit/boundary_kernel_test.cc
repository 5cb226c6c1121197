// Boundary pairs of the rules about kernels and tactics. A profile is 100 ms: shares are per cent.
#include "tests/unit/boundary_pair.h"

namespace trtlens::test {
namespace {

Autotune race(const char* combination, double ms, std::uint64_t id) {
  Autotune r;
  r.layer = "c";
  r.format_combination = combination;
  r.chosen_runner = "CaskConvolution";
  r.chosen_id = id;
  r.chosen_ms = ms;
  r.timed = 3;
  return r;
}

// The engine has the INT8 kernel.
Build raced(double int8_ms, double half_ms, double share_ms) {
  Build build = build_of({conv("c", {tensor("x", kI)}, tensor("y", kI), kI, share_ms),
                          conv("rest", {tensor("r", kI)}, tensor("s", kI), kI, 100 - share_ms)});
  build.layers[0].tactic_id = 1;
  build.autotuning = {race("Int8(50176,784:32,28,1) -> Int8(50176,784:32,28,1)", int8_ms, 1),
                      race("Half(50176,1:8,1792,64) -> Half(50176,1:8,1792,64)", half_ms, 2)};
  return build;
}
Build race_ratio(double ratio) {
  return raced(ratio, 1, 50);
}
Build race_share(double percent) {
  return raced(2, 1, percent);
}
Build saved_share(double percent) {
  return raced(100, 100 - percent, 50);
}
Build saved_layers(double count) {
  return raced(2, count > 0 ? 1 : 2, 50);
}

Build off_tensor_cores(double percent, double channels) {
  Layer c = conv("c", {tensor("x", kI, {8, static_cast<std::int64_t>(channels), 7, 7})},
                 tensor("y", kI), kI, percent);
  c.tactic_name = "ampere_int8x4_icudnn_int8x4_128x32_relu_interior_c32_nn_v1";
  return build_of({c, conv("rest", {tensor("y", kI)}, tensor("z", kI), kI, 100 - percent)});
}
Build off_tensor_cores_share(double percent) {
  return off_tensor_cores(percent, 64);
}
Build off_tensor_cores_channels(double channels) {
  return off_tensor_cores(50, channels);
}

Build padded(double in, double to, double percent) {
  Layer c = conv("c", {tensor("x", kH, {8, static_cast<std::int64_t>(in), 7, 7})}, tensor("y", kH),
                 kH, percent);
  c.out_maps = static_cast<std::int64_t>(to);
  return build_of({c, conv("next", {tensor("y", kH)}, tensor("z", kH), kH, 100 - percent)});
}
Build padded_share(double percent) {
  return padded(64, 4, percent);
}
// FP16 pads to 8: 6 channels are a quarter of zeros.
Build padded_output(double to) {
  return padded(64, to, 50);
}
// 15 and 13 channels of 16 are 24 % of zeros, 15 and 12 are 30 %.
Build padded_on_both_sides(double to) {
  return padded(15, to, 50);
}
Build padded_input(double in) {
  return padded(in, 64, 50);
}

Build sparse(std::uint64_t eligible, std::uint64_t picked) {
  Build build;
  build.has_log = true;
  build.sparse.eligible = eligible;
  build.sparse.chosen = picked;
  return build;
}
Build eligible_of_the_log(double count) {
  return sparse(static_cast<std::uint64_t>(count), 0);
}
Build picked_of_the_log(double percent) {
  return sparse(100, static_cast<std::uint64_t>(percent));
}
Build eligible_of_the_layers(double count) {
  std::vector<Layer> layers;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    Layer c =
        conv("c" + std::to_string(i), {tensor("x", kH, {1, 64, 8, 8})}, tensor("y", kH), kH, 1);
    c.sparse_weights = false;
    layers.push_back(std::move(c));
  }
  Build build = build_of(std::move(layers));
  build.options.flags = {{"sparsity", "enable"}};
  return build;
}

}  // namespace

const std::vector<BoundaryPair>& kernel_boundaries() {
  static const std::vector<BoundaryPair> pairs = {
      {"int8-tactic-slower-than-fp16", "min_ratio", 1.0, 1.0, 0.9999, race_ratio},
      {"int8-tactic-slower-than-fp16", "min_share", 0.02, 2, 1.99, race_share},
      {"fastest-tactic-not-chosen", "min_share", 0.10, 10, 9.99, saved_share},
      {"fastest-tactic-not-chosen", "min_count", 1, 1, 0, saved_layers},
      {"non-tensor-core-tactic", "min_share", 0.03, 3, 2.99, off_tensor_cores_share},
      {"non-tensor-core-tactic", "min_channels", 16, 16, 15, off_tensor_cores_channels},
      {"tc-alignment", "min_layer_share", 0.02, 2, 1.99, padded_share},
      {"tc-alignment", "min_padding", 0.25, 6, 7, padded_output},
      {"tc-alignment", "min_padding", 0.25, 12, 13, padded_on_both_sides},
      {"tc-alignment", "min_channels", 5, 5, 4, padded_input},
      {"sparsity-not-used", "min_eligible", 2, 2, 1, eligible_of_the_log},
      {"sparsity-not-used", "min_eligible", 2, 2, 1, eligible_of_the_layers},
      {"sparsity-not-used", "max_picked", 0.5, 50, 51, picked_of_the_log},
  };
  return pairs;
}

}  // namespace trtlens::test
