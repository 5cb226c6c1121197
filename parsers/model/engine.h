// What ran and how it ended: TensorRT, GPU, command, options, outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trtlens {

enum class Outcome : std::uint8_t { unknown, passed, failed, truncated };
[[nodiscard]] const char* to_string(Outcome outcome);

enum class VersionSource : std::uint8_t { banner, log, guessed };
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::optional<int> build;  // [bNN] of the banner, 10.4+
  VersionSource source = VersionSource::guessed;

  [[nodiscard]] int number() const { return major * 10000 + minor * 100 + patch; }
  [[nodiscard]] std::string text() const;
};

struct Gpu {
  std::string name;
  std::string compute_capability;  // "9.0"
  std::optional<int> sms;
  std::optional<std::int64_t> memory_bytes;
  std::optional<double> compute_clock_ghz, memory_clock_ghz;
  std::optional<int> memory_bus_bits;
  // Compute capability as 10 * major + minor, 90 for "9.0".
  [[nodiscard]] std::optional<int> sm() const;
};

// Flags of a recorded trtexec command line: "--fp16" -> {"fp16", ""}.
struct CommandOptions {
  std::vector<std::pair<std::string, std::string>> flags;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> value(const std::string& name) const;  // last one wins
};
// "--onnx=m.onnx --int8" as flags, by Boost.ProgramOptions with unknown flags allowed.
[[nodiscard]] CommandOptions parse_command(const std::string& command);
// The run loads an engine and builds none: its flags say nothing of how the engine was built.
[[nodiscard]] bool only_loads(const CommandOptions& options);

// What the build was allowed to use, from its options.
struct AllowedPrecision {
  std::vector<std::string> labels;  // "FP32", "FP16", "INT8", …; empty: not known
  bool strongly_typed = false;
  bool no_tf32 = false;
};
// Whether a label is among what was allowed. False when nothing is known of that.
[[nodiscard]] bool allows(const AllowedPrecision& allowed, std::string_view label);

// One trtexec (or other) run found in a log.
struct Run {
  int n = 0;  // 1-based, over all logs
  std::string producer, command;
  Outcome outcome = Outcome::unknown;
  std::uint32_t file = 0;
  std::uint64_t first_line = 0, last_line = 0;
  bool is_build = false;  // by itself or with another run, one of those of the reading
};

}  // namespace trtlens
