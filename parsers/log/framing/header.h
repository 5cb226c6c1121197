// What stands before the message in a log line: time stamps, severity, producer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/log/framing/margin.h"
#include "parsers/model/build.h"
#include "parsers/text/eight_bytes.h"

namespace trtlens {

enum class Producer : std::uint8_t {
  unknown,
  trtexec,
  python,
  polygraphy,
  onnxruntime,
  triton,
  torch_tensorrt,
  deepstream,
  tao,
  jetson_inference,
  tensorrt_rtx,
  edge_llm,
  tensorrt_llm,
  tensorflow,
  tag  // "[TRT] text" of a program that nobody knows
};
[[nodiscard]] const char* to_string(Producer producer);
// Whether nothing but "[TRT]" stands in front of the text, and no level.
[[nodiscard]] inline bool is_tag(Producer producer) {
  return producer == Producer::tag || producer == Producer::jetson_inference;
}

struct LogLine {
  std::string_view raw;   // physical line; colours and the quotes of a notebook removed
  std::string_view body;  // message without its header
  LogSeverity severity = LogSeverity::unknown;
  Producer producer = Producer::unknown;
  // Carries a header of trtexec or of a TensorRT logger. Not own, but of known severity: a header
  // of another program, whose own text follows.
  bool own = false;
  bool library = false;  // `[TRT]`: the library's text, not trtexec's or that of the program
  bool verdict = false;  // `&&&& …` at the start of the line
  bool guessed = false;  // only a `[TRT]` somewhere in the line says that it is the library's
  // Bytes of `raw` in front of the header: what a container, an editor or a quote put there.
  std::size_t decoration = 0;
  bool has_margin = false;       // that of the log stood in front, and is not in `raw`
  std::string_view indentation;  // the blanks and tabs among them
};

// "[MM/DD/YYYY-HH:MM:SS] [V] [TRT] text": how nearly every line of trtexec 8.2+ begins.
class PlainHeader {
 public:
  // False: the line begins otherwise, ask split_header, which reads such a line in the same way.
  // `raw` holds no escape sequence.
  [[nodiscard]] bool split(std::string_view raw, LogLine& line);

  // The line, when its header is that of the last line that split() took and not a warning's or an
  // error's: then it is the same but for its text. Null: ask split(). Valid until the next call.
  [[nodiscard]] const LogLine* again(std::string_view raw) {
    if (bytes_ == 0 || raw.size() <= bytes_) return nullptr;
    const std::size_t last = bytes_ - sizeof(Sixteen);
    const Sixteen differ = (sixteen_at(raw.data()) ^ sixteen_at(header_.data())) |
                           (sixteen_at(raw.data() + last) ^ sixteen_at(header_.data() + last));
    if (any_of(Sixteen(differ != 0))) {
      return nullptr;
    }
    last_.raw = raw;
    last_.body = {raw.data() + bytes_, raw.size() - bytes_};
    return last_.library || last_.body[0] != '[' ? &last_ : nullptr;
  }

 private:
  // "[MM/DD/YYYY-HH:MM:SS] [V] [TRT] "; thousands of lines share a second.
  static constexpr std::size_t kMostBytes = 32;
  static constexpr std::size_t kStampBytes = 21;
  // Of the shortest that remember() takes: two sixteens leave no byte out.
  static_assert(kStampBytes + sizeof " [V]" >= sizeof(Sixteen) &&
                kMostBytes <= 2 * sizeof(Sixteen));

  void remember(const LogLine& line);

  std::array<char, kMostBytes> header_{};
  std::size_t bytes_ = 0;  // of header_; 0: none
  LogLine last_;
};

// Splits one physical line; never fails. Views point into `raw` or into `scratch`, which is used
// only when the line holds escape sequences or is a string of a notebook.
// A line without a header of its own is what stands behind `margin`, where that is there.
[[nodiscard]] LogLine split_header(std::string_view raw, std::string& scratch,
                                   const Margin* margin = nullptr);

// Polygraphy's first line: nothing else looks like it.
inline constexpr std::string_view kPolygraphyRuns = "RUNNING | Command: ";
[[nodiscard]] inline bool begins_polygraphy(std::string_view body) {
  return body.substr(0, kPolygraphyRuns.size()) == kPolygraphyRuns;
}

// Where a line of trtexec begins inside `body`: another stream's, written before this one had its
// end. std::string_view::npos: nowhere.
[[nodiscard]] std::size_t stamp_inside(std::string_view body);
[[nodiscard]] inline bool holds_stamp(std::string_view body) {
  constexpr std::size_t kLeast = sizeof "[MM/DD/YYYY-HH:MM:SS] [E]" - 1;
  return body.size() >= kLeast && stamp_inside(body) != std::string_view::npos;
}
// Where the second of several messages begins that a paste has in one line, having lost its line
// ends: behind a blank, and a sentence or one more of them. std::string_view::npos: nowhere.
[[nodiscard]] std::size_t glued_message(std::string_view line);

}  // namespace trtlens
