// Margins that captures put in front of lines.
#include "parsers/log/framing/margin.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/log_sample.h"

namespace trtlens::margin_test {
namespace {

TEST(Margin, CountsFromTheSecondTimeUnlessSure) {
  Margin margin;
  EXPECT_EQ(margin.bytes_in("a: x"), 0U);
  margin.learn("a: ", false);
  EXPECT_EQ(margin.bytes_in("a: x"), 0U);
  margin.learn("a: ", false);
  EXPECT_EQ(margin.bytes_in("a: x"), 3U);
  margin.learn("b: ", false);
  EXPECT_EQ(margin.bytes_in("b: x"), 0U);
  margin.learn("c: ", true);
  EXPECT_EQ(margin.bytes_in("c: x"), 3U);
  margin.forget();
  EXPECT_EQ(margin.bytes_in("c: x"), 0U);
  margin.learn("c: ", false);
  EXPECT_EQ(margin.bytes_in("c: x"), 0U);
}

TEST(Margin, ANumberIsAnyNumber) {
  Margin margin;
  margin.learn("2024-05-01 h[9] ", true);
  EXPECT_EQ(margin.bytes_in("2025-12-31 h[1234] x"), 19U);
  EXPECT_EQ(margin.bytes_in("2025-12-31 h[] x"), 0U);
  EXPECT_EQ(margin.bytes_in("2025-12-31 i[1] x"), 0U);
  // An editor took the blanks at the ends of lines.
  EXPECT_EQ(margin.bytes_in("2025-12-31 h[12]"), 16U);
  EXPECT_EQ(margin.bytes_in("2025-12-31 h"), 0U);
}

TEST(Margin, Wrappers) {
  EXPECT_EQ(wrapper_bytes("builder-1  | x"), 13U);
  EXPECT_EQ(wrapper_bytes("a.b_c| x"), 7U);
  EXPECT_EQ(wrapper_bytes("the engine | x"), 0U);
  EXPECT_EQ(wrapper_bytes("| x"), 0U);
  EXPECT_EQ(wrapper_bytes("builder-1 |x"), 0U);
  EXPECT_EQ(wrapper_bytes("[pod/build-7/trt] x"), 18U);
  EXPECT_EQ(wrapper_bytes("[pod/build-7/trt]x"), 0U);
  EXPECT_EQ(wrapper_bytes("May 01 12:00:00 orin trtexec[1234]: x"), 36U);
  EXPECT_EQ(wrapper_bytes("May  1 12:00:00 orin trtexec[1234]: x"), 36U);
  EXPECT_EQ(wrapper_bytes("May 01 12:00:00 orin says no: x"), 16U);
  EXPECT_EQ(wrapper_bytes("2024-05-01T12:00:00.123 x"), 24U);
  EXPECT_EQ(wrapper_bytes("2024-05-01"), 0U);
  EXPECT_EQ(wrapper_bytes("[12:00:00] [E] x"), 11U);
  EXPECT_EQ(wrapper_bytes("[12:00:00.123] [W] x"), 15U);
  EXPECT_EQ(wrapper_bytes("[2024-05-01 12:00:00,123] [I] x"), 26U);
  EXPECT_EQ(wrapper_bytes("[12:00:00] x [E]"), 0U);
  EXPECT_EQ(wrapper_bytes("[12:00:00] [ERROR] x"), 0U);
  EXPECT_EQ(wrapper_bytes("[12:00:00][E] x"), 0U);
  EXPECT_EQ(wrapper_bytes("[12:00] [E] x"), 0U);
  for (const std::string whole : {"[12:00:00] [E] ", "[2024-05-01 12:00:00] [E] "}) {
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
      EXPECT_EQ(wrapper_bytes(whole.substr(0, bytes)), 0U) << bytes;
    }
  }
  EXPECT_EQ(wrapper_bytes("2024-05-01 "), 0U);
  EXPECT_EQ(wrapper_bytes("May 01 12:00:00 [I] x"), 16U);
  EXPECT_EQ(wrapper_bytes("2024-05-01T12:00:00.123+02:00 [I] x"), 30U);
  EXPECT_EQ(wrapper_bytes("2024-05-01T12:00:00"), 0U);
  EXPECT_EQ(wrapper_bytes("17:[I] x"), 3U);
  EXPECT_EQ(wrapper_bytes("17: [I] x"), 4U);
  EXPECT_EQ(wrapper_bytes("17:04:02 x"), 0U);
  EXPECT_EQ(wrapper_bytes("    17\tx"), 7U);
  EXPECT_EQ(wrapper_bytes("    17 x"), 0U);
  EXPECT_EQ(wrapper_bytes("May 01 2024 12:00:00 orin a: x"), 0U);
  EXPECT_EQ(wrapper_bytes(""), 0U);
}

TEST(Margin, ATornLineDoesNotReplaceIt) {
  Margin margin;
  margin.learn("a: ", true);
  margin.learn("Layer(", false);
  EXPECT_EQ(margin.bytes_in("a: x"), 3U);
  EXPECT_EQ(margin.bytes_in("Layer(x"), 0U);
}

// Numbers that are padded to one width, as nl does and clocks do.
TEST(Margin, BlanksThatPadANumber) {
  Margin margin;
  margin.learn("[   99.9] ", true);
  EXPECT_EQ(margin.bytes_in("[  100.0] x"), 10U);
  EXPECT_EQ(margin.bytes_in("[10000.0] x"), 10U);
  EXPECT_EQ(margin.bytes_in("[ x"), 0U);
}

// Another container's lines between those of a list are no layers; those of a program whose logger
// marks the first lines of its messages only are theirs.
TEST(Margin, LinesWithoutIt) {
  const std::string layer = "Layer(CaskConvolution): ";
  const std::string tail = ", Tactic: 0x01, x (Float[1]) -> y (Float[1])\n";
  const std::string head = "trt-1  | [07/07/2026-02:11:00] [V] [TRT] ";
  const ParsedLog two =
      parse_log(head + "Engine Layer Information:\ntrt-1  | " + layer + "a" + tail +
                "redis-1  | Ready to accept connections\ntrt-1  | " + layer + "b" + tail);
  ASSERT_EQ(two.build().layers.size(), 2U);
  EXPECT_EQ(two.result.coverage.of(LineClass::foreign), 1U);
  const std::string logger = "x.py 12 - [07/07/2026-02:11:00] [E] [TRT] ";
  const ParsedLog one = parse_log(logger + "first\n" + logger + "In node 1:\nits second line\n");
  EXPECT_EQ(one.build().messages.at(1).text, "In node 1:\nits second line");
}

// The first half of a torn line is no margin: the next layer begins with the same bytes.
TEST(Margin, ATornLineIsNone) {
  const ParsedLog log = parse_log(
      library_lines({"Engine Layer Information:"}) + "Layer(" + library_lines({"Using cublas"}) +
      "CaskConvolution): torn, Tactic: 0x01, x (Float[1]) -> y (Float[1])\n"
      "Layer(CaskConvolution): whole, Tactic: 0x02, y (Float[1]) -> z (Float[1])\n");
  ASSERT_FALSE(log.build().layers.empty());
  EXPECT_EQ(log.build().layers.back().name, "whole");
}

TEST(Margin, OfALoggerWithoutStamps) {
  const ParsedLog log = parse_log(
      "quant-1  | [V] [TRT] Engine Layer Information:\n"
      "quant-1  | Layer(CaskConvolution): conv, Tactic: 0x01, x (Float[1]) -> y (Float[1])\n"
      "quant-1  | [E] [TRT] 4: [network.cpp::validate::3000] Error Code 4: Internal Error (x)\n"
      "quant-1  | [E] [TRT] 2: [builder.cpp::build::700] Error Code 2: Internal Error (y)\n"
      "db-1     | ready\n");
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[1].text,
            "2: [builder.cpp::build::700] Error Code 2: Internal Error (y)");
}

