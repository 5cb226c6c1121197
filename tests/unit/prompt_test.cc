// Completions and man pages of a made-up command line, whose texts are what shells and roff take
// for their own.
#include "report/cli/prompt/prompt.h"
#include "analyzers/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/cli/command_line.h"
#include "report/cli/value_problem.h"

namespace trtlens::prompt_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

OptionDescription option(std::vector<std::string> names, std::string value, std::string help,
                         std::vector<std::string> known = {}) {
  OptionDescription made;
  made.names = std::move(names);
  made.value = std::move(value);
  made.help = std::move(help);
  made.known = std::move(known);
  return made;
}

CommandDescription program() {
  CommandDescription nested{"add", "takes it in", "", {}, {}, {}};
  CommandDescription analyze{"analyze", "what's [new]: all", "", {}, {}, {}};
  analyze.options = {
      option({"-c", "--color"}, "WHEN", "it's [a:b] \\d: auto, never", {"auto", "never"}),
      option({"--top"}, "N", "rows shown; 0: all")};
  analyze.options[1].initial = "10";
  CommandDescription history{"history", "builds", "", {}, {}, {nested}};
  return {"trtlens",
          "all",
          "Examples:\n  trtlens 'x' -o .\n\n.so /etc/passwd\n\n'Text. Exit status: 0 done; 2 not.",
          {},
          {},
          {analyze, history}};
}

TEST(Prompt, ValuesAreToldApartByTheirNames) {
  EXPECT_EQ(value_kind(option({"-q"}, "", "")), ValueKind::none);
  EXPECT_EQ(value_kind(option({"-o"}, "FILE", "")), ValueKind::path);
  EXPECT_EQ(value_kind(option({"-o"}, "DIR", "")), ValueKind::path);
  EXPECT_EQ(value_kind(option({"--top"}, "N", "")), ValueKind::text);
  EXPECT_EQ(value_kind(option({"--ignore"}, "RULE[:REGEX]", "")), ValueKind::rule);
  EXPECT_EQ(value_kind(option({"--t"}, "RULE.KEY=VALUE", "")), ValueKind::threshold);
  EXPECT_EQ(value_kind(option({"--color"}, "FILE", "", {"a"})), ValueKind::known);
  EXPECT_EQ(word_kind(option({"PATH"}, "TEXT", "")), ValueKind::path);
  EXPECT_EQ(word_kind(option({"ID"}, "INT", "")), ValueKind::text);
  EXPECT_EQ(word_kind(option({"RULE"}, "TEXT", "")), ValueKind::rule);
}

TEST(Prompt, HelpIsCutToALine) {
  EXPECT_EQ(short_help(option({"-o"}, "FILE", "write it; more of it")), "write it");
  EXPECT_EQ(short_help(option({"-o"}, "FILE", "write it (default: no)")), "write it");
  EXPECT_EQ(short_help(option({"-o"}, "FILE", "text: these")), "text: these");
  EXPECT_EQ(short_help(option({"-o"}, "X", "text: these: a, b", {"a", "b"})), "text: these");
}

TEST(Prompt, CommandsHaveTheirPaths) {
  const CommandDescription made = program();
  std::vector<std::string> pages;
  for (const CommandAt& at : all_commands(made)) pages.push_back(man_page_name(at.path));
  EXPECT_THAT(pages,
              ElementsAre("trtlens", "trtlens-analyze", "trtlens-history", "trtlens-history-add"));
}

TEST(Prompt, TextsStayTextInShells) {
  EXPECT_EQ(shell_quoted("it's $(x)"), "'it'\\''s $(x)'");
  EXPECT_THAT(zsh_completion(program()),
              HasSubstr(R"('(-c --color)--color=[it'\''s \[a\:b\] \\d]:WHEN:(auto never)')"));
  EXPECT_THAT(zsh_completion(program()), HasSubstr(R"('analyze:what'\''s [new]: all')"));
  EXPECT_THAT(fish_completion(program()),
              HasSubstr(R"(-n '__trtlens_at analyze' -s c -l color -x -a 'auto never' )"
                        R"(-d 'it\'s [a:b] \\d')"));
  EXPECT_THAT(bash_completion(program()),
              HasSubstr("-c | --color) kind=known known='auto never' ;;"));
}

TEST(Prompt, TextsStayTextInRoff) {
  const std::string page = man_page(program(), {}, "1.2.3");
  EXPECT_THAT(page, HasSubstr(".TH TRTLENS 1 \"\" \"trtlens 1.2.3\" \"trtlens\"\n"));
  EXPECT_THAT(page, HasSubstr(".PP\n\\&.so /etc/passwd\n"));
  EXPECT_THAT(page, HasSubstr(".PP\n\\&\\(aqText.\n"));
  EXPECT_THAT(page, HasSubstr(".nf\ntrtlens \\(aqx\\(aq \\-o .\n.fi\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fB0\\fR\ndone\n.TP\n\\fB2\\fR\nnot\n"));
  const std::string analyze = man_page(program(), {"analyze"}, "1");
  EXPECT_THAT(analyze, HasSubstr("\\fB\\-c\\fR, \\fB\\-\\-color\\fR \\fIWHEN\\fR\n"
                                 "it\\(aqs [a:b] \\ed: auto, never\n"));
  EXPECT_THAT(analyze, HasSubstr("rows shown; 0: all (default: 10)\n"));
  EXPECT_THAT(man_page(program(), {"no"}, "1"), IsEmpty());
}

const CommandDescription& named(const std::vector<CommandDescription>& commands,
                                const std::string& name) {
  const auto found = std::ranges::find(commands, name, &CommandDescription::name);
  EXPECT_NE(found, commands.end()) << name;
  return *found;
}

TEST(Prompt, TheCommandLineIsReadOff) {
  const CommandDescription all = describe_commands();
  const CommandDescription& check = named(all.commands, "check");
  const auto fail_on = std::ranges::find_if(
      check.options, [](const auto& one) { return one.names.front() == "--fail-on"; });
  ASSERT_NE(fail_on, check.options.end());
  EXPECT_THAT(fail_on->known, ElementsAre("broken", "cannot-tell", "none"));
  EXPECT_EQ(fail_on->initial, "broken");
  EXPECT_FALSE(fail_on->repeats);
  const CommandDescription& add = named(named(all.commands, "history").commands, "add");
  ASSERT_FALSE(add.words.empty());
  EXPECT_TRUE(add.words.front().repeats && add.words.front().is_required);
  EXPECT_THAT(add.footer, HasSubstr("trtlens history add --db builds.db nightly/"));
  const CommandDescription& analyze = named(all.commands, "analyze");
  const auto section = std::ranges::find_if(
      analyze.options, [](const auto& one) { return one.names.front() == "--section"; });
  ASSERT_NE(section, analyze.options.end());
  EXPECT_TRUE(section->is_list && section->repeats);
  EXPECT_THAT(section->known, Not(IsEmpty()));
  EXPECT_TRUE(std::ranges::none_of(all.commands,
                                   [](const auto& command) { return command.name == "rule-ids"; }));
}

TEST(Prompt, OnlyAFixedSetIsKnown) {
  EXPECT_EQ(known_values(one_of({"a", "b"})), "a,b");
  EXPECT_EQ(known_values(whole_number_from(1)), "");
  EXPECT_EQ(known_values(nullptr), "");
}

}  // namespace trtlens::prompt_test
