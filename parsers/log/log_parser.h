// Lines to Builds: splits headers, classifies every line, ends and begins runs.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "parsers/model/build.h"
#include "parsers/model/diagnostic.h"

namespace trtlens {

class RunBuilder;
struct LogSoFar;  // parsers/parse.h

// What is not yet part of a run's Build: its layers, nodes and races come by the thousand,
// and few runs are looked at. Null: nothing.
using RestOfRun = std::shared_ptr<RunBuilder>;
// Adds it; a second call adds nothing.
void make_whole(Build& build, RestOfRun& rest);

struct LogResult {
  std::deque<Build> builds;         // one a run; a Build is large, and few are looked at
  std::vector<RestOfRun> rests;     // parallel
  std::vector<Run> runs;            // parallel; numbered in the log
  std::uint64_t runs_left_out = 0;  // of a log of thousands: before the others
  Coverage coverage;
  std::uint64_t lines = 0, own_lines = 0;
  std::uint64_t library_lines = 0;        // TensorRT's words without TensorRT's header
  std::uint64_t messages_left_out = 0;    // lines: a run keeps 20000 different messages
  std::uint64_t rows_left_out = 0;        // of the banner, the memory, inputs and outputs
  std::uint64_t layers_left_out = 0;      // lines about layers and nodes beyond the most of a run
  std::uint64_t races_left_out = 0;       // beyond AutotuneFold::kMaxRaces of a run
  std::uint64_t candidates_left_out = 0;  // beyond AutotuneFold::kMaxCandidates of a race
  std::uint64_t impossible_numbers = 0, first_impossible_line = 0;  // left out
  std::uint64_t cut_lines = 0, first_cut_line = 0;
};

// What became of one line; for lint and tests.
struct LineVerdict {
  LineClass line_class = LineClass::foreign;
  const char* kind = "";  // id of its kind, "" when none
  const char* near = "";  // malformed: id of the kind whose gate it passed
};

struct LogOptions {
  int keep_run = 0;  // of many runs the newest are kept whole, and this one (1-based); 0: none
  // Every tactic line becomes a record of its own; memory then grows with the log.
  bool keep_tactics = false;
  // False: every line goes the long way that unusual lines go; the result is the same. For tests.
  bool take_short_cuts = true;
  KnownMessage known_message{};  // lines without TensorRT's header are held against it, too
  // Called for every line, in order.
  std::function<void(std::string_view line, const LineVerdict& verdict)> observe{};
};

class LogParser {
 public:
  // Positions of this log get `file`.
  explicit LogParser(std::uint32_t file, LogOptions options = {});
  ~LogParser();
  LogParser(const LogParser&) = delete;
  LogParser& operator=(const LogParser&) = delete;

  void feed(std::string_view chunk);  // any cut, UTF-8; UTF-16 with a byte order mark is converted
  // Shows what is known so far, when a run has begun.
  void so_far(const std::function<void(const LogSoFar&)>& show);
  [[nodiscard]] LogResult finish();

 private:
  struct Stages;  // framing, classifier, runs: each knows the one behind it
  std::unique_ptr<Stages> stages_;
};

}  // namespace trtlens
