// What captures do to a log: lines that another stream's cut in two, indentation, stamps in front,
// a head or a tail that is missing, notebooks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/log/framing/header.h"
#include "tests/unit/format_case.h"

namespace trtlens::log_capture_test {
namespace {

const std::string kError =
    "10: [optimizer.cpp::computeCosts::2033] Error Code 10: Internal Error (X)";
const std::string kLayer =
    "Layer(CaskConvolution): conv1, Tactic: 0x5b8bf1b8028629d9, x (Float[1,3,8,8]) -> "
    "/backbone/conv1/output_0 (Half[1,8,8,8])";
const std::string kOneline =
    "Name: conv1 + relu1, LayerType: CaskConvolution, Inputs: [ { Name: x, Location: Device, "
    "Dimensions: [1,3,8,8], Format/Datatype: Float }], Outputs: [ { Name: y, Location: Device, "
    "Dimensions: [1,8,8,8], Format/Datatype: Half }], ParameterType: Convolution";

// Every line of `text` with `margin` in front.
std::string indented(const std::string& margin, const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    out += margin + text.substr(at, end - at);
    at = end;
  }
  return out;
}

void expect_torn(const std::string& head, const std::string& rest, const std::string& kind) {
  SCOPED_TRACE(head);
  const std::string text = running("--onnx=m.onnx") + library_lines({"Removing a"}) + stamp() +
                           "[V] [TRT] " + head + stamp() + "[E] [TRT] " + kError + "\n" + rest +
                           "\n" + closing("FAILED", "--onnx=m.onnx");
  for (const Way way : {Way::usual, Way::no_short_cuts}) {
    const ParsedLog log = parse_log(text, 64, way);
    ASSERT_EQ(log.build().messages.size(), 1U);
    EXPECT_EQ(log.build().messages[0].severity, kE);
    EXPECT_EQ(log.build().messages[0].text, kError);
    EXPECT_EQ(log.lines[2].kind, kind);
    EXPECT_EQ(log.lines[3].line_class, kContinuation);
  }
}

// The kinds that take any text up to the end of the line would take the error with it.
TEST(Capture, AnErrorInsideALineOfAnyEnd) {
  expect_torn("Removing (Unnamed La", "yer* 44) [Shuffle]", "error-code");
  expect_torn("Searching for input: co", "nv1", "error-code");
  expect_torn("Parsing node: co", "nv1 [Conv]", "error-code");
  expect_torn("Compiler backend is used during engine exe", "cution", "error-code");
}

std::vector<std::string> messages_of(const std::string& line) {
  std::vector<std::string> texts;
  for (const Way way : {Way::usual, Way::no_short_cuts}) {
    texts.clear();
    const ParsedLog log = parse_log(line + "\n", 64, way);
    EXPECT_EQ(log.lines.size(), 1U);
    for (const Message& message : log.build().messages) texts.push_back(message.text);
  }
  return texts;
}

// A paste that lost its line ends.
TEST(Capture, MessagesOfOneLineAreReadEach) {
  const std::string end = "Error[2]: [builder.cpp::f::751] Error Code 2: Internal Error (y.)";
  using Texts = std::vector<std::string>;
  EXPECT_EQ(messages_of("Error[10]: " + kError + " " + stamp() + "[E] " + end),
            (Texts{"Error[10]: " + kError + " ", end}));
  EXPECT_EQ(messages_of(stamp() + "[V] [TRT] Expected memory: 1 MB. " + stamp() +
                        "[V] [TRT] Expected memory: 2 MB " + stamp() + "[E] " + end + " " +
                        stamp() + "[I] Engine built in 3 sec."),
            (Texts{end + " "}));
  // One stamp behind a blank and no sentence: another stream's line, as above.
  EXPECT_EQ(messages_of(stamp() + "[V] [TRT] Removing a " + stamp() + "[E] " + end), Texts{end});
}

// A process was killed, and the next one appends to the same file: where its banner stands in a
// line that has no end, the runs are two all the same.
void expect_cut_by_next_run(const std::string& cut, Outcome outcome, std::size_t kept_messages) {
  SCOPED_TRACE(cut);
  const std::string first = running("--onnx=a.onnx") + library_lines({"Removing a"});
  const std::string next =
      running("--onnx=b.onnx") + library_lines({"Removing b"}) + closing("PASSED", "--onnx=b.onnx");
  for (const Way way : {Way::usual, Way::no_short_cuts}) {
    for (const std::size_t chunk : {1, 64, 100000}) {
      const ParsedLog log = parse_log(first + cut + next, chunk, way);
      ASSERT_EQ(log.result.runs.size(), 2U) << chunk;
      EXPECT_EQ(log.run(0).outcome, outcome);
      EXPECT_EQ(log.run(0).last_line, 2U);
      EXPECT_EQ(log.run(1).first_line, 3U);
      EXPECT_EQ(log.run(1).outcome, Outcome::passed);
      EXPECT_NE(log.run(1).command.find("--onnx=b.onnx"), std::string::npos);
      EXPECT_EQ(log.build(0).messages.size(), kept_messages);
      EXPECT_EQ(log.result.lines, 5U);
    }
  }
}

TEST(Capture, TheNextRunInsideALine) {
  expect_cut_by_next_run(stamp() + "[V] [TRT] Searching for input: co", Outcome::truncated, 0);
  expect_cut_by_next_run(stamp() + "[V] [TRT] Total Weights Memory: 65533", Outcome::truncated, 0);
  expect_cut_by_next_run(stamp() + "[", Outcome::truncated, 0);
  expect_cut_by_next_run("  Name: con", Outcome::truncated, 0);
  expect_cut_by_next_run(stamp() + "[E] [TRT] " + kError, Outcome::failed, 1);
}

// What a capture writes in front of each line is no line that was cut.
TEST(Capture, TheNextRunBehindAMargin) {
  const std::string one = running("--onnx=a.onnx") + closing("PASSED", "--onnx=a.onnx");
  const ParsedLog log = parse_log(indented("trt-1  | ", one + one));
  ASSERT_EQ(log.result.runs.size(), 2U);
  EXPECT_EQ(log.run(0).outcome, Outcome::passed);
  EXPECT_EQ(log.run(1).outcome, Outcome::passed);
}

TEST(Capture, AnErrorInsideALayer) {
  const ParsedLog log =
      parse_log(running("--onnx=m.onnx") + library_lines({"Engine Layer Information:"}) +
                kLayer.substr(0, kLayer.size() - 6) + stamp() + "[E] [TRT] " + kError + "\n" +
                kLayer.substr(kLayer.size() - 6) + "\n" + closing("FAILED", "--onnx=m.onnx"));
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text, kError);
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].outputs.at(0).dims.values(),
            (std::vector<std::int64_t>{1, 8, 8, 8}));
}

