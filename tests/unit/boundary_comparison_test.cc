// Boundary pairs of the rules of two builds.
#include "tests/unit/boundary_pair.h"

namespace trtlens::test {
namespace {

Layer layer_of(const std::string& name, DataType type, double ms) {
  Layer l = conv(name, {tensor(name + " in", type)}, tensor(name + " out", type), type, ms);
  l.onnx_nodes = {name};
  return l;
}

Build timed(std::vector<Layer> layers, double gpu_ms) {
  Build build = build_of(std::move(layers));
  build.performance.gpu_compute.emplace().median_ms = gpu_ms;
  return build;
}

Build commanded(Build build, std::vector<std::pair<std::string, std::string>> flags) {
  build.commands = {"trtexec"};
  build.options.flags = std::move(flags);
  build.options.flags.emplace_back("onnx", "m.onnx");
  return build;
}

Build with_tactic(const char* tactic, double a_ms, double gpu_ms) {
  Build build = timed({layer_of("/a", kH, a_ms), layer_of("/b", kH, 50)}, gpu_ms);
  build.layers[0].tactic_name = tactic;
  return commanded(std::move(build), {{"fp16", ""}});
}
Build first_build(double) {
  return with_tactic("t1", 50, 100);
}
Build shifted_build(double shift) {
  return with_tactic("t2", 60, 100 * (1 + shift));
}
Build changed_tactics(double percent) {
  return with_tactic("t2", 50 + percent, 100);
}

Build native(double) {
  return commanded(timed({layer_of("/a", kH, 100)}, 100), {});
}
Build portable(double slower) {
  return commanded(timed({layer_of("/a", kH, 100)}, 100 * (1 + slower)),
                   {{"versionCompatible", ""}});
}

Build weighted(const char* label, DataType type, std::int64_t bytes) {
  Build build = timed({layer_of("/a", type, 100)}, 100);
  // Where INT8 is allowed, something has to be INT8.
  if (label == std::string("INT8")) build.layers.push_back(quantize("q", "x", "/a in", 0));
  build.allowed.labels = {"FP32", label};
  build.memory.weights_bytes = bytes;
  return build;
}
constexpr std::int64_t kMib = 1048576;
Build hundred_mib(double) {
  return weighted("FP16", kH, 100 * kMib);
}
Build int8_bytes_over_75_mib(double bytes) {
  return weighted("INT8", kF, 75 * kMib + static_cast<std::int64_t>(bytes));
}
Build bytes_below_4_mib(double bytes) {
  return weighted("FP16", kH, 4 * kMib - static_cast<std::int64_t>(bytes));
}
Build four_mib_of_int8(double) {
  return weighted("INT8", kF, 4 * kMib);
}

Build ada(DataType type, double ms) {
  Build build = timed({layer_of("/a", type, ms)}, ms);
  build.gpu.emplace().compute_capability = "8.9";
  return build;
}
Build fp16_on_ada(double) {
  return ada(kH, 100);
}
Build fp8_on_ada(double gain) {
  return ada(k8, 100 * (1 - gain));
}

Build calibrated(double) {
  Build build = timed({layer_of("/a", kI, 50), layer_of("/b", kI, 50)}, 100);
  build.allowed.labels = {"FP32", "INT8"};
  return build;
}
Build explicit_one(double slower) {
  Build build = timed({quantize("QuantizeLinear_1", "x", "/a in", 10), layer_of("/a", kI, 50),
                       layer_of("/b", kF, 60)},
                      100 * (1 + slower));
  build.allowed.labels = {"FP32", "INT8"};
  return build;
}

Build fp16_build(double) {
  return timed({layer_of("/a", kH, 50), layer_of("/b", kH, 50)}, 100);
}
Build int8_of_ratio(double ratio) {
  return timed({layer_of("/a", kI, 50), layer_of("/b", kI, 50)}, 100 * ratio);
}
// So much of the arithmetic is INT8, and no Q/DQ is seen.
Build int8_of_share(double percent) {
  return timed({layer_of("/a", kI, percent), layer_of("/b", kH, 100 - percent)}, 120);
}

Build fp16_of_a_small_layer(double) {
  return timed({layer_of("/a", kH, 96), layer_of("/b", kH, 4)}, 100);
}
Build int8_slower_by_share_of_all(double percent) {
  return timed({layer_of("/a", kI, 50), layer_of("/b", kI, 4 + percent)}, 60);
}
Build int8_slower_by_share_of_itself(double percent) {
  return timed({layer_of("/a", kI, 20), layer_of("/b", kI, 50 + percent / 2)}, 80);
}

Build of_version(int minor, double ms) {
  Build build = commanded(timed({layer_of("/a", kH, ms)}, ms), {{"fp16", ""}});
  build.tensorrt.emplace().major = 8;
  build.tensorrt->minor = minor;
  return build;
}
Build older(double) {
  return of_version(5, 100);
}
Build newer(double slower) {
  return of_version(6, 100 * (1 + slower));
}

Build weakly_typed(double) {
  Build build = timed({layer_of("/a", kH, 100)}, 100);
  build.allowed.labels = {"FP32", "FP16"};
  return build;
}
Build strongly_typed(double slower) {
  Build build = timed({layer_of("/a", kF, 100)}, 100 * (1 + slower));
  build.allowed.strongly_typed = true;
  return build;
}

}  // namespace

const std::vector<BoundaryPair>& comparison_boundaries() {
  constexpr Severity kAny = Severity::info;
  static const std::vector<BoundaryPair> pairs = {
      {"builds-nondeterministic", "max_shift", 0.05, 0.0499, 0.0501, shifted_build, kAny,
       first_build},
      {"builds-nondeterministic", "max_shift", 0.05, -0.0476, -0.0477, shifted_build, kAny,
       first_build},
      {"builds-nondeterministic", "min_share", 0.01, 1, 0.99, changed_tactics, kAny, first_build},
      {"compat-engine-slower-compared", "min_slower", 0.05, 0.0501, 0.0499, portable, kAny, native},
      {"engine-size-precision-compared", "max_ratio", 0.75, 1, 0, int8_bytes_over_75_mib, kAny,
       hundred_mib},
      {"engine-size-precision-compared", "min_mib", 4, 0, 1, four_mib_of_int8, kAny,
       bytes_below_4_mib},
      {"fp8-conv-no-speedup-ada", "min_gain", 0.05, 0.0499, 0.0501, fp8_on_ada, kAny, fp16_on_ada},
      {"implicit-vs-explicit-gap", "min_slower", 0.10, 0.1001, 0.0999, explicit_one, kAny,
       calibrated},
      {"int8-slower-than-fp16", "min_ratio", 0.95, 0.9501, 0.9499, int8_of_ratio, kAny, fp16_build},
      {"int8-slower-than-fp16", "min_narrow", 0.1, 10, 9.99, int8_of_share, kAny, fp16_build},
      {"layer-regressed-by-quantisation", "min_slower", 0.10, 10.01, 9.99,
       int8_slower_by_share_of_itself, kAny, fp16_build},
      {"layer-regressed-by-quantisation", "min_share", 0.01, 1.01, 1, int8_slower_by_share_of_all,
       kAny, fp16_of_a_small_layer},
      {"version-regression", "min_slower", 0.05, 0.0501, 0.0499, newer, kAny, older},
      {"weak-vs-strong-regression", "min_slower", 0.05, 0.0501, 0.0499, strongly_typed, kAny,
       weakly_typed},
  };
  return pairs;
}

}  // namespace trtlens::test
