// Templates, and what the messages around a message say.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "analyzers/labels.h"
#include "analyzers/rules/engine/matcher.h"
#include "analyzers/rules/failed_phase.h"
#include "analyzers/text.h"

namespace trtlens::message_rules {
namespace {

constexpr std::uint64_t kContextLines = 80;  // of a parser's error block, node attributes included

bool is_continuation_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// A template cut into text, placeholders and optional parts; `on` is called for each placeholder.
struct Placeholder {
  std::string name, otherwise;
  bool has_otherwise = false;
};

Placeholder placeholder_of(std::string_view inner) {
  Placeholder out;
  const std::size_t bar = inner.find('|');
  out.name = std::string(inner.substr(0, bar));
  if (bar != std::string_view::npos) {
    out.has_otherwise = true;
    out.otherwise = std::string(inner.substr(bar + 1));
  }
  return out;
}

// A value that ends its sentence, and the full stop of the template behind it.
bool ends_twice(std::string_view out, std::string_view text, std::size_t at) {
  return !out.empty() && out.back() == '.' && at < text.size() && text[at] == '.';
}

// What a shell takes as it is, without quotes.
bool is_plain(std::string_view value) {
  constexpr std::string_view kAlso = "_./+:@%=,~-?";
  return std::ranges::all_of(value, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           kAlso.find(c) != std::string_view::npos;
  });
}

// Of a placeholder that has no value for a command: "LIBRARY".
std::string to_be_filled_in(const Placeholder& placeholder) {
  if (placeholder.has_otherwise && is_plain(placeholder.otherwise)) return placeholder.otherwise;
  return upper_case(placeholder.name);
}

// Expands text without optional parts; `complete` turns false when a placeholder has no value.
std::string expand_flat(std::string_view text, const Values& values, bool& complete) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) {
      out += text.substr(at);
      break;
    }
    out += text.substr(at, open - at);
    const Placeholder placeholder = placeholder_of(text.substr(open + 1, close - open - 1));
    const auto value = values.find(placeholder.name);
    // What an input says must not become a part of a command that somebody copies.
    const bool in_command = std::ranges::count(text.substr(0, open), '`') % 2 != 0;
    if (value != values.end() && in_command && !is_plain(value->second)) {
      out += to_be_filled_in(placeholder);
    } else if (value != values.end() && !value->second.empty()) {
      std::string said = value->second;
      std::ranges::replace(said, '`', '\'');  // begins and ends commands
      out += said;
    } else if (placeholder.has_otherwise) {
      out += placeholder.otherwise;
    } else {
      complete = false;
      out += kNotKnown;
    }
    at = close + 1;
    at += ends_twice(out, text, at) ? 1 : 0;
  }
  return out;
}

const re2::RE2& while_parsing() {
  static const re2::RE2 re(R"re(While parsing node number (\d+) \[\[?([^\]\s]*))re",
                           re2::RE2::Latin1);
  return re;
}

// Importers that are named after themselves, not after an operator.
bool is_generic_importer(const std::string& op) {
  return op == "FallbackPluginImporter" || op == "Model" || op == "Input" || op == "Inputs";
}

