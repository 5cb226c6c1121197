// The command line above its settings: who wins, and that both are refused in the same words.
#include "report/cli/command_line.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/nearest_name.h"
#include "report/cli/output.h"
#include "tests/temp_folder.h"

namespace trtlens::command_line_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Read {
  std::optional<CommandLine> line;
  int status = 0;
  std::string said;  // on standard error
};

Read read(std::vector<std::string> words) {
  words.insert(words.begin(), "trtlens");
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (std::string& word : words) argv.push_back(word.data());
  Read result;
  testing::internal::CaptureStderr();
  result.line = read_command_line(static_cast<int>(argv.size()), argv.data(), result.status);
  result.said = testing::internal::GetCapturedStderr();
  return result;
}

class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(CommandLineTest, EveryKindOfSettingReachesItsPlace) {
  const TempFolder folder;
  const std::string path = folder.write(
      "test.ini",
      "top = 3\nquiet = yes\ntiming = off\nformat = md\noutput = a.html\noutput = b.md\n"
      "[compare]\nnoise-floor = 2.5\nforce = true\n[lint-log]\nformat = txt\nwith-samples = on\n");
  const Read analyze = read({"analyze", "x", "--config", path});
  ASSERT_TRUE(analyze.line) << analyze.said;
  EXPECT_EQ(analyze.line->command, "analyze");
  EXPECT_EQ(analyze.line->analyze.top, 3);
  EXPECT_TRUE(analyze.line->analyze.output.quiet);
  EXPECT_FALSE(analyze.line->analyze.output.timing);
  EXPECT_EQ(analyze.line->analyze.output.format, "markdown");
  EXPECT_THAT(analyze.line->analyze.output.files, ElementsAre("a.html", "b.md"));
  const Read compare = read({"compare", "x", "y", "--config=" + path});
  ASSERT_TRUE(compare.line) << compare.said;
  EXPECT_EQ(compare.line->compare.noise_floor_percent, 2.5);
  EXPECT_TRUE(compare.line->compare.force);
  const Read lint = read({"lint-log", "x", "--config", path});
  ASSERT_TRUE(lint.line) << lint.said;
  EXPECT_EQ(lint.line->lint_log.format, "text");
  EXPECT_TRUE(lint.line->lint_log.with_samples);
  const Read all = read({"lint-log", "x", "--top", "0", "-q"});
  ASSERT_TRUE(all.line) << all.said;
  EXPECT_EQ(all.line->lint_log.top, 0);
  EXPECT_TRUE(all.line->lint_log.quiet);
}

TEST(CommandLineTest, TheCommandLineWinsThenTheEnvironmentThenTheFile) {
  const TempFolder folder;
  const std::string path =
      folder.write("test.ini", "top = 1\nfail-on = info\nrun = 4\nquiet = yes\noutput = a.md\n");
  const Variable top("TRTLENS_TOP", "2");
  const Variable fail_on("TRTLENS_ANALYZE_FAIL_ON", "major");
  const Read given =
      read({"analyze", "x", "--config", path, "--top=3", "-o", "b.md", "--quiet=false"});
  ASSERT_TRUE(given.line) << given.said;
  EXPECT_EQ(given.line->analyze.top, 3);
  EXPECT_EQ(given.line->analyze.gate.fail_on, "major");
  EXPECT_EQ(given.line->analyze.run, 4);
  EXPECT_FALSE(given.line->analyze.output.quiet);
  EXPECT_THAT(given.line->analyze.output.files, ElementsAre("b.md"));
  const Read less = read({"analyze", "x", "--config", path});
  ASSERT_TRUE(less.line) << less.said;
  EXPECT_EQ(less.line->analyze.top, 2);
  EXPECT_TRUE(less.line->analyze.output.quiet);
  const Read none = read({"analyze", "x"});
  ASSERT_TRUE(none.line) << none.said;
  EXPECT_EQ(none.line->analyze.run, 0);
  EXPECT_THAT(none.line->analyze.output.files, IsEmpty());
}

