// The collected traps about runs (format-cases.md 21 to 28, 66, 84, 86): where they begin and end,
// who ran, and how it came out. One test a case, or a few.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/format_case.h"

namespace trtlens::format_cases_runs_test {
namespace {

// ---- B. runs and results ----

TEST(FormatCase21, VersionsOfTheVerdictLine) {
  struct Case {
    const char* line;
    const char* version;
  };
  constexpr Case kCases[] = {
      {"&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m", ""},
      {"&&&& RUNNING TensorRT.trtexec [TensorRT v8412] # trtexec --onnx=m", "8.4.12"},
      {"&&&& RUNNING TensorRT.trtexec [TensorRT v101601] [b11] # trtexec --onnx=m", "10.16.1"},
      {"&&&& RUNNING TensorRT.trtexec [TensorRT v110100] [b106] # trtexec --onnx=m", "11.1.0"},
      {"&&&& RUNNING TensorRT.trtexec [TensorRT v8.6.1] # trtexec --onnx=m", "8.6.1"}};
  for (const Case& c : kCases) {
    const ParsedLog log = parse_log(std::string(c.line) + "\n");
    EXPECT_EQ(log.build().tensorrt ? log.build().tensorrt->text() : "", c.version);
    EXPECT_EQ(log.run().command, "trtexec --onnx=m");
    EXPECT_EQ(log.run().producer, "trtexec");
  }
}

TEST(FormatCase22, UnquotedArguments) {
  const ParsedLog log = parse_log(
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # D:\\a # b\\trtexec.exe --onnx=my "
      "model.onnx "
      "--layerPrecisions=a b:fp16,*:fp32\n" +
      own_lines({"Engine built in 1.5 sec."}));
  EXPECT_EQ(log.run().command,
            "D:\\a # b\\trtexec.exe --onnx=my model.onnx --layerPrecisions=a b:fp16,*:fp32");
  EXPECT_EQ(log.build().options.value("onnx"), "my model.onnx");
  EXPECT_EQ(log.build().options.value("layerPrecisions"), "a b:fp16,*:fp32");
}

TEST(FormatCase23, HelpIsNoTruncatedRun) {
  for (const char* flag : {"--help", "-h"}) {
    EXPECT_EQ(parse_log(running(flag) + "=== Model Options ===\n").run().outcome, Outcome::unknown)
        << flag;
  }
}

TEST(FormatCase23, NoClosingLine) {
  const std::string begin = running("--onnx=m.onnx");
  EXPECT_EQ(parse_log(begin).run().outcome, Outcome::truncated);
  EXPECT_EQ(parse_log(begin + "Killed\n").run().outcome, Outcome::failed);
  EXPECT_EQ(
      parse_log(begin + own_lines({"Cannot find any available devices (GPUs)!"})).run().outcome,
      Outcome::failed);
  EXPECT_EQ(parse_log(begin + "Cuda failure: out of memory\n").run().outcome, Outcome::failed);
  EXPECT_EQ(parse_log(begin + stamp() + "[E] Unknown option: --x v\n").run().outcome,
            Outcome::failed);
}

// What a shell or the C library says of a dead process stands behind any line.
TEST(FormatCase23, DeathOfTheProcess) {
  const std::string begin = running("--onnx=m.onnx") + own_lines({"Start parsing network model."});
  for (const char* death :
       {"Segmentation fault", "Segmentation fault (core dumped)", "Killed", "Aborted (core dumped)",
        "build.sh: line 12:  4711 Segmentation fault      (core dumped) trtexec --onnx=m.onnx",
        "./b.sh: line 3: 4711 Killed                  trtexec --onnx=m.onnx", "Killed: 9",
        "[1]    4711 segmentation fault (core dumped)  trtexec --onnx=m.onnx",
        "[1]  + 4711 killed     trtexec --onnx=m.onnx", "free(): invalid pointer",
        "[node7:04711] Signal: Segmentation fault (11)", "double free or corruption (!prev)",
        "[node7:4711 :0:4711] Caught signal 11 (Segmentation fault: address not mapped to object)",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "Fatal Python error: Segmentation fault"}) {
    SCOPED_TRACE(death);
    const ParsedLog log = parse_log(begin + death + "\n");
    EXPECT_EQ(log.run().outcome, Outcome::failed);
    ASSERT_EQ(log.build().messages.size(), 1U);
    EXPECT_EQ(log.build().messages[0].text, death);
  }
  for (const char* prose :
       {"This may end in a segmentation fault.", "Killed the old server", "12 tests were killed",
        "/usr/bin/crash: handler installed", "Aborted connection to the data base"}) {
    SCOPED_TRACE(prose);
    EXPECT_EQ(parse_log(begin + prose + "\n").run().outcome, Outcome::truncated);
  }
}

// A stack is not a part of the error before it; what Python raised is an error of its own.
TEST(FormatCase23, ExceptionOfPython) {
  const std::string stack =
      "Traceback (most recent call last):\n"
      "  File \"b.py\", line 8, in <module>\n"
      "    f.write(engine)\n"
      "    ~~~~~~~^^^^^^^^\n";
  const ParsedLog log = parse_log(
      "[03/04/2025-10:00:00] [TRT] [E] 4: [network.cpp::validate::3062] Error Code 4: Internal "
      "Error (no profile.)\n" +
      stack + "TypeError: a bytes-like object is required, not 'NoneType'\nBye\n");
  expect_lines(log, {{kRecognised, "error-code"},
                     {kRecognised, "traceback"},
                     {kNoiseLine, "traceback-frame"},
                     {kNoiseLine, "traceback-frame"},
                     {kNoiseLine, "traceback-frame"},
                     {kRecognised, "python-exception"},
                     {kForeign, ""}});
  EXPECT_EQ(log.run().outcome, Outcome::failed);
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[0].text,
            "4: [network.cpp::validate::3062] Error Code 4: Internal Error (no profile.)");
  EXPECT_EQ(log.build().messages[1].text,
            "TypeError: a bytes-like object is required, not 'NoneType'");
  // Raised and caught: the build went on.
  const ParsedLog caught =
      parse_log(stack + "ModuleNotFoundError: No module named 'apex'\n" +
                "[03/04/2025-10:00:00] [TRT] [I] Engine generation completed in 3.98 seconds.\n");
  EXPECT_EQ(caught.run().outcome, Outcome::unknown);
  // A logger's line ends a stack that has no exception.
  const ParsedLog cut = parse_log(
      stack + "[03/04/2025-10:00:00] [TRT] [I] Total Scratch Memory: 512\nSystemExit: 1\n");
  EXPECT_TRUE(cut.build().messages.empty());
}

// What is freed too late, and a timing cache that is not used, end nothing.
TEST(FormatCase23, AnErrorThatEndsNothing) {
  const std::string built = "[03/30/2023-19:07:02] [TRT] [I] Loaded engine size: 17 MiB\n";
  const auto outcome_behind = [&](const std::string& error) {
    return parse_log(built + "[03/30/2023-19:08:59] [TRT] [E] 1: " + error + "\n").run().outcome;
  };
  EXPECT_EQ(outcome_behind("[defaultAllocator.cpp::deallocate::35] Error Code 1: Cuda Runtime "
                           "(invalid argument)"),
            Outcome::unknown);
  EXPECT_EQ(outcome_behind("[myelinCache.h::nvinfer1::builder::MyelinCache::deserializeFromBuffer"
                           "::52] Error Code 1: Myelin (Myelin error from unknown graph)"),
            Outcome::unknown);
  EXPECT_EQ(outcome_behind("[defaultAllocator.cpp::deallocate::35] Error Code 1: Cuda Runtime "
                           "(an illegal memory access was encountered)"),
            Outcome::failed);
  EXPECT_EQ(outcome_behind("[defaultAllocator.cpp::allocate::35] Error Code 1: Cuda Runtime "
                           "(invalid argument)"),
            Outcome::failed);
}

// What programs print behind an error is no part of it.
TEST(FormatCase23, LinesOfTheProgramEndAnError) {
  const std::string error = "[TensorRT] ERROR: 4: [network.cpp::f::2] Error Code 4: Internal (x)\n";
  for (const char* line : {"Process Process-3:", "ERROR TensorRT: export failure 110.2s: no",
                           "tritonserver: symbol lookup error: /l.so: "
                           "undefined symbol: _Z1f"}) {
    const ParsedLog log = parse_log(error + line + "\n");
    EXPECT_EQ(log.build().messages.at(0).text, "4: [network.cpp::f::2] Error Code 4: Internal (x)");
  }
}

TEST(FormatCase23, ProgramWithTheSamplesLoggerHasNoVerdict) {
  const std::string built =
      own_lines({"[TRT] Engine generation completed in 3.98 seconds.", "[TRT] Using CUDA"});
  EXPECT_EQ(parse_log(built).run().outcome, Outcome::unknown);
  EXPECT_EQ(parse_log(running("--onnx=m.onnx") + built).run().outcome, Outcome::truncated);
  EXPECT_EQ(parse_log(own_lines({"=== Model Options ===", "Format: ONNX"}) + built).run().outcome,
            Outcome::truncated);
}

// A tail may end anywhere; a line that the end of the file cut off is not malformed.
TEST(FormatCase23, CutAnywhere) {
  const std::string text =
      running("--onnx=m.onnx --verbose") +
      library_lines({"*************** Autotuning format combination: Float(1) -> Float(1) "
                     "***************",
                     "--------------- Timing Runner: conv (CaskConvolution[0x80000009])",
                     "Tactic: 0x0000000000000001 Time: 0.5"}) +
      own_lines({"Engine built in 8.10138 sec.", "Throughput: 15374.3 qps"});
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const ParsedLog log = parse_log(text.substr(0, size));
    EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U) << text.substr(0, size);
    EXPECT_EQ(log.result.coverage.of(kUnknown), 0U) << text.substr(0, size);
  }
  // With its end the line says what it is.
  EXPECT_EQ(parse_log(stamp() + "[I] Engine built in 8.1\n").lines[0].line_class,
            LineClass::malformed);
  EXPECT_EQ(parse_log(stamp() + "[I] Engine built in 8.1").lines[0].kind, "cut-off");
}

