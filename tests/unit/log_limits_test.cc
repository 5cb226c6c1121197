// Numbers of logs that no clock gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "parsers/log/runs/run_builder.h"
#include "parsers/text/shared_texts.h"
#include "tests/unit/log_sample.h"

namespace trtlens::log_limits_test {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;
using testing::Pair;

std::string marked(const std::string& name) {
  return "[07/07/2026-02:11:00] [V] [TRT] Marking " + name + " as output: " + name + "\n";
}

// The limits of the JSON exports: what is beyond them is left out, and said once.
TEST(Performance, NumbersThatNoClockGivesAreUnknown) {
  const ParsedLog log = parse_log(
      running("--onnx=m.onnx") +
      own_lines({"Average on 10 runs - GPU latency: 1e308 ms - Host latency: 1 ms (enqueue 1 ms)",
                 "Average on 10 runs - GPU latency: 1 ms - Host latency: 1 ms (enqueue -1 ms)",
                 "=== Performance summary ===", "Throughput: 1e308 qps",
                 "GPU Compute Time: min = -0.1 ms, max = 1e13 ms, mean = 1e12 ms, median = 0 ms, "
                 "percentile(nan%) = 1 ms, percentile(990%) = 1 ms, percentile(1e1%) = 1 ms, "
                 "percentile(100%) = 2 ms",
                 "Total Host Walltime: -3.00 s", "Total GPU Compute Time: 1e10 s"}));
  const Performance& p = log.build().performance;
  ASSERT_EQ(log.build().trace.size(), 1U);
  EXPECT_EQ(log.build().trace[0].enqueue_ms, std::nullopt);
  EXPECT_EQ(p.throughput_qps, std::nullopt);
  EXPECT_EQ(p.gpu_compute->min_ms, std::nullopt);
  EXPECT_EQ(p.gpu_compute->max_ms, std::nullopt);
  EXPECT_THAT(p.gpu_compute->mean_ms, Optional(DoubleEq(1e12)));
  EXPECT_THAT(p.gpu_compute->median_ms, Optional(DoubleEq(0)));
  EXPECT_THAT(p.gpu_compute->percentiles_ms, ElementsAre(Pair("100", 2)));
  EXPECT_EQ(p.host_walltime_s, std::nullopt);
  EXPECT_EQ(p.gpu_compute_total_s, std::nullopt);
  EXPECT_EQ(log.result.impossible_numbers, 10U);
  EXPECT_EQ(log.result.first_impossible_line, 2U);
  const ParsedLog block = parse_log(
      running("--onnx=m.onnx") +
      own_lines({"Host Latency", "min: -1 ms (end to end 1.66 ms)", "max: 1 ms (end to end 2 ms)",
                 "percentile: 1 ms at 101% (end to end 3 ms at 99%)", "walltime: -1 s"}));
  EXPECT_EQ(block.build().performance.latency->min_ms, std::nullopt);
  EXPECT_THAT(block.build().performance.latency->max_ms, Optional(DoubleEq(1)));
  EXPECT_TRUE(block.build().performance.latency->percentiles_ms.empty());
  EXPECT_EQ(block.build().performance.host_walltime_s, std::nullopt);
  EXPECT_EQ(block.result.impossible_numbers, 3U);
}

// No banner has as many rows, and no value of one is as long: memory has an end.
TEST(Limits, RowsOfTheBanner) {
  std::string text = own_lines({"=== Build Options ==="});
  for (int i = 0; i < 6000; ++i) text += own_lines({"Option " + std::to_string(i) + ": 1"});
  const ParsedLog rows = parse_log(text);
  EXPECT_EQ(rows.build().banner.size(), 5000U);
  EXPECT_EQ(rows.result.rows_left_out, 1000U);
  // One label: what is cut says so at its end, and is cut between two rows.
  text = own_lines({"=== Build Options ==="});
  for (int i = 0; i < 20000; ++i)
    text += own_lines({"Input build shape: x" + std::to_string(i) + "=1x3+2x3+4x3"});
  const ParsedLog values = parse_log(text);
  const std::string& value = values.build().banner.at("Build Options/Input build shape");
  EXPECT_LE(value.size(), 65536U + 5);
  EXPECT_EQ(value.substr(value.size() - 9), "+4x3, \xE2\x80\xA6");
  const auto kept = std::count(value.begin(), value.end(), '=');
  EXPECT_EQ(values.result.rows_left_out + static_cast<std::uint64_t>(kept), 20000U);
  EXPECT_TRUE(values.build().optimization_profiles.empty());
  // All of them together.
  text = own_lines({"=== Build Options ==="});
  for (int i = 0; i < 100; ++i) {
    text += own_lines({"Option " + std::to_string(i) + ": " + std::string(60000, 'x')});
  }
  std::size_t bytes = 0;
  const ParsedLog together = parse_log(text);
  for (const auto& [key, one] : together.build().banner) bytes += one.size();
  EXPECT_LT(bytes, 5U << 20);
}

TEST(Limits, StepsOfTheMemory) {
  std::string text;
  for (int i = 0; i < 20100; ++i) {
    text +=
        "[07/07/2026-02:11:00] [I] [TRT] [MemUsageChange] Init CUDA: CPU +1, GPU +0, now: CPU 2, "
        "GPU 3 (MiB)\n";
  }
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.build().memory.steps.size(), 20000U);
  EXPECT_EQ(log.result.rows_left_out, 100U);
}