TEST(CommandLineTest, BadValuesAreRefusedInTheWordsOfTheCommandLine) {
  const TempFolder folder;
  const std::vector<std::vector<std::string>> cases = {
      {"top", "-3"},        {"top", "many"},        {"run", "0"},
      {"format", "pdf"},    {"build", "0"},         {"color", "blue"},
      {"output", "a.docx"}, {"quiet", "x"},         {"fail-on", "regression"},
      {"ignore", "nope"},   {"keep-tactics", "no!"}};
  const std::string end =
      "trtlens: `trtlens --help` and `trtlens COMMAND --help` show what there is\n";
  for (const std::vector<std::string>& bad : cases) {
    const Read line = read({"analyze", "x", "--" + bad[0] + "=" + bad[1]});
    EXPECT_FALSE(line.line) << bad[0];
    ASSERT_GT(line.said.size(), 10 + end.size()) << bad[0];
    EXPECT_EQ(line.said.substr(line.said.size() - end.size()), end);
    const std::string words = line.said.substr(9, line.said.size() - end.size() - 10);
    const std::string path =
        folder.write("test.ini", "[analyze]\n" + bad[0] + " = " + bad[1] + "\n");
    const Read config = read({"analyze", "x", "--config", path});
    EXPECT_FALSE(config.line);
    EXPECT_EQ(config.status, kExitFailure);
    EXPECT_EQ(config.said, fmt::format("{}:2:{}: error: expected a value for '{}', found '{}'; {} "
                                       "[config-bad-value]\n",
                                       path, bad[0].size() + 4, bad[0], bad[1], words));
    // Also where another command is asked for.
    EXPECT_EQ(read({"compare", "x", "y", "--config", path}).said, config.said);
  }
}

// NaN is less than nothing and more than nothing: with it, no shift would be a regression.
TEST(CommandLineTest, APercentageIsANumberInItsRange) {
  const TempFolder folder;
  for (const std::string option : {"threshold", "noise-floor"}) {
    for (const std::string bad : {"nan", "-nan", "NAN", "nan(1)", "inf", "-1", "1000.1", "2%"}) {
      const std::string words = fmt::format("--{}: Value {} not in range 0 to 1000", option, bad);
      const Read line = read({"compare", "x", "y", "--" + option + "=" + bad});
      EXPECT_FALSE(line.line) << option << ' ' << bad;
      EXPECT_EQ(line.status, kExitFailure);
      EXPECT_EQ(line.said.find("trtlens: " + words + "\n"), 0U) << line.said;
      const Read config = read(
          {"compare", "x", "y", "--config", folder.write("test.ini", option + " = " + bad + "\n")});
      EXPECT_FALSE(config.line);
      EXPECT_NE(config.said.find("'; " + words + " [config-bad-value]"), std::string::npos)
          << config.said;
    }
    for (const std::string good : {"0", "1000", "2.5", "1e2"}) {
      EXPECT_TRUE(read({"compare", "x", "y", "--" + option, good}).line) << good;
    }
  }
  const Variable variable("TRTLENS_COMPARE_THRESHOLD", "nan");
  EXPECT_EQ(read({"compare", "x", "y"}).said,
            "TRTLENS_COMPARE_THRESHOLD: error: expected a value for 'threshold', found 'nan'; "
            "--threshold: Value nan not in range 0 to 1000 [environment-bad-value]\n");
  EXPECT_FALSE(read({"analyze", "x", "--rule-threshold", "tiny-kernels.min_share=nan"}).line);
}

TEST(CommandLineTest, MessagesAreNoCommandsForARunner) {
  testing::internal::CaptureStderr();
  complain("##[error]a");
  print_diagnostics(
      {{"id", DiagnosticSeverity::error, "::error file=x::bad.json", 0, 0, "a", "b"}});
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "trtlens: \\x23#[error]a\n\\x3a:error file=x::bad.json: error: expected a, found b [id]\n");
}

TEST(CommandLineTest, AMistypedValueOrOptionIsAnsweredWithTheNearestOne) {
  const std::string hint =
      "trtlens: `trtlens --help` and `trtlens COMMAND --help` show what there is\n";
  EXPECT_EQ(read({"analyze", "x", "--fail-on", "majro"}).said,
            "trtlens: --fail-on: 'majro' is none of fatal, major, moderate, minor, info, none; did "
            "you mean 'major'?\n" +
                hint);
  EXPECT_EQ(read({"convert", "x", "--to", "perfeto"}).said,
            "trtlens: --to: 'perfeto' is none of csv, dot, jsonl, perfetto, speedscope; did you "
            "mean 'perfetto'?\n" +
                hint);
  EXPECT_THAT(read({"analyze", "x", "--format", "htlm"}).said,
              testing::HasSubstr("; did you mean 'html'?"));
  const auto place = [&](const std::string& item) {
    return read({"analyze", "x", "-o", item}).said;
  };
  EXPECT_THAT(place("htlm:a.b"), testing::HasSubstr(".xml); did you mean 'html:a.b'?\n"));
  EXPECT_THAT(place("a.b/c.htlm"), testing::HasSubstr(".xml); did you mean 'a.b/c.html'?\n"));
  EXPECT_THAT(place("a.docx"), testing::HasSubstr(".xml)\n"));
  EXPECT_EQ(read({"convert", "x", "--too", "csv"}).said,
            "trtlens: convert has no option --too; did you mean '--to'?\n" + hint);
  EXPECT_EQ(read({"analyze", "--verison"}).said,
            "trtlens: analyze has no option --verison; did you mean `trtlens --version`?\n" + hint);
  EXPECT_EQ(
      read({"analyze", "x", "-o", "-"}).said,
      "trtlens: --output: standard output: its format stands before it, such as html:-\n" + hint);
}

