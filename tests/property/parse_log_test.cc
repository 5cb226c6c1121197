// Invariants of the log reader over generated logs: line soup from the samples of every kind, and
// tables and layer lines that must come back as they were written.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "parsers/join/join.h"
#include "parsers/log/grammar/line_kind.h"
#include "parsers/log/runs/run_builder.h"
#include "tests/property/log_checks.h"
#include "tests/unit/log_sample.h"

namespace trtlens::parse_log_test {
namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_);
  }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::mt19937 engine_;
};

const std::vector<std::string>& headers() {
  static const std::vector<std::string> all = {
      "[07/07/2026-02:11:00] [V] [TRT] ",
      "[07/07/2026-02:11:00] [V] [TRT] ",
      "[07/07/2026-02:11:00] [I] ",
      "[07/07/2026-02:11:00] [I] ",
      "[07/07/2026-02:11:00] [W] [TRT] ",
      "[07/07/2026-02:11:00] [E] ",
      "[07/07/2026-02:11:00] [07/07/2026-02:11:00] [I] [TRT] ",
      "[07/07/2026-02:11:00] [TRT] [V] ",
      "[TensorRT] VERBOSE: ",
      "[2022-11-08 06:01:58 WARNING] ",
      "INFO: [TRT]: ",
      "I0829 03:48:41.018076 1161 logging.cc:46] ",
      "DEBUG: [Torch-TensorRT] - ",
      "[V] ",
      "[X] ",
      "[WARNING] ",
      "[TRT]    ",
      "#12 34.51 [07/07/2026-02:11:00] [I] ",
      "[08/25/2023-07:32:00] [TRT-LLM] [I] ",
      "",
      "",
  };
  return all;
}

std::string soup_line(Dice& dice) {
  static const std::vector<const LineKind*>& kinds = LineKindTable::instance().kinds();
  if (dice.one_in(25)) return running("--onnx=m.onnx --fp16");
  if (dice.one_in(25)) return closing(dice.one_in(2) ? "PASSED" : "FAILED", "--onnx=m.onnx");
  if (dice.one_in(40)) return "&&&& TASK_BEGIN [iter=0] BuildRoute = '-a=b'\n";
  if (dice.one_in(40)) return "&&&& TASK_END [iter=0] BuildRoute = '-a=b'\n";
  if (dice.one_in(40)) return "[W] torn by" + dice.pick(headers()) + "another\n";
  std::string body = dice.pick(kinds)->sample;
  if (dice.one_in(12)) body.clear();
  if (dice.one_in(20)) body = "some other program says: 3 of 5";
  return dice.pick(headers()) + body + "\n";
}

void mutate(Dice& dice, std::string& text) {
  if (text.empty()) return;
  switch (dice.below(5)) {
    case 0:  // cut off
      text.resize(dice.below(text.size()));
      break;
    case 1: {  // a part doubled
      const std::size_t at = dice.below(text.size());
      const std::string part = text.substr(at, 1 + dice.below(200));
      text.insert(dice.below(text.size()), part);
      break;
    }
    case 2:  // bytes changed
      for (std::size_t i = 0; i < 8; ++i) {
        text[dice.below(text.size())] = static_cast<char>(dice.below(256));
      }
      break;
    case 3: {  // a part lost
      const std::size_t at = dice.below(text.size());
      text.erase(at, 1 + dice.below(100));
      break;
    }
    default:  // as it is
      break;
  }
}

std::string soup(Dice& dice, std::size_t lines) {
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += soup_line(dice);
  return text;
}

TEST(LogSoup, ClassesAddUpAndFactsAreSane) {
  for (std::uint32_t seed = 0; seed < 1200; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::string text = soup(dice, 1 + dice.below(50));
    for (std::size_t i = dice.below(4); i > 0; --i) mutate(dice, text);
    const ParsedLog log = parse_log(text);
    ASSERT_NO_FATAL_FAILURE(check_log(text, log));
    if (seed % 4 == 0) {
      ASSERT_EQ(digest(parse_log(text, 1 + dice.below(40))), digest(log));
      ASSERT_EQ(digest(parse_log(text, 1 + dice.below(400))), digest(log));
      ASSERT_EQ(digest(parse_log(text, 0, Way::no_short_cuts)), digest(log));
    }
  }
}

