// A build that is of all that clauses are about, and contracts by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzers/contract/contract.h"
#include "tests/unit/build_maker.h"

namespace trtlens::test {

inline Contract contract_of(const std::string& clauses) {
  std::vector<Diagnostic> diagnostics;
  Contract contract =
      parse_contract("{\"contract_version\": 1, " + clauses + "}", "c", diagnostics);
  for (const Diagnostic& d : diagnostics)
    ADD_FAILURE() << d.column << ": " << d.expected << d.found;
  return contract;
}

// Convolutions and conversions in that order, each of 1 ms.
inline Layer conv_of(const std::string& name, DataType type) {
  return conv(name, {tensor(name + "_in", type)}, tensor(name + "_out", type), type, 1);
}
inline Layer gemm_of(const std::string& name, DataType type) {
  Layer l = layer(name, "gemm", {tensor(name + "_in", type)}, {tensor(name + "_out", type)}, 1);
  return l;
}
inline Layer mha_of(const std::string& name, DataType type) {
  Layer l = gemm_of(name, type);
  l.tactic_name = std::string("_gemm_mha_v2_0x1");
  return l;
}
inline Layer region_of(const std::string& name) {
  return layer(name, "Myelin", {tensor(name + "_in", DataType::fp16)},
               {tensor(name + "_out", DataType::fp16)}, 1);
}
inline Layer reformat_of(const std::string& name) {
  return reformat(name, tensor(name + "_in", DataType::fp32), tensor(name + "_out", DataType::fp16),
                  1);
}

inline Build healthy() {
  Build build = build_of(
      {reformat_of("r1"), conv_of("c1", DataType::fp16), conv_of("c2", DataType::fp16),
       conv_of("c3", DataType::fp32), gemm_of("g1", DataType::fp16), mha_of("a1", DataType::fp16),
       quantize("q1", "q_in", "q_out", 1), dequantize("d1", "d_in", "d_out", 1)});
  build.outcome = Outcome::passed;
  build.tensorrt = Version{10, 3, 0, {}, VersionSource::banner};
  build.gpu.emplace().name = "NVIDIA H200";
  build.allowed.labels = {"FP32", "FP16"};
  build.memory.engine_bytes = 10 << 20;
  build.memory.activation_bytes = 20 << 20;
  build.memory.weights_bytes = 5 << 20;
  build.memory.device_persistent_bytes = 0;
  set_query_times(build, 1.0, 0.1);
  return build;
}

inline std::vector<Analysis> runs_of(const std::vector<double>& medians) {
  std::vector<Analysis> runs;
  for (const double median : medians) {
    Build build = healthy();
    set_query_times(build, median, 0.1);
    runs.push_back(analyze_build(std::move(build)));
    runs.back().name = "run" + std::to_string(runs.size());
  }
  return runs;
}

}  // namespace trtlens::test
