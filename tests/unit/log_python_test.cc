// Exceptions of Python in logs.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analyzers/rules/rule.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_python_test {
namespace {

// Python goes on behind what a destructor raised, but not behind what comes after it.
TEST(PythonException, IsNoErrorWherePythonIgnoresIt) {
  const std::string begin = running("--onnx=m.onnx");
  const std::string raised =
      "Traceback (most recent call last):\n  File \"build.py\", line 3, in f\nValueError: no "
      "file\n";
  const auto level = [](const std::string& text) {
    const ParsedLog log = parse_log(text);
    return log.build().messages.empty() ? LogSeverity::unknown : log.build().messages[0].severity;
  };
  EXPECT_EQ(level(begin + raised), LogSeverity::error);
  for (const char* const said :
       {"Exception ignored in: <function Engine.__del__ at 0x7f>\n",
        "Exception ignored while calling deallocator <x>\n", "Error in atexit._run_exitfuncs:\n"}) {
    EXPECT_EQ(level(begin + said + raised), LogSeverity::warning) << said;
    EXPECT_EQ(level(begin + said + "another line\n" + raised), LogSeverity::error) << said;
    EXPECT_EQ(parse_log(begin + said + raised + raised).build().messages.back().count, 1U);
    EXPECT_EQ(parse_log(begin + said + raised + raised).build().messages.back().severity,
              LogSeverity::error);
  }
}

// Who called TensorRT stands in the paths of the frames, where no line has a header.
TEST(PythonException, FramesNameTheProgram) {
  const auto producer = [](const std::string& path) {
    const ParsedLog log = parse_log("Traceback (most recent call last):\n  File \"" + path +
                                    "\", line 3, in f\nKeyError: 'type'\n");
    return log.build().producer;
  };
  EXPECT_EQ(producer("/site-packages/tensorrt_llm/commands/build.py"), "tensorrt_llm");
  EXPECT_EQ(producer("C:\\site-packages\\torch_tensorrt\\_compile.py"), "torch_tensorrt");
  EXPECT_EQ(producer("/site-packages/tensorflow/python/ops.py"), "tensorflow");
  EXPECT_EQ(producer("/home/me/tensorrt_llm.py"), "unknown");
}

// TensorRT-LLM prints its version when it is imported.
TEST(PythonException, TheVersionOfTensorRtLlmNamesTheProgram) {
  const std::string end =
      "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nKeyError: 'type'\n";
  EXPECT_EQ(parse_log("[TensorRT-LLM] TensorRT-LLM version: 0.11.0\n" + end).build().producer,
            "tensorrt_llm");
  EXPECT_EQ(parse_log("[TensorRT-LLM] version: 0.11.0\n" + end).build().producer, "unknown");
}

// What a rule asks for beside its message is one, and the frame that it stands in names the program
// all the same; the exception is still to come.
TEST(PythonException, AFrameThatARuleAsksForIsAFrame) {
  const std::string frame =
      "  File \"/usr/lib/python3.10/site-packages/tensorrt_llm/layers/linear.py\", line 3, in f\n";
  const std::string text =
      "Traceback (most recent call last):\n" + frame + "    x\nKeyError: 'a'\n";
  const ParsedLog log = parse_log(text, 0, Way::usual, known_message(nullptr));
  EXPECT_EQ(log.build().producer, "tensorrt_llm");
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[0].text, frame.substr(0, frame.size() - 1));
  EXPECT_EQ(log.build().messages[1].text, "KeyError: 'a'");
}

// People paste a traceback from its middle on. A frame inside a message belongs to it.
TEST(PythonException, ATracebackNeedsNoHead) {
  const std::string frame = "  File \"/x/tensorrt_llm/convert.py\", line 3, in f\n";
  const ParsedLog cut = parse_log(frame + "    x\nKeyError: 'a'\n");
  ASSERT_EQ(cut.build().messages.size(), 1U);
  EXPECT_EQ(cut.build().messages[0].text, "KeyError: 'a'");
  EXPECT_EQ(cut.build().producer, "tensorrt_llm");
  const ParsedLog inside = parse_log(running("--onnx=m.onnx") +
                                     "[11/20/2025-10:00:00] [E] [TRT] it failed in\n" + frame);
  ASSERT_EQ(inside.build().messages.size(), 1U);
  EXPECT_EQ(inside.build().messages[0].text, "it failed in\n" + frame.substr(0, frame.size() - 1));
}

