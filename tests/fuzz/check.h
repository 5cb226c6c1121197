// Invariants of the fuzz targets: a broken one aborts, with its text, also in release builds.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace trtlens {

[[noreturn]] inline void fuzz_check_failed(const char* what, const char* file, int line) {
  (void)std::fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, what);
  std::abort();
}

}  // namespace trtlens

#define FUZZ_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : trtlens::fuzz_check_failed(#condition, __FILE__, __LINE__))
