// Pictures of the build: its stages in time, what the engine holds, memory step by step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "report/document/layer_names.h"

namespace trtlens {
namespace {

constexpr double kLeastUnnamed = 0.005;  // of the build
constexpr double kLeastLayer = 0.004;    // of the build's time: what is shorter is not seen
constexpr std::size_t kMostLayers = 30;
constexpr std::size_t kMostSteps = 300;  // as many rows has a table of a page

// The stages of a build in their order. A log prints a stage when it ends, those within it before
// it: the tuning within the generation of the engine; a calibration, with the engine that it runs,
// within the construction of the graph.
struct Stages {
  struct Stage {
    std::size_t row = 0;
    double s = 0;
    std::vector<std::size_t> within;  // rows
  };
  std::vector<Stage> all;
  double sum_s = 0;
};

bool is_of_the_build(const std::string& name) {
  return name == "parse" || name == "calibration" || name == "autotuning" ||
         name == "engine generation" || name.starts_with("graph");
}

Stages stages_of(const Build& build) {
  Stages stages;
  std::size_t first_of_graph = 0;  // of `all`: behind the parser
  for (std::size_t row = 0; row < build.stages.size(); ++row) {
    const BuildStage& stage = build.stages[row];
    if (!is_of_the_build(stage.name) || stage.s < 0) continue;
    Stages::Stage placed{row, stage.s, {}};
    const auto last_is = [&](const char* name) {
      return !stages.all.empty() && build.stages[stages.all.back().row].name == name;
    };
    if (stage.name == "engine generation" && last_is("autotuning") &&
        stages.all.back().s <= stage.s) {
      placed.within.push_back(stages.all.back().row);
      stages.all.pop_back();
    }
    if (stage.name.starts_with("graph construction") && last_is("calibration") &&
        stages.all.back().s <= stage.s) {
      placed.within.push_back(stages.all.back().row);
      stages.all.resize(first_of_graph);
    }
    stages.all.push_back(std::move(placed));
    if (stage.name == "parse") first_of_graph = stages.all.size();
  }
  for (const Stages::Stage& stage : stages.all) stages.sum_s += stage.s;
  return stages;
}

// The tuned layers within the one stage that tunes, slowest first.
PieceRow layer_pieces(const Context& context, const Piece& tuning, double whole_s) {
  const BuildTime& ledger = context.analysis.build_time;
  PieceRow row;
  double at = tuning.from;
  const double end = tuning.from + tuning.size;
  for (std::size_t i = 0; i < std::min(ledger.layers.size(), kMostLayers); ++i) {
    const LayerTuning& layer = ledger.layers[i];
    const double size = layer.s.value_or(0) / whole_s;
    if (size < kLeastLayer || at + size > end) break;
    row.pieces.push_back({label_in(context, layer.layer), tuning_text(*layer.s, ledger.clock), at,
                          size, "tuning", i});
    at += size;
  }
  row.label = fmt::format("layers in the tuning, slowest first: {} of {}", row.pieces.size(),
                          ledger.layers.size());
  return row;
}

// The stages, and what is within them.
std::array<PieceRow, 2> stage_rows(const Build& build, const Stages& stages, double whole_s) {
  std::array<PieceRow, 2> rows;
  double at = 0;
  const auto piece = [&](std::size_t row, double from) {
    const BuildStage& stage = build.stages[row];
    return Piece{stage.name, seconds_text(stage.s), from, stage.s / whole_s, "stages", row};
  };
  for (const Stages::Stage& stage : stages.all) {
    rows[0].pieces.push_back(piece(stage.row, at));
    at += stage.s / whole_s;
    double end = at;
    for (const std::size_t row : stage.within) {
      end -= build.stages[row].s / whole_s;
      rows[1].pieces.push_back(piece(row, end));
    }
  }
  return rows;
}

std::string listed(const std::vector<Piece>& pieces) {
  std::vector<std::string> texts;
  texts.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    texts.push_back(piece.text.empty() ? piece.label : piece.label + " " + piece.text);
  }
  return join_some(texts, 12);
}

constexpr std::string_view kManaged = "TensorRT-managed allocation in ";

bool is_managed(const MemoryStep& step) {
  return step.phase.starts_with(kManaged);
}

// Steps of one kind: what they hold of the device and the process is no part of what TensorRT's
// allocators hold.
std::optional<Drawing> steps_drawing(const Context& context, bool managed) {
  const std::vector<MemoryStep>& steps = context.build.memory.steps;
  Drawing drawing;
  drawing.lines = {{"GPU", {}}, {"CPU", {}}};
  PieceRow row;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < std::min(steps.size(), kMostSteps); ++i) {
    const MemoryStep& step = steps[i];
    if (is_managed(step) != managed || (!step.gpu_now_bytes && !step.cpu_now_bytes)) continue;
    most = std::max({most, step.gpu_now_bytes.value_or(0), step.cpu_now_bytes.value_or(0)});
    row.pieces.push_back(
        {step.phase.substr(managed ? kManaged.size() : 0),
         "GPU " + bytes_text(step.gpu_now_bytes) + ", CPU " + bytes_text(step.cpu_now_bytes), 0, 0,
         "steps", i});
  }
  if (row.pieces.size() < 2 || most <= 0) return std::nullopt;
  const double width = 1.0 / static_cast<double>(row.pieces.size());
  const auto height = [most](const std::optional<std::int64_t>& bytes) {
    return bytes ? std::optional(static_cast<double>(*bytes) / static_cast<double>(most))
                 : std::nullopt;
  };
  for (std::size_t k = 0; k < row.pieces.size(); ++k) {
    Piece& piece = row.pieces[k];
    piece.from = width * static_cast<double>(k);
    piece.size = width;
    drawing.lines[0].heights.push_back(height(steps[piece.row].gpu_now_bytes));
    drawing.lines[1].heights.push_back(height(steps[piece.row].cpu_now_bytes));
  }
  drawing.title = managed ? "Memory of TensorRT's allocators after each step"
                          : "Memory of the device and the process after each step";
  drawing.most = bytes_text(most);
  drawing.alt = drawing.title + ": " + listed(row.pieces) + ".";
  drawing.rows.push_back(std::move(row));
  return drawing;
}

}  // namespace

