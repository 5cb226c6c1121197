// Lines to classes, and logs to runs with their outcomes.
#include "parsers/log/log_parser.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "parsers/log/framing/lines.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_parser_test {
namespace {

void append(std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    text += part;
    text += ' ';
  }
}

// Everything a Build says, as far as the log tests look at it, for comparing two readings.
std::string digest(const ParsedLog& log) {
  std::string text;
  for (const SeenLine& line : log.lines) {
    text += std::to_string(static_cast<int>(line.line_class)) + line.kind + ' ';
  }
  for (std::size_t i = 0; i < log.result.builds.size(); ++i) {
    const Build& b = log.build(i);
    append(text,
           {"\nrun", std::to_string(log.run(i).first_line), std::to_string(log.run(i).last_line),
            to_string(b.outcome), b.producer, b.command});
    for (const Message& m : b.messages) append(text, {"\nm", m.text, std::to_string(m.count)});
    for (const Layer& l : b.layers) {
      append(text, {"\nl", l.name, l.layer_type, std::to_string(l.inputs.size())});
      if (l.time) append(text, {std::to_string(l.time->mean_ms)});
    }
    for (const auto& [key, value] : b.banner) append(text, {"\nb", key, value});
    for (const Autotune& a : b.autotuning) append(text, {"\na", a.layer, a.chosen_name});
  }
  return text;
}

const std::string& sample_log() {
  static const std::string text =
      running("--onnx=m.onnx --fp16 --verbose") +
      own_lines({"=== Build Options ===", "Precision: FP32+FP16", "",
                 "=== Device Information ===", "Selected Device: NVIDIA H200",
                 "Device Global Memory: 143155 MiB", "", "TensorRT version: 8.5.1"}) +
      stamped("[W] [TRT] ", {"A first warning"}) + "its second line\n" +
      library_lines(
          {"=============== Computing costs for ",
           "*************** Autotuning format combination: Float(1) -> Float(1) ***************",
           "--------------- Timing Runner: conv (CaskConvolution)",
           "conv Set Tactic Name: sm80 Tactic: 0x01", "Tactic: 0x01 Time: 0.5",
           "Fastest Tactic: 0x01 Time: 0.5",
           ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x01",
           "Engine Layer Information:"}) +
      "Layer(CaskConvolution): conv, Tactic: 0x01, x (Float[1]) -> y (Float[1])\n" +
      own_lines({"Engine built in 8.1 sec.", "",
                 "=== Performance summary ===", "Throughput: 100.5 qps", ""}) +
      "some program speaks\n" + closing("PASSED", "--onnx=m.onnx --fp16 --verbose");
  return text;
}

TEST(LogParser, ClassesAddUpToTheLines) {
  const ParsedLog log = parse_log(sample_log());
  std::array<std::uint64_t, kLineClassCount> counted{};
  for (const SeenLine& line : log.lines) ++counted.at(static_cast<std::size_t>(line.line_class));
  EXPECT_EQ(log.result.coverage.count, counted);
  EXPECT_EQ(log.result.coverage.lines(), log.result.lines);
  EXPECT_EQ(log.result.lines, log.lines.size());
  EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 1U);
  EXPECT_EQ(log.result.coverage.of(LineClass::continuation), 1U);
}

TEST(LogParser, EachClassHasItsLine) {
  struct Case {
    const char* line;
    LineClass line_class;
  };
  constexpr Case kCases[] = {
      {"[07/07/2026-02:11:00] [I] Engine built in 8.1 sec.", LineClass::recognised},
      {"[07/07/2026-02:11:00] [I] Starting inference", LineClass::noise},
      {"[07/07/2026-02:11:00] [V] [TRT] Tactic: 0x1 Time: ", LineClass::malformed},
      {"[07/07/2026-02:11:00] [V] [TRT] A line nobody has seen", LineClass::unknown},
      {"[07/07/2026-02:11:00] [W] [TRT] A warning nobody has seen", LineClass::recognised},
      {"hello", LineClass::foreign},
      {"", LineClass::foreign},
      {"&&&& RUNNING TensorRT.trtexec # trtexec", LineClass::recognised},
      {"&&&& DANCING TensorRT.trtexec # trtexec", LineClass::malformed},
      {"app[1]: [TRT] something", LineClass::unknown},
  };
  for (const Case& c : kCases) {
    const ParsedLog log = parse_log(std::string(c.line) + "\n");
    ASSERT_EQ(log.lines.size(), 1U) << c.line;
    EXPECT_EQ(log.lines[0].line_class, c.line_class) << c.line;
  }
}

