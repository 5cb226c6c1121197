// Variants against one base: which rows of layers there are, and what stands in their cells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/gate/gate.h"
#include "report/document/comparison/matrix.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/document_parts_of.h"

namespace trtlens::comparison_matrix_test {
namespace {

using testing::ElementsAre;

Analysis engine(const std::string& name, const std::vector<double>& ms) {
  Analysis analysis;
  analysis.name = name;
  analysis.reading = std::make_shared<Reading>();
  analysis.build.has_profile = true;
  for (std::size_t i = 0; i < ms.size(); ++i) {
    Layer layer;
    layer.name = std::string(1, static_cast<char>('a' + i));
    layer.time = LayerTime{ms[i], {}, {}, 0};
    analysis.build.layers.push_back(layer);
    analysis.build.profile_sum_ms += ms[i];
  }
  analysis.verdicts.resize(ms.size());
  return analysis;
}

LayerGroup group(std::vector<std::size_t> base, std::vector<std::size_t> candidate, double delta_ms,
                 Verdict verdict = Verdict::regressed) {
  LayerGroup group;
  group.base = std::move(base);
  group.candidate = std::move(candidate);
  group.delta_ms = delta_ms;
  group.verdict = verdict;
  return group;
}

// Base: a 4 ms, b 2 ms, c 1 ms.
Comparison variant(const std::string& name, double ratio, Verdict verdict,
                   std::vector<LayerGroup> groups) {
  Comparison c;
  c.base = engine("base", {4, 2, 1});
  c.candidate = engine(name, {3 * ratio, 3 * ratio, ratio});
  c.engine.base_ms = 10;
  c.engine.candidate_ms = 10 * ratio;
  c.engine.ratio = ratio;
  c.engine.runs = {1, 1};
  c.engine.verdict = verdict;
  c.groups = std::move(groups);
  return c;
}

// The first is slower; the second, faster, has a and b in one kernel.
std::vector<Comparison> two() {
  std::vector<Comparison> all;
  all.push_back(variant("slow", 1.2, Verdict::regressed,
                        {group({0}, {0}, 1), group({1}, {1}, 0.25), group({2}, {2}, 0.125)}));
  all.push_back(variant("fast", 0.8, Verdict::improved,
                        {group({0, 1}, {0}, -1.5, Verdict::improved),
                         group({2}, {1}, 0.0625, Verdict::cannot_tell), group({}, {2}, 0.5)}));
  return all;
}

Document document_of(const std::vector<Comparison>& comparisons, int top = 0) {
  std::vector<GateResult> gates;
  gates.reserve(comparisons.size());  // a copy would point into the one that it is of
  for (const Comparison& c : comparisons) gates.push_back(hold(c, GateOptions(), Baseline()));
  return matrix_of(comparisons, gates, top);
}

std::vector<std::vector<std::string>> rows_of_table(const Document& document,
                                                    const std::string& id) {
  std::vector<std::vector<std::string>> rows;
  const std::vector<const Table*> tables = blocks_of<Table>(document, id);
  for (std::size_t i = 0; !tables.empty() && i < tables.front()->rows.size(); ++i) {
    rows.push_back(texts(tables.front()->rows[i]));
  }
  return rows;
}

TEST(ComparisonMatrix, ListsTheBaseThenTheFastestVariantFirst) {
  const std::vector<Comparison> all = two();
  const Document document = document_of(all);
  EXPECT_EQ(document.title, "2 variants against base");
  EXPECT_EQ(document.verdict, "1 regressed, 1 improved");
  EXPECT_EQ(document.verdict_tone, Tone::major);
  EXPECT_THAT(rows_of_table(document, "variants"),
              ElementsAre(ElementsAre("base", "base", "–", "10.000", "–", ""),
                          ElementsAre("2", "fast", "Improved", "8.000", "-20.0 %", testing::_),
                          ElementsAre("1", "slow", "Regressed", "12.000", "+20.0 %", testing::_)));
  EXPECT_EQ(document.each.size(), 2U);
}

// Sections of variants are far from the table that has their numbers; names are the input's.
TEST(ComparisonMatrix, SectionsSayWhoseTheyAre) {
  std::vector<Comparison> all = two();
  all[0].candidate.name = "run/slow\x1b[31m" + std::string(60, 'x');
  const Document document = document_of(all);
  const std::vector<TitledSection> sections = all_sections(document);
  EXPECT_EQ(sections.front().title, "How fast each variant is");
  EXPECT_THAT(sections.at(2).title, testing::StartsWith("1 run/slow\x1b[31mxxxxxx"));
  EXPECT_THAT(sections.at(2).title, testing::HasSubstr("xxxx: "));
  EXPECT_LE(sections.at(2).title.size(), 100U);
  EXPECT_THAT(sections.back().title, testing::StartsWith("2 fast: "));
  WriterOptions options;
  options.full = true;
  const std::string text = render(writer_text, document_of(all), options);
  EXPECT_THAT(text, testing::HasSubstr("\n1 run/slow\\x1b[31mxxxxxx"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

// On a narrow terminal what is cut anyway gives way before names.
TEST(ComparisonMatrix, NamesAreWholeInSixtyColumns) {
  std::vector<Comparison> all = two();
  all[1].candidate.name = "b_r18_q_conv";
  all[1].differences = {{"option", "--int8", std::nullopt, "given", true},
                        {"option", "--fp16", std::nullopt, "given", true}};
  WriterOptions options;
  options.width = 60;
  EXPECT_THAT(
      render(writer_text, document_of(all), options),
      testing::HasSubstr("\n2     b_r18_q_conv  Improved       8.000  -20.0 %  --int8, …\n"));
}

// b never has a row of its own: "fast" does not tell it from a.
TEST(ComparisonMatrix, ARowIsWhatNoVariantDivides) {
  const std::vector<Comparison> all = two();
  const Document document = document_of(all);
  EXPECT_THAT(rows_of_table(document, "matrix"),
              ElementsAre(ElementsAre("all layers", "7.000", "-1.400", "+1.400"),
                          ElementsAre("a and 1 more", "6.000", "-1.500", "+1.250"),
                          ElementsAre("layers that the base has not", "–", "+0.500", "~"),
                          ElementsAre("c", "1.000", "~", "+0.125")));
  const Table* const table = blocks_of<Table>(document, "matrix").front();
  EXPECT_EQ(table->columns[2].title, "#2");
  EXPECT_EQ(table->columns[2].hint, "fast");
  EXPECT_EQ(table->columns[3].title, "#1");
}

TEST(ComparisonMatrix, AColumnAddsUpToTheShiftOfItsGroups) {
  const std::vector<Comparison> all = two();
  const Document document = document_of(all);
  const Table* const table = blocks_of<Table>(document, "matrix").front();
  for (std::size_t column : {2U, 3U}) {
    double sum = 0, expected = 0;
    for (std::size_t row = 1; row < table->rows.size(); ++row) {
      sum += *table->rows.cell(row, column).value;
    }
    for (const LayerGroup& g : all[column == 2 ? 1 : 0].groups) expected += g.delta_ms;
    EXPECT_DOUBLE_EQ(sum, expected) << column;
  }
}

TEST(ComparisonMatrix, AVariantThatCannotBeComparedHasNoFigure) {
  std::vector<Comparison> all = two();
  all.push_back(variant("broken", 1, Verdict::cannot_tell, {}));
  all.back().comparable = false;
  all.back().refused = true;
  all.back().not_comparable = {"the candidate's build failed"};
  all.push_back(variant("streams", 0.1, Verdict::cannot_tell, {}));
  all.back().engine.reason = "the profiles were taken with 1 and 2 streams";
  const Document document = document_of(all);
  EXPECT_EQ(document.verdict, "1 regressed, 1 improved, 1 cannot tell, 1 not comparable");
  const auto rows = rows_of_table(document, "variants");
  EXPECT_THAT(rows.at(3), ElementsAre("3", "broken", "Not comparable", "–", "–",
                                      "the candidate's build failed"));
  EXPECT_THAT(rows.at(4), ElementsAre("4", "streams", "Cannot tell", "–", "–", testing::_));
  EXPECT_THAT(rows_of_table(document, "matrix").at(1),
              ElementsAre("a and 1 more", "6.000", "-1.500", "+1.250", "–", "~"));
}

TEST(ComparisonMatrix, HasNoLayersWithoutProfiles) {
  std::vector<Comparison> all = two();
  for (Comparison& c : all) c.candidate.build.has_profile = false;
  EXPECT_EQ(section_of(document_of(all), "matrix"), nullptr);
  EXPECT_NE(section_of(document_of(all), "variants"), nullptr);
}

// What makes it a variant: options that are gone stand last, of paths the name.
TEST(ComparisonMatrix, SaysWhatDiffers) {
  std::vector<Comparison> all = two();
  all[0].differences = {{"option", "--fp16", "given", std::nullopt, true},
                        {"option", "--onnx", "models/a.onnx", "models/b.onnx", true},
                        {"option", "--int8", std::nullopt, "given", true},
                        {"network", "Q/DQ nodes", "0", "78", true},
                        {"gpu", "GPU", "A100", std::nullopt, true},
                        {"option", "--verbose", std::nullopt, "given", false}};
  EXPECT_EQ(rows_of_table(document_of(all), "variants").at(2).at(5),
            "--onnx=b.onnx, --int8, Q/DQ nodes 78, without --fp16");
  all[0].differences = {{"gpu", "GPU", "A100", std::nullopt, true}};
  EXPECT_EQ(rows_of_table(document_of(all), "variants").at(2).at(5), "not known");
}

// Where the width is a page's, the four fastest have a column; the interactive table has all.
TEST(ComparisonMatrix, NarrowFormatsHaveFourVariants) {
  std::vector<Comparison> all;
  for (int i = 1; i <= 5; ++i) {
    all.push_back(variant("v" + std::to_string(i), 1 - 0.1 * i, Verdict::improved,
                          {group({0, 1, 2}, {0}, -0.7 * i, Verdict::improved)}));
  }
  const std::string note = "Shift of the profile in ms, a column a variant. ~: within the noise.";
  const auto matrix = [](const Document& document) {
    return *blocks_of<Table>(document, "matrix").front();
  };
  EXPECT_EQ(matrix(document_of(all)).note, note + " In text and Markdown: the 4 fastest.");
  EXPECT_TRUE(matrix(document_of(all)).columns[6].extra);
  EXPECT_FALSE(matrix(document_of(all)).columns[5].extra);
  all.erase(all.begin());
  EXPECT_EQ(matrix(document_of(all)).note, note);
}

// The base's figure, and which variants are held against another one of it.
TEST(ComparisonMatrix, SaysWhatTheTimesAreOf) {
  std::vector<Comparison> all = two();
  all.push_back(all[0]);
  const auto note = [&] { return blocks_of<Table>(document_of(all), "variants").front()->note; };
  const auto base_ms = [&] { return rows_of_table(document_of(all), "variants").at(0).at(3); };
  EXPECT_EQ(note(), "Time: GPU compute per query.");
  all[0].engine.metric = "profile_sum_ms";
  all[0].engine.base_ms = 9;
  EXPECT_EQ(note(),
            "Time: GPU compute per query. Of 1: sum of the layers' profile times, 9.000 ms of the "
            "base.");
  EXPECT_EQ(base_ms(), "10.000");
  all[2].engine.metric = "profile_sum_ms";
  all[2].engine.base_ms = 9;
  EXPECT_EQ(note(),
            "Time: sum of the layers' profile times. Of 2: GPU compute per query, 10.000 ms of the "
            "base.");
  EXPECT_EQ(base_ms(), "9.000");
}

}  // namespace
}  // namespace trtlens::comparison_matrix_test
