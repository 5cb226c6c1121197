// Takes options out of remedies that the version of the build does not have, or does no longer.
#include "analyzers/rules/advice.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "parsers/model/build.h"

namespace trtlens {
namespace {

constexpr int kOpen = std::numeric_limits<int>::max();

struct TrtexecOption {
  std::string_view name;
  int since, until;  // Version::number(), both included
};

// sampleOptions.cpp of the releases; the precision flags ended with 11.0.
constexpr TrtexecOption kOptions[] = {
    {"profilingVerbosity", 80200, kOpen},
    {"dumpLayerInfo", 80200, kOpen},
    {"exportLayerInfo", 80200, kOpen},
    {"memPoolSize", 80400, kOpen},
    {"stronglyTyped", 90000, 109999},
    {"bf16", 90000, 109999},
    {"fp16", 0, 109999},
    {"int8", 0, 109999},
    {"best", 0, 109999},
    {"fp8", 80600, 109999},
};

constexpr int kFirstWithBf16 = 90000;

bool is_there(std::string_view option, int version) {
  for (const TrtexecOption& known : kOptions) {
    if (known.name == option) return version >= known.since && version <= known.until;
  }
  return true;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Of an option that begins at `at`: where it ends, its value included, punctuation not.
std::size_t option_end(std::string_view text, std::size_t at) {
  std::size_t end = std::min(text.find_first_of(" \n`)", at), text.size());
  while (end > at && (text[end - 1] == ',' || text[end - 1] == '.' || text[end - 1] == ';')) --end;
  return end;
}

std::string without_missing_options(const std::string& text, int version) {
  std::string result;
  const std::size_t command = text.find("trtexec");
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t found = std::min(text.find("--", at), text.size());
    result.append(text, at, found - at);
    if (found == text.size()) break;
    std::size_t name_end = found + 2;
    while (name_end < text.size() && is_name(text[name_end])) ++name_end;
    const std::string_view name = std::string_view(text).substr(found + 2, name_end - found - 2);
    const std::size_t end = std::max(option_end(text, found), name_end);
    if (is_there(name, version) || command == std::string::npos || found < command) {
      result.append(text, found, end - found);
    } else if (!result.empty() && result.back() == ' ') {
      result.pop_back();
    }
    at = end;
  }
  return result;
}

}  // namespace

std::string fit_to_version(const std::string& text, const Version& version) {
  std::string fitted = text;
  const int number = version.number();
  if (!is_there("memPoolSize", number))
    replace_all(fitted, "--memPoolSize=workspace:", "--workspace=");
  if (number < kFirstWithBf16) {
    replace_all(fitted, " or BF16", "");
    replace_all(fitted, "BF16 or ", "");
  }
  return without_missing_options(fitted, number);
}

void fit_to_version(Finding& finding, const Version& version) {
  for (std::string& remedy : finding.remedies) remedy = fit_to_version(remedy, version);
  finding.next_check = fit_to_version(finding.next_check, version);
}

}  // namespace trtlens
