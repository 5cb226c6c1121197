// Folds the tactic lines of one layer and format combination into one Autotune record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/build.h"

namespace trtlens {

class AutotuneFold {
 public:
  // "=============== Computing costs for X" / "Computing reformatting costs"
  void begin_layer(std::string_view layer, Build& build);
  // "*************** Autotuning format combination: …" / "Autotuning Reformat: …"
  void begin_combination(std::string_view combination, bool reformat, SourcePos pos, Build& build);
  // "--------------- Timing Runner: X (R)"
  void runner(std::string_view layer, std::string_view runner, SourcePos pos);
  // The name of the candidate whose time follows; `id` is not known in 7.x.
  void tactic_name(std::string_view name, std::optional<std::uint64_t> id);
  void tactic_time(std::uint64_t id, std::optional<double> time_ms, Build& build);
  void skipped(Build& build);
  void no_valid_tactics();
  void chose(std::string_view runner, std::uint64_t id);
  // A race that was not run: its winner came from the timing cache.
  void cached(const Autotune& race, Build& build);
  // Ends the record in progress.
  void finish(Build& build);

  [[nodiscard]] const TimingCursor& cursor() const { return cursor_; }

 private:
  struct Candidate {
    std::uint64_t id;
    double time_ms;
    std::uint32_t runner, name;  // indices into names_
  };
  [[nodiscard]] std::uint32_t index_of(std::string_view name);

  bool open_ = false, reformat_ = false;
  std::string layer_, runner_, pending_name_;
  std::optional<std::uint64_t> pending_id_;
  Autotune record_;
  std::vector<Candidate> candidates_;
  std::vector<std::string> names_;  // of the record in progress
  std::optional<std::uint64_t> chosen_id_;
  TimingCursor cursor_;
};

}  // namespace trtlens
