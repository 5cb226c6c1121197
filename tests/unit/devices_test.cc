// Every constant of the device table a second time, so that none changes unseen, and whether it
// follows from SMs, clock and memory interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzers/ledgers/devices.h"

namespace trtlens::devices_test {
namespace {

// How far a row is confirmed. None was held against the sheet itself: `sheet` names where to look
// it up. in_print: SMs and some figures agree with reprints of the vendor's table. by_arithmetic:
// only the two tests below say so. nowhere: they cannot say it, either.
enum class Seen : std::uint8_t { in_print, by_arithmetic, nowhere };

// Peaks in 10^12 operations a second, dense; bits of the memory's interface, Gbit/s a pin.
struct Row {
  const char *name, *others;
  int sm, sms;
  double clock_ghz;
  double fp32, fp16, tf32, fp16_tensor, bf16_tensor, fp8_tensor, int8_tensor, fp4_tensor;
  double bandwidth_gbps;
  bool integrated;
  int memory_bits;
  double pin_gbps;
  const char* sheet;
  Seen seen;
};

// clang-format off
const std::vector<Row> kRows = {
    // SMs and clock of B200 were found nowhere, and its pins are reckoned from the bandwidth.
    {"B200", "", 100, 148, 1.856, 70.3, 140.6, 1125, 2250, 2250, 4500, 4500, 9000, 7700, false,
     8192, 7.52, "HGX B200 data sheet", Seen::nowhere},
    {"H200", "", 90, 132, 1.83, 61.8, 123.7, 494.7, 989.4, 989.4, 1978.9, 1978.9, 0, 4800, false,
     6144, 6.25, "H200 data sheet", Seen::in_print},
    {"H100 80GB HBM3", "H100 SXM5 80GB", 90, 132, 1.83, 61.8, 123.7, 494.7, 989.4, 989.4, 1978.9,
     1978.9, 0, 3352, false, 5120, 5.238, "H100 architecture white paper", Seen::in_print},
    {"H100 PCIe", "", 90, 114, 1.62, 47.3, 94.6, 378, 756, 756, 1513, 1513, 0, 2039, false,
     5120, 3.186, "H100 architecture white paper", Seen::in_print},
    {"A100-SXM4-40GB", "A100-PCIE-40GB", 80, 108, 1.41, 19.5, 78, 156, 312, 312, 0, 624, 0, 1555,
     false, 5120, 2.43, "A100 architecture white paper", Seen::in_print},
    {"A100-SXM4-80GB", "", 80, 108, 1.41, 19.5, 78, 156, 312, 312, 0, 624, 0, 2039, false,
     5120, 3.186, "A100 data sheet", Seen::by_arithmetic},
    {"A100 80GB PCIe", "", 80, 108, 1.41, 19.5, 78, 156, 312, 312, 0, 624, 0, 1935, false,
     5120, 3.024, "A100 data sheet", Seen::by_arithmetic},
    {"A30", "", 80, 56, 1.44, 10.3, 41.2, 82, 165, 165, 0, 330, 0, 933, false,
     3072, 2.43, "A30 data sheet", Seen::by_arithmetic},
    {"A10", "", 86, 72, 1.695, 31.2, 31.2, 62.5, 125, 125, 0, 250, 0, 600, false,
     384, 12.5, "A10 data sheet", Seen::by_arithmetic},
    {"A2", "", 86, 10, 1.77, 4.5, 4.5, 9, 18, 18, 0, 36, 0, 200, false,
     128, 12.5, "A2 data sheet", Seen::in_print},
    {"A40", "", 86, 84, 1.74, 37.4, 37.4, 74.8, 149.7, 149.7, 0, 299.3, 0, 696, false,
     384, 14.5, "A40 data sheet", Seen::in_print},
    {"L4", "", 89, 58, 2.04, 30.3, 30.3, 60, 121, 121, 242, 242, 0, 300, false,
     192, 12.5, "L4 data sheet", Seen::by_arithmetic},
    {"L40S", "", 89, 142, 2.52, 91.6, 91.6, 183, 366, 366, 733, 733, 0, 864, false,
     384, 18, "L40S data sheet", Seen::by_arithmetic},
    {"T4", "", 75, 40, 1.59, 8.1, 16.2, 0, 65, 0, 0, 130, 0, 320, false,
     256, 10, "T4 data sheet", Seen::by_arithmetic},
    {"V100-SXM2-16GB", "V100-SXM2-32GB", 70, 80, 1.53, 15.7, 31.4, 0, 125, 0, 0, 0, 0, 900, false,
     4096, 1.754, "V100 architecture white paper", Seen::by_arithmetic},
    {"V100-PCIE-16GB", "V100-PCIE-32GB", 70, 80, 1.37, 14, 28, 0, 112, 0, 0, 0, 0, 900, false,
     4096, 1.754, "V100 data sheet", Seen::by_arithmetic},
    {"TITAN RTX", "", 75, 72, 1.77, 16.3, 32.6, 0, 130.5, 0, 0, 261, 0, 672, false,
     384, 14, "Turing architecture white paper", Seen::by_arithmetic},
    {"RTX A6000", "", 86, 84, 1.8, 38.7, 38.7, 77.4, 154.8, 154.8, 0, 309.7, 0, 768, false,
     384, 16, "RTX A6000 data sheet", Seen::by_arithmetic},
    {"RTX 6000 Ada Generation", "", 89, 142, 2.505, 91.1, 91.1, 182.1, 364.2, 364.2, 728.5, 728.5, 0,
     960, false, 384, 20, "RTX 6000 Ada data sheet", Seen::by_arithmetic},
    {"RTX 2080 Ti", "", 75, 68, 1.545, 13.4, 26.9, 0, 107.6, 0, 0, 215.2, 0, 616, false,
     352, 14, "Turing architecture white paper", Seen::in_print},
    {"RTX 2080", "", 75, 46, 1.71, 10.1, 20.1, 0, 80.5, 0, 0, 161.1, 0, 448, false,
     256, 14, "Turing architecture white paper", Seen::in_print},
    {"RTX 2070", "", 75, 36, 1.62, 7.5, 14.9, 0, 59.7, 0, 0, 119.4, 0, 448, false,
     256, 14, "Turing architecture white paper", Seen::in_print},
    {"RTX 3070", "", 86, 46, 1.725, 20.3, 20.3, 20.3, 81.3, 40.6, 0, 162.6, 0, 448, false,
     256, 14, "GA102 architecture white paper", Seen::by_arithmetic},
    {"RTX 3080", "", 86, 68, 1.71, 29.8, 29.8, 29.8, 119, 59.5, 0, 238, 0, 760, false,
     320, 19, "GA102 architecture white paper", Seen::in_print},
    {"RTX 3090", "", 86, 82, 1.695, 35.6, 35.6, 35.6, 142, 71, 0, 284, 0, 936, false,
     384, 19.5, "GA102 architecture white paper", Seen::in_print},
    {"RTX 4080", "", 89, 76, 2.505, 48.7, 48.7, 48.7, 194.9, 97.5, 389.9, 389.9, 0, 717, false,
     256, 22.4, "Ada architecture white paper", Seen::in_print},
    {"RTX 4090", "", 89, 128, 2.52, 82.6, 82.6, 82.6, 330.3, 165.2, 660.6, 660.6, 0, 1008, false,
     384, 21, "Ada architecture white paper", Seen::in_print},
    {"RTX 5080", "", 120, 84, 2.617, 56.3, 56.3, 56.3, 225.1, 112.6, 450.2, 450.2, 900.4, 960, false,
     256, 30, "RTX Blackwell architecture white paper", Seen::in_print},
    {"RTX 5090", "", 120, 170, 2.407, 104.8, 104.8, 104.8, 419, 209.5, 838, 838, 1676, 1792, false,
     512, 28, "RTX Blackwell architecture white paper", Seen::in_print},
    {"Xavier", "Jetson AGX Xavier", 72, 8, 1.377, 1.41, 2.82, 0, 11, 0, 0, 22, 0, 136.5, true,
     256, 4.266, "Jetson AGX Xavier announcement", Seen::by_arithmetic},
    {"Orin", "Jetson AGX Orin", 87, 16, 1.3, 5.3, 10.6, 21.2, 42.5, 42.5, 0, 85, 0, 204.8, true,
     256, 6.4, "Jetson AGX Orin technical brief", Seen::by_arithmetic},
};
// clang-format on

const Row* row_of(const std::string& name) {
  for (const Row& row : kRows) {
    if (name == row.name || name == row.others) return &row;
  }
  return nullptr;
}

TEST(DeviceTable, IsThatOfTheSheets) {
  std::set<std::string> seen;
  for (const Device& d : devices()) {
    const Row* row = row_of(d.name);
    ASSERT_NE(row, nullptr) << d.name << " has no row of its own here";
    seen.insert(d.name);
    SCOPED_TRACE(d.name + ", " + row->sheet);
    EXPECT_STREQ(d.other_name, row->others);
    EXPECT_EQ(d.sm, row->sm);
    EXPECT_EQ(d.sms, row->sms);
    EXPECT_EQ(d.clock_ghz, row->clock_ghz);
    EXPECT_EQ(d.fp32, row->fp32);
    EXPECT_EQ(d.fp16, row->fp16);
    EXPECT_EQ(d.tf32, row->tf32);
    EXPECT_EQ(d.fp16_tensor, row->fp16_tensor);
    EXPECT_EQ(d.bf16_tensor, row->bf16_tensor);
    EXPECT_EQ(d.fp8_tensor, row->fp8_tensor);
    EXPECT_EQ(d.int8_tensor, row->int8_tensor);
    EXPECT_EQ(d.fp4_tensor, row->fp4_tensor);
    EXPECT_EQ(d.bandwidth_gbps, row->bandwidth_gbps);
    EXPECT_EQ(d.integrated, row->integrated);
    EXPECT_TRUE(d.log_tells_memory);
  }
  EXPECT_EQ(seen.size(), kRows.size());  // no row of a device that is gone, none twice
  EXPECT_EQ(devices().size(), kRows.size());
}

// Interfaces and pins are common knowledge of each memory, not of the sheets.
TEST(DeviceTable, BandwidthFollowsFromTheMemoryInterface) {
  for (const Row& row : kRows) {
    EXPECT_NEAR(row.memory_bits * row.pin_gbps / 8 / row.bandwidth_gbps, 1, 0.003) << row.name;
  }
}

// Multiply-accumulates a clock and SM, of the architecture white papers.
struct Rates {
  double fp32, fp16, tf32, fp16_tensor, bf16_tensor, fp8, int8, fp4;
};
Rates rates_of(const Row& row) {
  switch (row.sm) {
    case 70:
      return {64, 128, 0, 512, 0, 0, 0, 0};
    case 72:
    case 75:
      return {64, 128, 0, 512, 0, 0, 1024, 0};
    case 80:
      return {64, 256, 512, 1024, 1024, 0, 2048, 0};
    case 87:
      return {128, 256, 512, 1024, 1024, 0, 2048, 0};
    case 90:
      return {128, 256, 1024, 2048, 2048, 4096, 4096, 0};
    case 100:
      return {128, 256, 2048, 4096, 4096, 8192, 8192, 16384};
    default:
      break;
  }
  Rates rates = {
      128, 128, 256, 512, 512, row.sm >= 89 ? 1024.0 : 0, 1024, row.sm >= 120 ? 2048.0 : 0};
  const std::set<std::string> geforce = {"RTX 3070", "RTX 3080", "RTX 3090", "RTX 4080",
                                         "RTX 4090", "RTX 5080", "RTX 5090"};
  if (geforce.count(row.name) != 0) {
    rates.tf32 /= 2;
    rates.bf16_tensor /= 2;
  }
  return rates;
}

TEST(DeviceTable, PeaksFollowFromSmsAndClock) {
  for (const Row& row : kRows) {
    const Rates rates = rates_of(row);
    const double tops = 2e-3 * row.sms * row.clock_ghz;
    // Sheets round: to whole tera operations, on Xavier downwards.
    const double share = std::string(row.name) == "Xavier" ? 0.03 : 0.011;
    const auto near = [&](double peak, double rate, const char* what) {
      EXPECT_NEAR(peak, tops * rate, share * tops * rate) << row.name << ' ' << what;
    };
    near(row.fp32, rates.fp32, "FP32");
    near(row.fp16, rates.fp16, "FP16");
    near(row.tf32, rates.tf32, "TF32");
    near(row.fp16_tensor, rates.fp16_tensor, "FP16 of tensor cores");
    near(row.bf16_tensor, rates.bf16_tensor, "BF16 of tensor cores");
    near(row.fp8_tensor, rates.fp8, "FP8");
    near(row.int8_tensor, rates.int8, "INT8");
    near(row.fp4_tensor, rates.fp4, "FP4");
  }
}

Gpu gpu_of(const std::string& name, int sm, int sms) {
  Gpu gpu;
  gpu.name = name;
  gpu.compute_capability = std::to_string(sm / 10) + '.' + std::to_string(sm % 10);
  gpu.sms = sms;
  return gpu;
}

// Ten SMs at 0.5 GHz: a hundredth of the multiply-accumulates a clock and SM.
TEST(DeviceTable, ArchitecturesHaveTheRatesOfTheirWhitePapers) {
  const std::map<int, std::vector<double>> expected = {
      {70, {64, 128, 0, 512, 0, 0, 0, 0}},
      {75, {64, 128, 0, 512, 0, 0, 1024, 0}},
      {80, {64, 256, 512, 1024, 1024, 0, 2048, 0}},
      {86, {128, 128, 256, 512, 512, 0, 1024, 0}},
      {89, {128, 128, 256, 512, 512, 1024, 1024, 0}},
      {90, {128, 256, 1024, 2048, 2048, 4096, 4096, 0}},
      {120, {128, 128, 256, 512, 512, 1024, 1024, 2048}},
  };
  for (int sm = 50; sm < 130; ++sm) {
    Gpu gpu = gpu_of("a GPU with RTX in its name", sm, 10);
    gpu.compute_clock_ghz = 0.5;
    gpu.memory_clock_ghz = 1;
    gpu.memory_bus_bits = 256;
    const std::optional<Device> found = find_device(gpu);
    const auto rates = expected.find(sm);
    ASSERT_EQ(found.has_value(), rates != expected.end()) << sm;
    if (!found) continue;
    const std::vector<double> peaks = {found->fp32,        found->fp16,        found->tf32,
                                       found->fp16_tensor, found->bf16_tensor, found->fp8_tensor,
                                       found->int8_tensor, found->fp4_tensor};
    for (std::size_t i = 0; i < peaks.size(); ++i) {
      EXPECT_NEAR(peaks[i], rates->second[i] / 100, 1e-9) << sm << " peak " << i;
    }
    EXPECT_EQ(found->bandwidth_gbps, 0) << sm;  // the log says it
    EXPECT_EQ(found->sms, 10);
  }
}

// Profiles of the MIG user guide: how many of the memory's parts each has.
TEST(DeviceTable, SlicesHaveThePartsOfTheUserGuide) {
  struct Profile {
    const char *gpu, *profile;
    int sm, sms;
    double part;  // of the bandwidth; 0: no such slice
  };
  const std::vector<Profile> profiles = {
      {"A30", "1g.6gb", 80, 14, 1.0 / 4},
      {"A30", "2g.12gb", 80, 28, 2.0 / 4},
      {"A30", "4g.24gb", 80, 56, 1},
      {"A100-SXM4-40GB", "1g.5gb", 80, 14, 1.0 / 8},
      {"A100-SXM4-40GB", "3g.20gb", 80, 42, 4.0 / 8},
      {"A100-SXM4-40GB", "7g.40gb", 80, 98, 1},
      {"A100-PCIE-40GB", "2g.10gb", 80, 28, 2.0 / 8},
      {"A100-PCIE-40GB", "7g.40gb", 80, 98, 1},
      {"A100-SXM4-80GB", "1g.10gb", 80, 14, 1.0 / 8},
      {"A100-SXM4-80GB", "1g.20gb", 80, 14, 2.0 / 8},
      {"A100-SXM4-80GB", "7g.80gb", 80, 98, 1},
      {"A100 80GB PCIe", "4g.40gb", 80, 56, 4.0 / 8},
      {"A100 80GB PCIe", "7g.80gb", 80, 98, 1},
      {"H100 80GB HBM3", "1g.10gb", 90, 16, 1.0 / 8},
      {"H100 80GB HBM3", "3g.40gb", 90, 60, 4.0 / 8},
      {"H100 80GB HBM3", "7g.80gb", 90, 132, 1},
      {"H100 PCIe", "2g.20gb", 90, 28, 2.0 / 8},
      {"H100 PCIe", "7g.80gb", 90, 114, 1},
      {"H200", "1g.18gb", 90, 16, 1.0 / 8},
      {"H200", "2g.35gb", 90, 32, 2.0 / 8},
      {"H200", "7g.141gb", 90, 132, 1},
      // A part is found by the nearest number of parts: just below and just above a half.
      {"A30", "2g.8gb", 80, 14, 1.0 / 4},
      {"A30", "2g.9gb", 80, 14, 2.0 / 4},
      {"A100-SXM4-40GB", "2g.7gb", 80, 14, 1.0 / 8},
      {"A100-SXM4-40GB", "2g.8gb", 80, 14, 2.0 / 8},
      {"A100-PCIE-40GB", "2g.7gb", 80, 14, 1.0 / 8},
      {"A100-PCIE-40GB", "2g.8gb", 80, 14, 2.0 / 8},
      {"A100-SXM4-80GB", "2g.14gb", 80, 14, 1.0 / 8},
      {"A100-SXM4-80GB", "2g.15gb", 80, 14, 2.0 / 8},
      {"A100 80GB PCIe", "2g.14gb", 80, 14, 1.0 / 8},
      {"A100 80GB PCIe", "2g.15gb", 80, 14, 2.0 / 8},
      {"H100 80GB HBM3", "2g.14gb", 90, 14, 1.0 / 8},
      {"H100 80GB HBM3", "2g.15gb", 90, 14, 2.0 / 8},
      {"H100 PCIe", "2g.14gb", 90, 14, 1.0 / 8},
      {"H100 PCIe", "2g.15gb", 90, 14, 2.0 / 8},
      {"H200", "2g.26gb", 90, 14, 1.0 / 8},
      {"H200", "2g.27gb", 90, 14, 2.0 / 8},
      // More memory than there is, and less than half a part.
      {"A100-SXM4-40GB", "7g.42gb", 80, 98, 1},
      {"A100-SXM4-40GB", "7g.43gb", 80, 98, 0},
      {"A100-SXM4-40GB", "1g.2gb", 80, 14, 0},
      // At most a tenth more SMs than the share: of 56 in quarters, of 108 and 132 in sevenths.
      {"A30", "1g.6gb", 80, 15, 1.0 / 4},
      {"A30", "1g.6gb", 80, 16, 0},
      {"A100-SXM4-40GB", "1g.5gb", 80, 16, 1.0 / 8},
      {"A100-SXM4-40GB", "1g.5gb", 80, 17, 0},
      {"A100-PCIE-40GB", "3g.20gb", 80, 50, 4.0 / 8},
      {"A100-PCIE-40GB", "3g.20gb", 80, 51, 0},
      {"A100-SXM4-80GB", "3g.40gb", 80, 50, 4.0 / 8},
      {"A100-SXM4-80GB", "3g.40gb", 80, 51, 0},
      {"A100 80GB PCIe", "3g.40gb", 80, 50, 4.0 / 8},
      {"A100 80GB PCIe", "3g.40gb", 80, 51, 0},
      {"H100 80GB HBM3", "3g.40gb", 90, 62, 4.0 / 8},
      {"H100 80GB HBM3", "3g.40gb", 90, 63, 0},
      {"H100 PCIe", "3g.40gb", 90, 53, 4.0 / 8},
      {"H100 PCIe", "3g.40gb", 90, 54, 0},
      {"H200", "3g.71gb", 90, 62, 4.0 / 8},
      {"H200", "3g.71gb", 90, 63, 0},
      {"H100 80GB HBM3", "7g.80gb", 90, 133, 0},
      // GPUs that MIG does not divide.
      {"A10", "1g.6gb", 86, 10, 0},
  };
  for (const Profile& p : profiles) {
    const std::string name = std::string(p.gpu) + " MIG " + p.profile;
    const std::optional<Device> found = find_device(gpu_of("NVIDIA " + name, p.sm, p.sms));
    ASSERT_EQ(found.has_value(), p.part > 0) << name << " of " << p.sms << " SMs";
    if (!found) continue;
    EXPECT_DOUBLE_EQ(found->bandwidth_gbps, p.part * row_of(p.gpu)->bandwidth_gbps) << name;
  }
}

// INT32 lanes are half of the FP32 lanes from 8.6 to 9.0.
TEST(DeviceTable, HalfTheIntegerLanesFromGa10xToHopper) {
  Device d;
  d.fp32 = 10;
  for (const auto& [sm, tops] : std::map<int, double>{{70, 40},
                                                      {72, 40},
                                                      {75, 40},
                                                      {80, 40},
                                                      {85, 40},
                                                      {86, 20},
                                                      {87, 20},
                                                      {89, 20},
                                                      {90, 20},
                                                      {91, 40},
                                                      {100, 40},
                                                      {120, 40}}) {
    d.sm = sm;
    EXPECT_EQ(peak_of(d, Precision::int8, false), tops) << sm;
  }
}

TEST(DeviceTable, EachPrecisionHasItsUnit) {
  Device d;
  d.sm = 80;
  d.fp32 = 1, d.fp16 = 2, d.tf32 = 3, d.fp16_tensor = 4, d.bf16_tensor = 5;
  d.fp8_tensor = 6, d.int8_tensor = 7, d.fp4_tensor = 8;
  struct Peak {
    Precision precision;
    double tensor_cores, without;
  };
  for (const Peak& p : std::vector<Peak>{{Precision::fp32, 1, 1},
                                         {Precision::tf32, 3, 1},
                                         {Precision::fp16, 4, 2},
                                         {Precision::bf16, 5, 1},
                                         {Precision::fp8, 6, 0},
                                         {Precision::int8, 7, 4},
                                         {Precision::fp4, 8, 0},
                                         {Precision::unknown, 0, 0},
                                         {Precision::none, 0, 0}}) {
    EXPECT_EQ(peak_of(d, p.precision, true), p.tensor_cores) << to_string(p.precision);
    EXPECT_EQ(peak_of(d, p.precision, false), p.without) << to_string(p.precision);
  }
  d.fp16_tensor = d.int8_tensor = 0;  // no such cores: the ordinary units
  EXPECT_EQ(peak_of(d, Precision::fp16, true), 2);
  EXPECT_EQ(peak_of(d, Precision::int8, true), 4);
}

}  // namespace
}  // namespace trtlens::devices_test
