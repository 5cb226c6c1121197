#include "analyzers/compare/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "analyzers/graph.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// A race that was won by less may go the other way in the next build.
constexpr double kNearTie = 0.05;
// Of the base's profile time: less is not worth a sentence.
constexpr double kLeastShift = 0.01;
constexpr std::size_t kMostParts = 4;  // of the sentence

std::string signed_ms(double ms) {
  return (ms < 0 ? "−" : "+") + ms_text(std::fabs(ms));
}

struct Kernels {
  std::size_t conversions = 0, quantizers = 0, work = 0;  // with a time
  double conversion_ms = 0, work_ms = 0;
};

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
      ++k.conversions;
    } else {
      ++k.quantizers;
    }
  }
  return k;
}

// "3 reformats added (0.0221 ms to 0.146 ms)"
void explain_conversions(const Kernels& before, const Kernels& after,
                         std::vector<std::string>& why) {
  const auto say = [&](std::size_t was, std::size_t is, const char* noun, std::string& text) {
    if (was == is) return;
    text += (text.empty() ? "" : ", ") + count_text(is > was ? is - was : was - is, noun) +
            (is > was ? " added" : " removed");
  };
  std::string text;
  say(before.conversions, after.conversions, "reformat", text);
  say(before.quantizers, after.quantizers, "Q/DQ kernel", text);
  if (text.empty()) return;
  why.push_back(text + " (" + signed_ms(after.conversion_ms - before.conversion_ms) + ")");
}

std::string type_text(const std::vector<Tensor>& tensors) {
  return tensors.empty() ? std::string() : to_string(tensors[0].type);
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
    if (precision) {
      group.why.push_back("precision changed: " + group.precision[0] + " to " + group.precision[1]);
    }
    const Kernels before = kernels_of(c_.base, group.base);
    const Kernels after = kernels_of(c_.candidate, group.candidate);
    explain_conversions(before, after, group.why);
    if (before.work > 0 && after.work > 0 && before.work != after.work) {
      group.why.push_back(fmt::format("fusion {}: {} became {}",
                                      after.work > before.work ? "lost" : "won",
                                      count_text(before.work, "kernel"), after.work));
    }
    explain_lead(group, precision);
  }

 private:
  // Types, weights and tactic of the layer that the group is about.
  void explain_lead(LayerGroup& group, bool precision) {
    const std::size_t b = lead_of(c_.base, group.base);
    const std::size_t d = lead_of(c_.candidate, group.candidate);
    if (b == kNone || d == kNone) return;
    const Layer& was = c_.base.build.layers[b];
    const Layer& is = c_.candidate.build.layers[d];
    const std::string wrote = type_text(was.outputs), writes = type_text(is.outputs);
    if (!wrote.empty() && !writes.empty() && wrote != writes &&
        (!precision || writes != group.precision[1])) {
      group.why.push_back("writes " + writes + " instead of " + wrote);
    }
    if (!precision && was.weights && is.weights && was.weights->type != is.weights->type) {
      group.why.push_back(std::string("weights ") + to_string(is.weights->type) + " instead of " +
                          to_string(was.weights->type));
    }
    if (!precision && !was.inputs.empty() && !is.inputs.empty() &&
        was.inputs[0].type == is.inputs[0].type && !was.inputs[0].format.empty() &&
        !is.inputs[0].format.empty() && was.inputs[0].format != is.inputs[0].format) {
      group.why.push_back("input format changed: " + was.inputs[0].format.str() + " to " +
                          is.inputs[0].format.str());
    }
    if (tactic_changed(c_, group)) group.why.push_back("tactic changed" + margin_text(is));
  }

  [[nodiscard]] std::string margin_text(const Layer& layer) const {
    const auto race = races_.find(layer.name.str());
    if (race == races_.end() || !race->second->margin) return {};
    const double margin = *race->second->margin;
    return std::string(margin < kNearTie ? " (a near tie: won by " : " (won by ") +
           share_text(margin) + ")";
  }

  Comparison& c_;
  std::unordered_map<std::string, const Race*> races_;
};

// A part of the shift: what, how many groups, and how much.
struct Part {
  std::string text;
  double ms = 0;
};

bool is_narrow(Precision p) {
  return p == Precision::int8 || p == Precision::fp8 || p == Precision::int4 || p == Precision::fp4;
}

// Narrow arithmetic that writes a wide type, by that type.
std::map<std::string, std::size_t> wide_writers(const Analysis& side) {
  std::map<std::string, std::size_t> found;
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    const Layer& layer = side.build.layers[i];
    if (!is_arithmetic(side.verdicts[i].role) || !is_narrow(side.verdicts[i].compute) ||
        layer.outputs.empty() || !is_float(layer.outputs[0].type)) {
      continue;
    }
    ++found[to_string(layer.outputs[0].type)];
  }
  return found;
}

