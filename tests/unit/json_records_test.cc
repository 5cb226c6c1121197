// Profiles, query times and other exports.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/json/json_inputs.h"

namespace trtlens::json_records_test {
namespace {

JsonRecords read_one(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  std::vector<JsonRecords> records = read_json(text, "f.json", 0, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) ADD_FAILURE() << diagnostic.id;
  EXPECT_EQ(records.size(), 1U);
  return records.empty() ? JsonRecords{} : records.front();
}

TEST(JsonProfile, ReadsRecordsWithQuantum) {
  const JsonRecords records = read_one(R"([
  { "count" : 18488 }
, { "name" : "a", "timeMs" : 148.32, "averageMs" : 0.00802248, "medianMs" : 0.008192, "percentage" : 1.95 }
, { "name" : "b [profile 1]", "timeMs" : 7e+06, "averageMs" : 403.816, "percentage" : 98 }
, { "name" : "c", "timeMs" : 0, "averageMs" : 0, "medianMs" : 0, "percentage" : 0 }
, { "name" : "d", "timeMs" : 1, "averageMs" : 1, "medianMs" : 1, "percentage" : 0 }
]
)");
  EXPECT_EQ(records.kind, InputKind::profile);
  EXPECT_EQ(records.profile_count, 18488U);
  ASSERT_EQ(records.profile.size(), 4U);
  ASSERT_TRUE(records.profile[0].time.has_value());
  EXPECT_EQ(records.profile[0].time->mean_ms, 0.00802248);
  EXPECT_EQ(records.profile[0].time->median_ms, 0.008192);
  EXPECT_EQ(records.profile[0].time->total_ms, 148.32);
  EXPECT_EQ(records.profile[0].time->quantum_ms, 1e-8);
  EXPECT_EQ(records.profile[0].found_in, kFoundInProfile);
  EXPECT_EQ(records.profile[0].pos.line, 3U);
  EXPECT_EQ(records.profile[0].pos.column, 3U);
  EXPECT_EQ(records.profile[1].time->quantum_ms, 1e-3);
  EXPECT_EQ(records.profile[1].time->median_ms, std::nullopt);
  EXPECT_EQ(records.profile[1].opt_profile, 1);
  EXPECT_EQ(records.profile[2].time->quantum_ms, 0);
  EXPECT_EQ(records.profile[3].time->quantum_ms, 1e-5);
}

TEST(JsonProfile, EmptyAndWithoutCount) {
  const JsonRecords empty = read_one("[\n  { \"count\" : 0 }\n]\n");
  EXPECT_EQ(empty.kind, InputKind::profile);
  EXPECT_EQ(empty.profile_count, 0U);
  EXPECT_TRUE(empty.profile.empty());
  const JsonRecords bare = read_one(R"([{"percentage": 1, "name": "a", "averageMs": 2.5}])");
  EXPECT_EQ(bare.kind, InputKind::profile);
  EXPECT_FALSE(bare.profile_count.has_value());
  EXPECT_EQ(bare.profile.size(), 1U);
}

TEST(JsonProfile, MeanFromTotalAndCount) {
  const JsonRecords records = read_one(R"([{"count": 4}, {"name": "a", "timeMs": 10}])");
  ASSERT_EQ(records.profile.size(), 1U);
  ASSERT_TRUE(records.profile[0].time.has_value());
  EXPECT_EQ(records.profile[0].time->mean_ms, 2.5);
  const JsonRecords unknown = read_one(R"([{"name": "a", "timeMs": 10}])");
  EXPECT_FALSE(unknown.profile.at(0).time.has_value());
}

TEST(JsonProfile, PythonProfilerDumps) {
  const JsonRecords plain =
      read_one(R"({"conv + relu": [1.0, 2.0, 6.0], "pool": [0.5, 0.5, 0.5]})");
  EXPECT_EQ(plain.kind, InputKind::profile);
  EXPECT_EQ(plain.profile_count, 3U);
  ASSERT_EQ(plain.profile.size(), 2U);
  EXPECT_EQ(plain.profile[0].name, "conv + relu");
  EXPECT_EQ(plain.profile[0].time->mean_ms, 3.0);
  EXPECT_EQ(plain.profile[0].time->median_ms, 2.0);
  const JsonRecords stamped = read_one(R"({"/a/Conv": [[4, 100.5], [2, 101.5]]})");
  ASSERT_EQ(stamped.profile.size(), 1U);
  EXPECT_EQ(stamped.profile[0].time->mean_ms, 3.0);
  EXPECT_EQ(stamped.profile[0].time->median_ms, 3.0);
}

TEST(JsonProfile, OtherDictionariesOfListsAreNoProfile) {
  EXPECT_EQ(read_one(R"({"loss": [1, 2], "accuracy": [0, 1]})").kind, InputKind::unknown);
  EXPECT_EQ(read_one(R"({"a + b": [1, 2], "c": [0]})").kind, InputKind::unknown);
  EXPECT_EQ(read_one(R"({"a + b": [1, 2], "c": ["x", "y"]})").kind, InputKind::unknown);
}

TEST(JsonProfile, TorchTensorRtTraceHasTotals) {
  const JsonRecords records = read_one(
      R"([{"name": "a", "ph": "X", "ts": 0, "dur": 1500, "tid": 1, "pid": "e", "args": {}}])");
  EXPECT_EQ(records.kind, InputKind::profile);
  ASSERT_EQ(records.profile.size(), 1U);
  EXPECT_EQ(records.profile[0].time->mean_ms, 1.5);
  EXPECT_EQ(
      read_one(
          R"([{"name": "a", "ph": "X", "ts": 0, "dur": 1500, "tid": 1, "pid": "CPU functions", "args": {}}])")
          .kind,
      InputKind::unknown);
}

TEST(JsonTimes, CurrentKeys) {
  const JsonRecords records = read_one(R"([
  { "startEnqMs" : 2.5, "endEnqMs" : 2.75, "startH2dMs" : 2, "endH2dMs" : 2.5, "startComputeMs" : 2.5, "endComputeMs" : 3.5, "startD2hMs" : 3.5, "endD2hMs" : 3.75, "h2dMs" : 0.5, "computeMs" : 1.125, "d2hMs" : 0.25, "latencyMs" : 1.875 }
, { "startEnqMs" : 1e+06, "endEnqMs" : 1e+06, "startH2dMs" : 2, "endH2dMs" : 2.5, "startComputeMs" : 2.5, "endComputeMs" : 3.5, "startD2hMs" : 3.5, "endD2hMs" : 3.75, "h2dMs" : 0, "computeMs" : 1, "d2hMs" : 0, "latencyMs" : 1 }
]
)");
  EXPECT_EQ(records.kind, InputKind::times);
  ASSERT_EQ(records.queries.size(), 2U);
  const Query& query = records.queries[0];
  EXPECT_FLOAT_EQ(query.start_ms, 2.5F);
  EXPECT_FLOAT_EQ(query.enqueue_ms.value_or(-1), 0.25F);
  EXPECT_FLOAT_EQ(query.h2d_ms.value_or(-1), 0.5F);
  EXPECT_FLOAT_EQ(query.compute_ms, 1.125F);  // the duration, not the difference of the stamps
  EXPECT_FLOAT_EQ(query.d2h_ms.value_or(-1), 0.25F);
  EXPECT_FLOAT_EQ(query.latency_ms, 1.875F);
  EXPECT_FLOAT_EQ(records.queries[1].start_ms, 1e6F);
}

