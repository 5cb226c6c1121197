// A list of layers in the inspector's one-line form that a terminal or an editor wrapped: the
// pieces of a layer are put together again.
#include <algorithm>
#include <cctype>
#include <utility>

#include "parsers/log/log_state.h"

namespace trtlens {
namespace {

constexpr std::string_view kName = "Name: ";
constexpr std::size_t kLeastWidth = 40;                   // columns
constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a layer

bool begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Characters, which is what a terminal counts.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// Whether a bracket is open at the end: in a list of dimensions, of tensors, of ONNX nodes.
bool is_open(std::string_view text) {
  return std::count(text.begin(), text.end(), '[') > std::count(text.begin(), text.end(), ']') ||
         std::count(text.begin(), text.end(), '{') > std::count(text.begin(), text.end(), '}');
}

// ", StreamId: ", or more brackets closed than opened: stands in such a line, and in no name.
bool holds_key(std::string_view text) {
  if (std::count(text.begin(), text.end(), ']') > std::count(text.begin(), text.end(), '[')) {
    return true;
  }
  for (std::size_t at = text.find(", "); at != std::string_view::npos; at = text.find(", ", at)) {
    at += 2;
    std::size_t end = at;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    const bool upper = end > at && std::isupper(static_cast<unsigned char>(text[at])) != 0;
    if (upper && text.substr(end, 2) == ": ") return true;
  }
  return false;
}

// "…, Tactic" of "TacticName: ", "TacticValue: 0x05b6" of 16 digits: cut in a place where what
// stands before would do as a layer.
bool is_cut(std::string_view text) {
  constexpr std::string_view kValue = ", TacticValue: 0x";
  const std::size_t field = text.rfind(", ");
  if (field != std::string_view::npos && text.find(':', field) == std::string_view::npos)
    return true;
  const std::size_t at = text.rfind(kValue);
  if (at == std::string_view::npos) return false;
  const std::string_view digits = text.substr(at + kValue.size());
  return digits.size() < 16 && digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

bool ends_list(std::string_view text) {
  return text == "Bindings:" || text == "I/O Tensors:" || text == "Engine Metadata:";
}

}  // namespace

// A layer waits for the next line, which may be the rest of it.
bool LogParser::State::begins_layer(const LogLine& parsed) const {
  return run && run->section == LogSection::layer_names && begins(parsed.body, kName);
}

LineVerdict LogParser::State::hold_layer(const LogLine& parsed, SourcePos pos) {
  layer.text = parsed.body;
  layer.pos = pos;
  layer.last_bytes = parsed.body.size();
  layer.pieces = 1;
  return {LineClass::recognised, "layer-oneline"};
}

// A piece is as wide as the terminal but for the last one of its layer.
bool LogParser::State::is_rest_of_layer(const LogLine& parsed) const {
  const bool bare = !parsed.own && !parsed.verdict && parsed.severity == LogSeverity::unknown;
  const std::string_view body = parsed.body;
  if (!bare || body.empty() || ends_list(body)) return false;
  const bool is_tensor = begins(body, kName);
  if (is_tensor && body.find(", LayerType: ") != std::string_view::npos) return false;
  const std::string_view whole = layer.text;
  const std::size_t width = columns_of(whole.substr(whole.size() - layer.last_bytes));
  if (width < kLeastWidth || columns_of(body) > width) return false;
  if (layer.pieces > 1 && width != layer.width) return false;
  if (whole.size() >= kMostBytes) return false;
  // Asking the pattern for every piece of a long layer would take its square.
  if (width == layer.width && !is_tensor) return true;
  // "Metadata: " ends in a blank; a line of blanks ends the list elsewhere.
  if (body.find_first_not_of(" \t") == std::string_view::npos) return false;
  if (whole.find(", LayerType: ") == std::string_view::npos && !holds_key(body) &&
      body.find(", LayerType: ") == std::string_view::npos && layer.width == 0) {
    return false;  // a list of names, of which one begins so
  }
  Match match;
  const auto found = kinds.find(whole, LogSection::none, true, match);
  if (found.kind == nullptr || is_open(whole) || is_cut(whole)) return true;
  return !is_tensor && holds_key(body);
}

LineVerdict LogParser::State::add_to_layer(const LogLine& parsed) {
  layer.width =
      columns_of(std::string_view(layer.text).substr(layer.text.size() - layer.last_bytes));
  layer.text += parsed.body;
  layer.last_bytes = parsed.body.size();
  ++layer.pieces;
  return {LineClass::continuation, ""};
}

// Pieces that make no layer are none: there is no name to be had of them.
void LogParser::State::release_layer() {
  if (layer.text.empty()) return;
  const std::string text = std::exchange(layer.text, {});
  LogLine line;
  line.raw = line.body = text;
  Match match;
  match.line = &line;
  match.pos = layer.pos;
  const LogSection section = layer.pieces == 1 ? LogSection::layer_names : LogSection::none;
  const auto found = kinds.find(text, section, true, match);
  if (run && found.kind != nullptr) {
    const bool was_open = opened;
    apply(*found.kind, match);
    opened = was_open;
  }
}

}  // namespace trtlens
