// Keeps the fastest and the second, counts the others; what is dropped would be gigabytes.
#include "parsers/log/runs/autotune_fold.h"

#include <algorithm>
#include <iterator>

#include "parsers/log/framing/clock.h"
#include "parsers/text/eight_bytes.h"

namespace trtlens {
namespace {

void add(std::optional<double>& sum, double s) {
  sum = sum.value_or(0) + s;
}

}  // namespace

void AutotuneFold::at_line(const LogLine& line) {
  std::string_view text = line.raw;
  text.remove_prefix(line.decoration);
  std::string_view clock = clock_in(text);
  // "2024-05-21T14:00:34.1234567Z [V] [TRT] …": the stamp of what captured the line.
  if (clock.empty() && line.decoration > 0) clock = clock_in(line.raw);
  if (clock.empty()) {
    now_s_.reset();
    return;
  }
  if (now_s_ && eight_at(clock_.data()) == eight_at(clock.data())) return;
  now_s_ = second_of_day(clock);
  if (!now_s_) return;
  std::copy(clock.begin(), clock.end(), clock_.begin());
}

void AutotuneFold::runner_time(double s) {
  if (open_) add(record_.time.runners_s, s);
}

void AutotuneFold::begin_layer(std::string_view layer) {
  finish();
  layer_ = layer;
}

void AutotuneFold::begin_combination(std::string_view combination, bool reformat,
                                     const SourcePos& pos) {
  finish();
  open_ = true;
  began_s_ = now_s_;
  reformat_ = reformat;
  record_.pos = pos;
  cursor_.format_combination = combination;
  cursor_.pos = pos;
}

void AutotuneFold::runner(std::string_view layer, std::string_view runner, const SourcePos& pos) {
  forget_pending();
  fast_skipped_.reset();
  if (!open_) {
    text_.clear();  // no candidate has a piece of it
  } else if (candidates_.empty() || candidates_.back().runner.begin != runner_.begin) {
    text_.resize(runner_.begin);  // nor of the runner before
  }
  layer_ = layer;
  runner_ = keep(runner);
  cursor_.layer = layer;
  cursor_.runner = runner;
  cursor_.pos = pos;
}

std::string_view AutotuneFold::view(Span span) const {
  return std::string_view(text_).substr(span.begin, span.size);
}

std::uint32_t AutotuneFold::place_of(std::string_view text, TacticRecords& records) {
  if (text.empty()) return 0;
  const auto [slot, is_new] =
      places_.try_emplace(std::string(text), static_cast<std::uint32_t>(records.texts.size()));
  if (is_new) records.texts.emplace_back(text);
  return slot->second;
}

void AutotuneFold::record(std::optional<std::uint64_t> id, std::optional<double> time_ms,
                          std::string_view name, std::string_view why, const SourcePos& pos,
                          Build& build) {
  TacticRecords& records = build.tactic_records;
  TacticRecord row;
  row.layer = place_of(layer_, records);
  row.format_combination = place_of(open_ ? cursor_.format_combination : std::string(), records);
  row.runner = place_of(view(runner_), records);
  row.name = place_of(name, records);
  row.skipped = place_of(why, records);
  row.id = id;
  row.time_ms = time_ms;
  row.pos = pos;
  records.rows.push_back(row);
}

void AutotuneFold::tactic_time(std::uint64_t id, double time_ms, const SourcePos& pos,
                               Build& build) {
  if (fast_skipped_) {
    if (*fast_skipped_ == id) take_fast_skip_back(build);
    fast_skipped_.reset();
  }
  ++build.tactics_timed;
  ++record_.timed;
  record_.timed_ms += time_ms;
  const Span name = !pending_id_ || *pending_id_ == id ? pending_name_ : Span();
  if (keeps_records_) record(id, time_ms, view(name), {}, pos, build);
  constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;
  if (open_ && !reformat_) {
    if (candidates_.size() < kMaxCandidates && text_.size() <= kMaxTextBytes) {
      candidates_.push_back({id, time_ms, runner_, name});
      if (name.size != 0) pending_name_ = Span();  // it is the candidate's now
    } else {
      ++candidates_left_out_;
    }
  }
  forget_pending();
}

void AutotuneFold::skipped(std::optional<std::uint64_t> id, SkipReason why, const SourcePos& pos,
                           Build& build) {
  fast_skipped_.reset();
  ++record_.skipped;
  ++build.tactics_skipped;
  ++build.tactics_skipped_for[static_cast<std::size_t>(why)];
  // A name in front of it was the skipped one's.
  if (keeps_records_) record(id, std::nullopt, view(pending_name_), to_string(why), pos, build);
  forget_pending();
}

void AutotuneFold::fast_skipped(std::uint64_t id, const SourcePos& pos, Build& build) {
  skipped(id, SkipReason::time_limit, pos, build);
  fast_skipped_ = id;
}

void AutotuneFold::take_fast_skip_back(Build& build) {
  --record_.skipped;
  --build.tactics_skipped;
  --build.tactics_skipped_for[static_cast<std::size_t>(SkipReason::time_limit)];
  if (keeps_records_) build.tactic_records.rows.pop_back();
}

void AutotuneFold::no_valid_tactics() {
  ++record_.runners_without_tactics;
}

void AutotuneFold::chose(std::string_view runner, std::uint64_t id) {
  chosen_runner_ = runner;
  chosen_id_ = id;
}

void AutotuneFold::cached(std::string_view layer, std::string_view combination,
                          std::string_view runner, std::optional<std::uint64_t> id,
                          std::optional<double> time_ms, const SourcePos& pos) {
  finish();
  if (is_full()) return;
  Autotune& race = races_.emplace_back();
  race.layer = recent_texts_.text(layer);
  race.format_combination = recent_texts_.text(combination);
  race.chosen_runner = recent_texts_.text(runner);
  race.chosen_id = id;
  race.chosen_ms = time_ms;
  race.from_cache = true;
  race.pos = pos;
  add_bytes(layer.size() + combination.size() + runner.size());
}

// A usual race, or one with a long text.
void AutotuneFold::add_bytes(std::size_t texts) {
  constexpr std::size_t kUsual = 500, kRecord = 250;
  bytes_ += std::max(kUsual, kRecord + texts);
}

// True: the run has as many as are kept.
bool AutotuneFold::is_full() {
  if (races_.size() < kMaxRaces) return false;
  ++races_left_out_;
  return true;
}

void AutotuneFold::end_race() {
  const Candidate* chosen = nullptr;
  for (const Candidate& c : candidates_) {
    if (chosen_id_ && c.id == *chosen_id_ && view(c.runner) == chosen_runner_ &&
        (chosen == nullptr || c.time_ms < chosen->time_ms)) {
      chosen = &c;
    }
  }
  const Candidate* other = nullptr;
  for (const Candidate& c : candidates_) {
    if (&c != chosen && (other == nullptr || c.time_ms < other->time_ms)) other = &c;
  }
  Autotune& race = races_.emplace_back();
  race.timed = record_.timed;
  race.skipped = record_.skipped;
  race.runners_without_tactics = record_.runners_without_tactics;
  race.timed_ms = record_.timed_ms;
  race.time = record_.time;
  race.pos = record_.pos;
  race.layer = recent_texts_.text(layer_);
  race.format_combination = recent_texts_.text(cursor_.format_combination);
  race.chosen_runner = recent_texts_.text(chosen_runner_);
  race.chosen_id = chosen_id_;
  std::size_t texts = layer_.size() + cursor_.format_combination.size() + chosen_runner_.size();
  if (chosen != nullptr) {
    texts += chosen->name.size;
    race.chosen_ms = chosen->time_ms;
    race.chosen_name = recent_texts_.text(view(chosen->name));
  }
  if (other != nullptr) {
    race.runner_up_ms = other->time_ms;
    race.runner_up_id = other->id;
    const Span name = other->name.size == 0 ? other->runner : other->name;
    race.runner_up_name = recent_texts_.text(view(name));
    texts += name.size;
  }
  add_bytes(texts);
}

void AutotuneFold::end_record() {
  if (began_s_ && now_s_) {
    const int passed_s = *now_s_ - *began_s_;
    record_.time.stamps_s = passed_s < 0 ? passed_s + kSecondsOfDay : passed_s;
  }
  if (reformat_) {
    // The timing cache answers without a candidate.
    if (record_.timed + record_.skipped > 0) ++reformats_.races;
    if (record_.time.runners_s) add(reformats_.time.runners_s, *record_.time.runners_s);
    if (record_.time.stamps_s) add(reformats_.time.stamps_s, *record_.time.stamps_s);
  } else if (!layer_.empty() && !is_full()) {
    end_race();
  }
}

void AutotuneFold::finish() {
  if (open_) end_record();
  open_ = false;
  reformat_ = false;
  record_ = Counts();
  chosen_runner_.clear();
  candidates_.clear();
  text_.clear();
  pending_name_ = Span();
  pending_id_.reset();
  fast_skipped_.reset();
  runner_ = Span();
  chosen_id_.reset();
}

void AutotuneFold::free_buffers() {
  // Not "= {}", which clears a container and frees nothing.
  candidates_ = std::vector<Candidate>();
  text_ = std::string();
  layer_ = std::string();
  chosen_runner_ = std::string();
  cursor_ = TimingCursor();
  places_ = std::unordered_map<std::string, std::uint32_t>();
}

void AutotuneFold::take_races(std::deque<Autotune>& races) {
  if (races.empty()) return races.swap(races_);
  races.insert(races.end(), std::make_move_iterator(races_.begin()),
               std::make_move_iterator(races_.end()));
  races_.clear();
}

}  // namespace trtlens
