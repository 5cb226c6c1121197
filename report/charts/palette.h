// Colours of the precisions, the same in charts and, as classes, in report.css.
#pragma once

#include <array>
#include <string_view>

namespace trtlens {

struct PrecisionColour {
  std::string_view label;   // as to_string(Precision) says
  std::string_view css;     // suffix of the class "p-…" in report.css
  std::string_view colour;  // #rrggbb
};

// Wide types warm, narrow ones cool: what falls back stands out.
inline constexpr std::array<PrecisionColour, 14> kPrecisionColours = {
    {{"FP32", "fp32", "#d1495b"},
     {"TF32", "tf32", "#e8833a"},
     {"FP16", "fp16", "#3b7dd8"},
     {"BF16", "bf16", "#6d6bd6"},
     {"FP8", "fp8", "#12a594"},
     {"INT8", "int8", "#4c9f50"},
     {"INT4", "int4", "#8aa827"},
     {"FP4", "fp4", "#2bb3c0"},
     {"mixed", "mixed", "#a06cd5"},
     {"INT32", "int32", "#8d7b68"},
     {"INT64", "int64", "#75664f"},
     {"BOOL", "bool", "#a8977f"},
     {"none", "none", "#9aa3ae"},
     {"unknown", "unknown", "#c3c9d1"}}};
inline constexpr std::string_view kDefaultColour = "#3b7dd8";

// Any other word has no class, and the default colour.
[[nodiscard]] constexpr PrecisionColour precision_colour(std::string_view label) {
  for (const PrecisionColour& entry : kPrecisionColours) {
    if (entry.label == label) return entry;
  }
  return {label, {}, kDefaultColour};
}

}  // namespace trtlens
