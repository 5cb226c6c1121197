// SHA-256 (FIPS 180-4) for fingerprints of findings, the hashes of the Content-Security-Policy and
// the identity of builds in a history.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trtlens {

using Sha256Digest = std::array<std::uint8_t, 32>;

[[nodiscard]] Sha256Digest sha256(std::string_view bytes);
// In hexadecimal.
[[nodiscard]] std::string hex_text(const Sha256Digest& digest);
[[nodiscard]] inline std::string hex_sha256(std::string_view bytes) {
  return hex_text(sha256(bytes));
}

// Of what comes piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::string_view bytes);
  [[nodiscard]] Sha256Digest digest();  // of all; once

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace trtlens
