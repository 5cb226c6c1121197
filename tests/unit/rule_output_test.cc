// What --exportOutput and --dumpOutput say of the outputs: values that are no result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/build_maker.h"
#include "tests/unit/log_sample.h"

namespace trtlens::rule_output_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

OutputValues values(const std::string& name, std::uint64_t count, std::uint64_t nan,
                    std::uint64_t infinite) {
  OutputValues output;
  output.tensor.name = name;
  output.count = count;
  output.nan = nan;
  output.infinite = infinite;
  if (nan + infinite < count) output.min = output.max = 0;
  return output;
}

Build with_outputs(std::vector<OutputValues> outputs) {
  Build build;
  build.outputs = std::move(outputs);
  return build;
}

const Finding* find(const Analysis& a) {
  for (const Finding& f : a.findings) {
    if (f.rule == "output-all-nan") return &f;
  }
  return nullptr;
}

TEST(RuleOutputAllNan, FiresOnOutputsWithoutANumber) {
  Build build = with_outputs({values("z", 4, 1, 0), values("y", 10, 10, 0), values("x", 2, 1, 1)});
  build.commands = {"trtexec --onnx=m.onnx --fp16 --exportOutput=o.json"};
  build.allowed.labels = {"FP32", "FP16"};
  const Analysis a = test::analyze_build(build);
  const Finding* f = find(a);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "Every value of the output y is NaN");
  EXPECT_EQ(f->severity, Severity::major);
  EXPECT_EQ(f->confidence, Confidence::inferred);
  ASSERT_EQ(f->evidence.size(), 2U);
  EXPECT_EQ(f->evidence[1].note.str(), "x: 2 values, 1 NaN, 1 infinite");
  EXPECT_THAT(f->why, HasSubstr("The usual cause is a value beyond 65504"));
  EXPECT_THAT(f->remedies.at(0), HasSubstr("--layerPrecisions=LAYER:fp32"));
  EXPECT_THAT(f->next_check, HasSubstr("--trt --fp16 --onnxrt"));
  // The same command in FP32, into another file.
  EXPECT_THAT(f->next_check, HasSubstr("`trtexec --onnx=m.onnx --exportOutput=after_o.json "));
}

TEST(RuleOutputAllNan, SaysWhichKind) {
  const Analysis infinite = test::analyze_build(with_outputs({values("y", 3, 0, 3)}));
  ASSERT_NE(find(infinite), nullptr);
  EXPECT_EQ(find(infinite)->title, "Every value of the output y is infinite");
  EXPECT_EQ(find(infinite)->remedies.size(), 3U);  // nothing is known of the precision
  const Analysis both = test::analyze_build(with_outputs({values("y", 3, 2, 1)}));
  EXPECT_EQ(find(both)->title, "Every value of the output y is NaN or infinite");
}

TEST(RuleOutputAllNan, RemediesFitWhatWasAllowed) {
  Build build = with_outputs({values("y", 3, 3, 0)});
  build.allowed.labels = {"FP32"};
  const Analysis fp32 = test::analyze_build(build);
  EXPECT_EQ(
      find(fp32)->why,
      "Whatever the speed of this engine, it computes no result. Only FP32 was allowed, so the "
      "model itself, its weights or the inputs are the likely cause, not the precision.");
  build.allowed.labels = {"FP32", "INT8"};
  EXPECT_THAT(find(test::analyze_build(build))->why, HasSubstr(" FP16 was not allowed, so the "));
  EXPECT_THAT(find(fp32)->remedies.at(0), HasSubstr("first tensor that is NaN"));
  build.allowed.labels.clear();
  build.allowed.strongly_typed = true;
  const Analysis typed = test::analyze_build(build);
  EXPECT_THAT(find(typed)->remedies.at(0), HasSubstr("the model has the types"));
  EXPECT_THAT(find(typed)->next_check, HasSubstr("trtexec --onnx=FP32.onnx --stronglyTyped"));
  EXPECT_THAT(find(typed)->next_check, Not(HasSubstr("--fp16")));
}

// FP32 is not what these leave a layer, or an output that the engine hands over.
TEST(RuleOutputAllNan, InFp32AloneNothingAsksForAnythingElse) {
  Build build = with_outputs({values("y", 3, 3, 0)});
  build.commands = {
      "trtexec --onnx=m.onnx --fp16 --int8 --calib=c.cache --precisionConstraints=obey "
      "--layerPrecisions=a:fp16,b:int8 --layerOutputTypes=a:fp16 --inputIOFormats=fp16:chw "
      "--outputIOFormats=fp16:chw --fp4 --shapes=x:1x3"};
  build.allowed.labels = {"FP32", "FP16", "INT8"};
  const Analysis a = test::analyze_build(build);
  ASSERT_NE(find(a), nullptr);
  EXPECT_THAT(find(a)->next_check,
              HasSubstr("is the cause: `trtexec --onnx=m.onnx --shapes=x:1x3 --exportOutput="));
  // In a strongly typed network the formats have the types of its inputs, and those change.
  build.commands = {"trtexec --onnx=m.onnx --stronglyTyped --inputIOFormats=fp16:chw"};
  build.allowed = {};
  build.allowed.strongly_typed = true;
  EXPECT_THAT(find(test::analyze_build(build))->next_check,
              HasSubstr("trtexec --onnx=FP32.onnx --stronglyTyped --exportOutput="));
}

TEST(RuleOutputAllNan, SilentWhereAnythingIsANumber) {
  EXPECT_EQ(find(test::analyze_build(with_outputs({values("y", 10, 9, 0)}))), nullptr);
  EXPECT_EQ(find(test::analyze_build(with_outputs({values("y", 10, 0, 9)}))), nullptr);
  EXPECT_EQ(find(test::analyze_build(with_outputs({values("y", 10, 0, 0)}))), nullptr);  // all 0
  EXPECT_EQ(find(test::analyze_build(with_outputs({values("y", 0, 0, 0)}))), nullptr);
  EXPECT_EQ(find(test::analyze_build(Build())), nullptr);
}

// --dumpOutput prints them into the log.
TEST(RuleOutputAllNan, ReadsTheValuesOfTheLog) {
  const std::string command = "--loadEngine=m.plan --dumpOutput";
  const ParsedLog log =
      parse_log(running(command) +
                own_lines({"seen: (1)", "Output Tensors:", "z: (1)", "3", "y: (1x4)",
                           "nan -nan nan nan", "x: (2x2)", "-0.5 nan inf 2e-3", "1 2"}) +
                closing("PASSED", command));
  const std::vector<OutputValues>& outputs = log.build().outputs;
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_EQ(outputs[1].tensor.dims, (std::vector<std::int64_t>{1, 4}));
  EXPECT_TRUE(outputs[1].all_nan());
  EXPECT_EQ(outputs[2].count, 4U);
  EXPECT_EQ(outputs[2].nan, 1U);
  EXPECT_EQ(outputs[2].infinite, 1U);
  EXPECT_EQ(outputs[2].min, -0.5);
  EXPECT_EQ(outputs[2].max, 0.002);
  const Analysis a = test::analyze_build(log.build());
  ASSERT_NE(find(a), nullptr);
  EXPECT_EQ(find(a)->title, "Every value of the output y is NaN");
  EXPECT_EQ(find(a)->evidence.at(0).line, 6U);
}

}  // namespace
}  // namespace trtlens::rule_output_test
