// What a capture writes in front of every line of a log: an indentation, the name of a container, a
// clock, the number of the line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trtlens {

class Margin {
 public:
  // What stood in front of a header. `is_sure`: nothing else may have been there; else it counts
  // from the second time on, for a torn line has a header in its middle, too.
  void learn(std::string_view text, bool is_sure);
  void forget() { state_ = State::none; }

  // Whether a line without it is another program's.
  [[nodiscard]] bool is_known() const { return state_ == State::known; }
  // The bytes of it at the start of a line, where any number stands for any other; 0: none.
  [[nodiscard]] std::size_t bytes_in(std::string_view line) const;

 private:
  enum class State : unsigned char { none, seen, known };
  std::string text_;
  State state_ = State::none;
};

// Bytes of what Docker Compose ("builder-1  | "), syslog and journald ("May 01 12:00:00 host
// app[7]: ") and kubectl ("[pod/name/container] ") write in front of a line; 0: none of these.
[[nodiscard]] std::size_t wrapper_bytes(std::string_view line);

}  // namespace trtlens
