// The groups of a comparison: what shifted, by how much and why.
#include "report/document/comparison/groups.h"

#include <fmt/format.h>

#include "analyzers/rules/rule.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

std::string layers_text(const Analysis& side, const std::vector<std::size_t>& layers) {
  std::string text;
  std::size_t left = 0;
  for (const std::size_t i : layers) {
    if (time_or_zero(side.build.layers[i]) <= 0 && layers.size() > 1) continue;
    if (text.size() > 160) {
      ++left;
      continue;
    }
    text += (text.empty() ? "" : "; ") + side.build.layers[i].name;
  }
  if (left > 0) text += fmt::format("; and {} more", left);
  if (text.empty() && !layers.empty()) text = side.build.layers[layers[0]].name;
  return text.empty() ? "–" : text;
}

const char* how_text(const std::string& how) {
  if (how == "onnx") return "ONNX nodes";
  if (how == "tensors") return "tensors";
  if (how == "signature") return "kind, shapes and neighbours";
  return "name";
}

const char* verdict_text(Verdict verdict) {
  return name_of<Verdict::regressed>(verdict, {"cannot tell", "no change", "faster", "slower"});
}

// Of the candidate's profile; of the base's where only the base has the layers.
Cell share_of(const Comparison& c, const LayerGroup& group) {
  const bool of_base = group.candidate.empty();
  const double whole_ms = (of_base ? c.base : c.candidate).build.profile_sum_ms;
  if (whole_ms <= 0) return {};
  const double share = (of_base ? group.base_ms : group.candidate_ms) / whole_ms;
  return {share_text(share), share};
}

Cell time_of(const Analysis& side, const std::vector<std::size_t>& layers, double ms) {
  if (!side.build.has_profile) return {"–", {}};
  return {layers.empty() ? "–" : ms_text(ms), ms};
}

std::vector<Cell> row_of(const Comparison& c, const LayerGroup& group) {
  const bool is_timed = c.base.build.has_profile && c.candidate.build.has_profile;
  return {is_timed ? Cell{signed_ms_text(group.delta_ms), group.delta_ms} : Cell{"–", {}},
          time_of(c.base, group.base, group.base_ms),
          time_of(c.candidate, group.candidate, group.candidate_ms),
          share_of(c, group),
          {verdict_text(group.verdict), {}},
          {precision_text(group), {}},
          {lead_label(c, group), {}},
          {join(group.why_texts(), "; "), {}},
          {layers_text(c.base, group.base), {}},
          {layers_text(c.candidate, group.candidate), {}},
          {group.confidence > 0 ? fmt::format("{} ({:.2f})", how_text(group.how), group.confidence)
                                : std::string(),
           {}}};
}

}  // namespace

bool unmatched(const LayerGroup& group) {
  return group.base.empty() || group.candidate.empty();
}

std::string precision_text(const LayerGroup& group) {
  const auto& [before, after] = group.precision;
  std::string precision = group.base.empty() ? after : before;
  if (before != after && !unmatched(group)) {
    precision = (before.empty() ? "unknown" : before) + " → " + (after.empty() ? "unknown" : after);
  }
  return precision.empty() ? "–" : precision;
}

std::string lead_label(const Comparison& c, const LayerGroup& group) {
  const bool of_base = !group.base.empty();
  const Analysis& side = of_base ? c.base : c.candidate;
  std::size_t lead = 0;
  double most = -1;
  for (const std::size_t i : of_base ? group.base : group.candidate) {
    const LayerRole role = side.verdicts[i].role;
    const bool moves = role == LayerRole::reformat || role == LayerRole::quantize ||
                       role == LayerRole::dequantize || role == LayerRole::none;
    const double weight = time_or_zero(side.build.layers[i]) + (moves ? 0 : 1e6);
    if (weight > most) {
      most = weight;
      lead = i;
    }
  }
  return label_of(side, lead);
}

std::vector<const LayerGroup*> groups_of(const Comparison& c, bool matched) {
  std::vector<const LayerGroup*> groups;
  for (const LayerGroup& group : c.groups) {
    const bool takes_time = group.base_ms != 0 || group.candidate_ms != 0;
    if (unmatched(group) != matched && takes_time) groups.push_back(&group);
  }
  return groups;
}

Section groups_section(const Comparison& c, int top, bool matched) {
  Section section;
  section.id = matched ? "groups" : "unmatched";
  section.title =
      matched ? "Layers of both sides, largest shift first" : "Layers that only one side has";
  Table table;
  table.columns = {
      {"Shift", ColumnKind::delta},
      {"Base", ColumnKind::number},
      {"Candidate", ColumnKind::number},
      {matched ? "Share (candidate)" : "Share of its side", ColumnKind::share, false, true},
      {"Verdict", ColumnKind::label},
      {"Precision", ColumnKind::label},
      {"Layer", ColumnKind::name},
      {"Why", ColumnKind::text, true},
      {"Base layers", ColumnKind::text, true, true},
      {"Candidate layers", ColumnKind::text, true, true},
      {"Matched by", ColumnKind::text, true, true}};
  table.shown = top > 0 ? static_cast<std::size_t>(top) : 0;
  table.interactive = true;
  double base_ms = 0, candidate_ms = 0;
  for (const LayerGroup* shown : groups_of(c, matched)) {
    const LayerGroup& group = *shown;
    base_ms += group.base_ms;
    candidate_ms += group.candidate_ms;
    table.rows.push_back(row_of(c, group));
  }
  if (!matched && c.base.build.has_profile && c.candidate.build.has_profile) {
    section.say("Profile time in them: " + ms_text(base_ms) + " of the base's, " +
                ms_text(candidate_ms) + " of the candidate's.");
  }
  table.note = "Times include the reformats and Q/DQ kernels that were joined to a layer.";
  if (!table.rows.empty()) section.add(std::move(table));
  return section;
}

}  // namespace trtlens
