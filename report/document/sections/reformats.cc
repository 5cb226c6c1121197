// The section on reformats: what each costs, what it is for, whether it can go.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

// The number of the first finding that counts a layer's time, by the layer; 0: none.
using FindingOf = std::vector<std::uint32_t>;

FindingOf finding_of_layers(const Context& context) {
  FindingOf numbers(context.build.layers.size());
  std::uint32_t number = 0;
  for (const Finding* finding : context.findings) {
    if (finding->severity == Severity::info) continue;
    ++number;
    for (const SharedText& name : finding->layers) {
      const auto layers = context.name_labels().layers_of(name.str());
      if (layers.empty() || numbers[layers.front()] != 0) continue;
      for (const std::uint32_t layer : layers) numbers[layer] = number;
    }
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
    } else if (!entry.removable && finding_of[entry.layer] != 0) {
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

Table reformat_table(const Context& context, const std::vector<const ReformatEntry*>& rows,
                     FindingOf finding_of) {
  using Entry = ReformatEntry;
  const auto layer_of = [](const Context& of, const Entry& entry) -> const Layer& {
    return of.build.layers[entry.layer];
  };
  const auto ms_of = [layer_of](const Context& of, const Entry& entry) {
    return layer_ms(layer_of(of, entry));
  };
  const auto types = [layer_of](const Context& of, const Entry& entry) {
    const Layer& layer = layer_of(of, entry);
    return type_name(layer.inputs) + " → " + type_name(layer.outputs);
  };
  const auto removable = [finding_of = std::move(finding_of)](const Context&, const Entry& entry) {
    if (entry.removable) return std::string(*entry.removable ? "yes" : "no");
    const std::uint32_t finding = finding_of[entry.layer];
    return finding == 0 ? std::string("unknown") : fmt::format("finding {}", finding);
  };
  const auto cause = [](const Context& of, const Entry& entry) {
    return entry.cause.empty() ? "unknown" : cause_by_label(of.analysis, entry);
  };
  const auto formats = [layer_of](const Context& of, const Entry& entry) {
    const Layer& layer = layer_of(of, entry);
    return end_kind(layer.inputs) + " → " + end_kind(layer.outputs);
  };
  Table table = table_of(context, kReformatFacts, rows,
                         {label_column<Entry>(&Entry::layer),
                          "time_ms",
                          share_column<Entry>(ms_of),
                          {{"From → to", ColumnKind::label}, types},
                          "bytes",
                          {{"Removable", ColumnKind::label}, removable},
                          {{"Cause", ColumnKind::text, true}, cause},
                          {{"Formats", ColumnKind::text, true}, formats},
                          name_column<Entry>(&Entry::layer)});
  table.title = "Reformat ledger";
  table.shown = context.rows_shown(20);
  return table;
}

}  // namespace

Section reformat_section(const Context& context) {
  Section section{"reformats", "Reformats", {}};
  std::vector<const ReformatEntry*> sorted = pointers_to(context.analysis.reformats);
  const std::vector<Layer>& layers = context.build.layers;
  std::erase_if(sorted, [&](const ReformatEntry* entry) { return entry->layer >= layers.size(); });
  if (sorted.empty()) return section;
  const auto ms_of = [&](const ReformatEntry* entry) {
    return layer_ms(layers[entry->layer]).value_or(-1);
  };
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [&](const ReformatEntry* a, const ReformatEntry* b) { return ms_of(a) > ms_of(b); });
  FindingOf finding_of = finding_of_layers(context);
  section.say(reformat_sentence(context, finding_of));
  section.add(reformat_table(context, sorted, std::move(finding_of)));
  return section;
}

}  // namespace trtlens
