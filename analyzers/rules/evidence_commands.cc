// Builds commands from those of the inputs, with the options that would record what is missing.
#include "analyzers/rules/evidence_commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzers/rules/advice.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr int kWithoutPrecisionFlags = 110000;
constexpr std::size_t kLongestInASentence = 500;

// Options whose file a second run would overwrite.
constexpr std::array<std::string_view, 5> kWritten = {
    "saveEngine", "exportLayerInfo", "exportProfile", "exportTimes", "exportOutput"};

bool is_trtexec_11(const Build& build) {
  return build.tensorrt && build.tensorrt->number() >= kWithoutPrecisionFlags;
}

// What a comparison of queries and layers needs. From 11.0 on a profile is always a run of its own.
std::vector<const char*> evidence_flags(const Build& build) {
  std::vector<const char*> flags = {"--profilingVerbosity=detailed", "--dumpLayerInfo",
                                    "--exportLayerInfo=layers.json", "--dumpProfile",
                                    "--exportProfile=profile.json",  "--exportTimes=times.json"};
  if (!is_trtexec_11(build)) flags.push_back("--separateProfileRun");
  return flags;
}

// The flags that allow what the build was allowed, each followed by a blank.
std::string precision_flags(const AllowedPrecision& allowed) {
  if (allowed.strongly_typed) return "--stronglyTyped ";
  std::string flags;
  for (const std::string& label : allowed.labels) {
    if (label == "FP16") flags += "--fp16 ";
    if (label == "BF16") flags += "--bf16 ";
    if (label == "FP8") flags += "--fp8 ";
    if (label == "INT8") flags += "--int8 ";
  }
  if (allowed.no_tf32) flags += "--noTF32 ";
  return flags;
}

// "--exportProfile=profile.json" in its two parts; the value is empty when there is none.
struct Flag {
  std::string name, value;
};
Flag flag_of(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  return {text.substr(2, equals - 2), text.substr(std::min(equals + 1, text.size()))};
}

// Whether a flag with another value does as well: the file is the command's own matter.
bool any_value_does(const Flag& wanted) {
  return wanted.value.empty() || std::ranges::find(kWritten, wanted.name) != kWritten.end();
}

// What the command had already lacks nothing but its file.
std::vector<std::string> not_given(const Build& build, std::vector<std::string> flags) {
  const auto given = [&](const std::string& text) {
    const Flag wanted = flag_of(text);
    const auto& own = build.options.flags;
    return std::ranges::any_of(own, [&](const auto& flag) {
      return flag.first == wanted.name && (any_value_does(wanted) || flag.second == wanted.value);
    });
  };
  std::erase_if(flags, given);
  return flags;
}

// Without inference there is no profile.
std::string with_inference(std::string command) {
  for (const std::string flag : {" --buildOnly", " --skipInference"}) {
    const std::size_t at = command.find(flag);
    if (at == std::string::npos) continue;
    const std::size_t end = at + flag.size();
    if (end == command.size() || command[end] == ' ') command.erase(at, flag.size());
  }
  return command;
}

// Findings of a comparison are fitted to no version: each side has its own.
std::string fitted(const Build& build, const std::string& text) {
  return build.tensorrt ? fit_to_version(text, *build.tensorrt) : text;
}

bool builds(const std::string& command) {
  return command.find("--loadEngine") == std::string::npos;
}

// Where the value of `--name=` begins and ends; both npos when the command has none. Values are
// recorded without quotes, so blanks may be part of them.
std::pair<std::size_t, std::size_t> value_of(const std::string& command, std::string_view name) {
  const std::string option = " --" + std::string(name) + "=";
  const std::size_t at = command.find(option);
  if (at == std::string::npos) return {at, at};
  const std::size_t begin = at + option.size();
  const std::size_t ends = std::min(command.find(" --", begin), command.find(" > ", begin));
  return {begin, std::min(ends, command.size())};
}

void set_option(std::string& command, std::string_view name, const std::string& value) {
  const auto [begin, end] = value_of(command, name);
  if (begin == std::string::npos) return;
  command.replace(begin, end - begin, value);
}

void drop_option(std::string& command, const std::string& name) {
  const std::string option = " --" + name;
  std::size_t at = command.find(option);
  while (at != std::string::npos) {
    const std::size_t end = at + option.size();
    if (end < command.size() && command[end] != ' ' && command[end] != '=') {
      at = command.find(option, end);
      continue;
    }
    command.erase(at, std::min(command.find(" --", end), command.size()) - at);
    at = command.find(option, at);
  }
}