TEST(LogParser, EmptyInput) {
  const ParsedLog log = parse_log("");
  EXPECT_EQ(log.result.lines, 0U);
  EXPECT_TRUE(log.result.builds.empty());
  EXPECT_EQ(parse_log("\n").result.lines, 1U);
  EXPECT_EQ(parse_log("a").result.lines, 1U);
  EXPECT_EQ(parse_log("a\n").result.lines, 1U);
  EXPECT_EQ(parse_log("a\n\n").result.lines, 2U);
}

TEST(LogParser, ChunksDoNotMatter) {
  const std::string whole = digest(parse_log(sample_log()));
  for (const std::size_t chunk : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    EXPECT_EQ(digest(parse_log(sample_log(), chunk)), whole) << chunk;
  }
}

TEST(LogParser, LineEndsDoNotMatter) {
  const std::string whole = digest(parse_log(sample_log()));
  std::string cut = sample_log();
  cut.pop_back();
  EXPECT_EQ(digest(parse_log(cut)), whole);
  for (const std::string end : {"\r\n", "\r\r\n"}) {
    std::string text;
    for (const char c : sample_log()) text += c == '\n' ? end : std::string(1, c);
    EXPECT_EQ(digest(parse_log(text)), whole);
    EXPECT_EQ(digest(parse_log(text, 5)), whole);
    text.erase(text.size() - end.size());
    EXPECT_EQ(digest(parse_log(text)), whole);
  }
  EXPECT_EQ(digest(parse_log("\xEF\xBB\xBF" + sample_log(), 1)), whole);
}

// Of a bar that is redrawn the last state counts; a line of TensorRT's in front of it is none.
TEST(LogParser, ProgressBars) {
  const std::string built = "[07/07/2026-02:11:00] [I] Engine built in 8.1 sec.";
  for (const std::string& line : {"10%\r20%\r" + built, built + "\r", built + "\r\r", "\r" + built,
                                  built + "\r10%\r20%", "\x1b[1A\x1b[0G\x1b[2K" + built}) {
    const ParsedLog log = parse_log(line + "\nnext\n");
    EXPECT_EQ(log.result.lines, 2U);
    EXPECT_EQ(log.lines[0].kind, "engine-built") << line;
    EXPECT_EQ(log.result.own_lines, 1U);
  }
  EXPECT_EQ(parse_log("10%\r20%\r30%\n").result.coverage.of(LineClass::foreign), 1U);
  EXPECT_EQ(parse_log("\r\r\r\n").result.coverage.lines(), 1U);
}

TEST(LogParser, Utf16) {
  const std::string whole = digest(parse_log(sample_log()));
  for (const bool little_endian : {true, false}) {
    const std::string text = utf16(sample_log(), little_endian);
    for (const std::size_t chunk : {0U, 1U, 2U, 3U, 101U}) {
      EXPECT_EQ(digest(parse_log(text, chunk)), whole) << little_endian << ' ' << chunk;
    }
  }
  // A surrogate pair cut by every chunk: U+1F600 in a layer's name.
  std::string emoji = utf16("[07/07/2026-02:11:00] [V] [TRT] Parsing node: a", true);
  emoji += std::string("\x3D\xD8\x00\xDE", 4) + utf16(" [Conv]\n", true).substr(2);
  // A byte order mark inside is a character like any other, also where a chunk begins with it.
  const std::string mark = emoji.substr(0, 2);
  emoji.insert(emoji.size() - 2 * std::string(" [Conv]\n").size(), mark);
  for (const std::size_t chunk : {0U, 1U, 2U, 3U}) {
    const ParsedLog log = parse_log(emoji, chunk);
    ASSERT_EQ(log.result.builds.size(), 1U);
    ASSERT_EQ(log.build().onnx_nodes.size(), 1U);
    EXPECT_EQ(log.build().onnx_nodes[0].name, "a\xF0\x9F\x98\x80\xEF\xBB\xBF");
  }
}

