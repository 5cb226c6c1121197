// Numbers as text, cells, and what failed runs are called.
#include "report/document/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace trtlens {

const char* to_string(Tone tone) {
  return name_of<Tone::fatal>(tone,
                              {"plain", "good", "info", "minor", "moderate", "major", "fatal"});
}

std::string ms_text(const std::optional<double>& ms) {
  return ms ? ms_text(*ms) : "unknown";
}

std::string us_text(double ms) {
  return fmt::format("{:.2f} µs", ms * 1000);
}

std::string first_step_text(const FirstStep& step) {
  return fmt::format("{} {} to {}", step.what,
                     step.low_ms <= 0 ? std::string("from nothing up") : ms_number(step.low_ms),
                     ms_text(step.high_ms));
}

namespace {

std::string range_text(double low_ms, double high_ms) {
  if (high_ms <= low_ms) return ms_text(low_ms);
  if (low_ms <= 0) return "up to " + ms_text(high_ms);
  return ms_number(low_ms) + " to " + ms_text(high_ms);
}

}  // namespace

std::string gain_text(const Gain& gain) {
  std::string query =
      gain.query ? range_text(gain.query->low_ms, gain.query->high_ms) + " per query" : "";
  if (gain.high_ms <= 0 && gain.query && gain.query->high_ms > 0) return query;
  if (gain.high_ms <= 0) return "none";
  const std::string text = range_text(gain.low_ms, gain.high_ms) + " of profile time";
  return query.empty() ? text : text + ", " + query;
}

std::string short_gain_text(const Gain& gain) {
  if (!gain.query || gain.query->high_ms <= 0) return gain_text(gain);
  return range_text(gain.query->low_ms, gain.query->high_ms) + " per query";
}

std::string bytes_text(std::int64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1024.0 * 1024.0);
  if (bytes != 0 && std::abs(mib) < 0.1) return fmt::format("{:.1f} KiB", mib * 1024.0);
  return std::abs(mib) >= 100 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} MiB", mib);
}

std::string bytes_text(const std::optional<std::int64_t>& bytes) {
  return bytes ? bytes_text(*bytes) : "unknown";
}

std::string seconds_text(double s) {
  return s >= 10 ? fmt::format("{:.1f} s", s) : fmt::format("{:.2f} s", s);
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "unknown";
  const double size = std::abs(value);
  if (size >= 1000 || value == std::floor(value)) return fmt::format("{:.0f}", value);
  return size >= 1 ? fmt::format("{:.2f}", value) : fmt::format("{:.4f}", value);
}

