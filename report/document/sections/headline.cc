// The first screen: how fast, which precision, what is wrong, what to do first.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzers/labels.h"
#include "analyzers/rules/evidence_commands.h"
#include "report/document/parts.h"
#include "report/document/paths.h"
#include "report/formats/escape.h"

namespace trtlens {
namespace {

std::string gpu_text(const Gpu& gpu) {
  std::string text = gpu.name.empty() ? "GPU of unknown name" : gpu.name;
  if (!gpu.compute_capability.empty()) text += fmt::format(" (SM {})", gpu.compute_capability);
  return text;
}

std::vector<std::string> identity_of(const Context& context) {
  const Build& build = context.build;
  std::vector<std::string> out;
  std::string version = build.tensorrt ? "TensorRT " + build.tensorrt->text() : "TensorRT unknown";
  if (build.tensorrt && build.tensorrt->source == VersionSource::guessed) version += " (guessed)";
  out.push_back(std::move(version));
  out.push_back(build.gpu ? gpu_text(*build.gpu) : "GPU unknown");
  if (build.producer != "unknown" && build.producer != "trtexec") out.push_back(build.producer);
  if (!build.command.empty()) out.push_back(build.command);
  return out;
}

// Which build this is: its directory or its first file.
std::string title_of(const Analysis& analysis) {
  if (analysis.name.empty()) return "no input";
  return input_text(short_name(analysis));
}

std::string allowed_label(const AllowedPrecision& allowed) {
  if (allowed.strongly_typed) return "Strongly typed: the network fixes the types";
  if (allowed.labels.empty()) return "What the build allowed is not known";
  return "Allowed: " + join(allowed.labels, ", ") + (allowed.no_tf32 ? " (no TF32)" : "");
}

// Time shares where there is a profile, else shares of the number of layers.
std::vector<Part> precision_parts(const Context& context) {
  std::vector<ShareRow> rows = context.analysis.by_precision;
  std::uint32_t layers = 0;
  for (const ShareRow& row : rows) layers += row.layers;
  const bool timed = context.profile_ms > 0;
  std::vector<Part> parts;
  for (ShareRow& row : rows) {
    if (!timed) row.share = layers == 0 ? 0.0 : static_cast<double>(row.layers) / layers;
    if (row.share <= 0) continue;
    parts.push_back({row.label, row.label == "none" ? "no arithmetic" : row.label,
                     share_text(row.share), row.share});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.share > b.share; });
  return parts;
}

double unknown_share(const Context& context) {
  for (const ShareRow& row : context.analysis.by_precision) {
    if (row.label == "unknown") return row.share;
  }
  return 0;
}

// Which command would say what these inputs do not.
std::string lacking_sentence(const Context& context) {
  if (context.build.outcome == Outcome::failed) return "";
  if (!context.build.knows_layers()) {
    const std::vector<std::string> flags = missing_layer_flags(context.build);
    if (flags.empty()) return "";
    if (context.build.commands.empty()) return "To know it, run trtexec with " + join(flags, " ");
    return "To know it, add to the trtexec command: " + join(flags, " ");
  }
  const bool has_region =
      std::any_of(context.analysis.verdicts.begin(), context.analysis.verdicts.end(),
                  [](const LayerVerdict& verdict) { return verdict.role == LayerRole::region; });
  if (!has_region || unknown_share(context) < kMuchUnknown) return "";
  return "No file of trtexec shows the inside of its Myelin regions: `nsys profile trtexec "
         "--loadEngine=ENGINE` names the kernels";
}

using Findings = std::vector<const Finding*>;

// The first of the most severe; where the GPU waits for launches no other one can show its gain.
Findings::const_iterator worst_of(const Findings& findings) {
  const auto key = [](const Finding* finding) {
    return std::make_pair(finding->severity, says_launch_bound(*finding));
  };
  return std::max_element(findings.begin(), findings.end(),
                          [&](const Finding* a, const Finding* b) { return key(a) < key(b); });
}

// "Finding 3", as the report numbers it: notes have no number.
std::string number_text_of(const Findings& findings, Findings::const_iterator finding) {
  const auto is_numbered = [](const Finding* f) { return f->severity != Severity::info; };
  return fmt::format("Finding {}", 1 + std::count_if(findings.begin(), finding, is_numbered));
}

// An engine came of it, but TensorRT's errors are more than a footnote to it: which they are is a
// finding without a stake, and so far down.
std::string errors_sentence(const Context& context, Findings::const_iterator shown) {
  const Build& build = context.build;
  if (build.outcome != Outcome::passed) return "";
  const Findings& findings = context.findings;
  std::uint64_t count = 0;
  auto of_first = findings.end();
  std::string place;
  for (const Message& message : build.messages) {
    if (message.severity < LogSeverity::error || !message.of_tensorrt) continue;
    count += message.count;
    const std::string at = context.place(message.pos);
    const auto quotes = [&](const Finding* finding) {
      const std::vector<Evidence>& evidence = finding->evidence;
      return std::any_of(evidence.begin(), evidence.end(),
                         [&](const Evidence& e) { return e.line > 0 && place_of(e) == at; });
    };
    if (place.empty()) place = at;
    if (of_first == findings.end())
      of_first = std::find_if(findings.begin(), findings.end(), quotes);
  }
  if (count == 0 || (of_first != findings.end() && of_first == shown)) return "";
  const bool is_numbered = of_first != findings.end() && (*of_first)->severity != Severity::info;
  return fmt::format("It passed, but TensorRT logged {}: {}", count_text(count, "error", "errors"),
                     is_numbered ? number_text_of(findings, of_first) : "first at " + place);
}

std::vector<std::string> nan_outputs(const Build& build) {
  std::vector<std::string> names;
  for (const OutputValues& output : build.outputs) {
    if (output.all_nan()) names.push_back(output.tensor.name);
  }
  return names;
}

// Whether trtlens was asked to end while the build went on.
bool is_under_way(const Context& context) {
  return context.analysis.build_time.progress && interrupted_input(context.analysis) != nullptr;
}

// " The build was timing tactics of conv1, layer 3 of at most 34. Longest so far: maxpool 12 s."
std::string progress_sentence(const Context& context) {
  const BuildTime& time = context.analysis.build_time;
  if (!time.progress) return "";
  const BuildProgress& progress = *time.progress;
  std::string text = " The build had not ended: " + progress.stage;
  if (!progress.layer.empty()) text += " of " + name_label(progress.layer);
  if (progress.layers_done) text += fmt::format(", layer {}", *progress.layers_done);
  if (progress.layers_done && progress.layers) {
    text += fmt::format(" of at most {}", *progress.layers);
  }
  text += ".";
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> longest;
  for (const LayerTuning& layer : time.layers) {
    if (longest.size() == kNamed || layer.s.value_or(0) < 1) break;
    longest.push_back(fmt::format("{} {:.0f} s", name_label(layer.layer), *layer.s));
  }
  if (!longest.empty()) text += " Longest so far: " + join(longest, ", ") + ".";
  return text;
}

Tile problem_tile(const Context& context) {
  const double dark = unknown_share(context);
  Tile tile;
  tile.label = "What is wrong";
  const Findings& findings = context.findings;
  const auto found = worst_of(findings);
  const bool any = found != findings.end() && !context.is_note(**found);
  if (any) {
    const Finding& worst = **found;
    tile.value = worst.title;
    tile.tone = tone_of(worst.severity);
    if (worst.severity != Severity::info) tile.unit = sentence_start(to_string(worst.severity));
    if (found != findings.begin() && worst.severity != Severity::info) {
      tile.unit = number_text_of(findings, found) + ", " + to_string(worst.severity);
    }
    const std::optional<double> share = context.share_of(worst.stake_ms);
    if (worst.stake_ms) {
      tile.unit += (tile.unit.empty() ? "" : ", ") + ms_text(*worst.stake_ms) + " at stake";
      if (share) tile.unit += fmt::format(" ({} of profile time)", share_text(*share));
    }
  } else if (const auto nan = nan_outputs(context.build); !nan.empty()) {
    tile.value = "Every value of the output " + join_some(nan, 2) + " is NaN";
    tile.tone = Tone::major;
  } else if (context.build.outcome == Outcome::failed) {
    tile.value = "The run failed and no rule explains it";
    tile.tone = Tone::fatal;
  } else if (is_under_way(context)) {
    tile.value = "No problem in the messages so far";
  } else if (is_of_another_program(context.analysis)) {
    tile.value = "No message of TensorRT or trtexec was found in " +
                 count_text(context.analysis.reading->coverage.lines(), "line");
  } else if (!context.build.has_log && unknown_lines(context.analysis) > 0) {
    tile.value = "TensorRT wrote " + count_text(unknown_lines(context.analysis), "line") +
                 " here, of no known kind";
  } else if (context.is_pasted && context.accepted == 0) {
    tile.value = "No known problem in this excerpt";
  } else {
    tile.value = context.accepted == 0 ? "No performance problem found"
                                       : "Nothing new; accepted by the baseline: " +
                                             count_text(context.accepted, "finding", "findings");
    tile.tone = context.profile_ms > 0 && dark < kMuchUnknown ? Tone::good : Tone::plain;
    if (context.profile_ms <= 0) {
      tile.unit = "but there is no layer profile to judge by";
    } else if (dark >= kMuchUnknown) {
      tile.unit = "but " + share_text(dark) +
                  " of the time is in layers whose arithmetic the inputs do not tell";
    }
  }
  if (any && context.profile_ms > 0 && dark >= kMuchUnknown) {
    tile.lines.push_back(share_text(dark) +
                         " of the time is in layers whose arithmetic the inputs do not tell");
  }
  const std::string errors = errors_sentence(context, any ? found : findings.end());
  if (!errors.empty()) tile.lines.push_back(errors);
  const std::string counts = severity_counts(findings, true);
  if (!counts.empty()) tile.lines.push_back("Findings: " + counts);
  return tile;
}

std::string gain_sentence(const Gain& gain) {
  std::string text = fmt::format("Estimated gain: {}", gain_text(gain));
  if (gain.first_step) text += "; " + first_step_text(*gain.first_step);
  return text;
}

Tile action_tile(const Context& context) {
  Tile tile;
  tile.label = "What to do first";
  const Findings& findings = context.findings;
  for (auto at = worst_of(findings); at != findings.end(); ++at) {
    const Finding& finding = **at;
    if (context.is_note(finding) || finding.remedies.empty()) continue;
    const Steps steps = steps_of(finding);
    tile.value = steps.actions.front();
    if (finding.gain) tile.unit = gain_sentence(*finding.gain);
    return tile;
  }
  const std::vector<std::string> flags = missing_flags(context);
  if (context.build.outcome == Outcome::failed) {
    tile.value = "Read the first error in the messages below";
  } else if (is_under_way(context)) {
    tile.value = "Let the build end";
    tile.unit = "its layers and times are known then";
  } else if (const std::vector<std::string> files = unread_exports(context); !files.empty()) {
    tile.value = "Read what trtexec exported, too";
    tile.unit = "the command wrote " + join(files, ", ") + ": give trtlens those files as well";
  } else if (is_of_another_program(context.analysis)) {
    tile.value = "Nothing";
    tile.unit = "unless the program runs TensorRT: then record its standard output and error";
  } else if (context.is_pasted && context.build.commands.empty()) {
    tile.value = "Give trtlens the whole log";
    tile.unit = "TensorRT's own lines, and those before an error, say most";
  } else if (!flags.empty()) {
    tile.value = "Record what is missing";
    tile.unit = context.build.commands.empty()
                    ? "run trtexec with " + join(flags, " ")
                    : "run the same trtexec command again, and add " + join(flags, " ");
  } else {
    tile.value = "Nothing";
    tile.unit = "no finding asks for a change";
  }
  return tile;
}

// The two clocks must not be mixed up: a stake in profile time is no saving per query.
std::string clocks_sentence(const Context& context) {
  if (context.profile_ms <= 0) return "";
  const auto& sums = context.analysis.reconciliation;
  if (!context.gpu_compute_ms) {
    const bool doubted = sums && !sums->reasons.empty();
    return fmt::format(
        "The layer times add up to {}. GPU compute time per query is not known, so shares and "
        "stakes are of profile time{}.",
        ms_text(context.profile_ms),
        doubted ? ". " + sentence_start(join(sums->reasons, "; "))
                : std::string(", which the profiler inflates a little at every launch"));
  }
  const double ratio = context.profile_ms / *context.gpu_compute_ms;
  if (ratio < 0.98) {
    return fmt::format(
        "Two clocks: the layer times add up to {}, only {:.2f} × the GPU compute {} of a query "
        "({}): kernels wait between layers, the profile lacks some, or the clocks differed. "
        "Shares and stakes are profile time.",
        ms_text(context.profile_ms), ratio, context.gpu_compute_what,
        ms_text(*context.gpu_compute_ms));
  }
  constexpr double kMostByLaunches = 1.5;  // as in Reconciliation::reasons
  const char* reason =
      ratio > kMostByLaunches       ? "which the profiler's cost per launch does not explain"
      : sums && sums->launches == 1 ? "and the profile is one record, which does not say why"
                                    : "because the profiler inflates every launch a little";
  return fmt::format(
      "Two clocks: the layer times add up to {}, {:.2f} × the GPU compute {} of a query ({}), "
      "{}. Shares, stakes and gains are profile time; divide by {:.2f} to think in time per query.",
      ms_text(context.profile_ms), ratio, context.gpu_compute_what,
      ms_text(*context.gpu_compute_ms), reason, ratio);
}

const Message* first_error(const Build& build) {
  for (const Message& message : build.messages) {
    const bool error =
        message.severity == LogSeverity::error || message.severity == LogSeverity::internal_error;
    if (error) return &message;
  }
  return nullptr;
}

// A build that failed or stopped: the line that is the cause, quoted with its place.
void add_cause(const Context& context, Document& out) {
  const Outcome outcome = context.build.outcome;
  const bool ended = outcome == Outcome::failed || outcome == Outcome::truncated;
  if (!ended && !context.is_pasted) return;
  if (const Finding* ending = ending_finding(context)) {
    for (const Evidence& evidence : ending->evidence) {
      if (evidence.file.empty() || evidence.text.empty()) continue;
      out.headline.emplace_back(Quote{place_of(evidence), first_lines(evidence.text, 4)});
      return;
    }
    return;
  }
  const Message* error = first_error(context.build);
  if (error == nullptr || outcome != Outcome::failed) return;
  out.headline.emplace_back(Paragraph{"First error of the log:", Tone::plain});
  out.headline.emplace_back(Quote{context.place(error->pos), first_lines(error->text, 4)});
}

// An engine that is fast and wrong: what it wrote is no result.
void add_bad_outputs(const Context& context, Document& out) {
  std::vector<std::string> all_nan = nan_outputs(context.build);
  if (all_nan.empty()) return;
  constexpr std::size_t kMaxNameColumns = 200;
  for (std::string& name : all_nan) name = elide_middle(name, kMaxNameColumns);
  out.headline.emplace_back(Paragraph{
      fmt::format("Every value of {} is NaN: whatever its speed, this engine "
                  "computes no result. `polygraphy run m.onnx --trt --onnxrt --validate` finds "
                  "whether the model or its precision is the cause.",
                  join_some(all_nan, 5)),
      Tone::major});
}

}  // namespace

