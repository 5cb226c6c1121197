#include "parsers/log/framing/named_logger.h"

#include <array>
#include <cstddef>

#include "parsers/log/framing/plain_text.h"
#include "parsers/log/framing/producer_header.h"

namespace trtlens {
namespace {

struct Logger {
  std::string_view sign, program;
};
constexpr std::array kLoggers = {
    Logger{"[mmdeploy] [", "mmdeploy"},  // spdlog, of its SDK
    Logger{"[TRT-LLM] [", "tensorrt_llm"},
};

}  // namespace

std::string_view program_of_logger(std::string_view line) {
  if (line.size() < 30) return "";
  if (line[0] == '[') {
    // A clock may stand in front.
    const std::size_t clock = line[1] <= '9' ? line.substr(0, 30).find("] [") : kNowhere;
    const std::string_view name = clock == kNowhere ? line : line.substr(clock + 2);
    for (const Logger& logger : kLoggers) {
      if (name.starts_with(logger.sign)) return logger.program;
    }
    return "";
  }
  // "E0609 14:00:58.789682 109876 helper.h:131] text": glog, of Paddle's
  // inference/tensorrt/helper.h
  const std::string_view head = line.substr(0, 80);
  const bool is_glog = header::has_shape(head.substr(1), "0000 00:00:00.000000 ");
  return is_glog && head.find(" helper.h:") != kNowhere ? "paddle" : "";
}

}  // namespace trtlens
