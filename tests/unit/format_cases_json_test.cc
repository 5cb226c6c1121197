// The traps of JSON exports, numbered as in ../shared/reference/format-cases.md (70-80). Most
// inputs are made up from trtexec's source: no public file shows them.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/json/json_inputs.h"
#include "tests/temp_folder.h"

namespace trtlens::format_cases_json_test {
namespace {

using Names = std::vector<SharedText>;
using Dims = std::vector<std::int64_t>;

struct Read {
  std::vector<JsonRecords> documents;
  std::vector<Diagnostic> diagnostics;

  // `file:line:column: id: found` of every diagnostic.
  [[nodiscard]] Names notes() const {
    Names notes;
    for (const Diagnostic& d : diagnostics) {
      notes.push_back(d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) +
                      ": " + d.id + ": " + d.found);
    }
    return notes;
  }
};

Read read(std::string_view text) {
  Read result;
  result.documents = read_json(text, "f.json", 0, result.diagnostics);
  return result;
}

JsonRecords read_one(std::string_view text, const Names& notes = {}) {
  const Read result = read(text);
  EXPECT_EQ(result.notes(), notes);
  EXPECT_EQ(result.documents.size(), 1U);
  return result.documents.empty() ? JsonRecords{} : result.documents.front();
}

Names names_of(const std::vector<Layer>& layers) {
  Names names;
  for (const Layer& layer : layers) names.push_back(layer.name);
  return names;
}

TEST(FormatCase70, Raw0x1E) {
  const JsonRecords raw = read_one(
      "{\"Layers\": [{\n  \"Name\": \"a + b\",\n  \"LayerType\": \"CaskConvolution\",\n"
      "  \"Metadata\": \"[ONNX Layer: a]\x1e[ONNX Layer: b]\"\n}],\n\"Bindings\": []}",
      {"f.json:4:31: json-control-byte: byte 0x1e"});
  ASSERT_EQ(raw.layers.size(), 1U);
  EXPECT_EQ(raw.layers[0].onnx_nodes, (Names{"a", "b"}));
}

TEST(FormatCase70, EscapedSeparatorsOf10) {
  const JsonRecords escaped = read_one(
      R"({"Layers": [{"Name": "k", "LayerType": "kgen",
      "Metadata": "[ONNX Layer: a]\u001e[ONNX Layer: b]\u001f[ONNX Layer: c]\u001e"}]})");
  ASSERT_EQ(escaped.layers.size(), 1U);
  EXPECT_EQ(escaped.layers[0].onnx_nodes, (Names{"a", "b", "c"}));
}

TEST(FormatCase71, UnescapedQuotesAndBackslashes) {
  const JsonRecords profile = read_one(
      "[\n  { \"count\" : 2 }\n"
      ", { \"name\" : \"my\"layer\\n\", \"timeMs\" : 2, \"averageMs\" : 1, \"percentage\" : 100 }\n"
      ", { \"name\" : \"C:\\models\\relu\", \"timeMs\" : 4, \"averageMs\" : 2, \"percentage\" : 0 "
      "}\n]\n",
      {"f.json:3:17: json-unescaped-quote: my\"layer\\n",
       "f.json:4:17: json-unescaped-backslash: \\models\\relu"});
  // `\n` and `\r` are escapes in JSON; nothing tells them from two bytes of a raw name.
  EXPECT_EQ(names_of(profile.profile), (Names{"my\"layer\n", "C:\\models\relu"}));
  EXPECT_EQ(profile.profile.at(0).time.value().mean_ms, 1);
}

TEST(FormatCase72, NotANumberIsNotZero) {
  const JsonRecords profile = read_one(
      "[\n  { \"count\" : 3 }\n"
      ", { \"name\" : \"a\", \"timeMs\" : inf, \"averageMs\" : nan, \"percentage\" : -nan }\n"
      ", { \"name\" : \"b\", \"timeMs\" : 0, \"averageMs\" : 0, \"percentage\" : -nan }\n]\n",
      {"f.json:3:30: json-nan: inf (4 times)"});
  ASSERT_EQ(profile.profile.size(), 2U);
  EXPECT_FALSE(profile.profile[0].time.has_value());
  EXPECT_EQ(profile.profile[1].time.value().mean_ms, 0);
}

TEST(FormatCase72, NotANumberInOutputs) {
  const JsonRecords output = read_one(
      "[\n  { \"name\" : \"y\"\n  , \"dimensions\" : \"1x3\"\n  , \"values\" : [ nan, -inf, 1 ]\n  "
      "}\n]\n",
      {"f.json:4:18: json-nan: nan (2 times)"});
  ASSERT_EQ(output.outputs.size(), 1U);
  EXPECT_EQ(output.outputs[0].tensor.dims, (Dims{1, 3}));
}