TEST(LogParser, LongLinesAreCutAndCounted) {
  const std::string text = "[07/07/2026-02:11:00] [V] [TRT] (Sparsity) " +
                           std::string(LineSplitter::kMaxLineBytes, 'x') + "\n" +
                           own_lines({"Engine built in 8.1 sec."});
  for (const std::size_t chunk : {0U, 65536U}) {
    const ParsedLog log = parse_log(text, chunk);
    EXPECT_EQ(log.result.lines, 2U);
    EXPECT_EQ(log.result.cut_lines, 1U);
    EXPECT_EQ(log.result.first_cut_line, 1U);
    EXPECT_EQ(log.lines[0].text.size(), LineSplitter::kMaxLineBytes);
    EXPECT_EQ(log.lines[1].kind, "engine-built");
  }
  const std::string full(LineSplitter::kMaxLineBytes, 'x');
  EXPECT_EQ(parse_log(full + "\n").result.cut_lines, 0U);
  EXPECT_EQ(parse_log(full).result.cut_lines, 0U);
  EXPECT_EQ(parse_log(full + "x").result.cut_lines, 1U);
}

// A name may look like a header: only column 0 of a line counts, and in lists of layers not even
// that.
TEST(LogParser, NamesThatLookLikeHeaders) {
  const std::string name = "[I] [TRT] &&&& PASSED x";
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx") + library_lines({"Parsing node: " + name + " [Conv]"}) +
                library_lines({"Engine Layer Information:"}) + "Layer(Reformat): " + name +
                ", Tactic: 0x00, " + name + " (Float[1]) -> y (Float[1])\n" +
                "Layer(NoOp): next, Tactic: 0x00,  -> z (Float[1])\n");
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.build().outcome, Outcome::truncated);
  EXPECT_EQ(log.build().onnx_nodes.at(0).name, name);
  ASSERT_EQ(log.build().layers.size(), 2U);
  EXPECT_EQ(log.build().layers[0].name, name);
  EXPECT_EQ(log.build().layers[0].inputs.at(0).name, name);
}

TEST(LogParser, ABodyIsNoVerdict) {
  const ParsedLog log = parse_log(running("--onnx=m.onnx") +
                                  own_lines({"Doc string: &&&& PASSED TensorRT.trtexec # x"}) +
                                  "we saw &&&& PASSED in the other log\n");
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::truncated);
}

// 2>&1: warnings of the other stream stand between the rows of a section and are no rows.
TEST(LogParser, WarningsInTheMiddleOfSections) {
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx") + own_lines({"=== Build Options ===", "avgTiming: 8"}) +
                stamped("[W] ", {"--workspace flag: deprecated by --memPoolSize flag."}) +
                own_lines({"Precision: FP32", "", "=== Profile (10 iterations ) ===",
                           "   Layer   Time (ms)   Avg. Time (ms)   Time %",
                           "   conv        1.00           0.1000     50.0"}) +
                stamped("[W] ", {"one two 3 4 5"}) +
                own_lines({"   relu        1.00           0.1000     50.0",
                           "   Total       2.00           0.2000    100.0"}));
  const Build& build = log.build();
  EXPECT_EQ(build.banner.size(), 2U);
  EXPECT_EQ(build.banner.at("Build Options/Precision"), "FP32");
  ASSERT_EQ(build.messages.size(), 2U);
  EXPECT_EQ(build.messages[1].text, "one two 3 4 5");
  EXPECT_EQ(build.layers.size(), 2U);
}

TEST(LogParser, MessagesKeepTheirLinesAndTheirCount) {
  const std::string warning = stamped("[W] [TRT] ", {"Skipping tactic 3 due to insuficient memory "
                                                     "on requested size of 2243 detected for "
                                                     "tactic 4."}) +
                              "Try decreasing the workspace size.\n";
  const ParsedLog log = parse_log(warning + warning + library_lines({"Tactic: 0x1 Time: 1"}));
  ASSERT_EQ(log.build().messages.size(), 1U);
  const Message& message = log.build().messages[0];
  EXPECT_EQ(message.count, 2U);
  EXPECT_EQ(message.severity, LogSeverity::warning);
  EXPECT_NE(message.text.find("\nTry decreasing the workspace size."), std::string::npos);
  EXPECT_EQ(message.text.find("Try", message.text.find("Try") + 1), std::string::npos);
  EXPECT_EQ(message.pos.line, 1U);
  EXPECT_TRUE(message.before_progress);
}

TEST(LogParser, ErrorsSurviveAFloodOfWarnings) {
  std::string text = running("--onnx=m.onnx");
  for (int i = 0; i < 21000; ++i) {
    text += stamped("[W] [TRT] ", {"Odd thing number " + std::to_string(i)});
  }
  text += "a stray line\n" + stamped("[E] [TRT] ", {"The end"});
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.build().outcome, Outcome::failed);
  EXPECT_EQ(log.build().messages.back().text, "The end");
  EXPECT_EQ(log.build().messages.at(log.build().messages.size() - 2).text.find('\n'),
            std::string::npos);
}

