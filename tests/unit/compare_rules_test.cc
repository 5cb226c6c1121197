// Rules of two builds: one pair that fires each, and one that nearly does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analyzers/compare/compare_rule.h"
#include "analyzers/compare/verdict/verdict.h"
#include "analyzers/gate/gate.h"
#include "tests/unit/build_maker.h"

namespace trtlens::compare_rules_test {
namespace {

using test::conv;
using test::tensor;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;
constexpr DataType k8 = DataType::fp8;

Layer layer_of(const std::string& name, DataType type, double ms) {
  Layer l = conv(name, {tensor(name + " in", type)}, tensor(name + " out", type), type, ms);
  l.onnx_nodes = {name};
  return l;
}

Build timed(std::vector<Layer> layers, double gpu_ms) {
  Build build = test::build_of(std::move(layers));
  build.performance.gpu_compute.emplace().median_ms = gpu_ms;
  return build;
}

void command(Build& build, std::vector<std::pair<std::string, std::string>> flags) {
  build.commands = {"trtexec"};
  build.options.flags = std::move(flags);
  build.options.flags.emplace_back("onnx", "m.onnx");
}

void version(Build& build, int major, int minor) {
  build.tensorrt.emplace().major = major;
  build.tensorrt->minor = minor;
}

Comparison compared(const Build& base, const Build& candidate) {
  std::vector<Analysis> b, c;
  b.push_back(test::analyze_build(base));
  c.push_back(test::analyze_build(candidate));
  return compare(std::move(b), std::move(c), {});
}

const Finding* found(const Comparison& c, const std::string& rule) {
  for (const Finding& f : c.findings) {
    if (f.rule == rule) return &f;
  }
  return nullptr;
}

// Fires whichever side is the base.
bool fires(const Build& a, const Build& b, const std::string& rule) {
  const bool there = found(compared(a, b), rule) != nullptr;
  EXPECT_EQ(there, found(compared(b, a), rule) != nullptr) << rule << ": sides exchanged";
  return there;
}

TEST(CompareRules, Int8SlowerThanFp16) {
  const Build fp16 = timed({layer_of("/a", kH, 1)}, 1);
  std::vector<Layer> layers{test::quantize("QuantizeLinear_1", "x", "/a in", 0.5),
                            layer_of("/a", kI, 0.6)};
  const Comparison c = compared(fp16, timed(layers, 1.1));
  const Finding* f = found(c, "int8-slower-than-fp16");
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "The INT8 build is 10 % slower than FP16");
  EXPECT_THAT(test::figures(*f),
              ::testing::IsSupersetOf(
                  {"the candidate against the other side: +10.0 %", "Q/DQ kernels, 0.500 ms"}));
  EXPECT_THAT(check_of(f->next_check).commands,
              ::testing::ElementsAre("trtlens analyze CANDIDATE",
                                     HasSubstr("trtexec --onnx=CHANGED.onnx ")));
  // Where the verdict cannot tell, the rule does not either.
  const Comparison close = compared(fp16, timed(layers, 1.024));
  ASSERT_EQ(close.engine.verdict, Verdict::cannot_tell);
  ASSERT_NE(found(close, "int8-slower-than-fp16"), nullptr);
  EXPECT_EQ(found(close, "int8-slower-than-fp16")->title,
            "The INT8 build is not shown to be faster than FP16");
  EXPECT_THAT(test::figures(*found(close, "int8-slower-than-fp16")),
              ::testing::Contains(HasSubstr("+2.4 %, within the noise")));
  EXPECT_TRUE(fires(fp16, timed(layers, 1.05), "int8-slower-than-fp16"));
  EXPECT_FALSE(fires(fp16, timed(layers, 0.94), "int8-slower-than-fp16"));
  EXPECT_FALSE(
      fires(timed({layer_of("/a", kF, 1)}, 1), timed(layers, 1.05), "int8-slower-than-fp16"));
}

// The recorded command is repeated with the flag that it lacks, and a side without times is named.
TEST(CompareRules, Int8SlowerThanFp16RepeatsTheCommandWithFp16) {
  const Build fp16 = timed({layer_of("/a", kH, 1)}, 1);
  Build int8 =
      timed({test::quantize("QuantizeLinear_1", "x", "/a in", 0.5), layer_of("/a", kI, 0.6)}, 1.1);
  int8.commands = {"trtexec --onnx=m.onnx --int8"};
  int8.allowed.labels = {"FP32", "INT8"};
  const Comparison c = compared(fp16, int8);
  const Finding* f = found(c, "int8-slower-than-fp16");
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->next_check,
              HasSubstr("Allow FP16 beside INT8, and compare again: `trtexec "
                        "--onnx=m.onnx --int8 --fp16 --profilingVerbosity=detailed "));
  EXPECT_THAT(f->next_check, Not(HasSubstr("no times per layer")));
  int8.allowed.labels.emplace_back("FP16");
  EXPECT_THAT(found(compared(fp16, int8), "int8-slower-than-fp16")->next_check,
              HasSubstr("compare again: `trtexec --onnx=CHANGED.onnx --int8 --prof"));
}

