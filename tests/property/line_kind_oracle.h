// The table of line kinds with its short cuts (extractors, LinePattern, hot kinds first) against
// the table that asks RE2 only.
#pragma once

#include <string>
#include <string_view>

#include "parsers/log/framing/header.h"
#include "parsers/log/grammar/line_kind.h"

namespace trtlens {

inline std::string oracle_difference(const LineKind* a, const Match& fast, const LineKind* b,
                                     const Match& slow) {
  if (a != b) {
    return std::string(a == nullptr ? "none" : a->id) + " instead of " +
           (b == nullptr ? "none" : b->id);
  }
  if (a == nullptr) return "";
  if (fast.fields != slow.fields) return std::string(a->id) + ": number of fields";
  for (std::size_t i = 0; i < fast.fields; ++i) {
    if (fast[i] != slow[i]) {
      return std::string(a->id) + ": field " + std::to_string(i) + " '" + fast.str(i) +
             "' instead of '" + slow.str(i) + "'";
    }
  }
  return "";
}

// "" when both read `body` alike, else what differs.
inline std::string oracle_difference(std::string_view body, LogSection section, bool bare) {
  Match fast, slow, usual;
  const auto a = LineKindTable::instance().find(body, section, bare, fast);
  const auto b = LineKindTable::by_patterns_only().find(body, section, bare, slow);
  std::string difference = oracle_difference(a.kind, fast, b.kind, slow);
  if (!difference.empty()) return difference;
  if (a.gate_hit != b.gate_hit) return "another gate hit";
  if (section != LogSection::none || bare) return "";
  const LineKind* const c = LineKindTable::instance().find_usual(body, usual);
  return oracle_difference(c, usual, b.kind, slow);
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
