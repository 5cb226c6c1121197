// Charts of the Document and their gnuplot scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>
#include <utility>

#include "report/charts/chart_script.h"
#include "report/charts/gnuplot.h"
#include "report/charts/palette.h"
#include "tests/temp_folder.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_charts_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

bool has_gnuplot() {
  Chart chart;
  chart.bars = {{"a", 1, "1 ms", 1, ""}};
  return draw_charts({&chart}).note.empty();
}

TEST(GnuplotLabel, CannotLeaveItsQuotes) {
  EXPECT_EQ(gnuplot_label("/conv_1/Conv", 40), "\"/conv_1/Conv\"");
  EXPECT_EQ(gnuplot_label(sample::kShell, 200),
            "\"'; system('touch pwned') 'touch pwned' '!touch pwned\"");
  EXPECT_EQ(gnuplot_label("a\nEOD\n!x", 40), "\"a/x0aEOD/x0a!x\"");
  EXPECT_EQ(gnuplot_label("back\\slash", 40), "\"back/slash\"");
  EXPECT_EQ(gnuplot_label("abcdefghij", 5), "\"ab…ij\"");
}

// Outside of data blocks only our own commands; inside only rows that begin with a number.
TEST(GnuplotScript, HostileNamesStayInDataRows) {
  const Analysis of_d = sample::hostile();
  const Document d = build_document(of_d, 10);
  std::istringstream script(gnuplot_script(charts_of(d)));
  const std::regex command("(reset|unset|set|plot|\\$d << END)( .*)?");
  const std::regex row(
      "-?[0-9.e+-]+ -?[0-9.e+-]+( 0x[0-9a-f]{6} [0-9.e+-]+ \"[^\"`\\\\]*\" "
      "\"[^\"`\\\\]*\")?");
  std::string line;
  bool in_data = false;
  std::size_t rows = 0;
  while (std::getline(script, line)) {
    if (in_data && line == "END") {
      in_data = false;
      continue;
    }
    EXPECT_TRUE(std::regex_match(line, in_data ? row : command)) << line;
    if (!in_data) {
      EXPECT_THAT(line, Not(HasSubstr("pwned")));
    }
    rows += in_data ? 1 : 0;
    if (line == "$d << END") in_data = true;
  }
  EXPECT_FALSE(in_data);
  EXPECT_GT(rows, 50U);
}

TEST(GnuplotScript, BarsAndPointsAreBoundedAndFinite) {
  Chart chart;
  chart.kind = ChartKind::pareto;
  for (int i = 0; i < 500; ++i) chart.bars.push_back({"x", 1.0, "1", 0.5, "INT8"});
  chart.bars[3].value = std::nan("");
  Chart trace;
  trace.kind = ChartKind::trace;
  for (int i = 0; i < 5000; ++i) trace.points.push_back({double(i), 1.0});
  trace.points[7].y = INFINITY;
  const std::string script = gnuplot_script({&chart, &trace});
  EXPECT_THAT(script, Not(HasSubstr("nan")));
  EXPECT_THAT(script, Not(HasSubstr("inf")));
  EXPECT_THAT(script, HasSubstr("\n40 1 0x199e62"));
  EXPECT_THAT(script, Not(HasSubstr("\n41 1 0x")));
  EXPECT_LT(script.size(), 40000U);
}

TEST(GnuplotScript, AxesBeginAtZeroAndTextIsNotEnhanced) {
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  const std::vector<const Chart*> charts = charts_of(d);
  ASSERT_EQ(charts.size(), 5U);
  for (const Chart* chart : charts) {
    const std::string script = gnuplot_script({chart});
    EXPECT_THAT(script, HasSubstr("noenhanced"));
    EXPECT_THAT(script, HasSubstr("range [0:"));
  }
}

// Bars from where the one before ended; whole times, less and more in colours of their own.
TEST(GnuplotScript, DrawsTheWayFromABaseToACandidate) {
  Chart chart;
  chart.kind = ChartKind::way;
  chart.bars = {{"base", 100, "100 ms", 0, "", 0},
                {"gone", -20, "-20 ms", 0, "", 100},
                {sample::kShell, 5, "+5 ms", 0, "", 80},
                {"candidate", 85, "85 ms", 0, "", 0}};
  const std::string script = gnuplot_script({&chart});
  EXPECT_THAT(script, HasSubstr("\n1 0 100 0x1d5fae \"base\" \"100 ms\"\n"
                                "2 80 100 0x2c7a35 \"gone\" \"-20 ms\"\n"
                                "3 80 85 0xbf4316 "));
  EXPECT_THAT(script, HasSubstr("\n4 0 85 0x1d5fae \"candidate\" \"85 ms\"\nEND\n"));
  EXPECT_THAT(script, HasSubstr("set xrange [0:100]\n"));
  EXPECT_THAT(script, Not(HasSubstr("`")));
}

