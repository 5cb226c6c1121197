// Draws the line from a thread of its own, where one may be started.
#include "report/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "report/cli/output.h"

namespace trtlens {
namespace {

void put(const std::string& text) {
  (void)write_all(STDERR_FILENO, text.data(), text.size());
}

// A pipe is slow: its first megabyte takes minutes.
std::string size_text(double bytes) {
  const double mib = bytes / (1024 * 1024);
  return mib < 1 ? fmt::format("{:.0f} KiB", bytes / 1024) : fmt::format("{:.0f} MiB", mib);
}

}  // namespace

std::string progress_text(std::uint64_t done, std::uint64_t total, double s) {
  const std::string read = "read " + size_text(static_cast<double>(done));
  if (done <= total) {
    return fmt::format("{} ({:.0f} %)", read,
                       100.0 * static_cast<double>(done) / static_cast<double>(total));
  }
  return s > 0 ? fmt::format("{} ({}/s)", read, size_text(static_cast<double>(done) / s)) : read;
}

std::string waiting_text(std::uint64_t done, double s) {
  return fmt::format("read {}, waiting for more for {:.0f} s", size_text(static_cast<double>(done)),
                     s);
}

ProgressLine::ProgressLine() {
  try {
    waiter_ = std::thread([this] { wait(); });
  } catch (const std::system_error&) {
    // Where no second thread may be started, only what comes is shown.
  }
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  stopped_changed_.notify_all();
  if (waiter_.joinable()) waiter_.join();
  clear();
}

bool ProgressLine::is_due() {
  last_update_ = Clock::now();
  if (last_update_ - start_ < std::chrono::seconds(1) ||
      (!is_waiting_ && last_update_ - last_shown_ < std::chrono::milliseconds(200))) {
    return false;
  }
  is_waiting_ = false;
  last_shown_ = last_update_;
  return true;
}

void ProgressLine::update(std::uint64_t done, std::uint64_t total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ = done;
  is_pipe_ = total == 0;
  if (!is_due()) return;
  show(progress_text(done, total, std::chrono::duration<double>(last_update_ - start_).count()));
}

void ProgressLine::update(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_pipe_ = false;
  if (is_due()) show(text);
}

void ProgressLine::clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (shown_) put("\r\x1b[K");
  shown_ = false;
}

void ProgressLine::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopped_changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stopped_; })) {
    const double s = std::chrono::duration<double>(Clock::now() - last_update_).count();
    if (s < 1 || !is_pipe_) continue;  // a file is there: it is being worked on
    show(waiting_text(done_, s));
    is_waiting_ = true;
  }
}

void ProgressLine::show(const std::string& text) {
  shown_ = true;
  put("\r\x1b[Ktrtlens: " + text);
}

}  // namespace trtlens
