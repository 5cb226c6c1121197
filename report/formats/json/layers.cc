// The layers of a build, one object each.
#include <fmt/format.h>

#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"

namespace trtlens {
namespace {

int bits_per_weight(const Weights& weights) {
  return bits_of(weights.type);
}

Json json_tensor(const Tensor& tensor) {
  Json json = {{"name", tensor.name.str()}};
  json["dims"] = tensor.has_dims ? Json(tensor.dims.values()) : Json(nullptr);
  json["type"] = tensor.type == DataType::unknown ? Json(nullptr) : Json(to_string(tensor.type));
  json["format"] = json_text(tensor.format);
  return json;
}

Json json_tensors(const std::vector<Tensor>& tensors) {
  Json list = Json::array();
  for (const Tensor& t : tensors) list.push_back(json_tensor(t));
  return list;
}

Json json_precision(const LayerVerdict& verdict) {
  Json json = Json::object();
  const bool has_none = verdict.compute == Precision::none;
  json["compute"] = has_none ? Json(nullptr) : Json(to_string(verdict.compute));
  json["evidence"] = json_texts(verdict.evidence);
  json["confidence"] = to_string(verdict.confidence);
  return json;
}

Json json_time(const Layer& layer, double total_ms) {
  if (!layer.time) return nullptr;
  Json json = {{"mean_ms", layer.time->mean_ms},
               {"median_ms", json_optional(layer.time->median_ms)}};
  json["share"] = total_ms > 0 ? Json(layer.time->mean_ms / total_ms) : Json(nullptr);
  return json;
}

Json json_found_in(unsigned found_in) {
  Json list = Json::array();
  if ((found_in & kFoundInLayerInfo) != 0) list.push_back("layer_info");
  if ((found_in & kFoundInProfile) != 0) list.push_back("profile");
  if ((found_in & kFoundInLog) != 0) list.push_back("log");
  return list;
}

}  // namespace

void write_layers(const Analysis& analysis, JsonStream& out) {
  const Build& build = analysis.build;
  std::size_t i = 0;
  out.list(build.layers, [&](const Layer& layer) {
    const LayerVerdict& verdict = analysis.verdicts[i];
    Json json = {{"index", i},
                 {"name", layer.name.str()},
                 {"layer_type", json_text(layer.layer_type)},
                 {"parameter_type", json_text(layer.parameter_type)},
                 {"role", to_string(verdict.role)},
                 {"precision", json_precision(verdict)},
                 {"inputs", json_tensors(layer.inputs)},
                 {"outputs", json_tensors(layer.outputs)}};
    Json tactic = nullptr;
    if (!layer.tactic_name.empty() || layer.tactic_id) {
      tactic = {{"name", json_text(layer.tactic_name)}};
      tactic["id"] =
          layer.tactic_id ? Json(fmt::format("0x{:016x}", *layer.tactic_id)) : Json(nullptr);
    }
    json["tactic"] = std::move(tactic);
    json["origin"] = json_text(layer.origin);
    json["opt_profile"] = layer.opt_profile;
    json["onnx_nodes"] = json_texts(layer.onnx_nodes);
    const bool sized = layer.weights && bits_per_weight(*layer.weights) > 0;
    json["weights_bytes"] =
        sized ? Json(layer.weights->count * bits_per_weight(*layer.weights) / 8) : Json(nullptr);
    json["time"] = json_time(layer, build.profile_sum_ms);
    json["found_in"] = json_found_in(layer.found_in);
    out.value(json);
    ++i;
  });
}

}  // namespace trtlens