TEST(Limits, PhaseOfAStep) {
  const ParsedLog log = parse_log(
      library_lines({"[MemUsageSnapshot] " + std::string(5000, 'y') + ": CPU 1 MiB, GPU 2 MiB"}));
  ASSERT_EQ(log.build().memory.steps.size(), 1U);
  EXPECT_EQ(log.build().memory.steps[0].phase, std::string(1024, 'y'));
}

// They are put off, and counted all the same before the run is looked at.
TEST(Limits, LayersOfTheMemory) {
  std::string text = running("--onnx=m");
  for (int i = 0; i < 200100; ++i) {
    text += "[07/07/2026-02:11:00] [V] [TRT] Layer: conv_" + std::to_string(i) +
            " Host Persistent: 1664 Device Persistent: 5120 Scratch Memory: 0\n";
  }
  ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.rows_left_out, 100U);
  make_whole(log.result.builds[0], log.result.rests[0]);
  EXPECT_EQ(log.build().memory.layers.size(), RunBuilder::kMaxLayerMemories);
  EXPECT_EQ(log.build().memory.layers.back().layer, "conv_199999");
}

// Runs are kept whole while they hold 16 MiB: of 40 that hold half a MiB each not the first ones.
TEST(Limits, TextsOfRunsThatAreKeptWhole) {
  const std::string half(std::size_t{500} << 10, 'x');
  std::string rows;
  for (int i = 0; i < 8; ++i)
    rows += own_lines({"Row" + std::to_string(i) + ": " + half.substr(0, 62000)});
  std::string steps;
  for (int i = 0; i < 500; ++i) {
    steps +=
        library_lines({"[MemUsageSnapshot] " + half.substr(0, 1024) + ": CPU 1 MiB, GPU 2 MiB"});
  }
  const std::vector<std::string> facts = {
      own_lines({"=== Build Options ==="}) + rows,
      own_lines({"=== Device Information ===", "Selected Device: " + half}),
      own_lines({"Output binding for " + half + " with dimensions 1x3 is created."}),
      steps,
  };
  for (std::size_t kind = 0; kind < facts.size(); ++kind) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += running("--onnx=m" + std::to_string(i)) + facts[kind];
    const ParsedLog log = parse_log(text);
    ASSERT_EQ(log.result.builds.size(), 40U) << kind;
    EXPECT_TRUE(log.build(0).outline_only) << kind;
    EXPECT_TRUE(log.build(5).outline_only) << kind;
    EXPECT_FALSE(log.build(39).outline_only) << kind;
    const std::optional<Gpu>& gpu = log.build(0).gpu;
    EXPECT_EQ(gpu ? gpu->name.size() : 256U, 256U);
  }
}

