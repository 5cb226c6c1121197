// Folds the tactic lines of one layer and format combination into one Autotune record.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/log/framing/header.h"
#include "parsers/model/build.h"
#include "parsers/text/shared_texts.h"

namespace trtlens {

class AutotuneFold {
 public:
  // `recent` must outlive it.
  explicit AutotuneFold(json_detail::RecentTexts& recent) : recent_texts_(recent) {}

  // The line that the next call is about: its stamp says how long the races before it took.
  void at_line(const LogLine& line);
  // "X (R) profiling completed in S seconds"
  void runner_time(double s);
  // Every candidate becomes a record of its own, too (--keep-tactics).
  void keep_records() { keeps_records_ = true; }
  // "=============== Computing costs for X" / "Computing reformatting costs"
  void begin_layer(std::string_view layer);
  // "*************** Autotuning format combination: …" / "Autotuning Reformat: …"
  void begin_combination(std::string_view combination, bool reformat, const SourcePos& pos);
  // "--------------- Timing Runner: X (R)"
  void runner(std::string_view layer, std::string_view runner, const SourcePos& pos);
  // The name of the candidate whose time follows; `id` is null when it is not known, in 7.x.
  void tactic_name(std::string_view name, const std::uint64_t* id) {
    forget_pending();
    pending_name_ = keep(name);
    if (id != nullptr) pending_id_ = *id;
  }
  void tactic_time(std::uint64_t id, double time_ms, const SourcePos& pos, Build& build);
  void skipped(std::optional<std::uint64_t> id, SkipReason why, const SourcePos& pos, Build& build);
  // "Fast skip Tactic:": skipped, unless its time follows, as it does in 8.6 to 10.3.
  void fast_skipped(std::uint64_t id, const SourcePos& pos, Build& build);
  void no_valid_tactics();
  void chose(std::string_view runner, std::uint64_t id);
  // A race that was not run: its winner came from the timing cache.
  void cached(std::string_view layer, std::string_view combination, std::string_view runner,
              std::optional<std::uint64_t> id, std::optional<double> time_ms, const SourcePos& pos);
  // Ends the record in progress.
  void finish();
  // Frees what only records in progress need: none comes any more.
  void free_buffers();
  // Those that have ended.
  [[nodiscard]] const std::deque<Autotune>& races() const { return races_; }
  // The races so far.
  void take_races(std::deque<Autotune>& races);
  // What they hold, roughly.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  // Some 180 MB of a run's verbose log. Tactics beyond them are counted, as all are.
  static constexpr std::size_t kMaxRaces = 40000;
  [[nodiscard]] std::uint64_t races_left_out() const { return races_left_out_; }
  // A race knows its winner at its end: until then it keeps as many candidates, in 4 MiB of names.
  // Those beyond are counted, and cannot win.
  static constexpr std::size_t kMaxCandidates = 20000;
  [[nodiscard]] std::uint64_t candidates_left_out() const { return candidates_left_out_; }
  [[nodiscard]] const ReformatTuning& reformats() const { return reformats_; }

  [[nodiscard]] const TimingCursor& cursor() const { return cursor_; }

 private:
  // A piece of text_.
  struct Span {
    std::size_t begin = 0, size = 0;
  };
  struct Candidate {
    std::uint64_t id = 0;
    double time_ms = 0;
    Span runner, name;
  };
  // Of a record, what its candidates add up to: as in Autotune.
  struct Counts {
    std::uint32_t timed = 0, skipped = 0, runners_without_tactics = 0;
    double timed_ms = 0;
    TuningTime time;
    SourcePos pos;
  };
  [[nodiscard]] Span keep(std::string_view text) {
    const Span span{text_.size(), text.size()};
    text_ += text;
    return span;
  }
  [[nodiscard]] bool is_full();
  void end_record();
  void end_race();
  void add_bytes(std::size_t texts);
  void take_fast_skip_back(Build& build);
  void forget_pending() {
    if (pending_name_.size != 0) text_.resize(pending_name_.begin);
    pending_name_ = Span();
    pending_id_.reset();
  }
  [[nodiscard]] std::string_view view(Span span) const;

  // Adds a record; `name` and `why` may be empty.
  void record(std::optional<std::uint64_t> id, std::optional<double> time_ms, std::string_view name,
              std::string_view why, const SourcePos& pos, Build& build);
  [[nodiscard]] std::uint32_t place_of(std::string_view text, TacticRecords& records);

  bool keeps_records_ = false;
  std::unordered_map<std::string, std::uint32_t> places_;  // of the texts of the records
  bool open_ = false, reformat_ = false;
  std::string layer_;  // of the record in progress, or of the next one
  std::optional<std::uint64_t> pending_id_, fast_skipped_;
  std::deque<Autotune> races_;  // grows without a copy of what it has
  std::uint64_t races_left_out_ = 0, candidates_left_out_ = 0;
  std::size_t bytes_ = 0;  // of races_
  json_detail::RecentTexts& recent_texts_;
  // Of the record in progress; cleared, not freed, so that a candidate costs no allocation.
  Counts record_;
  std::string chosen_runner_;
  std::vector<Candidate> candidates_;
  std::string text_;
  Span runner_;
  Span pending_name_;  // at the end of text_ until its time was read
  std::optional<std::uint64_t> chosen_id_;
  TimingCursor cursor_;  // its combination is that of the record in progress
  // Seconds of the day: of the last line asked about, and where the record in progress began.
  std::array<char, 8> clock_{};
  std::optional<int> now_s_, began_s_;
  ReformatTuning reformats_;
};

}  // namespace trtlens
