// Commands that record what is missing: the recorded one with the changed flags.
#include "analyzers/rules/evidence_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "analyzers/rules/rule.h"

namespace trtlens::evidence_commands_test {
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
            " The base has no layer info and no times per layer: `trtexec --onnx=m.onnx --fp16 "
            "--profilingVerbosity=detailed --dumpLayerInfo --exportLayerInfo=layers.json "
            "--dumpProfile --exportProfile=profile.json > build.log 2>&1`.");
  build.has_layer_info = true;
  EXPECT_EQ(lacking_text("base", build),
            " The base has no times per layer: `trtexec --onnx=m.onnx --fp16 --dumpProfile "
            "--exportProfile=profile.json > build.log 2>&1`.");
  build.has_profile = true;
  EXPECT_EQ(lacking_text("base", build), "");
  build.layer_names_only = true;
  EXPECT_THAT(lacking_text("base", build), HasSubstr(" no details of the layers: `trtexec "));
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
            "`trtexec --onnx=NEW.onnx --int8 --saveEngine=out/after_m.plan "
            "--exportProfile=after_p.json --fp16 --profilingVerbosity=detailed --dumpLayerInfo "
            "--exportLayerInfo=after_layers.json --dumpProfile "
            "--exportTimes=after_times.json --separateProfileRun > after_build.log 2>&1`");
}

// What a log says must not choose what a reader runs: another program, or what a shell would do.
TEST(EvidenceCommands, ACommandThatIsNotTrtexecsAloneIsNotRepeated) {
  for (const char* const command :
       {"trtexec --onnx=m.onnx;id --int8", "npx -y evil trtexec --onnx=m.onnx",
        "LD_PRELOAD=/tmp/evil.so trtexec --onnx=m.onnx", "sudo trtexec --onnx=m.onnx",
        "rm -rf x --onnx=trtexec", "trtexec\x0f --onnx=m.onnx", "trtexec --onnx=m\x1b.onnx",
        "bash trtexec", "nottrtexec --onnx=m.onnx", "trtexec2 --onnx=m.onnx",
        "trtexec --onnx=a$(id)", "trtexec --onnx=a|sh", "trtexec --onnx='m.onnx'"}) {
    const Build build = recorded(command, {});
    EXPECT_THAT(rebuild_command(build, "NEW.onnx"),
                ::testing::StartsWith("`trtexec --onnx=NEW.onnx --verbose "))
        << command;
    EXPECT_EQ(repeated_command(build, {"--verbose"}), "") << command;
    EXPECT_THAT(lacking_text("base", build), HasSubstr(": `trtexec --onnx=m.onnx --verbose "))
        << command;
  }
  for (const char* const command : {"trtexec --onnx=m.onnx", "/tmp/x/trtexec --onnx=m.onnx",
                                    "..\\bin\\trtexec.exe --onnx=m.onnx"}) {
    EXPECT_EQ(repeated_command(recorded(command, {}), {"--verbose"}),
              "trtexec --onnx=m.onnx --verbose > build.log 2>&1")
        << command;
  }
}

// Only the model changes: the build allowed no FP16, and its times per layer are recorded again.
TEST(EvidenceCommands, TheNextCheckIsTheRecordedBuildOfAnotherModel) {
  const std::string text = "Export again, then `" + std::string(kAnyRebuild) + "`, and look";
  Build build = recorded("trtexec --onnx=m.onnx --int8 --buildOnly", {{"onnx", "m.onnx"}});
  EXPECT_EQ(recorded_check(build, false, text),
            "Export again, then `trtexec --onnx=CHANGED.onnx --int8 --profilingVerbosity=detailed "
            "--dumpLayerInfo --exportLayerInfo=after_layers.json --dumpProfile "
            "--exportProfile=after_profile.json --exportTimes=after_times.json "
            "--separateProfileRun > after_build.log 2>&1`, and look");
  EXPECT_EQ(recorded_check(build, false, "trtexec --onnx=MODEL --int8"),
            "trtexec --onnx=MODEL --int8");
  // What the other side of a comparison lacks is said as well.
  const std::string compared =
      "`" + std::string(kAnyRebuild) + "`; `trtlens compare BEFORE AFTER`.";
  EXPECT_THAT(recorded_check(build, false, compared),
              HasSubstr("trtlens compare BEFORE AFTER`. The build at hand has no layer info"));
  EXPECT_EQ(recorded_check(Build(), false, text), text);  // nothing is known of it
}

