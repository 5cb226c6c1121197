// Inputs in which no line is trtexec's or TensorRT's, though one comes near a message of theirs.
#include <algorithm>
#include <functional>
#include <utility>

#include "analyzers/rules/engine/message_rules.h"
#include "analyzers/rules/rule.h"

namespace trtlens::checks::nothing_recognised {

// The lines that come nearest to a message that is known, nearest first.
static std::vector<std::pair<const ForeignLine*, NearRule>> nearest_of(const Analysis& a) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<const ForeignLine*, NearRule>> near;
  const std::vector<ForeignLine>& lines = a.reading->coverage.first_foreign;
  std::string input;
  for (const ForeignLine& line : lines) input += line.text + '\n';
  for (const ForeignLine& line : lines) {
    if (std::optional<NearRule> rule = nearest_rule(line.text, input, Speaker::anybody)) {
      near.emplace_back(&line, std::move(*rule));
    }
  }
  std::ranges::stable_sort(near, std::greater<>(),
                           [](const auto& one) { return one.second.letters; });
  near.resize(std::min(near.size(), kMost));
  return near;
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  if (!is_of_another_program(a)) return;
  const std::vector<std::pair<const ForeignLine*, NearRule>> near = nearest_of(a);
  if (near.empty()) return;  // of another program, and nothing that TensorRT says
  Finding finding = c.finding({{"lines", count_text(a.reading->coverage.lines(), "line")},
                               {"nearest", near.front().second.rule}});
  for (const auto& [line, rule] : near) {
    Evidence evidence = c.line(line->pos, "near a message of the rule " + rule.rule);
    evidence.text = line->text;
    finding.evidence.push_back(std::move(evidence));
  }
  for (const Input& input : a.reading->inputs) {
    if (input.kind != InputKind::log) continue;
    finding.evidence.push_back({.file = input.path,
                                .line = 1,
                                .note = count_text(input.lines, "line") + ", none recognised"});
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"nothing-recognised", Pass::note, check};

}  // namespace trtlens::checks::nothing_recognised
