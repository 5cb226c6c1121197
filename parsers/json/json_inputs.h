// Public door of the JSON exports that belong to a trtexec build: bytes in, records out.
//
// Kinds are told apart by content only. Every repair of a malformed input is a Diagnostic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/build.h"
#include "parsers/model/diagnostic.h"
#include "parsers/parse.h"

namespace trtlens {

// Something odd in a document: how often, and the first one at its place.
struct Oddity {
  std::uint64_t count = 0;
  SourcePos pos;
  std::string text;
};

// One JSON document. Loose objects that follow each other (JSON lines, layers printed one by one)
// are one document.
struct JsonRecords {
  SourcePos pos;  // first byte of the document

  // Layer info. onnx_nodes come from Metadata, else from the name; opt_profile from the name.
  std::vector<Layer> layers;
  std::vector<IoTensor> io_tensors;

  std::vector<Layer> profile;  // name, time, onnx_nodes; found_in is kFoundInProfile
  std::optional<std::uint64_t> profile_count;  // iterations; samples a layer of an IProfiler dump

  std::vector<Query> queries;
  std::vector<OutputValues> outputs;
  std::vector<TuningIteration> tuner;
  // "device_information/Selected Device" -> "NVIDIA A100", numbers as written, lists joined by
  // ", "; for kinds metadata and tuner.
  std::map<std::string, std::string> metadata;

  Oddity impossible_times;   // that no clock gives (negative, beyond any run): left out
  Oddity impossible_counts;  // of weights (negative, broken, beyond any memory): these are left out
  Oddity duplicate_keys;     // members that come twice in an object: the last one counts

  InputKind kind = InputKind::unknown;
  bool truncated = false;   // the document ends before its closing bracket
  bool names_only = false;  // every layer is a string
};

// All documents of one file, in order. `path` is for diagnostics, `file_index` for positions.
// Lines and columns are those of the text after conversion to UTF-8.
[[nodiscard]] std::vector<JsonRecords> read_json(std::string_view text, const std::string& path,
                                                 std::uint32_t file_index,
                                                 std::vector<Diagnostic>& diagnostics);

// The same for a file of `bytes` bytes that `next` gives piece by piece (each valid until the next
// call; empty at the end), of which only one is in memory at a time. None, and no diagnostic, when
// it is not plain valid JSON in UTF-8: read_json() is then to look at all of it.
[[nodiscard]] std::optional<std::vector<JsonRecords>> read_json_pieces(
    const std::function<std::string_view()>& next, std::size_t bytes, const std::string& path,
    std::uint32_t file_index, std::vector<Diagnostic>& diagnostics);

}  // namespace trtlens