TEST(FormatCase73, LayersAsStrings) {
  const JsonRecords info = read_one(
      "{\"Layers\": [\"Conv__25 + Relu\"\n,\"MaxPool2d\"\n],\n\"Bindings\": "
      "[\"x:0\"\n,\"z:0\"\n]}");
  EXPECT_EQ(info.kind, InputKind::layer_info);
  EXPECT_TRUE(info.names_only);
  EXPECT_EQ(names_of(info.layers), (Names{"Conv__25 + Relu", "MaxPool2d"}));
  EXPECT_EQ(info.layers[0].onnx_nodes, (Names{"Conv__25", "Relu"}));
  EXPECT_EQ(info.layers[1].pos.line, 2U);
  EXPECT_EQ(info.layers[1].pos.column, 2U);
  ASSERT_EQ(info.io_tensors.size(), 2U);
  EXPECT_TRUE(info.io_tensors[0].is_input);
  EXPECT_FALSE(info.io_tensors[1].is_input);
}

TEST(FormatCase73, MixedEmptyAndBare) {
  const JsonRecords mixed = read_one(R"({"Layers": ["a", {"Name": "b", "LayerType": "NoOp"}]})");
  EXPECT_EQ(names_of(mixed.layers), (Names{"a", "b"}));
  EXPECT_FALSE(mixed.names_only);
  EXPECT_TRUE(mixed.io_tensors.empty());

  const JsonRecords none = read_one(R"({"Layers": [], "Bindings": []})");
  EXPECT_EQ(none.kind, InputKind::layer_info);
  EXPECT_TRUE(none.layers.empty());

  const JsonRecords list = read_one(R"([{"Name": "a", "LayerType": "NoOp"},
                                       {"Name": "b", "Inputs": [], "Outputs": []}])");
  EXPECT_EQ(list.kind, InputKind::layer_info);
  EXPECT_EQ(names_of(list.layers), (Names{"a", "b"}));

  const JsonRecords torch = read_one(
      R"({"engine": {"Layers": [{"Name": "[CONVOLUTION]-[aten_ops.convolution.default]-[/f/0]",
                                 "LayerType": "CaskConvolution"}], "Bindings": ["x"]}})");
  EXPECT_EQ(torch.kind, InputKind::layer_info);
  ASSERT_EQ(torch.layers.size(), 1U);
  EXPECT_EQ(torch.layers[0].onnx_nodes, (Names{"/f/0"}));
}

TEST(FormatCase74, AbsentMembers) {
  const JsonRecords info = read_one(R"({"Layers": [
    {"Name": "[trainStation1]", "LayerType": "TrainStation", "Inputs": [], "Outputs": []},
    {"Name": "s", "LayerType": "Shuffle", "Inputs": [{"Name": "x", "Dimensions": [1, 6]}],
     "Outputs": [{"Name": "y", "Dimensions": []}], "Reshape": "nbDims=-1",
     "ParameterSubType": "[0.000000,127.000000]"},
    {"Name": "t", "LayerType": "Shuffle", "Inputs": [], "Outputs": [], "Reshape": [1, 6, -1],
     "TacticName": ""}]})");
  ASSERT_EQ(info.layers.size(), 3U);
  EXPECT_TRUE(info.layers[0].inputs.empty() && info.layers[0].outputs.empty());
  EXPECT_TRUE(info.layers[0].parameter_type.empty());
  EXPECT_FALSE(info.layers[0].tactic_id.has_value());
  EXPECT_EQ(info.layers[1].inputs.at(0).type, DataType::unknown);
  EXPECT_EQ(info.layers[1].outputs.at(0).elements(), 1);  // rank 0: one element, not none
  EXPECT_TRUE(info.layers[2].tactic_name.empty());
}

TEST(FormatCase75, FormatStrings) {
  const auto type_of = [](const std::string& format) {
    const JsonRecords info =
        read_one(R"({"Layers": [{"Name": "a", "LayerType": "X", "Inputs": [{"Name": "x",
                     "Format/Datatype": ")" +
                 format + R"("}], "Outputs": []}]})");
    EXPECT_EQ(info.layers.at(0).inputs.at(0).format, format);  // as written
    return info.layers.at(0).inputs.at(0).type;
  };
  EXPECT_EQ(type_of("Thirty-two wide channel vectorized row major Int8 format."), DataType::int8);
  EXPECT_EQ(type_of("Channel major INT8 format where channel % 16 == 0"), DataType::int8);
  EXPECT_EQ(type_of("N/A due to dynamic shapes"), DataType::unknown);
  EXPECT_EQ(type_of("Half"), DataType::fp16);
  EXPECT_EQ(type_of("Row major linear FP4 format (kLINEAR)"), DataType::fp4);
  EXPECT_EQ(type_of("Column major MX6 format"), DataType::unknown);
}

