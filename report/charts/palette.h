// Colours of the precisions and of the work without one, the same in charts and, as classes, in
// report.css.
#pragma once

#include <array>
#include <string_view>

namespace trtlens {

struct PrecisionColour {
  std::string_view label;   // as to_string(Precision) says
  std::string_view css;     // suffix of the class "p-…" in report.css
  std::string_view colour;  // #rrggbb
};

// Wide types warm, narrow ones cool: what falls back stands out. Each has a contrast of 3 or more
// with the page, light and dark, and the six that compute differ for colour-blind eyes.
inline constexpr std::array<PrecisionColour, 17> kPrecisionColours = {
    {{"FP32", "fp32", "#d1432a"},
     {"TF32", "tf32", "#c98500"},
     {"FP16", "fp16", "#2563c9"},
     {"BF16", "bf16", "#a57ae6"},
     {"FP8", "fp8", "#00899b"},
     {"INT8", "int8", "#2f9e63"},
     {"INT4", "int4", "#7f9400"},
     {"FP4", "fp4", "#3f97bb"},
     {"mixed", "mixed", "#c85fa8"},
     {"INT32", "int32", "#8d7b68"},
     {"INT64", "int64", "#7c6a52"},
     {"BOOL", "bool", "#998468"},
     {"none", "none", "#7d8794"},
     {"no arithmetic", "none", "#7d8794"},
     {"Q/DQ", "qdq", "#a8467f"},
     {"reformat", "reformat", "#7f8b99"},
     {"unknown", "unknown", "#8a919b"}}};
inline constexpr std::string_view kDefaultColour = "#2563c9";

// Any other word has no class, and the default colour.
[[nodiscard]] constexpr PrecisionColour precision_colour(std::string_view label) {
  for (const PrecisionColour& entry : kPrecisionColours) {
    if (entry.label == label) return entry;
  }
  return {label, {}, kDefaultColour};
}

}  // namespace trtlens
