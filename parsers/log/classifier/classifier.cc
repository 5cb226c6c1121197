// The way of a line: the short one for the usual lines, the long one for all others.
#include "parsers/log/classifier/classifier.h"

#include <utility>

#include "parsers/log/framing/named_logger.h"
#include "parsers/log/framing/plain_text.h"

namespace trtlens {

void Classifier::apply(const LineKind& kind, const Match& match) {
  const LogLine& parsed = *match.line;
  const bool loud = parsed.severity >= LogSeverity::warning;
  if (parsed.own) run()->close_message();
  if ((kind.flags & kDeferred) != 0) {
    run()->defer(kind, match);
  } else if (kind.apply != nullptr) {
    kind.apply(*run(), match);
  }
  const bool applied_message = kind.apply != nullptr && (kind.flags & kKeep) == 0;
  if ((kind.flags & kKeep) != 0 || (loud && !applied_message)) {
    run()->message(parsed.severity, parsed.body, match.pos);
  }
  if ((kind.flags & kProgress) != 0) run()->progress(match.pos, has_clock(parsed.raw));
  if ((kind.flags & kNoise) == 0) ++run()->recognised;
  run()->opened = ((kind.flags & kOpens) != 0 || parsed.severity >= LogSeverity::error) &&
                  !is_whole_error(parsed.body);
}

// Whether a line of trtexec's usual header, if its words are those of a known kind, is read by them
// alone: no section that is open makes it another one's.
inline bool Classifier::stands_alone(const RunBuilder& run, const LogLine& parsed) {
  return run.section == LogSection::none ||
         (parsed.library && !is_one_of(kEndedByLibrary, run.section));
}

// Nearly every line of a verbose build. Does what classify() does with a line that stands alone.
inline void Classifier::usual_line(RunBuilder& run, const LineKind& kind, const Match& match) {
  const LogLine& parsed = *match.line;
  headers_.forget_margin();
  run.is_of_tensorrt = true;
  run.producer_seen(parsed.producer);
  if (parsed.severity == LogSeverity::verbose) run.build.is_verbose = true;
  run.speaker(true);
  const bool noise = (kind.flags & kNoise) != 0;
  if ((kind.flags & (kDeferred | kKeep | kOpens)) != 0) {
    apply(kind, match);
  } else {  // as apply() would
    run.close_message();
    if (kind.apply != nullptr) kind.apply(run, match);
    if ((kind.flags & kProgress) != 0) run.progress(match.pos, true);
    if (!noise) ++run.recognised;
    run.opened = false;
  }
  run.run.last_line = match.pos.line;  // as count() would
  const LineClass line_class = noise ? LineClass::noise : LineClass::recognised;
  coverage_.add(line_class);
  ++own_lines_;
  if (options_.observe) options_.observe(parsed.raw, {line_class, kind.id});
}

// A line with the header of the line before it. False: it is none, and nothing was done.
inline bool Classifier::similar_line(std::string_view raw, std::uint64_t number) {
  const LogLine* parsed = headers_.again(raw);
  if (parsed == nullptr || is_padded(raw)) return false;
  RunBuilder* const run = runs_.run();
  if (!stands_alone(*run, *parsed)) return false;
  const LineKind* kind = kinds_.find_usual(parsed->body, usual_match_);
  if (kind == nullptr) return false;
  usual_match_.line = parsed;
  usual_match_.pos.line = number;
  usual_line(*run, *kind, usual_match_);
  return true;
}

void Classifier::lines(Framing& framing, std::string_view chunk) {
  framing.feed(chunk, [this](std::string_view raw, std::uint64_t number, bool decorated) {
    if (may_stand_alone_ && !decorated && similar_line(raw, number)) return;
    line(raw, number, decorated);
  });
}

void Classifier::line(std::string_view raw, std::uint64_t number, bool decorated) {
  if (!may_be_between_builds() || !between_builds(raw, number, decorated)) {
    unusual_line(raw, number, decorated);
  }
  may_stand_alone_ = options_.take_short_cuts && run() != nullptr && !is_holding_ && torn_.empty();
}

LineVerdict Classifier::whole_line(std::string_view raw, SourcePos pos, bool decorated, bool& own) {
  LogLine plain;
  if (decorated || !torn_.empty() || is_padded(raw) || !headers_.plain(raw, plain)) {
    return pieces(raw, pos, own);
  }
  const LineVerdict verdict = classify(plain, pos);
  own = verdict.line_class != LineClass::foreign;
  return verdict;
}

void Classifier::unusual_line(std::string_view raw, std::uint64_t number, bool decorated) {
  const SourcePos pos{file_, number, 1};
  bool own = false;
  std::size_t glued = glued_message(raw);
  LineVerdict verdict = whole_line(raw.substr(0, glued), pos, decorated, own);
  for (std::string_view rest = raw; glued != std::string_view::npos;) {
    rest.remove_prefix(glued);
    glued = glued_message(rest);
    bool is_own = false;
    whole_line(rest.substr(0, glued), pos, decorated, is_own);
    own = own || is_own;
  }
  // What the end of the file cut off is not to blame for missing its pattern.
  if (tail_ &&
      (verdict.line_class == LineClass::malformed || verdict.line_class == LineClass::unknown)) {
    verdict = {LineClass::continuation, "cut-off"};
  }
  if (std::exchange(is_held_, false)) return run()->layer_text.wait(raw, number);
  count(raw, number, verdict, own);
}

// "Total Weights Memory: 65533" of 6553364: a number at an end that no line break marks may lack
// digits, and is not known. A verdict and an error are what they are.
void Classifier::last_line(std::string_view raw, std::uint64_t number, bool decorated) {
  release_held(false);
  tail_ = true;
  if (run() && ends_in_number(raw)) {
    std::string other;
    const LogLine parsed = headers_.look(raw, other);
    const bool is_fact =
        parsed.own ? parsed.severity < LogSeverity::warning : run()->section != LogSection::none;
    if (!parsed.verdict && is_fact) {
      return count(raw, number, {LineClass::continuation, "cut-off"}, parsed.own);
    }
  }
  line(raw, number, decorated);
}

void Classifier::count(std::string_view raw, std::uint64_t number, const LineVerdict& verdict,
                       bool own) {
  coverage_.add(verdict.line_class);
  constexpr std::size_t kMostBytes = 400;
  if (own_lines_ == 0 && verdict.line_class == LineClass::foreign &&
      coverage_.first_foreign.size() < kFirstForeign) {
    coverage_.first_foreign.push_back({{file_, number, 1}, std::string(raw.substr(0, kMostBytes))});
  }
  if (verdict.line_class == LineClass::foreign && own_lines_ == 0 && run() &&
      run()->recognised == 0) {
    run()->typed.look(raw);
  }
  if (own) ++own_lines_;
  if (run()) {
    run()->run.last_line = number;
    const std::string_view program = program_of_logger(raw);
    if (!program.empty()) run()->build.packages.emplace(program);
  }
  if (options_.observe) options_.observe(raw, verdict);
}

// A script says nowhere that a build ended and the next begins; trtexec and Polygraphy do.
bool Classifier::may_be_between_builds() const {
  return run() && run()->phase != BuildPhase::open && run()->run.command.empty();
}

// Ends the run in front of the first line that is certain to be the next build's. True: the line is
// held until another one tells.
bool Classifier::between_builds(std::string_view raw, std::uint64_t number, bool decorated) {
  std::string other;
  const LogLine parsed = headers_.look(raw, other);
  // ONNX Runtime and Torch-TensorRT build an engine for each part of one model.
  const bool scripts = parsed.producer == Producer::python || parsed.producer == Producer::unknown;
  const bool another = parsed.producer != Producer::unknown &&
                       parsed.producer != Producer::trtexec && !run()->seen(parsed.producer);
  BuildSign sign = BuildSign::none;
  if (parsed.own && (scripts || another)) sign = build_sign(parsed.body);
  if (LogLine whole; !parsed.own && is_without_header(parsed, whole)) {
    sign = build_sign(whole.body);
  }
  const bool built = run()->phase == BuildPhase::built;
  const bool likely = sign == BuildSign::maybe || sign == BuildSign::confirmed;
  const bool begins =
      sign == BuildSign::network || (built && (sign == BuildSign::build || (another && likely)));
  if (is_holding_) {
    held_.add(raw, number, decorated);
    const bool confirms = begins || (built && sign == BuildSign::confirmed);
    if (confirms || sign == BuildSign::same || parsed.verdict || held_.full()) {
      release_held(confirms);
    }
    return true;
  }
  if (begins) {
    end_run();
    return false;
  }
  if (sign != BuildSign::rule && sign != BuildSign::maybe) return false;
  is_holding_ = true;
  held_.add(raw, number, decorated);
  return true;
}

void Classifier::release_held(bool begins_build) {
  if (!is_holding_) return;
  is_holding_ = false;
  const HeldLines lines = std::exchange(held_, {});
  if (begins_build) end_run();
  for (const HeldLines::Line& line : lines.lines) {
    unusual_line(line.raw, line.number, line.decorated);
  }
}

void Classifier::end_run() {
  release_layer();
  runs_.end();
}

void Classifier::finish() {
  release_held(false);
  if (!torn_.empty()) mend({});
  release_layer();
  runs_.finish();
}

}  // namespace trtlens