TEST(CompareRules, NextChecksNameTheCommand) {
  for (const auto& [id, info] : coded_rule_infos()) {
    EXPECT_THAT(info.next_check,
                ::testing::AnyOf(HasSubstr("trtexec"), HasSubstr("`trtlens analyze ")))
        << id;
  }
}

TEST(CompareRules, LayerRegressedByQuantisation) {
  const char* rule = "layer-regressed-by-quantisation";
  const Build fp16 = timed({layer_of("/a", kH, 1), layer_of("/b", kH, 1)}, 2);
  const Comparison c =
      compared(fp16, timed({layer_of("/a", kI, 0.5), layer_of("/b", kI, 1.2)}, 1.7));
  const Finding* f = found(c, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_NEAR(f->stake_ms.value(), 0.2, 1e-9);
  ASSERT_EQ(f->layers.size(), 1U);
  EXPECT_EQ(f->layers[0].str(), "/b");
  EXPECT_FALSE(fires(fp16, timed({layer_of("/a", kI, 0.5), layer_of("/b", kI, 1.09)}, 1.6), rule));
  // Slower in FP16, too: no matter of quantization.
  EXPECT_FALSE(fires(fp16, timed({layer_of("/a", kH, 0.5), layer_of("/b", kH, 1.2)}, 1.7), rule));
}

// Within the noise floor there is no verdict, so no rule says slower.
TEST(CompareRules, NoneIsSurerThanTheVerdict) {
  const auto portable = [](double ms) {
    Build build = timed({layer_of("/a", kH, 1)}, ms);
    command(build, {{"versionCompatible", ""}});
    return build;
  };
  Build native = timed({layer_of("/a", kH, 1)}, 1);
  command(native, {});
  for (const double floor : {0.05, 0.2}) {
    CompareOptions options;
    options.noise_floor = floor;
    std::vector<Analysis> b, c;
    b.push_back(test::analyze_build(native));
    c.push_back(test::analyze_build(portable(1.1)));
    const Comparison both = compare(std::move(b), std::move(c), options);
    EXPECT_EQ(found(both, "compat-engine-slower-compared") != nullptr, floor < 0.1) << floor;
  }
}

TEST(CompareRules, VersionRegression) {
  const char* rule = "version-regression";
  const auto build = [](int minor, double ms, const char* precision) {
    Build b = timed({layer_of("/a", kH, ms)}, ms);
    command(b, {{precision, ""}});
    version(b, 8, minor);
    return b;
  };
  EXPECT_TRUE(fires(build(5, 1, "fp16"), build(6, 1.1, "fp16"), rule));
  EXPECT_FALSE(fires(build(5, 1.1, "fp16"), build(6, 1, "fp16"), rule));  // the newer is faster
  EXPECT_FALSE(fires(build(5, 1, "fp16"), build(6, 1.04, "fp16"), rule));
  EXPECT_FALSE(fires(build(5, 1, "int8"), build(6, 1.1, "fp16"), rule));
}

TEST(CompareRules, BuildsNondeterministic) {
  const char* rule = "builds-nondeterministic";
  const auto build = [](const char* tactic, double a_ms, double b_ms, const char* precision) {
    Build b = timed({layer_of("/a", kH, a_ms), layer_of("/b", kH, b_ms)}, 2);
    b.layers[0].tactic_name = tactic;
    command(b, {{precision, ""}});
    return b;
  };
  EXPECT_TRUE(fires(build("t1", 1, 1, "fp16"), build("t2", 1.1, 0.9, "fp16"), rule));
  EXPECT_FALSE(fires(build("t1", 1, 1, "fp16"), build("t1", 1.1, 0.9, "fp16"), rule));
  EXPECT_FALSE(fires(build("t1", 1, 1, "fp16"), build("t2", 1.001, 1, "fp16"), rule));
  EXPECT_FALSE(fires(build("t1", 1, 1, "fp16"), build("t2", 1.1, 0.9, "best"), rule));
}

TEST(CompareRules, DifferentSettingsBetweenBuilds) {
  const char* rule = "different-settings-between-builds";
  const auto build = [](std::vector<std::pair<std::string, std::string>> flags, double ghz) {
    Build b = timed({layer_of("/a", kH, 1)}, 1);
    command(b, std::move(flags));
    b.gpu.emplace().compute_clock_ghz = ghz;
    return b;
  };
  EXPECT_TRUE(fires(build({}, 1.5), build({{"useCudaGraph", ""}}, 1.5), rule));
  EXPECT_TRUE(fires(build({}, 1.5), build({}, 1.98), rule));
  EXPECT_FALSE(fires(build({}, 1.5), build({{"int8", ""}, {"verbose", ""}}, 1.5), rule));
  // The banner says what a default was.
  Build off = build({}, 1.5), on = build({}, 1.5);
  off.inference.cuda_graph = false;
  EXPECT_FALSE(fires(off, on, rule));  // unknown on the other side
  on.inference.cuda_graph = true;
  EXPECT_TRUE(fires(off, on, rule));
}

TEST(CompareRules, ImplicitVsExplicitGap) {
  const char* rule = "implicit-vs-explicit-gap";
  Build implicit = timed({layer_of("/a", kI, 1), layer_of("/b", kI, 1)}, 2);
  implicit.allowed.labels = {"FP32", "INT8"};
  const auto explicit_build = [](double gpu_ms, DataType second) {
    Build b = timed({test::quantize("QuantizeLinear_1", "x", "/a in", 0.1), layer_of("/a", kI, 1),
                     layer_of("/b", second, 1.4)},
                    gpu_ms);
    b.allowed.labels = {"FP32", "INT8"};
    return b;
  };
  const Comparison c = compared(implicit, explicit_build(2.4, kF));
  const Finding* f = found(c, rule);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->title, "The Q/DQ build is 20 % slower than the implicit INT8 build");
  EXPECT_THAT(test::figures(*f), ::testing::Contains(HasSubstr("1 layer in INT8 there")));
  EXPECT_THAT(f->next_check, HasSubstr("compare again: `trtexec --onnx=MORE_QDQ.onnx "));
  EXPECT_FALSE(fires(implicit, explicit_build(2.1, kF), rule));
  EXPECT_FALSE(fires(explicit_build(2, kF), explicit_build(2.4, kF), rule));
}

