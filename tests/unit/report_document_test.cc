// Sections and blocks of the Document.
#include "report/document/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzers/gate/gate.h"
#include "report/document/parts.h"
#include "tests/unit/document_parts_of.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_document_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Numbers, AreFormattedOnce) {
  EXPECT_EQ(ms_text(0.52712), "0.527 ms");
  EXPECT_EQ(ms_text(0.0321816), "0.0322 ms");
  EXPECT_EQ(ms_text(0.1), "0.100 ms");
  EXPECT_EQ(ms_text(12345.6789), "12345.679 ms");
  EXPECT_EQ(ms_text(0.00001), "<0.0001 ms");
  EXPECT_EQ(ms_text(0.0), "0.0000 ms");
  EXPECT_EQ(ms_text(std::nullopt), "unknown");
  EXPECT_EQ(ms_text(std::nan("")), "unknown");
  EXPECT_EQ(share_text(0.33), "33 %");
  EXPECT_EQ(share_text(0.034), "3.4 %");
  EXPECT_EQ(share_text(0.0996), "10 %");
  EXPECT_EQ(share_text(0.0001), "<0.1 %");
  EXPECT_EQ(share_text(1), "100 %");
  EXPECT_EQ(bytes_text(std::int64_t{12582912}), "12.0 MiB");
  EXPECT_EQ(bytes_text(std::int64_t{2048}), "2.0 KiB");
  EXPECT_EQ(bytes_text(std::optional<std::int64_t>()), "unknown");
  EXPECT_EQ(seconds_text(42.512), "42.5 s");
}

TEST(Findings, CardsForTheFirstOneLineForTheRest) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  EXPECT_EQ(blocks_of<FindingCard>(d, "findings").size(), 10U);
  const Table* rest = table_of(d, "findings", "Further findings");
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->rows.size(), 4U);
  EXPECT_THAT(texts(rest->rows[0]),
              ElementsAre("11", "minor", "Finding number 10", "0.0009 ms (0.1 %)", "rule-10"));
  EXPECT_EQ(rest->rows[1][3].text, "unknown");
  ASSERT_EQ(blocks_of<List>(d, "findings").size(), 1U);
  EXPECT_THAT(blocks_of<List>(d, "findings")[0]->items,
              ElementsAre("Finding number 14 — 0.0007 ms (0.1 %) [rule-14]"));

  const Analysis of_all = sample::healthy(39);
  const Document all = build_document(of_all, 0);
  EXPECT_EQ(blocks_of<FindingCard>(all, "findings").size(), 14U);
  EXPECT_EQ(table_of(all, "findings", "Further findings"), nullptr);
}

TEST(Findings, CardIsComplete) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  const FindingCard& card = *blocks_of<FindingCard>(d, "findings")[0];
  EXPECT_EQ(card.number, 1U);
  EXPECT_EQ(card.severity, Tone::major);
  EXPECT_EQ(card.stake, "0.235 ms of profile time (33 %)");
  EXPECT_EQ(card.gain,
            "0.176 to 0.186 ms of profile time, estimated: convolutions of the same shape that "
            "stayed INT8");
  ASSERT_EQ(card.evidence.size(), 2U);
  EXPECT_EQ(card.evidence[0].place, "p_r18/build.log:725");
  EXPECT_TRUE(card.evidence[0].quoted);
  EXPECT_EQ(card.evidence[1].place, "layer2.1.conv2 + Add");
  EXPECT_EQ(card.evidence[1].name, "/layer2/layer2.1/conv2/Conv + /layer2/layer2.1/Add");
  EXPECT_EQ(card.evidence[1].text, "time 0.0706 ms");
  EXPECT_EQ(card.steps.size(), 3U);
  EXPECT_EQ(card.confidence, "measured");
}

// Two causes fit what was seen: what tells them apart comes before what mends one of them.
TEST(Findings, OfAGuessTheCheckIsTheFirstStep) {
  Analysis a = sample::healthy(6);
  a.findings.resize(1);
  Finding& finding = a.findings[0];
  finding.remedies = {"Do this.", "Or that."};
  finding.next_check = "Look.";
  const auto card = [&] { return *blocks_of<FindingCard>(build_document(a, 10), "findings")[0]; };
  finding.confidence = Confidence::inferred;
  EXPECT_THAT(card().steps, ElementsAre("Do this.", "Or that."));
  EXPECT_EQ(card().next_check, "Look.");
  finding.confidence = Confidence::guessed;
  EXPECT_THAT(card().steps, ElementsAre("Check first: Look.", "Do this.", "Or that."));
  EXPECT_EQ(card().next_check, "");
  finding.next_check.clear();
  EXPECT_THAT(card().steps, ElementsAre("Do this.", "Or that."));
}

