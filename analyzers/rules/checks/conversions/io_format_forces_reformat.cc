// Conversions at the network's own inputs and outputs.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "analyzers/graph/neighbours.h"
#include "analyzers/ledgers/gain.h"
#include "analyzers/ledgers/ledgers.h"
#include "analyzers/text.h"

namespace trtlens::checks::io_format_forces_reformat {

static void add_once(std::vector<std::string>& words, std::string word) {
  if (word.empty() || std::ranges::find(words, word) != words.end()) return;
  words.push_back(std::move(word));
}

// Layouts as --inputIOFormats words them.
static std::string layout_word(const Tensor& tensor) {
  const std::string& format = tensor.format;
  if (format.find("wide channel vectorized") != std::string::npos) {
    return "chw" + std::to_string(tensor.channel_vector());
  }
  constexpr std::array<std::pair<const char*, const char*>, 5> kWords = {{
      {"Channel major FP16 format where channel % 8 == 0", "hwc8"},
      {"Channel major FP32 format where channel % 1 == 0", "hwc"},
      {"Row major linear", "chw"},
      {"Row major Int8", "chw"},
      {"linear", "chw"},
  }};
  for (const auto& [format_of_layer, word] : kWords) {
    if (format.rfind(format_of_layer, 0) == 0) return word;
  }
  return {};
}

static std::string type_word(DataType type) {
  switch (type) {
    case DataType::fp32:
      return "fp32";
    case DataType::fp16:
      return "fp16";
    case DataType::bf16:
      return "bf16";
    case DataType::int8:
      return "int8";
    default:
      return {};
  }
}

// What --inputIOFormats could ask for in place of `outer` to come nearer to `inner`; empty:
// nothing.
static std::string wanted_format(const Tensor& outer, const Tensor& inner) {
  const std::string type = type_word(inner.type);
  if (type.empty()) return {};
  const std::string layout = layout_word(inner);
  if (!layout.empty()) return type + ':' + layout;
  return inner.type == outer.type ? std::string() : type + ":chw";
}

// The conversions of the network's inputs, or of its outputs.
struct Side {
  const char* option;  // of trtexec
  const char* what;    // "inputs"
  bool is_input = true;
  std::vector<std::size_t> kernels;
  std::vector<std::string> outer, inner, wanted;  // formats, each once
  bool keeps_layout = false;  // --inputIOFormats has no word for the layout: the type alone

  void add(const RuleContext& c, std::size_t i) {
    const Tensor& in = c.layer(i).inputs[0];
    const Tensor& out = c.layer(i).outputs[0];
    kernels.push_back(i);
    add_once(outer, (is_input ? in : out).format);
    add_once(inner, (is_input ? out : in).format);
    add_once(wanted, is_input ? wanted_format(in, out) : wanted_format(out, in));
    keeps_layout = keeps_layout || layout_word(is_input ? out : in).empty();
  }

  [[nodiscard]] std::string asked(const RuleContext& c) const {
    return c.analysis.build.options.value(option).value_or("");
  }

  [[nodiscard]] std::string why(const RuleContext& c) const {
    const std::string command = asked(c);
    std::string text = std::string("The ") + what + " are " + join(outer, " and ");
    if (!command.empty()) text += std::string(", as --") + option + '=' + command + " asks";
    return text + "; the layers that " + (is_input ? "read" : "write") + " them work on " +
           join(inner, " and ") + ".";
  }

  [[nodiscard]] std::vector<std::string> formats_to_ask_for(const RuleContext& c) const {
    std::vector<std::string> formats;
    for (const std::string& word : wanted) {
      if (asked(c) != word) formats.push_back(word);
    }
    return formats;
  }

