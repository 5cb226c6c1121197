// The builder's lines that only begin a build, and those that are held until one comes.
#include "parsers/log/runs/build_boundary.h"

#include <array>

namespace trtlens {
namespace {

struct Sign {
  std::string_view start;
  BuildSign sign;
};

// TensorRT 8.0 to 10.16, as its Python bindings and other loggers print them. 8.x prints "Init
// CUDA" of every builder and of every runtime, 10.11+ "Init builder kernel library" of every build,
// before that of every builder. "Original" is printed once a build, however many backend strategies
// it tries; the head of a file by 10.16 before the kernels are loaded, by 8.x and 9.x behind.
constexpr std::array<Sign, 17> kSigns = {{
    {"Input filename: ", BuildSign::network},
    {"Original: ", BuildSign::build},
    {"[MemUsageSnapshot] Builder begin: ", BuildSign::build},
    {"[MemUsageChange] Init CUDA: ", BuildSign::maybe},
    {"[MemUsageChange] Init builder kernel library: ", BuildSign::maybe},
    {"[MemUsageSnapshot] Begin constructing builder kernel library: ", BuildSign::maybe},
    {"Trying to load shared library libnvinfer_builder_resource", BuildSign::maybe},
    {"--------------------", BuildSign::rule},
    {"Local timing cache in use", BuildSign::confirmed},
    {"Global timing cache in use", BuildSign::confirmed},
    {"Timing cache disabled", BuildSign::confirmed},
    {"Loaded engine size: ", BuildSign::same},
    {"[MemUsageChange] TensorRT-managed allocation in ", BuildSign::same},
    {"Starting Calibration", BuildSign::same},
    {"Calibrated batch ", BuildSign::same},
    {"Post Processing Calibration data in ", BuildSign::same},
    {"Calibration completed in ", BuildSign::same},
}};

}  // namespace

BuildSign build_sign(std::string_view body) {
  for (const Sign& sign : kSigns) {
    if (body.substr(0, sign.start.size()) != sign.start) continue;
    // "--------------- Timing Runner: …"; only a rule of dashes stands above the head.
    if (sign.sign == BuildSign::rule && body.find_first_not_of('-') != std::string_view::npos)
      return BuildSign::none;
    return sign.sign;
  }
  return BuildSign::none;
}

void HeldLines::add(std::string_view raw, std::uint64_t number, bool decorated) {
  lines.push_back({std::string(raw), number, decorated});
  bytes += raw.size();
}

bool HeldLines::full() const {
  constexpr std::size_t kMostLines = 1000, kMostBytes = std::size_t{1} << 18;
  return lines.size() >= kMostLines || bytes >= kMostBytes;
}

}  // namespace trtlens
