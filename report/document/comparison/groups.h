// The part of a comparison's Document that is about its groups.
#pragma once

#include <string>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "report/document/document.h"

namespace trtlens {

// On one side only.
[[nodiscard]] bool unmatched(const LayerGroup& group);
// Of the layer that a group is about, of the base where that has any: its arithmetic, else its
// slowest member.
[[nodiscard]] std::string lead_label(const Comparison& c, const LayerGroup& group);
// "FP16 → INT8"; "–" where there is no arithmetic.
[[nodiscard]] std::string precision_text(const LayerGroup& group);
// The groups that a table shows: those with layers of both sides, or those without.
[[nodiscard]] std::vector<const LayerGroup*> groups_of(const Comparison& c, bool matched);
// The table of them; `top`: as in build_document().
[[nodiscard]] Section groups_section(const Comparison& c, int top, bool matched);

}  // namespace trtlens
