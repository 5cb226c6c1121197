// What a structural rule is: texts and thresholds as data, the predicate in C++. One rule, one file.
#pragma once

#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/finding.h"

namespace trtlens {

class Graph;

struct Threshold {
  const char* key;
  double value;
  const char* unit;  // "share", "ms", "count"
  const char* meaning;
};

// Shown by `trtlens rules` and `trtlens explain`, for rules of both sources.
struct RuleInfo {
  std::string id;        // names the hazard, not the cure
  std::string category;
  Severity severity = Severity::info;  // when the stake is not known
  Confidence confidence = Confidence::inferred;  // of the inference from evidence to cause
  std::string what;      // what it detects, in one sentence
  std::string why;       // why that is bad
  std::vector<std::string> remedies;
  std::string next_check;
  std::string false_positive;
  std::vector<std::string> sources;
  std::vector<Threshold> thresholds;
  std::string version_range;             // "8.5", "≤ 10.16"; empty: any
  std::vector<std::string> patterns;     // of message rules
};

struct RuleContext {
  const Analysis& analysis;
  const Graph& graph;
  const RuleInfo& info;

  // Value of a threshold of this rule.
  [[nodiscard]] double threshold(const char* key) const;
  // A finding of this rule with its texts filled in; severity by share of profile time when staked.
  [[nodiscard]] Finding finding() const;
};

struct Rule {
  RuleInfo info;
  void (*check)(const RuleContext& context, std::vector<Finding>& out);
};

// All structural rules, sorted by file name.
[[nodiscard]] const std::vector<const Rule*>& structural_rules();
// Texts of every rule, message rules included, sorted by id.
[[nodiscard]] std::vector<RuleInfo> all_rule_infos();

// Severity of a stake: major from 10 % of profile time, moderate from 3 %, minor from 0.5 %, else info.
[[nodiscard]] Severity severity_of_share(double share);

}  // namespace trtlens