// A name that is too long for a row is no section's.
TEST(Limits, NameOfASection) {
  const ParsedLog log =
      parse_log(own_lines({"=== " + std::string(5000, 'A') + " Options ===", "a: 1", "b: 1",
                           "=== Build Options ===", "c: 1"}));
  EXPECT_THAT(log.build().banner, ElementsAre(Pair("Build Options/c", "1")));
  EXPECT_EQ(log.result.rows_left_out, 2U);
}

// No network has as many; what is known is still completed.
TEST(Limits, InputsAndOutputs) {
  std::string text;
  for (int i = 0; i < 20100; ++i) text += marked("y" + std::to_string(i));
  text += marked("y7") + own_lines({"Output binding for y8 with dimensions 1x3 is created."});
  const ParsedLog log = parse_log(text);
  const std::vector<IoTensor>& all = log.build().io_tensors;
  ASSERT_EQ(all.size(), RunBuilder::kMaxIoTensors);
  EXPECT_EQ(all[19999].tensor.name, "y19999");
  EXPECT_EQ(all[8].tensor.dims, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(log.result.rows_left_out, 100U);
  // Their names together.
  text.clear();
  for (int i = 0; i < 100; ++i) text += marked(std::to_string(i) + std::string(60000, 'x'));
  const ParsedLog names = parse_log(text);
  EXPECT_EQ(names.build().io_tensors.size() + names.result.rows_left_out, 100U);
  EXPECT_EQ(names.build().io_tensors.size(), 70U);  // 70 * 60002 B: the first above 4 MiB
}

// Optimization profiles time the same layers again; no verbose log is bounded by its network.
TEST(Limits, RacesOfARun) {
  std::string text = running("--onnx=m") + library_lines({"Computing costs for conv1"});
  for (std::size_t i = 0; i < AutotuneFold::kMaxRaces + 100; ++i) {
    text +=
        "[07/07/2026-02:11:00] [V] [TRT] *************** Autotuning format combination: "
        "Float(1) -> Float(1) ***************\n"
        "[07/07/2026-02:11:00] [V] [TRT] --------------- Timing Runner: conv1 (Cask)\n"
        "[07/07/2026-02:11:00] [V] [TRT] Tactic: 0x01 Time: 0.5\n";
  }
  ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.races_left_out, 100U);
  make_whole(log.result.builds[0], log.result.rests[0]);
  EXPECT_EQ(log.build().autotuning.size(), AutotuneFold::kMaxRaces);
  EXPECT_EQ(log.build().tactics_timed, AutotuneFold::kMaxRaces + 100);
}

TEST(Limits, CandidatesOfARace) {
  std::string text =
      running("--onnx=m") +
      library_lines({"*************** Autotuning format combination: Float(1) -> Float(1) "
                     "***************",
                     "--------------- Timing Runner: conv1 (Cask)", "Tactic: 0x07 Time: 0.25"});
  for (std::size_t i = 0; i < AutotuneFold::kMaxCandidates + 99; ++i) {
    text += "[07/07/2026-02:11:00] [V] [TRT] Tactic: 0x01 Time: 0.5\n";
  }
  text += library_lines({">>>>>>>>>>>>>>> Chose Runner Type: Cask Tactic: 0x07"});
  ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.candidates_left_out, 100U);
  make_whole(log.result.builds[0], log.result.rests[0]);
  ASSERT_EQ(log.build().autotuning.size(), 1U);
  EXPECT_EQ(log.build().autotuning[0].timed, AutotuneFold::kMaxCandidates + 100);
  EXPECT_THAT(log.build().autotuning[0].chosen_ms, Optional(DoubleEq(0.25)));
}

// The names of runners and of kernels, whether they get a time or not.
TEST(Limits, NamesOfARace) {
  std::string text =
      running("--onnx=m") + library_lines({"*************** Autotuning format combination: "
                                           "Float(1) -> Float(1) ***************"});
  for (int i = 0; i < 100; ++i) {
    text += library_lines({"--------------- Timing Runner: conv1 (A" + std::to_string(i) + ")",
                           "--------------- Timing Runner: conv1 (B" + std::to_string(i) +
                               std::string(60000, 'x') + ")",
                           "Tactic: 0x0" + std::to_string(i % 8) + " Time: 0.5"});
  }
  text += library_lines({"--------------- Timing Runner: conv1 (Last)", "Tactic: 0x08 Time: 0.25"});
  ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.candidates_left_out, 31U);  // 70 * 60002 B: the first above 4 MiB
}

