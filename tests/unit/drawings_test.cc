// Drawings of the build: where the stages and layers stand in its time, what memory is held.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/document/document.h"
#include "report/formats/writer.h"
#include "tests/rendered.h"
#include "tests/unit/document_parts_of.h"
#include "tests/unit/report_sample.h"

namespace trtlens::drawings_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

Analysis built(std::vector<BuildStage> stages, std::optional<double> whole_s) {
  Analysis a;
  a.build.stages = std::move(stages);
  a.build.engine_build_s = whole_s;
  return a;
}

LayerTuning tuned(const char* layer, double s) {
  LayerTuning one;
  one.layer = layer;
  one.s = s;
  return one;
}

std::vector<Drawing> drawings_of(const Analysis& a, const std::string& section) {
  const Document document = build_document(a, 10);
  std::vector<Drawing> drawings;
  for (const Drawing* one : blocks_of<Drawing>(document, section)) drawings.push_back(*one);
  return drawings;
}

// "parse 0.00+0.10 stages 0": where, how wide, which row.
std::vector<std::string> pieces(const PieceRow& row) {
  std::vector<std::string> texts;
  for (const Piece& piece : row.pieces) {
    texts.push_back(fmt::format("{} {:.2f}+{:.2f} {} {}", piece.label, piece.from, piece.size,
                                piece.table, piece.row));
  }
  return texts;
}

TEST(BuildDrawing, HasStagesInOrderWhatIsWithinThemAndTheSlowestLayers) {
  Analysis a = built({{"parse", 1},
                      {"graph optimization", 2},
                      {"autotuning", 5},
                      {"engine generation", 6},
                      {"library deserialize", 7},
                      {"deserialize", 7}},
                     10);
  a.build_time.clock = TuningClock::runners;
  a.build_time.layers = {tuned("/a/conv1/Conv", 3), tuned("/a/conv2/Conv", 1),
                         tuned("/a/relu/Relu", 0.01)};
  a.build_time.layers_s = 4.01;
  const std::vector<Drawing> drawings = drawings_of(a, "build-time");
  ASSERT_EQ(drawings.size(), 1U);
  ASSERT_EQ(drawings[0].rows.size(), 3U);
  EXPECT_THAT(
      pieces(drawings[0].rows[0]),
      ElementsAre("parse 0.00+0.10 stages 0", "graph optimization 0.10+0.20 stages 1",
                  "engine generation 0.30+0.60 stages 3", "in no stage 0.90+0.10 stages 6"));
  EXPECT_THAT(pieces(drawings[0].rows[1]), ElementsAre("autotuning 0.40+0.50 stages 2"));
  EXPECT_THAT(pieces(drawings[0].rows[2]),
              ElementsAre("a.conv1 0.40+0.30 tuning 0", "a.conv2 0.70+0.10 tuning 1"));
  EXPECT_EQ(drawings[0].rows[2].label, "layers in the tuning, slowest first: 2 of 3");
}

// Each piece says what the row of its table says.
TEST(BuildDrawing, HasNoNumberThatTheTablesDoNotHave) {
  Analysis a = built({{"parse", 1}, {"autotuning", 5}, {"engine generation", 6}}, 10);
  a.build_time.clock = TuningClock::stamps;
  a.build_time.layers = {tuned("x", 3), tuned("y", 1)};
  a.build_time.layers_s = 4;
  const Document document = build_document(a, 10);
  std::size_t seen = 0;
  for (const Drawing* drawing : blocks_of<Drawing>(document, "build-time")) {
    for (const PieceRow& row : drawing->rows) {
      for (const Piece& piece : row.pieces) {
        for (const Table* table : blocks_of<Table>(document, "build-time")) {
          if (table->name != piece.table) continue;
          EXPECT_EQ(table->rows.cell(piece.row, 1).text, piece.text) << piece.label;
          EXPECT_THAT(drawing->alt, HasSubstr(piece.label + " " + piece.text));
          ++seen;
        }
      }
    }
  }
  EXPECT_EQ(seen, 6U);  // parse, engine generation, the rest, autotuning, x, y
}

