// Every field of a Build as text, "engine_load_s = 0.25". The list of a
// struct's members stands here once: a field that is added to parsers/model, or taken out, does
// not compile until it is named below, and then its line is missing in join_fields_alone_test.cc.
#pragma once

#include <fmt/format.h>

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

// A field that is none, zero, false or empty says nothing.
struct Fields {
  std::vector<std::string> lines;
  std::set<std::string> seen, filled;  // paths without indices; those that said something

  std::string leaf(const std::string& path, bool is_filled, std::string value) {
    std::string plain;
    bool inside = false;
    for (const char c : path) {
      inside = (inside || c == '[') && c != ']';
      if (!inside && c != ']') plain += c;
    }
    seen.insert(plain);
    if (is_filled) filled.insert(plain);
    return value;
  }
};

template <typename T>
requires std::is_arithmetic_v<T> std::string text_of(Fields& out, const std::string& path,
                                                     T value) {
  return out.leaf(path, value != T(), fmt::format("{}", value));
}
template <typename T>
requires std::is_enum_v<T> std::string text_of(Fields& out, const std::string& path, T value) {
  if constexpr (requires { to_string(value); }) {
    return out.leaf(path, value != T(), to_string(value));
  } else {
    return out.leaf(path, value != T(), fmt::format("{}", static_cast<int>(value)));
  }
}
inline std::string text_of(Fields& out, const std::string& path, const std::string& value) {
  return out.leaf(path, !value.empty(), '"' + value + '"');
}
inline std::string text_of(Fields& out, const std::string& path, const SharedText& value) {
  return text_of(out, path, value.str());
}
inline std::string text_of(Fields& out, const std::string& path, const Dims& value) {
  return out.leaf(path, !value.empty(), fmt::format("({})", fmt::join(value.values(), ",")));
}
// File 1, line 5, column 1 is F1:5:1.
inline std::string text_of(Fields& out, const std::string& path, const SourcePos& value) {
  const auto& [file, line, column] = value;
  const bool is_known = file != 0 || line != 0;
  return out.leaf(path, is_known, is_known ? fmt::format("F{}:{}:{}", file, line, column) : "none");
}
template <typename T>
std::string text_of(Fields& out, const std::string& path, const std::optional<T>& value) {
  return value ? text_of(out, path, *value) : out.leaf(path, false, "none");
}
template <typename A, typename B>
std::string text_of(Fields& out, const std::string& path, const std::pair<A, B>& value) {
  return text_of(out, path, value.first) + ": " + text_of(out, path, value.second);
}
template <typename T>
std::string text_of_list(Fields& out, const std::string& path, const T& values) {
  std::string text;
  for (const auto& value : values) {
    text += (text.empty() ? "" : ", ") + text_of(out, path, value);
  }
  return values.empty() ? out.leaf(path, false, "[]") : "[" + text + "]";
}
template <typename T>
std::string text_of(Fields& out, const std::string& path, const std::vector<T>& values) {
  return text_of_list(out, path, values);
}
template <typename T, std::size_t N>
std::string text_of(Fields& out, const std::string& path, const std::array<T, N>& values) {
  return text_of_list(out, path, values);
}
template <typename T>
std::string text_of(Fields& out, const std::string& path, const std::map<std::string, T>& values) {
  return text_of_list(out, path, values);
}

// Of a list each element has a line of its own.
template <typename T>
void show(Fields& out, const std::string& path, const T& value) {
  out.lines.push_back(path + " = " + text_of(out, path, value));
}
template <typename List>
void show_list(Fields& out, const std::string& path, const List& values) {
  std::size_t i = 0;
  for (const auto& value : values) show(out, fmt::format("{}[{}]", path, i++), value);
  if (values.empty()) out.lines.push_back(path + " = " + out.leaf(path, false, "[]"));
}
template <typename T>
void show(Fields& out, const std::string& path, const std::vector<T>& values) {
  show_list(out, path, values);
}
template <typename T>
void show(Fields& out, const std::string& path, const std::deque<T>& values) {
  show_list(out, path, values);
}
template <typename T>
void show(Fields& out, const std::string& path, const std::set<T>& values) {
  show_list(out, path, values);
}
inline void show(Fields& out, const std::string& path,
                 const std::map<std::string, std::string>& values) {
  for (const auto& [key, value] : values) show(out, path + "[" + key + "]", value);
  if (values.empty()) out.lines.push_back(path + " = " + out.leaf(path, false, "[]"));
}