TEST(CommandLineTest, ABadVariableIsNamed) {
  const Variable top("TRTLENS_COLOR", "blue");
  EXPECT_EQ(read({"analyze", "x"}).said,
            "TRTLENS_COLOR: error: expected a value for 'color', found 'blue'; --color: 'blue' is "
            "none of auto, always, never [environment-bad-value]\n");
  EXPECT_TRUE(read({"analyze", "x", "--color", "auto"}).line);  // it decides nothing
}

TEST(CommandLineTest, AValueForAllThatOnlyAnotherCommandTakesSaysHowToSayThat) {
  const Variable fail_on("TRTLENS_FAIL_ON", "regression");
  EXPECT_EQ(
      read({"analyze", "x"}).said,
      "TRTLENS_FAIL_ON: error: expected a value for 'fail-on', found 'regression'; "
      "--fail-on: 'regression' is none of fatal, major, moderate, minor, info, none; for compare "
      "alone it is TRTLENS_COMPARE_FAIL_ON [environment-bad-value]\n");
  EXPECT_TRUE(read({"compare", "x", "y"}).line);
  const Variable alone("TRTLENS_ANALYZE_FAIL_ON", "minor");
  EXPECT_TRUE(read({"analyze", "x"}).line);
}

TEST(CommandLineTest, InAFileItIsASection) {
  const TempFolder folder;
  const std::string path = folder.write("test.ini", "fail-on = malformed\n");
  EXPECT_EQ(read({"compare", "x", "y", "--config", path}).said,
            path +
                ":1:11: error: expected a value for 'fail-on', found 'malformed'; --fail-on: "
                "'malformed' is none of regression, cannot-tell, fatal, major, moderate, minor, "
                "info, none; "
                "for lint-log "
                "alone it stands in [lint-log] [config-bad-value]\n");
  // A value that no command takes is no hint.
  EXPECT_THAT(
      read({"compare", "x", "y", "--config", folder.write("test.ini", "fail-on = x\n")}).said,
      testing::Not(testing::HasSubstr("alone")));
}

TEST(CommandLineTest, TwoOrThreeSides) {
  EXPECT_THAT(read({"compare", "x", "-q", "y"}).line->compare.sides, ElementsAre("x", "y"));
  EXPECT_THAT(read({"compare", "x", "y", "z"}).line->compare.sides, ElementsAre("x", "y", "z"));
}

TEST(CommandLineTest, TooFewOrTooManyWordsSayWhatToGive) {
  const auto said = [](std::vector<std::string> words) {
    const Read wrong = read(std::move(words));
    EXPECT_FALSE(wrong.line);
    EXPECT_EQ(wrong.status, 2);
    return wrong.said.substr(0, wrong.said.find('\n'));
  };
  const std::string sides = "trtlens: compare takes two or three sides: BASE CANDIDATE [NEXT]";
  EXPECT_EQ(said({"compare"}), sides);
  EXPECT_EQ(said({"compare", "x"}), sides);
  EXPECT_EQ(said({"compare", "x", "y", "z", "w"}),
            "trtlens: compare takes three sides at most, each compared with the one before it; "
            "--against base compares 3 with x");
  EXPECT_EQ(said({"compare", "--against", "base", "x"}),
            "trtlens: compare --against base takes the base and at least one variant");
  EXPECT_EQ(said({"compare", "x", "y", "--series", "s"}),
            "trtlens: --series is for compare --history");
  EXPECT_EQ(said({"compare", "--history", "h.db", "--against", "base", "x"}),
            "trtlens: compare --history takes one side: the candidate");
  EXPECT_EQ(said({"check", "x"}), "trtlens: check needs --contract FILE");
  EXPECT_EQ(said({"convert", "x"}), "trtlens: convert needs --to FORMAT");
  EXPECT_EQ(said({"analyze", "x", "--format", "html", "--format", "json"}),
            "trtlens: --format is given more than once");
  EXPECT_EQ(said({"analyze"}),
            "trtlens: analyze takes logs, JSON exports or directories of them: PATH...");
  EXPECT_EQ(said({"explain"}),
            "trtlens: explain takes the id of one rule: RULE; `trtlens rules` lists them");
  EXPECT_EQ(said({"schema", "analyze", "compare"}),
            "trtlens: schema takes one name: analyze, compare, check or contract");
  EXPECT_EQ(said({"rules", "x"}), "trtlens: rules takes options only");
  EXPECT_EQ(said({"history", "lst"}),
            "trtlens: history takes one of add, list, show, trend, prune, export; did you mean "
            "'list'?");
  EXPECT_EQ(said({"history", "zzzz"}),
            "trtlens: history takes one of add, list, show, trend, prune, export");
  EXPECT_EQ(said({"analyze", "x", "--no-color"}),
            "trtlens: analyze has no option --no-color; did you mean '--color never'?");
  EXPECT_EQ(said({"analyze", "x", "--no-quiet"}), "trtlens: analyze has no option --no-quiet");
  EXPECT_EQ(said({"compare", "x", "y", "--fail-an"}),
            "trtlens: compare has no option --fail-an; did you mean '--fail-on'?");
  EXPECT_EQ(said({"analyze", "x", "--tpo=3"}),
            "trtlens: analyze has no option --tpo; did you mean '--top'?");
  EXPECT_EQ(said({"analyze", "x", "--zzzz"}), "trtlens: analyze has no option --zzzz");
}

