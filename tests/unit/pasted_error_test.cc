// Errors as people paste them: in front of the log that they ended, with a progress bar between the
// lines, cut at the end.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/unit/log_sample.h"
#include "tests/unit/message_case.h"

namespace trtlens::pasted_error_test {
namespace {

const std::string kError =
    "[E] [TRT] 10: Internal Error (Could not find any implementation for node /m/Conv.)\n";
const std::string kLog =
    "[05/25/2022-22:57:19] [I] [TRT] [MemUsageChange] Init CUDA: CPU +299, GPU +0, now: CPU 301, "
    "GPU 309 (MiB)\n";

TEST(PastedError, InFrontOfItsLogItStillEndedIt) {
  const ParsedLog quoted = parse_log(kError + kLog);
  EXPECT_EQ(quoted.build().outcome, Outcome::failed);
  EXPECT_FALSE(quoted.build().messages.at(0).before_progress);
  // Where it stands in the log, the build went on.
  const ParsedLog inside = parse_log(kLog + kError + kLog);
  EXPECT_NE(inside.build().outcome, Outcome::failed);
  EXPECT_TRUE(inside.build().messages.at(0).before_progress);
  const std::string clock = "[05/25/2022-22:57:19] ";
  const ParsedLog of_the_log = parse_log(clock + kError + kLog);
  EXPECT_NE(of_the_log.build().outcome, Outcome::failed);
  const ParsedLog all_without = parse_log(kError + kLog.substr(clock.size()));
  EXPECT_NE(all_without.build().outcome, Outcome::failed);
  const ParsedLog second = parse_log(kError + kError + kLog);
  EXPECT_NE(second.build().outcome, Outcome::failed);
}

// TensorRT 5 and 6 spell it so.
TEST(PastedError, AFailedCalibrationIsNoProgress) {
  const std::string failure =
      "Calibration failure occured with no scaling factors detected. This could be due to no int8 "
      "calibrator or insufficient custom scales for network layers.\n";
  for (const char* const head : {"ERROR: ", "[TensorRT] ERROR: ", "[E] [TRT] ", "[E] "}) {
    const ParsedLog log = parse_log(head + failure);
    EXPECT_EQ(log.build().outcome, Outcome::failed) << head;
    EXPECT_FALSE(log.build().messages.at(0).before_progress) << head;
  }
}

TEST(PastedError, AVerdictTellsMoreThanItsPlace) {
  const ParsedLog passed =
      parse_log(kError + kLog + "&&&& PASSED TensorRT.trtexec [TensorRT v8503] # trtexec\n");
  EXPECT_EQ(passed.build().outcome, Outcome::passed);
}

TEST(PastedError, AProgressBarIsNoPartOfIt) {
  const ParsedLog log =
      parse_log(kError + "Building engine: 100%|####| 6/6 [00:43<00:00,  7.20s/it]\n" + kError);
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text + "\n", kError.substr(10));
  EXPECT_EQ(log.build().messages[0].count, 2U);
}

TEST(PastedError, BehindAProgressBarItIsRead) {
  const std::string error =
      "[E] 2: [virtualMemoryBuffer.cpp::resizePhysical::140] Error Code 2: OutOfMemory (no further "
      "information)\n";
  const ParsedLog log =
      parse_log("Building engine:  50%|###   | 3/6 [06:22<00:00, 13.95it/s]" + error);
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text + "\n", error.substr(4));
}

TEST(PastedError, CutAtTheEndItSaysWhatOneBeforeItSaid) {
  const std::string memory =
      "1: [defaultAllocator.cpp::allocate::20] Error Code 1: Cuda Runtime (out of memory)";
  // The build went on behind the whole one, so that another error has to be the cause.
  const auto first_rule = [&](const std::string& cut, bool is_last = true) {
    test::Case c;
    c.error(memory).error(cut);
    c.build.messages.front().before_progress = true;
    if (!is_last) c.say(LogSeverity::info, "x");
    return c.findings().front().rule;
  };
  EXPECT_EQ(first_rule(memory.substr(0, 40)), "gpu-oom");
  EXPECT_EQ(first_rule(memory.substr(0, 16)), "gpu-oom");
  EXPECT_EQ(first_rule(memory.substr(0, 15)), "build-failed");
  EXPECT_EQ(first_rule(memory.substr(0, 40), false), "build-failed");
  EXPECT_EQ(first_rule("1: [defaultAllocator.cpp::deallocate::2"), "build-failed");
}

// The command is a part of what the program says of the failure.
TEST(PastedError, TheFolderOfTrtexecNamesTheVersion) {
  const auto version = [](const std::string& program) {
    const ParsedLog log = parse_log(
        "[E] [TRT] 4: Internal Error (x)\nEngine set up failed Command: " + program + "\n");
    return log.build().tensorrt ? log.build().tensorrt->text() : std::string();
  };
  EXPECT_EQ(version("\"H:\\sd\\TensorRT-8.6.1.6\\bin\\trtexec.exe\" --onnx=a.onnx"), "8.6.1");
  EXPECT_EQ(version("/opt/TensorRT-8.5.3.1/targets/x86_64-linux-gnu/bin/trtexec"), "8.5.3");
  EXPECT_EQ(version("/opt/TensorRT-8.5.3.1/lib/libmine.so"), "");
}

TEST(PastedError, WhatSaysWhoseItIsNamesTheProgram) {
  const auto packages = [](const std::string& line) {
    return parse_log("AttributeError: 'tensorrt.IBuilderConfig' object has no attribute 'x'\n" +
                     line)
        .build()
        .packages;
  };
  EXPECT_TRUE(packages("").empty());
  const std::set<std::string> ultralytics = {"ultralytics"};
  EXPECT_EQ(
      packages("Ultralytics YOLOv8.0.170 Python-3.10.13 torch-2.3.1 CUDA:0 (A100, 81051MiB)\n"),
      ultralytics);
  EXPECT_EQ(packages("TensorRT: starting export with TensorRT 10.0.1...\n"), ultralytics);
  const ParsedLog llm = parse_log(
      "Traceback (most recent call last):\n"
      "  File \"C:\\me\\TensorRT-LLM\\examples\\llama\\build.py\", line 906, in <module>\n"
      "AssertionError: Unsupported AWQ quantized checkpoint format\n");
  EXPECT_EQ(llm.build().producer, "tensorrt_llm");
}

}  // namespace
}  // namespace trtlens::pasted_error_test
