// The four answers of the first screen.
#include "report/document/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/document_parts_of.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_headline_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Ctrl-C at trtlens says nothing of the build.
TEST(Headline, OfAnInterruptedInput) {
  Analysis a = sample::healthy(3);
  a.build.outcome = Outcome::truncated;
  EXPECT_EQ(build_document(a, 10).verdict, "Log stops early");
  sample::change_reading(a, [](Reading& reading) {
    reading.inputs[0].interrupted = true;
    reading.runs = {{1, "trtexec", "", Outcome::truncated, 0, 1, 8},
                    {2, "trtexec", "", Outcome::truncated, 0, 9, 9000}};
  });
  a.build.runs = {2};
  const Document interrupted = build_document(a, 10);
  EXPECT_EQ(interrupted.verdict, "Interrupted");
  const auto said = blocks_of<Paragraph>(interrupted.headline);
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0]->text, "Interrupted: the report covers what was read, 9000 lines, 1.2 MiB.");
  EXPECT_EQ(warnings_of(interrupted).size(), 1U);
  // A build that was going on is no build without a problem, and its exports are not there yet.
  a.findings.clear();
  a.build_time.progress = BuildProgress{"timing tactics", "/m/conv1/Conv", 3, 34, {}};
  a.build_time.layers = {{"/m/a/Conv", 1, 5, 0, 0, 0, 22.4}, {"/m/b/Conv", 1, 5, 0, 0, 0, 0.9}};
  const Document going_on = build_document(a, 10);
  EXPECT_EQ(blocks_of<Paragraph>(going_on.headline)[0]->text,
            "Interrupted: the report covers what was read, 9000 lines, 1.2 MiB. The "
            "build had not ended: timing tactics of m.conv1, layer 3 of at most 34. Longest so "
            "far: m.a.Conv 22 s.");
  EXPECT_EQ(going_on.tiles.at(2).value, "No problem in the messages so far");
  EXPECT_EQ(going_on.tiles.at(3).value, "Let the build end");
  a.build.runs = {1};  // which ended before
  EXPECT_EQ(build_document(a, 10).verdict, "Log stops early");
}

TEST(Headline, ALogThatStopsBeginsWithItsCause) {
  Analysis a = sample::healthy(3);
  a.build.outcome = Outcome::truncated;
  Finding stops;
  stops.rule = "build-truncated";
  stops.title = "The log stops";
  stops.severity = Severity::major;
  stops.evidence = {sample::scale_finding().evidence.at(0)};
  a.findings.insert(a.findings.begin(), stops);
  EXPECT_FALSE(build_document(a, 10).screen->cause_first);  // there are times
  a.build.performance = {};
  a.build.profile_sum_ms = 0;
  a.compute_samples = a.latency_samples = std::nullopt;
  const Document d = build_document(a, 10);
  EXPECT_TRUE(d.screen->cause_first);
  const ScreenFailure failure = failure_of(d);
  EXPECT_EQ(failure.title, "The log stops");
  ASSERT_EQ(failure.quotes.size(), 1U);
  a.findings[0].rule = "other";
  EXPECT_FALSE(build_document(a, 10).screen->cause_first);
}

// Attention that falls back is neither a convolution nor a GEMM.
TEST(Headline, FallbacksAreCalledByWhatTheyAre) {
  Analysis a = sample::healthy(3);
  a.fallbacks = std::vector<Fallback>(2);
  a.fallbacks->at(1).layer = 1;
  const auto begins = [&a](const std::string& words) {
    return build_document(a, 10).screen->fallbacks.starts_with(words + " in FP32 or TF32, ");
  };
  a.verdicts.at(0).role = LayerRole::convolution;
  a.verdicts.at(1).role = LayerRole::gemm;
  EXPECT_TRUE(begins("2 convolutions and GEMMs")) << build_document(a, 10).screen->fallbacks;
  a.verdicts.at(1).role = LayerRole::attention;
  EXPECT_TRUE(begins("2 layers")) << build_document(a, 10).screen->fallbacks;
}

