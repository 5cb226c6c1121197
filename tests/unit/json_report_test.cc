// The promises of the machine-readable report: names, units, hostile content.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "report/formats/json/writer.h"
#include "tests/rendered.h"
#include "tests/unit/build_maker.h"

namespace trtlens::json_report_test {
namespace {

using nlohmann::json;
using test::conv;
using test::tensor;

json report_of(const Analysis& a) {
  return json::parse(json_of(a, "0.0.0-test"));
}

// "a.b[].c": every element of a list has the name; the list must not be empty.
void expect_path(const json& root, const std::string& path) {
  std::vector<json> at = {root};
  std::size_t from = 0;
  while (from <= path.size()) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    std::string name = path.substr(from, dot - from);
    const bool each = name.size() > 2 && name.substr(name.size() - 2) == "[]";
    if (each) name.resize(name.size() - 2);
    std::vector<json> next;
    for (const json& value : at) {
      ASSERT_TRUE(value.is_object()) << path << " at " << name;
      ASSERT_TRUE(value.contains(name)) << path << " lacks " << name;
      if (!each) {
        next.push_back(value[name]);
        continue;
      }
      ASSERT_TRUE(value[name].is_array()) << path;
      for (const json& element : value[name]) next.push_back(element);
    }
    at = std::move(next);
    from = dot + 1;
  }
}

const json& resnet() {
  static const json report = report_of(test::analyze_path(test::fixture("p_r18_partial_i8")));
  return report;
}

// A step of launches wins time of a query; any other one has none of these figures.
TEST(JsonReport, EachFigureOfAStepStandsUnderItsName) {
  Analysis a = test::analyze_build(test::build_of(
      {conv("c", {tensor("x", DataType::fp16)}, tensor("y", DataType::fp16), DataType::fp16, 1)}));
  a.findings.assign(1, Finding());
  a.ladder.emplace().steps = {{0, 1, 2, {3, 4}, MsRange{5, 6}}, {0, 1, 2, {3, 4}}};
  const json steps = report_of(a)["build"]["ladder"]["steps"];
  const json first = {{"finding", 0},        {"rule", ""},          {"low_ms", 1.0},
                      {"high_ms", 2.0},      {"left_low_ms", 3.0},  {"left_high_ms", 4.0},
                      {"query_low_ms", 5.0}, {"query_high_ms", 6.0}};
  EXPECT_EQ(steps[0], first);
  EXPECT_TRUE(steps[1]["query_low_ms"].is_null());
  EXPECT_TRUE(steps[1]["query_high_ms"].is_null());
}

TEST(JsonReport, AllPromisedNamesOfAnalyzeAreThere) {
  ASSERT_EQ(resnet()["schema_version"], 1);
  for (const char* path : {"tool.name",
                           "tool.version",
                           "inputs[].path",
                           "inputs[].kind",
                           "inputs[].bytes",
                           "inputs[].lines",
                           "runs[].n",
                           "runs[].producer",
                           "runs[].command",
                           "runs[].outcome",
                           "runs[].file",
                           "runs[].first_line",
                           "runs[].last_line",
                           "run",
                           "build.tensorrt.version",
                           "build.tensorrt.build",
                           "build.tensorrt.source",
                           "build.producer",
                           "build.outcome",
                           "build.gpu.name",
                           "build.gpu.compute_capability",
                           "build.gpu.sms",
                           "build.gpu.memory_bytes",
                           "build.io_tensors[].name",
                           "build.io_tensors[].mode",
                           "build.io_tensors[].dims",
                           "build.io_tensors[].type",
                           "build.inference.batch",
                           "build.inference.streams",
                           "build.inference.cuda_graph",
                           "build.inference.data_transfers",
                           "build.inference.spin_wait",
                           "build.inference.opt_profile",
                           "build.command",
                           "build.options.precision",
                           "build.options.strongly_typed",
                           "build.coverage.lines",
                           "build.coverage.recognised",
                           "build.coverage.noise",
                           "build.coverage.continuation",
                           "build.coverage.malformed",
                           "build.coverage.unknown",
                           "build.coverage.foreign",
                           "build.messages[].severity",
                           "build.messages[].text",
                           "build.messages[].count",
                           "build.messages[].file",
                           "build.messages[].line",
                           "build.performance.throughput_qps",
                           "build.performance.samples_per_s",
                           "build.performance.latency_ms.min",
                           "build.performance.latency_ms.max",
                           "build.performance.latency_ms.mean",
                           "build.performance.latency_ms.median",
                           "build.performance.latency_ms.percentiles",
                           "build.performance.gpu_compute_ms.median",
                           "build.performance.enqueue_ms.median",
                           "build.performance.h2d_ms.median",
                           "build.performance.d2h_ms.median",
                           "build.performance.queries",
                           "build.layers[].index",
                           "build.layers[].name",
                           "build.layers[].layer_type",
                           "build.layers[].parameter_type",
                           "build.layers[].precision.compute",
                           "build.layers[].precision.evidence",
                           "build.layers[].precision.confidence",
                           "build.layers[].inputs[].name",
                           "build.layers[].inputs[].dims",
                           "build.layers[].inputs[].type",
                           "build.layers[].inputs[].format",
                           "build.layers[].outputs[].name",
                           "build.layers[].tactic",
                           "build.layers[].origin",
                           "build.layers[].opt_profile",
                           "build.layers[].onnx_nodes",
                           "build.layers[].weights_bytes",
                           "build.layers[].time.mean_ms",
                           "build.layers[].time.median_ms",
                           "build.layers[].time.share",
                           "build.layers[].found_in",
                           "build.totals.layers",
                           "build.totals.timed_layers",
                           "build.totals.profile_sum_ms",
                           "build.totals.unattributed_ms",
                           "build.totals.by_precision[].precision",
                           "build.totals.by_precision[].layers",
                           "build.totals.by_precision[].time_ms",
                           "build.totals.by_precision[].share",
                           "build.totals.by_type[].type",
                           "build.missing_scale[].tensor",
                           "build.missing_scale[].layers",
                           "build.missing_scale[].time_ms",
                           "build.missing_scale[].matters",
                           "build.missing_scale[].file",
                           "build.missing_scale[].line",
                           "build.fp32_fallback[].layer",
                           "build.fp32_fallback[].time_ms",
                           "build.fp32_fallback[].why",
                           "build.fp32_fallback[].evidence",
                           "build.reformats[].layer",
                           "build.reformats[].from",
                           "build.reformats[].to",
                           "build.reformats[].bytes",
                           "build.reformats[].time_ms",
                           "build.reformats[].cause",
                           "build.reformats[].removable",
                           "build.tactics.timed",
                           "build.tactics.layers",
                           "build.tactics.skipped",
                           "build.tactics.races[].layer",
                           "build.tactics.races[].chosen",
                           "build.tactics.races[].chosen_ms",
                           "build.tactics.races[].runner_up",
                           "build.tactics.races[].runner_up_ms",
                           "build.tactics.races[].margin",
                           "build.build_time.engine_s",
                           "build.build_time.stages",
                           "build.build_time.slowest_layers",
                           "build.memory.engine_bytes",
                           "build.memory.weights_bytes",
                           "build.memory.activation_bytes",
                           "build.memory.scratch_bytes",
                           "build.memory.peak_gpu_bytes",
                           "findings[].rule",
                           "findings[].category",
                           "findings[].severity",
                           "findings[].confidence",
                           "findings[].stake_ms",
                           "findings[].gain_ms",
                           "findings[].title",
                           "findings[].why",
                           "findings[].evidence",
                           "findings[].remedies",
                           "findings[].next_check",
                           "findings[].sources",
                           "diagnostics"}) {
    expect_path(resnet(), path);
  }
}

TEST(JsonReport, ValuesAreUnroundedAndInTheirUnits) {
  const Analysis a = test::analyze_path(test::fixture("p_r18_partial_i8"));
  double sum = 0, share = 0;
  for (const json& layer : resnet()["build"]["layers"]) {
    sum += layer["time"]["mean_ms"].get<double>();
    share += layer["time"]["share"].get<double>();
  }
  EXPECT_NEAR(sum, a.build.profile_sum_ms, 1e-12);
  EXPECT_NEAR(share, 1.0, 1e-12);
  EXPECT_EQ(resnet()["build"]["totals"]["profile_sum_ms"].get<double>(), a.build.profile_sum_ms);
  EXPECT_EQ(resnet()["findings"][0]["stake_ms"].get<double>(), a.findings[0].stake_ms.value());
  const std::set<std::string> severities = {"fatal", "major", "moderate", "minor", "info"};
  const std::set<std::string> confidences = {"measured", "inferred", "guessed"};
  for (const json& f : resnet()["findings"]) {
    EXPECT_EQ(severities.count(f["severity"]), 1U);
    EXPECT_EQ(confidences.count(f["confidence"]), 1U);
  }
  for (const json& m : resnet()["build"]["messages"]) {
    EXPECT_TRUE(m["severity"] == "error" || m["severity"] == "warning");
  }
}

TEST(JsonReport, CoverageAddsUp) {
  const json& c = resnet()["build"]["coverage"];
  std::uint64_t sum = 0;
  for (const char* name :
       {"recognised", "noise", "continuation", "malformed", "unknown", "foreign"}) {
    sum += c[name].get<std::uint64_t>();
  }
  EXPECT_EQ(sum, c["lines"].get<std::uint64_t>());
  EXPECT_GT(sum, 0U);
}

// Unknown is null or absent, never 0 or "".
TEST(JsonReport, UnknownIsNull) {
  const json j = report_of(test::analyze_build(Build()));
  const json& b = j["build"];
  EXPECT_TRUE(b["tensorrt"].is_null());
  EXPECT_TRUE(b["gpu"].is_null());
  EXPECT_TRUE(b["command"].is_null());
  EXPECT_TRUE(b["fp32_fallback"].is_null());
  EXPECT_TRUE(b["tactics"].is_null());
  EXPECT_TRUE(b["totals"]["profile_sum_ms"].is_null());
  EXPECT_TRUE(b["totals"]["unattributed_ms"].is_null());
  EXPECT_TRUE(b["performance"]["throughput_qps"].is_null());
  EXPECT_TRUE(b["performance"]["gpu_compute_ms"].is_null());
  EXPECT_TRUE(b["memory"]["engine_bytes"].is_null());
  EXPECT_TRUE(b["inference"]["batch"].is_null());
  EXPECT_TRUE(b["options"]["precision"].is_null());
  EXPECT_EQ(b["outcome"], "unknown");
  EXPECT_EQ(b["layers"], json::array());
}

TEST(JsonReport, ALayerWithoutFactsHasNulls) {
  Layer bare;
  bare.name = "bare";
  Build build;
  build.layers.push_back(bare);
  const json layer = report_of(test::analyze_build(std::move(build)))["build"]["layers"][0];
  for (const char* name :
       {"layer_type", "parameter_type", "tactic", "origin", "weights_bytes", "time"}) {
    EXPECT_TRUE(layer[name].is_null()) << name;
  }
  EXPECT_EQ(layer["precision"]["compute"], "unknown");
  EXPECT_EQ(layer["found_in"], json::array());
}

TEST(JsonReport, MissingScaleWithoutLayerInfoIsUndecided) {
  Build build;
  build.has_log = true;
  build.missing_scales.push_back({"t", 1, SourcePos{0, 3, 0}});
  const json entry = report_of(test::analyze_build(std::move(build)))["build"]["missing_scale"][0];
  EXPECT_TRUE(entry["matters"].is_null());
  EXPECT_TRUE(entry["time_ms"].is_null());
  EXPECT_EQ(entry["line"], 3);
}

TEST(JsonReport, TotalsCoverTheTimedProfile) {
  std::vector<Layer> layers = {
      conv("c", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16), DataType::fp16, -1),
      conv("c [profile 1]", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16),
           DataType::fp16, 0.5)};
  layers[1].opt_profile = 1;
  const json j = report_of(test::analyze_layers(layers));
  EXPECT_EQ(j["build"]["layers"].size(), 2U);
  EXPECT_EQ(j["build"]["totals"]["layers"], 1);
  EXPECT_EQ(j["build"]["totals"]["by_precision"][0]["layers"], 1);
  EXPECT_EQ(j["build"]["totals"]["by_precision"][0]["share"], 1.0);
}

