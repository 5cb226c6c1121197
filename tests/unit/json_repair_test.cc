// Damaged JSON and what is said of it.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/json/json_inputs.h"

namespace trtlens::json_repair_test {
namespace {

struct Outcome {
  std::vector<JsonRecords> records;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] const Diagnostic* find(const std::string& id) const {
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.id == id) return &diagnostic;
    }
    return nullptr;
  }
};

Outcome read(std::string_view text) {
  Outcome outcome;
  outcome.records = read_json(text, "f.json", 0, outcome.diagnostics);
  return outcome;
}

void expect_diagnostic(const Outcome& outcome, const std::string& id, std::uint64_t line,
                       std::uint64_t column, const std::string& found) {
  const Diagnostic* diagnostic = outcome.find(id);
  ASSERT_NE(diagnostic, nullptr) << id;
  EXPECT_EQ(outcome.diagnostics.size(), 1U);
  EXPECT_EQ(diagnostic->file, "f.json");
  EXPECT_EQ(diagnostic->line, line) << id;
  EXPECT_EQ(diagnostic->column, column) << id;
  EXPECT_NE(diagnostic->found.find(found), std::string::npos) << diagnostic->found;
}

TEST(JsonRepair, NotANumber) {
  const Outcome outcome = read(
      "[\n  { \"count\" : 2 }\n"
      ", { \"name\" : \"a\", \"timeMs\" : 0, \"averageMs\" : nan, \"percentage\" : -nan }\n"
      ", { \"name\" : \"b\", \"timeMs\" : inf, \"averageMs\" : 1.5, \"percentage\" : -nan }\n]\n");
  expect_diagnostic(outcome, "json-nan", 3, 47, "nan (4 times)");
  ASSERT_EQ(outcome.records.size(), 1U);
  ASSERT_EQ(outcome.records[0].profile.size(), 2U);
  // The mean is absent; total and count give it.
  EXPECT_EQ(outcome.records[0].profile[0].time->mean_ms, 0);
  EXPECT_EQ(outcome.records[0].profile[1].time->mean_ms, 1.5);
  EXPECT_FALSE(outcome.records[0].profile[1].time->total_ms.has_value());
}

TEST(JsonRepair, RawControlBytes) {
  const Outcome outcome = read(
      "{\"Layers\": [{\"Name\": \"a\",\n\"Metadata\": \"[ONNX Layer: a]\x1e[ONNX Layer: b]\"}]}");
  expect_diagnostic(outcome, "json-control-byte", 2, 29, "byte 0x1e");
  EXPECT_EQ(outcome.find("json-control-byte")->expected, "an escape in a string");  // one line
  ASSERT_EQ(outcome.records.at(0).layers.size(), 1U);
  EXPECT_EQ(outcome.records[0].layers[0].onnx_nodes, (std::vector<SharedText>{"a", "b"}));
  EXPECT_EQ(outcome.records[0].layers[0].metadata, "[ONNX Layer: a]\x1e[ONNX Layer: b]");
}

TEST(JsonRepair, UnescapedQuotesInNames) {
  const Outcome outcome = read(
      "[ { \"count\" : 1 }\n"
      ", { \"name\" : \"my\"layer\", \"timeMs\" : 1, \"averageMs\" : 1 }\n"
      ", { \"name\" : \"say \"hi\", you\", \"timeMs\" : 1, \"averageMs\" : 2 } ]");
  expect_diagnostic(outcome, "json-unescaped-quote", 2, 17, "my\"layer (3 times)");
  ASSERT_EQ(outcome.records.at(0).profile.size(), 2U);
  EXPECT_EQ(outcome.records[0].profile[0].name, "my\"layer");
  EXPECT_EQ(outcome.records[0].profile[1].name, "say \"hi\", you");
  EXPECT_EQ(outcome.records[0].profile[1].time->mean_ms, 2);
}

