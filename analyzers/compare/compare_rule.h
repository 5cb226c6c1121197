// Rules that need two builds. One rule, one file in checks/; texts and thresholds as data, as those
// of a structural rule (analyzers/rules/rule.h). It brings rule.h and text.h,
// which no such rule includes beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/rules/rule.h"

namespace trtlens {

struct CompareContext {
  const Comparison& c;
  const RuleInfo& info;

  [[nodiscard]] double threshold(std::string_view key) const { return info.threshold(key); }
  [[nodiscard]] Finding finding(const Values& values = {}) const;
  // With a stake, severity by its share of the slower side's profile.
  [[nodiscard]] Finding finding(double stake_ms, const Values& values = {}) const;
};

struct CompareRule {
  const char* id = "";
  void (*check)(const CompareContext& context, std::vector<Finding>& out) = nullptr;
};

[[nodiscard]] const std::vector<const CompareRule*>& compare_rules();
// What all of them find, costliest first.
[[nodiscard]] std::vector<Finding> compare_findings(const Comparison& c);

// One side of a comparison, seen from the other: rules ask "the INT8 side against the FP16 side",
// whichever was named first.
struct SideView {
  const Comparison& c;
  bool is_base;

  [[nodiscard]] const Analysis& analysis() const { return is_base ? c.base : c.candidate; }
  [[nodiscard]] const char* name() const { return is_base ? "base" : "candidate"; }
  // This side's engine time over the other's; none when either is unknown.
  [[nodiscard]] std::optional<double> ratio() const;
  // The verdict on the engines says so: no rule calls a side slower that the verdict does not.
  [[nodiscard]] bool is_slower() const;
  // The verdict on a group says so, and that it is this side.
  [[nodiscard]] bool is_slower(const LayerGroup& group) const;
  // "2.4 % slower" where the verdict says so, else "not shown to be faster"; "hardly faster".
  [[nodiscard]] std::string speed_text() const;
  // As evidence: which side it is, and how its time compares with the other's.
  [[nodiscard]] Evidence speed() const;
  // Profile time of a group on this side minus the other's.
  [[nodiscard]] double extra_ms(const LayerGroup& group) const;
  [[nodiscard]] const std::vector<std::size_t>& layers(const LayerGroup& group) const {
    return is_base ? group.base : group.candidate;
  }
  [[nodiscard]] const std::string& precision(const LayerGroup& group) const {
    return group.precision[is_base ? 0 : 1];
  }
};
// Both sides, the candidate first.
[[nodiscard]] std::vector<SideView> sides_of(const Comparison& c);

// Shares of the arithmetic's time (of its layers, without times), by what it multiplies in.
struct ArithmeticShares {
  double narrow = 0, fp8 = 0, half = 0, full = 0;  // half: FP16, BF16; full: FP32, TF32
  bool any = false;
};
[[nodiscard]] ArithmeticShares arithmetic_of(const Analysis& side);
// Q or DQ nodes in the network: as kernels, in names, in the parser's list.
[[nodiscard]] bool has_quantizers(const Analysis& side);
// Options that matter and differ in how the engines were built; `except`: flags that may differ.
[[nodiscard]] bool built_alike(const Comparison& c, const std::vector<std::string>& except = {});
[[nodiscard]] bool is_timing_option(const std::string& flag);  // without dashes

// Evidence: a layer with a measured value and our words.
[[nodiscard]] Evidence layer_evidence(const Layer& layer, double ms, std::string note);
[[nodiscard]] std::string ratio_text(double ratio);  // "12 % slower", "3.4 % faster"

}  // namespace trtlens
