// Which files of a directory are reports of trtlens.
#include "parsers/log/own_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace trtlens::own_report_test {
namespace {

// In a directory: all that trtlens writes quotes lines of the log beside it.
TEST(OwnReport, IsKnownInEveryFormat) {
  const std::string cases = std::string(TRTLENS_SOURCE_DIR) + "/fixtures/cases";
  std::size_t reports = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cases)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("expected.")) continue;
    const std::string kind = name.substr(name.rfind('.') + 1);
    if (!std::set<std::string>{"txt", "md", "junit", "baseline", "step-summary"}.contains(kind))
      continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(is_own_report(text)) << entry.path() << ": " << text.substr(0, 200);
    ++reports;
  }
  EXPECT_GT(reports, 150U);
  EXPECT_TRUE(is_own_report("<!doctype html>\n<html lang=\"en\">"));
  EXPECT_TRUE(is_own_report("Passed\na_r18_fp16\nTensorRT 8.5.1 · NVIDIA H200 (SM 9.0) · trtexec"));
  EXPECT_TRUE(is_own_report("b_lstm  Passed · TensorRT 10.13.3 · NVIDIA L4"));
}

TEST(OwnReport, LeavesLogsAlone) {
  const std::string builds = std::string(TRTLENS_SOURCE_DIR) + "/fixtures";
  std::size_t logs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(builds)) {
    if (entry.path().extension() != ".log") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_FALSE(is_own_report(text)) << entry.path();
    ++logs;
  }
  EXPECT_GT(logs, 50U);
  for (const char* const text :
       {"&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # trtexec --onnx=m.onnx",
        "# trtexec --onnx=m.onnx\n&&&& RUNNING", "# Failed attempts of today",
        "Failed to load engine", "Build failed  for m.onnx", "<30>Nov 28 10:00:00 host trtexec: x",
        "Passed\nx\ny"}) {
    EXPECT_FALSE(is_own_report(text)) << text;
  }
}

}  // namespace
}  // namespace trtlens::own_report_test
