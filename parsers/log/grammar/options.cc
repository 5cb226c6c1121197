// The banner: === … Options ===, === Device Information ===, versions.
// samples/common/sampleOptions.cpp and sampleDevice.cpp, 6.0 to 11.1.
#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

// Far beyond what trtexec prints: a row for each of 1000 profiles, and a shape for each input.
constexpr std::size_t kMaxRows = 5000, kMaxKeyBytes = 1024, kMaxValueBytes = 65536;
constexpr std::size_t kMaxBannerBytes = std::size_t{4} << 20;

void on_section(RunBuilder& b, const Match& m) {
  b.section = LogSection::options;
  // Every row copies it; of a longer one no row fits.
  b.section_name = m[0].substr(0, kMaxKeyBytes);
}

std::string without_trailing_blanks(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

constexpr std::string_view kCut = "\u2026";  // ends a value of which more was printed

bool is_cut(std::string_view value) {
  return value.size() >= kCut.size() && value.substr(value.size() - kCut.size()) == kCut;
}

// The value of a row of the banner, empty when it is new; null when there are too many.
std::string* banner_row(RunBuilder& b, const std::string& key) {
  const auto found = b.build.banner.find(key);
  if (found != b.build.banner.end()) return &found->second;
  const bool fits = b.build.banner.size() < kMaxRows && key.size() <= kMaxKeyBytes &&
                    b.banner_bytes < kMaxBannerBytes;
  if (!fits) {
    ++b.rows_left_out;
    return nullptr;
  }
  b.banner_bytes += key.size();
  return &b.build.banner[key];
}

// Rows of one label are a list; what is cut has no half row at its end.
void add_to(RunBuilder& b, std::string& value, const std::string& row) {
  if (value == row) return;
  if (is_cut(value)) {
    ++b.rows_left_out;
    return;
  }
  const std::size_t before = value.size();
  if (!value.empty()) value += ", ";
  const bool fits = value.size() + row.size() <= kMaxValueBytes && b.banner_bytes < kMaxBannerBytes;
  value += fits ? std::string_view(row) : kCut;
  if (!fits) ++b.rows_left_out;
  b.banner_bytes += value.size() - before;
}

void on_option(RunBuilder& b, const Match& m) {
  std::string* value = banner_row(b, b.section_name + "/" + without_trailing_blanks(m.str(0)));
  if (value == nullptr) return;
  // Shapes have one row for each input, all under one label.
  add_to(b, *value, without_trailing_blanks(m[1].empty() ? m.str(2) : m.str(1)));
}

Gpu& gpu_of(RunBuilder& b) {
  if (!b.build.gpu) b.build.gpu.emplace();
  return *b.build.gpu;
}

void on_device_row(RunBuilder& b, const Match& m) {
  const std::string_view key = m[0];
  Gpu& gpu = gpu_of(b);
  if (std::string* value = banner_row(b, "Device Information/" + m.str(0))) {
    b.banner_bytes -= value->size();
    value->clear();
    add_to(b, *value, m.str(1));
  }
  if (key == "Selected Device") gpu.name = m[1];
  if (key == "Compute Capability") gpu.compute_capability = m[1];
  if (key == "SMs") {
    if (const auto n = whole_number(m[1])) gpu.sms = static_cast<int>(*n);
  }
}

void on_clock(RunBuilder& b, const Match& m) {
  (m[0] == "Memory" ? gpu_of(b).memory_clock_ghz : gpu_of(b).compute_clock_ghz) =
      finite_number(m[1]);
}

void on_bus_width(RunBuilder& b, const Match& m) {
  if (const auto bits = whole_number(m[0])) gpu_of(b).memory_bus_bits = static_cast<int>(*bits);
}

constexpr LineKind kOptionsKinds[] = {
    {"options-section", "=== (\\w+ Options) ===\\s*", on_section,
     "=== Build Options ===", "=== Options ==="},
    {"device-section", Gate::prefix, "=== ", "=== Device Information ===\\s*",
     [](RunBuilder& b, const Match&) { b.section = LogSection::device; },
     "=== Device Information ===", "=== Device Information"},
    {"device-memory", "Device Global Memory: ([0-9.]+) (MiB)",
     [](RunBuilder& b, const Match& m) { gpu_of(b).memory_bytes = bytes_of(m[0], m[1]); },
     "Device Global Memory: 143155 MiB", "Device Global Memory: 143155"},
    {"device-clock", Gate::infix,
     " Clock Rate: ", "(?:Application )?(Compute|Memory) Clock Rate: ([0-9.]+) GHz", on_clock,
     "Compute Clock Rate: 1.98 GHz", " Clock Rate: 1.98 MHz", 0, LogSection::device},
    // A log whose head was cut off.
    {"device-selected", Gate::prefix, "Selected Device: ", "(Selected Device): (.+)", on_device_row,
     "Selected Device: Xavier", "Selected Device: ", 0, LogSection::none},
    {"device-capability", Gate::prefix,
     "Compute Capability: ", "(Compute Capability): (\\d+\\.\\d+)", on_device_row,
     "Compute Capability: 7.2", "Compute Capability: unknown", 0, LogSection::none},
    {"device-sms", Gate::prefix, "SMs: ", "(SMs): (\\d+)", on_device_row, "SMs: 8", "SMs: many", 0,
     LogSection::none},
    {"device-shared-memory", Gate::prefix,
     "Shared Memory per SM: ", "(Shared Memory per SM): (\\d+ KiB)", on_device_row,
     "Shared Memory per SM: 96 KiB", "Shared Memory per SM: 96", 0, LogSection::none},
    {"device-bus", "Memory Bus Width: (\\d+) bits(?: \\(ECC (?:enabled|disabled)\\))?",
     on_bus_width, "Memory Bus Width: 6016 bits (ECC enabled)", "Memory Bus Width: wide"},
    {"device-listed", "  Device (\\d+): \"(.*)\"(?: UUID: (\\S+))?.*", nullptr,
     "  Device 0: \"NVIDIA H100 PCIe\" UUID: GPU-31e9692b", "  Device 0: \"NVIDIA H100", kNoise},
    {"device-clock-note", Gate::prefix, "Note: The application clock rates",
     "Note: The application clock rates do not reflect (.+)", nullptr,
     "Note: The application clock rates do not reflect the actual clock rates that the GPU is "
     "currently running at.",
     "Note: The application clock rates are high", kNoise},
    {"tensorrt-version", "TensorRT version: (\\d+(?:\\.\\d+){0,3})(?: JIT)?",
     [](RunBuilder& b, const Match& m) {
       if (!b.build.tensorrt) b.build.tensorrt = version_of(m[0], {});
     },
     "TensorRT version: 8.5.1", "TensorRT version: unknown", kBare},
    {"device-row", Gate::prefix, "", "([A-Z][^:]*): ?(.*)", on_device_row,
     "Compute Capability: 9.0", "  Device 0: \"NVIDIA H100\"", kLast, LogSection::device},
    // 7.2 to 9.3: "Dump refittable layers:Disabled" has no blank; values hold ": " themselves.
    {"option", Gate::prefix, "", "([^:]+):(?: (.*)|([^ ].*))?", on_option, "avgTiming: 8",
     "no colon here", 0, LogSection::options},
    {"option-binding-file", Gate::prefix, "", "(.+)<-(.+)", nullptr, "input<-data.bin",
     "input < - data.bin", kNoise, LogSection::options},
};

}  // namespace

LineKinds kinds_of_options() {
  return kOptionsKinds;
}

}  // namespace trtlens
