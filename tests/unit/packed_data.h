// What html_packed() puts into a page, read back.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace trtlens::test {

[[nodiscard]] inline std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // "=" at the end
    bits = bits << 6U | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffU);
  }
  return bytes;
}

[[nodiscard]] inline std::string unpacked(std::string_view text) {
  std::string packed = from_base64(text);
  std::string all(std::size_t{1} << 24, '\0');
  uLongf size = all.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(all.data()), &size,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  all.resize(status == Z_OK ? size : 0);
  return all;
}

}  // namespace trtlens::test
