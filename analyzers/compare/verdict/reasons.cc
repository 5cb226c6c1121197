// Compares precision, kernels, fusion and conversions of the two sides of a group of layers.
#include "analyzers/compare/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "analyzers/graph/graph.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

using About = LayerReason::About;

// A race that was won by less may go the other way in the next build.
constexpr double kNearTie = 0.05;

// "3 reformats added (0.0221 ms to 0.146 ms)"
void explain_conversions(const Kernels& before, const Kernels& after,
                         std::vector<LayerReason>& why) {
  const auto say = [&](std::size_t was, std::size_t is, const char* noun, std::string& text) {
    if (was == is) return;
    text += (text.empty() ? "" : ", ") + count_text(is > was ? is - was : was - is, noun) +
            (is > was ? " added" : " removed");
  };
  std::string text;
  say(before.reformats, after.reformats, "reformat", text);
  say(before.quantizers, after.quantizers, "Q/DQ kernel", text);
  if (text.empty()) return;
  why.push_back({About::other, text,
                 " (" + signed_ms_text(after.conversion_ms - before.conversion_ms) + ")"});
}

std::string type_text(const std::vector<Tensor>& tensors) {
  return tensors.empty() ? std::string() : to_string(tensors[0].type);
}

// Layers that a group's sides are about; npos without any.
std::pair<std::size_t, std::size_t> leads_of(const Comparison& c, const LayerGroup& group) {
  return {lead_of(c.base, group.base), lead_of(c.candidate, group.candidate)};
}

class Reasons {
 public:
  explicit Reasons(Comparison& c) : c_(c) {
    for (const Race& race : c.candidate.races) races_[race.layer] = &race;
  }

  void explain(LayerGroup& group) {
    if (group.base.empty() || group.candidate.empty()) return;
    const bool precision = !group.precision[0].empty() && !group.precision[1].empty() &&
                           group.precision[0] != group.precision[1];
    if (precision && known_precision(group)) {
      group.why.push_back({About::precision, "precision changed",
                           ": " + group.precision[0] + " to " + group.precision[1]});
    } else if (precision) {
      group.why.push_back({About::precision, "precision",
                           ": " + group.precision[0] + " in the base, " + group.precision[1] +
                               " in the candidate"});
    }
    const Kernels before = kernels_of(c_.base, group.base);
    const Kernels after = kernels_of(c_.candidate, group.candidate);
    explain_conversions(before, after, group.why);
    if (before.work > 0 && after.work > 0 && before.work != after.work) {
      group.why.push_back(
          {About::fusion,
           fmt::format("{}: {} became {}", after.work > before.work ? "fusion lost" : "fused",
                       count_text(before.work, "kernel"), after.work),
           ""});
    }
    explain_lead(group, precision);
  }

 private:
  // Types, weights and tactic of the layer that the group is about.
  void explain_lead(LayerGroup& group, bool precision) {
    const std::size_t b = lead_of(c_.base, group.base);
    const std::size_t d = lead_of(c_.candidate, group.candidate);
    if (b == kNoLayer || d == kNoLayer) return;
    const Layer& was = c_.base.build.layers[b];
    const Layer& is = c_.candidate.build.layers[d];
    const std::string written = changed_type(was.outputs, is.outputs);
    if (!written.empty() && (!precision || type_text(is.outputs) != group.precision[1])) {
      group.why.push_back({About::other, "writes " + written, ""});
    }
    const std::string read = changed_type(was.inputs, is.inputs);
    if (!precision && !read.empty()) group.why.push_back({About::other, "reads " + read, ""});
    if (!precision && was.weights && is.weights && was.weights->type != is.weights->type) {
      group.why.push_back({About::other,
                           std::string("weights ") + to_string(is.weights->type) + " instead of " +
                               to_string(was.weights->type),
                           ""});
    }
    if (!precision && !was.inputs.empty() && !is.inputs.empty() &&
        was.inputs[0].type == is.inputs[0].type && !was.inputs[0].format.empty() &&
        !is.inputs[0].format.empty() && was.inputs[0].format != is.inputs[0].format) {
      group.why.push_back({About::other, "input format changed",
                           ": " + was.inputs[0].format.str() + " to " + is.inputs[0].format.str()});
    }
    if (tactic_changed(c_, group)) group.why.push_back(tactic_reason(is));
  }

