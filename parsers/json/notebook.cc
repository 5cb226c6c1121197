#include "parsers/json/notebook.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "parsers/json/encoding.h"
#include "parsers/json/positions.h"
#include "parsers/json/utf8_pieces.h"
#include "parsers/log/framing/lines.h"

namespace trtlens {
namespace {

using json_detail::LineCounter;
using json_detail::TextIterator;
using json_detail::TextSource;

// The interface that nlohmann's sax_parse expects; the names are its own.
class OutputHandler {
 public:
  OutputHandler(TextSource& source, LineCounter& places, const ContainedLogSink& sink)
      : source_(source), places_(places), sink_(sink) {
    // Of the window over the file, what was read may go, also in the middle of a token: of where
    // it began nobody asks.
    source_.keep_from(std::numeric_limits<std::size_t>::max());
  }

  static bool null() { return true; }
  static bool boolean(bool /*value*/) { return true; }
  static bool number_integer(std::int64_t /*value*/) { return true; }
  static bool number_unsigned(std::uint64_t /*value*/) { return true; }
  static bool number_float(double /*value*/, const std::string& /*text*/) { return true; }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }
  bool string(const std::string& value) {
    if (!is_output()) return true;
    print(source_.text_of(value), places_.at(source_.offset() - 1).line);
    if (levels_.back().is_object) flush();  // not a list of strings
    return true;
  }
  bool start_object(std::size_t /*size*/) { return deeper(true); }
  bool start_array(std::size_t /*size*/) { return deeper(false); }
  bool key(const std::string& value) {
    levels_.back().key = source_.text_of(value);
    return true;
  }
  bool end_object() { return higher(); }
  bool end_array() { return higher(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) {
    return stop();
  }
  // Where it stopped reading; 0: nowhere.
  [[nodiscard]] std::uint64_t defect_line() const { return defect_line_; }

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

  bool stop() {
    defect_line_ = places_.at(source_.offset()).line;
    return false;
  }
  bool deeper(bool is_object) {
    levels_.push_back({is_object, {}});
    return levels_.size() <= kMostLevels || stop();
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
      // The parser cuts what is longer, and says so.
      const std::size_t room = LineSplitter::kMaxLineBytes + 1 - pending_.size();
      pending_ += text.substr(0, std::min(end, room));
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
  const ContainedLogSink& sink_;
  std::vector<Level> levels_;
  std::uint64_t lines_ = 0, defect_line_ = 0;
  std::string pending_;  // a line without its end yet
  std::uint64_t pending_line_ = 0;
};

// The first key, as Jupyter sorts them: the first cell may be longer than what was read.
bool begins_with_cells(std::string_view text) {
  text = json_detail::without_bom(text);
  const auto skip = [&](std::string_view token) {
    text = json_detail::skip_blanks(text);
    if (text.substr(0, token.size()) != token) return false;
    text.remove_prefix(token.size());
    return true;
  };
  return skip("{") && skip("\"cells\"") && skip(":") && skip("[");
}

}  // namespace

bool looks_like_notebook(std::string_view first_bytes) {
  const auto has = [&](std::string_view key) {
    return first_bytes.find(key) != std::string_view::npos;
  };
  return begins_with_cells(first_bytes) || has("\"nbformat\"") ||
         (has("\"cells\"") && has("\"cell_type\""));
}

ContainedLogEnd read_notebook(const std::function<std::string_view()>& next,
                              const ContainedLogSink& sink) {
  LineCounter places({}, 0);
  TextSource source(json_detail::Utf8Pieces(next), places);
  OutputHandler handler(source, places, sink);
  // A defect ends it, and what stood before was handed on.
  static_cast<void>(nlohmann::json::sax_parse(TextIterator(source), TextIterator(), &handler));
  return {handler.finish(), handler.defect_line()};
}

}  // namespace trtlens
