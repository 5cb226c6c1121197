// The command line as data: completions and man pages are made of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trtlens {

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--output"; of a word its name alone: "PATH"
  std::string value;               // what it takes, such as "FILE"; empty: nothing
  std::string help;
  std::string initial;             // its value where it is not given; empty: none, or said in help
  std::vector<std::string> known;  // all values that it may have; empty: any
  bool is_required = false;
  bool repeats = false;
  bool is_list = false;  // one word may hold several values: a,b
};

struct CommandDescription {
  std::string name, help, footer;
  std::vector<OptionDescription> options, words;  // words: what is not an option, such as PATH
  std::vector<CommandDescription> commands;
};

// What a shell can complete in the place of a value.
enum class ValueKind : std::uint8_t { none, known, rule, threshold, path, text };
[[nodiscard]] ValueKind value_kind(const OptionDescription& option);
[[nodiscard]] ValueKind word_kind(const OptionDescription& word);

struct CommandAt {
  std::vector<std::string> path;  // {"history", "add"}; empty: trtlens itself
  const CommandDescription* command;
};
// The program, its commands, and theirs.
[[nodiscard]] std::vector<CommandAt> all_commands(const CommandDescription& program);

// The help of an option in one short line.
[[nodiscard]] std::string short_help(const OptionDescription& option);

// `trtexec … | trtlens --tee -o r.html` takes the options of analyze without the word.
[[nodiscard]] CommandDescription with_options_of_analyze(const CommandDescription& program);
// A backslash in front of each of `special`.
[[nodiscard]] std::string with_backslashes(std::string_view text, std::string_view special);

}  // namespace trtlens