TEST(JsonTimes, SwappedPairsOf71) {
  const JsonRecords records = read_one(R"([{ "startEnqMs" : 1, "endEnqMs" : 2, "startInMs" : 0.5,
    "endInMs" : 0.75, "startComputeMs" : 2, "endComputeMs" : 5, "startOutMs" : 5, "endOutMs" : 6,
    "inMs" : 1, "computeMs" : 3, "outMs" : 1, "latencyMs" : 5, "endToEndMs" : 5 }])");
  ASSERT_EQ(records.queries.size(), 1U);
  EXPECT_FLOAT_EQ(records.queries[0].start_ms, 0.5F);
  EXPECT_FLOAT_EQ(records.queries[0].enqueue_ms.value_or(-1), 0.25F);
  EXPECT_FLOAT_EQ(records.queries[0].h2d_ms.value_or(-1), 1.0F);
  EXPECT_FLOAT_EQ(records.queries[0].d2h_ms.value_or(-1), 1.0F);
}

TEST(JsonTimes, OldestKeysHaveNoEnqueue) {
  const JsonRecords records = read_one(R"([{ "startInMs" : 0.5, "endInMs" : 0.75,
    "startComputeMs" : 2, "endComputeMs" : 5, "startOutMs" : 5, "endOutMs" : 6,
    "inMs" : 1, "computeMs" : 3, "outMs" : 1, "latencyMs" : 5, "endToEndMs" : 5 }])");
  ASSERT_EQ(records.queries.size(), 1U);
  EXPECT_EQ(records.queries[0].enqueue_ms, std::nullopt);
  EXPECT_FLOAT_EQ(records.queries[0].start_ms, 0.5F);
}