std::optional<double> unnamed_s(const Context& context) {
  const std::optional<double>& whole_s = context.build.engine_build_s;
  const Stages stages = stages_of(context.build);
  if (!whole_s || stages.all.empty()) return std::nullopt;
  const double s = *whole_s - stages.sum_s;
  return s >= kLeastUnnamed * *whole_s ? std::optional(s) : std::nullopt;
}

std::optional<Drawing> build_drawing(const Context& context) {
  const Build& build = context.build;
  const Stages stages = stages_of(build);
  const double whole_s = std::max(build.engine_build_s.value_or(0), stages.sum_s);
  if (stages.all.empty() || whole_s <= 0) return std::nullopt;
  auto [top, within] = stage_rows(build, stages, whole_s);
  const auto is_tuning = [](const Piece& piece) { return piece.label == "autotuning"; };
  const std::vector<Piece>& holds =
      std::ranges::any_of(within.pieces, is_tuning) ? within.pieces : top.pieces;
  PieceRow layers;
  const auto races = std::ranges::count(build.stages, "autotuning", &BuildStage::name);
  const auto tuning = std::ranges::find_if(holds, is_tuning);
  if (races == 1 && tuning != holds.end()) layers = layer_pieces(context, *tuning, whole_s);
  if (const std::optional<double> s = unnamed_s(context)) {
    top.pieces.push_back({"in no stage", seconds_text(*s), stages.sum_s / whole_s, *s / whole_s,
                          "stages", build.stages.size(), true});
  }
  if (top.pieces.size() + within.pieces.size() + layers.pieces.size() < 2) return std::nullopt;
  Drawing drawing;
  drawing.title = "Build timeline";
  drawing.alt = "Stages of the build in their order, as wide as their time: " + listed(top.pieces);
  if (!within.pieces.empty()) drawing.alt += "; within them " + listed(within.pieces);
  if (!layers.pieces.empty()) drawing.alt += "; " + layers.label + ", " + listed(layers.pieces);
  drawing.alt += ".";
  top.label = "stages, in their order";
  within.label = "within them";
  for (PieceRow* row : {&top, &within, &layers}) {
    if (!row->pieces.empty()) drawing.rows.push_back(std::move(*row));
  }
  return drawing;
}

std::optional<Drawing> sizes_drawing(const Context& context, const Facts& sizes) {
  const Memory& memory = context.build.memory;
  using Bytes = std::optional<std::int64_t>;
  double whole = 0;
  for (const Bytes& bytes :
       {memory.weights_bytes, memory.activation_bytes, memory.device_persistent_bytes}) {
    whole += static_cast<double>(std::max<std::int64_t>(bytes.value_or(0), 0));
  }
  whole = std::max(whole, static_cast<double>(memory.host_persistent_bytes.value_or(0)));
  if (whole <= 0) return std::nullopt;
  const auto add = [&](PieceRow& row, const char* label, const Bytes& bytes, double from) {
    const auto fact = std::ranges::find(sizes.facts, label, &Fact::label);
    if (bytes.value_or(0) <= 0 || fact == sizes.facts.end()) return from;
    const double size = static_cast<double>(*bytes) / whole;
    row.pieces.push_back({label, fact->value, from, size, "sizes",
                          static_cast<std::size_t>(fact - sizes.facts.begin())});
    return from + size;
  };
  std::array<PieceRow, 3> rows{
      {{"on the GPU", {}}, {"of the activations", {}}, {"on the host", {}}}};
  const double weights_end = add(rows[0], "Weights", memory.weights_bytes, 0);
  const double end = add(rows[0], "Activations", memory.activation_bytes, weights_end);
  add(rows[0], "Persistent, device", memory.device_persistent_bytes, end);
  if (memory.scratch_bytes.value_or(0) <= memory.activation_bytes.value_or(0)) {
    add(rows[1], "Scratch", memory.scratch_bytes, weights_end);
  }
  add(rows[2], "Persistent, host", memory.host_persistent_bytes, 0);
  Drawing drawing;
  drawing.title = "What the engine holds while it runs";
  std::size_t pieces = 0;
  for (PieceRow& row : rows) {
    if (row.pieces.empty()) continue;
    drawing.alt += (drawing.alt.empty() ? "" : "; ") + row.label + ": " + listed(row.pieces);
    pieces += row.pieces.size();
    drawing.rows.push_back(std::move(row));
  }
  drawing.alt = sentence_start(drawing.alt) + ".";
  return pieces < 2 ? std::nullopt : std::optional(std::move(drawing));
}

std::vector<Drawing> step_drawings(const Context& context) {
  std::vector<Drawing> drawings;
  for (const bool managed : {false, true}) {
    if (auto drawing = steps_drawing(context, managed)) drawings.push_back(std::move(*drawing));
  }
  return drawings;
}

}  // namespace trtlens
