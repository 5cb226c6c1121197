// Reports as one text, which only tests hold whole.
#pragma once

#include <string>
#include <vector>

#include "report/formats/json/writer.h"
#include "report/formats/text_stream.h"
#include "report/formats/writer.h"

namespace trtlens {

[[nodiscard]] inline std::string render(const Writer& writer, const Document& document,
                                        const WriterOptions& options) {
  return text_of([&](TextStream& out) { writer.write(document, options, out); });
}

// With the gate that asks for nothing.
template <typename Of>
[[nodiscard]] std::string json_of(const Of& of, const std::string& version) {
  std::vector<GateResult> gates;  // a copy would point into the one that it is of
  gates.push_back(hold(of, GateOptions(), Baseline()));
  return text_of([&](TextStream& out) { write_json(std::vector<Of>{of}, gates, version, out); });
}

}  // namespace trtlens
