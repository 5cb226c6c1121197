// The first screen: what a reader needs before anything else.
#include "report/document/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "analyzers/compare/comparison.h"
#include "analyzers/labels.h"
#include "report/document/parts.h"

namespace trtlens {
namespace {

constexpr std::size_t kHottest = 5;

std::string first_segments(const std::string& module, std::size_t n) {
  std::size_t end = 0;
  for (; n > 0 && end != std::string::npos; --n) end = module.find('.', end == 0 ? 0 : end + 1);
  return module.substr(0, end);
}

// The least depth at which no module holds most of the layers, so that a network inside one module
// shows its parts; 1 where there is none.
std::size_t depth_of(const Words& modules) {
  constexpr std::size_t kDeepest = 4;
  for (std::size_t depth = 1; depth < kDeepest; ++depth) {
    std::map<std::string, std::size_t> layers;
    std::size_t all = 0, most = 0;
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const std::string& module = modules[i];
      if (module.empty()) continue;
      ++all;
      most = std::max(most, ++layers[first_segments(module, depth)]);
    }
    if (2 * most <= all) return depth;
  }
  return 1;
}

void add_time(const std::string& name, double ms,
              std::vector<std::pair<std::string, double>>& times) {
  const auto known = std::ranges::find(times, name, &std::pair<std::string, double>::first);
  if (known == times.end()) {
    times.emplace_back(name, ms);
  } else {
    known->second += ms;
  }
}

std::vector<KindShare> shares_of(const std::vector<std::pair<std::string, double>>& times) {
  double whole_ms = 0;
  for (const auto& [kind, ms] : times) whole_ms += ms;
  std::vector<KindShare> kinds;
  kinds.reserve(times.size());
  for (const auto& [kind, ms] : times) kinds.push_back({kind, ms / whole_ms});
  std::ranges::stable_sort(kinds, std::ranges::greater(), &KindShare::share);
  return kinds;
}

std::string with_share(const Context& context, const std::optional<double>& ms) {
  if (!ms) return "time unknown";
  const std::optional<double> share = context.share_of(ms);
  return ms_text(*ms) + (share ? fmt::format(" ({})", share_text(*share)) : "");
}

// Of the time, or where there is none of the layers.
double unknown_part(const Tile& precision) {
  const auto found = std::ranges::find(precision.parts, "unknown", &Part::label);
  return found == precision.parts.end() ? 0 : found->share;
}

// The slowest first.
std::string named(const Context& context, const std::vector<Fallback>& fallbacks) {
  constexpr std::size_t kNamed = 2;
  std::vector<std::size_t> layers;
  layers.reserve(fallbacks.size());
  for (const Fallback& fallback : fallbacks) layers.push_back(fallback.layer);
  std::ranges::stable_sort(layers, std::ranges::greater(), [&](std::size_t i) {
    return layer_ms(context.build.layers[i]).value_or(-1);
  });
  std::vector<std::string> labels;
  labels.reserve(layers.size());
  for (const std::size_t i : layers) labels.push_back(label_of(context.analysis, i));
  return join_some(labels, kNamed);
}

bool is_wide(std::string_view label) {
  return label == "FP32" || label == "TF32";
}

bool allowed_wide_only(const AllowedPrecision& allowed) {
  return !allowed.labels.empty() && std::ranges::all_of(allowed.labels, is_wide);
}

// "2 other layers run in FP32, 0.0119 ms (2.3 %)": softmax, pooling; "" where none do.
std::string other_wide_layers(const Context& context, const std::vector<Fallback>& fallbacks) {
  std::string text;
  for (ShareRow row : context.analysis.by_precision) {
    if (!is_wide(row.label)) continue;
    for (const Fallback& fallback : fallbacks) {
      if (to_string(context.verdict(fallback.layer).compute) != row.label) continue;
      const std::optional<double> ms = layer_ms(context.build.layers[fallback.layer]);
      --row.layers;
      row.timed -= ms ? 1 : 0;
      row.time_ms -= ms.value_or(0);
    }
    if (row.layers == 0) continue;
    text += fmt::format("{}{} in {}", text.empty() ? "" : ", ",
                        count_text(row.layers, "other layer runs", "other layers run"), row.label);
    if (row.timed > 0) text += ", " + with_share(context, row.time_ms);
  }
  return text;
}

// "3 convolutions and GEMMs", "3 layers" where attention is among them.
std::string fallbacks_text(const Context& context, const std::vector<Fallback>& fallbacks) {
  const bool are_usual = std::ranges::all_of(fallbacks, [&](const Fallback& fallback) {
    const LayerRole role = context.verdict(fallback.layer).role;
    return role == LayerRole::convolution || role == LayerRole::gemm;
  });
  return are_usual ? count_text(fallbacks.size(), "convolution or GEMM", "convolutions and GEMMs")
                   : count_text(fallbacks.size(), "layer");
}

// What falls back is arithmetic that has narrower kernels: softmax in FP32 does not.
std::string fallback_line(const Context& context, const Tile& precision) {
  const auto& fallbacks = context.analysis.fallbacks;
  if (context.build.layers.empty()) {
    const bool has_passed = context.build.outcome == Outcome::passed;
    return has_passed ? "unknown: no layers in these inputs" : "";
  }
  if (!fallbacks) return "cannot be told: what the build allowed is not known";
  if (fallbacks->empty()) {
    const double dark = unknown_part(precision);
    if (context.build.allowed.strongly_typed) return "none: the network is strongly typed";
    if (allowed_wide_only(context.build.allowed)) return "none: the build allowed FP32 only";
    const std::string others = other_wide_layers(context, {});
    if (dark < kMuchUnknown) {
      return others.empty() ? "none" : "no convolution or GEMM; " + others;
    }
    return "none seen; the precision of " + share_text(dark) + " of the " +
           (context.profile_ms > 0 ? "time" : "layers") + " is unknown";
  }
  const std::string others = other_wide_layers(context, *fallbacks);
  return fallbacks_text(context, *fallbacks) + " in FP32 or TF32, " +
         with_share(context, fallback_ms(context.analysis)) +
         ", conversions not counted: " + named(context, *fallbacks) +
         (others.empty() ? "" : "; " + others);
}

// Why there is no tensor that lacks a scale.
std::string no_scale_line(const Context& context) {
  const auto dummy = std::ranges::find_if(context.findings, [](const Finding* finding) {
    return finding->rule == "int8-no-calibrator-dummy-ranges";
  });
  if (!tells_its_build(context.build)) return "cannot be told without the log of the build";
  if (dummy != context.findings.end()) {
    return (*dummy)->severity == Severity::major
               ? "made up by TensorRT: --int8 without calibration or Q/DQ"
               : "none used: no tensor is INT8";
  }
  const AllowedPrecision& allowed = context.build.allowed;
  const bool quantizes = allowed.labels.empty() || allows(allowed, "INT8") ||
                         allows(allowed, "FP8") || allows(allowed, "FP4");
  return quantizes ? "none missing" : "none needed: the build allowed no INT8 or FP8";
}

// Those at which most time lies, by short names.
std::string named(std::vector<const MissingScaleCost*> scales) {
  constexpr std::size_t kNamed = 2;
  std::ranges::stable_sort(scales, std::ranges::greater(), [](const MissingScaleCost* scale) {
    return scale->time_ms.value_or(-1);
  });
  std::vector<std::string> labels;
  labels.reserve(scales.size());
  for (const MissingScaleCost* scale : scales) labels.push_back(name_label(scale->tensor));
  return join_some(labels, kNamed);
}

std::string scale_line(const Context& context) {
  const std::vector<MissingScaleCost>& scales = context.analysis.missing_scales;
  const bool has_passed = context.build.outcome == Outcome::passed;
  if (context.build.layers.empty() && scales.empty() && !has_passed) return "";
  if (scales.empty()) return no_scale_line(context);
  std::vector<const MissingScaleCost*> matter, unknown;
  std::set<std::size_t> layers;  // several tensors may have one
  for (const MissingScaleCost& scale : scales) {
    if (!scale.matters) unknown.push_back(&scale);
    if (!scale.matters.value_or(false)) continue;
    matter.push_back(&scale);
    for (const std::size_t i : scale.layers) {
      const Precision compute = context.verdict(i).compute;
      const bool stayed = compute == Precision::int8 || compute == Precision::none;
      if (!stayed) layers.insert(i);
    }
    layers.insert(scale.reformats.begin(), scale.reformats.end());
  }
  double ms = 0;
  for (const std::size_t i : layers) {
    if (i < context.build.layers.size()) ms += layer_ms(context.build.layers[i]).value_or(0);
  }
  std::string text =
      count_text(scales.size(), "tensor", "tensors") + (scales.size() == 1 ? " has" : " have");
  text += " none";
  if (!unknown.empty()) {
    return text + "; whether they matter is not known without the layers: " + named(unknown);
  }
  if (matter.empty()) return text + "; they cost nothing";
  text += fmt::format(", {} of which {}", matter.size(), matter.size() == 1 ? "matters" : "matter");
  return text + (ms > 0 ? ", " + with_share(context, ms) : "") + ": " + named(matter);
}

// With a profile the kinds of work of the strip, else the precisions of the layers.
std::string precision_line(const Tile& tile, const std::vector<KindShare>& kinds) {
  std::vector<std::string> parts;
  if (kinds.empty()) {
    for (const Part& part : tile.parts) parts.push_back(part.name + " " + part.text);
    return parts.empty() ? "" : join(parts, ", ") + " of the layers";
  }
  for (const KindShare& one : kinds) {
    parts.push_back(one.kind + " " + share_text(one.share));
  }
  return join(parts, ", ") + " of the profile";
}

constexpr double kLeastRest = 0.01;  // of all layers, which is said

// "(INT8 23 %, reformat 19 %)": what the layers of no module do.
std::string kinds_outside(const std::vector<StripPart>& strip, double whole_ms) {
  constexpr std::size_t kShownKinds = 3;
  std::vector<StripPart> outside;
  std::ranges::copy_if(strip, std::back_inserter(outside),
                       [](const StripPart& part) { return part.module.empty(); });
  const double outside_ms = sum_ms(outside);
  std::vector<std::string> said;
  for (const KindShare& one : kinds_of(outside)) {
    const double share = one.share * outside_ms / whole_ms;
    if (share >= kLeastRest && said.size() < kShownKinds) {
      said.push_back(one.kind + " " + share_text(share));
    }
  }
  return said.empty() ? "" : "(" + join(said, ", ") + ")";
}

void add_modules(const std::vector<StripPart>& strip, Screen& screen) {
  constexpr std::size_t kShown = 6;
  std::vector<std::pair<std::string, double>> all;
  double outside_ms = 0;
  for (const StripPart& part : strip) {
    if (part.module.empty()) {
      outside_ms += part.ms;
    } else {
      add_time(part.module, part.ms, all);
    }
  }
  if (all.size() < 2) return;
  std::vector<double> times;
  times.reserve(all.size());
  for (const auto& [module, ms] : all) times.push_back(ms);
  std::ranges::sort(times, std::greater());
  const double least_ms = times.at(std::min(kShown, times.size()) - 1);
  const double whole_ms = sum_ms(strip);
  std::vector<std::string> shown;
  double rest_ms = whole_ms - outside_ms;
  for (const auto& [module, ms] : all) {
    if (ms < least_ms || shown.size() == kShown) continue;
    rest_ms -= ms;
    shown.push_back(module + " " + share_text(ms / whole_ms));
  }
  if (rest_ms >= kLeastRest * whole_ms) {
    shown.push_back("other modules " + share_text(rest_ms / whole_ms));
  }
  if (outside_ms >= kLeastRest * whole_ms) {
    shown.push_back("outside modules " + share_text(outside_ms / whole_ms));
    screen.outside_modules = kinds_outside(strip, whole_ms);
  }
  screen.modules = join(shown, ", ");
}

std::string roof_of(const Context& context, std::size_t layer) {
  for (const LayerRoof& roof : context.analysis.roofline.layers) {
    if (roof.layer == layer && roof.efficiency > 0) return share_text(roof.efficiency);
  }
  return "";
}

// "conv1 -> reformat, FP32 → FP16"
std::string hottest_label(const Context& context, std::size_t layer) {
  const Layer& of = context.build.layers[layer];
  if (context.verdict(layer).role != LayerRole::reformat) return label_of(context.analysis, layer);
  if (of.inputs.empty() || of.outputs.empty()) return label_of(context.analysis, layer);
  const DataType from = of.inputs[0].type, to = of.outputs[0].type;
  if (from == DataType::unknown || to == DataType::unknown)
    return label_of(context.analysis, layer);
  const std::string types = std::string(to_string(from)) + " → " + to_string(to);
  return label_of(context.analysis, layer) + ", " + (from == to ? "layout only" : types);
}

void add_hottest(const Context& context, Screen& screen) {
  const std::size_t most = context.top > 0 ? std::min(kHottest, context.top) : kHottest;
  std::vector<std::size_t> hottest;
  for (const std::size_t i : context.by_time) {
    const std::optional<double> ms = layer_ms(context.build.layers[i]);
    if (!ms) break;
    if (*ms > 0 && hottest.size() < most) {
      hottest.push_back(i);
    } else {
      ++screen.more_layers;
      screen.more_ms += *ms;
    }
  }
  for (const std::size_t i : hottest) {
    const double ms = *layer_ms(context.build.layers[i]);
    screen.hottest.push_back({i, hottest_label(context, i), ms, context.share_of(ms).value_or(0),
                              kind_of(context, i), roof_of(context, i)});
  }
}

// Of a log that holds several: "run 2 of 2 in this log (1 failed, 1 passed; --run N)".
std::string runs_text(const Context& context) {
  const std::vector<Run>& runs = context.analysis.reading->runs;
  const std::vector<int>& own = context.build.runs;
  const auto is_own = [&own](const Run& run) { return std::ranges::find(own, run.n) != own.end(); };
  const auto last = std::find_if(runs.rbegin(), runs.rend(), is_own);
  if (last == runs.rend()) return "";
  int before = 0, all = 0, kept = 0;  // runs of the logs in front of this one, and of this one
  std::map<std::string, int> outcomes;
  for (const Run& run : runs) {
    if (run.file != last->file) {
      if (kept == 0) before = run.n;
      continue;
    }
    all = run.n - before;
    ++kept;
    ++outcomes[to_string(run.outcome)];
  }
  if (all < 2) return "";
  std::vector<std::string> counts;
  counts.reserve(outcomes.size());
  for (const auto& [outcome, count] : outcomes)
    counts.push_back(fmt::format("{} {}", count, outcome));
  if (kept < all) counts.push_back(fmt::format("{} not kept", all - kept));
  return fmt::format("run {} of {} in this log ({}; --run N)", last->n - before, all,
                     join(counts, ", "));
}

// Of the latency that stands above, where it is much of it: computing faster wins nothing there.
std::string copies_text(const Context& context) {
  constexpr double kMuchCopied = 0.2;
  const Performance& performance = context.build.performance;
  const auto median = [](const std::optional<LatencyStats>& stats,
                         const std::optional<SampleStats>& samples) {
    if (stats && stats->median_ms) return *stats->median_ms;
    return samples ? samples->median_ms : 0;
  };
  const Analysis& a = context.analysis;
  const double copies_ms =
      median(performance.h2d, a.h2d_samples) + median(performance.d2h, a.d2h_samples);
  const double latency_ms = median(performance.latency, a.latency_samples);
  if (latency_ms <= 0 || copies_ms < kMuchCopied * latency_ms) return "";
  return "H2D and D2H " + share_text(copies_ms / latency_ms) + " of the latency";
}

std::vector<std::string> also_of(const Context& context) {
  std::vector<std::string> also;
  if (const std::string runs = runs_text(context); !runs.empty()) also.push_back(runs);
  const Build& build = context.build;
  if (build.engine_build_s) also.push_back("build " + seconds_text(*build.engine_build_s));
  if (build.memory.engine_bytes) {
    also.push_back("engine " + bytes_text(*build.memory.engine_bytes));
  }
  if (context.analysis.memory.device_bytes) {
    also.push_back("GPU memory " + bytes_text(*context.analysis.memory.device_bytes));
  } else if (build.memory.activation_bytes) {
    also.push_back("activations " + bytes_text(*build.memory.activation_bytes));
  }
  if (const std::string copies = copies_text(context); !copies.empty()) also.push_back(copies);
  return also;
}

}  // namespace

