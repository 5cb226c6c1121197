// What stands on the terminal while an input is read.
#include "report/cli/progress.h"

#include <gtest/gtest.h>

namespace trtlens::progress_test {
namespace {

constexpr std::uint64_t kMiB = 1024ULL * 1024;

TEST(Progress, AFileHasPercentAPipeARate) {
  EXPECT_EQ(progress_text(120 * kMiB, 324 * kMiB, 2), "read 120 MiB (37 %)");
  EXPECT_EQ(progress_text(120 * kMiB, 0, 1.5), "read 120 MiB (80 MiB/s)");
  EXPECT_EQ(progress_text(120 * kMiB, 119 * kMiB, 1.5), "read 120 MiB (80 MiB/s)");
  EXPECT_EQ(progress_text(120 * kMiB, 120 * kMiB, 1.5), "read 120 MiB (100 %)");
  EXPECT_EQ(progress_text(120 * kMiB, 0, 0), "read 120 MiB");
}

TEST(Progress, LessThanAMebibyteIsInKibibytes) {
  EXPECT_EQ(progress_text(kMiB - 1024, 0, 10), "read 1023 KiB (102 KiB/s)");
  EXPECT_EQ(progress_text(kMiB, 0, 10), "read 1 MiB (102 KiB/s)");
  EXPECT_EQ(progress_text(kMiB, 2 * kMiB, 1), "read 1 MiB (50 %)");
}

TEST(Progress, WaitingSaysHowLong) {
  EXPECT_EQ(waiting_text(kMiB, 42), "read 1 MiB, waiting for more for 42 s");
  EXPECT_EQ(waiting_text(2048, 1), "read 2 KiB, waiting for more for 1 s");
}

}  // namespace
}  // namespace trtlens::progress_test
