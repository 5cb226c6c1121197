// The tables of a history, version 2. docs/history.md tells users what they hold.
#pragma once

#include <cstdint>

namespace trtlens {

inline constexpr std::int64_t kApplicationId = 0x7472746c;  // "trtl"
inline constexpr std::int64_t kSchemaVersion = 2;

// STRICT and WITHOUT ROWID where a row is small: SQLite 3.37 is the oldest, of Ubuntu 22.04.
inline constexpr const char* kSchema = R"sql(
CREATE TABLE build(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identity TEXT NOT NULL UNIQUE,
  added_at TEXT NOT NULL,
  logged_at TEXT,
  series TEXT NOT NULL,
  model TEXT NOT NULL,
  name TEXT NOT NULL,
  outcome TEXT NOT NULL,
  tensorrt TEXT,
  producer TEXT,
  gpu TEXT,
  allowed TEXT,
  command TEXT,
  gpu_p10_ms REAL,
  gpu_median_ms REAL,
  gpu_mean_ms REAL,
  trace_p10_ms REAL,
  profile_ms REAL,
  time_error REAL,
  queries INTEGER NOT NULL,
  throughput_qps REAL,
  latency_ms REAL,
  build_s REAL,
  engine_bytes INTEGER,
  device_bytes INTEGER,
  details TEXT NOT NULL,
  written_by TEXT NOT NULL) STRICT;
CREATE INDEX build_series ON build(series);
CREATE TABLE run(
  build_id INTEGER NOT NULL REFERENCES build ON DELETE CASCADE,
  n INTEGER NOT NULL,
  producer TEXT,
  outcome TEXT NOT NULL,
  command TEXT,
  PRIMARY KEY(build_id, n)) STRICT, WITHOUT ROWID;
CREATE TABLE precision_share(
  build_id INTEGER NOT NULL REFERENCES build ON DELETE CASCADE,
  precision TEXT NOT NULL,
  layers INTEGER NOT NULL,
  ms REAL,
  share REAL,
  PRIMARY KEY(build_id, precision)) STRICT, WITHOUT ROWID;
CREATE TABLE finding(
  build_id INTEGER NOT NULL REFERENCES build ON DELETE CASCADE,
  n INTEGER NOT NULL,
  rule TEXT NOT NULL,
  cause TEXT,
  category TEXT,
  severity TEXT NOT NULL,
  confidence TEXT NOT NULL,
  stake_ms REAL,
  gain_low_ms REAL,
  gain_high_ms REAL,
  title TEXT NOT NULL,
  places TEXT,
  action TEXT,
  PRIMARY KEY(build_id, n)) STRICT, WITHOUT ROWID;
CREATE TABLE layer(
  id INTEGER PRIMARY KEY,
  content INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT,
  operation TEXT,
  role TEXT NOT NULL,
  precision TEXT NOT NULL,
  tactic TEXT,
  onnx_nodes TEXT NOT NULL,
  details TEXT NOT NULL,
  UNIQUE(name, content)) STRICT;
CREATE TABLE node(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE node_layer(
  node_id INTEGER NOT NULL REFERENCES node,
  layer_id INTEGER NOT NULL REFERENCES layer,
  PRIMARY KEY(node_id, layer_id)) STRICT, WITHOUT ROWID;
CREATE TABLE layer_time(
  build_id INTEGER NOT NULL REFERENCES build ON DELETE CASCADE,
  n INTEGER NOT NULL,
  layer_id INTEGER NOT NULL REFERENCES layer,
  ms REAL,
  median_ms REAL,
  quantum_ms REAL,
  PRIMARY KEY(build_id, n)) STRICT, WITHOUT ROWID;
CREATE INDEX layer_time_layer ON layer_time(layer_id, build_id);
CREATE TABLE read_before(
  stamp TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE pruned(
  identity TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE VIEW layer_node AS
  SELECT node.name AS node, node_layer.layer_id FROM node JOIN node_layer ON node_id = node.id;
CREATE VIEW build_layer AS
  SELECT t.build_id, t.n, l.name, l.kind, l.operation, l.role, l.precision, t.ms, t.median_ms,
         l.tactic, l.onnx_nodes, t.layer_id
  FROM layer_time t JOIN layer l ON l.id = t.layer_id;
)sql";

}  // namespace trtlens