// 10.13 to 11.1 with --saveEngine --skipInference: PASSED, though nothing was built.
TEST(FormatCase24, PassedButFailed) {
  const std::string begin = running("--onnx=m.onnx --saveEngine=m.plan --skipInference", "101301");
  const std::string end = own_lines({"Engine built in 0.3 sec."}) + stamp() +
                          "[E] Engine deserialization failed\n" +
                          own_lines({"Skipped inference phase since --skipInference is added."}) +
                          closing("PASSED", "--onnx=m.onnx --saveEngine=m.plan --skipInference");
  const std::string error = stamp() + "[E] [TRT] Error Code 10: Internal Error (x)\n";
  const ParsedLog log =
      parse_log(begin + error + own_lines({"Created engine with size: 0 MiB"}) + end);
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::failed);
  EXPECT_EQ(log.build().outcome, Outcome::failed);
  EXPECT_TRUE(log.build().closing_line);
  // The build did not go on behind the error.
  ASSERT_GE(log.build().messages.size(), 2U);
  EXPECT_FALSE(log.build().messages[0].before_progress);
  // Small engines are not empty, and an empty one without an error is not judged.
  EXPECT_EQ(
      parse_log(begin + error +
                own_lines({"Created engine with size: 0.0123 MiB", "Engine built in 0.3 sec."}) +
                closing("PASSED", ""))
          .run()
          .outcome,
      Outcome::passed);
  EXPECT_EQ(
      parse_log(begin + own_lines({"Created engine with size: 0 MiB"}) + closing("PASSED", ""))
          .run()
          .outcome,
      Outcome::passed);
}

