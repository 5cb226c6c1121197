// The stages from a Build to an Analysis, in their order: verdicts, ledgers, message rules,
// structural rules, ranks.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzers/analysis.h"
#include "analyzers/graph/graph.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/nearest_name.h"
#include "analyzers/precision/fallback.h"
#include "analyzers/precision/precision.h"
#include "analyzers/rules/advice.h"
#include "analyzers/rules/engine/message_rules.h"
#include "analyzers/rules/evidence_commands.h"
#include "analyzers/rules/failed_phase.h"
#include "analyzers/rules/rule.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

// Nobody wants this engine, fast or slow: its outputs are not what was asked for.
bool spoils_the_outputs(const Finding& finding) {
  return finding.rule == "int8-calib-file-missing-random-data" || finding.rule == "output-all-nan";
}

// Fatal first, in the order that the message rules gave them (root cause first); then spoilt
// outputs; then by severity; equally severe ones most costly first, where what it costs shows per
// query only that.
void rank(std::vector<Finding>& findings) {
  enum Group { kFatal, kSpoilt, kRest };
  const auto key = [](const Finding& f) {
    std::optional<double> cost_ms = f.stake_ms;
    if (!cost_ms && f.gain && f.gain->query) cost_ms = f.gain->query->high_ms;
    const Group group = f.severity == Severity::fatal ? kFatal
                        : spoils_the_outputs(f)       ? kSpoilt
                                                      : kRest;
    const double weighted = cost_ms.value_or(0) * weight_of(f.confidence);
    return std::make_tuple(group, -static_cast<int>(f.severity), -weighted);
  };
  std::ranges::stable_sort(findings, [&](const Finding& a, const Finding& b) {
    const auto ka = key(a);
    const auto kb = key(b);
    if (ka != kb) return ka < kb;
    if (std::get<0>(ka) == kFatal) return false;
    if (a.rule != b.rule) return a.rule < b.rule;
    return (a.layers.empty() ? SharedText() : a.layers[0]) <
           (b.layers.empty() ? SharedText() : b.layers[0]);
  });
}

// Whether every tensor at the border of the layer is of that type.
bool has_border_of(const Layer& layer, DataType type) {
  const auto is_of = [type](const Tensor& tensor) { return tensor.type == type; };
  return !layer.inputs.empty() && !layer.outputs.empty() &&
         std::ranges::all_of(layer.inputs, is_of) && std::ranges::all_of(layer.outputs, is_of);
}

// Unlike a region of the GPU, the DLA has two types to compute in: INT8 at the whole border, or
// FP16 where INT8 was not allowed, leave one.
void narrow_down_dla(const AllowedPrecision& allowed, const Layer& layer, LayerVerdict& verdict) {
  if (layer.layer_type != "DLA") return;
  verdict.evidence.emplace_back("DLA computes FP16 or INT8");
  const bool no_int8 =
      !allowed.labels.empty() && !allowed.strongly_typed && !allows(allowed, "INT8");
  if (has_border_of(layer, DataType::int8)) {
    verdict.compute = Precision::int8;
  } else if (no_int8 && has_border_of(layer, DataType::fp16)) {
    verdict.compute = Precision::fp16;
    verdict.evidence.emplace_back("INT8 was not allowed");
  }
  if (verdict.compute != Precision::unknown) verdict.confidence = Confidence::inferred;
}

// Evidence comes again and again (a tactic, a format): each text is kept once, up to a number of
// them that no engine needs.
void fill_verdicts(Analysis& analysis) {
  constexpr std::size_t kMaxTexts = 65536;
  std::unordered_map<std::string_view, SharedText> texts;
  analysis.verdicts.reserve(analysis.build.layers.size());
  for (const Layer& layer : analysis.build.layers) {
    LayerVerdict verdict = verdict_of(layer);
    narrow_down_dla(analysis.build.allowed, layer, verdict);
    for (SharedText& text : verdict.evidence) {
      const auto known = texts.find(text);
      if (known != texts.end()) {
        text = known->second;
      } else if (texts.size() < kMaxTexts) {
        texts.emplace(text, text);
      }
    }
    analysis.verdicts.push_back(std::move(verdict));
  }
}

