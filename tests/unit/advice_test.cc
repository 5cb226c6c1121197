// Advice names only what the TensorRT of the build has.
#include "analyzers/rules/advice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trtlens::advice_test {
namespace {

std::string fitted(const std::string& text, int major, int minor) {
  Version version;
  version.major = major;
  version.minor = minor;
  return fit_to_version(text, version);
}

constexpr const char* kCheck =
    "Export again, then trtexec --onnx=MODEL --int8 --fp16 --profilingVerbosity=detailed "
    "--exportLayerInfo=layers.json --exportProfile=profile.json, and trtlens compare A B";

TEST(Advice, IsLeftAloneWhereEverythingExists) {
  EXPECT_EQ(fitted(kCheck, 8, 5), kCheck);
  EXPECT_EQ(fitted(kCheck, 10, 16), kCheck);
}

TEST(Advice, LeavesOutOptionsThatCameLaterOrEnded) {
  EXPECT_EQ(fitted(kCheck, 8, 0),
            "Export again, then trtexec --onnx=MODEL --int8 --fp16 --exportProfile=profile.json, "
            "and trtlens compare A B");
  EXPECT_EQ(fitted(kCheck, 11, 0),
            "Export again, then trtexec --onnx=MODEL --profilingVerbosity=detailed "
            "--exportLayerInfo=layers.json --exportProfile=profile.json, and trtlens compare A B");
  EXPECT_EQ(fitted("trtexec --onnx=M --verbose --dumpLayerInfo.", 8, 0),
            "trtexec --onnx=M --verbose.");
}

TEST(Advice, NamesThePredecessorOfAnOption) {
  EXPECT_EQ(fitted("Build with --memPoolSize=workspace:MIB larger than now", 8, 3),
            "Build with --workspace=MIB larger than now");
  EXPECT_EQ(fitted("trtexec --onnx=M --memPoolSize=workspace:4096", 8, 2),
            "trtexec --onnx=M --workspace=4096");
  EXPECT_EQ(fitted("Build with --memPoolSize=workspace:MIB", 8, 4),
            "Build with --memPoolSize=workspace:MIB");
}

TEST(Advice, SentencesKeepTheOptionThatTheyAreAbout) {
  EXPECT_EQ(fitted("Drop --int8 where it is not worth it.", 11, 0),
            "Drop --int8 where it is not worth it.");
}

TEST(Advice, Bf16IsNoAlternativeBeforeItCame) {
  EXPECT_EQ(fitted("Or go to FP16 or BF16 and check the accuracy.", 8, 6),
            "Or go to FP16 and check the accuracy.");
  EXPECT_EQ(fitted("Or go to FP16 or BF16 and check the accuracy.", 9, 0),
            "Or go to FP16 or BF16 and check the accuracy.");
}

// The remedy of a build with these messages.
std::string of_program(const std::string& remedy, const std::vector<std::string>& messages,
                       const std::string& producer = "") {
  Build build;
  build.producer = producer;
  for (const std::string& text : messages) {
    build.messages.emplace_back();
    build.messages.back().text = text;
  }
  std::vector<Finding> findings(1);
  findings[0].remedies = {remedy};
  fit_to_program(findings, build);
  return findings[0].remedies[0];
}

TEST(Advice, NamesOptionsAsTheProgramDoes) {
  const std::string more = "Raise it: --memPoolSize=workspace:MIB (MiB) for a start.";
  EXPECT_EQ(of_program(more, {"nvdsinfer x"}), "Raise it: workspace-size for a start.");
  EXPECT_EQ(of_program("Use --timingCacheFile: it helps.", {"torch_tensorrt x"}),
            "Use timing_cache_path: it helps.");
  const std::string add = "Add --fp16, or more than --memPoolSize=workspace:512.";
  EXPECT_EQ(of_program(add, {"[E:onnxruntime:Default, a.cc:1] x"}),
            "Add trt_fp16_enable, or more than trt_max_workspace_size.");
  EXPECT_EQ(of_program(add, {"TF-TRT Warning: x"}),
            "Add precision_mode FP16, or more than max_workspace_size_bytes.");
  EXPECT_EQ(of_program(add, {"Ultralytics YOLOv8.1.0"}), "Add half=True, or more than workspace.");
  EXPECT_EQ(of_program(add, {"nvdsinfer x"}), add);  // has no word for FP16
  EXPECT_EQ(of_program(add, {"Traceback (most recent call last):"}),
            "Add BuilderFlag.FP16, or more than set_memory_pool_limit.");
  EXPECT_EQ(of_program("Build with --minShapes, --optShapes and --maxShapes=x:1x3.",
                       {"torch_tensorrt x"}),
            "Build with min_shape, opt_shape and max_shape.");
}

TEST(Advice, LeavesOptionsToWhomTheyBelong) {
  const std::vector<std::string> ort = {"[E:onnxruntime:Default, a.cc:1] x"};
  for (const char* text :
       {"Add --fp16x, --int8-io.", "Try it: `trtexec --onnx=m --fp16`.", "Run trtexec --fp16.",
        "Use polygraphy convert --int8.", "Add --fp16 or --best.",
        "Without --int8 it builds: `trtexec --onnx=m`.", "Start it with --gpus all."}) {
    EXPECT_EQ(of_program(text, ort), text);
  }
  EXPECT_EQ(of_program("Add --fp16.", {}), "Add --fp16.");
  EXPECT_EQ(of_program("Add --fp16.", ort, "trtexec"), "Add --fp16.");
  EXPECT_EQ(of_program("Add --fp16.", {"Loading yolov5s.onnx"}), "Add --fp16.");
  EXPECT_EQ(of_program("Add --fp16.", {"Traceback", "tensorrt_llm x"}), "Add --fp16.");
}

}  // namespace
}  // namespace trtlens::advice_test
