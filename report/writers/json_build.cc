#include "report/writers/json_parts.h"

namespace trtlens {
namespace {

Json json_stats(const std::optional<LatencyStats>& stats) {
  if (!stats) return nullptr;
  return {{"min", json_optional(stats->min_ms)},
          {"max", json_optional(stats->max_ms)},
          {"mean", json_optional(stats->mean_ms)},
          {"median", json_optional(stats->median_ms)},
          {"percentiles", stats->percentiles_ms}};
}

// trtexec's own summary first; where it printed none, what the exported samples give.
Json json_stats(const std::optional<LatencyStats>& stats,
                const std::optional<SampleStats>& samples) {
  if (stats || !samples) return json_stats(stats);
  return {{"min", samples->min_ms},
          {"max", samples->max_ms},
          {"mean", samples->mean_ms},
          {"median", samples->median_ms},
          {"percentiles", {{"99", samples->p99_ms}}}};
}

Json json_performance(const Analysis& a) {
  const Performance& p = a.build.performance;
  Json json = {{"throughput_qps", json_optional(p.throughput_qps)}};
  json["samples_per_s"] =
      p.throughput_qps && a.build.inference.batch
          ? Json(*p.throughput_qps * static_cast<double>(*a.build.inference.batch))
          : Json(nullptr);
  json["latency_ms"] = json_stats(p.latency, a.latency_samples);
  json["gpu_compute_ms"] = json_stats(p.gpu_compute, a.compute_samples);
  json["enqueue_ms"] = json_stats(p.enqueue, a.enqueue_samples);
  json["h2d_ms"] = json_stats(p.h2d);
  json["d2h_ms"] = json_stats(p.d2h);
  Json queries = json_optional(p.queries);
  if (queries.is_null() && a.compute_samples) queries = a.compute_samples->n;
  json["queries"] = std::move(queries);
  return json;
}

Json json_identity(const Build& build) {
  Json json = Json::object();
  static constexpr const char* kSources[] = {"banner", "log", "guessed"};
  json["tensorrt"] = nullptr;
  if (build.tensorrt) {
    json["tensorrt"] = {{"version", build.tensorrt->text()},
                        {"build", json_optional(build.tensorrt->build)},
                        {"source", kSources[static_cast<int>(build.tensorrt->source)]}};
  }
  json["producer"] = build.producer;
  json["outcome"] = to_string(build.outcome);
  json["gpu"] = nullptr;
  if (build.gpu) {
    json["gpu"] = {{"name", json_text(build.gpu->name)},
                   {"compute_capability", json_text(build.gpu->compute_capability)},
                   {"sms", json_optional(build.gpu->sms)},
                   {"memory_bytes", json_optional(build.gpu->memory_bytes)}};
  }
  Json io = Json::array();
  for (const IoTensor& t : build.io_tensors) {
    const bool typed = t.tensor.type != DataType::unknown;
    io.push_back({{"name", t.tensor.name},
                  {"mode", t.is_input ? "input" : "output"},
                  {"dims", t.tensor.has_dims ? Json(t.tensor.dims) : Json(nullptr)},
                  {"type", typed ? Json(to_string(t.tensor.type)) : Json(nullptr)}});
  }
  json["io_tensors"] = std::move(io);
  const Inference& inference = build.inference;
  json["inference"] = {{"batch", json_optional(inference.batch)},
                       {"streams", json_optional(inference.streams)},
                       {"cuda_graph", json_optional(inference.cuda_graph)},
                       {"data_transfers", json_optional(inference.data_transfers)},
                       {"spin_wait", json_optional(inference.spin_wait)},
                       {"opt_profile", json_optional(inference.opt_profile)}};
  return json;
}

Json json_options(const Build& build) {
  Json options = {
      {"precision", build.allowed.labels.empty() ? Json(nullptr) : Json(build.allowed.labels)},
      {"strongly_typed", build.allowed.strongly_typed}};
  for (const auto& [name, value] : build.options.flags) {
    if (name == "precision" || name == "strongly_typed") continue;
    options[name] = value.empty() ? Json(true) : Json(value);
  }
  return options;
}

Json json_messages(const Analysis& a) {
  Json list = Json::array();
  for (const Message& m : a.build.messages) {
    if (m.severity < LogSeverity::warning) continue;
    Json json = {{"severity", m.severity == LogSeverity::warning ? "warning" : "error"},
                 {"text", m.text},
                 {"count", m.count}};
    if (m.pos.file < a.inputs.size()) json["file"] = a.inputs[m.pos.file].path;
    json["line"] = m.pos.line;
    list.push_back(std::move(json));
  }
  return list;
}

Json json_shares(const std::vector<ShareRow>& rows, const char* label) {
  Json list = Json::array();
  for (const ShareRow& row : rows) {
    list.push_back({{label, row.label},
                    {"layers", row.layers},
                    {"time_ms", row.time_ms},
                    {"share", row.share}});
  }
  return list;
}

Json json_totals(const Analysis& a) {
  const Build& build = a.build;
  std::uint64_t layers = 0;  // of the optimization profile that was timed
  for (const ShareRow& row : a.by_precision) layers += row.layers;
  Json json = {{"layers", layers}, {"timed_layers", a.timed_layers}};
  json["profile_sum_ms"] = build.has_profile ? Json(build.profile_sum_ms) : Json(nullptr);
  json["unattributed_ms"] =
      build.has_profile && build.has_layer_info ? Json(build.unattributed_ms) : Json(nullptr);
  json["by_precision"] = json_shares(a.by_precision, "precision");
  json["by_type"] = json_shares(a.by_type, "type");
  return json;
}

Json names_of(const Analysis& a, const std::vector<std::size_t>& layers) {
  Json names = Json::array();
  for (const std::size_t i : layers) names.push_back(a.build.layers[i].name);
  return names;
}

Json json_missing(const Analysis& a) {
  // A log alone does not say which layers a tensor concerns.
  const bool known = a.build.has_layer_info && !a.build.layer_names_only;
  Json list = Json::array();
  for (const MissingScaleCost& cost : a.missing_scales) {
    Json json = {{"tensor", cost.tensor},
                 {"layers", names_of(a, cost.layers)},
                 {"reformats", names_of(a, cost.reformats)},
                 {"time_ms", json_optional(cost.time_ms)},
                 {"matters", known || cost.matters ? Json(cost.matters) : Json(nullptr)}};
    if (cost.pos.file < a.inputs.size()) json["file"] = a.inputs[cost.pos.file].path;
    json["line"] = cost.pos.line;
    list.push_back(std::move(json));
  }
  return list;
}

Json json_fallbacks(const Analysis& a) {
  if (!a.fallbacks) return nullptr;
  Json list = Json::array();
  for (const Fallback& f : *a.fallbacks) {
    list.push_back({{"layer", a.build.layers[f.layer].name},
                    {"time_ms", json_optional(f.time_ms)},
                    {"why", f.why},
                    {"evidence", f.evidence}});
  }
  return list;
}

Json json_side(const std::vector<Tensor>& tensors) {
  if (tensors.empty()) return nullptr;
  const Tensor& t = tensors[0];
  return {{"type", t.type == DataType::unknown ? Json(nullptr) : Json(to_string(t.type))},
          {"format", json_text(t.format)}};
}

Json json_reformats(const Analysis& a) {
  Json list = Json::array();
  for (const ReformatEntry& entry : a.reformats) {
    const Layer& layer = a.build.layers[entry.layer];
    list.push_back({{"layer", layer.name},
                    {"from", json_side(layer.inputs)},
                    {"to", json_side(layer.outputs)},
                    {"bytes", json_optional(entry.bytes)},
                    {"time_ms", layer.time ? Json(layer.time->mean_ms) : Json(nullptr)},
                    {"cause", json_text(entry.cause)},
                    {"removable", json_optional(entry.removable)}});
  }
  return list;
}

Json json_tactics(const Analysis& a) {
  Json races = Json::array();
  for (const Race& race : a.races) {
    races.push_back({{"layer", race.layer},
                     {"chosen", json_text(race.chosen)},
                     {"chosen_ms", race.chosen_ms},
                     {"runner_up", json_text(race.runner_up)},
                     {"runner_up_ms", json_optional(race.runner_up_ms)},
                     {"margin", json_optional(race.margin)}});
  }
  const bool any = !a.races.empty() || !a.build.tactic_records.rows.empty();
  if (!a.build.is_verbose && !any) return nullptr;
  Json json = {{"timed", a.build.tactics_timed},
               {"layers", a.races.size()},
               {"skipped", a.build.tactics_skipped},
               {"races", std::move(races)}};
  if (!a.build.tactic_records.rows.empty()) json[kTacticRecordsKey] = Json::array();
  return json;
}

Json json_build_time(const Build& build) {
  Json stages = Json::array();
  for (const BuildStage& stage : build.stages) {
    stages.push_back({{"name", stage.name}, {"s", stage.s}});
  }
  return {{"engine_s", json_optional(build.engine_build_s)},
          {"load_s", json_optional(build.engine_load_s)},
          {"stages", std::move(stages)},
          {"slowest_layers", nullptr}};  // no line of a log says how long one layer's races took
}

Json json_memory(const Memory& memory) {
  return {{"engine_bytes", json_optional(memory.engine_bytes)},
          {"weights_bytes", json_optional(memory.weights_bytes)},
          {"activation_bytes", json_optional(memory.activation_bytes)},
          {"scratch_bytes", json_optional(memory.scratch_bytes)},
          {"peak_gpu_bytes", json_optional(memory.peak_gpu_bytes)}};
}

}  // namespace

Json json_coverage(const Coverage& coverage) {
  return {{"lines", coverage.lines()},
          {"recognised", coverage.of(LineClass::recognised)},
          {"noise", coverage.of(LineClass::noise)},
          {"continuation", coverage.of(LineClass::continuation)},
          {"malformed", coverage.of(LineClass::malformed)},
          {"unknown", coverage.of(LineClass::unknown)},
          {"foreign", coverage.of(LineClass::foreign)}};
}

Json json_build(const Analysis& a) {
  Json json = json_identity(a.build);
  json["command"] = json_text(a.build.command);
  json["commands"] = a.build.commands;
  json["options"] = json_options(a.build);
  json["coverage"] = json_coverage(a.coverage);
  json["messages"] = json_messages(a);
  json["performance"] = json_performance(a);
  json["layers"] = json_layers(a);
  json["totals"] = json_totals(a);
  json["missing_scale"] = json_missing(a);
  json["fp32_fallback"] = json_fallbacks(a);
  json["reformats"] = json_reformats(a);
  json["tactics"] = json_tactics(a);
  json["build_time"] = json_build_time(a.build);
  json["memory"] = json_memory(a.build.memory);
  return json;
}

}  // namespace trtlens
