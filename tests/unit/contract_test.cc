// A build held against a contract: every clause on either side of its limit, what cannot be told,
// and the causes of what is broken.
#include "analyzers/contract/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzers/gate/gate.h"
#include "tests/unit/contract_sample.h"

namespace trtlens::contract_test {
namespace {

using test::analyze_build;
using test::analyze_path;
using test::contract_of;
using test::gemm_of;
using test::healthy;
using test::region_of;
using test::runs_of;
using test::tensor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

ContractResult check(Build build, const std::string& clauses) {
  std::vector<Analysis> builds;
  builds.push_back(analyze_build(std::move(build)));
  return check_contract(std::move(builds), contract_of(clauses), "c", {});
}
ClauseState state_of(Build build, const std::string& clause) {
  return check(std::move(build), clause).state();
}
const ClauseResult& clause_of(const ContractResult& result, const std::string& name) {
  for (const ClauseResult& clause : result.clauses) {
    if (clause.name == name) return clause;
  }
  ADD_FAILURE() << "no clause " << name;
  return result.clauses.at(0);
}

struct Boundary {
  const char *name, *held, *broken;
};
// Held at the limit, broken one step beyond it.
constexpr Boundary kBoundaries[] = {
    {"version, whole", R"("tensorrt": ["10.3.0"])", R"("tensorrt": ["10.3.1"])"},
    {"version, beginning", R"("tensorrt": ["10.3"])", R"("tensorrt": ["10.30", "1"])"},
    {"gpu", R"("gpu": ["NVIDIA L4", "NVIDIA H200"])", R"("gpu": ["NVIDIA H20"])"},
    {"types", R"("allowed_types": ["FP16", "FP32"])", R"("allowed_types": ["FP16"])"},
    {"more types", R"("allowed_types": ["FP32", "FP16"])",
     R"("allowed_types": ["FP32", "FP16", "INT8"])"},
    {"typed", R"("strongly_typed": false)", R"("strongly_typed": true)"},
    {"least convolutions", R"("convolutions": {"FP16": {"at_least": 2}})",
     R"("convolutions": {"FP16": {"at_least": 3}})"},
    {"most convolutions", R"("convolutions": {"FP16": {"at_most": 2}})",
     R"("convolutions": {"FP16": {"at_most": 1}})"},
    {"other convolutions", R"("convolutions": {"FP16": 2, "other": {"at_most": 1}})",
     R"("convolutions": {"FP16": 2, "other": {"at_most": 0}})"},
    {"gemms", R"("gemms": {"FP16": 1})", R"("gemms": {"FP16": 2})"},
    {"attention", R"("attention": {"FP16": 1})", R"("attention": {"FP16": 0})"},
    {"fp32 time", R"("fp32_time_percent": {"at_most": 12.5})",
     R"("fp32_time_percent": {"at_most": 12.4})"},
    {"reformats", R"("reformats": {"at_most": 1})", R"("reformats": {"at_most": 0})"},
    {"reformat time", R"("reformat_time_percent": {"at_most": 12.5})",
     R"("reformat_time_percent": {"at_most": 12.4})"},
    {"qdq", R"("qdq_kernels": {"at_most": 2})", R"("qdq_kernels": {"at_most": 1})"},
    {"qdq time", R"("qdq_time_percent": {"at_most": 25})",
     R"("qdq_time_percent": {"at_most": 24.9})"},
    {"largest engine", R"("engine_mib": {"at_most": 10})", R"("engine_mib": {"at_most": 9.9})"},
    {"smallest engine", R"("engine_mib": {"at_least": 10})", R"("engine_mib": {"at_least": 10.1})"},
    {"activations", R"("activation_mib": {"at_most": 20})",
     R"("activation_mib": {"at_most": 19.9})"},
    {"device", R"("device_mib": {"at_most": 25})", R"("device_mib": {"at_most": 24.9})"},
    // 1 ms against a floor of 5 %.
    {"time", R"("time_per_query": {"runs": [{"median_ms": 0.953}]})",
     R"("time_per_query": {"runs": [{"median_ms": 0.952}]})"},
    {"noise floor",
     R"("time_per_query": {"runs": [{"median_ms": 0.91}], "noise_floor_percent": 10})",
     R"("time_per_query": {"runs": [{"median_ms": 0.909}], "noise_floor_percent": 10})"},
    {"margin", R"("time_per_query": {"runs": [{"median_ms": 0.91}], "margin_percent": 10})",
     R"("time_per_query": {"runs": [{"median_ms": 0.909}], "margin_percent": 10})"},
};

TEST(Contract, HoldsAtTheLimitAndBreaksBeyond) {
  for (const Boundary& boundary : kBoundaries) {
    EXPECT_EQ(state_of(healthy(), boundary.held), ClauseState::held) << boundary.name;
    EXPECT_EQ(state_of(healthy(), boundary.broken), ClauseState::broken) << boundary.name;
  }
}

TEST(Contract, SaysWhatIsUnknownAndWhatWouldTell) {
  Build bare;
  bare.has_log = true;
  for (const Boundary& boundary : kBoundaries) {
    const ContractResult result = check(bare, boundary.held);
    EXPECT_EQ(result.state(), ClauseState::undecidable) << boundary.name;
    for (const ClauseResult& clause : result.clauses) {
      if (clause.state != ClauseState::undecidable) continue;
      EXPECT_THAT(clause.why, Not(IsEmpty())) << clause.name;
      EXPECT_THAT(clause.needs, Not(IsEmpty())) << clause.name;
    }
  }
}

TEST(Contract, ShowsTheDigitsThatAreBeyondTheLimit) {
  Build build = healthy();
  build.memory.engine_bytes = (10 << 20) + (1 << 14);
  const ContractResult result = check(build, R"("engine_mib": {"at_most": 10})");
  EXPECT_EQ(result.clauses.at(0).state, ClauseState::broken);
  EXPECT_EQ(result.clauses.at(0).expected, "at most 10 MiB");
  EXPECT_EQ(result.clauses.at(0).found, "10.0156 MiB");
}

TEST(Contract, OfAnEngineInWholeMib) {
  Build build = healthy();
  build.memory.engine_in_mib = true;  // 10 to 11
  EXPECT_EQ(state_of(build, R"("engine_mib": {"at_most": 11})"), ClauseState::held);
  EXPECT_EQ(state_of(build, R"("engine_mib": {"at_most": 10.5})"), ClauseState::undecidable);
  EXPECT_EQ(state_of(build, R"("engine_mib": {"at_most": 9.9})"), ClauseState::broken);
}

// What a region hides may be what is missing; what is seen is seen.
TEST(Contract, ARegionHidesWhatIsMissing) {
  const char* const wanted = R"("gemms": {"FP8": 3, "other": {"at_most": 0}})";
  const auto gemms = [](std::vector<DataType> types, int regions) {
    std::vector<Layer> layers;
    for (const DataType type : types) {
      layers.push_back(gemm_of("g" + std::to_string(layers.size()), type));
    }
    for (int i = 0; i < regions; ++i) layers.push_back(region_of("region" + std::to_string(i)));
    return test::build_of(std::move(layers));
  };
  const DataType fp8 = DataType::fp8, fp32 = DataType::fp32;
  EXPECT_EQ(state_of(gemms({fp8, fp8, fp8}, 0), wanted), ClauseState::held);
  EXPECT_EQ(state_of(gemms({fp8, fp8, fp8}, 1), wanted), ClauseState::held);
  EXPECT_EQ(state_of(gemms({fp8, fp8}, 0), wanted), ClauseState::broken);
  const ContractResult hidden = check(gemms({fp8, fp8}, 1), wanted);
  EXPECT_EQ(clause_of(hidden, "gemms.FP8").state, ClauseState::undecidable);
  EXPECT_EQ(clause_of(hidden, "gemms.FP8").found, "at least 2");
  EXPECT_EQ(clause_of(hidden, "gemms.FP8").why, "1 layer hides what runs inside");
  EXPECT_THAT(clause_of(hidden, "gemms.FP8").layers, ElementsAre(2));
  // The one that is missing may be of any type.
  EXPECT_EQ(clause_of(hidden, "gemms.other").state, ClauseState::undecidable);
  // All are seen, and one is of another type.
  const ContractResult seen = check(gemms({fp8, fp8, fp32}, 1), wanted);
  EXPECT_EQ(clause_of(seen, "gemms.FP8").state, ClauseState::broken);
  EXPECT_EQ(clause_of(seen, "gemms.other").state, ClauseState::broken);
  EXPECT_EQ(clause_of(seen, "gemms.other").found, "1 FP32");
}

TEST(Contract, LayersOfOtherProfilesAreTheSameAgain) {
  Layer again = gemm_of("g1 [profile 1]", DataType::fp16);
  again.opt_profile = 1;
  again.time.reset();
  EXPECT_EQ(
      state_of(test::build_of({gemm_of("g1", DataType::fp16), again}), R"("gemms": {"FP16": 1})"),
      ClauseState::held);
}

TEST(Contract, AKernelOfUnknownTypeMayBeOfAny) {
  Build build = test::build_of({gemm_of("g1", DataType::fp16), gemm_of("g2", DataType::unknown)});
  const char* const exactly = R"("gemms": {"FP16": 2, "other": {"at_most": 0}})";
  EXPECT_EQ(state_of(build, exactly), ClauseState::undecidable);
  EXPECT_EQ(state_of(build, R"("gemms": {"FP16": {"at_least": 1}})"), ClauseState::held);
  EXPECT_EQ(state_of(build, R"("gemms": {"FP16": 3})"), ClauseState::broken);
}

TEST(Contract, ASharePartlyHidden) {
  Build build = test::build_of({gemm_of("g1", DataType::fp32), region_of("r"),
                                gemm_of("g2", DataType::fp16), gemm_of("g3", DataType::fp16)});
  EXPECT_EQ(state_of(build, R"("fp32_time_percent": {"at_most": 50})"), ClauseState::held);
  EXPECT_EQ(state_of(build, R"("fp32_time_percent": {"at_most": 49})"), ClauseState::undecidable);
  EXPECT_EQ(state_of(build, R"("fp32_time_percent": {"at_most": 24})"), ClauseState::broken);
}

TEST(Contract, AFailedBuildIsBrokenAndNothingElseIsTold) {
  Build build;
  build.has_log = true;
  build.outcome = Outcome::failed;
  const ContractResult result =
      check(build,
            R"("gemms": {"FP16": 1}, "reformats": 1, "time_per_query": {"runs": [{"p10_ms": 1}]})");
  EXPECT_EQ(clause_of(result, "build").state, ClauseState::broken);
  for (const char* name : {"gemms", "reformats", "time_per_query"}) {
    EXPECT_EQ(clause_of(result, name).state, ClauseState::undecidable);
    EXPECT_EQ(clause_of(result, name).why, "the build failed");
  }
}

// Of several builds none is left out without a word: a gate would be green.
TEST(Contract, OneOfSeveralThatFailedBreaksIt) {
  const auto check_with = [](const auto& change) {
    std::vector<Analysis> builds = runs_of({1.0, 1.0});
    builds[1].name = "second";
    change(builds[1]);
    return check_contract(std::move(builds), contract_of(R"("reformats": 1)"), "c", {});
  };
  const ContractResult failed = check_with([](Analysis& second) {
    second.build.outcome = Outcome::failed;
    second.findings.resize(1);
    second.findings[0].title = "No kernel works";
  });
  EXPECT_EQ(clause_of(failed, "build").state, ClauseState::broken);
  EXPECT_EQ(clause_of(failed, "build").found, "failed: 1 of 2");
  EXPECT_EQ(clause_of(failed, "build").why, "second: No kernel works");
  EXPECT_EQ(clause_of(failed, "reformats").state, ClauseState::held);  // by the other one
  const ContractResult cut =
      check_with([](Analysis& second) { second.build.outcome = Outcome::truncated; });
  EXPECT_EQ(clause_of(cut, "build").state, ClauseState::undecidable);
  EXPECT_EQ(clause_of(cut, "build").why, "second: the log ends before the build or the run does");
  const ContractResult good = check_with([](Analysis& /*second*/) {});
  EXPECT_THAT(good.clauses, SizeIs(1));
}

TEST(Contract, OneWithoutATimeIsOfTheSameEngineOrRefused) {
  const auto check_with = [](const char* gpu) {
    std::vector<Analysis> builds = runs_of({1.0, 1.0});
    builds[1].name = "second";
    builds[1].build.performance = {};
    builds[1].build.queries.clear();
    builds[1].build.profile_sum_ms = 0;
    builds[1].compute_samples.reset();
    builds[1].build.has_profile = false;
    builds[1].build.gpu->name = gpu;
    return check_contract(std::move(builds), contract_of(R"("reformats": 1)"), "c", {});
  };
  EXPECT_EQ(check_with("NVIDIA H200").refused, "");
  EXPECT_THAT(check_with("NVIDIA L4").refused,
              testing::AllOf(HasSubstr("these builds are no repetitions of one engine"),
                             HasSubstr("second")));
}

// --- Time

// What is more than a quarter slower is no unlucky process.
TEST(Contract, OneSlowProcessIsNamedUpToAQuarter) {
  const auto why = [](const char* clauses) {
    return clause_of(check(healthy(), clauses), "time_per_query").why;
  };
  EXPECT_EQ(why(R"("time_per_query": {"runs": [{"median_ms": 0.801}]})"),
            "single runs, and one slow process can look like this shift");
  EXPECT_EQ(why(R"("time_per_query": {"runs": [{"median_ms": 0.799}]})"), "");
  // Kernels that the contract does not allow say more.
  EXPECT_EQ(why(R"("reformats": 0, "time_per_query": {"runs": [{"median_ms": 0.801}]})"),
            "follows from the kernels: reformats");
  EXPECT_EQ(why(R"("qdq_kernels": 0, "time_per_query": {"runs": [{"median_ms": 0.799}]})"),
            "follows from the kernels: qdq_kernels");
}

TEST(Contract, TimesOfOtherConditionsSayNothing) {
  Build slow = healthy();
  test::set_query_times(slow, 3.0, 0.1);
  const char* const time = R"("time_per_query": {"runs": [{"median_ms": 1}], "shapes": "1x3x8x8"})";
  EXPECT_EQ(state_of(slow, time), ClauseState::broken);
  test::add_io(slow, tensor("x", DataType::fp32, {1, 3, 8, 8}), true);
  EXPECT_EQ(state_of(slow, time), ClauseState::broken);
  slow.io_tensors[0].tensor.dims = {2, 3, 8, 8};
  const ContractResult shapes = check(slow, time);
  EXPECT_EQ(shapes.state(), ClauseState::undecidable);
  EXPECT_EQ(shapes.clauses.at(0).why, "it was timed with other inputs: 2x3x8x8, not 1x3x8x8");
  const ContractResult gpu =
      check(slow, R"("gpu": ["NVIDIA L4"], "time_per_query": {"runs": [{"median_ms": 1}]})");
  EXPECT_EQ(clause_of(gpu, "gpu").state, ClauseState::broken);
  EXPECT_EQ(clause_of(gpu, "time_per_query").state, ClauseState::undecidable);
}

TEST(Contract, TakesTheBestFigureThatBothHave) {
  const ContractResult median =
      check(healthy(),
            R"("time_per_query": {"runs": [{"p10_ms": 0.1, "median_ms": 1, "profile_ms": 0.1}]})");
  EXPECT_EQ(median.state(), ClauseState::held);
  EXPECT_EQ(median.clauses.at(0).expected, "1.000 ms (median), at most +5.0 %");
  EXPECT_EQ(median.clauses.at(0).found, "1.000 ms, 0.0 %");
  const ContractResult none = check(healthy(), R"("time_per_query": {"runs": [{"p10_ms": 1}]})");
  EXPECT_EQ(none.state(), ClauseState::undecidable);
  EXPECT_THAT(none.clauses.at(0).needs, HasSubstr("--exportTimes"));
}

// Repetitions in the place of the floor: what they scatter by decides.
TEST(Contract, RepetitionsMakeTheTolerance) {
  const auto state = [](const char* runs, const std::vector<double>& medians) {
    const std::string clause = std::string("\"time_per_query\": {\"runs\": [") + runs + "]}";
    return check_contract(runs_of(medians), contract_of(clause), "c", {}).state();
  };
  const char* const steady =
      R"({"median_ms": 1}, {"median_ms": 1.001}, {"median_ms": 0.999}, {"median_ms": 1.002})";
  EXPECT_EQ(state(steady, {1.015}), ClauseState::held);    // below the margin of 2 %
  EXPECT_EQ(state(steady, {1.025}), ClauseState::broken);  // one run would need 5 %
  const char* const noisy =
      R"({"median_ms": 0.96}, {"median_ms": 1}, {"median_ms": 1.04}, {"median_ms": 0.98})";
  EXPECT_EQ(state(noisy, {1.014}), ClauseState::held);  // 1.9 %
  EXPECT_EQ(state(noisy, {1.016}), ClauseState::undecidable);
  EXPECT_EQ(state(noisy, {1.06}), ClauseState::undecidable);
  EXPECT_EQ(state(noisy, {1.3}), ClauseState::broken);
}

// --- Causes

std::string contract_fixture(const std::string& name) {
  return std::string(TRTLENS_SOURCE_DIR) + "/fixtures/contracts/" + name;
}
std::vector<Analysis> one(const std::string& path) {
  std::vector<Analysis> builds;
  builds.push_back(analyze_path(path));
  return builds;
}
// The build of a folder against the good one of the same.
ContractResult held_against_good(const std::string& folder, const std::string& build) {
  const Contract contract = expect(one(contract_fixture(folder + "/good"))).contract;
  return check_contract(one(contract_fixture(folder + "/" + build)), contract, "c", {});
}
std::vector<std::string> names_of(const ContractResult& result, ClauseState state) {
  std::vector<std::string> names;
  for (const ClauseResult& clause : result.clauses) {
    if (clause.state == state) names.push_back(clause.name);
  }
  return names;
}

// What four public threads report, in engines made up after them (fixtures/README.md).
TEST(ContractOfThreads, FlagsThatAreAcceptedAndIgnored) {
  const ContractResult result = held_against_good("fp8_flags", "bad");
  EXPECT_THAT(
      names_of(result, ClauseState::broken),
      ElementsAre("gemms.FP8", "gemms.other", "fp32_time_percent", "engine_mib", "time_per_query"));
  const ClauseResult& gemms = clause_of(result, "gemms.FP8");
  ASSERT_TRUE(gemms.finding);
  EXPECT_EQ(result.build.findings[*gemms.finding].rule, "fp32-fallback");
  EXPECT_THAT(gemms.layers, SizeIs(8));
  EXPECT_EQ(clause_of(result, "engine_mib").why, "follows from the types: gemms.FP8");
}

TEST(ContractOfThreads, ATypedNetworkInFp32) {
  const ContractResult result = held_against_good("fp16_typed", "bad");
  EXPECT_THAT(names_of(result, ClauseState::broken),
              ElementsAre("tensorrt", "strongly_typed", "convolutions.FP16", "convolutions.other",
                          "gemms.FP16", "gemms.other", "fp32_time_percent", "engine_mib",
                          "activation_mib", "time_per_query"));
  EXPECT_THAT(names_of(result, ClauseState::undecidable), ElementsAre("allowed_types"));
  EXPECT_THAT(clause_of(result, "gemms.FP16").why, HasSubstr("the network is strongly typed"));
}

TEST(ContractOfThreads, AttentionThatIsNotFused) {
  const ContractResult result = held_against_good("attention", "bad");
  EXPECT_THAT(names_of(result, ClauseState::broken),
              ElementsAre("gemms.other", "attention.FP16", "fp32_time_percent", "time_per_query"));
  const ClauseResult& attention = clause_of(result, "attention.FP16");
  ASSERT_TRUE(attention.finding);
  EXPECT_EQ(result.build.findings[*attention.finding].rule, "mha-not-fused");
  EXPECT_THAT(attention.layers, SizeIs(4));  // the softmax of each
}

TEST(ContractOfThreads, AnotherEngineThanShipped) {
  const ContractResult result = held_against_good("identity", "bad");
  EXPECT_THAT(names_of(result, ClauseState::broken),
              ElementsAre("gemms.FP8", "gemms.other", "attention.BF16", "attention.other",
                          "engine_mib", "time_per_query"));
  // The same engine, fused in other places: nothing is wrong, and not all is told.
  const ContractResult hidden = held_against_good("identity", "hidden");
  EXPECT_THAT(names_of(hidden, ClauseState::broken), IsEmpty());
  EXPECT_THAT(names_of(hidden, ClauseState::undecidable),
              ElementsAre("gemms.FP8", "gemms.other", "attention.BF16", "attention.other",
                          "fp32_time_percent"));
}

TEST(ContractOfThreads, GoodBuildsAreHeld) {
  for (const char* folder : {"fp8_flags", "fp16_typed", "attention", "identity"}) {
    const ContractResult result = held_against_good(folder, "good");
    EXPECT_EQ(result.count(ClauseState::held), result.clauses.size()) << folder;
  }
}

TEST(Contract, TypesThatWereNotAllowedAreTheCause) {
  Build build = test::build_of({gemm_of("g1", DataType::fp32)});
  build.allowed.labels = {"FP32"};
  const ContractResult result = check(build, R"("gemms": {"FP16": 1, "TF32": {"at_least": 0}})");
  EXPECT_EQ(clause_of(result, "gemms.FP16").why,
            "FP16 is not among the types that the build was allowed: FP32");
}

TEST(Contract, AFindingOnHalfOfTheLayersIsTheCause) {
  const auto cause = [](const std::vector<std::string>& layers) {
    std::vector<Analysis> builds;
    builds.push_back(analyze_build(
        test::build_of({gemm_of("g1", DataType::fp32), gemm_of("g2", DataType::fp32),
                        gemm_of("g3", DataType::fp32), gemm_of("g4", DataType::fp32)})));
    Finding one, other;
    one.layers = {SharedText("g4")};
    for (const std::string& layer : layers) other.layers.emplace_back(layer);
    builds[0].findings = {one, other};
    const Contract contract = contract_of(R"("gemms": {"FP32": 0})");
    return check_contract(std::move(builds), contract, "c", {}).clauses.at(0).finding;
  };
  EXPECT_EQ(cause({"g1"}), std::nullopt);
  EXPECT_EQ(cause({"g1", "g2"}), 1);
  EXPECT_EQ(cause({"g1", "g1"}), std::nullopt);  // once each
}

// --- Gate

GateResult gate_of(const ContractResult& result, const std::string& fail_on) {
  GateOptions options;
  options.fail_on = fail_on;
  return hold(result, options, {});
}

TEST(ContractGate, BrokenFailsAndUndecidableOnRequest) {
  const ContractResult held = check(healthy(), R"("reformats": 1)");
  EXPECT_THAT(gate_of(held, "cannot-tell").items, IsEmpty());
  const ContractResult open = check(Build(), R"("reformats": 1)");
  EXPECT_FALSE(gate_of(open, "broken").fails());
  EXPECT_TRUE(gate_of(open, "cannot-tell").fails());
  const ContractResult broken = check(healthy(), R"("reformats": 0, "qdq_kernels": 0)");
  EXPECT_TRUE(gate_of(broken, "broken").fails());
  EXPECT_TRUE(gate_of(broken, "cannot-tell").fails());
  EXPECT_FALSE(gate_of(broken, "none").fails());
  const GateResult gate = gate_of(broken, "broken");
  ASSERT_THAT(gate.items, SizeIs(2));
  EXPECT_EQ(gate.items[0].finding->rule, kContractBroken);
  EXPECT_EQ(gate.items[0].finding->evidence.at(0).metric.str(), "reformats");
  EXPECT_NE(gate.items[0].fingerprint, gate.items[1].fingerprint);
}

TEST(ContractGate, ABaselineAcceptsAClause) {
  const ContractResult broken = check(healthy(), R"("reformats": 0, "qdq_kernels": 0)");
  const GateResult all = gate_of(broken, "broken");
  Baseline baseline;
  baseline.entries.push_back({all.items[0].fingerprint, "contract-broken", "", 2});
  GateOptions options;
  options.fail_on = "broken";
  const GateResult rest = hold(broken, options, baseline);
  EXPECT_THAT(rest.accepted, SizeIs(1));
  ASSERT_THAT(rest.items, SizeIs(1));
  EXPECT_EQ(rest.items[0].finding->evidence.at(0).metric.str(), "qdq_kernels");
  // Whatever was found: the clause is accepted.
  const ContractResult worse = check(healthy(), R"("reformats": 5)");
  EXPECT_THAT(hold(worse, options, baseline).accepted, SizeIs(1));
}

}  // namespace
}  // namespace trtlens::contract_test