// Another TensorRT is the change, not another model.
TEST(EvidenceCommands, TheNextCheckKeepsTheModelWhereTheReleaseChanges) {
  const std::string text = "`" + std::string(kSameRebuild) + "`.";
  const Build build = recorded("trtexec --onnx=m.onnx --int8", {{"onnx", "m.onnx"}});
  EXPECT_THAT(recorded_check(build, true, text), HasSubstr("`trtexec --onnx=m.onnx --int8 --prof"));
  EXPECT_EQ(recorded_check(Build(), true, text), "`" + std::string(kAnyRebuild) + "`.");
}

TEST(EvidenceCommands, AnyCommandIsTheRecordedOneWithTheFlagsAskedFor) {
  const Build build = recorded("trtexec --onnx=m.onnx --verbose --shapes=x:1", {});
  const auto filled = [&](const char* text) { return filled_check(build, text); };
  EXPECT_EQ(filled("Again: `trtexec … --verbose > build.log 2>&1; echo $?`. 137 means killed."),
            "Again: `trtexec --onnx=m.onnx --verbose --shapes=x:1 > build.log 2>&1; echo $?`. 137 "
            "means killed.");
  EXPECT_EQ(filled("`trtexec … --shapes=INPUT:DIMS --fp16`; `b`"),
            "`trtexec --onnx=m.onnx --verbose --shapes=INPUT:DIMS --fp16`; `b`");
  EXPECT_EQ(filled("`trtexec …`"), "`trtexec --onnx=m.onnx --verbose --shapes=x:1`");
  EXPECT_EQ(filled("`trtexec --onnx=MODEL.onnx`"), "`trtexec --onnx=MODEL.onnx`");
  EXPECT_EQ(filled_check(Build(), "`trtexec … --fp16`"), "`trtexec … --fp16`");
  // Neither what a shell would act on nor what nobody copies.
  for (const std::string& command :
       {std::string("trtexec --onnx=m;id"), "trtexec --onnx=" + std::string(600, 'm')}) {
    EXPECT_EQ(filled_check(recorded(command), "`trtexec … --fp16`"), "`trtexec … --fp16`");
  }
}

// Another precision in a check would be a second change; and the command names the model.
TEST(EvidenceCommands, TextsNameTheModelAndThePrecisionsOfTheCommand) {
  Build build = recorded("trtexec --onnx=models/r18.onnx --int8", {{"onnx", "models/r18.onnx"}});
  Finding finding;
  const auto check = [&](const char* text) {
    finding.next_check = text;
    finding.remedies = {"Fold: `polygraphy surgeon sanitize MODEL.onnx -o folded.onnx`."};
    fit_to_command(finding, build);
    return finding.next_check;
  };
  EXPECT_EQ(check("`trtexec --onnx=MODEL --int8 --fp16 --verbose`: is it there?"),
            "`trtexec --onnx=models/r18.onnx --int8 --verbose`: is it there?");
  EXPECT_EQ(finding.remedies[0],
            "Fold: `polygraphy surgeon sanitize models/r18.onnx -o folded.onnx`.");
  EXPECT_EQ(check("`trtexec --onnx=MODEL_WITHOUT_FIRST_Q --int8 --fp16`; `x('MODEL.onnx')`."),
            "`trtexec --onnx=MODEL_WITHOUT_FIRST_Q --int8`; `x('models/r18.onnx')`.");
  // A precision that is the point of the check, another model's name, a file of another kind.
  for (const char* other : {"`trtexec --onnx=NOQDQ.onnx --fp16`", "MODEL.float.onnx MODEL.onnx.bak",
                            "Build with --int8 --fp16, then compare."})
    EXPECT_EQ(check(other), other);
  EXPECT_EQ(check("`trtexec --onnx=MODEL.onnx --useDLACore=0 --fp16 --verbose`"),
            "`trtexec --onnx=models/r18.onnx --useDLACore=0 --int8 --verbose`");
  build.options.flags.emplace_back("saveEngine", "out/r18.plan");
  EXPECT_EQ(check("`trtexec --loadEngine=ENGINE`; `polygraphy convert x.onnx -o ENGINE`"),
            "`trtexec --loadEngine=out/r18.plan`; `polygraphy convert x.onnx -o ENGINE`");
  // How it was built is not recorded, or without flags; a path that a shell would act on.
  for (const char* command : {"trtexec --loadEngine=m.plan --fp16", "trtexec --onnx=a;b"}) {
    build = recorded(command, {{"onnx", "a;b"}});
    const char* text = "`trtexec --onnx=MODEL.onnx --int8 --fp16`";
    EXPECT_EQ(check(text), text);
  }
}