TEST(Findings, LongEvidenceIsCutAndCounted) {
  Analysis a = sample::healthy(6);
  a.findings.resize(1);
  a.findings[0].evidence.assign(50, a.findings[0].evidence[1]);
  a.findings[0].evidence[0].metric = "weights_bytes";
  a.findings[0].evidence[0].value = 1048576;
  a.findings[0].evidence[1].metric = "share";
  a.findings[0].evidence[1].value = 0.25;
  a.findings[0].evidence[2].value.reset();
  const Document d = build_document(a, 10);
  const FindingCard& card = *blocks_of<FindingCard>(d, "findings")[0];
  EXPECT_EQ(card.evidence.size(), 8U);
  EXPECT_EQ(card.evidence_left_out, 42U);
  EXPECT_EQ(card.evidence[0].text, "weights 1.0 MiB");
  EXPECT_EQ(card.evidence[1].text, "share 25 %");
  EXPECT_EQ(card.evidence[2].text, "time_ms unknown");
  EXPECT_EQ(blocks_of<FindingCard>(build_document(a, 0), "findings")[0]->evidence.size(), 50U);
}

// The badge is as bad as the worst finding from moderate on.
TEST(Screen, TheVerdictCountsFindingsAndHasTheToneOfTheWorst) {
  Analysis a = sample::healthy(4);
  a.findings.resize(3);
  const auto verdict_of = [&](std::vector<Severity> severities) {
    for (std::size_t i = 0; i < severities.size(); ++i) a.findings[i].severity = severities[i];
    const Screen screen = *build_document(a, 10).screen;
    return screen.verdict + " | " + to_string(screen.verdict_tone);
  };
  EXPECT_EQ(verdict_of({Severity::major, Severity::minor, Severity::minor}),
            "Passed, 1 major, 2 minor | major");
  EXPECT_EQ(verdict_of({Severity::moderate, Severity::minor, Severity::info}),
            "Passed, 1 moderate, 1 minor | moderate");
  EXPECT_EQ(verdict_of({Severity::minor, Severity::info, Severity::info}),
            "Passed, 1 minor | good");
  EXPECT_EQ(verdict_of({Severity::info, Severity::info, Severity::info}), "Passed | good");
  const Analysis failed = sample::failed();
  EXPECT_EQ(build_document(failed, 10).screen->verdict, "Build failed");
}

// What a baseline accepts is there all the same.
TEST(Headline, SaysWhatABaselineAcceptsWhereNothingElseIsFound) {
  const Analysis a = sample::healthy(4);
  GateResult gate;
  for (const Finding& finding : a.findings) gate.accepted.push_back({&finding, "x", false});
  const Document d = build_document(a, 10, &gate);
  EXPECT_EQ(d.tiles[2].value, "Nothing new; accepted by the baseline: 15 findings");
}

// Where the profile is longer than a query, gains shrink with it; where it is shorter they stay.
TEST(Screen, TheLadderIsOfAQueryWhereItsTimeIsKnown) {
  Analysis a = sample::healthy(4);
  a.ladder = Ladder{8, {{0, 1, 3, {3, 6}}}, 1.5, Precision::int8};
  const auto text_of = [&](double query_ms) {
    a.build.performance.gpu_compute->median_ms = query_ms;
    const Document d = build_document(a, 10);
    EXPECT_TRUE(d.screen->ladder_is_query);
    std::string text;
    for (const LadderBar& bar : d.screen->ladder) text += bar.label + " " + bar.text + "\n";
    return text;
  };
  const std::string title = a.findings[0].title;
  EXPECT_EQ(text_of(4), "now 4.000 ms\n" + title + " 1.500 to 3.000 ms\nroof 0.750 ms\n");
  a.findings[0].confidence = Confidence::inferred;
  EXPECT_EQ(text_of(10),
            "now 10.000 ms\n" + title + " 5.000 to 8.000 ms (inferred)\nroof 3.500 ms\n");
}

