// The profile table of --dumpProfile. samples/common/sampleReporting.cpp, Profiler::print. The
// column heads decide, not the version: an 8.6.10 build was seen with the order of 8.5.
#include "parsers/log/runs/run_builder.h"
#include "parsers/model/limits.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

void add_layer(RunBuilder& b, const ProfileRow& profile_row) {
  // A name may stand twice: each row is a layer of its own.
  Layer* row = &b.layer(profile_row.name, profile_row.pos);
  if (row->time && b.build.layers.size() >= RunBuilder::kMaxLayers) {
    ++b.layers_left_out;
    return;
  }
  if (row->time) {
    Layer copy;
    copy.name = profile_row.name;
    copy.found_in = kFoundInLog;
    copy.pos = profile_row.pos;
    b.build.layers.push_back(copy);
    row = &b.build.layers.back();
  }
  row->time = profile_row.time;
}

void add_row(RunBuilder& b, const Match& m, std::string_view name, std::string_view total,
             std::string_view mean, std::string_view median) {
  ProfileRow row;
  row.name = name;
  row.pos = m.pos;
  if (const auto mean_ms = b.measured(mean, kMaxTimeMs, m.pos)) {
    row.time.emplace();
    row.time->mean_ms = *mean_ms;
    row.time->total_ms = b.measured(total, kMaxTimeMs, m.pos);
    row.time->median_ms = b.measured(median, kMaxTimeMs, m.pos);
    row.time->quantum_ms = quantum_of(mean);
  }
  // Only the last row is the sum; a row called "Total" with another behind it is a layer.
  if (b.last_total) add_layer(b, *b.last_total);
  b.last_total.reset();
  if (name == "Total") {
    b.last_total = row;
  } else {
    add_layer(b, row);
  }
}

void on_head(RunBuilder& b, const Match& m) {
  b.section = LogSection::profile;
  b.last_total.reset();
  if (const auto n = count_of(m[0])) b.build.profile_iterations = n;
  b.build.profile_pos = m.pos;
}

constexpr LineKind kProfileKinds[] = {
    {"profile-head", "=== Profile \\((\\d+) iterations? ?\\) ===", on_head,
     "=== Profile (2238 iterations ) ===", "=== Profile (many iterations ) ==="},
    {"profile-columns-3", Gate::suffix, "Avg. Time (ms)   Time %",
     " *Layer   Time \\(ms\\)   Avg\\. Time \\(ms\\)   Time %",
     [](RunBuilder& b, const Match&) { b.section = LogSection::profile_names_3; },
     "     Layer   Time (ms)   Avg. Time (ms)   Time %", "Name   Avg. Time (ms)   Time %", kNoise},
    {"profile-columns-4", Gate::suffix, "Median Time (ms)   Time %",
     " *Layer   Time \\(ms\\)   Avg\\. Time \\(ms\\)   Median Time \\(ms\\)   Time %",
     [](RunBuilder& b, const Match&) { b.section = LogSection::profile_names_4; },
     "     Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %",
     "Name   Median Time (ms)   Time %", kNoise},
    {"profile-columns-8.6", Gate::suffix, "Time(%)   Layer",
     " *Time\\(ms\\) +Avg\\.\\(ms\\) +Median\\(ms\\) +Time\\(%\\)   Layer",
     [](RunBuilder& b, const Match&) { b.section = LogSection::profile_numbers; },
     "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer", "Time(ms)   Time(%)   Layer",
     kNoise},
    {"profile-row-3", Gate::prefix, "", " *(.*\\S) +(\\S+) +(\\S+) +(\\S+)",
     [](RunBuilder& b, const Match& m) { add_row(b, m, m[0], m[1], m[2], {}); },
     "   Conv_0 + Relu_1     16.77           0.0543      0.5", "Conv_0  1.0  2.0", 0,
     LogSection::profile_names_3},
    {"profile-row-4", Gate::prefix, "", " *(.*\\S) +(\\S+) +(\\S+) +(\\S+) +(\\S+)",
     [](RunBuilder& b, const Match& m) { add_row(b, m, m[0], m[1], m[2], m[3]); },
     "   [HostToDeviceCopy 0]       16.77           0.0543             0.0285      0.5",
     "Conv_0  1.0  2.0  3.0", 0, LogSection::profile_names_4},
    {"profile-row-8.6", Gate::prefix, "",
     " *([0-9.]+|-?nan|inf) +([0-9.]+|-?nan|inf) +([0-9.]+|-?nan|inf) +([0-9.]+|-?nan|inf)   (.*)",
     [](RunBuilder& b, const Match& m) { add_row(b, m, m[4], m[0], m[1], m[2]); },
     "      31.40       0.0017       0.0018       2.1   __mye59_0_myl0_0",
     "1.00 0.5000 0.4000 9.0 conv", 0, LogSection::profile_numbers},
    // A total of 1e8 ms and more fills its column; every column has its number of decimals.
    {"profile-row-touching", Gate::prefix, "",
     " *([0-9]+\\.[0-9]{2}) *([0-9]+\\.[0-9]{4}) *([0-9]+\\.[0-9]{4}) *([0-9]+\\.[0-9])   (.*)",
     [](RunBuilder& b, const Match& m) { add_row(b, m, m[4], m[0], m[1], m[2]); },
     "123456789.00123456789.1234       0.1234      2.1   conv",
     "123456789.00123456789.123 0.1234 2.1   conv", 0, LogSection::profile_numbers},
    {"aux-streams", "The engine uses (\\d+) auxiliary streams, so the \"Total\" latency.*",
     [](RunBuilder& b, const Match& m) { b.build.inference.aux_streams = whole_number(m[0]); },
     "The engine uses 2 auxiliary streams, so the \"Total\" latency may not be accurate because "
     "some layers may have run in parallel!",
     "The engine uses 2 auxiliary streams, so the \"Total\"", kKeep},
    // Of the second context of trtexec.
    {"profile-captured", Gate::prefix, "Skip layer timing collection in CUDA graph capture mode",
     "Skip layer timing collection in CUDA graph capture mode\\..*",
     [](RunBuilder& b, const Match& m) { b.build.inference.untimed_capture = m.pos; },
     "Skip layer timing collection in CUDA graph capture mode.",
     "Skip layer timing collection in CUDA graph capture mode", kKeep},
    {"profile-inaccurate", Gate::prefix, "The network timing report will not be accurate",
     "The network timing report will not be accurate due to (.+)", nullptr,
     "The network timing report will not be accurate due to extra synchronizations when profiler "
     "is enabled.",
     "The network timing report will not be accurate.", kKeep},
};

}  // namespace

LineKinds kinds_of_profile() {
  return kProfileKinds;
}

}  // namespace trtlens