double sum_ms(const std::vector<StripPart>& strip) {
  double sum = 0;
  for (const StripPart& part : strip) sum += part.ms;
  return sum;
}

std::vector<StripPart> drawn_parts(const std::vector<StripPart>& strip, double whole_ms) {
  constexpr std::size_t kDrawnParts = 600;
  std::vector<StripPart> drawn;
  double longest_ms = 0;
  for (const StripPart& part : strip) {
    const bool joins = strip.size() > kDrawnParts && !drawn.empty() &&
                       drawn.back().ms < whole_ms / double{kDrawnParts};
    if (!joins) {
      drawn.push_back(part);
      longest_ms = part.ms;
      continue;
    }
    drawn.back().ms += part.ms;
    if (part.ms <= longest_ms) continue;
    longest_ms = part.ms;
    drawn.back().kind = part.kind;
  }
  return drawn;
}

std::vector<KindShare> kinds_of(const Context& context) {
  std::vector<std::pair<std::string, double>> times;
  for (std::size_t i = 0; i < context.build.layers.size(); ++i) {
    const double ms = layer_ms(context.build.layers[i]).value_or(0);
    if (ms > 0) add_time(kind_of(context, i), ms, times);
  }
  return shares_of(times);
}

std::vector<KindShare> kinds_of(const std::vector<StripPart>& strip) {
  std::vector<std::pair<std::string, double>> times;
  for (const StripPart& part : strip) add_time(part.kind, part.ms, times);
  return shares_of(times);
}