TEST(LogSoup, RandomBytes) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::string text;
    const std::size_t size = dice.below(600);
    const std::string alphabet = "\r\n\x1b[&] TRTVI:E0123456789=/-.,()\xff\xfe\xef\xbb\xbf";
    for (std::size_t i = 0; i < size; ++i) {
      text += dice.one_in(3) ? static_cast<char>(dice.below(256))
                             : alphabet[dice.below(alphabet.size())];
    }
    const ParsedLog log = parse_log(text);
    ASSERT_NO_FATAL_FAILURE(check_log(text, log));
    ASSERT_EQ(digest(parse_log(text, 1 + seed % 7)), digest(log));
    ASSERT_EQ(digest(parse_log(text, 0, Way::no_short_cuts)), digest(log));
  }
}

// Runs are independent: a log twice over is the same facts twice.
TEST(LogSoup, ALogTwiceIsTwoOfItsRuns) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const std::string text = running("--onnx=m.onnx") + soup(dice, 1 + dice.below(30));
    // A tuning loop that was cut off takes the runs behind it for its iterations.
    if (text.find("TASK_BEGIN") != std::string::npos) continue;
    const ParsedLog once = parse_log(text);
    const ParsedLog twice = parse_log(text + text);
    ASSERT_EQ(twice.result.runs.size(), 2 * once.result.runs.size());
    for (std::size_t c = 0; c < kLineClassCount; ++c) {
      ASSERT_EQ(twice.result.coverage.count.at(c), 2 * once.result.coverage.count.at(c));
    }
    const std::size_t half = once.result.runs.size();
    for (std::size_t i = 0; i < half; ++i) {
      const Build& a = twice.build(i);
      const Build& b = twice.build(half + i);
      ASSERT_EQ(a.outcome, b.outcome);
      ASSERT_EQ(a.messages.size(), b.messages.size());
      ASSERT_EQ(a.layers.size(), b.layers.size());
      ASSERT_EQ(a.autotuning.size(), b.autotuning.size());
      ASSERT_EQ(a.tactics_timed, b.tactics_timed);
    }
  }
}

// A line with TensorRT's tag is never foreign, wherever it stands.
TEST(LogSoup, TaggedLinesAreNeverForeign) {
  Dice dice(7);
  for (int round = 0; round < 100; ++round) {
    const std::string text = soup(dice, 40);
    for (const SeenLine& line : parse_log(text).lines) {
      if (line.text.find("[TRT]") != std::string::npos) {
        ASSERT_NE(line.line_class, LineClass::foreign) << line.text;
      }
    }
  }
}

// Memory follows the distinct names, not the lines: the same races again add counts only.
TEST(LogSoup, RepetitionAddsCountsOnly) {
  const std::string head = running("--onnx=m.onnx --verbose");
  const std::string body =
      stamped("[W] [TRT] ", {"Missing scale and zero-point for tensor t, expect fall back to x",
                             "A warning nobody has seen"}) +
      library_lines({"Tactic: 0x1 Time: 0.5", "Tactic: 0x2 Time: inf",
                     "conv Set Tactic Name: k Tactic: 0x1", "Parsing node: a [Conv]"});
  std::string many = head;
  for (int i = 0; i < 500; ++i) many += body;
  const Build once = parse_log(head + body).build();
  const Build often = parse_log(many).build();
  EXPECT_EQ(often.messages.size(), once.messages.size());
  EXPECT_EQ(often.missing_scales.size(), once.missing_scales.size());
  EXPECT_EQ(often.onnx_nodes.size(), once.onnx_nodes.size());
  EXPECT_EQ(often.autotuning.size(), once.autotuning.size());
  EXPECT_EQ(often.missing_scales.at(0).count, 500U);
  EXPECT_EQ(often.messages.at(1).count, 500U);
  EXPECT_EQ(often.tactics_timed, 500 * once.tactics_timed);
  EXPECT_EQ(often.tactics_skipped, 500 * once.tactics_skipped);
}

// ---- written and read again ----