TEST(FormatCase25, TextBehindTheVerdict) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx", "8003") + closing("PASSED", "--onnx=m.onnx") +
      "[03/19/2022-12:28:38] [I] [TRT] [MemUsageChange] Init cuBLAS/cuBLASLt: CPU +0, GPU +0, now: "
      "CPU 747, GPU 893 (MiB)\n");
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().last_line, 3U);
  EXPECT_EQ(log.build().memory.steps.size(), 1U);
}

std::string iteration(int i, const std::string& route, const std::string& status) {
  const std::string n = std::to_string(i);
  const std::string name =
      "TensorRT.trtexec [TensorRT v110100] [b106] # trtexec --onnx=m.onnx "
      "--setBuildRoute=" +
      route + " --saveEngine=/tmp/trtexec_tuning_7_" + n +
      ".plan --tuningResultFile=/tmp/trtexec_tuning_7_iter" + n + ".json\n";
  std::string text = "\n&&&& TASK_BEGIN [iter=" + n + "] BuildRoute = '" + route + "'\n";
  text += own_lines({"Tuning iteration [" + n + "]: " + route});
  text += "&&&& RUNNING " + name;
  text += own_lines({"Using tuning build route: " + route, "Engine built in 2.5 sec."});
  if (!status.empty()) text += "&&&& " + status + " " + name;
  text += "&&&& TASK_" + std::string(status.empty() ? "ABORT" : "END") + " [iter=" + n +
          "] BuildRoute = '" + route + "'\n\n";
  return text;
}

