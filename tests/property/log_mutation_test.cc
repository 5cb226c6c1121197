// Real logs, damaged: cut off, bytes changed, lines shuffled and doubled, other line ends. Whatever
// is done to them, every line is counted once, and what must not matter does not matter.
//
// Every log of fixtures/, and of the shared corpus and builds when they are there. Long ones are
// sampled by windows, so that all of it takes seconds; TRTLENS_WHOLE_MUTATIONS asks for whole
// ones, half a minute: cuts then keep all that stands before them, and all else is done to whole
// logs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/log_checks.h"
#include "tests/property/whole_files.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_mutation_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCuts = 200;
constexpr std::size_t kBeforeCut = 2048;
constexpr std::size_t kWindowBytes = 12000, kWindows = 3;
constexpr std::size_t kWholeBytes = 300000;  // logs up to this size are tried as a whole, too

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> logs_below(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (it->path().extension() == ".log" || name == "stdin") found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> all_logs() {
  std::vector<fs::path> logs = logs_below(fs::path(TRTLENS_SOURCE_DIR) / "fixtures");
  for (const char* folder : {"corpus/logs", "builds"}) {
    const fs::path directory = fs::path(TRTLENS_SHARED_DIR) / folder;
    const std::vector<fs::path> more = logs_below(directory);
    // The rest is tested all the same: no reason for a skip, which would hide that.
    if (more.empty()) (void)std::printf("no logs in %s\n", directory.c_str());
    logs.insert(logs.end(), more.begin(), more.end());
  }
  return logs;
}

std::size_t line_start(const std::string& text, std::size_t at) {
  const std::size_t feed = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return feed == std::string::npos ? 0 : feed + 1;
}

// Whole lines from the start, the middle and the end of a log.
std::vector<std::string> windows_of(const std::string& text) {
  if (text.size() <= kWindowBytes * kWindows || whole_files()) return {text};
  std::vector<std::string> windows;
  for (std::size_t i = 0; i < kWindows; ++i) {
    const std::size_t at = line_start(text, (text.size() - kWindowBytes) * i / (kWindows - 1));
    std::size_t end =
        std::min(text.find('\n', std::min(at + kWindowBytes, text.size() - 1)), text.size() - 1);
    end = std::min(end, at + 4 * kWindowBytes);  // of a line that is longer than that, a part
    windows.push_back(text.substr(at, end - at + 1));
  }
  return windows;
}

std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

// Digests are long: says where they begin to differ.
void expect_same(const std::string& got, const std::string& want) {
  if (got == want) return;
  const auto differ = std::mismatch(got.begin(), got.end(), want.begin(), want.end());
  const auto at = static_cast<std::size_t>(differ.first - got.begin());
  const std::size_t from = at > 100 ? at - 100 : 0;
  FAIL() << "expected …" << want.substr(from, 300) << "…\nfound …" << got.substr(from, 300) << "…";
}

using Test = std::function<void(const std::string& text, std::mt19937& dice)>;

// Calls `test` with every log, whole; stops at the first log that fails.
void for_all_logs(const Test& test) {
  std::uint32_t seed = 0;
  for (const fs::path& path : all_logs()) {
    SCOPED_TRACE(path.string());
    const std::string text = bytes_of(path);
    ASSERT_FALSE(text.empty());
    std::mt19937 dice(++seed);
    ASSERT_NO_FATAL_FAILURE(test(text, dice));
  }
  EXPECT_GT(seed, 10U);
}

// Windows of a log, and the log when it is short enough.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts = windows_of(text);
  if (text.size() <= kWholeBytes && parts.size() > 1) parts.push_back(text);
  return parts;
}

TEST(LogMutation, CutAnywhere) {
  for_all_logs([](const std::string& text, std::mt19937& dice) {
    for (std::size_t i = 0; i < kCuts; ++i) {
      const std::size_t end = 1 + dice() % text.size();
      const bool all = end <= kBeforeCut || whole_files();
      const std::size_t begin = all ? 0 : line_start(text, end - kBeforeCut);
      SCOPED_TRACE(std::to_string(begin) + ".." + std::to_string(end));
      const std::size_t most = whole_files() ? text.size() : 4 * kBeforeCut;
      const std::string part = text.substr(begin, std::min(end - begin, most));
      ASSERT_NO_FATAL_FAILURE(check_log(part, parse_log(part)));
    }
  });
}

TEST(LogMutation, BytesChanged) {
  for_all_logs([](const std::string& text, std::mt19937& dice) {
    for (std::string part : windows_of(text)) {
      for (int i = 0; i < 50; ++i) part[dice() % part.size()] = static_cast<char>(dice() % 256);
      for (int i = 0; i < 20; ++i) {
        char& c = part[dice() % part.size()];
        c = static_cast<char>(static_cast<unsigned char>(c) ^ (1U << dice() % 8));
      }
      ASSERT_NO_FATAL_FAILURE(check_log(part, parse_log(part)));
    }
  });
}

TEST(LogMutation, LinesShuffled) {
  for_all_logs([](const std::string& text, std::mt19937& dice) {
    for (const std::string& part : windows_of(text)) {
      std::vector<std::string> lines = lines_of_text(part);
      std::shuffle(lines.begin(), lines.end(), dice);
      const std::string shuffled = joined(lines);
      ASSERT_NO_FATAL_FAILURE(check_log(shuffled, parse_log(shuffled)));
    }
  });
}

TEST(LogMutation, LinesDoubled) {
  for_all_logs([](const std::string& text, std::mt19937& /*dice*/) {
    for (const std::string& part : windows_of(text)) {
      std::vector<std::string> lines;
      for (const std::string& line : lines_of_text(part)) lines.insert(lines.end(), 2, line);
      const std::string doubled = joined(lines);
      ASSERT_NO_FATAL_FAILURE(check_log(doubled, parse_log(doubled)));
    }
  });
}

