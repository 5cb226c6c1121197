// What LogParser knows between two lines. Its functions: log_runs.cc (where runs begin and end),
// log_classes.cc (the class of a line), log_parser.cc (the usual lines, and the way in).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "parsers/log/framing/header.h"
#include "parsers/log/framing/lines.h"
#include "parsers/log/framing/utf16.h"
#include "parsers/log/framing/verdict_line.h"
#include "parsers/log/grammar/line_kind.h"
#include "parsers/log/log_parser.h"
#include "parsers/log/runs/build_boundary.h"
#include "parsers/log/runs/run_builder.h"
#include "parsers/log/runs/run_retention.h"
#include "parsers/log/runs/wrapped_layer.h"

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

struct LogParser::State {
  explicit State(std::uint32_t file_index) : file(file_index) {
    usual_match.pos = {file_index, 0, 1};
  }

  std::uint32_t file;
  LineEnds ends;
  LineSplitter splitter;
  Utf16Decoder decoder;
  const LineKindTable& kinds = LineKindTable::instance();
  PlainHeader plain_header;
  std::string scratch;
  LogResult result;
  std::unique_ptr<RunBuilder> run;
  std::unique_ptr<RunBuilder> parent;  // of a run inside another one: 11.1's tuning loop
  EndedRuns ended;
  bool keeps_tactics = false;
  // Why the usual lines go the long way, too: bits. 0: they do not.
  static constexpr std::uint8_t kAsked = 1, kHolding = 2;
  std::uint8_t long_way = 0;
  HeldLines held;           // between two builds of one program
  bool inside_run = false;  // between RUNNING and its verdict
  bool closed = false;      // behind the verdict of a run
  bool opened = false;      // unprefixed lines belong to the message before them
  bool task = false;        // between TASK_BEGIN and TASK_END
  bool tail = false;        // the last line, which has no end
  // Of the last line with a header: lines of a list behind it have it, too.
  Margin margin;
  WrappedLayer layer;
  bool is_held = false;  // the class of the line waits for the rest of its layer
  std::string torn;      // a line that another stream's cut off; the rest may follow
  SourcePos torn_pos;
  // Whether an escape or a carriage return may stand in a line: of this chunk or begun before it.
  bool has_controls = false, carries_controls = false;
  Match usual_match;  // of a line that stands alone; not made anew for every line
  Observer observer = nullptr;
  void* observer_context = nullptr;

  LineVerdict pieces(std::string_view raw, SourcePos pos, bool& own);
  void line(std::string_view raw, std::uint64_t number);
  void unusual_line(std::string_view raw, std::uint64_t number, bool decorated);
  [[nodiscard]] bool may_be_between_builds() const;
  bool between_builds(std::string_view raw, std::uint64_t number, bool decorated);
  void release_held(bool begins_build);
  void last_line(std::string_view raw, std::uint64_t number);
  bool learn_margin(const LogLine& parsed);
  [[nodiscard]] bool stands_alone(const LogLine& parsed) const;
  void usual_line(const LineKind& kind, const Match& match);
  bool similar_line(std::string_view raw, std::uint64_t number);
  void count(std::string_view raw, std::uint64_t number, const LineVerdict& verdict, bool own);
  LineVerdict classify(const LogLine& parsed, SourcePos pos);
  LineVerdict own_line(const LogLine& parsed, SourcePos pos);
  [[nodiscard]] LineVerdict nameless(const LogLine& parsed, const LineKind* near);
  [[nodiscard]] bool is_rest_of_layer(const LogLine& parsed);
  void release_layer();
  LineVerdict bare_line(const LogLine& parsed, SourcePos pos);
  [[nodiscard]] bool is_pasted_error(const LogLine& parsed, LogLine& error) const;
  [[nodiscard]] bool is_old_samples(const LogLine& parsed, LogLine& old) const;
  [[nodiscard]] bool is_of_next_process(const LogLine& parsed) const;
  [[nodiscard]] const RunHeaders& headers() const;
  [[nodiscard]] bool has_headers() const;
  [[nodiscard]] bool is_library_text(std::string_view text, LogLine& whole) const;
  [[nodiscard]] bool is_headless(const LogLine& parsed, LogLine& whole) const;
  [[nodiscard]] bool is_logged(const LogLine& parsed, LogLine& whole) const;
  // Any of them, in a log that has such lines.
  [[nodiscard]] bool is_without_header(const LogLine& parsed, LogLine& whole) const;
  LineVerdict library_line(const LogLine& whole, SourcePos pos);
  LineVerdict foreign_line(const LogLine& parsed, SourcePos pos);
  LineVerdict verdict_line(const LogLine& parsed, SourcePos pos);
  LineVerdict before_verdict(const LogLine& parsed, std::size_t at, SourcePos pos);
  LineVerdict tear(const LogLine& parsed, std::size_t at, SourcePos pos);
  bool mend(std::string_view rest);
  [[nodiscard]] bool is_layer_line(const LogLine& parsed) const;
  [[nodiscard]] bool of_another_program(const LogLine& parsed) const;
  [[nodiscard]] LineKindTable::Result find(const LogLine& parsed, LogSection section,
                                           LogLine& plain, Match& match) const;
  void apply(const LineKind& kind, const Match& match);
  void begin_run(std::uint64_t first_line);
  void end_run();
  void begin_verdict_run(const VerdictLine& verdict, std::uint64_t first_line);
  void end_task();
  bool close_earlier_run(const VerdictLine& verdict);
};

}  // namespace trtlens
