#include "parsers/input/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "parsers/input/chunk_pipeline.h"
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

// A build that still runs, or a log that is rotated away; read by one thread and by two.
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
      options.threads = 2;
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

void read_all(ChunkPipeline& pipeline, std::string& read) {
  for (auto chunk = pipeline.next(); !chunk.text.empty(); chunk = pipeline.next()) {
    read += chunk.text;
    if (chunk.prepared == nullptr) continue;
    EXPECT_EQ(chunk.prepared->text(), chunk.text);
    std::string parts(chunk.prepared->head());
    for (const PreparedLine& line : chunk.prepared->lines()) parts += std::string(line.raw) + "\n";
    EXPECT_EQ(parts += chunk.prepared->tail(), chunk.text);
  }
  EXPECT_EQ(pipeline.next().text, "");
}

// Whatever a chunk's end falls on, and from the middle of a file, as behind its first lines.
TEST(ChunkPipeline, GivesAllOfAFileAndLeavesWhatItGrowsBy) {
  const TempFolder folder;
  constexpr std::size_t kChunk = RawBytes::kChunkBytes;
  for (const std::size_t size :
       {std::size_t{1}, kChunk - 1, kChunk, kChunk + 1, 9 * kChunk, 9 * kChunk + 7}) {
    std::string text;
    for (std::size_t i = 0; text.size() < kChunk + size; ++i) text += fmt::format("line {}\n", i);
    text.resize(kChunk + size);
    const std::string path = folder.write("a.log", text);
    ByteSource source(path);
    std::string read(source.next());
    ASSERT_EQ(read.size(), kChunk);
    {
      ChunkPipeline pipeline(source);
      read_all(pipeline, read);
    }
    EXPECT_EQ(read, text);
    EXPECT_EQ(source.raw_bytes_read(), text.size());
    EXPECT_EQ(source.next(), "");
    std::ofstream(path, std::ios::app) << "more";
    EXPECT_EQ(source.next(), "more");
    EXPECT_TRUE(source.ok());
  }
}

TEST(ChunkPipeline, GivesAllOfAPipe) {
  const TempFolder folder;
  const std::string path = folder.at("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string text;
  for (std::size_t i = 0; text.size() < 3000000; ++i) text += fmt::format("line {}\n", i);
  std::thread writer([&] { std::ofstream(path) << text; });
  ByteSource source(path);
  std::string read(source.next());
  {
    ChunkPipeline pipeline(source);
    read_all(pipeline, read);
  }
  writer.join();
  EXPECT_EQ(read, text);
  EXPECT_EQ(source.next(), "");
}

}  // namespace
}  // namespace trtlens::input_test