// No layer of the row has a time: what it takes is not known, and 0 is what was measured.
TEST(JsonReport, TotalsOfUntimedLayersAreNull) {
  std::vector<Layer> layers = {
      conv("c", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16), DataType::fp16, -1),
      test::layer("n", "NoOp", {}, {}, -1)};
  const auto totals = [&] { return report_of(test::analyze_layers(layers))["build"]["totals"]; };
  const json untimed = totals();
  for (const char* rows : {"by_precision", "by_type"}) {
    ASSERT_EQ(untimed[rows].size(), 2U);
    for (const json& row : untimed[rows]) {
      EXPECT_TRUE(row["time_ms"].is_null()) << row;
      EXPECT_TRUE(row["share"].is_null()) << row;
      EXPECT_EQ(row["layers"], 1);
    }
  }
  layers[0] =
      conv("c", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16), DataType::fp16, 2);
  const json half = totals();
  EXPECT_EQ(half["by_type"][0]["time_ms"], 2.0);
  EXPECT_EQ(half["by_type"][0]["share"], 1.0);
  EXPECT_TRUE(half["by_type"][1]["time_ms"].is_null());
  layers[1] = test::layer("n", "NoOp", {}, {}, 0);
  EXPECT_EQ(totals()["by_type"][1]["time_ms"], 0.0);
}

