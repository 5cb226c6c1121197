// What --help says beside the options.
#pragma once

namespace trtlens {

inline constexpr const char* kAbout =
    "trtlens reads what trtexec and TensorRT print and export, and says where the time goes,\n"
    "which precision every layer really runs in, what went wrong and what to do.";

inline constexpr const char* kExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch -o report.html\n"
    "  trtlens analyze build.log layers.json profile.json -o report.html\n"
    "  trtlens analyze DIRECTORY --format json | jq .findings\n"
    "  trtlens analyze build.log --fail-on major\n"
    "  trtlens analyze . --baseline known.baseline --fail-on major -o junit.xml -o x.sarif\n"
    "  trtlens compare fp16/ int8/\n"
    "  trtlens compare base/ candidate/ --format github -o step-summary:$GITHUB_STEP_SUMMARY\n"
    "  trtlens analyze build.log --rules my-rules/\n"
    "  trtlens explain residual-add-not-quantised\n"
    "  trtlens lint-log build.log\n"
    "\n"
    "Settings are all options of analyze, watch, compare and lint-log but --config and --help,\n"
    "and --rules and --rule-threshold of rules and explain. They stand in TRTLENS_* variables\n"
    "(TRTLENS_FAIL_ON, TRTLENS_COMPARE_FAIL_ON) and in the INI file that --config or "
    "TRTLENS_CONFIG\n"
    "names (`fail-on = major`, for one command behind its `[compare]`). The command line comes "
    "first,\n"
    "then the variables, then the file.\n"
    "\n"
    "Exit status: 0 done; 1 a finding or regression at or above --fail-on; 2 could not do the "
    "job;\n"
    "3 the two sides are not comparable; 130 Ctrl-C, the report is of what was read.";

inline constexpr const char* kWatchExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens watch --tee -o report.html > build.log\n"
    "\n"
    "It shows on standard error the stage, the layers timed, the time that the others will take,\n"
    "what is slow so far, and fatal and major messages as soon as they come. Ctrl-C ends the log:\n"
    "the report says what was read. Exit status: that of analyze; 130 after Ctrl-C.";

inline constexpr const char* kLintExamples =
    "Examples:\n"
    "  trtlens lint-log build.log\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens lint-log --format markdown\n"
    "  trtlens lint-log *.log --top 0 --with-samples\n"
    "  trtlens lint-log build.log --fail-on malformed\n"
    "\n"
    "Names, paths and numbers are folded into <name>, <n> and the like; a layer called by a plain\n"
    "word may remain: look before you paste. --with-samples shows lines as they are.\n"
    "Exit status: 0 done; 1 for --fail-on; 2 a file could not be read as a log.";

inline constexpr const char* kRulesExamples =
    "Examples:\n"
    "  trtlens rules\n"
    "  trtlens rules --category memory\n"
    "  trtlens rules --format json | jq -r '.rules[].id'\n"
    "  trtlens rules --check --rules my-rules/\n"
    "\n"
    "--check tries every rule on its samples and near misses, and prints what is wrong as\n"
    "file:line:column. Exit status: 0 done; 2 a rule is wrong or a file could not be read.";

inline constexpr const char* kExplainExamples =
    "Examples:\n"
    "  trtlens explain residual-add-not-quantised\n"
    "  trtlens explain my-rule --rules my-rules/\n"
    "  trtlens explain reformat-time-share --config trtlens.ini";

inline constexpr const char* kSchemaExamples =
    "Examples:\n"
    "  trtlens schema analyze > analyze.schema.json\n"
    "  trtlens schema compare | jq .definitions.comparison.properties.engine\n"
    "\n"
    "It has the type and the meaning of every name that `analyze --format json` or\n"
    "`compare --format json` prints. Exit status: 0 done; 2 no such report, or it could not be "
    "written.";

inline constexpr const char* kConfigOption = "--config";

inline constexpr const char* kTimingHelp =
    "how long each stage took, and the peak memory, on standard error";

inline constexpr const char* kConfigHelp =
    "settings from FILE: `option = value` lines, [COMMAND] sections; `trtlens --help` says more";

}  // namespace trtlens