// A row for each label; conversions are hatched; what is no word of ours is in no command.
TEST(GnuplotScript, DrawsStrips) {
  Chart chart;
  chart.kind = ChartKind::strips;
  chart.bars = {{"Base", 0.5, "", 0, "INT8", 0},
                {"Base", 0.25, "", 0, "Q/DQ", 0.5},
                {"Can'; !x `y`", 0.125, "", 0, "k'; !x `y`", 0}};
  const std::string script = gnuplot_script({&chart});
  EXPECT_THAT(script, HasSubstr("$d << END\n1 0 0.5 0\n1 0.5 0.75 1\n2 0 0.125 2\nEND\n"));
  EXPECT_THAT(script, HasSubstr("set ytics ('Base' 1, 'Can x y' 2)"));
  EXPECT_THAT(script, HasSubstr("fs solid noborder lc rgb '#199e62' title 'INT8'"));
  EXPECT_THAT(script, HasSubstr("fs transparent pattern 4 noborder lc rgb '#a24196' title 'Q/DQ'"));
  EXPECT_THAT(script, HasSubstr("title 'k x y'"));
}

double linear(unsigned channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::array<double, 3> linear_rgb(std::string_view colour) {
  const unsigned long rgb = std::stoul(std::string(colour.substr(1)), nullptr, 16);
  return {linear(rgb >> 16U & 0xffU), linear(rgb >> 8U & 0xffU), linear(rgb & 0xffU)};
}

// WCAG 2.1: of the relative luminances.
double contrast(std::string_view a, std::string_view b) {
  const auto luminance = [](std::string_view colour) {
    const auto [red, green, blue] = linear_rgb(colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

TEST(Palette, StandsOutFromThePageLightAndDark) {
  for (const PrecisionColour& entry : kPrecisionColours) {
    // --page, --surface and --sunk in report.css
    for (const char* surface : {"#f6f7f9", "#ffffff", "#f0f2f5", "#0f1216", "#171b21", "#11151a"}) {
      EXPECT_GE(contrast(entry.colour, surface), 3) << entry.label << " on " << surface;
    }
  }
}

// Machado, Oliveira, Fernandes 2009: what eyes without red (protan) or green (deutan) see.
constexpr std::array<std::array<double, 9>, 2> kBlindness = {
    {{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
     {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881}}};

// In OKLab (Ottosson 2020), where a distance of 0.02 can just be seen.
std::array<double, 3> seen(std::string_view colour, const std::array<double, 9>& by) {
  const std::array<double, 3> c = linear_rgb(colour);
  std::array<double, 3> rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    rgb[i] = std::clamp(by[3 * i] * c[0] + by[3 * i + 1] * c[1] + by[3 * i + 2] * c[2], 0.0, 1.0);
  }
  const double l = std::cbrt(0.41222147 * rgb[0] + 0.53633254 * rgb[1] + 0.05144599 * rgb[2]);
  const double m = std::cbrt(0.21190350 * rgb[0] + 0.68069955 * rgb[1] + 0.10739696 * rgb[2]);
  const double s = std::cbrt(0.08830246 * rgb[0] + 0.28171884 * rgb[1] + 0.62997870 * rgb[2]);
  return {0.21045426 * l + 0.79361779 * m - 0.00407205 * s,
          1.97799850 * l - 2.42859221 * m + 0.45059371 * s,
          0.02590404 * l + 0.78277177 * m - 0.80867577 * s};
}

TEST(Palette, CanBeToldApartByColourBlindEyes) {
  const std::array names = {"FP32", "TF32", "FP16", "BF16",  "FP8",
                            "INT8", "INT4", "FP4",  "mixed", "Q/DQ"};
  for (const auto& by : kBlindness) {
    for (const char* a : names) {
      for (const char* b : names) {
        if (a == b) continue;
        const auto x = seen(precision_colour(a).colour, by),
                   y = seen(precision_colour(b).colour, by);
        EXPECT_GT(std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]), 0.06) << a << " and " << b;
      }
    }
  }
}

// One line each in a chart's script, in front of its data.
std::string head_of(const std::string& size, const std::string& labels) {
  return "reset\nset terminal svg size " + size +
         " noenhanced font 'Helvetica,13'\n"
         "set border 3 lc rgb '#9aa3ae' lw 1\nunset key\nset tics textcolor rgb '#4a5360'\n"
         "set grid ytics lt 1 lc rgb '#dfe3e8' lw 1\n" +
         labels + "$d << END\n";
}

TEST(GnuplotScript, WholeOfLyingBars) {
  Chart chart;
  chart.kind = ChartKind::bars;
  chart.x_label = "ms";
  chart.bars = {{"conv1", 3, "3 ms", 0.75, "INT8"}, {"relu", 1, "1 ms", 1, ""}};
  const std::string rows =
      "1 3 0x199e62 75 \"conv1\" \"3 ms\"\n2 1 0x6486b4 100 \"relu\" \"1 ms\"\nEND\n"
      "set yrange [2.5:0.5]\nset xrange [0:*]\n"
      "set ytics nomirror scale 0\nset xtics nomirror scale 0\n"
      "unset grid\nset grid xtics lt 1 lc rgb '#dfe3e8' lw 1\n";
  const std::string boxes =
      "plot $d using 2:1:(0):2:($1-0.36):($1+0.36):3:ytic(5) with boxxyerror fs solid noborder lc "
      "rgb variable, ";
  const std::string label = "set xlabel 'ms' textcolor rgb '#4a5360'\n";
  EXPECT_EQ(gnuplot_script({&chart}),
            "set encoding utf8\n" + head_of("540,184", label) + rows + "set xrange [0:3.6]\n" +
                boxes +
                "$d using 2:1:6 with labels left offset 0.6,0 textcolor rgb '#4a5360'\n"
                "set output\n");
  chart.kind = ChartKind::pareto;
  EXPECT_EQ(gnuplot_script({&chart}),
            "set encoding utf8\n" + head_of("1080,173", label) + rows +
                "set x2range [0:100]\nset x2tics 0,20,100 nomirror scale 0 format '%.0f %%'\n"
                "set x2label 'cumulative share' textcolor rgb '#4a5360'\n" +
                boxes +
                "$d using 4:1 axes x2y1 with linespoints lw 1.5 pt 7 ps 0.3 lc rgb '#5b6673'\n"
                "set output\n");
}

TEST(GnuplotScript, WholeOfUprightOnes) {
  Chart chart;
  chart.kind = ChartKind::histogram;
  chart.y_label = "queries";
  chart.points = {{1, 5}, {1.5, 7}};
  const std::string rows =
      "1 5\n1.5 7\nEND\n"
      "set yrange [0:*]\nset xtics nomirror out scale 0.5\nset ytics nomirror scale 0\n";
  const std::string label = "set ylabel 'queries' textcolor rgb '#4a5360'\n";
  EXPECT_EQ(gnuplot_script({&chart}),
            "set encoding utf8\n" + head_of("540,280", label) + rows +
                "set boxwidth 0.45\n"
                "plot $d using 1:2 with boxes fs solid noborder lc rgb '#6486b4'\nset output\n");
  chart.kind = ChartKind::trace;
  EXPECT_EQ(gnuplot_script({&chart}),
            "set encoding utf8\n" + head_of("540,280", label) + rows +
                "set autoscale xfix\n"
                "plot $d using 1:2 with lines lw 1 lc rgb '#6486b4'\nset output\n");
}

TEST(GnuplotScript, NoTickStandsBetweenTwoBuilds) {
  const auto script_of = [](std::size_t points, double step) {
    Chart chart;
    chart.kind = ChartKind::trace;
    for (std::size_t i = 0; i < points; ++i) chart.points.push_back({1 + step * double(i), 0.5});
    return gnuplot_script({&chart});
  };
  EXPECT_THAT(script_of(3, 1), HasSubstr("\nset xtics 1\n"));
  EXPECT_THAT(script_of(11, 1), HasSubstr("\nset xtics 1\n"));
  EXPECT_THAT(script_of(12, 1), HasSubstr("\nset xtics 2\n"));
  EXPECT_THAT(script_of(52, 1), HasSubstr("\nset xtics 10\n"));
  EXPECT_THAT(script_of(3, 0.5), Not(HasSubstr("set xtics 1")));
}

TEST(GnuplotScript, APictureGrowsWithItsBars) {
  Chart chart;
  const auto size = [&chart](ChartKind kind, std::size_t bars) {
    chart.kind = kind;
    chart.bars.resize(bars);
    const ChartSize of = chart_size(chart);
    return std::pair(of.width, of.height);
  };
  EXPECT_EQ(size(ChartKind::pareto, 1), std::pair(1080, 110 + 3 * 21));
  EXPECT_EQ(size(ChartKind::pareto, 4), std::pair(1080, 110 + 4 * 21));
  EXPECT_EQ(size(ChartKind::pareto, 41), std::pair(1080, 110 + 40 * 21));
  EXPECT_EQ(size(ChartKind::bars, 1), std::pair(540, 80 + 4 * 26));
  EXPECT_EQ(size(ChartKind::bars, 5), std::pair(540, 80 + 5 * 26));
  EXPECT_EQ(size(ChartKind::trace, 5), std::pair(540, 280));
  EXPECT_EQ(size(ChartKind::way, 5), std::pair(1080, 30 + 5 * 26));
  EXPECT_EQ(size(ChartKind::strips, 5), std::pair(1080, 220));
}

TEST(GnuplotScript, AxisLabelsArePlainWords) {
  Chart chart;
  chart.kind = ChartKind::trace;
  chart.x_label = "ms'; system('touch pwned') `x`\n!touch pwned";
  chart.points = {{0, 1}, {1, 2}};
  const std::string script = gnuplot_script({&chart});
  EXPECT_THAT(script, HasSubstr("set xlabel 'ms system(touch pwned) xtouch pwned' textcolor"));
}

TEST(DrawCharts, OneImageEachAndNothingRuns) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const std::filesystem::path before = std::filesystem::current_path();
  const TempFolder folder;
  std::filesystem::current_path(folder.path());
  const Analysis of_d = sample::hostile();
  const Document d = build_document(of_d, 10);
  const std::vector<const Chart*> charts = charts_of(d);
  const ChartImages images = draw_charts(charts);
  const bool empty = std::filesystem::is_empty(folder.path());
  std::filesystem::current_path(before);
  EXPECT_TRUE(empty) << "a layer name ran as a command";
  EXPECT_EQ(images.note, "");
  ASSERT_EQ(images.pictures.size(), charts.size());
  for (const std::string& svg : images.pictures) {
    EXPECT_EQ(svg.rfind("<svg", 0), 0U);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
  }
  EXPECT_NE(images.pictures[0].find("<text>&lt;/script"), std::string::npos);  // a name, as text
}

TEST(DrawCharts, SameInputSameBytes) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Analysis of_d = sample::healthy(39);
  const Document d = build_document(of_d, 10);
  EXPECT_EQ(draw_charts(charts_of(d)).pictures, draw_charts(charts_of(d)).pictures);
}