TEST(CompareRules, WeakVsStrongRegression) {
  const char* rule = "weak-vs-strong-regression";
  Build weak = timed({layer_of("/a", kH, 1)}, 1);
  weak.allowed.labels = {"FP32", "FP16"};
  const auto strong = [](double gpu_ms, DataType type) {
    Build b = timed({layer_of("/a", type, gpu_ms)}, gpu_ms);
    b.allowed.strongly_typed = true;
    return b;
  };
  EXPECT_TRUE(fires(weak, strong(1.2, kF), rule));
  const Comparison c = compared(weak, strong(1.2, kF));
  EXPECT_THAT(found(c, rule)->next_check, HasSubstr("trtexec --onnx=FEWER_FP32.onnx --strongly"));
  EXPECT_FALSE(fires(weak, strong(1.04, kF), rule));
  EXPECT_FALSE(fires(weak, strong(1.2, kH), rule));  // slower, and not for its types
}

TEST(CompareRules, Fp8ConvNoSpeedupAda) {
  const char* rule = "fp8-conv-no-speedup-ada";
  const auto build = [](DataType type, double ms, const char* capability) {
    Build b = timed({layer_of("/a", type, ms)}, ms);
    b.gpu.emplace().compute_capability = capability;
    return b;
  };
  EXPECT_TRUE(fires(build(kH, 1, "8.9"), build(k8, 0.97, "8.9"), rule));
  EXPECT_FALSE(fires(build(kH, 1, "8.9"), build(k8, 0.9, "8.9"), rule));
  EXPECT_FALSE(fires(build(kH, 1, "9.0"), build(k8, 0.97, "9.0"), rule));
}

