// TensorRT's messages behind the headers of others: what is taken off, and what stays foreign.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"
#include "tests/unit/log_sample.h"

namespace trtlens::known_message_test {
namespace {

const std::string kText = "Assertion outScales.size() == 1 failed";

ParsedLog parsed(const std::string& text) {
  return parse_log(text, 0, Way::usual, known_message(nullptr));
}

// Text and level of the only message.
void expect_message(const std::string& log, const std::string& text, LogSeverity level) {
  SCOPED_TRACE(log);
  const ParsedLog all = parsed(log);
  ASSERT_EQ(all.result.builds.size(), 1U);
  const std::vector<Message>& messages = all.build().messages;
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].text, text);
  EXPECT_EQ(messages[0].severity, level);
  EXPECT_TRUE(messages[0].of_tensorrt);
}

TEST(KnownMessage, HeadersOfLoggersAreTakenOff) {
  for (const std::string header :
       {"", "ERROR:root:", "2025-11-20 10:00:00,123 - engine - ERROR - ",
        "2025-11-20 10:00:00.123 | ERROR    | __main__:build:42 - ",
        "E1120 10:00:00.123456 1234 engine.cpp:42] ", "[ERROR] [1700000000.123456789]: ",
        "[trt_node-1] [ERROR] [1700000000.123456789] [trt_node]: ",
        "[2025-11-20 10:00:00.123] [engine] [error] ", "builder-1  | ", "[pod/trt-0/builder] ",
        "Nov 20 10:00:00 host app[77]: "}) {
    expect_message(header + kText + "\n", kText, LogSeverity::error);
  }
}

// "ERROR: text" is anybody's, but behind one whose text is TensorRT's it is the same logger's.
TEST(KnownMessage, ALabelLikeTheOneBeforeBeginsAMessage) {
  const std::string known = "ERROR: " + kText + "\n";
  const auto texts = [](const std::string& log) {
    std::string all;
    const auto log_parsed = parsed(log);
    for (const Message& message : log_parsed.build().messages) all += message.text + "|";
    return all;
  };
  EXPECT_EQ(texts(known + "ERROR: Unable to create engine\nWARNING: words of nobody\n"),
            kText + "|Unable to create engine|words of nobody|");
  EXPECT_EQ(texts(known + "a line of the program\nERROR: Unable to create engine\n"),
            kText + "\na line of the program|Unable to create engine|");
  EXPECT_EQ(texts(kText + "\nERROR: Unable to create engine\n"),
            kText + "\nERROR: Unable to create engine|");
  EXPECT_EQ(texts(known + "ERROR: other.cpp:12 words of nobody\n"),
            kText + "\nERROR: other.cpp:12 words of nobody|");
}

TEST(KnownMessage, TheLevelOfTheHeaderCounts) {
  expect_message("[WARN] [1700000000.1] [trt_node]: " + kText + "\n", kText, LogSeverity::warning);
  expect_message("2025-11-20 10:00:00.123 | CRITICAL | m:f:1 - " + kText + "\n", kText,
                 LogSeverity::internal_error);
}

TEST(KnownMessage, AWordOfTheMessageIsNoLevel) {
  const std::string text =
      "some trt inputs dynamic shape info not set, check the INFO log above for more details.";
  expect_message(text + "\n", text, LogSeverity::error);
  expect_message("Nov 20 10:00:00 host app[77]: " + text + "\n", text, LogSeverity::error);
  EXPECT_TRUE(
      parsed("2025-11-20 10:00:00,123 - engine - INFO - " + kText + "\n").result.builds.empty());
}

// A rule for warnings and one for errors know these words.
TEST(KnownMessage, WithoutALevelTheMilderReadingHolds) {
  const std::string text =
      "no implementation of conv1 obeys the requested constraints, using a higher precision type";
  expect_message(text + "\n", text, LogSeverity::warning);
}

TEST(KnownMessage, CodesAreOfTheMessage) {
  expect_message(
      "[ERROR] [1700000000.1] [n]: INVALID_ARGUMENT: getPluginCreator could not find "
      "plugin A version 1\n",
      "INVALID_ARGUMENT: getPluginCreator could not find plugin A version 1", LogSeverity::error);
}

