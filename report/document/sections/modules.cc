// The section on modules: profile time by module of the network and by ONNX node.
#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "analyzers/labels.h"
#include "report/document/columns.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

// "layer2.1" for "/layer2/layer2.1", as the labels of layers begin.
std::string short_path(const std::string& path) {
  const std::string label = module_label(path + "/node");
  return label.empty() ? path : label;
}

std::string module_name(const ModuleLedger& ledger, const ModuleRow& row) {
  std::string path = short_path(ledger.modules[row.module].path);
  switch (row.part) {
    case ModulePart::own:
      return row.module == 0 ? "top level" : path + " (not in its modules)";
    case ModulePart::others:
      return fmt::format("{} ({} other modules)", path, row.modules);
    case ModulePart::whole:
      break;
  }
  return path;
}

using Operators = std::unordered_map<std::string_view, const std::string*>;

std::optional<Table> node_table(const Context& context) {
  const std::vector<OnnxTime>& times = context.analysis.onnx_times;
  if (times.empty()) return std::nullopt;
  Operators operators;
  for (const OnnxNode& node : context.build.onnx_nodes) operators.try_emplace(node.name, &node.op);
  const bool has_operators = !operators.empty();
  const auto operator_of = [operators = std::move(operators)](const OnnxTime& time) {
    const auto found = operators.find(time.node.str());
    return found == operators.end() ? std::string() : *found->second;
  };
  Table table = table_of(
      context, kOnnxTimeFacts, pointers_to(times),
      {"node",
       ColumnOf<OnnxTime>({"Operator", ColumnKind::label}, operator_of).only_if(has_operators),
       "layers", "time_ms", share_column<OnnxTime>(&OnnxTime::time_ms), "alone_ms"});
  table.title = "ONNX nodes, by the layers that compute them";
  table.shown = context.top;
  table.note =
      "A layer into which several nodes were fused counts for each of them, so the rows do not add "
      "up; \"alone\" is the time of layers that compute nothing else.";
  return table;
}

std::optional<Table> module_table(const Context& context) {
  if (!context.analysis.modules) return std::nullopt;
  const ModuleLedger& ledger = *context.analysis.modules;
  const auto name = [](const Context& of, const ModuleRow& row) {
    return module_name(*of.analysis.modules, row);
  };
  const auto path_behind = [](const Context& of, const ModuleRow& row) {
    const std::string& path = of.analysis.modules->modules[row.module].path;
    return short_path(path) == path ? std::string() : path;
  };
  Table table = table_of(context, kModuleRowFacts, pointers_to(ledger.rows),
                         {{{"Module", ColumnKind::name}, name},
                          "layers",
                          "time_ms",
                          share_column<ModuleRow>(&ModuleRow::time_ms),
                          {{"Name", ColumnKind::name, true, true}, path_behind}});
  table.title = "Modules of the network";
  if (ledger.layers_without > 0) {
    table.rows.push_back({text_cell("no module"),
                          count_cell(ledger.layers_without),
                          ms_cell(ledger.without_ms),
                          share_cell(context.share_of(ledger.without_ms)),
                          {}});
  }
  table.note =
      "Adds up to the profile. A fused layer counts at the deepest module that all its ONNX nodes "
      "are in, a conversion to those of the layer that is charged with it.";
  return table;
}

}  // namespace

Section module_section(const Context& context) {
  Section section{"modules", "Time by module and ONNX node", {}};
  section.add(module_table(context));
  section.add(node_table(context));
  return section;
}

}  // namespace trtlens