TEST(CompareRules, EngineSizePrecisionCheck) {
  const char* rule = "engine-size-precision-compared";
  const auto build = [](const char* label, DataType type, std::int64_t mib) {
    Build b = timed({layer_of("/a", type, 1)}, 1);
    b.allowed.labels = {"FP32", label};
    b.memory.weights_bytes = mib << 20;
    return b;
  };
  // A layer of FP32, and a tensor of INT8 beside it.
  const auto quantized = [&](std::int64_t mib) {
    Build b = build("INT8", kF, mib);
    b.layers.push_back(test::quantize("QuantizeLinear_1", "x", "/a in", 0.1));
    return b;
  };
  EXPECT_TRUE(fires(build("FP16", kH, 100), quantized(110), rule));
  EXPECT_FALSE(fires(build("FP16", kH, 100), quantized(60), rule));
  EXPECT_FALSE(fires(build("FP16", kH, 100), build("INT8", kI, 110), rule));  // it is INT8
  EXPECT_FALSE(fires(build("FP16", kH, 2), quantized(2), rule));
}

// INT8 was allowed, and nothing is INT8: no quantized build that is too large.
TEST(CompareRules, EngineSizeOfABuildThatQuantizedNothing) {
  const char* rule = "engine-size-precision-compared";
  const auto build = [](const char* label, DataType type) {
    Build b = timed({layer_of("/a", type, 1), layer_of("/b", type, 1)}, 2);
    b.allowed.labels = {"FP32", label};
    b.memory.weights_bytes = 100 << 20;
    return b;
  };
  const Build fp16 = build("FP16", kH);
  EXPECT_FALSE(fires(fp16, build("INT8", kF), rule));
  Build one = build("INT8", kF);
  one.layers[1].outputs[0].type = DataType::int8;
  EXPECT_TRUE(fires(fp16, one, rule));
  Build unknown = build("INT8", kF);  // no layer shows its types
  for (Layer& layer : unknown.layers) {
    layer.inputs.clear();
    layer.outputs.clear();
  }
  EXPECT_TRUE(fires(fp16, unknown, rule));
}

TEST(CompareRules, ParallelConvNotMergedQdq) {
  const char* rule = "parallel-conv-not-merged-compared";
  Layer merged = layer_of("/a || /b", kH, 1);
  merged.onnx_nodes = {"/a", "/b"};
  const Build together = timed({merged}, 1);
  const Layer q = test::quantize("QuantizeLinear_1", "x", "/a in", 0.1);
  EXPECT_TRUE(
      fires(together, timed({q, layer_of("/a", kI, 0.4), layer_of("/b", kI, 0.4)}, 1), rule));
  EXPECT_FALSE(fires(together, timed({layer_of("/a", kI, 0.4), layer_of("/b", kI, 0.4)}, 1), rule));
  EXPECT_FALSE(fires(timed({layer_of("/a", kH, 1), layer_of("/b", kH, 1)}, 1),
                     timed({q, layer_of("/a", kI, 0.4), layer_of("/b", kI, 0.4)}, 1), rule));
}

TEST(CompareRules, CompatEngineSlower) {
  const char* rule = "compat-engine-slower-compared";
  const auto build = [](const char* level, double ms) {
    Build b = timed({layer_of("/a", kH, ms)}, ms);
    command(b, {{"hardwareCompatibilityLevel", level}});
    return b;
  };
  EXPECT_TRUE(fires(build("none", 1), build("ampere+", 1.2), rule));
  EXPECT_FALSE(fires(build("none", 1), build("ampere+", 1.02), rule));
  EXPECT_FALSE(fires(build("ampere+", 1), build("ampere+", 1.2), rule));
}

TEST(CompareRules, AllHaveTextsAndAreExplained) {
  EXPECT_GE(compare_rules().size(), 11U);
  const std::vector<RuleInfo> infos = all_rule_infos();
  for (const CompareRule* rule : compare_rules()) {
    const RuleInfo& info = rule_info(rule->id);
    EXPECT_FALSE(info.what.empty()) << rule->id;
    EXPECT_FALSE(info.why.empty()) << rule->id;
    EXPECT_FALSE(info.remedies.empty()) << rule->id;
    EXPECT_FALSE(info.pages().empty()) << rule->id;
    EXPECT_TRUE(std::any_of(infos.begin(), infos.end(), [&](const RuleInfo& one) {
      return one.id == rule->id;
    })) << rule->id;
  }
}

