// Any bytes as a log: no crash, every line in exactly one class, and the cut into chunks changes
// nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/log/lint/line_shape.h"
#include "parsers/log/log_parser.h"
#include "tests/fuzz/check.h"
#include "tests/property/line_kind_oracle.h"
#include "tests/unit/log_ways.h"

namespace trtlens {
namespace {

constexpr std::uint32_t kFile = 5;

struct Seen {
  std::array<std::uint64_t, kLineClassCount> lines{};
};

void note(Seen& seen, std::string_view line, const LineVerdict& verdict) {
  ++seen.lines.at(static_cast<std::size_t>(verdict.line_class));
  FUZZ_CHECK(verdict.kind != nullptr && verdict.near != nullptr);
  FUZZ_CHECK((*verdict.near != '\0') == (verdict.line_class == LineClass::malformed));
  const std::string shape = line_shape(line);
  FUZZ_CHECK(shape.size() <= 400);
  for (const char c : shape) FUZZ_CHECK(static_cast<unsigned char>(c) >= ' ');
}

LogResult parse(std::string_view text, std::size_t chunk, Way way, Seen& seen) {
  LogOptions options;
  options.observe = [&](std::string_view line, const LineVerdict& verdict) {
    note(seen, line, verdict);
  };
  return read_in_chunks(kFile, text, chunk, way, options);
}

void check_position(const SourcePos& pos, std::uint64_t lines) {
  FUZZ_CHECK(pos.line <= lines);
  FUZZ_CHECK(pos.line == 0 || pos.file == kFile);
}

void check_build(const Build& build, std::uint64_t lines) {
  for (const Message& message : build.messages) {
    FUZZ_CHECK(message.count >= 1 && message.pos.line >= 1);
    check_position(message.pos, lines);
  }
  for (const Layer& layer : build.layers) {
    check_position(layer.pos, lines);
    FUZZ_CHECK(!layer.time || std::isfinite(layer.time->mean_ms));
  }
  for (const Autotune& race : build.autotuning) {
    check_position(race.pos, lines);
    FUZZ_CHECK(!race.chosen_ms || std::isfinite(*race.chosen_ms));
    FUZZ_CHECK(!race.runner_up_ms || std::isfinite(*race.runner_up_ms));
    FUZZ_CHECK(race.timed <= lines);
  }
  for (const MissingScale& scale : build.missing_scales) FUZZ_CHECK(scale.count >= 1);
  if (build.performance.throughput_qps) {
    FUZZ_CHECK(std::isfinite(*build.performance.throughput_qps));
  }
}

void check_result(const LogResult& result, const Seen& seen) {
  FUZZ_CHECK(result.coverage.lines() == result.lines);
  FUZZ_CHECK(result.coverage.count == seen.lines);
  FUZZ_CHECK(result.own_lines <= result.lines);
  FUZZ_CHECK(result.builds.size() == result.runs.size());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const Run& run = result.runs[i];
    FUZZ_CHECK(run.file == kFile);
    // Runs end one after another; one that began earlier is around the others (11.1's tuning loop).
    FUZZ_CHECK(run.first_line >= 1 && run.last_line >= end);
    FUZZ_CHECK(run.first_line <= run.last_line && run.last_line <= result.lines);
    end = run.last_line;
    check_build(result.builds[i], result.lines);
  }
}

void check_same(std::string_view text, std::size_t chunk, Way way, const LogResult& whole) {
  Seen seen;
  const LogResult other = parse(text, chunk, way, seen);
  FUZZ_CHECK(other.coverage.count == whole.coverage.count);
  FUZZ_CHECK(other.own_lines == whole.own_lines);
  FUZZ_CHECK(other.runs.size() == whole.runs.size());
  for (std::size_t i = 0; i < whole.builds.size(); ++i) {
    FUZZ_CHECK(other.builds[i].messages.size() == whole.builds[i].messages.size());
    FUZZ_CHECK(other.builds[i].layers.size() == whole.builds[i].layers.size());
    FUZZ_CHECK(other.builds[i].onnx_nodes.size() == whole.builds[i].onnx_nodes.size());
    FUZZ_CHECK(other.builds[i].autotuning.size() == whole.builds[i].autotuning.size());
    FUZZ_CHECK(other.builds[i].tactics_timed == whole.builds[i].tactics_timed);
    FUZZ_CHECK(other.runs[i].outcome == whole.runs[i].outcome);
  }
}

// Some lines of the input, as the patterns alone read them: all of them would take most of the
// time.
void check_extractors(std::string_view text) {
  constexpr std::size_t kAsked = 4;
  for (std::size_t i = 0; i < kAsked; ++i) {
    const std::size_t near = text.size() * i / kAsked;
    const std::size_t begin = near == 0 ? 0 : text.find('\n', near - 1) + 1;
    if (begin == 0 && near > 0) return;
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    if (line.size() < 1000) FUZZ_CHECK(oracle_difference(line).empty());
  }
}

void check(std::string_view text) {
  Seen whole_seen;
  const std::size_t all = std::max<std::size_t>(1, text.size());
  const LogResult whole = parse(text, all, Way::usual, whole_seen);
  check_result(whole, whole_seen);

  const bool utf16 = text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff";
  if (!utf16) {
    const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    FUZZ_CHECK(whole.lines == feeds + (!text.empty() && text.back() != '\n' ? 1 : 0));
  }
  check_same(text, 1 + text.size() % 37, Way::usual, whole);
  check_same(text, all, Way::no_short_cuts, whole);
  check_extractors(text);
}

}  // namespace
}  // namespace trtlens

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trtlens::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
