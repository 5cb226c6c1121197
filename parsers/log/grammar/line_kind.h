// The grammar of record: every known kind of log line is one row of a table.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/log/framing/header.h"
#include "parsers/log/grammar/line_pattern.h"
#include "parsers/model/diagnostic.h"
#include "parsers/text/eight_bytes.h"
#include "parsers/text/word_search.h"

namespace re2 {
class RE2;
}

namespace trtlens {

class RunBuilder;

// Where in a log a line stands; some kinds exist in one section only.
enum class LogSection : std::uint8_t {
  any,              // of a kind: everywhere
  none,             // of a log: outside all others
  options,          // === … Options ===
  device,           // === Device Information ===
  performance,      // === Performance summary ===, the Host Latency blocks of 7.x
  explanations,     // === Explanations of the performance metrics ===
  profile,          // === Profile (N iterations ) ===, before its column heads
  profile_names_3,  // ≤ 8.2: name, total, average, %
  profile_names_4,  // 8.4, 8.5: name, total, average, median, %
  profile_numbers,  // 8.6+: total, average, median, %, name
  layer_names,      // Layers: … Bindings:
  engine_layers,    // Engine Layer Information:
  onnx_node,        // --- Begin node --- … --- End node ---
  graph_nodes,      // GRAPH NODES (symbolic shapes, 10.x, TensorRT-RTX)
  output_tensors,   // --dumpOutput
  traceback         // Traceback (most recent call last): … the exception
};

enum class Gate : std::uint8_t { prefix, infix, suffix };

inline constexpr unsigned kNoise = 1;  // no fact in it
inline constexpr unsigned kBare = 2;   // also without a header: a later physical line of a message
inline constexpr unsigned kKeep = 4;   // kept as a message for the message rules
inline constexpr unsigned kProgress = 8;  // the build or the timing goes on
inline constexpr unsigned kOpens = 16;    // unprefixed lines behind it belong to it

inline constexpr unsigned kLast = 32;  // matches almost anything: tried after all others
// Applied when the run is to be whole: reads nothing of its Match but fields and position.
inline constexpr unsigned kDeferred = 64;
// Any program may print it: it counts where a line of the log is TensorRT's or names it.
inline constexpr unsigned kAnybodys = 128;
inline constexpr unsigned kVerbose = 256;  // printed at [V] only, as what has an extractor
static_assert((kNoise | kBare | kKeep | kProgress | kOpens | kLast | kDeferred | kAnybodys |
               kVerbose) == kNoise + kBare + kKeep + kProgress + kOpens + kLast + kDeferred +
                                kAnybodys + kVerbose,
              "each flag is a bit of its own");

// A matched line. Fields are the groups of the pattern; a group that took no part is empty.
struct Match {
  static constexpr std::size_t kMaxFields = LinePattern::kMaxGroups;
  Match() = default;
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  std::array<std::string_view, kMaxFields> own_fields;
  std::string_view* field = own_fields.data();  // or to as many elsewhere
  std::size_t fields = 0;
  std::optional<std::uint64_t> tactic;  // the id among the fields, when an extractor read it
  const LogLine* line = nullptr;
  SourcePos pos;

  [[nodiscard]] std::string_view operator[](std::size_t i) const { return field[i]; }
  [[nodiscard]] std::string str(std::size_t i) const { return std::string(field[i]); }
};

struct LineKind {
  using Apply = void (*)(RunBuilder&, const Match&);
  using Extract = bool (*)(std::string_view before, std::string_view behind, Match& match);

  constexpr LineKind(const char* name, Gate where, const char* text, const char* pattern,
                     Apply on_match, const char* matches, const char* misses = nullptr,
                     unsigned bits = 0, LogSection stands_in = LogSection::any,
                     Extract by_hand = nullptr)
      : id(name),
        gate(where),
        literal(text),
        regex(pattern),
        apply(on_match),
        sample(matches),
        near_miss(misses),
        flags(bits),
        section(stands_in),
        extract(by_hand) {}
  // Its gate is what the pattern, which has no "|" outside of brackets, begins with.
  constexpr LineKind(const char* name, const char* pattern, Apply on_match, const char* matches,
                     const char* misses = nullptr, unsigned bits = 0,
                     LogSection stands_in = LogSection::any, Extract by_hand = nullptr)
      : LineKind(name, Gate::prefix, nullptr, pattern, on_match, matches, misses, bits, stands_in,
                 by_hand) {}
  [[nodiscard]] std::string gate_text() const;

