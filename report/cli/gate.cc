// Reads what a gate is to do, and its baseline; says which of its lines accept nothing any more.
#include "report/cli/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "report/cli/output.h"
#include "report/cli/small_file.h"

namespace trtlens {

GateOptions gate_options(const GateArguments& arguments, const std::vector<std::string>& ignore) {
  GateOptions options;
  options.fail_on = arguments.fail_on;
  options.threshold = arguments.threshold_percent / 100;
  options.ignore = ignore;
  return options;
}

bool read_baseline(const std::string& path, Baseline& baseline) {
  if (path.empty()) return true;
  std::string bytes;
  if (!read_file_of("--baseline", path, kMaxBaselineBytes, bytes)) return false;
  std::vector<Diagnostic> diagnostics;
  baseline = parse_baseline(bytes, path, diagnostics);
  print_diagnostics(diagnostics);
  return diagnostics.empty();
}

void keep_gone(GateResult& gate, std::vector<BaselineEntry>& gone) {
  const std::vector<BaselineEntry> own = std::exchange(gate.gone, {});
  std::unordered_set<std::uint64_t> lines;
  for (const BaselineEntry& entry : own) lines.insert(entry.line);
  std::erase_if(gone, [&](const BaselineEntry& entry) { return !lines.contains(entry.line); });
}

void name_gone(const std::vector<BaselineEntry>& gone, const std::string& path) {
  constexpr std::size_t kNamed = 5;
  for (std::size_t i = 0; i < std::min(gone.size(), kNamed); ++i) {
    const BaselineEntry& entry = gone[i];
    complain(fmt::format("{}:{}: accepted, but no longer found: {} {}", path, entry.line,
                         entry.rule, entry.about));
  }
  if (gone.size() > kNamed) {
    complain(fmt::format("… and {} more", gone.size() - kNamed));
  }
}

}  // namespace trtlens