TEST(JsonOutput, NamesAndShapes) {
  const JsonRecords records = read_one(R"([
  { "name" : "y"
  , "dimensions" : "1x10"
  , "values" : [ -0.0518188, 0.000385761 ]
  }
, { "name" : "z", "dimensions" : "implicit", "values" : [ 1 ] }
]
)");
  EXPECT_EQ(records.kind, InputKind::output);
  ASSERT_EQ(records.outputs.size(), 2U);
  EXPECT_EQ(records.outputs[0].tensor.name, "y");
  EXPECT_EQ(records.outputs[0].tensor.dims, (std::vector<std::int64_t>{1, 10}));
  EXPECT_FALSE(records.outputs[1].tensor.has_dims);
  EXPECT_EQ(records.outputs[0].count, 2U);
  EXPECT_EQ(records.outputs[0].min, -0.0518188);
  EXPECT_EQ(records.outputs[0].max, 0.000385761);
  EXPECT_EQ(records.outputs[1].count, 1U);
  EXPECT_EQ(records.outputs[1].max, 1);
  EXPECT_EQ(records.outputs[1].pos.line, 6U);
}

TEST(JsonOutput, ValuesThatAreNoNumbersAreCounted) {
  std::vector<Diagnostic> diagnostics;
  const std::vector<JsonRecords> all = read_json(
      R"([ { "name" : "y", "dimensions" : "5", "values" : [ -0.5, nan, inf, -inf, 1e-05 ] }
, { "name" : "z", "dimensions" : "3", "values" : [ -nan, nan, -nan(ind) ] }
, { "name" : "empty", "dimensions" : "0", "values" : [ ] } ])",
      "f.json", 0, diagnostics);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].outputs.size(), 3U);
  const OutputValues& y = all[0].outputs[0];
  EXPECT_EQ(y.count, 5U);
  EXPECT_EQ(y.nan, 1U);
  EXPECT_EQ(y.infinite, 2U);
  EXPECT_EQ(y.min, -0.5);
  EXPECT_EQ(y.max, 1e-05);
  EXPECT_FALSE(y.all_nan());
  EXPECT_EQ(all[0].outputs[1].nan, 3U);
  EXPECT_TRUE(all[0].outputs[1].all_nan());
  EXPECT_FALSE(all[0].outputs[1].min.has_value());
  EXPECT_EQ(all[0].outputs[2].count, 0U);
  EXPECT_FALSE(all[0].outputs[2].all_nan());
}

TEST(JsonTuner, CacheLinesAreOneDocument) {
  const JsonRecords records = read_one(
      "{\"tuner_version\": \"1.0\", \"command_line\": \"trtexec --onnx=m\", \"argv\": [\"a\"]}\n"
      "{\"iter\": 0, \"build_route\": \"-k=a\", \"crash\": false, \"error_message\": \"\", "
      "\"accuracy_loss\": 0.5, \"gpu_time\": 1.25}\n"
      "{\"iter\": 1, \"build_route\": \"-k=b\", \"crash\": true, \"error_message\": \"boom\", "
      "\"accuracy_loss\": null, \"gpu_time\": null}\n");
  EXPECT_EQ(records.kind, InputKind::tuner);
  EXPECT_EQ(records.metadata.at("command_line"), "trtexec --onnx=m");
  ASSERT_EQ(records.tuner.size(), 2U);
  EXPECT_EQ(records.tuner[0].gpu_time_ms, 1.25);
  EXPECT_EQ(records.tuner[1].build_route, "-k=b");
  EXPECT_EQ(records.tuner[1].crashed, true);
  EXPECT_FALSE(records.tuner[1].gpu_time_ms.has_value());
  EXPECT_EQ(records.tuner[1].pos.line, 3U);
  const JsonRecords result =
      read_one(R"({"gpu_time_ms": 2.5, "accuracy_failed": false, "accuracy_loss": {"y": 0.1}})");
  EXPECT_EQ(result.kind, InputKind::tuner);
  EXPECT_EQ(result.tuner.at(0).gpu_time_ms, 2.5);
  EXPECT_EQ(records.tuner[0].outcome, Outcome::passed);
  EXPECT_EQ(records.tuner[1].outcome, Outcome::failed);
  EXPECT_EQ(records.tuner[1].error_message, "boom");
}