// All that a Diagnostic says; of the only one.
std::string said(const Outcome& outcome) {
  if (outcome.diagnostics.size() != 1) return std::to_string(outcome.diagnostics.size());
  const Diagnostic& d = outcome.diagnostics[0];
  return d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.id +
         ": expected " + d.expected + ", found " + d.found;
}

struct Damage {
  std::string text, place, expected, found;
};

// The record in front is kept, and none is made up of what is damaged.
void expect_damage(const Damage& damage) {
  const Outcome outcome =
      read("[ { \"name\" : \"a\", \"averageMs\" : 1 }\n" + damage.text + "\n]\n");
  EXPECT_EQ(said(outcome), "f.json:" + damage.place + ": json-damaged: expected " +
                               damage.expected + ", found " + damage.found +
                               "; the rest of the document is not read, 1 record before it kept")
      << damage.text;
  ASSERT_EQ(outcome.records.size(), 1U) << damage.text;
  EXPECT_TRUE(outcome.records[0].truncated);
  EXPECT_EQ(outcome.records[0].profile.size(), 1U) << damage.text;
}

TEST(JsonRepair, LostQuotes) {
  expect_damage(
      {R"(, { "name" : b [c]", "averageMs" : 2 })", "2:14", "a value", R"(b [c]", "averageMs" )"});
  expect_damage(
      {R"(, { "name" : "b, "averageMs" : 2 })", "2:19", "a comma or `}`", R"(averageMs" : 2 } ])"});
  expect_damage({R"(, { name" : "b", "averageMs" : 2 })", "2:5", "a member's name in quotes",
                 R"(name" : "b", "averag)"});
  expect_damage({", { \"averageMs\" : 2, \"name\" : \"b }\n, { \"name\" : \"c\" }", "2:31",
                 "a quote at the end of the string", "\"b } , { \"name\" : \"c"});
  // A line end in a name, behind which no document goes on, is the name's.
  const Outcome broken = read("[ { \"name\" : \"a\nb\", \"averageMs\" : 2 } ]");
  ASSERT_EQ(broken.records.at(0).profile.size(), 1U);
  EXPECT_EQ(broken.records[0].profile[0].name, "a\nb");
}