// "; 11 narrow layers write FP16, before none". One layer more or less is an output of the network.
std::string wide_writers_text(std::map<std::string, std::size_t> before,
                              std::map<std::string, std::size_t> after) {
  std::string text;
  for (const char* type : {"FP32", "FP16", "BF16"}) {
    const std::size_t was = before[type], is = after[type];
    if (std::max(was, is) - std::min(was, is) < 2) continue;
    const auto number = [](std::size_t n) { return n == 0 ? "none" : std::to_string(n); };
    text += "; " +
            (is == 0 ? std::string("no narrow layer writes ")
                     : count_text(is, "narrow layer") + (is == 1 ? " writes " : " write ")) +
            type + ", before " + number(was);
  }
  return text;
}

Part conversions_part(const Comparison& c) {
  const auto all = [](const Analysis& side) {
    std::vector<std::size_t> layers(side.build.layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = i;
    return kernels_of(side, layers);
  };
  const Kernels before = all(c.base), after = all(c.candidate);
  const std::size_t was = before.conversions + before.quantizers;
  const std::size_t is = after.conversions + after.quantizers;
  Part part;
  part.ms = after.conversion_ms - before.conversion_ms;
  part.text =
      was == is ? count_text(is, "reformat and Q/DQ kernel") + " of another cost"
                : fmt::format("{} instead of {}", count_text(is, "reformat and Q/DQ kernel"), was);
  return part;
}

// Work of the groups, by what happened to them.
std::vector<Part> work_parts(const Comparison& c) {
  std::map<std::string, std::pair<std::size_t, double>> kinds;
  for (const LayerGroup& group : c.groups) {
    const Kernels before = kernels_of(c.base, group.base);
    const Kernels after = kernels_of(c.candidate, group.candidate);
    const double ms = after.work_ms - before.work_ms;
    std::string kind = "with the same arithmetic";
    if (group.base.empty() || group.candidate.empty()) {
      kind = "on one side only";
    } else if (!group.precision[0].empty() && !group.precision[1].empty() &&
               group.precision[0] != group.precision[1]) {
      kind = "from " + group.precision[0] + " to " + group.precision[1];
    } else if (before.work != after.work) {
      kind = "fused another way";
    } else if (tactic_changed(c, group)) {
      kind = "with another tactic";
    }
    auto& [count, sum] = kinds[kind];
    ++count;
    sum += ms;
  }
  std::vector<Part> parts;
  parts.reserve(kinds.size());
  for (const auto& [kind, what] : kinds) {
    parts.push_back({count_text(what.first, "group") + " " + kind, what.second});
  }
  return parts;
}

// The finding that explains most and that only one side has.
const Finding* explaining(const std::vector<Finding>& has, const std::vector<Finding>& has_not) {
  std::set<std::string> known;
  for (const Finding& finding : has_not) known.insert(finding.rule);
  for (const Finding& finding : has) {
    if (finding.stake_ms && finding.severity >= Severity::moderate &&
        known.count(finding.rule) == 0) {
      return &finding;
    }
  }
  return nullptr;
}

std::string first_clause(const std::string& title) {
  const std::size_t end = title.find(": ");
  return end == std::string::npos ? title : title.substr(0, end);
}

}  // namespace

std::size_t lead_of(const Analysis& side, const std::vector<std::size_t>& layers) {
  std::size_t lead = kNone;
  const auto rank = [&](std::size_t i) {
    return std::make_pair(is_arithmetic(side.verdicts[i].role) ? 1 : 0,
                          time_or_zero(side.build.layers[i]));
  };
  for (const std::size_t i : layers) {
    if (is_conversion(side.verdicts[i].role) || side.verdicts[i].role == LayerRole::none) continue;
    if (lead == kNone || rank(i) > rank(lead)) lead = i;
  }
  return lead;
}

bool tactic_changed(const Comparison& c, const LayerGroup& group) {
  if (group.base.empty() || group.candidate.empty() || group.precision[0] != group.precision[1]) {
    return false;
  }
  const std::size_t b = lead_of(c.base, group.base);
  const std::size_t d = lead_of(c.candidate, group.candidate);
  if (b == kNone || d == kNone) return false;
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

std::string cause_of_shift(const Comparison& c) {
  const double base_ms = c.base.build.profile_sum_ms;
  const double shift = c.candidate.build.profile_sum_ms - base_ms;
  if (!c.base.build.has_profile || !c.candidate.build.has_profile ||
      std::fabs(shift) < kLeastShift * base_ms) {
    return {};
  }
  std::vector<Part> parts = work_parts(c);
  parts.push_back(conversions_part(c));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return std::fabs(a.ms) > std::fabs(b.ms); });
  std::string text = signed_ms(shift) + " of profile time: ";
  for (std::size_t k = 0; k < parts.size() && k < kMostParts; ++k) {
    if (std::fabs(parts[k].ms) < kLeastShift / 2 * base_ms) break;
    text += (k == 0 ? "" : "; ") + parts[k].text + " (" + signed_ms(parts[k].ms) + ")";
  }
  text += wide_writers_text(wide_writers(c.base), wide_writers(c.candidate));
  const Finding* reason = shift > 0 ? explaining(c.candidate.findings, c.base.findings)
                                    : explaining(c.base.findings, c.candidate.findings);
  if (reason != nullptr) {
    text += shift > 0 ? "; because: " : "; no longer so: ";
    text += first_clause(reason->title);
  }
  return text + ".";
}

}  // namespace trtlens
