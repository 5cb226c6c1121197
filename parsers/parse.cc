// Opens inputs, finds what each is from its first bytes, reads it, and hands all to the joiner.
#include "parsers/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "parsers/folders.h"
#include "parsers/input/file_id.h"
#include "parsers/input/input.h"
#include "parsers/input/reading.h"
#include "parsers/join/join.h"
#include "parsers/json/json_inputs.h"
#include "parsers/log/log_parser.h"
#include "parsers/log/own_report.h"
#include "parsers/redact/redactor.h"
#include "parsers/text/sniff.h"

namespace trtlens {
namespace {

constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{1} << 30;

// A text found in a directory.
bool is_no_log(const FileContent& content) {
  return content.log.own_lines == 0 && content.log.library_lines == 0 && !content.named;
}

// A cache of calibration scales begins with this; it is text, but no log.
bool is_calibration_cache(std::string_view first) {
  return first.substr(0, 4) == "TRT-" && first.substr(0, 64).find("Calibration") != first.npos;
}

InputKind kind_of(const std::vector<JsonRecords>& documents) {
  for (const JsonRecords& document : documents) {
    if (document.kind != InputKind::unknown) return document.kind;
  }
  return InputKind::unknown;
}

// "run.log", "run.log.gz"
bool is_called_log(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(path.find_last_of('/') + 1);
  return name.ends_with(".log") || name.ends_with(".log.gz") || name.ends_with(".log.zst");
}

// The pieces of a file, counted while they are read.
struct Pieces {
  const ParseOptions& options;
  ReadingProgress& progress;
  ByteSource& source;
  std::string_view first;
  Input& input;
  bool is_first = true;
  char last = '\n';

  std::string_view operator()() {
    const std::string_view chunk = is_first ? first : source.next();
    is_first = false;
    if (chunk.empty()) return chunk;
    if (options.tee && input.path == "-") options.tee(chunk.data(), chunk.size());
    input.bytes += chunk.size();
    input.lines += static_cast<std::uint64_t>(std::count(chunk.begin(), chunk.end(), '\n'));
    last = chunk.back();
    progress.advance(source);
    return chunk;
  }

  void end() const {
    if (last != '\n') ++input.lines;
  }
};

struct Reader {
  Reading& result;
  ReadingProgress& progress;
  const ParseOptions& options;
  std::deque<FileContent>& contents;
  std::map<FileId, std::string> seen{};  // with the path it was first read by
  std::uint64_t runs_so_far = 0;

  // Whether the file or directory was read before, by whatever path; says so.
  [[nodiscard]] bool is_read(const std::string& path) {
    const std::optional<FileId> id = file_id(path);
    if (!id) return false;
    const auto [at, is_new] = seen.emplace(*id, path);
    if (is_new) return false;
    result.diagnostics.push_back(input_twice(shown(path), shown(at->second)));
    return true;
  }

  // What a path is called in all that is said of it.
  [[nodiscard]] std::string shown(const std::string& path) const {
    return options.redactor == nullptr ? path : options.redactor->path(path);
  }

  void read(const std::string& path, const std::string& group, bool named) {
    read_content(path, group, named);
    if (options.input_done) options.input_done(result.inputs.back());
  }

  // True: a file of it was read before.
  bool read_part(const FolderPart& part) {
    bool any = false;
    for (const std::string& file : part.files) {
      if (is_read(file)) {
        any = true;
      } else {
        read(file, shown(part.name), false);
      }
    }
    return any;
  }

  // Of what is found in a directory, where nobody named it.
  void add_unreadable(Input input) {
    result.diagnostics.push_back({"input-unreadable", DiagnosticSeverity::warning, input.path, 0, 0,
                                  "a readable file", input.why});
    result.inputs.push_back(std::move(input));
  }

  // Of a folder's log: a build may be missing.
  void note_no_log(const Input& input) {
    result.diagnostics.push_back({"log-not-read", DiagnosticSeverity::warning, input.path, 0, 0,
                                  "the log of a build", input.why});
  }

