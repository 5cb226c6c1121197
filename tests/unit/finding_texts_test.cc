// What findings say when they are made: of the samples of all message rules, of the fixtures, and,
// where they are, of the builds in ../shared.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/message_rules.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/message_case.h"

namespace trtlens::finding_texts_test {
namespace {

namespace fs = std::filesystem;

// A name that may be long counts as one word.
std::string without_names(std::string title, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const std::string name = name_text(label);
    const std::size_t at = title.find(name);
    if (at != std::string::npos && !name.empty()) title.replace(at, name.size(), "NAME");
  }
  return title;
}

struct Count {
  int words = 0, numbers = 0;
};

Count count(const std::string& title) {
  static const RE2 number(R"([-+<]?\d[\d.,x]*)");
  std::istringstream in(title);
  Count all;
  for (std::string word; in >> word;) {
    const bool is_word =
        std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0; });
    while (!word.empty() && std::string_view(",.:;").find(word.back()) != std::string::npos) {
      word.pop_back();
    }
    all.words += is_word ? 1 : 0;
    all.numbers += RE2::FullMatch(word, number) ? 1 : 0;
  }
  return all;
}

int sentences(std::string text) {
  static const RE2 end(R"([.?!]["')]*\s+\S)");
  return text.empty() ? 0 : 1 + RE2::GlobalReplace(&text, end, "");
}

// A program with its arguments, as somebody would copy it; the name of one alone is none.
bool has_command(const std::string& text) {
  static const RE2 command(
      R"(`(?:trtexec|trtlens|polygraphy|python3?) [^`]*(?:=|MODEL|…|\.onnx)[^`]*`)"
      R"(|(?:^|[^`])\b(?:trtexec --(?:onnx|loadEngine)=|polygraphy run |trtlens compare ))");
  return RE2::PartialMatch(text, command);
}

// Issue 21, point 1: what a card holds.
void hold(const Finding& finding, const std::vector<std::string>& labels,
          const std::string& input) {
  const std::string where = input + ", " + finding.rule + ": ";
  const Count title = count(without_names(finding.title, labels));
  EXPECT_LE(title.words, 12) << where << finding.title;
  EXPECT_LE(title.numbers, 1) << where << finding.title;
  EXPECT_EQ(finding.title.find_first_of("(["), std::string::npos) << where << finding.title;
  EXPECT_FALSE(has_command(finding.title)) << where << finding.title;
  EXPECT_LE(sentences(finding.why), 2) << where << finding.why;
  EXPECT_FALSE(has_command(finding.why)) << where << finding.why;
  static const RE2 exponent(R"(\d[eE]\+\d)");
  EXPECT_FALSE(RE2::PartialMatch(finding.why, exponent)) << where << finding.why;
  EXPECT_LE(finding.where.size(), 3U) << where;
  EXPECT_LE(finding.remedies.size(), 3U) << where;
  const Steps steps = steps_of(finding);
  EXPECT_LE(steps.actions.size(), 3U) << where;
  const std::string first = finding.remedies.empty() ? "" : finding.remedies[0];
  EXPECT_LE(count(first).words, 20) << where << first;
  if (!steps.actions.empty()) {
    EXPECT_LE(count(steps.actions[0]).words, 20) << where << steps.actions[0];
  }
  for (const std::string& action : steps.actions) {
    EXPECT_FALSE(has_command(action)) << where << action;
  }
  EXPECT_FALSE(has_command(steps.check)) << where << steps.check;
  // Where nothing is to be won there is nothing to be done: a note.
  const bool is_idle = first.starts_with("Nothing to do:");
  EXPECT_TRUE(!is_idle || finding.severity == Severity::info) << where;
}

TEST(FindingTexts, OfSamples) {
  std::vector<Diagnostic> unused;
  int titles = 0;
  for (const MessageRule& rule :
       load_message_rules(embedded_rule_files(), {}, unused, SampleCheck::run)) {
    for (const RuleSample& sample : rule.samples) {
      for (const Finding& finding :
           match_message_rules(build_of_sample(rule, sample), {}, embedded_message_rules())) {
        hold(finding, {}, "sample of " + rule.info.id);
        ++titles;
      }
    }
  }
  EXPECT_GT(titles, 600);
}

std::vector<std::string> folders(const std::string& parent) {
  std::vector<std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, none)) {
    if (entry.is_directory()) found.push_back(entry.path().string());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> labels_of(const Analysis& analysis) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < analysis.build.layers.size(); ++i) {
    labels.push_back(label_of(analysis, i));
  }
  return labels;
}