// Two headers behind it are enough to know that all lines of this log have it.
TEST(Margin, OfALogOfHeadersOnly) {
  const ParsedLog log = parse_log(
      "quant-1  | [E] [TRT] 4: [network.cpp::validate::3000] Error Code 4: Internal Error (x)\n"
      "quant-1  | [E] [TRT] 2: [builder.cpp::build::700] Error Code 2: Internal Error (y)\n"
      "ready\n");
  ASSERT_EQ(log.build().messages.size(), 2U);
  EXPECT_EQ(log.build().messages[1].text,
            "2: [builder.cpp::build::700] Error Code 2: Internal Error (y)");
}

// Behind what no wrapper is known to write: a header that names TensorRT, or its words.
TEST(Margin, BeforeHeadersOfOtherProducers) {
  const std::string front = "(build pid=12) ";
  const ParsedLog python = parse_log(
      front + "[TensorRT] INFO: [MemUsageSnapshot] Builder begin: CPU 3107 MiB, GPU 938 MiB\n" +
      front + "[TensorRT] WARNING: odd\n" + front + "its second line\n");
  EXPECT_EQ(python.build().producer, "python");
  EXPECT_EQ(python.build().memory.steps.size(), 1U);
  EXPECT_EQ(python.build().messages.at(0).text, "odd\nits second line");

  const ParsedLog torch = parse_log(front + "WARNING: [Torch-TensorRT] - odd\n");
  EXPECT_EQ(torch.build().producer, "torch_tensorrt");
  EXPECT_EQ(torch.build().messages.at(0).text, "odd");

  const ParsedLog bare =
      parse_log(front + "[V] Applying generic optimizations to the graph for inference.\n" + front +
                "[V] Original: 12 layers\n" + front + "[E] odd\n");
  EXPECT_EQ(bare.lines.at(1).kind, "layers-original");
  EXPECT_EQ(bare.build().messages.at(0).text, "odd");
}

