// What is asked of a history.
#include <algorithm>
#include <map>

#include "report/formats/json/parts.h"
#include "report/history/history.h"

namespace trtlens {
namespace {

constexpr const char* kLines =
    "SELECT b.id, b.identity, COALESCE(b.logged_at, b.added_at), b.series, b.model, b.name, "
    "b.outcome, b.tensorrt, b.gpu, b.gpu_p10_ms, b.gpu_median_ms, b.gpu_mean_ms, b.trace_p10_ms, "
    "b.profile_ms, b.time_error, b.queries, b.throughput_qps, b.latency_ms, b.build_s, "
    "b.engine_bytes, b.device_bytes, f.severity, f.title "
    "FROM build b LEFT JOIN finding f ON f.build_id = b.id AND f.n = (SELECT MIN(n) FROM finding "
    "WHERE build_id = b.id AND severity <> 'info') "
    "ORDER BY 3, 1";

// What is in the file may be anybody's: a time is a positive number.
std::optional<double> time_of(const Statement& row, int column) {
  const std::optional<double> ms = row.number(column);
  return ms && *ms > 0 && *ms < 1e12 ? ms : std::nullopt;
}

void take_speed(const Statement& row, int column, RunSpeed& speed) {
  for (std::optional<double>& ms : speed.ms) ms = time_of(row, column++);
  speed.error = time_of(row, column++);
  speed.queries = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(column)));
}

BuildLine line_of(const Statement& row) {
  BuildLine line;
  line.id = row.integer(0);
  int column = 1;
  for (std::string* text : {&line.identity, &line.when, &line.series, &line.model, &line.name,
                            &line.outcome, &line.tensorrt, &line.gpu}) {
    *text = row.text(column++);
  }
  take_speed(row, column, line.speed);
  line.speed.name = line.name;
  column += 7;
  line.throughput_qps = time_of(row, column++);
  line.latency_ms = time_of(row, column++);
  line.build_s = time_of(row, column++);
  line.engine_bytes = row.whole(column++);
  line.device_bytes = row.whole(column++);
  line.severity = row.text(column++);
  line.finding = row.text(column);
  return line;
}

std::vector<std::string> texts_of(const std::string& json) {
  std::vector<std::string> texts;
  const Json list = Json::parse(json, nullptr, false);
  if (!list.is_array()) return texts;
  for (const auto& item : list) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::vector<FigureOfBuild> figures_of(Database& database, const char* sql,
                                      const std::string& name) {
  std::vector<FigureOfBuild> figures;
  Statement rows(database, sql);
  rows.bind(name);
  while (rows.step()) {
    if (const auto ms = time_of(rows, 1)) figures.emplace_back(rows.integer(0), *ms);
  }
  return figures;
}

std::vector<std::string> names_of(Database& database, const char* sql) {
  std::vector<std::string> names;
  Statement rows(database, sql);
  while (rows.step()) names.push_back(rows.text(0));
  return names;
}

}  // namespace

std::optional<double> query_ms(const BuildLine& build) {
  return build.speed.ms[1] ? build.speed.ms[1] : build.speed.ms[2];
}

bool is_good(const BuildLine& build) {
  const bool is_timed = std::ranges::any_of(
      build.speed.ms, [](const std::optional<double>& ms) { return ms.has_value(); });
  return is_timed && build.outcome != "failed" && build.severity != "fatal";
}

void History::take_precisions(std::vector<BuildLine>& lines) {
  std::map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < lines.size(); ++i) places.emplace(lines[i].id, i);
  Statement rows(database_,
                 "SELECT build_id, precision, layers, ms, share FROM precision_share "
                 "ORDER BY build_id, ms DESC, layers DESC");
  while (rows.step()) {
    const auto place = places.find(rows.integer(0));
    if (place == places.end()) continue;
    lines[place->second].precisions.push_back(
        {rows.text(1), rows.integer(2), rows.number(3), rows.number(4)});
  }
}

std::vector<BuildLine> History::builds() {
  std::vector<BuildLine> lines;
  Statement rows(database_, kLines);
  while (rows.step()) lines.push_back(line_of(rows));
  take_precisions(lines);
  return lines;
}

