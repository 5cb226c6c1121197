// All conversions together; what other findings name of them is told apart.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "analyzers/graph/neighbours.h"

namespace trtlens::checks::reformat_time_share {

// What a conversion inside the network changes: each kind has a remedy of its own.
enum Kind : std::size_t { kQuantization, kType, kLayout, kCopy, kUnknown, kKinds };

struct KindText {
  const char* name;
  const char* remedy;
};
constexpr std::array<KindText, kKinds> kTexts = {{
    {"between INT8 and float",
     "Give neighbouring layers one type: quantize the float layer between INT8 layers, or take the "
     "Q/DQ off around it."},
    {"between float types",
     "Give neighbouring layers one float type: take the constraint or Cast off the layer that "
     "computes wider."},
    {"of the layout alone",
     "Look at the layer charged: a reshape, transpose or plugin, or channels no multiple of 8 "
     "(FP16) or 32 (INT8)."},
    {"copies of a concatenation or slice",
     "Give the concatenation's inputs one layout and scale, and no second reader."},
    {"of unknown formats",
     "Build with --profilingVerbosity=detailed and --exportLayerInfo=layers.json: what these "
     "convert is not known."},
}};

static Kind kind_of(const RuleContext& c, std::size_t i) {
  const Layer& layer = c.layer(i);
  if (c.verdict(i).role != LayerRole::reformat) return kQuantization;
  constexpr std::string_view kCopyEnd = " copy";
  const std::string& name = layer.name;
  const bool copies = name.size() > kCopyEnd.size() &&
                      name.compare(name.size() - kCopyEnd.size(), kCopyEnd.size(), kCopyEnd) == 0;
  if (layer.origin == "CONCAT" || layer.origin == "SLICE" || copies) return kCopy;
  const DataType in = layer.inputs.empty() ? DataType::unknown : layer.inputs[0].type;
  const DataType out = layer.outputs.empty() ? DataType::unknown : layer.outputs[0].type;
  if (in == DataType::unknown || out == DataType::unknown) return kUnknown;
  if (in == out) return keeps_format(layer) ? kCopy : kLayout;
  return is_narrow(in) || is_narrow(out) ? kQuantization : kType;
}

// Their kinds, most costly first.
struct Kinds {
  std::array<std::vector<std::size_t>, kKinds> members;

  [[nodiscard]] std::vector<Kind> by_time(const RuleContext& c) const {
    std::vector<Kind> order;
    for (std::size_t k = 0; k < kKinds; ++k) {
      if (!members[k].empty()) order.push_back(static_cast<Kind>(k));
    }
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](Kind a) { return c.time_ms(members[a]); });
    return order;
  }
};

// What the open ones convert, with the remedies for that.
static void add_kinds(const RuleContext& c, const std::vector<std::size_t>& open,
                      Finding& finding) {
  Kinds kinds;
  for (const std::size_t i : open) kinds.members[kind_of(c, i)].push_back(i);
  finding.remedies.clear();
  for (const Kind kind : kinds.by_time(c)) {
    const std::vector<std::size_t>& members = kinds.members[kind];
    show_sum(c, members, "unexplained: " + std::to_string(members.size()) + " " + kTexts[kind].name,
             finding);
    if (finding.remedies.size() < kMostActions) finding.remedies.emplace_back(kTexts[kind].remedy);
  }
}

// Where every kernel is bound by its launch, a reformat's share says nothing of its bytes.
static Severity severity_of(const RuleContext& c, double open_ms) {
  const double sum_ms = c.analysis.build.profile_sum_ms;
  if (open_ms <= 0) return Severity::info;
  const double share = open_ms / sum_ms;
  if (sum_ms < c.threshold("min_ms")) return std::min(Severity::minor, severity_of_share(share));
  if (share >= c.threshold("major_share")) return Severity::major;
  return std::min(Severity::moderate, severity_of_share(share));
}

// All conversions, by who explains them.
struct Parts {
  std::vector<std::size_t> all, by_cause, other, border, open;
};

static void show_parts(const RuleContext& c, const Parts& parts, Finding& finding) {
  const auto show = [&](const std::vector<std::size_t>& part, const char* what) {
    if (part.empty()) return;
    show_sum(c, part, count_text(part.size(), "conversion") + " " + what, finding);
  };
  show(parts.all, "in all");
  show(parts.by_cause, "explained by causes that were found");
  show(parts.other, "in other findings");
  show(parts.border, "at the network's border");
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Build& build = c.analysis.build;
  if (build.profile_sum_ms <= 0) return;
  Parts parts;
  for (const ReformatEntry& entry : c.analysis.reformats) {
    if (time_or_zero(c.layer(entry.layer)) == 0) continue;
    parts.all.push_back(entry.layer);
    if (c.claimed_by_cause.count(entry.layer) != 0) {
      parts.by_cause.push_back(entry.layer);
    } else if (c.claimed.count(entry.layer) != 0) {
      parts.other.push_back(entry.layer);
    } else if (entry.removable == false) {
      parts.border.push_back(entry.layer);  // io-format-forces-reformat decides if it is too much
    } else {
      parts.open.push_back(entry.layer);
    }
  }
  const std::vector<std::size_t>& open = parts.open;
  const double share = c.time_ms(parts.all) / build.profile_sum_ms;
  if (share < c.threshold("min_share")) return;
  Finding finding = open.empty() ? c.finding() : c.finding(open);
  finding.severity = severity_of(c, c.time_ms(open));
  finding.title = open.empty()
                      ? "Conversions take " + share_text(share) + " of the profile, all explained"
                      : count_text(open.size(), "conversion") + " that no other finding explains";
  show_parts(c, parts, finding);
  add_kinds(c, open, finding);
  for (const std::size_t i : first_of(open, 8)) {
    Evidence evidence = c.measured(i);
    for (const ReformatEntry& entry : c.analysis.reformats) {
      if (entry.layer == i) evidence.note = cause_of(c.analysis, entry);
    }
    finding.evidence.push_back(std::move(evidence));
  }
  finding.gain_unknown = "no cause is known";
  out.push_back(std::move(finding));
}

extern const Rule rule{"reformat-time-share", Pass::rest, check};

}  // namespace trtlens::checks::reformat_time_share
