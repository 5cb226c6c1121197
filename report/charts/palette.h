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
// with all that the page has behind it, light and dark, and those that compute differ for
// colour-blind eyes. The greys differ little: conversions and what is unknown are hatched, too.
inline constexpr std::array<PrecisionColour, 17> kPrecisionColours = {
    {{"FP32", "fp32", "#d42d32"},
     {"TF32", "tf32", "#be7d00"},
     {"FP16", "fp16", "#275ede"},
     {"BF16", "bf16", "#a66aff"},
     {"FP8", "fp8", "#177562"},
     {"INT8", "int8", "#199e62"},
     {"INT4", "int4", "#4d7200"},
     {"FP4", "fp4", "#3494be"},
     {"mixed", "mixed", "#f93c96"},
     {"INT32", "int32", "#8d7b68"},
     {"INT64", "int64", "#7c6a52"},
     {"BOOL", "bool", "#998468"},
     {"none", "none", "#737e8b"},
     {"no arithmetic", "none", "#737e8b"},
     {"Q/DQ", "qdq", "#a24196"},
     {"reformat", "reformat", "#606a75"},
     {"unknown", "unknown", "#838a93"}}};
inline constexpr std::string_view kDefaultColour = "#6486b4";

// Any other word has no class, and the default colour.
[[nodiscard]] constexpr PrecisionColour precision_colour(std::string_view label) {
  for (const PrecisionColour& entry : kPrecisionColours) {
    if (entry.label == label) return entry;
  }
  return {label, {}, kDefaultColour};
}

}  // namespace trtlens
