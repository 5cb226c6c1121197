// At most ten pictures a second; what the terminal does not take at once is left out.
#include "report/cli/watch/live_view.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "report/cli/output.h"
#include "report/cli/watch/live_text.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

constexpr std::chrono::milliseconds kBetweenPictures{100};
constexpr std::chrono::seconds kTick{1};  // the time goes on where no line comes

bool takes_more() {
  struct pollfd fd {
    STDERR_FILENO, POLLOUT, 0
  };
  return ::poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT) != 0;
}

void put(const std::string& text) {
  (void)write_all(STDERR_FILENO, text.data(), text.size());
}

std::pair<std::size_t, std::size_t> columns_and_lines() {
  struct winsize size {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? std::pair<std::size_t, std::size_t>(size.ws_col, std::max<int>(2, size.ws_row))
               : std::pair<std::size_t, std::size_t>(80, 24);
}

}  // namespace

bool shows_live_view(bool tee) {
  const char* term = std::getenv("TERM");
  const bool is_dumb = term != nullptr && std::string_view(term) == "dumb";
  // With --tee the log itself may run over the same terminal.
  return is_terminal(STDERR_FILENO) && !is_dumb && !(tee && is_terminal(STDOUT_FILENO));
}

LiveView::LiveView(AnalyzeOptions how, bool is_screen)
    : is_screen_(is_screen), live_(std::move(how)) {
  // Ctrl-C and SIGTERM are for who reads.
  sigset_t interrupt, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigaddset(&interrupt, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &interrupt, &before);
  try {
    drawer_ = std::thread([this] { draw_all(); });
  } catch (const std::system_error&) {
    // Where no second thread may be started, there is the report at the end.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LiveView::~LiveView() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  wakes_.notify_all();
  if (drawer_.joinable()) drawer_.join();
  const std::vector<LiveProblem> problems = live_.state(now_s()).problems;
  if (!is_screen_) {
    tell(problems);
    return;
  }
  const std::size_t columns = columns_and_lines().first;
  put(erased(columns) + new_problems(problems, columns) + (problems.empty() ? "" : "\n"));
}

double LiveView::now_s() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void LiveView::take(const LogSoFar& log) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    live_.take(log, now_s());
    has_news_ = true;
  }
  wakes_.notify_one();
}

void LiveView::draw_all() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopped_) {
    wakes_.wait_for(lock, kTick, [this] { return stopped_ || has_news_; });
    if (stopped_) return;
    has_news_ = false;
    const LiveState state = live_.state(now_s());
    lock.unlock();
    if (is_screen_) {
      draw(state);
    } else {
      print(state);
    }
    lock.lock();
    wakes_.wait_for(lock, kBetweenPictures, [this] { return stopped_; });
  }
}

// Back to the first line of the block, and all behind it gone. A terminal that was made narrower
// has folded the lines.
std::string LiveView::erased(std::size_t width) const {
  if (block_.empty()) return {};
  std::size_t rows = 0;
  for (const std::string& line : block_) {
    rows += std::max<std::size_t>(1, (display_width(line) + width - 1) / width);
  }
  return (rows > 1 ? "\r\x1b[" + std::to_string(rows - 1) + "A" : std::string("\r")) + "\x1b[J";
}

void LiveView::draw(const LiveState& state) {
  if (!takes_more()) return;
  const auto [columns, lines] = columns_and_lines();
  std::string text = erased(columns) + new_problems(state.problems, columns);
  // A character in the last column would begin another line.
  block_ = screen_lines(state, columns - 1, std::max<std::size_t>(1, lines - 1));
  for (std::size_t i = 0; i < block_.size(); ++i) text += (i > 0 ? "\r\n" : "") + block_[i];
  put(text);
}

std::string LiveView::new_problems(const std::vector<LiveProblem>& problems, std::size_t columns) {
  std::string text;
  for (; problems_shown_ < problems.size(); ++problems_shown_) {
    for (const std::string& line : problem_lines(problems[problems_shown_], columns)) {
      text += line + "\r\n";
    }
  }
  return text;
}

void LiveView::tell(const std::vector<LiveProblem>& problems) {
  for (; problems_shown_ < problems.size(); ++problems_shown_) {
    complain(problem_text(problems[problems_shown_]));
  }
}

void LiveView::print(const LiveState& state) {
  tell(state.problems);
  // A build of hours is as many lines as one of minutes.
  constexpr std::chrono::seconds kSparse{30};
  const Clock::duration pause = std::max<Clock::duration>(kSparse, (printed_ - start_) / 4);
  const bool is_later = Clock::now() - printed_ >= pause && state.layer != layer_shown_;
  if (state.lines == 0 || (state.stage == stage_shown_ && !is_later)) return;
  stage_shown_ = state.stage;
  layer_shown_ = state.layer;
  printed_ = Clock::now();
  complain(duration_text(state.elapsed_s) + ": " + stage_text(state) +
           (state.is_timing ? ", " + left_text(state) : ""));
}

}  // namespace trtlens
