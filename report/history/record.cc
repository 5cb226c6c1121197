// Facts of an Analysis as columns, the rest of what a comparison needs as JSON, and the way back.
#include "report/history/record.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/json/parts.h"

namespace trtlens {
namespace {

// --- To the record

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_dims(const Dims& dims) {
  return dims.values();
}

Json json_tensor(const Tensor& tensor) {
  Json json = {{"name", visible(tensor.name.str())}, {"type", to_string(tensor.type)}};
  if (tensor.has_dims) json["dims"] = json_dims(tensor.dims);
  if (!tensor.format.empty()) json["format"] = visible(tensor.format.str());
  return json;
}

Json json_tensors(const std::vector<Tensor>& tensors) {
  Json list = Json::array();
  for (const Tensor& tensor : tensors) list.push_back(json_tensor(tensor));
  return list;
}

Json json_weights(const Weights& weights) {
  return {{"type", to_string(weights.type)}, {"count", weights.count}};
}

std::string details_of(const Layer& layer) {
  Json json = {{"inputs", json_tensors(layer.inputs)}, {"outputs", json_tensors(layer.outputs)}};
  const auto text = [&](const char* name, const SharedText& value) {
    if (!value.empty()) json[name] = visible(value.str());
  };
  text("origin", layer.origin);
  text("activation", layer.activation);
  text("plugin", layer.plugin_type);
  if (!layer.kernel.empty()) json["kernel"] = json_dims(layer.kernel);
  if (!layer.stride.empty()) json["stride"] = json_dims(layer.stride);
  if (layer.groups) json["groups"] = *layer.groups;
  if (layer.out_maps) json["out_maps"] = *layer.out_maps;
  if (layer.weights) json["weights"] = json_weights(*layer.weights);
  if (layer.bias) json["bias"] = json_weights(*layer.bias);
  if (layer.sparse_weights) json["sparse"] = *layer.sparse_weights;
  json["found_in"] = layer.found_in;
  return dump(json);
}

LayerRecord layer_record(const Layer& layer, const LayerVerdict& verdict) {
  LayerRecord record{visible(layer.name.str()),
                     visible(layer.layer_type.str()),
                     visible(layer.parameter_type.str()),
                     to_string(verdict.role),
                     to_string(verdict.compute),
                     visible(layer.tactic_name.str()),
                     {},
                     details_of(layer)};
  for (const SharedText& node : layer.onnx_nodes) record.onnx_nodes.push_back(visible(node.str()));
  return record;
}

template <typename T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

Json json_stats(const std::optional<LatencyStats>& stats) {
  Json json = Json::object();
  if (!stats) return json;
  put(json, "min_ms", stats->min_ms);
  put(json, "max_ms", stats->max_ms);
  put(json, "mean_ms", stats->mean_ms);
  put(json, "median_ms", stats->median_ms);
  return json;
}

Json json_gpu(const Gpu& gpu) {
  Json json = {{"name", visible(gpu.name)},
               {"compute_capability", visible(gpu.compute_capability)}};
  put(json, "sms", gpu.sms);
  put(json, "compute_clock_ghz", gpu.compute_clock_ghz);
  put(json, "memory_clock_ghz", gpu.memory_clock_ghz);
  return json;
}

Json json_inference(const Inference& inference) {
  Json json = Json::object();
  put(json, "batch", inference.batch);
  put(json, "streams", inference.streams);
  put(json, "cuda_graph", inference.cuda_graph);
  put(json, "data_transfers", inference.data_transfers);
  put(json, "spin_wait", inference.spin_wait);
  return json;
}

std::string details_of(const Build& build) {
  Json json = {{"commands", Json::array()}, {"flags", Json::array()}, {"io", Json::array()}};
  for (const std::string& command : build.commands) json["commands"].push_back(visible(command));
  for (const auto& [name, value] : build.options.flags) {
    json["flags"].push_back({visible(name), visible(value)});
  }
  for (const IoTensor& io : build.io_tensors) {
    json["io"].push_back(json_tensor(io.tensor));
    json["io"].back()["is_input"] = io.is_input;
  }
  std::map<std::string, std::size_t> operators;
  for (const OnnxNode& node : build.onnx_nodes) ++operators[visible(node.op)];
  json["onnx_operators"] = operators;
  for (const MissingScale& scale : build.missing_scales) {
    json["missing_scales"].push_back(visible(scale.tensor));
  }
  if (build.gpu) json["gpu"] = json_gpu(*build.gpu);
  if (build.tensorrt) {
    json["tensorrt"] = {build.tensorrt->major, build.tensorrt->minor, build.tensorrt->patch};
  }
  json["inference"] = json_inference(build.inference);
  json["allowed"] = build.allowed.labels;
  json["strongly_typed"] = build.allowed.strongly_typed;
  json["no_tf32"] = build.allowed.no_tf32;
  const Performance& performance = build.performance;
  json["gpu_compute"] = json_stats(performance.gpu_compute);
  json["enqueue"] = json_stats(performance.enqueue);
  json["h2d"] = json_stats(performance.h2d);
  json["d2h"] = json_stats(performance.d2h);
  put(json, "profile_iterations", build.profile_iterations);
  json["has_log"] = build.has_log;
  json["has_layer_info"] = build.has_layer_info;
  json["has_profile"] = build.has_profile;
  json["layer_names_only"] = build.layer_names_only;
  json["unattributed_ms"] = build.unattributed_ms;
  return dump(json);
}

std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

// Its name, with its folder's where that alone says little.
std::string model_name(const std::string& path, bool with_folder) {
  std::string name = file_name(path);
  const std::string stem = name.substr(0, name.find('.'));
  const bool says_little = with_folder || is_one_of(stem, {"model", "network", "net", "engine"});
  if (!says_little || name.size() == path.size()) return name;
  return file_name(path.substr(0, path.size() - name.size() - 1)) + "/" + name;
}

std::string model_of(const Analysis& analysis) {
  const CommandOptions& options = analysis.build.options;
  for (const char* flag : {"onnx", "model", "uff", "deploy"}) {
    const std::optional<std::string> path = options.value(flag);
    if (path && !path->empty()) return model_name(*path, false);
  }
  // Every folder has an engine.plan.
  const std::optional<std::string> plan = options.value("loadEngine");
  if (!plan || plan->empty()) return file_name(analysis.name);
  const bool has_folder = plan->find('/') != std::string::npos;
  return model_name(has_folder ? *plan : analysis.name + "/" + *plan, true);
}

std::string allowed_text(const Build& build) {
  const AllowedPrecision allowed = allowed_precision(build);
  return allowed.strongly_typed ? "strongly typed" : join(allowed.labels, "+");
}

std::string shapes_text(const Build& build) {
  std::string text;
  for (const IoTensor& io : build.io_tensors) {
    if (!io.is_input || io.tensor.dims.empty()) continue;
    if (!text.empty()) text += "+";
    for (std::size_t i = 0; i < io.tensor.dims.size(); ++i) {
      text += (i > 0 ? "x" : "") + std::to_string(io.tensor.dims[i]);
    }
  }
  return text;
}

// What makes builds comparable night after night, the version of TensorRT apart: that is what
// changes.
std::string series_of(const Analysis& analysis, const BuildRecord& record) {
  std::vector<std::string> parts{record.model};
  for (const std::string& part : {record.allowed, shapes_text(analysis.build), record.gpu}) {
    if (!part.empty()) parts.push_back(part);
  }
  return join(parts, ", ");
}

std::vector<PrecisionRecord> precisions_of(const Analysis& analysis) {
  std::vector<PrecisionRecord> records;
  for (const ShareRow& row : analysis.by_precision) {
    PrecisionRecord record{row.label, row.layers, {}, {}};
    if (analysis.build.profile_sum_ms > 0) {
      record.ms = row.time_ms;
      record.share = row.share;
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace

BuildRecord record_of(const Analysis& analysis, const std::string& series) {
  const Build& build = analysis.build;
  BuildRecord record;
  record.name = visible(analysis.name);
  record.model = visible(model_of(analysis));
  record.outcome = to_string(build.outcome);
  if (build.tensorrt) record.tensorrt = build.tensorrt->text();
  record.producer = visible(build.producer);
  if (build.gpu) record.gpu = visible(build.gpu->name);
  record.allowed = allowed_text(build);
  record.command = visible(build.command);
  record.series = series.empty() ? series_of(analysis, record) : visible(series);
  record.speed = speed_of(analysis);
  record.throughput_qps = build.performance.throughput_qps;
  if (build.performance.latency) record.latency_ms = build.performance.latency->median_ms;
  record.build_s = build.engine_build_s;
  record.engine_bytes = build.memory.engine_bytes;
  record.device_bytes = analysis.memory.device_bytes;
  record.details = details_of(build);
  for (const int number : build.runs) {
    const auto run = std::ranges::find(analysis.reading->runs, number, &Run::n);
    if (run != analysis.reading->runs.end()) record.runs.push_back(*run);
  }
  record.precisions = precisions_of(analysis);
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    record.layers.push_back(layer_record(build.layers[i], analysis.verdicts[i]));
    record.times.push_back(build.layers[i].time);
  }
  record.findings = analysis.findings;
  return record;
}

// --- And back

namespace {

Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

const Json& member(const Json& json, const char* name) {
  static const Json none;
  const auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() ? *found : none;
}

const Json& list(const Json& json, const char* name) {
  static const Json none = Json::array();
  const Json& found = member(json, name);
  return found.is_array() ? found : none;
}

std::string text(const Json& json, const char* name) {
  const Json& found = member(json, name);
  return found.is_string() ? found.get<std::string>() : std::string();
}

std::optional<double> number(const Json& json, const char* name) {
  const Json& found = member(json, name);
  return found.is_number() ? std::optional<double>(found.get<double>()) : std::nullopt;
}

std::optional<std::int64_t> whole(const Json& json, const char* name) {
  const Json& found = member(json, name);
  return found.is_number_integer() ? std::optional<std::int64_t>(found.get<std::int64_t>())
                                   : std::nullopt;
}

std::optional<bool> yes_or_no(const Json& json, const char* name) {
  const Json& found = member(json, name);
  return found.is_boolean() ? std::optional<bool>(found.get<bool>()) : std::nullopt;
}

Dims dims_of(const Json& json) {
  Dims::Vector dims;
  if (!json.is_array()) return dims;
  for (const Json& size : json) {
    if (size.is_number_integer()) dims.push_back(size.get<std::int64_t>());
  }
  return dims;
}

Tensor tensor_of(const Json& json) {
  Tensor tensor;
  tensor.name = text(json, "name");
  tensor.type = data_type_of(text(json, "type"));
  tensor.format = text(json, "format");
  tensor.has_dims = member(json, "dims").is_array();
  tensor.dims = dims_of(member(json, "dims"));
  return tensor;
}

std::optional<Weights> weights_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  return Weights{data_type_of(text(json, "type")), whole(json, "count").value_or(0)};
}

Layer layer_of(const LayerRecord& record, const std::optional<LayerTime>& time) {
  const Json json = parsed(record.details);
  Layer layer;
  layer.name = record.name;
  layer.layer_type = record.kind;
  layer.parameter_type = record.operation;
  layer.tactic_name = record.tactic;
  for (const std::string& node : record.onnx_nodes) layer.onnx_nodes.emplace_back(node);
  for (const Json& one : list(json, "inputs")) layer.inputs.push_back(tensor_of(one));
  for (const Json& one : list(json, "outputs")) layer.outputs.push_back(tensor_of(one));
  layer.origin = text(json, "origin");
  layer.activation = text(json, "activation");
  layer.plugin_type = text(json, "plugin");
  layer.kernel = dims_of(member(json, "kernel"));
  layer.stride = dims_of(member(json, "stride"));
  layer.groups = whole(json, "groups");
  layer.out_maps = whole(json, "out_maps");
  layer.weights = weights_of(member(json, "weights"));
  layer.bias = weights_of(member(json, "bias"));
  layer.sparse_weights = yes_or_no(json, "sparse");
  layer.found_in = static_cast<unsigned>(whole(json, "found_in").value_or(0));
  layer.time = time;
  return layer;
}

std::optional<LatencyStats> stats_of(const Json& json) {
  if (!json.is_object() || json.empty()) return std::nullopt;
  LatencyStats stats;
  stats.min_ms = number(json, "min_ms");
  stats.max_ms = number(json, "max_ms");
  stats.mean_ms = number(json, "mean_ms");
  stats.median_ms = number(json, "median_ms");
  return stats;
}

int small(const std::optional<std::int64_t>& value) {
  return static_cast<int>(std::clamp<std::int64_t>(value.value_or(0), 0, 1'000'000));
}

void take_identity(const Json& json, Build& build) {
  const Json& version = list(json, "tensorrt");
  if (version.size() == 3 &&
      std::ranges::all_of(version, [](const Json& part) { return part.is_number_integer(); })) {
    Version known;
    known.major = version[0].get<int>();
    known.minor = version[1].get<int>();
    known.patch = version[2].get<int>();
    known.source = VersionSource::log;
    build.tensorrt = known;
  }
  const Json& gpu = member(json, "gpu");
  if (gpu.is_object()) {
    Gpu known;
    known.name = text(gpu, "name");
    known.compute_capability = text(gpu, "compute_capability");
    if (whole(gpu, "sms")) known.sms = small(whole(gpu, "sms"));
    known.compute_clock_ghz = number(gpu, "compute_clock_ghz");
    known.memory_clock_ghz = number(gpu, "memory_clock_ghz");
    build.gpu = known;
  }
}

// How many there are of each says what another model would.
void take_operators(const Json& operators, Build& build) {
  constexpr std::int64_t kMostNodes = 200'000;
  if (!operators.is_object()) return;
  for (const auto& [name, count] : operators.items()) {
    const std::int64_t n = count.is_number_integer() ? count.get<std::int64_t>() : 0;
    OnnxNode node;
    node.op = name;
    build.onnx_nodes.insert(build.onnx_nodes.end(),
                            static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, kMostNodes)),
                            node);
  }
}

void take_settings(const Json& json, Build& build) {
  for (const Json& command : list(json, "commands")) {
    if (command.is_string()) build.commands.push_back(command.get<std::string>());
  }
  for (const Json& flag : list(json, "flags")) {
    if (!flag.is_array() || flag.size() != 2 || !flag[0].is_string() || !flag[1].is_string())
      continue;
    build.options.flags.emplace_back(flag[0].get<std::string>(), flag[1].get<std::string>());
  }
  for (const Json& one : list(json, "io")) {
    IoTensor io;
    io.tensor = tensor_of(one);
    io.is_input = yes_or_no(one, "is_input").value_or(true);
    build.io_tensors.push_back(std::move(io));
  }
  take_operators(member(json, "onnx_operators"), build);
  for (const Json& tensor : list(json, "missing_scales")) {
    if (tensor.is_string()) build.missing_scales.push_back({tensor.get<std::string>(), 1, {}});
  }
  const Json& inference = member(json, "inference");
  build.inference.batch = whole(inference, "batch");
  build.inference.streams = whole(inference, "streams");
  build.inference.cuda_graph = yes_or_no(inference, "cuda_graph");
  build.inference.data_transfers = yes_or_no(inference, "data_transfers");
  build.inference.spin_wait = yes_or_no(inference, "spin_wait");
  for (const Json& label : list(json, "allowed")) {
    if (label.is_string()) build.allowed.labels.push_back(label.get<std::string>());
  }
  build.allowed.strongly_typed = yes_or_no(json, "strongly_typed").value_or(false);
  build.allowed.no_tf32 = yes_or_no(json, "no_tf32").value_or(false);
}

void take_times(const Json& json, const BuildRecord& record, Build& build) {
  Performance& performance = build.performance;
  performance.throughput_qps = record.throughput_qps;
  performance.gpu_compute = stats_of(member(json, "gpu_compute"));
  performance.enqueue = stats_of(member(json, "enqueue"));
  performance.h2d = stats_of(member(json, "h2d"));
  performance.d2h = stats_of(member(json, "d2h"));
  if (record.speed.queries > 0) performance.queries = record.speed.queries;
  // Of exported times without a log: what a summary would have said.
  if (!performance.gpu_compute && (record.speed.ms[1] || record.speed.ms[2])) {
    performance.gpu_compute.emplace();
    performance.gpu_compute->median_ms = record.speed.ms[1];
    performance.gpu_compute->mean_ms = record.speed.ms[2];
  }
  if (const auto iterations = whole(json, "profile_iterations"); iterations && *iterations >= 0) {
    build.profile_iterations = static_cast<std::uint64_t>(*iterations);
  }
  build.has_log = yes_or_no(json, "has_log").value_or(false);
  build.has_layer_info = yes_or_no(json, "has_layer_info").value_or(false);
  build.has_profile = yes_or_no(json, "has_profile").value_or(false);
  build.layer_names_only = yes_or_no(json, "layer_names_only").value_or(false);
  build.unattributed_ms = number(json, "unattributed_ms").value_or(0);
  for (const Layer& layer : build.layers) build.profile_sum_ms += time_or_zero(layer);
}

}  // namespace

Analysis analysis_of(const BuildRecord& record) {
  const Json json = parsed(record.details);
  Build build;
  build.outcome = enumerator(record.outcome, Outcome::truncated).value_or(Outcome::unknown);
  build.producer = record.producer;
  build.command = record.command;
  build.engine_build_s = record.build_s;
  build.memory.engine_bytes = record.engine_bytes;
  take_identity(json, build);
  take_settings(json, build);
  for (std::size_t i = 0; i < record.layers.size(); ++i) {
    build.layers.push_back(layer_of(record.layers[i], record.times[i]));
  }
  take_times(json, record, build);
  Analysis analysis =
      analyze(std::move(build), record.name, std::make_shared<const Reading>(), AnalyzeOptions());
  // What was said when all of the inputs were there.
  for (std::size_t i = 0; i < record.layers.size(); ++i) {
    LayerVerdict& verdict = analysis.verdicts[i];
    verdict.role = enumerator(record.layers[i].role, LayerRole::none).value_or(verdict.role);
    verdict.compute =
        enumerator(record.layers[i].precision, Precision::mixed).value_or(verdict.compute);
  }
  analysis.findings = record.findings;
  analysis.ladder.reset();
  return analysis;
}

}  // namespace trtlens
