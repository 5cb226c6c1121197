// The command that people paste above what it printed.
#include <gtest/gtest.h>

#include <string>

#include "parsers/log/framing/typed_command.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_typed_command_test {
namespace {

std::string typed(const std::vector<std::string>& lines) {
  TypedCommand command;
  for (const std::string& line : lines) command.look(line);
  return command.text();
}

const std::string kError =
    "[03/01/2023-22:07:24] [E] Error[4]: [network.cpp::validate::2789] Error Code 4: Internal "
    "Error (Network must have at least one output)\n";

TEST(TypedCommand, StandsBehindAPrompt) {
  const std::string command = "trtexec --onnx=m.onnx --fp16";
  for (const std::string before :
       {"", "$ ", "  $ ", "# ", "!", "+ ", "> ", "root@host:/work# ", "(base) user@host:~$ ",
        "PS C:\\trt> ", "C:\\trt\\bin>", "sudo ", "$ CUDA_VISIBLE_DEVICES=1 sudo ", "`"}) {
    EXPECT_EQ(typed({before + command}), command) << before;
  }
  EXPECT_EQ(typed({"$ /usr/src/tensorrt/bin/" + command}), "/usr/src/tensorrt/bin/" + command);
  EXPECT_EQ(typed({"$ ./" + command}), "./" + command);
  EXPECT_EQ(typed({"C:\\trt\\bin>trtexec.exe --onnx=m.onnx"}), "trtexec.exe --onnx=m.onnx");
}

TEST(TypedCommand, EndsWhereTheShellTakesOver) {
  for (const std::string behind : {" 2>&1 | tee build.log", " > build.log", " && echo done", " &",
                                   "; echo done", " ; echo done", "`", "  \r"}) {
    EXPECT_EQ(typed({"trtexec --onnx=m.onnx" + behind}), "trtexec --onnx=m.onnx") << behind;
  }
}

TEST(TypedCommand, GoesOnBehindABackslash) {
  EXPECT_EQ(typed({"$ trtexec --onnx=m.onnx \\", "    --fp16 \\", "  --int8", "  --best"}),
            "trtexec --onnx=m.onnx --fp16 --int8");
  EXPECT_EQ(typed({"trtexec --onnx=a.onnx", "trtexec --onnx=b.onnx"}), "trtexec --onnx=b.onnx");
}

TEST(TypedCommand, SentencesAndOtherProgramsAreNone) {
  for (const std::string line :
       {"I ran trtexec --onnx=m.onnx and it failed", "trtexec", "trtexec --", "trtexec fails",
        "trtexec -onnx", "mytrtexec --onnx=m.onnx", "bash: trtexec: command not found",
        "&&&& RUNNING TensorRT.trtexec # trtexec --onnx=m.onnx",
        "import trtexec_helper --onnx=m.onnx", "convert with trtexec --onnx=m.onnx"}) {
    EXPECT_EQ(typed({line}), "") << line;
  }
}

TEST(TypedCommand, SpeaksForAnExcerpt) {
  const ParsedLog log = parse_log("$ trtexec --onnx=m.onnx --fp16\n" + kError);
  ASSERT_EQ(log.result.builds.size(), 1U);
  EXPECT_EQ(log.build().command, "trtexec --onnx=m.onnx --fp16");
  EXPECT_TRUE(log.build().options.has("fp16"));
  EXPECT_EQ(log.run().command, "trtexec --onnx=m.onnx --fp16");
  EXPECT_EQ(log.build().outcome, Outcome::failed);
  EXPECT_EQ(log.lines.front().line_class, LineClass::foreign);
}

// Without an error nobody knows how it ended: the lines are an excerpt.
TEST(TypedCommand, DoesNotEndAnExcerptEarly) {
  const ParsedLog log =
      parse_log("trtexec --onnx=m.onnx\n" + own_lines({"TensorRT version: 8.6.1"}));
  ASSERT_EQ(log.result.builds.size(), 1U);
  EXPECT_EQ(log.build().outcome, Outcome::unknown);
}

TEST(TypedCommand, GivesWayToTheRecordedOne) {
  const std::string running = "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=b\n";
  const ParsedLog log = parse_log("$ trtexec --onnx=a --best\n" + running + kError);
  ASSERT_EQ(log.result.builds.size(), 1U);
  EXPECT_EQ(log.build().command, "trtexec --onnx=b");
  // One that stands among TensorRT's lines is of the next run, or quoted.
  const ParsedLog later = parse_log(kError + "$ trtexec --onnx=a --best\n");
  EXPECT_EQ(later.build().command, "");
}

}  // namespace
}  // namespace trtlens::log_typed_command_test
