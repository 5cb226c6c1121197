// The command `mcp`: lines of the protocol on standard input, answers on standard output.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "report/cli/commands.h"
#include "report/cli/mcp/protocol.h"
#include "report/cli/output.h"

namespace trtlens {
namespace {

// The two ends of the protocol, moved away from where others read and print: an input named
// /dev/stdin is empty, and what anything prints comes out on standard error.
struct ProtocolEnds {
  int in = -1, out = -1;
  ProtocolEnds()
      : in(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
        out(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) (void)::dup2(nothing, STDIN_FILENO);
    if (nothing > STDERR_FILENO) ::close(nothing);
    (void)::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
};

class Lines {
 public:
  explicit Lines(const ProtocolEnds& ends) : ends_(ends) {}

  // 0 or errno, at the end of the input.
  [[nodiscard]] int answer_all() {
    std::string piece(std::size_t{1} << 16, '\0');
    while (error_ == 0) {
      const ssize_t size = ::read(ends_.in, piece.data(), piece.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return errno;
      if (size == 0) break;
      take(std::string_view(piece).substr(0, static_cast<std::size_t>(size)));
    }
    if (error_ == 0 && !line_.empty()) send(mcp::answer_to(line_));
    return error_;
  }

 private:
  void take(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t end = piece.find('\n');
      const std::string_view part = piece.substr(0, end);
      if (line_.size() + part.size() > mcp::kMostMessageBytes) {
        is_too_long_ = true;
        line_.clear();
      }
      if (!is_too_long_) line_ += part;
      if (end == std::string_view::npos) return;
      piece.remove_prefix(end + 1);
      send(is_too_long_ ? mcp::answer_to_long_line() : mcp::answer_to(line_));
      line_.clear();
      is_too_long_ = false;
    }
  }

  void send(std::string answer) {
    if (answer.empty()) return;
    answer += '\n';
    if (error_ == 0 && !write_all(ends_.out, answer.data(), answer.size())) error_ = errno;
  }

  const ProtocolEnds& ends_;
  std::string line_;
  bool is_too_long_ = false;
  int error_ = 0;
};

}  // namespace

int run_mcp() {
  const ProtocolEnds ends;
  const int error = Lines(ends).answer_all();
  if (error == 0) return kExitDone;
  complain(std::string("the protocol on standard input and output: ") + std::strerror(error));
  return kExitFailure;
}

CommandRow mcp_command() {
  return {"mcp",
          "a server of the Model Context Protocol, by which an agent asks for analyses",
          "Example, as agents have it in their settings:\n"
          "  {\"mcpServers\": {\"trtlens\": {\"command\": \"trtlens\", \"args\": [\"mcp\"]}}}\n"
          "\n"
          "It reads and answers messages, a line each, on standard input and output, until its "
          "input ends. Tools: analyze, compare, explain, layers. A reply has at most 4096 bytes. "
          "It reads what it is asked for, and writes no file.\n",
          {}};
}

}  // namespace trtlens