std::string count_text(std::uint64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string join_some(const std::vector<std::string>& parts, std::size_t most) {
  if (parts.size() <= most) return join(parts, ", ");
  const std::vector<std::string> head(parts.begin(),
                                      parts.begin() + static_cast<std::ptrdiff_t>(most));
  return fmt::format("{} and {} more", join(head, ", "), parts.size() - most);
}

std::string dims_text(const Dims& dims) {
  std::vector<std::string> parts;
  for (const std::int64_t dim : dims) {
    parts.push_back(dim < 0 ? std::string("dynamic") : std::to_string(dim));
  }
  return parts.empty() ? "unknown" : join(parts, " × ");
}

const char* to_string(DiagnosticSeverity severity) {
  return name_of<DiagnosticSeverity::error>(severity, {"note", "warning", "error"});
}

DiagnosticLines diagnostic_lines(const std::vector<Diagnostic>& diagnostics, bool all) {
  constexpr std::size_t kShownOfId = 5;
  DiagnosticLines lines;
  std::map<std::string, std::size_t> seen;
  for (const Diagnostic& d : diagnostics) {
    if (++seen[d.id] > kShownOfId && !all) continue;
    std::string place = d.file;
    if (d.line > 0) place += fmt::format(":{}", d.line);
    if (d.line > 0 && d.column > 0) place += fmt::format(":{}", d.column);
    lines.shown.push_back(fmt::format("{}: {}: expected {}, found {} [{}]", place,
                                      to_string(d.severity), d.expected, d.found, d.id));
  }
  for (const auto& [id, n] : seen) {
    if (n <= kShownOfId || all) continue;
    lines.more.push_back(fmt::format("and {} more [{}]", n - kShownOfId, id));
  }
  return lines;
}

Cell text_cell(std::string text) {
  return {std::move(text), std::nullopt};
}

Cell ms_cell(const std::optional<double>& ms) {
  return ms && std::isfinite(*ms) ? Cell{ms_number(*ms), ms} : Cell{"unknown", std::nullopt};
}

Cell share_cell(const std::optional<double>& share) {
  return share && std::isfinite(*share) ? Cell{share_text(*share), share}
                                        : Cell{"unknown", std::nullopt};
}

Cell count_cell(std::uint64_t n) {
  return {fmt::format("{}", n), static_cast<double>(n)};
}

std::string Context::place(const SourcePos& pos) const {
  if (pos.line == 0 || pos.file >= analysis.reading->inputs.size()) return "";
  return fmt::format("{}:{}", input_text(analysis.reading->inputs[pos.file].path), pos.line);
}

bool profile_is_zero(const Context& context) {
  const std::vector<Layer>& layers = context.build.layers;
  return context.profile_ms <= 0 &&
         std::any_of(layers.begin(), layers.end(),
                     [](const Layer& layer) { return layer.time.has_value(); });
}

std::size_t Context::rows_shown(std::size_t least) const {
  return top == 0 ? 0 : std::max(top, least);
}

std::optional<double> Context::share_of(const std::optional<double>& ms) const {
  if (!ms || profile_ms <= 0) return std::nullopt;
  return *ms / profile_ms;
}

const LayerVerdict& Context::verdict(std::size_t layer) const {
  static const LayerVerdict no_verdict;
  return layer < analysis.verdicts.size() ? analysis.verdicts[layer] : no_verdict;
}

std::string Context::compute_of(std::size_t layer) const {
  return to_string(verdict(layer).compute);
}

int Context::version() const {
  return build.tensorrt ? build.tensorrt->number() : 0;
}

Tone tone_of(Severity severity) {
  static constexpr std::array kTones = {Tone::info, Tone::minor, Tone::moderate, Tone::major,
                                        Tone::fatal};
  static_assert(kTones.size() == static_cast<std::size_t>(Severity::fatal) + 1);
  return kTones.at(static_cast<std::size_t>(severity));
}

std::optional<double> layer_ms(const Layer& layer) {
  if (!layer.time || !std::isfinite(layer.time->mean_ms)) return std::nullopt;
  return layer.time->mean_ms;
}

std::string tensor_kind(const Tensor& tensor) {
  const bool typed = tensor.type != DataType::unknown;
  if (tensor.format.empty()) return typed ? to_string(tensor.type) : "unknown";
  return typed ? fmt::format("{} ({})", to_string(tensor.type), tensor.format.str())
               : tensor.format.str();
}

std::string shape_text(const Tensor& tensor) {
  std::string text;
  for (const std::int64_t size : tensor.dims) {
    if (!text.empty()) text += "×";
    text += size < 0 ? "?" : std::to_string(size);
  }
  const std::string type = tensor.type == DataType::unknown ? "" : to_string(tensor.type);
  if (text.empty()) return type.empty() ? "unknown" : type;
  return type.empty() ? text : text + " " + type;
}

std::vector<std::string> first_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, "\n")) {
    lines.emplace_back(lines.size() == most ? "…" : line);
    if (lines.size() > most) break;
  }
  return lines;
}

std::string input_text(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string place_of(const Evidence& evidence) {
  const std::string file = input_text(evidence.file.str());
  return evidence.line > 0 ? fmt::format("{}:{}", file, evidence.line) : file;
}

std::optional<double> fallback_ms(const Analysis& analysis) {
  std::optional<double> sum;
  if (!analysis.fallbacks) return sum;
  for (const Fallback& fallback : *analysis.fallbacks) {
    if (fallback.time_ms) sum = sum.value_or(0) + *fallback.time_ms;
  }
  return sum;
}

const Finding* fatal_finding(const Context& context) {
  for (const Finding* finding : context.findings) {
    if (finding->severity == Severity::fatal) return finding;
  }
  return nullptr;
}

const Input* interrupted_input(const Analysis& analysis) {
  const Reading& reading = *analysis.reading;
  if (!is_interrupted(analysis.build, reading.inputs, reading.runs)) return nullptr;
  return &*std::ranges::find(reading.inputs, true, &Input::interrupted);
}

const Finding* ending_finding(const Context& context) {
  if (context.is_pasted) {
    const bool any = !context.findings.empty() && !context.is_note(*context.findings.front());
    return any ? context.findings.front() : nullptr;
  }
  if (context.build.outcome != Outcome::truncated) return fatal_finding(context);
  const auto found = std::ranges::find_if(
      context.findings, [](const Finding* finding) { return finding->rule == "build-truncated"; });
  return found == context.findings.end() ? nullptr : *found;
}

const FailedWords& failed_words(const Analysis& analysis) {
  static constexpr const char* kNotTimed = "it failed before anything was timed";
  static constexpr const char* kNoLayers = "no layers in these inputs";
  static constexpr const char* kRun = "the whole run";
  static constexpr std::array<FailedWords, 5> kWords = {
      {{"Failed", kNotTimed, kNoLayers, kRun, false},
       {"Build failed", "the build failed: nothing was timed", "no engine was built",
        "the whole build", true},
       {"Failed after the build", kNotTimed, kNoLayers, kRun, true},
       {"Engine not loaded", "the engine was not loaded: nothing was timed", "no engine was loaded",
        kRun, false},
       {"Run failed", kNotTimed, kNoLayers, kRun, false}}};
  static_assert(kWords.size() == static_cast<std::size_t>(FailedPhase::run) + 1);
  return kWords.at(static_cast<std::size_t>(analysis.failed_phase));
}

}  // namespace trtlens
