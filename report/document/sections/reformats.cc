// The section on reformats: what each costs, what it is for, whether it can go.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "report/document/parts.h"

namespace trtlens {
namespace {

// The number of the first finding that counts a layer's time, by the layer's name.
using FindingOf = std::unordered_map<std::string_view, std::size_t>;

FindingOf finding_of_layers(const Context& context) {
  FindingOf numbers;
  std::size_t number = 0;
  for (const Finding* finding : context.findings) {
    if (finding->severity == Severity::info) continue;
    ++number;
    for (const SharedText& layer : finding->layers) numbers.emplace(layer.str(), number);
  }
  return numbers;
}

std::string reformat_sentence(const Context& context, const FindingOf& finding_of) {
  double all = 0;
  double removable = 0;
  double claimed = 0;
  std::size_t timed = 0;
  std::size_t removable_count = 0;
  std::size_t claimed_count = 0;
  for (const ReformatEntry& entry : context.analysis.reformats) {
    if (entry.layer >= context.build.layers.size()) continue;
    const std::optional<double> ms = layer_ms(context.build.layers[entry.layer]);
    if (ms) ++timed;
    all += ms.value_or(0);
    if (entry.removable.value_or(false)) {
      ++removable_count;
      removable += ms.value_or(0);
    } else if (!entry.removable &&
               finding_of.count(context.build.layers[entry.layer].name.str()) != 0) {
      ++claimed_count;
      claimed += ms.value_or(0);
    }
  }
  const std::string count =
      count_text(context.analysis.reformats.size(), "conversion", "conversions");
  if (timed == 0) {
    return fmt::format("{} between formats or types; their times are unknown.", count);
  }
  const std::optional<double> share = context.share_of(all);
  std::string text =
      fmt::format("{} between formats or types {} {}{}", count,
                  context.analysis.reformats.size() == 1 ? "takes" : "take", ms_text(all),
                  share ? fmt::format(" ({} of profile time)", share_text(*share)) : std::string());
  if (removable_count > 0) {
    text += fmt::format("; {} of them, {}, {} removable", removable_count, ms_text(removable),
                        removable_count == 1 ? "looks" : "look");
  }
  if (claimed_count > 0) {
    text += fmt::format("; {} more, {}, {} with what a finding names", claimed_count,
                        ms_text(claimed), claimed_count == 1 ? "goes" : "go");
  }
  return text + ".";
}

std::string end_kind(const std::vector<Tensor>& tensors) {
  return tensors.empty() ? "unknown" : tensor_kind(tensors.front());
}

std::string type_name(const std::vector<Tensor>& tensors) {
  return tensors.empty() ? "unknown" : to_string(tensors.front().type);
}

// In the order of the columns of the reformat ledger.
Cell reformat_cell(const Context& context, const FindingOf& finding_of, const ReformatEntry& entry,
                   std::size_t column) {
  const Layer& layer = context.build.layers[entry.layer];
  switch (column) {
    case 0:
      return text_cell(layer.name);
    case 1:
      return ms_cell(layer_ms(layer));
    case 2:
      return share_cell(context.share_of(layer_ms(layer)));
    case 3:
      return text_cell(type_name(layer.inputs) + " → " + type_name(layer.outputs));
    case 4:
      return entry.bytes ? Cell{bytes_text(*entry.bytes), static_cast<double>(*entry.bytes)}
                         : text_cell("unknown");
    case 5: {
      if (entry.removable) return text_cell(*entry.removable ? "yes" : "no");
      const auto finding = finding_of.find(layer.name.str());
      if (finding == finding_of.end()) return text_cell("unknown");
      return text_cell(fmt::format("finding {}", finding->second));
    }
    case 6:
      return text_cell(entry.cause.empty() ? "unknown" : cause_of(context.analysis, entry));
    default:
      return text_cell(end_kind(layer.inputs) + " → " + end_kind(layer.outputs));
  }
}

}  // namespace

Section reformat_section(const Context& context) {
  Section section{"reformats", "Reformats", {}};
  const std::vector<ReformatEntry>& reformats = context.analysis.reformats;
  const std::vector<Layer>& layers = context.build.layers;
  std::vector<std::uint32_t> sorted = indices_below(reformats.size());
  sorted.erase(std::remove_if(sorted.begin(), sorted.end(),
                              [&](std::size_t i) { return reformats[i].layer >= layers.size(); }),
               sorted.end());
  if (sorted.empty()) return section;
  const auto ms_of = [&](std::size_t i) {
    return layer_ms(layers[reformats[i].layer]).value_or(-1);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return ms_of(a) > ms_of(b); });
  Table table;
  table.title = "Reformat ledger";
  table.columns = {{"Layer", ColumnKind::name},       {"Time (ms)", ColumnKind::number},
                   {"Share", ColumnKind::share},      {"From → to", ColumnKind::label},
                   {"Bytes", ColumnKind::number},     {"Removable", ColumnKind::label},
                   {"Cause", ColumnKind::text, true}, {"Formats", ColumnKind::text, true}};
  const std::size_t rows = sorted.size();
  FindingOf finding_of = finding_of_layers(context);
  section.blocks.emplace_back(Paragraph{reformat_sentence(context, finding_of), Tone::plain});
  auto make = [context = context.shared_from_this(), sorted = std::move(sorted),
               finding_of = std::move(finding_of)](std::size_t row, std::size_t column) {
    return reformat_cell(*context, finding_of, context->analysis.reformats[sorted[row]], column);
  };
  table.rows = Rows::made_by(rows, table.columns.size(), std::move(make));
  table.shown = context.rows_shown(20);
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace trtlens
