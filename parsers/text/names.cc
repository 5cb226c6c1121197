// Takes names of fused layers apart: " + ", PWN(…), region brackets, Myelin's suffixes.
#include "parsers/text/names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <unordered_set>
#include <utility>

#include "parsers/text/ascii.h"

namespace trtlens {
namespace {

using std::string_view_literals::operator""sv;

// Nesting of PWN( and {ForeignNode[ is 4 deep at most in real names; a hostile name must not
// exhaust the stack.
constexpr int kMaxNesting = 32;
constexpr std::string_view kOnnxMarker = "[ONNX Layer: ";

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Removes trailing digits; false when there were none.
bool strip_digits(std::string_view& text) {
  const std::size_t before = text.size();
  while (!text.empty() && is_digit(text.back())) text.remove_suffix(1);
  return text.size() < before;
}

// What a byte does to the depth of brackets.
constexpr auto kBrackets = [] {
  std::array<std::int8_t, 256> steps{};
  for (const char c : {'(', '[', '{'}) steps[static_cast<unsigned char>(c)] = 1;
  for (const char c : {')', ']', '}'}) steps[static_cast<unsigned char>(c)] = -1;
  return steps;
}();

// Position of `separator` at `from` or later, outside brackets; npos when there is none.
class TopLevel {
 public:
  explicit TopLevel(std::string_view text) : text_(text) {}

  // The parts between any of the separators, all of which begin with the same byte; none when there
  // is no separator. Brackets count only when they balance.
  [[nodiscard]] std::vector<std::string_view> split(
      std::initializer_list<std::string_view> separators) const {
    std::vector<std::string_view> parts;
    const auto occurs = [this](std::string_view s) { return text_.find(s) != text_.npos; };
    if (std::none_of(separators.begin(), separators.end(), occurs)) return parts;
    int depth = 0;
    for (char c : text_) depth += bracket(c);
    const bool balanced = depth == 0;
    const char first = separators.begin()->front();
    depth = 0;
    std::size_t begin = 0;
    std::size_t i = 0;
    while (i < text_.size()) {
      const bool may_be = text_[i] == first && depth == 0;
      const std::size_t length = may_be ? separator_at(i, separators) : 0;
      if (length > 0) {
        parts.push_back(trim(text_.substr(begin, i - begin)));
        i += length;
        begin = i;
        continue;
      }
      if (balanced) depth += bracket(text_[i]);
      if (depth < 0) depth = 0;
      ++i;
    }
    parts.push_back(trim(text_.substr(begin)));
    return parts;
  }

 private:
  static int bracket(char c) { return kBrackets[static_cast<unsigned char>(c)]; }

  [[nodiscard]] std::size_t separator_at(std::size_t i,
                                         std::initializer_list<std::string_view> separators) const {
    for (std::string_view separator : separators) {
      if (text_.substr(i).starts_with(separator)) return separator.size();
    }
    return 0;
  }