void claim(const Finding& finding, const Graph& graph, std::set<std::size_t>& claimed) {
  for (const std::string& name : finding.layers) {
    const std::size_t i = graph.find(name);
    if (i != Graph::kNone) claimed.insert(i);
  }
}

void run_structural_rules(Analysis& analysis, const Graph& graph, const WidthReasons& reasons,
                          const RuleBase& base) {
  std::set<std::size_t> claimed, by_cause;
  for (const Pass pass : {Pass::cause, Pass::placement, Pass::symptom, Pass::rest, Pass::note}) {
    for (const Rule* rule : structural_rules()) {
      if (rule->pass != pass) continue;
      std::vector<Finding> found;
      const RuleInfo info = rule_info(rule->id, base);
      rule->check(RuleContext{analysis, graph, reasons, info, claimed, by_cause}, found);
      for (Finding& finding : found) {
        claim(finding, graph, claimed);
        analysis.findings.push_back(std::move(finding));
      }
    }
    if (pass == Pass::cause) by_cause = claimed;
  }
}

// Whether a layer computes in INT8, or a tensor between layers has it.
bool shows_int8(const Analysis& analysis) {
  const auto computes = [](const LayerVerdict& verdict) {
    return verdict.compute == Precision::int8;
  };
  const auto is_int8 = [](const Tensor& tensor) { return tensor.type == DataType::int8; };
  const auto has_tensor = [&](const Layer& layer) {
    return std::ranges::any_of(layer.inputs, is_int8) ||
           std::ranges::any_of(layer.outputs, is_int8);
  };
  const std::vector<Layer>& layers = analysis.build.layers;
  return std::ranges::any_of(analysis.verdicts, computes) ||
         std::ranges::any_of(layers, has_tensor);
}

// Scales that were made up do no harm where nothing uses them.
void say_that_int8_did_nothing(Finding& finding) {
  finding.severity = Severity::moderate;
  finding.title = "--int8 had no effect: no tensor between layers is INT8";
  finding.why =
      "The build had neither calibration nor Q/DQ, and no layer that shows its types uses INT8. It "
      "may cost time all the same: TensorRT 8.6 leaves some layers unfused where INT8 is allowed.";
  finding.remedies = {"If you want INT8, quantize the model with Q/DQ nodes (ModelOpt).",
                      "Otherwise build without --int8."};
  finding.next_check =
      "Build and time it without --int8, then compare: `trtlens compare BEFORE AFTER`.";
}

// A message says what was allowed; only the layers say what came of it.
void temper_messages(Analysis& analysis) {
  const bool layers_known = analysis.build.knows_layers();
  const bool nothing_wide = analysis.fallbacks && analysis.fallbacks->empty() && layers_known;
  for (Finding& finding : analysis.findings) {
    if (finding.rule == "int8-without-fp16") {
      if (nothing_wide) {
        finding.severity = Severity::info;
        finding.title = "FP16 was not allowed beside INT8, and nothing needed it";
      } else if (analysis.timed_layers == 0) {
        // Without times it is a hint beside what names tensors and layers.
        finding.severity = Severity::moderate;
      }
    } else if (finding.rule == "int8-no-calibrator-dummy-ranges" && layers_known &&
               !shows_int8(analysis)) {
      say_that_int8_did_nothing(finding);
    }
    // What would make a faster engine is second to having one.
    if (analysis.build.outcome == Outcome::failed && finding.severity == Severity::major) {
      finding.severity = Severity::minor;
    }
  }
}