  const char* id;
  Gate gate;
  const char* literal;  // of the gate: cheap, decides whether the pattern is tried; null: as above
  const char* regex;    // RE2, matches the whole body: the definition of the kind
  Apply apply;          // null: nothing to keep
  const char* sample;   // a body that matches
  // A body that passes the gate and is not of the kind: cut, of another version, of a neighbour.
  // Null: the pattern takes whatever stands behind the gate.
  const char* near_miss;
  unsigned flags;
  LogSection section;
  // Hot kinds only: fills the same fields as the pattern without RE2, or returns false, which says
  // nothing: the pattern decides. Gets what stands before the gate and behind it. The pattern stays
  // the definition (line_kind_oracle_test).
  Extract extract;
};

using LineKinds = std::span<const LineKind>;

// The tables, one a topic; order within a table is the order in which patterns are tried.
LineKinds kinds_of_options();
LineKinds kinds_of_session();
LineKinds kinds_of_inference();
LineKinds kinds_of_performance();
LineKinds kinds_of_profile();
LineKinds kinds_of_layers();
LineKinds kinds_of_onnx_parser();
LineKinds kinds_of_graph();
LineKinds kinds_of_autotuning();
LineKinds kinds_of_myelin();
LineKinds kinds_of_memory();
LineKinds kinds_of_precision();
LineKinds kinds_of_errors();
LineKinds kinds_of_library();
LineKinds kinds_of_producers();
LineKinds kinds_of_process();

// What rows of several tables do with a line. Without a header: an error that somebody pasted, or
// the end of the process.
void on_error(RunBuilder& b, const Match& m);
// Of a program around TensorRT.
void on_program_warning(RunBuilder& b, const Match& m);
// Where trtexec's banner did not say it: the library may be a patch newer.
void on_library_version(RunBuilder& b, const Match& m);

// Finds the kind of a line: gates first, then at most a few anchored RE2 patterns.
class LineKindTable {
 public:
  struct Result {
    const LineKind* kind = nullptr;
    bool gate_hit = false;           // a distinctive gate matched, whatever the patterns said
    const LineKind* near = nullptr;  // the first kind whose distinctive gate matched
  };

  static const LineKindTable& instance();
  // The definition: the same rows in the order of the tables, without any short cut. For tests.
  static const LineKindTable& by_patterns_only();

  // `section` is where the log stands; `bare` lines (no header) match kBare kinds only. A body in
  // which another stream's line begins is of no kind that takes any end.
  [[nodiscard]] Result find(std::string_view body, LogSection section, bool bare,
                            Match& match) const;
  // The kind alone of a line with a header that stands outside all sections; null: none.
  // Nearly every line of a verbose build: the first row whose gate fits takes it.
  [[nodiscard]] const LineKind* find_usual(std::string_view body, Match& match) const {
    const std::uint64_t eight = first_eight(body);
    for (const Start& start : starts_of(eight)) {
      if (!start.may_begin(body, eight)) continue;
      const Entry& entry = *start.entry;
      if (!entry.stands_outside() || !start.begins(body)) continue;
      if (fits(entry, body, 0, match)) return entry.kind;
    }
    return find_searched(body, match);
  }
  [[nodiscard]] const std::vector<const LineKind*>& kinds() const { return kinds_; }
  // Whether the extractor of `kind`, which has one, takes `body`.
  [[nodiscard]] static bool extracts(const LineKind& kind, std::string_view body, Match& match);
  // Whether RE2 says that the pattern of `kind` matches, and its groups.
  [[nodiscard]] static bool matches(const LineKind& kind, std::string_view body, Match& match);

 private:
  // A row with what was made of it.
  struct Entry {
    Entry(const LineKind& row, bool short_cuts);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    [[nodiscard]] const re2::RE2& definition() const;
    [[nodiscard]] const LinePattern& pattern() const;
    // Whether such lines may stand outside all sections.
    [[nodiscard]] bool stands_outside() const {
      return kind->section == LogSection::any || kind->section == LogSection::none;
    }

