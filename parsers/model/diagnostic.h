// Where something was read, and what was wrong with it. Standard library only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trtlens {

// A place in an input. `line` and `column` are 1-based; 0 means unknown. Columns count bytes.
struct SourcePos {
  std::uint32_t file = 0;  // index into Reading::inputs
  std::uint64_t line = 0;
  std::uint64_t column = 0;
};

enum class DiagnosticSeverity : std::uint8_t { note, warning, error };

// A defect of an input, in the words "expected X, found Y". Parsing goes on after it.
struct Diagnostic {
  std::string id;  // stable, kebab-case: "json-nan", "log-line-cut"
  DiagnosticSeverity severity = DiagnosticSeverity::warning;
  std::string file;  // as given by the user
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::string expected;
  std::string found;
};

// Every line of a log is in exactly one class.
enum class LineClass : std::uint8_t {
  recognised,    // a known kind with a fact in it
  noise,         // a known kind without a fact
  continuation,  // belongs to the message before it
  malformed,     // looks like a known kind (gate hit), but its pattern does not match
  unknown,       // TensorRT's or trtexec's prefix, no known kind
  foreign        // no TensorRT component wrote it
};
inline constexpr std::size_t kLineClassCount = 6;

// A line in which nothing is TensorRT's; a long one is cut.
struct ForeignLine {
  SourcePos pos;
  std::string text;
};

inline constexpr std::size_t kFirstForeign = 20;

struct Coverage {
  std::array<std::uint64_t, kLineClassCount> count{};
  std::vector<ForeignLine> first_foreign;  // the first twenty, before any line of TensorRT

  [[nodiscard]] std::uint64_t of(LineClass c) const { return count[static_cast<std::size_t>(c)]; }
  void add(LineClass c, std::uint64_t n = 1) { count[static_cast<std::size_t>(c)] += n; }
  [[nodiscard]] std::uint64_t lines() const {
    std::uint64_t sum = 0;
    for (std::uint64_t n : count) sum += n;
    return sum;
  }
  void add(const Coverage& other) {
    for (std::size_t i = 0; i < kLineClassCount; ++i) count[i] += other.count[i];
    for (const ForeignLine& line : other.first_foreign) {
      if (first_foreign.size() < kFirstForeign) first_foreign.push_back(line);
    }
  }
};

}  // namespace trtlens
