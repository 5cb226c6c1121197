// Advice names only what the TensorRT of the build has.
#include "analyzers/rules/advice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/message_case.h"

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

// Every name: onnxruntime.ai (TensorRT execution provider), docs.pytorch.org/TensorRT
// (CompilationSettings, Input), Ultralytics' export mode, Gst-nvinfer's keys, tensorrt's Python
// API.
TEST(Advice, KnowsTheNamesOfEachProgram) {
  struct Row {
    const char *said, *options, *names;
  };
  constexpr Row kRows[] = {
      {"onnxruntime", "--fp16 --bf16 --int8 --minShapes --optShapes --maxShapes --useDLACore=0",
       "trt_fp16_enable trt_bf16_enable trt_int8_enable trt_profile_min_shapes "
       "trt_profile_opt_shapes trt_profile_max_shapes trt_dla_core"},
      {"onnxruntime", "--builderOptimizationLevel=2 --timingCacheFile=t --memPoolSize=workspace:1",
       "trt_builder_optimization_level trt_timing_cache_path trt_max_workspace_size"},
      {"torch_tensorrt", "--minShapes --optShapes --maxShapes --stronglyTyped --versionCompatible",
       "min_shape opt_shape max_shape use_explicit_typing=True version_compatible=True"},
      {"torch_tensorrt",
       "--memPoolSize=workspace --builderOptimizationLevel --timingCacheFile --noTF32",
       "workspace_size optimization_level timing_cache_path disable_tf32=True"},
      {"tf-trt", "--fp16 --int8 --memPoolSize=workspace",
       "precision_mode FP16 precision_mode INT8 max_workspace_size_bytes"},
      {"Ultralytics", "--fp16 --int8 --memPoolSize=workspace --verbose",
       "half=True int8=True workspace verbose=True"},
      {"nvdsinfer", "--memPoolSize=workspace --useDLACore", "workspace-size use-dla-core"},
      {"Traceback", "--fp16 --bf16 --int8 --fp8 --memPoolSize=workspace",
       "BuilderFlag.FP16 BuilderFlag.BF16 BuilderFlag.INT8 BuilderFlag.FP8 set_memory_pool_limit"},
      {"Traceback", "--builderOptimizationLevel --useDLACore --allowGPUFallback",
       "builder_optimization_level DLA_core BuilderFlag.GPU_FALLBACK"},
      {"Traceback", "--versionCompatible --precisionConstraints=obey --precisionConstraints=prefer",
       "BuilderFlag.VERSION_COMPATIBLE BuilderFlag.OBEY_PRECISION_CONSTRAINTS "
       "BuilderFlag.PREFER_PRECISION_CONSTRAINTS"},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(of_program(row.options, {row.said}), row.names) << row.said;
  }
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

TEST(Advice, OfARuleFitsTheVersion) {
  const auto workspace = [](int major, int minor) {
    test::Case c(Outcome::passed);
    c.version(major, minor, 0)
        .say(LogSeverity::warning, "Some tactics do not have sufficient workspace memory to run.");
    return c.findings().at(0).remedies.at(0);
  };
  EXPECT_EQ(workspace(8, 2),
            "Set --workspace=4096, in MiB; in a program config.max_workspace_size, C++ "
            "setMaxWorkspaceSize, in bytes.");
  EXPECT_EQ(workspace(8, 5), "Remove the limit, or set --memPoolSize=workspace:4096, in MiB.");
}

// trtexec's logger alone does not make it trtexec: an assertion names the program.
TEST(Advice, OfAnotherProgramWithTheSameLogger) {
  const auto first_step = [](const std::string& program, const std::string& command) {
    test::Case c;
    c.build.producer = "trtexec";
    c.build.command = command;
    c.error("Network has dynamic or shape inputs, but no optimization profile has been defined.")
        .error(program + ": /a/common.hpp:138: void f(int): Assertion `engine' failed.");
    return c.findings().at(0).remedies.at(0);
  };
  EXPECT_NE(first_step("trtexec", "trtexec --onnx=m.onnx"), first_step("yolo_trt", ""));
  EXPECT_EQ(first_step("trtexec", ""), first_step("trtexec", "trtexec --onnx=m.onnx"));
  EXPECT_EQ(first_step("yolo_trt", "trtexec --onnx=m.onnx"), first_step("trtexec", ""));
}

// The head of an ONNX model is printed by the parser, whoever calls it.
TEST(Advice, OnlyTheBannerAndTheCommandNameTrtexec) {
  Build build;
  EXPECT_TRUE(build.is_excerpt());
  build.banner["ONNX/Opset version"] = "11";
  EXPECT_FALSE(build.names_trtexec());
  EXPECT_TRUE(build.is_excerpt());
  build.banner["Build Options/Precision"] = "FP32";
  EXPECT_TRUE(build.names_trtexec());
  EXPECT_FALSE(build.is_excerpt());
  build.banner.clear();
  build.command = "trtexec --onnx=m.onnx";
  EXPECT_TRUE(build.names_trtexec());
  build.command_is_typed = true;  // above the lines, by whoever pasted them
  EXPECT_FALSE(build.names_trtexec());
  build.closing_line = true;
  EXPECT_FALSE(build.is_excerpt());
}

}  // namespace
}  // namespace trtlens::advice_test
