// Finds a row by its gate, then asks its extractor or its pattern.
#include "parsers/log/grammar/line_kind.h"

#include <re2/re2.h>

#include <algorithm>
#include <bit>
#include <cctype>
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
bool is_distinctive(Gate gate, std::string_view literal) {
  if (gate != Gate::prefix) return literal.size() >= 12;
  if (literal.size() >= 10) return true;
  return literal.size() >= 6 &&
         (literal.back() == '(' || literal.substr(literal.size() - 2) == ": ");
}

// What `slot` holds, made if it is empty.
template <class T, class Make>
inline const T& made_once(std::atomic<const T*>& slot, const Make& make) {
  const T* made = slot.load(std::memory_order_acquire);
  if (made != nullptr) return *made;
  const T* fresh = make();
  if (slot.compare_exchange_strong(made, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;  // another thread was faster
  return *made;
}

bool takes_any_end(std::string_view regex) {
  const std::size_t last = regex.find_last_not_of(")?");
  return last != std::string_view::npos && last > 0 && (regex[last] == '*' || regex[last] == '+') &&
         regex[last - 1] == '.';
}

// What every text that `regex` matches begins with.
std::string start_of(std::string_view regex) {
  std::string start;
  while (!regex.empty() && std::strchr(".[(", regex[0]) == nullptr) {
    const bool is_escaped = regex[0] == '\\';
    const char c = regex[is_escaped ? 1 : 0];
    if (is_escaped && std::isalnum(static_cast<unsigned char>(c)) != 0) break;  // a class
    regex.remove_prefix(is_escaped ? 2 : 1);
    if (!regex.empty() && std::strchr("*+?{", regex[0]) != nullptr) break;
    start += c;
  }
  return start;
}

}  // namespace

std::string LineKind::gate_text() const {
  return literal != nullptr ? literal : start_of(regex);
}

LineKindTable::Entry::Entry(const LineKind& row, bool short_cuts)
    : kind(&row),
      literal(row.gate_text()),
      search(literal),
      claims(is_distinctive(row.gate, literal)),
      is_open_ended(takes_any_end(row.regex)),
      has_short_cuts(short_cuts) {
  if (short_cuts) {
    extract = row.extract;
    Match match;
    const std::string longer = row.sample + std::string(" x [07/07/2026-02:11:05] [E] x");
    extracts_any_end = is_open_ended && extract != nullptr && extracts(row, longer, match);
  }
}

LineKindTable::Entry::~Entry() {
  delete re2.load();
  delete line_pattern.load();
}

const RE2& LineKindTable::Entry::definition() const {
  static const RE2::Options options = pattern_options();
  return made_once(re2, [&] { return new RE2(kind->regex, options); });
}

const LinePattern& LineKindTable::Entry::pattern() const {
  const bool begins = kind->gate == Gate::prefix;
  return made_once(line_pattern,
                   [&] { return new LinePattern(kind->regex, begins ? literal : ""); });
}

std::size_t LineKindTable::gate_of(const Entry& entry, std::string_view body) {
  const std::string_view literal = entry.literal;
  if (body.size() < literal.size()) return std::string_view::npos;
  std::size_t at = 0;
  switch (entry.kind->gate) {
    case Gate::prefix:
      break;
    case Gate::infix: {
      const char* const found = entry.search.first(body.data(), body.data() + body.size());
      return found == nullptr ? std::string_view::npos
                              : static_cast<std::size_t>(found - body.data());
    }
    case Gate::suffix:
      at = body.size() - literal.size();
      break;
  }
  return are_same(body.data() + at, literal.data(), literal.size()) ? at : std::string_view::npos;
}

bool LineKindTable::matches(const Entry& entry, std::string_view body, Match& match) {
  match.tactic.reset();
  if (entry.has_short_cuts) {
    const LinePattern& pattern = entry.pattern();
    match.fields = pattern.groups();
    const LinePattern::Answer answer = pattern.match(body, match.field);
    if (answer != LinePattern::Answer::unknown) return answer == LinePattern::Answer::yes;
  }
  return match_pattern(entry.definition(), body, match);
}

bool LineKindTable::matches(const LineKind& kind, std::string_view body, Match& match) {
  return match_pattern(RE2(kind.regex, pattern_options()), body, match);
}

LineKindTable::Start::Start(const Entry& row) : size(row.literal.size()), entry(&row) {
  const std::size_t known = std::min<std::size_t>(size, 8);
  mask = first_eight(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff", known));
  eight = first_eight(row.literal) & mask;
  if (size > 8) last_eight = eight_at(row.literal.data() + size - 8);
}

// Short gates stand with every longer one that they begin.
void LineKindTable::add_starts(const std::vector<Start>& starts) {
  for (const Start& start : starts) {
    if (start.size < 8) {
      short_starts_[first_byte_of(start.eight)].push_back(start);
      continue;
    }
    std::size_t slot = slot_of(start.eight);
    while (!beginnings_[slot].starts.empty() && beginnings_[slot].eight != start.eight) {
      slot = (slot + 1) % beginnings_.size();
    }
    Beginning& beginning = beginnings_[slot];
    if (!beginning.starts.empty()) continue;
    beginning.eight = start.eight;
    std::copy_if(starts.begin(), starts.end(), std::back_inserter(beginning.starts),
                 [&](const Start& one) { return ((one.eight ^ start.eight) & one.mask) == 0; });
  }
}

LineKindTable::LineKindTable(bool short_cuts) {
  const std::array<LineKinds, 16> tables = {
      kinds_of_options(),     kinds_of_session(),   kinds_of_inference(),  kinds_of_performance(),
      kinds_of_profile(),     kinds_of_layers(),    kinds_of_autotuning(), kinds_of_myelin(),
      kinds_of_onnx_parser(), kinds_of_precision(), kinds_of_graph(),      kinds_of_memory(),
      kinds_of_errors(),      kinds_of_library(),   kinds_of_producers(),  kinds_of_process()};
  std::vector<Start> starts;
  for (const LineKinds& table : tables) {
    for (const LineKind& kind : table) {
      const Entry& entry = entries_.emplace_back(kind, short_cuts);
      kinds_.push_back(&kind);
      if ((kind.flags & kLast) != 0) {
        last_.push_back(&entry);
      } else if (kind.gate != Gate::prefix) {
        gates_.add(by_search_.size(), entry.literal);
        by_search_.push_back(&entry);
      } else if (entry.literal.empty()) {
        of_section_.push_back(&entry);
      } else {
        starts.emplace_back(entry);
      }
    }
  }
  // In this order for the patterns, too: where two kinds with one start fit, the hot one is meant.
  const auto hot = [](const Entry* entry) { return entry->kind->extract != nullptr; };
  std::stable_partition(starts.begin(), starts.end(),
                        [&](const Start& start) { return hot(start.entry); });
  add_starts(starts);
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

bool LineKindTable::extracts(const LineKind& kind, std::string_view body, Match& match) {
  const std::string literal = kind.gate_text();
  const std::size_t gate = body.find(literal);
  return gate != std::string_view::npos &&
         kind.extract(body.substr(0, gate), body.substr(gate + literal.size()), match);
}

const LineKindTable::Entry* LineKindTable::extracting(std::string_view body, Match& match) const {
  for (const Entry* entry : hot_by_search_) {
    const std::size_t gate = gate_of(*entry, body);
    if (gate == std::string_view::npos) continue;
    // The pattern may take what the extractor declined.
    return extracts(*entry, body, gate, match) ? entry : nullptr;
  }
  return nullptr;
}

template <typename Try>
bool LineKindTable::try_searched(std::string_view body, const Try& try_kind) const {
  std::size_t first = 0;
  for (std::uint64_t gates : gates_.may_be_in(body)) {
    for (; gates != 0; gates &= gates - 1) {
      const auto row = first + static_cast<std::size_t>(std::countr_zero(gates));
      if (try_kind(*by_search_[row])) return true;
    }
    first += 64;
  }
  return std::any_of(last_.begin(), last_.end(),
                     [&](const Entry* entry) { return try_kind(*entry); });
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
    const std::size_t gate = gate_of(entry, body);
    if (gate == std::string_view::npos) return false;
    claim(entry);
    if (!fits(entry, body, gate, match)) return false;
    result.kind = &kind;
    return true;
  };
  if (section != LogSection::none) {
    for (const Entry* entry : of_section_) {
      if (try_kind(*entry)) return result;
    }
  }
  const std::uint64_t eight = first_eight(body);
  for (const Start& start : starts_of(eight)) {
    if (start.may_begin(body, eight) && try_kind(*start.entry)) return result;
  }
  if (const Entry* entry = bare ? nullptr : extracting(body, match)) {
    claim(*entry);
    result.kind = entry->kind;
    return result;
  }
  (void)try_searched(body, try_kind);
  return result;
}

const LineKind* LineKindTable::find_searched(std::string_view body, Match& match) const {
  if (const Entry* entry = extracting(body, match)) return entry->kind;
  const LineKind* found = nullptr;
  (void)try_searched(body, [&](const Entry& entry) {
    if (!entry.stands_outside()) return false;
    const std::size_t gate = gate_of(entry, body);
    if (gate == std::string_view::npos || !fits(entry, body, gate, match)) return false;
    found = entry.kind;
    return true;
  });
  return found;
}

}  // namespace trtlens
