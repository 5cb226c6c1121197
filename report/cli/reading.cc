#include "report/cli/reading.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "report/cli/output.h"

namespace trtlens {
namespace {

using Clock = std::chrono::steady_clock;

// One line on the terminal, for reading that takes longer than a second.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_) put("\r\x1b[K");
  }
  void update(std::uint64_t done, std::uint64_t total) {
    const auto now = Clock::now();
    if (now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200)) {
      return;
    }
    last_ = now;
    shown_ = true;
    const double mib = static_cast<double>(done) / (1024 * 1024);
    put(total > 0 ? fmt::format("\r\x1b[Ktrtlens: read {:.0f} MiB ({:.0f} %)", mib,
                                100.0 * static_cast<double>(done) / static_cast<double>(total))
                  : fmt::format("\r\x1b[Ktrtlens: read {:.0f} MiB", mib));
  }

 private:
  static void put(const std::string& text) {
    (void)write_all(STDERR_FILENO, text.data(), text.size());
  }
  Clock::time_point start_ = Clock::now(), last_ = start_;
  bool shown_ = false;
};

}  // namespace

ParseResult read_inputs(const std::vector<std::string>& paths, ParseOptions options, bool quiet) {
  ProgressLine line;
  if (!quiet && stderr_is_terminal()) {
    options.progress = [&line](std::uint64_t done, std::uint64_t total) {
      line.update(done, total);
    };
  }
  ParseResult result = parse_inputs(paths, options);
  return result;
}

bool usable(const ParseResult& parsed) {
  bool any = false;
  for (const Input& input : parsed.inputs) {
    if (!input.why.empty()) {
      // In a directory other files lie about; only what the user named deserves a word.
      if (input.explicitly_named) complain(input.path + ": " + input.why);
      continue;
    }
    if (input.kind == InputKind::unknown) {
      if (input.explicitly_named) {
        complain(input.path +
                 ": JSON, but none of trtexec's exports (layer info, profile, times, "
                 "output) nor TREx metadata");
      }
      continue;
    }
    any = true;
  }
  print_diagnostics(parsed.diagnostics);
  if (any) return true;
  const bool named = std::any_of(parsed.inputs.begin(), parsed.inputs.end(),
                                 [](const Input& i) { return i.explicitly_named; });
  if (!named) {
    complain(parsed.inputs.empty() ? "no file in the directories given"
                                   : "no log of trtexec and none of its JSON exports in the "
                                     "directories given");
  } else if (parsed.inputs.size() > 1) {
    complain("nothing that could be analyzed");
  }
  return false;
}

}  // namespace trtlens
