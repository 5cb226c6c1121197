// Words in a text.
#include "analyzers/text.h"

#include <gtest/gtest.h>

namespace trtlens::analyzers_text_test {
namespace {

TEST(HoldsIgnoringCase, AtTheBeginningInsideAndAtTheEnd) {
  EXPECT_TRUE(holds_ignoring_case("MaxPool_3", "maxpool"));
  EXPECT_TRUE(holds_ignoring_case("/a/maxpool/x", "MaxPool"));
  EXPECT_TRUE(holds_ignoring_case("/a/MaMaxPool", "MaxPool"));
  EXPECT_TRUE(holds_ignoring_case("Z[az", "z[AZ"));
  EXPECT_TRUE(holds_ignoring_case("a", ""));
}

TEST(HoldsIgnoringCase, NotBeyondTheEndNorByOtherSigns) {
  EXPECT_FALSE(holds_ignoring_case("/a/MaxPoo", "MaxPool"));
  EXPECT_FALSE(holds_ignoring_case("", "a"));
  EXPECT_FALSE(holds_ignoring_case("a{b", "a[b"));  // 32 apart, and no letters
}

}  // namespace
}  // namespace trtlens::analyzers_text_test