std::string layer_name(Dice& dice) {
  static const std::vector<std::string> pieces = {
      "Conv",     " + ", "Relu_", "12",      "34.5", "[Shuffle]", "(Unnamed Layer* 3)",
      "/m/cv2",   "::",  " || ",  "{a...b}", "x:0",  "'",         "%",
      "\xc3\xa9", "(b)", "-1",    "_"};
  std::string name = "L";
  for (std::size_t i = dice.below(6); i > 0; --i) name += dice.pick(pieces);
  while (name.back() == ' ') name.pop_back();
  return name;
}

struct Row {
  std::string name;
  double total, mean, median, share;
};

std::string format_row(const Row& row, int form) {
  std::array<char, 512> text{};
  if (form == 0) {
    (void)std::snprintf(text.data(), text.size(), "%48s%12.2f%17.4f%9.1f", row.name.c_str(),
                        row.total, row.mean, row.share);
  } else if (form == 1) {
    (void)std::snprintf(text.data(), text.size(), "%48s%12.2f%17.4f%19.4f%9.1f", row.name.c_str(),
                        row.total, row.mean, row.median, row.share);
  } else {
    (void)std::snprintf(text.data(), text.size(), "%11.2f%13.4f%13.4f%10.1f   %s", row.total,
                        row.mean, row.median, row.share, row.name.c_str());
  }
  return text.data();
}

TEST(ProfileTables, ComeBackAsWritten) {
  const std::array<const char*, 3> heads = {
      "   Layer   Time (ms)   Avg. Time (ms)   Time %",
      "   Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %",
      "   Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer"};
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const int form = static_cast<int>(seed % 3);
    std::vector<Row> rows;
    std::vector<std::string> lines = {"=== Profile (100 iterations ) ===",
                                      heads.at(static_cast<std::size_t>(form))};
    for (std::size_t i = 1 + dice.below(12); i > 0; --i) {
      Row row{layer_name(dice), static_cast<double>(dice.below(1000000)) / 100,
              static_cast<double>(dice.below(1000000)) / 10000,
              static_cast<double>(dice.below(1000000)) / 10000, 1};
      if (dice.one_in(8) && !rows.empty()) row.name = rows.back().name;
      if (dice.one_in(20)) row.name = "Total";
      rows.push_back(row);
      lines.push_back(format_row(row, form));
    }
    lines.push_back(format_row({"Total", 1, 1, 1, 100}, form));
    lines.emplace_back("");
    Build build = parse_log(running("--loadEngine=m") + own_lines(lines)).build();
    ASSERT_EQ(build.layers.size(), rows.size());
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(build.layers[i].name, rows[i].name);
      ASSERT_TRUE(build.layers[i].time.has_value());
      ASSERT_DOUBLE_EQ(build.layers[i].time->mean_ms, rows[i].mean);
      ASSERT_DOUBLE_EQ(build.layers[i].time->quantum_ms, 1e-4);
      ASSERT_EQ(build.layers[i].time->median_ms.has_value(), form != 0);
      sum += rows[i].mean;
    }
    join_layers(build, {}, {});
    ASSERT_DOUBLE_EQ(build.profile_sum_ms, sum);
    ASSERT_DOUBLE_EQ(build.unattributed_ms, 0);
  }
}

std::string dims_text(const std::vector<std::int64_t>& dims) {
  std::string text;
  for (const std::int64_t d : dims) text += (text.empty() ? "" : ",") + std::to_string(d);
  return text;
}

std::vector<Tensor> random_tensors(Dice& dice) {
  std::vector<Tensor> tensors(dice.below(4));
  for (Tensor& tensor : tensors) {
    tensor.name = layer_name(dice);
    tensor.has_dims = true;
    tensor.dims = Dims::Vector(dice.below(5));
    for (std::int64_t& d : tensor.dims) {
      d = dice.one_in(4) ? -1 : static_cast<std::int64_t>(dice.below(2000));
    }
  }
  return tensors;
}

std::string tensors_text(const std::vector<Tensor>& tensors, bool modern) {
  std::string text;
  for (const Tensor& t : tensors) {
    text += (text.empty() ? "" : ", ") + t.name;
    text += modern ? " (Half[" + dims_text(t.dims) + "])" : "[Half(" + dims_text(t.dims) + ")]";
  }
  return text;
}

void check_tensors(const std::vector<Tensor>& found, const std::vector<Tensor>& written) {
  ASSERT_EQ(found.size(), written.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].name, written[i].name);
    ASSERT_EQ(found[i].dims, written[i].dims);
    ASSERT_EQ(found[i].type, DataType::fp16);
  }
}

