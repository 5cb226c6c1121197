// Compares precision, kernels, fusion and conversions of the two sides of a group of layers.
#include "analyzers/compare/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "analyzers/graph/graph.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
// A race that was won by less may go the other way in the next build.
constexpr double kNearTie = 0.05;
// Of the base's profile time: less is not worth a sentence.
constexpr double kLeastShift = 0.01;
constexpr std::size_t kMostParts = 4;  // of the sentence

// A finding explains a shift when at least so much of it is at its stake.
constexpr double kLeastExplained = 0.1;
constexpr std::size_t kMostFindings = 2;  // in the sentence

struct Kernels {
  std::size_t reformats = 0, quantizers = 0, work = 0;  // with a time
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
      ++k.reformats;
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
  say(before.reformats, after.reformats, "reformat", text);
  say(before.quantizers, after.quantizers, "Q/DQ kernel", text);
  if (text.empty()) return;
  why.push_back(text + " (" + signed_ms_text(after.conversion_ms - before.conversion_ms) + ")");
}

std::string type_text(const std::vector<Tensor>& tensors) {
  return tensors.empty() ? std::string() : to_string(tensors[0].type);
}

// "INT8 instead of FP32"; "" when the types are equal or one is not known.
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

// Layers that a group's sides are about; npos without any.
std::pair<std::size_t, std::size_t> leads_of(const Comparison& c, const LayerGroup& group) {
  return {lead_of(c.base, group.base), lead_of(c.candidate, group.candidate)};
}

// Output type of a group's lead, else its input's, when it is another one: "write FP32 instead of
// FP16". A kernel for other types is another kernel: no race that fell the other way.
std::string type_change(const Comparison& c, const LayerGroup& group) {
  const auto [b, d] = leads_of(c, group);
  if (b == kNone || d == kNone) return {};
  const Layer& was = c.base.build.layers[b];
  const Layer& is = c.candidate.build.layers[d];
  const std::string written = changed_type(was.outputs, is.outputs);
  if (!written.empty()) return "write " + written;
  const std::string read = changed_type(was.inputs, is.inputs);
  return read.empty() ? read : "read " + read;
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
      group.why.push_back("precision changed: " + group.precision[0] + " to " + group.precision[1]);
    } else if (precision) {
      group.why.push_back("precision: " + group.precision[0] + " in the base, " +
                          group.precision[1] + " in the candidate");
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
    const std::string written = changed_type(was.outputs, is.outputs);
    if (!written.empty() && (!precision || type_text(is.outputs) != group.precision[1])) {
      group.why.push_back("writes " + written);
    }
    const std::string read = changed_type(was.inputs, is.inputs);
    if (!precision && !read.empty()) group.why.push_back("reads " + read);
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
// Narrow arithmetic that writes a wide type, by that type.
std::map<std::string, std::size_t> wide_writers(const Analysis& side) {
  std::map<std::string, std::size_t> found;
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    const Layer& layer = side.build.layers[i];
    const int width = width_of(side.verdicts[i].compute);
    if (!is_arithmetic(side.verdicts[i].role) || width == 0 || width > 8 || layer.outputs.empty() ||
        !is_float(layer.outputs[0].type)) {
      continue;
    }
    ++found[to_string(layer.outputs[0].type)];
  }
  return found;
}

