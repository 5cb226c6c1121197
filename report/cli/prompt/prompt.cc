// The commands `completion` and `man`.
#include "report/cli/prompt/prompt.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "analyzers/rules/rule.h"
#include "analyzers/text.h"
#include "report/cli/commands.h"
#include "report/cli/output_file.h"
#include "report/cli/value_problem.h"

namespace trtlens {
namespace {

std::string completion_of(const CommandDescription& program, const std::string& shell) {
  if (shell == "bash") return bash_completion(program);
  return shell == "zsh" ? zsh_completion(program) : fish_completion(program);
}

// False after an error, which is printed.
bool written(const std::string& folder, const char* in, const std::string& name,
             const std::string& text) {
  const std::filesystem::path parent = std::filesystem::path(folder) / in;
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  const std::string path = (parent / name).string();
  if (error || write_file(path, text) != 0) {
    complain(path + " could not be written");
    return false;
  }
  return true;
}

}  // namespace

CommandRow completion_command(std::string& shell) {
  return {"completion",
          "what completes commands, options, files and rules at the prompt of bash, zsh or fish",
          "Examples:\n"
          "  source <(trtlens completion bash)\n"
          "  source <(trtlens completion zsh)\n"
          "  trtlens completion fish | source\n"
          "\n"
          "The line is for ~/.bashrc, for ~/.zshrc behind compinit, or for "
          "~/.config/fish/config.fish. `cmake --install` puts files where the shells find them by "
          "themselves. Exit status: 0 done; 2 no such shell, or it could not be written.",
          {{"SHELL", &shell, "bash, zsh or fish", "", true, one_of({"bash", "zsh", "fish"})}}};
}

CommandRow man_command(std::string& page, std::vector<std::string> pages) {
  return {"man",
          "the man page of trtlens or of a command, in roff",
          "Examples:\n"
          "  trtlens man | man -l -\n"
          "  trtlens man history-add | man -l -\n"
          "  trtlens man compare > ~/.local/share/man/man1/trtlens-compare.1\n"
          "\n"
          "Exit status: 0 done; 2 no such page, or it could not be written.",
          {{"COMMAND", &page, "one of it, such as compare or history-add; without it of trtlens",
            "", false, one_of(std::move(pages))}}};
}

int run_completion(const CommandDescription& program, const std::string& shell) {
  return print(completion_of(program, shell)) ? kExitDone : kExitFailure;
}

int run_man(const CommandDescription& program, const std::string& page) {
  for (const CommandAt& at : all_commands(program)) {
    if (join(at.path, "-") != page) continue;
    return print(man_page(program, at.path, TRTLENS_VERSION)) ? kExitDone : kExitFailure;
  }
  return kExitFailure;  // the command line lets no other page through
}

int run_rule_ids() {
  const std::shared_ptr<const RuleBase> base = read_rules({}, false);
  if (!base) return kExitFailure;
  std::string ids;
  for (const std::string& id : all_rule_ids(*base)) ids += id + "\n";
  return print(ids) ? kExitDone : kExitFailure;
}

int run_threshold_names() {
  const std::shared_ptr<const RuleBase> base = read_rules({}, false);
  if (!base) return kExitFailure;
  std::string names;
  for (const RuleInfo& rule : all_rule_infos(*base)) {
    for (const Threshold& threshold : rule.thresholds) {
      names += fmt::format("{}.{}=\n", rule.id, threshold.key);
    }
  }
  return print(names) ? kExitDone : kExitFailure;
}

int run_prompt_files(const CommandDescription& program, const std::string& folder) {
  bool is_good =
      written(folder, "bash-completion/completions", "trtlens", bash_completion(program)) &&
      written(folder, "zsh/site-functions", "_trtlens", zsh_completion(program)) &&
      written(folder, "fish/vendor_completions.d", "trtlens.fish", fish_completion(program));
  for (const CommandAt& at : all_commands(program)) {
    is_good = is_good && written(folder, "man/man1", man_page_name(at.path) + ".1",
                                 man_page(program, at.path, TRTLENS_VERSION));
  }
  return is_good ? kExitDone : kExitFailure;
}

}  // namespace trtlens