  [[nodiscard]] std::string remedy(const RuleContext& c) const {
    const std::vector<std::string> formats = formats_to_ask_for(c);
    if (formats.empty()) {
      return std::string("None of --") + option + ": what those layers " +
             (is_input ? "read" : "write") + " has no name there, or is asked for already.";
    }
    const std::string flag = std::string("--") + option + '=' + join(formats, " or ");
    std::vector<std::string> types;
    for (const std::string& format : formats) {
      add_once(types, upper_case(format.substr(0, format.find(':'))));
    }
    return std::string(is_input ? "Let the preprocessing write " : "Let the network write ") +
           join(types, " or ") + ' ' + what + ": " + flag + '.' +
           (keeps_layout ? " The layout conversion stays." : "");
  }
};

// Its time is that of the DLA, for which it waits.
static bool waits_for_dla(const RuleContext& c, std::size_t kernel) {
  const Places before = c.graph.before(kernel);
  return std::ranges::any_of(before, [&](std::size_t i) { return is_on_dla(c.layer(i)); });
}

// A kernel inside one of Myelin's regions, which reads and writes linear tensors whatever the
// options ask for: another format would put a reformat in front of it.
static bool is_inside_region(const Layer& layer) {
  return layer.layer_type == "kgen" || layer.layer_type == "fusion";
}

// The model's own Q and DQ are no matter of formats: input-quantise-cost speaks of them.
static void fill(const RuleContext& c, Side& inputs, Side& outputs) {
  for (std::size_t i = 0; i < c.analysis.build.layers.size(); ++i) {
    const Layer& layer = c.layer(i);
    if (c.verdict(i).role != LayerRole::reformat || layer.inputs.empty() || layer.outputs.empty() ||
        c.claimed.count(i) != 0 || !c.graph.takes_part(i) || is_inside_region(layer) ||
        waits_for_dla(c, i)) {
      continue;
    }
    if (reads_network_input(c, i)) {
      inputs.add(c, i);
    } else if (writes_network_output(c, i)) {
      outputs.add(c, i);
    }
  }
}

// Where the layout change stays, the kernel reads or writes the narrower type at best.
static std::optional<Gain> gain_of_sides(const RuleContext& c,
                                         const std::vector<const Side*>& sides) {
  std::vector<std::size_t> gone, narrowed;
  for (const Side* side : sides) {
    if (side->formats_to_ask_for(c).empty()) continue;
    std::vector<std::size_t>& part = side->keeps_layout ? narrowed : gone;
    part = together({part, side->kernels});
  }
  std::optional<Gain> gain = gain_without(c.analysis, gone);
  const double fewer_bytes_ms = gain_of_narrowing_ms(c.analysis, narrowed);
  if (fewer_bytes_ms <= 0) return gain;
  if (!gain) gain = Gain{};
  gain->high_ms += fewer_bytes_ms;
  gain->basis += std::string(gain->basis.empty() ? "" : "; ") + "at best fewer bytes in " +
                 count_text(narrowed.size(), "kernel");
  return gain;
}

static std::string check_of(const RuleContext& c, const std::vector<const Side*>& sides) {
  std::string flags;
  for (const Side* side : sides) {
    const std::vector<std::string> formats = side->formats_to_ask_for(c);
    if (formats.empty()) continue;
    flags += std::string(flags.empty() ? "" : " ") + "--" + side->option + '=' + formats[0];
  }
  if (flags.empty()) return {};
  return "Build with the same trtexec command and " + flags +
         ", then compare: `trtlens compare BEFORE AFTER`.";
}

static void check(const RuleContext& c, std::vector<Finding>& out) {
  Side inputs{"inputIOFormats", "inputs", true, {}, {}, {}, {}, false};
  Side outputs{"outputIOFormats", "outputs", false, {}, {}, {}, {}, false};
  fill(c, inputs, outputs);
  const std::vector<std::size_t> all = together({inputs.kernels, outputs.kernels});
  const double sum = c.time_ms(all);
  const double share = sum / std::max(c.analysis.build.profile_sum_ms, 1e-12);
  if (all.empty() || share < c.threshold("min_share")) return;
  Finding finding = c.finding(all);
  std::vector<const Side*> sides;
  std::string what, why;
  bool asked = false;
  finding.remedies.clear();
  for (const Side* side : {&inputs, &outputs}) {
    if (c.time_ms(side->kernels) <= 0) continue;
    sides.push_back(side);
    what += std::string(what.empty() ? "" : " and ") + side->what;
    why += (why.empty() ? "" : " ") + side->why(c);
    asked = asked || !side->asked(c).empty();
    finding.remedies.push_back(side->remedy(c));
  }
  // Who asks for a format at the border wants it there. And what a launch takes at least is a large
  // share of a tiny network only.
  const bool is_launch = sum < 2 * kLaunchFloorMs * static_cast<double>(all.size());
  if (asked || is_launch) finding.severity = std::min(finding.severity, Severity::moderate);
  finding.title = "The network's " + what + " are converted in every query";
  finding.why = why;
  finding.gain = gain_of_sides(c, sides);
  finding.next_check = check_of(c, sides);
  for (const std::size_t i : all) {
    finding.evidence.push_back(c.measured(
        i, c.layer(i).inputs[0].format.str() + " to " + c.layer(i).outputs[0].format.str()));
  }
  out.push_back(std::move(finding));
}

extern const Rule rule{"io-format-forces-reformat", Pass::symptom, check};

}  // namespace trtlens::checks::io_format_forces_reformat