  std::string_view text_;
};

enum class PartKind : std::uint8_t { node, unnamed, constant, generated };

struct Part {
  PartKind kind = PartKind::node;
  std::string_view name;  // a piece of the whole name
};

// `__myl_MulAdd_myl1_39`, `node_linear_myl5_2`: true when the suffix was there.
bool strip_myelin_suffix(std::string_view& name) {
  std::string_view rest = name;
  if (!strip_digits(rest) || !rest.ends_with("_")) return false;
  rest.remove_suffix(1);
  if (!strip_digits(rest) || !rest.ends_with("_myl")) return false;
  rest.remove_suffix(4);
  name = rest;
  return true;
}

// Helper layers carry the node they serve: `reshape_after_Gemm_120_copy_input` is of Gemm_120.
std::string_view strip_helpers(std::string_view name) {
  for (std::string_view suffix : {"_copy_input"sv, "_copy_output"sv}) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  }
  std::string_view without_number = name;
  if (strip_digits(without_number) && without_number.ends_with("_clone_")) {
    name = without_number.substr(0, without_number.size() - 7);
  }
  constexpr std::string_view kFirstLetters = "ctrsu";  // most names begin with none of them
  if (name.empty() || kFirstLetters.find(name.front()) == name.npos) return name;
  for (std::string_view prefix :
       {"copied_"sv, "transpose_before_"sv, "transpose_after_"sv, "reshape_before_"sv,
        "reshape_after_"sv, "squeeze_before_"sv, "squeeze_after_"sv, "squeeze_node_after_"sv,
        "unsqueeze_before_"sv, "unsqueeze_after_"sv, "unsqueeze_node_after_"sv}) {
    if (name.starts_with(prefix) && name.size() > prefix.size()) name.remove_prefix(prefix.size());
  }
  return name;
}

// `[CONVOLUTION]-[aten_ops.convolution.default]-[/features/0/convolution]` -> its path. 2.3 and
// older write `]_[`.
std::optional<std::string_view> torch_path(std::string_view name) {
  if (!name.starts_with("[") || !name.ends_with("]")) return std::nullopt;
  for (std::string_view joint : {"]-["sv, "]_["sv}) {
    const std::size_t first = name.find(joint);
    if (first == std::string_view::npos) continue;
    const std::size_t second = name.find(joint, first + joint.size());
    if (second == std::string_view::npos) continue;
    const std::size_t begin = second + joint.size();
    return name.substr(begin, name.size() - begin - 1);
  }
  return std::nullopt;
}

// `/model.22/Constant_14_output_0` is the value of a constant, `onnx::Conv_193` an initializer.
bool is_constant_name(std::string_view name) {
  if (name.starts_with("onnx::") || name.starts_with("ONNXTRT_")) return true;
  for (std::string_view suffix : {".weight"sv, ".bias"sv, "/weight"sv, "/bias"sv}) {
    if (name.ends_with(suffix)) return true;
  }
  return strip_digits(name) && name.ends_with("_output_");
}

bool is_generated_name(std::string_view name) {
  if (name.empty() || name.starts_with("__my") || name.starts_with("dummy_shape_call")) {
    return true;
  }
  if (name.starts_with("[trainStation") || name.starts_with("[HostToDeviceCopy") ||
      name.starts_with("[DeviceToHostCopy")) {
    return true;
  }
  if (name.find("^signal^") != std::string_view::npos ||
      name.find("^wait^") != std::string_view::npos) {
    return true;
  }
  // `X copy` of a Concat input; `data to nvm`, `data copy finish`: transfers of DLA.
  return name.ends_with(" copy") || name.ends_with(" to nvm") || name.ends_with(" from nvm") ||
         name.ends_with(" finish");
}

Part leaf(std::string_view name) {
  if (const auto path = torch_path(name)) return {PartKind::node, *path};
  if (is_generated_name(name)) return {PartKind::generated, {}};
  if (name.starts_with("(Unnamed Layer*")) return {PartKind::unnamed, name};
  name = strip_helpers(name);
  if (is_generated_name(name)) return {PartKind::generated, {}};
  return {is_constant_name(name) ? PartKind::constant : PartKind::node, name};
}

void collect(std::string_view name, int nesting, std::vector<Part>& out);

void collect_all(std::string_view list, std::string_view separator, int nesting,
                 std::vector<Part>& out) {
  const std::vector<std::string_view> names = TopLevel(list).split({separator});
  if (names.empty()) collect(list, nesting, out);
  for (std::string_view part : names) collect(part, nesting, out);
}

// `{ForeignNode[first...last]}`, or `{a,b,c}` of a DLA subgraph.
void collect_braced(std::string_view name, int nesting, std::vector<Part>& out) {
  constexpr std::string_view kForeign = "{ForeignNode[";
  if (!name.starts_with(kForeign)) {
    collect_all(name.substr(1, name.size() - 2), ",", nesting, out);
    return;
  }
  name.remove_prefix(kForeign.size());
  if (name.ends_with("]}")) name.remove_suffix(2);
  const std::size_t dots = name.find("...");
  if (dots == std::string_view::npos) {
    collect(name, nesting, out);
    return;
  }
  collect(name.substr(0, dots), nesting, out);
  collect(name.substr(dots + 3), nesting, out);
}

void collect(std::string_view name, int nesting, std::vector<Part>& out) {
  name = trim(name);
  if (name.empty()) return;
  if (nesting >= kMaxNesting) {
    out.push_back(leaf(name));
    return;
  }
  const std::vector<std::string_view> parts = TopLevel(name).split({" + ", " || "});
  if (parts.size() > 1) {
    for (std::string_view part : parts) collect(part, nesting + 1, out);
    return;
  }
  if (name.starts_with("PWN(") && name.ends_with(")")) {
    collect_all(name.substr(4, name.size() - 5), ", ", nesting + 1, out);
    return;
  }
  if (name.size() > 2 && name.front() == '{' && name.back() == '}') {
    collect_braced(name, nesting + 1, out);
    return;
  }
  if (strip_myelin_suffix(name)) {
    if (is_generated_name(name)) return;
    collect_all(name, "+", nesting + 1, out);
    return;
  }
  out.push_back(leaf(name));
}

// Metadata leaves out the Q of a weight: `conv1.weight + QuantizeLinear_7 + Conv_9`.
void drop_weight_quantizers(std::vector<Part>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool quantizes = parts[i].name.find("QuantizeLinear") != std::string_view::npos &&
                           parts[i].name.find("DequantizeLinear") == std::string_view::npos;
    if (parts[i - 1].kind == PartKind::constant && parts[i].kind == PartKind::node && quantizes) {
      parts[i].kind = PartKind::generated;
    }
  }
}

