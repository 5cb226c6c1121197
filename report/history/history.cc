// Opens and makes the file; takes builds in and out.
#include "report/history/history.h"

#include <fmt/format.h>

#include <cstring>

#include "analyzers/gate/sha256.h"
#include "analyzers/text.h"
#include "report/formats/escape.h"
#include "report/formats/json/parts.h"
#include "report/history/schema.h"

namespace trtlens {
namespace {

std::string json_list(const std::vector<std::string>& texts) {
  return Json(texts).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Equal for equal layers; of one name no two others have it in common.
std::int64_t content_of(const LayerRecord& layer) {
  std::string all;
  for (const std::string* part : {&layer.name, &layer.kind, &layer.operation, &layer.role,
                                  &layer.precision, &layer.tactic, &layer.details}) {
    all += *part;
    all += '\0';  // in none of them: they are visible()
  }
  for (const std::string& node : layer.onnx_nodes) all += node + '\0';
  std::int64_t content = 0;
  const auto hash = sha256(all);
  std::memcpy(&content, hash.data(), sizeof(content));
  return content;
}

// The first column of the first row; none: there is no row.
std::optional<std::int64_t> found_by(Statement& find) {
  if (!find.step()) return std::nullopt;
  const std::int64_t id = find.integer(0);
  find.step();
  return id;
}

std::string first_action(const Finding& finding) {
  return finding.remedies.empty() ? std::string() : finding.remedies.front();
}

}  // namespace

// Statements of add(), once for all builds of a directory.
struct History::Writing {
  explicit Writing(Database& db)
      : known(db, "SELECT 1 FROM build WHERE identity = ?"),
        pruned(db, "SELECT 1 FROM pruned WHERE identity = ?"),
        build(db,
              "INSERT INTO build(identity, added_at, logged_at, series, model, name, outcome, "
              "tensorrt, producer, gpu, allowed, command, gpu_p10_ms, gpu_median_ms, gpu_mean_ms, "
              "trace_p10_ms, profile_ms, time_error, queries, throughput_qps, latency_ms, build_s, "
              "engine_bytes, device_bytes, details, written_by) "
              "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        run(db, "INSERT OR IGNORE INTO run VALUES(?,?,?,?,?)"),
        precision(db, "INSERT OR IGNORE INTO precision_share VALUES(?,?,?,?,?)"),
        finding(db, "INSERT INTO finding VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        find_layer(db, "SELECT id FROM layer WHERE name = ? AND content = ?"),
        layer(db,
              "INSERT INTO layer(content, name, kind, operation, role, precision, tactic, "
              "onnx_nodes, details) VALUES(?,?,?,?,?,?,?,?,?)"),
        find_node(db, "SELECT id FROM node WHERE name = ?"),
        node(db, "INSERT INTO node(name) VALUES(?)"),
        node_layer(db, "INSERT OR IGNORE INTO node_layer VALUES(?,?)"),
        time(db, "INSERT INTO layer_time VALUES(?,?,?,?,?,?)") {}

  Statement known, pruned, build, run, precision, finding, find_layer, layer, find_node, node,
      node_layer, time;
};

History::History(const std::string& path, Access access) : database_(path, access) {
  if (!ok()) return;
  if (access == Access::write) {
    make_schema();
  } else {
    check_schema();
  }
}

History::~History() = default;

void History::check_schema() {
  const std::int64_t id = database_.number("PRAGMA application_id");
  const std::int64_t version = database_.number("PRAGMA user_version");
  const std::int64_t tables = database_.number("SELECT COUNT(*) FROM sqlite_master");
  if (!ok()) return;
  if (id != kApplicationId && tables > 0) {
    database_.fail("an SQLite database, but no history of trtlens");
  } else if (id != kApplicationId) {
    database_.fail("no history of trtlens in it yet; `trtlens history add` makes one");
  } else if (version > kSchemaVersion) {
    database_.fail(fmt::format("written by a newer trtlens (schema {}, this one knows {})", version,
                               kSchemaVersion));
  }
}

void History::make_schema() {
  const auto is_new = [&] {
    return database_.number("PRAGMA application_id") == 0 &&
           database_.number("SELECT COUNT(*) FROM sqlite_master") == 0;
  };
  if (is_new() && ok()) {
    database_.try_run("PRAGMA journal_mode = WAL");  // where another has begun, it did it
    Transaction transaction(database_);
    if (is_new() && ok()) {
      database_.run(kSchema);
      database_.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                kApplicationId, kSchemaVersion)
                        .c_str());
    }
    (void)transaction.commit();
  }
  if (ok()) check_schema();
  const std::int64_t version = ok() ? database_.number("PRAGMA user_version") : kSchemaVersion;
  if (version < kSchemaVersion) {
    database_.fail(
        fmt::format("written by an older trtlens (schema {}, this one writes {}): it can be read, "
                    "but take builds into a new file",
                    version, kSchemaVersion));
  }
  // A commit survives the end of the process; that of the machine may cost the last ones.
  // The cache, of 32 MB, holds the indexes of a million layers' times.
  if (ok()) {
    database_.run(
        "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000");
  }
}

std::int64_t History::layer_id(const LayerRecord& layer) {
  const std::int64_t content = content_of(layer);
  const auto known = found_by(writing_->find_layer.bind(layer.name).bind(content));
  if (known) return *known;
  writing_->layer.bind(content)
      .bind(layer.name)
      .bind_or_null(layer.kind)
      .bind_or_null(layer.operation)
      .bind(layer.role)
      .bind(layer.precision)
      .bind_or_null(layer.tactic)
      .bind(json_list(layer.onnx_nodes))
      .bind(layer.details)
      .run();
  const std::int64_t id = database_.last_id();
  for (const std::string& node : layer.onnx_nodes) {
    writing_->node_layer.bind(node_id(node)).bind(id).run();
  }
  return id;
}

std::int64_t History::node_id(const std::string& node) {
  if (const auto known = found_by(writing_->find_node.bind(node))) return *known;
  writing_->node.bind(node).run();
  return database_.last_id();
}

void History::insert(const BuildRecord& record, std::int64_t build) {
  for (const Run& run : record.runs) {
    writing_->run.bind(build)
        .bind(std::int64_t{run.n})
        .bind_or_null(visible(run.producer))
        .bind(to_string(run.outcome))
        .bind_or_null(visible(run.command))
        .run();
  }
  for (const PrecisionRecord& row : record.precisions) {
    writing_->precision.bind(build)
        .bind(row.precision)
        .bind(row.layers)
        .bind(row.ms)
        .bind(row.share)
        .run();
  }
  std::int64_t n = 0;
  for (const Finding& finding : record.findings) {
    const bool gains = finding.gain.has_value();
    writing_->finding.bind(build)
        .bind(++n)
        .bind(finding.rule)
        .bind_or_null(finding.cause)
        .bind_or_null(finding.category)
        .bind(to_string(finding.severity))
        .bind(to_string(finding.confidence))
        .bind(finding.stake_ms)
        .bind(gains ? std::optional<double>(finding.gain->low_ms) : std::nullopt)
        .bind(gains ? std::optional<double>(finding.gain->high_ms) : std::nullopt)
        .bind(visible(finding.title))
        .bind_or_null(visible(where_text(finding)))
        .bind_or_null(visible(first_action(finding)))
        .run();
  }
  for (std::size_t i = 0; i < record.layers.size() && ok(); ++i) {
    const std::optional<LayerTime>& time = record.times[i];
    const std::int64_t layer = layer_id(record.layers[i]);
    writing_->time.bind(build)
        .bind(static_cast<std::int64_t>(i + 1))
        .bind(layer)
        .bind(time ? std::optional<double>(time->mean_ms) : std::nullopt)
        .bind(time ? time->median_ms : std::nullopt)
        .bind(time ? std::optional<double>(time->quantum_ms) : std::nullopt)
        .run();
  }
}

Added History::add(const std::string& identity, const BuildRecord& record, const std::string& at) {
  if (!ok()) return Added::failed;
  if (!writing_) writing_ = std::make_unique<Writing>(database_);
  Transaction transaction(database_);
  const auto is_in = [&](Statement& statement) {
    return found_by(statement.bind(identity)).has_value();
  };
  if (is_in(writing_->known)) return Added::known;
  if (is_in(writing_->pruned)) return Added::pruned;
  Statement& build = writing_->build;
  build.bind(identity).bind(at).bind_or_null(record.logged_at).bind(record.series);
  build.bind(record.model).bind(record.name).bind(record.outcome).bind_or_null(record.tensorrt);
  build.bind_or_null(record.producer).bind_or_null(record.gpu).bind_or_null(record.allowed);
  build.bind_or_null(record.command);
  for (const std::optional<double>& ms : record.speed.ms) build.bind(ms);
  build.bind(record.speed.error).bind(static_cast<std::int64_t>(record.speed.queries));
  build.bind(record.throughput_qps).bind(record.latency_ms).bind(record.build_s);
  build.bind(record.engine_bytes).bind(record.device_bytes).bind(record.details);
  build.bind(TRTLENS_VERSION).run();
  if (!ok()) return Added::failed;
  insert(record, database_.last_id());
  return transaction.commit() ? Added::added : Added::failed;
}

bool History::was_read(const std::string& stamp) {
  Statement find(database_, "SELECT 1 FROM read_before WHERE stamp = ?");
  return find.bind(stamp).step();
}

void History::set_read(const std::string& stamp) {
  Statement(database_, "INSERT OR IGNORE INTO read_before VALUES(?)").bind(stamp).run();
}

bool History::prune(const std::vector<std::int64_t>& ids) {
  {
    Transaction transaction(database_);
    Statement remember(database_,
                       "INSERT OR IGNORE INTO pruned SELECT identity FROM build WHERE id = ?");
    Statement remove(database_, "DELETE FROM build WHERE id = ?");
    for (const std::int64_t id : ids) {
      remember.bind(id).run();
      remove.bind(id).run();
    }
    database_.run(
        "DELETE FROM node_layer WHERE layer_id NOT IN (SELECT layer_id FROM layer_time);"
        "DELETE FROM node WHERE id NOT IN (SELECT node_id FROM node_layer);"
        "DELETE FROM layer WHERE id NOT IN (SELECT layer_id FROM layer_time)");
    if (!transaction.commit()) return false;
  }
  return database_.run("VACUUM");
}

}  // namespace trtlens