// A stamp without a severity is text.
TEST(Capture, AStampInsideALineIsText) {
  const ParsedLog log = parse_log(library_lines({"Removing " + stamp() + "x"}));
  ASSERT_EQ(log.lines.size(), 1U);
  EXPECT_EQ(log.lines[0].line_class, kNoiseLine);
}

TEST(Capture, AVerdictGluedToAWarning) {
  const std::string text = running("--onnx=m.onnx") + stamp() +
                           "[W] [TRT] CUDA lazy loading is not enabled. See initialization." +
                           closing("PASSED", "--onnx=m.onnx");
  const ParsedLog log = parse_log(text);
  ASSERT_EQ(log.result.runs.size(), 1U);
  EXPECT_EQ(log.run().outcome, Outcome::passed);
  EXPECT_TRUE(log.build().closing_line);
  ASSERT_EQ(log.build().messages.size(), 1U);
  EXPECT_EQ(log.build().messages[0].text, "CUDA lazy loading is not enabled. See initialization.");
  // Text of a verbose line that quotes a verdict is none.
  EXPECT_EQ(parse_log(running("--onnx=m.onnx") + stamp() + "[V] [TRT] Removing x " +
                      closing("PASSED", "--onnx=m.onnx"))
                .run()
                .outcome,
            Outcome::truncated);
}

