// TensorRT's words behind a header that is not its own, or behind none.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/log/framing/library_text.h"
#include "parsers/parse.h"
#include "tests/temp_folder.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_library_text_test {
namespace {

const std::string kCosts = "=============== Computing costs for conv1 + relu1";
const std::string kCombination =
    "*************** Autotuning format combination: Float(784,1) -> Float(784,1) ***************";
const std::string kRunner =
    "--------------- Timing Runner: conv1 + relu1 (CaskConvolution[0x80000009])";
const std::string kTactic = "Tactic: 0x0000000000000001 Time: 0.01";
const std::string kFastest = "Fastest Tactic: 0x0000000000000001 Time: 0.01";
const std::string kRemoving = "Removing shuffle_1";  // a wording that other programs have, too

struct Form {
  const char* severity;  // as the logger spells [V]
  const char* before;
  const char* behind;
};
std::string form_of(const Form& form, const std::string& text) {
  return std::string(form.before) + form.severity + form.behind + text + "\n";
}

TEST(LibraryText, BehindTheHeadersOfLoggers) {
  for (const Form& form :
       {Form{"DEBUG", "", ":tensorrt:"}, Form{"DEBUG", "", ":TRT:"}, Form{"DEBUG", "", ":root:"},
        Form{"DEBUG", "", ":__main__:"}, Form{"DEBUG", "2024-05-17 17:06:02,123 [", "] tensorrt: "},
        Form{"DEBUG", "2024-05-17 17:06:02,123 - tensorrt - ", " - "},
        Form{"DEBUG", "2024-05-17 17:06:02,123 - ", " - "},
        Form{"DEBUG", "2024-05-17 17:06:02,123 ", " "},
        Form{"DEBUG", "2024-05-17 17:06:02.351 | ", "    | module:log:12 - "},
        Form{"debug", "[2024-05-17 17:06:02.351] [", "] "},
        Form{"DEBUG", "[2024-05-17 17:06:02] [", "] [trt] "}, Form{"DEBUG", "[", "] "}}) {
    std::string text;
    for (const std::string& body : {kCosts, kCombination, kRunner, kTactic, kFastest, kRemoving,
                                    std::string("GRAPH NODES"), std::string("    Input 0")}) {
      text += form_of(form, body);
    }
    SCOPED_TRACE(text);
    for (const Way way : {Way::usual, Way::no_short_cuts}) {
      const ParsedLog log = parse_log(text, 50, way);
      ASSERT_EQ(log.result.builds.size(), 1U);
      EXPECT_TRUE(log.build().is_verbose);
      ASSERT_EQ(log.build().autotuning.size(), 1U);
      EXPECT_EQ(log.build().autotuning[0].layer, "conv1 + relu1");
      EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 0U);
      EXPECT_EQ(log.result.coverage.of(LineClass::unknown), 0U);
    }
  }
}

TEST(LibraryText, WithoutHeaders) {
  const std::string text = kCosts + "\n" + kCombination + "\n" + kRunner + "\n" + kTactic + "\n" +
                           kFastest + "\nhello\n" + kRemoving +
                           "\nMissing scale and zero-point for tensor x, expect fall back to "
                           "non-int8 implementation for any layer consuming or producing given "
                           "tensor\nEngine Layer Information:\nLayer(CaskConvolution): conv1, "
                           "Tactic: 0x1, x (Float[1,3]) -> y (Float[1,3])\n";
  const ParsedLog log = parse_log(text);
  ASSERT_EQ(log.result.builds.size(), 1U);
  EXPECT_TRUE(log.build().is_verbose);
  EXPECT_EQ(log.build().autotuning.size(), 1U);
  EXPECT_EQ(log.build().missing_scales.size(), 1U);
  EXPECT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.lines[5].line_class, LineClass::foreign) << log.lines[5].text;
}

// A filter took the headers out of trtexec's log; the verdict lines have none.
TEST(LibraryText, TrtexecWithoutHeaders) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx --fp16") +
      "=== Model Options ===\nFormat: ONNX\nModel: m.onnx\nOutput:\n=== Build Options ===\n"
      "Precision: FP32+FP16\n\nTensorRT version: 10.16.1\nStart parsing network model.\n" +
      "Engine built in 8.1 sec.\n=== Performance summary ===\nThroughput: 1234.5 qps\n" +
      closing("PASSED", "--onnx=m.onnx --fp16"));
  EXPECT_EQ(log.build().banner.at("Build Options/Precision"), "FP32+FP16");
  EXPECT_EQ(log.build().engine_build_s, 8.1);
  EXPECT_EQ(log.build().performance.throughput_qps, 1234.5);
  EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 0U);
}

// The logger's name says whose its unknown words are; of others the words decide.
TEST(LibraryText, UnknownWords) {
  const std::string known = "DEBUG:root:" + kTactic + "\n";
  EXPECT_EQ(parse_log("ERROR:tensorrt:Something nobody knows\n").build().messages[0].severity,
            LogSeverity::error);
  EXPECT_EQ(parse_log("INFO:tensorrt:Something nobody knows\n").lines[0].line_class,
            LineClass::unknown);
  for (const char* line : {"ERROR:root:Something nobody knows", "INFO:root:Something nobody knows",
                           "INFO:torch_tensorrt.dynamo:Something nobody knows",
                           "2024-05-17 17:06:02,123 [ERROR] TensorRT: Something nobody knows",
                           "2024-05-17 17:06:02,123 TensorRT: error: Something nobody knows",
                           "2024-05-17 17:06:02,123 [ERROR] the TensorRT build failed",
                           "2024-05-17 17:06:02,123 - TensorRT engine error - see above"}) {
    const ParsedLog log = parse_log(known + line + "\n");
    EXPECT_EQ(log.lines[1].line_class, LineClass::foreign) << line;
    EXPECT_TRUE(log.build().messages.empty()) << line;
  }
}

