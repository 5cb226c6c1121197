// What of the exports beside layers and times comes into the build: metadata, outputs, the tuner's
// files, several documents of one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzers/analysis.h"
#include "parsers/parse.h"
#include "report/document/document.h"
#include "tests/temp_folder.h"
#include "tests/unit/log_sample.h"

namespace trtlens::join_records_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

class JoinRecords : public testing::Test {
 protected:
  [[nodiscard]] ParseResult read(int build = 0) const {
    ParseOptions options;
    options.build = build;
    return parse_inputs({folder_.path().string()}, options);
  }
  [[nodiscard]] Build read_one() const {
    ParseResult result = read();
    EXPECT_EQ(result.builds.size(), 1U);
    return result.builds.empty() ? Build{} : std::move(result.builds[0]);
  }
  void write(const std::string& name, const std::string& text) const {
    (void)folder_.write(name, text);
  }
  TempFolder folder_;
};

std::string text_of(const Document& document) {
  std::string text;
  const auto add = [&text](const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block)) text += paragraph->text + "\n";
      if (const auto* table = std::get_if<Table>(&block)) {
        text += "# " + table->title + "\n";
        for (std::size_t r = 0; r < table->rows.size(); ++r) {
          for (const Cell& cell : table->rows[r]) text += cell.text + "|";
          text += "\n";
        }
      }
      if (const auto* list = std::get_if<List>(&block)) {
        for (const std::string& item : list->items) text += "- " + item + "\n";
      }
    }
  };
  for (const Tile& tile : document.tiles) {
    text += tile.label + ": " + tile.value + ", " + tile.unit + "\n";
    for (const std::string& line : tile.lines) text += line + "\n";
  }
  add(document.headline);
  for (const Section& section : document.sections) add(section.blocks);
  return text;
}

std::string report_of(ParseResult parsed) {
  const Analysis analysis = analyze(std::move(parsed), {});
  return text_of(build_document(analysis, 10));
}

const std::string kProfile =
    "[{\"count\": 10}, {\"name\": \"a\", \"timeMs\": 1, \"averageMs\": 0.1}]";

// A crash of the machine leaves NULs behind what was written.
TEST_F(JoinRecords, NulsBehindADocumentAreLeftOut) {
  write("layers.json", "{\"Layers\": [\"a\", \"b + c\"]}" + std::string(4096, '\0'));
  ParseResult result = read();
  ASSERT_EQ(result.builds.size(), 1U);
  EXPECT_EQ(result.builds[0].layers.size(), 2U);
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].id, "json-nul-tail");
  write("layers.json", kProfile + std::string(100, '\0'));
  EXPECT_TRUE(read_one().has_profile);
  // A NUL between bytes, or nothing else, is no text.
  write("layers.json", kProfile.substr(0, 40) + std::string(100, '\0') + "]");
  EXPECT_EQ(read().inputs.at(0).kind, InputKind::unknown);
  write("layers.json", std::string(100, '\0'));
  EXPECT_FALSE(read().inputs.at(0).is_text);
}

TEST_F(JoinRecords, ABareStringBeforeLayers) {
  write("dump.json", "\"conv0\"\n{\"Name\": \"conv1\", \"LayerType\": \"Reformat\"}\n");
  const Build build = read_one();
  ASSERT_EQ(build.layers.size(), 2U);
  EXPECT_EQ(build.layers[0].name, "conv0");
  EXPECT_EQ(build.layers[1].layer_type, "Reformat");
}