    const LineKind* kind;
    std::string literal;  // of the gate
    WordSearch search;
    bool claims = false;  // a hit of the gate makes the line this kind's, malformed if need be
    // The pattern ends in .* or .+; the extractor, which may be stricter, takes any end, too.
    bool is_open_ended = false, extracts_any_end = false;
    bool has_short_cuts;
    LineKind::Extract extract = nullptr;
    // Made when first needed: a log uses a fraction of them, and --version none.
    mutable std::atomic<const LinePattern*> line_pattern{nullptr};
    mutable std::atomic<const re2::RE2*> re2{nullptr};
  };

  // A row with a prefix gate, found by the first eight bytes of the body, then by the last eight of
  // the gate.
  struct Start {
    explicit Start(const Entry& row);
    [[nodiscard]] bool may_begin(std::string_view body, std::uint64_t first) const {
      return ((eight ^ first) & mask) == 0 && body.size() >= size &&
             (size <= 8 || eight_at(body.data() + size - 8) == last_eight);
    }
    // Of a body that may_begin(): whether what stands between fits, too.
    [[nodiscard]] bool begins(std::string_view body) const {
      return size <= 16 || are_same(body.data() + 8, entry->literal.data() + 8, size - 16);
    }

    std::uint64_t eight, mask;
    std::size_t size;
    std::uint64_t last_eight = 0;
    const Entry* entry;
  };
  // The rows that may take a body with these first bytes, in the order in which they are tried.
  struct Beginning {
    std::uint64_t eight = 0;
    std::vector<Start> starts;  // none: the slot is free
  };
  static constexpr unsigned kSlotBits = 11;  // some 350 beginnings
  static std::size_t slot_of(std::uint64_t eight) {
    return static_cast<std::size_t>(eight * 0x9E3779B97F4A7C15U >> (64U - kSlotBits));
  }
  [[nodiscard]] const std::vector<Start>& starts_of(std::uint64_t eight) const {
    for (std::size_t slot = slot_of(eight);; slot = (slot + 1) % beginnings_.size()) {
      const Beginning& at = beginnings_[slot];
      if (at.eight == eight && !at.starts.empty()) return at.starts;
      if (at.starts.empty()) break;
    }
    return short_starts_[first_byte_of(eight)];
  }

  explicit LineKindTable(bool short_cuts);
  void add_starts(const std::vector<Start>& starts);
  // Where another line may begin.
  static std::string_view behind_gate(const Entry& entry, std::string_view body) {
    return entry.kind->gate == Gate::prefix ? body.substr(entry.literal.size()) : body;
  }
  // Where the gate stands first; npos: nowhere.
  static std::size_t gate_of(const Entry& entry, std::string_view body);
  // Of a body whose gate stands at `gate`.
  static bool extracts(const Entry& entry, std::string_view body, std::size_t gate, Match& match) {
    match.tactic.reset();
    std::string_view behind = body;
    behind.remove_prefix(gate + entry.literal.size());
    if (!entry.extract({body.data(), gate}, behind, match)) return false;
    return !entry.extracts_any_end || !holds_stamp(behind_gate(entry, body));
  }
  // The whole row.
  static bool fits(const Entry& entry, std::string_view body, std::size_t gate, Match& match) {
    if (entry.extract != nullptr && extracts(entry, body, gate, match)) return true;
    // The end that a pattern takes may be another line.
    return matches(entry, body, match) &&
           !(entry.is_open_ended && holds_stamp(behind_gate(entry, body)));
  }
  // Of a line that no row with a prefix gate takes.
  [[nodiscard]] const LineKind* find_searched(std::string_view body, Match& match) const;
  // Calls `try_kind` for the rows that are searched for, as long as it returns false.
  template <typename Try>
  bool try_searched(std::string_view body, const Try& try_kind) const;
  // A row found by search whose extractor takes the body, when no row before it may; null: none.
  [[nodiscard]] const Entry* extracting(std::string_view body, Match& match) const;
  static bool matches(const Entry& entry, std::string_view body, Match& match);

  std::deque<Entry> entries_;
  std::vector<const LineKind*> kinds_;
  std::array<Beginning, std::size_t{1} << kSlotBits> beginnings_;
  // By the first byte: of a body that no gate of eight bytes begins.
  std::array<std::vector<Start>, 256> short_starts_;
  std::vector<const Entry*> by_search_;      // infix and suffix gates
  WordIndex gates_;                          // of by_search_
  std::vector<const Entry*> hot_by_search_;  // those of them with an extractor
  std::vector<const Entry*> of_section_;     // prefix gate "": tried in their section first
  std::vector<const Entry*> last_;           // kLast
};

}  // namespace trtlens
