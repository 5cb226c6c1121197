// Counting and comparing of shared texts and lists.
#include "parsers/model/shared_value.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "parsers/json/collector.h"
#include "parsers/text/shared_texts.h"

namespace trtlens::shared_value_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SharedText, CopiesAreOneTextAndOutliveTheFirst) {
  SharedText copy;
  const std::string* place = nullptr;
  {
    const SharedText first("Row major Int8 format");
    place = &first.str();
    copy = first;
  }
  EXPECT_EQ(&copy.str(), place);
  EXPECT_EQ(copy, "Row major Int8 format");
  const SharedText moved = std::move(copy);
  EXPECT_EQ(&moved.str(), place);
}

TEST(SharedText, OfNothingIsEmpty) {
  EXPECT_TRUE(SharedText().empty());
  EXPECT_TRUE(SharedText(std::string()).empty());
  EXPECT_EQ(SharedText(), SharedText(""));
  EXPECT_EQ(SharedText().str(), "");
}

TEST(SharedText, ComparesByContent) {
  const SharedText a("x"), b("x");
  EXPECT_NE(&a.str(), &b.str());
  EXPECT_EQ(a, b);
  EXPECT_TRUE(a < SharedText("y"));
  EXPECT_EQ(a + "y", "xy");
}

TEST(Dims, WritingLeavesTheCopiesAlone) {
  const Dims first{1, 3, 224, 224};
  Dims copy = first;
  EXPECT_EQ(&copy.values(), &first.values());
  copy[0] = -1;
  EXPECT_THAT(first, ElementsAre(1, 3, 224, 224));
  EXPECT_THAT(copy.values(), ElementsAre(-1, 3, 224, 224));
  for (std::int64_t& dim : copy) dim = 7;
  EXPECT_THAT(first, ElementsAre(1, 3, 224, 224));
  EXPECT_THAT(copy.values(), ElementsAre(7, 7, 7, 7));
  EXPECT_THAT(Dims().values(), IsEmpty());
}

TEST(RecentTexts, KeepOneOfEqualTexts) {
  json_detail::RecentTexts texts;
  const SharedText first = texts.text("/conv1/Conv_output_0");
  EXPECT_EQ(&texts.text("/conv1/Conv_output_0").str(), &first.str());
  // More than there is room for: forgotten, not mixed up.
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "t" + std::to_string(i);
    ASSERT_EQ(texts.text(name), name);
  }
  EXPECT_EQ(first, "/conv1/Conv_output_0");
  EXPECT_TRUE(texts.text("").empty());
}

TEST(RecentDims, KeepOneOfEqualDims) {
  json_detail::RecentDims lists;
  const Dims first = lists.dims({1, 64, 56, 56});
  EXPECT_EQ(&lists.dims({1, 64, 56, 56}).values(), &first.values());
  for (std::int64_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(lists.dims({i, 2 * i}), (Dims{i, 2 * i}));
  }
  EXPECT_TRUE(lists.dims({}).empty());
}

// One of the last digit that is shown, of six at least.
TEST(Quantum, IsOneOfTheLastDigit) {
  for (const char* text :
       {"1", "10", "0.1", "0.00647127", "9.79103", "999999", "999999.5", "1000000", "0.0001234567",
        "12.5000", "0.50", "123456789.25", "0.00000099999949", "9.99999999999999",
        "9.9999999999999999", "0.1234567890123456789", "1e-05", "1.5e+07"}) {
    const double value = std::strtod(text, nullptr);
    std::string digits;
    for (const char* c = text; *c != '\0' && *c != 'e'; ++c) {
      if (*c >= '0' && *c <= '9' && (!digits.empty() || *c != '0')) digits += *c;
    }
    const int shown = std::min(std::max(static_cast<int>(digits.size()), 6), 17);
    const std::string printed = fmt::format("{:.{}e}", value, shown - 1);
    const std::string exponent = printed.substr(printed.find('e') + 1);
    const std::string power = "1e" + std::to_string(std::stoi(exponent) - shown + 1);
    EXPECT_EQ(json_detail::quantum_of(value, text), std::strtod(power.c_str(), nullptr)) << text;
  }
}

}  // namespace
}  // namespace trtlens::shared_value_test
