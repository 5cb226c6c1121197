// Which command would record what the inputs lack.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/document/document.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_input_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Quote> commands_of(const Analysis& analysis) {
  std::vector<Quote> out;
  const Document document = build_document(analysis, 10);
  for (const Section& section : document.sections) {
    if (section.id != "input") continue;
    for (const Block& block : section.blocks) {
      if (const auto* quote = std::get_if<Quote>(&block)) out.push_back(*quote);
    }
  }
  return out;
}

std::string command_of(const Analysis& analysis) {
  return commands_of(analysis).at(0).lines.at(0);
}

TEST(Input, CommandFitsTheVersionAndThePrecision) {
  Analysis a = sample::healthy(6);
  a.build.has_profile = false;
  a.build.commands.clear();
  EXPECT_THAT(command_of(a), HasSubstr("trtexec --onnx=m.onnx --int8 --verbose"));
  EXPECT_THAT(command_of(a), HasSubstr("--separateProfileRun --useCudaGraph"));
  a.build.tensorrt->major = 11;
  EXPECT_THAT(command_of(a), Not(HasSubstr("--separateProfileRun")));
  EXPECT_THAT(command_of(a), Not(HasSubstr("--int8")));
  a.build.tensorrt->major = 10;
  a.build.allowed.strongly_typed = true;
  EXPECT_THAT(command_of(a), HasSubstr("--stronglyTyped"));
  a.build.outcome = Outcome::failed;
  EXPECT_TRUE(commands_of(a).empty());
}

TEST(Input, TheRecordedCommandKeepsItsOptions) {
  Analysis a = sample::healthy(6);
  a.build.has_profile = false;
  a.build.is_verbose = true;
  a.build.commands = {"trtexec --onnx=m.onnx --int8 --calib=c.cache --buildOnly --plugins=p.so",
                      "trtexec --loadEngine=m.plan"};
  EXPECT_EQ(command_of(a),
            "trtexec --onnx=m.onnx --int8 --calib=c.cache --plugins=p.so --dumpProfile "
            "--exportProfile=profile.json --separateProfileRun > build.log 2>&1");
  // What an engine was built with cannot be asked for when it is loaded.
  a.build.commands = {"trtexec --loadEngine=m.plan"};
  a.build.options.flags = {{"loadEngine", "m.plan"}};
  a.build.has_layer_info = false;
  EXPECT_THAT(command_of(a), HasSubstr("trtexec --loadEngine=m.plan --dumpLayerInfo"));
  EXPECT_THAT(command_of(a), Not(HasSubstr("--profilingVerbosity")));
}

}  // namespace
}  // namespace trtlens::report_input_test