TEST(JsonRepair, LostBracketsCommasAndColons) {
  expect_damage(
      {R"({ "name" : "b", "averageMs" : 2 })", "2:1", "a comma or `]`", R"({ "name" : "b", "ave)"});
  expect_damage({R"(, "name" : "b", "averageMs" : 2 })", "2:10", "a comma or `]`",
                 R"(: "b", "averageMs" :)"});
  expect_damage({R"(, { "name" : "b" "averageMs" : 2 })", "2:18", "a comma or `}`",
                 R"("averageMs" : 2 } ])"});
  expect_damage({R"(, { "name" "b", "averageMs" : 2 })", "2:12", "a colon behind the member's name",
                 R"("b", "averageMs" : 2)"});
  expect_damage({R"(, { "name" : "b", "averageMs" : 2 ])", "2:35", "a comma or `}`", "] ]"});
  expect_damage({R"(, { "name" : "b", "averageMs" : })", "2:33", "a value", "} ]"});
  expect_damage({R"(, { "name" : "b",, })", "2:18", "a member's name in quotes", ", } ]"});
  expect_damage({R"(, { "name" : "b", "averageMs" :, })", "2:32", "a value", ", } ]"});
  expect_damage({R"(, , { "name" : "b" })", "2:3", "a value", R"(, { "name" : "b" } ])"});
  expect_damage({R"(, { "name" : "b", "averageMs" : None })", "2:33", "a value", "None } ]"});
  expect_damage({R"(, { "name" : "b", "averageMs" : 1e999 })", "2:33", "a value", "1e999 } ]"});
}

// As torch-tensorrt writes a profile of the form "trex".
TEST(JsonRepair, TrailingCommas) {
  const Outcome outcome = read(
      "[\n  {\n    \"name\": \"a,}\",\n    \"timeMs\": 2,\n    \"averageMs\": 1,\n"
      "    \"percentage\": 40,\n  },\n  {\n    \"name\": \"b\",\n    \"timeMs\": 3,\n"
      "    \"averageMs\": 1.5,\n    \"percentage\": 60,\n  }\n]\n");
  expect_diagnostic(outcome, "json-trailing-comma", 6, 21, ", (2 times)");
  ASSERT_EQ(outcome.records.size(), 1U);
  EXPECT_FALSE(outcome.records[0].truncated);
  ASSERT_EQ(outcome.records[0].profile.size(), 2U);
  EXPECT_EQ(outcome.records[0].profile[0].name, "a,}");
  EXPECT_EQ(outcome.records[0].profile[1].time->mean_ms, 1.5);
  const Outcome list = read("{\"Layers\": [\"a\", {\"Name\": \"b\", \"Inputs\": [],}, ],\n}");
  expect_diagnostic(list, "json-trailing-comma", 1, 44, ", (3 times)");
  EXPECT_EQ(list.records.at(0).layers.size(), 2U);
}

TEST(JsonRepair, DamageOfOneFileIsItsOwn) {
  const Outcome outcome = read("{\"Layers\": [\"a\", x]}");
  EXPECT_EQ(said(outcome),
            "f.json:1:18: json-damaged: expected a value, found x]}; the rest of the document is "
            "not read, 1 record before it kept");
}

// A name may hold line ends with brackets, commas and quotes behind them.
TEST(JsonRepair, LineEndsInNames) {
  for (const char* const name : {"{ForeignNode[/a/Conv.../b/Add\n]}", "a\n}", "a\n}{", "a\n]]",
                                 "a\n}[", "a\n", "a\n,", "a\n, b", "a\n\"b\" c"}) {
    const std::string rest = "\"}, {\"Name\": \"c\"}, {\"Name\": \"d\"}]}";
    const Outcome layers = read("{\"Layers\": [{\"Name\": \"" + std::string(name) + rest);
    ASSERT_EQ(layers.records.at(0).layers.size(), 3U) << name;
    EXPECT_EQ(layers.records[0].layers[0].name, name);
    const Outcome profile =
        read("[ { \"count\" : 1 }\n, { \"name\" : \"" + std::string(name) +
             "\", \"averageMs\" : 2 }\n, { \"name\" : \"c\", \"averageMs\" : 3 }\n]\n");
    ASSERT_EQ(profile.records.at(0).profile.size(), 2U) << name;
    EXPECT_EQ(profile.records[0].profile[0].name, name);
    const Outcome names = read("{\"Layers\": [\"" + std::string(name) + "\"\n,\"c\"\n,\"d\"\n]}");
    ASSERT_EQ(names.records.at(0).layers.size(), 3U) << name;
    EXPECT_EQ(names.records[0].layers[0].name, name);
  }
  const Outcome colons = read("{\"Layers\": [\"first\"\n,\"a\": b\"\n,\"conv\":0\"\n,\"last\"\n]}");
  EXPECT_EQ(colons.records.at(0).layers.size(), 4U);
}

TEST(JsonRepair, UnescapedQuotesInLayerStrings) {
  const Outcome outcome =
      read("{\"Layers\": [\"a\"b\"\n,\"c, \"d\" e\"\n],\n\"Bindings\": [\"x\"\n]}");
  ASSERT_EQ(outcome.records.at(0).layers.size(), 2U);
  EXPECT_EQ(outcome.records[0].layers[0].name, "a\"b");
  EXPECT_EQ(outcome.records[0].layers[1].name, "c, \"d\" e");
  EXPECT_EQ(outcome.records[0].io_tensors.size(), 1U);
}

TEST(JsonRepair, RawBackslashes) {
  const Outcome outcome = read(
      "[ { \"name\" : \"scope\\layer\", \"timeMs\" : 1, \"averageMs\" : 1 }\n"
      ", { \"name\" : \"ends\\\", \"timeMs\" : 1, \"averageMs\" : 2 } ]");
  expect_diagnostic(outcome, "json-unescaped-backslash", 1, 20, "\\layer (2 times)");
  ASSERT_EQ(outcome.records.at(0).profile.size(), 2U);
  EXPECT_EQ(outcome.records[0].profile[0].name, "scope\\layer");
  EXPECT_EQ(outcome.records[0].profile[1].name, "ends\\");
}

TEST(JsonRepair, TrueEscapesSurviveTheMender) {
  const Outcome outcome = read(
      R"([{"name": "q\", \"timeMs\": \u00e9\ud83d\ude00\/\t", "averageMs": 1, "percentage": nan}])");
  expect_diagnostic(outcome, "json-nan", 1, 84, "nan");
  ASSERT_EQ(outcome.records.at(0).profile.size(), 1U);
  EXPECT_EQ(outcome.records[0].profile[0].name, "q\", \"timeMs\": \xc3\xa9\xf0\x9f\x98\x80/\t");
}

