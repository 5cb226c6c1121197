// What a clause means and how it is loosened, in the words of the file's comments.
#include <algorithm>
#include <array>

#include "analyzers/contract/contract.h"

namespace trtlens {
namespace {

constexpr std::array<ClauseText, 16> kTexts = {{
    {"tensorrt", "TensorRT versions that are good.",
     "add one to the list; \"10\" takes every 10.x, \"10.3\" every 10.3.x"},
    {"gpu", "GPUs that are good, by the name that the driver gives them.", "add one to the list"},
    {"allowed_types", "Types that the build's options allow, neither more nor fewer.",
     "change the list"},
    {"strongly_typed", "Whether the types of the network decide, not flags such as --fp16.",
     "take the line out"},
    {"convolutions", "Convolutions by the type that they compute in.",
     "move at_least and at_most; \"other\" are all types without a line, together"},
    {"gemms", "Matrix products by the type that they compute in.",
     "move at_least and at_most; \"other\" are all types without a line, together"},
    {"attention", "Fused attention kernels (MHA) by the type that they compute in.",
     "move at_least and at_most; \"other\" are all types without a line, together"},
    {"fp32_time_percent", "Share of the profile's time in layers that compute in FP32 or TF32.",
     "raise at_most"},
    {"reformats", "Kernels that only convert a type or a layout.", "raise at_most"},
    {"reformat_time_percent", "Their share of the profile's time.", "raise at_most"},
    {"qdq_kernels", "QuantizeLinear and DequantizeLinear that run as kernels of their own.",
     "raise at_most"},
    {"qdq_time_percent", "Their share of the profile's time.", "raise at_most"},
    {"engine_mib", "Size of the engine.", "move at_least and at_most"},
    {"activation_mib", "Memory that an execution context takes for activations.", "raise at_most"},
    {"device_mib", "Weights, activations and persistent memory on the GPU, together.",
     "raise at_most"},
    {"time_per_query",
     "GPU compute time of a query: the runs of the good build, each with the standard error of its "
     "figure.",
     "raise noise_floor_percent, the least shift between single runs, or margin_percent, the least "
     "that matters; or take in more runs"},
}};

}  // namespace

const ClauseText& clause_text(std::string_view name) {
  const auto* const found = std::ranges::find(kTexts, name, &ClauseText::name);
  return found == kTexts.end() ? kTexts.front() : *found;
}

}  // namespace trtlens