TEST(Capture, ListsOfLayersIndentedAsTheirLog) {
  const std::string one = own_lines({"Layer Information:"}) + "Layers:\n" + kOneline + "\n\n";
  const std::string engine = library_lines({"Engine Layer Information:"}) + kLayer + "\n";
  for (const std::string margin :
       {"", "    ", "\t", ">> ", "> ", "> > ", ">     ", "2024-05-21T14:00:34.1234567Z "}) {
    SCOPED_TRACE(margin);
    const ParsedLog oneline = parse_log(indented(margin, one));
    ASSERT_EQ(oneline.build().layers.size(), 1U);
    EXPECT_EQ(oneline.build().layers[0].name, "conv1 + relu1");
    EXPECT_EQ(oneline.build().layers[0].layer_type, "CaskConvolution");
    const ParsedLog lines = parse_log(indented(margin, engine));
    ASSERT_EQ(lines.build().layers.size(), 1U);
    EXPECT_EQ(lines.build().layers[0].name, "conv1");
  }
  // The inspector's text alone.
  const ParsedLog alone = parse_log(indented("  ", "Layers:\n" + kOneline + "\n"));
  ASSERT_EQ(alone.build().layers.size(), 1U);
  EXPECT_EQ(alone.build().layers[0].name, "conv1 + relu1");
}

// Blanks that the log does not have are the name's.
TEST(Capture, ANameWithBlanksInFront) {
  const ParsedLog log = parse_log(own_lines({"Layer Information:"}) + "Layers:\n    conv1\n");
  ASSERT_EQ(log.build().layers.size(), 1U);
  EXPECT_EQ(log.build().layers[0].name, "    conv1");
}

std::string race_at(const std::string& front, const std::string& second, const std::string& head) {
  const auto line = [&](const std::string& s, const std::string& body) {
    return front + s + head + body + "\n";
  };
  return line(second + "01", "=============== Computing costs for conv1") +
         line(second + "01",
              "*************** Autotuning format combination: Float(1,1) -> Float(1,1) "
              "***************") +
         line(second + "02", "--------------- Timing Runner: conv1 (CaskConvolution)") +
         line(second + "05", "Tactic: 0x00000000000003e8 Time: 0.00193877") +
         line(second + "13",
              ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: "
              "0x00000000000003e8");
}

TEST(Capture, StampsBehindDecorations) {
  const std::string head = "] [V] [TRT] ", second = "[07/07/2026-02:11:";
  for (const std::string front : {"", "> ", ">> ", "    ", "2023-12-04_08:50:01#", "#12 34.51 ",
                                  "2024-05-21T14:00:34.1234567Z ", "container-1 | "}) {
    SCOPED_TRACE(front);
    const ParsedLog log = parse_log(race_at(front, second, head));
    ASSERT_EQ(log.build().autotuning.size(), 1U);
    EXPECT_EQ(log.build().autotuning[0].time.stamps_s, 12);
  }
  EXPECT_EQ(parse_log(race_at("", "[2022-11-08 06:01:", " VERBOSE] "))
                .build()
                .autotuning.at(0)
                .time.stamps_s,
            12);
  EXPECT_EQ(parse_log(race_at("", "I0829 03:48:", ".018076 1161 logging.cc:46] "))
                .build()
                .autotuning.at(0)
                .time.stamps_s,
            12);
  EXPECT_EQ(parse_log(race_at("", "2024-05-21T14:00:", ".1234567Z [V] [TRT] "))
                .build()
                .autotuning.at(0)
                .time.stamps_s,
            12);
}

TEST(Capture, ANumberAtAnUnmarkedEndIsNotKnown) {
  const std::string head = running("--onnx=m.onnx") + library_lines({"Total Activation Memory: 8"});
  const ParsedLog cut = parse_log(head + stamp() + "[I] [TRT] Total Weights Memory: 65533");
  EXPECT_FALSE(cut.build().memory.weights_bytes);
  EXPECT_EQ(cut.lines[2].line_class, kContinuation);
  EXPECT_EQ(cut.lines[2].kind, "cut-off");
  EXPECT_EQ(parse_log(head + stamp() + "[I] [TRT] Total Weights Memory: 65533\n")
                .build()
                .memory.weights_bytes,
            65533);
  // A whole word is known, and so are a verdict and the text of an error.
  EXPECT_EQ(parse_log(head + stamp() + "[I] Engine built in 8.5 sec.").build().engine_build_s, 8.5);
  EXPECT_EQ(parse_log(head + stamp() + "[E] [TRT] Odd 65533").build().messages.size(), 1U);
  EXPECT_EQ(parse_log(head + "&&&& PASSED TensorRT.trtexec # trtexec --onnx=m.onnx --streams=2")
                .run()
                .outcome,
            Outcome::passed);
}

