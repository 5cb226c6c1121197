// The layers of the engine, as a table and as the views of a page show them.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

// "CaskConvolution" says "Convolution" already.
std::string type_of(const Layer& layer) {
  if (layer.layer_type.empty()) return layer.parameter_type;
  if (layer.layer_type.str().find(layer.parameter_type) != std::string::npos)
    return layer.layer_type;
  return layer.layer_type.str() + " / " + layer.parameter_type.str();
}

// Columns that no row has anything in are not made.
struct LayerColumns {
  bool time = false, type = false, precision = false, tactic = false, evidence = false;
  bool onnx = false, opt_profile = false, tensors = false;
};

LayerColumns columns_present(const Context& context) {
  LayerColumns has;
  std::set<int> profiles;
  for (std::size_t i = 0; i < context.build.layers.size(); ++i) {
    const Layer& layer = context.build.layers[i];
    has.time = has.time || layer.time;
    has.type = has.type || !type_of(layer).empty();
    has.precision = has.precision || context.verdict(i).compute != Precision::unknown;
    has.tactic = has.tactic || !layer.tactic_name.empty();
    has.evidence = has.evidence || !context.verdict(i).evidence.empty();
    has.onnx = has.onnx || !layer.onnx_nodes.empty();
    has.tensors = has.tensors || !layer.inputs.empty() || !layer.outputs.empty();
    profiles.insert(layer.opt_profile);
  }
  has.opt_profile = profiles.size() > 1;
  return has;
}

std::size_t index_of(const Context& context, const Layer& layer) {
  return static_cast<std::size_t>(&layer - context.build.layers.data());
}

// The tactic has a column of its own, so that its name need not be repeated here.
std::string evidence_text(const Context& context, const Layer& layer) {
  const LayerVerdict& verdict = context.verdict(index_of(context, layer));
  if (verdict.evidence.empty()) return "";
  std::vector<SharedText> parts = verdict.evidence;
  for (SharedText& part : parts) {
    const std::size_t at =
        layer.tactic_name.empty() ? std::string::npos : part.find(layer.tactic_name);
    if (at != std::string::npos) part = "tactic name";
  }
  return fmt::format("{} ({})", join(parts, "; "), to_string(verdict.confidence));
}

// What the columns of layers need, found when it is asked for first: most formats show a few of the
// rows, if any.
class Lookup {
 public:
  explicit Lookup(const Context& context) : context_(context) {}

  std::string label(std::size_t layer) { return label_of(context_.analysis, layer); }
  // Null: none.
  const LayerRoof* roof(std::size_t layer) {
    if (roofs_.empty()) {
      for (const LayerRoof& roof : context_.analysis.roofline.layers) roofs_[roof.layer] = &roof;
    }
    const auto found = roofs_.find(layer);
    return found == roofs_.end() ? nullptr : found->second;
  }
  const Race* race(std::size_t layer) {
    if (races_.empty()) {
      for (const Race& race : context_.analysis.races) {
        if (race.in_engine) races_.emplace(*race.in_engine, &race);
      }
    }
    const auto found = races_.find(layer);
    return found == races_.end() ? nullptr : found->second;
  }

 private:
  const Context& context_;
  std::unordered_map<std::size_t, const LayerRoof*> roofs_;
  std::unordered_map<std::size_t, const Race*> races_;
};

std::string runner_up_text(const Race& race) {
  if (race.runner_up.empty()) return "";
  std::string text = race.runner_up;
  if (race.runner_up_ms) text += ", " + ms_text(*race.runner_up_ms);
  return text + fmt::format(" against {}", ms_text(race.chosen_ms));
}

std::string tensors_text(const std::vector<Tensor>& tensors) {
  std::vector<std::string> texts;
  for (const Tensor& tensor : tensors) {
    const std::string format = tensor.format.empty() ? "" : " (" + tensor.format.str() + ")";
    texts.push_back(tensor.name.str() + ": " + shape_text(tensor) + format);
  }
  return join_some(texts, 8);
}

using Of = ColumnOf<Layer>;
using SharedLookup = std::shared_ptr<Lookup>;

