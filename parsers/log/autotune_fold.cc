#include "parsers/log/autotune_fold.h"

#include <algorithm>

namespace trtlens {

void AutotuneFold::begin_layer(std::string_view layer, Build& build) {
  finish(build);
  layer_ = layer;
}

void AutotuneFold::begin_combination(std::string_view combination, bool reformat, SourcePos pos,
                                     Build& build) {
  finish(build);
  open_ = true;
  reformat_ = reformat;
  record_.format_combination = combination;
  record_.pos = pos;
  record_.layer = layer_;
  cursor_.format_combination = combination;
  cursor_.pos = pos;
}

void AutotuneFold::runner(std::string_view layer, std::string_view runner, SourcePos pos) {
  forget_pending();
  layer_ = layer;
  runner_ = keep(runner);
  if (open_) record_.layer = layer;
  cursor_.layer = layer;
  cursor_.runner = runner;
  cursor_.pos = pos;
}

void AutotuneFold::tactic_name(std::string_view name, std::optional<std::uint64_t> id) {
  forget_pending();
  pending_name_ = keep(name);
  pending_id_ = id;
}

void AutotuneFold::forget_pending() {
  if (pending_name_.size != 0) text_.resize(pending_name_.begin);
  pending_name_ = Span();
  pending_id_.reset();
}

AutotuneFold::Span AutotuneFold::keep(std::string_view text) {
  const Span span{text_.size(), text.size()};
  text_ += text;
  return span;
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
                          std::string_view name, std::string_view why, SourcePos pos,
                          Build& build) {
  TacticRecords& records = build.tactic_records;
  TacticRecord row;
  row.layer = place_of(layer_, records);
  row.format_combination = place_of(record_.format_combination, records);
  row.runner = place_of(view(runner_), records);
  row.name = place_of(name, records);
  row.skipped = place_of(why, records);
  row.id = id;
  row.time_ms = time_ms;
  row.pos = pos;
  records.rows.push_back(row);
}

void AutotuneFold::tactic_time(std::uint64_t id, std::optional<double> time_ms, SourcePos pos,
                               Build& build) {
  if (!time_ms) {
    skipped(id, "no finite time", pos, build);
    return;
  }
  ++build.tactics_timed;
  ++record_.timed;
  const Span name = !pending_id_ || *pending_id_ == id ? pending_name_ : Span();
  if (keeps_records_) record(id, time_ms, view(name), {}, pos, build);
  if (!reformat_) {
    candidates_.push_back({id, *time_ms, runner_, name});
    if (name.size != 0) pending_name_ = Span();  // it is the candidate's now
  }
  forget_pending();
}

void AutotuneFold::skipped(std::optional<std::uint64_t> id, std::string_view why, SourcePos pos,
                           Build& build) {
  ++record_.skipped;
  ++build.tactics_skipped;
  // A name in front of it was the skipped one's.
  if (keeps_records_) record(id, std::nullopt, view(pending_name_), why, pos, build);
  forget_pending();
}

void AutotuneFold::no_valid_tactics() {
  ++record_.runners_without_tactics;
}

void AutotuneFold::chose(std::string_view runner, std::uint64_t id) {
  record_.chosen_runner = runner;
  chosen_id_ = id;
}

void AutotuneFold::cached(const Autotune& race, Build& build) {
  finish(build);
  build.autotuning.push_back(race);
}

void AutotuneFold::finish(Build& build) {
  if (open_ && !reformat_ && !record_.layer.empty()) {
    const Candidate* chosen = nullptr;
    for (const Candidate& c : candidates_) {
      if (chosen_id_ && c.id == *chosen_id_ && view(c.runner) == record_.chosen_runner &&
          (chosen == nullptr || c.time_ms < chosen->time_ms)) {
        chosen = &c;
      }
    }
    const Candidate* other = nullptr;
    for (const Candidate& c : candidates_) {
      if (&c != chosen && (other == nullptr || c.time_ms < other->time_ms)) other = &c;
    }
    record_.chosen_id = chosen_id_;
    if (chosen != nullptr) {
      record_.chosen_ms = chosen->time_ms;
      record_.chosen_name = view(chosen->name);
    }
    if (other != nullptr) {
      record_.runner_up_ms = other->time_ms;
      record_.runner_up_id = other->id;
      record_.runner_up_name = view(other->name.size == 0 ? other->runner : other->name);
    }
    build.autotuning.push_back(record_);
  }
  open_ = false;
  reformat_ = false;
  record_ = Autotune();
  candidates_.clear();
  text_.clear();
  pending_name_ = Span();
  pending_id_.reset();
  runner_ = Span();
  chosen_id_.reset();
}

}  // namespace trtlens
