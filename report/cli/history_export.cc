// The command `history export`: takes the builds in their order, each with its verdict, and writes
// a part a day.
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analyzers/compare/comparison.h"
#include "report/cli/commands.h"
#include "report/cli/output_file.h"
#include "report/cli/progress.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/history/fleet_folder.h"
#include "report/history/fleet_rows.h"
#include "report/history/history.h"
#include "report/history/pages.h"

namespace trtlens {
namespace {

// Rows that are in memory at once; a day with more has several parts.
constexpr std::size_t kPartBytes = std::size_t{32} << 20;

class Export {
 public:
  Export(const HistoryArguments& arguments, History& history)
      : arguments_(arguments), history_(history) {}

  [[nodiscard]] bool begin();
  [[nodiscard]] bool take(std::vector<BuildLine> builds, std::optional<ProgressLine>& line);
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] std::size_t known() const { return known_; }

 private:
  [[nodiscard]] bool add(const BuildLine& build, FleetPart& part);
  void keep(BuildLine build);
  [[nodiscard]] bool write(FleetPart& part);
  [[nodiscard]] bool write(const std::string& path, const std::string& bytes);
  bool fail(const std::string& text) {
    complain(visible(text));
    return false;
  }

  const HistoryArguments& arguments_;
  History& history_;
  FleetFolder folder_;
  std::map<std::string, std::vector<BuildLine>> good_;  // so far, by series; the newest
  std::size_t done_ = 0, known_ = 0;
};

bool Export::begin() {
  if (!folder_.open(arguments_.to, arguments_.export_format)) return fail(folder_.error());
  return !folder_.is_new() || write(folder_.label_path(), folder_.label());
}

bool Export::write(const std::string& path, const std::string& bytes) {
  const int error = write_file(path, bytes);
  return error == 0 || fail(path + ": " + std::strerror(error));
}

bool Export::write(FleetPart& part) {
  return part.write([this](const std::string& file, const std::string& bytes) {
    const std::string place = folder_.place_of(file);
    if (!folder_.error().empty()) return fail(folder_.error());
    return write(place, bytes);
  });
}

// With the verdict that `compare --history` gives it.
bool Export::add(const BuildLine& build, FleetPart& part) {
  const std::optional<BuildRecord> record = history_.build(build.id);
  if (!record) return history_.ok() || fail(history_.path() + ": " + history_.error());  // pruned
  const Analysis analysis = analysis_of(*record);
  const std::vector<BuildLine>& good = good_[build.series];
  if (good.empty()) {
    part.add({build, *record, analysis});
    return true;
  }
  HistoryBase base = base_of(history_, good);
  if (!base.error.empty()) return fail(history_.path() + ": " + base.error);
  CompareOptions options;
  options.earlier = std::move(base.earlier);
  options.kept = record->speed;
  const Comparison comparison = compare({std::move(base.analysis)}, {analysis}, options);
  part.add({build, *record, analysis, &comparison, &good.back()});
  return true;
}

void Export::keep(BuildLine build) {
  std::vector<BuildLine>& good = good_[build.series];
  good.push_back(std::move(build));
  if (good.size() < 2 * kMostOfSeries) return;
  good.erase(good.begin(), good.end() - static_cast<std::ptrdiff_t>(kMostOfSeries));
}

bool Export::take(std::vector<BuildLine> builds, std::optional<ProgressLine>& line) {
  std::optional<FleetPart> part;
  std::string date;
  std::set<std::string> known;
  for (std::size_t i = 0; i < builds.size(); ++i) {
    BuildLine& build = builds[i];
    if (line) line->update(fmt::format("build {} of {}", i, builds.size()));
    if (!part || fleet_date(build) != date) {
      if (part && !part->is_empty() && !write(*part)) return false;
      date = fleet_date(build);
      known = folder_.builds_of(date);
      if (!folder_.error().empty()) return fail(folder_.error());
      part.emplace(date, arguments_.export_format);
    }
    if (known.insert(fleet_key(build)).second) {
      if (!add(build, *part)) return false;
      ++done_;
    } else {
      ++known_;
    }
    if (part->bytes() > kPartBytes) {
      if (!write(*part)) return false;
      part.emplace(date, arguments_.export_format);
    }
    if (is_good(build)) keep(std::move(build));
  }
  return !part || part->is_empty() || write(*part);
}

}  // namespace

int export_history(const HistoryArguments& arguments, History& history) {
  std::vector<BuildLine> builds = history.builds();
  std::erase_if(builds, [&](const BuildLine& build) {
    return build.series.find(arguments.series) == std::string::npos;
  });
  if (!history.ok()) {
    complain(history.path() + ": " + history.error());
    return kExitFailure;
  }
  Export all(arguments, history);
  std::optional<ProgressLine> line;
  if (!arguments.output.quiet && builds.size() > 1 && is_terminal(STDERR_FILENO)) line.emplace();
  if (!all.begin() || !all.take(std::move(builds), line)) return kExitFailure;
  line.reset();
  std::string text = "exported " + count_text(all.done(), "build");
  if (all.known() > 0) {
    text += fmt::format(", {} {} there already", all.known(), all.known() == 1 ? "was" : "were");
  }
  return arguments.output.quiet || print(text + "\n") ? kExitDone : kExitFailure;
}

}  // namespace trtlens