// The parts that a message itself names: forms of the parser's errors, oldest to newest.
void read_own(const std::string& text, OnnxContext& out) {
  static const re2::RE2 in_node(R"(In node (-?\d+) with name: (.*?) and operator: (\S*) \()",
                                re2::RE2::Latin1);
  static const re2::RE2 in_function(R"(In function import([A-Za-z]\w*):)", re2::RE2::Latin1);
  static const re2::RE2 in_import(R"(In node (-?\d+) \(import(\w+)\))", re2::RE2::Latin1);
  static const re2::RE2 invalid_node(R"(Invalid Node - ([^\r\n]+))", re2::RE2::Latin1);
  static const re2::RE2 op_type(R"re(op_type: "([^"]*)")re", re2::RE2::Latin1);
  static const re2::RE2 name(R"re((?m)^name: "([^"]*)")re", re2::RE2::Latin1);
  std::string number;
  std::string op;
  if (re2::RE2::PartialMatch(text, in_node, &number, &out.node, &out.op)) out.number = number;
  if (out.op.empty() && re2::RE2::PartialMatch(text, while_parsing(), &out.number, &out.op)) return;
  if (out.op.empty() && re2::RE2::PartialMatch(text, in_import, &out.number, &op)) {
    if (!is_generic_importer(op)) out.op = op;
  }
  if (out.node.empty()) re2::RE2::PartialMatch(text, invalid_node, &out.node);
  if (out.node.empty()) re2::RE2::PartialMatch(text, name, &out.node);
  if (out.op.empty()) re2::RE2::PartialMatch(text, op_type, &out.op);
  if (out.op.empty() && re2::RE2::PartialMatch(text, in_function, &op) &&
      !is_generic_importer(op)) {
    out.op = op;
  }
}

// Digits and addresses left out.
std::string shape_of(const std::string& text) {
  constexpr std::size_t kMostBytes = 400;
  const auto is_hex = [&](std::size_t at) {
    return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string shape;
  for (std::size_t at = 0; at < std::min(text.size(), kMostBytes); ++at) {
    const bool is_address = text.compare(at, 2, "0x") == 0;
    if (is_address) {
      for (++at; is_hex(at + 1);) ++at;
    }
    if (!is_address && std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      shape += text[at];
    } else if (shape.empty() || shape.back() != '#') {
      shape += '#';
    }
  }
  return shape;
}

}  // namespace

const std::vector<std::string>& builtin_placeholders() {
  static const std::vector<std::string> names = {
      "count", "layer", "runner", "format_combination", "version", "gpu", "sm", "op", "node",
      "node_number", "message", "part", "each", "numbers", "channels", "depthwise", "no_numbers",
      "places", "no_error", "moment", "passed_on", "unexplained",
      // of facts and what is computed of them
      "options", "profiles", "onnx_op", "custom_op", "no_op", "narrow", "bytes_each", "parameters",
      "mismatch", "groups", "tensor", "workspace_need", "workspace_allowed", "workspace_mib",
      "lacking", "convs", "given", "errors", "went_on", "whole_log", "nearest", "open_dimensions",
      "open_shapes", "open_sizes", "open_unknown", "loads", "built_model", "size", "searched",
      "onnx_model", "converter", "parsed", "verbose_option", "reference_model", "caller",
      "dim_fixed", "plugin_home", "contrib_op", "tiny", "by_one", "by_batch", "by_scale",
      "by_batch_size"};
  return names;
}

std::string shortened(std::string_view text, std::size_t max) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  if (line.size() <= max) return line;
  std::size_t head = max / 2;
  std::size_t tail = line.size() - (max - head);
  while (head > 0 && is_continuation_byte(line[head])) --head;
  while (tail < line.size() && is_continuation_byte(line[tail])) ++tail;
  return line.substr(0, head) + "…" + line.substr(tail);
}

std::string readable_template(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    if (two == "[[" || two == "]]") {
      at += 2;
      continue;
    }
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text[at++];
      continue;
    }
    const Placeholder placeholder = placeholder_of(text.substr(at + 1, close - at - 1));
    std::string name = placeholder.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    out += placeholder.has_otherwise ? placeholder.otherwise : '<' + name + '>';
    at = close + 1;
  }
  return out;
}

std::string expand(std::string_view text, const Values& values) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find("[[", at);
    const std::size_t close = open == std::string_view::npos ? open : text.find("]]", open);
    bool complete = true;
    if (close == std::string_view::npos)
      return out + expand_flat(text.substr(at), values, complete);
    out += expand_flat(text.substr(at, open - at), values, complete);
    complete = true;
    const std::string part = expand_flat(text.substr(open + 2, close - open - 2), values, complete);
    if (complete) out += part;
    at = close + 2;
    at += ends_twice(out, text, at) ? 1 : 0;
  }
  return out;
}

std::vector<std::string> placeholders_of(std::string_view text, std::string& fault) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while ((at = text.find('{', at)) != std::string_view::npos) {
    const std::size_t close = text.find('}', at);
    if (close == std::string_view::npos) {
      fault = "an open \"{\"";
      return names;
    }
    names.push_back(placeholder_of(text.substr(at + 1, close - at - 1)).name);
    at = close + 1;
  }
  std::size_t open = 0;
  while ((open = text.find("[[", open)) != std::string_view::npos) {
    open = text.find("]]", open);
    if (open == std::string_view::npos) {
      fault = "an open \"[[\"";
      return names;
    }
  }
  return names;
}

bool search(const RulePattern& pattern, const std::string& text, Values* values) {
  if (!pattern.re || !pattern.re->may_match(text)) return false;
  const re2::RE2& re = pattern.re->re();
  if (values == nullptr) return re2::RE2::PartialMatch(text, re);
  const int groups = re.NumberOfCapturingGroups();
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(groups) + 1);
  if (!re.Match(text, 0, text.size(), re2::RE2::UNANCHORED, found.data(), groups + 1)) {
    return false;
  }
  for (const auto& [name, index] : re.NamedCapturingGroups()) {
    const re2::StringPiece group = found[static_cast<std::size_t>(index)];
    if (group.empty()) continue;
    (*values)[name] = std::string(group.data(), group.size());
  }
  return true;
}

