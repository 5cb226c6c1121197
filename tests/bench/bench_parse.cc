// Speed of reading a log: splitting lines alone is the ceiling, parsing is to stay within a small
// factor of it. TRTLENS_BENCH_LOG names another log than the fixture (scripts/bench makes one).
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>

#include "parsers/log/framing/lines.h"
#include "parsers/log/log_parser.h"

namespace {
std::uint64_t allocations = 0;
}

// Counts what the parser asks the heap for. Not inlined: g++ would pair malloc with delete.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  std::free(block);
}

namespace trtlens {
namespace {

std::string fixture(const char* name) {
  std::ifstream in(std::string(TRTLENS_SOURCE_DIR "/fixtures/builds/b_r18_q_conv/") + name,
                   std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Several builds in one log, larger than the caches.
std::string big_log() {
  if (const char* path = std::getenv("TRTLENS_BENCH_LOG")) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  const std::string one = fixture("build.log");
  std::string all;
  for (int i = 0; i < 16; ++i) all += one;
  return all;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) *
                          static_cast<std::int64_t>(state.iterations()));
  if (bytes == 0) state.SkipWithError("the fixture is missing");
}

constexpr std::size_t kChunk = 1 << 20;

void split_lines(benchmark::State& state) {
  const std::string log = big_log();
  for ([[maybe_unused]] auto _ : state) {
    LineSplitter splitter;
    std::uint64_t bytes = 0;
    const auto sink = [&bytes](std::string_view line, std::uint64_t, bool) {
      bytes += line.size();
    };
    for (std::size_t at = 0; at < log.size(); at += kChunk) {
      splitter.feed(std::string_view(log).substr(at, kChunk), sink);
    }
    splitter.finish(sink);
    benchmark::DoNotOptimize(bytes);
  }
  count_bytes(state, log.size());
}
BENCHMARK(split_lines)->Unit(benchmark::kMillisecond);

void parse_log(benchmark::State& state) {
  const std::string log = big_log();
  std::uint64_t lines = 0;
  const std::uint64_t before = allocations;
  for ([[maybe_unused]] auto _ : state) {
    LogParser parser(0);
    for (std::size_t at = 0; at < log.size(); at += kChunk) {
      parser.feed(std::string_view(log).substr(at, kChunk));
    }
    LogResult result = parser.finish();
    // The run that is reported.
    if (!result.builds.empty()) make_whole(result.builds.back(), result.rests.back());
    lines += result.lines;
    benchmark::DoNotOptimize(result.lines);
  }
  count_bytes(state, log.size());
  state.counters["allocs_per_line"] =
      static_cast<double>(allocations - before) / static_cast<double>(lines);
}
BENCHMARK(parse_log)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trtlens
