// Files, pipes and directories as inputs.
#include "parsers/input/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

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

// Three windows and a rest, each byte another one than a window before.
std::string some_text() {
  std::string text(3 * MappedWindow::kBytes + 12345, '\0');
  std::uint32_t n = 1;
  for (char& c : text) c = static_cast<char>('!' + ((n = n * 1664525 + 1013904223) >> 24U) % 90);
  return text;
}

TEST(RawBytes, GiveWholeWindowsAndReadTheRest) {
  allow_mapped_files();
  const TempFolder folder;
  const std::string text = some_text();
  RawBytes bytes(folder.write("text", text));
  for (int i = 0; i < 2; ++i) {
    std::string all;
    for (std::string_view piece = bytes.next(); !piece.empty(); piece = bytes.next()) {
      EXPECT_EQ(piece.size() == MappedWindow::kBytes, all.size() < 3 * MappedWindow::kBytes);
      all += piece;
      EXPECT_EQ(bytes.bytes_read(), all.size());
    }
    EXPECT_TRUE(all == text);
    bytes.rewind();
  }
  EXPECT_EQ(bytes.error(), "");
}

TEST(RawBytes, ReadNulsWhereAFileIsCutShortUnderAWindow) {
  allow_mapped_files();
  const TempFolder folder;
  const std::string text = some_text();
  const std::string path = folder.write("text", text);
  RawBytes bytes(path);
  std::ignore = bytes.next();
  const std::string_view piece = bytes.next();
  ASSERT_EQ(piece.size(), MappedWindow::kBytes);
  constexpr std::size_t kLeft = MappedWindow::kBytes + 10000;
  ASSERT_EQ(::truncate(path.c_str(), kLeft), 0);
  EXPECT_EQ(piece.substr(0, 10000), text.substr(MappedWindow::kBytes, 10000));
  EXPECT_EQ(piece.substr(10000).find_first_not_of('\0'), std::string_view::npos);
  EXPECT_EQ(bytes.next(), "");
  EXPECT_EQ(bytes.bytes_read(), kLeft);
  EXPECT_EQ(bytes.changed_size(), kLeft);
  EXPECT_EQ(bytes.error(), "");
}

TEST(RawBytes, ReadWhatIsWrittenBehindTheWindows) {
  allow_mapped_files();
  const TempFolder folder;
  std::string text = some_text();
  const std::string path = folder.write("text", text);
  RawBytes bytes(path);
  std::string all(bytes.next());
  std::ofstream(path, std::ios::app) << text;
  for (std::string_view piece = bytes.next(); !piece.empty(); piece = bytes.next()) all += piece;
  EXPECT_TRUE(all == text + text);
}

// A parent may have blocked the signal: then a fault kills in spite of the handler.
TEST(RawBytes, AreAllowedTheSignal) {
  sigset_t bus;
  ::sigemptyset(&bus);
  ::sigaddset(&bus, SIGBUS);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &bus, nullptr), 0);
  allow_mapped_files();
  sigset_t blocked;
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
  EXPECT_EQ(::sigismember(&blocked, SIGBUS), 0);
}

