// The recorded trtexec command line, and what it allowed the build to use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/log/runs/run_builder.h"

namespace trtlens::command_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Flags = std::vector<std::pair<std::string, std::string>>;

TEST(Command, FlagsAndValuesInOrder) {
  EXPECT_EQ(parse_command("trtexec --onnx=m.onnx --int8 --duration=3 --verbose").flags,
            (Flags{{"onnx", "m.onnx"}, {"int8", ""}, {"duration", "3"}, {"verbose", ""}}));
}

// program_options takes time by the square of their number.
TEST(Command, MoreThanAnyoneTypesAreNotRead) {
  std::string command = "trtexec";
  for (int i = 1; i < 5000; ++i) command += " --o" + std::to_string(i);
  const CommandOptions options = parse_command(command);
  ASSERT_EQ(options.flags.size(), 4096U);
  EXPECT_EQ(options.flags.back().first, "o4096");
}

TEST(Command, NothingRecorded) {
  for (const char* command :
       {"", " ", "trtexec", "/usr/src/tensorrt/bin/trtexec", "=", "--", "-"}) {
    EXPECT_TRUE(parse_command(command).flags.empty()) << command;
  }
}

// argv is joined without quotes: what does not begin a flag goes on with the value.
TEST(Command, ValuesWithBlanks) {
  EXPECT_EQ(
      parse_command("trtexec --onnx=my model v2.onnx --layerPrecisions=a b:fp16,*:fp32 --fp16")
          .flags,
      (Flags{{"onnx", "my model v2.onnx"}, {"layerPrecisions", "a b:fp16,*:fp32"}, {"fp16", ""}}));
  EXPECT_EQ(parse_command("trtexec --onnx= m.onnx --fp16").value("onnx"), "m.onnx");
  EXPECT_EQ(parse_command("trtexec --layerPrecisions=conv - 1:fp16").value("layerPrecisions"),
            "conv - 1:fp16");
  EXPECT_EQ(parse_command("trtexec --onnx=run # 1.onnx").value("onnx"), "run # 1.onnx");
}

TEST(Command, EqualsSignsInValues) {
  const CommandOptions options =
      parse_command("trtexec --onnx=a=b.onnx --minShapes=x:0:1x3x8x8,y=z:2x2 --plugins==.so");
  EXPECT_EQ(options.value("onnx"), "a=b.onnx");
  EXPECT_EQ(options.value("minShapes"), "x:0:1x3x8x8,y=z:2x2");
  EXPECT_EQ(options.value("plugins"), "=.so");
}

TEST(Command, EmptyValuesDoNotSpoilTheOthers) {
  const CommandOptions options = parse_command("trtexec --onnx=m.onnx --calib= --int8 --plugins=");
  EXPECT_EQ(options.flags,
            (Flags{{"onnx", "m.onnx"}, {"calib", ""}, {"int8", ""}, {"plugins", ""}}));
}

TEST(Command, WindowsPathsAndProgramsWithBlanks) {
  const CommandOptions options = parse_command(
      "C:\\Program Files\\TensorRT\\bin\\trtexec.exe --loadEngine=D:\\my engines\\a.engine --fp16");
  EXPECT_EQ(options.flags, (Flags{{"loadEngine", "D:\\my engines\\a.engine"}, {"fp16", ""}}));
}

TEST(Command, UnknownAndRepeatedFlags) {
  const CommandOptions options =
      parse_command("trtexec --noSuchFlag --another=1 --warmUp=100 --warmUp=200 --fp16 stray -h");
  EXPECT_TRUE(options.has("noSuchFlag"));
  EXPECT_EQ(options.value("another"), "1");
  EXPECT_EQ(options.value("warmUp"), "200");
  EXPECT_EQ(options.value("fp16"), "");
  EXPECT_EQ(options.value("missing"), std::nullopt);
  EXPECT_FALSE(options.has("stray"));
  EXPECT_FALSE(options.has("warm"));  // no guessing of abbreviations
  EXPECT_EQ(options.flags.size(), 5U);
}

TEST(Command, ValuesThatLookNegative) {
  EXPECT_EQ(parse_command("trtexec --duration=-1 --maxAuxStreams=-1").value("duration"), "-1");
  EXPECT_EQ(parse_command("trtexec --tacticSources=-CUDNN,+CUBLAS").value("tacticSources"),
            "-CUDNN,+CUBLAS");
}

Build built_by(const std::string& command, const std::string& precision = {}) {
  Build build;
  build.command = command;
  build.options = parse_command(command);
  if (!precision.empty()) build.banner["Build Options/Precision"] = precision;
  return build;
}

std::vector<std::string> labels(const Build& build) {
  return allowed_precision(build).labels;
}

