// Any bytes as a JSON export, those that do not begin one behind the beginning of one kind: no
// crash, and every invariant of json_check.h. CMake links it with a json_kind.cc for each kind.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "tests/fuzz/check.h"
#include "tests/fuzz/json_check.h"
#include "tests/fuzz/json_kind.h"

namespace trtlens {
namespace {

std::string_view beginning_of(std::string_view kind) {
  if (kind == "layer_info") return R"({"Layers": [{"Name": "a", "LayerType": "X", )";
  if (kind == "profile") return R"([ { "count" : 3 } , { "name" : "a", "averageMs" : 1, )";
  if (kind == "times") return R"([ { "startEnqMs" : 1, "computeMs" : 2, )";
  if (kind == "output") return R"([ { "name" : "y" , "dimensions" : "1x2", "values" : [ )";
  if (kind == "metadata") return R"({"device_information": {"Selected Device": "A", )";
  if (kind == "tuner") return R"({"iter": 1, "build_route": "-a=b", )";
  return {};
}

void check(std::string_view text) {
  const JsonCheck result(text);
  if (result.broken().empty()) return;
  (void)std::fprintf(stderr, "%s\n", result.broken().c_str());
  FUZZ_CHECK(result.broken().empty());
}

}  // namespace
}  // namespace trtlens

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (trtlens::looks_like_json(text)) {
    trtlens::check(text);
  } else {
    trtlens::check(std::string(trtlens::beginning_of(trtlens::fuzz_kind())).append(text));
  }
  return 0;
}
