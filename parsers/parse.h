// Public door of the parsers: paths in, Builds out. Never throws on bad content.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parsers/model/build.h"
#include "parsers/model/diagnostic.h"

namespace trtlens {

class Redactor;  // parsers/redact/redactor.h

enum class InputKind : std::uint8_t {
  log,
  layer_info,
  profile,
  times,
  output,
  tuner,
  metadata,
  unknown
};
[[nodiscard]] const char* to_string(InputKind kind);

struct Input {
  std::string path;  // as given, or as a Redactor names it; "-" for standard input
  std::string file;  // as given
  InputKind kind = InputKind::unknown;
  std::uint64_t bytes = 0, lines = 0;
  std::vector<int> runs;          // of the runs found in it (logs)
  bool readable = true;           // false: `why` says why
  bool is_text = true;            // false: binary
  bool explicitly_named = false;  // on the command line, not found in a directory
  bool interrupted = false;       // by us: what its writer had to say goes on
  std::string why;

  // What somebody named and could not be read.
  [[nodiscard]] bool is_missing() const { return explicitly_named && !readable; }
};

// A log while it is read: the run that its last line belongs to. Valid during the call.
struct LogSoFar {
  const Build& build;                 // what does not wait for the end of the run; without races
  const std::deque<Autotune>& races;  // that have ended
  const TimingCursor& cursor;         // the layer that is being timed, or was last
  const TimedLayers& layers;
  std::uint64_t first_line;         // of the run
  std::uint64_t last_line;          // of the log
  std::optional<Outcome> verdict;   // the run is over
  std::optional<double> elapsed_s;  // from the first stamp of the log to the last one
  std::function<Build()> whole;     // a copy of `build` with what its command and banner say
};

struct ParseOptions {
  int run = 0;                // --run N; 0: the last one
  int build = 0;              // --build N: of what did not join; 0: the first
  bool other_runs = false;    // runs that do not join the reported one are builds as well
  bool keep_tactics = false;  // --keep-tactics: every tactic line is a record of its own
  // What is read is read as it leaves it, and paths are named so; outlives the reading.
  Redactor* redactor = nullptr;
  // Asked about lines without TensorRT's header. Empty: the parser's own words decide alone.
  KnownMessage known_message;
  // Called with (bytes done, bytes in all or 0) now and then while reading.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
  // Called when an input has been read and parsed, or could not be.
  std::function<void(const Input&)> input_done;
  // Called behind every chunk of a log, when a run has begun.
  std::function<void(const LogSoFar&)> so_far;
  // Whether standard input ended because somebody asked for its end; asked at its end.
  std::function<bool()> interrupted;
  // Called with every chunk of standard input (`--tee`).
  std::function<void(const char*, std::size_t)> tee;
};

// What was read and how well; the same for all builds that came of it.
struct Reading {
  std::vector<Input> inputs;
  std::vector<Run> runs;  // by number; of a log of thousands the oldest are left out
  int run_count = 0;      // those left out, too
  Coverage coverage;      // of every log
  std::vector<Diagnostic> diagnostics;
};

// Whether the last run of an input that was interrupted is of this build: that it does not end says
// nothing of it.
[[nodiscard]] bool is_interrupted(const Build& build, const std::vector<Input>& inputs,
                                  const std::vector<Run>& runs);

struct ParseResult : Reading {
  std::vector<Build> builds;  // the first is the one to report; the others did not join it
  std::vector<std::string> build_names;  // parallel: a directory, or its first file
  bool run_not_found = false;            // --run named a run that is not there
  // Which of the builds was put first; 1 unless --build named another one.
  int first_build = 1;
  bool build_not_found = false;  // --build named one that is not there
};

// Reads files, directories and "-". One Build for what joins (see the rule in join.cc).
[[nodiscard]] ParseResult parse_inputs(const std::vector<std::string>& paths,
                                       const ParseOptions& options);

}  // namespace trtlens
