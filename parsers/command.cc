// The trtexec command line recorded in `&&&& RUNNING … # …`, read by Boost.ProgramOptions.
#include <boost/program_options.hpp>
#include <sstream>

#include "parsers/log/run_builder.h"

namespace trtlens {
namespace {

namespace po = boost::program_options;

// argv is recorded without quotes, so a value with blanks cannot be told from two arguments: pieces
// that do not begin a flag are put back onto the value before them.
std::vector<std::string> arguments_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> arguments;
  std::string word;
  bool first = true;
  while (stream >> word) {
    if (first) {
      first = false;  // the program itself
      if (word.substr(0, 1) != "-") continue;
    }
    const bool value_goes_on =
        word[0] != '-' && !arguments.empty() && arguments.back().find('=') != std::string::npos;
    if (value_goes_on) {
      arguments.back() += " " + word;
    } else {
      arguments.push_back(word);
    }
  }
  return arguments;
}

bool allows(const CommandOptions& options, const char* flag) {
  return options.has(flag) || options.has("best");
}

}  // namespace

bool CommandOptions::has(const std::string& name) const {
  for (const auto& flag : flags) {
    if (flag.first == name) return true;
  }
  return false;
}

std::optional<std::string> CommandOptions::value(const std::string& name) const {
  std::optional<std::string> found;
  for (const auto& flag : flags) {
    if (flag.first == name) found = flag.second;
  }
  return found;
}

CommandOptions parse_command(const std::string& command) {
  CommandOptions options;
  if (command.empty()) return options;
  const po::options_description none;
  try {
    const po::parsed_options parsed =
        po::command_line_parser(arguments_of(command))
            .options(none)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .allow_unregistered()
            .run();
    for (const auto& option : parsed.options) {
      std::string name = option.string_key;
      if (name.empty() && !option.original_tokens.empty()) {
        name = option.original_tokens[0];
        while (!name.empty() && name[0] == '-') name.erase(0, 1);
      }
      std::string value;
      for (const std::string& part : option.value) value += (value.empty() ? "" : " ") + part;
      options.flags.emplace_back(name, value);
    }
  } catch (const po::error&) {
    // A command line that trtexec itself would reject: nothing is known of its flags.
    options.flags.clear();
  }
  return options;
}

AllowedPrecision allowed_precision(const Build& build) {
  AllowedPrecision allowed;
  const CommandOptions& options = build.options;
  allowed.no_tf32 = options.has("noTF32");
  const bool typed_by_default = build.tensorrt && build.tensorrt->major >= 11;
  allowed.strongly_typed = options.has("stronglyTyped") || typed_by_default;
  const auto banner = build.banner.find("Build Options/Precision");
  std::string words = banner == build.banner.end() ? std::string() : banner->second;
  if (words.find("Strongly Typed") != std::string::npos) allowed.strongly_typed = true;
  words = words.substr(0, words.find(" ("));
  std::istringstream stream(words);
  std::string word;
  while (std::getline(stream, word, '+')) {
    if (word != "Strongly Typed" && !word.empty()) allowed.labels.push_back(word);
  }
  if (!allowed.labels.empty() || build.command.empty()) return allowed;
  // --loadEngine builds nothing: its flags say nothing of the engine's types.
  if (options.has("loadEngine") && !options.has("onnx")) return allowed;
  allowed.labels = {"FP32"};
  if (allows(options, "fp16")) allowed.labels.emplace_back("FP16");
  if (options.has("bf16")) allowed.labels.emplace_back("BF16");
  if (allows(options, "int8")) allowed.labels.emplace_back("INT8");
  if (options.has("fp8")) allowed.labels.emplace_back("FP8");
  if (options.has("int4")) allowed.labels.emplace_back("INT4");
  return allowed;
}

}  // namespace trtlens