void name_files_apart(std::string& command) {
  for (const std::string_view name : kWritten) {
    const auto [begin, end] = value_of(command, name);
    if (begin == std::string::npos) continue;
    const std::size_t slash = command.rfind('/', end);
    command.insert(slash == std::string::npos || slash < begin ? begin : slash + 1, "after_");
  }
}

bool has_option(const std::string& command, std::string_view name) {
  const std::string option = " --" + std::string(name);
  for (std::size_t at = command.find(option); at != std::string::npos;
       at = command.find(option, at + 1)) {
    const std::size_t end = at + option.size();
    if (end == command.size() || command[end] == ' ' || command[end] == '=') return true;
  }
  return false;
}

// Appended, unless the command has it; in the place of another value where that matters.
void give(std::string& command, const std::string& text) {
  const Flag wanted = flag_of(text);
  if (!has_option(command, wanted.name)) {
    command += " " + text;
  } else if (!any_value_does(wanted)) {
    set_option(command, wanted.name, wanted.value);
  }
}

// The option with its value as the command has it; empty: it has none.
std::string option_text(const std::string& command, const std::string& name) {
  if (!has_option(command, name)) return "";
  const auto [begin, end] = value_of(command, name);
  const std::string value = begin == std::string::npos ? "" : command.substr(begin, end - begin);
  return "--" + name + (begin == std::string::npos ? "" : "=") + value;
}

// How `after` differs from `before` in the named options: " without --best with --fp16".
std::string difference_text(const std::string& before, const std::string& after,
                            const std::vector<std::string>& names) {
  std::string without, with;
  std::vector<std::string> seen;
  for (const std::string& name : names) {
    if (std::ranges::find(seen, name) != seen.end()) continue;
    seen.push_back(name);
    const std::string own = option_text(after, name);
    if (own.empty() && has_option(before, name)) {
      without += (without.empty() ? " without --" : ", --") + name;
    } else if (own != option_text(before, name)) {
      with += (with.empty() ? " with " : " ") + own;
    }
  }
  return without + with;
}

// A recorded command as one to be typed. None where it begins with another program, or holds signs
// of a shell or of a terminal: its quotes are lost, or it is not harmless.
std::optional<std::string> typed(const std::string& recorded) {
  const std::size_t end = std::min(recorded.find(' '), recorded.size());
  const std::string path = recorded.substr(0, end);
  const std::string program = path.substr(path.find_last_of("/\\") + 1);
  if (program != "trtexec" && program != "trtexec.exe") return std::nullopt;
  const std::string options = recorded.substr(end);
  const bool acts = std::ranges::any_of(options, [](const unsigned char c) {
    return c < 0x20 || c == 0x7F ||
           std::string_view("`$;|&<>(){}*?!#\\\"'").find(static_cast<char>(c)) !=
               std::string_view::npos;
  });
  return acts ? std::nullopt : std::optional("trtexec" + options);
}

// Of the last that builds an engine, else of the last.
std::optional<std::string> last_typed(const Build& build) {
  std::optional<std::string> last;
  for (const std::string& recorded : build.commands) {
    const std::optional<std::string> command = typed(recorded);
    if (command && (builds(*command) || !last || !builds(*last))) last = command;
  }
  return last;
}

// The flags of the last command that builds; empty: none is recorded, or it has none of these.
std::string own_precisions(const Build& build) {
  const std::optional<std::string> recorded = last_typed(build);
  if (!recorded || !builds(*recorded)) return "";
  std::vector<std::string> flags;
  for (const char* name : {"stronglyTyped", "best", "int8", "fp16", "bf16", "fp8", "int4"}) {
    const std::string flag = option_text(*recorded, name);
    if (!flag.empty()) flags.push_back(flag);
  }
  return join(flags, " ");
}

// Whether a shell takes it as it is, within quotes as well; and a sentence has room for it.
bool is_plain_path(const std::string& path) {
  constexpr std::size_t kLongest = 200;
  const auto is_plain = [](const unsigned char c) {
    return c >= 0x80 || std::isalnum(c) != 0 ||
           std::string_view("_./-+,@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !path.empty() && path.size() <= kLongest && path.front() != '-' &&
         std::ranges::all_of(path, is_plain);
}

// A word, which no letter of a longer one follows.
void replace_words(std::string& text, std::string_view word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool goes_on =
        end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                              text[end] == '_' || text[end] == '-');
    const bool is_file = end + 1 < text.size() && text[end] == '.' &&
                         std::isalnum(static_cast<unsigned char>(text[end + 1])) != 0;
    if (!goes_on && !is_file) text.replace(at, word.size(), by);
    at += goes_on || is_file ? word.size() : by.size();
  }
}