// Whether its inputs tell what the arithmetic computes in and writes: else none is no number.
bool tells_writers(const Analysis& side) {
  for (std::size_t i = 0; i < side.build.layers.size(); ++i) {
    const Layer& layer = side.build.layers[i];
    if (is_arithmetic(side.verdicts[i].role) && side.verdicts[i].compute != Precision::unknown &&
        !layer.outputs.empty() && layer.outputs[0].type != DataType::unknown) {
      return true;
    }
  }
  return false;
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

// "4 reformats and 10 Q/DQ kernels"
std::string conversions_text(const Kernels& k) {
  std::string text;
  if (k.reformats > 0) text = count_text(k.reformats, "reformat");
  if (k.quantizers > 0) {
    text += (text.empty() ? "" : " and ") + count_text(k.quantizers, "Q/DQ kernel");
  }
  return text.empty() ? "no reformat or Q/DQ kernel" : text;
}

// Counts of before, with the nouns only where they are others than now: "instead of 2".
std::string short_conversions_text(const Kernels& before, const Kernels& after) {
  if (before.quantizers == 0 && after.quantizers == 0 && before.reformats > 0) {
    return std::to_string(before.reformats);
  }
  if (before.reformats == 0 && after.reformats == 0 && before.quantizers > 0) {
    return std::to_string(before.quantizers);
  }
  return conversions_text(before);
}

ShiftPart conversions_part(const Comparison& c) {
  const auto all = [](const Analysis& side) {
    std::vector<std::size_t> layers(side.build.layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = i;
    return kernels_of(side, layers);
  };
  const Kernels before = all(c.base), after = all(c.candidate);
  const bool same = before.reformats == after.reformats && before.quantizers == after.quantizers;
  ShiftPart part;
  part.delta_ms = after.conversion_ms - before.conversion_ms;
  part.text = conversions_text(after) +
              (same ? ", as before" : " instead of " + short_conversions_text(before, after));
  return part;
}

// Whether it is known what a group's side computes in, or that it has no arithmetic. A Myelin
// region or a plugin may hold any; a name alone tells neither.
bool computes_known(const Analysis& side, const std::vector<std::size_t>& layers,
                    const std::string& precision) {
  if (!precision.empty()) return precision != to_string(Precision::unknown);
  const std::size_t lead = lead_of(side, layers);
  if (lead == kNone) {
    return std::ranges::any_of(
        layers, [&](std::size_t i) { return side.verdicts[i].role == LayerRole::none; });
  }
  if (side.build.layers[lead].outputs.empty()) return false;
  switch (side.verdicts[lead].role) {
    case LayerRole::plugin:
    case LayerRole::region:
    case LayerRole::other:
      return false;
    default:
      return true;
  }
}

constexpr const char* kElementwise = "element-wise kernel";
constexpr std::string_view kGone = " gone";
constexpr std::string_view kNew = " new";

// What happened to the work of a group, as the end of "3 groups ...".
std::string kind_of(const Comparison& c, const LayerGroup& group, bool same_kernels) {
  const auto& [was, is] = group.precision;
  if (group.base.empty() || group.candidate.empty()) {
    const bool is_gone = group.candidate.empty();
    const Analysis& side = is_gone ? c.base : c.candidate;
    const std::size_t lead = lead_of(side, is_gone ? group.base : group.candidate);
    const bool is_elementwise = lead != kNone && side.verdicts[lead].role == LayerRole::pointwise;
    return std::string(is_elementwise ? kElementwise : "kernel").append(is_gone ? kGone : kNew);
  }
  if (!was.empty() && !is.empty() && was != is && known_precision(group)) {
    return "from " + was + " to " + is;
  }
  if (!same_kernels) return "fused another way";
  const std::string types = type_change(c, group);
  if (!types.empty()) return "that " + types;
  if (!computes_known(c.base, group.base, was) ||
      !computes_known(c.candidate, group.candidate, is)) {
    return "whose precision is not known";
  }
  if (tactic_changed(c, group)) return "with another tactic";
  return was.empty() && is.empty() ? "without arithmetic" : "with the same arithmetic";
}

// "3 groups from FP16 to INT8", "1 kernel gone"
std::string text_of_kind(const std::string& kind, std::size_t count) {
  for (const std::string_view end : {kGone, kNew}) {
    if (kind.size() > end.size() && kind.compare(kind.size() - end.size(), end.size(), end) == 0) {
      return count_text(count, kind.substr(0, kind.size() - end.size())).append(end);
    }
  }
  return count_text(count, "group") + " " + kind;
}

// Work of the groups, by what happened to them.
std::vector<ShiftPart> work_parts(const Comparison& c) {
  std::map<std::string, std::pair<std::size_t, double>> kinds;
  for (const LayerGroup& group : c.groups) {
    const Kernels before = kernels_of(c.base, group.base);
    const Kernels after = kernels_of(c.candidate, group.candidate);
    if (before.work == 0 && after.work == 0) continue;
    auto& [count, sum] = kinds[kind_of(c, group, before.work == after.work)];
    count += group.base.empty() || group.candidate.empty() ? before.work + after.work : 1;
    sum += after.work_ms - before.work_ms;
  }
  std::vector<ShiftPart> parts;
  parts.reserve(kinds.size());
  for (const auto& [kind, what] : kinds) {
    std::string text = text_of_kind(kind, what.first);
    if (what.first == 1) {  // one group writes
      for (const char* verb : {" that write ", " that read "}) {
        const std::size_t at = text.find(verb);
        if (at != std::string::npos) text.insert(at + std::string(verb).size() - 1, "s");
      }
    }
    parts.push_back({std::move(text), what.second});
  }
  return parts;
}

// Conversions stand in the sentence already; that they take time is no reason for it.
bool is_cause(const Finding& finding) {
  return finding.rule != "reformat-time-share";
}

std::map<std::string, double> stakes_of(const std::vector<Finding>& findings) {
  std::map<std::string, double> stakes;
  for (const Finding& finding : findings) {
    if (finding.stake_ms && is_cause(finding)) stakes[finding.rule] += *finding.stake_ms;
  }
  return stakes;
}

struct Explanation {
  const Finding* finding = nullptr;
  double more_ms = 0;  // than on the other side
  bool is_new = true;  // the other side does not have it at all
};

// Findings of the slower side that the other does not have, or with a much smaller stake: largest
// part of the shift first.
std::vector<Explanation> explaining(const std::vector<Finding>& slower,
                                    const std::vector<Finding>& faster, double shift_ms) {
  const auto before = stakes_of(faster), after = stakes_of(slower);
  std::vector<Explanation> found;
  std::set<std::string> seen;
  for (const Finding& finding : slower) {
    const auto own = after.find(finding.rule);
    if (own == after.end() || !finding.stake_ms || !seen.insert(finding.rule).second) continue;
    const auto other = before.find(finding.rule);
    const double more = own->second - (other == before.end() ? 0 : other->second);
    if (more < kLeastExplained * shift_ms) continue;
    found.push_back({&finding, more, other == before.end()});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Explanation::more_ms);
  if (found.size() > kMostFindings) found.resize(kMostFindings);
  return found;
}

std::string first_clause(const std::string& title) {
  const std::size_t end = title.find(": ");
  return end == std::string::npos ? title : title.substr(0, end);
}

// "; because: ..." of the slower candidate, "; no longer so: ..." of the slower base.
std::string reasons_text(const Comparison& c, double shift_ms) {
  // Names alone fire fewer rules: that says nothing of the engines.
  if (c.base.build.has_layer_info != c.candidate.build.has_layer_info) return {};
  const bool slower = shift_ms > 0;
  std::string text;
  for (const Explanation& reason :
       slower ? explaining(c.candidate.findings, c.base.findings, shift_ms)
              : explaining(c.base.findings, c.candidate.findings, -shift_ms)) {
    const std::string clause = first_clause(reason.finding->title);
    if (reason.is_new) {
      const char* start = slower ? "; because: " : "; no longer so: ";
      text += (text.empty() ? start : "; and: ") + clause;
    } else {
      text += (slower ? "; more than before (" : "; less than before (") +
              signed_ms_text(slower ? reason.more_ms : -reason.more_ms) + "): " + clause;
    }
  }
  return text;
}

std::string more_or_less(double share) {
  return fmt::format("{:.1f} % {}", std::fabs(share) * 100, share > 0 ? "slower" : "faster");
}

// "The queries are 24.0 % slower, the layers 6.0 % faster: the candidate waits for its launches. "
std::string disagreement_text(const Comparison& c) {
  if (!c.engine.ratio || !c.engine.base_ms || !c.engine.candidate_ms) return {};
  const double queries = *c.engine.candidate_ms / *c.engine.base_ms - 1;
  const double layers = c.candidate.build.profile_sum_ms / c.base.build.profile_sum_ms - 1;
  const bool both_matter =
      std::fabs(queries) >= c.engine.margin && std::fabs(layers) >= c.engine.margin;
  if (!both_matter || (queries > 0) == (layers > 0)) return {};
  const bool base = std::ranges::any_of(c.base.findings, says_launch_bound);
  const bool candidate = std::ranges::any_of(c.candidate.findings, says_launch_bound);
  return "The queries are " + more_or_less(queries) + ", the layers " + more_or_less(layers) +
         (base && candidate ? ": both sides wait for their launches"
          : candidate       ? ": the candidate waits for its launches"
          : base            ? ": the base waits for its launches"
                            : ", which the inputs do not explain") +
         ". ";
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
  const auto [b, d] = leads_of(c, group);
  if (b == kNone || d == kNone || !type_change(c, group).empty()) return false;
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

std::vector<ShiftPart> parts_of_shift(const Comparison& c) {
  if (!c.base.build.has_profile || !c.candidate.build.has_profile) return {};
  std::vector<ShiftPart> parts = work_parts(c);
  parts.push_back(conversions_part(c));
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const ShiftPart& a) { return std::fabs(a.delta_ms); });
  return parts;
}

std::string cause_of_shift(const Comparison& c) {
  const double base_ms = c.base.build.profile_sum_ms;
  const double shift = c.candidate.build.profile_sum_ms - base_ms;
  if (!c.base.build.has_profile || !c.candidate.build.has_profile ||
      std::fabs(shift) < kLeastShift * base_ms) {
    return {};
  }
  std::string text = disagreement_text(c) + signed_ms_text(shift) + " of profile time: ";
  for (std::size_t k = 0; k < c.parts.size() && k < kMostParts; ++k) {
    const ShiftPart& part = c.parts[k];
    if (std::fabs(part.delta_ms) < kLeastShift / 2 * base_ms) break;
    text += (k == 0 ? "" : "; ") + part.text + " (" + signed_ms_text(part.delta_ms) + ")";
  }
  if (tells_writers(c.base) && tells_writers(c.candidate)) {
    text += wide_writers_text(wide_writers(c.base), wide_writers(c.candidate));
  }
  text += reasons_text(c, shift);
  return text + ".";
}

}  // namespace trtlens
