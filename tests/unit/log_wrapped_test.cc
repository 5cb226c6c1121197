// A list of layers in the one-line form that a terminal wrapped (format-cases.md 66).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/log_sample.h"

namespace trtlens::log_wrapped_test {
namespace {

std::string tensor(const std::string& name) {
  return "{ Name: " + name +
         ", Location: Device, Dimensions: [1,64,56,56], Format/Datatype: "
         "Channel major FP16 format where channel % 8 == 0 }";
}
std::string layer(const std::string& name, const std::string& tail) {
  return "Name: " + name + ", LayerType: CaskConvolution, Inputs: [ " + tensor("in of " + name) +
         "], Outputs: [ " + tensor("out of " + name) +
         "], ParameterType: Convolution, Kernel: [3,3], Weights: {\"Type\": \"Half\", \"Count\": "
         "36864}, TacticName: sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc, "
         "TacticValue: 0x5b8bf1b8028629d9" +
         tail;
}
// 10.x; 8.x; a name of many bytes and few characters.
std::vector<std::string> list() {
  return {layer("conv1 + relu1", ", StreamId: 0, Metadata: [ONNX Layer: conv1][ONNX Layer: relu1]"),
          layer("/model/layers.0/conv2", ""), layer("conv3", ", StreamId: 0, Metadata: "),
          layer("caf\u00e9\u00e9\u00e9\u00e9", ", StreamId: 0, Metadata: [ONNX Layer: caf\u00e9]")};
}

std::string wrapped(const std::string& line, std::size_t columns) {
  std::string text;
  std::size_t column = 0;
  for (const char c : line) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (begins && column++ == columns) {
      text += '\n';
      column = 1;
    }
    text += c;
  }
  return text + "\n";
}

ParsedLog parse_list(const std::vector<std::string>& lines, std::size_t columns,
                     Way way = Way::usual) {
  std::string text = running("--onnx=m.onnx --dumpLayerInfo") + own_lines({"Layers:"});
  for (const std::string& line : lines) text += wrapped(line, columns);
  return parse_log(text + "\nBindings:\nx\ny\n" + own_lines({"Engine built in 8.1 sec."}), 100,
                   way);
}

void expect_same(const Build& a, const Build& b) {
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    const Layer &x = a.layers[i], &y = b.layers[i];
    EXPECT_EQ(x.name.str(), y.name.str());
    EXPECT_EQ(x.inputs.size(), y.inputs.size());
    EXPECT_EQ(x.outputs.size(), y.outputs.size());
    EXPECT_EQ(x.tactic_name.str(), y.tactic_name.str());
    EXPECT_EQ(x.tactic_id, y.tactic_id);
    EXPECT_EQ(x.metadata.str(), y.metadata.str());
  }
  EXPECT_EQ(a.engine_build_s, b.engine_build_s);
}

TEST(WrappedLayers, AtAnyWidth) {
  const ParsedLog whole = parse_list(list(), 100000);
  ASSERT_EQ(whole.build().layers.size(), 4U);
  EXPECT_EQ(whole.result.coverage.of(LineClass::malformed), 0U);
  for (std::size_t columns = 40; columns < 560; ++columns) {
    SCOPED_TRACE(columns);
    const ParsedLog log = parse_list(list(), columns);
    ASSERT_NO_FATAL_FAILURE(expect_same(whole.build(), log.build()));
    EXPECT_EQ(log.result.coverage.of(LineClass::malformed), 0U);
    EXPECT_EQ(log.result.coverage.of(LineClass::foreign), 0U);
  }
}

TEST(WrappedLayers, HoweverTheLogIsRead) {
  for (const Way way : {Way::usual, Way::no_short_cuts}) {
    expect_same(parse_list(list(), 100000).build(), parse_list(list(), 120, way).build());
  }
}

// The place of a layer is that of its first piece.
TEST(WrappedLayers, KeepTheirPlaces) {
  const ParsedLog log = parse_list(list(), 200);
  EXPECT_EQ(log.lines[2].kind, "layer-oneline");
  EXPECT_EQ(log.lines[3].line_class, LineClass::continuation);
  EXPECT_EQ(log.build().layers[0].pos.line, 3U);
}

// A list of names is one of layers, however they begin and whatever their lengths.
TEST(WrappedLayers, NamesAreNoRests) {
  const std::string long_name(80, 'x');
  const ParsedLog names =
      parse_list({"Name: " + long_name, long_name, "conv1", "Name: conv2", "conv3"}, 100000);
  EXPECT_EQ(names.build().layers.size(), 5U);
  EXPECT_EQ(names.build().layers[0].name.str(), "Name: " + long_name);
  const ParsedLog mixed = parse_list({list()[0], "conv5", list()[1], "conv6"}, 100000);
  EXPECT_EQ(mixed.build().layers.size(), 4U);
}

// What another stream prints between two pieces, or the end of the log, ends the layer; no piece
// of it becomes a layer.
// What is put together is a layer or a malformed line, never nothing.
TEST(WrappedLayers, CutOff) {
  const std::string begin = running("--onnx=m.onnx --dumpLayerInfo") + own_lines({"Layers:"});
  const std::string pieces = wrapped(list()[0], 100);
  std::size_t whole = 0, lost = 0;
  for (std::size_t end = 1; end <= pieces.size(); end += 37) {
    SCOPED_TRACE(end);
    const ParsedLog log =
        parse_log(begin + pieces.substr(0, end) + "\n" + own_lines({"Engine built in 8.1 sec."}));
    const std::uint64_t malformed = log.result.coverage.of(LineClass::malformed);
    EXPECT_EQ(log.build().layers.size() + malformed, 1U);
    EXPECT_EQ(log.build().engine_build_s, 8.1);
    if (malformed == 0 && end > 101) {
      EXPECT_EQ(log.build().layers[0].name, "conv1 + relu1");
    }
    ++(malformed > 0 ? lost : whole);
  }
  EXPECT_GT(whole, 0U);
  EXPECT_GT(lost, 0U);
  EXPECT_EQ(parse_log(begin + pieces).build().layers.at(0).name, "conv1 + relu1");
}

// Every piece begins as a tensor does: few are tried, so that a megabyte of them takes no minutes.
TEST(WrappedLayers, PiecesThatBeginAsTensorsAreFew) {
  std::string text = running("--onnx=m.onnx --dumpLayerInfo") + own_lines({"Layers:"});
  text += layer("conv", "").substr(0, 80) + "\n";
  const std::string piece = "Name: " + std::string(74, 'b') + "\n";
  for (int i = 0; i < 20000; ++i) text += piece;
  const ParsedLog log = parse_log(text);
  EXPECT_EQ(log.result.coverage.lines(), log.result.lines);
  EXPECT_GT(log.result.coverage.of(LineClass::malformed) + log.build().layers.size(), 500U);
}

}  // namespace
}  // namespace trtlens::log_wrapped_test