TEST(JsonReport, NamesTheLayersBelowTheLaunchFloor) {
  const json j = report_of(test::analyze_layers(
      {conv("c", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16), DataType::fp16, 0.5),
       conv("d", {tensor("b", DataType::fp16)}, tensor("e", DataType::fp16), DataType::fp16,
            0.004)}));
  const json& r = j["build"]["reconciliation"];
  EXPECT_EQ(r["below_floor"], 1);
  EXPECT_EQ(r["below_floor_layers"], json::parse(R"([{"layer": "d", "time_ms": 0.004}])"));
}

TEST(JsonReport, LastOfARepeatedOptionWins) {
  Build build;
  build.options.flags = {
      {"iterations", "10"}, {"fp16", ""}, {"iterations", "99"}, {"precision", "nonsense"}};
  const json options = report_of(test::analyze_build(std::move(build)))["build"]["options"];
  EXPECT_EQ(options["iterations"], "99");
  EXPECT_EQ(options["fp16"], true);
  EXPECT_TRUE(options["precision"].is_null());  // the name is ours
}

TEST(JsonReport, HostileNamesSurvive) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"quote\" back\\slash", "quote\" back\\slash"},
      {std::string("nul\0 and \x1e\x07\x7f", 12), std::string("nul\0 and \x1e\x07\x7f", 12)},
      {"</script><b>\n\r\t", "</script><b>\n\r\t"},
      {"bad \xff\xfe utf-8 \xc3", "bad \xef\xbf\xbd\xef\xbf\xbd utf-8 \xef\xbf\xbd"},
      {"{\"a\":1}", "{\"a\":1}"},
      {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
  for (const auto& [name, expected] : cases) {
    Layer l = conv(name, {tensor(name, DataType::fp32)}, tensor(name + "o", DataType::fp32),
                   DataType::fp32, 1);
    l.tactic_name = name;
    l.onnx_nodes = {name};
    Build build = test::build_of({l, l});
    build.allowed.labels = {"FP32", "FP16"};
    build.command = name;
    build.options.flags.emplace_back(name, name);
    build.missing_scales.push_back({name, 1, {}});
    Message m;
    m.severity = LogSeverity::error;
    m.text = name;
    build.messages.push_back(m);
    const Analysis a = test::analyze_build(std::move(build));
    const json j = report_of(a);
    EXPECT_EQ(j["build"]["layers"][0]["name"], expected);
    EXPECT_EQ(j["build"]["layers"][0]["tactic"]["name"], expected);
    EXPECT_EQ(j["build"]["missing_scale"][0]["tensor"], expected);
    EXPECT_EQ(j["build"]["messages"][0]["text"], expected);
    EXPECT_EQ(j["build"]["command"], expected);
    EXPECT_EQ(j["build"]["fp32_fallback"][0]["layer"], expected);
    const json c = json::parse(json_of(compare({a}, {a}, {}), "v"));
    EXPECT_EQ(c["groups"][0]["base_layers"][0], expected);
  }
}

