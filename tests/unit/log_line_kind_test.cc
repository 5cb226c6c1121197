// The table of line kinds against its own samples, and against lines that nearly match.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <set>
#include <string>
#include <string_view>

#include "parsers/log/grammar/line_kind.h"

namespace trtlens::log_line_kind_test {
namespace {

const LineKindTable& table() {
  return LineKindTable::instance();
}

std::string found_kind(std::string_view body, LogSection section, bool bare) {
  Match match;
  const LineKindTable::Result result = table().find(body, section, bare, match);
  return result.kind == nullptr ? "" : result.kind->id;
}

// Where two hot kinds fit, the row that stands first is meant, whichever extractor takes the line.
TEST(LineKinds, AnExtractorDoesNotOvertakeThePatternOfARowBefore) {
  for (const LineKindTable* table :
       {&LineKindTable::instance(), &LineKindTable::by_patterns_only()}) {
    Match match;
    const auto found =
        table->find("a [X] inputs: b [Y] inputs: c [Z] outputs: d", LogSection::none, false, match);
    ASSERT_NE(found.kind, nullptr);
    EXPECT_STREQ(found.kind->id, "node-io");
    EXPECT_TRUE(found.gate_hit || found.kind->gate_text().size() < 12);
  }
}

TEST(LineKinds, IdsAreUniqueAndKebabCase) {
  std::set<std::string> ids;
  for (const LineKind* kind : table().kinds()) {
    EXPECT_TRUE(ids.insert(kind->id).second) << kind->id;
    EXPECT_TRUE(RE2::FullMatch(kind->id, "[a-z][a-z0-9.-]*")) << kind->id;
  }
  EXPECT_GT(ids.size(), 150U);
}

TEST(LineKinds, WhatIsDeferredIsApplied) {
  for (const LineKind* kind : table().kinds()) {
    EXPECT_TRUE((kind->flags & kDeferred) == 0 || kind->apply != nullptr) << kind->id;
  }
}

TEST(LineKinds, EveryPatternCompilesWithFewGroups) {
  for (const LineKind* kind : table().kinds()) {
    const RE2 pattern(kind->regex, RE2::Quiet);
    EXPECT_TRUE(pattern.ok()) << kind->id << ": " << pattern.error();
    EXPECT_LE(pattern.NumberOfCapturingGroups(), static_cast<int>(Match::kMaxFields)) << kind->id;
  }
}

TEST(LineKinds, EverySamplePassesItsGate) {
  for (const LineKind* kind : table().kinds()) {
    const std::string_view sample = kind->sample;
    const std::string literal = kind->gate_text();
    const std::size_t at = sample.find(literal);
    ASSERT_NE(at, std::string_view::npos) << kind->id;
    if (kind->gate == Gate::prefix) {
      EXPECT_EQ(at, 0U) << kind->id;
    }
    if (kind->gate == Gate::suffix) {
      EXPECT_EQ(sample.substr(sample.size() - literal.size()), literal) << kind->id;
    }
    Match match;
    EXPECT_TRUE(LineKindTable::matches(*kind, sample, match)) << kind->id;
    EXPECT_LE(match.fields, Match::kMaxFields) << kind->id;
  }
}

TEST(LineKinds, EverySampleIsFoundAsItsKind) {
  for (const LineKind* kind : table().kinds()) {
    const LogSection section = kind->section == LogSection::any ? LogSection::none : kind->section;
    EXPECT_EQ(found_kind(kind->sample, section, false), kind->id) << kind->sample;
    EXPECT_EQ(found_kind(kind->sample, section, true),
              (kind->flags & kBare) != 0 ? kind->id : std::string())
        << kind->sample << " without a header";
  }
}

// Inside a section the general rows ("key: value", a table's row) must not shadow the lines that
// have a row of their own.
TEST(LineKinds, SectionRowsDoNotShadowTheirNeighbours) {
  struct Case {
    LogSection section;
    const char* body;
    const char* kind;
  };
  constexpr Case kCases[] = {
      {LogSection::device, "Selected Device: NVIDIA H200", "device-row"},
      {LogSection::device, "SMs: 132", "device-row"},
      {LogSection::device, "Device Global Memory: 143155 MiB", "device-memory"},
      {LogSection::device, "Memory Bus Width: 6016 bits (ECC enabled)", "device-bus"},
      {LogSection::device, "Memory Bus Width: 192 bits", "device-bus"},
      {LogSection::device, "Compute Clock Rate: 1.98 GHz", "device-clock"},
      {LogSection::device, "Application Memory Clock Rate: 10.001 GHz", "device-clock"},
      {LogSection::device, "  Device 0: \"NVIDIA H100 PCIe\" UUID: GPU-31e9692b", "device-listed"},
      {LogSection::device, "=== Model Options ===", "options-section"},
      {LogSection::options, "=== Device Information ===", "device-section"},
      {LogSection::options, "Memory Pools: workspace: 1 MiB, dlaSRAM: default", "option"},
      {LogSection::options, "Dump refittable layers:Disabled", "option"},
      {LogSection::performance, "Throughput: 15374.3 qps", "throughput"},
      {LogSection::explanations, "Throughput: the observed throughput computed by dividing …",
       "explanation"},
      {LogSection::explanations, "Latency: the summation of H2D Latency, GPU Compute Time, …",
       "explanation"},
      {LogSection::profile_names_4, "  a b 1 2 3     1.00  0.5000   0.4000    9.0",
       "profile-row-4"},
      {LogSection::profile_numbers, "  1.00  0.5000   0.4000    9.0   12 34.5 Conv",
       "profile-row-8.6"},
      {LogSection::layer_names, "Bindings:", "bindings"},
  };
  for (const Case& c : kCases) {
    const bool bare = c.section == LogSection::layer_names;
    EXPECT_EQ(found_kind(c.body, c.section, bare), c.kind) << c.body;
  }
}

struct NearMiss {
  const char* kind = "";
  const char* body = "";
  LogSection section = LogSection::none;
};

// Lines that begin or look like a kind and are none of it.
constexpr NearMiss kNearMisses[] = {
    {"throughput",
     "Throughput: the observed throughput computed by dividing the number of queries "
     "by the Total Host Walltime."},
    {"throughput", "Throughput: 15374.3 qps (estimated)"},
    {"metric", "Latency: the summation of H2D Latency, GPU Compute Time, and D2H Latency."},
    {"metric", "Host to host Latency: min = 1 ms"},
    {"host-walltime", "Total Host Walltime: the host walltime from when the first query"},
    {"gpu-compute-total", "Total GPU Compute Time: the summation of the GPU Compute Time"},
    {"block-value", "mean of 3 ms"},
    {"block-value", "min: 0.92"},
    {"unstable", "* GPU compute time is unstable"},
    {"trace-average", "Average on 10 runs - GPU latency: 3.05903 ms"},
    {"trace-average", "Average on ten runs - GPU latency: 1 ms - Host latency: 1 ms"},
    {"warmup", "Warmup completed many queries over 200 ms"},
    {"queries", "Timing trace has 46125 queries"},
    {"tactic-time", "Tactic: 0x1 Time: "},
    {"tactic-time", "Tactic: 0xg Time: 1"},
    {"tactic-time", "Tactic 313790760974845026 time 8.02246"},
    {"tactic-time", "Fastest Tactic: 1002 Time: 0.064928"},
    {"tactic-skipped", "Tactic: 61 skipped."},
    {"tactic-named-time", "Tactic Name: a b Tactic: 0x1"},
    {"tactic-name-alone", "Tactic Name: two words"},
    {"set-tactic-name", "Conv_0 Set Tactic Name:  Tactic: 0x1"},
    {"runner", "--------------- Timing Runner: Conv_0"},
    {"runner", "--------------- Timing Runner: Conv_0 (CaskConvolution[80000009])"},
    {"combination", "*************** Autotuning format combination: Float(1) -> Float(1)"},
    {"chose", ">>>>>>>>>>>>>>> Chose Runner Type: Cask Convolution Tactic: 0x1"},
    {"cached", "pool [Float(1) -> Float(1)] got cached result: CaskPooling"},
    {"no-tactics-10", "Skipping tactic 3 due to insufficient memory"},
    {"skipping-tactic", "Skipping printing memory information for 6 layers"},
    {"fast-skip", "Fast skip Tactic: which exceed time limit during pre-run"},
    {"engine-layer", "Layer(CaskConvolution): Conv_0, x (Float[1]) -> y (Float[1])"},
    {"engine-layer", "Layer: Conv_0 Host Persistent: 1664 Device Persistent: 5120"},
    {"engine-layer", "Layer(Cask Convolution): Conv_0, Tactic: 0x1, x -> y"},
    {"layer-oneline", "Name: conv1, LayerType: CaskConvolution"},
    {"layer-oneline", "Name: x, IOMode: Input, DataType: Float, Dimensions: [1]"},
    {"io-tensor", " Name: input, IOMode: Both, DataType: Float, Dimensions: [1]"},
    {"profile-head", "=== Profile ==="},
    {"profile-head", "=== Profile (many iterations ) ==="},
    {"profile-columns-4", "     Layer   Time (ms)   Avg. Time (ms)   Time %"},
    {"profile-row-3", "Conv_0  1.0  2.0", LogSection::profile_names_3},
    {"profile-row-8.6", "123456789.00123.4567       0.1234       2.1   conv",
     LogSection::profile_numbers},
    {"profile-row-8.6", "1.00 0.5000 0.4000 9.0 conv", LogSection::profile_numbers},
    {"missing-scale", "Missing scale and zero-point for tensor 903"},
    {"int8-rejected", "Rejecting some int8 implementation of layer conv1"},
    {"memory-change", "[MemUsageChange] Init CUDA: CPU 157, GPU 0, now: CPU 164, GPU 619 (MiB)"},
    {"memory-change", "[MemUsageChange] Init CUDA: CPU +157, GPU +0"},
    {"memory-peak",
     "[MemUsageStats] Peak memory usage during Engine building and serialization: "
     "CPU: 1655 MiB"},
    {"memory-total", "Total Host Persistent Memory: many"},
    {"engine-loaded-size", "Loaded engine size: 6.5 MiB"},
    {"engine-size", "Created engine with size: unknown"},
    {"engine-built", "Engine built in 8.09138 s."},
    {"engine-generation", "Engine generation completed in 3.98 sec."},
    {"deserialize-time", "Deserialization required 1.5 seconds."},
    {"tensorrt-version", "TensorRT version: unknown"},
    {"options-section", "=== Options ==="},
    {"device-section", "=== Device Information"},
    {"option", "no colon here", LogSection::options},
    {"binding", "Created engine with size: 12 MiB"},
    {"binding-8.6", "Input binding for x is created."},
    {"node-io", "Conv__25 inputs: [x -> (1)[FLOAT]], "},
    {"node-parse", "Parsing node: Conv__25"},
    {"network-input", "Adding network input: x with dtype: float32"},
    {"reformat-added", "Adding reformat layer: Reformatted Input Tensor 0 to X"},
    {"fusion", "ConvReluFusion: Fusing Conv_0"},
    {"qdq-fusion", "QuantizeDoubleInputNodes: Fusing Q into CONV"},
    {"non-conforming", "For layer X a conforming implementation was chosen."},
    {"layer-type-swap", "Swap the layer type of X"},
    {"forced-precision", "Set layer X to device type DLA"},
    {"dla-switch", "Layer '/a' (CONSTANT): Unsupported on DLA."},
    {"dla-unsupported", "Default DLA is enabled but layer conv1 is fine"},
    {"error-recorder", "Error[two]: text"},
    {"error-code", "Error: code 2"},
    {"cuda-failure", "Cuda failures: none"},
};

TEST(LineKinds, NearMissesAreNotTaken) {
  std::set<std::string> known, tried;
  for (const LineKind* kind : table().kinds()) known.insert(kind->id);
  for (const NearMiss& miss : kNearMisses) {
    ASSERT_EQ(known.count(miss.kind), 1U) << miss.kind;
    tried.insert(miss.kind);
    EXPECT_NE(found_kind(miss.body, miss.section, false), miss.kind) << miss.body;
  }
  EXPECT_GE(tried.size(), 40U);
}

bool passes_gate(const LineKind& kind, std::string_view body) {
  const std::string literal = kind.gate_text();
  const std::size_t at = kind.gate == Gate::suffix ? body.rfind(literal) : body.find(literal);
  if (at == std::string_view::npos) return false;
  if (kind.gate == Gate::prefix) return at == 0;
  return kind.gate == Gate::infix || at + literal.size() == body.size();
}

// A pattern that is no more than its gate and "anything" accepts what it does not know. Only where
// the rest is a name or free text, and may be empty, can there be no near miss.
TEST(LineKinds, EveryPatternRefusesWhatPassesItsGate) {
  const std::set<std::string> exempt = {
      "costs",           // the layer's name, empty in 8.2 to 8.6.0
      "reformat-costs",  // ": ", " for available format set", or nothing
      "foreign-node",    // whatever else Myelin says of a region
      "initializer",     // a name
      "input-search",    // a name
  };
  for (const LineKind* kind : table().kinds()) {
    SCOPED_TRACE(kind->id);
    EXPECT_EQ(kind->near_miss == nullptr, exempt.count(kind->id) == 1);
    if (kind->near_miss == nullptr) continue;
    const std::string_view miss = kind->near_miss;
    EXPECT_TRUE(passes_gate(*kind, miss)) << miss;
    Match match;
    EXPECT_FALSE(LineKindTable::matches(*kind, miss, match)) << miss;
  }
}

TEST(LineKinds, DistinctiveGateWithoutPatternIsHit) {
  Match match;
  for (const char* body :
       {"Tactic: 0x1 Time: ", "Layer(Cask Convolution): Conv_0, Tactic: 0x1, x -> y",
        "[MemUsageChange] Init CUDA", "Engine built in a moment",
        "*************** Autotuning format combination: Float(1)"}) {
    const LineKindTable::Result result = table().find(body, LogSection::none, false, match);
    EXPECT_EQ(result.kind, nullptr) << body;
    EXPECT_TRUE(result.gate_hit) << body;
  }
  for (const char* body : {"Created nothing in particular", "something else entirely", ""}) {
    const LineKindTable::Result result = table().find(body, LogSection::none, false, match);
    EXPECT_EQ(result.kind, nullptr) << body;
    EXPECT_FALSE(result.gate_hit) << body;
  }
}

TEST(LineKinds, FieldsAreTheGroups) {
  Match match;
  ASSERT_EQ(table()
                .find("--------------- Timing Runner: PWN(a) (b) (PointWiseV2[0x80000028])",
                      LogSection::none, false, match)
                .kind->id,
            std::string("runner"));
  EXPECT_EQ(match.fields, 2U);
  EXPECT_EQ(match.str(0), "PWN(a) (b)");
  EXPECT_EQ(match.str(1), "PointWiseV2");
}

TEST(LineKinds, AnyBytesInANameMatch) {
  Match match;
  const std::string body = "Parsing node: caf\xE9\xFF\x1F/a [Conv]";
  ASSERT_NE(table().find(body, LogSection::none, false, match).kind, nullptr);
  EXPECT_EQ(match.str(0), "caf\xE9\xFF\x1F/a");
}

}  // namespace
}  // namespace trtlens::log_line_kind_test