TEST(Headline, FallbacksAreNamedAndNoneIsSaidWithItsReason) {
  Analysis a = sample::healthy(3);
  const auto line = [&a] { return build_document(a, 10).screen->fallbacks; };
  a.fallbacks = std::vector<Fallback>{};
  a.by_precision = {{"INT8", 3, 0.1, 1, 3}};
  EXPECT_EQ(line(), "none");
  a.by_precision = {{"FP32", 2, 0.0119, 0.023, 2}, {"TF32", 1, 0, 0, 0}};
  EXPECT_EQ(line(),
            "no convolution or GEMM; 2 other layers run in FP32, 0.0119 ms (12 %), 1 other "
            "layer runs in TF32");
  a.build.allowed.labels = {"FP32", "TF32"};
  EXPECT_EQ(line(), "none: the build allowed FP32 only");
  a.build.allowed.labels.clear();  // without a log
  a.by_precision = {{"INT8", 3, 0.1, 1, 3}};
  EXPECT_EQ(line(), "none");
  a.build.allowed.strongly_typed = true;
  EXPECT_EQ(line(), "none: the network is strongly typed");
  a.build.allowed.strongly_typed = false;
  a.fallbacks.reset();
  EXPECT_EQ(line(), "cannot be told: what the build allowed is not known");
  a.build.layers.clear();
  a.verdicts.clear();
  EXPECT_EQ(line(), "unknown: no layers in these inputs");
  a.build.outcome = Outcome::unknown;
  EXPECT_EQ(line(), "");
}

// Of a few lines the reader asks what they mean; of a whole log a note is no problem.
TEST(Headline, ANoteIsTheAnswerToAnExcerptOnly) {
  Analysis a = sample::names_only();
  a.build.layers.clear();
  a.verdicts.clear();
  a.findings = {sample::scale_finding()};
  a.findings[0].severity = Severity::info;
  a.findings[0].title = "Only a note";
  a.build.has_log = true;
  a.build.command = "";
  a.build.banner.clear();
  a.build.closing_line = false;
  EXPECT_EQ(nothing_found(build_document(a, 10)).at(0).text, "Only a note: 0.235 ms at stake");
  const Document pasted = build_document(a, 10);
  ASSERT_EQ(cards_of(pasted).size(), 1U);
  EXPECT_EQ(cards_of(pasted)[0]->title, "Only a note");
  EXPECT_TRUE(pasted.screen->cause_first && pasted.screen->is_pasted);
  EXPECT_THAT(pasted.screen->notes, IsEmpty());
  a.build.command = "trtexec --onnx=m.onnx";
  a.build.command_is_typed = true;
  EXPECT_EQ(nothing_found(build_document(a, 10)).at(0).text, "Only a note: 0.235 ms at stake");
  a.build.command_is_typed = false;
  EXPECT_EQ(nothing_found(build_document(a, 10)).at(0).text,
            "No performance problem found, but there is no layer profile to judge by");
  const Document whole = build_document(a, 10);
  EXPECT_EQ(cards_of(whole).size(), 0U);
  EXPECT_FALSE(whole.screen->cause_first || whole.screen->is_pasted);
  EXPECT_THAT(whole.screen->notes, ElementsAre("Only a note"));
}

// Beside a finding a note stays a note.
TEST(Headline, ANoteBesideAFindingIsNotExplained) {
  Analysis a = sample::names_only();
  a.build.layers.clear();
  a.verdicts.clear();
  a.findings = {sample::scale_finding(), sample::scale_finding()};
  a.findings[0].severity = Severity::minor;
  a.findings[1].severity = Severity::info;
  a.build.command = "";
  a.build.banner.clear();
  a.build.closing_line = false;
  a.build.has_log = true;
  const Document pasted = build_document(a, 10);
  EXPECT_EQ(cards_of(pasted).size(), 1U);
  EXPECT_TRUE(pasted.screen->cause_first);
  EXPECT_EQ(pasted.screen->notes.size(), 1U);
}

TEST(Headline, AnswersTheFourQuestions) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  EXPECT_EQ(d.title, "p_r18");
  EXPECT_EQ(d.verdict, "Passed");
  EXPECT_THAT(d.identity,
              ElementsAre("TensorRT 8.5.1", "NVIDIA H200 (SM 9.0)",
                          "trtexec --onnx=models/resnet18_b32.onnx --int8 --calib=r18.cache "
                          "--verbose"));
  ASSERT_EQ(d.tiles.size(), 4U);
  EXPECT_EQ(d.tiles[0].value, "0.527 ms");
  EXPECT_EQ(d.tiles[0].unit, "per query (GPU compute, median of 3000, p99 0.538 ms)");
  EXPECT_THAT(d.tiles[0].lines, ElementsAre("1880 queries/s × batch 32 = 60155 samples/s",
                                            "Latency median 0.893 ms, p99 0.911 ms",
                                            "Profile sum 0.705 ms, 1.34 × GPU compute"));
  EXPECT_EQ(d.tiles[1].value, "TF32 52 %, INT8 26 %");
  EXPECT_EQ(d.tiles[1].parts.size(), 4U);
  EXPECT_THAT(
      d.tiles[1].lines,
      ElementsAre("Allowed: FP32, INT8",
                  "7 layers in FP32 or TF32 although lower precision was allowed: 0.369 ms"));
  EXPECT_THAT(d.tiles[2].value, HasSubstr("Three convolutions run in TF32"));
  EXPECT_EQ(d.tiles[2].unit, "Major, 0.235 ms at stake (33 % of profile time)");
  EXPECT_THAT(d.tiles[2].lines, ElementsAre("Findings: 1 major, 13 minor, 1 note"));
  EXPECT_EQ(d.tiles[3].value, "Recalibrate after deleting the stale cache r18.cache");
  EXPECT_EQ(d.tiles[3].unit, "Estimated gain: 0.176 to 0.186 ms of profile time");
}

