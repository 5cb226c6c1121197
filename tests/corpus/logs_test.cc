// Public logs and our own builds: every line accounted for, almost none of trtexec's unknown.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "analyzers/rules/rule.h"
#include "tests/property/log_checks.h"
#include "tests/unit/log_sample.h"

namespace trtlens::logs_test {
namespace {

namespace fs = std::filesystem;

const fs::path kShared = TRTLENS_SHARED_DIR;
constexpr double kMaxUnknown = 0.05, kMaxNoise = 0.35;

std::string bytes_of_file(const fs::path& path) {
  std::string text(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(text.data(), std::ssize(text));
  return text;
}

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  std::string part;
  while (std::getline(stream, part, at)) parts.push_back(part);
  return parts;
}

// Rows of LOGS.tsv by file name, columns by their heads.
std::map<std::string, std::map<std::string, std::string>> list_of_logs() {
  std::map<std::string, std::map<std::string, std::string>> logs;
  std::ifstream stream(kShared / "corpus" / "LOGS.tsv");
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> heads = split(line, '\t');
  while (std::getline(stream, line)) {
    const std::vector<std::string> row = split(line, '\t');
    for (std::size_t i = 1; i < row.size() && i < heads.size(); ++i) {
      logs[row[0]][heads[i]] = row[i];
    }
  }
  return logs;
}

// trtexec's own logs of 8.4 to 10.16: the dialects that must be understood.
bool must_be_understood(const std::map<std::string, std::string>& row) {
  if (row.at("producer").rfind("trtexec", 0) != 0) return false;
  int major = 0, minor = 0;
  char dot = 0;
  std::istringstream version(row.at("tensorrt"));
  if (!(version >> major >> dot >> minor)) return false;
  return (major == 8 && minor >= 4) || major == 9 || (major == 10 && minor <= 16);
}

std::vector<fs::path> logs_below(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".log") found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What holds for any log.
void check_accounting(const std::string& text, const ParsedLog& log) {
  const LogResult& result = log.result;
  EXPECT_EQ(result.coverage.lines(), result.lines);
  const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(result.lines, feeds + (!text.empty() && text.back() != '\n' ? 1 : 0));
  std::size_t wrong = 0;
  for (const SeenLine& line : log.lines) {
    const bool tagged = line.text.find("[TRT]") != std::string::npos ||
                        line.text.find("[TensorRT]") != std::string::npos;
    if (tagged && line.line_class == LineClass::foreign && ++wrong <= 3) {
      ADD_FAILURE() << "foreign: " << line.text.substr(0, 200);
    }
  }
  EXPECT_EQ(wrong, 0U);
}

std::string first_of(const ParsedLog& log, LineClass wanted) {
  std::string text;
  int shown = 0;
  for (const SeenLine& line : log.lines) {
    if (line.line_class == wanted && ++shown <= 5) text += "\n  " + line.text.substr(0, 200);
  }
  return text;
}

void check_understood(const ParsedLog& log, Coverage& sum) {
  const Coverage& coverage = log.result.coverage;
  const auto own = static_cast<double>(coverage.lines() - coverage.of(LineClass::foreign));
  EXPECT_LE(static_cast<double>(coverage.of(LineClass::unknown)), kMaxUnknown * own)
      << first_of(log, LineClass::unknown);
  EXPECT_EQ(coverage.of(LineClass::malformed), 0U) << first_of(log, LineClass::malformed);
  sum.add(coverage);
}

void check_noise(const Coverage& sum) {
  const auto own = static_cast<double>(sum.lines() - sum.of(LineClass::foreign));
  EXPECT_LE(static_cast<double>(sum.of(LineClass::noise)), kMaxNoise * own);
}

TEST(CorpusLogs, PublicLogs) {
  const auto listed = list_of_logs();
  if (listed.empty()) GTEST_SKIP() << (kShared / "corpus").string() << " is not there";
  Coverage sum;
  std::size_t understood = 0;
  for (const auto& [name, row] : listed) {
    SCOPED_TRACE(name);
    const std::string text = bytes_of_file(kShared / "corpus" / "logs" / name);
    ASSERT_FALSE(text.empty());
    const ParsedLog log = parse_log(text);
    check_accounting(text, log);
    // "complete (PASSED 2)": counted when the log was collected.
    const std::string& completeness = row.at("completeness");
    const std::size_t passed = completeness.find("(PASSED ");
    if (passed != std::string::npos) {
      const auto count =
          std::count_if(log.result.runs.begin(), log.result.runs.end(),
                        [](const trtlens::Run& run) { return run.outcome == Outcome::passed; });
      EXPECT_EQ(count, std::stol(completeness.substr(passed + 8)));
    }
    if (!must_be_understood(row)) continue;
    check_understood(log, sum);
    ++understood;
  }
  EXPECT_GE(understood, 10U);
  check_noise(sum);
}

TEST(CorpusLogs, OwnBuilds) {
  const std::vector<fs::path> paths = logs_below(kShared / "builds");
  if (paths.empty()) GTEST_SKIP() << (kShared / "builds").string() << " is not there";
  Coverage sum;
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const std::string text = bytes_of_file(path);
    const ParsedLog log = parse_log(text);
    check_accounting(text, log);
    check_understood(log, sum);
    EXPECT_EQ(log.result.runs.size(), 1U);
  }
  check_noise(sum);
}

// The rules know TensorRT's messages behind any header, and take no line of another program for
// one.
TEST(CorpusLogs, ForeignLinesStayForeign) {
  std::vector<fs::path> paths = logs_below(kShared / "corpus" / "logs");
  if (paths.empty()) GTEST_SKIP() << (kShared / "corpus").string() << " is not there";
  const KnownMessage known = known_message(nullptr);
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path.string());
    const std::string text = bytes_of_file(path);
    const ParsedLog without = parse_log(text);
    const ParsedLog with = parse_log(text, 0, Way::usual, known);
    ASSERT_EQ(with.lines.size(), without.lines.size());
    for (std::size_t i = 0; i < with.lines.size(); ++i) {
      EXPECT_EQ(with.lines[i].line_class, without.lines[i].line_class) << with.lines[i].text;
    }
  }
}

// Neither the cut into chunks nor the way that lines take changes anything, on real logs too.
TEST(CorpusLogs, ChunksAndWaysDoNotMatter) {
  const auto listed = list_of_logs();
  if (listed.empty()) GTEST_SKIP() << (kShared / "corpus").string() << " is not there";
  for (const auto& [name, row] : listed) {
    const fs::path path = kShared / "corpus" / "logs" / name;
    if (fs::file_size(path) > 400000) continue;
    SCOPED_TRACE(name);
    const std::string text = bytes_of_file(path);
    const std::string whole = digest(parse_log(text));
    EXPECT_TRUE(digest(parse_log(text, 4093)) == whole);
    EXPECT_TRUE(digest(parse_log(text, 0, Way::no_short_cuts)) == whole);
  }
}

}  // namespace
}  // namespace trtlens::logs_test
