// The commands of `history`: builds into a file, and what became of them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analyzers/nearest_name.h"
#include "analyzers/rules/rule.h"
#include "parsers/folders.h"
#include "parsers/input/file_id.h"
#include "report/cli/commands.h"
#include "report/cli/progress.h"
#include "report/cli/reading.h"
#include "report/cli/redaction.h"
#include "report/cli/value_problem.h"
#include "report/document/parts.h"
#include "report/formats/escape.h"
#include "report/formats/json/writer.h"
#include "report/history/history.h"
#include "report/history/intake.h"
#include "report/history/pages.h"

namespace trtlens {
namespace {

// Of the file; false after it.
bool is_fine(const History& history) {
  if (history.ok()) return true;
  complain(history.path() + ": " + history.error());
  return false;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// --- add

struct Intake {
  const HistoryArguments& arguments;
  History& history;
  std::optional<ProgressLine> line{};
  std::map<Added, std::size_t> counts{};
  std::size_t skipped = 0;  // folders that did not change
  bool failed = false;

  void complain_once(const std::string& text) {
    if (line) line->clear();
    complain(text);
    failed = true;
  }
  [[nodiscard]] std::vector<Analysis> builds_of(const Unit& unit);
  void take(const Unit& unit);
  bool take(const Unit& unit, std::vector<Analysis> builds);
};

// The file itself may lie among the builds.
void leave_out(const std::string& db, Unit& unit) {
  std::set<FileId> own;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    if (const auto id = file_id(db + suffix)) own.insert(*id);
  }
  std::erase_if(unit.files, [&](const std::string& file) {
    const auto id = file_id(file);
    return id && own.count(*id) != 0;
  });
}

std::vector<Analysis> Intake::builds_of(const Unit& unit) {
  const ParseOptions options = parse_options(arguments.output, nullptr);
  const bool is_named = unit.name.empty();
  ParseResult parsed = is_named ? parse_inputs(unit.files, options)
                                : parse_part({unit.name, unit.files}, 0, options);
  if (is_named && !usable(parsed, unit.files, arguments.output.quiet)) {
    failed = true;
    return {};
  }
  for (const Input& input : parsed.inputs) {
    if (!is_named && !input.readable) complain_once(input.path + ": " + input.why);
  }
  std::vector<Analysis> builds;
  AnalyzeOptions how;
  how.whole_profiles = true;
  if (!parsed.builds.empty()) builds = analyze_all(std::move(parsed), how);
  std::erase_if(builds, [](const Analysis& build) { return !holds_a_build(build); });
  if (builds.empty() && is_named) complain_once("no build in " + join_some(unit.files, 3));
  return builds;
}

// False: some of it is to be read again.
bool Intake::take(const Unit& unit, std::vector<Analysis> builds) {
  const std::vector<Identity> identities = identities_of(builds);
  bool all = true;
  for (std::size_t i = 0; i < builds.size() && history.ok(); ++i) {
    if (builds.size() == 1 && !unit.name.empty()) builds[i].name = unit.name;
    if (!identities[i].error.empty()) {
      complain_once(builds[i].name + ": not added: " + identities[i].error);
      all = false;
      continue;
    }
    BuildRecord record = record_of(builds[i], arguments.series);
    record.logged_at = identities[i].logged_at;
    ++counts[history.add(identities[i].text, record, utc_now())];
  }
  return all;
}

void Intake::take(const Unit& unit) {
  const std::string stamp = stamp_of(unit, arguments.series);
  if (!stamp.empty() && history.was_read(stamp)) {
    ++skipped;
    return;
  }
  const bool failed_before = std::exchange(failed, false);
  std::vector<Analysis> builds = builds_of(unit);
  // What was written to meanwhile is half of two things.
  if (stamp_of(unit, arguments.series) != stamp) {
    const std::string name = unit.name.empty() ? join_some(unit.files, 3) : unit.name;
    complain_once(name + ": not added: its files changed while they were read; try again");
  } else if (take(unit, std::move(builds)) && !failed && !stamp.empty()) {
    history.set_read(stamp);
  }
  failed = failed || failed_before;
}

int add(const HistoryArguments& arguments) {
  History history(arguments.db, History::Access::write);
  if (!is_fine(history)) return kExitFailure;
  bool failed = false;
  std::vector<Unit> units = units_in(arguments.paths, [&](const std::string& problem) {
    complain(problem);
    failed = true;
  });
  for (Unit& unit : units) leave_out(arguments.db, unit);
  std::erase_if(units, [](const Unit& unit) { return unit.files.empty(); });
  Intake intake{arguments, history};
  if (!arguments.output.quiet && units.size() > 1 && is_terminal(STDERR_FILENO)) {
    intake.line.emplace();
  }
  for (std::size_t i = 0; i < units.size() && history.ok(); ++i) {
    if (intake.line) intake.line->update(fmt::format("folder {} of {}", i, units.size()));
    intake.take(units[i]);
  }
  intake.line.reset();
  if (!is_fine(history)) return kExitFailure;
  std::string text = "added " + count_text(intake.counts[Added::added], "build");
  if (const std::size_t n = intake.counts[Added::known]; n > 0) {
    text += fmt::format(", {} {} in already", n, n == 1 ? "was" : "were");
  }
  if (const std::size_t n = intake.counts[Added::pruned]; n > 0) {
    text += fmt::format(", {} pruned before", n);
  }
  if (intake.skipped > 0) text += ", " + count_text(intake.skipped, "folder") + " unchanged";
  if (!arguments.output.quiet && !print(visible(text) + "\n")) return kExitFailure;
  return failed || intake.failed ? kExitFailure : kExitDone;
}

// --- list, show, trend, prune

std::vector<BuildLine> wanted_builds(History& history, const std::string& series) {
  std::vector<BuildLine> builds = history.builds();
  std::erase_if(builds, [&](const BuildLine& build) {
    return build.series.find(series) == std::string::npos;
  });
  return builds;
}

bool any(const std::vector<BuildLine>& builds, const HistoryArguments& arguments) {
  if (!builds.empty()) return true;
  complain(arguments.db + ": no build" +
           (arguments.series.empty() ? "" : " of a series with '" + arguments.series + "'"));
  return false;
}

int write(const Report& report, const HistoryArguments& arguments) {
  StageTimes times(arguments.output.timing);
  return write_report(report, arguments.output, times) ? kExitDone : kExitFailure;
}

int list(const HistoryArguments& arguments, History& history) {
  const std::vector<BuildLine> builds = wanted_builds(history, arguments.series);
  if (!is_fine(history)) return kExitFailure;
  if (!builds.empty() || arguments.series.empty()) {
    Report report;
    report.document = [&] { return list_document(builds, arguments.db, arguments.top); };
    report.json = [&](TextStream& out) { write_list_json(builds, TRTLENS_VERSION, out); };
    return write(report, arguments);
  }
  (void)any(builds, arguments);
  return kExitFailure;
}

int show(const HistoryArguments& arguments, History& history) {
  const std::optional<BuildRecord> record = history.build(arguments.id);
  if (!is_fine(history)) return kExitFailure;
  if (!record) {
    complain(fmt::format("{}: no build #{}; `trtlens history list` shows them", arguments.db,
                         arguments.id));
    return kExitFailure;
  }
  if (!arguments.output.quiet) {
    complain("from the history, which keeps no messages, tactics that lost, or steps of memory");
  }
  std::vector<Analysis> analyses;
  analyses.push_back(analysis_of(*record));
  std::vector<GateResult> gates;
  gates.push_back(hold(analyses[0], GateOptions(), Baseline()));
  Report report;
  report.document = [&] { return build_document(analyses[0], arguments.top, gates.data()); };
  report.json = [&](TextStream& out) { write_json(analyses, gates, TRTLENS_VERSION, out); };
  report.gate = [&] { return gate_report(analyses, gates); };
  return write(report, arguments);
}

int report_trends(const std::vector<Trend>& trends, const HistoryArguments& arguments) {
  Report report;
  report.document = [&] { return trend_document(trends, arguments.db, arguments.top); };
  report.json = [&](TextStream& out) { write_trend_json(trends, TRTLENS_VERSION, out); };
  return write(report, arguments);
}

// --layer and --onnx-node are about times, and about one thing.
bool is_of_one_figure(const HistoryArguments& arguments) {
  const int given = static_cast<int>(!arguments.layer.empty()) +
                    static_cast<int>(!arguments.onnx_node.empty()) +
                    static_cast<int>(!arguments.metric.empty());
  if (given > 1) complain("history trend takes one of --metric, --layer and --onnx-node");
  return given <= 1;
}

int trend(const HistoryArguments& arguments, History& history) {
  if (!is_of_one_figure(arguments)) return kExitFailure;
  const std::vector<BuildLine> builds = wanted_builds(history, arguments.series);
  ChangeOptions options;
  options.margin = arguments.threshold_percent / 100;
  const bool of_layer = !arguments.layer.empty(), of_node = !arguments.onnx_node.empty();
  std::vector<FigureOfBuild> figures;
  if (of_layer) figures = history.layer_ms(arguments.layer);
  if (of_node) figures = history.node_ms(arguments.onnx_node);
  if (!is_fine(history) || !any(builds, arguments)) return kExitFailure;
  if (!of_layer && !of_node) {
    return report_trends(
        trends_of(builds, arguments.metric.empty() ? "time" : arguments.metric, options),
        arguments);
  }
  const std::string what =
      of_layer ? "layer " + arguments.layer : "ONNX node " + arguments.onnx_node;
  const std::vector<Trend> trends = trends_of(builds, figures, what, options);
  if (!trends.empty()) return report_trends(trends, arguments);
  const std::string near = of_layer ? nearest_name(arguments.layer, history.layer_names())
                                    : nearest_name(arguments.onnx_node, history.node_names());
  complain("no build has a time of " + what +
           (near.empty() || near == arguments.layer || near == arguments.onnx_node
                ? ""
                : "; did you mean '" + near + "'?"));
  return kExitFailure;
}

int prune(const HistoryArguments& arguments) {
  if (arguments.keep == 0 && arguments.before.empty()) {
    complain("history prune takes --keep N, --before DATE or both");
    return kExitFailure;
  }
  // Nothing is made where there is nothing.
  if (!is_fine(History(arguments.db, History::Access::read))) return kExitFailure;
  History history(arguments.db, History::Access::write);
  if (!is_fine(history)) return kExitFailure;
  const std::vector<BuildLine> builds = wanted_builds(history, arguments.series);
  std::map<std::string, int> newer;
  std::vector<std::int64_t> ids;
  for (auto build = builds.rbegin(); build != builds.rend(); ++build) {
    const bool too_many = arguments.keep > 0 && ++newer[build->series] > arguments.keep;
    const bool too_old = !arguments.before.empty() && build->when < arguments.before;
    if (too_many || too_old) ids.push_back(build->id);
  }
  if (!ids.empty() && !history.prune(ids)) {
    (void)is_fine(history);
    return kExitFailure;
  }
  const std::string text =
      fmt::format("pruned {} of {}\n", ids.size(), count_text(builds.size(), "build"));
  return arguments.output.quiet || print(text) ? kExitDone : kExitFailure;
}

std::string date_problem(const std::string& text) {
  return date_in(text + " 00:00:00").empty() ? "'" + text + "' is no date such as 2026-01-31" : "";
}

constexpr const char* kHistoryAddExamples =
    "Examples:\n"
    "  trtlens history add --db builds.db build.log layers.json profile.json\n"
    "  trtlens history add --db builds.db nightly/\n"
    "  trtlens history add --db builds.db --series detector-int8 tonight/\n"
    "\n"
    "The files of each folder are a build, or several. A build whose files have the same content "
    "as one that is in stays one. Each is written whole or not at all: after Ctrl-C or a crash the "
    "same command goes on. Exit status: 0 done; 2 something could not be read or written.";

constexpr const char* kHistoryListExamples =
    "Examples:\n"
    "  trtlens history list --db builds.db\n"
    "  trtlens history list --db builds.db --series resnet18.onnx --top 0\n"
    "  trtlens history list --db builds.db --format json | jq '.builds[].gpu_compute_ms'";

constexpr const char* kHistoryShowExamples =
    "Examples:\n"
    "  trtlens history show --db builds.db 12\n"
    "  trtlens history show --db builds.db 12 -o build-12.html\n"
    "\n"
    "The report that analyze makes, of what is kept: layers, times, precision, findings without "
    "their evidence; no messages and no tactics that lost.";

constexpr const char* kHistoryTrendExamples =
    "Examples:\n"
    "  trtlens history trend --db builds.db\n"
    "  trtlens history trend --db builds.db --metric engine_bytes\n"
    "  trtlens history trend --db builds.db --onnx-node /layer1/conv1/Conv -o trend.html\n"
    "\n"
    "A trend for each series. Where the level changed is found by E-Divisive (docs/history.md); a "
    "level is at least three builds.";

constexpr const char* kHistoryPruneExamples =
    "Examples:\n"
    "  trtlens history prune --db builds.db --keep 200\n"
    "  trtlens history prune --db builds.db --before 2026-01-01 --series old-model\n"
    "\n"
    "What is pruned is not taken in again when its folder is added once more.";

constexpr const char* kHistoryExportExamples =
    "Examples:\n"
    "  trtlens history export --db builds.db --to fleet\n"
    "  duckdb -c \"SELECT model, COUNT(*) FROM 'fleet/builds/*/*.csv.gz' GROUP BY ALL\"\n"
    "\n"
    "Tables builds, precisions, findings and layers, a folder a day; each build with the verdict "
    "that compare --history gives it. docs/fleet.md has the columns and queries. What is killed, "
    "or finds the disk full, leaves no half file: the same command goes on.";

std::vector<CommandRow> commands_of_history(HistoryArguments& a) {
  const OptionRow db{"--db", &a.db, "the file of builds", "FILE", true};
  const OptionRow only{"--series", &a.series, "only series that have TEXT in their name", "TEXT"};
  const OptionRow top{"--top", &a.top, "rows shown; 0: all (default: 20)",
                      "N",     false,  whole_number_from(0)};
  const OptionRow quiet{"-q,--quiet", &a.output.quiet, "no progress, no summary"};
  return {
      {"add",
       "take builds in: files, or folders of them",
       kHistoryAddExamples,
       {{"PATH", &a.paths, "as of analyze, and folders of folders", "", true},
        db,
        {"--series", &a.series,
         "what the builds belong to (default: model, allowed precisions, shapes and GPU)", "TEXT"},
        quiet}},
      {"list", "a line a build, newest first", kHistoryListExamples,
       joined({{db, only, top}, output_rows(a.output, Formats::of_reports)})},
      {"show", "the report on one build, of what is kept", kHistoryShowExamples,
       joined({{{"ID", &a.id, "its number in `history list`", "", true, whole_number_from(1)},
                db,
                top,
                {"--full", &a.output.full, "text: the whole report, not one screen"}},
               output_rows(a.output, Formats::and_gates)})},
      {"trend", "how a figure changed over the builds, and since when", kHistoryTrendExamples,
       joined(
           {{db,
             only,
             {"--metric", &a.metric,
              "what: " + join(metric_names(), ", ") +
                  " (default: time, the best that all builds of a series have)",
              "NAME", false, one_of(metric_names())},
             {"--layer", &a.layer, "time of the layers of that name", "NAME"},
             {"--onnx-node", &a.onnx_node, "time of the layers that hold that node", "NAME"},
             {"--threshold", &a.threshold_percent, "percent: a smaller change is none (default: 2)",
              "PERCENT", false, percentage_problem},
             top},
            output_rows(a.output, Formats::of_reports)})},
      {"prune",
       "remove old builds",
       kHistoryPruneExamples,
       {db,
        only,
        {"--keep", &a.keep, "keep the newest N of each series", "N", false, whole_number_from(1)},
        {"--before", &a.before, "remove what is older than a day", "YYYY-MM-DD", false,
         date_problem},
        quiet}},
      {"export",
       "builds as files for DuckDB, ClickHouse and the like",
       kHistoryExportExamples,
       {db,
        {"--to", &a.to, "a folder: a new one, or one that an export made, which gets what is new",
         "DIR", true},
        {"--format", &a.export_format, "csv or jsonl, compressed by gzip (default: csv)", "NAME",
         false, one_of({"csv", "jsonl"})},
        only,
        quiet}}};
}

}  // namespace

CommandRow history_command(HistoryArguments& a) {
  return {
      "history",
      "builds over time in one file: add, list, show, trend, prune, export",
      "Examples:\n"
      "  trtlens history add --db builds.db nightly/\n"
      "  trtlens history list --db builds.db\n"
      "  trtlens history trend --db builds.db -o trend.html\n"
      "  trtlens compare --history builds.db tonight/ && trtlens history add --db builds.db "
      "tonight/\n"
      "\n"
      "`trtlens history COMMAND --help` says more. Exit status: 0 done; 2 could not do the job.",
      {},
      commands_of_history(a)};
}

int run_history(const HistoryArguments& arguments) {
  if (arguments.command == "add") return add(arguments);
  if (arguments.command == "prune") return prune(arguments);
  History history(arguments.db, History::Access::read);
  if (!is_fine(history)) return kExitFailure;
  if (arguments.command == "list") return list(arguments, history);
  if (arguments.command == "show") return show(arguments, history);
  if (arguments.command == "export") return export_history(arguments, history);
  return trend(arguments, history);
}

}  // namespace trtlens
