// Writes one line over and over.
#include "report/cli/counter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "report/cli/output.h"

namespace trtlens {
namespace {

void put_on_line(const std::string& text) {
  (void)write_all(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Counter::Counter(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)),
      total_(total),
      shows_(!quiet && total > 1 && is_terminal(STDERR_FILENO)) {}

void Counter::show(std::size_t done) {
  const auto now = std::chrono::steady_clock::now();
  if (!shows_ || now - last_ < std::chrono::milliseconds(300)) return;
  last_ = now;
  put_on_line(fmt::format("\r\x1b[Ktrtlens: {} {} of {}", what_, done, total_));
  shown_ = true;
}

void Counter::clear() {
  if (shown_) put_on_line("\r\x1b[K");
  shown_ = false;
}

}  // namespace trtlens