// The whole capture has it, continuations too.
TEST(KnownMessage, WhatACaptureWritesInFrontIsLearnt) {
  expect_message(
      "builder-1  | In function importModel:\n"
      "builder-1  | [5] Assertion failed: tensors.count(input_name)\n",
      "In function importModel:\n[5] Assertion failed: tensors.count(input_name)",
      LogSeverity::error);
}

// A tag without a level; what no rule knows stays a line of the program's.
TEST(KnownMessage, WordsTellTheLevelBehindATag) {
  expect_message("[TRT] Cuda Error in free: 700\n", "Cuda Error in free: 700", LogSeverity::error);
  EXPECT_TRUE(parsed("[TRT] a sentence that nobody knows\n").result.builds.empty());
}

// "Assertion failed" is anybody's, the parser's source file is not.
TEST(KnownMessage, SourcesOfTheParserNameItsAssertions) {
  const std::string text = "ModelImporter.cpp:140: Assertion failed: graph_outputs > 0";
  expect_message(text + "\n", text, LogSeverity::error);
  EXPECT_TRUE(parsed("main.cpp:140: Assertion failed: graph_outputs > 0\n").result.builds.empty());
}

TEST(KnownMessage, SourcesOfTheLibraryNameItsErrors) {
  const std::string text = "[network.cpp::validate::3000] a sentence that nobody knows";
  expect_message(text + "\n", text, LogSeverity::error);
  EXPECT_TRUE(parsed("[network.cpp:validate:3000] a sentence\n").result.builds.empty());
  EXPECT_TRUE(parsed("[my network.cpp::validate::3000] a sentence\n").result.builds.empty());
  EXPECT_TRUE(parsed("[network.cpp::validate::] a sentence\n").result.builds.empty());
}

// How a process died says nothing of TensorRT.
TEST(KnownMessage, CrashesOfOtherProgramsStayForeign) {
  for (const std::string text :
       {"Segmentation fault (core dumped)", "[1]    3045 segmentation fault (core dumped)  ./game",
        "Program received signal SIGSEGV, Segmentation fault.", "Aborted (core dumped)",
        "zsh: abort      ./game", "Bus error", "zsh: bus error  ./game",
        "Floating point exception (core dumped)", "Illegal instruction (core dumped)",
        "[1]  7 illegal hardware instruction (core dumped) ./game", "Killed", "zsh: killed  ./game",
        "Process finished with exit code 139 (interrupted by signal 11: SIGSEGV)",
        "Process finished with exit code -1073741819 (0xC0000005)",
        "fish: Job 1, './game' terminated by signal SIGKILL (Forced quit)",
        "double free or corruption (out)", "munmap_chunk(): invalid pointer",
        "Fatal error. System.AccessViolationException: Attempted to read or write protected "
        "memory.",
        "段错误 (核心已转储)"}) {
    EXPECT_TRUE(parsed("loading level 3\n" + text + "\n").result.builds.empty()) << text;
  }
}