// Every build of every input by itself.
void hold_inputs(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    for (const Analysis& analysis : analyze_all(parse_inputs({path}, {}), {})) {
      for (const Finding& finding : analysis.findings) hold(finding, labels_of(analysis), path);
    }
  }
}

std::vector<std::string> files(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    const bool is_input = name == "stdin" || name.ends_with(".log") || name.ends_with(".json");
    if (entry.is_regular_file() && is_input && !name.starts_with("expected")) {
      found.push_back(entry.path().string());
    }
  }
  std::ranges::sort(found);
  return found;
}

void hold_builds(const std::vector<std::string>& paths) {
  std::vector<Analysis> all;
  for (const std::string& path : paths) {
    all.push_back(test::analyze_path(path));
    for (const Finding& finding : all.back().findings) {
      hold(finding, labels_of(all.back()), path);
    }
  }
  // Every build against the next one, both ways.
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    for (const bool turned : {false, true}) {
      const Comparison c = compare({all[turned ? i + 1 : i]}, {all[turned ? i : i + 1]}, {});
      std::vector<std::string> labels = labels_of(c.base);
      std::ranges::copy(labels_of(c.candidate), std::back_inserter(labels));
      const std::string pair = c.base.name + " against " + c.candidate.name;
      for (const Finding& finding : c.findings) hold(finding, labels, pair);
      for (const Finding& finding : trtlens::hold(c, {}, {}).regressions) {
        hold(finding, labels, pair);
      }
    }
  }
}

TEST(FindingTexts, OfFixtures) {
  const std::vector<std::string> paths =
      folders(std::string(TRTLENS_SOURCE_DIR) + "/fixtures/builds");
  ASSERT_GT(paths.size(), 10U);
  hold_builds(paths);
}

TEST(FindingTexts, OfInputsOfCases) {
  const std::vector<std::string> paths = files(std::string(TRTLENS_SOURCE_DIR) + "/fixtures/cases");
  ASSERT_GT(paths.size(), 40U);
  hold_inputs(paths);
}

TEST(FindingTexts, OfSharedLogs) {
  const std::vector<std::string> paths = files(test::shared("corpus/logs"));
  if (paths.empty()) GTEST_SKIP() << "no logs";
  hold_inputs(paths);
}

TEST(FindingTexts, OfSharedEngines) {
  const std::vector<std::string> paths = folders(test::shared("corpus/engines"));
  if (paths.empty()) GTEST_SKIP() << "no engines";
  hold_inputs(paths);
}

TEST(FindingTexts, OfSharedBuilds) {
  const std::vector<std::string> paths = folders(test::shared("builds"));
  if (paths.empty()) GTEST_SKIP() << "no builds";
  hold_builds(paths);
}

TEST(FindingTexts, PlacesAreTheCostliestThreeAndTheNumberOfTheOthers) {
  const Analysis unet = test::analyze_path(test::fixture("g_unet_int8"));
  const auto reformats = std::ranges::find(unet.findings, "mixed-type-reformat", &Finding::rule);
  ASSERT_NE(reformats, unet.findings.end());
  EXPECT_EQ(reformats->where.size(), 3U);
  EXPECT_EQ(reformats->where_left_out, reformats->layers.size() - 3);
  // A title about some of the layers at stake: those.
  const Analysis a = test::analyze_path(test::fixture("b_r18_q_conv"));
  ASSERT_FALSE(a.findings.empty());
  const Finding& first = a.findings.front();
  EXPECT_EQ(first.title, "8 residual Adds lack Q/DQ");
  EXPECT_EQ(first.layers.size(), 14U);
  EXPECT_EQ(first.where_left_out, 8U - 3);
  for (const std::string& label : first.where) EXPECT_NE(label.find(" + Add"), std::string::npos);
  EXPECT_EQ(where_text(first), first.where[0] + ", " + first.where[1] + ", " + first.where[2] +
                                   " and " + std::to_string(first.where_left_out) + " more");
}

