// Finds a row by its gate, then asks its extractor or its pattern.
#include "parsers/log/grammar/line_kind.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "parsers/text/eight_bytes.h"

namespace trtlens {
namespace {

RE2::Options pattern_options() {
  RE2::Options options;
  options.set_dot_nl(true);
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);  // names hold any bytes
  return options;
}

bool match_pattern(const RE2& pattern, std::string_view body, Match& match) {
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

// A distinctive gate claims the line: when its pattern misses, the line is malformed, not unknown.
// Short ones ("Using ", ": ") only choose which patterns to try; a short key that ends in its
// separator ("Tactic: ", "Layer(") is distinctive all the same.
bool is_distinctive(const LineKind& kind) {
  const std::string_view literal = kind.literal;
  if (kind.gate != Gate::prefix) return literal.size() >= 12;
  if (literal.size() >= 10) return true;
  return literal.size() >= 6 &&
         (literal.back() == '(' || literal.substr(literal.size() - 2) == ": ");
}

// How common a byte is in layer names and messages, roughly; a search looks for the rarest first.
int frequency(char c) {
  constexpr std::string_view kCommonFirst = " etaoinrs_/.0123456789lcdumpfghvybwkxqzjTLRCSAD";
  const std::size_t at = kCommonFirst.find(c);
  return at == std::string_view::npos ? 0 : static_cast<int>(kCommonFirst.size() - at);
}

bool has_infix(std::string_view body, std::string_view literal, std::size_t rare) {
  if (body.size() < literal.size()) return false;
  const char* from = body.data() + rare;
  const char* const end = body.data() + (body.size() - literal.size()) + rare + 1;
  while (from < end) {
    const void* hit = std::memchr(from, literal[rare], static_cast<std::size_t>(end - from));
    if (hit == nullptr) return false;
    from = static_cast<const char*>(hit);
    if (std::memcmp(from - rare, literal.data(), literal.size()) == 0) return true;
    ++from;
  }
  return false;
}

bool takes_any_end(std::string_view regex) {
  const std::size_t last = regex.find_last_not_of(")?");
  return last != std::string_view::npos && last > 0 && (regex[last] == '*' || regex[last] == '+') &&
         regex[last - 1] == '.';
}

}  // namespace

LineKindTable::Entry::Entry(const LineKind& row, bool short_cuts)
    : kind(&row),
      literal(row.literal),
      claims(is_distinctive(row)),
      is_open_ended(takes_any_end(row.regex)) {
  if (short_cuts) {
    tail = tail_of(row);
    extract = row.extract;
    Match match;
    const std::string longer = row.sample + std::string(" x [07/07/2026-02:11:05] [E] x");
    extracts_any_end = is_open_ended && extract != nullptr && extract(longer, match);
  }
  for (std::size_t i = 1; i < literal.size(); ++i) {
    if (frequency(literal[i]) < frequency(literal[rare])) rare = i;
  }
}

LineKindTable::Entry::~Entry() {
  delete compiled.load();
}

// Patterns are compiled when first needed: a log uses a fraction of them, and --version none.
const RE2& LineKindTable::Entry::pattern() const {
  const RE2* made = compiled.load(std::memory_order_acquire);
  if (made != nullptr) return *made;
  static const RE2::Options options = pattern_options();
  const RE2* fresh = new RE2(kind->regex, options);
  if (compiled.compare_exchange_strong(made, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;  // another thread was faster
  return *made;
}

bool LineKindTable::gate_open(const Entry& entry, std::string_view body) {
  const std::string_view literal = entry.literal;
  switch (entry.kind->gate) {
    case Gate::prefix:
      return body.substr(0, literal.size()) == literal;
    case Gate::infix:
      return has_infix(body, literal, entry.rare);
    case Gate::suffix:
      return body.size() >= literal.size() && body.substr(body.size() - literal.size()) == literal;
  }
  return false;
}

// "Removing (.+)" behind the gate "Removing " needs no pattern: the gate was all of it.
LineKindTable::Tail LineKindTable::tail_of(const LineKind& kind) {
  std::string_view regex = kind.regex;
  if (kind.gate != Gate::prefix || kind.literal[0] == '\0') return Tail::pattern;
  for (const char c : std::string_view(kind.literal)) {
    if (!regex.empty() && regex[0] == '\\') regex.remove_prefix(1);
    const bool is_operator = std::strchr(".*+?()[]{}|^$", c) != nullptr;
    if (regex.empty() || regex[0] != c || (is_operator && regex.data()[-1] != '\\')) {
      return Tail::pattern;
    }
    regex.remove_prefix(1);
  }
  if (regex.empty()) return Tail::nothing;
  if (regex == ".*") return Tail::any;
  if (regex == "(.*)") return Tail::captured;
  if (regex == "(.+)") return Tail::captured_some;
  return Tail::pattern;
}

bool LineKindTable::matches(const Entry& entry, std::string_view body, Match& match) {
  if (entry.tail != Tail::pattern) {
    const std::string_view rest = body.substr(entry.literal.size());
    const bool captures = entry.tail == Tail::captured || entry.tail == Tail::captured_some;
    match.fields = captures ? 1 : 0;
    match.field[0] = captures ? rest : std::string_view();
    return !((entry.tail == Tail::nothing && !rest.empty()) ||
             (entry.tail == Tail::captured_some && rest.empty()));
  }
  match.tactic.reset();
  return match_pattern(entry.pattern(), body, match);
}

bool LineKindTable::matches(const LineKind& kind, std::string_view body, Match& match) {
  return match_pattern(RE2(kind.regex, pattern_options()), body, match);
}

LineKindTable::LineKindTable(bool short_cuts) {
  const std::array<LineKinds, 16> tables = {
      kinds_of_options(),     kinds_of_session(),   kinds_of_inference(),  kinds_of_performance(),
      kinds_of_profile(),     kinds_of_layers(),    kinds_of_autotuning(), kinds_of_myelin(),
      kinds_of_onnx_parser(), kinds_of_precision(), kinds_of_graph(),      kinds_of_memory(),
      kinds_of_errors(),      kinds_of_library(),   kinds_of_producers(),  kinds_of_process()};
  for (const LineKinds& table : tables) {
    for (std::size_t i = 0; i < table.size; ++i) {
      const Entry& entry = entries_.emplace_back(table.begin[i], short_cuts);
      const LineKind& kind = *entry.kind;
      kinds_.push_back(&kind);
      if ((kind.flags & kLast) != 0) {
        last_.push_back(&entry);
      } else if (kind.gate != Gate::prefix) {
        by_search_.push_back(&entry);
      } else if (kind.literal[0] == '\0') {
        of_section_.push_back(&entry);
      } else {
        const std::size_t known = std::min<std::size_t>(entry.literal.size(), 8);
        const std::uint64_t mask =
            first_eight(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff", known));
        by_first_byte_[static_cast<unsigned char>(kind.literal[0])].push_back(
            {first_eight(entry.literal) & mask, mask, &entry});
      }
    }
  }
  // In this order for the patterns, too: where two kinds with one start fit, the hot one is meant.
  const auto hot = [](const Entry* entry) { return entry->kind->extract != nullptr; };
  for (auto& starts : by_first_byte_) {
    std::stable_partition(starts.begin(), starts.end(),
                          [&](const Start& start) { return hot(start.entry); });
  }
  if (!short_cuts) return;
  std::copy_if(by_search_.begin(), by_search_.end(), std::back_inserter(hot_by_search_), hot);
}

const LineKindTable& LineKindTable::instance() {
  static const LineKindTable table(true);
  return table;
}

const LineKindTable& LineKindTable::by_patterns_only() {
  static const LineKindTable table(false);
  return table;
}

// Where another line may begin.
std::string_view LineKindTable::behind_gate(const Entry& entry, std::string_view body) {
  return entry.kind->gate == Gate::prefix ? body.substr(entry.literal.size()) : body;
}

// An extractor that takes a line vouches for the gate: a few comparisons instead of a search.
inline bool LineKindTable::extracts(const Entry& entry, std::string_view body, Match& match) {
  match.tactic.reset();
  if (!entry.extract(body, match)) return false;
  return !entry.extracts_any_end || !holds_stamp(behind_gate(entry, body));
}

const LineKindTable::Entry* LineKindTable::extracting(std::string_view body, Match& match) const {
  for (auto at = hot_by_search_.begin(); at != hot_by_search_.end(); ++at) {
    if (!extracts(**at, body, match)) continue;
    // The pattern of a row before it may take what its extractor declined.
    const bool is_first = std::none_of(
        hot_by_search_.begin(), at, [&](const Entry* before) { return gate_open(*before, body); });
    return is_first ? *at : nullptr;
  }
  return nullptr;
}

LineKindTable::Result LineKindTable::find(std::string_view body, LogSection section, bool bare,
                                          Match& match) const {
  Result result;
  const auto claim = [&](const Entry& entry) {
    if (!entry.claims) return;
    result.gate_hit = true;
    if (result.near == nullptr) result.near = entry.kind;
  };
  const auto try_kind = [&](const Entry& entry) {
    const LineKind& kind = *entry.kind;
    if (kind.section != LogSection::any && kind.section != section) return false;
    if (bare && (kind.flags & kBare) == 0) return false;
    const bool is_extracted = entry.extract != nullptr && extracts(entry, body, match);
    if (!is_extracted && !gate_open(entry, body)) return false;
    claim(entry);
    // The end that a pattern takes may be another line.
    if (!is_extracted && (!matches(entry, body, match) ||
                          (entry.is_open_ended && holds_stamp(behind_gate(entry, body))))) {
      return false;
    }
    result.kind = &kind;
    return true;
  };
  if (section != LogSection::none) {
    for (const Entry* entry : of_section_) {
      if (try_kind(*entry)) return result;
    }
  }
  if (!body.empty()) {
    const std::uint64_t eight = first_eight(body);
    for (const Start& start : by_first_byte_[static_cast<unsigned char>(body[0])]) {
      if (((start.eight ^ eight) & start.mask) == 0 && try_kind(*start.entry)) return result;
    }
  }
  if (const Entry* entry = bare ? nullptr : extracting(body, match)) {
    claim(*entry);
    result.kind = entry->kind;
    return result;
  }
  for (const auto* entries : {&by_search_, &last_}) {
    for (const Entry* entry : *entries) {
      if (try_kind(*entry)) return result;
    }
  }
  return result;
}

// Nearly every line of a verbose build: an extractor takes it, or the gate is all of its pattern.
const LineKind* LineKindTable::find_usual(std::string_view body, Match& match) const {
  const std::uint64_t eight = first_eight(body);
  for (const Start& start :
       by_first_byte_[body.empty() ? 0 : static_cast<unsigned char>(body[0])]) {
    if (((start.eight ^ eight) & start.mask) != 0) continue;
    const Entry& entry = *start.entry;
    if (entry.extract != nullptr && entry.kind->section == LogSection::any &&
        extracts(entry, body, match)) {
      return entry.kind;
    }
    if (!gate_open(entry, body)) continue;
    const bool is_whole = entry.tail != Tail::pattern && entry.kind->section == LogSection::any &&
                          matches(entry, body, match) &&
                          !(entry.is_open_ended && holds_stamp(behind_gate(entry, body)));
    return is_whole ? entry.kind : find(body, LogSection::none, false, match).kind;
  }
  if (const Entry* entry = extracting(body, match)) return entry->kind;
  return find(body, LogSection::none, false, match).kind;
}

}  // namespace trtlens