TEST(Headline, WaitingForLaunchesComesBeforeWhatItHides) {
  Analysis analysis = sample::healthy(3);
  Finding reformat, launches;
  reformat.rule = "reformat-time-share";
  launches.rule = "enqueue-bound";
  reformat.severity = launches.severity = Severity::moderate;
  reformat.title = "Reformats";
  launches.title = "Launches";
  reformat.stake_ms = 0.01;
  analysis.findings = {reformat, launches};
  const auto wrong = [&] { return build_document(analysis, 3).tiles[2].value; };
  EXPECT_EQ(wrong(), "Launches");
  analysis.findings[0].severity = Severity::major;
  EXPECT_EQ(wrong(), "Reformats");
}

TEST(Headline, ErrorsOfABuildThatPassedAreOnTheFirstScreen) {
  Analysis analysis = sample::healthy(39);
  Message error;
  error.severity = LogSeverity::error;
  error.text = "Cuda Runtime (operation not supported)";
  error.count = 300;
  error.pos = {0, 77, 1};
  analysis.build.messages = {error};
  const auto lines = [&] { return build_document(analysis, 3).tiles[2].lines; };
  EXPECT_EQ(lines().front(),
            "It passed, but TensorRT logged 300 errors: first at p_r18/build.log:77");
  Finding pools;
  pools.severity = Severity::moderate;
  pools.evidence.resize(1);
  pools.evidence[0].file = "p_r18/build.log";
  pools.evidence[0].line = 77;
  analysis.findings.insert(analysis.findings.begin() + 1, pools);
  EXPECT_EQ(lines().front(), "It passed, but TensorRT logged 300 errors: Finding 2");
  std::swap(analysis.findings[0], analysis.findings[1]);
  analysis.findings[0].severity = Severity::major;
  EXPECT_THAT(lines(), Not(::testing::Contains(HasSubstr("It passed"))));
  analysis.build.messages[0].severity = LogSeverity::warning;
  std::swap(analysis.findings[0], analysis.findings[1]);
  EXPECT_THAT(lines(), Not(::testing::Contains(HasSubstr("It passed"))));
}

TEST(Headline, NamesTheRatioOfTheTwoClocks) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  ASSERT_EQ(d.headline.size(), 1U);
  const auto& text = std::get<Paragraph>(d.headline[0]).text;
  EXPECT_THAT(text,
              HasSubstr("add up to 0.705 ms, 1.34 × the GPU compute median of a query (0.527"));
  EXPECT_THAT(text, HasSubstr("divide by 1.34"));

  Analysis untimed = sample::healthy(6);
  untimed.build.performance = {};
  const Document u = build_document(untimed, 10);
  EXPECT_THAT(std::get<Paragraph>(u.headline[0]).text, HasSubstr("per query is not known"));
  EXPECT_EQ(u.tiles[0].unit, "sum of the layer profile; time per query unknown");
}

TEST(Headline, SaysWhatTheLayerTimesAreWorth) {
  Analysis untimed = sample::healthy(6);
  untimed.build.performance = {};
  untimed.reconciliation.emplace();
  untimed.reconciliation->reasons = {"two inferences shared the GPU", "captured"};
  const auto sentence = [](const Analysis& a) {
    return std::get<Paragraph>(build_document(a, 10).headline[0]).text;
  };
  EXPECT_THAT(sentence(untimed),
              HasSubstr("are of profile time. Two inferences shared the GPU; captured."));
  Analysis region = sample::healthy(39);
  EXPECT_THAT(sentence(region), HasSubstr("because the profiler inflates every launch a little"));
  region.reconciliation.emplace();
  region.reconciliation->launches = 1;
  EXPECT_THAT(sentence(region), HasSubstr("and the profile is one record"));
}

