#include "parsers/log/framing/named_logger.h"

#include <array>
#include <cstddef>

#include "parsers/log/framing/producer_header.h"

namespace trtlens {
namespace {

constexpr std::size_t kMostHeader = 80;

struct Logger {
  std::string_view sign, program;
};
constexpr std::array kLoggers = {
    Logger{"[mmdeploy] [", "mmdeploy"},  // spdlog, of its SDK
    Logger{"[TRT-LLM] [", "tensorrt_llm"},
};

}  // namespace

std::string_view program_of_logger(std::string_view line) {
  const std::string_view head = line.substr(0, kMostHeader);
  if (head.empty()) return "";
  if (head[0] == '[') {
    for (const Logger& logger : kLoggers) {
      if (head.find(logger.sign) != std::string_view::npos) return logger.program;
    }
    return "";
  }
  // "E0609 14:00:58.789682 109876 helper.h:131] text": glog, of Paddle's
  // inference/tensorrt/helper.h
  const bool is_glog =
      head.size() > 1 && header::has_shape(head.substr(1), "0000 00:00:00.000000 ");
  return is_glog && head.find(" helper.h:") != std::string_view::npos ? "paddle" : "";
}

}  // namespace trtlens
