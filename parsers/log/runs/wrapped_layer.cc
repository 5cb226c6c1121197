// Tells by brackets, keys and width whether a layer goes on in the next line.
#include "parsers/log/runs/wrapped_layer.h"

#include <algorithm>
#include <cctype>

namespace trtlens {
namespace {

constexpr std::string_view kName = "Name: ";
constexpr std::string_view kType = ", LayerType: ";
constexpr std::size_t kMostAsked = 32;                    // few pieces begin as a tensor does
constexpr std::size_t kLeastWidth = 40;                   // columns
constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a layer

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

bool WrappedLayer::begins(std::string_view line) {
  return line.starts_with(kName);
}

void WrappedLayer::hold(std::string_view line, SourcePos pos) {
  text_ = line;
  pos_ = pos;
  last_bytes_ = line.size();
  pieces_ = 1;
  asked_ = 0;
}

std::size_t WrappedLayer::last_width() const {
  return columns_of(std::string_view(text_).substr(text_.size() - last_bytes_));
}

// A piece is as wide as the terminal but for the last one of its layer.
bool WrappedLayer::goes_on_with(std::string_view line, const IsLayer& is_layer) {
  if (line.empty() || ends_list(line)) return false;
  const bool is_tensor = line.starts_with(kName);
  if (is_tensor && line.find(kType) != std::string_view::npos) return false;
  const std::size_t width = last_width();
  if (width < kLeastWidth || columns_of(line) > width) return false;
  if (pieces_ > 1 && width != width_) return false;
  if (text_.size() >= kMostBytes) return false;
  if (width == width_ && !is_tensor) return true;
  // Looking at the whole text for every piece of a long layer would take its square.
  if (++asked_ > kMostAsked) return false;
  // "Metadata: " ends in a blank; a line of blanks ends the list elsewhere.
  if (line.find_first_not_of(" \t") == std::string_view::npos) return false;
  if (width_ == 0 && text_.find(kType) == std::string::npos && !holds_key(line) &&
      line.find(kType) == std::string_view::npos && columns_of(line) != width) {
    return false;  // a list of names, of which one begins so
  }
  if (!is_layer(text_) || is_open(text_) || is_cut(text_)) return true;
  return !is_tensor && holds_key(line);
}

void WrappedLayer::add(std::string_view line) {
  width_ = last_width();
  text_ += line;
  last_bytes_ = line.size();
  ++pieces_;
}

}  // namespace trtlens