// Words that others have, too, are nobody's before TensorRT has spoken, and far from its lines.
TEST(LibraryText, OtherProgramsWords) {
  for (const char* before : {"", "INFO:root:"}) {
    const std::string removing = before + kRemoving + "\n";
    EXPECT_TRUE(parse_log(removing + "hello\n").result.runs.empty());
    const ParsedLog log = parse_log(before + kTactic + "\n" + removing + "hello\n" + removing);
    EXPECT_EQ(log.lines[1].line_class, LineClass::noise);
    EXPECT_EQ(log.lines[3].line_class, LineClass::foreign);
  }
}

// Where lines have TensorRT's header, text without it is the program's.
TEST(LibraryText, BesideHeaders) {
  const std::string headed = stamped("[TRT] [V] ", {kCosts, kRunner});
  for (const char* before : {"", "INFO:root:"}) {
    const ParsedLog log = parse_log(headed + before + kTactic + "\n");
    EXPECT_EQ(log.lines[2].line_class, LineClass::foreign) << before;
  }
}

TEST(LibraryText, BuildsOfOneScript) {
  const std::string peak =
      "[MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: "
      "CPU 6 MiB, GPU 37 MiB\n";
  for (const char* before : {"", "DEBUG:root:", "DEBUG:tensorrt:", "INFO: "}) {
    const std::string build = before + kTactic + "\n" + before + peak;
    const ParsedLog log =
        parse_log(build + before + "Original: 26 layers\n" + build, 20, Way::usual);
    ASSERT_EQ(log.result.runs.size(), 2U) << before;
    EXPECT_EQ(log.run(1).first_line, 3U);
  }
}

// A text in a directory is a log by its words, too.
TEST(LibraryText, InADirectory) {
  const TempFolder folder;
  for (const std::string before : {"DEBUG:root:", ""}) {
    (void)folder.write("build.log", before + kCosts + "\n" + before + kTactic + "\n");
    const ParseResult result = parse_inputs({folder.path().string()}, {});
    EXPECT_EQ(result.builds.size(), 1U) << before;
  }
  (void)folder.write("build.log", "DEBUG:root:hello\n");
  EXPECT_TRUE(parse_inputs({folder.path().string()}, {}).builds.empty());
}

// An iteration of the tuning loop has headers of its own: what the loop's were is not forgotten.
TEST(LibraryText, HeadersOfARunInsideAnother) {
  const std::string head = running("--onnx=m.onnx --tuneBuildRoutes=all") + own_lines({"x", "y"});
  const std::string end = "Engine built in 99 sec.\n";
  const std::string command = "# trtexec --onnx=m.onnx --tuningResultFile=r.json\n";
  const std::string iteration =
      "&&&& TASK_BEGIN TensorRT.trtexec " + command + "&&&& RUNNING TensorRT.trtexec " + command +
      "&&&& PASSED TensorRT.trtexec " + command + "&&&& TASK_END TensorRT.trtexec " + command;
  const ParsedLog plain = parse_log(head + end);
  const ParsedLog nested = parse_log(head + iteration + end);
  EXPECT_EQ(nested.lines.back().line_class, plain.lines.back().line_class);
}

TEST(LibraryText, FieldsOfAHeader) {
  const auto last = [](const char* line) {
    const LoggedText found = logged_text(line);
    return found.size == 0 ? std::string("none") : std::string(found.texts[found.size - 1]);
  };
  EXPECT_EQ(last("DEBUG:tensorrt:a: b"), "a: b");
  EXPECT_EQ(last("2024-05-17 17:06:02,123 [DEBUG] tensorrt: a: b"), "a: b");
  EXPECT_EQ(last("2024-05-17 17:06:02,123 - tensorrt - DEBUG -     Input 0"), "    Input 0");
  EXPECT_EQ(last("2024-05-17 17:06:02 hello"), "none");
  EXPECT_EQ(last("2024-05-17 17:06:02 Info hello"), "none");
  EXPECT_EQ(logged_text("[2024-05-17 17:06:02] [warning] x").severity, LogSeverity::warning);
  EXPECT_EQ(logged_text("CRITICAL:root:x").severity, LogSeverity::internal_error);
}

TEST(LibraryText, FieldsOfLogcat) {
  const auto text = [](const char* line) {
    const LoggedText found = logged_text(line);
    return found.size == 0 ? std::string("none") : std::string(found.texts[0]);
  };
  EXPECT_EQ(text("11-27 10:00:00.000  1234  1240 E TRT: a: b"), "a: b");
  EXPECT_EQ(text("11-27 10:00:00.000 12 3 V engine  : a"), "a");
  EXPECT_EQ(text("W/TRT     ( 1234): a"), "a");
  EXPECT_EQ(logged_text("W/TRT     ( 1234): a").severity, LogSeverity::warning);
  EXPECT_EQ(logged_text("11-27 10:00:00.000  1  2 D x: a").severity, LogSeverity::verbose);
  for (const char* line : {"11-27 10:00:00.000  1234 E TRT: a", "11-27 10:00:00.000 hello",
                           "11-27 10:00:00.000  1  2 X TRT: a", "A/B: c", "I/O bound: yes", "E"}) {
    EXPECT_EQ(text(line), "none") << line;
  }
}

}  // namespace
}  // namespace trtlens::log_library_text_test