TEST(FormatCase26, NestedRuns) {
  const std::string name =
      "TensorRT.trtexec [TensorRT v110100] [b106] # trtexec --onnx=m.onnx --tuneBuildRoutes=x\n";
  const std::string text =
      "&&&& RUNNING " + name + own_lines({"Expanded to 3 build route configurations"}) +
      iteration(0, "-match_ragged_mha=on -copy_ppg=off", "PASSED") +
      iteration(1, "-a=b", "FAILED") + iteration(2, "-c=d", "") + stamp() +
      "[W] Iteration [2] failed: no result\n" +
      own_lines({"Best iteration: -match_ragged_mha=on -copy_ppg=off (gpu_time_ms=0.51)",
                 "Tuning summary: 1 / 3 iterations succeeded."}) +
      "&&&& PASSED " + name;
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.coverage.of(kUnknown), 0U);
  EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U);
  ASSERT_EQ(log.result.runs.size(), 4U);
  constexpr Outcome kWant[] = {Outcome::passed, Outcome::failed, Outcome::truncated,
                               Outcome::passed};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(log.run(i).outcome, kWant[i]) << i;
    EXPECT_EQ(log.run(i).producer, "trtexec");
  }
  EXPECT_EQ(log.build(0).options.value("setBuildRoute"), "-match_ragged_mha=on -copy_ppg=off");
  EXPECT_DOUBLE_EQ(log.build(0).engine_build_s.value_or(0), 2.5);
  // The loop's own run comes last: it went on until then, and has no build of its own.
  const trtlens::Run& parent = log.run(3);
  EXPECT_EQ(parent.first_line, 1U);
  EXPECT_EQ(parent.last_line, log.result.lines);
  EXPECT_TRUE(log.build(3).options.has("tuneBuildRoutes"));
  EXPECT_FALSE(log.build(3).engine_build_s.has_value());
  std::vector<std::string> said;
  for (const Message& message : log.build(3).messages) said.push_back(message.text);
  EXPECT_NE(std::find(said.begin(), said.end(), "Tuning iteration [1]: -a=b"), said.end());
  EXPECT_NE(std::find(said.begin(), said.end(), "Tuning summary: 1 / 3 iterations succeeded."),
            said.end());
  // Cut off in an iteration: that and the loop are both truncated.
  const ParsedLog cut = parse_log(text.substr(0, text.find("&&&& PASSED")));
  ASSERT_EQ(cut.result.runs.size(), 2U);
  EXPECT_EQ(cut.run(0).outcome, Outcome::truncated);
  EXPECT_EQ(cut.run(1).outcome, Outcome::truncated);
  // Without the TASK lines, which have no name and a filter may drop, the command tells.
  std::string filtered;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.find("TASK_") == std::string::npos) filtered += line;
    at = end;
  }
  const ParsedLog few = parse_log(filtered);
  ASSERT_EQ(few.result.runs.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(few.run(i).outcome, kWant[i]) << i;
}

// A run that a wrapper starts inside another one, whose verdict comes last.
TEST(FormatCase26, ARunInsideAnyOther) {
  const ParsedLog log = parse_log("&&&& RUNNING BERT_HARNESS # ./build/bin/harness_bert\n" +
                                  running("--onnx=m.onnx") + closing("FAILED", "--onnx=m.onnx") +
                                  "&&&& PASSED BERT_HARNESS # ./build/bin/harness_bert\n");
  ASSERT_EQ(log.result.runs.size(), 2U);
  EXPECT_EQ(log.run(0).producer, "mlperf");
  EXPECT_EQ(log.run(0).outcome, Outcome::passed);
  EXPECT_EQ(log.run(1).producer, "trtexec");
  EXPECT_EQ(log.run(1).outcome, Outcome::failed);
}

TEST(FormatCase27, VersionsDisagree) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx", "101601") +
      library_lines({"Loaded shared library libnvinfer_builder_resource_sm90.so.10.16.2"}));
  EXPECT_EQ(log.build().tensorrt->text(), "10.16.1");
}