OnnxContext onnx_context(const Build& build, const std::vector<std::size_t>& order,
                         std::size_t at) {
  OnnxContext out;
  const Message& message = build.messages[order[at]];
  read_own(message.text, out);
  const auto near = [&](const Message& other) {
    const std::uint64_t a = message.pos.line;
    const std::uint64_t b = other.pos.line;
    return other.pos.file == message.pos.file && (a > b ? a - b : b - a) <= kContextLines;
  };
  const auto take = [&](std::size_t place) {
    const Message& other = build.messages[order[place]];
    std::string op;
    std::string number;
    if (!re2::RE2::PartialMatch(other.text, while_parsing(), &number, &op)) return false;
    if (out.op.empty()) out.op = op;
    if (out.number.empty()) out.number = number;
    out.message = order[place];
    return true;
  };
  // The block stands before its assertion; an error of the library stands before the block.
  std::optional<std::size_t> block;
  for (std::size_t i = at + 1; i-- > 0 && near(build.messages[order[i]]) && !block;) {
    if (take(i)) block = i;
  }
  for (std::size_t i = at + 1; i < order.size() && near(build.messages[order[i]]) && !block; ++i) {
    if (take(i)) block = i;
  }
  // A paste begins in the dump of the node: "--- Begin node ---", its input, output, name, op_type.
  for (std::size_t i = at; !block && out.op.empty() && i-- > 0 && near(build.messages[order[i]]);) {
    const std::string& dump = build.messages[order[i]].text;
    if (dump.find("\nop_type: ") != std::string::npos) read_own(dump, out);
  }
  if (!block || !out.node.empty()) return out;
  for (std::size_t i = *block; i < order.size() && near(build.messages[order[i]]); ++i) {
    OnnxContext own;
    if (i != *block && re2::RE2::PartialMatch(build.messages[order[i]].text, while_parsing()))
      break;
    read_own(build.messages[order[i]].text, own);
    if (own.node.empty()) continue;
    out.node = own.node;
    break;
  }
  return out;
}

std::vector<ErrorGroup> error_groups(const Build& build, const std::vector<std::size_t>& messages) {
  std::vector<ErrorGroup> groups;
  std::map<std::string, std::size_t> known;
  for (const std::size_t i : messages) {
    const auto [slot, is_new] = known.emplace(shape_of(build.messages[i].text), groups.size());
    if (is_new) groups.emplace_back();
    groups[slot->second].messages.push_back(i);
    groups[slot->second].count += build.messages[i].count;
  }
  return groups;
}

bool is_cut_repeat(const Build& build, const std::vector<std::size_t>& order, std::size_t message) {
  constexpr std::size_t kLeastBytes = 16;
  const std::string& text = build.messages[message].text;
  if (message != order.back() || text.size() < kLeastBytes) return false;
  return std::ranges::any_of(build.messages, [&](const Message& other) {
    return other.text.size() > text.size() && other.text.starts_with(text);
  });
}

std::vector<std::size_t> message_order(const Build& build) {
  std::vector<std::size_t> order(build.messages.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const SourcePos& x = build.messages[a].pos;
    const SourcePos& y = build.messages[b].pos;
    return x.file != y.file ? x.file < y.file : x.line < y.line;
  });
  return order;
}