TEST(JsonRepair, AnEscapedQuoteDoesNotEndAStringThatGoesOn) {
  const Outcome outcome = read(
      R"([{"name": "a\"} [1]", "averageMs": 1}, {"name": "b\"], c", "averageMs": 2, "x": nan}])");
  ASSERT_EQ(outcome.records.at(0).profile.size(), 2U);
  EXPECT_EQ(outcome.records[0].profile[0].name, "a\"} [1]");
  EXPECT_EQ(outcome.records[0].profile[1].name, "b\"], c");
  const Outcome keys = read(R"({"perf": "H100", "Co\": [5]e1": -131, "x": nan})");
  EXPECT_EQ(keys.find("json-unescaped-backslash"), nullptr);
}

TEST(JsonRepair, TruncatedProfileKeepsWholeRecords) {
  const Outcome outcome = read(
      "[\n  { \"count\" : 9 }\n, { \"name\" : \"a\", \"timeMs\" : 1, \"averageMs\" : 1 }\n"
      ", { \"name\" : \"Conv");
  expect_diagnostic(outcome, "json-truncated", 4, 19, "2 open brackets");
  ASSERT_EQ(outcome.records.size(), 1U);
  EXPECT_TRUE(outcome.records[0].truncated);
  EXPECT_EQ(outcome.records[0].kind, InputKind::profile);
  EXPECT_EQ(outcome.records[0].profile.size(), 1U);
}

TEST(JsonRepair, TruncatedLayerInfoKeepsWholeLayers) {
  const Outcome outcome = read(
      "{\"Layers\": [{\n\"Name\": \"a\", \"LayerType\": \"X\", \"Inputs\": []},{\"Name\": \"b\", "
      "\"Inputs\": [{\"Name\": \"t\"");
  EXPECT_NE(outcome.find("json-truncated"), nullptr);
  ASSERT_EQ(outcome.records.at(0).layers.size(), 1U);
  EXPECT_EQ(outcome.records[0].layers[0].name, "a");
  EXPECT_EQ(outcome.records[0].kind, InputKind::layer_info);
}

TEST(JsonRepair, CutNumberIsNotTaken) {
  const Outcome outcome = read("[{\"count\": 1}, {\"name\": \"a\", \"averageMs\": 12");
  EXPECT_NE(outcome.find("json-truncated"), nullptr);
  EXPECT_TRUE(outcome.records.at(0).profile.empty());
}

TEST(JsonRepair, OpenBracketOnly) {
  const Outcome outcome = read("[\n");
  expect_diagnostic(outcome, "json-truncated", 1, 2, "1 open brackets");
}

