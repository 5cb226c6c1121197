// Autotuning: candidates, times, winners. Closed source; boundaries between dialects in each row.
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>

#include "parsers/log/grammar/extract.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/model/limits.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

void on_combination(RunBuilder& b, const Match& m) {
  b.autotune.at_line(*m.line);
  b.autotune.begin_combination(m[0], false, m.pos);
}
void on_reformat_combination(RunBuilder& b, const Match& m) {
  b.autotune.at_line(*m.line);
  b.autotune.begin_combination(m[0], true, m.pos);
}
void on_runner(RunBuilder& b, const Match& m) {
  // 7.x times reformats between the layers, without a head of their own: no race of a layer.
  if (m[0] == "<reformat>") b.autotune.begin_combination({}, true, m.pos);
  b.autotune.runner(m[0], m[1], m.pos);
}
void on_costs(RunBuilder& b, const Match& m) {
  b.autotune.at_line(*m.line);
  b.autotune.begin_layer(m[0]);
  b.time_layer();
}

void on_reformat_costs(RunBuilder& b, const Match& m) {
  b.autotune.at_line(*m.line);
  b.autotune.begin_layer("");
}

// The field `i`, when its extractor has not read it.
std::optional<std::uint64_t> tactic_of(const Match& m, std::size_t i) {
  return m.tactic ? m.tactic : tactic_id_of(m[i]);
}

void on_name_and_id(RunBuilder& b, const Match& m) {
  const auto id = tactic_of(m, 1);
  b.autotune.tactic_name(m[0], id ? &*id : nullptr);
}
void on_name(RunBuilder& b, const Match& m) {
  b.autotune.tactic_name(m[0], nullptr);
}

// "inf" when it could not run.
void add_time(RunBuilder& b, std::uint64_t id, std::string_view time, const Match& m) {
  const double time_ms = finite_or_nan(time);
  if (time_ms >= 0 && time_ms <= kMaxTimeMs) {
    return b.autotune.tactic_time(id, time_ms, m.pos, b.build);
  }
  if (!std::isnan(time_ms)) b.impossible_number(m.pos);
  b.autotune.skipped(id, SkipReason::no_time, m.pos, b.build);
}

void on_time(RunBuilder& b, const Match& m) {
  if (const auto id = tactic_of(m, 0)) add_time(b, *id, m[1], m);
}
void on_named_time(RunBuilder& b, const Match& m) {
  const auto id = tactic_of(m, 1);
  if (!id) return;
  b.autotune.tactic_name(m[0], &*id);
  add_time(b, *id, m[2], m);
}
void on_skipped(RunBuilder& b, const Match& m) {
  b.autotune.skipped(tactic_id_of(m[0]), SkipReason::memory, m.pos, b.build);
  const auto asked = whole_number(m[1]), available = whole_number(m[2]);
  if (!asked || !available) return;
  std::optional<WorkspaceRefused>& refused = b.build.memory.workspace_refused;
  if (!refused) refused = WorkspaceRefused{0, *asked, *asked, 0};
  ++refused->tactics;
  refused->least_bytes = std::min(refused->least_bytes, *asked);
  refused->most_bytes = std::max(refused->most_bytes, *asked);
  refused->available_bytes = *available;
}
void on_fast_skip(RunBuilder& b, const Match& m) {
  if (const auto id = tactic_id_of(m[0])) b.autotune.fast_skipped(*id, m.pos, b.build);
}
void on_skipped_message(RunBuilder& b, const Match& m) {
  const std::string_view body = m.line->body;
  const auto says = [&](std::string_view word) {
    return body.find(word) != std::string_view::npos;
  };
  const SkipReason why = says("memory") || says("oom ") ? SkipReason::memory
                         : says("xception")             ? SkipReason::exception
                                                        : SkipReason::other;
  b.autotune.skipped(tactic_id_of(m[0]), why, m.pos, b.build);
  b.message(m.line->severity, m.line->body, m.pos);
}
void on_no_tactics(RunBuilder& b, const Match&) {
  b.autotune.no_valid_tactics();
}
void on_chose(RunBuilder& b, const Match& m) {
  b.autotune.at_line(*m.line);
  if (const auto id = tactic_id_of(m[1])) b.autotune.chose(m[0], *id);
}