  [[nodiscard]] LayerReason tactic_reason(const Layer& layer) const {
    LayerReason reason{About::other, "tactic changed", ""};
    const auto race = races_.find(layer.name.str());
    if (race == races_.end() || !race->second->margin) return reason;
    const double margin = *race->second->margin;
    if (margin < kNearTie) reason.what += " in a near tie";
    reason.detail = " (won by " + share_text(margin) + ")";
    return reason;
  }

  Comparison& c_;
  std::unordered_map<std::string, const Race*> races_;
};

}  // namespace

std::vector<std::string> LayerGroup::why_texts() const {
  std::vector<std::string> texts;
  texts.reserve(why.size());
  for (const LayerReason& reason : why) texts.push_back(reason.text());
  return texts;
}

Kernels kernels_of(const Analysis& side, const std::vector<std::size_t>& layers) {
  Kernels k;
  for (const std::size_t i : layers) {
    const double ms = time_or_zero(side.build.layers[i]);
    if (ms <= 0) continue;
    const LayerRole role = side.verdicts[i].role;
    if (!is_conversion(role)) {
      ++k.work;
      k.work_ms += ms;
      continue;
    }
    k.conversion_ms += ms;
    if (role == LayerRole::reformat) {
      ++k.reformats;
    } else {
      ++k.quantizers;
    }
  }
  return k;
}

std::string changed_type(const std::vector<Tensor>& was, const std::vector<Tensor>& is) {
  if (was.empty() || is.empty() || was[0].type == is[0].type || was[0].type == DataType::unknown ||
      is[0].type == DataType::unknown) {
    return {};
  }
  return type_text(is) + " instead of " + type_text(was);
}

bool known_precision(const LayerGroup& group) {
  const char* unknown = to_string(Precision::unknown);
  return group.precision[0] != unknown && group.precision[1] != unknown;
}

std::string type_change(const Comparison& c, const LayerGroup& group) {
  const auto [b, d] = leads_of(c, group);
  if (b == kNoLayer || d == kNoLayer) return {};
  const Layer& was = c.base.build.layers[b];
  const Layer& is = c.candidate.build.layers[d];
  const std::string written = changed_type(was.outputs, is.outputs);
  if (!written.empty()) return "write " + written;
  const std::string read = changed_type(was.inputs, is.inputs);
  return read.empty() ? read : "read " + read;
}

std::size_t lead_of(const Analysis& side, const std::vector<std::size_t>& layers) {
  std::size_t lead = kNoLayer;
  const auto rank = [&](std::size_t i) {
    return std::make_pair(is_arithmetic(side.verdicts[i].role) ? 1 : 0,
                          time_or_zero(side.build.layers[i]));
  };
  for (const std::size_t i : layers) {
    if (is_conversion(side.verdicts[i].role) || side.verdicts[i].role == LayerRole::none) continue;
    if (lead == kNoLayer || rank(i) > rank(lead)) lead = i;
  }
  return lead;
}

bool tactic_changed(const Comparison& c, const LayerGroup& group) {
  if (group.base.empty() || group.candidate.empty() || group.precision[0] != group.precision[1]) {
    return false;
  }
  const auto [b, d] = leads_of(c, group);
  if (b == kNoLayer || d == kNoLayer || !type_change(c, group).empty()) return false;
  const Layer& was = c.base.build.layers[b];
  const Layer& is = c.candidate.build.layers[d];
  if (!was.tactic_name.empty() && !is.tactic_name.empty()) {
    return !(was.tactic_name == is.tactic_name);
  }
  return was.tactic_id && is.tactic_id && *was.tactic_id != *is.tactic_id;
}

void explain_groups(Comparison& c) {
  Reasons reasons(c);
  for (LayerGroup& group : c.groups) reasons.explain(group);
}

}  // namespace trtlens
