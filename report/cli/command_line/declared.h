// The commands as CLI11 knows them. CLI11 is slow to compile: only this folder includes it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "report/cli/command_line.h"

namespace trtlens {

struct DeclaredCommand {
  CLI::App* app;
  RunCommand run;
};

// The commands of an App, bound to the members of a CommandLine.
struct Declared {
  CLI::App app{
      "trtlens reads what trtexec and TensorRT print and export, and says where the time goes, "
      "which precision every layer really runs in, what went wrong and what to do.",
      "trtlens"};
  std::vector<DeclaredCommand> commands;

  explicit Declared(CommandLine& line);
};

// All but the hidden ones.
[[nodiscard]] std::vector<CLI::App*> commands_of(CLI::App& app);
[[nodiscard]] std::vector<SettingName> setting_names_of(const Declared& declared);
// False after errors, which are printed.
[[nodiscard]] bool apply_settings(Declared& declared, CLI::App& command, const std::string& config);

}  // namespace trtlens
