// Logs and exports of one small engine in a folder, for the tests of what joins.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_sample {

class JoinTest : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_.at(name); }
  // Without paths: the folder.
  [[nodiscard]] ParseResult read(const std::vector<std::string>& paths, int run = 0) const {
    ParseOptions options;
    options.run = run;
    return parse_inputs(paths.empty() ? std::vector<std::string>{root_} : paths, options);
  }

  TempFolder folder_;
  const std::string root_ = folder_.path().string();
};

inline std::string layer_json(const std::vector<std::string>& names) {
  std::string text = "{\"Layers\": [";
  for (const std::string& name : names) {
    text += (text.back() == '[' ? "" : ",") + ("{\"Name\": \"" + name) +
            "\", \"LayerType\": \"CaskConvolution\", \"Inputs\": [], \"Outputs\": []}";
  }
  return text + "], \"Bindings\": [\"x\", \"y\"]}";
}

inline std::string profile_json(const std::vector<std::string>& names, double ms) {
  std::string text = "[{\"count\": 100}";
  for (const std::string& name : names) {
    text += ", {\"name\": \"" + name + "\", \"timeMs\": " + std::to_string(ms * 100) +
            ", \"averageMs\": " + std::to_string(ms) + ", \"percentage\": 1}";
  }
  return text + "]";
}

inline std::string times_json() {
  return "[{\"startEnqMs\": 0, \"endEnqMs\": 1, \"startH2dMs\": 0, \"endH2dMs\": 0, "
         "\"startComputeMs\": 0, \"endComputeMs\": 2, \"startD2hMs\": 2, \"endD2hMs\": 2, "
         "\"latencyMs\": 2, \"computeMs\": 2, \"d2hMs\": 0, \"enqMs\": 1, \"h2dMs\": 0}]";
}

inline std::string layer_lines(const std::vector<std::string>& names) {
  std::string text = library_lines({"Engine Layer Information:"});
  for (const std::string& name : names) {
    text += "Layer(CaskConvolution): " + name + ", Tactic: 0x1, x (Float[1]) -> y (Float[1])\n";
  }
  return text;
}

inline std::string build_log(const std::string& onnx, const std::vector<std::string>& layers) {
  const std::string arguments =
      "--onnx=" + onnx + " --fp16 --saveEngine=" + onnx + ".plan --verbose --buildOnly";
  return running(arguments) + own_lines({"TensorRT version: 8.5.1"}) + layer_lines(layers) +
         own_lines({"Engine built in 8.5 sec."}) + closing("PASSED", arguments);
}

inline std::string run_log(const std::string& plan) {
  return running("--loadEngine=" + plan) +
         own_lines({"=== Performance summary ===", "Throughput: 100.5 qps",
                    "GPU Compute Time: min = 1 ms, max = 3 ms, mean = 2 ms, median = 2 ms"}) +
         closing("PASSED", "--loadEngine=" + plan);
}

inline const std::vector<std::string> kNames = {"conv1", "conv2", "conv3", "fc"};

}  // namespace trtlens::join_sample