TEST(Capture, EscapesOfANotebook) {
  std::string scratch;
  EXPECT_EQ(
      split_header(R"(    "[07/07/2026-02:11:00] [V] a\u001e\u00e9\ud83d\ude00\ud83d\u001b[0m\n",)",
                   scratch)
          .body,
      "a\x1e\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD");
  EXPECT_EQ(split_header(R"("[07/07/2026-02:11:00] [V] a\u00zz\n")", scratch).body, "au00zz");
}

TEST(Capture, AHeadThatWasCutOff) {
  const ParsedLog device =
      parse_log(own_lines({"Selected Device: Xavier", "Compute Capability: 7.2", "SMs: 8",
                           "Shared Memory per SM: 96 KiB", "", "Starting inference"}));
  ASSERT_TRUE(device.build().gpu);
  EXPECT_EQ(device.build().gpu->name, "Xavier");
  EXPECT_EQ(device.build().gpu->compute_capability, "7.2");
  EXPECT_EQ(device.build().gpu->sms, 8);
  const ParsedLog explained = parse_log(
      stamped("[V] ", {"Latency: the summation of H2D Latency, GPU Compute Time, and D2H Latency.",
                       "Throughput: the observed throughput computed by dividing."}));
  for (const SeenLine& line : explained.lines) EXPECT_EQ(line.line_class, kNoiseLine);
}

// 7.0 and 7.1, of which a filter took the empty lines.
TEST(Capture, OptionsWithoutABlankLineBehindThem) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx", "7100") +
      own_lines({"=== Reporting Options ===", "Verbose: Disabled", "Averages: 10 inferences",
                 "Warmup completed 10 queries over 200 ms", "Trace averages of 10 runs:",
                 "Average on 10 runs - GPU latency: 3.059 ms - Host latency: 3.586 ms (end to end "
                 "6.075 ms)",
                 "Host latency", "min: 1.64 ms (end to end 1.66 ms)", "throughput: 7 qps"}));
  EXPECT_EQ(log.build().banner.count("Reporting Options/min"), 0U);
  EXPECT_EQ(log.build().banner.size(), 2U);
  ASSERT_TRUE(log.build().performance.latency);
  EXPECT_EQ(log.build().performance.latency->min_ms, 1.64);
  EXPECT_EQ(log.build().trace.size(), 1U);
  const ParsedLog block =
      parse_log(own_lines({"=== Reporting Options ===", "Averages: 10 inferences", "Host Latency",
                           "min: 1.64 ms (end to end 1.66 ms)"}));
  EXPECT_EQ(block.build().banner.size(), 1U);
  EXPECT_EQ(block.build().performance.latency.value_or(LatencyStats()).min_ms, 1.64);
}

// Another program's line between them ends the message, not the node.
TEST(GraphLines, ParserErrorBlockBehindAnotherProgramsLine) {
  const ParsedLog log = parse_log(
      running("--onnx=m") + stamped("[E] [TRT] ", {"ModelImporter.cpp:140: --- Begin node ---"}) +
      "WARNING:tensorflow:x\ninput: \"in\"\n" +
      stamped("[E] [TRT] ", {"ModelImporter.cpp:141: --- End node ---"}) + closing("FAILED", ""));
  ASSERT_EQ(log.lines.size(), 6U);
  EXPECT_EQ(log.lines[2].line_class, LineClass::foreign);
  EXPECT_EQ(log.lines[3].line_class, LineClass::continuation);
}

}  // namespace
}  // namespace trtlens::log_capture_test
