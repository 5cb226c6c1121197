// Texts of other programs, and messages of TensorRT with other words: which is near a known
// message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/rules/engine/matcher.h"
#include "report/document/document.h"
#include "tests/unit/build_maker.h"

namespace trtlens::nearest_rule_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Lines = std::vector<std::string>;

// What other programs print, one program a list.
const std::vector<Lines>& programs() {
  static const std::vector<Lines> lists = {
      {"npm ERR! code ENOENT",
       "npm ERR! enoent ENOENT: no such file or directory, open '/app/package.json'"},
      {"2024/01/01 10:00:00 [error] 12#12: *1 open() \"/html/x\" failed (2: No such file or "
       "directory), client: 1.2.3.4",
       "2024/01/01 10:00:01 [emerg] 12#12: Assertion failed"},
      {"===== test session starts =====", "tests/test_a.py F.E   [100%]",
       "E       AssertionError: Assertion failed: shape mismatch",
       "E       RuntimeError: CUDA error: out of memory"},
      {"-- Found CUDA: /usr/local/cuda (found version \"12.1\")",
       "  Could not find a package configuration file provided by \"TensorRT\" with any",
       "/usr/bin/ld: cannot find -lnvinfer: No such file or directory",
       "fatal error: NvInfer.h: No such file or directory"},
      {"error[E0277]: the trait bound `Foo: Bar` is not satisfied",
       "error: could not compile `app` due to previous error"},
      {"[ 1234.567890] NVRM: Xid (PCI:0000:01:00): 31, pid=4321, name=python, MMU Fault",
       "[ 1235.000000] Out of memory: Killed process 4321 (python3) total-vm:40000000kB"},
      {"Epoch 1/10: 100%|###| 100/100 [00:10<00:00,  9.9it/s, loss=0.5]",
       "RuntimeError: Expected all tensors to be on the same device, but found two devices",
       "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)",
       "UserWarning: nn.functional.upsample is deprecated."},
      {"[2024-01-01 10:00:00,000] torch._dynamo: [WARNING] hit config.cache_size_limit (8)",
       "ERROR: Could not build wheels for pycuda, which is required to install "
       "pyproject.toml-based projects"},
      {"ERROR: Could not find a version that satisfies the requirement foo==9.9",
       "ERROR: No matching distribution found for foo==9.9",
       "ModuleNotFoundError: No module named 'yaml'"},
      {"#5 12.31 E: Unable to locate package libfoo-dev",
       "ERROR: failed to solve: process \"/bin/sh -c apt-get update\" did not complete "
       "successfully: exit code: 100",
       "ERROR: failed to build: open Dockerfile: no such file or directory"},
      {"Error from server (NotFound): pods \"web\" not found",
       "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."},
      {"main.cc:1:10: fatal error: foo.h: No such file or directory",
       "/usr/bin/ld: main.o: undefined reference to symbol 'pthread_create'",
       "collect2: error: ld returned 1 exit status",
       "error: register specified for 'x' is an internal GCC implementation detail"},
      {"Jan 01 10:00:01 host systemd[1]: web.service: Main process exited, code=exited",
       "Jan 01 10:00:02 host systemd[1]: Failed to start Web server."},
      {"FATAL:  password authentication failed for user \"bob\"",
       "ERROR:  could not open file \"base/1/2\": No such file or directory",
       "line 3: Must specify a sampling array size before indicating flip in second dimension"},
  };
  return lists;
}

// Messages of TensorRT of which one word or two are others, or the end is missing.
const Lines& changed() {
  static const Lines lines = {
      "Could not find any implementation",
      "Could not locate any implementation for node Conv_12",
      "some tactics do not have sufficient WORKSPACE",
      "Cannot find input tensor with label \"x\" in the network inputs",
      "Int8 calibrator not given. Generating dummy dynamic range",
      "Calibration Profile is not set. Calibrating with Profile 0",
      "Static model doesn't take explicit shapes",
  };
  return lines;
}

std::string near(const std::string& text, double least = kNearShare,
                 Speaker speaker = Speaker::anybody) {
  const std::optional<NearRule> rule = nearest_rule(text, text, speaker, least);
  return rule ? rule->rule : std::string();
}

Analysis of(const Lines& lines) {
  ParseResult parsed;
  for (const std::string& line : lines) {
    parsed.coverage.add(LineClass::foreign);
    parsed.coverage.first_foreign.push_back({{}, line});
  }
  parsed.builds.emplace_back();
  parsed.build_names.emplace_back("x");
  return analyze(std::move(parsed), {});
}

