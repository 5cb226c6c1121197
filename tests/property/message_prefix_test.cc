// A message of TensorRT's is known by its words: every sample of every rule, behind the headers of
// loggers and captures, gives the finding that it gives behind trtexec's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzers/rules/engine/message_rules.h"
#include "analyzers/rules/rule.h"
#include "parsers/log/log_parser.h"

namespace trtlens {
namespace {

// Names of a level, in the order of kLevels.
using Levels = std::array<const char*, 5>;
constexpr std::array kLevels{LogSeverity::verbose, LogSeverity::info, LogSeverity::warning,
                             LogSeverity::error, LogSeverity::internal_error};
constexpr Levels kLetters{"V", "I", "W", "E", "F"};
constexpr Levels kUpper{"VERBOSE", "INFO", "WARNING", "ERROR", "INTERNAL_ERROR"};
constexpr Levels kPython{"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"};
constexpr Levels kRos{"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
constexpr Levels kLower{"debug", "info", "warning", "error", "critical"};
constexpr Levels kWords{"Debug", "Info", "Warning", "Error", "Fatal"};
constexpr Levels kGlog{"I", "I", "W", "E", "F"};

struct Prefix {
  const char* name = nullptr;
  const char* header = nullptr;  // of the first line of a message; {} is the level
  const Levels* levels = nullptr;
  const char* margin = "";  // of every line
};
constexpr std::array kPrefixes{
    Prefix{"trtexec", "[11/20/2025-10:00:00] [{}] [TRT] ", &kLetters},
    Prefix{"bare", "", &kLetters},
    Prefix{"samples", "{}: ", &kUpper},
    Prefix{"Python's logging", "{}:root:", &kPython},
    Prefix{"Python's logging with a time", "2025-11-20 10:00:00,123 - engine - {} - ", &kPython},
    Prefix{"loguru", "2025-11-20 10:00:00.123 | {:<8} | __main__:build:42 - ", &kPython},
    Prefix{"glog", "{}1120 10:00:00.123456 1234 engine.cpp:42] ", &kGlog},
    Prefix{"ROS 1", "[{:>5}] [1700000000.123456789]: ", &kRos},
    Prefix{"ROS 2", "[{}] [1700000000.123456789] [trt_node]: ", &kRos},
    Prefix{"ROS 2 launch", "[trt_node-1] [{}] [1700000000.123456789] [trt_node]: ", &kRos},
    Prefix{"Isaac ROS", "[node-1] [{0}] [1700000000.123456789] [TRT]: TRT {0}: ", &kRos},
    Prefix{"spdlog", "[2025-11-20 10:00:00.123] [{}] ", &kLower},
    Prefix{"spdlog with a name", "[2025-11-20 10:00:00.123] [engine] [{}] ", &kLower},
    Prefix{"DeepStream", "{}: [TRT]: ", &kUpper},
    Prefix{"Triton", "{}1120 10:00:00.123456 1 logging.cc:46] ", &kGlog},
    Prefix{"Python", "[11/20/2025-10:00:00] [TRT] [{}] ", &kLetters},
    Prefix{"a program's ILogger", "[2025-11-20 10:00:00][{}][TRT] ", &kWords},
    Prefix{"docker compose", "[11/20/2025-10:00:00] [{}] [TRT] ", &kLetters, "builder-1  | "},
    Prefix{"docker compose, bare", "", &kLetters, "builder-1  | "},
    Prefix{"Kubernetes, bare", "", &kLetters, "[pod/trt-0/builder] "},
    Prefix{"GitHub Actions, bare", "", &kLetters, "2025-11-20T10:00:00.1234567Z "},
    Prefix{"journald, bare", "", &kLetters, "Nov 20 10:00:00 host app[77]: "},
    Prefix{"logcat", "11-27 10:00:00.000  1234  1234 {} TRT: ", &kLetters},
    Prefix{"logcat, another tag", "11-27 10:00:00.000  1234  1240 {} engine  : ", &kLetters},
    Prefix{"logcat, brief", "{}/TRT     ( 1234): ", &kLetters},
    Prefix{"CloudWatch, bare", "", &kLetters, "2026-11-27T10:00:00.000Z "},
    Prefix{"CloudWatch with a tab, bare", "", &kLetters, "2026-11-27T10:00:00.000Z\t"},
    Prefix{"log4j", "2026-11-27 10:00:00,123 {:<5} [main] engine.Builder - ", &kRos},
    Prefix{"log4j, thread first", "2026-11-27 10:00:00,123 [main] {:<5} engine.Builder - ", &kRos},
    Prefix{"log4j with a stamp in ISO form", "2026-11-27T10:00:00,123 [main] {} engine.Builder - ",
           &kRos},
    Prefix{"log4j with a line", "2026-11-27 10:00:00 {:<5} Builder:42 - ", &kRos},
    Prefix{"logback", "10:00:00.123 [main] {:<5} engine.Builder - ", &kRos},
};

void add(const std::string& text, LogSeverity level, const Prefix& prefix, std::string& log) {
  std::size_t place = 0;
  while (kLevels.at(place) != level) ++place;
  const std::string whole =
      fmt::format(fmt::runtime(prefix.header), prefix.levels->at(place)) + text + '\n';
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = whole.find('\n', begin) + 1;
    log += prefix.margin + whole.substr(begin, end - begin);
    begin = end;
  }
}

// As TensorRT prints it: warnings, unless the rule is about an error.
LogSeverity level_of(const MessageRule& rule, const std::string& text) {
  if (!rule.levels.empty()) return rule.levels.front();
  if (text.find("Error Code") != std::string::npos) return LogSeverity::error;
  return rule.info.severity == Severity::fatal ? LogSeverity::error : LogSeverity::warning;
}

std::string first_rule(const MessageRule& rule, const RuleSample& sample, const Prefix& prefix) {
  static const KnownMessage known = known_message(nullptr);
  std::string log;
  for (const std::string& text : sample.also) add(text, LogSeverity::warning, prefix, log);
  add(sample.text, level_of(rule, sample.text), prefix, log);
  LogParser parser(0, {.known_message = known});
  parser.feed(log);
  const LogResult result = parser.finish();
  if (result.builds.empty()) return "no build";
  const std::vector<Finding> findings =
      match_message_rules(result.builds.front(), {}, embedded_message_rules());
  return findings.empty() ? "none" : findings.front().rule;
}

// Samples differ in words, not in what they do to the memory: with sanitizers each fourth.
constexpr int kStep = TRTLENS_SANITIZED == 1 ? 4 : 1;

TEST(MessagePrefix, SamplesGiveTheSameFirstFinding) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<MessageRule> rules =
      load_message_rules(embedded_rule_files(), {}, diagnostics, SampleCheck::run);
  std::map<std::string, int> differ, beyond_bare;
  std::set<int> bare;  // samples that are not known without a header
  int samples = 0, at = 0;
  for (const MessageRule& rule : rules) {
    if (rule.is_consequence) continue;
    for (const RuleSample& sample : rule.samples) {
      if (sample.text.empty() || at++ % kStep != 0) continue;
      ++samples;
      const std::string first = first_rule(rule, sample, kPrefixes.front());
      for (std::size_t i = 1; i < kPrefixes.size(); ++i) {
        const std::string found = first_rule(rule, sample, kPrefixes.at(i));
        const bool is_own = found == (sample.wins.empty() ? rule.info.id : sample.wins);
        const bool is_silent = found == "no build" && first == "none";
        if (found == first || is_own || is_silent) continue;
        ++differ[kPrefixes.at(i).name];
        if (std::string_view(kPrefixes.at(i).name) == "bare") bare.insert(samples);
        if (bare.count(samples) == 0) ++beyond_bare[kPrefixes.at(i).name];
        if (std::getenv("TRTLENS_SHOW") != nullptr) {
          fmt::print("{}: {}: {} instead of {}: {}\n", kPrefixes.at(i).name, rule.info.id, found,
                     first, sample.text.substr(0, 120));
        }
      }
    }
  }
  EXPECT_GT(samples * kStep, 800);
  // What differs: words that any program prints, alone in an input; rules for one producer; samples
  // whose second message has a level of its own.
  int all = 0;
  for (const auto& [name, count] : differ) {
    EXPECT_LE(count * 100, samples * 4) << name << ": more than 4 % of " << samples;
    all += count;
  }
  for (const auto& [name, count] : beyond_bare) {
    EXPECT_LE(count * 100, samples * 2) << name << ": " << count << " known without a header";
  }
  EXPECT_LE(all * 1000, samples * static_cast<int>(kPrefixes.size() - 1) * 20);
}

}  // namespace
}  // namespace trtlens
