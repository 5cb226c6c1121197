// UTF-16 logs (PowerShell's `>`) to UTF-8, chunk by chunk; other bytes pass through untouched.
#pragma once

#include <string>
#include <string_view>

namespace trtlens {

class Utf16Decoder {
 public:
  // Decides by the byte order mark of the first chunk. The result is valid until the next call.
  [[nodiscard]] std::string_view decode(std::string_view chunk);
  // A lone first byte that waited for a second one.
  [[nodiscard]] std::string_view finish() const {
    return decided_ ? std::string_view() : std::string_view(carry_);
  }

 private:
  bool decided_ = false, active_ = false, little_endian_ = true;
  std::string carry_;  // half a code unit or half a surrogate pair
  std::string output_;
};

}  // namespace trtlens