  void read_content(const std::string& path, const std::string& group, bool named) {
    if (!named && is_made_by_kernel(path)) {
      Input input;
      input.path = shown(path);
      input.file = path;
      input.readable = false;
      input.why = "one of the kernel, such as of /proc";
      return add_unreadable(std::move(input));
    }
    ByteSource source(path, redacted(options.redactor));
    std::string begun;
    const std::string_view first = first_bytes(source, begun);
    Input input = opened_input(path, named, source, first);
    input.path = shown(path);
    if (input.readable && first.empty()) {
      input.why = "empty";
    } else if (!input.is_text) {
      input.bytes = source.size_hint();
      input.why = "binary, neither a log nor JSON";
    } else if (input.readable) {
      input.why = log_in_json(first.substr(0, kDecidingBytes));
    }
    if (!input.readable && !named) {
      add_unreadable(input);
    } else {
      if (!named && !input.why.empty() && is_called_log(path)) note_no_log(input);
      result.inputs.push_back(input);
    }
    if (!input.why.empty()) {
      pass_through(source, first, path);
      return;
    }
    FileContent content;
    content.input = result.inputs.size() - 1;
    content.group = group;
    content.named = named;
    if (looks_like_json(first)) {
      read_json_file(source, first, content);
    } else if (!named && (is_calibration_cache(first) || is_own_report(first))) {
      Pieces pieces{options, progress, source, first, result.inputs.back()};
      while (!pieces().empty()) {
      }
      progress.file_done(source);
      return;
    } else {
      read_log(source, first, content);
    }
    progress.file_done(source);
    report_end(source, shown(path));
    runs_so_far += content.log.runs.size() + content.log.runs_left_out;
    const bool says_nothing = content.log.lines == 0 && content.documents.empty();
    if (content.named || !says_nothing) contents.push_back(std::move(content));
  }

  // What cannot be read is still handed on by --tee.
  void pass_through(ByteSource& source, std::string_view first, const std::string& path) {
    if (!options.tee || path != "-") return;
    for (std::string_view chunk = first; !chunk.empty(); chunk = source.next()) {
      options.tee(chunk.data(), chunk.size());
    }
  }

  // In a directory a text without a single line of TensorRT's is a README, not a log.
  void take_log(FileContent& content) {
    if (is_no_log(content)) content.log = LogResult();
    if (content.log.lines == 0 && !content.named) return;
    Input& input = result.inputs[content.input];
    input.kind = InputKind::log;
    result.coverage.add(content.log.coverage);
    report_what_was_cut(content.log, input.path);
  }

  void read_log(ByteSource& source, std::string_view first, FileContent& content) {
    Input& input = result.inputs[content.input];
    LogParser parser(static_cast<std::uint32_t>(content.input),
                     {.keep_run = std::max(0, options.run - static_cast<int>(runs_so_far)),
                      .keep_tactics = options.keep_tactics,
                      .known_message = options.known_message});
    for (std::string_view chunk = first; !chunk.empty(); chunk = source.next()) {
      if (options.tee && input.path == "-") options.tee(chunk.data(), chunk.size());
      parser.feed(chunk);
      if (options.so_far) parser.so_far(options.so_far);
      input.bytes += chunk.size();
      progress.advance(source);
    }
    content.log = parser.finish();
    input.lines = content.log.lines;
    take_log(content);
  }

  // Lines, numbers and messages of a log that were not kept.
  void report_what_was_cut(const LogResult& log, const std::string& path) {
    report_cut(log.cut_lines, "log-line-cut", path, "lines of at most 1 MiB",
               " longer, read to that length", log.first_cut_line);
    report_cut(log.impossible_numbers, "log-impossible-number", path,
               "times and rates between 0 and 1e12, percentiles up to 100", " beyond, left out",
               log.first_impossible_line);
    report_cut(log.messages_left_out, "log-messages-cut", path,
               "at most 20000 different warnings, and as many errors, in a run",
               " more lines, left out");
    report_cut(log.rows_left_out, "log-rows-cut", path,
               "at most 5000 rows of options in 4 MiB, 64 KiB each, 20000 of memory and 200000 of "
               "its layers, 20000 inputs and outputs in 4 MiB, a run",
               " more, left out");
    report_cut(log.layers_left_out, "log-layers-cut", path,
               "at most 100000 layers and 200000 ONNX nodes in a run",
               " lines about more of them, left out");
    report_cut(log.races_left_out, "log-races-cut", path,
               "at most 40000 races (a layer in a combination of formats) in a run",
               " more, left out; their tactics are counted");
    report_cut(log.candidates_left_out, "log-candidates-cut", path,
               "at most 20000 tactics, with 4 MiB of names, in a race",
               " more, counted; none of them is shown as the fastest");
    // The commands and outcomes of runs that a log of thousands began with.
    report_cut(log.runs_left_out, "log-runs-cut", path, "at most 3000 runs, with 4 MiB of commands",
               " more, the oldest, left out; --run N reports one of them");
  }