// Takes the next of "a, b, c".
inline std::string next_name(std::string_view& names) {
  const std::size_t end = names.find(',');
  std::string name(names.substr(0, end));
  names.remove_prefix(end == std::string_view::npos ? names.size() : end + 2);
  return name;
}
template <typename... T>
std::string text_of_members(Fields& out, const std::string& path, std::string_view names,
                            const T&... values) {
  std::string text;
  const auto add = [&](const auto& value) {
    const std::string name = next_name(names);
    text += (text.empty() ? "" : ", ") + name + " " + text_of(out, path + "." + name, value);
  };
  (add(values), ...);
  return "{" + text + "}";
}
template <typename... T>
void show_members(Fields& out, const std::string& path, std::string_view names,
                  const T&... values) {
  (show(out, path + next_name(names), values), ...);
}

// The members as structured bindings, which must be as many as the struct has. In one line, or each
// in a line of its own.
#define TRTLENS_IN_LINE(Struct, ...)                                                      \
  inline std::string text_of(Fields& out, const std::string& path, const Struct& whole) { \
    const auto& [__VA_ARGS__] = whole;                                                    \
    return text_of_members(out, path, #__VA_ARGS__, __VA_ARGS__);                         \
  }
#define TRTLENS_IN_LINES(Struct, ...)                                               \
  inline void show(Fields& out, const std::string& path, const Struct& whole) {     \
    const auto& [__VA_ARGS__] = whole;                                              \
    show_members(out, path.empty() ? path : path + ".", #__VA_ARGS__, __VA_ARGS__); \
  }

TRTLENS_IN_LINE(Version, major, minor, patch, build, source)
TRTLENS_IN_LINE(Gpu, name, compute_capability, sms, memory_bytes, compute_clock_ghz,
                memory_clock_ghz, memory_bus_bits)
TRTLENS_IN_LINE(Tensor, name, dims, format, has_dims, type)
TRTLENS_IN_LINE(ProfileShapes, profile, min, opt, max)
TRTLENS_IN_LINE(OptimizationProfile, input, shape_tensor, shapes)
TRTLENS_IN_LINE(IoTensor, tensor, is_input, network_dims, shapes)
TRTLENS_IN_LINE(OutputValues, tensor, count, nan, infinite, min, max, pos)
TRTLENS_IN_LINE(AccuracyLoss, tensor, algorithm, loss, threshold, pos)
TRTLENS_IN_LINE(Weights, type, count)
TRTLENS_IN_LINE(LayerTime, mean_ms, median_ms, total_ms, quantum_ms)
TRTLENS_IN_LINES(Layer, name, layer_type, parameter_type, origin, tactic_name, tactic_id, inputs,
                 outputs, weights, bias, groups, out_maps, kernel, stride, activation, plugin_type,
                 metadata, onnx_nodes, stream_id, opt_profile, sparse_weights, time, found_in, pos)
TRTLENS_IN_LINE(Message, severity, text, count, pos, of_tensorrt, before_progress)
TRTLENS_IN_LINE(TuningTime, runners_s, stamps_s)
TRTLENS_IN_LINE(Autotune, layer, format_combination, chosen_runner, chosen_name, chosen_id,
                runner_up_id, chosen_ms, runner_up_ms, runner_up_name, timed, skipped,
                runners_without_tactics, timed_ms, from_cache, time, pos)
TRTLENS_IN_LINE(MyelinRace, op, onnx_nodes, region, format_combination, fastest, runner_up,
                fastest_ms, runner_up_ms, timed, pos)
TRTLENS_IN_LINE(TacticRecord, layer, format_combination, runner, name, skipped, id, time_ms, pos)
TRTLENS_IN_LINES(TacticRecords, texts, rows)
TRTLENS_IN_LINE(TimingCursor, layer, runner, format_combination, pos)
TRTLENS_IN_LINE(ReformatTuning, races, time)
TRTLENS_IN_LINE(Placement, layer, on_dla, pos)
TRTLENS_IN_LINES(SparseLayers, eligible, chosen, eligible_pos, chosen_pos)
TRTLENS_IN_LINE(OnnxNode, name, op, inputs, outputs, pos)
TRTLENS_IN_LINE(MissingScale, tensor, count, pos)
TRTLENS_IN_LINE(RejectedInt8, layer, tensor, pos)
TRTLENS_IN_LINE(LayerNote, layer, text, pos)
TRTLENS_IN_LINE(BuildStage, name, s)
TRTLENS_IN_LINE(LatencyStats, min_ms, max_ms, mean_ms, median_ms, percentiles_ms, pos)
TRTLENS_IN_LINES(Performance, throughput_qps, latency, gpu_compute, enqueue, h2d, d2h, end_to_end,
                 host_walltime_s, gpu_compute_total_s, queries, warmup_queries, coeff_var)
TRTLENS_IN_LINE(TraceWindow, gpu_ms, enqueue_ms)
TRTLENS_IN_LINE(Query, start_ms, compute_ms, latency_ms, h2d_ms, d2h_ms, enqueue_ms)
TRTLENS_IN_LINE(TuningIteration, iteration, build_route, error_message, crashed, outcome,
                gpu_time_ms, gpu_compute_ms, accuracy_loss, accuracy_losses, accuracy_failed, run,
                pos)
TRTLENS_IN_LINES(Tuning, iterations, routes, succeeded, attempted, best_route, best_gpu_time_ms,
                 timeout_s, expression, search, accuracy_algorithm, command)
TRTLENS_IN_LINE(Deserialization, first_ms, average_ms, bandwidth_gb_per_s, iterations)
TRTLENS_IN_LINES(Inference, batch, streams, opt_profile, engine_streams, aux_streams,
                 worker_streams, cuda_graph, data_transfers, spin_wait, deserialization,
                 enqueue_bound, untimed_capture, replayed)
TRTLENS_IN_LINE(CommandOptions, flags)
TRTLENS_IN_LINE(AllowedPrecision, labels, strongly_typed, no_tf32)
TRTLENS_IN_LINE(MemoryStep, phase, cpu_delta_bytes, gpu_delta_bytes, cpu_now_bytes, gpu_now_bytes,
                pos)
TRTLENS_IN_LINE(LayerMemory, layer, host_persistent_bytes, device_persistent_bytes, scratch_bytes)
TRTLENS_IN_LINE(WorkspaceRefused, tactics, least_bytes, most_bytes, available_bytes)
TRTLENS_IN_LINES(Memory, engine_bytes, engine_in_mib, weights_bytes, activation_bytes,
                 scratch_bytes, host_persistent_bytes, device_persistent_bytes, peak_cpu_bytes,
                 peak_gpu_bytes, context_bytes, peak_process_cpu_bytes, workspace_refused, steps,
                 layers)
TRTLENS_IN_LINES(Build, tensorrt, producer, outcome, gpu, io_tensors, inference, command,
                 command_is_typed, commands, options, allowed, banner, optimization_profiles,
                 plan_version, has_log, is_verbose, closing_line, engine_saved, outline_only, runs,
                 packages, messages, layers, has_layer_info, has_profile, layer_names_only,
                 profile_iterations, profile_sum_ms, unattributed_ms, layers_without_time,
                 profile_cut, profile_pos, times_pos, performance, trace, queries, outputs,
                 accuracy_losses, tuning, missing_scales, rejected_int8, autotuning, myelin_races,
                 tactic_records, last_timed, tactics_timed, tactics_skipped, tactics_skipped_for,
                 reformat_tuning, timing_cache_entries, timing_cache_hits, graph_layers, placements,
                 sparse, onnx_nodes, non_conforming, forced_precision, memory, engine_build_s,
                 engine_load_s, stages)
#undef TRTLENS_IN_LINE
#undef TRTLENS_IN_LINES

inline Fields fields_of(const Build& build) {
  Fields out;
  show(out, "", build);
  return out;
}

// The lines of `to` that `from` does not have.
inline std::string added(const Build& from, const Build& to) {
  const std::vector<std::string> old = fields_of(from).lines;
  const std::set<std::string> known(old.begin(), old.end());
  std::string text;
  for (const std::string& line : fields_of(to).lines) {
    if (known.count(line) == 0) text += line + "\n";
  }
  return text;
}

}  // namespace trtlens