// Layers too short to be seen are one part with their neighbours, of the longest one's kind.
std::vector<StripPart> strip_of(const Context& context) {
  constexpr std::size_t kMostParts = 2000;
  const Words modules = modules_of(context);
  const std::size_t depth = depth_of(modules);
  std::vector<StripPart> strip;
  double longest_ms = 0;
  for (std::size_t i = 0; i < context.build.layers.size(); ++i) {
    const Layer& layer = context.build.layers[i];
    const std::optional<double> ms = layer_ms(layer);
    if (!ms || *ms <= 0) continue;
    const bool joins = !strip.empty() && context.build.layers.size() > kMostParts &&
                       strip.back().ms < context.profile_ms / double{kMostParts};
    if (!joins) {
      strip.emplace_back();
      longest_ms = 0;
    }
    strip.back().ms += *ms;
    if (*ms <= longest_ms) continue;
    longest_ms = *ms;
    strip.back().kind = kind_of(context, i);
    strip.back().module = first_segments(modules[i], depth);
  }
  return strip;
}

Screen screen_of(const Context& context, const Document& document) {
  Screen screen;
  const Tile& speed = document.tiles.at(0);
  if (speed.value != "unknown") screen.speed = speed.value + " " + speed.unit;
  screen.more_speed = speed.lines;
  screen.strip = strip_of(context);
  screen.kinds = kinds_of(context);
  screen.precision = precision_line(document.tiles.at(1), screen.kinds);
  add_modules(screen.strip, screen);
  screen.fallbacks = fallback_line(context, document.tiles.at(1));
  screen.scales = scale_line(context);
  add_hottest(context, screen);
  screen.ladder = ladder_bars(context);
  screen.roof = ladder_roof_text(context);
  screen.ladder_is_query = context.gpu_compute_ms.has_value();
  screen.verdict = document.verdict;
  const std::string counts = severity_counts(context.findings, false);
  if (document.verdict_tone != Tone::fatal && !counts.empty()) screen.verdict += ", " + counts;
  screen.verdict_tone = document.verdict_tone;
  screen.is_pasted = context.is_pasted || is_of_another_program(context.analysis);
  screen.cause_first =
      document.verdict_tone == Tone::fatal || (screen.speed.empty() && !context.findings.empty() &&
                                               context.findings.front() == ending_finding(context));
  for (const Finding* finding : context.findings) {
    const Tone tone = tone_of(finding->severity);
    if (tone >= Tone::moderate) screen.verdict_tone = std::max(screen.verdict_tone, tone);
  }
  screen.also = also_of(context);
  screen.builds = context.analysis.other_builds.size() + 1;
  std::set<std::string> note_rules;
  for (const Finding* finding : context.findings) {
    if (!context.is_note(*finding)) {
      ++screen.findings;
      continue;
    }
    if (note_rules.insert(finding->rule).second) screen.notes.push_back(finding->title);
  }
  return screen;
}

}  // namespace trtlens
