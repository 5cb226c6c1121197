// The member "build" of a report.
#include <utility>

#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"

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
  json["h2d_ms"] = json_stats(p.h2d, a.h2d_samples);
  json["d2h_ms"] = json_stats(p.d2h, a.d2h_samples);
  Json queries = json_optional(p.queries);
  if (queries.is_null() && a.compute_samples) queries = a.compute_samples->n;
  json["queries"] = std::move(queries);
  json["warmup_queries"] = json_optional(p.warmup_queries);
  json["host_walltime_s"] = json_optional(p.host_walltime_s);
  json["gpu_compute_total_s"] = json_optional(p.gpu_compute_total_s);
  return json;
}

Json json_dims(const Dims& dims) {
  return dims.empty() ? Json(nullptr) : Json(dims.values());
}

Json json_profiles(const IoTensor& io) {
  Json profiles = Json::array();
  for (const ProfileShapes& shapes : io.shapes) {
    profiles.push_back({{"profile", shapes.profile},
                        {"min", json_dims(shapes.min)},
                        {"opt", json_dims(shapes.opt)},
                        {"max", json_dims(shapes.max)}});
  }
  return profiles;
}

Json json_optimization_profiles(const Build& build) {
  Json profiles = Json::array();
  for (const OptimizationProfile& one : build.optimization_profiles) {
    profiles.push_back({{"profile", one.shapes.profile},
                        {"input", one.input},
                        {"shape_tensor", one.shape_tensor},
                        {"min", json_dims(one.shapes.min)},
                        {"opt", json_dims(one.shapes.opt)},
                        {"max", json_dims(one.shapes.max)}});
  }
  return profiles;
}

Json json_inference(const Inference& inference) {
  Json json = {{"batch", json_optional(inference.batch)},
               {"streams", json_optional(inference.streams)},
               {"engine_streams", json_optional(inference.engine_streams)},
               {"aux_streams", json_optional(inference.aux_streams)},
               {"cuda_graph", json_optional(inference.cuda_graph)},
               {"data_transfers", json_optional(inference.data_transfers)},
               {"spin_wait", json_optional(inference.spin_wait)},
               {"opt_profile", json_optional(inference.opt_profile)}};
  json["deserialization"] = nullptr;
  if (const auto& times = inference.deserialization) {
    json["deserialization"] = {{"first_ms", json_optional(times->first_ms)},
                               {"average_ms", json_optional(times->average_ms)},
                               {"iterations", json_optional(times->iterations)},
                               {"bandwidth_gb_per_s", json_optional(times->bandwidth_gb_per_s)}};
  }
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
                   {"memory_bytes", json_optional(build.gpu->memory_bytes)},
                   {"compute_clock_ghz", json_optional(build.gpu->compute_clock_ghz)},
                   {"memory_clock_ghz", json_optional(build.gpu->memory_clock_ghz)},
                   {"memory_bus_bits", json_optional(build.gpu->memory_bus_bits)}};
  }
  Json io = Json::array();
  for (const IoTensor& t : build.io_tensors) {
    const bool typed = t.tensor.type != DataType::unknown;
    io.push_back({{"name", t.tensor.name.str()},
                  {"mode", t.is_input ? "input" : "output"},
                  {"dims", t.tensor.has_dims ? Json(t.tensor.dims.values()) : Json(nullptr)},
                  {"type", typed ? Json(to_string(t.tensor.type)) : Json(nullptr)},
                  {"profiles", json_profiles(t)}});
  }
  json["io_tensors"] = std::move(io);
  json["inference"] = json_inference(build.inference);
  json["plan_version"] = json_text(build.plan_version);
  json["optimization_profiles"] = json_optimization_profiles(build);
  json["banner"] = changed_options(build);
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

void write_messages(const Analysis& a, JsonStream& out) {
  out.list(a.build.messages, [&](const Message& m) {
    if (m.severity < LogSeverity::warning) return;
    Json json = {{"severity", m.severity == LogSeverity::warning ? "warning" : "error"},
                 {"text", m.text},
                 {"count", m.count}};
    if (m.pos.file < a.reading->inputs.size()) json["file"] = a.reading->inputs[m.pos.file].path;
    json["line"] = m.pos.line;
    out.value(json);
  });
}

