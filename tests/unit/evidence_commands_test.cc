// Commands that record what is missing: the recorded one with the changed flags.
#include "analyzers/evidence_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace trtlens {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Build recorded(const std::string& command,
               std::vector<std::pair<std::string, std::string>> flags = {}) {
  Build build;
  build.commands = {command};
  build.options.flags = std::move(flags);
  return build;
}

TEST(EvidenceCommands, LackingTextNamesWhatAndHow) {
  Build build = recorded("trtexec --onnx=m.onnx --fp16 --buildOnly", {{"onnx", "m.onnx"}});
  EXPECT_EQ(lacking_text("base", build),
            " The base has no layer info and no times per layer: trtexec --onnx=m.onnx --fp16 "
            "--profilingVerbosity=detailed --dumpLayerInfo --exportLayerInfo=layers.json "
            "--dumpProfile --exportProfile=profile.json > build.log 2>&1.");
  build.has_layer_info = true;
  EXPECT_EQ(lacking_text("base", build),
            " The base has no times per layer: trtexec --onnx=m.onnx --fp16 --dumpProfile "
            "--exportProfile=profile.json > build.log 2>&1.");
  build.has_profile = true;
  EXPECT_EQ(lacking_text("base", build), "");
  build.layer_names_only = true;
  EXPECT_THAT(lacking_text("base", build), HasSubstr(" no details of the layers: trtexec "));
}

// What the command exported is not to be recorded again.
TEST(EvidenceCommands, LackingTextAsksForTheFileThatWasWritten) {
  Build build = recorded("trtexec --onnx=m.onnx --exportProfile=p.json",
                         {{"onnx", "m.onnx"}, {"exportProfile", "p.json"}});
  build.has_layer_info = true;
  EXPECT_EQ(lacking_text("base", build),
            " The base has no times per layer: give what its trtexec exported as well, p.json.");
}

TEST(EvidenceCommands, RebuildRepeatsTheCommandIntoFilesOfItsOwn) {
  const Build build =
      recorded("trtexec --onnx=a b/m.onnx --int8 --saveEngine=out/m.plan --exportProfile=p.json",
               {{"onnx", "a b/m.onnx"}, {"saveEngine", "out/m.plan"}, {"exportProfile", "p.json"}});
  EXPECT_EQ(rebuild_command(build, "NEW.onnx", {"--fp16"}),
            "trtexec --onnx=NEW.onnx --int8 --saveEngine=out/after_m.plan "
            "--exportProfile=after_p.json --fp16 --profilingVerbosity=detailed --dumpLayerInfo "
            "--exportLayerInfo=after_layers.json --dumpProfile > after_build.log 2>&1");
}

TEST(EvidenceCommands, RebuildLeavesOutWhatItIsTold) {
  const Build build = recorded("trtexec --fp16 --onnx=m.onnx --fp16x --best --int8 --calib=a b");
  EXPECT_THAT(rebuild_command(build, "", {"--noTF32"}, {"fp16", "best", "calib"}),
              HasSubstr("trtexec --onnx=m.onnx --fp16x --int8 --noTF32 --profilingVerbosity"));
}

TEST(EvidenceCommands, RebuildWithoutARecordedBuildIsTheFullCommand) {
  Build build = recorded("trtexec --loadEngine=m.plan", {{"loadEngine", "m.plan"}});
  build.allowed.labels = {"FP32", "INT8"};
  EXPECT_THAT(rebuild_command(build, "NEW.onnx"), HasSubstr("trtexec --onnx=NEW.onnx --int8 "));
  EXPECT_THAT(rebuild_command(build, "NEW.onnx"), HasSubstr("--saveEngine=after_m.plan"));
  EXPECT_THAT(rebuild_command(build, "NEW.onnx", {"--fp16"}), HasSubstr(" --fp16 > after_"));
  // A program that is not trtexec knows none of its options.
  EXPECT_THAT(rebuild_command(recorded("polygraphy run m.onnx --trt"), ""),
              HasSubstr("trtexec --onnx=m.onnx "));
  build.tensorrt.emplace().major = 11;
  EXPECT_THAT(rebuild_command(build, ""), Not(HasSubstr("--int8")));
}

TEST(EvidenceCommands, NamesOnlyWhatTheVersionOfTheSideHas) {
  Build build = recorded("trtexec --onnx=m.onnx", {{"onnx", "m.onnx"}});
  build.tensorrt.emplace().major = 8;
  build.tensorrt->minor = 0;
  EXPECT_EQ(rebuild_command(build, "NEW.onnx"),
            "trtexec --onnx=NEW.onnx --dumpProfile --exportProfile=after_profile.json > "
            "after_build.log 2>&1");
  EXPECT_EQ(lacking_text("base", build),
            " The base has no layer info and no times per layer: trtexec --onnx=m.onnx "
            "--dumpProfile --exportProfile=profile.json > build.log 2>&1.");
}

TEST(EvidenceCommands, ALongCommandIsNotRepeated) {
  const std::string shapes(600, 'x');
  const Build build = recorded("trtexec --onnx=m.onnx --shapes=" + shapes,
                               {{"onnx", "m.onnx"}, {"shapes", shapes}});
  EXPECT_EQ(rebuild_command(build, "NEW.onnx", {"--fp16"}),
            "the same trtexec command with --onnx=NEW.onnx --fp16 --profilingVerbosity=detailed "
            "--dumpLayerInfo --exportLayerInfo=layers.json --dumpProfile "
            "--exportProfile=profile.json");
  EXPECT_THAT(rebuild_command(build, "", {}, {"fp16", "best"}),
              HasSubstr("the same trtexec command without --fp16, --best with --profiling"));
  EXPECT_THAT(lacking_text("base", build), HasSubstr("its trtexec command again with --prof"));
}

}  // namespace
}  // namespace trtlens
