// What the commands of the history print: documents for all formats, and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzers/trend/change_points.h"
#include "report/document/document.h"
#include "report/formats/text_stream.h"
#include "report/history/history.h"

namespace trtlens {

// Names of what a trend can be of, the first by default.
[[nodiscard]] const std::vector<std::string>& metric_names();

// A series with the figures of its builds; those without one are left out.
struct Trend {
  std::string series;
  std::string what;  // "GPU compute, median"
  std::string unit;  // "ms", "bytes", "s", "queries/s"
  std::vector<BuildLine> builds;
  std::vector<double> values;
  std::vector<Stretch> stretches;
  std::size_t left_out = 0;
};

// Of each series of the builds, in the order of their first ones. `metric`: one of metric_names().
[[nodiscard]] std::vector<Trend> trends_of(const std::vector<BuildLine>& builds,
                                           const std::string& metric, const ChangeOptions& options);
// The same of figures that only some builds have: of a layer, or of a node.
[[nodiscard]] std::vector<Trend> trends_of(const std::vector<BuildLine>& builds,
                                           const std::vector<FigureOfBuild>& figures,
                                           const std::string& what, const ChangeOptions& options);

[[nodiscard]] Document list_document(const std::vector<BuildLine>& builds, const std::string& path,
                                     int top);
[[nodiscard]] Document trend_document(const std::vector<Trend>& trends, const std::string& path,
                                      int top);
void write_list_json(const std::vector<BuildLine>& builds, const std::string& version,
                     TextStream& out);
void write_trend_json(const std::vector<Trend>& trends, const std::string& version,
                      TextStream& out);

// The last build of a history that another one is held against, and the runs that say how far such
// runs differ: those of its level.
struct HistoryBase {
  Analysis analysis;
  std::vector<RunSpeed> earlier;
  std::string note;   // which builds these are
  std::string error;  // why there is none
};
// Good builds of a series that its level is sought in, the newest: a night costs the same in the
// tenth year.
inline constexpr std::size_t kMostOfSeries = 500;
// `good`: of one series, oldest first, one at least.
[[nodiscard]] HistoryBase base_of(History& history, const std::vector<BuildLine>& good);
// `identity`: of the candidate, which is not held against itself, nor against later ones.
[[nodiscard]] HistoryBase base_in(History& history, const std::string& series,
                                  const std::string& identity);

}  // namespace trtlens
