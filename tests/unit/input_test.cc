#include "parsers/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/temp_folder.h"

namespace trtlens {
namespace {

// Half of a pipe's time was waiting for each other over 64 KiB.
TEST(RawBytes, WidenThePipeThatTheyRead) {
#ifdef F_GETPIPE_SZ
  const TempFolder folder;
  const std::string path = folder.at("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int writer = ::open(path.c_str(), O_RDWR);
  ASSERT_GE(writer, 0);
  const int before = ::fcntl(writer, F_GETPIPE_SZ);
  if (::fcntl(writer, F_SETPIPE_SZ, static_cast<int>(RawBytes::kPipeBytes)) < 0) {
    GTEST_SKIP() << "fs.pipe-max-size allows less than " << RawBytes::kPipeBytes;
  }
  ::fcntl(writer, F_SETPIPE_SZ, before);
  {
    RawBytes bytes(path);
    ASSERT_EQ(::write(writer, "abc", 3), 3);
    EXPECT_EQ(bytes.next(), "abc");
    EXPECT_GE(::fcntl(writer, F_GETPIPE_SZ), static_cast<int>(RawBytes::kPipeBytes));
  }
  ::close(writer);
#else
  GTEST_SKIP() << "the system has no such call";
#endif
}

}  // namespace
}  // namespace trtlens
