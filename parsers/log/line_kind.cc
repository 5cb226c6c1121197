#include "parsers/log/line_kind.h"

#include <re2/re2.h>

#include <memory>
#include <mutex>
#include <unordered_map>

namespace trtlens {
namespace {

// Patterns are compiled when first needed: a log uses a fraction of them, and --version none.
const RE2& compiled(const LineKind& kind) {
  static std::unordered_map<const LineKind*, std::unique_ptr<RE2>> cache;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<RE2>& slot = cache[&kind];
  if (!slot) {
    RE2::Options options;
    options.set_dot_nl(true);
    options.set_log_errors(false);
    options.set_encoding(RE2::Options::EncodingLatin1);  // names hold any bytes
    slot = std::make_unique<RE2>(kind.regex, options);
  }
  return *slot;
}

bool gate_open(const LineKind& kind, std::string_view body) {
  const std::string_view literal = kind.literal;
  switch (kind.gate) {
    case Gate::prefix:
      return body.substr(0, literal.size()) == literal;
    case Gate::infix:
      return body.find(literal) != std::string_view::npos;
    case Gate::suffix:
      return body.size() >= literal.size() && body.substr(body.size() - literal.size()) == literal;
  }
  return false;
}

// A distinctive gate claims the line: when its pattern misses, the line is malformed, not unknown.
// Short ones ("Using ", ": ") only choose which patterns to try; a short key that ends in its
// separator ("Tactic: ", "Layer(") is distinctive all the same.
bool claims(const LineKind& kind) {
  const std::string_view literal = kind.literal;
  if (kind.gate != Gate::prefix) return literal.size() >= 12;
  if (literal.size() >= 10) return true;
  return literal.size() >= 6 &&
         (literal.back() == '(' || literal.substr(literal.size() - 2) == ": ");
}

}  // namespace

bool LineKindTable::matches(const LineKind& kind, std::string_view body, Match& match) {
  const RE2& pattern = compiled(kind);
  if (!pattern.ok()) return false;
  const auto groups = static_cast<std::size_t>(pattern.NumberOfCapturingGroups());
  std::array<re2::StringPiece, Match::kMaxFields + 1> pieces;
  const auto wanted = static_cast<int>(std::min(groups, Match::kMaxFields) + 1);
  if (!pattern.Match(re2::StringPiece(body.data(), body.size()), 0, body.size(), RE2::ANCHOR_BOTH,
                     pieces.data(), wanted)) {
    return false;
  }
  match.fields = static_cast<std::size_t>(wanted) - 1;
  for (std::size_t i = 0; i < match.fields; ++i) {
    match.field[i] = pieces[i + 1].data() == nullptr
                         ? std::string_view()
                         : std::string_view(pieces[i + 1].data(), pieces[i + 1].size());
  }
  return true;
}

LineKindTable::LineKindTable() {
  const std::array<LineKinds, 13> tables = {
      kinds_of_options(),   kinds_of_session(), kinds_of_inference(),  kinds_of_performance(),
      kinds_of_profile(),   kinds_of_layers(),  kinds_of_autotuning(), kinds_of_onnx_parser(),
      kinds_of_precision(), kinds_of_graph(),   kinds_of_memory(),     kinds_of_errors(),
      kinds_of_library()};
  for (const LineKinds& table : tables) {
    for (std::size_t i = 0; i < table.size; ++i) {
      const LineKind& kind = table.begin[i];
      kinds_.push_back(&kind);
      if ((kind.flags & kLast) != 0) {
        last_.push_back(&kind);
      } else if (kind.gate != Gate::prefix) {
        by_search_.push_back(&kind);
      } else if (kind.literal[0] == '\0') {
        of_section_.push_back(&kind);
      } else {
        by_first_byte_[static_cast<unsigned char>(kind.literal[0])].push_back(&kind);
      }
    }
  }
}

const LineKindTable& LineKindTable::instance() {
  static const LineKindTable table;
  return table;
}

LineKindTable::Result LineKindTable::find(std::string_view body, Section section, bool bare,
                                          Match& match) const {
  Result result;
  const auto try_kind = [&](const LineKind& kind) {
    if (kind.section != Section::any && kind.section != section) return false;
    if (bare && (kind.flags & kBare) == 0) return false;
    if (!gate_open(kind, body)) return false;
    if (claims(kind)) {
      result.gate_hit = true;
      if (result.near == nullptr) result.near = &kind;
    }
    if (!matches(kind, body, match)) return false;
    result.kind = &kind;
    return true;
  };
  if (section != Section::none) {
    for (const LineKind* kind : of_section_) {
      if (try_kind(*kind)) return result;
    }
  }
  if (!body.empty()) {
    for (const LineKind* kind : by_first_byte_[static_cast<unsigned char>(body[0])]) {
      if (try_kind(*kind)) return result;
    }
  }
  for (const auto* kinds : {&by_search_, &last_}) {
    for (const LineKind* kind : *kinds) {
      if (try_kind(*kind)) return result;
    }
  }
  return result;
}

}  // namespace trtlens