// MMDeploy's SDK, Paddle and TensorRT-LLM put TensorRT's words behind the headers of their loggers.
TEST(ProgramOfLogger, IsNamedByTheHeaderAlone) {
  const auto packages = [](const std::string& header) {
    const std::string text =
        "1: [runtime.cpp::parsePlan::314] Error Code 1: Serialization (Serialization assertion "
        "plan->header.magicTag == rt::kPLAN_MAGIC_TAG failed.)\n";
    return parse_log(header + text).build().packages;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(packages("[2023-04-04 14:09:51.908] [mmdeploy] [error] [trt_net.cpp:28] TRTNet: "),
            Names{"mmdeploy"});
  EXPECT_EQ(packages("E0609 14:00:58.789682 109876 helper.h:131] "), Names{"paddle"});
  EXPECT_EQ(packages("E0609 14:00:58.789682 109876 helper.cc:131] "), Names{});
  EXPECT_EQ(packages("[08/11/2024-06:10:36] [TRT-LLM] [E] "), Names{"tensorrt_llm"});
  EXPECT_EQ(packages("[08/11/2024-06:10:36] [TRT] [E] "), Names{});
  EXPECT_EQ(packages("mmdeploy: "), Names{});
}

// They tell what program it is whose words are not TensorRT's.
TEST(PythonException, ATracebackNamesItsPackages) {
  const auto packages = [](const std::string& frames) {
    return parse_log("Traceback (most recent call last):\n" + frames + "KeyError: 'a'\n")
        .build()
        .packages;
  };
  EXPECT_EQ(packages("  File \"/usr/lib/python3/dist-packages/torch2trt/a.py\", line 3, in f\n"
                     "    x\n"
                     "  File \"C:\\env\\Lib\\site-packages\\onnx\\b.py\", line 3, in f\n"
                     "  File \"/usr/lib/python3/dist-packages/torch2trt/c.py\", line 3, in f\n"
                     "  File \"/home/me/site-packages\", line 3, in f\n"
                     "  File \"/home/me/site-packages//d.py\", line 3, in f\n"
                     "  File \"/home/me/my-packages/e/e.py\", line 3, in f\n"),
            (std::set<std::string>{"onnx", "torch2trt"}));
  const std::string folder = "  File \"/x/site-packages/";
  EXPECT_EQ(packages(folder + std::string(64, 'a') + "/b.py\"\n").size(), 1U);
  EXPECT_TRUE(packages(folder + std::string(65, 'a') + "/b.py\"\n").empty());
  std::string many;
  for (int i = 0; i < 17; ++i) many += folder + "p" + std::to_string(i) + "/b.py\"\n";
  EXPECT_EQ(packages(many).size(), 16U);
}

// "AssertionError" alone says nothing; the line of code that asserts does.
TEST(PythonException, AnAssertionWithoutWordsHasItsLineOfCode) {
  const std::string begin = running("--onnx=m.onnx") + "Traceback (most recent call last):\n";
  const std::string frame = "  File \"build.py\", line 3, in f\n";
  const std::string code = "    assert parser.parse(data)\n";
  const auto said = [](const std::string& text) {
    const ParsedLog log = parse_log(text);
    return log.build().messages.back().text;
  };
  EXPECT_EQ(said(begin + frame + code + "AssertionError\n"),
            "assert parser.parse(data)\nAssertionError");
  EXPECT_EQ(said(begin + frame + "    assert(n > 0)  # why\nAssertionError\n"),
            "assert(n > 0)  # why\nAssertionError");
  EXPECT_EQ(said(begin + frame + "    asserted(n)\nAssertionError\n"), "AssertionError");
  EXPECT_EQ(said(begin + frame + code + "AssertionError: no model\n"), "AssertionError: no model");
  EXPECT_EQ(said(begin + frame + "    build(data)\nAssertionError\n"), "AssertionError");
  const std::string other =
      begin + frame + code + "ValueError\n\n" + begin.substr(begin.find("Tr"));
  EXPECT_EQ(said(other + frame + "    build(data)\nAssertionError\n"), "AssertionError");
}

}  // namespace
}  // namespace trtlens::log_python_test