void on_runner_time(RunBuilder& b, const Match& m) {
  if (const auto s = b.measured(m[2], kMaxTimeMs / 1000, m.pos)) b.autotune.runner_time(*s);
}

// Reformats have no race of their own among the layers.
void on_cached(RunBuilder& b, const Match& m) {
  if (m[0].substr(0, 19) == "Optimizer Reformat(") return;
  b.autotune.cached(m[0], m[1], m[2], tactic_id_of(m[3]), b.measured(m[4], kMaxTimeMs, m.pos),
                    m.pos);
}

// "0x00000000000003e8 Time: 0.00193877"
bool extract_time(std::string_view /*before*/, std::string_view behind, Match& m) {
  constexpr std::string_view kTime = " Time: ";
  constexpr std::size_t kNumber = kHexIdBytes + kTime.size();
  std::uint64_t id = 0;
  m.fields = 2;
  if (behind.size() > kNumber &&
      std::memcmp(behind.data() + kHexIdBytes, kTime.data(), kTime.size()) == 0 &&
      read_hex_id(behind.data(), id)) {
    m.tactic = id;
    m.field[0] = behind.substr(0, kHexIdBytes);
    m.field[1] = behind.substr(kNumber);
    return !holds_space(m.field[1]);
  }
  Taker line(behind);  // ids of other lengths, decimal ones of 7.x and 8.0
  return line.tactic_id(m.field[0]) && line.literal(kTime) && line.last_token(m.field[1]);
}

// " numSplitK: 1 numBuffers: 0 numKernels: 1" or nothing.
bool take_split(Taker& line) {
  std::string_view count;
  return !line.literal(" numSplitK: ") ||
         (line.digits(count) && line.literal(" numBuffers: ") && line.digits(count) &&
          line.literal(" numKernels: ") && line.digits(count));
}

bool extract_named_time(std::string_view /*before*/, std::string_view behind, Match& m) {
  Taker line(behind);
  m.fields = 3;
  return line.token(m.field[0]) && take_split(line) && line.literal(" Tactic: ") &&
         line.tactic_id(m.field[1], &m.tactic) && line.literal(" Time: ") &&
         line.last_token(m.field[2]);
}

// Nothing but an id stands behind the name: the first key of the line is its last.
bool extract_set_name(std::string_view before, std::string_view behind, Match& m) {
  if (!before.empty() && before.back() != ' ') return false;
  Taker line(behind);
  m.fields = 2;
  return line.token(m.field[0]) && line.literal(" Tactic: ") &&
         line.tactic_id(m.field[1], &m.tactic) && take_split(line) && line.at_end();
}

bool extract_runner(std::string_view /*before*/, std::string_view behind, Match& m) {
  m.fields = 2;
  return split_runner(behind, m.field[0], m.field[1]);
}

