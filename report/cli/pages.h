// A folder of pages, `-o FOLDER/`: index.html with the table of all builds, and a page for each.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "analyzers/gate/gate.h"
#include "report/cli/commands.h"

namespace trtlens {

// The page of a build, as index.html names it. Names come from inputs: only letters, digits, `.`,
// `_` and `-` of them stay, and a hash tells apart what is then the same.
[[nodiscard]] std::string page_of(const std::string& build_name);

// The folders of `-o FOLDER/`, with their slash.
[[nodiscard]] std::vector<std::string> page_folders(const OutputOptions& output);

class BuildPages {
 public:
  explicit BuildPages(const AnalyzeArguments& arguments)
      : top_(arguments.top), folders_(page_folders(arguments.output)) {}

  [[nodiscard]] bool are_wanted() const { return !folders_.empty(); }
  // Makes the folders; false after an error, which is printed.
  [[nodiscard]] bool begin();
  void add(const Analysis& analysis, const GateResult& gate);  // from any thread
  [[nodiscard]] bool are_good() const { return good_; }

 private:
  int top_;
  std::vector<std::string> folders_;
  std::mutex mutex_;
  bool good_ = true;
};

}  // namespace trtlens