TEST(FindingTexts, ACheckIsItsWordsAndItsCommands) {
  const auto is = [](const char* text, const char* words, std::vector<std::string> commands) {
    const Check check = check_of(text);
    EXPECT_EQ(check.text, words) << text;
    EXPECT_EQ(check.commands, commands) << text;
  };
  is("`a b`: if it works, so.", "If it works, so.", {"a b"});
  is("`a b`", "", {"a b"});
  is("`a b`.", "", {"a b"});
  is("`a b` shows it.", "This shows it.", {"a b"});
  is("`a b` on the host: does it?", "Run the command below on the host: does it?", {"a b"});
  is("`a b`, then `c d`: does it?", "Does it?", {"a b", "c d"});
  is("`a` and `b` with `c`: does it?", "Run the commands below with `c`: does it?", {"a", "b"});
  is("`a b`, with the `c -d`: does it?", "Run the command below, with the `c -d`: does it?",
     {"a b", "c -d"});
  is("Build it, and compare: `a b`; `c d`.", "Build it, and compare.", {"a b", "c d"});
  is("Build it: `a b`. Then look: `c`", "Build it. Then look", {"a b", "c"});
  is("Look. `a`: is it there?", "Look. Is it there?", {"a"});
  is("Build with `--int8`: if it works, so.", "Build with `--int8`: if it works, so.", {});
  is("`--verbose` shows it; see: `a`.", "`--verbose` shows it; see.", {"a"});
  is("An open ` stays.", "An open ` stays.", {});
  is("", "", {});
}

// What a log says must not become an order that somebody copies.
TEST(FindingTexts, ValuesOfCommandsAreThoseThatAShellTakesAsTheyAre) {
  using message_rules::expand;
  const char* const text = "`ls {path}`: is {path} there?";
  EXPECT_EQ(expand(text, {{"path", "a/b-1.so"}}), "`ls a/b-1.so`: is a/b-1.so there?");
  for (const char* path : {"a;id", "$(id)", "a b", "a|b", "a\nb", "'a'", "a>b"}) {
    EXPECT_EQ(expand(text, {{"path", path}}), "`ls PATH`: is " + std::string(path) + " there?");
    EXPECT_EQ(expand("`ls {path|FILE}`", {{"path", path}}), "`ls FILE`");
  }
  // A backtick begins none.
  EXPECT_EQ(expand("Look at {path}.", {{"path", "a `id`"}}), "Look at a 'id'.");
}

TEST(FindingTexts, ATitleTakesADozenWordsAndNoBrackets) {
  using message_rules::short_title;
  EXPECT_EQ(short_title("An error: one two three"), "An error: one two three");
  EXPECT_EQ(short_title("An error: 3 4 5 6 7 8"), "An error: 3…");
  EXPECT_EQ(short_title("An error: a b c d e f g h i j k l"), "An error: a b c d e f g h i j…");
  EXPECT_EQ(short_title("It rejects x: This version of TensorRT does not support dynamic axes"),
            "It rejects x: no dynamic axes");
  EXPECT_EQ(short_title("It rejects x: This version of TensorRT only supports one axis"),
            "It rejects x: only one axis");
  EXPECT_EQ(short_title("An error: call(a) failed"), "An error");
  EXPECT_EQ(short_title("An error: inputs[0].dims failed"), "An error");
  EXPECT_EQ(short_title("An error: of call(a) failed"), "An error: of call…");
  EXPECT_EQ(short_title("The engine refuses [8, 10,-1] for x"), "The engine refuses 8x10x-1 for x");
  EXPECT_EQ(short_title("It is not valid at [QUANTIZE]-[op.a]"),
            "It is not valid at QUANTIZE-op.a");
  EXPECT_EQ(short_title("An error: in [a] b"), "An error: in…");
  EXPECT_EQ(short_title("An error: (a == b) && c"), "An error: a == b && c");
  EXPECT_EQ(short_title("An error: (Unnamed Layer* 3) [Cast]"), "An error: Unnamed Layer* 3 Cast");
  EXPECT_EQ(short_title("No kernel for [x]"), "No kernel for x");
  EXPECT_EQ(short_title("An error: [1,308,768]"), "An error: 1x308x768");
  EXPECT_EQ(short_title("An error: (a) [1,3]"), "An error: a 1,3");
}