TEST(Headline, NamesTheCommandForThePrecisionThatIsUnknown) {
  const auto line = [](const Analysis& a) {
    std::string all;
    const Document d = build_document(a, 10);
    for (const std::string& text : d.tiles[1].lines) all += text + '\n';
    return all;
  };
  Analysis a = sample::healthy(6);
  EXPECT_THAT(line(a), Not(HasSubstr("To know it")));
  for (Layer& layer : a.build.layers) layer.inputs = layer.outputs = {};
  a.build.has_layer_info = false;
  EXPECT_THAT(line(a), HasSubstr("To know it, add to the trtexec command: "
                                 "--profilingVerbosity=detailed --dumpLayerInfo "
                                 "--exportLayerInfo=layers.json"));
  a.build.outcome = Outcome::failed;
  EXPECT_THAT(line(a), Not(HasSubstr("To know it")));
}

// An engine that is loaded was built elsewhere: no build failed.
TEST(Headline, NamesWhatFailed) {
  Analysis a;
  a.build.outcome = Outcome::failed;
  const auto verdict = [&](FailedPhase phase) {
    a.failed_phase = phase;
    return build_document(a, 10).verdict;
  };
  EXPECT_EQ(verdict(FailedPhase::unknown), "Failed");
  EXPECT_EQ(verdict(FailedPhase::build), "Build failed");
  EXPECT_EQ(verdict(FailedPhase::after_build), "Failed after the build");
  EXPECT_EQ(verdict(FailedPhase::run), "Run failed");
  EXPECT_EQ(verdict(FailedPhase::load), "Engine not loaded");
  EXPECT_EQ(build_document(a, 10).tiles[1].unit, "no engine was loaded");
}

TEST(Headline, ClockFallsBackToSamplesThenToTheMean) {
  Analysis a = sample::healthy(6);
  a.build.performance.gpu_compute->median_ms.reset();
  SampleStats samples;
  samples.n = 10;
  samples.median_ms = 0.4;
  a.compute_samples = samples;
  EXPECT_EQ(build_document(a, 10).tiles[0].value, "0.400 ms");
  a.compute_samples.reset();
  const Document d = build_document(a, 10);
  EXPECT_EQ(d.tiles[0].value, "0.528 ms");
  EXPECT_EQ(d.tiles[0].unit, "per query (GPU compute, mean of 3000, p99 0.538 ms)");
}

TEST(Headline, FailedBuildShowsCauseAndRemedy) {
  const Analysis of_d = sample::failed();
  const Document d = build_document(of_d, 10);
  EXPECT_EQ(d.verdict, "Build failed");
  EXPECT_EQ(d.verdict_tone, Tone::fatal);
  EXPECT_EQ(d.tiles[0].value, "unknown");
  EXPECT_EQ(d.tiles[1].unit, "no engine was built");
  EXPECT_EQ(d.tiles[3].value, "Pad to 8 channels per group");
  ASSERT_FALSE(d.headline.empty());
  const auto& quote = std::get<Quote>(d.headline[0]);
  EXPECT_EQ(quote.place, "p_r18/build.log:1420");
  EXPECT_THAT(quote.lines, ElementsAre(HasSubstr("Could not find any implementation")));
  EXPECT_EQ(section_of(d, "time"), nullptr);
  EXPECT_EQ(section_of(d, "reformats"), nullptr);
}

TEST(Headline, FailureWithoutARuleQuotesTheFirstError) {
  Analysis a = sample::failed();
  a.findings.clear();
  Message warning;
  warning.severity = LogSeverity::warning;
  warning.text = "not this";
  Message error;
  error.severity = LogSeverity::error;
  error.text = "line one\nline two";
  error.pos = {0, 77, 1};
  a.build.messages = {warning, error};
  const Document d = build_document(a, 10);
  EXPECT_EQ(d.tiles[2].value, "The run failed and no rule explains it");
  const auto& quote = std::get<Quote>(d.headline.at(1));
  EXPECT_EQ(quote.place, "p_r18/build.log:77");
  EXPECT_THAT(quote.lines, ElementsAre("line one", "line two"));
}

TEST(Headline, WithoutTimesCountsLayers) {
  Analysis a = sample::healthy(12);
  for (Layer& layer : a.build.layers) layer.time.reset();
  for (ShareRow& row : a.by_precision) row.time_ms = row.share = 0;
  a.build.profile_sum_ms = 0;
  a.build.has_profile = false;
  const Document d = build_document(a, 10);
  EXPECT_EQ(d.tiles[1].value, "INT8 50 %, TF32 17 %");
  EXPECT_EQ(d.tiles[1].unit, "of the layers");
  const Table* layers = table_of(d, "layers", "Layers");
  ASSERT_NE(layers, nullptr);
  for (const Column& column : layers->columns) EXPECT_NE(column.title, "Time (ms)");
}

}  // namespace
}  // namespace trtlens::report_headline_test
