// `record`: the flags that each version has, and names of models that shells would take apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/cli/commands.h"
#include "report/cli/record/steps.h"

namespace trtlens::record_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string recorded(const std::string& version, const std::string& producer = "trtexec",
                     const std::string& onnx = "m.onnx", std::vector<std::string> precisions = {}) {
  RecordArguments arguments;
  arguments.tensorrt = version;
  arguments.producer = producer;
  arguments.onnx = onnx;
  arguments.precisions = std::move(precisions);
  std::string problem;
  const std::vector<RecordStep> steps = record_steps(arguments, problem);
  return problem.empty() ? commands_text(steps) : "problem: " + problem;
}

std::string version_problem_of(const std::string& version) {
  RecordArguments arguments;
  const CommandRow row = record_command(arguments);
  for (const OptionRow& option : row.options) {
    if (std::string(option.names) == "--tensorrt") return option.problem(version);
  }
  return "no --tensorrt";
}

TEST(Record, FlagsAreOfTheVersion) {
  EXPECT_EQ(
      recorded("10", "trtexec", "m.onnx", {"int8", "fp16", "int8"}),
      "trtexec --onnx=m.onnx --int8 --fp16 --verbose --profilingVerbosity=detailed "
      "--dumpLayerInfo --exportLayerInfo=layers.json --saveEngine=model.plan > build.log 2>&1\n"
      "trtexec --loadEngine=model.plan --dumpProfile --exportProfile=profile.json "
      "--separateProfileRun --exportTimes=times.json > run.log 2>&1\n"
      "trtlens analyze .\n");
  EXPECT_THAT(recorded("11.1"), Not(HasSubstr("--separateProfileRun")));
  EXPECT_THAT(recorded("8.1"), Not(HasSubstr("LayerInfo")));
  EXPECT_THAT(recorded("8.2"), HasSubstr("--exportLayerInfo"));
  EXPECT_THAT(recorded("8.0"), Not(HasSubstr("--explicitBatch")));
  EXPECT_THAT(recorded("7.2.3"), AllOf(HasSubstr("--explicitBatch"), HasSubstr("--separateProf")));
  EXPECT_THAT(recorded("7.1"),
              AllOf(Not(HasSubstr("--separateProf")),
                    HasSubstr("--exportTimes=times.json > run.log 2>&1\ntrtexec")));
}

TEST(Record, PrecisionsAreOfTheVersion) {
  EXPECT_THAT(recorded("8.6", "trtexec", "m", {"fp8"}), HasSubstr(" --fp8 "));
  EXPECT_EQ(recorded("8.5", "trtexec", "m", {"fp8"}),
            "problem: TensorRT 8.5 has no --fp8; it came with 8.6");
  EXPECT_THAT(recorded("9.0", "trtexec", "m", {"bf16"}), HasSubstr(" --bf16 "));
  EXPECT_THAT(recorded("8", "trtexec", "m", {"bf16"}), StartsWith("problem: "));
  EXPECT_THAT(recorded("11", "trtexec", "m", {"fp16"}),
              HasSubstr("the types of the model decide; leave out --precision"));
  EXPECT_THAT(recorded("10", "onnxruntime", "m", {"fp16"}), StartsWith("problem: --precision is"));
}

TEST(Record, ModelsStayOneWordOfTheShell) {
  EXPECT_THAT(recorded("10", "trtexec", "it's $(x).onnx"),
              StartsWith("trtexec --onnx='it'\\''s $(x).onnx' --verbose"));
  EXPECT_THAT(recorded("10", "polygraphy", "-x.onnx"),
              StartsWith("polygraphy convert ./-x.onnx --convert-to trt -vv"));
  EXPECT_THAT(recorded("10", "onnxruntime", "a b.onnx"), HasSubstr("])' 'a b.onnx' > build.log"));
}

TEST(Record, OtherProducers) {
  EXPECT_THAT(recorded("10", "polygraphy", "m.onnx", {"fp16"}),
              AllOf(HasSubstr("--convert-to trt --fp16 -vv --log-file build.log -o model.plan\n"),
                    HasSubstr("--loadEngine=model.plan --dumpLayerInfo")));
  EXPECT_THAT(recorded("10", "torch-tensorrt"), HasSubstr("save_engine_profile=True"));
}

TEST(Record, VersionsThatAreNone) {
  for (const char* good : {"7", "8.6", "8.6.1", "10", "10.16.1.11", "11.99"}) {
    EXPECT_EQ(version_problem_of(good), "") << good;
  }
  for (const char* bad : {"", "6.0", "12", "8.", "8.x", "8.6.x", ".6", "8.100", "-8", "v10"}) {
    EXPECT_THAT(version_problem_of(bad), HasSubstr("is no version of TensorRT from 7 to 11"))
        << bad;
  }
  EXPECT_THAT(version_problem_of("12"), HasSubstr("did you mean '10'?"));
}

TEST(Record, OptionsBehindTheDashesGoToEachCommandOfTrtexec) {
  RecordArguments arguments;
  arguments.more = {"--shapes=x:1x3", "--plugins=a b.so"};
  std::string problem;
  const std::vector<RecordStep> steps = record_steps(arguments, problem);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_THAT(steps[0].command, HasSubstr(" --shapes=x:1x3 '--plugins=a b.so' --verbose"));
  EXPECT_THAT(steps[1].command,
              StartsWith("trtexec --loadEngine=model.plan --shapes=x:1x3 '--plugins=a b.so' "));
  arguments.producer = "polygraphy";
  EXPECT_TRUE(record_steps(arguments, problem).empty());
  EXPECT_EQ(problem, "options behind -- are of trtexec, which builds nothing here");
  problem.clear();
  arguments.producer = "trtexec";
  arguments.more = {"m.onnx"};
  EXPECT_TRUE(record_steps(arguments, problem).empty());
  EXPECT_EQ(problem, "'m.onnx' is no option of trtexec; the model is --onnx FILE");
  problem.clear();
  arguments.more.clear();
  arguments.onnx.clear();
  EXPECT_TRUE(record_steps(arguments, problem).empty());
  EXPECT_EQ(problem, "--onnx wants the name of a file");
}

}  // namespace trtlens::record_test