void name_model(std::string& text, const std::string& model) {
  replace_words(text, "--onnx=MODEL", "--onnx=" + model);
  replace_words(text, "MODEL.onnx", model);
}

}  // namespace

void fit_to_command(Finding& finding, const Build& build) {
  const std::string precisions = own_precisions(build);
  std::string& check = finding.next_check;
  // Of a whole command: "Build with --int8 --fp16" is about these very flags.
  const std::size_t command = check.find("--onnx=");
  if (!precisions.empty() && command != std::string::npos) {
    const bool is_dla = check.find("--useDLACore") != std::string::npos;
    const bool is_pair = check.find("--int8 --fp16", command) != std::string::npos;
    std::string text = check.substr(command);
    if (is_pair || is_dla) replace_words(text, is_pair ? "--int8 --fp16" : "--fp16", precisions);
    check.replace(command, std::string::npos, text);
  }
  std::optional<std::string> engine = build.options.value("loadEngine");
  if (!engine) engine = build.options.value("saveEngine");
  if (engine && is_plain_path(*engine)) {
    replace_words(check, "--loadEngine=ENGINE", "--loadEngine=" + *engine);
  }
  const std::optional<std::string> model = build.options.value("onnx");
  if (!model || !is_plain_path(*model)) return;
  name_model(check, *model);
  for (std::string& remedy : finding.remedies) name_model(remedy, *model);
}

std::vector<std::string> missing_layer_flags(const Build& build) {
  if (build.has_layer_info && !build.layer_names_only) return {};
  std::vector<std::string> flags = {"--dumpLayerInfo", "--exportLayerInfo=layers.json"};
  // An engine that is loaded was built with it or without.
  if (!only_loads(build.options)) flags.insert(flags.begin(), "--profilingVerbosity=detailed");
  return not_given(build, std::move(flags));
}

std::vector<std::string> missing_flags(const Build& build, bool query_time) {
  std::vector<std::string> flags;
  if (!build.is_verbose) flags.emplace_back("--verbose");
  for (std::string& flag : missing_layer_flags(build)) flags.push_back(std::move(flag));
  if (!build.has_profile) {
    flags.emplace_back("--dumpProfile");
    flags.emplace_back("--exportProfile=profile.json");
  }
  // Before 11.0 a profile without a separate run hides the end-to-end timing; later it is the rule.
  const bool lost_timing = !build.has_profile || !query_time;
  if (lost_timing && !is_trtexec_11(build)) flags.emplace_back("--separateProfileRun");
  if (build.queries.empty()) flags.emplace_back("--exportTimes=times.json");
  return not_given(build, std::move(flags));
}

std::string repeated_command(const Build& build, const std::vector<std::string>& flags) {
  const std::optional<std::string> recorded = last_typed(build);
  if (!recorded || flags.empty()) return "";
  std::string command = with_inference(*recorded);
  for (const std::string& flag : flags) give(command, flag);
  return command + " > build.log 2>&1";
}

std::string full_command(const Build& build) {
  const std::string evidence =
      "--verbose --profilingVerbosity=detailed --dumpLayerInfo --exportLayerInfo=layers.json "
      "--dumpProfile --exportProfile=profile.json";
  const std::string end = "--exportTimes=times.json --saveEngine=m.plan > build.log 2>&1";
  if (is_trtexec_11(build)) return "trtexec --onnx=m.onnx " + evidence + " " + end;
  return "trtexec --onnx=m.onnx " + precision_flags(build.allowed) + evidence +
         " --separateProfileRun --useCudaGraph --useSpinWait --noDataTransfers " + end;
}

