// Breaks long lines of CLI11's help.
#include "report/cli/output_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::size_t kExampleIndent = 6;  // behind the first line
constexpr std::size_t kNarrowest = 60, kWidest = 200, kUsual = 100;

bool is_example(std::string_view line) {
  return line.starts_with("  trtlens ") || line.starts_with("  trtexec ");
}

// Where the lines behind the first one begin: under the description of an option, behind the blanks
// that the line begins with.
std::size_t indent_of(std::string_view line) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  constexpr std::size_t kOption = 2;
  if (start != kOption) return start;
  const std::size_t gap = line.find("  ", start);
  if (gap == std::string_view::npos) return start + kOption;
  return std::min(line.find_first_not_of(' ', gap), line.size());
}

// Bytes of the first line; behind a blank, else behind a comma of a list of words.
std::size_t break_of(std::string_view line, std::size_t indent, std::size_t width) {
  const std::size_t most = fitting_bytes(line, width);
  const std::size_t blank = line.rfind(' ', most);
  if (blank != std::string_view::npos && blank > indent) return blank;
  const std::size_t comma = line.rfind(',', most - 1);
  if (comma != std::string_view::npos && comma > indent) return comma + 1;
  return most;
}

}  // namespace

std::size_t output_width() {
  std::size_t width = 0;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const std::string_view text = columns;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc() || rest != text.data() + text.size()) width = 0;
  }
  struct winsize size {};
  if (width == 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kUsual : std::clamp(width, kNarrowest, kWidest);
}

std::string wrapped_help(const std::string& help, std::size_t width) {
  constexpr std::size_t kContinued = 2;  // " \\"
  std::string out;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = is_example(line);
    const std::size_t indent = is_command ? kExampleIndent : indent_of(line);
    while (display_width(line) > width) {
      const std::size_t end = break_of(line, indent, is_command ? width - kContinued : width);
      out +=
          line.substr(0, line.find_last_not_of(' ', end - 1) + 1) + (is_command ? " \\\n" : "\n");
      const std::size_t next = std::min(line.find_first_not_of(' ', end), line.size());
      line = std::string(indent, ' ') + line.substr(next);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace trtlens