TEST(KnownMessage, OtherProgramsStayForeign) {
  for (const std::string text :
       {"FAIL: Assertion x == 1 failed",
        "java.lang.AssertionError: Assertion failed: expected 3",
        "Unknown option: --foo",
        "java.lang.IllegalStateException: Failed to open file config.yml",
        "WARNING:root:Could not open file cache.bin, starting anew",
        "cudaMemcpy failed: invalid argument",
        "ld.lld: error: undefined symbol: foo()",
        "bash: fork: Cannot allocate memory",
        "RuntimeError: CUDA error: out of memory",
        "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
        "RuntimeError: cuDNN error: CUDNN_STATUS_ARCH_MISMATCH",
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "CUDA error: 700",
        "CUDA error 1 at /home/me/kernel.cu:12",
        "CUDARuntimeError: cudaErrorNoKernelImageForDevice: no kernel image",
        "LogicError: CUDA_ERROR_INVALID_HANDLE",
        "AssertionError: inputs must not be Int32",
        "ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected",
        "L2 timing cache miss rate: 3%",
        "DecodeError: Error parsing message",
        "How do I fix \"Could not find any implementation for node X\"?",
        "throw std::runtime_error(\"Network must have at least one output\");",
        "2025-11-20 10:00:01,201 - trainer - WARNING - Grad scaler skipped step: found inf",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "RuntimeError: Expected all tensors to be on the same device",
        "ModuleNotFoundError: No module named 'apex'",
        "OSError: [Errno 28] No space left on device",
        "ERROR: Unexpected bus error encountered in worker.",
        "torch.onnx.errors.UnsupportedOperatorError: Exporting the operator 'aten::grid_sampler'",
        "CMake Error at CMakeLists.txt:12 (find_package):",
        "/src/plugin.cpp:42:10: fatal error: NvInfer.h: No such file or directory",
        "/usr/bin/ld: cannot find -lnvinfer",
        "plugin.cpp:99: error: no matching function for call to 'addConvolution(int)'",
        "[ 1234.567890] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
        "docker: Error response from daemon: failed to create shim task",
        "nginx: [error] 1234#0: *1 open() failed (2: No such file or directory)",
        "ERROR: No matching distribution found for onnxsim==0.1.7",
        "Could not open file /var/log/x",
        "ERROR: Unknown option: --foo",
        "CUDA_ERROR_OUT_OF_MEMORY: out of memory",
        "[h264_cuvid @ 0x55] cuvidCreateDecoder failed -> CUDA_ERROR_OUT_OF_MEMORY: out of memory",
        "[libprotobuf ERROR google/protobuf/descriptor_database.cc:641] File already exists in "
        "database: x.proto"}) {
    EXPECT_TRUE(parsed(text + "\n").result.builds.empty()) << text;
    EXPECT_TRUE(parsed("ERROR:root:" + text + "\n").result.builds.empty()) << text;
  }
}

// The words of an exception may stand on the line behind an empty what().
TEST(KnownMessage, AnExceptionIsTensorRTsByItsLaterLines) {
  const std::string head =
      "terminate called after throwing an instance of 'torch::jit::ErrorReport'\n  what():  \n";
  const auto found = [&](const std::string& text) {
    const ParsedLog log = parsed(head + text);
    return !log.result.builds.empty() && !log.build().messages.empty();
  };
  EXPECT_TRUE(found("Unknown type name '__torch__.torch.classes.tensorrt.Engine':\n"));
  EXPECT_FALSE(found("Unknown type name '__torch__.torch.classes.mine.Thing':\n"));
}

// PyCUDA prints its errors in CUDA's words; who pastes them runs TensorRT with it.
TEST(KnownMessage, PyCudaStandsBesideTensorRT) {
  const std::string error =
      "LogicError: cuStreamSynchronize failed: an illegal memory access was "
      "encountered\n";
  EXPECT_FALSE(parsed("pycuda._driver." + error).result.builds.empty());
  EXPECT_TRUE(parsed(error).result.builds.empty());
}

// What a shell, the C library and Python print of any program that dies.
TEST(KnownMessage, OtherProgramsCrashesStayForeign) {
  const std::string stack = "Traceback (most recent call last):\n  File \"train.py\", line 4\n";
  const std::vector<std::string> texts = {
      stack + "torch.cuda.OutOfMemoryError: CUDA out of memory.\n",
      stack + "RuntimeError: CUDA error: an illegal memory access was encountered\n",
      "epoch 3\nKilled\n",
      "train: main.cpp:9: int main(): Assertion `x > 0' failed.\n",
      "Segmentation fault (core dumped)\n",
      "./train: symbol lookup error: ./train: undefined symbol: _Z3foov\n"};
  for (const std::string& text : texts) {
    EXPECT_TRUE(parsed(text).result.builds.empty()) << text;
    for (const std::string named : {"$ trtexec --onnx=a --fp16\n", "  import tensorrt as trt\n"}) {
      EXPECT_FALSE(parsed(named + text).result.builds.empty()) << named << text;
    }
    EXPECT_FALSE(parsed("ERROR:root:" + kText + "\n" + text).result.builds.empty()) << text;
  }
  for (const std::string text : {"./trtexec: symbol lookup error: x: undefined symbol: _Z3foov\n",
                                 "Traceback (most recent call last):\n"
                                 "  File \"trt_build.py\", line 4\nValueError: no input\n"}) {
    EXPECT_FALSE(parsed(text).result.builds.empty()) << text;
  }
}

