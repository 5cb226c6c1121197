// What must hold for every log that is read, and a digest of what was read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/unit/log_sample.h"

namespace trtlens {

inline std::uint64_t lines_of(const std::string& text) {
  const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return feeds + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

inline bool utf16(const std::string& text) {
  const std::string mark = text.substr(0, 2);
  return mark == "\xff\xfe" || mark == "\xfe\xff";
}

inline void check_number(const std::optional<double>& value) {
  if (value) {
    ASSERT_TRUE(std::isfinite(*value));
  }
}

inline void check_build(const Build& build, std::uint64_t lines) {
  for (const Message& message : build.messages) {
    ASSERT_GE(message.count, 1U);
    ASSERT_LE(message.count, lines);
    ASSERT_GE(message.pos.line, 1U);
    ASSERT_LE(message.pos.line, lines);
  }
  for (const Layer& layer : build.layers) {
    ASSERT_LE(layer.pos.line, lines);
    ASSERT_EQ(layer.found_in, kFoundInLog);
    if (layer.time) {
      ASSERT_TRUE(std::isfinite(layer.time->mean_ms));
      check_number(layer.time->median_ms);
      check_number(layer.time->total_ms);
    }
  }
  std::uint64_t timed = 0;
  for (const Autotune& race : build.autotuning) {
    ASSERT_FALSE(race.layer.empty() && race.timed > 0);
    ASSERT_LE(race.pos.line, lines);
    ASSERT_EQ(race.chosen_runner.empty(), !race.chosen_id.has_value());
    ASSERT_EQ(race.runner_up_ms.has_value(), race.runner_up_id.has_value());
    check_number(race.chosen_ms);
    check_number(race.runner_up_ms);
    timed += race.timed;
  }
  ASSERT_LE(timed, build.tactics_timed);
  ASSERT_LE(build.tactics_timed + build.tactics_skipped, lines);
  for (const MissingScale& scale : build.missing_scales) ASSERT_GE(scale.count, 1U);
  for (const BuildStage& stage : build.stages) ASSERT_TRUE(std::isfinite(stage.s));
  check_number(build.performance.throughput_qps);
  check_number(build.performance.coeff_var);
  check_number(build.engine_build_s);
  for (const IoTensor& io : build.io_tensors) ASSERT_LE(io.tensor.dims.size(), 64U);
}

inline void check_log(const std::string& text, const ParsedLog& log) {
  const LogResult& result = log.result;
  ASSERT_EQ(result.coverage.lines(), result.lines);
  ASSERT_EQ(log.lines.size(), result.lines);
  if (!utf16(text)) {
    ASSERT_EQ(result.lines, lines_of(text));
  }
  std::array<std::uint64_t, kLineClassCount> seen{};
  for (const SeenLine& line : log.lines) ++seen.at(static_cast<std::size_t>(line.line_class));
  ASSERT_EQ(result.coverage.count, seen);
  ASSERT_LE(result.own_lines, result.lines);
  ASSERT_EQ(result.builds.size(), result.runs.size());
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const Run& run = result.runs[i];
    ASSERT_EQ(run.n, static_cast<int>(i) + 1);
    ASSERT_GE(run.first_line, 1U);
    ASSERT_LE(run.first_line, run.last_line);
    ASSERT_LE(run.last_line, result.lines);
    // In the order of their ends; one that is not behind another is around it (11.1's tuning loop).
    for (std::size_t j = 0; j < i; ++j) {
      const Run& before = result.runs[j];
      ASSERT_GE(run.last_line, before.last_line);
      ASSERT_TRUE(run.first_line > before.last_line || run.first_line < before.first_line);
    }
    ASSERT_EQ(result.builds[i].outcome, run.outcome);
    ASSERT_NO_FATAL_FAILURE(check_build(result.builds[i], result.lines));
  }
}

// What two readings of the same text must share: the facts of one build.
class BuildDigest {
 public:
  explicit BuildDigest(const Build& b) {
    add(b.command, b.producer, to_string(b.outcome), b.tensorrt ? b.tensorrt->text() : "");
    add(b.gpu ? b.gpu->name : "", b.closing_line, b.is_verbose);
    for (const auto& [name, value] : b.options.flags) add(name, value);
    for (const auto& [name, value] : b.banner) add(name, value);
    for (const Message& m : b.messages) {
      add(m.text, m.count, m.pos.line, static_cast<int>(m.severity), m.before_progress);
    }
    for (const IoTensor& io : b.io_tensors) add(io.is_input), tensor(io.tensor);
    for (const Layer& layer : b.layers) {
      add(layer.name, layer.layer_type, layer.tactic_name, layer.pos.line);
      for (const Tensor& t : layer.inputs) tensor(t);
      for (const Tensor& t : layer.outputs) tensor(t);
      if (layer.time) add(layer.time->mean_ms, layer.time->quantum_ms);
    }
    races(b);
    for (const OnnxNode& n : b.onnx_nodes) add(n.name, n.op, n.inputs.size(), n.outputs.size());
    for (const MissingScale& m : b.missing_scales) add(m.tensor, m.count, m.pos.line);
    for (const RejectedInt8& r : b.rejected_int8) add(r.layer, r.tensor);
    for (const auto* notes : {&b.non_conforming, &b.forced_precision}) {
      for (const LayerNote& note : *notes) add(note.layer, note.text, note.pos.line);
    }
    for (const MemoryStep& s : b.memory.steps) add(s.phase, s.cpu_delta_bytes, s.gpu_delta_bytes);
    add(b.memory.engine_bytes.value_or(-1), b.memory.activation_bytes.value_or(-1));
    for (const BuildStage& s : b.stages) add(s.name, s.s);
    add(b.performance.throughput_qps.value_or(-1), b.trace.size());
    if (b.performance.latency) add(b.performance.latency->mean_ms.value_or(-1));
    add(b.engine_build_s.value_or(-1), b.engine_load_s.value_or(-1));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void put(const std::string& text) { text_ += text; }
  void put(const SharedText& text) { text_ += text.str(); }
  void put(const char* text) { text_ += text; }
  template <typename T>
  void put(T number) {
    text_ += std::to_string(number);
  }
  template <typename... T>
  void add(const T&... values) {
    ((put(values), text_ += '|'), ...);
    text_ += '\n';
  }
  void tensor(const Tensor& t) {
    add(t.name, t.format, static_cast<int>(t.type), t.dims.size());
    for (const std::int64_t d : t.dims) add(d);
  }
  void races(const Build& b) {
    add(b.tactics_timed, b.tactics_skipped);
    for (const Autotune& race : b.autotuning) {
      add(race.layer, race.format_combination, race.chosen_runner, race.chosen_name,
          race.chosen_ms.value_or(-1), race.runner_up_ms.value_or(-1), race.timed, race.skipped,
          race.pos.line);
    }
    if (b.last_timed) add(b.last_timed->layer, b.last_timed->runner, b.last_timed->pos.line);
  }
  std::string text_;
};

inline std::string digest(const LogResult& result) {
  std::string text;
  for (const std::uint64_t n : result.coverage.count) text += std::to_string(n) + ' ';
  for (const Run& run : result.runs) {
    text +=
        std::to_string(run.first_line) + '-' + std::to_string(run.last_line) + run.command + '\n';
  }
  for (const Build& b : result.builds) text += BuildDigest(b).text();
  return text;
}

// The same with what became of every line.
inline std::string digest(const ParsedLog& log) {
  std::string text;
  for (const SeenLine& line : log.lines) {
    text += std::to_string(static_cast<int>(line.line_class)) + line.kind + ' ';
  }
  return text + digest(log.result);
}

}  // namespace trtlens
