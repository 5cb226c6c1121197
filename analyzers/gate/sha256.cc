// By libmd: small, static in every distribution, and it hashes only.
#include "analyzers/gate/sha256.h"

#include <fmt/ranges.h>
#include <sha2.h>

namespace trtlens {

struct Sha256::Context {
  SHA2_CTX of_libmd;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  SHA256Init(&context_->of_libmd);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  SHA256Update(&context_->of_libmd, reinterpret_cast<const std::uint8_t*>(bytes.data()),
               bytes.size());
}

Sha256Digest Sha256::digest() {
  Sha256Digest digest{};
  static_assert(SHA256_DIGEST_LENGTH == sizeof digest);
  SHA256Final(digest.data(), &context_->of_libmd);
  return digest;
}

Sha256Digest sha256(std::string_view bytes) {
  Sha256 all;
  all.add(bytes);
  return all.digest();
}

std::string hex_text(const Sha256Digest& digest) {
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace trtlens