// ---- runs and outcomes ----

TEST(Runs, PassedFailedTruncatedUnknown) {
  const std::string begin = running("--onnx=m.onnx");
  EXPECT_EQ(parse_log(begin + closing("PASSED", "--onnx=m.onnx")).run().outcome, Outcome::passed);
  EXPECT_EQ(parse_log(begin + closing("FAILED", "--onnx=m.onnx")).run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(begin + "&&&& FAILED\n").run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(begin + own_lines({"Starting inference"})).run().outcome, Outcome::truncated);
  // An excerpt proves nothing by its end.
  EXPECT_EQ(parse_log(library_lines({"Tactic: 0x1 Time: 1"})).run().outcome, Outcome::unknown);
  EXPECT_EQ(parse_log("[TRT] [V] Tactic: 0x1 Time: 1\n").run().outcome, Outcome::unknown);
  EXPECT_TRUE(parse_log(begin + closing("PASSED", "")).build().closing_line);
  EXPECT_FALSE(parse_log(begin).build().closing_line);
}

TEST(Runs, AnErrorEndsARunUnlessSomethingGoesOn) {
  const std::string begin = running("--onnx=m.onnx");
  const std::string error = stamped("[E] [TRT] ", {"10: Error Code 10: Internal Error (x)"});
  EXPECT_EQ(parse_log(begin + error).run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(begin + error + library_lines({"Tactic: 0x1 Time: 1"})).run().outcome,
            Outcome::truncated);
  EXPECT_TRUE(parse_log(begin + error + library_lines({"Tactic: 0x1 Time: 1"}))
                  .build()
                  .messages.at(0)
                  .before_progress);
  // A skipped tactic is an error that says that it goes on.
  const std::string skipped =
      stamped("[E] [TRT] ", {"9: Skipping tactic0x00000000000003ea due to exception autotuning: "
                             "User allocator error allocating 34360788477-byte buffer"});
  EXPECT_EQ(parse_log(begin + error + skipped).run().outcome, Outcome::truncated);
  EXPECT_TRUE(parse_log(begin + skipped).build().messages.at(0).before_progress);
  EXPECT_EQ(parse_log(begin + skipped + error).run().outcome, Outcome::failed);
  // The closing line has the last word.
  EXPECT_EQ(parse_log(begin + error + closing("PASSED", "")).run().outcome, Outcome::passed);
  EXPECT_EQ(parse_log("[TRT] [E] 2: Error Code 2: x\n").run().outcome, Outcome::failed);
}

TEST(Runs, TheWrappersOwnErrorIsNotTensorRts) {
  const ParsedLog log = parse_log("[TRT] [V] Tactic: 0x1 Time: 1\n[E] Script: giving up\n");
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_FALSE(log.build().messages[0].of_tensorrt);
  EXPECT_EQ(log.run().outcome, Outcome::unknown);
}

TEST(Runs, TextBehindTheVerdictBelongsToTheRun) {
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx", "8003") + closing("PASSED", "--onnx=m.onnx") +
                stamped("[I] [TRT] ", {"[MemUsageChange] Init cuBLAS/cuBLASLt: CPU +0, GPU +0, "
                                       "now: CPU 747, GPU 893 (MiB)"}));
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::passed);
  EXPECT_EQ(log.run().last_line, 3U);
  EXPECT_EQ(log.build().memory.steps.size(), 1U);
}

TEST(Runs, SeveralInOneLog) {
  const ParsedLog log = parse_log(running("--onnx=a.onnx") + closing("PASSED", "--onnx=a.onnx") +
                                  running("--onnx=b.onnx") + running("--onnx=c.onnx") +
                                  closing("FAILED", "--onnx=c.onnx"));
  ASSERT_EQ(log.result.runs.size(), 3U);
  EXPECT_EQ(log.run(0).outcome, Outcome::passed);
  EXPECT_EQ(log.run(1).outcome, Outcome::truncated);
  EXPECT_EQ(log.run(2).outcome, Outcome::failed);
  EXPECT_EQ(log.run(1).first_line, 3U);
  EXPECT_EQ(log.run(1).last_line, 3U);
  EXPECT_EQ(log.run(2).n, 3);
  EXPECT_EQ(log.build(1).options.value("onnx"), "b.onnx");
}