TEST_F(JoinRecords, MetadataOfTrexAsTrextecPrintsIt) {
  write("p.metadata.json", R"({"performance_summary": {"Throughput": "1000 qps",
    "Latency": [1, 4, 2.5, 2, 3, 3.2, 3.5],
    "Enqueue Time": [0.01, 0.04, 0.02, 0.03, 0.035], "H2D Latency": [0.1, 0.4, 0.2, 0.3, 0.31, 0.32, 0.35],
    "D2H Latency": [1, 2, 3], "Total Host Walltime": 3.0005, "Total GPU Compute Time": "2.5 s"},
    "inference_options": {"Batch": "Explicit", "Input inference shape": "input.1=32x3x224x224"},
    "device_information": {"Selected Device": "NVIDIA A100", "Compute Capability": 8.0, "SMs": "108.0",
    "Compute Clock Rate": 1.41, "Device Global Memory": "80994 MiB", "Memory Bus Width": 5120.0,
    "Memory Clock Rate": "1.512 GHz"}})");
  const Build build = read_one();
  ASSERT_TRUE(build.gpu.has_value());
  EXPECT_EQ(build.gpu->compute_capability, "8.0");
  EXPECT_EQ(build.gpu->sms, 108);
  EXPECT_EQ(build.gpu->memory_bytes, std::int64_t{80994} << 20);
  EXPECT_EQ(build.gpu->compute_clock_ghz, 1.41);
  EXPECT_EQ(build.gpu->memory_clock_ghz, 1.512);
  EXPECT_EQ(build.gpu->memory_bus_bits, 5120);
  const Performance& p = build.performance;
  EXPECT_EQ(p.throughput_qps, 1000);
  ASSERT_TRUE(p.latency && p.enqueue && p.h2d);
  EXPECT_EQ(p.latency->mean_ms, 2.5);
  EXPECT_EQ(p.latency->median_ms, 2);
  EXPECT_THAT(p.latency->percentiles_ms,
              ElementsAre(std::pair{"90", 3.0}, std::pair{"95", 3.2}, std::pair{"99", 3.5}));
  EXPECT_EQ(p.enqueue->median_ms, 0.03);
  EXPECT_EQ(p.h2d->percentiles_ms.at("95"), 0.32);
  EXPECT_EQ(p.h2d->percentiles_ms.at("99"), 0.35);
  EXPECT_FALSE(p.d2h.has_value());  // of three numbers nobody says which they are
  EXPECT_EQ(p.host_walltime_s, 3.0005);
  EXPECT_EQ(p.gpu_compute_total_s, 2.5);
  EXPECT_EQ(build.inference.batch, 32);
}

TEST_F(JoinRecords, MetadataOfTheDevice) {
  write("d.metadata.json", R"([{"Name": "NVIDIA A100", "ComputeCapability": [8, 0],
    "TotalMemory": 84929216512, "CLOCK_RATE": 1410000, "MEMORY_CLOCK_RATE": 1512000,
    "GLOBAL_MEMORY_BUS_WIDTH": 5120, "MULTIPROCESSOR_COUNT": 108}, {"Name": "T4"}])");
  const Build build = read_one();
  ASSERT_TRUE(build.gpu.has_value());
  EXPECT_EQ(build.gpu->name, "NVIDIA A100");
  EXPECT_EQ(build.gpu->compute_capability, "8.0");
  EXPECT_EQ(build.gpu->sms, 108);
  EXPECT_EQ(build.gpu->memory_bytes, 84929216512);
  EXPECT_EQ(build.gpu->compute_clock_ghz, 1.41);
  EXPECT_EQ(build.gpu->memory_clock_ghz, 1.512);
  EXPECT_EQ(build.gpu->memory_bus_bits, 5120);
}

TEST_F(JoinRecords, OutputsThatAreAllNaN) {
  write("out.json", R"([ { "name" : "y", "dimensions" : "1x2", "values" : [ nan, -nan ] }
, { "name" : "z", "dimensions" : "2", "values" : [ 1, nan ] } ])");
  const Build build = read_one();
  ASSERT_EQ(build.outputs.size(), 2U);
  ASSERT_EQ(build.io_tensors.size(), 2U);
  EXPECT_FALSE(build.io_tensors[0].is_input);
  EXPECT_EQ(build.io_tensors[0].tensor.dims, (std::vector<std::int64_t>{1, 2}));
  const std::string report = report_of(read());
  EXPECT_THAT(report, HasSubstr("Every value of y is NaN"));
  EXPECT_THAT(report, HasSubstr("What is wrong: Every value of the output y is NaN"));
  EXPECT_THAT(report, HasSubstr("y|1 × 2|2|2|0|unknown|unknown|"));
  EXPECT_THAT(report, HasSubstr("z|2|2|1|0|1|1|"));
  write("out.json", R"([ { "name" : "y", "dimensions" : "2", "values" : [ 1, nan ] } ])");
  EXPECT_THAT(report_of(read()), testing::Not(HasSubstr("Every value")));
}

