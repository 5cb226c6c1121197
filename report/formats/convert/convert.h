// The layers of a build, and builds, in the formats of other tools: docs/convert.md.
#pragma once

#include <string_view>
#include <vector>

#include "analyzers/analysis.h"
#include "analyzers/gate/gate.h"
#include "report/formats/text_stream.h"

namespace trtlens {

struct Converter {
  std::string_view name;
  bool is_binary = false;
  void (*write)(const Analysis& analysis, TextStream& out) = nullptr;
  bool is_rows = false;  // those of several builds may follow each other, below one heading
  void (*write_heading)(TextStream& out) = nullptr;  // null: it has none
};

// csv.cc, dot.cc, jsonl.cc, perfetto.cc, speedscope.cc
extern const Converter kCsv, kDot, kJsonl, kPerfetto, kSpeedscope;

// A row a build: the facts of the report's "builds". `gates`: as many as analyses;
// `rows`: which, in order.
void write_builds_csv(const std::vector<Analysis>& analyses, const std::vector<GateResult>& gates,
                      const std::vector<std::size_t>& rows, TextStream& out);

}  // namespace trtlens