// A model with Q/DQ does not build without --int8.
TEST(EvidenceCommands, TheNextCheckKeepsInt8WhereTheNetworkIsQuantized) {
  const std::string text = "`" + std::string(kAnyFloatRebuild) + "`, and look";
  const Build build = recorded("trtexec --onnx=m.onnx --int8 --fp16", {{"onnx", "m.onnx"}});
  EXPECT_THAT(recorded_check(build, true, text),
              HasSubstr("trtexec --onnx=CHANGED.onnx --int8 --fp16 --profilingVerbosity=detailed"));
  EXPECT_EQ(recorded_check(Build(), true, text), "`" + std::string(kAnyRebuild) + "`, and look");
  EXPECT_EQ(recorded_check(Build(), false, text), text);
}

// What is written almost like it would stay as it is.
TEST(EvidenceCommands, RulesThatBuildAnotherModelSayItInTheSameWords) {
  std::size_t said = 0;
  for (const Rule* rule : structural_rules()) {
    const std::string& check = rule_info(rule->id).next_check;
    if (check.find("--onnx=MODEL --int8 --fp16 --profilingVerbosity") == std::string::npos)
      continue;
    EXPECT_NE(check.find("`" + std::string(kAnyRebuild) + "`"), std::string::npos) << rule->id;
    ++said;
  }
  EXPECT_GE(said, 10U);
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
            "`trtexec --onnx=NEW.onnx --dumpProfile --exportProfile=after_profile.json "
            "--exportTimes=after_times.json --separateProfileRun > after_build.log 2>&1`");
  EXPECT_EQ(lacking_text("base", build),
            " The base has no layer info and no times per layer: `trtexec --onnx=m.onnx "
            "--dumpProfile --exportProfile=profile.json > build.log 2>&1`.");
}

TEST(EvidenceCommands, ALongCommandIsNotRepeated) {
  const std::string shapes(600, 'x');
  const Build build = recorded("trtexec --onnx=m.onnx --shapes=" + shapes,
                               {{"onnx", "m.onnx"}, {"shapes", shapes}});
  EXPECT_EQ(rebuild_command(build, "NEW.onnx", {"--fp16"}),
            "the same trtexec command with --onnx=NEW.onnx --fp16 --profilingVerbosity=detailed "
            "--dumpLayerInfo --exportLayerInfo=after_layers.json --dumpProfile "
            "--exportProfile=after_profile.json --exportTimes=after_times.json "
            "--separateProfileRun > after_build.log 2>&1");
  EXPECT_THAT(lacking_text("base", build), HasSubstr("its trtexec command again with --prof"));
}