TEST(JsonTuner, AMemberOfOneLineIsNotThatOfTheNext) {
  const JsonRecords cache = read_one(
      "{\"iter\": 3, \"build_route\": \"-k=a\", \"crash\": true, \"gpu_time\": 1.25}\n"
      "{\"build_route\": \"-k=b\"}\n");
  ASSERT_EQ(cache.tuner.size(), 2U);
  EXPECT_EQ(cache.tuner[0].iteration, 3U);
  EXPECT_EQ(cache.tuner[1].build_route, "-k=b");
  EXPECT_EQ(cache.tuner[1].iteration, std::nullopt);
  EXPECT_EQ(cache.tuner[1].crashed, std::nullopt);
  EXPECT_EQ(cache.tuner[1].gpu_time_ms, std::nullopt);
}

TEST(JsonTuner, LossesOfOutputs) {
  const JsonRecords cache = read_one(
      "{\"iter\": 4, \"build_route\": \"-k=a\", \"crash\": false, \"accuracy_loss\": "
      "{\"y\": 0.001, \"z\": 0.25}, \"gpu_time\": 0.03}\n"
      "{\"gpu_time_ms\": 0.51, \"accuracy_failed\": true, \"accuracy_loss\": {\"y\": 5.5}}\n"
      "{\"gpu_time_ms\": 0.52}\n");
  ASSERT_EQ(cache.tuner.size(), 3U);
  EXPECT_EQ(cache.tuner[0].accuracy_loss, 0.25);
  ASSERT_EQ(cache.tuner[0].accuracy_losses.size(), 2U);
  EXPECT_EQ(cache.tuner[0].accuracy_losses[0].first, "y");
  EXPECT_EQ(cache.tuner[0].accuracy_failed, std::nullopt);
  EXPECT_EQ(cache.tuner[1].accuracy_failed, true);
  EXPECT_EQ(cache.tuner[1].accuracy_loss, 5.5);
  EXPECT_TRUE(cache.tuner[2].accuracy_losses.empty());
  EXPECT_EQ(cache.tuner[2].accuracy_failed, std::nullopt);
}

TEST(JsonMetadataFiles, SectionsAreFlattened) {
  const JsonRecords records = read_one(R"({"performance_summary": {"Throughput": 1130.01,
    "Latency": [0.878601, 0.889893]}, "device_information": {"Selected Device": "A100",
    "Compute Capability": 8.0, "Nested": {"x": true}}})");
  EXPECT_EQ(records.kind, InputKind::metadata);
  EXPECT_EQ(records.metadata.at("device_information/Selected Device"), "A100");
  EXPECT_EQ(records.metadata.at("device_information/Compute Capability"), "8.0");
  EXPECT_EQ(records.metadata.at("device_information/Nested/x"), "true");
  EXPECT_EQ(records.metadata.at("performance_summary/Throughput"), "1130.01");
  EXPECT_EQ(records.metadata.at("performance_summary/Latency"), "0.878601, 0.889893");
}

TEST(JsonMetadataFiles, DeviceProperties) {
  const JsonRecords records = read_one(
      R"([{"Name": "NVIDIA A100", "ComputeCapability": [8, 0], "TotalMemory": 84929216512}])");
  EXPECT_EQ(records.kind, InputKind::metadata);
  EXPECT_EQ(records.metadata.at("Name"), "NVIDIA A100");
  EXPECT_EQ(records.metadata.at("ComputeCapability"), "8, 0");
  EXPECT_EQ(records.metadata.at("TotalMemory"), "84929216512");
}

TEST(JsonUnknown, OtherJsonIsUnknown) {
  for (const char* text : {"{}", "[]", "[1, 2, 3]", R"({"a": {"b": [1]}})", R"(["cat", "dog"])",
                           R"([{"name": "x", "id": 3}])", R"({"Name": "only"})"}) {
    const JsonRecords records = read_one(text);
    EXPECT_EQ(records.kind, InputKind::unknown) << text;
    EXPECT_TRUE(records.layers.empty()) << text;
    EXPECT_TRUE(records.metadata.empty()) << text;
  }
}

}  // namespace
}  // namespace trtlens::json_records_test
