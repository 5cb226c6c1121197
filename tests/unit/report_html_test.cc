// The HTML report: structure, escaping, tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "parsers/input/embedded.h"
#include "report/formats/escape.h"
#include "report/formats/html/parts.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/packed_data.h"
#include "tests/unit/report_sample.h"

namespace trtlens::report_html_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string html_of(const Analysis& a, bool plots = false) {
  WriterOptions options;
  options.plots = plots;
  options.version = "1.2.3";
  return render(writer_html, build_document(a, 10), options);
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  const std::size_t start = from + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

// Numbers of words as the page makes them of what is packed.
void unfold(nlohmann::json& part) {
  std::size_t next = 0;
  for (nlohmann::json& number : part["word"]) {
    number = number == 0 ? next++ : number.get<std::size_t>() - 1;
  }
}

nlohmann::json data_of(const std::string& html, const std::string& name) {
  nlohmann::json data = nlohmann::json::parse(
      test::unpacked(between(html, "data-packed=\"" + name + "\">", "</script>")));
  for (nlohmann::json& part : data) {
    if (part.is_object() && part.contains("word")) unfold(part);
  }
  for (std::size_t c = 0; data.contains("columns") && c < data["columns"].size(); ++c) {
    if (data["columns"][c].contains("word")) unfold(data["columns"][c]);
  }
  return data;
}

nlohmann::json grid_of(const std::string& html) {
  return data_of(html, "grid-1");
}

TEST(HtmlSkipLink, LeadsToTheFindingsElseToTheFirstSection) {
  const Analysis analysis = sample::healthy(6);
  Document document = build_document(analysis, 10);
  const std::string page = render(writer_html, document, {});
  EXPECT_THAT(page, HasSubstr("<a class=\"skip\" href=\"#findings\">Skip to the findings</a>"));
  EXPECT_THAT(page, HasSubstr(" id=\"findings\""));
  std::erase_if(document.sections, [](const Section& one) { return one.id == "findings"; });
  const std::string id = document.sections.front().id;
  const std::string other = render(writer_html, document, {});
  EXPECT_THAT(other, HasSubstr("href=\"#" + id + "\">Skip to the details</a>"));
  EXPECT_THAT(other, HasSubstr(" id=\"" + id + "\""));
}

TEST(Html, PolicyAllowsExactlyItsOwnScriptAndStyle) {
  const std::string html = html_of(sample::hostile());
  const std::string script = between(html, "<script>", "</script>");
  const std::string style = between(html, "<style>", "</style>");
  ASSERT_GT(script.size(), 1000U);
  ASSERT_GT(style.size(), 1000U);
  EXPECT_THAT(html, HasSubstr("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                              "'none'; script-src '" +
                              csp_hash(script) + "'; style-src '" + csp_hash(style) +
                              "'; img-src data:; base-uri 'none'; form-action 'none'\">"));
}

TEST(Html, NothingOfTheInputIsMarkup) {
  const std::string html = html_of(sample::hostile());
  EXPECT_EQ(count(html, "<script"), 5U);  // layers, races, engine, times, the script
  EXPECT_EQ(count(html, "</script>"), 5U);
  EXPECT_THAT(html, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"javascript:")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"https://x/")));  // has a quote: shown as text
  EXPECT_EQ(visible(html, true), html);
  // No attribute that a Content-Security-Policy would have to forbid.
  const std::string body =
      html.substr(html.find("<body>"), html.find("<script>") - html.find("<body>"));
  EXPECT_FALSE(std::regex_search(body, std::regex("<[^<>]* (style|on[a-z]+)=")));
}

