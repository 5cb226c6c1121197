// What each line of a log is, from its header, its words and what stands before it; the facts go to
// its run. line_class.cc: lines with TensorRT's header; library_line.cc: its words behind another
// header or none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/log/framing/framing.h"
#include "parsers/log/framing/line_headers.h"
#include "parsers/log/framing/verdict_line.h"
#include "parsers/log/grammar/line_kind.h"
#include "parsers/log/log_parser.h"
#include "parsers/log/runs/build_boundary.h"
#include "parsers/log/runs/log_runs.h"
#include "parsers/text/ascii.h"

namespace trtlens {

[[nodiscard]] constexpr std::uint32_t bit_of(LogSection section) {
  return std::uint32_t{1} << static_cast<unsigned>(section);
}
[[nodiscard]] constexpr bool is_one_of(std::uint32_t sections, LogSection section) {
  return (sections >> static_cast<unsigned>(section) & 1U) != 0;
}
// Blocks of unprefixed lines, which a header ends.
constexpr std::uint32_t kEndedByHeader =
    bit_of(LogSection::layer_names) | bit_of(LogSection::engine_layers) |
    bit_of(LogSection::onnx_node) | bit_of(LogSection::traceback);
// Sections that a line of the library ends, or may end.
constexpr std::uint32_t kEndedByLibrary =
    kEndedByHeader | bit_of(LogSection::graph_nodes) | bit_of(LogSection::options);

class Classifier {
 public:
  Classifier(std::uint32_t file, const LogOptions& options, LogRuns& runs)
      : options_(options), runs_(runs), file_(file) {
    usual_match_.pos = {file, 0, 1};
  }

  // Those that end in the chunk.
  void lines(Framing& framing, std::string_view chunk);
  // `decorated`: escapes or carriage returns stand in it.
  void line(std::string_view raw, std::uint64_t number, bool decorated);
  // One that no line break ends.
  void last_line(std::string_view raw, std::uint64_t number, bool decorated);
  // At the end of the log: what waits is decided, the runs end.
  void finish();

  [[nodiscard]] const Coverage& coverage() const { return coverage_; }
  [[nodiscard]] std::uint64_t own_lines() const { return own_lines_; }
  [[nodiscard]] std::uint64_t library_lines() const { return library_lines_; }

 private:
  [[nodiscard]] RunBuilder* run() const { return runs_.run(); }
  // "[05/25/2022-22:57:19] …", "2022-05-25 …".
  [[nodiscard]] static bool has_clock(std::string_view raw) {
    if (raw.starts_with('[')) raw.remove_prefix(1);
    return !raw.empty() && is_digit(raw[0]);
  }
  void begin_run(const LogLine& first, SourcePos pos) {
    runs_.begin(pos.line, own_lines_);
    run()->begins_with_clock = has_clock(first.raw);
    run()->is_of_tensorrt = names_tensorrt_ || !options_.known_message;
  }
  void is_of_tensorrt() {
    names_tensorrt_ = true;
    if (!run()) return;
    run()->is_of_tensorrt = true;
    run()->is_by_letter = false;
  }
  void is_by_letter() {
    if (!run()->is_of_tensorrt) run()->is_of_tensorrt = run()->is_by_letter = true;
  }
  void end_run();
  [[nodiscard]] bool is_inside_run() const { return run() && run()->stage == RunStage::running; }
  [[nodiscard]] bool is_closed() const { return run() && run()->stage == RunStage::closed; }

  // The short way.
  [[nodiscard]] static bool stands_alone(const RunBuilder& run, const LogLine& parsed);
  bool similar_line(std::string_view raw, std::uint64_t number);
  void usual_line(RunBuilder& run, const LineKind& kind, const Match& match);

  void unusual_line(std::string_view raw, std::uint64_t number, bool decorated);
  LineVerdict whole_line(std::string_view raw, SourcePos pos, bool decorated, bool& own);
  void count(std::string_view raw, std::uint64_t number, const LineVerdict& verdict, bool own);
  void apply(const LineKind& kind, const Match& match);

