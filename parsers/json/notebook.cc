#include "parsers/json/notebook.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parsers/json/positions.h"

namespace trtlens {
namespace {

using json_detail::LineCounter;
using json_detail::TextIterator;
using json_detail::TextSource;

// The interface that nlohmann's sax_parse expects; the names are its own.
class OutputHandler {
 public:
  OutputHandler(TextSource& source, LineCounter& places, const NotebookSink& sink)
      : source_(source), places_(places), sink_(sink) {}

  static bool null() { return true; }
  static bool boolean(bool /*value*/) { return true; }
  static bool number_integer(std::int64_t /*value*/) { return true; }
  static bool number_unsigned(std::uint64_t /*value*/) { return true; }
  static bool number_float(double /*value*/, const std::string& /*text*/) { return true; }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }
  bool string(const std::string& value) {
    if (!is_output()) return true;
    print(value, places_.at(source_.offset() - 1).line);
    if (levels_.back().is_object) flush();  // not a list of strings
    return true;
  }
  bool start_object(std::size_t /*size*/) { return deeper(true); }
  bool start_array(std::size_t /*size*/) { return deeper(false); }
  bool key(const std::string& value) {
    levels_.back().key = value;
    return true;
  }
  bool end_object() { return higher(); }
  bool end_array() { return higher(); }
  static bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                          const nlohmann::detail::exception& /*error*/) {
    return false;
  }

  // What is left of a text without an end. Returns how many lines there were.
  std::uint64_t finish() {
    flush();
    return lines_;
  }

 private:
  static constexpr std::size_t kMostLevels = 200;
  struct Level {
    bool is_object;
    std::string key;
  };

  bool deeper(bool is_object) {
    levels_.push_back({is_object, {}});
    return levels_.size() <= kMostLevels;
  }
  bool higher() {
    flush();
    levels_.pop_back();
    return true;
  }

  // "outputs": [ … { "text": [ "…", …
  [[nodiscard]] bool is_output() const {
    if (levels_.size() < 4) return false;
    const std::size_t inner = levels_.size() - (levels_.back().is_object ? 1 : 2);
    const Level& cell = levels_[inner - 2];
    return levels_[inner].is_object && levels_[inner].key == "text" &&
           !levels_[inner - 1].is_object && cell.is_object && cell.key == "outputs";
  }

  // The strings of a list are one text, however it was cut.
  void print(std::string_view text, std::uint64_t line) {
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
      if (pending_.empty()) pending_line_ = line;
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

  TextSource& source_;
  LineCounter& places_;
  const NotebookSink& sink_;
  std::vector<Level> levels_;
  std::uint64_t lines_ = 0;
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
  LineCounter source_lines(text, 0), places(text, 0);
  TextSource source(text, 0, source_lines);
  OutputHandler handler(source, places, sink);
  // A defect ends it, and what stood before was handed on.
  static_cast<void>(nlohmann::json::sax_parse(TextIterator(source), TextIterator(), &handler));
  return handler.finish();
}

}  // namespace trtlens
