// Writes the rules and their words as a C++ file with two constants: see
// analyzers/rules/engine/tables.h.
// Usage: compile_rules OUT.cc CAUSES.json MESSAGES.json... -- CODED.json... -- CODE.cc...
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/rules/engine/tables.h"
#include "parsers/input/embedded.h"

namespace trtlens {
namespace {

RuleFile file_at(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::filesystem::path(path).filename(),
          std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>())};
}

// A literal of at most so many bytes a piece: compilers need not accept longer ones.
constexpr std::size_t kPiece = 16384;

std::string function_of(const std::string& name, const std::string& bytes) {
  std::string text =
      fmt::format("std::string_view {}() {{\n  return std::string_view(\n    \"", name);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % kPiece == 0) text += "\"\n    \"";
    fmt::format_to(std::back_inserter(text), "\\{:03o}", static_cast<unsigned char>(bytes[i]));
  }
  return text + fmt::format("\",\n    {});\n}}\n", bytes.size());
}

std::string source_of(RuleTables tables) {
  const std::string words = bytes_of(word_table_of(tables.heads));
  return "#include \"parsers/input/embedded.h\"\nnamespace trtlens {\n" +
         function_of("embedded_rules", bytes_of(std::move(tables))) +
         function_of("embedded_words", words) + "}  // namespace trtlens\n";
}

// Faults of the code of these rules, written to the terminal. A rule of gates stands with the
// others.
bool has_faults(const std::vector<RuleInfo>& rules, const std::vector<RuleFile>& code) {
  std::map<std::string, std::string> texts;
  for (const RuleFile& file : code) texts[file.path] = file.text;
  bool found = false;
  for (const RuleInfo& rule : rules) {
    std::string file = rule.id + ".cc";
    std::replace(file.begin(), file.end(), '-', '_');
    if (texts.count(file) == 0) file = "regressions.cc";
    for (const std::string& fault : code_faults(rule, texts[file])) {
      std::cerr << file << ": rule \"" << rule.id << "\" " << fault << '\n';
      found = true;
    }
  }
  return found;
}

int run(const std::vector<std::string>& arguments) {
  std::vector<RuleFile> messages, coded, code;
  std::vector<std::vector<RuleFile>*> kinds = {&code, &coded, &messages};
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      kinds.pop_back();
    } else {
      kinds.back()->push_back(file_at(arguments[i]));
    }
  }
  std::vector<Diagnostic> faults;
  RuleTables tables;
  tables.causes = load_causes(file_at(arguments.at(1)), SampleCheck::skip, faults);
  tables.heads = load_message_rules(messages, {}, faults, SampleCheck::keep, tables.causes);
  tables.coded = load_rule_infos(coded, SampleCheck::skip, faults, tables.causes);
  for (const Diagnostic& fault : faults) {
    std::cerr << fault.file << ':' << fault.line << ':' << fault.column << ": expected "
              << fault.expected << ", found " << fault.found << '\n';
  }
  if (has_faults(tables.coded, code) || !faults.empty()) return 1;
  const std::string source = source_of(std::move(tables));
  // Most changes of the code change no rule: then nothing is compiled again.
  if (file_at(arguments.at(0)).text == source) return 0;
  return std::ofstream(arguments[0], std::ios::binary) << source << std::flush ? 0 : 1;
}

}  // namespace

// Not yet there.
std::string_view embedded_rules() {
  return {};
}
std::string_view embedded_words() {
  return {};
}

}  // namespace trtlens

int main(int argc, char** argv) {
  return trtlens::run({argv + 1, argv + argc});
}
