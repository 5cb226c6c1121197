// Folds the tactic lines of one layer and format combination into one Autotune record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/build.h"

namespace trtlens {

class AutotuneFold {
 public:
  // Every candidate becomes a record of its own, too (--keep-tactics).
  void keep_records() { keeps_records_ = true; }
  // "=============== Computing costs for X" / "Computing reformatting costs"
  void begin_layer(std::string_view layer, Build& build);
  // "*************** Autotuning format combination: …" / "Autotuning Reformat: …"
  void begin_combination(std::string_view combination, bool reformat, SourcePos pos, Build& build);
  // "--------------- Timing Runner: X (R)"
  void runner(std::string_view layer, std::string_view runner, SourcePos pos);
  // The name of the candidate whose time follows; `id` is not known in 7.x.
  void tactic_name(std::string_view name, std::optional<std::uint64_t> id);
  void tactic_time(std::uint64_t id, std::optional<double> time_ms, SourcePos pos, Build& build);
  void skipped(std::optional<std::uint64_t> id, std::string_view why, SourcePos pos, Build& build);
  void no_valid_tactics();
  void chose(std::string_view runner, std::uint64_t id);
  // A race that was not run: its winner came from the timing cache.
  void cached(const Autotune& race, Build& build);
  // Ends the record in progress.
  void finish(Build& build);

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
  [[nodiscard]] Span keep(std::string_view text);
  void forget_pending();
  [[nodiscard]] std::string_view view(Span span) const;

  // Adds a record; `name` and `why` may be empty.
  void record(std::optional<std::uint64_t> id, std::optional<double> time_ms, std::string_view name,
              std::string_view why, SourcePos pos, Build& build);
  [[nodiscard]] std::uint32_t place_of(std::string_view text, TacticRecords& records);

  bool keeps_records_ = false;
  std::unordered_map<std::string, std::uint32_t> places_;  // of the texts of the records
  bool open_ = false, reformat_ = false;
  std::string layer_;
  std::optional<std::uint64_t> pending_id_;
  Autotune record_;
  // Of the record in progress; cleared, not freed, so that a candidate costs no allocation.
  std::vector<Candidate> candidates_;
  std::string text_;
  Span runner_;
  Span pending_name_;  // at the end of text_ until its time was read
  std::optional<std::uint64_t> chosen_id_;
  TimingCursor cursor_;
};

}  // namespace trtlens
