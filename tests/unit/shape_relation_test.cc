// What two shapes that do not fit together have to do with each other.
#include <gtest/gtest.h>

#include "analyzers/rules/engine/shape_relation.h"
#include "tests/unit/message_case.h"

namespace trtlens::shape_relation_test {
namespace {

using message_rules::difference_of;
using message_rules::ShapeRelation;
using test::Case;

void expect(const char* one, const char* other, ShapeRelation relation, const char* text) {
  SCOPED_TRACE(std::string(one) + " " + other);
  EXPECT_EQ(difference_of(one, other).relation, relation);
  EXPECT_EQ(difference_of(one, other).text, text);
}

TEST(ShapeRelation, IsToldByTheSizes) {
  expect("[1,24,136,240]", "[1,24,135,240]", ShapeRelation::by_one, "136 and 135");
  expect("[128,100,88]", "[128,99,87]", ShapeRelation::by_one, "100 and 99");
  expect("[8,2,3]", "[8,1,3]", ShapeRelation::none, "");  // 1 is broadcast
  expect("[8,3,3]", "[8,2,3]", ShapeRelation::by_one, "3 and 2");
  expect("[8,9,9]", "[8,7,9]", ShapeRelation::none, "");
  expect("[256,28,28]", "[1,256,28,28]", ShapeRelation::by_batch, "[1,256,28,28]");
  expect("[1,256,28,28]", "[256,28,28]", ShapeRelation::by_batch, "[1,256,28,28]");
  expect("[256,28,28]", "[2,256,28,28]", ShapeRelation::none, "");
  expect("[128,80,80]", "[128,160,160]", ShapeRelation::by_scale, "2");
  expect("[128,80,80]", "[128,160,240]", ShapeRelation::none, "");
  expect("[9,64,8,8]", "[1,64,8,8]", ShapeRelation::by_batch_size, "9 and 1");
  expect("[2,64,8,8]", "[3,64,8,8]", ShapeRelation::by_batch_size, "2 and 3");
  expect("[9,64,8,8]", "[1,32,8,8]", ShapeRelation::none, "");
  expect("[9,8,8]", "[1,8,8]", ShapeRelation::none, "");  // may be channels
  expect("[4,4]", "[4,4]", ShapeRelation::none, "");
}

TEST(ShapeRelation, WhatIsNoShapeHasNone) {
  for (const char* text : {"", "[", "[]", "[a]", "[1,2", "1,2]", "[1;2]", "[1,,2]", "[1 2]",
                           "[99999999999999999999,2]"}) {
    expect(text, "[1,2]", ShapeRelation::none, "");
    expect("[2,2]", text, ShapeRelation::none, "");
  }
}

Finding finding_of(const std::string& one, const std::string& other) {
  Case c;
  c.error(
      "_107: elementwise inputs must have same dimensions or follow broadcast rules (input "
      "dimensions were " +
      one + " and " + other + ").");
  return c.findings().at(0);
}

std::string first_step(const std::string& one, const std::string& other) {
  return finding_of(one, other).remedies.at(0);
}

TEST(ShapeRelation, StandsBehindTheShapes) {
  const std::string rule =
      ". From the last dimension on, each must be equal or 1, and both need the same number of "
      "dimensions.";
  EXPECT_EQ(finding_of("[1,24,136,240]", "[1,24,135,240]").why,
            "Its inputs are [1,24,136,240] and [1,24,135,240]: they differ by one, 136 and 135, as "
            "when an odd size is halved and doubled again" +
                rule);
  EXPECT_EQ(finding_of("[8,4]", "[8,8]").why,
            "Its inputs are [8,4] and [8,8]: one is larger by a factor of 2, so a resize or stride "
            "differs" +
                rule);
  EXPECT_EQ(finding_of("[8,3]", "[8,5]").why, "Its inputs are [8,3] and [8,5]" + rule);
}

TEST(ShapeRelation, DecidesTheFirstAdvice) {
  EXPECT_EQ(first_step("[1,24,136,240]", "[1,24,135,240]"),
            "Use an input height and width that the network's stride divides, mostly a multiple of "
            "32: 136 and 135 differ by one.");
  EXPECT_EQ(first_step("[1,8,8]", "[8,8]"),
            "Find what adds or drops the batch of [1,8,8]: a constant, or an operation that the "
            "converter does not know.");
  EXPECT_EQ(first_step("[1,8,8]", "[1,5,8]").find("Use an input"), std::string::npos);
}

// Such sizes tell the causes of a guessed rule apart: the check is not the first step.
TEST(ShapeRelation, TellsTheCausesApart) {
  const auto confidence = [](const std::string& other) {
    Case c;
    c.error(
        "(Unnamed Layer* 189) [Concatenation]: all concat input tensors must have the same number "
        "of dimensions, but mismatch at input 4. Input 0 shape: [256,28,28], Input 4 shape: " +
        other);
    return c.findings().at(0).confidence;
  };
  EXPECT_EQ(confidence("[1,256,28,28]"), Confidence::inferred);
  EXPECT_EQ(confidence("[256,27,28]"), Confidence::inferred);
  EXPECT_EQ(confidence("[256,28,28,4]"), Confidence::guessed);
  EXPECT_EQ(confidence("[256,56,56]"), Confidence::guessed);
}

}  // namespace
}  // namespace trtlens::shape_relation_test
