// Reads the rule files of a command and changes thresholds; any fault ends the command.
#include "report/cli/rule_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "report/cli/output.h"
#include "report/cli/small_file.h"

namespace trtlens {
namespace {

constexpr std::size_t kMaxRuleBytes = std::size_t{16} << 20;

Diagnostic unreadable(const std::string& path, std::string expected, std::string found) {
  return {"rule-file",         DiagnosticSeverity::error, path, 0, 0,
          std::move(expected), std::move(found)};
}

// The *.json of a directory in the order of their names; a file as it is.
std::vector<std::string> files_of(const std::string& path, std::vector<Diagnostic>& diagnostics) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  std::filesystem::directory_iterator entries(path, error);
  for (const std::filesystem::directory_entry& entry : entries) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  if (error) {
    diagnostics.push_back(unreadable(path, "a readable directory", error.message()));
  } else if (files.empty()) {
    diagnostics.push_back(unreadable(path, "rule files (*.json)", "none"));
  }
  return files;
}

void read_file(const std::string& path, std::vector<RuleFile>& files,
               std::vector<Diagnostic>& diagnostics) {
  std::string text, error;
  if (!read_small_file(path, kMaxRuleBytes, text, error)) {
    diagnostics.push_back(unreadable(path, "a readable file", error));
  } else if (text.size() > kMaxRuleBytes) {
    diagnostics.push_back(unreadable(path, "at most 16 MiB", "more"));
  } else {
    files.push_back({path, std::move(text)});
  }
}

}  // namespace

std::shared_ptr<const RuleBase> read_rules(const RuleOptions& options, bool check_all) {
  std::vector<Diagnostic> diagnostics;
  std::vector<RuleFile> files;
  for (const std::string& path : options.paths) {
    for (const std::string& file : files_of(path, diagnostics)) {
      read_file(file, files, diagnostics);
    }
  }
  RuleBase base = rule_base(files, check_all, diagnostics);
  for (const std::string& text : options.thresholds) {
    std::string problem;
    if (const auto setting = threshold_setting(text, problem)) base.thresholds.push_back(*setting);
  }
  for (const Diagnostic& diagnostic : diagnostics) print_diagnostics({diagnostic});
  if (!diagnostics.empty()) return nullptr;
  return std::make_shared<const RuleBase>(std::move(base));
}

bool set_rules(const RuleOptions& options, const std::vector<std::string>& ignore,
               AnalyzeOptions& how) {
  how.ignore = ignore;
  if (!options.paths.empty() || !options.thresholds.empty()) {
    how.rules = read_rules(options);
    if (!how.rules) return false;
  }
  for (const std::string& item : ignore) {
    const std::string problem = ignore_problem(item, how.rules.get());
    if (problem.empty()) continue;
    complain(fmt::format("--ignore: {}: {}", item, problem));
    return false;
  }
  return true;
}

}  // namespace trtlens
