// Precision: fallbacks and missing scales; the reformat ledger.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kLayersInCell = 4;

std::string layer_name(const Context& context, std::size_t i) {
  return i < context.build.layers.size() ? context.build.layers[i].name : "unknown";
}

std::vector<std::string> layer_names(const Context& context, const std::vector<std::size_t>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const std::size_t i : all) names.push_back(layer_name(context, i));
  return names;
}

// In the order of the columns of fallback_table().
Cell fallback_cell(const Context& context, const Fallback& fallback, std::size_t column) {
  switch (column) {
    case 0:
      return text_cell(layer_name(context, fallback.layer));
    case 1:
      return ms_cell(fallback.time_ms);
    case 2:
      return share_cell(context.share_of(fallback.time_ms));
    case 3:
      return text_cell(context.compute_of(fallback.layer));
    case 4:
      return text_cell(fallback.why);
    default:
      return text_cell(join(fallback.evidence, "; "));
  }
}

std::optional<Table> fallback_table(const Context& context) {
  const auto& fallbacks = context.analysis.fallbacks;
  if (!fallbacks || fallbacks->empty()) return std::nullopt;
  std::vector<std::uint32_t> sorted = indices_below(fallbacks->size());
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return (*fallbacks)[a].time_ms.value_or(-1) > (*fallbacks)[b].time_ms.value_or(-1);
  });
  Table table;
  table.title = "Wider than allowed: FP32 and TF32 fallbacks";
  table.columns = {{"Layer", ColumnKind::name},  {"Time (ms)", ColumnKind::number},
                   {"Share", ColumnKind::share}, {"Computes in", ColumnKind::precision},
                   {"Why", ColumnKind::text},    {"Evidence", ColumnKind::text, true}};
  const std::size_t rows = sorted.size();
  auto make = [context = context.shared_from_this(), sorted = std::move(sorted)](
                  std::size_t row, std::size_t column) {
    return fallback_cell(*context, (*context->analysis.fallbacks)[sorted[row]], column);
  };
  table.rows = Rows::made_by(rows, table.columns.size(), std::move(make));
  table.shown = context.rows_shown(20);
  return table;
}

std::string fallback_sentence(const Context& context) {
  const AllowedPrecision& allowed = context.build.allowed;
  if (!context.analysis.fallbacks) {
    return "Whether layers fall back cannot be told: what the build allowed is not known. A log of "
           "the build with its command line, or --profilingVerbosity=detailed layer info, would "
           "say so.";
  }
  if (!context.analysis.fallbacks->empty()) {
    std::optional<double> sum;
    for (const Fallback& fallback : *context.analysis.fallbacks) {
      if (fallback.time_ms) sum = sum.value_or(0) + *fallback.time_ms;
    }
    const std::optional<double> share = context.share_of(sum);
    std::vector<std::string> less = allowed.labels;
    less.erase(std::remove_if(less.begin(), less.end(),
                              [](const std::string& l) { return l == "FP32" || l == "TF32"; }),
               less.end());
    return fmt::format(
        "{} in FP32 or TF32 although {}: {}{}.",
        count_text(context.analysis.fallbacks->size(), "layer computes", "layers compute"),
        allowed.labels.empty() ? "the engine computes narrower elsewhere"
                               : "the build allowed " + join(less, ", "),
        sum ? ms_text(*sum) : std::string("time unknown"),
        share ? fmt::format(" ({} of profile time)", share_text(*share)) : std::string());
  }
  if (context.build.layers.empty()) {
    return "These inputs name no layers: whether any falls back to FP32 is not known.";
  }
  if (allowed.strongly_typed) {
    return "The network is strongly typed: its types are obeyed, nothing falls back.";
  }
  const bool narrow = std::any_of(allowed.labels.begin(), allowed.labels.end(),
                                  [](const std::string& l) { return l != "FP32" && l != "TF32"; });
  if (!allowed.labels.empty() && !narrow) return "The build allowed nothing narrower than FP32.";
  return "No convolution, matrix product or attention falls back to FP32 or TF32.";
}

