// Pages are written one at a time, while builds are read side by side.
#include "report/cli/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analyzers/gate/sha256.h"
#include "report/document/document.h"

namespace trtlens {
namespace {

constexpr const char* kPages = "builds/";

}  // namespace

std::string page_of(const std::string& build_name) {
  constexpr std::size_t kMostOfName = 80;
  std::string name =
      build_name.substr(build_name.size() - std::min(build_name.size(), kMostOfName));
  std::ranges::replace_if(
      name,
      [](char c) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '.' || c == '-';
        return !is_plain;
      },
      '_');
  const auto hash = sha256(build_name);
  return fmt::format("{}{}-{:02x}{:02x}{:02x}{:02x}.html", kPages,
                     name.substr(std::min(name.find_first_not_of("._-"), name.size())), hash[0],
                     hash[1], hash[2], hash[3]);
}

std::vector<std::string> page_folders(const OutputOptions& output) {
  std::vector<std::string> folders;
  for (const std::string& item : output.files) {
    const std::string path = output_place(item).path;
    if (path.ends_with('/')) folders.push_back(path);
  }
  return folders;
}

bool BuildPages::begin() {
  for (const std::string& folder : folders_) {
    std::error_code error;
    std::filesystem::create_directories(folder + kPages, error);
    if (!error) continue;
    complain("cannot make " + folder + kPages + ": " + error.message());
    return false;
  }
  return true;
}

void BuildPages::add(const Analysis& analysis, const GateResult& gate) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::string& folder : folders_) {
    good_ = good_ && write_page(folder + page_of(analysis.name), [&] {
              Document document = build_document(analysis, top_, &gate);
              document.overview = "../index.html";
              return document;
            });
  }
}

}  // namespace trtlens
