// What trtexec was told beside the flags of the command: rows of its banner, optimization profiles.
#include <algorithm>

#include "report/document/parts.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

std::string shape_text(const OptimizationProfile& profile, const Dims& shape) {
  if (!profile.shape_tensor || shape.empty()) return dims_text(shape);
  std::vector<std::string> values;
  for (const std::int64_t value : shape) values.push_back(std::to_string(value));
  return join(values, ", ");
}

// A list of shapes may be 64 KiB long; the JSON report has it.
constexpr std::size_t kMaxValueColumns = 1000;

std::optional<Table> option_table(const Context& context) {
  Table table;
  table.title = "Options that are not trtexec's default";
  table.columns = {{"Option", ColumnKind::text}, {"Value", ColumnKind::name}};
  for (const auto& [row, value] : changed_options(context.build)) {
    const std::size_t slash = row.find('/');
    const std::string section = row.substr(0, row.find(' '));
    table.rows.push_back({text_cell(row.substr(slash + 1) + " (" + section + ")"),
                          text_cell(elide_middle(value, kMaxValueColumns))});
  }
  return table.rows.empty() ? std::nullopt : std::optional<Table>(std::move(table));
}

std::optional<Table> profile_table(const Context& context) {
  const Build& build = context.build;
  // Where the layer info has them the table of inputs and outputs does.
  if (build.optimization_profiles.empty() ||
      std::any_of(build.io_tensors.begin(), build.io_tensors.end(),
                  [](const IoTensor& io) { return !io.shapes.empty(); })) {
    return std::nullopt;
  }
  Table table;
  table.title = "Optimization profiles";
  table.columns = {{"Profile", ColumnKind::number},
                   {"Input", ColumnKind::name},
                   {"Min", ColumnKind::label},
                   {"Opt", ColumnKind::label},
                   {"Max", ColumnKind::label}};
  for (const OptimizationProfile& one : build.optimization_profiles) {
    const std::string name = one.input + (one.shape_tensor ? " (values)" : "");
    table.rows.push_back({count_cell(static_cast<std::uint64_t>(one.shapes.profile)),
                          text_cell(name), text_cell(shape_text(one, one.shapes.min)),
                          text_cell(shape_text(one, one.shapes.opt)),
                          text_cell(shape_text(one, one.shapes.max))});
  }
  table.shown = context.rows_shown(20);
  return table;
}

}  // namespace

Section configuration_section(const Context& context) {
  Section section{"configuration", "Configuration", {}, true, true};
  section.add(option_table(context));
  section.add(profile_table(context));
  return section;
}

}  // namespace trtlens
