// The sign is decided on the rounded text.
#include "analyzers/compare/signed_text.h"

#include <fmt/format.h>

#include <cmath>

#include "analyzers/text.h"

namespace trtlens {

std::string signed_ms_text(double ms) {
  std::string text = ms_text(std::fabs(ms));
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero || text[0] == '<' ? text : (ms < 0 ? "-" : "+") + text;
}

std::string signed_share_text(double share) {
  const std::string text = fmt::format("{:+.1f} %", share * 100);
  return text.find_first_of("123456789") == std::string::npos ? "0.0 %" : text;
}

}  // namespace trtlens
