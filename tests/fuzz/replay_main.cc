// Runs a fuzz target over files without libFuzzer: each seed whole and cut at several places, so
// that the sanitizers and other compilers see them too. Usage: replay_fuzz_X FOLDER|FILE...
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

// In a block of exactly that size, so that a read past the end is seen.
void run(const std::string& bytes, std::size_t size) {
  const std::unique_ptr<std::uint8_t[]> block(new std::uint8_t[size]);
  std::copy_n(bytes.begin(), size, block.get());
  LLVMFuzzerTestOneInput(block.get(), size);
}

void replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  constexpr std::size_t kCuts = 24;
  for (std::size_t i = 0; i < kCuts; ++i) run(bytes, bytes.size() * i / kCuts);
  run(bytes, bytes.size());
}

int replay_all(const std::vector<std::string>& arguments) {
  std::size_t files = 0;
  for (const std::string& argument : arguments) {
    std::vector<std::filesystem::path> paths;
    if (std::filesystem::is_directory(argument)) {
      for (const auto& entry : std::filesystem::directory_iterator(argument)) {
        paths.push_back(entry.path());
      }
      std::sort(paths.begin(), paths.end());
    } else {
      paths.emplace_back(argument);
    }
    for (const auto& path : paths) replay(path);
    files += paths.size();
  }
  (void)std::printf("%zu inputs\n", files);
  return files > 0 ? 0 : 1;  // a replay of nothing tests nothing
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return replay_all({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