namespace {

// What the open dimensions of the inputs are, and the shapes to give: "dimension 0 of x",
// "x:Nx3x224x224".
void add_open_dimensions(const Build& build, Values& values) {
  constexpr std::size_t kInputs = 4;
  std::string open, shapes;
  bool is_batch_open = false, is_other_open = false;
  std::size_t n = 0;
  for (const IoTensor& io : build.io_tensors) {
    if (!io.is_input || io.network_dims.empty()) continue;
    std::string places, shape;
    std::size_t count = 0;
    for (std::size_t i = 0; i < io.network_dims.size(); ++i) {
      const std::int64_t size = io.network_dims[i];
      shape += shape.empty() ? "" : "x";
      if (size >= 0) {
        shape += std::to_string(size);
        continue;
      }
      shape += i == 0 ? "N" : "?";
      (i == 0 ? is_batch_open : is_other_open) = true;
      places += (count++ == 0 ? "" : ", ") + std::to_string(i);
    }
    if (count == 0 || ++n > kInputs) continue;
    const std::string name = shortened(io.tensor.name.str(), kMaxValue);
    open += open.empty() ? "" : ", ";
    open += count == 1 ? "dimension " : "dimensions ";
    open += places;
    open += " of ";
    open += name;
    shapes += shapes.empty() ? "" : ",";
    shapes += name;
    shapes += ':';
    shapes += shape;
  }
  if (open.empty()) {
    values["open_unknown"] = "the log of --verbose tells which are open";
    return;
  }
  values["open_dimensions"] = open;
  values["open_shapes"] = shapes;
  values["open_sizes"] = !is_other_open ? "N" : is_batch_open ? "N and each ?" : "each ?";
}

constexpr std::int64_t kMiB = 1 << 20;

std::string workspace_text(std::int64_t bytes) {
  const double mib = static_cast<double>(bytes) / static_cast<double>(kMiB);
  if (mib < 0.05) return fmt::format("{:.2g} KiB", mib * 1024);
  if (mib >= 10240) return fmt::format("{:.0f} GiB", mib / 1024);
  return mib < 10 ? fmt::format("{:.2g} MiB", mib) : fmt::format("{:.0f} MiB", mib);
}

std::string each_text(const std::string& each, const Hits& hits) {
  const bool is_prose = each.find(' ') != std::string::npos;  // else the value of an option
  const std::size_t most = is_prose ? 8 : 50;
  const char* const separator = is_prose ? ", " : ",";
  std::string text;
  std::set<std::string> seen;
  for (const MessageHit& hit : hits) {
    const std::string one = expand(each, hit.values);
    if (one.empty() || !seen.insert(one).second) continue;
    if (seen.size() > most) return text + separator + "…";
    text += (text.empty() ? "" : separator) + one;
  }
  return text;
}

std::int64_t most_bytes(const Hits& hits) {
  std::int64_t most = 0;
  for (const MessageHit& hit : hits) {
    for (const auto& [group, unit] :
         {std::pair("bytes", std::int64_t{1}), std::pair("megabytes", kMiB)}) {
      const auto found = hit.values.find(group);
      if (found == hit.values.end()) continue;
      std::int64_t count = 0;
      const char* const end = found->second.data() + found->second.size();
      const auto [stop, error] = std::from_chars(found->second.data(), end, count);
      if (error != std::errc() || stop != end || count > (std::int64_t{1} << 60) / unit) continue;
      most = std::max(most, count * unit);
    }
  }
  return most;
}

}  // namespace

// What the tactics asked for that the workspace does not hold, and the limit that would admit all.
void add_workspace(const Build& build, Values& values) {
  if (!build.memory.workspace_refused) return;
  const WorkspaceRefused& refused = *build.memory.workspace_refused;
  const bool is_one = refused.least_bytes == refused.most_bytes;
  values["workspace_allowed"] = workspace_text(refused.available_bytes);
  values["workspace_need"] =
      fmt::format("{} asked for {}{} of workspace; {} was allowed",
                  count_text(static_cast<std::size_t>(refused.tactics), "tactic"),
                  is_one ? "" : workspace_text(refused.least_bytes) + " to ",
                  workspace_text(refused.most_bytes), values["workspace_allowed"]);
  values["workspace_mib"] = std::to_string(refused.most_bytes / kMiB + 1);
}

void say_all(const std::string& each, const Hits& hits, Values& values) {
  values["each"] = each_text(each, hits);
  if (const std::int64_t bytes = most_bytes(hits); bytes > 0)
    values["size"] = workspace_text(bytes);
}

void say_message(const Build& build, const Message& message, Values& values) {
  values["message"] = shortened(said_of(message.text), kMessageText);
  std::string input = build.producer + '\n' + build.command;
  for (const Message& said : build.messages) input += '\n' + said.text;
  if (const std::optional<NearRule> near = nearest_rule(message.text, input, Speaker::tensorrt)) {
    values["nearest"] = near->rule;
  }
}

void say_phase(const std::optional<FailedPhase>& phase, Values& values) {
  if (const char* what = phase ? what_failed(*phase) : nullptr) values["moment"] = what;
  // An engine that is loaded has no model any more, and no kernels to choose.
  if (phase == FailedPhase::load) values["loads"] = "engine";
  if (phase != FailedPhase::load) values["built_model"] = "model";
}

Values build_values(const Build& build) {
  Values values;
  add_workspace(build, values);
  add_open_dimensions(build, values);
  if (build.last_timed) {
    values["layer"] = shortened(build.last_timed->layer, kMaxValue);
    values["runner"] = shortened(build.last_timed->runner, kMaxValue);
    values["format_combination"] = shortened(build.last_timed->format_combination, kMaxValue);
  }
  const bool ends_in_parser =
      std::string_view(last_stage(build)) == "parsing the network" && build.stages.empty();
  if (ends_in_parser) {
    values["parsed"] = shortened(name_label(build.onnx_nodes.back().name), kMaxValue);
  }
  if (build.tensorrt) {
    const Version& v = *build.tensorrt;
    values["version"] =
        std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
  }
  if (build.gpu) {
    values["gpu"] = shortened(build.gpu->name, kMaxValue);
    values["sm"] = build.gpu->compute_capability;
  }
  return values;
}

}  // namespace trtlens::message_rules