TEST(NearestRule, OtherProgramsHaveNoFinding) {
  for (const Lines& lines : programs()) {
    const Analysis a = of(lines);
    EXPECT_TRUE(a.findings.empty()) << lines.front();
    EXPECT_EQ(a.build.outcome, Outcome::unknown);
    const Document document = build_document(a, 0);
    EXPECT_THAT(document.tiles.at(2).value, StartsWith("No message of TensorRT or trtexec"));
    EXPECT_EQ(nothing_found(document).size(), 1U);  // one plain line
  }
}

// "[V] [TRT] foo": TensorRT's header, and words that no kind of line has.
TEST(NearestRule, LinesOfNoKnownKindAreTensorrtsAllTheSame) {
  ParseResult parsed;
  parsed.coverage.add(LineClass::unknown);
  parsed.builds.emplace_back();
  parsed.build_names.emplace_back("x");
  const Analysis a = analyze(std::move(parsed), {});
  const Document document = build_document(a, 0);
  EXPECT_EQ(document.tiles.at(2).value, "TensorRT wrote 1 line here, of no known kind");
}

// The bound has room on both sides.
TEST(NearestRule, TheBoundLiesBetweenTheTwo) {
  constexpr double kBelow = 0.51, kAbove = 0.66;
  for (const Lines& lines : programs()) {
    for (const std::string& line : lines) EXPECT_EQ(near(line, kBelow), "") << line;
  }
  for (const std::string& line : changed()) EXPECT_NE(near(line, kAbove), "") << line;
}

TEST(NearestRule, HasMostOfTheWords) {
  EXPECT_EQ(near("Could not find any implementation"), "no-implementation");
  EXPECT_EQ(near("some tactics do not have sufficient WORKSPACE"), "workspace-too-small");
  EXPECT_EQ(near("could not find it"), "");
  EXPECT_EQ(near("implementation"), "");
  EXPECT_EQ(near("make: *** [Makefile:12: all] Error 2"), "");
  EXPECT_EQ(near(""), "");
}

std::string with_another_longest_word(const std::string& text) {
  std::size_t best = 0, best_size = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end - i > best_size) {
      best = i;
      best_size = end - i;
    }
    i = std::max(end, i + 1);
  }
  return text.substr(0, best) + "gizmometer" + text.substr(best + best_size);
}

// Of the messages of which the longest word is another, and that no rule knows then, half find
// their rule. The others are short.
TEST(NearestRule, SurvivesAnotherWord) {
  static const KnownMessage known = known_message(nullptr);
  std::vector<Diagnostic> unused;
  int right = 0, other = 0;
  for (const MessageRule& rule :
       load_message_rules(embedded_rule_files(), {}, unused, SampleCheck::run)) {
    for (const RuleSample& sample : rule.samples) {
      const std::string text = with_another_longest_word(sample.text);
      if (rule.is_consequence || known(text, LogSeverity::error).rules > 0) continue;
      const std::string found = near(text, kNearShare, Speaker::tensorrt);
      if (!found.empty()) ++(found == rule.info.id ? right : other);
    }
  }
  EXPECT_GE(right, 180);  // 186 of 378
  EXPECT_LE(other, 40);   // 35, nearly all about the same message
}

TEST(NearestRule, IsAFindingThatNamesTheRule) {
  const Analysis a = of({"hello", "some tactics do not have sufficient WORKSPACE"});
  const Finding* finding = test::find(a, "nothing-recognised");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::moderate);
  EXPECT_THAT(finding->title, HasSubstr("workspace-too-small"));
  EXPECT_THAT(finding->why, Not(HasSubstr("standard error")));  // nobody is blamed
}

// A rule about a program that calls TensorRT is offered where that program shows.
TEST(NearestRule, SpeaksOfNoProgramThatIsNotThere) {
  std::size_t about_programs = 0;
  for (const MessageRule& rule : embedded_message_rules()) {
    const RuleInfo info = with_texts(rule).info;
    const bool about = info.title.find("ONNX Runtime") != std::string::npos;
    if (!about) continue;
    ++about_programs;
    EXPECT_FALSE(message_rules::shows_programs_of(info, "some tensor is not there")) << info.id;
    EXPECT_TRUE(message_rules::shows_programs_of(
        info,
        "[E:onnxruntime:Default, a.cc:1] site-packages/x.py tensorflow Jetson orin "
        "libnvinfer torch_tensorrt nvinfer.dll"))
        << info.id;
  }
  EXPECT_GE(about_programs, 5U);
  // DeepStream's words, but for one: no other rule has them.
  const std::string text = "Load of the engine failed because file path: /m.engine open error";
  EXPECT_EQ(near(text, kNearShare, Speaker::tensorrt), "");
  const std::optional<NearRule> there = nearest_rule(text, "nvdsinfer", Speaker::tensorrt);
  EXPECT_EQ(there ? there->rule : "", "deepstream-engine-file-absent");
}

}  // namespace
}  // namespace trtlens::nearest_rule_test