// What calibrates builds an engine first, all of it within the construction of the graph.
TEST(BuildDrawing, ACalibrationStandsInTheGraphsConstruction) {
  const Analysis a = built({{"parse", 1},
                            {"autotuning", 2},
                            {"engine generation", 3},
                            {"calibration", 4},
                            {"graph construction", 5},
                            {"autotuning", 11},
                            {"engine generation", 12}},
                           20);
  const std::vector<Drawing> drawings = drawings_of(a, "build-time");
  ASSERT_EQ(drawings.size(), 1U);
  EXPECT_THAT(
      pieces(drawings[0].rows[0]),
      ElementsAre("parse 0.00+0.05 stages 0", "graph construction 0.05+0.25 stages 4",
                  "engine generation 0.30+0.60 stages 6", "in no stage 0.90+0.10 stages 7"));
  EXPECT_THAT(pieces(drawings[0].rows[1]),
              ElementsAre("calibration 0.10+0.20 stages 3", "autotuning 0.35+0.55 stages 5"));
}

TEST(BuildDrawing, OfTwoTuningsTheLayersAreNotPlaced) {
  Analysis a = built(
      {{"autotuning", 2}, {"engine generation", 3}, {"autotuning", 4}, {"engine generation", 5}},
      8);
  a.build_time.clock = TuningClock::runners;
  a.build_time.layers = {tuned("x", 3)};
  a.build_time.layers_s = 3;
  const std::vector<Drawing> drawings = drawings_of(a, "build-time");
  ASSERT_EQ(drawings.size(), 1U);
  EXPECT_EQ(drawings[0].rows.size(), 2U);
}

TEST(BuildDrawing, LayersDoNotLeaveTheirStage) {
  Analysis a = built({{"autotuning", 2}, {"engine generation", 4}}, 4);
  a.build_time.clock = TuningClock::stamps;
  a.build_time.layers = {tuned("x", 1.5), tuned("y", 1)};
  a.build_time.layers_s = 2.5;
  const std::vector<Drawing> drawings = drawings_of(a, "build-time");
  ASSERT_EQ(drawings.size(), 1U);
  EXPECT_THAT(pieces(drawings[0].rows[2]), ElementsAre("x 0.50+0.38 tuning 0"));
}

TEST(BuildDrawing, IsNotThereWithoutTimes) {
  EXPECT_THAT(drawings_of(built({}, 10), "build-time"), IsEmpty());
  EXPECT_THAT(drawings_of(built({{"deserialize", 3}}, std::nullopt), "build-time"), IsEmpty());
  EXPECT_THAT(drawings_of(built({{"parse", 1}}, 1), "build-time"), IsEmpty());
}

TEST(BuildStages, TheRestIsARowFromHalfAPercentOn) {
  const auto last_row = [](double whole_s) {
    const Analysis a = built({{"parse", 1}, {"engine generation", 98.5}}, whole_s);
    const Document document = build_document(a, 10);
    const Table* table = table_of(document, "build-time", "Stages");
    return texts(table->rows[table->rows.size() - 1]);
  };
  EXPECT_THAT(last_row(100), ElementsAre("in no stage that the log names", "0.50 s", "0.5 %"));
  EXPECT_EQ(last_row(99.99)[0], "engine generation");
}

Analysis holding() {
  Analysis a;
  Memory& memory = a.build.memory;
  memory.weights_bytes = 10 * kMiB;
  memory.activation_bytes = 30 * kMiB;
  memory.scratch_bytes = 15 * kMiB;
  memory.host_persistent_bytes = 4 * kMiB;
  memory.device_persistent_bytes = 0;
  return a;
}

TEST(SizesDrawing, StacksWhatIsKnown) {
  const std::vector<Drawing> drawings = drawings_of(holding(), "memory");
  ASSERT_EQ(drawings.size(), 1U);
  ASSERT_EQ(drawings[0].rows.size(), 3U);
  EXPECT_THAT(pieces(drawings[0].rows[0]),
              ElementsAre("Weights 0.00+0.25 sizes 0", "Activations 0.25+0.75 sizes 1"));
  EXPECT_THAT(pieces(drawings[0].rows[1]), ElementsAre("Scratch 0.25+0.38 sizes 2"));
  EXPECT_THAT(pieces(drawings[0].rows[2]), ElementsAre("Persistent, host 0.00+0.10 sizes 3"));
  EXPECT_EQ(drawings[0].alt,
            "On the GPU: Weights 10.0 MiB, Activations 30.0 MiB; of the activations: Scratch 15.0 "
            "MiB; on the host: Persistent, host 4.0 MiB.");
}

TEST(SizesDrawing, NeedsTwoSizes) {
  Analysis a = holding();
  a.build.memory = {};
  a.build.memory.activation_bytes = kMiB;
  EXPECT_THAT(drawings_of(a, "memory"), IsEmpty());
  a.build.memory.weights_bytes = kMiB;
  EXPECT_EQ(drawings_of(a, "memory").size(), 1U);
}

