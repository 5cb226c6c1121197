// Inputs in which no line is trtexec's or TensorRT's.
#include "analyzers/rules/rule.h"

namespace trtlens::checks::nothing_recognised {
namespace {

void check(const RuleContext& c, std::vector<Finding>& out) {
  const Analysis& a = c.analysis;
  // A traceback or a crash of another program is of a known kind, and makes no run.
  if (a.reading->coverage.lines() == 0 || a.build.has_log) return;
  if (a.build.has_layer_info || a.build.has_profile || !a.build.queries.empty()) return;
  const std::vector<NearMessage>& near = a.reading->coverage.near;
  Finding finding = c.finding({{"lines", count_text(a.reading->coverage.lines(), "line")},
                               {"nearest", near.empty() ? std::string() : near.front().rule}});
  for (const NearMessage& message : near) {
    Evidence evidence = c.line(message.pos, "near a message of the rule " + message.rule);
    evidence.text = message.text;
    finding.evidence.push_back(std::move(evidence));
  }
  for (const Input& input : a.reading->inputs) {
    if (input.kind != InputKind::log) continue;
    Evidence evidence;
    evidence.file = input.path;
    evidence.line = 1;
    evidence.note = count_text(input.lines, "line") + ", none recognised";
    finding.evidence.push_back(std::move(evidence));
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule rule{"nothing-recognised", Pass::note, check};

}  // namespace trtlens::checks::nothing_recognised
