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
  // A header stands at the start of its line.
  void forget() {
    is_known_ = has_candidate_ = false;
    is_none_ = true;
  }
  // A line without a header of its own has it: not a logger wrote it, but who wrote them all.
  void seen_without_header() { marks_all_ = true; }

  // Whether the last header had nothing in front.
  [[nodiscard]] bool is_none() const { return is_none_; }
  // Whether a line without it is another program's.
  [[nodiscard]] bool marks_all() const { return is_known_ && marks_all_; }
  // The bytes of it at the start of a line, where any number stands for any other; 0: none.
  [[nodiscard]] std::size_t bytes_in(std::string_view line) const;

 private:
  std::string text_, candidate_;
  bool is_known_ = false, has_candidate_ = false, is_none_ = false;
  bool marks_all_ = false;
};

// Bytes of what Docker Compose ("builder-1  | "), syslog and journald ("May 01 12:00:00 host
// app[7]: "), ts ("May 01 12:00:00 "), kubectl ("[pod/name/container] "), grep -n ("12:"), nl and
// cat -n ("    12\t"), clocks with an offset ("2024-05-01T12:00:00+0200 ") and, in front of the
// letter for a level, in brackets ("[12:00:00] ") write in front of a line; 0: none of these.
[[nodiscard]] std::size_t wrapper_bytes(std::string_view line);
// Those of syslog and journald with host and program alone, which no text of TensorRT looks like.
[[nodiscard]] std::size_t syslog_bytes(std::string_view line);
// Whether `front` is one of these that nothing else looks like: it has words.
[[nodiscard]] bool is_sure_wrapper(std::string_view front);

}  // namespace trtlens
