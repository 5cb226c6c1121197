// What the shift of the profile time consists of, in parts and in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/graph/graph.h"
#include "analyzers/precision/precision.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Of the base's profile time: less is not worth a sentence.
constexpr double kLeastShift = 0.01;
constexpr std::size_t kMostParts = 4;  // of the sentence

// A finding explains a shift when at least so much of it is at its stake.
constexpr double kLeastExplained = 0.1;
constexpr std::size_t kMostFindings = 2;  // in the sentence

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

// "quantized layers that write FP16: 11 instead of 0". One more or less is an output of the
// network.
std::vector<std::string> wide_writers_texts(const Comparison& c) {
  std::vector<std::string> texts;
  if (!tells_writers(c.base) || !tells_writers(c.candidate)) return texts;
  std::map<std::string, std::size_t> before = wide_writers(c.base);
  std::map<std::string, std::size_t> after = wide_writers(c.candidate);
  for (const char* type : {"FP32", "FP16", "BF16"}) {
    const std::size_t was = before[type], is = after[type];
    if (std::max(was, is) - std::min(was, is) < 2) continue;
    texts.push_back(fmt::format("quantized layers that write {}: {} instead of {}", type, is, was));
  }
  return texts;
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

// "no reformat": of the kinds that there were.
std::string no_conversions_text(const Kernels& before) {
  if (before.quantizers == 0) return "no reformat";
  return before.reformats == 0 ? "no Q/DQ kernel" : "no reformat or Q/DQ kernel";
}

// Counts of before, with the nouns only where they are others than now: "instead of 2".
std::string short_conversions_text(const Kernels& before, const Kernels& after) {
  if (before.reformats == 0 && before.quantizers == 0) return "none";
  if (before.quantizers == 0 && after.quantizers == 0 && before.reformats > 0) {
    return std::to_string(before.reformats);
  }
  if (before.reformats == 0 && after.reformats == 0 && before.quantizers > 0) {
    return std::to_string(before.quantizers);
  }
  return conversions_text(before);
}

// Where one kind is as often there as before, what the other has more or less; empty: it is not so.
std::string conversions_added_text(const Kernels& before, const Kernels& after) {
  const auto text = [](std::size_t was, std::size_t is, const std::string& noun) {
    return is > was ? count_text(is - was, "more " + noun) : count_text(was - is, "fewer " + noun);
  };
  const bool same_reformats = before.reformats == after.reformats;
  const bool same_quantizers = before.quantizers == after.quantizers;
  if (same_reformats && !same_quantizers && before.reformats > 0) {
    return text(before.quantizers, after.quantizers, "Q/DQ kernel");
  }
  if (same_quantizers && !same_reformats && before.quantizers > 0) {
    return text(before.reformats, after.reformats, "reformat");
  }
  return {};
}

// Kernels with a time that convert, or that do work.
void add_kernels(const Analysis& side, const std::vector<std::size_t>& layers, bool convert,
                 std::vector<std::size_t>& kernels) {
  for (const std::size_t i : layers) {
    const bool takes_time = time_or_zero(side.build.layers[i]) > 0;
    if (takes_time && is_conversion(side.verdicts[i].role) == convert) kernels.push_back(i);
  }
}

std::vector<std::size_t> all_layers(const Analysis& side) {
  std::vector<std::size_t> layers(side.build.layers.size());
  std::iota(layers.begin(), layers.end(), std::size_t{0});
  return layers;
}

ShiftPart conversions_part(const Comparison& c) {
  const Kernels before = kernels_of(c.base, all_layers(c.base));
  const Kernels after = kernels_of(c.candidate, all_layers(c.candidate));
  const bool same = before.reformats == after.reformats && before.quantizers == after.quantizers;
  ShiftPart part;
  add_kernels(c.base, all_layers(c.base), true, part.layers[0]);
  add_kernels(c.candidate, all_layers(c.candidate), true, part.layers[1]);
  part.delta_ms = after.conversion_ms - before.conversion_ms;
  part.text = conversions_added_text(before, after);
  if (!part.text.empty()) return part;
  const bool none = after.reformats == 0 && after.quantizers == 0;
  part.text = (none && !same ? no_conversions_text(before) : conversions_text(after)) +
              (same ? " on both sides" : " instead of " + short_conversions_text(before, after));
  return part;
}

// Whether it is known what a group's side computes in, or that it has no arithmetic. A Myelin
// region or a plugin may hold any; a name alone tells neither.
bool computes_known(const Analysis& side, const std::vector<std::size_t>& layers,
                    const std::string& precision) {
  if (!precision.empty()) return precision != to_string(Precision::unknown);
  const std::size_t lead = lead_of(side, layers);
  if (lead == kNoLayer) {
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

// What happened to the work of a group, as the end of "3 layers ...".
std::string kind_of(const Comparison& c, const LayerGroup& group, bool same_kernels) {
  const auto& [was, is] = group.precision;
  if (group.base.empty() || group.candidate.empty()) {
    const bool is_gone = group.candidate.empty();
    const Analysis& side = is_gone ? c.base : c.candidate;
    const std::size_t lead = lead_of(side, is_gone ? group.base : group.candidate);
    const bool is_elementwise =
        lead != kNoLayer && side.verdicts[lead].role == LayerRole::pointwise;
    return std::string(is_elementwise ? kElementwise : "kernel").append(is_gone ? kGone : kNew);
  }
  if (!was.empty() && !is.empty() && was != is && known_precision(group)) {
    return "from " + was + " to " + is;
  }
  if (!same_kernels) return "fused differently";
  std::string types = type_change(c, group);
  if (!types.empty()) return types;
  if (!computes_known(c.base, group.base, was) ||
      !computes_known(c.candidate, group.candidate, is)) {
    return "of unknown precision";
  }
  if (tactic_changed(c, group)) return "with another tactic";
  return was.empty() && is.empty() ? "without arithmetic" : "of unchanged precision";
}

// "3 layers from FP16 to INT8", "1 layer writes INT8 instead of FP16", "1 kernel gone", "2 new
// kernels"
std::string text_of_kind(const std::string& kind, std::size_t count) {
  if (kind.ends_with(kGone)) {
    return count_text(count, kind.substr(0, kind.size() - kGone.size())).append(kGone);
  }
  if (kind.ends_with(kNew)) {
    return count_text(count, "new " + kind.substr(0, kind.size() - kNew.size()));
  }
  const std::string text = count_text(count, "layer") + " ";
  for (const std::string_view verb : {"write ", "read "}) {
    if (count == 1 && kind.starts_with(verb)) {
      return text + std::string(verb.substr(0, verb.size() - 1)) + "s " + kind.substr(verb.size());
    }
  }
  return text + kind;
}

// Work of the groups, by what happened to them.
std::vector<ShiftPart> work_parts(const Comparison& c) {
  std::map<std::string, std::pair<std::size_t, ShiftPart>> kinds;
  for (const LayerGroup& group : c.groups) {
    const Kernels before = kernels_of(c.base, group.base);
    const Kernels after = kernels_of(c.candidate, group.candidate);
    if (before.work == 0 && after.work == 0) continue;
    auto& [count, part] = kinds[kind_of(c, group, before.work == after.work)];
    count += group.base.empty() || group.candidate.empty() ? before.work + after.work : 1;
    part.delta_ms += after.work_ms - before.work_ms;
    add_kernels(c.base, group.base, false, part.layers[0]);
    add_kernels(c.candidate, group.candidate, false, part.layers[1]);
  }
  std::vector<ShiftPart> parts;
  parts.reserve(kinds.size());
  for (auto& [kind, what] : kinds) {
    parts.push_back(std::move(what.second));
    parts.back().text = text_of_kind(kind, what.first);
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

// What a title says before it gives details.
std::string first_clause(const std::string& title) {
  return title.substr(0, std::min(title.find(": "), title.find("; ")));
}

double profile_shift(const Comparison& c) {
  return c.candidate.build.profile_sum_ms - c.base.build.profile_sum_ms;
}

bool has_profiles(const Comparison& c) {
  return c.base.build.has_profile && c.candidate.build.has_profile;
}

bool has_shifted(const Comparison& c) {
  return std::fabs(profile_shift(c)) >= kLeastShift * c.base.build.profile_sum_ms;
}

// "New", "No longer", "Costs more (+0.0150 ms)"
std::string words_of(const ShiftFinding& finding) {
  if (finding.what == "new") return "New";
  if (finding.what == "gone") return "No longer";
  return (finding.what == "more" ? "Costs more (" : "Costs less (") +
         signed_ms_text(finding.delta_ms) + ")";
}

}  // namespace

std::vector<ShiftFinding> findings_of_shift(const Comparison& c) {
  std::vector<ShiftFinding> found;
  // Names alone fire fewer rules: that says nothing of the engines.
  if (!has_profiles(c) || c.base.build.has_layer_info != c.candidate.build.has_layer_info) {
    return found;
  }
  if (!has_shifted(c)) return found;
  const double shift_ms = profile_shift(c);
  const bool slower = shift_ms > 0;
  for (const Explanation& reason :
       slower ? explaining(c.candidate.findings, c.base.findings, shift_ms)
              : explaining(c.base.findings, c.candidate.findings, -shift_ms)) {
    const char* what = reason.is_new ? (slower ? "new" : "gone") : (slower ? "more" : "less");
    found.push_back({what, reason.finding->rule, first_clause(reason.finding->title),
                     slower ? reason.more_ms : -reason.more_ms});
  }
  return found;
}

std::string odds_of_shift(const Comparison& c) {
  if (!has_profiles(c) || !c.engine.base_ms || !c.engine.candidate_ms || !c.engine.ratio) return {};
  const double queries = *c.engine.candidate_ms / *c.engine.base_ms - 1;
  const double layers = profile_shift(c) / c.base.build.profile_sum_ms;
  const bool both_matter =
      std::fabs(queries) >= c.engine.margin && std::fabs(layers) >= c.engine.margin;
  if (!both_matter || (queries > 0) == (layers > 0)) return {};
  const bool base = std::ranges::any_of(c.base.findings, says_launch_bound);
  const bool candidate = std::ranges::any_of(c.candidate.findings, says_launch_bound);
  const auto side = [](double shift) { return shift > 0 ? "slower" : "faster"; };
  return fmt::format("The queries are {}, the layers {}{}.", side(queries), side(layers),
                     base && candidate ? ": both sides wait for their launches"
                     : candidate       ? ": the candidate waits for its launches"
                     : base            ? ": the base waits for its launches"
                                       : ", which the inputs do not explain");
}

std::vector<ShiftPart> parts_of_shift(const Comparison& c) {
  if (!has_profiles(c)) return {};
  std::vector<ShiftPart> parts = work_parts(c);
  parts.push_back(conversions_part(c));
  std::ranges::stable_sort(parts, std::ranges::greater(),
                           [](const ShiftPart& a) { return std::fabs(a.delta_ms); });
  return parts;
}

std::vector<std::string> writers_of_shift(const Comparison& c) {
  if (!has_profiles(c) || !has_shifted(c)) return {};
  return wide_writers_texts(c);
}

std::string cause_of_shift(const Comparison& c) {
  const double base_ms = c.base.build.profile_sum_ms;
  if (!has_profiles(c) || !has_shifted(c)) return {};
  const double shift = profile_shift(c);
  std::string text = odds_of_shift(c);
  text += fmt::format("{}The layers take {} {}", text.empty() ? "" : " ", ms_text(std::fabs(shift)),
                      shift > 0 ? "more" : "less");
  for (std::size_t k = 0; k < c.parts.size() && k < kMostParts; ++k) {
    const ShiftPart& part = c.parts[k];
    if (std::fabs(part.delta_ms) < kLeastShift / 2 * base_ms) break;
    text += (k == 0 ? ": " : ", ") + part.text + " (" + signed_ms_text(part.delta_ms) + ")";
  }
  text += ".";
  for (const std::string& writers : c.writers) text += " " + sentence_start(writers) + ".";
  for (const ShiftFinding& finding : c.shift_findings) {
    text += " " + words_of(finding) + ": " + finding.title + ".";
  }
  return text;
}

}  // namespace trtlens
