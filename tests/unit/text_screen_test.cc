// The first screen on a terminal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/document/screen.h"
#include "report/formats/escape.h"
#include "tests/rendered.h"
#include "tests/unit/build_maker.h"
#include "tests/unit/report_sample.h"

namespace trtlens::text_screen_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string screen_of(const Analysis& analysis, int width = 100, bool full = false,
                      std::vector<std::string> sections = {}) {
  WriterOptions options;
  options.width = width;
  options.full = full;
  options.sections = std::move(sections);
  return render(writer_text, build_document(analysis, 10), options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Layer timed(const char* name, double ms) {
  Layer layer;
  layer.name = std::string(name);
  layer.onnx_nodes = {SharedText(std::string(name))};
  layer.time = LayerTime{};
  layer.time->mean_ms = ms;
  return layer;
}

TEST(TextScreen, FitsIntoFortyLinesOfItsWidth) {
  const Analysis a = sample::healthy(39);
  for (const int width : {60, 80, 100, 200}) {
    const std::vector<std::string> lines = lines_of(screen_of(a, width));
    if (width >= 100) {
      EXPECT_LE(lines.size(), 40U) << width;
    }
    for (const std::string& line : lines) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

// Whole places, as many as fit; of the last one the middle goes.
TEST(TextScreen, NamesAsManyPlacesAsALineHolds) {
  Analysis a = sample::healthy(4);
  a.findings.clear();
  Finding finding;
  finding.rule = "reformat-time-share";
  finding.severity = Severity::major;
  finding.title = "A title";
  finding.where = {"backbone.layer1", "backbone.layer2", "head.classifier"};
  finding.where_left_out = 2;
  a.findings.push_back(finding);
  const auto where = [&](int width) {
    for (const std::string& line : lines_of(screen_of(a, width))) {
      if (line.starts_with("    where ")) return line;
    }
    return std::string();
  };
  EXPECT_EQ(where(70), "    where backbone.layer1, backbone.layer2, head.classifier and 2 more");
  EXPECT_EQ(where(69), "    where backbone.layer1, backbone.layer2 and 3 more");
  EXPECT_EQ(where(53), "    where backbone.layer1, backbone.layer2 and 3 more");
  EXPECT_EQ(where(52), "    where backbone.layer1 and 4 more");
  a.findings[0].where = {"backbone.layer1.0.conv1.with.a.name.that.is.longer.than.its.line"};
  EXPECT_EQ(display_width(where(40)), 40U);
}

// The titles; two lines of them end behind a whole one.
TEST(TextScreen, ShowsAsManyNotesAsTwoLinesHold) {
  Analysis a = sample::healthy(4);
  a.findings.clear();
  for (const char* const title : {"The first note", "A second note: 2 sets", "A third note"}) {
    Finding note;
    note.rule = std::string("rule of ") + title;
    note.title = title;
    note.severity = Severity::info;
    a.findings.push_back(note);
  }
  a.findings.push_back(a.findings.front());  // the same rule at another place
  a.build.performance.h2d.reset();           // which would stand above them
  EXPECT_THAT(screen_of(a, 100),
              HasSubstr("\nNotes      3: The first note; A second note: 2 sets; A third note\n"));
  EXPECT_THAT(screen_of(a, 42), HasSubstr("\nNotes      3: The first note; A second\n"
                                          "           note: 2 sets; A third note\n"));
  a.findings[2].title += " that does not fit";
  EXPECT_THAT(screen_of(a, 42), HasSubstr("\nNotes      3: The first note; A second\n"
                                          "           note: 2 sets; …\n"));
  // One line, where two would be too many for the screen.
  EXPECT_THAT(screen_of(a, 40), HasSubstr("\nNotes      3: The first note; …\n"));
  a.findings[0].title = std::string(70, 'x');
  EXPECT_THAT(screen_of(a, 40), HasSubstr("\nNotes      3: " + std::string(24, 'x') + " …\n"));
}

TEST(TextScreen, IsAsciiWhereTheTerminalIsNot) {
  const Analysis a = sample::healthy(39);
  WriterOptions options;
  options.ascii = true;
  options.full = true;
  const std::string text = render(writer_text, build_document(a, 10), options);
  EXPECT_TRUE(
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  EXPECT_THAT(text, HasSubstr("1880 queries/s x batch 32"));
  EXPECT_EQ(as_ascii("0.5 → 0.6, a→b"), "0.5 ->0.6, a>b");
  EXPECT_EQ(as_ascii("a·b – c — −1 ×2 5 µs … → █▁ é"), "a-b - c - -1 x2 5 us ~ ->## ?");
}

// Ten cells for each ms; a layer of less than half a cell is not seen.
TEST(TextScreen, StripHasALetterForEachPartOfTheTime) {
  Analysis a = sample::healthy(3);
  a.findings.clear();
  a.build.layers = {timed("/stem/conv1/Conv", 3), timed("/layer1/conv1/Conv", 2),
                    timed("/layer1/conv2/Conv", 4.96), timed("/head/fc/Gemm", 0.04)};
  a.build.profile_sum_ms = 10;
  a.verdicts.assign(4, LayerVerdict{});
  a.verdicts[0].compute = Precision::int8;
  a.verdicts[1].role = LayerRole::reformat;
  a.verdicts[1].compute = Precision::none;
  a.verdicts[2].compute = Precision::fp16;
  a.verdicts[3].compute = Precision::fp32;
  const std::string text = screen_of(a, 102);
  EXPECT_THAT(text, HasSubstr("\n  " + std::string(30, '8') + std::string(20, 'r') +
                              std::string(50, 'h') + "\n"));
  EXPECT_THAT(text, HasSubstr("\n  stem" + std::string(26, ' ') + "layer1\n"));
  EXPECT_THAT(text, HasSubstr("one cell = 1.0 %: F FP32, h FP16, 8 INT8, r reformat\n"));
}

// Of many layers a cell each kind has as many letters as it has time; of few, the one with most.
TEST(TextScreen, StripOfManyLayersKeepsTheSharesOfTheKinds) {
  const auto strip_of = [](std::size_t layers_a_cell) {
    Analysis a = sample::healthy(3);
    a.findings.clear();
    a.build.layers.clear();
    const std::size_t layers = 100 * layers_a_cell;
    a.verdicts.assign(layers, LayerVerdict{});
    for (std::size_t i = 0; i < layers; ++i) {
      a.build.layers.push_back(
          timed(("/l" + std::to_string(i) + "/Conv").c_str(), i % 2 == 0 ? 6 : 4));
      a.verdicts[i].compute = i % 2 == 0 ? Precision::int8 : Precision::fp16;
    }
    a.build.profile_sum_ms = 5 * double(layers);
    return screen_of(a, 102);
  };
  const std::string text = strip_of(4);
  EXPECT_THAT(text,
              HasSubstr("one cell = 1.0 % (about 4 layers, mixed by time): h FP16, 8 INT8\n"));
  EXPECT_THAT(text, HasSubstr("\n  8h8h88h8h88h8h88h8h8"));
  EXPECT_THAT(strip_of(2),
              HasSubstr("one cell = 1.0 %: h FP16, 8 INT8\n  " + std::string(100, '8')));
}

// Three of five layers in one module are most of them, two of four are not.
TEST(TextScreen, ModulesBelowTheStripAreThePartsOfTheOneThatHoldsMost) {
  Analysis a = sample::healthy(3);
  a.findings.clear();
  a.build.layers = {timed("/net/stem/Conv", 1), timed("/net/block/Conv", 1),
                    timed("/net/block/Add", 1), timed("/head/fc/Gemm", 1),
                    timed("/tail/fc/Gemm", 1)};
  a.build.profile_sum_ms = 5;
  a.verdicts.assign(5, LayerVerdict{});
  EXPECT_THAT(screen_of(a, 102), HasSubstr("\n  net.stem" + std::string(12, ' ') + "net.block" +
                                           std::string(31, ' ') + "head.fc"));
  a.build.layers.erase(a.build.layers.begin() + 1);
  EXPECT_THAT(screen_of(a, 102), HasSubstr("\n  net" + std::string(47, ' ') + "head"));
}

// Of eight modules the costliest six are named; what stands in none says what it does, one kind
// just below and one just above a hundredth of the profile.
TEST(TextScreen, TheLineOfModulesSaysWhatStandsOutsideThem) {
  Analysis a = sample::healthy(3);
  a.findings.clear();
  a.build.layers.clear();
  for (int i = 1; i <= 8; ++i) {
    a.build.layers.push_back(timed(("/m" + std::to_string(i) + "/Conv").c_str(), i < 3 ? 5 : 10));
  }
  for (const double ms : {28.1, 1.0, 0.9}) a.build.layers.push_back(timed("Transpose_5", ms));
  a.build.profile_sum_ms = 100;
  a.verdicts.assign(11, LayerVerdict{});
  a.verdicts[8].compute = Precision::int8;
  a.verdicts[9].compute = Precision::fp16;
  a.verdicts[10].compute = Precision::fp32;
  const std::string text = screen_of(a, 200);
  EXPECT_THAT(text,
              HasSubstr("Modules    m3 10 %, m4 10 %, m5 10 %, m6 10 %, m7 10 %, m8 10 %, other "
                        "modules 10 %, outside modules 30 % (INT8 28 %, FP16 1.0 %)\n"));
  a.build.layers.resize(8);
  a.verdicts.resize(8);
  a.build.profile_sum_ms = 70;
  EXPECT_THAT(screen_of(a, 200), Not(HasSubstr("outside")));
}

// From a fifth of the latency on.
TEST(TextScreen, CopiesStandThereWhereTheyAreMuchOfTheLatency) {
  Analysis a = sample::healthy(3);
  Performance& performance = a.build.performance;
  const auto stats = [](double ms) {
    LatencyStats median;
    median.median_ms = ms;
    return median;
  };
  performance.latency = stats(1);
  performance.h2d = stats(0.15);
  performance.d2h = stats(0.051);
  EXPECT_THAT(screen_of(a, 200), HasSubstr(", H2D and D2H 20 % of the latency\n"));
  performance.d2h = stats(0.049);
  EXPECT_THAT(screen_of(a, 200), Not(HasSubstr("of the latency")));
}

// 40 cells, each of 0.4 INT8 and of twice 0.3 FP16.
TEST(TextScreen, CellShowsTheKindWithMostOfItsTime) {
  Analysis a = sample::healthy(3);
  a.findings.clear();
  a.build.layers.clear();
  a.verdicts.assign(120, LayerVerdict{});
  for (std::size_t i = 0; i < 120; ++i) {
    a.build.layers.push_back(timed("/a/Conv", i % 3 == 0 ? 0.4 : 0.3));
    a.verdicts[i].compute = i % 3 == 0 ? Precision::int8 : Precision::fp16;
  }
  a.build.profile_sum_ms = 40;
  EXPECT_THAT(screen_of(a, 42), HasSubstr("\n  " + std::string(40, 'h') + "\n"));
}

TEST(TextScreen, TopLimitsItsLists) {
  const Analysis a = sample::healthy(39);
  const std::size_t all = cards_of(build_document(a, 0)).size();
  ASSERT_GT(all, 4U);
  const auto lists = [&](int top) {
    const Document document = build_document(a, top);
    const std::string text = render(writer_text, document, WriterOptions());
    EXPECT_EQ(cards_of(document).size(), top > 0 ? std::min<std::size_t>(top, all) : all);
    const std::size_t shown = std::min<std::size_t>(4, cards_of(document).size());
    const std::string more =
        shown == all ? "" : fmt::format("  and {} more: --section findings\n", all - shown);
    const std::size_t at = text.find("  and ");
    EXPECT_EQ(at == std::string::npos ? "" : text.substr(at, text.find('\n', at) + 1 - at), more);
    return std::pair(document.screen->hottest.size(), document.screen->more_layers);
  };
  EXPECT_EQ(lists(1), std::pair(std::size_t{1}, std::size_t{38}));
  EXPECT_EQ(lists(3), std::pair(std::size_t{3}, std::size_t{36}));
  EXPECT_EQ(lists(20), std::pair(std::size_t{5}, std::size_t{34}));  // it stays one screen
  EXPECT_EQ(lists(0), std::pair(std::size_t{5}, std::size_t{34}));
  double ms = 0;
  for (const int top : {1, 3, 0}) {
    const Document document = build_document(a, top);
    double sum = document.screen->more_ms;
    for (const ScreenLayer& layer : document.screen->hottest) sum += layer.ms;
    if (ms == 0) ms = sum;
    EXPECT_NEAR(sum, ms, 1e-9);
  }
}

TEST(TextScreen, WholeReportAndSectionsOnDemand) {
  const Analysis a = sample::healthy(6);
  const std::string full = screen_of(a, 100, true);
  EXPECT_THAT(full, HasSubstr("\nHow well the input was understood\n"));
  EXPECT_THAT(full, Not(HasSubstr("--section NAME")));
  const std::string part = screen_of(a, 100, false, {"input", "tuning"});
  EXPECT_THAT(part, HasSubstr("How well the input was understood\n"));
  EXPECT_THAT(part, HasSubstr("\ntuning: nothing in these inputs\n"));
  EXPECT_THAT(part, Not(HasSubstr("Findings")));
}

TEST(TextScreen, SectionIdsAreThoseOfTheReport) {
  const Analysis a = sample::healthy(39);
  for (const Section& section : build_document(a, 10).sections) {
    EXPECT_THAT(section_ids(), ::testing::Contains(section.id));
  }
}

// Behind the cause, where the lines that a failure has leave room.
TEST(TextScreen, FailureShowsWhatIsKnownOfItsLayersWhereThereIsRoom) {
  Analysis a = sample::healthy(6);
  a.build.outcome = Outcome::failed;
  Finding cause = sample::small_finding(1, Severity::fatal);
  cause.title = "The cause of it";
  a.findings = {cause};
  const std::string roomy = screen_of(a);
  EXPECT_LT(roomy.find("The cause of it"), roomy.find("Execution order, one cell = 1.0 %: "));
  EXPECT_LT(roomy.find("Execution order"), roomy.find("\nPrecision  TF32 51 %"));
  EXPECT_LE(lines_of(roomy).size(), 30U);
  // Less of it, and then nothing, where the cause has more lines.
  const auto with_check = [&](std::size_t commands) {
    Analysis wordy = a;
    for (std::size_t i = 0; i < commands; ++i) {
      wordy.findings[0].next_check += (i > 0 ? "; `ls -l " : "`ls -l ") + std::to_string(i) + "`";
    }
    return screen_of(wordy);
  };
  const std::size_t room = 30 - lines_of(roomy).size();
  a.findings[0].next_check.clear();
  EXPECT_THAT(with_check(room - 1), HasSubstr("Execution order"));
  EXPECT_EQ(lines_of(with_check(room - 1)).size(), 30U);
  EXPECT_THAT(with_check(room), Not(HasSubstr("Execution order")));
  EXPECT_THAT(with_check(room), HasSubstr("\nPrecision  TF32"));
  EXPECT_THAT(with_check(room + 4), Not(HasSubstr("\nPrecision")));
  EXPECT_LE(lines_of(with_check(room + 4)).size(), 30U);
  for (Layer& layer : a.build.layers) layer.time.reset();
  a.build.profile_sum_ms = 0;
  const std::string untimed = screen_of(a);
  EXPECT_THAT(untimed, Not(HasSubstr("Execution order")));
  EXPECT_THAT(untimed, HasSubstr("\nPrecision  "));
  EXPECT_THAT(untimed, HasSubstr(" of the layers\n"));
}

// Of a log with more runs than are kept the numbers are those of the log, as --run counts them.
TEST(TextScreen, SaysWhichRunOfTheLogItIs) {
  Analysis a = sample::healthy(4);
  Reading reading = *a.reading;
  const auto run = [](int n, std::uint32_t file, Outcome outcome) {
    trtlens::Run of;
    of.n = n;
    of.file = file;
    of.outcome = outcome;
    return of;
  };
  reading.runs = {run(1, 0, Outcome::passed), run(2, 0, Outcome::passed),
                  run(3, 1, Outcome::failed), run(4, 1, Outcome::passed)};
  a.build.runs = {3};
  a.reading = std::make_shared<const Reading>(reading);
  EXPECT_THAT(screen_of(a), HasSubstr(" run 1 of 2 in this log (1 failed, 1 passed; --run N)"));
  reading.runs[2].n = 90;
  reading.runs[3].n = 91;
  a.build.runs = {91};
  a.reading = std::make_shared<const Reading>(reading);
  EXPECT_THAT(screen_of(a),
              HasSubstr(" run 89 of 89 in this log (1 failed, 1 passed, 87 not kept; --run N)"));
}

TEST(TextScreen, NamesGiveNoOrders) {
  Analysis a = sample::healthy(3);
  a.name = "a\n::error::b\x1b[31m";
  a.build.layers[0].name = std::string("x\n::error::y\x1b[31m");
  a.build.layers[0].onnx_nodes.clear();
  const std::string text = screen_of(a);
  EXPECT_THAT(text, Not(HasSubstr("\n::error")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(TextScreen, ColumnsStayWhereALayerIsACommand) {
  const std::vector<std::string> plain = lines_of(screen_of(sample::healthy(3)));
  Analysis a = sample::healthy(3);
  a.build.layers[0].name = std::string("##[error]x");
  a.build.layers[0].onnx_nodes.clear();
  const std::vector<std::string> hostile = lines_of(screen_of(a));
  const auto with = [](const std::vector<std::string>& lines, const char* text) {
    return std::ranges::find_if(
        lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
  };
  ASSERT_NE(with(hostile, "\\x23#[error]x"), hostile.end());
  EXPECT_EQ(with(hostile, "\\x23#[error]x")->size(), with(plain, "#0 ")->size());
}

// More layers than the strip has parts: a part that holds several still counts each as what it is.
TEST(TextScreen, SharesAreOfLayersNotOfPartsOfTheStrip) {
  std::vector<Layer> layers;
  const Tensor half = test::tensor("h", DataType::fp16), whole = test::tensor("w", DataType::fp32);
  for (int i = 0; i < 1500; ++i) {
    const std::string n = std::to_string(i);
    layers.push_back(test::conv("c" + n, {half}, half, DataType::fp16, 0.003));
    layers.push_back(test::reformat("r" + n, half, whole, 0.001));
  }
  const Analysis analysis = test::analyze_build(test::build_of(layers));
  const Document document = build_document(analysis, 10);
  ASSERT_TRUE(document.screen);
  EXPECT_LT(document.screen->strip.size(), layers.size());
  const std::vector<KindShare> kinds = document.screen->kinds;
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].kind, "FP16");
  EXPECT_NEAR(kinds[0].share, 0.75, 1e-9);
  EXPECT_EQ(kinds[1].kind, "reformat");
  EXPECT_NEAR(kinds[1].share, 0.25, 1e-9);
}

}  // namespace
}  // namespace trtlens::text_screen_test
