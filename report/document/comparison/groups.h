// The part of a comparison's Document that is about its groups.
#pragma once

#include <string>

#include "analyzers/compare/comparison.h"
#include "report/document/document.h"

namespace trtlens {

// On one side only.
[[nodiscard]] bool unmatched(const LayerGroup& group);
// The layer that a group is about: its arithmetic, else its slowest member.
[[nodiscard]] std::string lead_layer(const Comparison& c, const LayerGroup& group);
// Its number in the build of that side: the base's, where there is one.
[[nodiscard]] std::size_t lead_index(const Comparison& c, const LayerGroup& group);
// "FP16 → INT8"; "–" where there is no arithmetic.
[[nodiscard]] std::string precision_text(const LayerGroup& group);
// The groups with layers of both sides, or those without; `top`: as in build_document().
[[nodiscard]] Section groups_section(const Comparison& c, int top, bool matched);

}  // namespace trtlens