TEST(NearestName, IsNearInProportionToItsLength) {
  const std::vector<std::string> names = {"top", "fail-on", "format", "section", "residual-add"};
  for (const auto& [wanted, near] :
       std::vector<std::pair<std::string, std::string>>{{"tpo", "top"},
                                                        {"tp", "top"},
                                                        {"to", "top"},
                                                        {"fial-on", "fail-on"},
                                                        {"fail_on", "fail-on"},
                                                        {"sections", "section"},
                                                        {"add", "residual-add"},
                                                        {"resdual-ad", "residual-add"},
                                                        {"foo", ""},
                                                        {"t", ""},
                                                        {"on", ""},
                                                        {"x", ""},
                                                        {"tool", ""},
                                                        {"silent", ""},
                                                        {"", ""}}) {
    EXPECT_EQ(nearest_name(wanted, names), near) << wanted;
  }
}

TEST(EditDistance, CountsASwapAsOne) {
  EXPECT_EQ(edit_distance("tpo", "top"), 1U);
  EXPECT_EQ(edit_distance("", "top"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ab", "bca"), 3U);  // no letter is swapped and changed
}

TEST(CommandLineTest, OutputsAndGates) {
  const Read compare =
      read({"compare", "x", "y", "-o", "a.sarif", "-o", "junit:a.b", "--format", "github",
            "--threshold", "3", "--baseline", "b", "--ignore", "layers-regressed:conv"});
  ASSERT_TRUE(compare.line) << compare.said;
  EXPECT_EQ(compare.line->compare.gate.fail_on, "regression");
  EXPECT_EQ(compare.line->compare.gate.threshold_percent, 3);
  EXPECT_EQ(compare.line->compare.gate.baseline, "b");
  EXPECT_THAT(compare.line->compare.ignore, ElementsAre("layers-regressed:conv"));
  EXPECT_THAT(compare.line->compare.output.files, ElementsAre("a.sarif", "junit:a.b"));
  const auto place = [](const std::string& item) {
    const OutputPlace of = output_place(item);
    return of.format + " " + of.path;
  };
  EXPECT_EQ(place("a/x.xml"), "junit a/x.xml");
  EXPECT_EQ(place("x.baseline"), "baseline x.baseline");
  EXPECT_EQ(place("x.json"), "json x.json");
  EXPECT_EQ(place("a/gl-code-quality-report.json"), "gitlab a/gl-code-quality-report.json");
  EXPECT_EQ(place("gitlab:x.json"), "gitlab x.json");
  EXPECT_EQ(place("step-summary:/tmp/s"), "step-summary /tmp/s");
  EXPECT_EQ(place("no:x.md"), "markdown no:x.md");  // a name with a colon
  EXPECT_EQ(place("junit:"), " junit:");
  EXPECT_EQ(place("a.b/x"), " a.b/x");
  EXPECT_EQ(place(""), " ");
  const Read schema = read({"schema", "compare"});
  ASSERT_TRUE(schema.line) << schema.said;
  EXPECT_EQ(schema.line->command, "schema");
  EXPECT_EQ(schema.line->schema, "compare");
  EXPECT_FALSE(read({"schema", "lint"}).line);
}

}  // namespace
}  // namespace trtlens::command_line_test