Tile precision_tile(const Context& context) {
  Tile tile;
  tile.label = "Which precision";
  tile.parts = precision_parts(context);
  std::vector<std::string> leading;
  bool any_known = false;
  for (const Part& part : tile.parts) {
    if (part.label == "none" || part.share < 0.05 || leading.size() == 2) continue;
    any_known = any_known || part.label != "unknown";
    leading.push_back(part.label + " " + part.text);
  }
  if (!any_known) leading.clear();
  tile.value = leading.empty() ? "unknown" : join(leading, ", ");
  const bool no_arithmetic =
      !tile.parts.empty() && std::all_of(tile.parts.begin(), tile.parts.end(),
                                         [](const Part& part) { return part.label == "none"; });
  if (no_arithmetic) {
    tile.value = "none";
    tile.unit = "no layer does arithmetic";
  } else if (!leading.empty()) {
    tile.unit = context.profile_ms > 0 ? "of profile time" : "of the layers";
  } else if (context.build.layers.empty()) {
    tile.unit = context.build.outcome == Outcome::failed ? failed_words(context.analysis).no_layers
                                                         : "no layers in these inputs";
  } else {
    tile.unit = context.build.knows_layers()
                    ? "the inputs do not say what these layers compute in (Myelin regions, plugins)"
                    : "no tactic, weights or tensor types in these inputs";
  }
  tile.lines.push_back(allowed_label(context.build.allowed));
  const std::string lacking = lacking_sentence(context);
  if (!lacking.empty()) tile.lines.push_back(lacking);
  const auto& fallbacks = context.analysis.fallbacks;
  if (fallbacks && !fallbacks->empty()) {
    const std::optional<double> ms = fallback_ms(context.analysis);
    tile.lines.push_back(
        fmt::format("{} in FP32 or TF32 {}: {}", count_text(fallbacks->size(), "layer", "layers"),
                    context.build.allowed.labels.empty() ? "beside lower precision"
                                                         : "although lower precision was allowed",
                    ms ? ms_text(*ms) : std::string("time unknown")));
    tile.tone = Tone::moderate;
  }
  return tile;
}