MemoryStep step(const char* phase, std::optional<std::int64_t> gpu,
                std::optional<std::int64_t> cpu) {
  MemoryStep one;
  one.phase = phase;
  if (gpu) one.gpu_now_bytes = *gpu * kMiB;
  if (cpu) one.cpu_now_bytes = *cpu * kMiB;
  return one;
}

// The device's memory and that of TensorRT's allocators are two quantities.
TEST(StepDrawing, IsOneOfTheDeviceAndOneOfTheAllocators) {
  Analysis a;
  a.build.memory.steps = {step("Init CUDA", 100, 20), step("Init cuBLAS", 400, {}),
                          step("TensorRT-managed allocation in building engine", 5, 1),
                          step("TensorRT-managed allocation in engine deserialization", 10, 0)};
  const std::vector<Drawing> drawings = drawings_of(a, "memory");
  ASSERT_EQ(drawings.size(), 2U);
  EXPECT_EQ(drawings[0].most, "400 MiB");
  EXPECT_THAT(drawings[0].lines[0].heights, ElementsAre(0.25, 1.0));
  EXPECT_THAT(drawings[0].lines[1].heights, ElementsAre(0.05, std::nullopt));
  EXPECT_THAT(pieces(drawings[0].rows[0]),
              ElementsAre("Init CUDA 0.00+0.50 steps 0", "Init cuBLAS 0.50+0.50 steps 1"));
  EXPECT_EQ(drawings[0].rows[0].pieces[1].text, "GPU 400 MiB, CPU unknown");
  EXPECT_EQ(drawings[1].most, "10.0 MiB");
  EXPECT_THAT(pieces(drawings[1].rows[0]), ElementsAre("building engine 0.00+0.50 steps 2",
                                                       "engine deserialization 0.50+0.50 steps 3"));
  a.build.memory.steps.resize(1);
  EXPECT_THAT(drawings_of(a, "memory"), IsEmpty());
}

std::string html(const Analysis& a) {
  return render(writer_html, build_document(a, 10), WriterOptions());
}

TEST(HtmlDrawing, PiecesAreAsWideAsTheyAreLargeAndNameTheirRow) {
  const std::string page =
      html(built({{"parse", 25}, {"graph \" <optimization>", 25}, {"autotuning", 40}}, 100));
  EXPECT_THAT(page, HasSubstr("<svg x=\"25.00%\" y=\"16\" width=\"25.00%\" class=\"piece odd\" "
                              "data-row=\"stages-1\"><title>graph &quot; &lt;optimization&gt;: "
                              "25.0 s</title>"));
  EXPECT_THAT(page, HasSubstr(" data-table=\"stages\">"));
  EXPECT_THAT(html(Analysis()), Not(HasSubstr("<figure class=\"pieces\"")));
}

TEST(HtmlDrawing, ALabelIsWrittenWhereItFits) {
  const std::string page =
      html(built({{"parse", 3}, {"autotuning", 20}, {"calibration", 77}}, 100));
  EXPECT_THAT(page, Not(HasSubstr(">parse</text>")));
  EXPECT_THAT(page, Not(HasSubstr(">parse 3")));
  // Of a bar that is too short for its name the name stands beside it.
  Analysis one = holding();
  one.build.memory.host_persistent_bytes = 1024;
  EXPECT_THAT(html(one), HasSubstr("<text x=\"0.20%\" dx=\"5\" y=\"16\" class=\"beside\">"
                                   "Persistent, host 1.0 KiB</text>"));
  EXPECT_THAT(page, HasSubstr("class=\"in minor\">autotuning 20.0 s</text>"));
  EXPECT_THAT(page,
              HasSubstr("<text x=\"0\" dx=\"5\" y=\"16\" class=\"in\">calibration 77.0 s</text>"));
}

TEST(HtmlDrawing, AStepHoldsUntilTheNextAndTheUnknownIsAGap) {
  Analysis a;
  a.build.memory.steps = {step("a", 100, 50), step("b", 50, {}), step("c", 100, 100)};
  const std::string page = html(a);
  EXPECT_THAT(page,
              HasSubstr("class=\"line-1\" d=\"M0.0 1.0H333.3L333.3 50.0H666.7L666.7 1.0H1000.0\""));
  EXPECT_THAT(page, HasSubstr("class=\"line-2\" d=\"M0.0 50.0H333.3M666.7 1.0H1000.0\""));
}

}  // namespace
}  // namespace trtlens::drawings_test
