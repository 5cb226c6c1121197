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
#include <vector>

#include "analyzers/compare/comparison.h"
#include "analyzers/gate/gate.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/engine/message_rules.h"
#include "tests/unit/build_maker.h"

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

bool is_message_rule(const std::string& rule) {
  return coded_rule_infos().find(rule) == coded_rule_infos().end();
}

void hold(const Finding& finding, const std::vector<std::string>& labels,
          const std::string& input) {
  const std::string where = input + ", " + finding.rule + ": ";
  const std::string title = without_names(finding.title, labels);
  // What a message says is quoted, often behind a colon: rule_texts_test counts the rest of it.
  const bool quotes = is_message_rule(finding.rule);
  EXPECT_LE(count(quotes ? title.substr(0, title.find(": ")) : title).numbers, 1)
      << where << finding.title;
  if (!quotes) {
    EXPECT_LE(count(title).words, 12) << where << finding.title;
    EXPECT_EQ(title.find('('), std::string::npos) << where << finding.title;
    EXPECT_LE(sentences(finding.why), 2) << where << finding.why;
    EXPECT_LE(finding.remedies.size(), 3U) << where;
  }
  EXPECT_LE(finding.where.size(), 3U) << where;
  // A command that is named in running text is marked, and stands in the list as well.
  static const RE2 marked("`[^`]*`");
  std::string said = check_of(finding.next_check).text;
  RE2::GlobalReplace(&said, marked, "");
  EXPECT_EQ(said.find("trtexec --"), std::string::npos) << where << finding.next_check;
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

TEST(FindingTexts, OfSharedBuilds) {
  const std::vector<std::string> paths = folders(test::shared("builds"));
  if (paths.empty()) GTEST_SKIP() << "no builds";
  hold_builds(paths);
}

TEST(FindingTexts, PlacesAreTheCostliestThreeAndTheNumberOfTheOthers) {
  const Analysis a = test::analyze_path(test::fixture("b_r18_q_conv"));
  ASSERT_FALSE(a.findings.empty());
  const Finding& first = a.findings.front();
  EXPECT_EQ(first.rule, "residual-add-not-quantised");
  EXPECT_EQ(first.where.size(), 3U);
  EXPECT_EQ(first.where_left_out, first.layers.size() - 3);
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
  is("`a b` on the host: does it?", "The command on the host: does it?", {"a b"});
  is("`a b`, then `c d`: does it?", "Does it?", {"a b", "c d"});
  is("`a` and `b` with `c`: does it?", "The commands with `c`: does it?", {"a", "b"});
  is("`a b`, with the `c -d`: does it?", "The command, with the `c -d`: does it?", {"a b", "c -d"});
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

TEST(FindingTexts, TheCommandsOfAGuessComeWithItsFirstStep) {
  Finding finding;
  finding.confidence = Confidence::guessed;
  finding.remedies = {"Do it."};
  finding.next_check = "`a b`: does it?";
  EXPECT_EQ(steps_of(finding).actions,
            (std::vector<std::string>{"Check first: Does it?", "Do it."}));
  EXPECT_EQ(steps_of(finding).commands, std::vector<std::string>{"a b"});
  EXPECT_EQ(steps_of(finding).check, "");
  finding.next_check = "`a b`";
  EXPECT_EQ(steps_of(finding).actions[0], "Check first: run the command below.");
}

}  // namespace
}  // namespace trtlens::finding_texts_test
