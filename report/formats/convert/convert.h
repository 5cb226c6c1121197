// The layers of a build in the formats of other tools: docs/convert.md.
#pragma once

#include <string_view>
#include <vector>

#include "analyzers/analysis.h"
#include "report/formats/text_stream.h"

namespace trtlens {

struct Converter {
  std::string_view name;
  bool is_binary = false;
  void (*write)(const Analysis& analysis, TextStream& out) = nullptr;
};

// csv.cc, dot.cc, jsonl.cc, perfetto.cc, speedscope.cc
extern const Converter kCsv, kDot, kJsonl, kPerfetto, kSpeedscope;

[[nodiscard]] const std::vector<const Converter*>& all_converters();  // by name

}  // namespace trtlens