// A script that builds in Python and times with trtexec, twice: its builds are no part of the
// trtexec runs on either side.
TEST(Runs, PythonBuildsBetweenTrtexecRuns) {
  const std::string python =
      "[07/07/2026-02:11:00] [TRT] [W] Missing scale and zero-point for tensor t, expect fall back "
      "to non-int8 implementation\n";
  const std::string timing = running("--loadEngine=m.plan") + closing("PASSED", "");
  const ParsedLog log = parse_log("a script\n" + python + timing + python + timing);
  ASSERT_EQ(log.result.runs.size(), 4U);
  for (const std::size_t i : {0U, 2U}) {
    EXPECT_EQ(log.run(i).producer, "python");
    EXPECT_EQ(log.run(i).outcome, Outcome::unknown);
    EXPECT_EQ(log.build(i).missing_scales.size(), 1U);
    EXPECT_EQ(log.run(i + 1).producer, "trtexec");
    EXPECT_EQ(log.run(i + 1).outcome, Outcome::passed);
    EXPECT_TRUE(log.build(i + 1).missing_scales.empty());
  }
}

// Of a log of nothing but beginnings only the newest are kept, in time that grows with their
// number.
TEST(Runs, ThousandsWithoutAnyContent) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += running("--onnx=m.onnx");
  const ParsedLog log = parse_log(text);
  ASSERT_EQ(log.result.builds.size(), 3000U);
  EXPECT_FALSE(log.build(0).outline_only);  // as many as 3000 small ones are whole
  EXPECT_EQ(log.build(0).command, log.build(2999).command);
}

// Beyond 3000 runs the oldest are gone, but for the one that was asked for; numbers stay what they
// are in the log.
TEST(Runs, MoreThanAreKept) {
  std::string text;
  for (int i = 1; i <= 3010; ++i) text += running("--onnx=m" + std::to_string(i) + ".onnx");
  for (const int asked : {0, 3}) {
    LogParser parser(0, {.keep_run = asked});
    parser.feed(text);
    const LogResult result = parser.finish();
    const std::size_t kept = asked == 0 ? 3000 : 3001;
    ASSERT_EQ(result.builds.size(), kept);
    ASSERT_EQ(result.runs.size(), kept);
    ASSERT_EQ(result.rests.size(), kept);
    EXPECT_EQ(result.runs_left_out, 3010 - kept);
    EXPECT_EQ(result.runs.front().n, asked == 0 ? 11 : 3);
    EXPECT_EQ(result.runs[kept - 3000].n, 11);
    EXPECT_EQ(result.runs[kept - 3000].command, "trtexec --onnx=m11.onnx");
    EXPECT_EQ(result.runs.back().n, 3010);
  }
}

// Long commands: what is kept of old runs is bounded by their bytes, too.
TEST(Runs, LongCommandsOfOldRuns) {
  std::string text;
  const std::string padding(60000, 'x');
  for (int i = 1; i <= 500; ++i) text += running(padding + std::to_string(i));
  LogParser parser(0);
  parser.feed(text);
  const LogResult result = parser.finish();
  std::size_t bytes = 0;
  for (const Build& build : result.builds) {
    bytes += build.command.size();
  }
  EXPECT_LT(bytes, 20U << 20);
  EXPECT_GE(result.builds.size(), 2U);
  EXPECT_EQ(result.runs.back().n, 500);
  EXPECT_EQ(result.runs_left_out, 500 - result.builds.size());
}

// A line that is read without its pattern starts a run as one that is read by it.
TEST(Runs, HotLinesOfTheConverterBeginOne) {
  const ParsedLog log = parse_log(
      "[INFO] Parsing node: Conv__25 [Conv]\n"
      "[INFO] --------------- Timing Runner: conv1 (CaskConvolution)\n");
  ASSERT_EQ(log.result.builds.size(), 1U);
  EXPECT_EQ(log.build().onnx_nodes.size(), 1U);
  EXPECT_EQ(log.result.coverage.of(LineClass::recognised), 2U);
}

TEST(Runs, ForeignTextAloneIsNone) {
  const ParsedLog log = parse_log("hello\nworld\n");
  EXPECT_TRUE(log.result.runs.empty());
  EXPECT_EQ(log.result.own_lines, 0U);
}