// A race weighs what its texts do: of 30 runs with 1 MB of them each, those of 16 MiB stay whole.
TEST(Limits, LongTextsOfRaces) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += running("--onnx=m" + std::to_string(i));
    for (int race = 0; race < 4; ++race) {
      text += library_lines(
          {"Computing costs for conv1",
           "*************** Autotuning format combination: " + std::string(250000, 'x') +
               " ***************",
           "--------------- Timing Runner: conv1 (Cask)", "Tactic: 0x01 Time: 0.5"});
    }
  }
  const ParsedLog log = parse_log(text);
  const auto whole = std::count_if(log.result.builds.begin(), log.result.builds.end(),
                                   [](const Build& build) { return !build.outline_only; });
  EXPECT_GE(whole, 8);
  EXPECT_LE(whole, 16);
}

// A text that comes again is the same one; a long one is not kept for that.
TEST(Limits, RecentTexts) {
  json_detail::RecentTexts recent;
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, std::size_t{4097}}) {
    const std::string text(size, 'x');
    const SharedText first = recent.text(text), second = recent.text(text);
    EXPECT_EQ(second, text);
    EXPECT_EQ(&first.str() == &second.str(), size <= 4096) << size;
    const auto [format, type] = recent.text_and_type("Half" + text);
    EXPECT_EQ(type, data_type_of("Half" + text));
    EXPECT_EQ(format, "Half" + text);
  }
}

TEST(Limits, LayersAndNodes) {
  std::string text = running("--onnx=m");
  for (std::size_t i = 0; i < RunBuilder::kMaxNodes + 10; ++i) {
    text += library_lines({"Parsing node: n" + std::to_string(i) + " [Conv]"});
  }
  for (std::size_t i = 0; i < RunBuilder::kMaxLayers + 10; ++i) {
    text += library_lines({"Layer(CaskConvolution): c" + std::to_string(i) +
                           ", Tactic: 0x1, x (Float[1,3]) -> y (Float[1,3])"});
  }
  ParsedLog log = parse_log(text);
  make_whole(log.result.builds[0], log.result.rests[0]);
  EXPECT_EQ(log.build().onnx_nodes.size(), RunBuilder::kMaxNodes);
  EXPECT_EQ(log.build().layers.size(), RunBuilder::kMaxLayers);
  EXPECT_EQ(log.build().layers.back().name, "c99999");
  EXPECT_EQ(log.result.layers_left_out, 20U);
}

TEST(Limits, TensorsByName) {
  Build build;
  IoTensor x, y;
  x.tensor.name = "x";
  y.tensor.name = "y";
  add_io_tensors(build, {x});
  x.tensor.dims = {1, 3};
  y.is_input = false;
  add_io_tensors(build, {x, y, y});
  ASSERT_EQ(build.io_tensors.size(), 2U);
  EXPECT_EQ(build.io_tensors[0].tensor.dims, (std::vector<std::int64_t>{1, 3}));
  EXPECT_FALSE(build.io_tensors[1].is_input);
}

// trtexec repeats --shapes in the banner, also where an engine brings its own profiles.
TEST(Banner, ProfilesOfALoadedEngineAreNotInIt) {
  for (const std::string model : {"--loadEngine=m.plan", "--onnx=m.onnx"}) {
    const std::string command = model + " --shapes=x:4x3";
    ParsedLog log = parse_log(
        running(command) +
        own_lines({"=== Build Options ===", "Input build shape (profile 0): x=4x3+4x3+4x3"}) +
        closing("PASSED", command));
    Build& build = log.result.builds.at(0);
    read_banner(build);
    EXPECT_EQ(build.optimization_profiles.size(), model == "--onnx=m.onnx" ? 1U : 0U) << model;
  }
}

}  // namespace
}  // namespace trtlens::log_limits_test
