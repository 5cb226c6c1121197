// .gz and .zst of a log: the same result as the log itself, and a clear word when they are damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "parsers/parse.h"
#include "tests/temp_folder.h"

namespace trtlens::compressed_input_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string fixture_log() {
  std::ifstream in(TRTLENS_SOURCE_DIR "/fixtures/builds/b_r18_q_conv/build.log", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string gzipped(const std::string& text) {
  std::string out(text.size() + 4096, '\0');
  constexpr int kGzip = 16, kMemory = 8;
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + kGzip, kMemory, Z_DEFAULT_STRATEGY),
            Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

class CompressedInput : public ::testing::Test {
 protected:
  ParseResult parse(const std::string& bytes) {
    return parse_inputs({folder_.write("build.log.any", bytes)}, {});
  }

  TempFolder folder_;
};

void expect_same(const ParseResult& a, const ParseResult& b) {
  ASSERT_EQ(a.builds.size(), 1U);
  ASSERT_EQ(b.builds.size(), 1U);
  EXPECT_EQ(a.coverage.count, b.coverage.count);
  EXPECT_EQ(a.inputs[0].lines, b.inputs[0].lines);
  EXPECT_EQ(a.inputs[0].bytes, b.inputs[0].bytes);
  EXPECT_EQ(a.builds[0].layers.size(), b.builds[0].layers.size());
  EXPECT_EQ(a.builds[0].tactics_timed, b.builds[0].tactics_timed);
  EXPECT_THAT(b.diagnostics, IsEmpty());
}

TEST_F(CompressedInput, GzipAndZstandardReadLikeTheLog) {
  const std::string log = fixture_log();
  ASSERT_GT(log.size(), 100000U);
  const ParseResult plain = parse(log);
  EXPECT_EQ(plain.inputs[0].bytes, log.size());
  expect_same(plain, parse(gzipped(log)));
  expect_same(plain, parse(zstandard(log)));
}

// `gzip -c part >> log.gz`, and frames of pzstd.
TEST_F(CompressedInput, MembersFollowOneAnother) {
  const std::string log = fixture_log();
  const ParseResult plain = parse(log);
  const std::string first = log.substr(0, log.size() / 3);
  const std::string second = log.substr(log.size() / 3);
  expect_same(plain, parse(gzipped(first) + gzipped("") + gzipped(second)));
  expect_same(plain, parse(zstandard(first) + zstandard(second)));
  expect_same(plain, parse(gzipped(log) + std::string(512, '\0')));  // padded, as tapes and tar do
}

TEST_F(CompressedInput, CutOffKeepsWhatCameBefore) {
  const std::string log = fixture_log();
  const std::uint64_t lines = parse(log).inputs[0].lines;
  for (const std::string& whole : {gzipped(log), zstandard(log)}) {
    const ParseResult cut = parse(whole.substr(0, whole.size() / 2));
    ASSERT_EQ(cut.diagnostics.size(), 1U);
    EXPECT_EQ(cut.diagnostics[0].id, "input-read-error");
    EXPECT_THAT(cut.diagnostics[0].found, HasSubstr("data end too early"));
    EXPECT_EQ(cut.inputs[0].kind, InputKind::log);
    EXPECT_GT(cut.inputs[0].lines, 100U);
    EXPECT_LT(cut.inputs[0].lines, lines);
    EXPECT_EQ(cut.inputs[0].why, "");
  }
}

TEST_F(CompressedInput, DamagedSaysSo) {
  std::string bytes = gzipped(fixture_log());
  for (std::size_t i = 0; i < 64; ++i) bytes[bytes.size() / 2 + i] = static_cast<char>(i * 37);
  const ParseResult damaged = parse(bytes);
  ASSERT_EQ(damaged.diagnostics.size(), 1U);
  EXPECT_EQ(damaged.diagnostics[0].found, "the gzip data are damaged");
  const ParseResult only_magic = parse("\x1f\x8b nonsense");
  EXPECT_EQ(only_magic.inputs[0].why, "the gzip data are damaged");
  EXPECT_EQ(only_magic.inputs[0].readable, false);
}

// Compressed, in pieces, read again for a defect: always bytes of the files, each once.
TEST_F(CompressedInput, ProgressCountsTheBytesOfTheFiles) {
  std::string json = R"({"Layers": [)";
  while (json.size() < (3U << 20U)) json += "\"Conv_" + std::to_string(json.size()) + "\",\n";
  const std::vector<std::string> contents = {gzipped(fixture_log()), json + "\"last\"]}",
                                             json + "nan]}", fixture_log()};
  std::vector<std::string> paths;
  std::uint64_t bytes = 0;
  for (const std::string& content : contents) {
    paths.push_back(folder_.write(std::to_string(paths.size()), content));
    bytes += content.size();
  }
  std::uint64_t last = 0;
  std::size_t files = 0;
  std::uint64_t before = 0;
  ParseOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, bytes);
    last = done;
  };
  options.input_done = [&](const Input& /*input*/) {
    before += contents.at(files++).size();
    EXPECT_EQ(last, before);
  };
  (void)parse_inputs(paths, options);
  EXPECT_EQ(files, contents.size());
  EXPECT_EQ(last, bytes);
}

}  // namespace
}  // namespace trtlens::compressed_input_test
