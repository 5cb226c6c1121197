// Any bytes as a JSON export: no crash, and what comes out is marked as the header of read_json
// promises.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parsers/json/json_inputs.h"
#include "tests/fuzz/check.h"

namespace trtlens {
namespace {

constexpr std::uint32_t kFile = 3;

void check_layers(const JsonRecords& document, std::uint64_t lines) {
  for (const Layer& layer : document.layers) {
    FUZZ_CHECK((layer.found_in & kFoundInLayerInfo) != 0);
    FUZZ_CHECK(layer.pos.file == kFile && layer.pos.line <= lines);
    FUZZ_CHECK(layer.opt_profile >= 0);
  }
  for (const Layer& layer : document.profile) {
    FUZZ_CHECK((layer.found_in & kFoundInProfile) != 0);
    FUZZ_CHECK(!layer.time || std::isfinite(layer.time->mean_ms));
    FUZZ_CHECK(!layer.time || !layer.time->median_ms || std::isfinite(*layer.time->median_ms));
  }
  for (const Query& query : document.queries) {
    FUZZ_CHECK(std::isfinite(query.start_ms) && std::isfinite(query.compute_ms));
    FUZZ_CHECK(std::isfinite(query.latency_ms));
  }
}

void check(std::string_view text) {
  (void)looks_like_json(text);
  std::vector<Diagnostic> diagnostics;
  const std::vector<JsonRecords> documents = read_json(text, "fuzz.json", kFile, diagnostics);

  // Conversion from UTF-16 can only lose bytes per line feed, never add lines.
  const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  for (const Diagnostic& diagnostic : diagnostics) {
    FUZZ_CHECK(!diagnostic.id.empty() && !diagnostic.expected.empty());
    FUZZ_CHECK(diagnostic.file == "fuzz.json");
    FUZZ_CHECK(diagnostic.line <= feeds + 1);
  }
  FUZZ_CHECK(documents.size() <= text.size());
  for (const JsonRecords& document : documents) {
    FUZZ_CHECK(document.pos.file == kFile || document.pos.line == 0);
    FUZZ_CHECK(document.layers.size() + document.profile.size() + document.queries.size() <=
               text.size());
    check_layers(document, feeds + 1);
  }

  std::vector<Diagnostic> again;
  FUZZ_CHECK(read_json(text, "fuzz.json", kFile, again).size() == documents.size());
  FUZZ_CHECK(again.size() == diagnostics.size());
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
