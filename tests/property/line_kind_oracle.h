// The table of line kinds with its short cuts (extractors, gates that are the whole pattern, hot
// kinds first) against the table that asks the patterns only.
#pragma once

#include <string>
#include <string_view>

#include "parsers/log/header.h"
#include "parsers/log/line_kind.h"

namespace trtlens {

// "" when both read `body` alike, else what differs.
inline std::string oracle_difference(std::string_view body, LogSection section, bool bare) {
  Match fast, slow;
  const auto a = LineKindTable::instance().find(body, section, bare, fast);
  const auto b = LineKindTable::by_patterns_only().find(body, section, bare, slow);
  if (a.kind != b.kind) {
    return std::string(a.kind == nullptr ? "none" : a.kind->id) + " instead of " +
           (b.kind == nullptr ? "none" : b.kind->id);
  }
  if (a.gate_hit != b.gate_hit) return "another gate hit";
  if (a.kind == nullptr) return "";
  if (fast.fields != slow.fields) return std::string(a.kind->id) + ": number of fields";
  for (std::size_t i = 0; i < fast.fields; ++i) {
    if (fast[i] != slow[i]) {
      return std::string(a.kind->id) + ": field " + std::to_string(i) + " '" + fast.str(i) +
             "' instead of '" + slow.str(i) + "'";
    }
  }
  return "";
}

// The same for a physical line, in the sections that matter to it.
inline std::string oracle_difference(std::string_view line) {
  std::string scratch;
  const LogLine parsed = split_header(line, scratch);
  for (const LogSection section :
       {LogSection::none, LogSection::options, LogSection::engine_layers}) {
    for (const bool bare : {false, true}) {
      std::string difference = oracle_difference(parsed.body, section, bare);
      if (!difference.empty()) return difference;
    }
  }
  LogLine plain;
  PlainHeader header;
  if (line.find('\x1b') == std::string_view::npos && header.split(line, plain) &&
      (plain.body != parsed.body || plain.severity != parsed.severity ||
       plain.library != parsed.library || plain.own != parsed.own ||
       plain.producer != parsed.producer || plain.guessed != parsed.guessed ||
       plain.verdict != parsed.verdict)) {
    return "header";
  }
  return "";
}

}  // namespace trtlens