TEST(LayerLines, ComeBackAsWritten) {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const bool modern = seed % 2 == 0;
    const std::string name = layer_name(dice);
    const std::vector<Tensor> inputs = random_tensors(dice);
    const std::vector<Tensor> outputs = random_tensors(dice);
    const std::string line = "Layer(CaskConvolution): " + name +
                             ", Tactic: " + (modern ? "0x00000000000003e8" : "1000") + ", " +
                             tensors_text(inputs, modern) + " ->" + (outputs.empty() ? "" : " ") +
                             tensors_text(outputs, modern) + "\n";
    const ParsedLog log = parse_log(library_lines({"Engine Layer Information:"}) + line);
    ASSERT_EQ(log.build().layers.size(), 1U) << line;
    const Layer& layer = log.build().layers[0];
    ASSERT_EQ(layer.name, name);
    ASSERT_EQ(layer.tactic_id, 1000U);
    ASSERT_NO_FATAL_FAILURE(check_tensors(layer.inputs, inputs)) << line;
    ASSERT_NO_FATAL_FAILURE(check_tensors(layer.outputs, outputs)) << line;
  }
}

TEST(Races, ChosenAndRunnerUpAreOfTheCandidates) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::vector<std::string> lines = {
        "*************** Autotuning format combination: Half(1) -> Half(1) ***************",
        "--------------- Timing Runner: conv (R[0x80000009])"};
    std::vector<double> times;
    std::uint32_t skipped = 0;
    for (std::size_t i = 1 + dice.below(20); i > 0; --i) {
      const std::string id = std::to_string(times.size() + 1);
      if (dice.one_in(5)) {
        lines.push_back("Tactic Name: k Tactic: 99 Time: inf");
        ++skipped;
      } else {
        times.push_back(static_cast<double>(1 + dice.below(100000)) / 1000);
        std::string line = "Tactic Name: k";
        line.append(id).append(" Tactic: ").append(id).append(" Time: ");
        lines.push_back(line.append(std::to_string(times.back())));
      }
    }
    const auto fastest = std::min_element(times.begin(), times.end());
    if (!times.empty()) {
      lines.push_back(">>>>>>>>>>>>>>> Chose Runner Type: R Tactic: " +
                      std::to_string(fastest - times.begin() + 1));
    }
    const Build build = parse_log(library_lines(lines)).build();
    ASSERT_EQ(build.autotuning.size(), 1U);
    const Autotune& race = build.autotuning[0];
    ASSERT_EQ(race.timed, times.size());
    ASSERT_EQ(race.skipped, skipped);
    ASSERT_EQ(race.chosen_ms.has_value(), !times.empty());
    ASSERT_EQ(race.runner_up_ms.has_value(), times.size() > 1);
    if (times.empty()) continue;
    ASSERT_NEAR(*race.chosen_ms, *fastest, 1e-9);
    std::vector<double> others = times;
    others.erase(others.begin() + (fastest - times.begin()));
    if (others.empty()) continue;
    ASSERT_NEAR(*race.runner_up_ms, *std::min_element(others.begin(), others.end()), 1e-9);
  }
}

TEST(Commands, AnyTextGivesFlags) {
  const std::vector<std::string> pieces = {
      "--onnx=m.onnx", "--fp16", "--int8 ", "-",  "--",      "=", " ", "--=",
      "--calib=",      "a b",    "-h",      "\\", "\"",      "'", "#", "\t",
      "--x=--y",       "\xff",   "\n",      "--", "trtexec "};
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    Dice dice(seed);
    std::string command;
    for (std::size_t i = dice.below(12); i > 0; --i) {
      command += dice.pick(pieces) + (dice.one_in(2) ? " " : "");
    }
    const CommandOptions options = parse_command(command);
    for (const auto& [name, value] : options.flags) {
      ASSERT_FALSE(name.empty()) << command;
      ASSERT_NE(command.find("--" + name), std::string::npos) << command;
    }
    // A flag of its own at the end is found whatever stands before it.
    ASSERT_TRUE(parse_command(command + " --verbose").has("verbose")) << command;
  }
}

}  // namespace
}  // namespace trtlens::parse_log_test
