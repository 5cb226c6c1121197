// The file of builds: what is added, what is asked. One writer at a time, any number of readers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/history/database.h"
#include "report/history/record.h"

namespace trtlens {

// A build in a list: what is known without its layers.
struct BuildLine {
  std::int64_t id = 0;
  std::string identity, when;  // what its log says, else when it was added; UTC only of the latter
  std::string series, model, name, outcome, tensorrt, gpu;
  RunSpeed speed;
  std::optional<double> throughput_qps, latency_ms, build_s;
  std::optional<std::int64_t> engine_bytes, device_bytes;
  std::vector<PrecisionRecord> precisions;  // that take most first
  std::string severity, finding;            // of the first that is no note; "" when there is none
};

// GPU compute time as reports show it: median, else mean.
[[nodiscard]] std::optional<double> query_ms(const BuildLine& build);
// Whether a build can be what others are held against.
[[nodiscard]] bool is_good(const BuildLine& build);

// A figure of some builds, by id.
using FigureOfBuild = std::pair<std::int64_t, double>;

enum class Added : std::uint8_t { added, known, pruned, failed };

class History {
 public:
  using Access = Database::Access;
  History(const std::string& path, Access access);
  ~History();

  [[nodiscard]] bool ok() const { return database_.ok(); }
  [[nodiscard]] const std::string& error() const { return database_.error(); }
  [[nodiscard]] const std::string& path() const { return database_.path(); }

  // One transaction. `identity`: equal for equal builds. `at`: UTC.
  [[nodiscard]] Added add(const std::string& identity, const BuildRecord& record,
                          const std::string& at);
  // Files that were read, as they were then: they need not be read again.
  [[nodiscard]] bool was_read(const std::string& stamp);
  void set_read(const std::string& stamp);

  // In the order of `when`.
  [[nodiscard]] std::vector<BuildLine> builds();
  [[nodiscard]] std::optional<BuildRecord> build(std::int64_t id);
  // Sum of the times of the layers of that name, or that hold that ONNX node, of builds that have
  // them.
  [[nodiscard]] std::vector<FigureOfBuild> layer_ms(const std::string& name);
  [[nodiscard]] std::vector<FigureOfBuild> node_ms(const std::string& node);
  [[nodiscard]] std::vector<std::string> layer_names();
  [[nodiscard]] std::vector<std::string> node_names();

  // False after an error. They are not taken in again.
  [[nodiscard]] bool prune(const std::vector<std::int64_t>& ids);

 private:
  struct Writing;
  void check_schema();
  void make_schema();
  void insert(const BuildRecord& record, std::int64_t build);
  [[nodiscard]] std::int64_t layer_id(const LayerRecord& layer);
  [[nodiscard]] std::int64_t node_id(const std::string& node);
  void take_layers(std::int64_t id, BuildRecord& record);
  void take_findings(std::int64_t id, BuildRecord& record);
  void take_precisions(std::vector<BuildLine>& lines);

  Database database_;
  std::unique_ptr<Writing> writing_;  // prepared when first needed
};

}  // namespace trtlens
