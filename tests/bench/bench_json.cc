// Speed of reading JSON exports, beside that of nlohmann's lexer alone: a handler that does
// nothing, over plain pointers. `of_empty` is the speed of the parser as a share of the lexer's,
// both measured in turns.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/json/json_inputs.h"

namespace trtlens {
namespace {

std::string fixture(const char* name) {
  std::ifstream in(std::string(TRTLENS_SOURCE_DIR "/fixtures/builds/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The items of the first list again and again in one document, larger than the caches.
std::string repeated(const char* name) {
  constexpr std::size_t kBytes = std::size_t{16} << 20U;
  const std::string one = fixture(name);
  const std::size_t begin = one.find('[') + 1;
  const std::size_t bindings = one.find("\"Bindings\"");
  const std::size_t end = one.rfind(']', bindings == std::string::npos ? one.size() : bindings);
  if (one.empty() || end == std::string::npos || end <= begin) return {};
  std::string all = one.substr(0, end);
  while (all.size() < kBytes) all += ',' + one.substr(begin, end - begin);
  return all + one.substr(end);
}

// The interface that nlohmann's sax_parse expects; nothing in it is virtual.
struct EmptyHandler {
  static bool null() { return true; }
  static bool boolean(bool /*value*/) { return true; }
  static bool number_integer(std::int64_t /*value*/) { return true; }
  static bool number_unsigned(std::uint64_t /*value*/) { return true; }
  static bool number_float(double /*value*/, const std::string& /*text*/) { return true; }
  static bool string(const std::string& /*value*/) { return true; }
  static bool binary(nlohmann::json::binary_t& /*value*/) { return true; }
  static bool start_object(std::size_t /*size*/) { return true; }
  static bool key(const std::string& /*value*/) { return true; }
  static bool end_object() { return true; }
  static bool start_array(std::size_t /*size*/) { return true; }
  static bool end_array() { return true; }
  static bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                          const nlohmann::detail::exception& /*error*/) {
    return false;
  }
};

void lex(const std::string& text) {
  EmptyHandler handler;
  benchmark::DoNotOptimize(
      nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &handler));
}

// The result is returned, so that its destruction is not timed.
auto parse(const std::string& text) {
  constexpr std::size_t kChunk = std::size_t{1} << 20U;
  std::size_t at = 0;
  const auto next = [&] {
    const std::string_view chunk = std::string_view(text).substr(at, kChunk);
    at += chunk.size();
    return chunk;
  };
  std::vector<Diagnostic> diagnostics;
  return read_json_pieces(next, text.size(), "", 0, diagnostics);
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) *
                          static_cast<std::int64_t>(state.iterations()));
  if (bytes == 0) state.SkipWithError("the fixture is missing");
}

void empty_sax(benchmark::State& state, const char* name) {
  const std::string text = repeated(name);
  for ([[maybe_unused]] auto _ : state) lex(text);
  count_bytes(state, text.size());
}

// CPU time: what the machine does besides is no matter.
void parse_json(benchmark::State& state, const char* name) {
  const std::string text = repeated(name);
  std::clock_t lexing = 0, parsing = 0;
  for ([[maybe_unused]] auto _ : state) {
    const std::clock_t begin = std::clock();
    const auto result = parse(text);
    const std::clock_t parsed = std::clock();
    benchmark::DoNotOptimize(result);
    lex(text);
    parsing += parsed - begin;
    lexing += std::clock() - parsed;
    state.SetIterationTime(static_cast<double>(parsed - begin) / CLOCKS_PER_SEC);
  }
  state.counters["of_empty"] = static_cast<double>(lexing) / static_cast<double>(parsing);
  count_bytes(state, text.size());
}

// clang-format off
BENCHMARK_CAPTURE(empty_sax, layers, "b_mob_q_dwnow_i8/layers.json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_json, layers, "b_mob_q_dwnow_i8/layers.json")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(empty_sax, profile, "b_mob_q_dwnow_i8/profile.json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_json, profile, "b_mob_q_dwnow_i8/profile.json")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(empty_sax, times, "b_r18_q_conv/times.json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(parse_json, times, "b_r18_q_conv/times.json")->UseManualTime()->Unit(benchmark::kMillisecond);
// clang-format on

}  // namespace
}  // namespace trtlens
