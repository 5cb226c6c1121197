// JSON with the place of every value and key, for rule files and contracts, whose faults are
// reported by line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trtlens {

struct PlacedJson {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;                                       // of a string
  std::vector<PlacedJson> items;                          // of an array, or the values of an object
  std::vector<std::pair<std::string, std::size_t>> keys;  // of an object, parallel to items
  std::size_t offset = 0;                                 // of its first byte
};

struct PlacedJsonError {
  std::size_t offset = 0;
  std::string message;
};

enum class JsonComments : bool { refused, skipped };

// Nesting is limited; nothing is returned when the text is not JSON.
[[nodiscard]] std::optional<PlacedJson> parse_placed_json(
    std::string_view text, PlacedJsonError& error, JsonComments comments = JsonComments::refused);

// Where the lines of a text begin.
class LineStarts {
 public:
  explicit LineStarts(std::string_view text);
  // 1-based line and column (in bytes) of an offset.
  [[nodiscard]] std::pair<std::size_t, std::size_t> line_and_column(std::size_t offset) const;

 private:
  std::vector<std::size_t> starts_;
  std::size_t size_;
};

[[nodiscard]] const char* to_string(PlacedJson::Kind kind);

}  // namespace trtlens
