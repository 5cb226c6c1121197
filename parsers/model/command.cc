// The trtexec command line recorded in `&&&& RUNNING … # …`, read by Boost.ProgramOptions.
#include <algorithm>
#include <boost/program_options.hpp>
#include <sstream>

#include "parsers/model/build.h"

namespace trtlens {
namespace {

namespace po = boost::program_options;

// argv is recorded without quotes, so a value with blanks cannot be told from two arguments: pieces
// that do not begin a flag are put back onto the value before them. What stands before the first
// flag is the program, whose path may hold blanks too.
std::vector<std::string> arguments_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> arguments;
  std::string word;
  while (stream >> word) {
    // Everything that is no long option is a value: Boost would take "-h" and "--" apart.
    const bool flag = word.size() > 2 && word.compare(0, 2, "--") == 0 && word[2] != '=';
    if (flag) {
      arguments.push_back(word);
    } else if (!arguments.empty() && arguments.back().find('=') != std::string::npos) {
      arguments.back() += arguments.back().back() == '=' ? word : " " + word;
    }
  }
  // trtexec reads "--calib=" as an empty value, Boost refuses it.
  for (std::string& argument : arguments) {
    if (argument.find('=') == argument.size() - 1) argument.pop_back();
  }
  return arguments;
}

// --best: FP16 and INT8, from 9.0 on also BF16 where the GPU has it.
bool best_has_bf16(const Build& build) {
  constexpr int kFirstSmWithBf16 = 80;
  if (!build.options.has("best") || !build.tensorrt || build.tensorrt->major < 9) return false;
  const std::optional<int> sm = build.gpu ? build.gpu->sm() : std::nullopt;
  return !sm || *sm >= kFirstSmWithBf16;
}

bool has_or_best(const CommandOptions& options, const char* flag) {
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

bool only_loads(const CommandOptions& options) {
  return options.has("loadEngine") && !options.has("onnx");
}

bool allows(const AllowedPrecision& allowed, std::string_view label) {
  return std::find(allowed.labels.begin(), allowed.labels.end(), label) != allowed.labels.end();
}

CommandOptions parse_command(const std::string& command) {
  CommandOptions options;
  if (command.empty()) return options;
  const po::options_description none;
  try {
    std::vector<std::string> arguments = arguments_of(command);
    // program_options takes time by the square of their number; nobody types so many.
    constexpr std::size_t kMost = 4096;
    if (arguments.size() > kMost) arguments.resize(kMost);
    const po::parsed_options parsed =
        po::command_line_parser(arguments)
            .options(none)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .allow_unregistered()
            .run();
    for (const auto& option : parsed.options) {
      std::string value;
      for (const std::string& part : option.value) value += (value.empty() ? "" : " ") + part;
      options.flags.emplace_back(option.string_key, value);
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
  const auto banner = build.banner.find("Build Options/Precision");
  std::string words = banner == build.banner.end() ? std::string() : banner->second;
  allowed.strongly_typed = options.has("stronglyTyped") || typed_by_default ||
                           words.find("Strongly Typed") != std::string::npos;
  // The types come from the model; the flags, and the banner made of them, are ignored.
  if (allowed.strongly_typed) return allowed;
  if (only_loads(options)) return allowed;
  words = words.substr(0, words.find(" ("));
  std::istringstream stream(words);
  std::string word;
  while (std::getline(stream, word, '+')) {
    if (!word.empty()) allowed.labels.push_back(word);
  }
  // The harnesses of MLPerf take the precision from files of their own, not from flags.
  const bool has_flags = !build.command.empty() && build.producer != "mlperf";
  if (!allowed.labels.empty() || !has_flags) return allowed;
  allowed.labels = {"FP32"};
  if (has_or_best(options, "fp16")) allowed.labels.emplace_back("FP16");
  if (options.has("bf16") || best_has_bf16(build)) allowed.labels.emplace_back("BF16");
  if (has_or_best(options, "int8")) allowed.labels.emplace_back("INT8");
  if (options.has("fp8")) allowed.labels.emplace_back("FP8");
  if (options.has("int4")) allowed.labels.emplace_back("INT4");
  return allowed;
}

}  // namespace trtlens