std::string lacking_text(const std::string& side, const Build& build) {
  std::vector<std::string> lacking, flags = missing_layer_flags(build), exported;
  const auto lack = [&](const char* what, const char* file_option) {
    lacking.emplace_back(what);
    const std::optional<std::string> file = build.options.value(file_option);
    if (file && !file->empty()) exported.push_back(*file);
  };
  if (!build.has_layer_info) lack("no layer info", "exportLayerInfo");
  if (build.has_layer_info && build.layer_names_only) {
    lack("no details of the layers", "exportLayerInfo");
  }
  if (!build.has_profile) {
    lack("no times per layer", "exportProfile");
    for (std::string& flag : not_given(build, {"--dumpProfile", "--exportProfile=profile.json"})) {
      flags.push_back(std::move(flag));
    }
  }
  if (lacking.empty()) return "";
  const std::string begin = " The " + side + " has " + join(lacking, " and ") + ": ";
  if (exported.size() == lacking.size()) {
    return begin + "give what its trtexec exported as well, " + join(exported, " and ") + ".";
  }
  std::string command = repeated_command(build, flags);
  if (command.empty()) command = full_command(build);
  if (command.size() > kLongestInASentence) {
    return begin + fitted(build, "its trtexec command again with " + join(flags, " ")) + ".";
  }
  return begin + "`" + fitted(build, command) + "`.";
}

std::string rebuild_command(const Build& build, const std::string& onnx,
                            const std::vector<std::string>& flags,
                            const std::vector<std::string>& without) {
  std::string recorded = last_typed(build).value_or("");
  if (recorded.empty() || !builds(recorded)) {
    recorded = full_command(build);
    recorded.erase(recorded.find(" > "));
  }
  std::string command = with_inference(recorded);
  for (const std::string& name : without) drop_option(command, name);
  // The joined runs may have recorded this in a run of its own: the command itself decides.
  for (const std::string& flag : flags) give(command, flag);
  const std::vector<const char*> evidence = evidence_flags(build);
  for (const char* flag : evidence) give(command, flag);
  if (!onnx.empty()) set_option(command, "onnx", onnx);
  name_files_apart(command);
  const std::string log = " > after_build.log 2>&1";
  if (command.size() + log.size() <= kLongestInASentence) {
    return "`" + fitted(build, command) + log + "`";
  }
  std::vector<std::string> names = {"buildOnly", "skipInference"};
  names.insert(names.end(), without.begin(), without.end());
  names.emplace_back("onnx");
  for (const std::string& flag : flags) names.push_back(flag_of(flag).name);
  for (const char* flag : evidence) names.push_back(flag_of(flag).name);
  names.insert(names.end(), kWritten.begin(), kWritten.end());
  // Fitted first: an option that is dropped from a list leaves its comma.
  return "the same trtexec command" +
         difference_text(fitted(build, recorded), fitted(build, command), names) + log;
}

std::string filled_check(const Build& build, const std::string& next_check) {
  constexpr std::string_view kAny = "`trtexec …";
  std::string check = next_check;
  const std::size_t begin = check.find(kAny);
  if (begin == std::string::npos) return next_check;
  const std::optional<std::string> recorded = last_typed(build);
  const std::size_t end = check.find('`', begin + 1);
  if (!recorded || end == std::string::npos) return next_check;
  // Flags up to what is no flag: "--verbose > build.log 2>&1; echo $?".
  std::string command = *recorded;
  std::size_t at = begin + kAny.size();
  while (check.compare(at, 3, " --") == 0) {
    const std::size_t flag_end = std::min(check.find(' ', at + 1), end);
    give(command, check.substr(at + 1, flag_end - at - 1));
    at = flag_end;
  }
  if (command.size() > kLongestInASentence) return next_check;
  return check.replace(begin + 1, at - begin - 1, command);
}

std::string recorded_check(const Build& build, bool has_qdq, const std::string& next_check) {
  const bool is_float = next_check.find(kAnyFloatRebuild) != std::string::npos;
  const bool is_same = next_check.find(kSameRebuild) != std::string::npos;
  const std::string_view words = is_float ? kAnyFloatRebuild : is_same ? kSameRebuild : kAnyRebuild;
  const std::string mark = "`" + std::string(words) + "`";
  const std::size_t at = next_check.find(mark);
  if (at == std::string::npos) return next_check;
  const bool is_known = !build.commands.empty() || !build.allowed.labels.empty();
  std::string check = next_check;
  if (!is_known) {
    return (is_float || is_same) && has_qdq ? check.replace(at + 1, words.size(), kAnyRebuild)
                                            : next_check;
  }
  check.replace(at, mark.size(), rebuild_command(build, is_same ? "" : "CHANGED.onnx"));
  if (check.find("trtlens compare") == std::string::npos) return check;
  return check + lacking_text("build at hand", build);
}

}  // namespace trtlens
