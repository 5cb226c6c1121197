#include "report/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "report/cli/output.h"

namespace trtlens {
namespace {

void put(const std::string& text) {
  (void)write_all(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string progress_text(std::uint64_t done, std::uint64_t total, double s) {
  const double mib = static_cast<double>(done) / (1024 * 1024);
  if (done <= total) {
    return fmt::format("read {:.0f} MiB ({:.0f} %)", mib,
                       100.0 * static_cast<double>(done) / static_cast<double>(total));
  }
  return s > 0 ? fmt::format("read {:.0f} MiB ({:.0f} MiB/s)", mib, mib / s)
               : fmt::format("read {:.0f} MiB", mib);
}

ProgressLine::~ProgressLine() {
  if (shown_) put("\r\x1b[K");
}

void ProgressLine::update(std::uint64_t done, std::uint64_t total) {
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200)) {
    return;
  }
  last_ = now;
  shown_ = true;
  const double s = std::chrono::duration<double>(now - start_).count();
  put("\r\x1b[Ktrtlens: " + progress_text(done, total, s));
}

}  // namespace trtlens