TEST(FormatCase75, SplitMembersOf11) {
  const JsonRecords info = read_one(R"({"Layers": [{"Name": "a", "LayerType": "gemm",
    "Inputs": [{"Name": "x", "Dimensions": [4], "Datatype": "FP8", "Format": "kLINEAR"}],
    "Outputs": [{"Name": "y", "Dimensions": [4], "Datatype": "BFloat16", "Strides": [1]}]}],
    "I/O Tensors": [{"Name": "x", "IOMode": "Input"}, {"Name": "y", "IOMode": "kOUTPUT"}]})");
  ASSERT_EQ(info.layers.size(), 1U);
  EXPECT_EQ(info.layers[0].inputs.at(0).type, DataType::fp8);
  EXPECT_EQ(info.layers[0].inputs.at(0).format, "kLINEAR");
  EXPECT_EQ(info.layers[0].outputs.at(0).type, DataType::bf16);
  EXPECT_EQ(info.layers[0].outputs.at(0).format, "(1)");
  ASSERT_EQ(info.io_tensors.size(), 2U);
  EXPECT_TRUE(info.io_tensors[0].is_input);
  EXPECT_FALSE(info.io_tensors[1].is_input);
}

TEST(FormatCase76, RoundedTimeStampsDoNotMakeDurations) {
  const JsonRecords times = read_one(
      "[\n  { \"startEnqMs\" : 5000.1, \"endEnqMs\" : 5000.13, \"startH2dMs\" : 4999.99, "
      "\"endH2dMs\" : 5000, \"startComputeMs\" : 5000, \"endComputeMs\" : 5000.13, "
      "\"startD2hMs\" : 5000.13, \"endD2hMs\" : 5000.13, \"h2dMs\" : 0.0123, "
      "\"computeMs\" : 0.1278, \"d2hMs\" : 0, \"latencyMs\" : 0.1401 }\n]\n");
  ASSERT_EQ(times.queries.size(), 1U);
  EXPECT_FLOAT_EQ(times.queries[0].compute_ms, 0.1278F);
  EXPECT_FLOAT_EQ(times.queries[0].h2d_ms.value_or(-1), 0.0123F);
  EXPECT_FLOAT_EQ(times.queries[0].latency_ms, 0.1401F);
}

TEST(FormatCase76, SwappedPairsOf71And72) {
  // The In pair holds the enqueue times: it encloses nothing of the copy.
  const JsonRecords times = read_one(
      R"([ { "startEnqMs" : 2, "endEnqMs" : 2.5, "startInMs" : 0.676, "endInMs" : 7.548,
             "startComputeMs" : 2.5, "endComputeMs" : 6.5, "startOutMs" : 6.5, "endOutMs" : 7,
             "inMs" : 0.5, "computeMs" : 4, "outMs" : 0.5, "latencyMs" : 5,
             "endToEndMs" : 6.3 } ])");
  ASSERT_EQ(times.queries.size(), 1U);
  EXPECT_FLOAT_EQ(times.queries[0].enqueue_ms.value_or(-1), 6.872F);
  EXPECT_FLOAT_EQ(times.queries[0].h2d_ms.value_or(-1), 0.5F);
  EXPECT_FLOAT_EQ(times.queries[0].start_ms, 0.676F);
}

TEST(FormatCase76, WarmUpRowsAreKept) {
  const JsonRecords times = read_one(
      R"([{"startComputeMs": 0.5, "endComputeMs": 98, "computeMs": 97.5, "latencyMs": 97.5},
          {"startComputeMs": 250, "endComputeMs": 251.4, "computeMs": 1.4, "latencyMs": 1.4}])");
  ASSERT_EQ(times.queries.size(), 2U);
  EXPECT_FLOAT_EQ(times.queries[0].compute_ms, 97.5F);
}

