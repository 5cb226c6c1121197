// Of a log of thousands of runs: what joins the one that was asked for, and what is said when that
// is not known any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_runs_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// So many commands of this length that of the first 300 runs only outlines are kept, or of the
// first 400 nothing.
const std::string kPadding = " --note=" + std::string(2000, 'x');
constexpr int kOutlines = 1600, kLeftOut = 2500;

std::string building(const std::string& verdict = "PASSED") {
  const std::string arguments = "--onnx=m --saveEngine=m.plan --buildOnly" + kPadding;
  return running(arguments) + library_lines({"Engine Layer Information:"}) +
         "Layer(CaskConvolution): conv1, Tactic: 0x1, x (Float[1]) -> y (Float[1])\n" +
         closing(verdict, arguments);
}

std::string timing(int i) {
  return running("--loadEngine=m.plan" + kPadding) +
         own_lines({"=== Performance summary ===", "Throughput: " + std::to_string(i) + " qps"});
}

std::string pair(int i) {
  return i % 2 == 1 ? building() : timing(i);
}

class JoinRuns : public testing::Test {
 protected:
  void write(int runs, const std::function<std::string(int)>& one) {
    std::string text;
    for (int i = 1; i <= runs; ++i) text += one(i);
    path_ = folder_.write("m.log", text);
  }
  // What is said of runs that were not kept.
  std::vector<std::string> read(int run) {
    ParseOptions options;
    options.run = run;
    result_ = parse_inputs({path_}, options);
    std::vector<std::string> said;
    for (const Diagnostic& one : result_.diagnostics) {
      if (one.id == "run-not-kept") said.push_back(one.expected + ": " + one.found);
    }
    return said;
  }
  [[nodiscard]] const Build& build() const { return result_.builds.at(0); }

  TempFolder folder_;
  std::string path_;
  ParseResult result_;
};

TEST_F(JoinRuns, OutlinesThatWouldJoinAreNamed) {
  write(kOutlines, pair);
  EXPECT_THAT(read(1), ElementsAre("the timing of this engine among the newest runs of the log: "
                                   "run 2, far before them; --run 2 reports it"));
  EXPECT_EQ(result_.diagnostics.at(0).file, path_);
  EXPECT_EQ(result_.diagnostics[0].line, 5U);
  EXPECT_THAT(build().runs, ElementsAre(1));
  EXPECT_EQ(build().performance.throughput_qps, std::nullopt);
  EXPECT_THAT(read(2), ElementsAre("the build of this engine among the newest runs of the log: "
                                   "run 1, far before them; --run 1 reports it"));
  EXPECT_THAT(build().runs, ElementsAre(2));
  EXPECT_THAT(read(kOutlines), IsEmpty());
  EXPECT_THAT(build().runs, ElementsAre(kOutlines - 1, kOutlines));
}

TEST_F(JoinRuns, RunsLeftOutAreNamed) {
  write(kLeftOut, pair);
  EXPECT_THAT(read(1), ElementsAre(HasSubstr("the log: runs 2 to ")));
  EXPECT_THAT(build().runs, ElementsAre(1));
  EXPECT_THAT(read(2), ElementsAre(HasSubstr("run 1, left out, which may be it; --run 1 reports")));
  EXPECT_THAT(build().runs, ElementsAre(2));
  EXPECT_THAT(read(kLeftOut), IsEmpty());
  EXPECT_THAT(build().runs, ElementsAre(kLeftOut - 1, kLeftOut));
}

// The second build, of which nothing is kept, saved another engine to the same path.
TEST_F(JoinRuns, NothingJoinsAcrossRunsLeftOut) {
  for (const int runs : {kOutlines, kLeftOut}) {
    write(runs, [](int i) { return i <= 2 ? building() : timing(i); });
    EXPECT_EQ(read(1).size(), runs == kLeftOut ? 1U : 0U) << runs;
    EXPECT_THAT(build().runs, ElementsAre(1));
    EXPECT_EQ(build().performance.throughput_qps, std::nullopt);
    EXPECT_EQ(read(0).size(), 1U) << runs;
    EXPECT_THAT(build().runs, ElementsAre(runs));
  }
}

// A build that failed saved no engine.
TEST_F(JoinRuns, OutlineOfAFailedBuildIsNone) {
  write(kOutlines, [](int i) { return i == 1 ? building("FAILED") : timing(i); });
  EXPECT_THAT(read(0), IsEmpty());
  EXPECT_THAT(read(1), IsEmpty());
}

// Another program's log in the same directory speaks of TensorRT, and has no command.
TEST(JoinOtherLogs, OnlyOneThatShowsAnEngine) {
  const TempFolder folder;
  const std::string path = folder.write("b/build.log", building());
  for (const bool shows : {false, true}) {
    const std::string text =
        shows ? own_lines({"=== Performance summary ===", "Throughput: 5 qps"}) : "";
    const std::string other = folder.write("b/app.log", text + "see: [TensorRT] ERROR: x\n");
    const ParseResult result = parse_inputs({folder.at("b")}, {});
    EXPECT_EQ(result.builds.at(0).runs.size(), shows ? 2U : 1U);
  }
}

}  // namespace
}  // namespace trtlens::join_runs_test
