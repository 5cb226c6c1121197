// Helpers of the tests of the collected traps (format-cases.md).
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens {

// Every line's class and kind, as "class kind".
inline void expect_lines(const ParsedLog& log,
                         const std::vector<std::pair<LineClass, std::string>>& want) {
  ASSERT_EQ(log.lines.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    SCOPED_TRACE(log.lines[i].text);
    EXPECT_EQ(log.lines[i].line_class, want[i].first);
    EXPECT_EQ(log.lines[i].kind, want[i].second);
  }
}

inline constexpr LogSeverity kV = LogSeverity::verbose;
inline constexpr LogSeverity kI = LogSeverity::info;
inline constexpr LogSeverity kW = LogSeverity::warning;
inline constexpr LogSeverity kE = LogSeverity::error;

inline constexpr auto kRecognised = LineClass::recognised;
inline constexpr auto kNoiseLine = LineClass::noise;
inline constexpr auto kContinuation = LineClass::continuation;
inline constexpr auto kUnknown = LineClass::unknown;
inline constexpr auto kForeign = LineClass::foreign;

inline const std::string& stamp() {
  static const std::string text = "[07/07/2026-02:11:00] ";
  return text;
}

}  // namespace trtlens