  // What ended the reading too early, and whether somebody wrote while it was read.
  void report_end(const ByteSource& source, const std::string& path) {
    if (!source.ok()) {
      // What was read before counts: a log that was cut off is still a log.
      if (result.inputs.back().kind == InputKind::unknown)
        result.inputs.back().why = source.error();
      result.diagnostics.push_back({"input-read-error", DiagnosticSeverity::error, path, 0, 0,
                                    "the rest of the file", source.error()});
    }
    if (path == "-" && options.interrupted && options.interrupted()) {
      Input& input = result.inputs.back();
      input.interrupted = true;
      result.diagnostics.push_back(
          {"input-interrupted", DiagnosticSeverity::note, path, 0, 0, "the end of the log",
           fmt::format("an interrupt after {} lines, {} bytes", input.lines, input.bytes)});
    }
    if (const auto bytes = source.changed_size()) {
      result.diagnostics.push_back(
          {"input-changed", DiagnosticSeverity::warning, path, 0, 0,
           "a file that nobody writes to while it is read",
           fmt::format("{} bytes at first, {} when its end was reached, {} of them read",
                       source.raw_size(), *bytes, source.raw_bytes_read())});
    }
  }

  void report_cut(std::uint64_t n, const char* id, const std::string& path, const char* expected,
                  const char* found, std::uint64_t line = 0) {
    if (n == 0) return;
    result.diagnostics.push_back(
        {id, DiagnosticSeverity::warning, path, line, 0, expected, std::to_string(n) + found});
  }

  void read_json_file(ByteSource& source, std::string_view first, FileContent& content) {
    Input& input = result.inputs[content.input];
    // A file can be read again, a pipe cannot.
    const bool is_big_file = input.path != "-" && source.size_hint() > first.size() &&
                             source.size_hint() <= kMaxJsonBytes;
    if (!is_big_file) return read_json_whole(source, first, content);
    if (read_json_in_pieces(source, first, content)) return;
    input.bytes = input.lines = 0;
    source.rewind();
    read_json_whole(source, source.next(), content);
  }

  // Valid JSON needs no copy of the file in memory. False: nothing was kept, read it whole.
  bool read_json_in_pieces(ByteSource& source, std::string_view first, FileContent& content) {
    Input& input = result.inputs[content.input];
    Pieces pieces{options, progress, source, first, input};
    auto documents =
        read_json_pieces(std::ref(pieces), source.size_hint(), input.path,
                         static_cast<std::uint32_t>(content.input), result.diagnostics);
    if (!documents) return false;
    pieces.end();
    content.documents = std::move(*documents);
    input.kind = kind_of(content.documents);
    return true;
  }

  // Empty: it is too big.
  std::string whole_text(ByteSource& source, std::string_view first, Input& input) {
    std::string text;
    text.reserve(std::min<std::uint64_t>(source.size_hint(), kMaxJsonBytes));
    Pieces pieces{options, progress, source, first, input};
    for (std::string_view chunk = pieces(); !chunk.empty(); chunk = pieces()) {
      if (input.bytes <= kMaxJsonBytes) text.append(chunk);
      if (input.bytes > kMaxJsonBytes && input.path != "-") break;
    }
    if (input.bytes > kMaxJsonBytes) {
      input.why = "JSON of more than 1 GiB, which no export of trtexec is";
      return {};
    }
    pieces.end();
    return text;
  }

