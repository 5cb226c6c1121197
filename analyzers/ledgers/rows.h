// Rows of the ledgers: what an Analysis holds besides verdicts and findings. Plain data; times in
// ms of profile time unless the name says otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzers/finding.h"
#include "parsers/model/build.h"

namespace trtlens {

enum class Precision : std::uint8_t;

// --- Tactic races

// Under it the runner-up may win the next build: tactics are timed a few times each, and means of
// one layer spread by up to 3 % from run to run.
inline constexpr double kCoinFlipMargin = 0.02;

struct Race {
  std::string layer, chosen, runner_up;
  double chosen_ms = 0;
  std::optional<double> runner_up_ms, margin;  // margin: (runner-up − chosen) / chosen
  std::string types;                           // of the format combination: "FP16 -> FP32"
  std::optional<std::size_t> in_engine;        // index into build.layers
  bool from_cache = false;
  bool coin_flip = false;  // two kernels of other names within kCoinFlipMargin
};

// The fastest kernel of other types that was timed for the layer of a race.
struct Alternative {
  std::size_t race = 0;  // index into Analysis::races
  std::string types, format_combination, tactic;
  double ms = 0;
};

// A table of Myelin's: the fastest of its types for one operator of a region.
struct RegionRace {
  std::size_t race = 0;  // index into build.myelin_races
  std::string types;     // of the region
};

struct RaceLedger {
  std::uint32_t coin_flips = 0;
  std::optional<double> coin_flip_ms;     // of the layers of the engine whose races they were
  std::vector<Alternative> alternatives;  // race by race, fastest first
  // Operators that take longest first, their types fastest first.
  std::vector<RegionRace> in_regions;
};

// --- Build time

enum class TuningClock : std::uint8_t { none, runners, stamps };

struct LayerTuning {
  std::string layer;
  std::uint64_t combinations = 0, timed = 0, skipped = 0, from_cache = 0;
  double timed_ms = 0;      // sum of the times of the candidates
  std::optional<double> s;  // by BuildTime::clock
};

// Where a build without an engine stood when its log ended.
struct BuildProgress {
  std::string stage;
  std::string layer;                         // the last one that was timed
  std::optional<std::uint64_t> layers_done;  // begun, of them all
  std::optional<std::uint64_t> layers;       // of the graph
  SourcePos last_line;
};

struct BuildTime {
  TuningClock clock = TuningClock::none;
  std::vector<LayerTuning> layers;  // slowest first
  std::optional<double> layers_s;   // their sum
  std::optional<double> reformats_s;
  std::uint64_t reformat_races = 0, from_cache = 0;
  std::optional<BuildProgress> progress;
};

// --- Memory

struct MemoryLedger {
  std::vector<std::size_t> layers;           // build.memory.layers, most on the device first
  std::vector<std::size_t> steps_by_growth;  // build.memory.steps that took GPU memory
  // Weights, activations (scratch is part of them) and persistent memory of the engine; none unless
  // all are known.
  std::optional<std::int64_t> device_bytes;
};

// --- Sum of the layers against a query

// A layer below it takes about as long as its launch: the limit of the rule tiny-kernels.
inline constexpr double kLaunchFloorMs = 0.005;

struct Reconciliation {
  double layers_ms = 0;        // sum of the profile
  std::uint32_t launches = 0;  // records with a time above 0
  std::optional<double> gpu_compute_ms, latency_ms, h2d_ms, d2h_ms, enqueue_ms;
  std::optional<double> overhead_per_launch_ms;  // (layers − GPU compute) / launches
  std::vector<std::size_t> below_floor;          // layers below kLaunchFloorMs, slowest first
  double below_floor_ms = 0;
  std::optional<double> transfer_share;  // (H2D + D2H) / latency
  std::vector<std::string> reasons;      // why the sums differ, as far as the input says
};

// --- ONNX nodes and modules

// A node of the ONNX graph, by the layers that compute it.
struct OnnxTime {
  SharedText node;
  std::uint32_t layers = 0;
  double time_ms = 0;   // of these layers, whatever else they compute
  double alone_ms = 0;  // of those of them that compute nothing else
};

struct ModuleTime {
  std::string path;  // "/layer2/layer2.1"; "/" is the whole graph
  std::size_t parent = 0, depth = 0;
  std::uint32_t layers = 0;  // with those of the modules inside
  double time_ms = 0;        // with the modules inside
  double own_ms = 0;
  std::uint32_t own_layers = 0;
};

// A module with all that is inside, only what belongs to none of the modules inside, or those of
// the modules inside that have no row of their own.
enum class ModulePart : std::uint8_t { whole, own, others };
[[nodiscard]] const char* to_string(ModulePart part);

struct ModuleRow {
  std::size_t module = 0;  // index into ModuleLedger::modules
  ModulePart part = ModulePart::whole;
  std::uint32_t layers = 0;
  double time_ms = 0;
  std::size_t modules = 0;  // of `others`: how many
};

struct ModuleLedger {
  std::vector<ModuleTime> modules;  // a parent stands before what is inside; the first is "/"
  std::vector<ModuleRow> rows;      // a partition of `modules`, slowest first
  std::uint32_t layers_without = 0;
  double without_ms = 0;
};

// --- Roofline

enum class Bound : std::uint8_t { unknown, memory, compute, launch };
[[nodiscard]] const char* to_string(Bound bound);

struct LayerRoof {
  std::size_t layer = 0;
  double macs = 0, bytes = 0;
  double compute_ms = 0, memory_ms = 0;  // of which the longer is the roof
  bool is_estimate = false;
  double roof_ms = 0;     // no kernel can be faster
  double efficiency = 0;  // roof / time
  Bound bound = Bound::unknown;
  bool tensor_cores = false;  // the roof is that of tensor cores
  bool sparse = false;        // at the peak of 2:4 sparse weights, twice the dense one
  std::string misfit;         // why tensor cores cannot take it, or not at their full rate
};

struct Roofline {
  std::string device, source;  // row of the device table; empty: none fits
  std::string unknown;         // why there is no roofline
  double bandwidth_gbps = 0;
  bool bandwidth_of_log = false, clock_of_log = false;
  std::vector<LayerRoof> layers;   // with a time, most time above the roof first
  std::uint32_t without_work = 0;  // arithmetic layers whose shapes do not say what they do
  std::uint32_t without_peak = 0;  // of precisions that the device has no published peak for
  double roof_ms = 0, time_ms = 0;
  std::array<double, 4> bound_ms{};  // by Bound
};

// --- Ladder

struct LadderStep {
  std::size_t finding = 0;         // index into Analysis::findings
  double low_ms = 0, high_ms = 0;  // of its gain, what no step before it had
  MsRange left;                    // profile time after it
  // GPU compute time per query that it wins, where the profile holds none of it: of launches.
  std::optional<MsRange> query{};
};

struct Ladder {
  double now_ms = 0;  // profile time
  std::vector<LadderStep> steps;
  std::optional<double> roof_ms;  // none: the roofline knows no layer
  Precision roof_precision{};     // of arithmetic at the roof; unknown: its own
};

// --- Placement

struct StreamTime {
  int stream = 0;
  std::uint32_t layers = 0;
  double time_ms = 0;
};

struct PlacementLedger {
  std::uint32_t dla_layers = 0, gpu_layers = 0, transitions = 0;
  double dla_ms = 0, gpu_ms = 0;
  bool of_log = false;              // counted in the log's lists, not in the engine
  std::vector<StreamTime> streams;  // when there is more than one
  std::optional<std::int64_t> worker_streams;
};

}  // namespace trtlens
