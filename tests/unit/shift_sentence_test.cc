// The sentence on what moved the profile from one side to the other, and the pairs it rests on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/compare/comparison.h"
#include "tests/unit/build_maker.h"

namespace trtlens::shift_sentence_test {
namespace {

using test::build_of;
using test::conv;
using test::layer;
using test::quantize;
using test::tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr DataType kF = DataType::fp32;
constexpr DataType kH = DataType::fp16;
constexpr DataType kI = DataType::int8;

Comparison compare_builds(Build base, Build candidate) {
  std::vector<Analysis> b, c;
  b.push_back(test::analyze_build(std::move(base)));
  c.push_back(test::analyze_build(std::move(candidate)));
  return compare(std::move(b), std::move(c), {});
}

Layer work(const std::string& name, const std::string& node, double ms) {
  Layer l = conv(name, {tensor(name + " in", kH)}, tensor(name + " out", kH), kH, ms);
  l.onnx_nodes = {node};
  return l;
}

Layer add(const std::string& name, double ms) {
  Layer l = layer(name, "PointWise", {tensor(name + " in", kH)}, {tensor(name + " out", kH)}, ms);
  l.parameter_type = "PointWise";
  l.onnx_nodes = {name};
  return l;
}

TEST(ShiftSentence, CountsTheKernelsOfOneSide) {
  const auto with = [](std::vector<Layer> more) {
    std::vector<Layer> layers = {work("/a/Conv", "/a/Conv", 1)};
    for (Layer& l : more) layers.push_back(std::move(l));
    return build_of(std::move(layers));
  };
  const Build plain = with({});
  const Build adds = with({add("/b/Add", 0.1), add("/c/Add", 0.2)});
  EXPECT_EQ(compare_builds(adds, plain).cause,
            "The layers take 0.300 ms less: 2 element-wise kernels gone (-0.300 ms).");
  EXPECT_EQ(compare_builds(plain, adds).cause,
            "The layers take 0.300 ms more: 2 new element-wise kernels (+0.300 ms).");
  EXPECT_EQ(compare_builds(with({work("/d/Conv", "/d/Conv", 0.4)}), plain).cause,
            "The layers take 0.400 ms less: 1 kernel gone (-0.400 ms).");
}

// Every kernel with a time is in one part, and their times make its shift.
TEST(ShiftParts, AreMadeOfKernelsEachOnce) {
  Layer untimed = add("/u/Add", 0);
  untimed.time.reset();
  const Build base = build_of({work("/a/Conv", "/a/Conv", 1), add("/b/Add", 0.1), untimed,
                               quantize("q1", "/a/Conv out", "x", 0.2, kH)});
  const Build candidate =
      build_of({work("/a/Conv", "/a/Conv", 0.7), quantize("q1", "/a/Conv out", "x", 0.3, kH),
                quantize("q2", "x", "y", 0.4, kH), work("/c/Conv", "/c/Conv", 0.5)});
  const Comparison c = compare_builds(base, candidate);
  std::array<std::vector<std::size_t>, 2> seen;
  for (const ShiftPart& part : c.parts) {
    double shift_ms = 0;
    for (const std::size_t side : {0U, 1U}) {
      const Analysis& of = side == 0 ? c.base : c.candidate;
      for (const std::size_t i : part.layers.at(side)) {
        seen.at(side).push_back(i);
        shift_ms += (side == 0 ? -1 : 1) * of.build.layers[i].time->mean_ms;
      }
    }
    EXPECT_NEAR(shift_ms, part.delta_ms, 1e-12) << part.text;
  }
  EXPECT_THAT(seen[0], UnorderedElementsAre(0, 1, 3));
  EXPECT_THAT(seen[1], UnorderedElementsAre(0, 1, 2, 3));
  const auto conversions =
      std::ranges::find(c.parts, "2 Q/DQ kernels instead of 1", &ShiftPart::text);
  ASSERT_NE(conversions, c.parts.end());
  EXPECT_THAT(conversions->layers[0], ElementsAre(3));
  EXPECT_THAT(conversions->layers[1], ElementsAre(1, 2));
}

// Where as many kernels of one kind convert, only what the other kind has more or less is said.
TEST(ShiftSentence, ConversionsOfOneKindAreMoreOrFewer) {
  const auto with = [](int reformats, int quantizers) {
    std::vector<Layer> layers = {work("/a/Conv", "/a/Conv", 1)};
    for (int i = 0; i < reformats; ++i) {
      const std::string n = std::to_string(i);
      layers.push_back(
          test::reformat("r" + n, tensor("/a/Conv out", kH), tensor("y" + n, DataType::fp32), 0.1));
    }
    for (int i = 0; i < quantizers; ++i) {
      const std::string n = std::to_string(i);
      layers.push_back(quantize("q" + n, "/a/Conv out", "x" + n, 0.1, kH));
    }
    return build_of(std::move(layers));
  };
  const auto text = [&](const Build& base, const Build& candidate) {
    const Comparison c = compare_builds(base, candidate);
    return c.parts.empty() ? std::string() : c.parts.front().text;
  };
  EXPECT_EQ(text(with(2, 0), with(2, 5)), "5 more Q/DQ kernels");
  EXPECT_EQ(text(with(2, 2), with(2, 1)), "1 fewer Q/DQ kernel");
  EXPECT_EQ(text(with(1, 2), with(2, 2)), "1 more reformat");
  EXPECT_EQ(text(with(2, 0), with(3, 5)), "3 reformats and 5 Q/DQ kernels instead of 2 reformats");
}

// What tells the L2 cache what to keep has no arithmetic, and no type that could be unknown. Its
// name is a number of the build's: the type and the order tell the pairs.
TEST(ShiftSentence, BookkeepingOfARegionStaysPairs) {
  const auto with = [](const std::vector<std::string>& names, double ms) {
    std::vector<Layer> layers = {work("/a/Conv", "/a/Conv", 1)};
    for (const std::string& name : names) {
      layers.push_back(layer(name, "custom_layer", {tensor("policy", DataType::uint8)}, {}, ms));
    }
    return build_of(std::move(layers));
  };
  const Build base = with({"__mye7_myl0_0", "__mye8_myl0_9"}, 0.1);
  const std::string cause =
      compare_builds(base, with({"__mye27_myl4_0", "__mye30_myl4_7"}, 0.2)).cause;
  EXPECT_THAT(cause, HasSubstr("0.200 ms more: 2 layers without arithmetic"));
  EXPECT_THAT(cause, Not(HasSubstr("unknown")));
  // Of another number of them the order tells nothing.
  EXPECT_THAT(compare_builds(base, with({"__mye27_myl4_0"}, 0.1)).cause,
              HasSubstr("2 kernels gone (-0.200 ms)"));
}

// Version 8.6 says of every slice that a Split became that it is the Split; 8.5 of none.
TEST(ShiftSentence, KernelsOfOneNameStayPairs) {
  const auto slices = [](bool names_the_split, double ms) {
    std::vector<Layer> layers;
    for (const char* name : {"/Split", "/Split_3", "/Split_4"}) {
      layers.push_back(work(name, names_the_split ? "/Split" : name, ms));
    }
    return build_of(std::move(layers));
  };
  const Comparison c = compare_builds(slices(false, 0.1), slices(true, 0.1));
  ASSERT_THAT(c.groups, SizeIs(3));
  for (const LayerGroup& group : c.groups) {
    ASSERT_THAT(group.base, SizeIs(1));
    ASSERT_THAT(group.candidate, SizeIs(1));
    EXPECT_EQ(group.base[0], group.candidate[0]);
  }
  // A kernel that is new belongs to the Split as before.
  Build more = slices(true, 0.1);
  more.layers.push_back(work("/Split_5", "/Split", 0.1));
  EXPECT_THAT(compare_builds(slices(false, 0.1), std::move(more)).groups, SizeIs(3));
  // Other shapes under one name are other work.
  Build other = slices(true, 0.1);
  other.layers[1].outputs[0].dims = {1, 2, 3, 4};
  EXPECT_THAT(compare_builds(slices(true, 0.1), std::move(other)).groups, SizeIs(2));
}

// One side has a profile alone: names are all that a Q is known by.
TEST(ShiftSentence, ConversionsPairByNameWhereOneSideHasNoTensors) {
  Layer q = quantize("QuantizeLinear_7", "a out", "b in", 0.2, kH);
  std::vector<Layer> full = {work("a", "/a", 1), q, work("b", "/b", 1)};
  full[0].outputs[0].name = "a out";
  full[2].inputs[0] = tensor("b in", kI);
  std::vector<Layer> names;
  for (const Layer& l : full) {
    names.push_back(layer(l.name.str(), "", {}, {}, l.time->mean_ms));
    names.back().found_in = kFoundInProfile;
  }
  Build profile = build_of(std::move(names));
  profile.has_layer_info = false;
  const Comparison c = compare_builds(std::move(profile), build_of(std::move(full)));
  for (const LayerGroup& group : c.groups) {
    EXPECT_THAT(group.base, SizeIs(1));
    EXPECT_THAT(group.candidate, SizeIs(1));
    EXPECT_NEAR(group.delta_ms, 0, 1e-12);
  }
}

std::vector<Layer> with_loose_quantizers(double ms) {
  std::vector<Layer> layers = {work("a", "/a", 1)};
  for (const char* name : {"q1", "q2"}) layers.push_back(quantize(name, name, "x", ms, kF));
  return layers;
}

TEST(ShiftSentence, NamesAFindingOfTheSlowerSide) {
  const Build plain = build_of({work("a", "/a", 1)});
  const Build slow = build_of(with_loose_quantizers(0.2));
  EXPECT_THAT(compare_builds(plain, slow).cause,
              HasSubstr(" New: The network has Q/DQ, but no layer computes in INT8 or FP8."));
  EXPECT_THAT(compare_builds(slow, plain).cause,
              HasSubstr(" No longer: The network has Q/DQ, but no layer computes in INT8 or FP8."));
  // Names alone fire fewer rules: that says nothing of the engine.
  Build blind = build_of({layer("a", "", {}, {}, 1)});
  blind.has_layer_info = false;
  EXPECT_THAT(compare_builds(blind, slow).cause, Not(HasSubstr("New:")));
}

Build timed(double layers_ms, double query_ms, double enqueue_ms) {
  Build build = build_of({work("a", "/a", layers_ms)});
  test::set_query_times(build, query_ms, enqueue_ms);
  return build;
}

TEST(ShiftSentence, SaysWhereQueriesAndLayersDisagree) {
  const std::string moved = "The queries are slower, the layers faster";
  const Build fast = timed(1, 1, 0.1);
  EXPECT_THAT(
      compare_builds(fast, timed(0.9, 1.2, 1.2)).cause,
      HasSubstr(moved + ": the candidate waits for its launches. The layers take 0.1000 ms less"));
  EXPECT_THAT(
      compare_builds(fast, timed(0.9, 1.2, 0.1)).cause,
      HasSubstr(moved + ", which the inputs do not explain. The layers take 0.1000 ms less"));
  EXPECT_THAT(compare_builds(timed(1, 1, 1), timed(0.9, 1.2, 1.2)).cause,
              HasSubstr(moved + ": both sides wait for their launches. "));
  EXPECT_THAT(compare_builds(timed(0.9, 1.2, 1.2), fast).cause,
              HasSubstr("faster, the layers slower: the base waits for its launches. "));
  // Both the same way, or less than what matters (--threshold, 2 %).
  EXPECT_THAT(compare_builds(fast, timed(1.1, 1.2, 0.1)).cause, Not(HasSubstr("The queries")));
  EXPECT_THAT(compare_builds(fast, timed(0.9, 1.019, 0.1)).cause, Not(HasSubstr("The queries")));
  EXPECT_THAT(compare_builds(fast, timed(0.9, 1.021, 0.1)).cause, HasSubstr("The queries"));
}

}  // namespace
}  // namespace trtlens::shift_sentence_test
