// The section on modules: profile time by module of the network and by ONNX node.
#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "report/document/parts.h"

namespace trtlens {
namespace {

std::string module_name(const ModuleLedger& ledger, const ModuleRow& row) {
  const std::string& path = ledger.modules[row.module].path;
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

Cell node_cell(const Context& context, const Operators& operators, const OnnxTime& time,
               std::size_t column) {
  if (column > 0 && operators.empty()) ++column;
  switch (column) {
    case 0:
      return text_cell(time.node);
    case 1: {
      const auto found = operators.find(time.node.str());
      return text_cell(found == operators.end() ? "" : *found->second);
    }
    case 2:
      return count_cell(time.layers);
    case 3:
      return ms_cell(time.time_ms);
    case 4:
      return share_cell(context.share_of(time.time_ms));
    default:
      return ms_cell(time.alone_ms);
  }
}

std::optional<Table> node_table(const Context& context) {
  const std::vector<OnnxTime>& times = context.analysis.onnx_times;
  if (times.empty()) return std::nullopt;
  Operators operators;
  for (const OnnxNode& node : context.build.onnx_nodes) operators.try_emplace(node.name, &node.op);
  Table table;
  table.title = "ONNX nodes, by the layers that compute them";
  table.columns = {{"ONNX node", ColumnKind::name}};
  if (!operators.empty()) table.columns.push_back({"Operator", ColumnKind::label});
  table.columns.push_back({"Layers", ColumnKind::number});
  table.columns.push_back({"Time of its layers (ms)", ColumnKind::number});
  table.columns.push_back({"Share", ColumnKind::share});
  table.columns.push_back({"Alone (ms)", ColumnKind::number});
  auto make = [context = context.shared_from_this(), operators = std::move(operators)](
                  std::size_t row, std::size_t column) {
    return node_cell(*context, operators, context->analysis.onnx_times[row], column);
  };
  table.rows = Rows::made_by(times.size(), table.columns.size(), std::move(make));
  table.shown = context.top;
  table.note =
      "A layer into which several nodes were fused counts for each of them, so the rows do not add "
      "up; \"alone\" is the time of layers that compute nothing else.";
  return table;
}

std::optional<Table> module_table(const Context& context) {
  if (!context.analysis.modules) return std::nullopt;
  const ModuleLedger& ledger = *context.analysis.modules;
  Table table;
  table.title = "Modules of the network";
  table.columns = {{"Module", ColumnKind::name},
                   {"Layers", ColumnKind::number},
                   {"Time (ms)", ColumnKind::number},
                   {"Share", ColumnKind::share}};
  for (const ModuleRow& row : ledger.rows) {
    table.rows.push_back({text_cell(module_name(ledger, row)), count_cell(row.layers),
                          ms_cell(row.time_ms), share_cell(context.share_of(row.time_ms))});
  }
  if (ledger.layers_without > 0) {
    table.rows.push_back({text_cell("no module"), count_cell(ledger.layers_without),
                          ms_cell(ledger.without_ms),
                          share_cell(context.share_of(ledger.without_ms))});
  }
  table.note =
      "Adds up to the profile. A fused layer counts at the deepest module that all its ONNX nodes "
      "are in, a conversion to those of the layer that is charged with it.";
  return table;
}

}  // namespace

Section module_section(const Context& context) {
  Section section{"modules", "Time by module and ONNX node", {}};
  if (auto modules = module_table(context)) section.blocks.emplace_back(std::move(*modules));
  if (auto nodes = node_table(context)) section.blocks.emplace_back(std::move(*nodes));
  return section;
}

}  // namespace trtlens