// In the order of the columns of scale_table().
Cell scale_cell(const Context& context, const MissingScaleCost& scale, std::size_t column) {
  switch (column) {
    case 0:
      return text_cell(scale.tensor);
    case 1:
      return text_cell(!scale.matters ? "unknown" : *scale.matters ? "yes" : "no");
    case 2:
      return ms_cell(scale.time_ms);
    case 3: {
      std::string place = context.place(scale.pos);
      return text_cell(place.empty() ? "unknown" : std::move(place));
    }
    case 4:
      return text_cell(join_some(layer_names(context, scale.layers), kLayersInCell));
    default:
      return text_cell(join_some(layer_names(context, scale.reformats), kLayersInCell));
  }
}

std::optional<Table> scale_table(const Context& context) {
  const std::vector<MissingScaleCost>& scales = context.analysis.missing_scales;
  if (scales.empty()) return std::nullopt;
  std::vector<std::uint32_t> sorted = indices_below(scales.size());
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    const int of_a = scales[a].matters ? *scales[a].matters ? 2 : 0 : 1;
    const int of_b = scales[b].matters ? *scales[b].matters ? 2 : 0 : 1;
    if (of_a != of_b) return of_a > of_b;
    return scales[a].time_ms.value_or(-1) > scales[b].time_ms.value_or(-1);
  });
  Table table;
  table.title = "Tensors without scale";
  table.columns = {{"Tensor", ColumnKind::name},
                   {"Matters", ColumnKind::label},
                   {"Time (ms)", ColumnKind::number},
                   {"Reported at", ColumnKind::name},
                   {"Layers that produce or consume it", ColumnKind::text, true},
                   {"Reformats around them", ColumnKind::text, true}};
  const std::size_t rows = sorted.size();
  auto make = [context = context.shared_from_this(), sorted = std::move(sorted)](
                  std::size_t row, std::size_t column) {
    return scale_cell(*context, context->analysis.missing_scales[sorted[row]], column);
  };
  table.rows = Rows::made_by(rows, table.columns.size(), std::move(make));
  table.note =
      "Time is that of the layers that compute wider than INT8 and of the reformats around them. A "
      "tensor without such a layer does not matter: a constant, shape arithmetic, fused away, or "
      "between layers that run in INT8 all the same.";
  table.shown = context.rows_shown(20);
  return table;
}

std::string scale_sentence(const Context& context) {
  const auto& scales = context.analysis.missing_scales;
  const auto known = static_cast<std::uint64_t>(
      std::count_if(scales.begin(), scales.end(),
                    [](const MissingScaleCost& s) { return s.matters.has_value(); }));
  if (known < scales.size()) {
    return fmt::format(
        "{} without scale and zero-point; whether {} is not known without the layers.",
        count_text(scales.size(), "tensor is", "tensors are"),
        scales.size() == 1 ? "it matters" : "they matter");
  }
  const auto matter = static_cast<std::uint64_t>(
      std::count_if(scales.begin(), scales.end(),
                    [](const MissingScaleCost& s) { return s.matters.value_or(false); }));
  return fmt::format("{} without scale and zero-point, {} of which {}.",
                     count_text(scales.size(), "tensor is", "tensors are"), matter,
                     matter == 1 ? "matters" : "matter");
}

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

Section precision_section(const Context& context) {
  Section section{"precision", "Precision", {}};
  if (context.build.layers.empty() && context.analysis.missing_scales.empty()) return section;
  section.blocks.emplace_back(Paragraph{fallback_sentence(context), Tone::plain});
  if (std::optional<Table> table = fallback_table(context)) {
    section.blocks.emplace_back(std::move(*table));
  }
  if (std::optional<Table> table = scale_table(context)) {
    section.blocks.emplace_back(Paragraph{scale_sentence(context), Tone::plain});
    section.blocks.emplace_back(std::move(*table));
  }
  return section;
}

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
