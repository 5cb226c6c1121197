#include "report/cli/watch/closing.h"

#include <fmt/format.h>

namespace trtlens {

std::vector<std::string> closing_lines(const Document& document) {
  if (!document.screen) return {document.verdict};  // of several builds
  const Screen& screen = *document.screen;
  const std::vector<const Paragraph*> warnings = warnings_of(document);
  std::vector<std::string> lines;
  // "Interrupted: the report covers what was read, …"
  const bool is_repeated =
      !warnings.empty() && warnings.front()->text.starts_with(screen.verdict + ": ");
  if (!is_repeated) {
    lines.push_back(screen.verdict + (screen.speed.empty() ? "" : ": " + screen.speed));
  }
  for (const Paragraph* said : warnings) lines.push_back(said->text);
  const std::vector<const FindingCard*> cards = cards_of(document);
  if (!cards.empty()) {
    const FindingCard& first = *cards.front();
    lines.push_back(
        fmt::format("[1] {}: {} [{}]", to_string(first.severity), first.title, first.rule));
  } else if (screen.cause_first) {
    lines.emplace_back("The run failed, and no rule explains it.");
  } else {
    for (const Paragraph& said : nothing_found(document)) lines.push_back(said.text);
  }
  return lines;
}

}  // namespace trtlens
