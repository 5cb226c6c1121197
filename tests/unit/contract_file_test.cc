// The engine contract as a file: what is read and refused, and what a good build makes.
#include "analyzers/contract/contract.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/formats/json/contract.h"
#include "tests/unit/contract_sample.h"

namespace trtlens::contract_file_test {
namespace {

using test::analyze_build;
using test::gemm_of;
using test::healthy;
using test::reformat_of;
using test::region_of;
using test::runs_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> faults_of(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  (void)parse_contract(text, "c", diagnostics);
  std::vector<std::string> faults;
  for (const Diagnostic& d : diagnostics) {
    faults.push_back(fmt::format("{}:{}:{}: expected {}, found {}", d.file, d.line, d.column,
                                 d.expected, d.found));
  }
  return faults;
}

TEST(Contract, ReadsComments) {
  const std::string text =
      "// a comment, \"quoted\" {\n{ /* another\n one */ \"contract_version\": 1, // 1\n"
      "\"gpu\": [\"a // no comment\", \"/* nor this */\"],\"reformats\": 3// three\n}//";
  EXPECT_THAT(faults_of(text), IsEmpty());
  std::vector<Diagnostic> diagnostics;
  const Contract contract = parse_contract(text, "c", diagnostics);
  ASSERT_TRUE(contract.gpu);
  EXPECT_THAT(*contract.gpu, ElementsAre("a // no comment", "/* nor this */"));
  const auto& reformats = contract.quantities[static_cast<std::size_t>(Quantity::reformats)];
  ASSERT_TRUE(reformats);
  EXPECT_EQ(reformats->at_least, 3);
  EXPECT_EQ(reformats->at_most, 3);
}

TEST(Contract, NamesThePlaceOfAFault) {
  const auto fault = [](const std::string& clause) {
    return faults_of("{\"contract_version\": 1,\n  " + clause + "}");
  };
  EXPECT_THAT(fault("\"gems\": 3"),
              ElementsAre(HasSubstr("c:2:3: expected one of contract_version, ")));
  EXPECT_THAT(fault("\"gems\": 3"), ElementsAre(HasSubstr(", found \"gems\"")));
  EXPECT_THAT(fault("\"gpu\": \"H200\""), ElementsAre("c:2:10: expected an array, found \"H200\""));
  EXPECT_THAT(fault("\"gpu\": []"), ElementsAre("c:2:10: expected at least one name, found none"));
  EXPECT_THAT(fault("\"gpu\": [\"\"]"), ElementsAre("c:2:11: expected a name, found \"\""));
  EXPECT_THAT(fault("\"gpu\": [1]"), ElementsAre("c:2:11: expected a string, found 1"));
  EXPECT_THAT(fault("\"allowed_types\": [\"FP17\"]"),
              ElementsAre(HasSubstr("c:2:21: expected one of FP32, TF32, ")));
  EXPECT_THAT(fault("\"strongly_typed\": 1"), ElementsAre("c:2:21: expected a boolean, found 1"));
  EXPECT_THAT(fault("\"reformats\": -1"),
              ElementsAre("c:2:16: expected a whole number from 0 to 1e+12, found -1"));
  EXPECT_THAT(fault("\"reformats\": 1.5"),
              ElementsAre("c:2:16: expected a whole number from 0 to 1e+12, found 1.5"));
  EXPECT_THAT(fault("\"reformats\": 1e999"), SizeIs(1));
  EXPECT_THAT(fault("\"fp32_time_percent\": {\"at_most\": 100.1}"),
              ElementsAre("c:2:36: expected a number from 0 to 100, found 100.1"));
  EXPECT_THAT(fault("\"reformats\": {}"),
              ElementsAre("c:2:16: expected \"at_least\" or \"at_most\", found none"));
  EXPECT_THAT(fault("\"reformats\": {\"at_least\": 3, \"at_most\": 2}"),
              ElementsAre("c:2:16: expected at_least below at_most, found 3 and 2"));
  EXPECT_THAT(fault("\"reformats\": {\"most\": 2}"),
              ElementsAre("c:2:17: expected one of at_least, at_most, found \"most\""));
  EXPECT_THAT(fault("\"reformats\": null"),
              ElementsAre(HasSubstr("c:2:16: expected a number, or {\"at_least\"")));
  EXPECT_THAT(fault("\"reformats\": 1, \"reformats\": 2"),
              ElementsAre("c:2:19: expected each member once, found \"reformats\" again"));
  EXPECT_THAT(fault("\"gemms\": {\"FP17\": 1}"),
              ElementsAre(HasSubstr("c:2:13: expected one of FP32, ")));
  EXPECT_THAT(fault("\"time_per_query\": {}"),
              ElementsAre("c:2:21: expected \"runs\", found none"));
  EXPECT_THAT(fault("\"time_per_query\": {\"runs\": []}"),
              ElementsAre("c:2:30: expected at least one run, found none"));
  EXPECT_THAT(fault("\"time_per_query\": {\"runs\": [{\"p10_ms\": 0}]}"),
              ElementsAre("c:2:42: expected a time above 0, found 0"));
  EXPECT_THAT(
      fault("\"time_per_query\": {\"runs\": [{\"error_percent\": 1}]}"),
      ElementsAre(HasSubstr("expected \"p10_ms\", \"median_ms\" or \"profile_ms\", found none")));
}

TEST(Contract, RefusesOtherVersions) {
  EXPECT_THAT(faults_of("{}"), ElementsAre("c:1:1: expected \"contract_version\": 1, found none"));
  EXPECT_THAT(
      faults_of("{\"contract_version\": 2, \"frobs\": 1}"),
      ElementsAre("c:1:22: expected contract_version 1, found 2: a newer trtlens wrote it"));
  EXPECT_THAT(faults_of("{\"contract_version\": \"1\"}"),
              ElementsAre("c:1:22: expected contract_version 1, found \"1\""));
  EXPECT_THAT(faults_of("{\"contract_version\": 0}"),
              ElementsAre("c:1:22: expected contract_version 1, found 0"));
}

TEST(Contract, RefusesWhatIsNoContract) {
  for (const std::string text : {"", "x", "[]", "3", "{\"contract_version\": 1", "/*", "{\"a\": /",
                                 "{\"gpu\": [\"\xff\"]}"}) {
    EXPECT_THAT(faults_of(text), SizeIs(1)) << text;
  }
  EXPECT_THAT(faults_of(std::string("{\0}", 3)), SizeIs(1));
  EXPECT_THAT(faults_of(std::string(100000, '[')), SizeIs(1));
  EXPECT_THAT(faults_of("{\"contract_version\": 1, \"gpu\": " + std::string(100, '[') +
                        std::string(100, ']') + "}"),
              ElementsAre(HasSubstr("nesting deeper than 32")));
}

TEST(Contract, StopsAfterTwentyFaults) {
  std::string text = "{\"contract_version\": 1";
  for (int i = 0; i < 50000; ++i) text += ",\"x" + std::to_string(i) + "\":1";
  const std::vector<std::string> faults = faults_of(text + "}");
  ASSERT_THAT(faults, SizeIs(20));
  EXPECT_THAT(faults.back(), HasSubstr("more faults are not looked for"));
}

std::string written(std::vector<Analysis> builds, Contract& contract) {
  const Expectation expectation = expect(std::move(builds));
  EXPECT_EQ(expectation.refused, "");
  const std::string text = contract_text(expectation);
  std::vector<Diagnostic> diagnostics;
  contract = parse_contract(text, "c", diagnostics);
  for (const Diagnostic& d : diagnostics) ADD_FAILURE() << d.line << ": " << d.expected << d.found;
  return text;
}

TEST(Expect, WhatItWritesHoldsTheBuild) {
  Contract contract;
  const std::string text = written(runs_of({1.0}), contract);
  EXPECT_THAT(text, HasSubstr("\"convolutions\": {\n    \"FP16\": 2,\n    \"FP32\": 1,\n"));
  EXPECT_THAT(text, HasSubstr("{\"median_ms\": 1, \"profile_ms\": 8}"));
  const ContractResult result = check_contract(runs_of({1.0}), contract, "c", {});
  EXPECT_EQ(result.count(ClauseState::held), result.clauses.size());
  EXPECT_EQ(result.clauses.size(), 20);
}

TEST(Expect, WritesOnlyWhatIsKnown) {
  std::vector<Analysis> builds;
  builds.push_back(analyze_build(test::build_of({region_of("r"), gemm_of("g", DataType::fp16)})));
  Contract contract;
  const std::string text = written(std::move(builds), contract);
  EXPECT_FALSE(contract.tensorrt || contract.gpu || contract.allowed_types);
  EXPECT_THAT(text, HasSubstr("// tensorrt is not known: no log that names the version."));
  EXPECT_THAT(text, HasSubstr("// attention is not known: 1 layer hides what runs inside."));
  EXPECT_THAT(text, HasSubstr("// fp32_time_percent is not known: 50 % of the profile's time is in "
                              "1 layer of unknown\n  // arithmetic."));
  EXPECT_TRUE(contract.kernels[static_cast<std::size_t>(KernelKind::gemms)]);
}

TEST(Expect, OneKernelInTwentyMayBeAnother) {
  const auto limits_of = [](int gemms) {
    std::vector<Layer> layers;
    for (int i = 0; i < gemms; ++i)
      layers.push_back(gemm_of("g" + std::to_string(i), DataType::fp16));
    std::vector<Analysis> builds;
    builds.push_back(analyze_build(test::build_of(std::move(layers))));
    return expect(std::move(builds))
        .contract.kernels[static_cast<std::size_t>(KernelKind::gemms)]
        ->types.at(0)
        .second;
  };
  EXPECT_EQ(limits_of(19).at_least, 19);
  EXPECT_EQ(limits_of(20).at_least, 19);
  EXPECT_EQ(limits_of(20).at_most, 21);
}

TEST(Expect, SeveralBuildsWidenTheLimits) {
  std::vector<Analysis> builds = runs_of({1.0, 1.01});
  Build other = healthy();
  other.memory.engine_bytes = 12 << 20;
  other.layers.back() = reformat_of("d1");  // one Q/DQ kernel less, a reformat more
  other.layers.back().found_in = kFoundInLayerInfo | kFoundInProfile;
  builds.push_back(analyze_build(std::move(other)));
  builds.back().name = "run3";
  Contract contract;
  const std::string text = written(std::move(builds), contract);
  EXPECT_THAT(text, HasSubstr("\"engine_mib\": {\"at_least\": 9, \"at_most\": 13.2}"));
  EXPECT_THAT(text, HasSubstr("\"reformats\": {\"at_most\": 4}"));
  EXPECT_THAT(text, HasSubstr("The good build: 1 to 2. To loosen"));
  EXPECT_THAT(contract.time_per_query->runs, SizeIs(3));
}

TEST(Expect, RefusesFailedBuildsAndDifferentOnes) {
  Build failed;
  failed.outcome = Outcome::failed;
  failed.has_log = true;
  std::vector<Analysis> builds;
  builds.push_back(analyze_build(std::move(failed)));
  EXPECT_THAT(expect(std::move(builds)).refused, HasSubstr("hand-made failed"));
  builds = runs_of({1.0, 1.0});
  builds[1].name = "second";
  builds[1].build.outcome = Outcome::failed;
  EXPECT_THAT(expect(std::move(builds)).refused, HasSubstr("second failed"));
  builds = runs_of({1.0});
  builds[0].name = "cut";
  builds[0].build.outcome = Outcome::truncated;
  EXPECT_EQ(expect(std::move(builds)).refused,
            "cut: its log ends before the build or the run does");
  builds = runs_of({1.0, 1.0});
  builds[1].build.gpu->name = "NVIDIA L4";
  EXPECT_THAT(expect(std::move(builds)).refused,
              HasSubstr("these builds are no repetitions of one engine"));
  builds = runs_of({1.0, 1.0});
  builds[1].build.gpu->name = "NVIDIA L4";
  EXPECT_THAT(check_contract(std::move(builds), {}, "c", {}).refused,
              HasSubstr("these builds are no repetitions of one engine"));
}

TEST(Expect, NamesOfInputsStayInTheirLine) {
  std::vector<Analysis> builds = runs_of({1.0});
  builds[0].name = "a\n} evil \xff \"x\" // */";
  builds[0].build.gpu->name = "GPU\"\n\x1b[31m\xff\\";
  Contract contract;
  const std::string text = written(std::move(builds), contract);
  EXPECT_THAT(text.substr(0, text.find('{')), Not(HasSubstr("\n}")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  ASSERT_TRUE(contract.gpu);
  EXPECT_THAT(contract.gpu->at(0), HasSubstr("GPU\"\n"));
}

}  // namespace
}  // namespace trtlens::contract_file_test
