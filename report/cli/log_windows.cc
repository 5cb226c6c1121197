// One pass over each file that findings quote.
#include "report/cli/log_windows.h"

#include <array>
#include <cstdint>
#include <deque>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::size_t kAround = 3;          // lines before and after
constexpr std::size_t kLineBytes = 4096;    // of a line that are read
constexpr std::size_t kShownColumns = 300;  // and shown
constexpr std::size_t kCompared = 24;       // bytes of the quote that the line must hold

using Quotes = std::multimap<std::uint64_t, EvidenceLine*>;  // by line

std::map<std::string, Quotes> quotes_of(Document& document) {
  std::map<std::string, Quotes> files;
  for (Section& section : document.sections) {
    for (Block& block : section.blocks) {
      auto* const card = std::get_if<FindingCard>(&block);
      if (card == nullptr) continue;
      for (EvidenceLine& line : card->evidence) {
        if (line.quoted && line.line > 0 && line.file != "-") {
          files[line.file].emplace(line.line, &line);
        }
      }
    }
  }
  return files;
}

bool holds(const std::string& line, const std::string& quote) {
  return line.find(quote.substr(0, kCompared)) != std::string::npos;
}

// The beginning of the next line; the rest of a long one is skipped.
bool next_line(std::ifstream& in, std::string& line) {
  std::array<char, kLineBytes> bytes{};
  in.getline(bytes.data(), bytes.size());
  if (in.bad() || (in.eof() && in.gcount() == 0)) return false;
  line.assign(bytes.data());
  if (in.fail() && !in.eof()) {  // the line is longer than the buffer
    in.clear();
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

// A window that is not complete yet: the lines behind the quoted one are still to come.
struct OpenWindow {
  EvidenceLine* evidence;
  std::size_t missing;
};

void read_windows(const std::string& path, const Quotes& quotes) {
  std::ifstream in(path, std::ios::binary);
  std::deque<std::string> last;
  std::vector<OpenWindow> open;
  std::string line;
  const std::uint64_t end = quotes.rbegin()->first + kAround;
  for (std::uint64_t number = 1; number <= end && next_line(in, line); ++number) {
    const auto [first, behind] = quotes.equal_range(number);
    const bool is_near = quotes.lower_bound(number) != quotes.end() &&
                         quotes.lower_bound(number)->first <= number + kAround;
    if (!is_near && open.empty()) {
      last.clear();
      continue;
    }
    const std::string shown = elide_middle(visible(line), kShownColumns);
    for (OpenWindow& window : open) {
      window.evidence->around.push_back(shown);
      --window.missing;
    }
    std::erase_if(open, [](const OpenWindow& window) { return window.missing == 0; });
    for (auto quote = first; quote != behind; ++quote) {
      EvidenceLine& evidence = *quote->second;
      if (!holds(line, evidence.text)) continue;
      evidence.around.assign(last.begin(), last.end());
      evidence.around.push_back(shown);
      evidence.around_first = number - last.size();
      open.push_back({&evidence, kAround});
    }
    last.push_back(shown);
    if (last.size() > kAround) last.pop_front();
  }
}

}  // namespace

void add_log_windows(Document& document) {
  for (const auto& [path, quotes] : quotes_of(document)) read_windows(path, quotes);
}

}  // namespace trtlens