// Another fault of the bus kills, as it did without the handler.
TEST(RawBytesDeathTest, OfAnotherMapping) {
  const TempFolder folder;
  const std::string path = folder.write("text", "x");
  EXPECT_EXIT(
      {
        allow_mapped_files();
        const int fd = ::open(path.c_str(), O_RDONLY);
        const void* page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
        static_cast<void>(::truncate(path.c_str(), 0));
        ::_exit(*static_cast<const volatile char*>(page));
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

// A build that still runs, or a log that is rotated away; read, and mapped.
class ChangingInput : public ::testing::TestWithParam<bool> {};

TEST_P(ChangingInput, IsReported) {
  if (GetParam()) allow_mapped_files();
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

INSTANTIATE_TEST_SUITE_P(, ChangingInput, ::testing::Bool());

// What a pipe brings first, alone, decides nothing.
TEST(DirectoryListing, HasRegularFilesBehindLinksToo) {
  const TempFolder folder;
  (void)folder.write("a.log", "a");
  (void)folder.write("elsewhere/b.log", "b");
  (void)folder.write("elsewhere/empty.log", "");
  const auto link = [&](const char* to, const char* name) {
    std::filesystem::create_symlink(to, folder.at(name));
  };
  link("elsewhere/b.log", "link.log");
  link("elsewhere/empty.log", "no_bytes.log");
  link("nowhere", "broken.log");
  link("/dev/zero", "device.log");
  link("fifo.log", "to_fifo.log");
  ASSERT_EQ(::mkfifo(folder.at("fifo.log").c_str(), 0600), 0);
  EXPECT_EQ(list_directory(folder.path().string()).files,
            (std::vector<std::string>{folder.at("a.log"), folder.at("link.log"),
                                      folder.at("no_bytes.log")}));
}

#ifdef __linux__
// Of these one waits for ever, one has no end.
TEST(Inputs, OfTheKernelAreReadWhereTheyAreNamed) {
  const TempFolder folder;
  (void)folder.write("a.log", "[I] [TRT] Original: 1 layers\n");
  for (const char* name : {"kmsg", "self/pagemap", "self/status"}) {
    const std::string to = std::string("/proc/") + name;
    std::filesystem::create_symlink(
        to, folder.at(std::filesystem::path(to).filename().string() + ".log"));
  }
  const ParseResult found = parse_inputs({folder.path().string()}, {});
  ASSERT_EQ(found.inputs.size(), 4U);
  EXPECT_TRUE(found.inputs[0].readable);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(found.inputs[i].readable);
  EXPECT_EQ(found.diagnostics.size(), 3U);
  const ParseResult named = parse_inputs({folder.at("status.log")}, {});
  EXPECT_TRUE(named.inputs.at(0).readable);
  EXPECT_GT(named.inputs.at(0).lines, 10U);
}
#endif

// What is named on the command line may be a pipe: `trtlens analyze <(zcat build.log.gz)`.
TEST(Inputs, AreTheSameHoweverAPipeBringsThem) {
  const TempFolder folder;
  const std::string json = R"([{"count": 2}, {"name": "a", "averageMs": 1, "timeMs": 2}])";
  const std::string log = "[I] a line\n" + std::string(600, 'x') + "\n";
  const std::string packed("\x1f\x8b\x08\x00", 4);  // the head of a .gz, which is cut
  struct Case {
    std::string first, rest;
    InputKind kind;
  };
  for (const Case& c :
       {Case{"\n", json, InputKind::profile}, Case{"\xef\xbb\xbf", json, InputKind::profile},
        Case{"\a", log, InputKind::log},
        Case{packed.substr(0, 1), packed.substr(1), InputKind::unknown}}) {
    const std::string path = folder.at("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] {
      std::ofstream out(path);
      out << c.first << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      out << c.rest;
    });
    const ParseResult result = parse_inputs({path}, {});
    writer.join();
    std::filesystem::remove(path);
    ASSERT_EQ(result.inputs.size(), 1U);
    EXPECT_EQ(result.inputs[0].kind, c.kind) << result.inputs[0].why;
  }
}

// A mapped window is longer than a piece that read() gives: the kind may not depend on it.
TEST(Inputs, AreTheSameMappedAndRead) {
  const TempFolder folder;
  std::string log(2 * MappedWindow::kBytes, '\n');
  log.replace(0, 11, "[I] a line\n");
  std::fill_n(log.begin() + 1000, 70000, '\0');
  const std::string path = folder.write("build.log", log);
  const ParseResult read = parse_inputs({path}, {});
  allow_mapped_files();
  const ParseResult mapped = parse_inputs({path}, {});
  EXPECT_EQ(read.inputs[0].kind, InputKind::log);
  EXPECT_EQ(mapped.inputs[0].kind, InputKind::log);
  EXPECT_EQ(mapped.inputs[0].lines, read.inputs[0].lines);
}

}  // namespace
}  // namespace trtlens::input_test
