// Boundary pairs of the rules about what stands where. A profile is 100 ms: shares are per cent.
#include "tests/unit/boundary_pair.h"

namespace trtlens::test {
namespace {

Layer half_conv(const std::string& from, const std::string& to, double ms) {
  return conv(from + " conv " + to, {tensor(from, kH)}, tensor(to, kH), kH, ms);
}

Build branches_with_a_q(double count) {
  std::vector<Layer> layers = {conv("c1", {tensor("a", kI)}, tensor("cat", kI), kI, 30)};
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const std::string n = std::to_string(i);
    layers.push_back(half_conv("a" + n, "b" + n, 10));
    layers.push_back(quantize("q" + n, "b" + n, "cat", 10, kH));
  }
  layers.push_back(conv("c2", {tensor("cat", kI)}, tensor("y", kI), kI, 30));
  return build_of(std::move(layers));
}

Build pieces(double count) {
  Build build;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    build.placements.push_back({"{ForeignNode[" + std::to_string(i) + "]}", true, {}});
  }
  build.placements.push_back({"SHUFFLE: b", false, {}});
  return build;
}

Build pad_share(double percent) {
  const Tensor x = tensor("x", kH, {8, 64, 56, 56}), p = tensor("p", kH, {8, 64, 58, 58});
  return build_of({layer("/Pad", "Slice", {x}, {p}, percent),
                   conv("c", {p}, tensor("y", kH), kH, 100 - percent)});
}

Build input_quantise_share(double percent) {
  Build build = build_of({quantize("q", "image", "x", percent),
                          conv("c1", {tensor("x", kI)}, tensor("y", kI), kI, 100 - percent)});
  add_io(build, tensor("image", kF), true);
  return build;
}

Build io_reformat_share(double percent) {
  Build build = build_of({reformat("in", tensor("image", kF), tensor("x", kH), percent),
                          half_conv("x", "y", 100 - percent)});
  add_io(build, tensor("image", kF), true);
  return build;
}

Build linear_int8(double channels) {
  Tensor x = tensor("x", kI, {8, static_cast<std::int64_t>(channels), 7, 7});
  x.format = "Row major Int8 format";
  return build_of({conv("c", {x}, tensor("y", kI), kI, 100)});
}

// The kernels count together with the plugin.
Build plugin_share(double percent) {
  Layer plugin = layer("plugin", "PluginV2", {tensor("b", kF)}, {tensor("c", kF)}, 1);
  plugin.plugin_type = "InstanceNormalization_TRT";
  return build_of({half_conv("x", "a", 100 - percent - 1),
                   reformat("in", tensor("a", kH), tensor("b", kF), percent - 2), plugin,
                   reformat("out", tensor("c", kF), tensor("d", kH), 1), half_conv("d", "y", 1)});
}

Build mixed_reformat_share(double percent) {
  return build_of({half_conv("x", "a", 100 - percent),
                   reformat("r", tensor("a", kH), tensor("b", kF), percent),
                   layer("soft", "CudaSoftMax", {tensor("b", kF)}, {tensor("y", kF)}, 0)});
}

Build chain_share(double percent) {
  return build_of(
      {half_conv("x", "a", 50), reformat("r1", tensor("a", kH), tensor("b", kH), percent - 0.5),
       reformat("r2", tensor("b", kH), tensor("c", kH), 0.5), half_conv("c", "y", 50 - percent)});
}

Build open_quantizers(double count) {
  std::vector<Layer> layers = {quantize("q", "a", "b", 10),
                               conv("c", {tensor("b", kI)}, tensor("c", kI), kI, 80)};
  if (count > 1) layers.push_back(dequantize("dq", "c", "d", 10));
  return build_of(std::move(layers));
}

}  // namespace

const std::vector<BoundaryPair>& placement_boundaries() {
  static const std::vector<BoundaryPair> pairs = {
      {"concat-scale-mismatch", "min_count", 2, 2, 1, branches_with_a_q},
      {"dla-cut-by-gpu", "pieces", 2, 2, 1, pieces},
      {"dla-cut-by-gpu", "major_pieces", 3, 3, 2, pieces, Severity::major},
      {"explicit-pad", "min_share", 0.05, 5, 4.99, pad_share},
      {"input-quantise-cost", "min_share", 0.05, 5, 4.99, input_quantise_share},
      {"io-format-forces-reformat", "min_share", 0.05, 5, 4.99, io_reformat_share},
      {"int8-not-vectorised-format", "min_channels", 5, 5, 4, linear_int8},
      {"plugin-reformat-wall", "min_share", 0.05, 5, 4.99, plugin_share},
      {"mixed-type-reformat", "min_share", 0.02, 2, 1.99, mixed_reformat_share},
      {"reformat-chain", "min_share", 0.01, 1, 0.99, chain_share},
      {"qdq-unfused-standalone", "min_count", 2, 2, 1, open_quantizers},
  };
  return pairs;
}

}  // namespace trtlens::test
