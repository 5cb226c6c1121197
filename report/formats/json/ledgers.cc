// The ledgers in the JSON report: names are promises, docs/report-json.md.
#include <utility>

#include "report/facts/facts.h"
#include "report/formats/json/facts.h"
#include "report/formats/json/parts.h"
#include "report/formats/json/stream.h"

namespace trtlens {
namespace {

// Names of SkipReason in JSON.
constexpr const char* kSkipNames[kSkipReasons] = {"memory", "exception", "time_limit", "no_time",
                                                  "other"};

template <typename Counts>
Json json_skipped(const Counts& counts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kSkipReasons; ++i) json[kSkipNames[i]] = counts[i];
  return json;
}

const char* clock_name(TuningClock clock) {
  static constexpr const char* kNames[] = {nullptr, "runners", "stamps"};
  return kNames[static_cast<std::size_t>(clock)];
}

// `next` is the first alternative of this race or a later one, and moves behind its own.
Json json_alternatives(const RaceLedger& ledger, std::size_t race, std::size_t& next) {
  Json list = Json::array();
  for (; next < ledger.alternatives.size() && ledger.alternatives[next].race == race; ++next) {
    const Alternative& other = ledger.alternatives[next];
    list.push_back({{"types", other.types},
                    {"formats", other.format_combination},
                    {"tactic", json_text(other.tactic)},
                    {"ms", other.ms}});
  }
  return list;
}

Json json_progress(const Analysis& a) {
  const std::optional<BuildProgress>& progress = a.build_time.progress;
  if (!progress) return nullptr;
  const SourcePos& pos = progress->last_line;
  return {{"stage", progress->stage},
          {"layer", json_text(progress->layer)},
          {"layers_done", json_optional(progress->layers_done)},
          {"layers", json_optional(progress->layers)},
          {"file", json_path(a, pos.file)},
          {"line", pos.line}};
}

Json json_myelin_race(const Analysis& a, const RegionRace& row) {
  const MyelinRace& race = a.build.myelin_races[row.race];
  const SourcePos& pos = race.pos;
  return {{"operator", race.op},
          {"onnx_nodes", json_texts(race.onnx_nodes)},
          {"region", json_text(race.region)},
          {"types", json_text(row.types)},
          {"formats", json_text(race.format_combination)},
          {"timed", race.timed},
          {"fastest", json_text(race.fastest)},
          {"fastest_ms", json_optional(race.fastest_ms)},
          {"runner_up", json_text(race.runner_up)},
          {"runner_up_ms", json_optional(race.runner_up_ms)},
          {"file", json_path(a, pos.file)},
          {"line", pos.line}};
}

}  // namespace

void write_tactics(const Analysis& a, JsonStream& out) {
  const bool has_records = !a.build.tactic_records.rows.empty();
  if (!a.build.is_verbose && a.races.empty() && !has_records) return out.value(nullptr);
  out.begin_object();
  out.members({{"timed", a.build.tactics_timed},
               {"layers", a.races.size()},
               {"skipped", a.build.tactics_skipped},
               {"skipped_for", json_skipped(a.build.tactics_skipped_for)},
               {"coin_flips", a.race_ledger.coin_flips},
               {"coin_flip_ms", json_optional(a.race_ledger.coin_flip_ms)}});
  out.key("races");
  std::size_t i = 0, next = 0;
  out.list(a.races, [&](const Race& race) {
    Json json = {{"layer", race.layer},
                 {"chosen", json_text(race.chosen)},
                 {"chosen_ms", race.chosen_ms},
                 {"runner_up", json_text(race.runner_up)},
                 {"runner_up_ms", json_optional(race.runner_up_ms)},
                 {"margin", json_optional(race.margin)},
                 {"types", json_text(race.types)},
                 {"coin_flip", race.coin_flip},
                 {"from_cache", race.from_cache}};
    json["alternatives"] = json_alternatives(a.race_ledger, i, next);
    ++i;
    out.value(json);
  });
  out.key("in_regions");
  out.list(a.race_ledger.in_regions,
           [&](const RegionRace& row) { out.value(json_myelin_race(a, row)); });
  if (has_records) {
    out.key("records");
    write_tactic_records(a, out);
  }
  out.end();
}

void write_build_time(const Analysis& a, JsonStream& out) {
  const Build& build = a.build;
  const BuildTime& ledger = a.build_time;
  Json stages = Json::array();
  for (const BuildStage& stage : build.stages) {
    stages.push_back({{"name", stage.name}, {"s", stage.s}});
  }
  const char* clock = clock_name(ledger.clock);
  out.begin_object();
  out.members({{"engine_s", json_optional(build.engine_build_s)},
               {"load_s", json_optional(build.engine_load_s)},
               {"stages", std::move(stages)},
               {"clock", clock == nullptr ? Json(nullptr) : Json(clock)},
               {"layers_s", json_optional(ledger.layers_s)},
               {"conversions_s", json_optional(ledger.reformats_s)},
               {"conversion_races", ledger.reformat_races},
               {"timing_cache",
                {{"entries", json_optional(build.timing_cache_entries)},
                 {"hits", json_optional(build.timing_cache_hits)},
                 {"races", ledger.from_cache}}},
               {"unfinished", json_progress(a)}});
  out.key("slowest_layers");
  if (ledger.layers.empty()) {
    out.value(nullptr);
  } else {
    out.list(ledger.layers, [&](const LayerTuning& layer) {
      out.value({{"layer", layer.layer},
                 {"s", json_optional(layer.s)},
                 {"tactics", layer.timed},
                 {"skipped", layer.skipped},
                 {"combinations", layer.combinations},
                 {"tactics_ms", layer.timed_ms}});
    });
  }
  out.end();
}