class WithPath : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("PATH");
    old_ = path == nullptr ? "" : path;
    ::setenv("PATH", folder_.path().c_str(), 1);
  }
  void TearDown() override { ::setenv("PATH", old_.c_str(), 1); }
  void install(const std::string& script) const {
    std::filesystem::permissions(folder_.write("gnuplot", script),
                                 std::filesystem::perms::owner_all);
  }
  static ChartImages draw() {
    Chart chart;
    chart.bars = {{"a", 1, "1 ms", 1, ""}};
    return draw_charts({&chart});
  }

 private:
  std::string old_;
  TempFolder folder_;
};

TEST_F(WithPath, NoGnuplotIsANote) {
  const ChartImages images = draw();
  EXPECT_TRUE(images.pictures.empty());
  EXPECT_EQ(images.note, "Charts are not drawn: gnuplot was not found.");
}

TEST_F(WithPath, FailingGnuplotIsANote) {
  install("#!/bin/sh\necho '<svg></svg>'\nexit 3\n");
  EXPECT_EQ(draw().note, "Charts are not drawn: gnuplot failed.");
}

TEST_F(WithPath, GnuplotThatDrawsTooLittleIsANote) {
  install("#!/bin/sh\nexit 0\n");
  EXPECT_EQ(draw().note, "Charts are not drawn: gnuplot failed.");
}

TEST_F(WithPath, ReadsTheScriptAndGetsAFixedEnvironment) {
  ::setenv("GNUTERM", "x11", 1);
  install(
      "#!/bin/sh\nread first\n[ \"$*\" = '-d -' ] && [ -z \"$GNUTERM\" ] && "
      "echo \"<svg>$first</svg>\"\n");
  const ChartImages images = draw();
  ::unsetenv("GNUTERM");
  ASSERT_EQ(images.pictures.size(), 1U);
  EXPECT_EQ(images.pictures[0], "<svg>set encoding utf8</svg>");
}

TEST(Palette, EveryPrecisionHasItsOwnColour) {
  for (int i = 0; i <= static_cast<int>(Precision::mixed); ++i) {
    const std::string label = to_string(static_cast<Precision>(i));
    EXPECT_FALSE(precision_colour(label).css.empty()) << label;
    for (int k = 0; k < i; ++k) {
      EXPECT_NE(precision_colour(label).colour,
                precision_colour(to_string(static_cast<Precision>(k))).colour);
    }
  }
  EXPECT_TRUE(precision_colour("no such").css.empty());
}

}  // namespace
}  // namespace trtlens::report_charts_test
