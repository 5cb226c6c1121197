// Builds of a history as files for other engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "report/history/fleet_folder.h"
#include "report/history/fleet_rows.h"
#include "tests/temp_folder.h"

namespace trtlens::fleet_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Fleet, NamesOfFoldersHoldNothingThatAPathObeys) {
  EXPECT_EQ(folder_value("resnet18_b32.onnx"), "resnet18_b32.onnx");
  EXPECT_EQ(folder_value("a/b=c%~"), "a%2Fb%3Dc%25%7E");
  EXPECT_EQ(folder_value("\xc3\xbc\n*"), "%C3%BC%0A%2A");
  EXPECT_EQ(folder_value(""), "__HIVE_DEFAULT_PARTITION__");
}

TEST(Fleet, LongNamesOfFoldersAreCutAndStayDifferent) {
  const std::string most(200, 'a'), more(201, 'a');
  EXPECT_EQ(folder_value(most), most);
  EXPECT_EQ(folder_value(more).size(), 200U);
  EXPECT_THAT(folder_value(more), StartsWith(std::string(183, 'a') + "~"));
  EXPECT_NE(folder_value(more), folder_value(more + "a"));
  // Never inside of an escape, wherever the cut falls.
  for (std::size_t n = 170; n < 184; ++n) {
    const std::string value = folder_value(std::string(n, 'a') + std::string(30, '/'));
    const std::string kept = value.substr(n, value.find('~') - n);
    EXPECT_LE(value.size(), 200U);
    EXPECT_EQ(kept.size() % 3, 0U) << value;
  }
}

TEST(Fleet, ADayIsADateOrNone) {
  BuildLine line;
  line.when = "2026-11-27 03:00:01";
  EXPECT_EQ(fleet_date(line), "2026-11-27");
  for (const char* odd : {"", "2026-11-2", "2026/11/27", "../../etc/", "2026-11-2x 03:00:01"}) {
    line.when = odd;
    EXPECT_EQ(fleet_date(line), "") << odd;
  }
}

TEST(Fleet, AKeyIsTheBeginningOfAHash) {
  BuildLine line;
  line.identity = std::string(60, '0') + "abcd";
  EXPECT_EQ(fleet_key(line), "0000000000000000");
  line.identity = "\"; DROP TABLE build";
  EXPECT_THAT(fleet_key(line), ::testing::MatchesRegex("[0-9a-f]{16}"));
}

std::string unpacked(const std::string& bytes) {
  std::string text;
  boost::iostreams::filtering_istream in;
  in.push(boost::iostreams::gzip_decompressor());
  in.push(boost::iostreams::array_source(bytes.data(), bytes.size()));
  boost::iostreams::copy(in, boost::iostreams::back_inserter(text));
  return text;
}

// Two builds, of one model each.
FleetPart part_of_two(const std::string& format) {
  FleetPart part("2026-11-27", format);
  for (const char* model : {"a.onnx", "b/c.onnx"}) {
    BuildLine line;
    line.identity = model;
    BuildRecord record;
    record.model = model;
    Analysis analysis;
    for (const char* name : {"z", "a \"x\", y", "z"}) {
      analysis.build.layers.emplace_back().name = name;
      analysis.verdicts.emplace_back();
    }
    analysis.build.layers[1].time.emplace().mean_ms = 0.25;
    analysis.labels = SharedLabels(analysis.build);
    part.add({line, record, analysis});
  }
  return part;
}

TEST(Fleet, BuildsAreWrittenLastAndLayersByName) {
  FleetPart part = part_of_two("csv");
  std::vector<std::string> folders;
  std::map<std::string, std::string> texts;
  EXPECT_TRUE(part.write([&](const std::string& path, const std::string& bytes) {
    EXPECT_THAT(path, EndsWith(".csv.gz"));
    folders.push_back(path.substr(0, path.rfind('/')));
    texts[folders.back()] = unpacked(bytes);
    return true;
  }));
  EXPECT_THAT(folders,
              ElementsAre("layers/date=2026-11-27/model=a.onnx",
                          "layers/date=2026-11-27/model=b%2Fc.onnx", "findings/date=2026-11-27",
                          "precisions/date=2026-11-27", "builds/date=2026-11-27"));
  const std::string layers = texts[folders[1]];
  EXPECT_THAT(layers, StartsWith("build,model,series,built_at,"));
  const std::size_t first = layers.find("1,\"a \"\"x\"\", y\""), second = layers.find(",0,\"z\"");
  EXPECT_LT(first, second);
  EXPECT_LT(second, layers.find(",2,\"z\""));
  EXPECT_THAT(layers, HasSubstr(",0.25,"));
}

TEST(Fleet, WhatCannotBeWrittenEndsThePart) {
  FleetPart part = part_of_two("jsonl");
  int files = 0;
  EXPECT_FALSE(part.write([&](const std::string&, const std::string&) { return ++files < 3; }));
  EXPECT_EQ(files, 3);
}

TEST(Fleet, AFolderKnowsItsBuilds) {
  const TempFolder top;
  for (const std::string format : {"csv", "jsonl"}) {
    FleetPart part = part_of_two(format);
    EXPECT_TRUE(part.write([&](const std::string& path, const std::string& bytes) {
      (void)top.write(format + "/" + path, bytes);
      return true;
    }));
    (void)top.write(format + "/duckdb.sql", fleet_macros(format));
    (void)top.write(format + "/layers/date=2026-11-27/model=a.onnx/part-0." + format + ".gz", "x");
    FleetFolder folder;
    ASSERT_TRUE(folder.open(top.at(format) + "//", format)) << folder.error();
    EXPECT_EQ(folder.builds_of("2026-11-27").size(), 2U);
    EXPECT_EQ(folder.builds_of("2026-11-28").size(), 0U);
    EXPECT_EQ(folder.error(), "");
    const auto layers = std::filesystem::directory_iterator(top.path() / format /
                                                            "layers/date=2026-11-27/model=a.onnx");
    EXPECT_EQ(std::distance(begin(layers), end(layers)), 1);  // what no build has is gone
    FleetFolder second;
    EXPECT_FALSE(second.open(top.at(format), format));
    EXPECT_THAT(second.error(), HasSubstr("another export is writing to it"));
  }
}

}  // namespace
}  // namespace trtlens::fleet_test