void write_memory(const Analysis& a, JsonStream& out) {
  write_facts(kMemoryFacts, a, a.build.memory, out);
}

void write_reconciliation(const Analysis& a, JsonStream& out) {
  if (!a.reconciliation) return out.value(nullptr);
  const Reconciliation& r = *a.reconciliation;
  out.begin_object();
  out.members({{"layers_ms", r.layers_ms},
               {"launches", r.launches},
               {"gpu_compute_ms", json_optional(r.gpu_compute_ms)},
               {"latency_ms", json_optional(r.latency_ms)},
               {"enqueue_ms", json_optional(r.enqueue_ms)},
               {"h2d_ms", json_optional(r.h2d_ms)},
               {"d2h_ms", json_optional(r.d2h_ms)},
               {"overhead_per_launch_ms", json_optional(r.overhead_per_launch_ms)},
               {"launch_floor_ms", kLaunchFloorMs},
               {"below_floor", r.below_floor.size()},
               {"below_floor_ms", r.below_floor_ms}});
  out.key("below_floor_layers");
  out.list(r.below_floor, [&](std::size_t i) {
    const Layer& layer = a.build.layers[i];
    out.value({{"layer", layer.name.str()}, {"time_ms", layer.time->mean_ms}});
  });
  out.members({{"transfer_share", json_optional(r.transfer_share)}, {"reasons", r.reasons}});
  out.end();
}

void write_onnx_times(const Analysis& a, JsonStream& out) {
  out.list(a.onnx_times, [&](const OnnxTime& time) {
    out.value({{"node", json_text(time.node)},
               {"layers", time.layers},
               {"time_ms", time.time_ms},
               {"alone_ms", time.alone_ms}});
  });
}

void write_modules(const Analysis& a, JsonStream& out) {
  if (!a.modules) return out.value(nullptr);
  const ModuleLedger& ledger = *a.modules;
  out.begin_object();
  out.key("rows");
  out.list(ledger.rows, [&](const ModuleRow& row) {
    const ModuleTime& module = ledger.modules[row.module];
    out.value({{"module", module.path},
               {"part", to_string(row.part)},
               {"layers", row.layers},
               {"time_ms", row.time_ms}});
  });
  out.member("without", {{"layers", ledger.layers_without}, {"time_ms", ledger.without_ms}});
  out.key("tree");
  out.list(ledger.modules, [&](const ModuleTime& module) {
    out.value({{"module", module.path},
               {"depth", module.depth},
               {"layers", module.layers},
               {"time_ms", module.time_ms},
               {"own_layers", module.own_layers},
               {"own_ms", module.own_ms}});
  });
  out.end();
}

void write_roofline(const Analysis& a, JsonStream& out) {
  const Roofline& roofline = a.roofline;
  if (roofline.device.empty() && roofline.unknown.empty()) return out.value(nullptr);
  out.begin_object();
  out.members({{"device", json_text(roofline.device)},
               {"unknown", json_text(roofline.unknown)},
               {"source", json_text(roofline.source)}});
  if (!roofline.device.empty()) {
    out.members({{"bandwidth_gb_per_s", roofline.bandwidth_gbps},
                 {"bandwidth_from", roofline.bandwidth_of_log ? "log" : "table"},
                 {"clock_from", roofline.clock_of_log ? "log" : "table"},
                 {"time_ms", roofline.time_ms},
                 {"roof_ms", roofline.roof_ms},
                 {"layers_without_work", roofline.without_work},
                 {"layers_without_peak", roofline.without_peak}});
  }
  out.key("layers");
  out.list(roofline.layers, [&](const LayerRoof& roof) {
    const Layer& layer = a.build.layers[roof.layer];
    out.value({{"layer", layer.name.str()},
               {"time_ms", layer.time->mean_ms},
               {"roof_ms", roof.roof_ms},
               {"efficiency", roof.efficiency},
               {"bound", to_string(roof.bound)},
               {"macs", roof.macs},
               {"bytes", roof.bytes},
               {"estimated", roof.is_estimate},
               {"tensor_cores", roof.tensor_cores},
               {"sparse", roof.sparse},
               {"misfit", json_text(roof.misfit)}});
  });
  out.end();
}

Json json_placement(const Analysis& a) {
  const PlacementLedger& placement = a.placement;
  Json json = {{"worker_streams", json_optional(placement.worker_streams)}};
  json["dla"] = nullptr;
  if (placement.dla_layers > 0) {
    const bool engine = !placement.of_log;
    json["dla"] = {
        {"from", engine ? "engine" : "log"},
        {"dla_layers", placement.dla_layers},
        {"gpu_layers", placement.gpu_layers},
        {"transitions", engine ? Json(placement.transitions) : Json(nullptr)},
        {"dla_ms", engine && a.build.has_profile ? Json(placement.dla_ms) : Json(nullptr)},
        {"gpu_ms", engine && a.build.has_profile ? Json(placement.gpu_ms) : Json(nullptr)}};
  }
  Json streams = Json::array();
  for (const StreamTime& stream : placement.streams) {
    streams.push_back(
        {{"stream", stream.stream}, {"layers", stream.layers}, {"time_ms", stream.time_ms}});
  }
  json["streams"] = std::move(streams);
  return json;
}

}  // namespace trtlens