// Each may become a build: what is beyond a thousand is counted, and costs no memory.
TEST(JsonRepair, AThousandDocumentsAreKept) {
  for (const int n : {1000, 1001, 1003}) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "{}\n";
    const Outcome outcome = read(text);
    EXPECT_EQ(outcome.records.size(), 1000U);
    ASSERT_NE(outcome.find("json-concatenated"), nullptr);
    EXPECT_EQ(outcome.find("json-concatenated")->found, std::to_string(n) + " documents");
    const Diagnostic* cut = outcome.find("json-documents-cut");
    EXPECT_EQ(cut != nullptr, n > 1000);
    if (cut == nullptr) continue;
    EXPECT_EQ(cut->line, 1001U);
    EXPECT_EQ(cut->expected, "at most 1000 documents in a file");
    EXPECT_EQ(cut->found, std::to_string(n) + ", the rest left out");
  }
}

TEST(JsonRepair, ConcatenatedDocuments) {
  const Outcome outcome = read(
      "[ { \"count\" : 1 }, { \"name\" : \"a\", \"averageMs\" : 1 } ]\n"
      "[ { \"count\" : 2 }, { \"name\" : \"b\", \"averageMs\" : 2 } ]{\"Layers\": [\"a\"]}");
  expect_diagnostic(outcome, "json-concatenated", 2, 1, "3 documents");
  ASSERT_EQ(outcome.records.size(), 3U);
  EXPECT_EQ(outcome.records[0].profile_count, 1U);
  EXPECT_EQ(outcome.records[1].profile_count, 2U);
  EXPECT_EQ(outcome.records[1].profile.at(0).pos.line, 2U);
  EXPECT_EQ(outcome.records[2].kind, InputKind::layer_info);
}

TEST(JsonRepair, BrokenDocumentDoesNotSpoilTheNext) {
  const Outcome outcome = read(
      "[ { \"count\" : 1 }, { \"name\" : \"a\", \"averageMs\" : nan } ]\n"
      "[ { \"count\" : 2 }, { \"name\" : \"b\", \"averageMs\" : 2 } ]");
  ASSERT_EQ(outcome.records.size(), 2U);
  EXPECT_EQ(outcome.records[1].profile.at(0).name, "b");
  EXPECT_EQ(outcome.records[1].profile.at(0).pos.line, 2U);
}

TEST(JsonRepair, ByteOrderMarkAndNulTail) {
  const std::string text =
      std::string("\xef\xbb\xbf{\"Layers\": [\"a\"]}\n") + std::string(3, '\0');
  const Outcome outcome = read(text);
  EXPECT_NE(outcome.find("json-encoding"), nullptr);
  ASSERT_NE(outcome.find("json-nul-tail"), nullptr);
  EXPECT_EQ(outcome.diagnostics.size(), 2U);
  EXPECT_EQ(outcome.records.at(0).layers.size(), 1U);
}

TEST(JsonRepair, Utf16) {
  const std::string plain = "{\"Layers\": [\"a\"]}";
  for (const bool little : {true, false}) {
    std::string text = little ? "\xff\xfe" : "\xfe\xff";
    for (char c : plain) {
      if (little) text += c;
      text += '\0';
      if (!little) text += c;
    }
    const Outcome outcome = read(text);
    expect_diagnostic(outcome, "json-encoding", 1, 1, little ? "little" : "big");
    ASSERT_EQ(outcome.records.size(), 1U);
    EXPECT_EQ(outcome.records[0].layers.at(0).name, "a");
  }
}

TEST(JsonRepair, InvalidUtf8IsKept) {
  const Outcome outcome = read("{\"Layers\": [\"caf\xe9\"]}");
  expect_diagnostic(outcome, "json-invalid-utf8", 1, 17, "byte 0xe9");
  EXPECT_EQ(outcome.records.at(0).layers.at(0).name, "caf\xe9");
}

