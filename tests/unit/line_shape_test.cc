// Shapes of lines: what stays, what is folded, and that memory stays bounded.
#include "parsers/log/lint/line_shape.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "parsers/log/lint/shape_counter.h"

namespace trtlens::line_shape_test {
namespace {

using Pair = std::pair<const char*, const char*>;

TEST(LineShape, KeepsWordsAndFoldsWhatVaries) {
  const std::vector<Pair> cases = {
      {"Loaded 1048576 bytes of code generator cache.",
       "Loaded <n> bytes of code generator cache."},
      {"Tactic: 0x0000000000000014 Time: 0.0389486", "Tactic: <hex> Time: <n>"},
      {"Id abcdef0123456789 or 0xabcdefABCDEF", "Id <hex> or <hex>"},
      {"Took 12.5ms, peak 34 MiB, 1e-05 s, -1, +3, 50%, nan",
       "Took <n>ms, peak <n> MiB, <n> s, <n>, …"},
      {"Read cache_v2.bin from /home/ann/secret/model.onnx", "Read <name> from <name>"},
      {"Open C:\\Users\\ann\\m.onnx", "Open <name>"},
      {"Parsing node: backbone [Conv]", "Parsing node: <name> [<…>]"},
      {"Layer(Reformat): /m/conv1/Conv, Tactic: 0x3ea, in[Float(1,3)] -> out[Half(1,3)]",
       "Layer(<…>): <name>, Tactic: <hex>, in[<…>] -> out[<…>]"},
      {"Combination: Float(9,3,1) -> Half(9,3:4,1)", "Combination: <type>(<…>) -> <type>(<…>)"},
      {"Fusing conv1 + bn + relu [Shuffle] with 'add 3'", "Fusing <name> with '<text>'"},
      {"Skip /m/a /m/b 2a, (Unnamed Layer* 3) [Shuffle] now", "Skip <name>, (<…>) [<…>] now"},
      {"[MemUsageChange] Init CUDA: CPU +12, GPU +0",
       "[MemUsageChange] Init CUDA: CPU <n>, GPU <n>"},
      {"mode=fast size=12 out=(1, 2) name=secret", "mode=<name> size=<n> out=(<…>) name=<name>"},
      {"inputs a1, b2, c3, d4 of T", "inputs <name>, … of T"},
      {"Q/DQ pass non-conforming layers --fp16 doesn't",
       "Q/DQ pass non-conforming layers --fp16 doesn't"},
      {"=============== Computing", "=== Computing"},
      {"Don't split 'it", "Don't split <name>"},
      {"Missing close (of 3", "Missing close <name> <n>"},
      {"", ""},
      {"   ", ""},
  };
  for (const auto& [body, shape] : cases) EXPECT_EQ(line_shape(body), shape) << body;
}

TEST(LineShape, HidesNamesOfOtherAlphabetsAndControls) {
  EXPECT_EQ(line_shape("Skip \xE5\xB1\x82 now"), "Skip <name> now");
  EXPECT_EQ(line_shape("Skip a\x1b[31mb\x01 now"), "Skip <name> now");
  EXPECT_EQ(line_shape(std::string("Skip \x01(\x01)\x02 now")), "Skip <name> now");
}

TEST(LineShape, LongLinesAreCutInBoundedTime) {
  const std::string open(1 << 20, '(');
  EXPECT_LE(line_shape("x " + open).size(), 400U);
  const std::string quotes(1 << 20, '\'');
  EXPECT_LE(line_shape("x " + quotes).size(), 400U);
  std::string words;
  for (int i = 0; i < 5000; ++i) words += "word ";
  EXPECT_LE(line_shape(words).size(), 400U);
  EXPECT_EQ(line_shape("Bindings: " + std::string(5000, 'a')), "Bindings: <name> …");
}

std::string letters(std::size_t n) {
  std::string word = "q";
  for (; n > 0; n /= 26) word += static_cast<char>('a' + n % 26);
  return word;
}

LineShape line(std::uint64_t number) {
  LineShape shape;
  shape.first.line = number;
  return shape;
}

TEST(ShapeCounter, CountsAndOrders) {
  ShapeCounter counter;
  counter.add(line(1), "Rare thing 1");
  counter.add(line(2), "Common thing 1 of 3");
  counter.add(line(3), "Common thing 2 of 3");
  LineShape other = line(4);
  other.line_class = LineClass::malformed;
  other.near = "tactic-time";
  counter.add(other, "Common thing 1 of 3");
  const std::vector<LineShape> shapes = counter.finish();
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_EQ(shapes[0].shape, "Common thing <n> of <n>");
  EXPECT_EQ(shapes[0].count, 2U);
  EXPECT_EQ(shapes[0].first.line, 2U);
  EXPECT_EQ(shapes[1].first.line, 1U);
  EXPECT_EQ(shapes[2].near, "tactic-time");
  EXPECT_EQ(counter.lines_left_out(), 0U);
}

// Layers may be called by plain words.
TEST(ShapeCounter, ManyPlainNamesAreOneShape) {
  ShapeCounter counter;
  constexpr std::uint64_t kNames = 100000;
  for (std::uint64_t i = 0; i < kNames; ++i) {
    counter.add(line(i + 1), "Removing layer " + letters(i) + " from graph");
  }
  const std::vector<LineShape> shapes = counter.finish();
  ASSERT_EQ(shapes.size(), 1U);
  EXPECT_EQ(shapes[0].shape, "Removing layer <name> from graph");
  EXPECT_EQ(shapes[0].count, kNames);
  EXPECT_EQ(shapes[0].first.line, 1U);
}

TEST(ShapeCounter, NamesInSeveralPlaces) {
  ShapeCounter counter;
  constexpr std::uint64_t kNames = 30000;
  for (std::uint64_t i = 0; i < kNames; ++i) {
    counter.add(line(i + 1), "Moving " + letters(i) + " before " + letters(i * 17) + ", again");
  }
  counter.add(line(kNames + 1), "Moving ? before x, again");  // "?" is no word
  counter.add(line(kNames + 2), "Moving ? ? ?, again");
  const std::vector<LineShape> shapes = counter.finish();
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_EQ(shapes[0].shape, "Moving <name> before <name>, again");
  EXPECT_EQ(shapes[0].count, kNames);
}

TEST(ShapeCounter, APlainNameBesideANameIsFolded) {
  ShapeCounter counter;
  counter.add(line(1), "Removing layer backbone from graph");
  counter.add(line(2), "Removing layer conv_1 from graph");
  const std::vector<LineShape> shapes = counter.finish();
  ASSERT_EQ(shapes.size(), 1U);
  EXPECT_EQ(shapes[0].shape, "Removing layer <name> from graph");
  EXPECT_EQ(shapes[0].count, 2U);
}

TEST(ShapeCounter, AFewDifferentWordsStay) {
  ShapeCounter counter;
  for (const char* body : {"Starting the build", "Finished the build", "Aborted the build"}) {
    counter.add(line(1), body);
  }
  EXPECT_EQ(counter.finish().size(), 3U);
}

// What cannot be merged is counted all the same.
TEST(ShapeCounter, NothingInCommonIsCapped) {
  ShapeCounter counter;
  constexpr std::uint64_t kLines = 12000;
  for (std::uint64_t i = 0; i < kLines; ++i) {
    LineShape each = line(i + 1);
    each.near = letters(i);
    counter.add(each, "Thing");
  }
  std::uint64_t counted = 0;
  const std::vector<LineShape> shapes = counter.finish();
  for (const LineShape& s : shapes) counted += s.count;
  EXPECT_EQ(shapes.size(), ShapeCounter::kMaxShapes);
  EXPECT_EQ(counter.lines_left_out(), kLines - ShapeCounter::kMaxShapes);
  EXPECT_EQ(counted + counter.lines_left_out(), kLines);
}

}  // namespace
}  // namespace trtlens::line_shape_test