TEST(LogMutation, ChunksOfOddSizes) {
  for_all_logs([](const std::string& text, std::mt19937& dice) {
    for (const std::string& part : parts_of(text)) {
      const std::string whole = digest(parse_log(part));
      ASSERT_NO_FATAL_FAILURE(expect_same(digest(parse_log(part, 0, Way::no_short_cuts)), whole));
      const bool small = part.size() <= kWindowBytes * 2;
      for (const std::size_t chunk :
           {std::size_t{small ? 1U : 61U}, std::size_t{4093}, std::size_t{1 + dice() % 999}}) {
        SCOPED_TRACE(chunk);
        ASSERT_NO_FATAL_FAILURE(expect_same(digest(parse_log(part, chunk)), whole));
      }
    }
  });
}

// Line ends are no part of a log: an editor or a Windows shell may have changed them.
TEST(LogMutation, CrlfSaysTheSame) {
  std::size_t tried = 0;
  for_all_logs([&tried](const std::string& text, std::mt19937& /*dice*/) {
    for (const std::string& part : parts_of(text)) {
      if (part.find('\r') != std::string::npos) continue;  // a bar that is redrawn
      const std::string plain = digest(parse_log(part));
      ASSERT_NO_FATAL_FAILURE(expect_same(digest(parse_log(with_crlf(part))), plain));
      ++tried;
    }
  });
  EXPECT_GT(tried, 20U);
}

// Nor are blanks at their ends, which pages and editors take off.
TEST(LogMutation, StrippedLineEndsSayTheSame) {
  for_all_logs([](const std::string& text, std::mt19937& /*dice*/) {
    std::string stripped;
    for (const std::string& line : lines_of_text(text)) {
      stripped += line.substr(0, line.find_last_not_of(" \n") + 1);
      if (line.back() == '\n') stripped += '\n';
    }
    const ParsedLog got = parse_log(stripped), want = parse_log(text);
    for (std::size_t c = 0; c < kLineClassCount; ++c) {
      EXPECT_EQ(got.result.coverage.count.at(c), want.result.coverage.count.at(c)) << "class " << c;
    }
    ASSERT_EQ(got.result.runs.size(), want.result.runs.size());
    for (std::size_t i = 0; i < want.result.runs.size(); ++i) {
      EXPECT_EQ(got.result.runs[i].outcome, want.result.runs[i].outcome);
      EXPECT_EQ(got.result.builds[i].messages.size(), want.result.builds[i].messages.size());
      EXPECT_EQ(got.result.builds[i].layers.size(), want.result.builds[i].layers.size());
      EXPECT_EQ(got.result.builds[i].onnx_nodes.size(), want.result.builds[i].onnx_nodes.size());
      EXPECT_EQ(got.result.builds[i].tactics_timed, want.result.builds[i].tactics_timed);
    }
  });
}

// What a container, a CI system or a quote writes in front of every line is no part of it either.
TEST(LogMutation, MarginsSayTheSame) {
  std::size_t tried = 0;
  for_all_logs([&tried](const std::string& text, std::mt19937& /*dice*/) {
    if (text.size() > kWholeBytes || text.compare(0, 13, "&&&& RUNNING ") != 0 ||
        text.find("[TRT] ") == std::string::npos || text.find_first_of("\r\x1b") != text.npos) {
      return;
    }
    const std::string plain = digest(parse_log(text));
    for (const std::string margin :
         {"2024-05-01T12:00:00.1234567Z ", "builder-1  | ", "2024-05-01T12:00:00.12Z stdout F ",
          "[2024-05-01T12:00:00.123Z] ", "May 01 12:00:00 orin trtexec[1234]: ", "> ", "    ",
          "[pod/build-7/trt] ", "#9 12.345 ", "17:", "2024-05-01T12:00:00+02:00 ", "[build] ",
          "\x1b[36mbuilder-1  | \x1b[0m"}) {
      SCOPED_TRACE(margin);
      std::string margined;
      for (const std::string& line : lines_of_text(text)) margined += margin + line;
      ASSERT_NO_FATAL_FAILURE(expect_same(digest(parse_log(margined)), plain));
      ++tried;
    }
  });
  EXPECT_GT(tried, 20U);
}

// A run knows nothing of the run before it.
TEST(LogMutation, TwiceIsTwice) {
  for_all_logs([](const std::string& text, std::mt19937& /*dice*/) {
    for (std::string part : parts_of(text)) {
      part.insert(0, running("--onnx=m.onnx"));
      if (part.back() != '\n') part += '\n';
      const LogResult once = parse_log(part).result;
      const LogResult twice = parse_log(part + part).result;
      for (std::size_t c = 0; c < kLineClassCount; ++c) {
        ASSERT_EQ(twice.coverage.count.at(c), 2 * once.coverage.count.at(c)) << "class " << c;
      }
      ASSERT_EQ(twice.runs.size(), 2 * once.runs.size());
      for (std::size_t i = 0; i < once.runs.size(); ++i) {
        const Build& first = twice.builds[i];
        const Build& second = twice.builds[once.runs.size() + i];
        ASSERT_NO_FATAL_FAILURE(
            expect_same(BuildDigest(first).text(), BuildDigest(once.builds[i]).text()));
        ASSERT_EQ(second.messages.size(), first.messages.size());
        ASSERT_EQ(second.layers.size(), first.layers.size());
        ASSERT_EQ(second.tactics_timed, first.tactics_timed);
      }
    }
  });
}

}  // namespace
}  // namespace trtlens::log_mutation_test
