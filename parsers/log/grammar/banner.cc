// Typed facts out of the banner's rows.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parsers/log/runs/run_builder.h"
#include "parsers/text/numbers.h"

namespace trtlens {
namespace {

constexpr std::int64_t kMaxProfile = 9999;
constexpr std::size_t kMaxProfileRows = 1000;  // trtexec makes one profile for each --profile

std::string row(const Build& build, const char* key) {
  const auto found = build.banner.find(std::string("Inference Options/") + key);
  return found == build.banner.end() ? std::string() : found->second;
}

std::optional<bool> enabled(const std::string& value) {
  if (value == "Enabled") return true;
  if (value == "Disabled") return false;
  return std::nullopt;
}

// "x:0=1x1x28x28+4x1x28x28+16x1x28x28", min, opt and max: names may hold "=" and ":", so the last
// "=" ends the name. What the three do not share is dynamic.
std::optional<IoTensor> input_of_shape(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  IoTensor io;
  io.tensor.name = text.substr(0, equals);
  text.remove_prefix(equals + 1);
  bool first = true;
  while (!text.empty()) {
    const std::size_t plus = text.find('+');
    const std::vector<std::int64_t> dims = dims_of(text.substr(0, plus));
    if (dims.empty() || (!first && dims.size() != io.tensor.dims.size())) return std::nullopt;
    if (first) io.tensor.dims = dims;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (io.tensor.dims[i] != dims[i]) io.tensor.dims[i] = -1;
    }
    first = false;
    text = plus == std::string_view::npos ? std::string_view() : text.substr(plus + 1);
  }
  io.tensor.has_dims = !first;
  return io;
}

// Without --verbose and without a timed run nothing else names the inputs.
void inputs_of_banner(Build& build) {
  for (const IoTensor& io : build.io_tensors) {
    if (io.is_input) return;
  }
  // With several profiles one of them does not tell which dimensions are dynamic.
  if (build.banner.count("Build Options/Input build shape (profile 1)") != 0) return;
  std::vector<IoTensor> inputs;
  for (const char* label : {"Input build shape", "Input build shape (profile 0)"}) {
    const auto found = build.banner.find(std::string("Build Options/") + label);
    if (found == build.banner.end()) continue;
    std::string_view rest = found->second;  // one row an input, joined with ", "
    while (!rest.empty()) {
      const std::size_t comma = rest.find(", ");
      auto io = input_of_shape(rest.substr(0, comma));
      if (!io) return;  // a name with ", " in it: where it ends is not known
      inputs.push_back(std::move(*io));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
    }
  }
  build.io_tensors.insert(build.io_tensors.begin(), inputs.begin(), inputs.end());
}

// "x:0=1x1x28x28+4x1x28x28+16x1x28x28" of one profile.
std::optional<OptimizationProfile> profile_of(std::string_view text, int profile) {
  const std::size_t equals = text.rfind('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  OptimizationProfile result;
  result.input = text.substr(0, equals);
  result.shapes.profile = profile;
  text.remove_prefix(equals + 1);
  const std::size_t first = text.find('+');
  const std::size_t second = first == std::string_view::npos ? first : text.find('+', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  result.shapes.min = dims_of(text.substr(0, first));
  result.shapes.opt = dims_of(text.substr(first + 1, second - first - 1));
  result.shapes.max = dims_of(text.substr(second + 1));
  return result;
}

// "Build Options/Input build shape (profile 2)"; up to 9.0 there is but one, without the number.
std::optional<int> profile_number(std::string_view label) {
  constexpr std::string_view kLabel = "Build Options/Input build shape";
  constexpr std::string_view kProfile = " (profile ";
  if (label == kLabel) return 0;
  if (label.substr(0, kLabel.size()) != kLabel) return std::nullopt;
  label.remove_prefix(kLabel.size());
  if (label.substr(0, kProfile.size()) != kProfile || label.back() != ')') return std::nullopt;
  const auto n = whole_number(label.substr(kProfile.size(), label.size() - kProfile.size() - 1));
  if (!n || *n < 0 || *n > kMaxProfile) return std::nullopt;
  return static_cast<int>(*n);
}

// Nothing where a name holds ", ": where the row of an input ends is not known then.
std::vector<OptimizationProfile> profiles_in_rows(const Build& build) {
  std::vector<OptimizationProfile> profiles;
  for (const auto& [label, value] : build.banner) {
    const std::optional<int> number = profile_number(label);
    if (!number) continue;
    std::string_view rest = value;  // one row an input, joined with ", "
    while (!rest.empty()) {
      const std::size_t comma = rest.find(", ");
      auto profile = profile_of(rest.substr(0, comma), *number);
      if (!profile) return {};
      profiles.push_back(std::move(*profile));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 2);
    }
  }
  return profiles;
}

// The lines of the builder (9.0+), which tell shapes from values, come first.
void profiles_of_banner(Build& build) {
  if (!build.optimization_profiles.empty()) return;
  // Of a loaded engine the rows are an echo of --shapes: its profiles are what it was built with.
  if (!only_loads(build.options)) {
    for (OptimizationProfile& profile : profiles_in_rows(build)) {
      add_profile(build, std::move(profile));
    }
  }
  if (!build.optimization_profiles.empty()) return;
  for (const IoTensor& io : build.io_tensors) {  // layer info of 11.x
    for (const ProfileShapes& shapes : io.shapes)
      add_profile(build, {io.tensor.name, false, shapes});
  }
}

// "Batch: 1" also stands in the banner of a loaded explicit-batch engine: there the input's shape
// wins. The shapes of an implicit-batch engine lack it: only --batch and the banner say.
std::optional<std::int64_t> batch_of(const Build& build) {
  const std::optional<std::int64_t> printed = whole_number(row(build, "Batch"));
  const std::optional<std::int64_t> given =
      whole_number(build.options.value("batch").value_or(std::string()));
  const bool more_than_one = printed.value_or(1) > 1 || given.value_or(1) > 1;
  if (has_implicit_batch(build).value_or(more_than_one)) return printed ? printed : given;
  for (const IoTensor& io : build.io_tensors) {
    if (io.is_input && io.tensor.dims.size() > 1 && io.tensor.dims[0] > 0) return io.tensor.dims[0];
  }
  return printed;
}

}  // namespace

std::optional<Version> version_of(std::string_view text, std::string_view build) {
  constexpr std::int64_t kLargest = 9'999'999;  // 999.99.99; more is no version
  std::array<std::int64_t, 4> parts{};
  std::size_t count = 0;
  while (count < parts.size()) {
    const std::size_t dot = text.find('.');
    const auto part = whole_number(text.substr(0, dot));
    if (!part || *part < 0 || *part > kLargest) return std::nullopt;
    parts[count++] = *part;
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  if (count == 1) {  // the integer of NV_TENSORRT_VERSION
    const std::int64_t number = parts[0];
    const bool wide = number >= 100000;
    parts = {number / (wide ? 10000 : 1000), wide ? number / 100 % 100 : number / 100 % 10,
             number % 100, 0};
  } else if (std::any_of(parts.begin(), parts.begin() + 3, [](auto p) { return p > 999; })) {
    return std::nullopt;
  }
  Version version;
  version.source = VersionSource::banner;
  version.major = static_cast<int>(parts[0]);
  version.minor = static_cast<int>(parts[1]);
  version.patch = static_cast<int>(parts[2]);
  const auto n = whole_number(build);
  if (n && *n >= 0 && *n <= kLargest) version.build = static_cast<int>(*n);
  return version;
}

std::optional<Version> version_of_names(const Build& build) {
  // "/opt/TensorRT-6.0.1.5/bin/trtexec", "D:\\TensorRT-10.2.0.19\\bin\\trtexec.exe"
  static const RE2 folder("TensorRT-(\\d+\\.\\d+\\.\\d+(?:\\.\\d+)?)[/\\\\]", RE2::Latin1);
  static const RE2 program(
      "TensorRT-(\\d+\\.\\d+\\.\\d+(?:\\.\\d+)?)[/\\\\](?:targets[/\\\\][\\w-]+[/\\\\])?bin[/"
      "\\\\]trtexec",
      RE2::Latin1);
  static const RE2 library("libnvinfer\\w*\\.so\\.(\\d+\\.\\d+\\.\\d+)\\b", RE2::Latin1);
  // What another program asks for. TensorRT itself asks for its builder resources.
  static const RE2 missing(
      "libnvinfer(?:_plugin|_dispatch|_lean)?\\.so\\.[\\d.]+(?:: cannot open| => not found)",
      RE2::Latin1);
  std::string text;
  const auto guessed = [&] {
    auto version = version_of(text, {});
    if (version) version->source = VersionSource::guessed;
    return version;
  };
  if (RE2::PartialMatch(build.command.substr(0, build.command.find(' ')), folder, &text)) {
    return guessed();
  }
  for (const Message& message : build.messages) {
    if (RE2::PartialMatch(message.text, program, &text)) return guessed();
    if (!RE2::PartialMatch(message.text, library, &text)) continue;
    if (RE2::PartialMatch(message.text, missing)) continue;
    auto version = version_of(text, {});
    if (version) version->source = VersionSource::log;
    return version;
  }
  return std::nullopt;
}

ProfileShapes shapes_of(std::string_view profile, std::string_view min, std::string_view opt,
                        std::string_view max) {
  const auto number = whole_number(profile);
  const bool fits = number && *number >= 0 && *number <= kMaxProfile;
  return {fits ? static_cast<int>(*number) : -1, dims_of(min), dims_of(opt), dims_of(max)};
}

void add_profile(Build& build, OptimizationProfile profile) {
  std::vector<OptimizationProfile>& all = build.optimization_profiles;
  if (profile.shapes.profile < 0 || all.size() >= kMaxProfileRows) return;
  const auto place = std::find_if(all.begin(), all.end(), [&](const OptimizationProfile& known) {
    return known.shapes.profile > profile.shapes.profile ||
           (known.shapes.profile == profile.shapes.profile && known.input == profile.input);
  });
  const bool known = place != all.end() && place->shapes.profile == profile.shapes.profile;
  if (!known) all.insert(place, std::move(profile));
}

void read_banner(Build& build) {
  inputs_of_banner(build);
  profiles_of_banner(build);
  Inference& inference = build.inference;
  const std::string streams = row(build, "Inference Streams");
  inference.streams = whole_number(streams.empty() ? row(build, "Streams") : streams);
  inference.opt_profile = whole_number(row(build, "Optimization Profile Index"));
  inference.cuda_graph = enabled(row(build, "CUDA Graph"));
  inference.data_transfers = enabled(row(build, "Data transfers"));
  inference.spin_wait = enabled(row(build, "Spin-wait"));
  inference.batch = batch_of(build);
}

}  // namespace trtlens