TEST_F(JoinRecords, TheTunersCacheAlone) {
  write("t.jsonl",
        R"({"tuner_version":"1.0","searching_algorithm":"mixed","tuning_expr":"-a=on|off"}
{"iter":0,"build_route":"-a=on","crash":false,"error_message":"","accuracy_loss":{"y":0.001},"gpu_time":0.04}
{"iter":1,"build_route":"-a=off","crash":false,"error_message":"","accuracy_loss":{"y":0.002},"gpu_time":0.03}
{"iter":2,"build_route":"-b=on","crash":true,"error_message":"exited with 1","accuracy_loss":null,"gpu_time":null}
)");
  const Build build = read_one();
  ASSERT_EQ(build.tuning.iterations.size(), 3U);
  EXPECT_EQ(build.tuning.best(), &build.tuning.iterations[1]);
  EXPECT_EQ(build.tuning.search, "mixed");
  EXPECT_EQ(build.tuning.expression, "-a=on|off");
  const std::string report = report_of(read());
  EXPECT_THAT(report, HasSubstr("How fast: 0.0300 ms, GPU time of the best tuning iteration"));
  EXPECT_THAT(report, HasSubstr("1|-a=off|0.0300|passed|0.0020 (y)||best|\n0|-a=on|0.0400|"));
  EXPECT_THAT(report, HasSubstr("2|-b=on|unknown|crashed|||exited with 1|"));
}

// What failed its accuracy check is not the best, however fast.
TEST_F(JoinRecords, TheTunersResult) {
  write("r.json", R"({"gpu_time_ms": 0.51, "accuracy_failed": true, "accuracy_loss": {"y": 5.5}})");
  const Build build = read_one();
  ASSERT_EQ(build.tuning.iterations.size(), 1U);
  EXPECT_EQ(build.tuning.best(), nullptr);
  EXPECT_THAT(report_of(read()), HasSubstr("accuracy check failed"));
}

std::string profile_of(const std::string& name) {
  return "[ { \"count\" : 10 }\n, { \"name\" : \"" + name +
         "\", \"timeMs\" : 1, \"averageMs\" : 0.1, \"percentage\" : 100 }\n]\n";
}

TEST_F(JoinRecords, DocumentsOfOneFileAreReportedOneByOne) {
  write("p.json", profile_of("a") + profile_of("b") + profile_of("c"));
  const std::string path = folder_.at("p.json");
  ParseResult first = read();
  EXPECT_THAT(first.build_names,
              ElementsAre(path + ", document at line 1", path + ", document at line 4",
                          path + ", document at line 7"));
  EXPECT_TRUE(std::any_of(first.diagnostics.begin(), first.diagnostics.end(),
                          [](const Diagnostic& d) { return d.id == "documents-apart"; }));
  EXPECT_EQ(analyze_all(std::move(first), {}).at(1).build_number, 2);
  ParseResult third = read(3);
  EXPECT_FALSE(third.build_not_found);
  EXPECT_EQ(third.builds.at(0).layers.at(0).name, "c");
  std::vector<std::pair<int, std::string>> numbered;
  for (const Analysis& analysis : analyze_all(std::move(third), {})) {
    numbered.emplace_back(analysis.build_number, analysis.name);
  }
  EXPECT_THAT(numbered, ElementsAre(std::pair(3, path + ", document at line 7"),
                                    std::pair(1, path + ", document at line 1"),
                                    std::pair(2, path + ", document at line 4")));
  EXPECT_TRUE(read(4).build_not_found);
  EXPECT_FALSE(read(1).build_not_found);
}

}  // namespace
}  // namespace trtlens::join_records_test