TEST(Html, NoReferenceLeavesTheFile) {
  const std::string html = html_of(sample::healthy(39), true);
  EXPECT_FALSE(std::regex_search(html, std::regex("(src|srcset|xlink:href)=\"(?!data:)")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_FALSE(std::regex_search(html, std::regex("url\\((?!#)")));
}

TEST(Html, GridHoldsEveryRowOfTheTable) {
  const Analysis a = sample::hostile();
  const std::string html = html_of(a);
  const nlohmann::json grid = grid_of(html);
  EXPECT_EQ(grid["rows"], 140);
  const nlohmann::json& name = grid["columns"][1];
  EXPECT_EQ(name["title"], "Layer");
  EXPECT_EQ(name["word"].size(), 140U);
  std::vector<std::string> seen;
  for (const nlohmann::json& index : name["word"]) {
    seen.push_back(name["words"][index.get<std::size_t>()].get<std::string>());
  }
  for (const Layer& layer : a.build.layers) {
    EXPECT_THAT(seen, ::testing::Contains(visible(layer.name)));
  }
  const nlohmann::json& time = grid["columns"][2];
  EXPECT_EQ(time["title"], "Time (ms)");
  EXPECT_NEAR(time["value"][0].get<double>(), 0.0705979, 1e-9);
  EXPECT_EQ(time["words"][time["word"][0].get<std::size_t>()], "0.0706");
}

TEST(Html, UnknownTimesAreNullInTheGrid) {
  Analysis a = sample::healthy(6);
  a.build.layers[2].time.reset();
  const nlohmann::json grid = grid_of(html_of(a));
  EXPECT_TRUE(grid["columns"][2]["value"][5].is_null());
}

TEST(Html, WithoutScriptThereAreFiftyRows) {
  const std::string html = html_of(sample::hostile());
  const std::string fallback = between(html, "<noscript>", "</noscript>");
  EXPECT_EQ(count(fallback, "<th scope=\"row\""), 50U);
  EXPECT_THAT(fallback, HasSubstr("… and 90 more."));
  EXPECT_EQ(count(html, ">Layers, slowest first<"), 1U);
}

TEST(Html, ChartsAreImagesWithTheSentenceAsText) {
  const std::string html = html_of(sample::healthy(39), true);
  if (html.find("gnuplot was not found") != std::string::npos) {
    GTEST_SKIP() << "gnuplot is not installed";
  }
  EXPECT_EQ(count(html, "src=\"data:image/svg+xml;base64,"), 5U);
  EXPECT_THAT(html, HasSubstr("<img alt=\"Bars: the 24 slowest layers take 86 %"));
}

TEST(Html, WithoutPlotsThereAreBarLists) {
  const std::string html = html_of(sample::healthy(39));
  EXPECT_EQ(count(html, "<img"), 0U);
  EXPECT_EQ(count(html, "<table class=\"bars\">"), 4U);  // the trace has no bars
  EXPECT_THAT(html, HasSubstr("class=\"p-tf32\""));
}

TEST(Html, TablesHaveScopesAndTheFirstScreenComesFirst) {
  const std::string html = html_of(sample::healthy(39));
  const std::string without_bars =
      std::regex_replace(html, std::regex("<table class=\"bars\">"), "");
  EXPECT_EQ(count(without_bars, "<table"), count(without_bars, "<thead>"));
  EXPECT_EQ(count(html, "<th>"), 0U);
  EXPECT_EQ(count(html, "<h1>"), 1U);
  EXPECT_LT(html.find("class=\"speed\""), html.find("<section"));
  EXPECT_LT(html.find("id=\"findings\""), html.find("id=\"time\""));
  EXPECT_THAT(html, HasSubstr("<footer>trtlens 1.2.3</footer>"));
}

TEST(Html, StyleSheetHasAClassForEveryPrecision) {
  std::string css;
  for (const EmbeddedFile& file : embedded_web()) {
    if (file.name == "report.css") css = file.text();
  }
  for (int i = 0; i <= static_cast<int>(Precision::mixed); ++i) {
    const std::string label = to_string(static_cast<Precision>(i));
    std::string lower;
    for (const char c : label) lower += static_cast<char>(std::tolower(c));
    EXPECT_THAT(css, HasSubstr(".p-" + lower + " {")) << label;
  }
}

TEST(Html, FiveThousandLayersStaySmall) {
  const std::string html = html_of(sample::healthy(5000));
  EXPECT_LT(html.size(), 1000000U);
  EXPECT_EQ(grid_of(html)["rows"], 5000);
}

TEST(Html, TheEngineIsThereForTheViews) {
  Analysis a = sample::healthy(4);
  a.build.layers[1].inputs = a.build.layers[0].outputs;
  a.build.layers[3].time.reset();
  a.findings[0].layers = {a.build.layers[2].name};
  const nlohmann::json engine = data_of(html_of(a), "engine");
  ASSERT_EQ(engine["ms"].size(), 4U);
  EXPECT_NEAR(engine["ms"][0].get<double>(), a.build.layers[0].time->mean_ms, 1e-6);
  EXPECT_EQ(engine["ms"][3], 0);
  EXPECT_EQ(engine["to"], nlohmann::json::array({1}));    // behind that of the edge before
  EXPECT_EQ(engine["from"], nlohmann::json::array({1}));  // in front of it
  EXPECT_EQ(engine["tensor"]["words"], nlohmann::json::array({"32×64×56×56 FP32"}));
  EXPECT_EQ(engine["format"]["words"], nlohmann::json::array({"Row major linear FP32"}));
  EXPECT_EQ(engine["rank"], nlohmann::json::array({0, 1, 0, 0}));
  EXPECT_EQ(engine["findings"][0]["number"], 1);
  EXPECT_EQ(engine["findings"][0]["layers"], nlohmann::json::array({2}));
}

// A QuantizeLinear of no module stands where the layer does that is charged with it.
TEST(Html, AConversionStandsWithItsLayer) {
  Analysis a = sample::healthy(3);
  a.build.layers[0].onnx_nodes = {SharedText("QuantizeLinear_7")};
  a.build.layers[1].onnx_nodes = {SharedText("/layer1/layer1.0/conv1/Conv")};
  a.build.layers[2].onnx_nodes = {SharedText("/block/fc/Gemm")};
  a.reformats = {{0, std::nullopt, SharedText(), std::nullopt, 1, false},
                 {2, std::nullopt, SharedText(), std::nullopt, 1, false}};
  const nlohmann::json module = data_of(html_of(a), "engine")["module"];
  const auto of = [&](std::size_t layer) {
    return module["words"][module["word"][layer].get<std::size_t>()].get<std::string>();
  };
  EXPECT_EQ(of(0), "layer1.0");
  EXPECT_EQ(of(1), "layer1.0");
  EXPECT_EQ(of(2), "block.fc");
}

TEST(Html, SentencesOfOursMayHoldCode) {
  EXPECT_EQ(html_prose("run `a < b` and `c`."), "run <code>a &lt; b</code> and <code>c</code>.");
  EXPECT_EQ(html_prose("one ` alone"), "one ` alone");
  EXPECT_EQ(html_prose(""), "");
}

TEST(Html, TheStripHasEveryLayerAsWideAsItsTime) {
  const std::string svg = html_strip({{3, "INT8", "a"}, {1, "reformat", ""}, {4, "odd", "b"}}, 10);
  EXPECT_THAT(svg,
              HasSubstr("<rect x=\"0.00\" width=\"300.00\" height=\"34\" class=\"p-int8\"/>"
                        "<rect x=\"300.00\" width=\"100.00\" height=\"34\" class=\"p-reformat\"/>"
                        "<rect x=\"400.00\" width=\"400.00\" height=\"34\" class=\"p-unknown\"/>"));
  const std::vector<StripPart> many(50000, {1, "FP16", ""});
  const std::string drawn = html_strip(many, sum_ms(many));
  EXPECT_EQ(count(drawn, "<rect"), 596U);  // 84 layers each
}

TEST(Html, WithoutAProfileTheStripHasUpTo2000LayersOfOneWidth) {
  const Analysis a = sample::healthy(4);
  Document d = build_document(a, 10);
  d.screen->strip.clear();
  const auto rects = [&](std::size_t n, const std::string& kind) {
    d.engine = [&] {
      EngineView view;
      for (std::size_t i = 0; i < n; ++i) view.kind.add(kind);
      return view;
    };
    return count(between(text_of([&](TextStream& out) { html_first_screen(d, out); }),
                         "class=\"strip", "</svg>"),
                 "<rect");
  };
  EXPECT_EQ(rects(2, "FP16"), 2U);
  EXPECT_EQ(rects(2000, "FP16"), 500U);  // four layers each
  EXPECT_EQ(rects(2001, "FP16"), 0U);
  EXPECT_EQ(rects(2, "unknown"), 0U);
}

TEST(Html, TheLadderHasWhatIsSureAndTheRange) {
  const Analysis a = sample::healthy(4);
  Document d = build_document(a, 10);
  d.screen->ladder = {{"now", "8 ms", 8, 8}, {"after fixes", "2 to 6 ms", 2, 6}};
  EXPECT_THAT(
      text_of([&](TextStream& out) { html_first_screen(d, out); }),
      HasSubstr(
          "<th scope=\"row\">after fixes</th><td><svg aria-hidden=\"true\"><rect width=\"25.0%\" "
          "height=\"100%\" class=\"sure\"/><rect x=\"25.0%\" width=\"50.0%\" "
          "height=\"100%\" class=\"range\"/></svg></td><td class=\"num\">2 to 6 ms</td>"));
}

TEST(Html, EightFindingsAreListedAndTheRestCounted) {
  Analysis a = sample::healthy(4);
  const Finding minor = *std::ranges::find(a.findings, Severity::minor, &Finding::severity);
  const auto listed = [&](std::size_t n) {
    a.findings.assign(n, minor);
    return text_of([&](TextStream& out) { html_first_screen(build_document(a, 0), out); });
  };
  EXPECT_EQ(count(listed(8), "data-finding="), 8U);
  EXPECT_THAT(listed(8), Not(HasSubstr(" more</a>")));
  EXPECT_EQ(count(listed(9), "data-finding="), 8U);
  EXPECT_THAT(listed(9), HasSubstr("<a href=\"#findings\">1 more</a>"));
}

TEST(Html, AFailureSaysItsCheckWithTheCommands) {
  const Analysis failed = sample::failed();
  Document d = build_document(failed, 10);
  for (Section& section : d.sections) {
    for (Block& block : section.blocks) {
      if (auto* card = std::get_if<FindingCard>(&block)) card->commands = {"ls -l a<b"};
    }
  }
  EXPECT_THAT(text_of([&](TextStream& out) { html_first_screen(d, out); }),
              HasSubstr("<p class=\"command\"><code><span>ls</span> <span>-l</span> "
                        "<span>a&lt;b</span></code></p>"));
}

TEST(Html, SameInputSameBytes) {
  EXPECT_EQ(html_of(sample::hostile(), true), html_of(sample::hostile(), true));
}

}  // namespace
}  // namespace trtlens::report_html_test
