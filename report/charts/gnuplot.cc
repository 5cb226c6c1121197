// Starts gnuplot without a shell, bounded in time, and cuts its output into one picture a chart.
#include "report/charts/gnuplot.h"

#include <fcntl.h>
#include <gnuplot-iostream.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>

#include "report/charts/chart_script.h"

namespace trtlens {
namespace {

constexpr std::chrono::seconds kTimeLimit{20};

// A nameless file. Script and drawings go through files, not pipes: neither side can block on a
// full pipe, and a gnuplot that dies raises no SIGPIPE here.
class NamelessFile {
 public:
  explicit NamelessFile(const char* name) : fd_(memfd_create(name, MFD_CLOEXEC)) {}
  ~NamelessFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] bool rewind() const { return ::lseek(fd_, 0, SEEK_SET) == 0; }
  [[nodiscard]] std::string read_all() const {
    std::string out;
    if (!rewind()) return out;
    char buffer[65536];
    for (;;) {
      const ssize_t n = ::read(fd_, buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return out;
      out.append(buffer, static_cast<std::size_t>(n));
    }
  }

 private:
  int fd_;
};

// gnuplot-iostream's stream closes the FILE, so it gets a descriptor of its own.
bool write_script(const NamelessFile& file, const std::string& script) {
  const int copy = ::fcntl(file.fd(), F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return false;
  std::FILE* stream = ::fdopen(copy, "w");
  if (stream == nullptr) {
    ::close(copy);
    return false;
  }
  bool good = false;
  {
    Gnuplot gnuplot(stream);
    gnuplot << script;
    gnuplot.flush();
    good = gnuplot.good();
  }
  return good && file.rewind();
}

// -d: no start-up files of the user. A fixed environment: no GNUPLOT_… and no locale.
std::optional<pid_t> start_gnuplot(const NamelessFile& script, const NamelessFile& drawings) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return std::nullopt;
  posix_spawn_file_actions_adddup2(&actions, script.fd(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, drawings.fd(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  char program[] = "gnuplot";
  char no_init[] = "-d";
  char from_stdin[] = "-";
  char locale[] = "LC_ALL=C";
  char* arguments[] = {program, no_init, from_stdin, nullptr};
  char* environment[] = {locale, nullptr};
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, program, &actions, nullptr, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? std::optional<pid_t>(pid) : std::nullopt;
}

// Nothing of a process that did not end in time, and was killed, or that a signal ended.
std::optional<int> exit_status(pid_t pid) {
  const auto deadline = std::chrono::steady_clock::now() + kTimeLimit;
  for (;;) {
    int status = 0;
    const pid_t done = ::waitpid(pid, &status, WNOHANG);
    if (done == pid) {
      return WIFEXITED(status) ? std::optional<int>(WEXITSTATUS(status)) : std::nullopt;
    }
    // With SIGCHLD ignored the status is lost; the drawings tell whether it worked.
    if (done < 0 && errno != EINTR) return errno == ECHILD ? std::optional<int>(0) : std::nullopt;
    if (std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return std::nullopt;
}

// What posix_spawn leaves behind where the parent cannot be told, as under qemu-user.
constexpr int kNotStarted = 127;

// gnuplot writes one picture after the other; text inside an SVG never holds a raw "<".
std::vector<std::string> split_pictures(const std::string& drawings, PictureKind kind) {
  using namespace std::string_view_literals;
  const std::string_view begin = kind == PictureKind::svg ? "<svg"sv : "\x89PNG\r\n\x1a\n"sv;
  const std::string_view end = kind == PictureKind::svg ? "</svg>"sv : "IEND\xae\x42\x60\x82"sv;
  std::vector<std::string> pictures;
  std::size_t start = drawings.find(begin);
  while (start != std::string::npos) {
    const std::size_t last = drawings.find(end, start);
    if (last == std::string::npos) break;
    pictures.push_back(drawings.substr(start, last + end.size() - start));
    start = drawings.find(begin, last);
  }
  return pictures;
}

ChartImages draw(const std::vector<const Chart*>& charts, PictureKind kind) {
  const NamelessFile script("trtlens-charts.gp");
  const NamelessFile drawings("trtlens-charts.pictures");
  if (script.fd() < 0 || drawings.fd() < 0 || !write_script(script, gnuplot_script(charts, kind))) {
    return {{}, "Charts are not drawn: no temporary memory file."};
  }
  const std::optional<pid_t> pid = start_gnuplot(script, drawings);
  const std::optional<int> status = pid ? exit_status(*pid) : kNotStarted;
  if (status == kNotStarted) return {{}, "Charts are not drawn: gnuplot was not found."};
  if (status != 0) return {{}, "Charts are not drawn: gnuplot failed."};
  std::vector<std::string> pictures = split_pictures(drawings.read_all(), kind);
  if (pictures.size() != charts.size()) return {{}, "Charts are not drawn: gnuplot failed."};
  return {std::move(pictures), ""};
}

}  // namespace

ChartImages draw_charts(const std::vector<const Chart*>& charts, PictureKind kind) {
  if (charts.empty()) return {};
  try {
    return draw(charts, kind);
  } catch (const std::exception&) {  // of gnuplot-iostream and boost
    return {{}, "Charts are not drawn: gnuplot failed."};
  }
}

}  // namespace trtlens