// Up to four steps, each with the finding that it is of, then where all end, and the roof.
TEST(Screen, TheLadderShowsEachStepAndTheRoof) {
  Analysis a = sample::healthy(4);
  a.build.performance.gpu_compute.reset();
  a.compute_samples.reset();
  ASSERT_GE(a.findings.size(), 2U);
  a.findings[0].severity = a.findings[1].severity = Severity::minor;
  a.findings[0].confidence = Confidence::inferred;
  a.findings[1].confidence = Confidence::measured;
  a.ladder = Ladder{8, {{0, 1, 2, {6, 7}}, {1, 1, 3, {3, 6}}}, 1.5, Precision::int8};
  std::vector<LadderBar> bars = build_document(a, 10).screen->ladder;
  ASSERT_EQ(bars.size(), 4U);
  EXPECT_EQ(bars[0].label + " " + bars[0].text, "now 8.000 ms");
  EXPECT_EQ(bars[1].text, "6.000 to 7.000 ms (inferred)");
  EXPECT_EQ(bars[2].label, a.findings[1].title);
  EXPECT_EQ(bars[2].text, "3.000 to 6.000 ms (inferred)");  // no surer than the step before it
  EXPECT_EQ(bars[1].finding, 1U);
  EXPECT_EQ(bars[2].finding, 2U);
  EXPECT_EQ(std::pair(bars[2].low_ms, bars[2].high_ms), std::pair(3.0, 6.0));
  EXPECT_EQ(bars[3].label + " " + bars[3].text, "roof 1.500 ms");
  EXPECT_FALSE(build_document(a, 10).screen->ladder_is_query);
  for (int more = 0; more < 3; ++more) a.ladder->steps.push_back({0, 0, 0, {2, 3}});
  bars = build_document(a, 10).screen->ladder;
  ASSERT_EQ(bars.size(), 7U);
  EXPECT_EQ(bars[5].label + " " + bars[5].text, "after all 5 2.000 to 3.000 ms");
  a.ladder->steps.clear();
  EXPECT_TRUE(build_document(a, 10).screen->ladder.empty());
}

TEST(Layers, AreSortedByTime) {
  Analysis a = sample::healthy(39);
  a.build.layers[5].time.reset();
  a.build.layers[6].time->mean_ms = std::nan("");
  const Document d = build_document(a, 10);
  const Table* layers = table_of(d, "layers", "slowest first");
  ASSERT_NE(layers, nullptr);
  EXPECT_EQ(layers->rows.size(), 39U);
  EXPECT_EQ(layers->shown, 10U);
  EXPECT_TRUE(layers->interactive);
  EXPECT_THAT(texts(layers->rows[0]),
              ElementsAre("2", "/layer1/conv2/Conv + Add + relu_1/Relu", "0.0706", "10 %", "TF32",
                          "CaskConvolution", "/layer1/conv2/Conv + Add + relu_1/Relu",
                          "tactic name (measured)",
                          "sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_tilesize256x"
                          "128",
                          "",
                          "in of /layer1/conv2/Conv + Add + relu_1/Relu: 32×64×56×56 INT8 "
                          "(Thirty-two wide channel vectorized row major Int8 format)",
                          "out of /layer1/conv2/Conv + Add + relu_1/Relu: 32×64×56×56 FP32 "
                          "(Row major linear FP32)"));
  for (const std::size_t last : {37U, 38U}) {
    EXPECT_EQ(layers->rows[last][2].text, "unknown");
    EXPECT_FALSE(layers->rows[last][2].value.has_value());
  }
}

TEST(Precision, ScalesThatMatterComeFirstAndUnknownIsNotZero) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  const Table* scales = table_of(d, "precision", "without scale");
  ASSERT_NE(scales, nullptr);
  ASSERT_EQ(scales->rows.size(), 2U);
  EXPECT_THAT(
      texts(scales->rows[0]),
      ElementsAre("/layer2/layer2.1/relu/Relu_output_0", "yes", "0.137", "p_r18/build.log:725",
                  "/layer1/conv1/Conv + relu/Relu, /layer1/conv2/Conv + Add + relu_1/Relu",
                  HasSubstr("Reformatting CopyNode")));
  EXPECT_EQ(scales->rows[1][2].text, "unknown");
  EXPECT_EQ(scales->rows[1][1].text, "no");
}

TEST(Precision, SentenceSaysWhyThereIsNoFallback) {
  const auto sentence = [](const Analysis& a) {
    return blocks_of<Paragraph>(build_document(a, 10), "precision").at(0)->text;
  };
  Analysis a = sample::healthy(6);
  EXPECT_THAT(sentence(a),
              HasSubstr("1 layer computes in FP32 or TF32 although the build allowed"));
  a.fallbacks->clear();
  EXPECT_THAT(sentence(a), HasSubstr("falls back to FP32 or TF32"));
  a.build.allowed.labels = {"FP32"};
  EXPECT_THAT(sentence(a), HasSubstr("nothing narrower"));
  a.build.allowed.strongly_typed = true;
  EXPECT_THAT(sentence(a), HasSubstr("strongly typed"));
  a.fallbacks.reset();
  EXPECT_THAT(sentence(a), HasSubstr("cannot be told"));
}