TEST(FormatCase28, RawVersionAndJit) {
  EXPECT_EQ(parse_log(own_lines({"TensorRT version: 8003"})).build().tensorrt->text(), "8.0.3");
  EXPECT_EQ(parse_log(own_lines({"TensorRT version: 10.8.0 JIT"})).build().tensorrt->text(),
            "10.8.0");
}

// ---- long lines, bars, other programs' verdicts ----

TEST(FormatCase66, VeryLongLines) {
  std::string names;
  while (names.size() < 600000) names += "/model/layers.0/attn/MatMul + ";
  const std::string text =
      stamped("[I] [TRT] ", {"(Sparsity) Layers eligible for sparse math: " + names}) +
      stamped("[W] [TRT] ", {" - List of affected weights: " + names}) +
      own_lines({"Engine built in 8.1 sec."});
  for (const std::size_t chunk : {0U, 4096U}) {
    const ParsedLog log = parse_log(text, chunk);
    EXPECT_EQ(log.result.cut_lines, 0U);
    EXPECT_EQ(log.lines[0].kind, "sparsity");
    EXPECT_GT(log.lines[0].text.size(), names.size());
    EXPECT_EQ(log.lines[1].line_class, kRecognised);
    EXPECT_LE(log.build().messages.back().text.size(), 5000U);
    EXPECT_EQ(log.lines[2].kind, "engine-built");
  }
}

TEST(FormatCase84, ProgressBars) {
  std::string text = running("--onnx=m.onnx");
  for (int i = 0; i < 100; ++i) {
    text += "\x1b[1A\x1b[0G\x1b[2K[=====-----] Building engine 3/6\n";
    text += "    0x40dd5800[enqueue]\n";
  }
  text += "\x1b[1A\x1b[0G\x1b[2K" + own_lines({"Engine built in 8.1 sec."});
  text += closing("PASSED", "--onnx=m.onnx");
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.coverage.of(kForeign), 200U);
  EXPECT_EQ(log.result.coverage.of(kRecognised), 3U);
  EXPECT_EQ(log.run().outcome, Outcome::passed);
}

TEST(FormatCase86, VerdictsOfOtherPrograms) {
  const ParsedLog log = parse_log(
      "[2021-03-17 14:53:48,858 __init__.py:255 INFO] Running command: ./build/bin/harness\n"
      "&&&& RUNNING Default_Harness # ./build/bin/harness_default\n"
      "[I] mlperf.conf path: measurements/mlperf.conf\n"
      "Setting up SUT.\n"
      "[I] [TRT] Loaded engine size: 69 MiB\n"
      "[I] Device:0.GPU: [0] ./resnet50.plan has been successfully loaded.\n"
      "[I] [TRT] Could not set default profile 0 for execution context. Profile index must be set "
      "explicitly.\n"
      "&&&& PASSED Default_Harness # ./build/bin/harness_default\n"
      "TEST PASS\n"
      "&&&& RUNNING BERT_HARNESS # ./build/bin/harness_bert\n"
      "[I] [TRT] Loaded engine size: 699 MiB\n");
  expect_lines(log, {{kForeign, ""},
                     {kRecognised, "verdict"},
                     {kForeign, ""},
                     {kForeign, ""},
                     {kRecognised, "engine-loaded-size"},
                     {kForeign, ""},
                     {kRecognised, "no-default-profile"},
                     {kRecognised, "verdict"},
                     {kForeign, ""},
                     {kRecognised, "verdict"},
                     {kRecognised, "engine-loaded-size"}});
  ASSERT_EQ(log.result.runs.size(), 2U);
  EXPECT_EQ(log.run(0).producer, "mlperf");
  EXPECT_EQ(log.run(0).outcome, Outcome::passed);
  EXPECT_EQ(log.run(0).command, "./build/bin/harness_default");
  // A harness need not print its verdict: that it is missing says nothing.
  EXPECT_EQ(log.run(1).outcome, Outcome::unknown);
  // A sample of TensorRT's is not trtexec, and a test of something else is neither.
  EXPECT_EQ(parse_log("&&&& RUNNING TensorRT.sample_int8 # ./sample_int8\n").run().producer,
            "sample");
  EXPECT_EQ(parse_log("&&&& RUNNING dcgm_exporter_e2e_static\n").lines[0].kind, "verdict");
  // common.h's, without a name: of the run it stands in.
  EXPECT_EQ(parse_log(running("--onnx=m.onnx") + "&&&& FAILED\n").run().outcome, Outcome::failed);
}

}  // namespace
}  // namespace trtlens::format_cases_runs_test