TEST(JsonReport, NumbersThatAreNoneAreNull) {
  Build build;
  build.performance.throughput_qps = std::numeric_limits<double>::quiet_NaN();
  build.performance.gpu_compute.emplace().median_ms = std::numeric_limits<double>::infinity();
  const json j = report_of(test::analyze_build(std::move(build)));
  EXPECT_TRUE(j["build"]["performance"]["throughput_qps"].is_null());
  EXPECT_TRUE(j["build"]["performance"]["gpu_compute_ms"]["median"].is_null());
}

TEST(JsonReport, AllPromisedNamesOfCompareAreThere) {
  std::vector<Analysis> base, candidate;
  base.push_back(test::analyze_path(test::fixture("a_r18_fp16")));
  candidate.push_back(test::analyze_path(test::fixture("b_r18_q_conv")));
  const json j = json::parse(json_of(compare(std::move(base), std::move(candidate), {}), "v"));
  for (const char* path : {"schema_version",
                           "tool.name",
                           "base.build.layers",
                           "base.inputs[].path",
                           "candidate.build.totals.profile_sum_ms",
                           "candidate.inputs[].kind",
                           "comparable",
                           "differences[].what",
                           "differences[].name",
                           "differences[].base",
                           "differences[].candidate",
                           "differences[].matters",
                           "engine.metric",
                           "engine.base",
                           "engine.candidate",
                           "engine.delta",
                           "engine.ratio",
                           "engine.ci95",
                           "engine.p_value",
                           "engine.n",
                           "engine.runs",
                           "engine.noise_floor",
                           "engine.noise_floor_from",
                           "engine.method",
                           "engine.verdict",
                           "groups[].base_layers",
                           "groups[].candidate_layers",
                           "groups[].how",
                           "groups[].confidence",
                           "groups[].base_ms",
                           "groups[].candidate_ms",
                           "groups[].delta_ms",
                           "groups[].precision",
                           "groups[].verdict",
                           "groups[].why",
                           "summary.aligned_share_base",
                           "summary.aligned_share_candidate",
                           "summary.launches",
                           "summary.reformats",
                           "findings",
                           "diagnostics"}) {
    expect_path(j, path);
  }
  EXPECT_EQ(j["engine"]["metric"], "gpu_compute_ms");
  EXPECT_EQ(j["engine"]["runs"].size(), 2U);
  const std::set<std::string> hows = {"onnx", "tensors",   "signature",
                                      "name", "only_base", "only_candidate"};
  for (const json& group : j["groups"]) {
    EXPECT_EQ(hows.count(group["how"]), 1U);
    EXPECT_NEAR(group["delta_ms"].get<double>(),
                group["candidate_ms"].get<double>() - group["base_ms"].get<double>(), 1e-12);
  }
}

TEST(JsonReport, SameInputSameBytes) {
  const std::string once = json_of(test::analyze_path(test::fixture("b_g6_q")), "v");
  EXPECT_EQ(once, json_of(test::analyze_path(test::fixture("b_g6_q")), "v"));
  EXPECT_EQ(once.back(), '\n');
}

}  // namespace
}  // namespace trtlens::json_report_test
