// Every JSON file of the shared builds and engines, held against nlohmann's tree.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parsers/json/json_inputs.h"
#include "parsers/json/mender.h"
#include "parsers/json/readers.h"
#include "parsers/text/sniff.h"

namespace trtlens::json_corpus_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> json_files() {
  const char* const shared = std::getenv("TRTLENS_SHARED");
  const fs::path root =
      shared != nullptr ? fs::path(shared) : fs::path(TRTLENS_SOURCE_DIR) / "../shared";
  std::vector<fs::path> files;
  for (const fs::path& folder : {root / "corpus" / "engines", root / "builds"}) {
    std::error_code error;
    for (fs::recursive_directory_iterator i(folder, error), end; !error && i != end; ++i) {
      // Directly in the folder stands what is said about the builds.
      if (i.depth() > 0 && i->path().extension() == ".json") files.push_back(i->path());
    }
  }
  return files;
}

std::string content(const fs::path& path) {
  std::string text(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(text.data(), std::ssize(text));
  return text;
}

// nlohmann's tree of a file whose only defect is raw control bytes in strings.
nlohmann::json tree_of(const std::string& text) {
  if (text.find_first_of("\x1e\x1f") == std::string::npos) {
    return nlohmann::json::parse(text, nullptr, false);
  }
  std::string escaped;
  for (char c : text) {
    if (c == '\x1e' || c == '\x1f') {
      escaped += c == '\x1e' ? "\\u001e" : "\\u001f";
    } else {
      escaped += c;
    }
  }
  return nlohmann::json::parse(escaped, nullptr, false);
}

double profile_sum(const JsonRecords& records) {
  double sum = 0;
  for (const Layer& layer : records.profile) sum += layer.time ? layer.time->mean_ms : 0;
  return sum;
}

void check_layer_info(const JsonRecords& records, const nlohmann::json& tree) {
  EXPECT_EQ(records.kind, InputKind::layer_info);
  ASSERT_EQ(records.layers.size(), tree.at("Layers").size());
  EXPECT_EQ(records.io_tensors.size(), tree.at("Bindings").size());
  for (std::size_t i = 0; i < records.layers.size(); ++i) {
    const nlohmann::json& layer = tree.at("Layers").at(i);
    const Layer& found = records.layers[i];
    EXPECT_GT(found.pos.line, 0U);
    if (layer.is_string()) {
      EXPECT_EQ(found.name, layer.get<std::string>());
      continue;
    }
    EXPECT_EQ(found.name, layer.at("Name").get<std::string>());
    EXPECT_EQ(found.inputs.size(), layer.at("Inputs").size());
    EXPECT_EQ(found.outputs.size(), layer.at("Outputs").size());
    EXPECT_EQ(found.metadata, layer.value("Metadata", ""));
    EXPECT_EQ(found.tactic_id.has_value(), layer.contains("TacticValue"));
    for (const Tensor& tensor : found.outputs) EXPECT_TRUE(tensor.has_dims);
  }
}

void check_list(const JsonRecords& records, const nlohmann::json& tree) {
  if (tree.back().contains("averageMs")) {
    double sum = 0;
    for (const nlohmann::json& record : tree) sum += record.value("averageMs", 0.0);
    EXPECT_EQ(records.kind, InputKind::profile);
    EXPECT_EQ(records.profile.size(), tree.size() - 1);
    EXPECT_NEAR(profile_sum(records), sum, 1e-9);
    EXPECT_EQ(records.profile_count, tree.front().at("count").get<std::uint64_t>());
  } else if (tree.front().contains("computeMs")) {
    EXPECT_EQ(records.kind, InputKind::times);
    EXPECT_EQ(records.queries.size(), tree.size());
    EXPECT_FLOAT_EQ(records.queries.back().compute_ms, tree.back().at("computeMs").get<float>());
  } else {
    EXPECT_EQ(records.kind, InputKind::metadata);
    EXPECT_EQ(records.metadata.at("Name"), tree.front().at("Name").get<std::string>());
  }
}

void check_file(const fs::path& path) {
  SCOPED_TRACE(path.string());
  const std::string text = content(path);
  const nlohmann::json tree = tree_of(text);
  ASSERT_FALSE(tree.is_discarded());
  EXPECT_TRUE(looks_like_json(std::string_view(text).substr(0, 512)));
  std::vector<Diagnostic> diagnostics;
  const std::vector<JsonRecords> all = read_json(text, path.string(), 0, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) EXPECT_EQ(diagnostic.id, "json-control-byte");
  ASSERT_EQ(all.size(), 1U);
  const JsonRecords& records = all.front();
  const std::string name = path.filename().string();
  if (tree.is_array()) {
    check_list(records, tree);
  } else if (tree.contains("Layers")) {
    check_layer_info(records, tree);
  } else if (name.find("iprofiler") != std::string::npos) {
    EXPECT_EQ(records.kind, InputKind::profile);
    EXPECT_EQ(records.profile.size(), tree.size());
  } else if (name.find("metadata") != std::string::npos) {
    EXPECT_EQ(records.kind, InputKind::metadata);
    EXPECT_FALSE(records.metadata.empty());
  } else {
    EXPECT_EQ(records.kind, InputKind::unknown);
  }
}

TEST(JsonCorpus, EveryFileAgreesWithTheTree) {
  const std::vector<fs::path> files = json_files();
  if (files.empty()) GTEST_SKIP() << "no builds or engines under TRTLENS_SHARED or ../shared";
  for (const fs::path& path : files) check_file(path);
}

// What is valid is read the same with a mender in front.
TEST(JsonCorpus, TheMenderLeavesValidJsonAlone) {
  const std::vector<fs::path> files = json_files();
  if (files.empty()) GTEST_SKIP() << "no builds or engines under TRTLENS_SHARED or ../shared";
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.string());
    const std::string text = content(path);
    json_detail::LineCounter lines(text, 0);
    json_detail::Collector strict(lines, text.size());
    json_detail::TextSource source(text, 0, lines);
    if (json_detail::read_document(source, strict)) continue;
    json_detail::LineCounter other_lines(text, 0);
    json_detail::Collector mended(other_lines, text.size());
    json_detail::Repairs repairs(text, 0);
    json_detail::Mender mender(text, repairs);
    json_detail::TextSource other_source(text, 0, other_lines, &mender);
    EXPECT_FALSE(json_detail::read_document(other_source, mended).has_value());
    std::vector<Diagnostic> diagnostics;
    repairs.report("", diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    const JsonRecords one = strict.finish(false).records;
    const JsonRecords other = mended.finish(false).records;
    EXPECT_EQ(one.kind, other.kind);
    EXPECT_EQ(one.metadata, other.metadata);
    EXPECT_EQ(one.queries.size(), other.queries.size());
    EXPECT_EQ(profile_sum(one), profile_sum(other));
    ASSERT_EQ(one.layers.size(), other.layers.size());
    for (std::size_t i = 0; i < one.layers.size(); ++i) {
      EXPECT_EQ(one.layers[i].name, other.layers[i].name);
      EXPECT_EQ(one.layers[i].metadata, other.layers[i].metadata);
      EXPECT_EQ(one.layers[i].tactic_id, other.layers[i].tactic_id);
      EXPECT_EQ(one.layers[i].pos.line, other.layers[i].pos.line);
      EXPECT_EQ(one.layers[i].pos.column, other.layers[i].pos.column);
    }
    ASSERT_EQ(one.profile.size(), other.profile.size());
    for (std::size_t i = 0; i < one.profile.size(); ++i) {
      EXPECT_EQ(one.profile[i].name, other.profile[i].name);
      EXPECT_EQ(one.profile[i].pos.column, other.profile[i].pos.column);
      EXPECT_EQ(one.profile[i].time->quantum_ms, other.profile[i].time->quantum_ms);
    }
  }
}

}  // namespace
}  // namespace trtlens::json_corpus_test