// In order, each once, as texts of their own.
std::vector<SharedText> once_each(const std::vector<std::string_view>& names) {
  constexpr std::size_t kFew = 16;  // nearly always; no set is needed to look through them
  std::vector<SharedText> out;
  out.reserve(names.size());
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : names) {
    const bool is_new = names.size() > kFew ? seen.insert(name).second
                                            : std::find(out.begin(), out.end(), name) == out.end();
    if (!name.empty() && is_new) out.emplace_back(name);
  }
  return out;
}

std::vector<SharedText> of_kind(const std::vector<Part>& parts, PartKind kind) {
  std::vector<std::string_view> names;
  names.reserve(parts.size());
  for (const Part& part : parts) {
    if (part.kind == kind && !part.name.starts_with("ONNXTRT_")) names.push_back(part.name);
  }
  return once_each(names);
}

// Removes " [profile N]" anywhere: `node_linear [profile 1]_myl11_2`.
std::string without_profile_suffix(const std::string& name) {
  if (name.find(" [profile ") == std::string::npos) return name;  // faster than rfind
  const std::size_t begin = name.rfind(" [profile ");
  const std::size_t end = name.find(']', begin);
  if (end == std::string::npos) return name;
  return name.substr(0, begin) + name.substr(end + 1);
}

// An item of Metadata up to the next marker; separators that copy and paste mangled end it.
std::string_view metadata_item(std::string_view item) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  bool again = true;
  while (again) {
    again = false;
    if (item.ends_with(kReplacement)) {
      item.remove_suffix(kReplacement.size());
      again = true;
    } else if (!item.empty() && (item.back() == '+' || item.back() == ' ') &&
               item.find(']') != std::string_view::npos) {
      item.remove_suffix(1);
      again = true;
    }
  }
  if (item.ends_with("]")) item.remove_suffix(1);
  return item;
}

void metadata_items(std::string_view piece, std::vector<std::string_view>& out) {
  std::size_t begin = piece.find(kOnnxMarker);
  if (begin == std::string_view::npos) {
    out.push_back(trim(piece));
    return;
  }
  while (begin != std::string_view::npos) {
    begin += kOnnxMarker.size();
    const std::size_t next = piece.find(kOnnxMarker, begin);
    out.push_back(metadata_item(piece.substr(
        begin, next == std::string_view::npos ? std::string_view::npos : next - begin)));
    begin = next;
  }
}

