// Reads logs for their classes alone and collects the lines that no row knows.
#include "parsers/log/lint/lint.h"

#include <algorithm>

#include "parsers/input/input.h"
#include "parsers/input/reading.h"
#include "parsers/log/framing/header.h"
#include "parsers/log/lint/shape_counter.h"
#include "parsers/log/log_parser.h"
#include "parsers/redact/redactor.h"
#include "parsers/text/sniff.h"

namespace trtlens {
namespace {

// The part of a redrawn line (behind CR) that its verdict is about: the first with a header.
LogLine speaking_part(std::string_view raw, std::string& scratch) {
  for (;;) {
    const std::size_t cut = raw.find('\r');
    const LogLine parsed = split_header(raw.substr(0, cut), scratch);
    if (parsed.own || parsed.verdict || cut == std::string_view::npos) return parsed;
    raw.remove_prefix(cut + 1);
  }
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

struct Linter {
  LintResult result;
  ShapeCounter shapes;
  std::string scratch;
  std::uint32_t file = 0;
  std::uint64_t line = 0;

  void note(std::string_view raw, const LineVerdict& verdict) {
    ++line;
    const LineClass c = verdict.line_class;
    if (c != LineClass::unknown && c != LineClass::malformed) return;
    const LogLine parsed = speaking_part(raw, scratch);
    LineShape shape;
    shape.line_class = c;
    shape.severity = parsed.severity;
    shape.near = verdict.near;
    shape.first = {file, line, 1};
    shape.sample = raw.substr(0, ShapeCounter::kMaxSampleBytes);
    shapes.add(std::move(shape), parsed.body);
  }

  void read(const std::string& path, const ParseOptions& options, ReadingProgress& progress) {
    ByteSource source(path, redacted(options.redactor));
    std::string begun;
    const std::string_view first = first_bytes(source, begun);
    Input input = opened_input(path, true, source, first);
    if (options.redactor != nullptr) input.path = options.redactor->path(path);
    if (!input.is_text) {
      input.why = "binary, no log";
    } else if (input.readable && looks_like_json(first)) {
      input.why = log_in_json(first.substr(0, kDecidingBytes));
      if (input.why.empty()) input.why = "JSON, no log";
    }
    if (!input.why.empty()) {
      result.inputs.push_back(std::move(input));
      return;
    }
    input.kind = InputKind::log;
    LogParser parser(file, {.known_message = options.known_message,
                            .observe = [this](std::string_view raw, const LineVerdict& verdict) {
                              note(raw, verdict);
                            }});
    line = 0;
    for (std::string_view chunk = first; !chunk.empty(); chunk = source.next()) {
      parser.feed(chunk);
      input.bytes += chunk.size();
      progress.advance(source);
    }
    progress.file_done(source);
    const LogResult log = parser.finish();
    input.lines = log.lines;
    if (!source.ok()) input.why = source.error();
    take(log);
    result.inputs.push_back(std::move(input));
  }

  void take(const LogResult& log) {
    result.coverage.add(log.coverage);
    result.runs += log.runs.size() + log.runs_left_out;
    for (const Build& build : log.builds) {
      if (build.tensorrt) add_once(result.versions, build.tensorrt->text());
      if (build.producer != "unknown") add_once(result.producers, build.producer);
    }
  }
};

}  // namespace

LintResult lint_logs(const std::vector<std::string>& paths, const ParseOptions& options) {
  Linter linter;
  ReadingProgress progress(options, paths);
  for (const std::string& path : paths) {
    linter.read(path, options, progress);
    ++linter.file;
    if (options.input_done) options.input_done(linter.result.inputs.back());
  }
  linter.result.shapes = linter.shapes.finish();
  linter.result.lines_left_out = linter.shapes.lines_left_out();
  return std::move(linter.result);
}

}  // namespace trtlens