// A row of which no layer has a time takes an unknown time, and of no time at all nothing is a
// share.
Json json_shares(const Build& build, const std::vector<ShareRow>& rows, const char* label) {
  const bool has_shares = build.profile_sum_ms > 0;
  Json list = Json::array();
  for (const ShareRow& row : rows) {
    list.push_back({{label, row.label},
                    {"layers", row.layers},
                    {"time_ms", row.timed > 0 ? Json(row.time_ms) : Json(nullptr)},
                    {"share", row.timed > 0 && has_shares ? Json(row.share) : Json(nullptr)}});
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
  json["by_precision"] = json_shares(build, a.by_precision, "precision");
  json["by_type"] = json_shares(build, a.by_type, "type");
  return json;
}

void write_missing(const Analysis& a, JsonStream& out) {
  out.list(a.missing_scales, [&](const MissingScaleCost& cost) {
    out.begin_object();
    out.member("tensor", cost.tensor);
    out.key("layers");
    write_names(a, cost.layers, out);
    out.key("reformats");
    write_names(a, cost.reformats, out);
    out.member("time_ms", json_optional(cost.time_ms));
    out.member("matters", json_optional(cost.matters));
    if (cost.pos.file < a.reading->inputs.size())
      out.member("file", a.reading->inputs[cost.pos.file].path);
    out.member("line", cost.pos.line);
    out.end();
  });
}

void write_fallbacks(const Analysis& a, JsonStream& out) {
  if (!a.fallbacks) return out.value(nullptr);
  out.list(*a.fallbacks, [&](const Fallback& f) {
    out.value({{"layer", a.build.layers[f.layer].name.str()},
               {"time_ms", json_optional(f.time_ms)},
               {"why", f.why},
               {"evidence", f.evidence}});
  });
}

void write_account(const Analysis& a, JsonStream& out) {
  if (!a.account) return out.value(nullptr);
  const TimeAccount& account = *a.account;
  const bool known = account.narrowest != Precision::unknown;
  Json not_allowed = Json::array();
  for (const Precision one : account.not_allowed) not_allowed.push_back(to_string(one));
  out.begin_object();
  out.members({{"narrowest", known ? Json(to_string(account.narrowest)) : Json(nullptr)},
               {"narrowest_from", account.is_allowed ? "options" : "layers"},
               {"not_allowed", account.is_allowed ? std::move(not_allowed) : Json(nullptr)},
               {"arithmetic_ms", account.arithmetic_ms},
               {"wide_ms", account.wide_ms},
               {"conversions_ms", account.conversions_ms},
               {"unknown_ms", account.unknown_ms},
               {"ceiling_wide", json_optional(account.ceiling_wide)},
               {"ceiling_conversions", json_optional(account.ceiling_conversions)}});
  out.key("rows");
  out.list(account.rows, [&](const AccountRow& row) {
    out.begin_object();
    out.members({{"use", to_string(row.use)},
                 {"detail", json_text(row.detail)},
                 {"time_ms", row.time_ms},
                 {"share", row.share}});
    out.key("layers");
    write_names(a, row.layers, out);
    out.end();
  });
  out.end();
}

Json json_side(const std::vector<Tensor>& tensors) {
  if (tensors.empty()) return nullptr;
  const Tensor& t = tensors[0];
  return {{"type", t.type == DataType::unknown ? Json(nullptr) : Json(to_string(t.type))},
          {"format", json_text(t.format)}};
}

void write_reformats(const Analysis& a, JsonStream& out) {
  out.list(a.reformats, [&](const ReformatEntry& entry) {
    const Layer& layer = a.build.layers[entry.layer];
    out.value({{"layer", layer.name.str()},
               {"from", json_side(layer.inputs)},
               {"to", json_side(layer.outputs)},
               {"bytes", json_optional(entry.bytes)},
               {"time_ms", layer.time ? Json(layer.time->mean_ms) : Json(nullptr)},
               {"cause", json_text(cause_of(a, entry))},
               {"removable", json_optional(entry.removable)}});
  });
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

void write_names(const Analysis& analysis, const std::vector<std::size_t>& layers,
                 JsonStream& out) {
  out.list(layers, [&](std::size_t i) { out.value(analysis.build.layers[i].name.str()); });
}

void write_build(const Analysis& a, JsonStream& out) {
  out.begin_object();
  out.members(json_identity(a.build));
  out.members({{"command", json_text(a.build.command)},
               {"commands", a.build.commands},
               {"options", json_options(a.build)},
               {"coverage", json_coverage(a.reading->coverage)}});
  out.key("messages");
  write_messages(a, out);
  out.member("performance", json_performance(a));
  out.key("layers");
  write_layers(a, out);
  out.member("totals", json_totals(a));
  out.key("missing_scale");
  write_missing(a, out);
  out.key("fp32_fallback");
  write_fallbacks(a, out);
  out.key("reformats");
  write_reformats(a, out);
  out.key("account");
  write_account(a, out);
  out.key("tactics");
  write_tactics(a, out);
  out.key("build_time");
  write_build_time(a, out);
  out.key("memory");
  write_memory(a, out);
  out.key("reconciliation");
  write_reconciliation(a, out);
  out.key("onnx_times");
  write_onnx_times(a, out);
  out.key("modules");
  write_modules(a, out);
  out.key("roofline");
  write_roofline(a, out);
  out.member("placement", json_placement(a));
  out.key("tuning");
  write_tuning(a, out);
  out.key("outputs");
  write_outputs(a, out);
  out.key("accuracy_losses");
  write_accuracy(a, out);
  out.end();
}

}  // namespace trtlens