TEST(Reformats, LedgerAddsUp) {
  Analysis a = sample::healthy(39);
  a.reformats[1].removable.reset();
  a.reformats[1].bytes.reset();
  a.reformats.push_back({9999, {}, "no such layer", {}, {}});
  const Document d = build_document(a, 10);
  const Table* ledger = table_of(d, "reformats", "ledger");
  ASSERT_NE(ledger, nullptr);
  EXPECT_EQ(ledger->rows.size(), 6U);
  EXPECT_EQ(ledger->rows[0][3].text, "INT8 → FP32");
  EXPECT_EQ(ledger->rows[0][4].text, "24.5 MiB");
  EXPECT_EQ(ledger->rows[1][4].text, "unknown");
  EXPECT_EQ(ledger->rows[1][5].text, "unknown");
  EXPECT_THAT(blocks_of<Paragraph>(d, "reformats")[0]->text,
              HasSubstr("take 0.0897 ms (13 % of profile time); 3 of them, 0.0472 ms, look"));
}

TEST(Tactics, OnlyCloseRacesAreListed) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  const Table* races = table_of(d, "tactics", "Close races");
  ASSERT_NE(races, nullptr);
  ASSERT_EQ(races->rows.size(), 1U);
  EXPECT_EQ(races->rows[0][3].text, "0.5 %");
}

TEST(Build, OptionsAreShownWhenNoCommandWasRecorded) {
  Analysis a = sample::healthy(6);
  const auto labels = [](const Analysis& of) {
    std::string out;
    const Document d = build_document(of, 10);
    for (const Facts* facts : blocks_of<Facts>(d, "build")) {
      for (const Fact& fact : facts->facts) out += fact.label + "=" + fact.value + ";";
    }
    return out;
  };
  EXPECT_THAT(labels(a), Not(HasSubstr("Options=")));
  a.build.command.clear();
  a.build.commands.clear();
  EXPECT_THAT(labels(a), HasSubstr("Options=--onnx=models/resnet18_b32.onnx --int8 --calib="));
}

TEST(Input, CompleteEvidenceNeedsNoCommand) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  EXPECT_TRUE(blocks_of<Quote>(d, "input").empty());
}

TEST(Input, ClassesAddUpAndDiagnosticsAreCapped) {
  Analysis a = sample::healthy(6);
  sample::change_reading(a, [](Reading& reading) {
    reading.diagnostics.assign(12, Diagnostic(reading.diagnostics.at(0)));
  });
  const Document d = build_document(a, 10);
  const Table* classes = table_of(d, "input", "by class");
  ASSERT_NE(classes, nullptr);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < classes->rows.size(); ++i) sum += *classes->rows[i][1].value;
  EXPECT_EQ(sum, *classes->rows.cell(classes->rows.size() - 1, 1).value);
  const List& list = *blocks_of<List>(d, "input").at(0);
  EXPECT_EQ(list.items.size(), 6U);
  EXPECT_EQ(list.items[0],
            "p_r18/profile.json:3:9: warning: expected a number, found nan [json-nan]");
  EXPECT_EQ(list.items[5], "and 7 more [json-nan]");
}

TEST(Document, NothingKnownIsNeverZero) {
  for (const Analysis& a : {sample::names_only(), Analysis{}}) {
    const Document d = build_document(a, 10);
    EXPECT_EQ(d.tiles[0].value, "unknown");
    EXPECT_EQ(d.tiles[1].value, "unknown");
    EXPECT_EQ(d.tiles[3].value, "Record what is missing");
    EXPECT_THAT(d.tiles[3].unit, HasSubstr("--exportProfile=profile.json"));
  }
}