void History::take_layers(std::int64_t id, BuildRecord& record) {
  Statement rows(database_,
                 "SELECT l.name, l.kind, l.operation, l.role, l.precision, l.tactic, l.details, "
                 "l.onnx_nodes, t.ms, t.median_ms, t.quantum_ms FROM layer_time t JOIN layer l "
                 "ON l.id = t.layer_id WHERE t.build_id = ? ORDER BY t.n");
  rows.bind(id);
  while (rows.step()) {
    LayerRecord layer;
    int column = 0;
    for (std::string* text : {&layer.name, &layer.kind, &layer.operation, &layer.role,
                              &layer.precision, &layer.tactic, &layer.details}) {
      *text = rows.text(column++);
    }
    layer.onnx_nodes = texts_of(rows.text(7));
    record.layers.push_back(std::move(layer));
    std::optional<LayerTime> time;
    if (const auto ms = rows.number(8); ms && *ms >= 0 && *ms < 1e12) {
      time.emplace();
      time->mean_ms = *ms;
      time->median_ms = rows.number(9);
      time->quantum_ms = rows.number(10).value_or(0);
    }
    record.times.push_back(time);
  }
}

void History::take_findings(std::int64_t id, BuildRecord& record) {
  Statement rows(database_,
                 "SELECT rule, cause, category, severity, confidence, stake_ms, gain_low_ms, "
                 "gain_high_ms, title, places, action FROM finding WHERE build_id = ? ORDER BY n");
  rows.bind(id);
  while (rows.step()) {
    Finding finding;
    finding.rule = rows.text(0);
    finding.cause = rows.text(1);
    finding.category = rows.text(2);
    finding.severity = enumerator(rows.text(3), Severity::fatal).value_or(Severity::info);
    finding.confidence =
        enumerator(rows.text(4), Confidence::measured).value_or(Confidence::guessed);
    finding.stake_ms = time_of(rows, 5);
    if (const auto low = rows.number(6), high = rows.number(7); low && high) {
      finding.gain.emplace();
      finding.gain->low_ms = *low;
      finding.gain->high_ms = *high;
    }
    finding.title = rows.text(8);
    if (std::string places = rows.text(9); !places.empty()) finding.where = {std::move(places)};
    if (std::string action = rows.text(10); !action.empty()) finding.remedies = {std::move(action)};
    record.findings.push_back(std::move(finding));
  }
}

std::optional<BuildRecord> History::build(std::int64_t id) {
  BuildRecord record;
  {
    Statement row(database_,
                  "SELECT name, series, model, logged_at, outcome, tensorrt, producer, gpu, "
                  "allowed, command, details, gpu_p10_ms, gpu_median_ms, gpu_mean_ms, "
                  "trace_p10_ms, profile_ms, time_error, queries, throughput_qps, latency_ms, "
                  "build_s, engine_bytes, device_bytes FROM build WHERE id = ?");
    if (!row.bind(id).step()) return std::nullopt;
    int column = 0;
    for (std::string* text : {&record.name, &record.series, &record.model, &record.logged_at,
                              &record.outcome, &record.tensorrt, &record.producer, &record.gpu,
                              &record.allowed, &record.command, &record.details}) {
      *text = row.text(column++);
    }
    take_speed(row, column, record.speed);
    record.speed.name = record.name;
    column += 7;
    record.throughput_qps = time_of(row, column++);
    record.latency_ms = time_of(row, column++);
    record.build_s = time_of(row, column++);
    record.engine_bytes = row.whole(column++);
    record.device_bytes = row.whole(column);
  }
  take_layers(id, record);
  take_findings(id, record);
  if (!ok()) return std::nullopt;
  return record;
}

std::vector<FigureOfBuild> History::layer_ms(const std::string& name) {
  return figures_of(database_,
                    "SELECT t.build_id, SUM(t.ms) FROM layer l JOIN layer_time t ON t.layer_id = "
                    "l.id WHERE l.name = ? GROUP BY t.build_id",
                    name);
}

std::vector<FigureOfBuild> History::node_ms(const std::string& node) {
  return figures_of(database_,
                    "SELECT t.build_id, SUM(t.ms) FROM layer_node n JOIN layer_time t ON "
                    "t.layer_id = n.layer_id WHERE n.node = ? GROUP BY t.build_id",
                    node);
}

std::vector<std::string> History::layer_names() {
  return names_of(database_, "SELECT DISTINCT name FROM layer ORDER BY name");
}

std::vector<std::string> History::node_names() {
  return names_of(database_, "SELECT DISTINCT node FROM layer_node ORDER BY node");
}

}  // namespace trtlens
