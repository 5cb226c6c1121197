// The header of each line, by those of the lines before it: what a capture writes in front of all
// lines is learnt.
#pragma once

#include <string>
#include <string_view>

#include "parsers/log/framing/header.h"
#include "parsers/log/framing/margin.h"

namespace trtlens {

class LineHeaders {
 public:
  // The line as the last one that plain() split, when it has the same header; null: it has not.
  [[nodiscard]] const LogLine* again(std::string_view raw) { return plain_.again(raw); }
  // A line with trtexec's usual header and nothing in front. False: it is none.
  [[nodiscard]] bool plain(std::string_view raw, LogLine& parsed) {
    if (!plain_.split(raw, parsed)) return false;
    forget_margin();
    return true;
  }
  void forget_margin() { margin_.forget(); }

  // Any line; nothing is learnt from it. `scratch` holds what could not stay in `raw`.
  [[nodiscard]] LogLine look(std::string_view raw, std::string& scratch) const {
    return split_header(raw, scratch, &margin_);
  }
  // Any line, the margin learnt from it.
  [[nodiscard]] LogLine split(std::string_view raw);
  // Whether a line without a header and without the margin of all others is another program's.
  [[nodiscard]] bool is_outside(const LogLine& bare);
  // Takes off what a capture writes in front of every line, where a line without a header is known
  // to be TensorRT's, and learns it. False: nothing is.
  bool take_wrapper(LogLine& bare);
  // Whether what stands in front of the header is more or less than the margin.
  [[nodiscard]] bool is_beside_margin(const LogLine& parsed) const {
    return parsed.decoration > 0 && parsed.indentation.empty() &&
           margin_.bytes_in(parsed.raw) != parsed.decoration;
  }

 private:
  bool learn_margin(const LogLine& parsed);

  PlainHeader plain_;
  bool is_wrapper_ = false;  // the margin is one that a line without a header had
  Margin margin_;  // of the last line with a header: lines of a list behind it have it, too
  std::string scratch_;
};

}  // namespace trtlens
