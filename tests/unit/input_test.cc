// Files, pipes and directories as inputs.
#include "parsers/input/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>

#include "parsers/parse.h"
#include "tests/temp_folder.h"

namespace trtlens::input_test {
namespace {

// Half of a pipe's time was waiting for each other over 64 KiB.
TEST(RawBytes, WidenThePipeThatTheyRead) {
#ifdef F_GETPIPE_SZ
  const TempFolder folder;
  const std::string path = folder.at("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int writer = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(writer, 0);
  const int before = ::fcntl(writer, F_GETPIPE_SZ);
  if (::fcntl(writer, F_SETPIPE_SZ, static_cast<int>(RawBytes::kPipeBytes)) < 0) {
    GTEST_SKIP() << "fs.pipe-max-size allows less than " << RawBytes::kPipeBytes;
  }
  ::fcntl(writer, F_SETPIPE_SZ, before);
  {
    RawBytes bytes(path);
    ASSERT_EQ(::write(writer, "abc", 3), 3);
    EXPECT_EQ(bytes.next(), "abc");
    EXPECT_GE(::fcntl(writer, F_GETPIPE_SZ), static_cast<int>(RawBytes::kPipeBytes));
  }
  ::close(writer);
#else
  GTEST_SKIP() << "the system has no such call";
#endif
}

// A build that still runs, or a log that is rotated away.
TEST(Inputs, ThatChangeWhileTheyAreRead) {
  const TempFolder folder;
  const std::string line = "[07/07/2026-02:11:00] [I] [TRT] a line of a log\n";
  std::string log = "&&&& RUNNING TensorRT.trtexec [TensorRT v8501] # trtexec --onnx=m.onnx\n";
  for (const std::uint64_t until : {2000000U, 13000000U}) {
    while (log.size() < until) log += line;
    for (const off_t more : {300000, -300000, 0}) {
      const std::string path = folder.write("build.log", log);
      const auto size = static_cast<off_t>(log.size()) + more;
      bool is_done = false;
      ParseOptions options;
      options.progress = [&](std::uint64_t read, std::uint64_t /*of*/) {
        if (read > until * 3 / 4 && !std::exchange(is_done, true)) {
          ASSERT_EQ(::truncate(path.c_str(), size), 0);
        }
      };
      const ParseResult result = parse_inputs({path}, options);
      if (more == 0) {
        EXPECT_TRUE(result.diagnostics.empty());
        continue;
      }
      ASSERT_EQ(result.diagnostics.size(), 1U);
      EXPECT_EQ(result.diagnostics[0].id, "input-changed");
      EXPECT_EQ(result.diagnostics[0].file, path);
      EXPECT_EQ(result.diagnostics[0].found,
                fmt::format("{0} bytes at first, {1} when its end was reached, {1} of them read",
                            log.size(), size));
    }
  }
}

}  // namespace
}  // namespace trtlens::input_test