std::string severity_counts(const std::vector<const Finding*>& findings, bool with_notes) {
  std::array<std::size_t, 5> counts{};
  for (const Finding* finding : findings) ++counts[static_cast<std::size_t>(finding->severity)];
  std::vector<std::string> parts;
  for (const Severity severity :
       {Severity::fatal, Severity::major, Severity::moderate, Severity::minor}) {
    const std::size_t n = counts[static_cast<std::size_t>(severity)];
    if (n > 0) parts.push_back(fmt::format("{} {}", n, to_string(severity)));
  }
  if (with_notes && counts[0] > 0) parts.push_back(count_text(counts[0], "note", "notes"));
  return join(parts, ", ");
}

Heading heading_of(const Analysis& analysis) {
  const std::string title = title_of(analysis);
  switch (analysis.build.outcome) {
    case Outcome::passed:
      return {title, "Passed", Tone::good};
    case Outcome::failed:
      return {title, failed_words(analysis).verdict, Tone::fatal};
    case Outcome::truncated:
      return {title, interrupted_input(analysis) != nullptr ? "Interrupted" : "Log stops early",
              Tone::moderate};
    case Outcome::unknown:
      break;
  }
  return {title, "Outcome unknown", Tone::plain};
}

void add_headline(const Context& context, Document& out) {
  out.identity = identity_of(context);
  out.tiles = {speed_tile(context), precision_tile(context), problem_tile(context),
               action_tile(context)};
  add_cause(context, out);
  add_bad_outputs(context, out);
  const bool is_said = std::ranges::any_of(
      context.findings, [](const Finding* finding) { return finding->rule == "build-truncated"; });
  if (const Input* const input = interrupted_input(context.analysis); input != nullptr) {
    out.headline.emplace_back(
        Paragraph{fmt::format("Interrupted: the report covers what was read, {}, {}.",
                              count_text(input->lines, "line", "lines"),
                              bytes_text(static_cast<std::int64_t>(input->bytes))) +
                      progress_sentence(context),
                  Tone::moderate});
  } else if (context.build.outcome == Outcome::truncated && !is_said) {
    out.headline.emplace_back(
        Paragraph{"The log stops before trtexec's closing line; the report covers what is there.",
                  Tone::moderate});
  }
  const std::string clocks = clocks_sentence(context);
  if (!clocks.empty()) out.headline.emplace_back(Paragraph{clocks, Tone::plain});
}

}  // namespace trtlens
