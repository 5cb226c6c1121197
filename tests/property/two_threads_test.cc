// A big log read by two threads gives what one thread gives, wherever the chunks are cut.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "parsers/parse.h"
#include "tests/property/log_checks.h"
#include "tests/temp_folder.h"

namespace trtlens::two_threads_test {
namespace {

std::string fixture_log(const char* name) {
  std::ifstream in(std::string(TRTLENS_SOURCE_DIR "/fixtures/builds/") + name + "/build.log",
                   std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class TwoThreads : public ::testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }

  [[nodiscard]] std::string read(int threads) const {
    ParseOptions options;
    options.threads = threads;
    const ParseResult result = parse_inputs({path_}, options);
    std::string text = std::to_string(result.inputs.at(0).bytes) + ' ' +
                       std::to_string(result.inputs.at(0).lines) + '\n';
    for (const std::uint64_t n : result.coverage.count) text += std::to_string(n) + ' ';
    for (const trtlens::Run& run : result.runs) {
      text += std::to_string(run.first_line) + '-' + std::to_string(run.last_line) + '\n';
    }
    for (const Build& build : result.builds) text += BuildDigest(build).text();
    return text;
  }

  void expect_same() {
    const std::string one = read(1);
    EXPECT_GT(one.size(), 1000U);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(read(2) == one);
  }

  TempFolder folder_;
  const std::string path_ = folder_.at("build.log");
};

// Runs, torn off and whole, of several producers' dialects, 24 MB of them.
TEST_F(TwoThreads, GiveWhatOneGives) {
  const char* const names[] = {"b_r18_q_conv", "b_truncated",      "b_lstm",
                               "g_gather",     "p_r18_partial_i8", "b_vit_fp16"};
  std::string text;
  for (std::size_t i = 0; text.size() < 24U << 20U; ++i) {
    const std::string log = fixture_log(names[i % std::size(names)]);
    ASSERT_FALSE(log.empty());
    text += log.substr(0, log.size() - (i * 131) % 999);
  }
  write(text);
  expect_same();
}

TEST_F(TwoThreads, CarriageReturnsAndLinesLongerThanAChunk) {
  const std::string log = fixture_log("b_r18_q_conv");
  std::string text;
  while (text.size() < 12U << 20U) {
    std::string windows;
    for (const char c : log) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    text.append(windows).append("[07/07/2026-02:11:00] [V] [TRT] ");
    text.append(3U << 20U, 'x').append("\n").append(log);
  }
  write(text + "[07/07/2026-02:11:00] [V] [TRT] Tactic: 0x00000000000003e8 Ti");
  expect_same();
}

TEST_F(TwoThreads, NoLineEndAtAll) {
  write("[07/07/2026-02:11:00] [V] [TRT] " + std::string(11U << 20U, 'x'));
  const std::string one = read(1);
  EXPECT_EQ(read(2), one);
}

}  // namespace
}  // namespace trtlens::two_threads_test