// Without a closing line a fatal message rule decides; see report-json "outcome".
void settle_outcome(Analysis& analysis) {
  Build& build = analysis.build;
  if (build.closing_line || !build.has_log) return;
  const bool fatal = std::ranges::any_of(analysis.findings, [](const Finding& f) {
    return f.severity == Severity::fatal && f.rule != "build-truncated";
  });
  if (fatal) {
    build.outcome = Outcome::failed;
  } else if (build.outcome == Outcome::failed) {
    // Its errors end nothing, or nobody knows that they did. A command ends with a closing line.
    build.outcome = build.is_excerpt() ? Outcome::unknown : Outcome::truncated;
  } else if (build.engine_saved && build.outcome == Outcome::unknown) {
    build.outcome = Outcome::passed;
  }
}

bool has_whole_profile(const Build& build) {
  return build.layers_without_time == 0 && !build.profile_cut;
}

// As if nobody had profiled the engine.
void drop_times(Build& build) {
  for (Layer& layer : build.layers) {
    layer.time.reset();
    layer.found_in &= ~kFoundInProfile;
  }
  build.has_profile = false;
  build.profile_sum_ms = build.unattributed_ms = 0;
  build.profile_iterations.reset();
}

}  // namespace

const char* to_string(Severity severity) {
  return name_of<Severity::fatal>(severity, {"info", "minor", "moderate", "major", "fatal"});
}

const char* to_string(Confidence confidence) {
  return name_of<Confidence::measured>(confidence, {"guessed", "inferred", "measured"});
}

double weight_of(Confidence confidence) {
  static constexpr std::array kWeights = {0.4, 0.7, 1.0};
  return kWeights.at(static_cast<std::size_t>(confidence));
}

const char* to_string(Precision precision) {
  return name_of<Precision::mixed>(
      precision, {"none", "unknown", "FP32", "TF32", "FP16", "BF16", "FP8", "INT8", "INT4", "FP4",
                  "INT32", "INT64", "BOOL", "mixed"});
}

const char* to_string(LayerRole role) {
  return name_of<LayerRole::none>(
      role, {"convolution", "deconvolution", "gemm", "attention", "pooling", "pointwise",
             "reduction", "softmax", "normalisation", "resize", "shuffle", "plugin", "region",
             "other", "reformat", "quantize", "dequantize", "none"});
}

bool is_ignored(const Finding& finding, const std::vector<std::string>& ignore) {
  return std::ranges::any_of(ignore, [&](const std::string& item) {
    const std::size_t colon = item.find(':');
    if (item.substr(0, colon) != finding.rule) return false;
    if (colon == std::string::npos) return true;
    const RE2 pattern(item.substr(colon + 1), RE2::Quiet);
    return pattern.ok() && std::ranges::any_of(finding.layers, [&](const std::string& layer) {
             return RE2::PartialMatch(layer, pattern);
           });
  });
}

std::uint64_t unknown_lines(const Analysis& a) {
  const Coverage& coverage = a.reading->coverage;
  return coverage.of(LineClass::unknown) + coverage.of(LineClass::malformed);
}

bool is_of_another_program(const Analysis& a) {
  const bool has_results =
      a.build.has_layer_info || a.build.has_profile || !a.build.queries.empty();
  return a.reading->coverage.lines() > 0 && !a.build.has_log && !has_results &&
         unknown_lines(a) == 0;
}

std::string ignore_problem(const std::string& item, const RuleBase* base) {
  const std::size_t colon = item.find(':');
  const std::string rule = item.substr(0, colon);
  const std::vector<std::string> ids = all_rule_ids(base == nullptr ? RuleBase() : *base);
  if (std::ranges::find(ids, rule) == ids.end()) {
    return "no rule '" + rule + "'" + did_you_mean(rule, ids);
  }
  if (colon == std::string::npos) return {};
  const RE2 pattern(item.substr(colon + 1), RE2::Quiet);
  return pattern.ok() ? std::string() : "bad regular expression: " + pattern.error();
}