// A letter in brackets alone does not make a log TensorRT's: what ends that program is its own.
TEST(KnownMessage, CrashesBesideLettersStayForeign) {
  const auto says_killed = [](const std::string& log) {
    const ParsedLog all = parsed(log + "Killed\n");
    return !all.result.builds.empty() &&
           std::ranges::any_of(all.build().messages,
                               [](const Message& message) { return message.text == "Killed"; });
  };
  EXPECT_FALSE(says_killed("[E] loss exploded\nepoch 3\n"));
  EXPECT_FALSE(says_killed("[W] the rate is low\n"));
  EXPECT_FALSE(says_killed("[I] epoch 3\n"));
  EXPECT_TRUE(says_killed("[E] loss exploded.\n[I] [TRT] epoch 3\n"));
  EXPECT_TRUE(says_killed("[E] 2: loss exploded.\n"));
  EXPECT_TRUE(says_killed("[E] loss exploded.\n[V] Parsing node: a [Conv]\n"));
  EXPECT_TRUE(says_killed("[11/20/2025-10:00:00] [I] epoch 3\n"));
  const std::string usual = "[11/20/2025-10:00:00] [V] [TRT] Parsing node: a [Conv]\n";
  EXPECT_TRUE(says_killed("[E] loss exploded.\n" + usual + usual + usual));
}

// Any program's words count beside TensorRT's, and not behind its verdict.
TEST(KnownMessage, AnybodysWordsCountBesideTensorRT) {
  const std::string oom = "RuntimeError: CUDA error: out of memory\n";
  const auto messages = [](const std::string& log) {
    const ParsedLog all = parsed(log);
    return all.result.builds.empty() ? 0 : all.build().messages.size();
  };
  EXPECT_EQ(messages("ERROR:root:" + kText + "\nERROR:root:" + oom), 2U);
  EXPECT_EQ(messages("ERROR:root:Assertion failed: dims.nbDims == 4\n"), 1U);
  const std::string run = running("--onnx=m.onnx") + own_lines({"Starting inference"});
  EXPECT_EQ(messages(run + "ERROR:root:" + oom), 1U);
  EXPECT_EQ(messages(run + closing("PASSED", "--onnx=m.onnx") + "ERROR:root:" + oom), 0U);
}

// One line of another service does not make all others foreign.
TEST(KnownMessage, AWrapperOfOneLineHidesNoOther) {
  const ParsedLog all =
      parsed("web  | " + kText + "\n" +
             "Error Code 4: Internal Error (Network must have at least one output)\n"
             "runner-1   | Assertion outScales.size() == 1 failed twice\n");
  ASSERT_EQ(all.result.builds.size(), 1U);
  const std::vector<Message>& messages = all.build().messages;
  ASSERT_EQ(messages.size(), 3U);
  EXPECT_EQ(messages[1].text,
            "Error Code 4: Internal Error (Network must have at least one output)");
  EXPECT_EQ(messages[2].text, "Assertion outScales.size() == 1 failed twice");
}

// Wherever the quote stands: at the start of the line, behind a word, in an assertion of C++.
TEST(KnownMessage, QuotedWordsAreNoMessage) {
  for (const std::string before : {"", "a", "ab", "abc", "abcd", "&& a", "a b c "}) {
    EXPECT_TRUE(parsed(before + "\"" + kText + "\"\n").result.builds.empty()) << before;
    EXPECT_TRUE(parsed(before + "`" + kText + "`\n").result.builds.empty()) << before;
  }
  EXPECT_FALSE(parsed("x && \"" + kText + "\"\n").result.builds.empty());
}

TEST(KnownMessage, WhatIsSaidForInformationIsNoError) {
  for (const std::string level : {"[ INFO ] ", "INFO: ", "10:00:00 DEBUG ", "INFO:root:"}) {
    EXPECT_TRUE(parsed(level + kText + "\n").result.builds.empty()) << level;
  }
}

TEST(KnownMessage, AClockIsNoLevel) {
  expect_message("[2025-11-20T10:00:00.123Z] " + kText + "\n", kText, LogSeverity::error);
  expect_message("2025-11-20 10:00:00,123 " + kText + "\n", kText, LogSeverity::error);
}

}  // namespace
}  // namespace trtlens::known_message_test
