// Alignment: layers of both sides that do the same work, m:n, near-linear. Stages from the surest
// to the least sure; each looks only at what the ones before left over.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analyzers/compare/align/align.h"

namespace trtlens {
namespace {

std::string precision_label(const Analysis& side, const std::vector<std::size_t>& layers) {
  std::string label;
  double most = -1;
  for (const std::size_t i : layers) {
    if (!is_arithmetic(side.verdicts[i].role)) continue;
    const double time = time_or_zero(side.build.layers[i]);
    if (time > most) {
      most = time;
      label = to_string(side.verdicts[i].compute);
    }
  }
  return label;
}

// Nodes that both sides of the group have, over those that either has.
double shared_nodes(const Alignment& alignment, const LayerGroup& group) {
  const auto nodes_of = [](const AlignSide& side, const std::vector<std::size_t>& layers) {
    std::unordered_set<std::string_view> nodes;
    for (const std::size_t i : layers) {
      if (side.conversion[i]) continue;
      for (const std::string& node : side.layer(i).onnx_nodes) {
        if (!is_quantizer(node)) nodes.insert(node);
      }
    }
    return nodes;
  };
  const auto of_base = nodes_of(alignment.base, group.base);
  const auto of_candidate = nodes_of(alignment.candidate, group.candidate);
  std::size_t both = 0;
  for (const std::string_view node : of_base) both += of_candidate.count(node);
  const std::size_t either = of_base.size() + of_candidate.size() - both;
  return either == 0 ? 0 : static_cast<double>(both) / static_cast<double>(either);
}

void describe(const Alignment& alignment, LayerGroup& group) {
  group.precision = {precision_label(alignment.base.analysis, group.base),
                     precision_label(alignment.candidate.analysis, group.candidate)};
  if (group.base.empty() || group.candidate.empty()) {
    group.how = group.base.empty() ? "only_candidate" : "only_base";
    return;
  }
  Link link = Link::none;
  for (const std::size_t i : group.base) link = std::min(link, alignment.links[i]);
  switch (link) {
    case Link::onnx:
      group.how = "onnx";
      // Weights alone tie layers, too: then no node is shared.
      group.confidence = 0.6 + 0.4 * shared_nodes(alignment, group);
      break;
    case Link::name:
      group.how = "name";
      group.confidence = 0.9;
      break;
    case Link::tensors:
      group.how = "tensors";
      group.confidence = 0.8;
      break;
    case Link::signature:
    case Link::none:
      group.how = "signature";
      group.confidence = 0.6;
      break;
  }
}

}  // namespace

AlignSide::AlignSide(const Analysis& of, std::size_t first)
    : analysis(of), graph(of.build, of.verdicts), offset(first) {
  for (const LayerVerdict& verdict : of.verdicts) conversion.push_back(is_conversion(verdict.role));
}

Alignment::Alignment(const Analysis& b, const Analysis& c)
    : base(b, 0),
      candidate(c, b.build.layers.size()),
      sets(b.build.layers.size() + c.build.layers.size()),
      links(b.build.layers.size() + c.build.layers.size(), Link::none),
      named_alone(links.size(), false) {}

bool is_left_over(const Alignment& alignment, const AlignSide& side, std::size_t i) {
  return !side.conversion[i] && !alignment.tied(side, i) &&
         side.analysis.verdicts[i].role != LayerRole::none && side.graph.takes_part(i);
}

bool is_free(const Alignment& alignment, const AlignSide& side, std::size_t i) {
  return is_left_over(alignment, side, i) && !alignment.named_alone[side.offset + i];
}

void Alignment::tie(std::size_t b, std::size_t c, Link link) {
  sets.join(base.offset + b, candidate.offset + c);
  for (const std::size_t i : {base.offset + b, candidate.offset + c}) {
    links[i] = std::min(links[i], link);
  }
}

std::vector<LayerGroup> align(const Analysis& base, const Analysis& candidate) {
  Alignment alignment(base, candidate);
  const bool numbers_hold = align_by_nodes(alignment);
  align_by_name(alignment, numbers_hold);
  align_by_tensors(alignment, numbers_hold, false);
  align_by_signature(alignment);
  align_by_tensors(alignment, numbers_hold, true);
  align_by_myelin_name(alignment);
  absorb_fused(alignment);
  align_conversions(alignment);
  std::vector<LayerGroup> groups;
  std::unordered_map<std::size_t, std::size_t> group_of;  // by root
  const auto add = [&](const AlignSide& side, std::vector<std::size_t> LayerGroup::*members) {
    for (std::size_t i = 0; i < side.size(); ++i) {
      const auto [at, is_new] =
          group_of.try_emplace(alignment.sets.find(side.offset + i), groups.size());
      if (is_new) groups.emplace_back();
      (groups[at->second].*members).push_back(i);
    }
  };
  add(alignment.base, &LayerGroup::base);
  add(alignment.candidate, &LayerGroup::candidate);
  for (LayerGroup& group : groups) describe(alignment, group);
  return groups;
}

}  // namespace trtlens