TEST(FormatCase77, Concatenated) {
  const Read lists = read(
      "[ { \"count\" : 1 }, { \"name\" : \"a\", \"timeMs\" : 1, \"averageMs\" : 1 } ]"
      "[ { \"count\" : 2 }, { \"name\" : \"b\", \"timeMs\" : 4, \"averageMs\" : 2 } ]\n");
  EXPECT_EQ(lists.notes(), Names{"f.json:1:69: json-concatenated: 2 documents"});
  ASSERT_EQ(lists.documents.size(), 2U);
  EXPECT_EQ(names_of(lists.documents[1].profile), Names{"b"});
  EXPECT_EQ(lists.documents[1].profile_count, 2U);

  const Read objects = read("{\"Layers\": [\"a\"]}{\"Layers\": [\"b\", \"c\"]}");
  ASSERT_EQ(objects.documents.size(), 2U);
  EXPECT_EQ(names_of(objects.documents[1].layers), (Names{"b", "c"}));
}

TEST(FormatCase77, Truncated) {
  const JsonRecords profile = read_one(
      "[\n  { \"count\" : 9 }\n"
      ", { \"name\" : \"a\", \"timeMs\" : 1, \"averageMs\" : 0.1 }\n, { \"name\" : \"Conv",
      {"f.json:4:19: json-truncated: the end of the file with 2 open brackets"});
  EXPECT_TRUE(profile.truncated);
  EXPECT_EQ(names_of(profile.profile), Names{"a"});

  const std::string nul = "[\n  { \"count\" : 9 }\n]\n" + std::string(4096, '\0');
  const JsonRecords padded = read_one(nul, {"f.json:4:1: json-nul-tail: 4096 trailing bytes"});
  EXPECT_FALSE(padded.truncated);
  EXPECT_EQ(padded.profile_count, 9U);

  EXPECT_TRUE(read("").documents.empty());
}

TEST(FormatCase77, StaleFileIsABuildOfItsOwn) {
  const TempFolder folder;
  const auto read = [&] { return parse_inputs({folder.path().string()}, {}); };
  (void)folder.write("layers.json", R"({"Layers": ["a", "b", "c"], "Bindings": []})");
  (void)folder.write(
      "profile.json",
      R"([{"count": 1}, {"name": "x", "averageMs": 1}, {"name": "y", "averageMs": 2}])");
  const ParseResult stale = read();
  ASSERT_EQ(stale.builds.size(), 2U);
  EXPECT_FALSE(stale.builds[0].has_profile && stale.builds[0].has_layer_info);

  (void)folder.write(
      "profile.json",
      R"([{"count": 1}, {"name": "a", "averageMs": 1}, {"name": "b", "averageMs": 2}])");
  const ParseResult same = read();
  ASSERT_EQ(same.builds.size(), 1U);
  EXPECT_EQ(same.builds[0].profile_sum_ms, 3);
}

TEST(FormatCase78, DuplicateAndMultiProfileNames) {
  const JsonRecords info = read_one(
      R"({"Layers": ["X", "X", "X [profile 1]", "node_linear [profile 1]_myl11_2", "X_2"]})");
  ASSERT_EQ(info.layers.size(), 5U);
  EXPECT_EQ(info.layers[1].name, "X");
  EXPECT_EQ(info.layers[1].opt_profile, 0);
  EXPECT_EQ(info.layers[2].opt_profile, 1);
  EXPECT_EQ(info.layers[2].onnx_nodes, Names{"X"});
  EXPECT_EQ(info.layers[3].opt_profile, 1);
  EXPECT_EQ(info.layers[3].onnx_nodes, Names{"node_linear"});
  EXPECT_EQ(info.layers[4].name, "X_2");
}

TEST(FormatCase79, NumberWidths) {
  const JsonRecords times = read_one(
      R"([{"startEnqMs": 1e+06, "endEnqMs": 1.00001e+06, "startComputeMs": 1e+06, "computeMs": 1}])");
  ASSERT_EQ(times.queries.size(), 1U);
  EXPECT_FLOAT_EQ(times.queries[0].start_ms, 1e6F);

  const JsonRecords info = read_one(R"({"Layers": [
    {"Name": "a", "LayerType": "X", "TacticValue": "0x0",
     "Inputs": [{"Name": "x", "Dimensions": [-1, 4294967296]}]},
    {"Name": "b", "LayerType": "X", "TacticValue": "0x00000000000003e8"},
    {"Name": "c", "LayerType": "X", "TacticValue": "0xfffffffffffffffc"},
    {"Name": "d", "LayerType": "X", "TacticValue": -3360065831133338131}]})");
  ASSERT_EQ(info.layers.size(), 4U);
  EXPECT_EQ(info.layers[0].inputs.at(0).dims, (Dims{-1, 4294967296}));
  EXPECT_FALSE(info.layers[0].inputs[0].elements().has_value());
  EXPECT_EQ(info.layers[0].tactic_id, 0U);
  EXPECT_EQ(info.layers[1].tactic_id, 1000U);
  EXPECT_EQ(info.layers[2].tactic_id, 0xfffffffffffffffcU);
  EXPECT_EQ(info.layers[3].tactic_id, 0xd15ea5edd15ea5edU);
}