  void read_json_whole(ByteSource& source, std::string_view first, FileContent& content) {
    Input& input = result.inputs[content.input];
    const std::string text = whole_text(source, first, input);
    if (!input.why.empty()) return;
    content.documents =
        read_json(text, input.path, static_cast<std::uint32_t>(content.input), result.diagnostics);
    input.kind = kind_of(content.documents);
  }
};

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Input unlisted(const std::string& path, const std::string& shown, const std::string& why) {
  Input input;
  input.path = shown;
  input.file = path;
  input.readable = false;
  input.why = why;
  input.explicitly_named = true;
  return input;
}

void note_not_read(const std::string& path, std::size_t left, bool any, Reading& reading) {
  if (left == 0) return;
  const std::string found = std::to_string(left) + (left == 1 ? " folder" : " folders");
  reading.diagnostics.push_back(
      {"folder-not-read", DiagnosticSeverity::note, path, 0, 0,
       any ? "logs and exports of one build" : "builds at most two folders deep",
       found + (any ? " beside them, not read" : " below, not read")});
}

// Files of a directory; one without any log or export stands for its subdirectories.
void read_directory(Reader& reader, const std::string& path, int depth) {
  const Folder folder = look_into(path, reader.options.redactor);
  if (!folder.error.empty()) {
    reader.result.inputs.push_back(unlisted(path, reader.shown(path), folder.error));
    return;
  }
  const std::size_t before = reader.result.inputs.size();
  bool any = false;
  for (const FolderPart& part : folder.parts) any = reader.read_part(part) || any;
  any = any || knows_any(reader.result.inputs, before);
  if (any || depth >= kMaxFolderDepth) {
    note_not_read(reader.shown(path), folder.directories.size(), any, reader.result);
    return;
  }
  for (const std::string& directory : folder.directories) {
    if (!reader.is_read(directory)) read_directory(reader, directory, depth + 1);
  }
}

// `is_alone`: nothing else was named.
void read_named_directory(Reader& reader, const std::string& path, bool is_alone) {
  if (reader.is_read(path)) return;
  const std::size_t before = reader.result.inputs.size();
  read_directory(reader, path, 0);
  const std::vector<Input>& inputs = reader.result.inputs;
  const bool is_said =
      std::any_of(inputs.begin() + static_cast<std::ptrdiff_t>(before), inputs.end(),
                  [](const Input& input) { return input.is_missing(); });
  if (is_alone || is_said || knows_any(inputs, before)) return;
  reader.result.inputs.push_back(nothing_in(path, reader.shown(path)));
}

}  // namespace

bool is_interrupted(const Build& build, const std::vector<Input>& inputs,
                    const std::vector<Run>& runs) {
  for (std::size_t file = 0; file < inputs.size(); ++file) {
    if (!inputs[file].interrupted) continue;
    const Run* last = nullptr;
    for (const Run& run : runs) {
      if (run.file == file) last = &run;
    }
    if (last != nullptr && std::ranges::find(build.runs, last->n) != build.runs.end()) return true;
  }
  return false;
}

ParseResult parse_inputs(const std::vector<std::string>& paths, const ParseOptions& options) {
  ParseResult result;
  ReadingProgress progress(options, paths);
  std::deque<FileContent> contents;
  Reader reader{result, progress, options, contents};
  for (const std::string& path : paths) {
    std::string clean = path;
    while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
    if (path != "-" && is_directory(clean)) {
      read_named_directory(reader, clean, paths.size() == 1);
    } else if (!reader.is_read(path)) {
      reader.read(path, reader.shown(parent_of(path)), true);
    }
  }
  join_contents(std::move(contents), options, result);
  return result;
}

ParseResult parse_part(const FolderPart& part, int runs_before, const ParseOptions& options) {
  ParseResult result;
  result.run_count = runs_before;
  ReadingProgress progress(options, part.files);
  std::deque<FileContent> contents;
  Reader reader{result, progress, options, contents};
  reader.read_part(part);
  join_contents(std::move(contents), options, result);
  return result;
}

Diagnostic input_twice(const std::string& path, const std::string& first) {
  return {"input-twice",
          DiagnosticSeverity::warning,
          path,
          0,
          0,
          "every input once",
          (first == path ? std::string("it again") : "what is " + first + ", too") + ": read once"};
}

Input nothing_in(const std::string& folder, const std::string& shown) {
  return unlisted(folder, shown, "no log of trtexec and no JSON export in it");
}

bool knows_any(const std::vector<Input>& inputs, std::size_t from) {
  return std::any_of(inputs.begin() + static_cast<std::ptrdiff_t>(from), inputs.end(),
                     [](const Input& input) { return input.kind != InputKind::unknown; });
}

bool reads_folders_below(const Reading& folder, int depth) {
  return !knows_any(folder.inputs) && depth < kMaxFolderDepth;
}

void note_folders_not_read(const std::string& folder, std::size_t below, Reading& reading) {
  note_not_read(folder, below, knows_any(reading.inputs), reading);
}

}  // namespace trtlens