TEST(Margin, BeforePolygraphysFirstLine) {
  const ParsedLog log = parse_log(
      "job-7: [I] RUNNING | Command: polygraphy run m.onnx --trt\n"
      "job-7: [I]     Configuring with profiles: []\n"
      "job-7: [I] PASSED | Runtime: 2.1s | Command: polygraphy run m.onnx --trt\n");
  EXPECT_EQ(log.build().outcome, Outcome::passed);
}

// Where lines begin with their headers, a header behind something is another program's.
TEST(Margin, NotInALogWithoutOne) {
  const std::string build = running("--onnx=m.onnx") + library_lines({"Original: 12 layers"}) +
                            closing("PASSED", "--onnx=m.onnx");
  for (const std::string line :
       {"job 7 [2024-05-01 10:00:00 ERROR] upload failed\n",
        "app[7]: [ERROR] [Memcached] connection refused\n",
        "x: E0829 03:48:41.018076 1161 logging.cc:46] cannot open\n",
        "ci> [2024-05-01 10:00:00 WARNING] cache miss\n", "n: [E] Tactic: none\n"}) {
    const ParsedLog log = parse_log(build + line);
    EXPECT_EQ(log.result.builds.size(), 1U) << line;
    EXPECT_EQ(log.build().outcome, Outcome::passed) << line;
    EXPECT_EQ(log.lines.back().line_class, LineClass::foreign) << line;
  }
}

TEST(Margin, NotBeforeHeadersOfOtherPrograms) {
  const std::string front = "(db pid=12) ";
  for (const std::string line :
       {"[E] connection lost\n", "[I] Original work\n", "ERROR: no TensorRT here\n",
        "[TRT-LLM] [E] none\n", "[E] Tactic: none\n", "[2024-05-01 10:00:00 ERROR] lost\n",
        "[ERROR] [Memcached] refused\n", "E0829 03:48:41.018076 1161 logging.cc:46] lost\n"}) {
    const ParsedLog log = parse_log(front + line + front + line);
    EXPECT_EQ(log.lines.at(1).line_class, LineClass::foreign) << line;
  }
}

}  // namespace
}  // namespace trtlens::margin_test