  // Between two builds of one program.
  [[nodiscard]] bool may_be_between_builds() const;
  bool between_builds(std::string_view raw, std::uint64_t number, bool decorated);
  void release_held(bool begins_build);

  LineVerdict classify(const LogLine& parsed, SourcePos pos);
  LineVerdict pieces(std::string_view raw, SourcePos pos, bool& own);
  void begin_own_line(const LogLine& parsed, bool untagged, SourcePos pos);
  LineVerdict own_line(const LogLine& parsed, SourcePos pos);
  LineVerdict bare_line(const LogLine& parsed, SourcePos pos);
  LineVerdict foreign_line(const LogLine& parsed, SourcePos pos);
  LineVerdict line_of_no_kind(const LogLine& parsed, SourcePos pos);
  void count_library_line();
  LineVerdict library_line(const LogLine& whole, SourcePos pos);
  LineVerdict verdict_line(const LogLine& parsed, SourcePos pos);
  [[nodiscard]] LogSeverity level_by_words(const LogLine& parsed);
  [[nodiscard]] LineVerdict nameless(const LogLine& parsed, const LineKind* near);
  [[nodiscard]] LineKindTable::Result find(const LogLine& parsed, LogSection section,
                                           LogLine& plain, Match& match) const;

  // Lines that other streams tore, and layers that a terminal wrapped.
  [[nodiscard]] std::size_t next_run_inside(std::string_view raw) const;
  LineVerdict next_run(std::string_view raw, std::size_t at, SourcePos pos);
  LineVerdict before_verdict(const LogLine& parsed, std::size_t at, SourcePos pos);
  LineVerdict tear(const LogLine& parsed, std::size_t at, SourcePos pos);
  bool mend(std::string_view rest);
  [[nodiscard]] bool is_rest_of_layer(const LogLine& parsed);
  void release_layer();

  [[nodiscard]] bool is_anybodys(const LineKind& kind, const LogLine& parsed) const;
  [[nodiscard]] bool is_pasted_error(const LogLine& parsed, LogLine& error) const;
  [[nodiscard]] bool is_old_samples(const LogLine& parsed, LogLine& old) const;
  [[nodiscard]] bool is_labelled_alike(const LogLine& parsed, LogLine& next) const;
  [[nodiscard]] bool is_of_next_process(const LogLine& parsed) const;
  [[nodiscard]] bool is_layer_line(const LogLine& parsed) const;
  [[nodiscard]] bool of_another_program(const LogLine& parsed) const;
  [[nodiscard]] const RunHeaders& headers() const;
  [[nodiscard]] bool has_headers() const;
  [[nodiscard]] bool is_library_text(std::string_view text, LogLine& whole) const;
  [[nodiscard]] bool is_headless(const LogLine& parsed, LogLine& whole) const;
  LineVerdict continuation(const LogLine& parsed);
  LineVerdict known_noise(const LogLine& known, SourcePos pos);
  [[nodiscard]] bool is_known_message(const LogLine& parsed, LogLine& whole);
  [[nodiscard]] bool is_logged(const LogLine& parsed, LogLine& whole) const;
  // Any of them, in a log that has such lines.
  [[nodiscard]] bool is_without_header(const LogLine& parsed, LogLine& whole) const;

  const LogOptions& options_;
  LogRuns& runs_;
  const LineKindTable& kinds_ = LineKindTable::instance();
  LineHeaders headers_;
  Match usual_match_;  // of a line that stands alone; not made anew for every line
  Coverage coverage_;
  std::uint64_t own_lines_ = 0, library_lines_ = 0;
  std::uint32_t file_;
  bool names_tensorrt_ = false;   // a line so far is TensorRT's or names it
  bool may_stand_alone_ = false;  // the next line: no run, no line before it claims it
  bool is_holding_ = false;       // lines wait in held_
  bool is_held_ = false;          // the class of the line waits for the rest of its layer
  bool tail_ = false;             // the last line, which has no end
  HeldLines held_;                // between two builds of one program
  std::string torn_;              // a line that another stream's cut off; the rest may follow
  SourcePos torn_pos_;
};

}  // namespace trtlens