Analysis analyze(Build build, std::string name, std::shared_ptr<const Reading> reading,
                 const AnalyzeOptions& options) {
  Analysis analysis;
  analysis.build = std::move(build);
  analysis.name = std::move(name);
  analysis.reading = std::move(reading);
  if (options.whole_profiles && !has_whole_profile(analysis.build)) drop_times(analysis.build);
  fill_verdicts(analysis);
  const Graph graph(analysis.build, analysis.verdicts);
  const WidthReasons reasons(analysis, graph);
  fill_totals(analysis);
  fill_fallbacks(analysis, graph, reasons);
  fill_missing_scales(analysis, graph);
  fill_reformats(analysis, graph, reasons);
  fill_account(analysis, graph, reasons);
  fill_races(analysis);
  fill_samples(analysis);
  fill_build_time(analysis);
  fill_memory(analysis);
  fill_reconciliation(analysis);
  fill_modules(analysis);
  fill_onnx_times(analysis);
  fill_roofline(analysis);
  fill_placement(analysis);
  analysis.labels = SharedLabels(analysis.build);
  static const RuleBase own;
  const RuleBase& base = options.rules ? *options.rules : own;
  analysis.findings = match_message_rules(analysis.build, analysis.reading->inputs,
                                          base.messages ? *base.messages : embedded_message_rules(),
                                          analysis.reading->runs);
  settle_outcome(analysis);
  temper_messages(analysis);
  run_structural_rules(analysis, graph, reasons, base);
  fill_query_gains(analysis);
  std::vector<Finding>& findings = analysis.findings;
  std::erase_if(findings, [&](const Finding& f) { return is_ignored(f, options.ignore); });
  for (Finding& finding : findings) {
    fit_to_command(finding, analysis.build);
    if (analysis.build.tensorrt) fit_to_version(finding, *analysis.build.tensorrt);
  }
  fit_to_program(findings, analysis.build);
  rank(findings);
  name_places({&analysis}, findings);
  fill_ladder(analysis, graph);
  const bool is_known = !findings.empty() && findings.front().severity == Severity::fatal &&
                        !findings.front().evidence.empty();
  analysis.failed_phase =
      is_known ? failed_phase(analysis.build, findings.front().evidence.front().text.str(),
                              findings.front().cause)
               : failed_phase(analysis.build, "");
  return analysis;
}

Analysis outline_of(Analysis whole) {
  Build build;
  build.tensorrt = whole.build.tensorrt;
  build.producer = std::move(whole.build.producer);
  build.outcome = whole.build.outcome;
  build.gpu = std::move(whole.build.gpu);
  build.runs = std::move(whole.build.runs);
  build.has_profile = whole.build.has_profile;
  build.profile_sum_ms = whole.build.profile_sum_ms;
  build.performance = std::move(whole.build.performance);
  Analysis outline;
  outline.name = std::move(whole.name);
  outline.build = std::move(build);
  outline.reading = std::move(whole.reading);
  outline.build_number = whole.build_number;
  outline.failed_phase = whole.failed_phase;
  outline.by_precision = std::move(whole.by_precision);
  outline.compute_samples = whole.compute_samples;
  outline.findings = std::move(whole.findings);
  return outline;
}

std::vector<Analysis> analyze_all(ParseResult parsed, const AnalyzeOptions& options) {
  std::vector<Build> builds = std::move(parsed.builds);
  std::vector<std::string> names = std::move(parsed.build_names);
  const int first = parsed.first_build;
  const auto reading = std::make_shared<const Reading>(std::move(static_cast<Reading&>(parsed)));
  if (builds.empty()) {
    builds.emplace_back();
    names.push_back(reading->inputs.empty() ? std::string() : reading->inputs[0].path);
  }
  std::vector<Analysis> all;
  all.reserve(builds.size());
  for (std::size_t i = 0; i < builds.size(); ++i) {
    all.push_back(analyze(std::move(builds[i]), names[i], reading, options));
  }
  all.front().other_builds.assign(names.begin() + 1, names.end());
  all.front().build_number = first;
  for (std::size_t i = 1; i < all.size(); ++i) all[i].build_number = number_of_other(i - 1, first);
  return all;
}

Analysis analyze(ParseResult parsed, const AnalyzeOptions& options) {
  return std::move(analyze_all(std::move(parsed), options).front());
}

}  // namespace trtlens