// "TEXT ***************": the rows of stars around a combination, with a blank or none.
bool between_stars(std::string_view text, Match& m) {
  constexpr std::string_view kUsual = " ***************";
  m.fields = 1;
  if (text.size() >= kUsual.size() &&
      are_same(text.data() + text.size() - kUsual.size(), kUsual.data(), kUsual.size())) {
    m.field[0] = text.substr(0, text.size() - kUsual.size());
    return true;
  }
  const std::size_t last = text.find_last_not_of('*');
  const std::size_t end = last == std::string_view::npos ? 0 : last + 1;
  if (end == text.size()) return false;
  text = text.substr(0, end);
  if (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  m.field[0] = text;
  return true;
}

bool extract_combination(std::string_view /*before*/, std::string_view behind, Match& m) {
  return between_stars(behind, m);
}

bool extract_reformat(std::string_view /*before*/, std::string_view behind, Match& m) {
  Taker line(behind);
  return line.literal(" ") && between_stars(line.rest(), m);
}

bool extract_fastest_86(std::string_view before, std::string_view behind, Match& m) {
  Taker line(behind);
  m.fields = 5;
  return line.token(m.field[2]) && line.literal(" seconds. Fastest Tactic: ") &&
         line.tactic_id(m.field[3]) && line.literal(" Time: ") && line.last_token(m.field[4]) &&
         split_runner(before, m.field[0], m.field[1]);
}

// "=============== Computing costs for X" and "… for X: "
bool extract_costs(std::string_view /*before*/, std::string_view behind, Match& m) {
  Taker line(behind);
  line.literal(" ");
  std::string_view layer = line.rest();
  for (const char end : {' ', ':'}) {
    if (!layer.empty() && layer.back() == end) layer.remove_suffix(1);
  }
  m.fields = 1;
  m.field[0] = layer;
  return true;
}

bool extract_chose(std::string_view /*before*/, std::string_view behind, Match& m) {
  Taker line(behind);
  m.fields = 2;
  return line.word(m.field[0]) && line.literal(" Tactic: ") && line.tactic_id(m.field[1]) &&
         line.at_end();
}

bool extract_no_tactics(std::string_view before, std::string_view /*behind*/, Match& m) {
  Taker line(before);
  m.fields = 1;
  return line.word(m.field[0]) && line.rest() == " ";
}

bool extract_no_tactics_10(std::string_view /*before*/, std::string_view behind, Match& m) {
  Taker line(behind);
  m.fields = 2;
  if (!line.word(m.field[0]) || !line.literal(": No valid tactics for ")) return false;
  m.field[1] = line.rest();
  return true;
}

void on_strategy_failed(RunBuilder& b, const Match& /*m*/) {
  b.settle();
  b.passes.drop(b.build);
}

void on_strategy(RunBuilder& b, const Match& m) {
  b.settle();
  if (m[0] == "Building graph using") {
    b.passes.begin(b.build);
  } else if (m[0] == "Use") {
    b.passes.keep_first();
  } else if (m[0] == "Chose this engine with") {
    b.passes.keep(b.build);
  } else {
    b.passes.drop(b.build);
  }
}

constexpr LineKind kAutotuningKinds[] = {
    // All versions; hex from 8.4.1 on, signed decimal before; "inf" when it could not run.
    {"tactic-time", Gate::prefix, "Tactic: ", "Tactic: (0x[0-9a-f]+|-?\\d+) [Tt]ime:? (\\S+)",
     on_time, "Tactic: 0x00000000000003e8 Time: 0.00193877", "Tactic: 0x1 Time: ", kProgress,
     LogSection::any, extract_time},
    {"tactic-skipped", Gate::prefix, "Tactic: ",
     "Tactic: (0x[0-9a-f]+|-?\\d+) skipped\\. Scratch requested: (\\d+), available: (\\d+)",
     on_skipped, "Tactic: 0x0000000000000004 skipped. Scratch requested: 7527202816, available: 10",
     "Tactic: 61 skipped."},
    // 8.0
    {"tactic-only", Gate::prefix,
     "Tactic: ", "Tactic: (0x[0-9a-f]+|-?\\d+) is the only option, timing skipped", nullptr,
     "Tactic: 0 is the only option, timing skipped", "Tactic: 0 is the only option",
     kNoise | kProgress},
    // 8.6, when one valid tactic is enough.
    {"tactic-enough", Gate::prefix, "Tactic: ",
     "Tactic: (0x[0-9a-f]+|-?\\d+) A valid tactic is found\\. Rest of the tactics are skipped\\.",
     nullptr,
     "Tactic: 0x00000000000003e8 A valid tactic is found. Rest of the tactics are skipped.",
     "Tactic: 0x00000000000003e8 A valid tactic is found.", kNoise | kProgress},
    // 8.6.0+: name, id and time on one line.
    {"tactic-named-time", Gate::prefix, "Tactic Name: ",
     "Tactic Name: (.*?)(?: numSplitK: \\d+ numBuffers: \\d+ numKernels: \\d+)? Tactic: "
     "(0x[0-9a-f]+|-?\\d+) Time: (\\S+)",
     on_named_time,
     "Tactic Name: sm80_xmma_fprop_implicit_gemm Tactic: 0x967f94e9db2001a8 Time: 0.00615314",
     "Tactic Name: a b Tactic: 0x1", kProgress, LogSection::any, extract_named_time},
    // 8.5 ConvActPool: the name alone, its time on the next line.
    {"tactic-name-alone", Gate::prefix, "Tactic Name: ", "Tactic Name: (\\S+) *", on_name,
     "Tactic Name: kIMMA_V1_TILE_32x64 ", "Tactic Name: two words"},
    {"set-tactic-name", Gate::infix, "Set Tactic Name: ",
     "(?:.* )?Set Tactic Name: (\\S+) Tactic: (0x[0-9a-f]+|-?\\d+)(?: numSplitK: \\d+ numBuffers: "
     "\\d+ numKernels: \\d+)?(?: .*)?",
     on_name_and_id,
     "Conv-1 + ReLU-2 Set Tactic Name: maxwell_scudnn_128x32_relu_medium_nn_v1 Tactic: "
     "0x0ebe499388e08286",
     "Conv_0 Set Tactic Name:  Tactic: 0x1", 0, LogSection::any, extract_set_name},
    // 7.x: no id on the line.
    {"set-tactic-name-7", Gate::infix, "Set Tactic Name: ", "(?:.* )?Set Tactic Name: (\\S+) *",
     on_name, "vgg0_conv8_fwd (scudnn) Set Tactic Name: volta_scudnn_128x128_relu_exp_medium_nhwc",
     "Conv_0 (scudnn) Set Tactic Name: two words"},
    {"runner", Gate::prefix, "--------------- Timing Runner: ",
     "-+ Timing Runner: (.*) \\((\\w+)(?:\\[0x[0-9a-f]+\\])?\\)", on_runner,
     "--------------- Timing Runner: node_conv2d + node_relu (CaskConvolution[0x80000009])",
     "--------------- Timing Runner: Conv_0 (CaskConvolution[80000009])", kProgress,
     LogSection::any, extract_runner},
    {"reformat-combination", Gate::prefix, "*************** Autotuning Reformat:",
     "\\*+ Autotuning Reformat: ?(.*?) ?\\*+", on_reformat_combination,
     "*************** Autotuning Reformat: Float(1,1) -> Half(1,1) ***************",
     "*************** Autotuning Reformat: Float(1,1) -> Half(1,1)", kProgress, LogSection::any,
     extract_reformat},
    {"combination", Gate::prefix, "*************** Autotuning format combination: ",
     "\\*+ Autotuning format combination: ?(.*?) ?\\*+", on_combination,
     "*************** Autotuning format combination: Float(784,784,28,1) -> Float(25088,784,28,1) "
     "***************",
     "*************** Autotuning format combination: Float(1) -> Float(1)", kProgress,
     LogSection::any, extract_combination},
    {"costs", Gate::prefix, "=============== Computing costs for",
     "=+ Computing costs for ?(.*?):? ?", on_costs,
     "=============== Computing costs for node_conv2d + node_relu", nullptr, kProgress,
     LogSection::any, extract_costs},
    {"reformat-costs", Gate::prefix, "=============== Computing reformatting costs",
     "=============== Computing reformatting costs(.*)", on_reformat_costs,
     "=============== Computing reformatting costs", nullptr, kNoise | kProgress},
    {"fastest", Gate::prefix,
     "Fastest Tactic: ", "Fastest Tactic: (0x[0-9a-f]+|-?\\d+) Time: (\\S+)", nullptr,
     "Fastest Tactic: 0x00000000000003e8 Time: 0.00193877", "Fastest Tactic: none Time: inf", 0,
     LogSection::any, extract_time},
    {"fastest-8.6", Gate::infix, " profiling completed in ",
     "(.*) \\((\\w+)(?:\\[0x[0-9a-f]+\\])?\\) profiling completed in (\\S+) seconds\\. Fastest "
     "Tactic: (0x[0-9a-f]+|-?\\d+) Time: (\\S+)",
     on_runner_time,
     "node_conv2d (CaskConvolution[0x80000009]) profiling completed in 0.0819054 seconds. Fastest "
     "Tactic: 0x5b8bf1b8028629d9 Time: 0.00534603",
     "conv (CaskConvolution) profiling completed in 0.08 seconds.", 0, LogSection::any,
     extract_fastest_86},
    {"chose", Gate::prefix, ">>>>>>>>>>>>>>> Chose Runner Type: ",
     ">+ Chose Runner Type: (\\w+) Tactic: (0x[0-9a-f]+|-?\\d+)", on_chose,
     ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x5b8bf1b8028629d9",
     ">>>>>>>>>>>>>>> Chose Runner Type: Cask Convolution Tactic: 0x1", kProgress, LogSection::any,
     extract_chose},
    {"no-tactics", Gate::suffix, "has no valid tactics for this config, skipping",
     "(\\w+) has no valid tactics for this config, skipping", on_no_tactics,
     "CaskFlattenConvolution has no valid tactics for this config, skipping",
     "The layer has no valid tactics for this config, skipping", 0, LogSection::any,
     extract_no_tactics},
    {"no-tactics-10", Gate::prefix, "Skipping ", "Skipping (\\w+): No valid tactics for (.*)",
     on_no_tactics, "Skipping CaskFlattenConvolution: No valid tactics for node_conv2d",
     "Skipping tactic 3 due to insufficient memory", 0, LogSection::any, extract_no_tactics_10},
    {"cached", Gate::infix, " got cached result: ",
     "(.*) \\[(.*)\\] got cached result: (\\w+), tactic (0x[0-9a-f]+|-?\\d+), (\\S+) ms", on_cached,
     "pool [Float(1,1) -> Float(1,1)] got cached result: CaskPooling, tactic 0xdd39499496c9cc38, "
     "0.00294885 ms",
     "pool [Float(1) -> Float(1)] got cached result: CaskPooling", kProgress},
    {"tactics-pruned", Gate::infix, " available tactics, ",
     "(.*): (\\d+) available tactics, (\\d+) unparsable, (\\d+) pruned, (\\d+) remaining after "
     "tactic pruning\\.",
     nullptr,
     "/fc/Gemm: 33 available tactics, 9 unparsable, 12 pruned, 21 remaining after tactic pruning.",
     "fc: 33 available tactics, some pruned"},
    {"tactics-limit", Gate::prefix, "Set number of tactics to ",
     "Set number of tactics to (\\d+) at optimization level (\\d+)", nullptr,
     "Set number of tactics to 30 at optimization level 3",
     "Set number of tactics to 30 at optimization level", kNoise},
    {"requirements", Gate::infix, " requirements combinations ",
     "(\\d+) requirements combinations were removed due to type constraints\\.", nullptr,
     "0 requirements combinations were removed due to type constraints.",
     "No requirements combinations were removed", kNoise},
    {"memory-hint", Gate::prefix, " ",
     " (?:Try increasing the workspace size with IBuilderConfig|Example of equivalent trtexec "
     "option: ).*",
     nullptr, " Example of equivalent trtexec option: --memPoolSize=workspace:16384",
     " Try something else", kKeep},
    {"tactic-memory", Gate::prefix, "Some tactics do not have sufficient workspace memory",
     "Some tactics do not have sufficient workspace memory to run\\..*", nullptr,
     "Some tactics do not have sufficient workspace memory to run. Increasing workspace size may "
     "increase performance, please check verbose output.",
     "Some tactics do not have sufficient workspace memory", kKeep | kProgress},
    {"fast-skip", Gate::prefix,
     "Fast skip Tactic:", "Fast skip Tactic: ?(0x[0-9a-f]+) which exceed time limit during pre-run",
     on_fast_skip, "Fast skip Tactic:0x4efce38acc876f5c which exceed time limit during pre-run",
     "Fast skip Tactic: which exceed time limit during pre-run"},
    // 8.x W, 10.x "UNSUPPORTED_STATE: Skipping tactic …"; "insuficient" until 8.4; Myelin's as
    // "[E] 9: Skipping tactic …".
    {"skipping-tactic", Gate::infix, "kipping tactic",
     "(?:(?:Error Code:? )?\\d+: )?(?:UNSUPPORTED_STATE:? ?)?Skipping tactic ?(0x[0-9a-f]+|\\d+) "
     "due to "
     ".*",
     on_skipped_message,
     "Skipping tactic 3 due to insuficient memory on requested size of 2243 detected for tactic 4.",
     "Skipping tactic of the day due to x", kOpens | kProgress},
    {"device-request", Gate::prefix, "Tactic Device request: ",
     "Tactic Device request: (\\d+)MB Available: (\\d+)MB\\. Device memory is insufficient to use "
     "tactic\\.",
     nullptr,
     "Tactic Device request: 414MB Available: 216MB. Device memory is insufficient to use tactic.",
     "Tactic Device request: 414MB Available: 216MB. Device memory is insufficient", kKeep},
    {"workspace-setting", Gate::prefix, "Setting workspace to ", "Setting workspace to (\\d+).*",
     nullptr, "Setting workspace to 17450532864enables more tactics for profiling",
     "Setting workspace to ", kNoise},
    {"strategy", Gate::infix, "backend strategy ",
     "(Building graph using|Use|Chose this engine with|Skip|Skipping) ?(?:this )?backend strategy "
     "?\\d*.*",
     on_strategy, "Building graph using backend strategy 2", "Some backend strategy 2", kProgress},
    {"strategy-failed", Gate::prefix, "Engine generation failed with ",
     "Engine generation failed with backend strategy (\\d+)\\.?.*", on_strategy_failed,
     "Engine generation failed with backend strategy 4.",
     "Engine generation failed with the new backend", kProgress | kKeep | kOpens},
    {"profile-number", Gate::prefix, "Constructing optimization profile number ",
     "Constructing optimization profile number (\\d+) \\[\\d+/\\d+\\]\\.?", nullptr,
     "Constructing optimization profile number 0 [1/1].",
     "Constructing optimization profile number 0 out of 1", kNoise | kProgress},
    // 5.x and 6.0, quoted to this day: no colons, no runner's name.
    {"runner-5", Gate::prefix, "--------------- Timing ", "-+ Timing (.+)\\((\\d+)\\)", on_runner,
     "--------------- Timing module/slice3/conv3/Conv2D(14)",
     "--------------- Timing Runner: Conv_0 (CaskConvolution)", kProgress},
    {"tactic-time-5", Gate::prefix, "Tactic ", "Tactic (-?\\d+) time (\\S+)", on_time,
     "Tactic 313790760974845026 time 8.02246", "Tactic 3 scratch requested: 10, available: 1",
     kProgress},
    {"tactic-skipped-5", Gate::prefix, "Tactic ",
     "Tactic (-?\\d+) scratch requested: (\\d+), available: (\\d+)", on_skipped,
     "Tactic 2 scratch requested: 301989888, available: 16777216",
     "Tactic 313790760974845026 time 8.02246"},
    // 7.0 and older.
    {"profile-number-7", Gate::prefix, "Constructing optimization profile number ",
     "Constructing optimization profile number (\\d+) out of \\d+", nullptr,
     "Constructing optimization profile number 0 out of 1",
     "Constructing optimization profile number 0 [1/1].", kNoise | kProgress},
    {"mma-source", Gate::prefix, "Unrecognized MMA instruction source format",
     "Unrecognized MMA instruction source format or shape: (.*)", nullptr,
     "Unrecognized MMA instruction source format or shape: KERNEL",
     "Unrecognized MMA instruction source format or shape:", kNoise},
    {"runner-builder", Gate::prefix, "RunnerBuilder of layer implementation ",
     "RunnerBuilder of layer implementation (\\w+) (.+)", nullptr,
     "RunnerBuilder of layer implementation CaskJitConv cannot handle striding for node X",
     "RunnerBuilder of layer implementation CaskJitConv", kNoise},
};

}  // namespace

LineKinds kinds_of_autotuning() {
  return {kAutotuningKinds, std::size(kAutotuningKinds)};
}

}  // namespace trtlens
