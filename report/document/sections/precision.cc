// The section on precision: fallbacks, and tensors without a scale.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/document/layer_names.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kLayersInCell = 4;

std::vector<std::string> labels_in(const Context& context, const std::vector<std::size_t>& all) {
  std::vector<std::string> labels;
  labels.reserve(all.size());
  for (const std::size_t i : all) labels.push_back(label_in(context, i));
  return labels;
}

std::optional<Table> fallback_table(const Context& context) {
  const auto& fallbacks = context.analysis.fallbacks;
  if (!fallbacks || fallbacks->empty()) return std::nullopt;
  std::vector<const Fallback*> sorted = pointers_to(*fallbacks);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Fallback* a, const Fallback* b) {
    return a->time_ms.value_or(-1) > b->time_ms.value_or(-1);
  });
  const auto compute = [](const Context& of, const Fallback& fallback) {
    return of.compute_of(fallback.layer);
  };
  Table table = table_of(context, kFallbackFacts, sorted,
                         {label_column<Fallback>(&Fallback::layer),
                          "time_ms",
                          share_column<Fallback>(&Fallback::time_ms),
                          {{"Computes in", ColumnKind::precision}, compute},
                          "why",
                          "evidence",
                          name_column<Fallback>(&Fallback::layer)});
  table.title = "Wider than allowed: FP32 and TF32 fallbacks";
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
    const std::optional<double> sum = fallback_ms(context.analysis);
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

// What matters first, then what is not known to.
int rank_of(const MissingScaleCost& scale) {
  return scale.matters ? *scale.matters ? 0 : 2 : 1;
}

std::optional<Table> scale_table(const Context& context) {
  const std::vector<MissingScaleCost>& scales = context.analysis.missing_scales;
  if (scales.empty()) return std::nullopt;
  using Scale = MissingScaleCost;
  std::vector<const Scale*> sorted = pointers_to(scales);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Scale* a, const Scale* b) {
    if (rank_of(*a) != rank_of(*b)) return rank_of(*a) < rank_of(*b);
    return a->time_ms.value_or(-1) > b->time_ms.value_or(-1);
  });
  const auto layers = [](const Context& of, const Scale& scale) {
    return join_some(labels_in(of, scale.layers), kLayersInCell);
  };
  const auto reformats = [](const Context& of, const Scale& scale) {
    return join_some(labels_in(of, scale.reformats), kLayersInCell);
  };
  Table table = table_of(context, kMissingScaleFacts, sorted,
                         {"tensor",
                          "matters",
                          "time_ms",
                          place_column<Scale>("Reported at"),
                          {{"Layers that produce or consume it", ColumnKind::text, true}, layers},
                          {{"Reformats around them", ColumnKind::text, true}, reformats}});
  table.title = "Tensors without scale";
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

}  // namespace

Section precision_section(const Context& context) {
  Section section{"precision", "Precision", {}};
  if (context.build.layers.empty() && context.analysis.missing_scales.empty()) return section;
  section.say(fallback_sentence(context));
  section.add(fallback_table(context));
  if (std::optional<Table> table = scale_table(context)) {
    section.say(scale_sentence(context));
    section.add(std::move(*table));
  }
  return section;
}

}  // namespace trtlens