// Whether the name is of no form that holds other names: all of them have a blank or a bracket, or
// Myelin's suffix. Most names are not; the grammar costs as much as reading the record.
bool is_one_leaf(std::string_view name) {
  const auto has = [name](char c) { return name.find(c) != name.npos; };
  return !has(' ') && !has('(') && !has('[') && !has('{') && !strip_myelin_suffix(name);
}

std::vector<SharedText> nodes_of_leaf(const SharedText& name) {
  const Part part = leaf(name);
  if (part.name.empty() || part.name.starts_with("ONNXTRT_")) return {};
  if (part.name.size() == name.size()) return {name};  // one text for both
  return {SharedText(part.name)};
}

// X of `X input reformatter 0`; empty when the name is none.
std::string old_reformatter_target(std::string_view name) {
  if (!strip_digits(name)) return {};
  for (std::string_view suffix : {" input reformatter "sv, " output reformatter "sv}) {
    if (name.ends_with(suffix)) return std::string(name.substr(0, name.size() - suffix.size()));
  }
  return {};
}

}  // namespace

std::vector<SharedText> onnx_nodes_of_metadata(std::string_view metadata) {
  std::vector<std::string_view> names;
  while (!metadata.empty()) {
    const std::size_t end = metadata.find_first_of("\x1e\x1f");
    metadata_items(metadata.substr(0, end), names);
    if (end == std::string_view::npos) break;
    metadata.remove_prefix(end + 1);
  }
  return once_each(names);
}

std::vector<SharedText> onnx_nodes_of_name(const SharedText& name) {
  if (is_one_leaf(name)) return nodes_of_leaf(name);
  if (!reformat_target(name).empty()) return {};
  const std::string whole = without_profile_suffix(name);
  std::vector<Part> parts;
  collect(whole, 0, parts);
  drop_weight_quantizers(parts);
  for (PartKind kind : {PartKind::node, PartKind::unnamed, PartKind::constant}) {
    std::vector<SharedText> names = of_kind(parts, kind);
    if (!names.empty()) return names;
  }
  return {};
}

std::string reformat_target(const std::string& name) {
  for (std::string_view prefix : {"Reformatting CopyNode for Network Input "sv,
                                  "Reformatting CopyNode for Network Output "sv}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  for (std::string_view prefix :
       {"Reformatting CopyNode for Input Tensor "sv, "Reformatting CopyNode for Output Tensor "sv,
        "Reformatted Input Tensor "sv, "Reformatted Output Tensor "sv}) {
    if (!name.starts_with(prefix)) continue;
    std::size_t at = prefix.size();
    while (at < name.size() && is_digit(name[at])) ++at;
    if (at > prefix.size() && name.compare(at, 4, " to ") == 0) return name.substr(at + 4);
  }
  return old_reformatter_target(name);
}

std::string_view myelin_graph_of_name(std::string_view name) {
  std::string_view rest = name;
  if (!strip_digits(rest) || !rest.ends_with("_")) return {};
  rest.remove_suffix(1);
  const std::string_view with_number = rest;
  if (!strip_digits(rest) || !rest.ends_with("_myl")) return {};
  return with_number.substr(rest.size());
}

bool is_myelin_name(std::string_view name) {
  return name.starts_with("__my");
}

int opt_profile_of_name(const std::string& name) {
  constexpr std::string_view kMark = "[profile ";
  if (name.find(kMark) == std::string::npos) return 0;  // faster than rfind
  const std::size_t begin = name.rfind(kMark);
  int number = 0;
  std::size_t at = begin + kMark.size();
  const std::size_t first = at;
  while (at < name.size() && is_digit(name[at]) && number < 100000) {
    number = number * 10 + (name[at] - '0');
    ++at;
  }
  return at > first && at < name.size() && name[at] == ']' ? number : 0;
}

}  // namespace trtlens