TEST(FindingTexts, ATitleGoesOnBehindTensorRtsOwnNames) {
  using message_rules::short_title;
  EXPECT_EQ(short_title("It failed: Node {ForeignNode[/a/MatMul.../b/Add_1]} failed"),
            "It failed: Node region a.MatMul to b.Add_1 failed");
  EXPECT_EQ(short_title("It failed: op 12_scale{ForeignNode[/a/MatMul.../b/Add_1]} has no axis"),
            "It failed: op 12_scale region a.MatMul to b.Add_1 has no axis");
  EXPECT_EQ(short_title("It failed: Node {ForeignNode[/a/MatMul.../b"), "It failed: Node…");
  EXPECT_EQ(short_title("It failed in a region: {ForeignNode[/a/MatMul.../b/Add_1]}"),
            "It failed in a region: a.MatMul to b.Add_1");
  EXPECT_EQ(short_title("It failed: {ForeignNode[]}"), "It failed");
  EXPECT_EQ(short_title("More than 2147483647 elements in (Unnamed Layer* 12) [Constant]_output"),
            "More than 2147483647 elements in Unnamed Layer* #12 Constant_output");
  EXPECT_EQ(short_title("A kernel crashed at (Unnamed Layer* 7) of 9"),
            "A kernel crashed at Unnamed Layer* #7 of 9");
}

TEST(FindingTexts, WhyIsTheFirstSentences) {
  using message_rules::first_sentences;
  EXPECT_EQ(first_sentences("One. Two? Three.", 2), "One. Two?");
  EXPECT_EQ(first_sentences("It is 3.5 ms. \"Two.\" Three", 2), "It is 3.5 ms. \"Two.\"");
  EXPECT_EQ(first_sentences("One. Two.", 2), "One. Two.");
  EXPECT_EQ(first_sentences("", 2), "");
}

// What fits this input outranks what is said to everybody; the first stays.
TEST(FindingTexts, OfMoreThanThreeActionsTheSpecialOnesStay) {
  const auto said = [](const char* text) { return RuleRemedy{text, {}, {}, {}, {}, {}, {}}; };
  std::vector<RuleRemedy> remedies = {said("A"), said("B"), said("C"), said("D")};
  const auto kept = [&] { return message_rules::remedies_for(remedies, {{"x", "1"}}, Build{}); };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(kept(), (Texts{"A", "B", "C"}));
  remedies[3].command_lacks = {"fp16"};
  EXPECT_EQ(kept(), (Texts{"A", "B", "D"}));
  remedies[2].text = "[[C {x}]]";
  EXPECT_EQ(kept(), (Texts{"A", "C 1", "D"}));
  remedies[1].text = "[[B {y}]]";  // not known
  EXPECT_EQ(kept(), (Texts{"A", "C 1", "D"}));
}

// Advice for operators, options and GPUs that the build does not have is not given.
TEST(FindingTexts, RemediesFollowTheNetworkAndTheCommand) {
  std::vector<RuleRemedy> remedies = {{"all", {}, {}, {}, {}, {}, {}},
                                      {"softmax", {}, {}, {}, {}, {"LayerNorm", "Softmax"}, {}},
                                      {"constraint", {}, {}, {}, {"layerPrecisions"}, {}, {}},
                                      {"others", {}, {}, {}, {}, {}, {"TensorRT-LLM"}}};
  using Texts = std::vector<std::string>;
  Build build;
  const auto kept = [&] { return message_rules::remedies_for(remedies, {}, build); };
  EXPECT_EQ(kept(), (Texts{"all", "others"}));
  build.producer = "tensorrt_llm";
  EXPECT_EQ(kept(), Texts{"all"});
  build.layers.emplace_back().name = "/blocks/0/attn/softmax_1";
  EXPECT_EQ(kept(), (Texts{"all", "softmax"}));
  build.layers[0].name = "/blocks/0/conv";
  build.onnx_nodes.emplace_back().op = "Softmax";
  EXPECT_EQ(kept(), (Texts{"all", "softmax"}));
  build.onnx_nodes[0].op = "LogSoftmax";
  build.options.flags.emplace_back("--layerPrecisions", "a:fp32");
  EXPECT_EQ(kept(), (Texts{"all", "constraint"}));
}

