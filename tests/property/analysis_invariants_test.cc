// What must hold for any engine: laws that relate two analyses instead of naming numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analyzers/graph/graph.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/rules/rule.h"
#include "report/formats/json/writer.h"
#include "tests/rendered.h"
#include "tests/unit/build_maker.h"

namespace trtlens::analysis_invariants_test {
namespace {

constexpr const char* kEngines[] = {"p_r18_partial_i8", "b_mob_q_dwnow_i8", "b_r18_q_conv",
                                    "b_r18_q_res",      "a_r18_fp16",       "b_g8_q"};

ParseResult parse_fixture(const std::string& name) {
  return parse_inputs({test::fixture(name)}, {});
}

Analysis analyze_with(const std::string& name, void (*change)(Build&, unsigned), unsigned seed) {
  ParseResult parsed = parse_fixture(name);
  change(parsed.builds.at(0), seed);
  return analyze(std::move(parsed), {});
}

void shuffle_layers(Build& build, unsigned seed) {
  std::mt19937 random(seed);
  std::shuffle(build.layers.begin(), build.layers.end(), random);
}

void scale_times(Build& build, unsigned factor) {
  const double k = factor;
  for (Layer& l : build.layers) {
    if (!l.time) continue;
    l.time->mean_ms *= k;
    if (l.time->median_ms) *l.time->median_ms *= k;
  }
  build.profile_sum_ms *= k;
  build.unattributed_ms *= k;
}

void drop_times(Build& build, unsigned) {
  for (Layer& l : build.layers) l.time.reset();
  build.has_profile = false;
  build.profile_sum_ms = build.unattributed_ms = 0;
}

// Rule, severity and stake of each finding: what a change of order must leave alone.
std::vector<std::string> essence(const Analysis& a) {
  std::vector<std::string> list;
  for (const Finding& f : a.findings) {
    list.push_back(f.rule + " " + to_string(f.severity) + " " +
                   (f.stake_ms ? std::to_string(*f.stake_ms) : std::string("unknown")) + " " +
                   f.title);
  }
  return list;
}

TEST(AnalysisLaws, SameInputSameReport) {
  for (const char* name : kEngines) {
    const Analysis a = analyze(parse_fixture(name), {});
    const Analysis b = analyze(parse_fixture(name), {});
    EXPECT_EQ(json_of(a, "v"), json_of(b, "v")) << name;
  }
}

TEST(AnalysisLaws, OrderOfTheLayersMeansNothing) {
  for (const char* name : kEngines) {
    const std::vector<std::string> expected = essence(analyze(parse_fixture(name), {}));
    for (unsigned seed = 1; seed <= 3; ++seed) {
      EXPECT_EQ(essence(analyze_with(name, shuffle_layers, seed)), expected) << name;
    }
  }
}

TEST(AnalysisLaws, ScalingAllTimesScalesStakesAndKeepsShares) {
  for (const char* name : kEngines) {
    const Analysis a = analyze(parse_fixture(name), {});
    const Analysis b = analyze_with(name, scale_times, 8);
    ASSERT_EQ(a.by_precision.size(), b.by_precision.size());
    for (std::size_t i = 0; i < a.by_precision.size(); ++i) {
      EXPECT_EQ(a.by_precision[i].label, b.by_precision[i].label);
      EXPECT_NEAR(a.by_precision[i].share, b.by_precision[i].share, 1e-12);
      EXPECT_NEAR(a.by_precision[i].time_ms * 8, b.by_precision[i].time_ms, 1e-9);
    }
    for (const Finding& f : a.findings) {
      if (f.rule == "tiny-kernels") continue;  // its threshold is a time
      const Finding* scaled = test::find(b, f.rule);
      ASSERT_NE(scaled, nullptr) << name << " " << f.rule;
      EXPECT_EQ(f.severity, scaled->severity) << f.rule;
      ASSERT_EQ(f.stake_ms.has_value(), scaled->stake_ms.has_value());
      if (f.stake_ms) {
        EXPECT_NEAR(*f.stake_ms * 8, *scaled->stake_ms, 1e-9) << f.rule;
      }
    }
  }
}

TEST(AnalysisLaws, WithoutProfileNothingIsCostedAndCausesStay) {
  for (const char* name : kEngines) {
    const Analysis a = analyze(parse_fixture(name), {});
    const Analysis b = analyze_with(name, drop_times, 0);
    for (const Finding& f : b.findings) EXPECT_FALSE(f.stake_ms) << name << " " << f.rule;
    for (const char* cause : {"missing-scale-hot-layer", "conv-fp32-weight-qdq-missing",
                              "residual-add-not-quantised"}) {
      EXPECT_EQ(test::find(a, cause) != nullptr, test::find(b, cause) != nullptr)
          << name << " " << cause;
    }
    ASSERT_EQ(a.fallbacks.has_value(), b.fallbacks.has_value());
    if (a.fallbacks) {
      EXPECT_EQ(a.fallbacks->size(), b.fallbacks->size());
    }
    for (const ShareRow& row : b.by_precision) EXPECT_EQ(row.time_ms, 0);
  }
}

TEST(AnalysisLaws, EveryMicrosecondIsAccountedFor) {
  for (const char* name : kEngines) {
    const Analysis a = analyze(parse_fixture(name), {});
    double layers = 0;
    for (const Layer& l : a.build.layers) layers += time_or_zero(l);
    EXPECT_NEAR(layers, a.build.profile_sum_ms, 1e-9) << name;
    for (const auto* rows : {&a.by_precision, &a.by_type}) {
      double sum = 0;
      for (const ShareRow& row : *rows) sum += row.time_ms;
      EXPECT_NEAR(sum, a.build.profile_sum_ms, 1e-9) << name;
    }
  }
}

// Lower bounds raised: a finding may go, none may come.
TEST(AnalysisLaws, RaisingAThresholdNeverAddsAFinding) {
  std::size_t raised = 0;
  for (const char* name : kEngines) {
    const Analysis a = analyze(parse_fixture(name), {});
    const Graph graph(a.build, a.verdicts);
    const WidthReasons reasons(a, graph);
    const std::set<std::size_t> none;
    for (const Rule* rule : structural_rules()) {
      RuleInfo info = rule_info(rule->id);
      std::vector<Finding> before, after;
      rule->check(RuleContext{a, graph, reasons, info, none, none}, before);
      for (Threshold& t : info.thresholds) {
        if (t.key.rfind("min_", 0) != 0) continue;
        t.value *= 1.5;
        ++raised;
      }
      rule->check(RuleContext{a, graph, reasons, info, none, none}, after);
      EXPECT_LE(after.size(), before.size()) << name << " " << rule->id;
      for (const Finding& f : after) EXPECT_EQ(f.rule, rule->id);
    }
  }
  EXPECT_GT(raised, 20U);
}

// Random engines: nothing crashes, stakes stay within the profile, the order holds.
Build random_build(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<std::size_t>(random() % n); };
  constexpr DataType kTypes[] = {DataType::fp32, DataType::fp16, DataType::int8, DataType::unknown,
                                 DataType::fp8};
  constexpr const char* kKinds[] = {"CaskConvolution", "Reformat", "NoOp", "CaskPooling",
                                    "PointWiseV2",     "Myelin",   "",     "Shuffle"};
  std::vector<Layer> layers;
  const std::size_t count = 1 + pick(30);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Tensor> inputs, outputs;
    for (std::size_t k = pick(3); k > 0; --k) {
      inputs.push_back(test::tensor("t" + std::to_string(pick(12)), kTypes[pick(5)]));
    }
    for (std::size_t k = pick(3); k > 0; --k) {
      outputs.push_back(test::tensor("t" + std::to_string(pick(12)), kTypes[pick(5)]));
    }
    Layer l = test::layer("layer " + std::to_string(pick(20)), kKinds[pick(8)], inputs, outputs,
                          pick(5) == 0 ? -1 : static_cast<double>(pick(100)) / 100);
    if (l.layer_type == "Reformat" && pick(2) == 0) l.origin = "QDQ";
    if (l.layer_type == "CaskConvolution") l.weights = Weights{kTypes[pick(5)], 64};
    if (pick(3) == 0) l.groups = l.out_maps = 32;
    layers.push_back(std::move(l));
  }
  Build build = test::build_of(std::move(layers));
  if (pick(2) == 0) build.allowed.labels = {"FP32", "INT8"};
  if (pick(2) == 0) build.missing_scales.push_back({"t3", 1, {}});
  if (pick(2) == 0) test::add_io(build, test::tensor("t1", DataType::fp32), true);
  return build;
}

TEST(AnalysisLaws, HoldOnRandomEngines) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Analysis a = test::analyze_build(random_build(seed));
    ASSERT_EQ(a.verdicts.size(), a.build.layers.size());
    double last = 1e300;
    Severity severity = Severity::fatal;
    for (const Finding& f : a.findings) {
      EXPECT_LE(f.severity, severity) << seed << f.title;
      if (f.severity != severity) last = 1e300;
      severity = f.severity;
      if (!f.stake_ms) continue;
      EXPECT_GE(*f.stake_ms, 0) << seed;
      EXPECT_LE(*f.stake_ms, a.build.profile_sum_ms + 1e-9) << seed << f.title;
      const double weighted = *f.stake_ms * weight_of(f.confidence);
      EXPECT_LE(weighted, last + 1e-12) << seed;
      last = weighted;
    }
    EXPECT_FALSE(json_of(a, "v").empty());
  }
}

}  // namespace
}  // namespace trtlens::analysis_invariants_test
