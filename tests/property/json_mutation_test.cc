// Exports cut, damaged and doubled: whatever is left of them is read, and the invariants of
// tests/fuzz/json_check.h hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/json_check.h"
#include "tests/property/whole_files.h"

namespace trtlens::json_mutation_test {
namespace {

namespace fs = std::filesystem;

// A file is read some 400 times: of a big one only the beginning is taken, up to a line's end.
// Whole files take half an hour: TRTLENS_WHOLE_MUTATIONS asks for that.
constexpr std::size_t kMaxBytes = 6000;

std::vector<std::string> texts_under(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator i(folder, error), end; !error && i != end; ++i) {
    if (i->path().extension() == ".json" && i->is_regular_file()) paths.push_back(i->path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!whole_files()) {
      if (text.size() > kMaxBytes) text.resize(text.find('\n', kMaxBytes - 500) + 1);
      if (text.size() > kMaxBytes) text.resize(kMaxBytes);
    }
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

// The damage is the same in every run.
class Random {
 public:
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_ = 12345;
};

void expect_sound(std::string_view text, const std::string& what) {
  const JsonCheck check(text);
  EXPECT_EQ(check.broken(), "") << what << ":\n" << text.substr(0, 2000);
}

std::size_t records_of(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  std::size_t records = 0;
  for (const JsonRecords& document : read_json(text, "f.json", 0, diagnostics)) {
    records += document.layers.size() + document.profile.size() + document.queries.size() +
               document.outputs.size() + document.tuner.size();
  }
  return records;
}

void mutate(const std::string& text, std::size_t rounds, Random& random) {
  constexpr std::string_view kBytes =
      "\"\\{}[],: \n\x1e\xff"
      "0n-\0";
  expect_sound(text, "whole");
  expect_sound(text + text, "doubled");
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::size_t end = text.size() * i / rounds;
    expect_sound(std::string_view(text).substr(0, end), "cut at " + std::to_string(end));
    std::string damaged = text;
    for (std::size_t k = 0; k <= i % 3; ++k) {
      const std::size_t at = random.below(damaged.size());
      const bool flip = i % 2 == 0;
      damaged[at] = flip ? static_cast<char>(damaged[at] ^ (1 << random.below(8)))
                         : kBytes[random.below(kBytes.size())];
    }
    expect_sound(damaged, "damaged, round " + std::to_string(i));
    if (testing::Test::HasFailure()) return;  // one example is enough
  }
}

TEST(JsonMutation, Fixtures) {
  const std::vector<std::string> texts = texts_under(TRTLENS_SOURCE_DIR "/fixtures/builds");
  ASSERT_GE(texts.size(), 10U);
  Random random;
  for (const std::string& text : texts) mutate(text, 200, random);
}

TEST(JsonMutation, FuzzSeeds) {
  const std::vector<std::string> texts = texts_under(TRTLENS_SOURCE_DIR "/tests/fuzz/seeds");
  ASSERT_GE(texts.size(), 20U);
  Random random;
  for (const std::string& text : texts) mutate(text, 200, random);
}

// Public engines and our builds, of which each gets a few of the places.
TEST(JsonMutation, Corpus) {
  std::vector<std::string> texts = texts_under(TRTLENS_SHARED_DIR "/corpus/engines");
  if (texts.empty()) GTEST_SKIP() << "no engines under " TRTLENS_SHARED_DIR "/corpus";
  for (std::string& text : texts_under(TRTLENS_SHARED_DIR "/builds")) {
    texts.push_back(std::move(text));
  }
  Random random;
  for (const std::string& text : texts) mutate(text, whole_files() ? 200 : 20, random);
}

// What is cut away is all that is lost: a shorter beginning never has more records.
TEST(JsonMutation, RecordsGrowWithTheText) {
  for (const std::string& text : texts_under(TRTLENS_SOURCE_DIR "/fixtures/builds")) {
    std::size_t before = 0;
    for (std::size_t i = 0; i <= 50; ++i) {
      const std::size_t records =
          records_of(std::string_view(text).substr(0, text.size() * i / 50));
      EXPECT_GE(records, before) << "at " << text.size() * i / 50;
      before = records;
    }
  }
}

// One byte that is wrong costs what stands behind it and makes up no records: as many are read as
// of the text up to it, but for the one that it stands in and, where a name goes on, its neighbour.
void expect_no_more_loss(const std::string& text) {
  if (text.rfind("{\n    \"Reformatting", 0) == 0) return;
  const std::size_t whole = records_of(text);
  Random random;
  for (const char structural : std::string_view("\",:{}[]")) {
    for (int i = 0; i < 20; ++i) {
      const std::size_t at = text.find(structural, 12 + random.below(text.size() - 12));
      if (at == std::string::npos) continue;
      std::string damaged = text;
      damaged[at] = 'x';
      const std::size_t left = records_of(damaged);
      EXPECT_LE(records_of(text.substr(0, at)), left + 1) << structural << " at " << at << " of\n"
                                                          << text.substr(0, 2000);
      EXPECT_LE(left, whole + 2) << structural << " at " << at << " of\n" << text.substr(0, 2000);
    }
  }
}

TEST(JsonMutation, OneByteCostsWhatIsBehindIt) {
  for (const std::string& text : texts_under(TRTLENS_SOURCE_DIR "/fixtures/builds")) {
    expect_no_more_loss(text);
  }
  for (const char* const folder : {"/corpus/engines", "/builds"}) {
    for (const std::string& text : texts_under(std::string(TRTLENS_SHARED_DIR) + folder)) {
      expect_no_more_loss(text);
    }
  }
}

// The file as a user damages it: twice in one file both copies are whole.
TEST(JsonMutation, DoubledFilesAreTwoDocuments) {
  for (const std::string& text : texts_under(TRTLENS_SOURCE_DIR "/fixtures/builds")) {
    if (JsonCheck(text).documents().front().truncated) continue;  // its beginning only
    EXPECT_EQ(records_of(text + text), 2 * records_of(text));
    EXPECT_EQ(JsonCheck(text + text).documents().size(), 2U);
  }
}

}  // namespace
}  // namespace trtlens::json_mutation_test
