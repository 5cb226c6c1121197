// What makes trtlens at home at a prompt: completions for shells, and man pages.
#pragma once

#include <string>
#include <vector>

#include "report/cli/command_table.h"
#include "report/cli/prompt/description.h"

namespace trtlens {

// The script that completes words of trtlens.
[[nodiscard]] std::string bash_completion(const CommandDescription& program);
[[nodiscard]] std::string zsh_completion(const CommandDescription& program);
[[nodiscard]] std::string fish_completion(const CommandDescription& program);
// The page of trtlens, or of the command at `path`, in roff.
[[nodiscard]] std::string man_page(const CommandDescription& program,
                                   const std::vector<std::string>& path, const char* version);

// "trtlens-history-add"
[[nodiscard]] std::string man_page_name(const std::vector<std::string>& path);

[[nodiscard]] CommandRow completion_command(std::string& shell);
// `pages`: "history-add" and the like.
[[nodiscard]] CommandRow man_command(std::string& page, std::vector<std::string> pages);
[[nodiscard]] int run_completion(const CommandDescription& program, const std::string& shell);
[[nodiscard]] int run_man(const CommandDescription& program, const std::string& page);
// What completions ask for: the id of each rule; "rule.key=" of each threshold.
[[nodiscard]] int run_rule_ids();
[[nodiscard]] int run_threshold_names();
// Writes all pages and completions to `folder`, each where it stands in a distribution's share/.
[[nodiscard]] int run_prompt_files(const CommandDescription& program, const std::string& folder);

}  // namespace trtlens
