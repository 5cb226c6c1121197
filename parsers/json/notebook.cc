#include "parsers/json/notebook.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trtlens {
namespace {

// Only as much of JSON as tells where a string stands: in what, under which key, on which line.
class NotebookReader {
 public:
  NotebookReader(std::string_view text, const NotebookSink& sink) : text_(text), sink_(sink) {}

  std::uint64_t read() {
    while (at_ < text_.size() && take(text_[at_])) {
    }
    flush();
    return lines_;
  }

 private:
  static constexpr std::size_t kMostLevels = 200;
  struct Level {
    bool is_object;
    bool at_key;
    std::string key;
  };

  // False: the text is no JSON from here on.
  bool take(char c) {
    switch (c) {
      case '{':
      case '[':
        if (levels_.size() >= kMostLevels) return false;
        levels_.push_back({c == '{', c == '{', {}});
        break;
      case '}':
      case ']':
        flush();
        if (levels_.empty() || levels_.back().is_object != (c == '}')) return false;
        levels_.pop_back();
        break;
      case ',':
        if (!levels_.empty()) levels_.back().at_key = levels_.back().is_object;
        break;
      case ':':
        if (!levels_.empty()) levels_.back().at_key = false;
        break;
      case '\n':
        ++line_;
        break;
      case '"':
        return take_string();
      default:
        break;
    }
    ++at_;
    return true;
  }

  bool take_string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    if (end >= text_.size() || text_[end] != '"') return false;
    const std::string_view token = text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    if (levels_.empty()) return true;
    if (levels_.back().at_key) {
      levels_.back().key = token.substr(1, token.size() - 2);
    } else if (is_output()) {
      const auto value = nlohmann::json::parse(token.begin(), token.end(), nullptr, false);
      if (!value.is_string()) return false;
      print(value.get_ref<const std::string&>());
      if (levels_.back().is_object) flush();  // not a list of strings
    }
    return true;
  }

  // "outputs": [ … { "text": [ "…", …
  [[nodiscard]] bool is_output() const {
    const std::size_t inner = levels_.size() - (levels_.back().is_object ? 1 : 2);
    if (levels_.size() < 4 || !levels_[inner].is_object || levels_[inner].key != "text") {
      return false;
    }
    const Level& cell = levels_[inner - 2];
    return !levels_[inner - 1].is_object && cell.is_object && cell.key == "outputs";
  }

  // The strings of a list are one text, however it was cut.
  void print(std::string_view text) {
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
      if (pending_.empty()) pending_line_ = line_;
      const std::size_t newline = text.find('\n');
      end = newline == std::string_view::npos ? text.size() : newline + 1;
      pending_ += text.substr(0, end);
      if (newline != std::string_view::npos) flush();
    }
  }

  void flush() {
    if (pending_.empty()) return;
    if (pending_.back() == '\n') pending_.pop_back();
    ++lines_;
    sink_(pending_, pending_line_);
    pending_.clear();
  }

  std::string_view text_;
  const NotebookSink& sink_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1, lines_ = 0;
  std::vector<Level> levels_;
  std::string pending_;  // a line without its end yet
  std::uint64_t pending_line_ = 0;
};

}  // namespace

bool looks_like_notebook(std::string_view first_bytes) {
  const auto has = [&](std::string_view key) {
    return first_bytes.find(key) != std::string_view::npos;
  };
  return has("\"nbformat\"") || (has("\"cells\"") && has("\"cell_type\""));
}

std::uint64_t read_notebook(std::string_view text, const NotebookSink& sink) {
  return NotebookReader(text, sink).read();
}

}  // namespace trtlens