// TensorRT 11 profiles in a run of its own without being asked, and refuses the option.
TEST(EvidenceCommands, TheRunOfItsOwnIsAskedForBeforeTensorRt11) {
  Build build = recorded("trtexec --onnx=m.onnx", {{"onnx", "m.onnx"}});
  const auto check = [&](int major, int minor) {
    build.tensorrt.emplace().major = major;
    build.tensorrt->minor = minor;
    return recorded_check(build, false, "`" + std::string(kAnyRebuild) + "`");
  };
  EXPECT_THAT(check(10, 16), HasSubstr("--exportTimes=after_times.json --separateProfileRun > "));
  EXPECT_THAT(check(11, 0), HasSubstr("--exportTimes=after_times.json > "));
}

// It would write over the files that its own are to be compared with.
TEST(EvidenceCommands, ALongCommandWritesFilesOfItsOwn) {
  const std::string shapes(600, 'x');
  const Build build = recorded(
      "trtexec --onnx=m.onnx --fp16 --saveEngine=out/m.plan --exportProfile=p.json --buildOnly "
      "--shapes=" +
      shapes);
  EXPECT_EQ(rebuild_command(build, "", {"--exportOutput=output.json"}, {"fp16", "best"}),
            "the same trtexec command without --buildOnly, --fp16 with "
            "--exportOutput=after_output.json --profilingVerbosity=detailed --dumpLayerInfo "
            "--exportLayerInfo=after_layers.json --dumpProfile --exportProfile=after_p.json "
            "--exportTimes=after_times.json --separateProfileRun --saveEngine=out/after_m.plan > "
            "after_build.log 2>&1");
}

// fit_to_version() takes what the version lacks out of a text, but not the comma behind it.
TEST(EvidenceCommands, ALongCommandIsWithoutWhatItHas) {
  Build build = recorded("trtexec --onnx=m.onnx --fp16 --int8 --shapes=" + std::string(600, 'x'));
  build.tensorrt.emplace().major = 8;
  build.tensorrt->minor = 6;
  const std::vector<std::string> precisions = {"bf16", "fp16", "int8", "fp8", "int4", "best"};
  EXPECT_THAT(rebuild_command(build, "", {}, precisions),
              HasSubstr("the same trtexec command without --fp16, --int8 with --profiling"));
  EXPECT_THAT(rebuild_command(build, "", {"--bf16"}, {"best"}),
              HasSubstr("the same trtexec command with --profiling"));
  build.tensorrt->minor = 0;
  EXPECT_EQ(rebuild_command(build, "", {}, {"best"}),
            "the same trtexec command with --dumpProfile --exportProfile=after_profile.json "
            "--exportTimes=after_times.json --separateProfileRun > after_build.log 2>&1");
}

TEST(EvidenceCommands, AnotherValueIsReplaced) {
  const std::string names_only = "--profilingVerbosity=layer_names_only";
  Build build = recorded("trtexec --onnx=m.onnx " + names_only + " --exportLayerInfo=l.json",
                         {{"onnx", "m.onnx"},
                          {"profilingVerbosity", "layer_names_only"},
                          {"exportLayerInfo", "l.json"}});
  EXPECT_EQ(missing_layer_flags(build),
            std::vector<std::string>({"--profilingVerbosity=detailed", "--dumpLayerInfo"}));
  EXPECT_EQ(repeated_command(build, missing_layer_flags(build)),
            "trtexec --onnx=m.onnx --profilingVerbosity=detailed --exportLayerInfo=l.json "
            "--dumpLayerInfo > build.log 2>&1");
  EXPECT_EQ(rebuild_command(build, ""),
            "`trtexec --onnx=m.onnx --profilingVerbosity=detailed --exportLayerInfo=after_l.json "
            "--dumpLayerInfo --dumpProfile --exportProfile=after_profile.json "
            "--exportTimes=after_times.json --separateProfileRun > after_build.log 2>&1`");
  build.options.flags[1].second = "detailed";
  EXPECT_EQ(missing_layer_flags(build), std::vector<std::string>({"--dumpLayerInfo"}));
}

}  // namespace
}  // namespace trtlens::evidence_commands_test
