// The trtexec commands that record what the inputs of a build lack.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzers/finding.h"
#include "parsers/model/build.h"

namespace trtlens {

// Flags that would supply what is missing; `query_time`: how long a query takes is known. Empty:
// nothing is missing.
[[nodiscard]] std::vector<std::string> missing_flags(const Build& build, bool query_time);
// Those of them that tell of the layers.
[[nodiscard]] std::vector<std::string> missing_layer_flags(const Build& build);

// The command that built the engine, or else the one that ran it, with `flags` behind it or in the
// place of the values that it gave them; empty when nothing is to be added, or none was recorded
// that is trtexec's and plain to a shell: what a log says must not choose what a reader runs.
[[nodiscard]] std::string repeated_command(const Build& build,
                                           const std::vector<std::string>& flags);
// One trtexec command that records everything, in the form that the version at hand understands.
[[nodiscard]] std::string full_command(const Build& build);

// For findings. What a side lacks of layers and their times, and the command that records it: " The
// base has no times per layer: trtexec … --exportProfile=profile.json."; empty: it has both.
[[nodiscard]] std::string lacking_text(const std::string& side, const Build& build);
// The recorded build of another model, or of the same one when `onnx` is empty, with everything
// recorded into files named "after_…", so that both can be compared. Too long for a sentence: what
// to change of it, in words; not recorded: the full command. `without`: names of flags to leave
// out.
[[nodiscard]] std::string rebuild_command(const Build& build, const std::string& onnx,
                                          const std::vector<std::string>& flags = {},
                                          const std::vector<std::string>& without = {});

// How the texts of rules build a changed model, for whom nothing is recorded.
inline constexpr std::string_view kAnyRebuild =
    "trtexec --onnx=MODEL --int8 --fp16 --profilingVerbosity=detailed "
    "--exportLayerInfo=layers.json --exportProfile=profile.json";
// Those for networks that need not be quantized.
inline constexpr std::string_view kAnyFloatRebuild =
    "trtexec --onnx=MODEL --fp16 --profilingVerbosity=detailed "
    "--exportLayerInfo=layers.json --exportProfile=profile.json";
// A check whose commands begin with "trtexec …" with the recorded command in the place of that,
// where there is a short one.
[[nodiscard]] std::string filled_check(const Build& build, const std::string& next_check);
// The one for the model as it is, with another TensorRT.
inline constexpr std::string_view kSameRebuild =
    "trtexec --onnx=MODEL.onnx --fp16 --profilingVerbosity=detailed "
    "--exportLayerInfo=layers.json --exportProfile=profile.json";
// A rule's next check with rebuild_command() in the place of these: another flag beside the
// changed model would be a second thing that changes. Where it compares, with lacking_text(), too.
// Where nothing is recorded, a network with Q/DQ is still never built without --int8.
[[nodiscard]] std::string recorded_check(const Build& build, bool has_qdq,
                                         const std::string& next_check);

// What the texts of rules leave open, as the recorded commands have it. In remedies and the next
// check: the model for MODEL.onnx and --onnx=MODEL. In the next check: the engine for
// --loadEngine=ENGINE, and the precisions of the build for the pair --int8 --fp16, and for --fp16
// on a DLA, for another one would be a second change.
void fit_to_command(Finding& finding, const Build& build);

}  // namespace trtlens