Of roof_column(const SharedLookup& lookup) {
  Column column{"Of roof", ColumnKind::number};
  column.hint = std::string("Roof: ") + kRoofWords + ".";
  return {column, [lookup](const Context& of, const Layer& layer) {
            const LayerRoof* const roof = lookup->roof(index_of(of, layer));
            return roof == nullptr || roof->efficiency <= 0
                       ? Cell{}
                       : Cell{share_text(roof->efficiency), roof->efficiency};
          }};
}

Of bound_column(const SharedLookup& lookup) {
  return {{"Bound by", ColumnKind::label, true, true},
          [lookup](const Context& of, const Layer& layer) {
            const LayerRoof* const roof = lookup->roof(index_of(of, layer));
            return roof == nullptr ? std::string()
                                   : fmt::format("{}; at the roof {}", to_string(roof->bound),
                                                 ms_text(roof->roof_ms));
          }};
}

Of runner_up_column(const SharedLookup& lookup) {
  return {{"Runner-up", ColumnKind::name, true, true},
          [lookup](const Context& of, const Layer& layer) {
            const Race* const race = lookup->race(index_of(of, layer));
            return race == nullptr ? std::string() : runner_up_text(*race);
          }};
}

}  // namespace

Table layer_table(const Context& context) {
  const LayerColumns has = columns_present(context);
  std::vector<const Layer*> rows;
  for (const std::size_t i : context.by_time) rows.push_back(&context.build.layers[i]);
  const auto lookup = std::make_shared<Lookup>(context);
  const auto number = [](const Context& of, const Layer& layer) {
    return count_cell(index_of(of, layer));
  };
  const auto label = [lookup](const Context& of, const Layer& layer) {
    return lookup->label(index_of(of, layer));
  };
  const auto time = [](const Layer& layer) { return ms_cell(layer_ms(layer)); };
  const auto type = [](const Layer& layer) {
    const std::string name = type_of(layer);
    return name.empty() ? "unknown" : name;
  };
  const auto kind = [](const Context& of, const Layer& layer) {
    return kind_of(of, index_of(of, layer));
  };
  const auto reads = [](const Layer& layer) { return tensors_text(layer.inputs); };
  const auto writes = [](const Layer& layer) { return tensors_text(layer.outputs); };
  const auto onnx_nodes = [](const Layer& layer) { return join(layer.onnx_nodes, ", "); };
  const bool roofs = !context.analysis.roofline.layers.empty();
  Table table =
      table_of(context, kLayerFacts, rows,
               {{{"#", ColumnKind::number}, number},
                {{"Layer", ColumnKind::name}, label},
                Of({"Time (ms)", ColumnKind::number}, time).only_if(has.time),
                share_column<Layer>(layer_ms).only_if(has.time),
                Of({"Precision", ColumnKind::precision}, kind).only_if(has.precision),
                roof_column(lookup).only_if(roofs),
                Of("opt_profile").only_if(has.opt_profile),
                Of({"Type", ColumnKind::name}, type).only_if(has.type),
                Of({"Name", ColumnKind::name, true, true}, &Layer::name),
                Of({"Evidence", ColumnKind::text, true}, evidence_text).only_if(has.evidence),
                Of({"Tactic", ColumnKind::name, true}, &Layer::tactic_name).only_if(has.tactic),
                runner_up_column(lookup).only_if(!context.analysis.races.empty()),
                bound_column(lookup).only_if(roofs),
                Of({"Reads", ColumnKind::name, true, true}, reads).only_if(has.tensors),
                Of({"Writes", ColumnKind::name, true, true}, writes).only_if(has.tensors),
                Of({"ONNX nodes", ColumnKind::name, true, true}, onnx_nodes).only_if(has.onnx)});
  table.title = has.time ? "Layers, slowest first" : "Layers";
  table.interactive = true;
  table.shown = context.top;
  return table;
}

Section layer_section(const Context& context) {
  Section section{"layers", "Layers", {}};
  if (!context.build.layers.empty()) section.add(layer_table(context));
  return section;
}

}  // namespace trtlens
