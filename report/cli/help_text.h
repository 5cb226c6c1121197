// What --help says of options that several commands have, and what trtlens says without a word.
#pragma once

namespace trtlens {

// Without a word, on a terminal.
inline constexpr const char* kFirstSteps =
    "trtlens says where an engine's time goes, and what to do.\n"
    "\n"
    "While it is built:\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens watch\n"
    "One build, from its log and exports:\n"
    "  trtlens analyze build.log layers.json profile.json\n"
    "Is the second one slower, and where:\n"
    "  trtlens compare fp16/ int8/\n"
    "\n"
    "All commands and options: trtlens --help\n";

inline constexpr const char* kRepetitionsHelp =
    "files or directories of one build; several directories are repetitions of it";
inline constexpr const char* kTimingHelp =
    "how long each stage took, and the peak memory, on standard error";
inline constexpr const char* kRedactHelp =
    "names of models, layers, tensors, paths and hosts replaced by short ones (docs/redact.md)";

inline constexpr const char* kConfigOption = "--config";

}  // namespace trtlens
