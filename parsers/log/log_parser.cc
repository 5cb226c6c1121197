// Takes the short way for lines with the header of the line before, the long one for others.
#include "parsers/log/log_parser.h"

#include <memory>
#include <utility>

#include "parsers/log/framing/plain_text.h"
#include "parsers/log/log_state.h"

namespace trtlens {

void LogParser::State::apply(const LineKind& kind, const Match& match) {
  const LogLine& parsed = *match.line;
  const bool loud = parsed.severity >= LogSeverity::warning;
  if (parsed.own) run->close_message();
  if ((kind.flags & kDeferred) != 0) {
    run->defer(kind, match);
  } else if (kind.apply != nullptr) {
    kind.apply(*run, match);
  }
  const bool applied_message = kind.apply != nullptr && (kind.flags & kKeep) == 0;
  if ((kind.flags & kKeep) != 0 || (loud && !applied_message)) {
    run->message(parsed.severity, parsed.body, match.pos);
  }
  if ((kind.flags & kProgress) != 0) run->progress(match.pos);
  if ((kind.flags & kNoise) == 0) ++run->recognised;
  opened = ((kind.flags & kOpens) != 0 || parsed.severity >= LogSeverity::error) &&
           !is_whole_error(parsed.body);
}

// Whether a line of trtexec's usual header, if its words are those of a known kind, is read by them
// alone: nothing in the lines before makes it another one's.
inline bool LogParser::State::stands_alone(const LogLine& parsed) const {
  if (!run || long_way != 0 || !torn.empty() || parsed.severity >= LogSeverity::warning)
    return false;
  if (run->section == LogSection::none) return true;
  return parsed.library && !is_one_of(kEndedByLibrary, run->section);
}

// Nearly every line of a verbose build. Does what classify() does with a line that stands alone.
inline void LogParser::State::usual_line(const LineKind& kind, const Match& match) {
  const LogLine& parsed = *match.line;
  margin.forget();
  run->producer_seen(parsed.producer);
  if (parsed.severity == LogSeverity::verbose) run->build.is_verbose = true;
  run->speaker(true);
  const bool noise = (kind.flags & kNoise) != 0;
  if ((kind.flags & (kDeferred | kKeep | kOpens)) != 0) {
    apply(kind, match);
  } else {  // as apply() would
    run->close_message();
    if (kind.apply != nullptr) kind.apply(*run, match);
    if ((kind.flags & kProgress) != 0) run->progress(match.pos);
    if (!noise) ++run->recognised;
    opened = false;
  }
  count(parsed.raw, match.pos.line, {noise ? LineClass::noise : LineClass::recognised, kind.id},
        true);
}

// A line with the header of the line before it. False: it is none, and nothing was done.
inline bool LogParser::State::similar_line(std::string_view raw, std::uint64_t number) {
  const LogLine* parsed = plain_header.again(raw);
  if (parsed == nullptr || is_padded(raw) || !stands_alone(*parsed)) return false;
  const LineKind* kind = kinds.find_usual(parsed->body, usual_match);
  if (kind == nullptr) return false;
  usual_match.line = parsed;
  usual_match.pos.line = number;
  usual_line(*kind, usual_match);
  return true;
}

void LogParser::State::line(std::string_view raw, std::uint64_t number) {
  const bool decorated = has_controls && raw.find_first_of("\r\x1b") != std::string_view::npos;
  if (!decorated && similar_line(raw, number)) return;
  if (may_be_between_builds() && between_builds(raw, number, decorated)) return;
  unusual_line(raw, number, decorated);
}

void LogParser::State::unusual_line(std::string_view raw, std::uint64_t number, bool decorated) {
  const SourcePos pos{file, number, 1};
  LineVerdict verdict;
  bool own = false;
  LogLine plain;
  if (!decorated && torn.empty() && !is_padded(raw) && plain_header.split(raw, plain)) {
    margin.forget();
    verdict = classify(plain, pos);
    own = verdict.line_class != LineClass::foreign;
  } else {
    verdict = pieces(raw, pos, own);
  }
  // What the end of the file cut off is not to blame for missing its pattern.
  if (tail &&
      (verdict.line_class == LineClass::malformed || verdict.line_class == LineClass::unknown)) {
    verdict = {LineClass::continuation, "cut-off"};
  }
  if (std::exchange(is_held, false)) return layer.wait(raw, number);
  count(raw, number, verdict, own);
}

// "Total Weights Memory: 65533" of 6553364: a number at an end that no line break marks may lack
// digits, and is not known. A verdict and an error are what they are.
void LogParser::State::last_line(std::string_view raw, std::uint64_t number) {
  release_held(false);
  tail = true;
  if (run && ends_in_number(raw)) {
    const LogLine parsed = split_header(raw, scratch, &margin);
    const bool is_fact =
        parsed.own ? parsed.severity < LogSeverity::warning : run->section != LogSection::none;
    if (!parsed.verdict && is_fact) {
      return count(raw, number, {LineClass::continuation, "cut-off"}, parsed.own);
    }
  }
  line(raw, number);
}

void LogParser::State::count(std::string_view raw, std::uint64_t number, const LineVerdict& verdict,
                             bool own) {
  result.coverage.add(verdict.line_class);
  if (own) ++result.own_lines;
  if (run) run->run.last_line = number;
  if (observer != nullptr) observer(observer_context, raw, verdict);
}

LogParser::LogParser(std::uint32_t file) : state_(std::make_unique<State>(file)) {}
LogParser::~LogParser() = default;

void LogParser::keep_run(int n) {
  state_->ended.keep_run(n);
}

void LogParser::take_no_short_cuts() {
  state_->long_way |= State::kAsked;
}

void LogParser::keep_tactics() {
  state_->keeps_tactics = true;
}

void LogParser::observe(Observer observer, void* context) {
  state_->observer = observer;
  state_->observer_context = context;
}

void LogParser::feed(std::string_view chunk) {
  State& s = *state_;
  chunk = s.decoder.decode(chunk);
  s.has_controls = s.carries_controls;
  s.splitter.feed(
      chunk, s.ends, [&] { s.has_controls = s.has_controls || s.ends.has_controls(); },
      [&](std::string_view line, std::uint64_t number) { s.line(line, number); });
  // A line that ends in the next chunk may have begun in this one or before it.
  s.carries_controls =
      s.ends.has_controls() || (s.carries_controls && chunk.find('\n') == std::string_view::npos);
}

LogResult LogParser::finish() {
  State& s = *state_;
  const auto sink = [&](std::string_view line, std::uint64_t number) { s.line(line, number); };
  s.has_controls = true;
  s.splitter.feed(s.decoder.finish(), sink);
  s.splitter.finish([&](std::string_view line, std::uint64_t n) { s.last_line(line, n); });
  s.release_held(false);
  if (!s.torn.empty()) s.mend({});
  s.end_task();
  s.end_run();
  s.ended.take(s.result);
  s.result.lines = s.splitter.lines();
  s.result.cut_lines = s.splitter.cut_lines();
  s.result.first_cut_line = s.splitter.first_cut_line();
  return std::move(s.result);
}

}  // namespace trtlens