TEST(Runs, TheCommandIsKept) {
  const ParsedLog log = parse_log(running("--onnx=my model # 1.onnx --fp16 "));
  EXPECT_EQ(log.run().command, "trtexec --onnx=my model # 1.onnx --fp16 ");
  EXPECT_EQ(log.build().options.value("onnx"), "my model # 1.onnx");
  EXPECT_TRUE(log.build().options.has("fp16"));
}

TEST(Runs, LastTimedIsWhatDied) {
  const std::string race =
      "*************** Autotuning format combination: Half(1) -> Half(1) ***************";
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx --verbose") +
      library_lines({race, "--------------- Timing Runner: a (CaskConvolution)", race,
                     "--------------- Timing Runner: b (Myelin[0x80000023])"}) +
      stamped("[E] [TRT] ", {"1: Error Code 1: Cuda Runtime (an illegal memory access)"}) +
      library_lines({race, "--------------- Timing Runner: c (Myelin)"}));
  ASSERT_TRUE(log.build().last_timed.has_value());
  EXPECT_EQ(log.build().last_timed->layer, "b");
  EXPECT_EQ(log.build().last_timed->runner, "Myelin");
  EXPECT_EQ(log.build().last_timed->format_combination, "Half(1) -> Half(1)");
  const ParsedLog cut = parse_log(library_lines(
      {race, "-- Timing Runner: x (y)", "--------------- Timing Runner: c (Myelin)"}));
  ASSERT_TRUE(cut.build().last_timed.has_value());
  EXPECT_EQ(cut.build().last_timed->layer, "c");
  EXPECT_EQ(cut.build().last_timed->pos.line, 3U);
}

// ---- versions ----

struct VersionCase {
  const char* tag;
  const char* text;
};

TEST(Versions, FromTheVerdictLine) {
  constexpr VersionCase kCases[] = {
      {"8003", "8.0.3"},    {"8401", "8.4.1"},    {"8412", "8.4.12"},   {"8510", "8.5.10"},
      {"9201", "9.2.1"},    {"100001", "10.0.1"}, {"100400", "10.4.0"}, {"101601", "10.16.1"},
      {"110100", "11.1.0"}, {"8.6.1", "8.6.1"},   {"8.6.1.6", "8.6.1"}, {"10.16.1.11", "10.16.1"}};
  for (const VersionCase& c : kCases) {
    const ParsedLog log = parse_log(running("--onnx=m", c.tag));
    ASSERT_TRUE(log.build().tensorrt.has_value()) << c.tag;
    EXPECT_EQ(log.build().tensorrt->text(), c.text) << c.tag;
    EXPECT_EQ(log.build().tensorrt->source, VersionSource::banner);
    EXPECT_EQ(log.build().tensorrt->build, std::nullopt);
  }
}

TEST(Versions, BuildNumber) {
  const ParsedLog log =
      parse_log("&&&& RUNNING TensorRT.trtexec [TensorRT v101601] [b11] # trtexec --onnx=m\n");
  ASSERT_TRUE(log.build().tensorrt.has_value());
  EXPECT_EQ(log.build().tensorrt->text(), "10.16.1");
  EXPECT_EQ(log.build().tensorrt->build, 11);
  EXPECT_EQ(log.run().command, "trtexec --onnx=m");
}

TEST(Versions, NoneAndNonsense) {
  EXPECT_FALSE(
      parse_log("&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m\n").build().tensorrt.has_value());
  for (const char* tag : {"99999999999999999999", "99999999999", "1..2", "...", "2147483648.1.1"}) {
    EXPECT_FALSE(parse_log(running("--onnx=m", tag)).build().tensorrt.has_value()) << tag;
  }
}

TEST(Versions, FromTheVersionLine) {
  constexpr VersionCase kCases[] = {
      {"8003", "8.0.3"}, {"8.4.1", "8.4.1"}, {"10.16.1", "10.16.1"}, {"10.8.0 JIT", "10.8.0"}};
  for (const VersionCase& c : kCases) {
    const ParsedLog log = parse_log(own_lines({std::string("TensorRT version: ") + c.tag}));
    ASSERT_TRUE(log.build().tensorrt.has_value()) << c.tag;
    EXPECT_EQ(log.build().tensorrt->text(), c.text);
  }
  // The verdict line was first; the library's line may differ.
  const ParsedLog both =
      parse_log(running("--onnx=m", "101601") + own_lines({"TensorRT version: 10.16.2"}));
  EXPECT_EQ(both.build().tensorrt->text(), "10.16.1");
}

}  // namespace
}  // namespace trtlens::log_parser_test