TEST(AllowedPrecision, FromFlags) {
  EXPECT_THAT(labels(built_by("trtexec --onnx=m.onnx")), ElementsAre("FP32"));
  EXPECT_THAT(labels(built_by("trtexec --onnx=m.onnx --fp16")), ElementsAre("FP32", "FP16"));
  EXPECT_THAT(labels(built_by("trtexec --onnx=m.onnx --best")),
              ElementsAre("FP32", "FP16", "INT8"));
  EXPECT_THAT(labels(built_by("trtexec --onnx=m.onnx --int8 --bf16 --int4")),
              ElementsAre("FP32", "BF16", "INT8", "INT4"));
  EXPECT_THAT(labels(built_by("trtexec --onnx=m.onnx --fp8")), ElementsAre("FP32", "FP8"));
  EXPECT_THAT(labels(Build()), IsEmpty());
}

TEST(AllowedPrecision, BestIncludesBf16FromNineOnWhereTheGpuHasIt) {
  Build build = built_by("trtexec --onnx=m.onnx --best");
  build.tensorrt = Version{8, 6, 1, std::nullopt, VersionSource::banner};
  EXPECT_THAT(labels(build), ElementsAre("FP32", "FP16", "INT8"));
  build.tensorrt->major = 10;
  EXPECT_THAT(labels(build), ElementsAre("FP32", "FP16", "BF16", "INT8"));
  build.gpu.emplace();
  build.gpu->compute_capability = "7.5";
  EXPECT_THAT(labels(build), ElementsAre("FP32", "FP16", "INT8"));
  build.gpu->compute_capability = "9.0";
  EXPECT_THAT(labels(build), ElementsAre("FP32", "FP16", "BF16", "INT8"));
}

TEST(AllowedPrecision, TheBannerWins) {
  EXPECT_THAT(labels(built_by("", "FP32+FP16+INT8")), ElementsAre("FP32", "FP16", "INT8"));
  EXPECT_THAT(labels(built_by("trtexec --onnx=m --best", "FP32+FP16+BF16+INT8")),
              ElementsAre("FP32", "FP16", "BF16", "INT8"));
  EXPECT_THAT(labels(built_by("trtexec --onnx=m --int8", "FP32+INT8 (obey precision constraints)")),
              ElementsAre("FP32", "INT8"));
}

TEST(AllowedPrecision, StronglyTypedIgnoresTheFlags) {
  for (const Build& build :
       {built_by("trtexec --onnx=m.onnx --stronglyTyped --fp16"),
        built_by("trtexec --onnx=m.onnx", "Strongly Typed"),
        built_by("trtexec --onnx=m.onnx --fp16", "FP32+FP16 (Strongly Typed)")}) {
    const AllowedPrecision allowed = allowed_precision(build);
    EXPECT_TRUE(allowed.strongly_typed);
    EXPECT_THAT(allowed.labels, IsEmpty());
  }
  Build eleven = built_by("trtexec --onnx=m.onnx");
  eleven.tensorrt = Version{11, 1, 0, std::nullopt, VersionSource::banner};
  EXPECT_TRUE(allowed_precision(eleven).strongly_typed);
  EXPECT_FALSE(allowed_precision(built_by("trtexec --onnx=m.onnx --fp16")).strongly_typed);
}

// A run that only loads an engine prints the default precision, which is not the engine's.
TEST(AllowedPrecision, LoadedEngineIsNotKnown) {
  EXPECT_THAT(labels(built_by("trtexec --loadEngine=m.plan")), IsEmpty());
  EXPECT_THAT(labels(built_by("trtexec --loadEngine=m.plan --fp16")), IsEmpty());
  EXPECT_THAT(labels(built_by("trtexec --loadEngine=m.plan", "FP32")), IsEmpty());
}

TEST(AllowedPrecision, AllowsWhatIsAmongItsLabels) {
  const AllowedPrecision allowed = allowed_precision(built_by("trtexec --onnx=m.onnx --fp16"));
  EXPECT_TRUE(allows(allowed, "FP16"));
  EXPECT_TRUE(allows(allowed, "FP32"));
  EXPECT_FALSE(allows(allowed, "FP"));
  EXPECT_FALSE(allows(allowed, "INT8"));
  EXPECT_FALSE(allows(AllowedPrecision(), "FP32"));  // nothing is known
}

TEST(Command, OnlyLoadsWithoutAModelToBuild) {
  EXPECT_TRUE(only_loads(parse_command("trtexec --loadEngine=m.plan --fp16")));
  EXPECT_FALSE(only_loads(parse_command("trtexec --loadEngine=m.plan --onnx=m.onnx")));
  EXPECT_FALSE(only_loads(parse_command("trtexec --onnx=m.onnx")));
  EXPECT_FALSE(only_loads(CommandOptions()));
}

TEST(AllowedPrecision, NoTf32) {
  EXPECT_TRUE(allowed_precision(built_by("trtexec --onnx=m.onnx --noTF32")).no_tf32);
  EXPECT_FALSE(allowed_precision(built_by("trtexec --onnx=m.onnx")).no_tf32);
}

}  // namespace
}  // namespace trtlens::command_test