TEST(JsonRepair, TextAfterTheDocument) {
  const Outcome outcome = read("{\"Layers\": [\"a\"]}\n[I] done?\n&&&& PASSED");
  EXPECT_EQ(outcome.records.at(0).layers.size(), 1U);
  EXPECT_FALSE(outcome.diagnostics.empty());
}

TEST(JsonRepair, NothingAtAll) {
  EXPECT_TRUE(read("").records.empty());
  EXPECT_TRUE(read(" \n").records.empty());
  EXPECT_TRUE(read(std::string_view("\0\0\0", 3)).records.empty());
  EXPECT_TRUE(read("hello").records.empty());
}

TEST(JsonRepair, DeepNestingIsRefused) {
  const Outcome outcome = read(std::string(1000000, '['));
  EXPECT_NE(outcome.find("json-depth"), nullptr);
  const Outcome closed =
      read("{\"Layers\": [\"a\", " + std::string(400, '[') + std::string(400, ']') + ", \"b\"]}");
  EXPECT_TRUE(closed.diagnostics.empty());
  EXPECT_EQ(closed.records.at(0).layers.size(), 2U);
}

// Every prefix of an export gives the records that are whole, and never more than the whole file.
TEST(JsonRepair, EveryPrefixIsRead) {
  const std::string text =
      "{\"Layers\": [{\"Name\": \"a\", \"LayerType\": \"X\", \"Inputs\": [{\"Name\": \"x\", "
      "\"Dimensions\": [1, 2], \"Format/Datatype\": \"Half\"}], \"TacticValue\": \"0x1\"},"
      "{\"Name\": \"b\", \"LayerType\": \"Y\"}],\n\"Bindings\": [\"x\"\n,\"y\"]}";
  std::size_t layers_before = 0;
  for (std::size_t length = 1; length < text.size(); ++length) {
    const Outcome outcome = read(std::string_view(text).substr(0, length));
    ASSERT_EQ(outcome.records.size(), 1U) << length;
    EXPECT_NE(outcome.find("json-truncated"), nullptr) << length;
    EXPECT_GE(outcome.records[0].layers.size(), layers_before) << length;
    EXPECT_LE(outcome.records[0].layers.size(), 2U) << length;
    layers_before = outcome.records[0].layers.size();
  }
  EXPECT_EQ(layers_before, 2U);
}

// Deterministic damage: nothing may throw, hang or read out of bounds.
TEST(JsonRepair, DamagedInputIsSurvived) {
  const std::string text =
      "[ { \"count\" : 1 }\n, { \"name\" : \"a\\u001e\", \"timeMs\" : 1.5, \"averageMs\" : -1e-3 "
      "}\n"
      ", { \"startEnqMs\" : 1, \"computeMs\" : 2 }, {\"Name\": \"n\", \"Inputs\": [{}]} ]"
      "{\"Layers\": [\"a\", {\"Weights\": {\"Type\": \"Half\", \"Count\": 1}}], \"Bindings\": "
      "[\"x\"]}";
  constexpr std::string_view kBytes =
      "\"\\{}[],: \n\x1e\xff"
      "0n-";
  std::uint32_t state = 12345;
  const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
  for (int round = 0; round < 4000; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 1 + round % 4; ++i) {
      const std::size_t at = (next() >> 8U) % damaged.size();
      const char byte = kBytes[(next() >> 8U) % kBytes.size()];
      if (round % 3 == 0) {
        damaged.erase(at, 1);
      } else if (round % 3 == 1) {
        damaged.insert(at, 1, byte);
      } else {
        damaged[at] = byte;
      }
    }
    (void)read(damaged);
  }
}

// A quote that may end a string is looked at once, not once per string.
TEST(JsonRepair, HostileQuotesCostLinearTime) {
  std::string text = "{\"Layers\": [";
  for (int i = 0; i < 300000; ++i) text += "\"a\" \"";
  const Outcome outcome = read(text);
  EXPECT_FALSE(outcome.diagnostics.empty());
}

}  // namespace
}  // namespace trtlens::json_repair_test
