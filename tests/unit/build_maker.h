// Small builds by hand, and the real ones of fixtures/ and /work/shared, as Analyses.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/graph/graph.h"
#include "analyzers/text.h"
#include "parsers/parse.h"

namespace trtlens::test {

inline Tensor tensor(std::string name, DataType type,
                     std::vector<std::int64_t> dims = {8, 64, 7, 7}) {
  Tensor t;
  t.name = std::move(name);
  t.type = type;
  t.format = std::string("linear ") + to_string(type);
  t.dims = std::move(dims);
  t.has_dims = true;
  return t;
}

inline Layer layer(std::string name, std::string layer_type, std::vector<Tensor> inputs,
                   std::vector<Tensor> outputs, double mean_ms) {
  Layer l;
  l.name = std::move(name);
  l.layer_type = std::move(layer_type);
  l.inputs = std::move(inputs);
  l.outputs = std::move(outputs);
  if (mean_ms >= 0) {
    l.time = LayerTime();
    l.time->mean_ms = mean_ms;
  }
  return l;
}

// A convolution whose tactic is not named: weights and input decide.
inline Layer conv(std::string name, std::vector<Tensor> inputs, Tensor output, DataType weights,
                  double mean_ms) {
  Layer l =
      layer(std::move(name), "CaskConvolution", std::move(inputs), {std::move(output)}, mean_ms);
  l.parameter_type = "Convolution";
  l.weights = Weights{weights, 1024};
  return l;
}

inline Layer reformat(std::string name, Tensor input, Tensor output, double mean_ms,
                      std::string origin = "REFORMAT") {
  Layer l = layer(std::move(name), "Reformat", {std::move(input)}, {std::move(output)}, mean_ms);
  l.origin = std::move(origin);
  return l;
}

inline Layer quantize(std::string name, const std::string& in, const std::string& out,
                      double mean_ms, DataType from = DataType::fp32) {
  return reformat(std::move(name), tensor(in, from), tensor(out, DataType::int8), mean_ms, "QDQ");
}

inline Layer dequantize(std::string name, const std::string& in, const std::string& out,
                        double mean_ms, DataType to = DataType::fp32) {
  return reformat(std::move(name), tensor(in, DataType::int8), tensor(out, to), mean_ms, "QDQ");
}

// What join_layers would have set: sums, and which inputs name a layer.
inline Build build_of(std::vector<Layer> layers) {
  Build build;
  build.layers = std::move(layers);
  build.has_layer_info = true;
  for (Layer& l : build.layers) {
    if (l.found_in == 0) l.found_in = kFoundInLayerInfo | (l.time ? kFoundInProfile : 0U);
    if (!l.time) continue;
    build.has_profile = true;
    build.profile_sum_ms += l.time->mean_ms;
    if ((l.found_in & kFoundInLayerInfo) == 0) build.unattributed_ms += l.time->mean_ms;
  }
  return build;
}

// Medians of the performance summary.
inline void set_query_times(Build& build, double gpu_ms, double enqueue_ms) {
  build.performance.gpu_compute.emplace();
  build.performance.gpu_compute->median_ms = gpu_ms;
  build.performance.enqueue.emplace();
  build.performance.enqueue->median_ms = enqueue_ms;
}

inline void add_io(Build& build, Tensor t, bool is_input) {
  build.io_tensors.push_back({std::move(t), is_input});
}

inline Analysis analyze_build(Build build, const AnalyzeOptions& options = {}) {
  ParseResult parsed;
  Input log;
  log.path = "build.log";
  log.kind = InputKind::log;
  parsed.inputs.push_back(std::move(log));
  parsed.builds.push_back(std::move(build));
  parsed.build_names.emplace_back("hand-made");
  return analyze(std::move(parsed), options);
}

inline Analysis analyze_layers(std::vector<Layer> layers) {
  return analyze_build(build_of(std::move(layers)));
}

inline std::string fixture(const std::string& name) {
  return std::string(TRTLENS_SOURCE_DIR) + "/fixtures/builds/" + name;
}
inline std::string shared(const std::string& name) {
  return std::string(TRTLENS_SHARED_DIR) + "/" + name;
}
inline bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

inline Analysis analyze_path(const std::string& path) {
  return analyze(parse_inputs({path}, {}), {});
}

// The finding of a rule; null when it did not fire.
inline const Finding* find(const Analysis& analysis, const std::string& rule) {
  for (const Finding& f : analysis.findings) {
    if (f.rule == rule) return &f;
  }
  return nullptr;
}

inline const Layer* find_layer(const Analysis& analysis, const std::string& name) {
  for (const Layer& l : analysis.build.layers) {
    if (l.name == name) return &l;
  }
  return nullptr;
}

// What the evidence sums up, beside lines and layers: "2 reformats, 0.0700 ms".
inline std::vector<std::string> figures(const Finding& finding) {
  std::vector<std::string> figures;
  for (const Evidence& one : finding.evidence) {
    if (!one.file.empty() || !one.layer.empty()) continue;
    const bool is_share = one.metric == "share";
    const std::string value =
        one.value ? (is_share ? share_text(*one.value) : ms_text(*one.value)) : std::string();
    figures.push_back(one.note.str() + (value.empty() ? "" : ", ") + value);
  }
  return figures;
}

// Rules that fired, with their severity: "moderate enqueue-bound".
inline std::vector<std::string> fired(const Analysis& analysis) {
  std::vector<std::string> names;
  for (const Finding& f : analysis.findings) {
    names.push_back(std::string(to_string(f.severity)) + " " + f.rule);
  }
  return names;
}

inline double sum_ms(const Analysis& analysis, const std::vector<SharedText>& layers) {
  double sum = 0;
  for (const std::string& name : layers) {
    if (const Layer* l = find_layer(analysis, name)) sum += time_or_zero(*l);
  }
  return sum;
}

}  // namespace trtlens::test