TEST(Charts, HistogramCountsEveryQueryUpTo99Percent) {
  const Analysis a = sample::healthy(39);
  const Document d = build_document(a, 10);
  const Chart* histogram = nullptr;
  const Chart* trace = nullptr;
  for (const Chart* chart : blocks_of<Chart>(d, "time")) {
    if (chart->kind == ChartKind::histogram) histogram = chart;
    if (chart->kind == ChartKind::trace) trace = chart;
  }
  ASSERT_NE(histogram, nullptr);
  double counted = 0;
  for (const Bar& bar : histogram->bars) counted += bar.value;
  EXPECT_EQ(counted, 2970);
  EXPECT_THAT(histogram->alt, HasSubstr("30 beyond the 99th percentile"));
  ASSERT_NE(trace, nullptr);
  EXPECT_LE(trace->points.size(), 2000U);
  double most = 0;
  for (const Point& point : trace->points) most = std::max(most, point.y);
  EXPECT_GT(most, 0.72);  // the spikes survive
}

// 18 queries of 1 to 3 ms and two far behind them: the axis ends at the 99th percentile.
TEST(Charts, HistogramFromTwentyQueriesOn) {
  Analysis a = sample::healthy(6);
  a.build.queries.assign(20, {});
  for (std::size_t i = 0; i < 20; ++i) {
    a.build.queries[i].compute_ms = i < 9 ? 1.0F : i < 18 ? 3.0F : i < 19 ? 9.0F : 50.0F;
  }
  const Document d = build_document(a, 10);
  const Chart* chart = nullptr;
  for (const Chart* one : blocks_of<Chart>(d, "time")) {
    if (one->kind == ChartKind::histogram) chart = one;
  }
  ASSERT_NE(chart, nullptr);
  EXPECT_EQ(chart->title, "GPU compute time per query");
  EXPECT_EQ(chart->x_label, "GPU compute, ms");
  EXPECT_EQ(chart->y_label, "queries");
  EXPECT_EQ(chart->alt,
            "20 queries: median 3.000 ms, 99 % at most 9.000 ms, slowest 50.000 ms. 1 beyond the "
            "99th percentile not drawn.");
  ASSERT_EQ(chart->bars.size(), 8U);
  EXPECT_EQ(chart->bars[0].label, "1.500");
  EXPECT_EQ(chart->bars[0].text, "9");
  EXPECT_EQ(chart->bars[2].text, "9");
  EXPECT_EQ(chart->bars[7].text, "1");
  ASSERT_EQ(chart->points.size(), 8U);
  EXPECT_EQ(chart->points[7].x, 8.5);
  EXPECT_EQ(chart->points[7].y, 1);
  a.build.queries.pop_back();
  const Document fewer = build_document(a, 10);
  for (const Chart* one : blocks_of<Chart>(fewer, "time")) {
    EXPECT_NE(one->kind, ChartKind::histogram);
  }
}

TEST(Charts, TraceHasTheLowestAndTheHighestOfEachSlice) {
  Analysis a = sample::healthy(6);
  a.build.queries.assign(4000, {});
  for (std::size_t i = 0; i < 4000; ++i) {
    a.build.queries[i].start_ms = static_cast<float>(i);
    a.build.queries[i].compute_ms = i % 4 == 1 ? 5.0F : i % 4 == 2 ? 1.0F : 3.0F;
  }
  const Document d = build_document(a, 10);
  const Chart* chart = blocks_of<Chart>(d, "time").back();
  EXPECT_EQ(chart->title, "GPU compute time over the run");
  EXPECT_EQ(chart->x_label, "seconds since the run began");
  EXPECT_EQ(chart->y_label, "ms per query");
  EXPECT_EQ(chart->alt, "4000 points from 1.000 ms to 5.000 ms.");
  ASSERT_EQ(chart->points.size(), 2000U);
  for (std::size_t i = 0; i < 2000; i += 2) {
    ASSERT_EQ(chart->points[i].y, 5) << i;  // in the order of time
    ASSERT_EQ(chart->points[i + 1].y, 1) << i;
  }
  EXPECT_FLOAT_EQ(static_cast<float>(chart->points[3].x), 0.006F);
}

TEST(Charts, TraceComesFromTheLogWithoutQueries) {
  Analysis a = sample::healthy(6);
  a.build.queries.clear();
  a.build.trace = {{0.5F, {}}, {0.7F, {}}};
  const Document d = build_document(a, 10);
  const Chart* chart = blocks_of<Chart>(d, "time").back();
  EXPECT_EQ(chart->kind, ChartKind::trace);
  ASSERT_EQ(chart->points.size(), 2U);
  EXPECT_EQ(chart->points[1].x, 2);
  EXPECT_EQ(chart->title, "GPU compute time over the run (trtexec's averages)");
  EXPECT_EQ(chart->x_label, "window of the trace");
  EXPECT_EQ(chart->y_label, "ms per query, averaged");
}

}  // namespace
}  // namespace trtlens::report_document_test
