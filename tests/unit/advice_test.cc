// Advice names only what the TensorRT of the build has.
#include "analyzers/rules/advice.h"

#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace trtlens::advice_test
