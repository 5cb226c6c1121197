// "$ trtexec --onnx=m.onnx --fp16": what was typed, as people paste it above what it printed.
#pragma once

#include <string>
#include <string_view>

namespace trtlens {

class TypedCommand {
 public:
  // A line in front of all that TensorRT prints. The last command counts.
  void look(std::string_view line);
  // From the program on, without what the shell takes; empty: there was none.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add(std::string_view part);

  std::string text_;
  bool goes_on_ = false;  // its line ended in a backslash
};

}  // namespace trtlens
