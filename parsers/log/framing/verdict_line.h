// "&&&& RUNNING TensorRT.trtexec [TensorRT v101601] [b11] # trtexec --onnx=m.onnx" and its kin.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trtlens {

enum class VerdictWord : unsigned char { running, passed, failed, task_begin, task_end };

struct VerdictLine {
  VerdictWord verdict = VerdictWord::running;
  std::string_view name, version, build, command;
};

// False: it begins like one and is none.
[[nodiscard]] bool read_verdict(std::string_view body, VerdictLine& verdict);

// Where in a text, but not at the start of a line, a run of trtexec begins; npos: nowhere.
[[nodiscard]] std::size_t banner_inside(std::string_view text);

// Who prints "&&&& RUNNING NAME": trtexec, a sample of TensorRT's, MLPerf's harnesses, or a program
// that nobody knows.
[[nodiscard]] std::string producer_of_name(std::string_view name);

// Whether the command is that of one iteration of 11.1's tuning loop, which the loop itself starts.
[[nodiscard]] bool is_tuning_child(std::string_view command);

}  // namespace trtlens