TEST(FormatCase80, FirstElementOfAProfile) {
  const JsonRecords empty = read_one("[\n  { \"count\" : 0 }\n]\n");
  EXPECT_EQ(empty.kind, InputKind::profile);
  EXPECT_EQ(empty.profile_count, 0U);
  EXPECT_TRUE(empty.profile.empty());

  const JsonRecords without = read_one(R"([{"name": "a", "timeMs": 6, "averageMs": 2}])");
  EXPECT_EQ(without.kind, InputKind::profile);
  EXPECT_FALSE(without.profile_count.has_value());
  EXPECT_EQ(without.profile.at(0).time.value().total_ms, 6);

  const JsonRecords one = read_one(
      R"([{"count": 1}, {"name": "a", "timeMs": 2, "averageMs": 2, "medianMs": 2,
          "percentage": 100}])");
  EXPECT_EQ(one.profile_count, 1U);
  EXPECT_EQ(one.profile.at(0).time.value().mean_ms, one.profile.at(0).time->total_ms);
}

// formats.md 3.5: "duplicate keys". As everywhere the last one counts; the loss is reported.
TEST(FormatMalformed, DuplicateKeys) {
  const JsonRecords info = read_one(
      "{\"Layers\": [{\"Name\": \"a\", \"LayerType\": \"X\",\n"
      "  \"Inputs\": [{\"Name\": \"x\"}], \"Name\": \"b\",\n"
      "  \"Inputs\": [{\"Name\": \"y\"}, {\"Name\": \"z\"}]}]}",
      {"f.json:2:30: json-duplicate-key: Name and 1 more, the last one counts"});
  ASSERT_EQ(info.layers.size(), 1U);
  EXPECT_EQ(info.layers[0].name, "b");
  ASSERT_EQ(info.layers[0].inputs.size(), 2U);
  EXPECT_EQ(info.layers[0].inputs[0].name, "y");

  const JsonRecords twice = read_one(R"({"Layers": ["a", "b"], "Layers": ["c"]})",
                                     {"f.json:1:24: json-duplicate-key: Layers"});
  EXPECT_EQ(names_of(twice.layers), Names{"c"});
  EXPECT_TRUE(twice.names_only);

  // The same members in different objects, and two spellings of one fact, are no duplicates.
  (void)read_one(R"({"Layers": [{"Name": "a", "LayerType": "ConvActPool", "Kernel": [1],
    "ConvKernel": [3]}, {"Name": "b", "LayerType": "X"}], "Bindings": []})");
}

// 11.1: --tuningResultFile is one object, --tuningCacheFile JSON lines with a header.
TEST(FormatTuner, ResultObject) {
  const JsonRecords result = read_one(
      R"({"gpu_time_ms": 1.25, "accuracy_failed": false, "accuracy_loss": {"y": 0.001, "z": 0}})");
  EXPECT_EQ(result.kind, InputKind::tuner);
  ASSERT_EQ(result.tuner.size(), 1U);
  EXPECT_EQ(result.tuner[0].gpu_time_ms, 1.25);
  EXPECT_EQ(result.metadata.at("accuracy_failed"), "false");
  EXPECT_EQ(result.metadata.at("accuracy_loss/y"), "0.001");
}

TEST(FormatTuner, CacheLines) {
  const JsonRecords cache = read_one(
      R"({"tuner_version": 1, "accuracy_algorithm": "max", "accuracy_parameter": {"atol": 0.1}, "argv": ["trtexec", "--onnx=a"]}
{"iter": 0, "build_route": "-a=1", "crash": false, "error_message": "", "accuracy_loss": 0.5, "gpu_time": 2.5}
{"iter": 1, "build_route": "-a=2", "crash": true, "error_message": "x", "accuracy_loss": null, "gpu_time": null}
)");
  EXPECT_EQ(cache.kind, InputKind::tuner);
  EXPECT_EQ(cache.metadata.at("accuracy_parameter/atol"), "0.1");
  ASSERT_EQ(cache.tuner.size(), 2U);
  EXPECT_EQ(cache.tuner[0].gpu_time_ms, 2.5);
  EXPECT_EQ(cache.tuner[1].crashed, true);
  EXPECT_FALSE(cache.tuner[1].gpu_time_ms.has_value());
  EXPECT_FALSE(cache.tuner[1].accuracy_loss.has_value());
  EXPECT_EQ(cache.tuner[1].pos.line, 3U);
}

}  // namespace
}  // namespace trtlens::format_cases_json_test
