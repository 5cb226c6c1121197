// Which inputs are one Build. The rule stands in report-json's "Joining", in join.cc and runs.cc.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/json/json_inputs.h"
#include "parsers/log/log_parser.h"
#include "parsers/model/build.h"
#include "parsers/parse.h"

namespace trtlens {

// Keeps what is known already.
template <typename T>
void fill(std::optional<T>& into, std::optional<T> from) {
  if (!into) into = std::move(from);
}

// What one file held.
struct FileContent {
  std::size_t input = 0;  // index into Reading::inputs
  std::string group;      // directory that it lies in
  bool named = false;     // on the command line, itself and not its directory
  LogResult log;
  std::vector<JsonRecords> documents;
};

// Fills runs, builds, build_names and coverage of `result` from what was read. A deque grows
// without copying what it has.
void join_contents(std::deque<FileContent> contents, const ParseOptions& options,
                   ParseResult& result);

// Takes the layers of the log, layer info and profile into one list; joined by name, order breaks
// ties between equal names. Sets profile_sum_ms and unattributed_ms.
void join_layers(Build& build, std::vector<Layer> layer_info, std::vector<Layer> profile);

// Says that a profile has nothing but zeros, or layers without a time.
void report_layer_times(const Build& build, Reading& result);

// Adds the layers of a second log of the same engine: --dumpLayerInfo and the table of
// --dumpProfile.
void join_log_layers(Build& build, std::vector<Layer> more);

// What the timing run says of how the engine was timed stands.
void join_inference(Inference& into, Inference& from);

// Adds what the tuner's files say to what the log says of its loop.
void join_tuning(Tuning& into, std::vector<TuningIteration> iterations,
                 const std::map<std::string, std::string>& metadata);

// Facts of TREx's metadata files, where nothing better is known.
void apply_metadata(Build& build, const std::map<std::string, std::string>& metadata);

}  // namespace trtlens
