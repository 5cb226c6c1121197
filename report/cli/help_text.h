// What --help says beside the options.
#pragma once

#include <string>

namespace trtlens {

// Paragraphs are one line each: wrapped_help() breaks them.
inline constexpr const char* kSortDefaultHelp =
    " (default: number; failed ones first where not all are shown)";
inline constexpr const char* kAbout =
    "trtlens reads what trtexec and TensorRT print and export, and says where the time goes, which "
    "precision every layer really runs in, what went wrong and what to do.";

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

inline constexpr const char* kExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch -o report.html\n"
    "  trtlens analyze build.log layers.json profile.json -o report.html\n"
    "  trtlens compare fp16/ int8/\n"
    "  trtlens expect good/ -o engine.contract\n"
    "  trtlens check build/ --contract engine.contract\n"
    "  trtlens convert --to speedscope DIRECTORY -o layers.speedscope.json\n"
    "  trtlens history trend --db builds.db\n"
    "  trtlens explain residual-add-not-quantised\n"
    "  trtlens lint-log build.log\n"
    "\n"
    "`trtlens COMMAND --help` shows the options of a command, and more examples.\n"
    "\n"
    "Settings are all options of analyze, watch, compare, check and lint-log but --config and "
    "--help, and "
    "--rules and --rule-threshold of rules and explain. They stand in TRTLENS_* variables "
    "(TRTLENS_FAIL_ON, TRTLENS_COMPARE_FAIL_ON) and in the INI file that --config or "
    "TRTLENS_CONFIG names (`fail-on = major`, for one command behind its `[compare]`). The command "
    "line comes first, then the variables, then the file.\n"
    "\n"
    "Exit status: 0 done; 1 a finding, regression or broken clause at or above --fail-on; 2 could "
    "not do the job; "
    "3 the two sides are not comparable; 130 Ctrl-C, the report is of what was read.";

inline constexpr const char* kAnalyzeExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens --tee -o report.html\n"
    "  trtlens analyze build.log layers.json profile.json -o report.html\n"
    "  trtlens analyze DIRECTORY --format json | jq .findings\n"
    "  trtlens analyze build.log --section time,tactics\n"
    "  trtlens analyze . --baseline known.baseline --fail-on major -o junit.xml -o x.sarif\n"
    "  trtlens analyze build.log --rules my-rules/\n"
    "\n"
    "Exit status: 0 done; 1 a finding at or above --fail-on; 2 could not do the job; 130 Ctrl-C "
    "while standard input was read, the report is of what was read.";

inline constexpr const char* kCompareExamples =
    "Examples:\n"
    "  trtlens compare fp16/ int8/\n"
    "  trtlens compare base-1/,base-2/,base-3/ candidate-1/,candidate-2/,candidate-3/\n"
    "  trtlens compare base/ candidate/ --format github -o step-summary:$GITHUB_STEP_SUMMARY\n"
    "  trtlens compare base.log candidate.log --fail-on cannot-tell\n"
    "  trtlens compare --against base fp16/ sweep/*/ -o sweep.html\n"
    "  trtlens compare --history builds.db tonight/\n"
    "\n"
    "Exit status: 0 done; 1 a regression or finding of --fail-on; 2 could not do the job; 3 the "
    "two sides are not comparable.";

inline constexpr const char* kWatchExamples =
    "Examples:\n"
    "  trtexec --onnx=m.onnx --int8 --fp16 --verbose 2>&1 | trtlens watch\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens watch --tee -o report.html > build.log\n"
    "\n"
    "It shows on standard error the stage, the layers timed, the time that the others will take, "
    "what is slow so far, and fatal and major messages and the first tensor without scale as soon "
    "as they come. Ctrl-C ends the log: the report says what was read. Exit status: that of "
    "analyze; 130 after Ctrl-C.";

inline const std::string kFailOnFindingHelp =
    "exit 1 for a finding of this severity or worse, or for what else is named: ";
inline const std::string kFailOnClauseHelp =
    "exit 1 for a broken clause, or for one that cannot be told, too: ";
inline constexpr const char* kRepetitionsHelp =
    "files or directories of one build; several directories are repetitions of it";
inline constexpr const char* kExpectHelp =
    "what a good build is, written from one: a contract, to be read and edited";
inline constexpr const char* kExpectExamples =
    "Examples:\n"
    "  trtlens expect good/ -o engine.contract\n"
    "  trtlens expect run-1/ run-2/ run-3/ -o engine.contract\n"
    "\n"
    "The file is JSON with comments: a clause a line or block, with what it means and how to "
    "loosen "
    "it. What the inputs do not tell is not in it, but for a comment. Exit status: 0 done; 2 the "
    "builds failed or are no repetitions of one engine, or it could not be written.";

inline constexpr const char* kCheckHelp =
    "whether a build is what a contract says: what is broken, and what cannot be told";
inline constexpr const char* kCheckExamples =
    "Examples:\n"
    "  trtlens check build/ --contract engine.contract\n"
    "  trtlens check run-1/ run-2/ --contract engine.contract --fail-on cannot-tell\n"
    "  trtlens check build/ --contract engine.contract --format github -o junit.xml\n"
    "\n"
    "Exit status: 0 held, or not told by the inputs; 1 a clause is broken (or cannot be told, with "
    "--fail-on cannot-tell); 2 could not do the job.";

inline constexpr const char* kConvertExamples =
    "Examples:\n"
    "  trtlens convert --to perfetto build.log layers.json profile.json -o layers.pftrace\n"
    "  trtlens convert --to speedscope DIRECTORY -o layers.speedscope.json\n"
    "  trtlens convert --to dot DIRECTORY | dot -Tsvg > layers.svg\n"
    "  trtlens convert --to csv DIRECTORY -q > layers.csv\n"
    "  trtlens convert --to jsonl DIRECTORY -q | jq -r 'select(.precision_compute == \"FP32\") | "
    ".name'\n"
    "\n"
    "perfetto is a trace for ui.perfetto.dev, speedscope a file for speedscope.app: the layers in "
    "execution order, each as long as its mean in the profile. csv and jsonl have a row a layer, "
    "of all builds that are found. Exit status: 0 done; 1 there are no layers; 2 the inputs cannot "
    "be read, or it could not be written.";

inline constexpr const char* kLintExamples =
    "Examples:\n"
    "  trtlens lint-log build.log\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens lint-log --format markdown\n"
    "  trtlens lint-log *.log --top 0 --with-samples\n"
    "  trtlens lint-log build.log --fail-on malformed\n"
    "\n"
    "Names, paths and numbers are folded into <name>, <n> and the like; a layer called by a plain "
    "word may remain: look before you paste. --with-samples shows lines as they are.\n"
    "\n"
    "Exit status: 0 done; 1 for --fail-on; 2 a file could not be read as a log.";

inline constexpr const char* kRulesExamples =
    "Examples:\n"
    "  trtlens rules\n"
    "  trtlens rules --category memory\n"
    "  trtlens rules --format json | jq -r '.rules[].id'\n"
    "  trtlens rules --check --rules my-rules/\n"
    "\n"
    "--check tries every rule on its samples and near misses, and prints what is wrong as "
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
    "It has the type and the meaning of every name that `analyze --format json` or "
    "`compare --format json` prints. Exit status: 0 done; 2 no such report, or it could not be "
    "written.";

inline constexpr const char* kHistoryHelp =
    "builds over time in one file: add, list, show, trend, prune, export";

inline constexpr const char* kHistoryExamples =
    "Examples:\n"
    "  trtlens history add --db builds.db nightly/\n"
    "  trtlens history list --db builds.db\n"
    "  trtlens history trend --db builds.db -o trend.html\n"
    "  trtlens compare --history builds.db tonight/ && trtlens history add --db builds.db "
    "tonight/\n"
    "\n"
    "`trtlens history COMMAND --help` says more. Exit status: 0 done; 2 could not do the job.";

inline constexpr const char* kHistoryAddExamples =
    "Examples:\n"
    "  trtlens history add --db builds.db build.log layers.json profile.json\n"
    "  trtlens history add --db builds.db nightly/\n"
    "  trtlens history add --db builds.db --series detector-int8 tonight/\n"
    "\n"
    "The files of each folder are a build, or several. A build whose files have the same content "
    "as "
    "one that is in stays one. Each is written whole or not at all: after Ctrl-C or a crash the "
    "same command goes on. Exit status: 0 done; 2 something could not be read or written.";

inline constexpr const char* kHistoryListExamples =
    "Examples:\n"
    "  trtlens history list --db builds.db\n"
    "  trtlens history list --db builds.db --series resnet18.onnx --top 0\n"
    "  trtlens history list --db builds.db --format json | jq '.builds[].gpu_compute_ms'";

inline constexpr const char* kHistoryShowExamples =
    "Examples:\n"
    "  trtlens history show --db builds.db 12\n"
    "  trtlens history show --db builds.db 12 -o build-12.html\n"
    "\n"
    "The report that analyze makes, of what is kept: layers, times, precision, findings without "
    "their evidence; no messages and no tactics that lost.";

inline constexpr const char* kHistoryTrendExamples =
    "Examples:\n"
    "  trtlens history trend --db builds.db\n"
    "  trtlens history trend --db builds.db --metric engine_bytes\n"
    "  trtlens history trend --db builds.db --onnx-node /layer1/conv1/Conv -o trend.html\n"
    "\n"
    "A trend for each series. Where the level changed is found by E-Divisive (docs/history.md); a "
    "level is at least three builds.";

inline constexpr const char* kHistoryPruneExamples =
    "Examples:\n"
    "  trtlens history prune --db builds.db --keep 200\n"
    "  trtlens history prune --db builds.db --before 2026-01-01 --series old-model\n"
    "\n"
    "What is pruned is not taken in again when its folder is added once more.";

inline constexpr const char* kHistoryExportExamples =
    "Examples:\n"
    "  trtlens history export --db builds.db --to fleet\n"
    "  duckdb -c \"SELECT model, COUNT(*) FROM 'fleet/builds/*/*.csv.gz' GROUP BY ALL\"\n"
    "\n"
    "Tables builds, precisions, findings and layers, a folder a day; each build with the verdict "
    "that compare --history gives it. docs/fleet.md has the columns and queries. What is killed, "
    "or "
    "finds the disk full, leaves no half file: the same command goes on.";

inline constexpr const char* kRecordHelp =
    "the commands that record all that trtlens reads, in the flags of a TensorRT";
inline constexpr const char* kRecordExamples =
    "Examples:\n"
    "  trtlens record --print --onnx model.onnx --tensorrt 8.6 --precision int8 --precision fp16\n"
    "  trtlens record --print --producer polygraphy --precision fp16\n"
    "  trtlens record --run --onnx ../model.onnx -- --shapes=input:8x3x224x224\n"
    "\n"
    "They write into the folder where they run: a folder a build. Exit status: 0 done; 2 the "
    "version does not have what is asked for, or a command failed; 130 after Ctrl-C.";

inline constexpr const char* kCompletionHelp =
    "what completes commands, options, files and rules at the prompt of bash, zsh or fish";
inline constexpr const char* kCompletionExamples =
    "Examples:\n"
    "  source <(trtlens completion bash)\n"
    "  source <(trtlens completion zsh)\n"
    "  trtlens completion fish | source\n"
    "\n"
    "The line is for ~/.bashrc, for ~/.zshrc behind compinit, or for ~/.config/fish/config.fish. "
    "`cmake --install` puts files where the shells find "
    "them by themselves. Exit status: 0 done; 2 no such shell, or it could not be written.";

inline constexpr const char* kManHelp = "the man page of trtlens or of a command, in roff";
inline constexpr const char* kManExamples =
    "Examples:\n"
    "  trtlens man | man -l -\n"
    "  trtlens man history-add | man -l -\n"
    "  trtlens man compare > ~/.local/share/man/man1/trtlens-compare.1\n"
    "\n"
    "Exit status: 0 done; 2 no such page, or it could not be written.";

// Of the page of trtlens itself.
inline constexpr const char* kManTitle = "analyzer of trtexec logs and layer profiles";

inline constexpr const char* kConfigOption = "--config";

inline constexpr const char* kTimingHelp =
    "how long each stage took, and the peak memory, on standard error";

inline constexpr const char* kConfigHelp =
    "settings from FILE: `option = value` lines, [COMMAND] sections; `trtlens --help` says more";

// Of options.
inline constexpr const char* kRulesFilesHelp =
    "more message rules: a file, or a directory of *.json; one with the id of an "
    "embedded rule replaces it";

inline constexpr const char* kTeeHelp =
    "pass standard input through on standard output; the report goes to -o or "
    "standard error";

inline constexpr const char* kKeepTacticsHelp =
    "every tactic that was timed or skipped as a record of the JSON report";

inline constexpr const char* kRedactHelp =
    "names of models, layers, tensors, paths and hosts replaced by short ones (docs/redact.md)";
inline constexpr const char* kMcpHelp =
    "a server of the Model Context Protocol, by which an agent asks for analyses";
inline constexpr const char* kMcpExamples =
    "Example, as agents have it in their settings:\n"
    "  {\"mcpServers\": {\"trtlens\": {\"command\": \"trtlens\", \"args\": [\"mcp\"]}}}\n"
    "\n"
    "It reads and answers messages, a line each, on standard input and output, until its input "
    "ends. Tools: analyze, compare, explain, layers. A reply has at most 4096 bytes. It reads what "
    "it is asked for, and writes no file.\n";
inline constexpr const char* kRedactCommandHelp =
    "copies of logs and exports without the names of their owner, to show to others";
inline constexpr const char* kRedactExamples =
    "Examples:\n"
    "  trtlens redact build.log layers.json profile.json -o to-show/\n"
    "  trtlens redact build/ -o to-show/ --map names.tsv\n"
    "  trtlens redact build.log > to-show.log\n"
    "  trtexec --onnx=m.onnx --verbose 2>&1 | trtlens redact - > to-show.log\n"
    "\n"
    "One word has one name in all files of a command. Findings and figures of the copies are those "
    "of the originals. Numbers, shapes, operators, kernels, versions, dates and the GPU stay: "
    "docs/redact.md says what that tells. Files are copied without compression; binary ones are "
    "left out. Exit status: 0 done; 2 a file could not be read or written.";

inline constexpr const char* kPlotsHelp =
    "draw the charts into SVG files of DIR, which Markdown shows; png:DIR: into PNG";

inline constexpr const char* kBaselineHelp =
    "findings that FILE accepts are listed apart and not counted; -o x.baseline "
    "writes one";

inline constexpr const char* kSideHelp =
    "a file, a directory or a comma-separated list; several directories are repetitions";

inline constexpr const char* kNextHelp =
    "the same, of what is compared with CANDIDATE in a second comparison; with --against base any "
    "number of them";
inline constexpr const char* kAgainstHelp =
    "compare each side with BASE: a table of variants, and a table of layers by variant";

inline constexpr const char* kSamplesHelp =
    "the first line of each shape as it stands in the log, with its names and paths";

inline constexpr const char* kLintFailHelp =
    "exit 1 when there is a malformed line, or an unknown (or malformed) one: "
    "malformed, unknown, none";

inline constexpr const char* kLintHelp =
    "shapes of the log lines that trtlens does not know, with counts: to report them";

inline constexpr const char* kWatchHelp =
    "a log on standard input: how the build goes, then the report that analyze makes";

inline constexpr const char* kOfThresholdHelp =
    "the least shift that matters: no_change means less, and --fail-on does not count less";

inline constexpr const char* kIgnoreHelp = "leave out findings of RULE, or of RULE:LAYER-REGEX";

}  // namespace trtlens
