// What the views of a page need of the engine.
#include "report/document/engine.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_set>

#include "analyzers/labels.h"
#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

// Of the layer's first node; most layers are in one module.
std::string own_module(const Layer& layer) {
  return layer.onnx_nodes.empty() ? "" : module_label(layer.onnx_nodes.front().str());
}

EngineFinding engine_finding(const Context& context, const Finding& finding, std::size_t number) {
  EngineFinding out{number, {}};
  std::unordered_set<std::string_view> added;  // a name may be that of all layers
  const auto add = [&](const std::string& name) {
    if (!added.insert(name).second) return;
    const std::span<const std::uint32_t> layers = context.name_labels().layers_of(name);
    out.layers.insert(out.layers.end(), layers.begin(), layers.end());
  };
  for (const SharedText& name : finding.layers) add(name.str());
  if (out.layers.empty()) {
    for (const Evidence& evidence : finding.evidence) add(evidence.layer.str());
  }
  std::ranges::sort(out.layers);
  out.layers.erase(std::unique(out.layers.begin(), out.layers.end()), out.layers.end());
  return out;
}

}  // namespace

std::string kind_of(const Context& context, std::size_t layer) {
  const LayerRole role = context.verdict(layer).role;
  if (role == LayerRole::quantize || role == LayerRole::dequantize) return "Q/DQ";
  if (role == LayerRole::reformat) return "reformat";
  const std::string compute = context.compute_of(layer);
  return compute == "none" ? "no arithmetic" : compute;
}

Words modules_of(const Context& context) {
  const std::vector<Layer>& layers = context.build.layers;
  std::vector<std::size_t> stands_for(layers.size());  // whose nodes tell the module
  for (std::size_t i = 0; i < layers.size(); ++i) stands_for[i] = i;
  for (const ReformatEntry& entry : context.analysis.reformats) {
    if (entry.caused_by && own_module(layers[entry.layer]).empty()) {
      stands_for[entry.layer] = *entry.caused_by;
    }
  }
  Words modules;
  for (const std::size_t i : stands_for) modules.add(own_module(layers[i]));
  return modules;
}

EngineView engine_view(const Context& context) {
  const Build& build = context.build;
  EngineView view;
  std::size_t number = 0;
  for (const Finding* finding : context.findings) {
    if (finding->severity == Severity::info) continue;
    view.findings.push_back(engine_finding(context, *finding, ++number));
  }
  for (std::size_t i = 0; i < build.layers.size(); ++i) {
    view.ms.push_back(std::max(0.0, layer_ms(build.layers[i]).value_or(0)));
    view.kind.add(kind_of(context, i));
  }
  view.module = modules_of(context);
  view.picture = picture_of(context.analysis);
  for (const PictureEdge& edge : view.picture.edges) {
    const Tensor& tensor = build.layers[edge.to].inputs[edge.input];
    view.tensor.add(shape_text(tensor));
    view.format.add(tensor.format.str());
  }
  return view;
}

}  // namespace trtlens