// --ignore and a baseline name a rule by its id.
TEST(CompareRules, NoTwoRulesHaveOneId) {
  std::set<std::string> ids;
  for (const RuleInfo& info : all_rule_infos()) EXPECT_TRUE(ids.insert(info.id).second) << info.id;
}

// What the ladder of our ResNet-18 builds was made to show.
TEST(CompareFixtures, TheResidualIsTheReason) {
  const auto side = [](const char* name) {
    std::vector<Analysis> runs;
    runs.push_back(test::analyze_path(test::fixture(name)));
    return runs;
  };
  const Comparison worse = compare(side("a_r18_fp16"), side("b_r18_q_conv"), {});
  EXPECT_THAT(worse.cause,
              HasSubstr("4 reformats and 10 Q/DQ kernels instead of 2 reformats (+0.258 ms)"));
  EXPECT_THAT(worse.cause, HasSubstr("Quantized layers that write FP16: 11 instead of 0."));
  EXPECT_THAT(worse.cause, HasSubstr("New: 8 residual Adds lack Q/DQ."));
  EXPECT_NE(found(worse, "int8-slower-than-fp16"), nullptr);
  const Comparison better = compare(side("b_r18_q_conv"), side("b_r18_q_res"), {});
  EXPECT_EQ(better.engine.verdict, Verdict::improved);
  EXPECT_THAT(better.cause, HasSubstr("No longer: 8 residual Adds lack Q/DQ."));
  EXPECT_GE(better.aligned_share_base, 0.98);
  EXPECT_GE(better.aligned_share_candidate, 0.98);
}

// Recorded values may end in somebody's shell.
TEST(Timing, TheCommandThatSettlesItIsQuoted) {
  Build b;
  EXPECT_EQ(timing_command(b), "");
  b.options.flags = {
      {"onnx", "m.onnx"}, {"saveEngine", "a b;rm 'c'"}, {"fp16", ""},   {"useCudaGraph", ""},
      {"streams", "2"},   {"exportTimes", "old"},       {"verbose", ""}};
  EXPECT_EQ(timing_command(b),
            R"(trtexec --loadEngine='a b;rm '\''c'\''' --useCudaGraph --streams=2)"
            " --exportTimes=times.json");
  // How long it was timed is nobody's setting: both sides are timed alike.
  for (const char* length : {"duration", "warmUp", "iterations", "avgRuns"}) {
    b.options.flags.emplace_back(length, "7");
  }
  EXPECT_THAT(timing_command(b), Not(HasSubstr("=7")));
  b.options.flags.erase(b.options.flags.begin() + 1);
  EXPECT_EQ(timing_command(b),
            "trtexec --onnx=m.onnx --fp16 --useCudaGraph --streams=2 --exportTimes=times.json");
}

TEST(Timing, AGpuThatOthersUseIsListed) {
  const auto build = [](double qps) {
    Build b = timed({layer_of("/a", kH, 1)}, 1);
    b.performance.throughput_qps = qps;
    return b;
  };
  const auto listed = [](const Comparison& c) {
    return std::any_of(c.differences.begin(), c.differences.end(),
                       [](const Difference& d) { return d.what == "timing"; });
  };
  EXPECT_TRUE(listed(compared(build(980), build(600))));
  // The options are the same: the GPU is to be freed.
  const auto remedy = [](const Comparison& c) {
    const Finding* const unlike = found(c, "different-settings-between-builds");
    return unlike == nullptr ? std::string() : unlike->remedies.front();
  };
  EXPECT_THAT(remedy(compared(build(980), build(600))), HasSubstr("off the GPU"));
  Build graph = build(600);
  graph.options.flags = {{"useCudaGraph", ""}};
  Build none = build(980);
  graph.commands = none.commands = {"trtexec"};
  EXPECT_THAT(remedy(compared(none, graph)), HasSubstr("the same options"));
  // Unknown on one side is no known difference.
  const Comparison one = compared(timed({layer_of("/a", kH, 1)}, 1), build(600));
  EXPECT_TRUE(listed(one));
  for (const Difference& d : one.differences) EXPECT_FALSE(d.matters) << d.name;
  EXPECT_FALSE(listed(compared(build(980), build(900))));
  Build transfers = build(600);  // bound by its transfers, not by others
  transfers.performance.h2d.emplace().median_ms = 1.6;
  EXPECT_FALSE(listed(compared(build(980), transfers)));
}

}  // namespace
}  // namespace trtlens::compare_rules_test
