// Writes the rules as a C++ file with one constant, which a start reads: see
// analyzers/rules/engine/tables.h.
// Usage: compile_rules OUT.cc MESSAGES.json... -- CODED.json...
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
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

std::string source_of(const std::string& bytes) {
  std::string text =
      "#include \"parsers/input/embedded.h\"\nnamespace trtlens {\n"
      "std::string_view embedded_rules() {\n  return std::string_view(\n    \"";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0 && i % kPiece == 0) text += "\"\n    \"";
    fmt::format_to(std::back_inserter(text), "\\{:03o}", static_cast<unsigned char>(bytes[i]));
  }
  return text + fmt::format("\",\n    {});\n}}\n}}  // namespace trtlens\n", bytes.size());
}

int run(const std::vector<std::string>& arguments) {
  std::vector<RuleFile> messages, coded;
  bool is_coded = false;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--") {
      is_coded = true;
    } else {
      (is_coded ? coded : messages).push_back(file_at(arguments[i]));
    }
  }
  std::vector<Diagnostic> faults;
  RuleTables tables;
  tables.heads = load_message_rules(messages, {}, faults, SampleCheck::skip);
  tables.coded = load_rule_infos(coded, SampleCheck::skip, faults);
  for (const Diagnostic& fault : faults) {
    std::cerr << fault.file << ':' << fault.line << ':' << fault.column << ": expected "
              << fault.expected << ", found " << fault.found << '\n';
  }
  if (!faults.empty()) return 1;
  const std::string source = source_of(bytes_of(std::move(tables)));
  // Most changes of the code change no rule: then nothing is compiled again.
  if (file_at(arguments.at(0)).text == source) return 0;
  return std::ofstream(arguments[0], std::ios::binary) << source << std::flush ? 0 : 1;
}

}  // namespace

// Not yet there.
std::string_view embedded_rules() {
  return {};
}

}  // namespace trtlens

int main(int argc, char** argv) {
  return trtlens::run({argv + 1, argv + argc});
}
