// Exceptions of Python in logs.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/log_sample.h"

namespace trtlens::log_python_test {
namespace {

// Python goes on behind what a destructor raised, but not behind what comes after it.
TEST(PythonException, IsNoErrorWherePythonIgnoresIt) {
  const std::string begin = running("--onnx=m.onnx");
  const std::string raised =
      "Traceback (most recent call last):\n  File \"build.py\", line 3, in f\nValueError: no "
      "file\n";
  const auto level = [](const std::string& text) {
    const ParsedLog log = parse_log(text);
    return log.build().messages.empty() ? LogSeverity::unknown : log.build().messages[0].severity;
  };
  EXPECT_EQ(level(begin + raised), LogSeverity::error);
  for (const char* const said :
       {"Exception ignored in: <function Engine.__del__ at 0x7f>\n",
        "Exception ignored while calling deallocator <x>\n", "Error in atexit._run_exitfuncs:\n"}) {
    EXPECT_EQ(level(begin + said + raised), LogSeverity::warning) << said;
    EXPECT_EQ(level(begin + said + "another line\n" + raised), LogSeverity::error) << said;
    EXPECT_EQ(parse_log(begin + said + raised + raised).build().messages.back().count, 1U);
    EXPECT_EQ(parse_log(begin + said + raised + raised).build().messages.back().severity,
              LogSeverity::error);
  }
}

}  // namespace
}  // namespace trtlens::log_python_test