// Of the fixtures: no remedy names an operator or a GPU that the build does not show.
TEST(FindingTexts, AdviceHasItsGroundInTheBuild) {
  const std::vector<std::pair<std::string, std::string>> operators = {
      {"softmax", "Softmax"},   {"layer normalisation", "LayerNorm"},
      {"Resize", "Resize"},     {"concatenation", "Concat"},
      {"attention", "Softmax"}, {"maximum pooling", "MaxPool"}};
  std::size_t advised = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::fixture(""))) {
    const Analysis a = test::analyze_path(entry.path().string());
    for (const Finding& finding : a.findings) {
      for (const std::string& text : finding.remedies) {
        ++advised;
        for (const auto& [word, op] : operators) {
          if (text.find(word) == std::string::npos) continue;
          EXPECT_TRUE(message_rules::shows_operator({op}, a.build)) << entry.path() << ": " << text;
        }
        EXPECT_EQ(text.find("Jetson"), std::string::npos) << entry.path() << ": " << text;
      }
    }
  }
  EXPECT_GT(advised, 100U);
}

TEST(FindingTexts, ALimitOfTheCommandIsNotAFullGpu) {
  const auto frees = [](const std::string& flag) {
    test::Case made(Outcome::passed);
    if (!flag.empty()) made.build.options.flags.emplace_back(flag, "workspace:1");
    made.say(LogSeverity::warning, "Some tactics do not have sufficient workspace memory to run.");
    std::string all;
    const std::vector<Finding> findings = made.findings();
    for (const std::string& remedy : findings.at(0).remedies) all += remedy + '\n';
    return all.find("Free the GPU") != std::string::npos;
  };
  EXPECT_TRUE(frees(""));
  EXPECT_FALSE(frees("--memPoolSize"));
  EXPECT_FALSE(frees("--workspace"));
}

TEST(FindingTexts, CommandsOfActionsAreToBeCopied) {
  Finding finding;
  finding.remedies = {"Fold constants: `p fold -o x`.", "Look at `a b -c` twice.", "C.", "D."};
  finding.next_check = "`a b`: does it?";
  const Steps steps = steps_of(finding);
  EXPECT_EQ(steps.actions,
            (std::vector<std::string>{"Fold constants.", "Look at `a b -c` twice.", "C."}));
  EXPECT_EQ(steps.commands, (std::vector<std::string>{"p fold -o x", "a b"}));
  finding.remedies = {"Run it: `a b`."};
  EXPECT_EQ(steps_of(finding).commands, std::vector<std::string>{"a b"});
}

TEST(FindingTexts, TheCommandsOfAGuessComeWithItsFirstStep) {
  Finding finding;
  finding.confidence = Confidence::guessed;
  finding.remedies = {"Do it."};
  finding.next_check = "`a b`: does it?";
  EXPECT_EQ(steps_of(finding).actions,
            (std::vector<std::string>{"Check first: run the command below. Does it?", "Do it."}));
  EXPECT_EQ(steps_of(finding).commands, std::vector<std::string>{"a b"});
  EXPECT_EQ(steps_of(finding).check, "");
  finding.next_check = "Look: does it? `a b` tells.";
  EXPECT_EQ(steps_of(finding).actions[0], "Check first: Look: does it? This tells.");
  finding.next_check = "`a b`";
  EXPECT_EQ(steps_of(finding).actions[0], "Check first: run the command below.");
  // What an outcome means stands beside the command where the step would be long.
  const std::string meaning =
      "If it builds \"at: all\", one thing was at fault; if it does not, another thing was.";
  finding.next_check = "`a b`: " + meaning;
  EXPECT_EQ(steps_of(finding).actions[0], "Check first: run the command below.");
  EXPECT_EQ(steps_of(finding).check, meaning);
  finding.next_check =
      "Build once again with one more option (of those (here: in brackets) that are there): if it "
      "builds, the option was at fault.";
  EXPECT_EQ(steps_of(finding).actions[0],
            "Check first: Build once again with one more option (of those (here: in brackets) that "
            "are there).");
  finding.next_check = "Build it (Windows: elsewhere. There) first: i" + meaning.substr(1);
  EXPECT_EQ(steps_of(finding).actions[0],
            "Check first: Build it (Windows: elsewhere. There) first.");
  EXPECT_EQ(steps_of(finding).check, meaning);
  finding.next_check = "Build \"with: a. name\" first: i" + meaning.substr(1);
  EXPECT_EQ(steps_of(finding).actions[0], "Check first: Build \"with: a. name\" first.");
  EXPECT_EQ(steps_of(finding).check, meaning);
}

}  // namespace
}  // namespace trtlens::finding_texts_test
